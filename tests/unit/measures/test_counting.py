"""What lists and pools hold, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.measures.plain_lists import PRM, draw_lists

from gainsayer.gains.values import Gains
from gainsayer.levels import Levels
from gainsayer.measures.counting import (
    judged_share,
    relevant_count,
    retrieved_count,
    share_of_judged,
    unjudged_share,
)
from gainsayer.rankings.lists import ranked_from_lists


@pytest.mark.parametrize("depth", [None, 1, 3, 50])
@pytest.mark.parametrize("seed", range(3))
def test_shares_of_judged_documents(seed: int, depth: int | None) -> None:
    """Judged: of those returned, down to the depth; Unjudged: over the depth, whatever was returned."""
    case = draw_lists(seed)
    ranked = case.ranked
    for topic, (entries, pool) in enumerate(case.topics()):
        top = entries[:depth]
        unseen = top.count(None)
        expected = (len(top) - unseen) / len(top) if top else 0.0
        assert judged_share(ranked, PRM, depth=depth)[topic] == pytest.approx(expected)
        assert share_of_judged(ranked, depth)[topic] == pytest.approx(expected)
        assert retrieved_count(ranked, PRM)[topic] == len(entries)
        assert relevant_count(ranked, PRM)[topic] == pytest.approx(np.dot(pool, PRM.values))
        if depth is not None:
            assert unjudged_share(ranked, PRM, depth=depth)[topic] == pytest.approx(unseen / depth)


def test_negative_codes_are_in_the_pool_but_not_judged() -> None:
    """As in trec_eval's qrels: one of level -1 and one unjudged of four."""
    levels = Levels(("-1", "0", "1"))
    ranked = ranked_from_lists({"q": [0, 1, None, 2]}, {"q": [1, 1, 1]}, levels=levels)
    gains = Gains(levels, np.array([0.0, 0.0, 1.0]))
    assert unjudged_share(ranked, gains, depth=4).tolist() == [0.5]
    assert judged_share(ranked, gains, depth=4).tolist() == [0.75]
