"""Numbers and names in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gainsayer.levels import Relevance
from gainsayer.text import printable

LONGEST_NAME = 40
SAME = "the same"
# Which group a run belongs to.
FIRST, BEST, BELOW = "may be best", "the best", "not the best"
ABOVE_BASELINE, BELOW_BASELINE, NEAR_BASELINE, BASELINE = (
    *("above the baseline", "below the baseline", "not told apart", "the baseline"),
)
MINUS = "\u2212"  # the sign of a number, longer than a hyphen


@dataclass(frozen=True)
class Sentence:
    """What is said, and the part of it that is set in bold; that part is empty, or stands in the text.

    >>> Sentence("35 of 61 runs", "35").parted
    ('', '35', ' of 61 runs')
    """

    text: str
    strong: str = ""

    @property
    def parted(self) -> tuple[str, str, str]:
        """Before, in and after what is bold."""
        return self.text.partition(self.strong) if self.strong in self.text and self.strong else (self.text, "", "")


def sure(confidence: float) -> str:
    """A confidence as a number.

    >>> sure(0.95), sure(1 - 2 * (1 - 0.95))
    ('95 %', '90 %')
    """
    return f"{round(100 * confidence, 6):g} %"


def times(confidence: float) -> str:
    """A confidence in a sentence.

    >>> times(0.95), times(1 - 2 * (1 - 0.95)), times(0.8)
    ('19 times in 20', '9 times in 10', 'with 80 % confidence')
    """
    common = {0.95: "19 times in 20", 0.9: "9 times in 10"}
    return common.get(round(confidence, 6), f"with {sure(confidence)} confidence")


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


def count_of(count: int, every: int, noun: str) -> str:
    """So many of all of them, and no "53 of 53".

    >>> count_of(24, 53, "topic"), count_of(53, 53, "topic")
    ('24 of 53 topics', 'all 53 topics')
    """
    return f"all {counted(every, noun)}" if count == every > 1 else f"{count:,} of {counted(every, noun)}"


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


def users(share: float | None) -> str:
    """How many users of a hundred: a whole number, and words at the edges, where rounding would say all or none.

    >>> users(0.417), users(0.0), users(0.998), users(0.002), users(None)
    ('42', '0', 'over 99', 'under 1', 'unknown')
    """
    if share is None or share != share:
        return "unknown"
    if 0 < share < 0.005:
        return "under 1"
    if 0.995 < share < 1:
        return "over 99"
    return f"{100 * share:.0f}"


def find_relevant(share: float | None, judge: str, graded: str, *, only: bool = False) -> str:
    """How many documents of a grade are found relevant: of 100 users, or by a judge who is not people.

    >>> find_relevant(0.79, "", "graded 3")
    'Of 100 users, 79 find a document relevant that was graded 3'
    >>> find_relevant(0.3, "gpt", "graded 3", only=True)
    'gpt finds only 30 of 100 documents relevant that were graded 3'
    """
    many = f"{'only ' if only else ''}{users(share)}"
    if not judge:
        return f"Of 100 users, {many} find a document relevant that was {graded}"
    return f"{judge} finds {many} of 100 documents relevant that were {graded}"


def user_span(lower: float | None, upper: float | None) -> str:
    """The ends of such a number; nothing where they are unknown.

    >>> user_span(0.274, 0.5761), user_span(None, None)
    ('27 to 58', '')
    """
    if lower is None or upper is None or lower != lower or upper != upper:
        return ""
    return f"{100 * lower:.0f} to {100 * upper:.0f}"


def capitalized(text: str) -> str:
    """A sentence with a capital letter at its beginning, and nothing else changed.

    >>> capitalized("more topics like TREC's")
    "More topics like TREC's"
    """
    return text[:1].upper() + text[1:]


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign, a real minus; nothing before a zero.

    >>> signed(0.0114), signed(-0.5, 1), signed(-0.00001)
    ('+0.011', '−0.5', '0.000')
    """
    shown = f"{abs(value):.{digits}f}"
    sign = "" if not float(shown) else "+" if value > 0 else MINUS
    return sign + shown


def show_signed(value: float) -> str:
    """A tick of a scale of differences.

    >>> show_signed(0.05), show_signed(-0.5), show_signed(0)
    ('+0.05', '−0.5', '0')
    """
    return "0" if not value else f"{'+' if value > 0 else MINUS}{abs(value):g}"


def p_value(p: float | None) -> str:
    """A p-value in a sentence; one too small to be shown as what it lies below.

    >>> p_value(0.0312), p_value(1e-9), p_value(None)
    ('p = 0.031', 'p < 0.0001', 'p unknown')
    """
    if p is None or p != p:
        return "p unknown"
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}"


def listed(names: Sequence[str], word: str = "and") -> str:
    """Names as one says them.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b"], "or")
    ('a', 'a, b and c', 'a or b')
    """
    return f" {word} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


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


def name_stratum(stratum: str | None) -> str:
    """The beginning of a title: of which topics it speaks, where that is not all of them.

    >>> name_stratum("nav"), name_stratum(None)
    ('Stratum nav. ', '')
    """
    return "" if stratum is None else f"Stratum {stratum}. "


def say_runs(runs: Sequence[str], measures: Sequence[str], gains: Sequence[str], topics: Sequence[str]) -> str:
    """What a table of runs is about, in a few words.

    >>> say_runs(["a", "b"], ["AP", "AP"], ["prm", "binary"], ["q1"])
    '2 runs, AP, gains prm, binary, 1 topic'
    """
    measured, kinds = (", ".join(dict.fromkeys(names)) for names in (measures, gains))
    return f"{counted(len(runs), 'run')}, {measured}, gains {kinds}, {counted(len(topics), 'topic')}"
