"""Plans as files: what must be kept so that second judgments can be weighed, and what they must be read with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gainsayer.errors import DataError
from gainsayer.lines.opening import FilePath, call_file, read_content
from gainsayer.planning.keys import FloatArray
from gainsayer.planning.stopping import Stopping
from gainsayer.result import check_version

# `fit` names a plan among its arguments, and seldom reads one.

_ADVICE = "Write a plan with `gainsayer plan ... -o plan.json`."


@dataclass(frozen=True, eq=False)
class SavedPlan:
    """A plan as it was written.

    Args:
        name: of the file, for messages.
        levels: names of the levels.
        relevant: names of those that satisfy users.
        first: assessors whose labels are the first ones.
        seed: of the sampling keys.
        digest: of the first labels.
        shares: reached at the end of each batch; shape [batches, levels].
        stopping: the rule.
        document: everything, as it was written.
    """

    name: str
    levels: tuple[str, ...]
    relevant: tuple[str, ...]
    first: tuple[str, ...]
    seed: int
    digest: str
    shares: FloatArray
    stopping: Stopping
    document: Mapping[str, Any]


PlanInput: TypeAlias = SavedPlan | FilePath | Mapping[str, Any]


def read_plan(source: PlanInput) -> SavedPlan:
    """A plan from its file, or from its JSON as a dict.

    Raises:
        DataError: it is no plan, or a plan from sizes alone, which has no documents to judge.

    >>> read_plan({"levels": []})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    gainsayer.errors.DataError: plan: expected a plan, and it lacks 'seed'. Write a plan with ...
    """
    if isinstance(source, SavedPlan):
        return source

    name = "plan" if isinstance(source, Mapping) else call_file(source)
    try:
        found: Any = source if isinstance(source, Mapping) else json.loads(read_content(source))
    except (ValueError, UnicodeDecodeError) as fault:
        raise DataError(f"{name}: expected a plan, found no JSON ({fault}). {_ADVICE}") from None
    if not isinstance(found, Mapping):
        raise DataError(f"{name}: expected a plan, found a {type(found).__name__}. {_ADVICE}")
    try:
        check_version(found)
    except ValueError as fault:
        raise DataError(f"{name}: expected a plan, and {fault}. {_ADVICE}") from None
    for key in ("seed", "levels", "relevant", "batches", "stopping"):
        if key not in found:
            raise DataError(f"{name}: expected a plan, and it lacks {key!r}. {_ADVICE}")
    if found.get("list") is None:
        raise DataError(
            f"{name}: the plan was made from sizes alone, so it names no documents. Plan with first labels."
        )
    if found.get("judged_topics", found.get("topics")) != found.get("topics"):
        raise DataError(f"{name}: the plan leaves topics out, which plans no longer do. {_ADVICE}")
    try:
        levels = tuple(str(entry["level"]) for entry in found["levels"])
        shares = np.array([[float(batch["shares"][level]) for level in levels] for batch in found["batches"]])
        rule = found["stopping"]
        plan = SavedPlan(
            name=name,
            levels=levels,
            relevant=tuple(map(str, found["relevant"])),
            first=tuple(map(str, found.get("first", ()))),
            seed=int(found["seed"]),
            digest=str(found["list"]["digest"]),
            shares=shares.reshape(len(found["batches"]), len(levels)),
            stopping=Stopping(
                rule["kind"],
                float(rule["information_ratio"]),
                float(rule["multiplier"]),
                float(found["confidence"]),
                None if rule.get("within") is None else float(rule["within"]),
            ),
            document=found,
        )
    except (KeyError, TypeError, ValueError) as fault:
        raise DataError(f"{name}: a part of the plan cannot be read ({fault!r}). {_ADVICE}") from None
    bad = (
        not len(shares)
        or not np.all(np.isfinite(shares) & (shares >= 0) & (shares <= 1))
        or bool(np.any(np.diff(shares, axis=0) < 0))
        or plan.stopping.kind not in ("precision", "decision")
        or plan.stopping.information_ratio < 1
    )
    if bad:
        raise DataError(
            f"{name}: the plan was changed by hand: shares lie in [0, 1] and grow with the batches. {_ADVICE}"
        )
    return plan
