"""Models as `fit` gives them, and files of models and gains as `fit -o` and `export gains` wrote them, read back."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gainsayer.disagreement.estimate import Disagreement
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.disagreement.shrinkage import UnitEstimates
from gainsayer.display import Displayed
from gainsayer.errors import CallError, DataError, GainsayerError
from gainsayer.evaluation.plan_weights import Weighed
from gainsayer.evaluation.provenance import Provenance
from gainsayer.findings import Finding
from gainsayer.gains.schemes import KINDS, Model
from gainsayer.gains.values import FloatArray, custom_gains
from gainsayer.levels import Levels, Relevance, canonical_label
from gainsayer.lines.opening import FilePath, as_text, call_file, read_content
from gainsayer.text import nearest

# To read a model, or to do without one, nothing of how it was estimated is needed.

UNITS = (
    "The parameters of single units were shrunk towards their common mean (empirical Bayes); those of all units "
    "together are the raw shares."
)


@dataclass(frozen=True, eq=False)
class Fit(Displayed):
    """The model: one estimate of p(j|i), seen at one or more notions of relevance.

    Args:
        disagreement: the matrix p(j|i) and the counts behind it.
        predictions: p(R|i) at each notion of relevance asked for, the first one first.
        units: parameters of single topics, strata or assessors, where asked for.
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
    def findings(self) -> tuple[Finding, ...]:
        """Every finding once, in order, those of the strata last."""
        own = () if self.units is None else (Finding("units-shrunk", UNITS),)
        of_parts = [finding for part in self.predictions for finding in part.findings]
        of_strata = [finding for part in self.strata.values() for finding in part.findings]
        return tuple(dict.fromkeys((*self.noticed, *of_parts, *own, *of_strata)))

    @property
    def has_strata(self) -> bool:
        """Whether there are estimates per stratum, beside the one for all topics."""
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


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A model file as read: p(R|i) at one or more thresholds, and what it was fitted with.

    Args:
        name: what messages call it.
        document: the JSON.
    """

    name: str
    document: Mapping[str, Any]

    @property
    def estimator(self) -> str | None:
        """Whether the model is symmetric or one-sided; None where it does not say."""
        estimator = self.document.get("estimator")
        return estimator if isinstance(estimator, str) else None

    @property
    def has_strata(self) -> bool:
        """Whether the model has estimates per stratum, beside the one for all topics."""
        return bool(self.document.get("strata"))

    @property
    def relevant(self) -> list[str]:
        """The levels that the first threshold takes as relevant; empty where the model does not say."""
        return _read_relevant(self.document)

    @property
    def levels(self) -> Levels | None:
        """The levels it was fitted with: names, codes, merges, labels for *not judged*; None where it does not say.

        Raises:
            DataError: the file is not a model.
        """
        scheme = self.document.get("level_scheme")
        if not isinstance(scheme, dict):
            return None
        try:
            codes = scheme.get("codes")
            return Levels(
                tuple(scheme["names"]),
                None if codes is None else tuple(codes),
                merges=dict(scheme.get("merges") or {}),
                missing=frozenset(scheme.get("missing") or ()),
                ordered=bool(scheme.get("ordered", True)),
            )
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as fault:
            raise DataError(f"{self.name}: its level_scheme cannot be read ({fault}). {_ADVICE}") from None

    def at(self, threshold: object = None) -> Model:
        """The probabilities at one threshold, with their covariance over topics.

        Args:
            threshold: a level, levels joined by commas for a set, or a `Relevance`; None for the model's first.

        Raises:
            CallError: the model has no such threshold.
            DataError: the file is not a model, with the first thing that is wrong about it.
        """
        named = ",".join(threshold.names) if isinstance(threshold, Relevance) else threshold
        part = self.document if named is None else self._part(str(named))
        probability = _read_levels(part, self.name)
        found = _read_covariance(part, self.document.get("topics"), len(probability))
        covariance, topics = found or (None, 0)
        return Model(probability, covariance, topics, self.name)

    def _part(self, threshold: str) -> Mapping[str, Any]:
        parts = self.document.get("thresholds")
        known: dict[str, Mapping[str, Any]] = {}
        for part in parts if isinstance(parts, list) and parts else [self.document]:
            if not isinstance(part, dict):
                raise DataError(
                    f"{self.name}: expected each threshold to be an object, found {_shown(part)}. {_ADVICE}"
                )
            if relevant := _read_relevant(part):
                known[",".join(relevant)] = part
            if part.get("threshold") is not None:
                known[str(part["threshold"])] = part
        wanted = ",".join(canonical_label(piece) for piece in threshold.split(","))
        if wanted not in known:
            names = [key for key in known if known[key].get("threshold") in (key, None)]
            raise CallError(
                f"{self.name} has no threshold {threshold!r}: it has {', '.join(names) or 'none'}. Fit it with this "
                "threshold as well."
            )
        return known[wanted]


def read_model(path: FilePath) -> SavedModel:
    """The model that `fit` wrote; as it is or compressed.

    Raises:
        CallError: there is no such file.
        DataError: it is no model.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.evaluation.parameters import fit
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "model.json")
    ...     _ = path.write_text(fit(twenty_documents(), threshold=2).to_json())
    ...     read_model(path).at("2").probability["2"]
    0.4
    """
    name = call_file(path)
    model = _read_json(path, "a model file", _ADVICE)
    if not isinstance(model, dict):
        raise DataError(f"{name}: expected a model file, found {_shown(model)}. {_ADVICE}")
    return SavedModel(name, model)


def read_gains(path: str, levels: Levels) -> list[float]:
    """Gains of these levels from a JSON file {level: gain}, as `export` writes it."""
    file = call_file(path)
    if not os.path.exists(path) and "/" not in path and "." not in path:
        raise CallError(
            f"There are no gains {path!r}: choose among {', '.join(KINDS)}, or name a file.{nearest(path, KINDS)}"
        )
    table = _read_json(path, 'JSON such as {"0": 0.1, "1": 0.5}')
    if not isinstance(table, dict) or not all(_is_number(value) for value in table.values()):
        raise DataError(f'{file}: expected an object of levels and numbers, such as {{"0": 0.1, "1": 0.5}}.')
    try:
        gains = custom_gains(levels, {str(level): float(value) for level, value in table.items()})
    except OverflowError:
        raise DataError(f"{file}: a gain is too large a number.") from None
    return [float(value) for value in gains.values]


def _read_json(path: FilePath, expected: str, advice: str = "") -> Any:
    try:
        return json.loads(as_text(read_content(path), call_file(path)))
    except GainsayerError:
        raise
    except (ValueError, RecursionError) as fault:
        said = f"{call_file(path)}: expected {expected}, found no JSON ({fault}). {advice}"
        raise DataError(said.rstrip()) from None


_MOST_TOPICS = 10**9
_ADVICE = "Write a model with `gainsayer fit ... -o model.json`."


def _read_covariance(part: Mapping[str, Any], topics: Any, size: int) -> tuple[FloatArray, int] | None:
    """The covariance of the probabilities over topics, and over how many; None where there is none."""
    rows = part.get("covariance")
    if not isinstance(rows, list) or not isinstance(topics, int) or not 2 <= topics <= _MOST_TOPICS:
        return None
    if len(rows) != size or not all(isinstance(row, list) and len(row) == size for row in rows):
        return None
    try:
        return np.array([[math.nan if cell is None else float(cell) for cell in row] for row in rows]), topics
    except (TypeError, ValueError, OverflowError):
        return None


def _read_relevant(part: Mapping[str, Any]) -> list[str]:
    """The levels said to be relevant; none where it does not say."""
    relevant = part.get("relevant")
    return [str(level) for level in relevant if isinstance(level, str | int)] if isinstance(relevant, list) else []


def _read_levels(part: Mapping[str, Any], name: str) -> dict[str, float]:
    entries = part.get("levels")
    if not isinstance(entries, list) or not entries:
        raise DataError(f"{name}: expected a list of 'levels', found {_shown(entries)}. {_ADVICE}")
    probabilities: dict[str, float] = {}
    for place, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict) or "level" not in entry or "probability" not in entry:
            raise DataError(f"{name}: level {place} needs 'level' and 'probability', found {_shown(entry)}. {_ADVICE}")
        level, value = canonical_label(str(entry["level"])), entry["probability"]
        if level in probabilities:
            raise DataError(f"{name}: level {level!r} stands there twice. {_ADVICE}")
        number = math.nan if value is None else value
        if not _is_number(number) or number < 0 or number > 1:
            raise DataError(
                f"{name}: expected a probability from 0 to 1 for level {level!r}, found {_shown(value)}. {_ADVICE}"
            )
        probabilities[level] = float(number)
    return probabilities


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: object) -> str:
    try:
        text = "nothing" if value is None else repr(value)
    except RecursionError:
        text = "many lists and objects within each other"
    return text if len(text) <= 60 else text[:60] + "..."
