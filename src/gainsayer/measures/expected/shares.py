"""Measures divided by R, the number of relevant documents: integrals of the generating function, eqs. (15) to (19)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import scipy

from gainsayer.measures.expected.kinds import Kinds, refuse_many, split_draws
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

FIRST_NODES: Final = 64
AGREEMENT: Final = 1e-10


def expect_shares(
    kinds: Kinds, *, added: int = 0, first_nodes: int = FIRST_NODES, pairs: bool = True
) -> tuple[FloatArray, FloatArray]:
    """E[X_k / (c + R)] and E[X_k X_l / (c + R)] for documents of kinds k and l, users' views being independent.

    As `1 / (c + R) = int_0^1 t^(c + R - 1) dt`, with `G(t) = prod_d (1 - p_d + p_d t)` and
    `a_k(t) = p_k / (1 - p_k + p_k t)` these are `int t^c G a_k dt` and `int t^(c+1) G a_k a_l dt`, eqs. (15) to (18).
    With c = 0, a user without relevant documents counts as 0.

    The integrands are polynomials, so Gauss-Legendre quadrature with ceil((n + c) / 2) nodes is exact. Far fewer
    suffice: nodes are doubled until all numbers agree to 1e-10 / n, which leaves at most 1e-10 in a measure.

    Args:
        kinds: the documents.
        added: c; the depth for F1.
        first_nodes: how many nodes to begin with.
        pairs: whether pairs are asked for, too; without, the second answer is empty.

    Returns:
        Shapes [draws, topics, kinds] and [draws, topics, kinds, kinds].
    """
    draws, topics = len(kinds.chance), len(kinds.pool)
    largest = int(kinds.pool.sum(axis=1).max(initial=0))
    exact = (largest + added + 1) // 2 + 1
    second = (kinds.size, kinds.size) if pairs else (0, 0)
    refuse_many(kinds, second[0] ** 2 * (topics * draws + min(exact, 2 * first_nodes)))
    once, twice = np.empty((draws, topics, kinds.size)), np.empty((draws, topics, *second))
    for block in split_draws(draws, topics * max(min(exact, 2 * first_nodes), kinds.size**2)):
        nodes = min(first_nodes, exact)
        found = _integrate(kinds, block, nodes, added, pairs)
        while nodes < exact:
            nodes = min(2 * nodes, exact)
            before, found = found, _integrate(kinds, block, nodes, added, pairs)
            apart = max(float(np.abs(new - old).max(initial=0.0)) for new, old in zip(found, before, strict=True))
            if apart <= AGREEMENT / max(largest, 1):
                break
        once[block], twice[block] = found
    return once, twice


def _integrate(kinds: Kinds, block: slice, nodes: int, added: int, pairs: bool) -> tuple[FloatArray, FloatArray]:
    at, weight = _legendre(nodes)
    probability, chance = kinds.probability[block], kinds.chance[block]
    remaining = 1 - probability[..., None] * (1 - at)
    log = np.log1p(-probability[..., None] * (1 - at))
    base = np.exp(kinds.pool.astype(np.float64) @ log + added * np.log(at)) * weight  # t^c G(t), [draws, topics, nodes]
    ratio = chance[..., None] / remaining[:, kinds.place]  # a_k(t), [draws, kinds, nodes]
    once = base @ ratio.transpose(0, 2, 1)
    if not pairs:
        return once, np.empty((*base.shape[:2], 0, 0))
    products = ratio[:, :, None] * ratio[:, None] * at
    twice = base @ products.reshape(len(products), -1, nodes).transpose(0, 2, 1)
    return once, twice.reshape(*base.shape[:2], kinds.size, kinds.size)


def _none_relevant(pool: IntArray, probability: FloatArray) -> FloatArray:
    """G(0) = prod_d (1 - p_d): the users to whom no judged document is relevant; shape [draws, topics]."""
    sure = probability >= 1
    log = np.log1p(-np.where(sure, 0.0, probability))
    none = np.exp(log @ pool.T.astype(np.float64))
    return np.asarray(np.where(sure.astype(np.float64) @ pool.T > 0, 0.0, none))


def share_with_relevant(kinds: Kinds) -> FloatArray:
    """P(R > 0) = 1 - prod_d (1 - p_d) over the pool: users to whom anything is relevant; shape [draws, topics]."""
    return 1 - _none_relevant(kinds.pool, kinds.probability)


@lru_cache(maxsize=16)
def _legendre(nodes: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights on [0, 1]."""
    at, weight = scipy.special.roots_legendre(nodes)
    return (at + 1) / 2, weight / 2
