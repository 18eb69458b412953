"""What each kind of study shows: one flat table of its rows, tables for readers, JSON, and a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from gainsayer.commands.study_figures import amount_curve, gain_slope, quality_curve, side_slope, topic_boxplot
from gainsayer.comparison.ranks import RankCorrelation
from gainsayer.drawing.figure import Figure
from gainsayer.levels import Relevance
from gainsayer.model.pairs import FloatArray
from gainsayer.studies.orders import GainStudy, RobustnessStudy
from gainsayer.studies.parameters import AmountStudy, TopicStudy
from gainsayer.studies.quality import QualityStudy
from gainsayer.table import Column, Json, Table, number, plain
from gainsayer.words import counted, name_relevance, name_side, name_stratum

Study: TypeAlias = TopicStudy | AmountStudy | QualityStudy | RobustnessStudy | GainStudy


def study_rows(study: Study, stratum: str | None = None) -> Table:
    """The flat table: a row per level, per size or step and level, per kind of gains, or per pair of kinds."""
    match study:
        case TopicStudy():
            return _topic_table(study, stratum)
        case AmountStudy():
            return _amount_rows(study, stratum)
        case QualityStudy():
            return _quality_rows(study, stratum)
        case RobustnessStudy():
            return _robustness_table(study, stratum)
        case GainStudy():
            return _gain_rows(study, stratum)


def study_tables(study: Study, stratum: str | None = None) -> list[Table]:
    """The tables for readers."""
    match study:
        case TopicStudy():
            return [_topic_table(study, stratum)]
        case AmountStudy():
            return [_amount_table(study, stratum)]
        case QualityStudy():
            return [_quality_table(study, stratum)]
        case RobustnessStudy():
            return [_robustness_table(study, stratum)]
        case GainStudy():
            return [_first_gains_table(study, stratum), _tau_matrix(study, stratum)]


def describe_study(study: Study) -> dict[str, Json]:
    """The study as plain data."""
    match study:
        case TopicStudy():
            return _describe_topics(study)
        case AmountStudy():
            return _describe_amount(study)
        case QualityStudy():
            return _describe_quality(study)
        case RobustnessStudy():
            return _describe_robustness(study)
        case GainStudy():
            return _describe_gains(study)


def draw_study(study: Study) -> Figure:
    """The figure."""
    match study:
        case TopicStudy():
            return topic_boxplot(study)
        case AmountStudy():
            return amount_curve(study)
        case QualityStudy():
            return quality_curve(study)
        case RobustnessStudy():
            return side_slope(study)
        case GainStudy():
            return gain_slope(study)


def _topic_table(study: TopicStudy, stratum: str | None) -> Table:
    """A row per level: the estimate, its spread over draws of the topics, and three standard errors."""
    errors: dict[str, FloatArray] = {"binomial": study.binomial, "pair": study.pair, "topic": study.topic}
    boxes: dict[str, FloatArray] = vars(study.boxes)
    quartiles = np.column_stack((study.boxes.low_quartile, study.boxes.high_quartile))
    ends = np.column_stack((study.boxes.lowest, study.boxes.highest))
    columns = (
        *_place(study, stratum),
        Column("level", study.levels.names, "level", narrow="shorten"),
        Column("probability", study.estimate, "probability"),
        Column("mean", study.mean, "mean", extra=True),
        Column("standard_deviation", study.deviation, "deviation", 4),
        Column("standard_error", _side_by_side(errors), csv=False),
        *(
            Column(f"error_{kind}", errors[kind], f"{kind} error", 4, spare=1, json=False)
            for kind in ("topic", "pair", "binomial")
        ),
        Column("box", _side_by_side(boxes), csv=False),
        *(Column(part, values, json=False) for part, values in boxes.items()),
        Column("quartiles", quartiles, "quartiles", keep=True, csv=False, json=False),
        Column("range", ends, "range", extra=True, keep=True, csv=False, json=False),
        Column(
            *("undefined", study.undefined, "without it"),
            say=lambda draws: f"{draws:,}" if draws else "-",
            extra=not study.undefined.any(),
        ),
        Column("draws", len(study.draws), json=False),
        Column("topics", study.topics, json=False),
        Column("pairs", study.pairs, json=False),
        Column("seed", study.seed, json=False),
        Column("note", study.notes, "note", missing="", narrow="wrap"),
    )
    title = (
        f"{name_stratum(stratum)}How far does p(R|level) move when topics are drawn again? "
        f"R = level {name_relevance(study.relevance)}; {study.estimator} estimate, {counted(study.pairs, 'pair')}, "
        f"{counted(study.topics, 'topic')}, {counted(len(study.draws), 'draw')}, seed {study.seed}"
    )
    return Table(title, columns, "topics")


def _describe_topics(study: TopicStudy) -> dict[str, Json]:
    levels = _topic_table(study, None).records()
    return {
        **_describe_relevance(study.relevance),
        "estimator": study.estimator,
        "topics": study.topics,
        "pairs": study.pairs,
        "draws": len(study.draws),
        "levels": [{**level, "draws": plain(draws)} for level, draws in zip(levels, study.draws.T, strict=True)],
    }


def _amount_rows(study: AmountStudy, stratum: str | None) -> Table:
    """A row per size and level."""
    sizes, levels = study.mean.shape
    columns = (
        *_place(study, stratum),
        Column("pairs", study.sizes.repeat(levels), json=False),
        Column("level", study.levels.names * sizes),
        Column("mean", study.mean.ravel()),
        Column("standard_deviation", study.deviation.ravel()),
        Column("undefined", study.undefined.ravel()),
        Column("rounds", study.rounds, json=False),
        Column("seed", study.seed, json=False),
    )
    return Table("", columns)


def _amount_table(study: AmountStudy, stratum: str | None) -> Table:
    """A row per size: mean and standard deviation of the rounds for each level."""
    columns = [*_place(study, stratum), Column("pairs", study.sizes, "pairs")]
    for level, name in enumerate(study.levels.names):
        undefined = study.undefined[:, level]
        columns += [
            Column(name, study.mean[:, level], f"p(R|{name})"),
            Column(f"{name} deviation", study.deviation[:, level], "sd"),
            Column(
                *(f"{name} undefined", np.where(undefined, undefined, np.nan), f"rounds without {name}"),
                whole=True,
                missing="",
                extra=True,
            ),
        ]
    title = (
        f"{name_stratum(stratum)}How many pairs until p(R|level) settles? R = level {name_relevance(study.relevance)}; "
        f"mean and standard deviation of {counted(study.rounds, 'round')}, {study.estimator} estimate, "
        f"{counted(study.pairs, 'pair')} to draw from, seed {study.seed}"
    )
    return Table(title, tuple(columns), "amount")


def _describe_amount(study: AmountStudy) -> dict[str, Json]:
    rows = _amount_rows(study, None).records()
    return {
        **_describe_relevance(study.relevance),
        "estimator": study.estimator,
        "pairs": study.pairs,
        "rounds": study.rounds,
        "probability": {name: number(value) for name, value in zip(study.levels.names, study.estimate, strict=True)},
        "sizes": [
            {"pairs": size, "levels": levels}
            for size, levels in zip(study.sizes.tolist(), _split(rows, len(study.sizes)), strict=True)
        ],
    }


def _quality_rows(study: QualityStudy, stratum: str | None) -> Table:
    """A row per step and level, with both estimates."""
    steps, levels = study.symmetric.shape
    columns = (
        *_place(study, stratum),
        Column("by", study.order, json=False),
        Column("k", study.steps.repeat(levels), json=False),
        Column("pairs", study.pairs.repeat(levels), whole=True, json=False),
        Column("topics", study.topics.repeat(levels), json=False),
        Column("level", study.levels.names * steps),
        Column("symmetric", study.symmetric.ravel()),
        Column("one_sided", study.one_sided.ravel()),
        Column("error_symmetric", study.symmetric_error.ravel()),
        Column("error_one_sided", study.one_sided_error.ravel()),
        Column("seed", study.seed, json=False),
    )
    return Table("", columns)


def _quality_table(study: QualityStudy, stratum: str | None) -> Table:
    """A row per step, both estimates of each level side by side."""
    columns = [*_place(study, stratum), *_step_columns(study)]
    for level, name in enumerate(study.levels.names):
        columns += [
            Column(f"{name} symmetric", study.symmetric[:, level], f"{name} (5)"),
            Column(f"{name} one-sided", study.one_sided[:, level], f"{name} (4)", spare=1),
        ]
    title = (
        f"{name_stratum(stratum)}Does p(R|level) depend on how good the results are? "
        f"R = level {name_relevance(study.relevance)}; {study.about}; symmetric (5) and one-sided (4) estimates; "
        f"seed {study.seed}"
    )
    return Table(title, tuple(columns), "quality")


def _step_columns(study: QualityStudy) -> tuple[Column, ...]:
    """The steps, and how much was judged up to each."""
    return (
        Column("k", study.steps, "k"),
        Column("pairs", study.pairs, "pairs", whole=True),
        Column("topics", study.topics, "topics"),
    )


def _describe_quality(study: QualityStudy) -> dict[str, Json]:
    steps, rows = Table("", _step_columns(study)).records(), _quality_rows(study, None).records()
    return {
        **_describe_relevance(study.relevance),
        "by": study.order,
        "selected_by_one_side": study.by_labels,
        "steps": [{**step, "levels": levels} for step, levels in zip(steps, _split(rows, len(steps)), strict=True)],
    }


def _robustness_table(study: RobustnessStudy, stratum: str | None) -> Table:
    """A row per kind of gains. The strata are rows of one table, so that a reader can compare them."""
    tau, concordant, discordant, ties_first, ties_second = _count_pairs([row.tau for row in study.rows])
    columns = (
        Column("stratum", stratum, "stratum", missing="all", align="left", keep=True, narrow="shorten"),
        *_question(study),
        Column("measure", str(study.measure), json=False),
        Column("gains", [row.gains for row in study.rows], "gains"),
        Column("tau_b", tau, "tau-b"),
        Column("concordant", concordant, "concordant", whole=True),
        Column("discordant", discordant, "discordant", whole=True),
        Column("ties_first", ties_first, "ties first", whole=True, spare=1),
        Column("ties_second", ties_second, "ties second", whole=True, spare=1),
        Column("runs", len(study.runs), json=False),
        Column("topics", [row.topics for row in study.rows], "topics"),
        Column("fitted_topics", [row.fitted_topics for row in study.rows]),
        Column("values", [_known(row.values) for row in study.rows], csv=False),
        Column("first", [_known(row.first) for row in study.rows], csv=False),
        Column("second", [_known(row.second) for row in study.rows], csv=False),
        Column("seed", study.seed, json=False),
        Column("note", [row.note for row in study.rows], "note", missing="", narrow="wrap"),
    )
    one, other = map(name_side, study.sides)
    title = (
        f"Do the labels of {one} and {other} order the runs alike? {study.measure}, "
        f"{counted(len(study.runs), 'run')}; R = {study.relevance.name}; {study.estimator} estimate; topics without "
        f"relevant labels: {study.no_relevant}; seed {study.seed}"
    )
    return Table(title, columns, "orders")


def _describe_robustness(study: RobustnessStudy) -> dict[str, Json]:
    return {
        **_describe_relevance(study.relevance),
        "measure": str(study.measure),
        "estimator": study.estimator,
        "first": name_side(study.sides[0]),
        "second": name_side(study.sides[1]),
        "runs": list(study.runs),
        "topics": study.topics,
        "skipped_topics": study.skipped,
        "no_relevant": study.no_relevant,
        "rows": _robustness_table(study, None).records(),
    }


def _gain_rows(study: GainStudy, stratum: str | None) -> Table:
    """A row per pair of kinds of gains."""
    tau, concordant, discordant, ties_a, ties_b = _count_pairs([pair.tau for pair in study.pairs])
    columns = (
        *_place(study, stratum),
        Column("measure", str(study.measure), json=False),
        Column("a", [pair.a for pair in study.pairs], "gains"),
        Column("b", [pair.b for pair in study.pairs], "other gains"),
        Column("tau_b", tau, "tau-b"),
        Column("tau_ap", _count_pairs([pair.tau_ap for pair in study.pairs])[0], "tau-AP"),
        Column("runs", len(study.runs)),
        Column("concordant", concordant, "concordant", whole=True),
        Column("discordant", discordant, "discordant", whole=True),
        Column("ties_a", ties_a, "tied pairs", whole=True, extra=True),
        Column("ties_b", ties_b, "tied by other gains", whole=True, extra=True),
        Column("topics", study.topics, json=False),
        Column("seed", study.seed, json=False),
    )
    labels = f"; labels: {study.labels}" if study.labels else ""
    title = (
        f"{name_stratum(stratum)}Do the gains change the order of the runs? {_say_scored(study)}; {study.estimator} "
        f"estimate; topics without relevant labels: {study.no_relevant}; seed {study.seed}{labels}"
    )
    return Table(title, columns, "orders")


def _first_gains_table(study: GainStudy, stratum: str | None) -> Table:
    """The first kind of gains against each other one."""
    first = study.gains[0].name
    return _gain_rows(study, stratum).take([row for row, pair in enumerate(study.pairs) if pair.a == first])


def _tau_matrix(study: GainStudy, stratum: str | None) -> Table:
    """tau-b between all kinds of gains; none on the diagonal."""
    names = [kind.name for kind in study.gains]
    matrix = np.full((len(names), len(names)), np.nan)
    for pair, tau in zip(study.pairs, _count_pairs([pair.tau for pair in study.pairs])[0], strict=True):
        a, b = names.index(pair.a), names.index(pair.b)
        matrix[a, b] = matrix[b, a] = tau
    columns = (
        *_place(study, stratum),
        Column("measure", str(study.measure)),
        Column("gains", names, "gains"),
        *(Column(name, taus, name, keep=True) for name, taus in zip(names, matrix.T, strict=True)),
    )
    title = f"{name_stratum(stratum)}tau-b between all gains: {_say_scored(study)}; seed {study.seed}"
    return Table(title, columns, "matrix")


def _describe_gains(study: GainStudy) -> dict[str, Json]:
    return {
        **_describe_relevance(study.relevance),
        "measure": str(study.measure),
        "estimator": study.estimator,
        "labels": study.labels,
        "runs": list(study.runs),
        "topics": study.topics,
        "skipped_topics": study.skipped,
        "no_relevant": study.no_relevant,
        "gains": {kind.name: kind.as_dict() for kind in study.gains},
        "scores": {name: plain(values) for name, values in study.scores.items()},
        "pairs": _gain_rows(study, None).records(),
    }


def _say_scored(study: GainStudy) -> str:
    sizes = f"{counted(len(study.runs), 'run')}, {counted(study.topics, 'topic')}"
    return f"{study.measure}, {sizes}; R = {study.relevance.name}"


def _place(study: Study, stratum: str | None) -> tuple[Column, ...]:
    """Where the rows of a study belong."""
    return (Column("stratum", stratum, json=False), *_question(study))


def _question(study: Study) -> tuple[Column, ...]:
    """What a study takes as relevant, and how it estimates."""
    return (
        Column("relevant", ",".join(study.relevance.names), json=False),
        Column("threshold", study.relevance.threshold, json=False),
        Column("estimator", None if isinstance(study, QualityStudy) else study.estimator, json=False),
    )


def _describe_relevance(relevance: Relevance) -> dict[str, Json]:
    return {"threshold": relevance.threshold, "relevant": list(relevance.names)}


def _side_by_side(arrays: dict[str, FloatArray]) -> list[dict[str, Json]]:
    """Arrays as one object per row."""
    return Table("", tuple(Column(key, values) for key, values in arrays.items())).records()


def _split(rows: Sequence[dict[str, Json]], parts: int) -> list[Sequence[dict[str, Json]]]:
    """The rows in so many parts of equal length."""
    size = len(rows) // parts
    return [rows[size * part : size * (part + 1)] for part in range(parts)]


def _known(scores: FloatArray | None) -> list[Json] | None:
    return None if scores is None else plain(scores)


def _count_pairs(taus: Sequence[RankCorrelation | None]) -> FloatArray:
    """Value, concordant and discordant pairs, and ties of both orders; shape [5, taus], NaN where it is not known."""
    found = [
        [None] * 5 if tau is None else [tau.value, tau.concordant, tau.discordant, tau.ties_a, tau.ties_b]
        for tau in taus
    ]
    return np.array(found, dtype=np.float64).T
