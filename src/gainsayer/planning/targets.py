"""Targets: the numbers that a plan is to make precise, and how each depends on p(R|i)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import Measure
from gainsayer.planning.keys import FloatArray
from gainsayer.rankings.ranked_levels import RankedLevels

STEP = 0.01
FEWEST_COVARIANCE_TOPICS = 20


@dataclass(frozen=True, eq=False)
class Targets:
    """One or more numbers `theta_k`, and what moves them.

    Args:
        names: what they are called, such as a level or a run.
        influence: d theta_k / d p_i; shape [targets, levels].
        values: theta_k at the guessed p; shape [targets].
        topics: V_topics, the variance of the mean over topics of their scores, 0 for parameters; shape [targets].
        scores: per topic, at the guessed p; None for parameters; shape [targets, topics].
    """

    names: tuple[str, ...]
    influence: FloatArray
    values: FloatArray
    topics: FloatArray
    scores: FloatArray | None = None

    @property
    def weight(self) -> FloatArray:
        """sqrt(sum_k A_ki^2), what decides how judgments are shared among the levels; shape [levels]."""
        return np.asarray(np.sqrt((self.influence**2).sum(axis=0)))

    def covariance(self, residual: FloatArray | None) -> FloatArray:
        """V_cov: topics that score high may be judged leniently; shape [targets].

        `2 T/(T-1) sum_t (s_t - mean)/T sum_i A_i e_ti / n_i`, from a pilot with at least 20 topics, else 0.

        Args:
            residual: e_ti / n_i of the topics that are scored, 0 where one has no pilot; shape [topics, levels].
        """
        nothing = np.zeros(len(self.names))
        if self.scores is None or residual is None:
            return nothing
        topics = self.scores.shape[1]
        if int(np.any(residual != 0, axis=1).sum()) < FEWEST_COVARIANCE_TOPICS:
            return nothing
        centred = self.scores - self.scores.mean(axis=1, keepdims=True)
        parts = np.einsum("kl,tl->kt", self.influence, residual)
        return np.asarray(2 * (centred * parts).sum(axis=1) / (topics - 1))


def target_parameters(levels: Levels, probability: FloatArray, chosen: Sequence[int]) -> Targets:
    """p(R|i) itself, of these levels.

    >>> target_parameters(Levels(("0", "1")), np.array([0.1, 0.6]), [1]).influence.tolist()
    [[0.0, 1.0]]
    """
    size = len(chosen)
    influence = np.eye(len(levels))[list(chosen)]
    return Targets(tuple(levels.names[i] for i in chosen), influence, probability[list(chosen)], np.zeros(size))


def target_scores(ranked: Sequence[RankedLevels], measure: Measure, probability: FloatArray) -> Targets:
    """The mean scores of runs with p(R|i) as gains.

    The influence of a level is the central difference of the score at the guessed p, step 0.01: exact for measures that
    are linear in the gains, where it is the run's mean level profile.

    Raises:
        CallError: the measure cannot take such gains.

    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, 0], "r": [1, 1]}, {"q": [3, 1], "r": [1, 2]}, levels=Levels(("0", "1")))
    >>> target_scores([ranked], parse_measure("P@2"), np.array([0.1, 0.6])).influence.round(6).tolist()
    [[0.25, 0.75]]
    """
    levels = ranked[0].levels

    def score(values: FloatArray) -> FloatArray:
        gains = Gains(levels, values, name="prm")
        return np.stack([measure.score(run, gains) for run in ranked])

    scores = score(probability)
    influence = np.zeros((len(ranked), len(levels)))
    for level in range(len(levels)):
        ends = [probability.copy(), probability.copy()]
        ends[0][level] = max(probability[level] - STEP, 0.0)
        ends[1][level] = min(probability[level] + STEP, 1.0)
        width = ends[1][level] - ends[0][level]
        influence[:, level] = (score(ends[1]) - score(ends[0])).mean(axis=1) / width
    topics = scores.shape[1]
    spread = scores.var(axis=1, ddof=1) / topics if topics > 1 else np.zeros(len(ranked))
    return Targets(tuple(run.name for run in ranked), influence, scores.mean(axis=1), spread, scores)


def target_difference(scores: Targets) -> Targets:
    """The difference of the first two scores."""
    assert scores.scores is not None
    difference = scores.scores[:1] - scores.scores[1:2]
    topics = difference.shape[1]
    spread = difference.var(axis=1, ddof=1) / topics if topics > 1 else np.zeros(1)
    name = f"{scores.names[0]} - {scores.names[1]}"
    influence = scores.influence[:1] - scores.influence[1:2]
    return Targets((name,), influence, difference.mean(axis=1), spread, difference)
