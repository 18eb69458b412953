"""nDCG with gains as they are: the value other tools should reach."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def discounts(ranks: int) -> FloatArray:
    """c(r) = 1 / log2(r + 1) for the ranks 1, 2, ..., eq. (11).

    >>> discounts(3).round(4).tolist()
    [1.0, 0.6309, 0.5]
    """
    return 1.0 / np.log2(np.arange(2, ranks + 2))


def exact_ndcg(ranked: FloatArray, pool: FloatArray, *, depth: int | None = None) -> float:
    """nDCG of one topic, eq. (12): `sum c(r) g(r)` over the list, divided by the same over the best list.

    The best list holds all judged documents of the topic by decreasing gain, compared as floats. It is the plainest
    way to compute it, kept apart from `measures` as a second opinion for the doctor and the tests.

    Args:
        ranked: the gains of the returned documents by rank; 0 for unjudged ones.
        pool: the gains of all judged documents of the topic, in any order.
        depth: the k of nDCG@k; None for the whole list.

    Returns:
        A number in [0, 1] where no gain is negative; 0 where the best list is worth nothing.

    >>> round(exact_ndcg(np.array([0.27, 0.0, 0.53]), np.array([0.01, 0.27, 0.53])), 4)
    0.7585
    """
    best = np.sort(pool)[::-1][:depth]
    ideal = float(best @ discounts(len(best)))
    ranked = ranked[:depth]
    return float(ranked @ discounts(len(ranked))) / ideal if ideal > 0 else 0.0
