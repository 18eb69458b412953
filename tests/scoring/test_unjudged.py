"""Retrieved unjudged documents as a level of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.scoring.every_user import LEVELS
from tests.scoring.level_lists import draw_lists

from gainsayer.gains import Gains
from gainsayer.measures import admit_unjudged, spell_out_unjudged, take_unjudged_as
from gainsayer.ranking import ranked_from_lists

GAINS = Gains(LEVELS, np.array([0.1, 0.45, 0.8]), unjudged=0.2, name="prm")
RANKED = ranked_from_lists(
    {"q": [2, None, 3, None], "r": [None, 0]}, {"q": [1, 0, 2], "r": [1, 1, 1], "s": [0, 1, 0]}, levels=LEVELS
)


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


def test_they_are_in_list_and_pool() -> None:
    """Two of q and one of r, none of s; duplicates stay duplicates; their gain is that of the new level."""
    admitted, gains = admit_unjudged(RANKED, GAINS)
    assert admitted.levels.names == ("0", "1", "2", "unjudged")
    assert admitted.level.tolist() == [2, 3, 4, 3, 3, 0]
    assert admitted.rank.tolist() == [1, 2, 3, 4, 1, 2]
    assert admitted.pool.tolist() == [[1, 0, 2, 2], [1, 1, 1, 1], [0, 1, 0, 0]]
    assert (gains.values.tolist(), gains.unjudged, gains.name) == ([0.1, 0.45, 0.8, 0.2], 0.0, "prm")


def test_they_are_numbered_in_the_order_of_the_list() -> None:
    """From 0 in each topic; judged documents keep their numbers; groups of equal documents have no unjudged member."""
    known = replace(
        RANKED,
        member=np.array([7, 0, 5], dtype=np.int32),
        choice_topic=np.array([0]),
        choice_levels=np.array([[True, False, True]]),
    )
    admitted, _ = admit_unjudged(known, GAINS)
    assert admitted.member is not None
    assert admitted.member.tolist() == [7, 0, 0, 1, 0, 5]
    assert admitted.choice_levels is not None
    assert admitted.choice_levels.tolist() == [[True, False, True, False]]


def test_every_draw_has_the_gain() -> None:
    """Stacked gains get a column."""
    stack = Gains(LEVELS, np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]), unjudged=0.25)
    assert admit_unjudged(RANKED, stack)[1].values.tolist() == [[0.1, 0.2, 0.3, 0.25], [0.4, 0.5, 0.6, 0.25]]
