"""Files of models and gains, as `fit -o` and `export gains` wrote them, read back."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainsayer.errors import CallError, DataError
from gainsayer.gains.schemes import KINDS, Model
from gainsayer.gains.values import FloatArray, custom_gains
from gainsayer.levels import Levels, Relevance, canonical_label
from gainsayer.model.estimate import (
    ESTIMATORS,
    SMOOTHINGS,
    Disagreement,
    Estimator,
    Smoothing,
    check_exchangeability,
    normalise_rows,
    notice_exchangeability,
    notice_smoothing,
)
from gainsayer.model.pairs import Cells, PairCounts
from gainsayer.reading.files import FilePath, as_text, call_file, read_content
from gainsayer.reading.json_documents import parse_json
from gainsayer.result import check_version
from gainsayer.table import Json, plain
from gainsayer.text import nearest


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A model file as read: p(R|i) at one or more thresholds, and what it was fitted with.

    Args:
        name: what messages call it.
        levels: the levels it was fitted with: names, codes, merges, labels for *not judged*.
        estimator: whether it is symmetric or one-sided.
        thresholds: what is relevant, and the probabilities of that; the first one first.
        disagreement: the pairs behind it, by topic and people; None in a file that lacks them.
        has_strata: whether it has estimates per stratum, next to the one for all topics.
    """

    name: str
    levels: Levels
    estimator: Estimator
    thresholds: tuple[tuple[Relevance, Model], ...]
    disagreement: Disagreement | None
    has_strata: bool

    @property
    def relevant(self) -> list[str]:
        """The levels that the first threshold takes as relevant."""
        return list(self.thresholds[0][0].names)

    def at(self, threshold: object = None) -> Model:
        """The probabilities at one threshold, with their covariance over topics.

        Args:
            threshold: a level, levels joined by commas for a set, or a `Relevance`; None for the model's first.

        Raises:
            CallError: the model has no such threshold.
        """
        if threshold is None:
            return self.thresholds[0][1]
        pieces = threshold.names if isinstance(threshold, Relevance) else str(threshold).split(",")
        names = tuple(canonical_label(piece) for piece in pieces)
        for relevance, model in self.thresholds:
            if names in (relevance.names, (relevance.threshold,)):
                return model
        known = ", ".join(dict.fromkeys(relevance.threshold or relevance.name for relevance, _ in self.thresholds))
        raise CallError(
            f"{self.name} has no threshold {','.join(pieces)!r}: it has {known}. Fit it with this threshold as well."
        )


def read_model(path: FilePath) -> SavedModel:
    """The model that `fit` wrote; as it is or compressed.

    A file without `thresholds` has one threshold, and without `level_scheme` labels are the names of its levels.
    Without `cells` its uncertainty is what `covariance` says, apart from that of the scored topics; without that, too,
    its probabilities are taken as given. What else is needed, docs/reference/formats.md says.

    Raises:
        CallError: there is no such file.
        DataError: it is not a model.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.commands.fit import fit
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "model.json")
    ...     _ = path.write_text(fit(twenty_documents(), threshold=2).to_json())
    ...     read_model(path).at("2").probability["2"]
    0.4
    """
    name = call_file(path)
    content = as_text(read_content(path), name)
    try:
        return _take_model(name, parse_json(content))
    except (ValueError, TypeError, AttributeError, RecursionError) as fault:
        what = f"no JSON ({fault})" if isinstance(fault, json.JSONDecodeError) else str(fault).rstrip(".")
        said = f"{name}: not a model as `gainsayer fit -o` writes it: {what}."
        raise DataError(f"{said} Write it again: gainsayer fit ... -o model.json") from None


def read_gains(path: str, levels: Levels) -> list[float]:
    """Gains of these levels from a JSON file {level: gain}, as `export` writes it."""
    file = call_file(path)
    if not os.path.exists(path) and "/" not in path and "." not in path:
        raise CallError(
            f"There are no gains {path!r}: choose among {', '.join(KINDS)}, or name a file.{nearest(path, KINDS)}"
        )
    content = as_text(read_content(path), file)
    try:
        table = parse_json(content)
    except ValueError as fault:
        raise DataError(f'{file}: expected JSON such as {{"0": 0.1, "1": 0.5}}, found no JSON ({fault}).') from None
    if not isinstance(table, dict) or not all(_is_number(value) for value in table.values()):
        raise DataError(f'{file}: expected an object of levels and numbers, such as {{"0": 0.1, "1": 0.5}}.')
    try:
        gains = custom_gains(levels, {str(level): float(value) for level, value in table.items()})
    except OverflowError:
        raise DataError(f"{file}: a gain is too large a number.") from None
    return [float(value) for value in gains.values]


_KEYS = ("threshold", "relevant", "estimator", "topics", "pairs", "strata", "levels", "counts", "warnings")
_COUNTED = ("relevant_count", "judged_count", "standard_error", "interval", "interval_method", "note")
_MOST_TOPICS = 10**9


def _take_model(name: str, document: Any) -> SavedModel:
    """The model in this JSON; any error of Python's own says that there is none."""
    _need(document, ())
    check_version(document)
    _need(document, _KEYS)
    estimator, topics, strata = document["estimator"], document["topics"], document["strata"]
    if estimator not in ESTIMATORS:
        raise ValueError(f"the estimator {_shown(estimator)}")
    if not _is_number(topics) or not isinstance(topics, int) or not 0 <= topics <= _MOST_TOPICS:
        raise ValueError(f"{_shown(topics)} topics")
    if not isinstance(strata, dict | None):
        raise ValueError(f"the strata {_shown(strata)}")
    levels = _take_levels(document)
    thresholds = []
    for part in (document, *document.get("thresholds", ())):
        _need(part, ("threshold", "relevant", "levels"))
        relevance, probability = levels.only(*part["relevant"]), _take_probabilities(part["levels"])
        if (list(relevance.names), tuple(probability)) != (part["relevant"], levels.names):
            raise ValueError(f"{_shown(part['relevant'])} relevant, which does not fit {', '.join(levels.names)}")
        if part["threshold"] not in (None, relevance.threshold):
            raise ValueError(f"the threshold {_shown(part['threshold'])}")
        covariance = _take_covariance(part.get("covariance"), len(levels))
        thresholds.append((relevance, Model(probability, covariance if topics > 1 else None, topics, name)))
    cells = document.get("cells")
    behind = None if cells is None else _take_pairs(cells, document, levels, estimator)
    return SavedModel(name, levels, estimator, tuple(thresholds), behind, bool(strata))


def _take_levels(document: Mapping[str, Any]) -> Levels:
    names = tuple(_take_probabilities(document["levels"]))
    scheme = document.get("level_scheme")
    if scheme is None:
        return Levels(names)
    _need(scheme, ("names", "codes", "merges", "missing", "ordered"))
    if scheme["names"] != list(names) or not isinstance(scheme["ordered"], bool):
        raise ValueError(f"the level_scheme {_shown(scheme)}")
    codes = None if scheme["codes"] is None else tuple(scheme["codes"])
    return Levels(names, codes, scheme["merges"], frozenset(scheme["missing"]), scheme["ordered"])


def _need(found: Any, keys: Sequence[str]) -> None:
    if not isinstance(found, dict):
        raise ValueError(_shown(found))
    lacking = [key for key in keys if key not in found]
    if lacking:
        raise ValueError(f"no {', '.join(map(repr, lacking))}")


def _take_probabilities(entries: Sequence[Any]) -> dict[str, float]:
    probabilities: dict[str, float] = {}
    for entry in entries:
        _need(entry, ("level", "probability", *_COUNTED))
        level, value = entry["level"], entry["probability"]
        if not isinstance(level, str) or level in probabilities:
            raise ValueError(f"the level {_shown(level)}, which needs a name of its own")
        if value is not None and not (_is_number(value) and 0 <= value <= 1):
            raise ValueError(f"the probability {_shown(value)} for level {level!r}")
        probabilities[level] = math.nan if value is None else float(value)
    return probabilities


def describe_cells(counts: PairCounts) -> dict[str, Json]:
    """The pairs by topic, and by the two people who made them where names say who that was, as plain data."""
    cells = counts.cells
    pairs = counts.counts if cells is None else cells.pairs
    keys = [np.arange(len(pairs))] if cells is None else [cells.topic, cells.first, cells.second]
    part, *levels = np.nonzero(pairs)
    columns = [*(key[part].tolist() for key in keys), *(level.tolist() for level in levels), plain(pairs[pairs != 0])]
    return {
        "topics": list(counts.topics),
        "people": None if cells is None else list(cells.names),
        "rows": [list(row) for row in zip(*columns, strict=True)],
    }


def _take_pairs(entry: Any, document: Mapping[str, Any], levels: Levels, estimator: Estimator) -> Disagreement:
    """The estimate from the pairs in a model file, as if they had just been counted."""
    _need(entry, ("topics", "people", "rows"))
    _need(document, ("first", "second", "assessors", "weighting", "weighted", "smoothing"))
    topics, people, size = entry["topics"], entry["people"], len(levels)
    limits = [len(topics), size, size] if people is None else [len(topics), len(people), len(people), size, size]
    rows = np.array(entry["rows"], dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != len(limits) + 1:
        raise ValueError(f"the cells {_shown(entry['rows'])}")
    keys, weight = rows[:, :-1].astype(np.int64), rows[:, -1]
    if (keys != rows[:, :-1]).any() or (keys < 0).any() or (keys >= limits).any() or not (weight > 0).all():
        raise ValueError("cells with an index that does not fit, or with pairs that are not above 0")
    counts = np.zeros((len(topics), size, size))
    np.add.at(counts, (keys[:, 0], keys[:, -2], keys[:, -1]), weight)
    directed, cells = document["first"] is not None, None
    if people is not None:
        parts, at = np.unique(keys[:, :3], axis=0, return_inverse=True)
        pairs = np.zeros((len(parts), size, size))
        np.add.at(pairs, (at.ravel(), keys[:, 3], keys[:, 4]), weight)
        cells = Cells(tuple(map(str, people)), pairs, parts[:, 0], parts[:, 1], parts[:, 2])
        counts = counts if directed else counts + counts.transpose(0, 2, 1)
    unknown = np.full((size, size, size), np.nan)
    first, second = (document["first"], document["second"]) if directed else (document["assessors"],) * 2
    found = PairCounts(
        levels=levels,
        topics=tuple(map(str, topics)),
        counts=counts,
        squares=unknown,
        symmetric_squares=unknown,
        directed=directed,
        first=tuple(map(str, first)),
        second=tuple(map(str, second)),
        pairs=int(document["pairs"]),
        documents=int(document["documents"]),
        weighting=document["weighting"],
        weighted=bool(document["weighted"]),
        cells=cells,
    )
    said = document["smoothing"]
    plainly = said is None or said["kind"] not in SMOOTHINGS  # single units are shrunk apart from the estimate of all
    smoothing = None if plainly else Smoothing(said["kind"], said["alpha"])
    total = (found.counts if estimator == "one-sided" else found.symmetric()).sum(axis=0)
    matrix = normalise_rows(total) if smoothing is None else smoothing.apply(total)
    tested, findings = None, []
    if estimator == "symmetric" and found.directed and not found.weighted:
        tested = check_exchangeability(found)
        if tested.rejected():
            findings.append(notice_exchangeability(found, tested))
    if smoothing is not None:
        findings.append(notice_smoothing(smoothing, levels))
    return Disagreement(found, estimator, matrix, smoothing, tested, tuple(findings))


def _take_covariance(rows: Any, size: int) -> FloatArray | None:
    if rows is None:
        return None
    covariance = np.array([[math.nan if cell is None else cell for cell in row] for row in rows])
    if covariance.shape != (size, size) or covariance.dtype.kind not in "if" or np.isinf(covariance).any():
        raise ValueError(f"the covariance {_shown(rows)}")
    return covariance.astype(np.float64)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: object) -> str:
    try:
        text = "nothing" if value is None else repr(value)
    except RecursionError:
        text = "many lists and objects within each other"
    return text if len(text) <= 60 else text[:60] + "..."
