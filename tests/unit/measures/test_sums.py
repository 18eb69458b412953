"""Sums over hits and pools, against loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.measures.plain_lists import PRM, PRM_UNJUDGED, draw_lists, gain_of

from gainsayer.measures.expansion import spell_out_unjudged
from gainsayer.measures.sums import divide, gains_of_hits, pool_total, sum_before, sum_by_topic

RANKED = draw_lists(8).ranked
VALUES = np.random.default_rng(2).random((3, len(RANKED.rank)))


def test_sums_by_topic_and_before() -> None:
    """One draw or three: each topic's sum, and each hit's sum over better ranks of its topic; 0 for empty topics."""
    for values in (VALUES, VALUES[0]):
        whole, before = sum_by_topic(RANKED, values), sum_before(RANKED, values)
        for topic in range(6):
            hits = np.flatnonzero(RANKED.topic == topic)
            assert whole[..., topic] == pytest.approx(values[..., hits].sum(axis=-1))
            for place, hit in enumerate(hits):
                assert before[..., hit] == pytest.approx(values[..., hits[:place]].sum(axis=-1), abs=1e-12)
    assert sum_before(RANKED, np.empty((2, 0))).shape == (2, 0)


@pytest.mark.parametrize("depth", [None, 2])
def test_gains_of_hits(depth: int | None) -> None:
    """The level's gain; nothing for duplicates and beyond the depth; the unjudged gain where they are spelt out."""
    case = draw_lists(9)
    spelt = spell_out_unjudged(case.ranked)
    found = gains_of_hits(spelt, PRM_UNJUDGED.values, depth, unjudged=0.05)
    expected = [
        gain_of(entry, PRM_UNJUDGED) if depth is None or rank <= depth else 0.0
        for entries, _ in case.topics()
        for rank, entry in enumerate(entries, start=1)
    ]
    assert found == pytest.approx(expected)
    stack = np.stack([PRM.values, PRM.values / 2])
    assert gains_of_hits(spelt, stack)[1] == pytest.approx(gains_of_hits(spelt, PRM.values) / 2)


def test_pools_are_worth_what_their_documents_are() -> None:
    """Counts times gains; a group of equal documents with several labels is worth its best label."""
    case = draw_lists(10)
    expected = [sum(n * g for n, g in zip(pool, PRM.values, strict=True)) for _, pool in case.topics()]
    assert pool_total(case.ranked, PRM.values) == pytest.approx(expected)
    chosen = replace(
        case.ranked,
        choice_topic=np.array([1, 1]),
        choice_levels=np.array([[True, True, False], [True, False, True]]),
    )
    assert pool_total(chosen, PRM.values)[1] == pytest.approx(expected[1] + 0.45 + 0.8)
    assert pool_total(chosen, PRM.values)[0] == pytest.approx(expected[0])
    stack = np.stack([PRM.values, PRM.values[::-1]])
    assert pool_total(chosen, stack)[1, 1] == pytest.approx(pool_total(case.ranked, PRM.values[::-1])[1] + 0.8 + 0.8)


def test_nothing_of_nothing_is_nothing() -> None:
    """0 where the whole is 0, also for shapes that stretch; never a division by 0."""
    assert divide(np.array([1.0, 2.0]), np.array([0.0, 4.0])).tolist() == [0.0, 0.5]
    assert divide(np.ones((2, 2)), np.array([0.0, 4.0])).tolist() == [[0.0, 0.25]] * 2
