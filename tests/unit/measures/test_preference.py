"""bpref and infAP, against walks down the ranks."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.measures.plain_lists import BINARY, PRM, draw_lists

from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.levels import Levels, find_patterns
from gainsayer.measures import EPSILON, binary_preference, inferred_precision, real_judgments
from gainsayer.rankings import ranked_from_lists

CODED = Levels(("-1", "0", "1"))
RELEVANT = Gains(CODED, np.array([0.0, 0.0, 1.0]), name="binary")


@pytest.mark.parametrize("seed", range(8))
def test_with_codes_for_pooled_but_not_judged(seed: int) -> None:
    """bpref counts wrong documents before each relevant one, capped at R; infAP those of the pool; -1 is neither."""
    case = draw_lists(seed)
    ranked = ranked_from_lists(case.lists, case.pool, levels=CODED)
    for topic, (entries, (_, wrong, relevant)) in enumerate(case.topics()):
        preference = precision = 0.0
        before = {0: 0, 1: 0, 2: 0}
        for rank, entry in enumerate(entries, start=1):
            if entry == 2:
                capped, bound = min(before[1], relevant), min(wrong, relevant)
                preference += 1 - capped / bound if bound else 1.0
                pooled = sum(before.values())
                share = (before[2] + EPSILON) / (before[1] + before[2] + 2 * EPSILON)
                precision += 1 / rank + pooled / rank * share if rank > 1 else 1.0
            if entry in before:
                before[entry] += 1
        expected = (preference / relevant, precision / relevant) if relevant else (0.0, 0.0)
        assert binary_preference(ranked, RELEVANT)[topic] == pytest.approx(expected[0])
        assert inferred_precision(ranked, RELEVANT)[topic] == pytest.approx(expected[1])


def test_gains_between_0_and_1_are_refused() -> None:
    """Both count relevant documents; so are draws."""
    ranked = draw_lists(1).ranked
    for score in (binary_preference, inferred_precision):
        with pytest.raises(CallError, match="they need 0/1 gains"):
            score(ranked, PRM)
        with pytest.raises(CallError, match="they need 0/1 gains"):
            score(ranked, Gains(BINARY.levels, np.stack([BINARY.values] * 2)))


def test_which_levels_are_judgments() -> None:
    """All but negative whole numbers; a pattern is one unless all its labels are negative codes."""
    assert real_judgments(Levels(("-2", "0", "1"))).tolist() == [False, True, True]
    assert real_judgments(Levels(("-a", "b"), ordered=False)).tolist() == [True, True]
    patterns = find_patterns(CODED, np.array([[2, 0, 0], [1, 0, 1], [0, 1, 1]]))
    labels = patterns.shares > 0
    assert real_judgments(patterns).tolist() == [bool(own[1:].any()) for own in labels]
