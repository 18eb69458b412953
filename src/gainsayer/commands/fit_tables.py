"""What `fit` says: one record per level at each threshold; JSON (the model file), tables, flat rows, the figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gainsayer.commands.figures import Figure, ParameterChart, show_panels
from gainsayer.commands.model_file import UNITS, Fit
from gainsayer.commands.old_tables import Cell, Column, from_rows, show_number
from gainsayer.commands.plan_tables import describe_reached
from gainsayer.commands.records import (
    Pick,
    Record,
    describe_findings,
    flatten,
    number,
    numbers,
    select,
    show_interval,
    tabulate,
)
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.disagreement.shrinkage import UnitEstimates
from gainsayer.levels import Levels, Relevance
from gainsayer.table import Table
from gainsayer.words import counted, name_relevance, sure

_ERRORS = ("topic", "pair", "binomial")
_LEVEL_KEYS = (
    *("level", "probability", "relevant_count", "judged_count", "standard_error", "interval", "interval_method"),
    *("effective_topics", "degrees_of_freedom", "one_sided", "note"),
)
_FLAT: dict[str, Pick] = {
    "stratum": "stratum",
    "unit": "unit",
    "relevant": lambda record: ",".join(record["relevant"]),
    **{key: key for key in ("threshold", "estimator", "level", "probability")},
    "lower": "interval.0",
    "upper": "interval.1",
    **{key: key for key in ("relevant_count", "judged_count")},
    **{f"error_{kind}": f"standard_error.{kind}" for kind in _ERRORS},
    **{key: key for key in ("interval_method", "note", "effective_topics", "degrees_of_freedom")},
}


def prediction_records(prediction: PredictedRelevance, *, stratum: str | None = None) -> list[Record]:
    """One record per level."""
    ends, methods = prediction.interval.ends, prediction.interval.methods
    return [
        {
            "stratum": stratum,
            "unit": None,
            "threshold": prediction.relevance.threshold,
            "relevant": list(prediction.relevance.names),
            "estimator": prediction.estimator,
            "level": name,
            "probability": number(prediction.probability[level]),
            "relevant_count": number(prediction.relevant_count[level], whole=True),
            "judged_count": number(prediction.judged_count[level], whole=True),
            "standard_error": {
                "binomial": number(prediction.binomial[level]),
                "pair": number(prediction.pair[level]),
                "topic": number(prediction.topic[level]),
            },
            "interval": None if methods[level] is None else [number(end) for end in ends[level]],
            "interval_method": methods[level],
            "effective_topics": number(prediction.effective_topics[level]),
            "degrees_of_freedom": number(prediction.degrees[level]),
            "one_sided": None if prediction.one_sided is None else number(prediction.one_sided[level]),
            "note": prediction.notes[level],
        }
        for level, name in enumerate(prediction.levels.names)
    ]


def fit_records(fit: Fit, *, stratum: str | None = None) -> Iterator[Record]:
    """One record per threshold and level, then per unit where there are units, then those of the strata."""
    for prediction in fit.predictions:
        yield from prediction_records(prediction, stratum=stratum)
    for prediction in fit.predictions if fit.units is not None else ():
        yield from _unit_records(prediction, fit.units, stratum)  # type: ignore[arg-type]
    for name, part in fit.strata.items():
        yield from fit_records(part, stratum=name)


def describe_fit(fit: Fit) -> dict[str, Any]:
    """The fit as plain data with stable keys: what `fit` gives as JSON, and what `model` reads."""
    counts, main = fit.disagreement.counts, fit.predictions[0]
    test = fit.disagreement.exchangeability
    strata = {name: describe_fit(part) for name, part in fit.strata.items()}
    document: dict[str, Any] = {
        **_describe_prediction(main),
        "estimator": main.estimator,
        "topics": main.topics,
        "pairs": main.pairs,
        "documents": counts.documents,
        "first": list(counts.first) if counts.directed else None,
        "second": list(counts.second) if counts.directed else None,
        "assessors": None if counts.directed else list(counts.first),
        "counts": numbers(counts.matrix),
        "matrix": numbers(fit.disagreement.matrix),
        "weighting": counts.weighting,
        "weighted": counts.weighted,
        "confidence": main.confidence,
        "people": list(main.people),
        "interval_note": main.interval_note,
        "counted": main.counted,
        "smoothing": _describe_smoothing(fit),
        "thresholds": [_describe_prediction(prediction) for prediction in fit.predictions],
        "level_scheme": _describe_levels(counts.levels),
        "exchangeability": None if test is None else dict(vars(test)),
        "units": None if fit.units is None else _describe_units(fit.units, fit.predictions),
        "warnings": describe_findings(replace(fit, strata={}).findings),
        "strata": strata or None,
    }
    if fit.planned is not None:
        document["plan"] = describe_reached(fit.planned)
    if fit.provenance is not None:
        document["provenance"] = fit.provenance.as_dict()
    return document


def fit_tables(fit: Fit, *, stratum: str | None = None) -> list[Table]:
    """Levels at one threshold; levels by thresholds, as the paper's Table 3; strata by levels, as its Table 4.

    The tables of single thresholds and strata are there for who asks; then one for the units where there are any.
    """
    counts = fit.disagreement.counts
    sides = f"{_names(counts.second)} given {_names(counts.first)}"
    several = len(fit.predictions) > 1
    shown = [threshold_table(fit, sides=sides, stratum=stratum)] if several else []
    for prediction in fit.predictions:
        table = prediction_table(prediction, sides=sides, stratum=stratum)
        shown.append(replace(table, extra=several or stratum is not None))
    if fit.strata:
        shown = [*shown, *(stratum_table(fit, place) for place in range(len(fit.predictions)))]
    if fit.units is not None:
        shown += [unit_table(fit.units, prediction.relevance) for prediction in fit.predictions]
    parts = [table for name, part in fit.strata.items() for table in fit_tables(part, stratum=name)]
    return [*shown, *(replace(table, extra=True) for table in parts)]


def prediction_table(
    prediction: PredictedRelevance, *, sides: str = "second given first", stratum: str | None = None
) -> Table:
    """p(R|i) at one notion of relevance, a row per level; `sides` are named beside a one-sided estimate."""
    columns: list[tuple[Column, Pick]] = [
        (Column("level", "level", align="left"), "level"),
        (Column("probability", "probability", show_number(3)), "probability"),
        (
            Column("interval", f"{sure(prediction.confidence)} interval", align="left"),
            show_interval(3, missing="-"),
        ),
        # The other estimate beside the symmetric one, as in the paper's Table 2; they part where sides differ (T10).
        (Column("one_sided", "one-sided", show_number(3)), "one_sided"),
        (Column("judged_count", prediction.counted, _count), "judged_count"),
        (Column("relevant_count", "relevant ones", _count, extra=True), "relevant_count"),
        *(
            (Column(f"error_{kind}", f"{kind} error", show_number(4), extra=True), f"standard_error.{kind}")
            for kind in _ERRORS
        ),
        (Column("note", "note", lambda cell: str(cell or ""), "left"), "note"),
    ]
    notes = () if prediction.interval_note is None else (prediction.interval_note,)
    title = _title(f". Relevant: {name_relevance(prediction.relevance)}", prediction, sides, stratum)
    return tabulate(title, columns, prediction_records(prediction), notes, name="levels")


def threshold_table(fit: Fit, *, sides: str, stratum: str | None = None) -> Table:
    """Levels by notions of relevance, each with its interval: the paper's Table 3."""
    main = fit.predictions[0]
    found = [prediction_records(prediction) for prediction in fit.predictions]
    columns = [Column("level", "level", align="left")]
    for prediction in fit.predictions:
        name = name_relevance(prediction.relevance)
        key = prediction.relevance.name
        columns += [
            Column(key, name, align="left"),
            Column(f"{key} probability", f"{name}, probability", show_number(3), extra=True),
            Column(f"{key} topic error", f"{name}, topic error", show_number(4), extra=True),
        ]
    columns.append(Column("judged_count", main.counted, _count, extra=True))
    rows = []
    for level, name in enumerate(main.levels.names):
        row: list[Cell] = [name]
        for records in found:
            record = records[level]
            row += [_with_interval(record), record["probability"], record["standard_error"]["topic"]]
        rows.append((*row, found[0][level]["judged_count"]))
    notes = () if main.interval_note is None else (main.interval_note,)
    title = _title(f" and by what users want, with {sure(main.confidence)} intervals", main, sides, stratum)
    return from_rows(title, tuple(columns), tuple(rows), notes, "thresholds")


def stratum_table(fit: Fit, place: int) -> Table:
    """Strata by levels at one notion of relevance, each with its standard error: the paper's Table 4."""
    main = fit.predictions[place]
    levels = main.levels.names[::-1]
    columns = (
        Column("stratum", "stratum", align="left"),
        *(Column(level, level, align="left") for level in levels),
        Column("pairs", "pairs", show_number(0), extra=True),
        Column("topics", "topics", show_number(0)),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, part in (("all topics", fit), *fit.strata.items()):
        prediction = part.predictions[place]
        records = prediction_records(prediction)[::-1]
        rows.append((name, *map(_with_error, records), prediction.pairs, prediction.topics))
    title = (
        "How likely a random user is to find a document relevant, by stratum and level, with standard errors over "
        f"topics. Relevant: {name_relevance(main.relevance)}"
    )
    return from_rows(title, columns, tuple(rows), name="strata")


def _with_interval(record: Record) -> Cell:
    """A probability with its interval: `0.538 [0.407, 0.642]`."""
    if record["probability"] is None:
        return "-"
    ends = show_interval(3)(record)
    return f"{record['probability']:.3f}" + ("" if ends is None else f" {ends}")


def fit_rows(fit: Fit) -> Table:
    """All records in one flat table, for CSV."""
    return flatten(fit_records(fit), _FLAT)


def prediction_rows(prediction: PredictedRelevance) -> Table:
    """The records at one notion of relevance, in the columns of `fit_rows`."""
    return flatten(prediction_records(prediction), _FLAT)


def unit_table(units: UnitEstimates, relevance: Relevance) -> Table:
    """p(R|i) of each unit at one notion of relevance, and how far the units lie apart."""
    names = units.levels.names
    title = f"p(R|level) per unit ({units.kind}), R = {' or '.join(relevance.names)}; empirical Bayes"
    columns = (Column("unit", units.kind, align="left"), *(Column(name, name, show_number(3)) for name in names))
    spread = units.heterogeneity(relevance)
    rows: list[tuple[Cell, ...]] = [
        (unit, *row) for unit, row in zip(units.units, units.probability(relevance).tolist(), strict=True)
    ]
    rows.append(("sd between", *spread.tolist()))
    return from_rows(title, columns, tuple(rows), name="units")


def _unit_records(prediction: PredictedRelevance, units: UnitEstimates, stratum: str | None) -> Iterator[Record]:
    """The units' probabilities; other numbers are not known for them."""
    nothing = dict.fromkeys(_LEVEL_KEYS)
    for unit, values in zip(units.units, units.probability(prediction.relevance).tolist(), strict=True):
        for level, value in zip(units.levels.names, values, strict=True):
            yield nothing | {
                "stratum": stratum,
                "unit": unit,
                "threshold": prediction.relevance.threshold,
                "relevant": list(prediction.relevance.names),
                "estimator": prediction.estimator,
                "level": level,
                "probability": number(value),
                "note": "empirical Bayes",
            }


def _title(what: str, prediction: PredictedRelevance, sides: str, stratum: str | None) -> str:
    given = f" ({sides})" if prediction.estimator == "one-sided" else ""
    where = "" if stratum is None else f"Stratum {stratum}: "
    return (
        f"{where}How likely a random user is to find a document relevant, by its level{what}; "
        f"{prediction.estimator} estimate{given}, {counted(prediction.pairs, 'pair')}, "
        f"{counted(prediction.topics, 'topic')}"
    )


def _with_error(record: Record) -> Cell:
    """A probability with its standard error over topics: `0.54 (.05)`."""
    if record["probability"] is None:
        return "-"
    error = record["standard_error"]["topic"]
    return f"{record['probability']:.3f}" + ("" if error is None else f" ({error:.3f})".replace("(0.", "(."))


def _names(assessors: Sequence[str]) -> str:
    return ", ".join(assessors) if len(assessors) <= 3 else f"{len(assessors)} assessors"


def _describe_prediction(prediction: PredictedRelevance) -> dict[str, Any]:
    return {
        "threshold": prediction.relevance.threshold,
        "relevant": list(prediction.relevance.names),
        "levels": [select(record, _LEVEL_KEYS) for record in prediction_records(prediction)],
        "covariance": numbers(prediction.covariance),
    }


def _describe_levels(levels: Levels) -> dict[str, Any]:
    return {
        "names": list(levels.names),
        "codes": None if levels.codes is None else list(levels.codes),
        "merges": dict(levels.merges),
        "missing": sorted(levels.missing),
        "ordered": levels.ordered,
    }


def _describe_smoothing(fit: Fit) -> dict[str, Any] | None:
    disagreement = fit.disagreement
    smoothing = disagreement.smoothing
    if smoothing is None:
        return None if fit.units is None else {"kind": f"eb-{fit.units.kind}", "alpha": None, "description": UNITS}
    size = len(disagreement.levels)
    alpha = None if smoothing.kind == "isotonic" else smoothing.weight(size)
    return {"kind": smoothing.kind, "alpha": alpha, "description": smoothing.describe(size)}


def _describe_units(units: UnitEstimates, predictions: Sequence[PredictedRelevance]) -> dict[str, Any]:
    return {
        "kind": units.kind,
        "names": list(units.units),
        "alpha": [
            None if np.isnan(value) else ("infinite" if np.isinf(value) else value) for value in units.alpha.tolist()
        ],
        "thresholds": [
            {
                "threshold": prediction.relevance.threshold,
                "relevant": list(prediction.relevance.names),
                "between_units": numbers(units.heterogeneity(prediction.relevance)),
                "probability": numbers(units.probability(prediction.relevance)),
            }
            for prediction in predictions
        ],
    }


def _count(cell: Cell) -> str:
    return f"{cell:,}" if isinstance(cell, int) else show_number(1)(cell)


def fit_figure(fit: Fit) -> Figure:
    """What each grade is worth, by each notion of relevance; with strata, a panel for each."""
    parts = {"": fit, **{f"{name} topics": part for name, part in fit.strata.items()}}
    return show_panels("parameters", {name: ParameterChart.of(part.predictions) for name, part in parts.items()})


def prediction_figure(prediction: PredictedRelevance) -> ParameterChart:
    """What each grade is worth."""
    return ParameterChart.of([prediction])


def say_fit(fit: Fit) -> str:
    """The first notion of relevance in one line."""
    return say_prediction(fit.predictions[0])


def say_prediction(prediction: PredictedRelevance) -> str:
    """p(R|level) of each level in one line."""
    known = zip(prediction.levels.names, prediction.probability.tolist(), strict=True)
    worth = ", ".join(f"{level}: {value:.3f}" for level, value in known)
    relevant = " or ".join(prediction.relevance.names)
    return f"p(R|level) = {worth}; R = {relevant}, {prediction.estimator}, {counted(prediction.topics, 'topic')}"
