"""What `fit` says, as plain data (the model file) and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainsayer.disagreement.estimate import Disagreement
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.disagreement.units import UnitEstimates
from gainsayer.findings import Finding
from gainsayer.levels import Levels, Relevance
from gainsayer.report.plain import number, numbers
from gainsayer.report.tables import Cell, Column, Table, show_number

UNITS = (
    "The parameters of single units were shrunk towards their common mean (empirical Bayes); those of all units "
    "together are the raw shares."
)
KEYS = (
    *("stratum", "unit", "relevant", "threshold", "estimator", "level", "probability", "lower", "upper"),
    *("relevant_count", "judged_count", "error_topic", "error_pair", "error_binomial", "interval_method", "note"),
    *("effective_topics", "degrees_of_freedom"),
)


@dataclass(frozen=True, eq=False)
class Fit:
    """One estimate, seen at one or more notions of relevance; units where single topics or assessors were asked for."""

    disagreement: Disagreement
    predictions: tuple[PredictedRelevance, ...]
    units: UnitEstimates | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding once, in order."""
        own = () if self.units is None else (Finding("units-shrunk", UNITS),)
        return tuple(dict.fromkeys((*(finding for part in self.predictions for finding in part.findings), *own)))


def describe_fit(
    fit: Fit, *, strata: Mapping[str, Fit] | None = None, provenance: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The fit as plain data with stable keys: what `--format json` prints and `--model` reads."""
    counts, main = fit.disagreement.counts, fit.predictions[0]
    test = fit.disagreement.exchangeability
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
        "warnings": [dict(vars(finding)) for finding in fit.findings],
        "strata": None,
    }
    if strata:
        document["strata"] = {name: describe_fit(part) for name, part in strata.items()}
    if provenance is not None:
        document["provenance"] = dict(provenance)
    return document


def fit_tables(fit: Fit, *, stratum: str | None = None) -> list[Table]:
    """One table per notion of relevance, and one for the units where there are any."""
    counts = fit.disagreement.counts
    sides = f"{_names(counts.second)} given {_names(counts.first)}"
    tables = [prediction_table(prediction, sides=sides, stratum=stratum) for prediction in fit.predictions]
    if fit.units is not None:
        tables += [unit_table(fit.units, prediction.relevance) for prediction in fit.predictions]
    return tables


def prediction_table(
    prediction: PredictedRelevance, *, sides: str = "second given first", stratum: str | None = None
) -> Table:
    """p(R|i) at one notion of relevance, a row per level; `sides` are named beside a one-sided estimate."""
    percent = f"{prediction.confidence:.0%}"
    # Beside a symmetric estimate of sides that are not exchangeable, the one-sided one is shown (T10).
    beside = "sides-not-exchangeable" in [finding.code for finding in prediction.findings]
    columns = (
        Column("level", "level", align="left"),
        Column("probability", "p(R|level)", show_number(3)),
        Column("interval", f"{percent} interval", align="left"),
        Column("one_sided", "one-sided", show_number(3)),
        Column("relevant_count", "relevant", _count),
        Column("judged_count", f"of {prediction.counted}", _count),
        Column("error_topic", "topic error", show_number(4)),
        Column("error_pair", "pair error", show_number(4)),
        Column("error_binomial", "binomial error", show_number(4)),
        Column("note", "note", lambda cell: str(cell or ""), "left"),
    )
    rows = tuple(
        (
            entry["level"],
            entry["probability"],
            _ends(entry["interval"]),
            entry["one_sided"] if beside else None,
            entry["relevant_count"],
            entry["judged_count"],
            *(entry["standard_error"][kind] for kind in ("topic", "pair", "binomial")),
            entry["note"],
        )
        for entry in _describe_prediction(prediction)["levels"]
    )
    notes = () if prediction.interval_note is None else (prediction.interval_note,)
    return Table(_title(prediction, sides, stratum), columns, rows, notes)


def fit_rows(fits: Mapping[str | None, Fit]) -> Table:
    """All numbers of all strata and notions of relevance in one flat table, for CSV."""
    rows: list[tuple[Cell, ...]] = []
    for stratum, fit in fits.items():
        for prediction in fit.predictions:
            rows += prediction_rows(prediction, stratum=stratum).rows
        if fit.units is not None:
            rows += _unit_rows(fit, fit.units, stratum)
    return Table("", tuple(Column(key, key) for key in KEYS), tuple(rows))


def prediction_rows(prediction: PredictedRelevance, *, stratum: str | None = None) -> Table:
    """All numbers at one notion of relevance, a row per level, in the columns of `fit_rows`."""
    rows: list[tuple[Cell, ...]] = []
    for entry in _describe_prediction(prediction)["levels"]:
        ends = entry["interval"] or (None, None)
        errors = entry["standard_error"]
        rows.append(
            (
                stratum,
                None,
                ",".join(prediction.relevance.names),
                prediction.relevance.threshold,
                prediction.estimator,
                entry["level"],
                entry["probability"],
                *ends,
                entry["relevant_count"],
                entry["judged_count"],
                *(errors[kind] for kind in ("topic", "pair", "binomial")),
                entry["interval_method"],
                entry["note"],
                entry["effective_topics"],
                entry["degrees_of_freedom"],
            )
        )
    return Table("", tuple(Column(key, key) for key in KEYS), tuple(rows))


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


def _unit_rows(fit: Fit, units: UnitEstimates, stratum: str | None) -> list[tuple[Cell, ...]]:
    """The units' probabilities in the columns of `fit_rows`; other numbers are not known for them."""
    rows: list[tuple[Cell, ...]] = []
    for prediction in fit.predictions:
        names, threshold = ",".join(prediction.relevance.names), prediction.relevance.threshold
        for unit, values in zip(units.units, units.probability(prediction.relevance).tolist(), strict=True):
            for level, value in zip(units.levels.names, values, strict=True):
                place = (stratum, unit, names, threshold, prediction.estimator, level, number(value))
                rows.append((*place, *(None,) * 8, "empirical Bayes", None, None))
    return rows


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
    levels = [
        {
            "level": name,
            "probability": number(prediction.probability[level]),
            "relevant_count": number(prediction.relevant_count[level], whole=True),
            "judged_count": number(prediction.judged_count[level], whole=True),
            "standard_error": {
                "binomial": number(prediction.binomial[level]),
                "pair": number(prediction.pair[level]),
                "topic": number(prediction.topic[level]),
            },
            "interval": None
            if prediction.interval.methods[level] is None
            else [number(end) for end in prediction.interval.ends[level]],
            "interval_method": prediction.interval.methods[level],
            "effective_topics": number(prediction.effective_topics[level]),
            "degrees_of_freedom": number(prediction.degrees[level]),
            "one_sided": None if prediction.one_sided is None else number(prediction.one_sided[level]),
            "note": prediction.notes[level],
        }
        for level, name in enumerate(prediction.levels.names)
    ]
    return {
        "threshold": prediction.relevance.threshold,
        "relevant": list(prediction.relevance.names),
        "levels": levels,
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


def _ends(ends: Sequence[float] | None) -> str:
    return "-" if ends is None else f"[{ends[0]:.3f}, {ends[1]:.3f}]"


def _count(cell: Cell) -> str:
    return f"{cell:,}" if isinstance(cell, int) else show_number(1)(cell)
