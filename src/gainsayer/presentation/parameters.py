"""What `fit` says: one record per level at each threshold; JSON (the model file), tables, flat rows, the figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.disagreement.shrinkage import UnitEstimates
from gainsayer.evaluation.parameters import UNITS, Fit
from gainsayer.levels import Levels, Relevance
from gainsayer.presentation.figures import ParameterChart, as_grid
from gainsayer.presentation.figures.words import name_relevance
from gainsayer.presentation.plain import number, numbers
from gainsayer.presentation.records import (
    Pick,
    Record,
    describe_findings,
    flatten,
    select,
    show_interval,
    tabulate,
)
from gainsayer.presentation.tables import Cell, Column, Table, show_number

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
    if fit.provenance is not None:
        document["provenance"] = fit.provenance.as_dict()
    return document


def fit_tables(fit: Fit, *, stratum: str | None = None) -> list[Table]:
    """One table per notion of relevance, one for the units where there are any, then those of the strata."""
    counts = fit.disagreement.counts
    sides = f"{_names(counts.second)} given {_names(counts.first)}"
    tables = [prediction_table(prediction, sides=sides, stratum=stratum) for prediction in fit.predictions]
    if fit.units is not None:
        tables += [unit_table(fit.units, prediction.relevance) for prediction in fit.predictions]
    return [*tables, *(table for name, part in fit.strata.items() for table in fit_tables(part, stratum=name))]


def prediction_table(
    prediction: PredictedRelevance, *, sides: str = "second given first", stratum: str | None = None
) -> Table:
    """p(R|i) at one notion of relevance, a row per level; `sides` are named beside a one-sided estimate."""
    # Beside a symmetric estimate of sides that are not exchangeable, the one-sided one is shown (T10).
    beside = "sides-not-exchangeable" in [finding.code for finding in prediction.findings]
    columns: list[tuple[Column, Pick]] = [
        (Column("level", "level", align="left"), "level"),
        (Column("probability", "p(R|level)", show_number(3)), "probability"),
        (Column("interval", f"{prediction.confidence:.0%} interval", align="left"), show_interval(3, missing="-")),
        (Column("one_sided", "one-sided", show_number(3)), "one_sided" if beside else lambda _: None),
        (Column("relevant_count", "relevant", _count), "relevant_count"),
        (Column("judged_count", f"of {prediction.counted}", _count), "judged_count"),
        *((Column(f"error_{kind}", f"{kind} error", show_number(4)), f"standard_error.{kind}") for kind in _ERRORS),
        (Column("note", "note", lambda cell: str(cell or ""), "left"), "note"),
    ]
    notes = () if prediction.interval_note is None else (prediction.interval_note,)
    return tabulate(_title(prediction, sides, stratum), columns, prediction_records(prediction), notes)


def fit_rows(fit: Fit) -> Table:
    """All records in one flat table, for CSV."""
    return flatten(fit_records(fit), _FLAT)


def prediction_rows(prediction: PredictedRelevance) -> Table:
    """The records at one notion of relevance, in the columns of `fit_rows`."""
    return flatten(prediction_records(prediction), _FLAT)


def parameter_figure(predictions: Sequence[PredictedRelevance]) -> ParameterChart:
    """p(R|i) per level, with intervals, a line per notion of relevance."""
    return ParameterChart(
        "parameters",
        predictions[0].levels.names,
        tuple(name_relevance(prediction.relevance) for prediction in predictions),
        as_grid([prediction.probability for prediction in predictions]),
        as_grid([prediction.interval.ends[:, 0] for prediction in predictions]),
        as_grid([prediction.interval.ends[:, 1] for prediction in predictions]),
        as_grid([prediction.relevant_count for prediction in predictions]),
        as_grid([prediction.judged_count for prediction in predictions]),
        predictions[0].confidence,
    )


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
    return Table(title, columns, tuple(rows))


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


def _title(prediction: PredictedRelevance, sides: str, stratum: str | None) -> str:
    relevance = prediction.relevance
    if relevance.threshold is None:
        what = f"level {' or '.join(relevance.names)}"
    elif len(relevance.names) == 1:
        what = f"level {relevance.threshold}"
    else:
        what = f"level {relevance.threshold} or higher"
    given = f"{sides}, " if prediction.estimator == "one-sided" else ""
    where = "" if stratum is None else f"Stratum {stratum}. "
    return (
        f"{where}How likely is a random user to find a document relevant, given its level? R = {what}; "
        f"{prediction.estimator} estimate, {given}{prediction.pairs:,} pairs, "
        f"{prediction.topics:,} topic{'' if prediction.topics == 1 else 's'}"
    )


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
