"""How many documents people like in a topic, and the best list they allow: nDCG where documents were drawn.

The number of relevant documents of a topic cannot be read off a few labels, and sorting rectified gains is ruinous. So
the ideal list comes from the machine's predictions, all of a topic's moved up or down together by a random shift.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gainsayer.machines.sample import Sample
from gainsayer.measures.profiles import Discount, running_discount
from gainsayer.rankings.ranked_levels import FloatArray

NODES = 11
CLIP = 0.001
_WIDEST = 6.0
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

    The integral over u is a Gauss-Hermite sum of 11 nodes, g is clipped to [.001, .999]. The chances of being drawn do
    not enter: given g they say nothing more about a document.

    >>> rng = np.random.default_rng(1)
    >>> topic = np.repeat(np.arange(200), 20)
    >>> chance = 1 / (1 + np.exp(-rng.normal(0, 1, 200)[topic]))
    >>> told = (rng.random(4000) < chance).astype(float)
    >>> sample = Sample(topic, np.zeros(4000, int), told, np.ones(4000), np.ones(200, bool), 1)
    >>> 0.8 < fit_shift(sample, np.full(4000, 0.5)).sigma < 1.2
    True
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import chdtrc

    judged = sample.judged
    base, told, topic = _logit(predicted[judged]), sample.relevant[judged], sample.topic[judged]
    node, weight = _nodes()

    def log_likelihood(sigma: float) -> float:
        odds = base[:, None] + sigma * node
        parts = told[:, None] * odds - np.logaddexp(0.0, odds)
        summed = np.stack([np.bincount(topic, part, minlength=sample.topics) for part in parts.T])
        top = summed.max(axis=0)
        return float((top + np.log(np.einsum("n,nt->t", weight, np.exp(summed - top)))).sum())

    found = minimize_scalar(lambda sigma: -log_likelihood(sigma), bounds=(0.0, _WIDEST), method="bounded")
    ratio = 2 * (-float(found.fun) - log_likelihood(0.0))
    if ratio <= 0:
        return TopicShift(0.0, 0.0, 1.0)
    return TopicShift(float(found.x), ratio, float(chdtrc(1, ratio)) / 2)


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


def _nodes() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of the standard normal distribution."""
    node, weight = np.polynomial.hermite_e.hermegauss(NODES)
    return node, weight / weight.sum()


def _logit(chance: FloatArray) -> FloatArray:
    inside = np.clip(chance, CLIP, 1 - CLIP)
    return np.asarray(np.log(inside / (1 - inside)))
