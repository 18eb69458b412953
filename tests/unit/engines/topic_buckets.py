"""A collection in memory, and its buckets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from gainsayer.engines.waists import Task, Waist, find_bucket, make_waist
from gainsayer.judgments import Judgments, read_judgments
from gainsayer.runs import Run, read_run

Labels = dict[str, dict[str, int]]


def draw_collection(topics: int = 40, seed: int = 5) -> tuple[Judgments, list[Run]]:
    """Two assessors on 12 documents a topic, the second on most of them; three runs that return others as well."""
    rng = np.random.default_rng(seed)
    names = [f"q{t}" for t in rng.permutation(topics).tolist()]
    first: Labels = {t: {f"d{d}": int(rng.integers(4)) for d in rng.permutation(12).tolist()} for t in names}
    second: Labels = {
        t: {d: int(np.clip(level + rng.integers(-1, 2), 0, 3)) for d, level in first[t].items() if rng.random() < 0.9}
        for t in reversed(names)
    }
    runs = [
        read_run(
            {t: {f"d{d}": float(rng.integers(9)) for d in rng.permutation(20)[:15].tolist()} for t in names}, name=name
        )
        for name in ("one", "two", "three")
    ]
    return read_judgments({"ann": first, "bob": second}), runs


def as_task(judgments: Judgments, **options: object) -> Task:
    """The task of a collection that is at hand as a whole."""
    given = {"roles": judgments.roles, "declared": judgments.declared, **options}
    return Task(judgments.levels, judgments.assessors, **given)  # type: ignore[arg-type]


def take_bucket(judgments: Judgments, number: int, buckets: int) -> Judgments | None:
    """The judgments of a bucket; None where there are none."""
    inside = np.array([find_bucket(topic, buckets) == number for topic in judgments.topics])[judgments.topic]
    return judgments.rows(inside) if inside.any() else None


def take_run(run: Run, number: int, buckets: int) -> Run | None:
    """The rows of a run that belong to a bucket; None where there are none."""
    frame = run.frame()
    inside = [find_bucket(topic, buckets) == number for topic in frame["topic"]]
    return read_run(frame.filter(inside), name=run.name) if any(inside) else None


def make_waists(judgments: Judgments, runs: Sequence[Run], task: Task, buckets: int) -> list[Waist]:
    """The waists of all buckets."""
    return [
        make_waist(take_bucket(judgments, n, buckets), [take_run(run, n, buckets) for run in runs], task)
        for n in range(buckets)
    ]


def same(one: Any, two: Any) -> bool:
    """Whether two frozen values are equal to the last bit; arrays have the same kind of numbers."""
    if isinstance(one, np.ndarray):
        return one.dtype == two.dtype and one.shape == two.shape and one.tobytes() == two.tobytes()
    if hasattr(one, "__dataclass_fields__") and one.__class__.__eq__ is object.__eq__:
        return type(one) is type(two) and all(same(getattr(one, f.name), getattr(two, f.name)) for f in fields(one))
    if isinstance(one, tuple):
        return isinstance(two, tuple) and len(one) == len(two) and all(map(same, one, two))
    return bool(one == two)
