"""The randomisation test over topics, gains held fixed: signs flipped for each pair of runs.

It asks how often chance alone makes a difference as large as the one seen. Differences within a relative 1e-12 count
as equal, so that the order in which a processor adds numbers never decides about a tie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from gainsayer.disagreement.resampling import all_signs, draw_signs
from gainsayer.rankings.ranked_levels import FloatArray

TOLERANCE = 1e-12
BLOCK_CELLS = 1 << 22
_CHUNK = 1000  # permutations drawn at a time; fixed, so that the draws do not depend on how many pairs are tested

Progress = Callable[[float], None]


def is_enumerable(topics: int, permutations: int) -> bool:
    """Whether all sign patterns of so many topics are no more than the permutations allowed."""
    return topics < 63 and 2**topics <= permutations


def flip_signs(
    differences: FloatArray, *, permutations: int, seed: int, progress: Progress | None = None
) -> FloatArray:
    """Two-sided p-values of mean difference 0, by flipping the signs of the topics' differences; shape [pairs].

    If two runs are equally good on a topic, which of them got which score was chance: each topic's difference could as
    well have had the other sign. p = (1 + #{|sum of flipped| >= |sum|}) / (permutations + 1), the one being the
    data as they are; where there are no more patterns than permutations, all of them are enumerated, and p is their
    share. The same patterns serve all pairs, and a pair's p does not depend on what else is tested.

    It assumes that differences are symmetric about 0 when the runs are equal. It is *not* a test of medians or ranks.

    >>> flip_signs(np.array([[1.0], [2.0], [3.0]]), permutations=8, seed=0)  # +++ and ---, of 8
    array([0.25])
    """
    topics, pairs = differences.shape
    exact = is_enumerable(topics, permutations)
    # By symmetry the patterns that leave the first topic alone are enough, and count twice.
    total = 2 ** (topics - 1) if exact else permutations
    patterns = sign_patterns(topics, permutations, seed)
    bound = np.abs(differences.sum(axis=0)) - TOLERANCE * np.abs(differences).sum(axis=0)
    reached = np.zeros(pairs, dtype=np.int64)
    step = max(1, BLOCK_CELLS // _CHUNK)
    done = 0
    for signs in patterns:
        for start in range(0, pairs, step):
            part = slice(start, start + step)
            reached[part] += (np.abs(signs @ differences[:, part]) >= bound[part]).sum(axis=0)
        done += len(signs)
        if progress is not None:
            progress(done / total)
    return reached / total if exact else (1 + reached) / (permutations + 1)


def sign_patterns(topics: int, permutations: int, seed: int) -> Iterator[FloatArray]:
    """Sign patterns in pieces, shape [patterns, topics]: all that leave the first topic alone, or so many at random."""
    exact = is_enumerable(topics, permutations)
    generator = np.random.default_rng(seed)
    total = 2 ** (topics - 1) if exact else permutations
    for start in range(0, total, _CHUNK):
        size = min(_CHUNK, total - start)
        if exact:
            others = all_signs(topics - 1, first=start, last=start + size)
            yield np.insert(others.astype(np.float64), 0, 1.0, axis=1)
        else:
            yield draw_signs(generator, _CHUNK, topics)[:size].astype(np.float64)
