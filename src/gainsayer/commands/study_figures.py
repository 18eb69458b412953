"""The figures of the five studies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from gainsayer.comparison.ranks import rank_scores
from gainsayer.drawing.charts import Curve, Panel, curves, slope
from gainsayer.drawing.figure import Figure
from gainsayer.drawing.interval_lines import BoxRow, box_rows
from gainsayer.errors import CallError
from gainsayer.ranking.ranked import FloatArray, IntArray
from gainsayer.studies.orders import GainStudy, RobustnessStudy
from gainsayer.studies.parameters import AmountStudy, TopicStudy
from gainsayer.studies.quality import QualityStudy
from gainsayer.table import Column, Table
from gainsayer.words import capitalized, counted, decimal, name_side, shortened, users

CLOSE: Final = 0.05  # from this spread on the worth of a grade is known closely
# What a step of the quality study counts.
STEPS: Final = {
    "metarank": "mean rank over the runs",
    "depth": "best rank in any run",
    "resources": "number of best resources",
}
# Of more runs than these, only those that move most are told apart by colour.
_ALL_COLOURED, _MOST_COLOURED = 20, 10


def topic_boxplot(study: TopicStudy) -> Figure:
    """The bootstrap over topics per level, as a boxplot, with the estimate and its binomial error below it.

    Boxes reach from the first to the third quartile, whiskers to the furthest draw within 1.5 box lengths.
    """
    names, boxes = study.levels.names, study.boxes
    parts = (boxes.low_whisker, boxes.low_quartile, boxes.median, boxes.high_quartile, boxes.high_whisker)
    columns = (
        Column("level", names, "Grade", align="left"),
        Column("whisker_low", boxes.low_whisker, "Low whisker"),
        Column("quartile_1", boxes.low_quartile, "First quartile"),
        Column("median", boxes.median, "Median"),
        Column("quartile_3", boxes.high_quartile, "Third quartile"),
        Column("whisker_high", boxes.high_whisker, "High whisker"),
        Column("topic_error", study.deviation, "Topic error", 4),
        Column("estimate", study.estimate, "Estimate"),
        Column("binomial_error", study.binomial, "Binomial error", 4),
    )
    rows = []
    for level in reversed(range(len(names))):
        name = shortened(names[level])
        low, first, median, third, high = (float(part[level]) for part in parts)
        value, error = float(study.estimate[level]), float(study.binomial[level])
        rows.append(
            BoxRow(
                *(names[level], name, (low, first, median, third, high)),
                f"{name}, topics drawn again: median {decimal(median)}, quartiles {decimal(first)} and "
                f"{decimal(third)}",
                *(value, error, f"{name}: {decimal(value)}, binomial error {decimal(error, 3)}"),
            )
        )
    return Figure(
        "topics",
        "TopicBoxplot",
        "Users of 100 who find it relevant, with topics drawn again",
        f"Box: the middle half of {counted(len(study.draws), 'draw')} of the topics, whiskers to the furthest draw "
        "within 1.5 box lengths. Diamond: the estimate, with one binomial error to each side, which takes topics as "
        "fixed.",
        _say_errors(names, study.deviation, study.binomial),
        Table("Worth of each grade over draws of the topics", columns),
        box_rows(rows),
    )


def _say_errors(names: Sequence[str], topic: FloatArray, binomial: FloatArray) -> str:
    """For which level the topics matter most, against the binomial error."""
    ratios = [
        (own / other, name)
        for name, own, other in zip(names, topic.tolist(), binomial.tolist(), strict=True)
        if math.isfinite(own) and other and math.isfinite(other)
    ]
    if not ratios:
        return "No grade was judged twice in several topics"
    ratio, name = max(ratios)
    if ratio < 1:
        return "Other topics move no grade further than chance within topics does"
    return f"Other topics move {shortened(name)} {ratio:.1f} times as far as chance within topics does"


def amount_curve(study: AmountStudy, *, most: int | None = None) -> Figure:
    """Mean and deviation of p(R|level) against the number of second judgments, at all sizes or at so many of them."""
    chosen = pick_some(len(study.sizes), most)
    sizes, mean, spread = study.sizes[chosen], study.mean[chosen], study.deviation[chosen]
    names = study.levels.names
    columns = [Column("amount", sizes, "Second judgments")]
    for level, name in enumerate(names):
        columns.append(Column(f"mean {name}", mean[:, level], f"Worth of {shortened(name)}"))
        columns.append(Column(f"spread {name}", spread[:, level], f"± {shortened(name)}"))
    drawn = [Curve(name, _points(sizes, 100 * spread[:, level])) for level, name in enumerate(names)]
    return Figure(
        "amount",
        "AmountCurve",
        "How far each grade's worth still moves by chance (± users of 100)",
        f"From the first few second judgments to all of them, in {counted(study.rounds, 'random order')}. Each step to "
        "the right multiplies.",
        _say_amount(names, sizes.tolist(), spread),
        Table("Worth of each grade from growing numbers of second judgments", tuple(columns)),
        curves([Panel("", tuple(drawn))], x="second judgments", logarithmic=True),
    )


def _say_amount(names: Sequence[str], sizes: Sequence[int], spread: FloatArray) -> str:
    """From which amount on all levels are known closely, or which level is not."""
    enough = None
    for size, moves in zip(reversed(sizes), spread[::-1], strict=True):
        if not np.all(moves <= CLOSE):
            break
        enough = size
    if enough is not None:
        return f"From {counted(enough, 'second judgment')} on, every grade moves by at most {users(CLOSE)} users"
    unknown = [name for name, last in zip(names, spread[-1], strict=True) if np.isnan(last)]
    if unknown:
        return f"Even with all second judgments, nobody knows how far {shortened(unknown[0])} moves"
    last, name = max(zip(spread[-1].tolist(), names, strict=True))
    return (
        f"Even after {counted(sizes[-1], 'second judgment')}, {shortened(name)} still moves by {users(last)} users of "
        "100"
    )


def pick_some(count: int, most: int | None) -> list[int]:
    """At most so many of the indices from 0 on, evenly apart, the first and the last among them.

    >>> pick_some(9, 3), pick_some(2, 5)
    ([0, 4, 8], [0, 1])
    """
    if most is None or count <= most:
        return list(range(count))
    return [round(at * (count - 1) / (most - 1)) for at in range(most)]


def quality_curve(
    study: QualityStudy,
    *,
    estimators: Sequence[str] = ("symmetric", "one-sided"),
    chosen: Sequence[int] | None = None,
) -> Figure:
    """p(R|level) among the first k results by each estimator, for growing k: at all steps, or at those chosen.

    A second round chosen by the first labels biases the symmetric estimate, not the one-sided one: the two panels show
    how far.
    """
    index = list(range(len(study.steps)) if chosen is None else chosen)
    names, steps = study.levels.names, study.steps[index]
    worth = {one: (study.one_sided if one == "one-sided" else study.symmetric)[index] for one in estimators}
    several, by = len(worth) > 1, STEPS.get(study.order, study.order)
    columns = [Column("step", steps, shortened(capitalized(by)))]
    panels = []
    for estimator, values in worth.items():
        which = f", {shortened(estimator)}" if several else ""
        columns += [
            Column(f"{estimator} {name}", values[:, level], f"Worth of {shortened(name)}{which}")
            for level, name in enumerate(names)
        ]
        drawn = [Curve(name, _points(steps, 100 * values[:, level])) for level, name in enumerate(names)]
        panels.append(Panel(f"{shortened(estimator)} estimate" if several else "", tuple(drawn)))
    return Figure(
        "quality",
        "QualityCurve",
        f"Users of 100 who find a document relevant, by {shortened(by)}",
        "One line per grade. Each step to the right takes in more documents, the best ones first.",
        _say_moves(names, worth),
        Table(f"Worth of each grade, by {shortened(by)}", tuple(columns)),
        curves(panels, x=by, ends=(0.0, 100.0), logarithmic=True),
    )


def _say_moves(names: Sequence[str], worth: dict[str, FloatArray]) -> str:
    """Which grade moves most between few documents and all of them."""
    moves = []
    for estimator, values in worth.items():
        for level, name in enumerate(names):
            known = values[np.isfinite(values[:, level]), level].tolist()
            if known:
                moves.append((abs(known[-1] - known[0]), name, estimator, known))
    if not moves:
        return "No grade's worth is known at any step"
    _, name, estimator, known = max(moves)
    which = f" ({shortened(estimator)} estimate)" if len(worth) > 1 else ""
    return (
        f"Among the best documents {users(known[0])} of 100 users agree with grade {shortened(name)}, among all "
        f"{users(known[-1])}{which}"
    )


def _points(x: IntArray, y: FloatArray) -> tuple[tuple[float, float], ...]:
    return tuple((at, value) for at, value in zip(x.tolist(), y.tolist(), strict=True) if math.isfinite(value))


def side_slope(study: RobustnessStudy) -> Figure:
    """The places of the runs by the two sides' labels, with the first kind of gains that both know.

    Raises:
        CallError: no kind of gains is known for both.
    """
    for row in study.rows:
        if row.first is not None and row.second is not None:
            ranks = np.array([rank_scores(row.first), rank_scores(row.second)], dtype=float)
            sides = [f"labels of {name_side(side)}" for side in study.sides]
            return rank_slope(f"{study.measure}, {row.gains} gains", study.runs, sides, ranks, id="robustness")
    raise CallError("There is no figure of this study: no kind of gains is known for the labels of both sides.")


def gain_slope(study: GainStudy) -> Figure:
    """The places of the runs by each kind of gains."""
    ranks = np.array([rank_scores(scores) for scores in study.scores.values()], dtype=float)
    return rank_slope(str(study.measure), study.runs, list(study.scores), ranks, id="gains")


def rank_slope(measure: str, runs: Sequence[str], gains: Sequence[str], ranks: FloatArray, *, id: str) -> Figure:
    """Ranks of the runs under each kind of gains, joined by lines.

    Tied runs share a rank; the drawing puts them below each other and marks the rank with "=".

    Args:
        measure: its name.
        runs: their names.
        gains: names of the kinds of gains, from left to right.
        ranks: of the shape [gains, runs]; 1 is the best, and tied runs may share a rank or have halves.
        id: name in anchors and files.

    >>> rank_slope("P@5", ("a", "b", "c"), ("prm", "binary"), np.array([[1.0, 2, 3], [3, 1, 2]]), id="ranks").title
    '3 of 3 runs change places between prm and binary; a moves most, 2 places down'
    """
    few = len(runs) <= _ALL_COLOURED
    moves = ranks[-1] - ranks[0]
    least = 0.5 if few else max(2.0, float(np.sort(np.abs(moves))[-_MOST_COLOURED]))
    less = "" if least < 1 else f" Grey: moves by less than {least:g} places."
    heading = f"Places of the runs ({shortened(measure)})"
    order = np.argsort(ranks[0], kind="stable").tolist()
    columns = (
        Column("run", [runs[run] for run in order for _ in gains], "Run", align="left"),
        Column("gains", list(gains) * len(runs), "By", align="left"),
        Column("rank", ranks[:, order].T.ravel(), "Place", whole=True),
    )
    titles = []
    for run, name in enumerate(runs):
        said = [f"{ranks[at, run]:g} by {shortened(kind)}" for at, kind in enumerate(gains)]
        titles.append(f"{shortened(name)}: {', '.join(said)}")
    return Figure(
        id,
        "RankSlope",
        heading,
        f"Blue: moves up. Orange, dashed: moves down.{less} Runs with an equals sign share a place.",
        _say_changes(runs, gains, moves),
        Table(heading, columns),
        slope(runs, gains, ranks, titles=titles, least=least, step=20.0 if few else 16.0),
    )


def _say_changes(runs: Sequence[str], gains: Sequence[str], moves: FloatArray) -> str:
    """How many runs change rank between the first and the last kind of gains, and which one most."""
    if len(gains) < 2 or not runs:
        return "There is only one order of the runs"
    between = f"between {shortened(gains[0])} and {shortened(gains[-1])}"
    changed = int(np.count_nonzero(moves))
    if not changed:
        return f"No run changes its place {between}"
    most = int(np.argmax(np.abs(moves)))
    change = "changes its place" if changed == 1 else "change places"
    return (
        f"{changed:,} of {counted(len(runs), 'run')} {change} {between}; {shortened(runs[most])} moves most, "
        f"{counted(abs(moves[most]), 'place')} {'down' if moves[most] > 0 else 'up'}"
    )
