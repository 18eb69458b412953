"""The faults of one file or table: the first ten are shown, all are counted."""

from __future__ import annotations

from gainsayer.errors import MOST_FAULTS, FormatError

MOST_SHOWN = 40


def shorten(found: str | bytes) -> str:
    """What was found, quoted and short enough for a message.

    >>> shorten("q1 0 d2"), shorten(b"x" * 1000)
    ("'q1 0 d2'", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'")
    """
    cut = found[: MOST_SHOWN * 4]
    text = cut.decode(errors="replace") if isinstance(cut, bytes) else cut
    return repr(text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "...")


class Faults:
    """Collects what is wrong with a file, place by place, and raises it all at once.

    >>> faults = Faults("a.qrels")
    >>> faults.add(17, "expected 4 columns, found 3.")
    >>> faults.settle()
    Traceback (most recent call last):
    gainsayer.errors.FormatError: a.qrels, line 17: expected 4 columns, found 3.
    """

    def __init__(self, name: str, unit: str = "line") -> None:
        self.name, self.unit = name, unit
        self.count = 0
        self.shown: list[str] = []

    def add(self, place: int, fault: str) -> None:
        """Note a fault at a line (or row)."""
        self.count += 1
        if len(self.shown) < MOST_FAULTS:
            self.shown.append(f"{self.name}, {self.unit} {place}: {fault}")

    def settle(self, advice: str = "") -> None:
        """Raise `FormatError` if there were any faults."""
        if self.count:
            raise FormatError.listing(self.shown, self.count - len(self.shown), advice)
