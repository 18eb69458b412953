"""What `compare` answers, in a sentence or two per measure: made from the records of the tables."""

from __future__ import annotations

from collections.abc import Iterator

from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.evaluation.comparisons import ComparisonTable
from gainsayer.presentation.comparison_tables import find_first, verdicts_against
from gainsayer.presentation.figures.words import counted, shortened
from gainsayer.presentation.plans import say_advice

MOST_NAMED = 3


def answer_comparison(table: ComparisonTable) -> list[str]:
    """The answer for each measure by its first kind of gains, and what would tell more runs apart.

    >>> from gainsayer.evaluation.comparisons import compare
    >>> truth = {f"q{t}": {"a": 1, "b": int(t > 6), "c": 0} for t in range(12)}
    >>> runs = {"good": {t: {"a": 2.0, "b": 1.0} for t in truth}, "poor": {t: {"b": 2.0, "c": 1.0} for t in truth}}
    >>> print(*answer_comparison(compare(truth, runs, "P@1")))
    good is better than poor by P@1: 1.000 against 0.417, a difference of 0.583 (95 % interval 0.155 to 0.898).
    """
    comparison = table.comparison
    firsts = {part.measure: part for part in reversed(comparison.parts)}
    named = len(firsts) > 1
    sentences = [
        _answer(comparison, part, named=named) for part in dict.fromkeys(comparison.parts) if part in firsts.values()
    ]
    return [*sentences, *_help(table, next(iter(reversed(firsts.values()))))]


def _answer(comparison: Comparison, part: RunComparison, *, named: bool) -> str:
    by = f" by {part.measure}" if named or len(comparison.runs) == 2 else ""
    first = find_first(comparison, part)
    name, score = shortened(comparison.runs[first]), f"{part.standings.value[first]:.3f}"
    topics = counted(len(comparison.topics), "topic")
    if len(comparison.runs) == 1:
        return f"{name} scores {score}{by} on {topics}{_between(part, first, comparison.confidence)}."
    if part.differences is None:
        return f"{name} scores highest{by}, {score}. With {topics} nothing can be said about others."
    told = verdicts_against(part, first)
    if len(comparison.runs) == 2:
        return _answer_pair(comparison, part, by)
    if comparison.baseline is not None:
        counts = {word: sum(one.startswith(word) for one in told.values()) for word in ("better", "worse")}
        rest = len(told) - sum(counts.values())
        return (
            f"Of {counted(len(told), 'run')}, {counts['better']} score higher than {name}{by} and {counts['worse']} "
            f"lower; {rest} cannot be told apart from it on these {topics}."
        )
    level = [comparison.runs[at] for at, word in told.items() if not word.startswith("worse")]
    if not level:
        return f"{name} is the best of {len(comparison.runs):,} runs{by}: it scores {score}, and every other run lower."
    level.sort(key=lambda run: -part.standings.value[comparison.runs.index(run)])
    who = f" ({', '.join(map(shortened, level))})" if len(level) <= MOST_NAMED else ""
    return (
        f"{name} scores highest{by}, {score}; {counted(len(level), 'other')}{who} cannot be told apart from it on "
        f"these {topics}."
    )


def _answer_pair(comparison: Comparison, part: RunComparison, by: str) -> str:
    found, value = part.differences, part.standings.value
    assert found is not None
    a, b = int(found.a[0]), int(found.b[0])
    difference, (low, high) = float(found.difference[0]), found.interval[0].tolist()
    word = found.verdicts.word(0)
    if difference < 0:
        a, b, difference, low, high = b, a, -difference, -high, -low
        word = found.verdicts.word(0, reverse=True)
    one, other = (shortened(comparison.runs[at]) for at in (a, b))
    numbers = f"{value[a]:.3f} against {value[b]:.3f}, a difference of {difference:.3f}"
    if low == low:
        numbers += f" ({100 * comparison.confidence:g} % interval {low:.3f} to {high:.3f})"
    equal = comparison.margin is not None and "equivalent" in word
    within = f", within the {comparison.margin:g} that does not matter" if equal else ""
    if word.startswith("better"):
        return f"{one} is better than {other}{by}: {numbers}{within}."
    if equal:
        return f"{one} and {other} are equivalent{by}: {numbers}{within}."
    return f"{one} and {other} cannot be told apart{by}: {numbers}."


def _between(part: RunComparison, at: int, confidence: float) -> str:
    low, high = part.standings.interval[at].tolist()
    return "" if low != low else f" ({100 * confidence:g} % interval {low:.3f} to {high:.3f})"


def _help(table: ComparisonTable, part: RunComparison) -> Iterator[str]:
    """What to judge next, where runs are not told apart."""
    comparison = table.comparison
    first = find_first(comparison, part)
    undecided = any(not word.startswith(("better", "worse")) for word in verdicts_against(part, first).values())
    if undecided and table.advice is not None:
        yield f"What to judge next: {say_advice(table.advice)}"
