"""How many documents people like in a topic, and the best list they allow: nDCG where documents were drawn.

The number of relevant documents of a topic cannot be read off a few labels, and sorting rectified gains is ruinous. So
the ideal list comes from the machine's predictions, all of a topic's moved up or down together by a random shift.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from gainsayer.machines.sample import Sample
from gainsayer.measures.profiles import Discount, running_discount
from gainsayer.rankings.ranked_levels import FloatArray

NODES = 11
CLIP = 0.001
_WIDEST = 4.0
_GRID = np.arange(-100, 101) / 10.0
_GOLDEN = (5**0.5 - 1) / 2
_MOST_CELLS = 1 << 22


@dataclass(frozen=True)
class TopicShift:
    """How far topics lie apart when the grade is known.

    Args:
        sigma: standard deviation of the topics' shifts on the scale of log odds.
        likelihood_ratio: twice the gain in log likelihood over no shift at all.
        p: of that, sigma being at the edge of what is possible: half of P(chi2_1 > ratio).
    """

    sigma: float
    likelihood_ratio: float
    p: float

    @property
    def odds_factor(self) -> float:
        """exp(sigma): by so much the odds of a topic's documents typically differ from another's."""
        return float(np.exp(self.sigma))


def fit_shift(sample: Sample, predicted: FloatArray) -> TopicShift:
    """sigma of logit p_td = logit g_td + u_t, u_t ~ N(0, sigma^2), by marginal maximum likelihood over topics.

    The integral over u is a sum over a fixed grid of shifts, so that each topic's likelihood is computed once for all
    sigma; g is clipped to [.001, .999]. A rule whose nodes move with sigma would miss the narrow likelihoods of topics
    with many labels. The chances of being drawn do not enter: given g they say nothing more about a document.

    >>> rng = np.random.default_rng(1)
    >>> topic = np.repeat(np.arange(200), 20)
    >>> chance = 1 / (1 + np.exp(-rng.normal(0, 1, 200)[topic]))
    >>> told = (rng.random(4000) < chance).astype(float)
    >>> sample = Sample(topic, np.zeros(4000, int), told, np.ones(4000), np.ones(200, bool), 1)
    >>> 0.8 < fit_shift(sample, np.full(4000, 0.5)).sigma < 1.2
    True
    """
    judged = sample.judged
    odds, told, topic = _logit(predicted[judged]), sample.relevant[judged], sample.topic[judged]
    likely = np.empty((sample.topics, len(_GRID)))
    for place, shift in enumerate(_GRID.tolist()):
        moved = odds + shift
        likely[:, place] = np.bincount(topic, told * moved - np.logaddexp(0.0, moved), minlength=sample.topics)
    top = likely.max(axis=1, keepdims=True)
    likely = np.exp(likely - top)

    def log_likelihood(sigma: float) -> float:
        weight = np.exp(-0.5 * (_GRID / sigma) ** 2) if sigma > 0 else (_GRID == 0).astype(np.float64)
        summed = np.einsum("tu,u->t", likely, weight / weight.sum())
        return float(np.log(np.maximum(summed, 1e-300)).sum())

    sigma = _highest(log_likelihood, 0.0, _WIDEST)
    ratio = 2 * (log_likelihood(sigma) - log_likelihood(0.0))
    if ratio <= 1e-9:
        return TopicShift(0.0, 0.0, 1.0)
    return TopicShift(sigma, ratio, float(scipy.special.chdtrc(1, ratio)) / 2)


def expected_ideal(
    sample: Sample, predicted: FloatArray, sigma: float, *, discount: Discount, depth: int | None
) -> FloatArray:
    """I_t = E[C(min(N, k))]: the expected ideal DCG of a person, from the machine's predictions; shape [topics].

    N, the number of documents the person is satisfied with, is Poisson-binomial with p_td(u), summed over the nodes of
    u; C(n) is the sum of the first n discounts. The topic's own labels are *not* used: with them the ideal would move
    with the errors of the score's numerator (bias -.037 instead of -.002 in simulations). What is wrong with it is the
    same for all runs of a topic, so it cannot favour one.

    >>> sample = Sample(np.zeros(2, int), np.zeros(2, int), np.full(2, np.nan), np.ones(2), np.ones(1, bool), 1)
    >>> flat = lambda rank: np.ones_like(rank)
    >>> expected_ideal(sample, np.array([0.5, 0.5]), 0.0, discount=flat, depth=1).round(12).tolist()
    [0.75]
    """
    node, weight = _nodes()
    sizes = np.bincount(sample.topic, minlength=sample.topics)
    longest = int(sizes.max(initial=0))
    last = longest if depth is None else min(depth, longest)
    worth = running_discount(discount, np.arange(last + 1))
    place = np.arange(len(sample.topic)) - (np.cumsum(sizes) - sizes)[sample.topic]
    odds = np.full((sample.topics, longest), -np.inf)
    odds[sample.topic, place] = _logit(predicted)
    ideal = np.zeros(sample.topics)
    step = max(1, _MOST_CELLS // (NODES * (last + longest + 1)))
    for start in range(0, sample.topics, step):
        some = slice(start, start + step)
        chance = 1 / (1 + np.exp(-(odds[some] + sigma * node[:, None, None])))
        count = np.zeros((*chance.shape[:2], last + 1))  # P(N = 0), ..., P(N = k - 1), P(N >= k)
        count[..., 0] = 1.0
        for document in range(longest):
            up = count * chance[..., document, None]
            count -= up
            count[..., 1:] += up[..., :-1]
            count[..., -1] += up[..., -1]
        ideal[some] = np.einsum("n,ntm,m->t", weight, count, worth)
    return ideal


def _highest(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one hill is highest: the best of a grid, then golden sections between its neighbours."""
    step = (high - low) / 40
    best = max((low + step * place for place in range(41)), key=function)
    low, high = max(low, best - step), min(high, best + step)
    for _ in range(30):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        low, high = (low, right) if function(left) >= function(right) else (left, high)
    return (low + high) / 2


def _nodes() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of the standard normal distribution."""
    node, weight = np.polynomial.hermite_e.hermegauss(NODES)
    return node, weight / weight.sum()


def _logit(chance: FloatArray) -> FloatArray:
    inside = np.clip(chance, CLIP, 1 - CLIP)
    return np.asarray(np.log(inside / (1 - inside)))
