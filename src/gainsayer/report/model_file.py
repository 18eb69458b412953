"""The model file: what `fit -o model.json` wrote, read back and checked."""

from __future__ import annotations

import json
import math
from typing import Any

from gainsayer.errors import CallError, DataError
from gainsayer.levels import Levels, canonical_label
from gainsayer.lines.opening import FilePath, as_text, call_file, read_content


def read_model(path: FilePath, *, threshold: str | None = None) -> dict[str, float]:
    """p(R|i) by level name, from low to high; NaN for a level without second opinions.

    Args:
        path: the JSON that `gainsayer fit` wrote; as it is or compressed, '-' for standard input.
        threshold: which of the model's thresholds; a level, or levels joined by commas for a set. None for the first.

    Raises:
        CallError: there is no such file, or the model has no such threshold.
        DataError: the file is not a model, with the first thing that is wrong about it.
    """
    name = call_file(path)
    model = _load(path)
    parts = model.get("thresholds")
    parts = parts if isinstance(parts, list) and parts else [model]
    if threshold is None:
        return _read_levels(model, name)
    known = {}
    for part in parts:
        if not isinstance(part, dict):
            raise DataError(f"{name}: expected each threshold to be an object, found {_shown(part)}. {_ADVICE}")
        if relevant := _read_relevant(part):
            known[",".join(relevant)] = part
        if part.get("threshold") is not None:
            known[str(part["threshold"])] = part
    wanted = ",".join(canonical_label(piece) for piece in threshold.split(","))
    if wanted not in known:
        names = [key for key in known if known[key].get("threshold") in (key, None)]
        raise CallError(
            f"{name} has no threshold {threshold!r}: it has {', '.join(names) or 'none'}. Fit it: "
            f"gainsayer fit ... --threshold {threshold} -o model.json"
        )
    return _read_levels(known[wanted], name)


def read_model_relevant(path: FilePath, *, threshold: str | None = None) -> list[str]:
    """The levels that the probabilities of `read_model` take as relevant; empty where the model does not say."""
    part = _find_part(_load(path), threshold)
    return _read_relevant(part)


def read_model_covariance(path: FilePath, *, threshold: str | None = None) -> tuple[list[list[float]], int] | None:
    """The covariance of the probabilities of `read_model` over topics, and over how many; None where there is none."""
    model = _load(path)
    part = _find_part(model, threshold)
    rows, topics, levels = part.get("covariance"), model.get("topics"), part.get("levels")
    if not isinstance(rows, list) or not isinstance(levels, list) or not isinstance(topics, int):
        return None
    if not 2 <= topics <= _MOST_TOPICS:
        return None
    size = len(levels)
    if len(rows) != size or not all(isinstance(row, list) and len(row) == size for row in rows):
        return None
    try:
        return [[math.nan if cell is None else float(cell) for cell in row] for row in rows], topics
    except (TypeError, ValueError, OverflowError):
        return None


def read_model_estimator(path: FilePath) -> str | None:
    """Whether the model is symmetric or one-sided; None where it does not say."""
    estimator = _load(path).get("estimator")
    return estimator if isinstance(estimator, str) else None


def has_strata(path: FilePath) -> bool:
    """Whether the model has estimates per stratum, beside the one for all topics."""
    return bool(_load(path).get("strata"))


def read_model_levels(path: FilePath) -> Levels | None:
    """The levels the model was fitted with: names, codes, merges, labels for *not judged*; None where it does not say.

    Raises:
        CallError: there is no such file.
        DataError: the file is not a model.
    """
    scheme = _load(path).get("level_scheme")
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
        raise DataError(f"{call_file(path)}: its level_scheme cannot be read ({fault}). {_ADVICE}") from None


_MOST_TOPICS = 10**9
_ADVICE = "Write a model with: gainsayer fit ... -o model.json"


def _load(path: FilePath) -> dict[str, Any]:
    name = call_file(path)
    try:
        model = json.loads(as_text(read_content(path), name))
    except (ValueError, RecursionError) as fault:
        if isinstance(fault, DataError | CallError):
            raise
        raise DataError(f"{name}: expected a model file, found no JSON ({fault}). {_ADVICE}") from None
    if not isinstance(model, dict):
        raise DataError(f"{name}: expected a model file, found {_shown(model)}. {_ADVICE}")
    return model


def _find_part(model: dict[str, Any], threshold: str | None) -> dict[str, Any]:
    """What the model says at one threshold, the first by default; nothing where it does not have it."""
    if threshold is None:
        return model
    wanted = ",".join(canonical_label(piece) for piece in threshold.split(","))
    entries = model.get("thresholds")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and wanted in (
            str(entry.get("threshold")),
            ",".join(_read_relevant(entry)),
        ):
            return entry
    return {}


def _read_relevant(part: dict[str, Any]) -> list[str]:
    """The levels said to be relevant; none where it does not say."""
    relevant = part.get("relevant")
    return [str(level) for level in relevant if isinstance(level, str | int)] if isinstance(relevant, list) else []


def _read_levels(part: dict[str, Any], name: str) -> dict[str, float]:
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
        if isinstance(number, bool) or not isinstance(number, int | float) or number < 0 or number > 1:
            raise DataError(
                f"{name}: expected a probability from 0 to 1 for level {level!r}, found {_shown(value)}. {_ADVICE}"
            )
        probabilities[level] = float(number)
    return probabilities


def _shown(value: object) -> str:
    try:
        text = "nothing" if value is None else repr(value)
    except RecursionError:
        text = "many lists and objects within each other"
    return text if len(text) <= 60 else text[:60] + "..."
