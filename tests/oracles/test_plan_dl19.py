"""Plans of dl19's second round: numbers of an independent prototype, and the interval that `fit` itself computes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.planning import allocate

FULL = [0.1706, 0.5490, 0.5784, 0.4881]  # agreement within topics, as the prototype had it, level by level
PROBABILITY = np.array([0.0816, 0.2470, 0.4392, 0.5927])
INFLUENCE = np.array([0.39, 1.0, 1.6, 1.55])
DOCUMENTS = np.array([1741.0, 1255, 1004, 491])


@pytest.mark.parametrize(
    ("budget", "judge"),
    [
        (200, [13.4, 40.0, 71.2, 75.3]),
        (600, [40.3, 120.1, 213.7, 225.9]),
        (2000, [162.7, 484.3, 862.0, 491.0]),
        (4491, [1741.0, 1255.0, 1004.0, 491.0]),
    ],
)
def test_allocation(budget: int, judge: list[float]) -> None:
    """Judgments by level with shares that are not bounded, capped where a level has no more documents."""
    worth = INFLUENCE * np.sqrt((1 - np.array(FULL)) * PROBABILITY * (1 - PROBABILITY))
    found = allocate(worth, budget, DOCUMENTS, np.minimum(12.0, DOCUMENTS))
    assert found == pytest.approx(judge, rel=2e-3, abs=0.06)
    assert found.sum() == pytest.approx(budget)


def test_allocation_for_a_collection_of_mostly_non_relevant_documents() -> None:
    """FedWeb's shape: the lowest level, of which hardly any is relevant, gets most judgments."""
    p, influence = np.array([0.01, 0.04, 0.27, 0.53]), np.array([17.6, 3.5, 2.7, 2.6])
    found = allocate(influence * np.sqrt(p * (1 - p)), 1335, np.full(4, 8500.0), np.full(4, 12.0))
    assert found == pytest.approx([473.9, 185.6, 324.4, 351.2], rel=1e-3)


def test_a_plan_for_what_is_there_is_what_fit_says(shared_data: Callable[[str], Path]) -> None:
    """A quarter of the topics judged twice: "now" is the interval of `fit`, and all documents leave less."""
    folder = shared_data("dl19/annotators")
    sides = {side: [f"pair{pair}-{side}" for pair in range(1, 5)] for side in ("first", "second")}
    first = gs.read_judgments(*(folder / f"{name}.qrels" for name in sides["first"]))
    second = gs.read_judgments(*(folder / f"{name}.qrels" for name in sides["second"]))
    some = [topic for place, topic in enumerate(first.topics) if place % 3 == 0]
    frames = [first.frame(), second.frame().filter(second.frame()["topic"].is_in(some))]
    given = [frame.select("topic", "document", "assessor", "level") for frame in frames]
    found = gs.plan(*given, threshold=2, budget=1500, **sides)  # type: ignore[arg-type]
    fitted = gs.fit(*given, threshold=2, **sides)  # type: ignore[arg-type]
    ends = fitted.predict().interval.ends
    assert found.plan.prospect.half_width_now == pytest.approx(float((ends[:, 1] - ends[:, 0]).max() / 2), abs=1e-12)
    assert found.plan.floor < found.plan.prospect.half_width_now
    assert found.plan.share.max() / found.plan.share.min() <= 5 + 1e-9
