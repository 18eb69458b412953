"""Plans of dl19's second round: components, allocation and half-widths as an independent prototype computed them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gainsayer.judgments import read_judgments
from gainsayer.levels import Levels
from gainsayer.model import count_pairs
from gainsayer.planning import Components, Prospect, Targets, allocate, estimate_components, fill_components

LEVELS = Levels(("0", "1", "2", "3"))
INFLUENCE = np.array([[0.39, 1.0, 1.6, 1.55]])


@pytest.fixture(scope="module")
def pilot(shared_data: Callable[[str], Path]) -> tuple[np.ndarray, np.ndarray]:
    """Relevant (2 and above) and all second opinions of the four pairs pooled, per topic and first label."""
    folder = shared_data("dl19/annotators")
    sides = [[f"pair{pair}-{side}" for pair in range(1, 5)] for side in ("first", "second")]
    judgments = read_judgments(*(folder / f"{name}.qrels" for side in sides for name in side))
    counts = count_pairs(judgments, first=sides[0], second=sides[1]).counts
    return counts[:, :, 2:].sum(axis=2), counts.sum(axis=2)


@pytest.fixture(scope="module")
def prospect(pilot: tuple[np.ndarray, np.ndarray]) -> Prospect:
    """The prospect of a score with these influences, topics' own variance apart."""
    components = fill_components(LEVELS, estimate_components(*pilot))
    targets = Targets(("score",), INFLUENCE, np.zeros(1), np.zeros(1))
    return Prospect(pilot[1], components, targets)


def test_components_of_the_whole_round(prospect: Prospect) -> None:
    """p(R|i), intraclass correlations and effective topics."""
    components = prospect.components
    assert components.probability == pytest.approx([0.0816, 0.2470, 0.4392, 0.5927], rel=1e-3)
    assert components.intraclass == pytest.approx([0.1706, 0.5490, 0.5784, 0.4881], rel=1e-3)
    assert prospect.effective_topics == pytest.approx([18.91, 25.31, 19.33, 16.17], rel=1e-3)


@pytest.mark.parametrize(
    ("budget", "judge", "within", "half_width"),
    [
        (200, [13.4, 40.0, 71.2, 75.3], 0.010477, 0.6111),
        (600, [40.3, 120.1, 213.7, 225.9], 0.003492, 0.5874),
        (2000, [162.7, 484.3, 862.0, 491.0], None, 0.5792),
        (4491, [1741.0, 1255.0, 1004.0, 491.0], None, 0.5785),
    ],
)
def test_allocation_and_half_width(
    prospect: Prospect, budget: int, judge: list[float], within: float | None, half_width: float
) -> None:
    """Judgments by level, capped where a level has no more documents, and what is left of the variance."""
    found = allocate(prospect.worth, budget, prospect.documents, np.minimum(12.0, prospect.documents))
    assert found == pytest.approx(judge, rel=1e-3, abs=0.06)
    assert found.sum() == pytest.approx(budget)
    variance = prospect.variance(found)
    assert variance.between == pytest.approx([0.081228], rel=1e-3)
    assert within is None or variance.within == pytest.approx([within], rel=1e-3)
    assert prospect.half_width(found) == pytest.approx(half_width, rel=1e-3)


def test_allocation_for_a_collection_of_mostly_non_relevant_documents() -> None:
    """FedWeb's shape: the lowest level, of which hardly any is relevant, gets most judgments."""
    probability = np.array([0.01, 0.04, 0.27, 0.53])
    known = Components(probability, probability * (1 - probability), np.zeros((4, 4)), np.zeros(4), ("guess",) * 4)
    targets = Targets(("score",), np.array([[17.6, 3.5, 2.7, 2.6]]), np.zeros(1), np.zeros(1))
    prospect = Prospect(np.full((50, 4), 170.0), known, targets)
    found = allocate(prospect.worth, 1335, prospect.documents, np.full(4, 12.0))
    assert found == pytest.approx([473.9, 185.6, 324.4, 351.2], rel=1e-3)
