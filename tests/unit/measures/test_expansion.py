"""Unjudged documents as hits of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.measures.plain_lists import draw_lists

from gainsayer.measures.expansion import spell_out_unjudged, take_unjudged_as


@pytest.mark.parametrize("depth", [None, 1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_every_rank_is_a_hit(seed: int, depth: int | None) -> None:
    """Level by level as the list has them, code 4 (one beyond duplicates) for unjudged ones, cut at the depth."""
    case = draw_lists(seed)
    spelt = spell_out_unjudged(case.ranked, depth)
    expected = [
        (topic, rank, 4 if entry is None else entry)
        for topic, (entries, _) in enumerate(case.topics())
        for rank, entry in enumerate(entries[:depth], start=1)
    ]
    assert list(zip(spelt.topic.tolist(), spelt.rank.tolist(), spelt.level.tolist(), strict=True)) == expected
    assert spelt.pool.tolist() == case.ranked.pool.tolist()
    taken = take_unjudged_as(case.ranked, 0, depth)
    assert taken.level.tolist() == [0 if level == 4 else level for _, _, level in expected]


def test_documents_keep_their_number() -> None:
    """Which document of its level a hit is goes along; unjudged ones have none."""
    case = draw_lists(1)
    ranked = replace(case.ranked, member=np.arange(len(case.ranked.rank), dtype=np.int32) + 5)
    spelt = spell_out_unjudged(ranked)
    assert spelt.member is not None
    assert spelt.member[spelt.level < 4].tolist() == ranked.member.tolist()  # type: ignore[union-attr]
    assert not spelt.member[spelt.level == 4].any()
