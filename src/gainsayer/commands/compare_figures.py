"""The figures of runs: their scores, their distance from one of them, and two runs as a line and topic by topic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np

from gainsayer.commands.compare_tables import group_runs, run_table, say_twins
from gainsayer.commands.verdict import SAME, PairVerdict, decide_runs
from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.drawing.charts import dots_by_side
from gainsayer.drawing.figure import Figure
from gainsayer.drawing.interval_lines import ALL_NAMED, Label, Line, dense_lines, difference_line, interval_lines
from gainsayer.ranking.ranked import FloatArray
from gainsayer.table import Column, Table, show_number
from gainsayer.words import (
    ABOVE_BASELINE,
    BASELINE,
    BELOW,
    BEST,
    FIRST,
    counted,
    decimal,
    shortened,
    show_signed,
    signed,
    spanned,
    sure,
    times,
)

MOST_DRAWN: Final = 40  # differences
# Of lines, by group; other groups are grey.
_STYLES: Final[dict[str | None, str]] = {
    None: "blue",
    FIRST: "blue",
    BEST: "blue",
    ABOVE_BASELINE: "blue",
    BASELINE: "ink",
}


def forest(comparison: Comparison, part: RunComparison, *, id: str = "forest", short: bool = False) -> Figure:
    """The runs by one measure and kind of gains, with joint intervals; the verdict says which is best."""
    standings = part.standings
    return run_forest(
        *(str(part.measure), comparison.runs, standings.value, standings.interval),
        id=id,
        title=decide_runs(comparison, part).finding(),
        groups=group_runs(comparison, part),
        table=run_table(comparison, part).for_page(),
        short=short,
        confidence=comparison.confidence,
        over=comparison.whom(part),
        twins=say_twins(comparison, part),
    )


def run_forest(
    measure: str,
    runs: Sequence[str],
    value: FloatArray,
    interval: FloatArray,
    *,
    over: str,
    id: str = "forest",
    title: str | None = None,
    groups: Sequence[str] = (),
    table: Table | None = None,
    short: bool = False,
    confidence: float = 0.95,
    twins: str = "",
) -> Figure:
    """Scores of runs with intervals, mostly over topics and second judgments together.

    Overlapping intervals are not a test: runs share topics, and a paired difference is known more closely. The groups
    are the test's; blue runs may be the best, or are better than the baseline.

    Args:
        measure: its name ("nDCG@10").
        runs: their names, in any order; the drawing has the highest first.
        value: the scores; NaN where unknown.
        interval: their intervals.
        over: what the intervals are over.
        id: name in anchors and files.
        title: the finding; by default which run scores highest.
        groups: of the runs, in words; empty where there was no test.
        table: what is known of the runs, in the order given; by default scores and intervals.
        short: whether many runs are drawn close together and only the highest named.
        confidence: of the intervals.
        twins: which runs score the same on every topic, in a sentence; empty where none do.

    >>> ends = np.array([[0.35, 0.45], [0.5, 0.7]])
    >>> run_forest("nDCG@10", ("a", "b"), np.array([0.4, 0.6]), ends, over="other topics").title
    'b scores highest, 0.600'
    """
    order = np.argsort(-value, kind="stable")
    known = [run for run in order.tolist() if math.isfinite(value[run])]
    if title is None:
        best = known[0] if known else None
        title = "No run has a score" if best is None else f"{shortened(runs[best])} scores highest, {value[best]:.3f}"
    caption = "Dot: score."
    if np.isfinite(interval).any():
        caption += f" Line: where it would lie with {over}, {times(confidence)}."
    if not {FIRST, BEST}.isdisjoint(groups) and not (short and len(known) > ALL_NAMED):
        caption += " Blue: could be the best. Grey: another run is better."
    elif BASELINE in groups:
        caption += " Blue: shown to be better than the baseline."
    caption += f" {twins}" if twins else ""
    if table is None:
        ends = Column("interval", interval, f"{sure(confidence)} interval")
        table = Table("", (Column("run", runs, "run"), Column("value", value, "score"), ends)).for_page()
    table = replace(table.take(order), title=f"{shortened(measure)}, {counted(len(runs), 'run')}", notes=())
    shown = known if short and known else order.tolist()
    lines = []
    for at, run in enumerate(shown):
        group = groups[run] if groups else None
        score, (lower, upper) = float(value[run]), interval[run].tolist()
        said = f"{shortened(runs[run])}: {decimal(score, 3)}{spanned(lower, upper, 3)}{f'; {group}' if group else ''}"
        style = _STYLES.get(group, "mark")
        lines.append(Line(runs[run], score, lower, upper, style, said, at == 0 or group == BASELINE))
    drawing = dense_lines(lines, _labels(groups, shown)) if short and known else interval_lines(lines)
    return Figure(id, "RunForest", f"Score of each run ({shortened(measure)})", caption, title, table, drawing)


def _labels(groups: Sequence[str], shown: Sequence[int]) -> list[Label]:
    """How many runs are blue and how many grey, of those in these rows; the first run itself is not counted."""
    if not groups:
        return []
    near, lower = max(groups.count(FIRST) - 1, 0), groups.count(BELOW)
    few = (f"{counted(lower, 'run')}:", "another is better")
    return [
        Label(
            {at for at, run in enumerate(shown) if groups[run] in (FIRST, BEST)},
            "blue",
            (f"{near:,} other{'s' if near != 1 else ''} could be", "the best as well"),
            (f"{near:,} other{'s' if near != 1 else ''} could", "be the best", "as well"),
            before=True,
        ),
        Label({at for at, run in enumerate(shown) if groups[run] == BELOW}, "soft", few, few),
    ]


def differences(comparison: Comparison, part: RunComparison) -> Figure | None:
    """Each run minus the first one or the baseline; None where there are no tests."""
    found = comparison.from_reference(part)
    if found is None or part.differences is None:
        return None
    return run_differences(
        str(part.measure),
        comparison.runs[comparison.reference(part)],
        [comparison.runs[run] for run in found.a.tolist()],
        found.difference,
        found.simultaneous_interval,
        clear=found.verdicts.clear.tolist(),
        p=found.p_adjusted,
        pairs=len(part.differences.a),
        confidence=comparison.confidence,
    )


def run_differences(
    measure: str,
    other: str,
    runs: Sequence[str],
    difference: FloatArray,
    interval: FloatArray,
    *,
    clear: Sequence[bool],
    p: FloatArray,
    pairs: int,
    confidence: float = 0.95,
    id: str = "differences",
) -> Figure:
    """Each run minus one other run: a line that reaches zero is a difference that the test does not confirm.

    Args:
        measure: its name.
        other: the run that is taken away: the first, or the baseline.
        runs: the other runs, the nearest first.
        difference: run minus other; NaN where unknown.
        interval: for all pairs at once.
        clear: whether the test tells the run from the other.
        p: adjusted for all pairs.
        pairs: how many pairs the intervals hold for.
        confidence: of the intervals.
        id: name in anchors and files.
    """
    heading = f"Difference from {shortened(other)} ({shortened(measure)})"
    some = f"The {MOST_DRAWN} nearest. " if len(runs) > MOST_DRAWN else ""
    at_once = f" for all {pairs:,} pairs of runs at once" if pairs > 1 else ""
    columns = (
        Column("run", runs, "Run", align="left"),
        Column("difference", difference, "Difference"),
        Column("lower", interval[:, 0], f"From ({sure(confidence)}, all pairs)"),
        Column("upper", interval[:, 1], f"To ({sure(confidence)}, all pairs)"),
        Column("p", p, "p, corrected", say=_say_p, align="right"),
        Column("clear", ["yes" if one else "no" for one in clear], "Told apart", align="left"),
    )
    lines = []
    rows = zip(runs, difference.tolist(), interval.tolist(), clear, strict=True)
    for run, value, (lower, upper), apart in islice(rows, MOST_DRAWN):
        size = signed(value) if math.isfinite(value) else "unknown"
        said = f"{shortened(run)}: {size}, {'told apart' if apart else 'not told apart'}"
        lines.append(Line(run, value, lower, upper, "mark" if apart else "blue", said))
    return Figure(
        id,
        "RunDifferences",
        heading,
        f"{some}Line: {sure(confidence)} interval{at_once}. Blue: it reaches zero, so the test does not tell the run "
        "apart.",
        f"Of {counted(len(runs), 'run')}, {sum(not one for one in clear):,} cannot be told apart from "
        f"{shortened(other)}",
        Table(heading, columns),
        interval_lines(lines, zero=True, show=show_signed),
    )


def _say_p(p: float) -> str:
    """A p-value; one too small to be shown as what it lies below.

    >>> _say_p(0.0312), _say_p(1e-9)
    ('0.031', '<0.001')
    """
    return "<0.001" if p < 0.001 else show_number(p)


def pair_figure(verdict: PairVerdict, *, id: str = "difference") -> Figure:
    """How much higher run a scores than run b: one line, clear of 0 exactly where the test tells them apart."""
    higher = "higher" if verdict.difference >= 0 else "lower"
    lower, upper = verdict.interval or (math.nan, math.nan)
    inner_lower, inner_upper = verdict.inner_interval or (math.nan, math.nan)
    ends = "" if verdict.interval is None else f", from {signed(lower)} to {signed(upper)}"
    title = (
        f"{shortened(verdict.a)} scores {abs(verdict.difference):.3f} {higher} than {shortened(verdict.b)}{ends}: "
        f"{verdict.verdict}"
    )
    heading = f"Difference in {shortened(verdict.measure)}"
    confidence, inner = sure(verdict.confidence), sure(1 - 2 * (1 - verdict.confidence))
    same = ""
    if verdict.inner_interval is not None:
        same = f" Equivalent: its thick part ({inner} interval) keeps inside the shade."
    columns = (
        Column("a", [verdict.a], "Run", align="left"),
        Column("b", verdict.b, "Other run", align="left"),
        Column("difference", verdict.difference, "Difference", 4),
        Column("lower", lower, f"From ({confidence})", 4),
        Column("upper", upper, f"To ({confidence})", 4),
        Column("inner_lower", inner_lower, f"From ({inner})", 4),
        Column("inner_upper", inner_upper, f"To ({inner})", 4),
        Column("margin", verdict.margin, "Too small to matter", 4),
        Column("verdict", verdict.verdict, "Verdict", align="left"),
    )
    return Figure(
        id,
        "DifferenceLine",
        heading,
        f"Dot: mean over {counted(verdict.topics, 'topic')}. Line: where it would lie with {verdict.over}, "
        f"{times(verdict.confidence)}. Better: the line keeps clear of zero.{same}",
        title,
        Table(heading, columns),
        difference_line(
            (verdict.a, verdict.b),
            verdict.difference,
            verdict.interval,
            inner=verdict.inner_interval,
            margin=verdict.margin,
            title=title,
        ),
    )


def topic_figure(comparison: Comparison, part: RunComparison) -> Figure:
    """The difference of two runs on each topic; without topics where their scores were not gathered."""
    found = part.winner
    pair = [int(found.a[0]), int(found.b[0])]
    topics, scores = comparison.topics, part.values[pair]
    return topic_differences(str(part.measure), comparison.runs[pair[0]], comparison.runs[pair[1]], topics, scores)


def topic_differences(
    measure: str, a: str, b: str, topics: Sequence[str], scores: FloatArray, *, id: str = "topic-dots"
) -> Figure:
    """How much higher run a scores than run b on each topic; topics within 0.005 are ties.

    Args:
        measure: its name.
        a: the one run.
        b: the other run.
        topics: their names.
        scores: of the two runs on each topic, of the shape [2, topics].
        id: name in anchors and files.

    >>> scores = np.array([[0.4, 0.2, 0.2], [0.2, 0.2, 0.6]])
    >>> topic_differences("P@5", "a", "b", ("t1", "t2", "t3"), scores).title
    'a wins 1 topic and loses 1; 1 is the same'
    """
    gaps = scores[0] - scores[1]
    won, lost = int((gaps > SAME).sum()), int((gaps < -SAME).sum())
    same = len(topics) - won - lost
    columns = (
        Column("topic", topics, "Topic", align="left"),
        Column("score_a", scores[0], shortened(a)),
        Column("score_b", scores[1], shortened(b)),
        Column("difference", gaps, "Difference"),
    )
    order = sorted(range(len(topics)), key=lambda at: (-gaps[at], topics[at]))
    words = f"{counted(lost, 'topic')} lost", f"{same:,} the same", f"{counted(won, 'topic')} won"
    return Figure(
        id,
        "TopicDifferences",
        "One dot per topic",
        f"How much higher or lower {shortened(a)} scores than {shortened(b)} on each topic.",
        f"{shortened(a)} wins {counted(won, 'topic')} and loses {lost:,}; {same:,} {'is' if same == 1 else 'are'} "
        "the same",
        Table(f"{shortened(measure)} by topic", columns).take(order),
        dots_by_side(topics, gaps.tolist(), same=SAME, words=words),
    )
