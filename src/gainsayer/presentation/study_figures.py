"""The figures of the studies: other topics, fewer judgments, better results, other labels, other gains."""

from __future__ import annotations

from gainsayer.comparison.ranks import rank_scores
from gainsayer.errors import CallError
from gainsayer.presentation.figures import AmountCurve, QualityCurve, RankSlope, TopicBoxplot, as_grid
from gainsayer.presentation.figures.figure import Figure
from gainsayer.presentation.words import name_side
from gainsayer.studies.amount import AmountStudy
from gainsayer.studies.gain_schemes import GainStudy
from gainsayer.studies.quality import QualityStudy
from gainsayer.studies.robustness import RobustnessStudy
from gainsayer.studies.topics import TopicStudy


def draw_study(study: object) -> Figure:
    """The figure of a study.

    Raises:
        CallError: it has none.
    """
    match study:
        case TopicStudy():
            return topic_figure(study)
        case AmountStudy():
            return amount_figure(study)
        case QualityStudy():
            return quality_figure(study)
        case RobustnessStudy():
            return robustness_figure(study)
        case GainStudy():
            return gain_figure(study)
    raise CallError(f"There is no figure of a {type(study).__name__}.")


def topic_figure(study: TopicStudy) -> TopicBoxplot:
    """p(R|level) over samples of topics."""
    return TopicBoxplot.from_draws("topics", study.levels.names, study.draws, study.estimate, study.binomial)


def amount_figure(study: AmountStudy, *, most: int | None = None) -> AmountCurve:
    """How the estimates settle as double judgments come in, at all sizes or at so many of them."""
    chosen = pick_some(len(study.sizes), most)
    return AmountCurve(
        "amount",
        study.levels.names,
        tuple(int(size) for size in study.sizes[chosen]),
        as_grid(study.mean[chosen].T),
        as_grid(study.deviation[chosen].T),
        study.rounds,
    )


def pick_some(count: int, most: int | None) -> list[int]:
    """At most so many of the places from 0 on, evenly apart, the first and the last among them.

    >>> pick_some(9, 3), pick_some(2, 5)
    ([0, 4, 8], [0, 1])
    """
    if most is None or count <= most:
        return list(range(count))
    return [round(place * (count - 1) / (most - 1)) for place in range(most)]


def quality_figure(study: QualityStudy) -> QualityCurve:
    """p(R|level) among the first k results, for growing k."""
    return QualityCurve(
        "quality",
        study.levels.names,
        ("symmetric", "one-sided"),
        tuple(int(step) for step in study.steps),
        (as_grid(study.symmetric.T), as_grid(study.one_sided.T)),
        STEPS.get(study.order, study.order),
    )


# What a step of the quality curve counts.
STEPS = {
    "metarank": "mean rank over the runs",
    "depth": "best rank in any run",
    "resources": "number of best resources",
}


def robustness_figure(study: RobustnessStudy) -> RankSlope:
    """The places of the runs by the two sides' labels, with the first kind of gains that both know.

    Raises:
        CallError: no kind of gains is known for both.
    """
    for row in study.rows:
        if row.first is not None and row.second is not None:
            places = tuple(tuple(map(float, rank_scores(scores))) for scores in (row.first, row.second))
            sides = tuple(f"labels of {name_side(side)}" for side in study.sides)
            return RankSlope("robustness", f"{study.measure}, {row.gains} gains", study.runs, sides, places)
    raise CallError("There is no figure of this study: no kind of gains is known for the labels of both sides.")


def gain_figure(study: GainStudy) -> RankSlope:
    """The places of the runs by each kind of gains."""
    places = tuple(tuple(map(float, rank_scores(scores))) for scores in study.scores.values())
    return RankSlope("gains", str(study.measure), study.runs, tuple(study.scores), places)
