"""Ranks, and the ranks that runs may have."""

from __future__ import annotations

import numpy as np

from gainsayer.comparison.ranks import possibly_best, rank_sets


def test_rank_sets_count_who_beats_whom() -> None:
    """Run 1 beats 0 and 3, run 2 beats 3: ranks 1 + beaten by ... runs - beats; nobody beats 1 and 2."""
    a, b = np.triu_indices(4, k=1)
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    better = np.array([pair in [(1, 3), (2, 3)] for pair in pairs])
    worse = np.array([pair == (0, 1) for pair in pairs])
    sets = rank_sets(4, a, b, better, worse)
    assert sets.tolist() == [[2, 4], [1, 2], [1, 3], [3, 4]]
    assert possibly_best(sets).tolist() == [1, 2]
