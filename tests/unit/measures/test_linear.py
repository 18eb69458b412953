"""Linear measures, against walks down the ranks."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.measures.plain_lists import PRM, PRM_UNJUDGED, Entry, draw_lists, gain_of

from gainsayer.measures.linear import (
    discounted_gain,
    f1,
    normalised_gain,
    precision,
    rank_biased_precision,
    recall,
)
from gainsayer.measures.profiles import log_discount

SEEDS = range(4)


def walk(entries: list[Entry], depth: int | None, discount: object = None) -> float:
    """The sum of discounted gains down to the depth."""
    weigh = discount if callable(discount) else lambda r: 1.0
    return sum(weigh(r) * gain_of(entry, PRM_UNJUDGED) for r, entry in enumerate(entries[:depth], start=1))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("depth", [None, 1, 4])
def test_gains_precision_recall_and_f1(seed: int, depth: int | None) -> None:
    """CG, P over k or what was retrieved, R over the pool, F1 = 2 found / (k + pool)."""
    case = draw_lists(seed)
    ranked, gains = case.ranked, PRM_UNJUDGED
    for topic, (entries, pool) in enumerate(case.topics()):
        found = walk(entries, depth)
        there = float(np.dot(pool, gains.values))
        assert discounted_gain(ranked, gains, depth=depth)[topic] == pytest.approx(found)
        length = depth or len(entries)
        assert precision(ranked, gains, depth=depth)[topic] == pytest.approx(found / length if length else 0.0)
        assert recall(ranked, gains, depth=depth)[topic] == pytest.approx(found / there)
        if depth is not None:
            assert f1(ranked, gains, depth=depth)[topic] == pytest.approx(2 * found / (depth + there))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("depth", [None, 3])
def test_normalised_gain(seed: int, depth: int | None) -> None:
    """DCG over that of the pool's documents sorted by gain; 0 where the ideal is 0; unjudged ones are in no ideal."""
    case = draw_lists(seed)
    found = normalised_gain(case.ranked, PRM, discount=log_discount, depth=depth)
    for topic, (entries, pool) in enumerate(case.topics()):
        best = sorted((PRM.values[level] for level in range(3) for _ in range(pool[level])), reverse=True)
        ideal = sum(g / np.log2(r + 1) for r, g in enumerate(best[:depth], start=1))
        dcg = sum(gain_of(entry, PRM) / np.log2(r + 1) for r, entry in enumerate(entries[:depth], start=1))
        assert found[topic] == pytest.approx(dcg / ideal)


@pytest.mark.parametrize("p", [0.5, 0.8])
@pytest.mark.parametrize("depth", [None, 3])
def test_rank_biased_precision(p: float, depth: int | None) -> None:
    """(1 - p) sum of p^(r - 1) gains."""
    case = draw_lists(5)
    found = rank_biased_precision(case.ranked, PRM_UNJUDGED, p=p, depth=depth)
    for topic, (entries, _) in enumerate(case.topics()):
        assert found[topic] == pytest.approx(walk(entries, depth, lambda r: (1 - p) * p ** (r - 1)))
