"""Numbers and names in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from gainsayer.levels import Relevance
from gainsayer.text import printable

LONGEST_NAME = 40
_SHARES = (
    (0.1, "about one in ten"),
    (0.2, "about one in five"),
    (0.25, "about a quarter"),
    (1 / 3, "about a third"),
    (0.4, "about two in five"),
    (0.5, "about half"),
    (0.6, "about three in five"),
    (2 / 3, "about two thirds"),
    (0.75, "about three quarters"),
    (0.8, "about four in five"),
    (0.9, "about nine in ten"),
)


def share_in_words(share: float) -> str:
    """A share as one says it.

    >>> share_in_words(0.52), share_in_words(0.02), share_in_words(0.97), share_in_words(0.0)
    ('about half', 'hardly any', 'nearly all', 'none')
    """
    if share in (0.0, 1.0):
        return "none" if share == 0.0 else "all"
    if not 0.05 <= share <= 0.95:
        return "hardly any" if share < 0.5 else "nearly all"
    return min(_SHARES, key=lambda known: abs(known[0] - share))[1]


def percent(share: float) -> str:
    """A share in whole percent; a small one with a decimal, so that it does not look like nothing.

    >>> percent(0.538), percent(0.0047), percent(0.0), percent(1.0)
    ('54%', '0.5%', '0%', '100%')
    """
    return f"{share:.1%}" if 0 < abs(share) < 0.095 else f"{share:.0%}"


def quoted(name: str) -> str:
    """A name from the data in quotation marks, shortened where very long, without signs that steer text.

    >>> quoted("Key"), len(quoted("x" * 1000))
    ("'Key'", 42)
    """
    return f"'{shortened(name)}'"


def shortened(name: str) -> str:
    r"""A name on one line, cut where very long.

    >>> shortened("a run\nof mine")
    'a run of mine'
    """
    line = " ".join(printable(name).split())
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1].rstrip() + "…"


def name_side(assessors: Sequence[str]) -> str:
    """What a side is called: its assessors, or the first of many.

    >>> name_side(("a", "b")), name_side(("a", "b", "c"))
    ('a, b', 'a and 2 more')
    """
    return ", ".join(assessors) if len(assessors) <= 2 else f"{assessors[0]} and {len(assessors) - 1} more"


def counted(count: float, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "run"), counted(1200, "pair"), counted(0.5, "pair")
    ('1 run', '1,200 pairs', '0.5 pairs')
    """
    said = f"{int(count):,}" if float(count).is_integer() else f"{count:,.1f}"
    return f"{said} {noun}{'' if count == 1 else 's'}"


def decimal(value: float | None, digits: int = 2) -> str:
    """A number in a sentence.

    >>> decimal(0.456), decimal(None)
    ('0.46', 'unknown')
    """
    return "unknown" if value is None or value != value else f"{value:.{digits}f}"


def spanned(lower: float | None, upper: float | None, digits: int = 2) -> str:
    """An interval in a sentence; nothing where it is unknown.

    >>> spanned(0.25, 0.5)
    ' (0.25 to 0.50)'
    """
    if lower is None or upper is None or lower != lower or upper != upper:
        return ""
    return f" ({lower:.{digits}f} to {upper:.{digits}f})"


def name_relevance(relevance: Relevance) -> str:
    """What counts as relevant, in words.

    >>> from gainsayer.levels import Levels
    >>> name_relevance(Levels(("Non", "Rel", "Key")).at_or_above("Rel"))
    'Rel or higher'
    """
    names = [shortened(name) for name in relevance.names]
    if relevance.threshold is None or len(names) == 1:
        return " or ".join(names) or "nothing"
    return f"{names[0]} or higher"
