"""`fit`: p(R|i) per level, from judgments to a model, and how the model is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, cast

import numpy as np

from gainsayer.commands.engine import EngineName, EngineOptions, read_with
from gainsayer.commands.inputs import (
    JudgmentInput,
    LevelInput,
    Names,
    Pairing,
    choose_relevance,
    choose_side_names,
    for_each_stratum,
    gather_sources,
)
from gainsayer.commands.model_file import describe_cells
from gainsayer.commands.plan_input import Weighed, weigh_by_plan
from gainsayer.commands.provenance import Provenance, record
from gainsayer.drawing.charts import UserRow, dots_of_users, users_of_100
from gainsayer.drawing.figure import Figure, panels
from gainsayer.errors import CallError
from gainsayer.findings import Finding, name_findings
from gainsayer.gains.schemes import Model
from gainsayer.levels import Levels, Relevance
from gainsayer.model.estimate import Disagreement, Estimator, Smoothing, estimate_disagreement
from gainsayer.model.intervals import Method
from gainsayer.model.pairs import Weighting
from gainsayer.model.relevance import PredictedRelevance, predict_relevance, set_lowest_to_zero
from gainsayer.model.shrinkage import UnitEstimates, shrink_units
from gainsayer.model.weights import weigh_second_round
from gainsayer.planning.prospect import target_levels
from gainsayer.planning.sampling import PlanInput
from gainsayer.ranking.ranked import FloatArray
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.labels import Repeats
from gainsayer.result import Result, describe_findings
from gainsayer.table import Column, Json, Table, Values, number, plain, stack
from gainsayer.text import option
from gainsayer.words import counted, find_relevant, name_relevance, shortened, sure, times, users

_SMOOTHINGS: Final = ("uniform", "marginal", "isotonic", "eb-topics")
_SHRUNK: Final = (
    "The parameters of single units were shrunk towards their common mean (empirical Bayes); those of all units "
    "together are the raw shares."
)


def fit(
    *judgments: JudgmentInput,
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    first: Names = None,
    second: Names = None,
    pairing: Pairing = "auto",
    estimator: Estimator | None = None,
    weighting: Weighting = "judgment",
    sampled: Mapping[str, float] | Literal["observed"] | None = None,
    smooth: str | None = None,
    interval: Method = "auto",
    confidence: float = 0.95,
    zero_lowest: bool = False,
    plan: PlanInput | None = None,
    keep_pilot: bool = False,
    engine: EngineName = "embedded",
    master: str | None = None,
    seed: int = 0,
) -> Fit:
    """Estimate p(R|i), the probability that a random user finds a document relevant that an assessor put on level i.

    Eq. (5) where both sides judged the same documents independently, else eq. (4); see `estimate_disagreement` and
    `predict_relevance` for what they assume. Two files are first and second in the order given.

    Args:
        *judgments: files, data frames, dicts, or judgments already read; see `read_judgments` and `Reading`.
        levels: the levels from low to high, as a list, as "Non,Rel,HRel,Key" or as `Levels`; without them, the
            numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
        threshold: users are satisfied with this level (by name or number) or a higher one; several may be given.
            Without it and `relevant`, every threshold.
        relevant: a set of levels with which users are satisfied, or several sets.
        first: assessors whose labels the evaluation uses.
        second: assessors who stand for the users.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        estimator: `symmetric` or `one-sided`; by default the plan's where there is one, else symmetric where valid.
        weighting: what counts once where documents have unequal numbers of judgments.
        sampled: the share of each first level that went to the second round, or `observed`.
        smooth: `uniform`, `marginal`, `isotonic`, with `:ALPHA` behind it where wanted; or `eb-topics` for parameters
            per topic.
        interval: how intervals are made; see `predict_relevance`.
        confidence: of the intervals.
        zero_lowest: set p(R|lowest level) to 0, for parameters of a whole collection.
        plan: by which documents were chosen for the second round, as `plan` made or wrote it: second judgments of its
            finished batches are weighed by the probabilities reached, and `relevant` is the plan's where not given.
        keep_pilot: with a plan, use documents outside it as well, weighed by the share judged of their topic and level.
        engine: `embedded` works on this machine, `spark` on a cluster. Both give the same result.
        master: where Spark is, such as `local[2]` or `yarn`.
        seed: of everything that is drawn.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> fit(twenty_documents(), threshold=2).predict().probability.round(4).tolist()
    [0.0769, 0.2941, 0.4]
    """
    options = {name: value for name, value in locals().items() if name != "plan"}
    where = EngineOptions(engine=engine, master=master)
    sources = gather_sources(list(judgments), levels, merges, missing, maps, repeats, raters, by_assessor)
    read = read_with(where, sources, unserved={"plans of second judgments": plan})
    if plan is None and keep_pilot:
        raise CallError(f"Only with a plan is there a pilot beside it: give {option('plan')} as well.")
    kind, alpha = _parse_smoothing(smooth)
    sides = choose_side_names(read, first, second, pairing)
    planned = None
    if plan is not None:
        if sampled is not None:
            raise CallError(f"A plan knows the sampling probabilities: leave out {option('sampled')}.")
        planned = weigh_by_plan(read, sides, plan, keep_pilot=keep_pilot, confidence=confidence)
        read, sides = planned.judgments, planned.sides
        estimator = planned.plan.estimator if estimator is None else estimator
        if threshold is None and relevant is None:
            relevant = planned.plan.relevant
    relevances = choose_relevance(read.levels, threshold, relevant)
    if planned is not None and planned.rule.kind == "decision":
        planned = _fix_ratio(planned, relevances[0], estimator, seed)
    confidence = confidence if planned is None else planned.rule.nominal
    if sampled is not None:
        read = weigh_second_round(read, sampled, first=sides.first, second=sides.second)

    def estimate(part: Judgments) -> Fit:
        counts = sides.count(part, weighting=weighting)
        smoothing = _smoothing(kind, alpha)
        disagreement = estimate_disagreement(counts, estimator=estimator, smoothing=smoothing, seed=seed)
        predictions = predict_each(disagreement, relevances, interval=interval, confidence=confidence)
        if zero_lowest:
            predictions = tuple(set_lowest_to_zero(prediction) for prediction in predictions)
        return Fit(disagreement, predictions)

    whole = estimate(read)
    strata, noticed = for_each_stratum(read, estimate)
    return replace(
        whole,
        units=_units(kind, whole),
        strata=strata,
        noticed=(*(() if planned is None else planned.findings), *noticed),
        provenance=record([*sources, plan], options, seed=seed),
        planned=planned,
    )


def _fix_ratio(planned: Weighed, relevance: Relevance, estimator: Estimator | None, seed: int) -> Weighed:
    """The plan with a multiplier by what its first batch shows of p(R|i)."""
    model = estimate_disagreement(planned.sides.count(planned.begun), estimator=estimator, seed=seed)
    seen = predict_relevance(model, relevance, confidence=planned.rule.confidence)
    return planned.fix_ratio(target_levels(seen, range(len(seen.levels))), model, relevance)


def predict_each(
    disagreement: Disagreement, relevances: Sequence[Relevance], *, interval: Method = "auto", confidence: float = 0.95
) -> tuple[PredictedRelevance, ...]:
    """p(R|i) at each notion of relevance."""
    return tuple(
        predict_relevance(disagreement, relevance, interval=interval, confidence=confidence) for relevance in relevances
    )


def _parse_smoothing(text: str | None) -> tuple[str | None, float | None]:
    if text is None:
        return None, None
    kind, _, number = str(text).partition(":")
    if kind not in _SMOOTHINGS:
        raise CallError(f"There is no smoothing {kind!r}: choose one of {', '.join(_SMOOTHINGS)}.")
    try:
        return kind, float(number) if number else None
    except ValueError:
        raise CallError(f"The smoothing {kind}:ALPHA needs a number, found {number!r}.") from None


def _smoothing(kind: str | None, alpha: float | None) -> Smoothing | None:
    if kind is None or kind == "eb-topics":
        return None
    return Smoothing(cast(Any, kind), alpha)


def _units(kind: str | None, whole: Fit) -> UnitEstimates | None:
    """Parameters per topic, by empirical Bayes."""
    if kind != "eb-topics":
        return None
    disagreement = whole.disagreement
    return shrink_units(disagreement.levels, "topics", disagreement.counts.topics, disagreement.pairs)


@dataclass(frozen=True, eq=False, repr=False)
class Fit(Result):
    """The model: one estimate of p(j|i), seen at one or more notions of relevance.

    Args:
        disagreement: the matrix p(j|i) and the counts behind it.
        predictions: p(R|i) at each notion of relevance asked for, the first one first.
        units: parameters of single topics, where asked for.
        strata: the same per kind of topics, where there are kinds.
        noticed: what else a reader should know.
        provenance: where it comes from; None for a part of a model.
        planned: how far the plan has come by which documents were chosen; None without one.
    """

    disagreement: Disagreement
    predictions: tuple[PredictedRelevance, ...]
    units: UnitEstimates | None = None
    strata: Mapping[str, Fit] = field(default_factory=dict)
    noticed: tuple[Finding, ...] = ()
    provenance: Provenance | None = None
    planned: Weighed | None = None

    @property
    def levels(self) -> Levels:
        """The levels."""
        return self.disagreement.levels

    @property
    def gains(self) -> dict[str, float]:
        """What a document of each level is worth: p(R|level) at the first notion of relevance.

        >>> from gainsayer.datasets.paper import twenty_documents
        >>> {level: round(gain, 4) for level, gain in fit(twenty_documents(), threshold=2).gains.items()}
        {'0': 0.0769, '1': 0.2941, '2': 0.4}
        """
        return dict(zip(self.levels.names, self.predictions[0].probability.tolist(), strict=True))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding once, in order, those of the strata last."""
        own = () if self.units is None else (Finding("units-shrunk", _SHRUNK),)
        of_parts = [finding for part in self.predictions for finding in part.findings]
        here = (*self.noticed, *of_parts, *own)
        return tuple(dict.fromkeys((*here, *name_findings(self.strata, here))))

    @property
    def met(self) -> bool | None:
        """Whether the plan's rule says stop; None without a plan, or where it is for scores: ask `compare`."""
        if self.planned is None or self.planned.plan.purpose != "parameters":
            return None
        prediction = self.predictions[0]
        if prediction.relevance.names != self.planned.plan.relevant:
            return None
        places = [self.levels.index(name) for name in self.planned.plan.targets]
        ends = prediction.interval.ends[places]
        return self.planned.rule.met(half_width=float((ends[:, 1] - ends[:, 0]).max() / 2))

    def answer(self) -> list[str]:
        """Whether to stop, where a plan has a rule for that."""
        said = None if self.planned is None else self.planned.say(self.met)
        return [] if said is None else [said]

    @property
    def has_strata(self) -> bool:
        """Whether there are estimates per stratum, next to the one for all topics."""
        return bool(self.strata)

    @property
    def relevant(self) -> list[str]:
        """The levels that the first threshold takes as relevant."""
        return list(self.predictions[0].relevance.names)

    def at(self, threshold: object = None) -> Model:
        """The probabilities at this threshold, or at the first one, as gains are made from them; see `predict`."""
        found = self.predict(threshold)
        probability = dict(zip(found.levels.names, found.probability.tolist(), strict=True))
        return Model(probability, found.covariance if found.topics > 1 else None, found.topics)

    def predict(self, threshold: object = None) -> PredictedRelevance:
        """p(R|i) at this threshold (or `Relevance`), or at the first one of the model.

        Raises:
            CallError: the model was not asked for this threshold.
        """
        if threshold is None:
            return self.predictions[0]
        asked = threshold if isinstance(threshold, Relevance) else self.levels.at_or_above(str(threshold))
        for prediction in self.predictions:
            if prediction.relevance.mask == asked.mask:
                return prediction
        known = ", ".join(prediction.relevance.name for prediction in self.predictions)
        raise CallError(f"The model has no threshold {asked.name!r}: it has {known}. Fit it with this one as well.")

    def about(self) -> str:
        """p(R|level) of each level at the first notion of relevance."""
        first = self.predictions[0]
        worth = ", ".join(f"{level}: {value:.3f}" for level, value in self.gains.items())
        relevant = " or ".join(first.relevance.names)
        return f"p(R|level) = {worth}; R = {relevant}, {first.estimator}, {counted(first.topics, 'topic')}"

    def tables(self) -> list[Table]:
        """Levels at one threshold; levels by thresholds, as the paper's Table 3; strata by levels, as its Table 4.

        The tables of single thresholds and strata, and the counts, are there for who asks; then one for the units
        where there are any.
        """
        return fit_tables(self)

    def rows(self) -> Table:
        """One row per threshold and level, then per unit where there are units, then those of the strata."""
        return stack(list(_rows(self)))

    def document(self) -> dict[str, Json]:
        """The model as plain data: what `read_model` reads; the strata in the same shape."""
        counts, main = self.disagreement.counts, self.predictions[0]
        test = self.disagreement.exchangeability
        return {
            **_describe_prediction(main),
            "estimator": main.estimator,
            "topics": main.topics,
            "pairs": main.pairs,
            "documents": counts.documents,
            "first": list(counts.first) if counts.directed else None,
            "second": list(counts.second) if counts.directed else None,
            "assessors": None if counts.directed else list(counts.first),
            "counts": plain(counts.matrix),
            "matrix": plain(self.disagreement.matrix),
            "weighting": counts.weighting,
            "weighted": counts.weighted,
            "cells": describe_cells(counts),
            "confidence": main.confidence,
            **main.panel.document(),
            "interval_note": main.interval_note,
            "counted": main.counted,
            "smoothing": self._describe_smoothing(),
            "thresholds": [_describe_prediction(prediction) for prediction in self.predictions],
            "level_scheme": _describe_levels(self.levels),
            "exchangeability": None if test is None else dict(vars(test)),
            "units": None if self.units is None else _describe_units(self.units, self.predictions),
            "warnings": describe_findings(replace(self, strata={}).findings),
            "strata": {name: part.document() for name, part in self.strata.items()} or None,
            **({} if self.planned is None else {"plan": self.planned.describe(self.met)}),
            **({} if self.provenance is None else {"provenance": self.provenance.as_dict()}),
        }

    def _describe_smoothing(self) -> dict[str, Json] | None:
        smoothing, size = self.disagreement.smoothing, len(self.levels)
        if smoothing is None:
            return None if self.units is None else {"kind": "eb-topics", "alpha": None, "description": _SHRUNK}
        alpha = None if smoothing.kind == "isotonic" else smoothing.weight(size)
        return {"kind": smoothing.kind, "alpha": alpha, "description": smoothing.describe(size)}

    def figure(self) -> Figure:
        """What each grade is worth, by each notion of relevance; with strata, a panel for each."""
        parts = {"": self, **{f"{name} topics": part for name, part in self.strata.items()}}
        return panels("parameters", {name: parameter_chart(part.predictions) for name, part in parts.items()})


def fit_tables(fit: Fit, *, stratum: str | None = None) -> list[Table]:
    """The tables of a model, or of one of its strata; see `Fit.tables`."""
    counts = fit.disagreement.counts
    sides = f"{_name_side(counts.second)} given {_name_side(counts.first)}"
    several = len(fit.predictions) > 1
    shown = [_threshold_table(fit, sides, stratum)] if several else []
    levels = [level_table(prediction, sides, stratum) for prediction in fit.predictions]
    shown += [replace(table, extra=several or stratum is not None) for table in levels]
    if fit.strata:
        shown += [_stratum_table(fit, index) for index in range(len(fit.predictions))]
    if fit.units is not None:
        shown += [_unit_table(fit.units, prediction.relevance) for prediction in fit.predictions]
    shown.append(_count_table(fit, stratum))
    parts = [table for name, part in fit.strata.items() for table in fit_tables(part, stratum=name)]
    return [*shown, *(replace(table, extra=True) for table in parts)]


def level_table(prediction: PredictedRelevance, sides: str = "second given first", stratum: str | None = None) -> Table:
    """p(R|i) at one notion of relevance, a row per level; `sides` are named next to a one-sided estimate."""
    known = np.array([method is not None for method in prediction.interval.methods])
    errors = {"binomial": prediction.binomial, "pair": prediction.pair, "topic": prediction.topic}
    named = Table("", tuple(Column(kind, error) for kind, error in errors.items()))
    columns = (
        *_place(prediction, stratum),
        Column("level", prediction.levels.names, "level", narrow="shorten"),
        Column("probability", prediction.probability, "probability"),
        Column(
            *("interval", np.where(known[:, None], prediction.interval.ends, np.nan)),
            f"{sure(prediction.confidence)} interval",
            keep=True,
        ),
        # The other estimate next to the symmetric one, as in the paper's Table 2; they part where sides differ (T10).
        Column("one_sided", prediction.one_sided, "one-sided", spare=1, csv=False),
        Column("relevant_count", prediction.relevant_count, "relevant ones", whole=True, extra=True),
        Column("judged_count", prediction.judged_count, prediction.counted, whole=True),
        Column("standard_error", named.records(), csv=False),
        *(
            Column(f"error_{kind}", errors[kind], f"{kind} error", 4, extra=True, json=False)
            for kind in ("topic", "pair", "binomial")
        ),
        Column("interval_method", prediction.interval.methods),
        Column("note", prediction.notes, "note", missing="", narrow="wrap"),
        Column("effective_topics", prediction.effective_topics),
        Column("degrees_of_freedom", prediction.degrees),
    )
    title = _title(f". Relevant: {name_relevance(prediction.relevance)}", prediction, sides, stratum)
    return Table(title, columns, "levels", _notes(prediction))


def _place(prediction: PredictedRelevance, stratum: str | None, unit: Values = None) -> tuple[Column, ...]:
    """Where a row of the flat table belongs."""
    return (
        Column("stratum", stratum, json=False),
        Column("unit", unit, json=False),
        Column("relevant", ",".join(prediction.relevance.names), json=False),
        Column("threshold", prediction.relevance.threshold, json=False),
        Column("estimator", prediction.estimator, json=False),
    )


def _threshold_table(fit: Fit, sides: str, stratum: str | None) -> Table:
    """Levels by notions of relevance, each with its interval: the paper's Table 3."""
    main = fit.predictions[0]
    columns = [Column("stratum", stratum), Column("level", main.levels.names, "level", narrow="shorten")]
    for prediction in fit.predictions:
        name, key = name_relevance(prediction.relevance), prediction.relevance.name
        table = level_table(prediction)
        columns += [
            Column(key, _pasted(table, "probability", "interval"), name),
            Column(f"{key} probability", prediction.probability, f"{name}, probability", extra=True),
            Column(f"{key} topic error", prediction.topic, f"{name}, topic error", 4, extra=True),
        ]
    columns.append(Column("judged_count", main.judged_count, main.counted, whole=True, extra=True))
    title = _title(f" and by what users want, with {sure(main.confidence)} intervals", main, sides, stratum)
    return Table(title, tuple(columns), "thresholds", _notes(main))


def _stratum_table(fit: Fit, index: int) -> Table:
    """Strata by levels at one notion of relevance, each with its standard error: the paper's Table 4."""
    main = fit.predictions[index]
    found = [part.predictions[index] for part in (fit, *fit.strata.values())]
    worth = list(zip(*(_with_errors(prediction) for prediction in found), strict=True))
    columns = (
        Column("stratum", ("all topics", *fit.strata), "stratum", narrow="shorten"),
        *(Column(level, cells, level) for level, cells in reversed(list(zip(main.levels.names, worth, strict=True)))),
        Column("pairs", [prediction.pairs for prediction in found], "pairs", extra=True),
        Column("topics", [prediction.topics for prediction in found], "topics"),
    )
    title = (
        "How likely a random user is to find a document relevant, by stratum and level, with standard errors over "
        f"topics. Relevant: {name_relevance(main.relevance)}"
    )
    return Table(title, columns, "strata")


def _unit_table(units: UnitEstimates, relevance: Relevance) -> Table:
    """p(R|i) of each unit at one notion of relevance, and how far the units lie apart."""
    values = np.vstack([units.probability(relevance), units.heterogeneity(relevance)])
    columns = (
        Column("unit", (*units.units, "sd between"), units.kind, narrow="shorten"),
        *(Column(level, column, level) for level, column in zip(units.levels.names, values.T, strict=True)),
    )
    title = f"p(R|level) per unit ({units.kind}), R = {' or '.join(relevance.names)}; empirical Bayes"
    return Table(title, columns, "units")


def _count_table(fit: Fit, stratum: str | None) -> Table:
    """How often each second level was given to documents of each first level."""
    counts, names = fit.disagreement.counts, fit.levels.names
    matrix = np.array(plain(counts.matrix))
    columns = (
        Column("stratum", stratum),
        Column("level", names, "first level" if counts.directed else "level", narrow="shorten"),
        *(Column(name, matrix[:, second], name, 1) for second, name in enumerate(names)),
    )
    where = "" if stratum is None else f"Stratum {stratum}: "
    title = f"{where}Pairs of judgments by first level (rows) and second level (columns)"
    return Table(title, columns, "counts", extra=True)


def _rows(fit: Fit, stratum: str | None = None) -> Iterator[Table]:
    """The parts of the flat table."""
    for prediction in fit.predictions:
        yield level_table(prediction, stratum=stratum)
    for prediction in fit.predictions if fit.units is not None else ():
        assert fit.units is not None
        yield _unit_rows(prediction, fit.units, stratum)
    for name, part in fit.strata.items():
        yield from _rows(part, name)


def _unit_rows(prediction: PredictedRelevance, units: UnitEstimates, stratum: str | None) -> Table:
    """The units' probabilities; other numbers are not known for them."""
    names = units.levels.names
    columns = (
        *_place(prediction, stratum, [unit for unit in units.units for _ in names]),
        Column("level", names * len(units.units)),
        Column("probability", units.probability(prediction.relevance).ravel()),
        Column("note", "empirical Bayes"),
    )
    return Table("", columns)


def _pasted(table: Table, *keys: str) -> list[str]:
    """The cells of these columns next to each other, as readers see them, where they are known."""
    kept = table.keep(column for column in table.columns if column.key in keys)
    return [
        " ".join(text for text, cell in zip(shown, cells, strict=True) if cell is not None) or "-"
        for shown, cells in zip(kept.shown(), kept.cells(), strict=True)
    ]


def _with_errors(prediction: PredictedRelevance) -> list[str]:
    """Probabilities with their standard errors over topics: `0.538 (.053)`."""
    return [
        "-" if p != p else f"{p:.3f}" + ("" if error != error else f" ({error:.3f})".replace("(0.", "(."))
        for p, error in zip(prediction.probability.tolist(), prediction.topic.tolist(), strict=True)
    ]


def _title(what: str, prediction: PredictedRelevance, sides: str, stratum: str | None) -> str:
    given = f" ({sides})" if prediction.estimator == "one-sided" else ""
    where = "" if stratum is None else f"Stratum {stratum}: "
    return (
        f"{where}How likely a random user is to find a document relevant, by its level{what}; "
        f"{prediction.estimator} estimate{given}, {counted(prediction.pairs, 'pair')}, "
        f"{counted(prediction.topics, 'topic')}"
    )


def _notes(prediction: PredictedRelevance) -> tuple[str, ...]:
    return () if prediction.interval_note is None else (prediction.interval_note,)


def _name_side(assessors: Sequence[str]) -> str:
    return ", ".join(assessors) if len(assessors) <= 3 else f"{len(assessors)} assessors"


def _describe_prediction(prediction: PredictedRelevance) -> dict[str, Json]:
    return {
        "threshold": prediction.relevance.threshold,
        "relevant": list(prediction.relevance.names),
        "levels": level_table(prediction).records(),
        "covariance": plain(prediction.covariance),
    }


def _describe_levels(levels: Levels) -> dict[str, Json]:
    return {
        "names": list(levels.names),
        "codes": None if levels.codes is None else list(levels.codes),
        "merges": dict(levels.merges),
        "missing": sorted(levels.missing),
        "ordered": levels.ordered,
    }


def _describe_units(units: UnitEstimates, predictions: Sequence[PredictedRelevance]) -> dict[str, Json]:
    return {
        "kind": units.kind,
        "names": list(units.units),
        "alpha": ["infinite" if np.isinf(value) else number(value) for value in units.alpha.tolist()],
        "thresholds": [
            {
                "threshold": prediction.relevance.threshold,
                "relevant": list(prediction.relevance.names),
                "between_units": plain(units.heterogeneity(prediction.relevance)),
                "probability": plain(units.probability(prediction.relevance)),
            }
            for prediction in predictions
        ],
    }


def parameter_chart(predictions: Sequence[PredictedRelevance], *, id: str = "parameters", judge: str = "") -> Figure:
    """p(R|level) per level and notion of relevance, as users of 100, with intervals and the counts behind them.

    Args:
        predictions: at each notion of relevance.
        id: name in anchors and files.
        judge: who stands in place of users, where that is not people.
    """
    main = predictions[0]
    names, confidence = main.levels.names, sure(main.confidence)
    relevant = [name_relevance(prediction.relevance) for prediction in predictions]
    ends = np.concatenate([prediction.interval.ends for prediction in predictions])
    relevant_count = np.concatenate([prediction.relevant_count for prediction in predictions])
    judged_count = np.concatenate([prediction.judged_count for prediction in predictions])
    columns = (
        Column("threshold", [threshold for threshold in relevant for _ in names], "Relevant", align="left"),
        Column("level", names * len(predictions), "Grade", align="left"),
        Column("probability", np.concatenate([prediction.probability for prediction in predictions]), "Worth"),
        Column("lower", ends[:, 0], f"From ({confidence})"),
        Column("upper", ends[:, 1], f"To ({confidence})"),
        Column("relevant_count", relevant_count, "Found relevant", whole=True),
        Column("judged_count", judged_count, "Second opinions", whole=True),
    )
    known = np.flatnonzero(np.isfinite(main.probability))
    title = "No grade has second judgments, so nobody knows what one is worth"
    if len(known):
        top = known[-1]
        title = find_relevant(main.probability[top], judge, f"graded {shortened(names[top])}")
    heading, dot = "Of 100 users, how many find it relevant?", "user"
    if judge:
        heading, dot = f"Of 100 documents, how many does {judge} find relevant?", "document"
    means = f"; relevant means {shortened(relevant[0])}" if len(predictions) == 1 else ""
    bracket = f" The bracket holds the true number {times(main.confidence)}." if np.isfinite(ends).any() else ""
    groups = []
    for words, prediction in zip(relevant, predictions, strict=True):
        rows = zip(names, prediction.probability.tolist(), prediction.interval.ends.tolist(), strict=True)
        groups.append((words, [UserRow(name, share, low, high) for name, share, (low, high) in rows][::-1]))
    return Figure(
        id,
        "ParameterChart",
        heading,
        f"By the grade {'they were' if judge else 'it was'} given. One dot is one {dot}{means}.{bracket}",
        title,
        Table(f"Share of {'documents that are' if judge else 'users who find a document'} relevant, by grade", columns),
        users_of_100(groups),
    )


def topic_spread(
    level: str, topics: Sequence[str], share: FloatArray, judged: FloatArray, *, least: int, id: str = "by-topic"
) -> Figure:
    """How many users agree with one grade, topic by topic.

    Args:
        level: the grade.
        topics: topics with enough second judgments of this grade.
        share: of the users who find such documents relevant, per topic.
        judged: second judgments behind each.
        least: how many second judgments a topic needs to be shown.
        id: name in anchors and files.

    >>> topic_spread("Key", ("a", "b"), np.array([0.07, 0.95]), np.array([9.0, 8.0]), least=8).title
    'By topic, between 7 and 95 of 100 users find a document relevant that was graded Key'
    """
    name = shortened(level)
    columns = (
        Column("topic", topics, "Topic", align="left"),
        Column("share", share, "Share of users"),
        Column("judged", np.round(judged).astype(np.int64), "Second opinions"),
    )
    title = "No topic has enough second judgments"
    if len(topics):
        title = f"By topic, between {users(share.min())} and {users(share.max())} of 100 users find a document relevant"
        title += f" that was graded {name}"
    order = sorted(range(len(topics)), key=lambda at: (-share[at], topics[at]))
    return Figure(
        id,
        "TopicSpread",
        f"Users of 100 who find documents relevant that were graded {name}, by topic",
        f"One dot is one topic: users of 100 who find its {name} documents relevant "
        f"({counted(len(topics), 'topic')} with at least {least} second opinions of such documents).",
        title,
        Table(f"Grade {name} by topic", columns).take(order),
        dots_of_users(topics, share.tolist()),
    )
