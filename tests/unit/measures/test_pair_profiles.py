"""Pair profiles: which kinds stand before which, against a walk over pairs of ranks."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.measures.pair_profiles import pair_profile
from gainsayer.rankings.lists import ranked_from_lists


@pytest.mark.parametrize(("kinds", "length"), [(3, 6), (12, 60), (40, 300)])
def test_pairs_are_those_of_a_walk(kinds: int, length: int) -> None:
    """Weights of later ranks times the earlier ones of each kind; kinds beyond the last count for nothing."""
    rng = np.random.default_rng(kinds)
    lists = {f"q{t}": [0] * int(rng.integers(0, length)) for t in range(4)} | {"q4": [0] * length, "q5": []}
    ranked = ranked_from_lists(lists, {topic: [length, 0] for topic in lists})
    kind = rng.integers(0, kinds + 1, len(ranked.rank))
    weight = rng.random(len(ranked.rank))
    expected = np.zeros((6, kinds, kinds))
    for topic in range(6):
        hits = np.flatnonzero(ranked.topic == topic)
        for place, hit in enumerate(hits):
            for earlier in hits[:place]:
                if kind[hit] < kinds and kind[earlier] < kinds:
                    expected[topic, kind[hit], kind[earlier]] += weight[hit]
    np.testing.assert_allclose(pair_profile(ranked, weight, kind, kinds), expected, atol=1e-10)


def test_lists_without_hits_have_no_pairs() -> None:
    """Nothing retrieved, nothing summed."""
    ranked = ranked_from_lists({"q": [None]}, {"q": [1, 1]})
    assert pair_profile(ranked, np.empty(0), np.empty(0, np.int64), 2).tolist() == [[[0, 0], [0, 0]]]
