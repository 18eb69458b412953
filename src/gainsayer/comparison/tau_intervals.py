"""Intervals of tau, from topics drawn again: the one thing that leaving out topics cannot tell.

Leaving out one topic exchanges few pairs of runs, so that a jackknife of tau is far too wide; tau needs whole samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.replicates import Parameters, TopicKinds
from gainsayer.disagreement.resampling import check_draws, draw_topics
from gainsayer.gains.schemes import Scheme
from gainsayer.rankings.ranked_levels import FloatArray

CUT = 0.999


@dataclass(frozen=True, eq=False)
class TopicDraws:
    """How often each topic was drawn.

    Args:
        scored: weights of the scored topics, each row summing up to 1; shape [draws, scored topics].
        paired: how often each doubly judged topic was drawn; shape [draws, doubly judged topics].
        seed: of the drawing.
    """

    scored: FloatArray
    paired: FloatArray
    seed: int


def draw_kinds(kinds: TopicKinds, *, draws: int, seed: int) -> TopicDraws:
    """Draw topics with replacement, as many as there are, each kind among itself (spec 2.8).

    Raises:
        CallError: too few or too many draws, or a negative seed.

    >>> from gainsayer.comparison.replicates import sort_topics
    >>> drawn = draw_kinds(sort_topics(["q1", "q2", "q3", "q4"], ["q1", "q2"]), draws=3, seed=0)
    >>> drawn.scored.sum(axis=1).tolist(), drawn.paired.sum(axis=1).tolist()
    ([1.0, 1.0, 1.0], [2.0, 2.0, 2.0])
    """
    check_draws(draws, seed, least=2, what="resamples")
    generator = np.random.default_rng([seed, 2])
    weights = np.zeros((draws, sum(len(group) for group in kinds.groups)))
    for group in kinds.groups:
        weights[:, group] = draw_topics(generator, len(group), draws)
    part = weights[:, : len(kinds.scored)]
    return TopicDraws(part / part.sum(axis=1, keepdims=True), weights[:, kinds.places], seed)


def redraw_scores(values: FloatArray, behind: Parameters | None, scheme: Scheme, drawn: TopicDraws) -> FloatArray:
    """Mean scores of the runs on each sample of topics, with the gains that its double judgments give.

    To first order in the gains, `sum_t w_t (s_t + ds_t/dg (g* - g))`, which a spread needs no more of. A level that a
    sample lacks keeps its gain. The gains of a model made elsewhere are drawn from its covariance.

    Args:
        values: the scores as they are, shape [runs, topics].
        behind: how they answer to the gains; None for gains that are given.
        scheme: the gains.
        drawn: the samples.

    Returns:
        Shape [draws, runs].
    """
    means: FloatArray = np.einsum("dt,rt->dr", drawn.scored, values)
    if behind is None:
        return means
    if scheme.rule is not None and scheme.disagreement is not None:
        counts = np.einsum("dt,tij->dij", drawn.paired, scheme.disagreement.pairs)
        moved = (scheme.rule(scheme.disagreement.apply(counts)) - scheme.gains.values)[:, behind.levels]
    else:
        normal = np.random.default_rng([drawn.seed, 1]).standard_normal((len(means), len(behind.root)))
        moved = np.einsum("dk,kl->dl", normal, behind.root)
    moved = np.where(np.isfinite(moved), moved, 0.0)
    for level, slope in enumerate(behind.slope):
        means += moved[:, level, None] * np.einsum("dt,rt->dr", drawn.scored, slope)
    return means


def tau_interval(
    tau: float | None, a: FloatArray, b: FloatArray, *, topics: int, confidence: float
) -> tuple[float, float] | None:
    """Where tau would come to lie with another sample of as many topics: `tanh(atanh tau ± t_{T-1} sd / (1 - tau^2))`.

    It is *not* an interval for the tau between the true orders: noise alone makes two orders differ, so that tau from a
    sample lies below that, and no interval mends it. None for a tau of 1 or -1, or one that is undefined.

    Args:
        tau: of all topics.
        a: scores in each sample by the first kind of gains, shape [draws, runs].
        b: by the second kind, from the same samples.
        topics: how many are scored.
        confidence: such as 0.95.

    >>> rng = np.random.default_rng(1)
    >>> true, noise = np.arange(10.0), rng.normal(size=(2, 500, 10))
    >>> low, high = tau_interval(0.8, true + noise[0], true + noise[1], topics=50, confidence=0.95)
    >>> round(low, 2), round(high, 2)
    (0.54, 0.92)
    """
    from scipy.special import stdtrit

    if tau is None or abs(tau) >= 1 or topics < 2:
        return None
    spread = float(np.nanstd(_taus(a, b), ddof=1))
    cut = float(np.clip(tau, -CUT, CUT))
    half = float(stdtrit(topics - 1, (1 + confidence) / 2)) * spread / (1 - cut**2)
    return float(np.tanh(np.arctanh(cut) - half)), float(np.tanh(np.arctanh(cut) + half))


def _taus(a: FloatArray, b: FloatArray) -> FloatArray:
    """tau-b of each draw, shape [draws]."""
    found = np.empty(len(a))
    for draw, scores in enumerate(zip(a, b, strict=True)):
        above, other = (_above(one) for one in scores)
        concordant, discordant = np.count_nonzero(above & other), np.count_nonzero(above & other.T)
        whole = np.sqrt(float(np.count_nonzero(above)) * np.count_nonzero(other))
        found[draw] = (concordant - discordant) / whole if whole else np.nan
    return found


def _above(scores: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether a run is above another, shape [runs, runs]; small whole numbers are compared many at a time."""
    ranks = np.unique(scores, return_inverse=True)[1].astype(np.int16)
    return np.asarray(ranks[:, None] > ranks)
