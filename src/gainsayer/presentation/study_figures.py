"""The figures of the studies: other topics, fewer judgments, better results."""

from __future__ import annotations

from gainsayer.errors import CallError
from gainsayer.presentation.figures import AmountCurve, QualityCurve, TopicBoxplot, as_grid
from gainsayer.presentation.figures.figure import Figure
from gainsayer.studies.amount import AmountStudy
from gainsayer.studies.quality import QualityStudy
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
    raise CallError(f"There is no figure of a {type(study).__name__}: its tables say all of it.")


def topic_figure(study: TopicStudy) -> TopicBoxplot:
    """p(R|level) over samples of topics."""
    return TopicBoxplot.from_draws("topics", study.levels.names, study.draws, study.estimate, study.binomial)


def amount_figure(study: AmountStudy) -> AmountCurve:
    """How the estimates settle as double judgments come in."""
    return AmountCurve(
        "amount",
        study.levels.names,
        tuple(int(size) for size in study.sizes),
        as_grid(study.mean.T),
        as_grid(study.deviation.T),
        study.rounds,
    )


def quality_figure(study: QualityStudy) -> QualityCurve:
    """p(R|level) among the first k results, for growing k."""
    return QualityCurve(
        "quality",
        study.levels.names,
        ("symmetric", "one-sided"),
        tuple(int(step) for step in study.steps),
        (as_grid(study.symmetric.T), as_grid(study.one_sided.T)),
    )
