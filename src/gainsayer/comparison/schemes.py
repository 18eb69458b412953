"""Schemes: kinds of gains with the way they follow from p(j|i), so that they can be drawn along with the topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from gainsayer.disagreement.estimate import Disagreement
from gainsayer.disagreement.relevance import predict_relevance
from gainsayer.disagreement.smoothing import part_relevant
from gainsayer.gains import Gains, pattern_gains, prm_gains, udm_gains, udm_values
from gainsayer.levels import Levels, Patterns, Relevance
from gainsayer.rankings.ranked_levels import FloatArray


@dataclass(frozen=True, eq=False)
class FittedElsewhere:
    """The doubt about gains that come from a model file: their covariance over topics, and over how many.

    Drawn as normal on the logit scale, and as if the model's topics were none of those scored: what the two have in
    common where they are the same is lost, and intervals of scores may then be too narrow.
    """

    covariance: FloatArray
    topics: int

    def draw(self, gains: Gains, draws: int, seed: int) -> FloatArray:
        """Plausible gains, shape [draws, levels]; a level whose error is not known stays as it is.

        >>> from gainsayer.levels import Levels
        >>> fitted = FittedElsewhere(np.array([[0.01, 0.0], [0.0, np.nan]]), 20)
        >>> drawn = fitted.draw(Gains(Levels(("0", "1")), np.array([0.5, 0.9])), 4000, 1)
        >>> drawn.std(axis=0).round(2).tolist()
        [0.1, 0.0]
        """
        chance = gains.values
        known = np.isfinite(np.diagonal(self.covariance)) & (chance > 0) & (chance < 1)
        slope = np.where(known, chance * (1 - chance), 1.0)  # of p in its logit
        spread = np.where(known[:, None] & known[None, :], self.covariance / np.outer(slope, slope), 0.0)
        values, vectors = np.linalg.eigh(spread)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        normal = np.random.default_rng([seed, 1]).standard_normal((draws, len(values)))
        safe = np.where(known, chance, 0.5)
        moved = np.log(safe / (1 - safe)) + np.einsum("dk,lk->dl", normal, root)
        return np.where(known, 1 / (1 + np.exp(-moved)), chance)


@dataclass(frozen=True, eq=False)
class Scheme:
    """One kind of gains that runs are compared by.

    Args:
        gains: as estimated, or as given.
        redraw: gains [draws, levels] from matrices p(j|i) [draws, levels, levels]; None for gains that are given, such
            as binary or linear ones: there is no doubt about them because nobody measured them.
        relevance: the notion of relevance they stand for; None where they stand for none.
        fitted: how closely gains of a model made elsewhere are known; None for gains that were estimated here or that
            nobody measured.
    """

    gains: Gains
    redraw: Callable[[FloatArray], FloatArray] | None = None
    relevance: Relevance | None = None
    fitted: FittedElsewhere | None = None

    @property
    def name(self) -> str:
        """The name of the gains."""
        return self.gains.name

    @property
    def threshold(self) -> str | None:
        """The name of the notion of relevance, such as the lowest relevant level."""
        return None if self.relevance is None else self.relevance.name


def prm_scheme(
    disagreement: Disagreement, relevance: Relevance, *, overrides: Mapping[str, float] | None = None
) -> Scheme:
    """PRM gains g(i) = p(R|i), drawn anew with the topics; gains given by hand stay as they are.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.counts.pairing import count_pairs
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> disagreement = estimate_disagreement(count_pairs(twenty_documents()))
    >>> scheme = prm_scheme(disagreement, disagreement.levels.at_or_above("2"), overrides={"0": 0.0})
    >>> scheme.gains.values.round(3).tolist(), scheme.redraw(disagreement.matrix[None]).round(3).tolist()
    ([0.0, 0.294, 0.4], [[0.0, 0.294, 0.4]])
    """
    levels = disagreement.levels
    by_hand = {levels.index(level): gain for level, gain in (overrides or {}).items()}

    def redraw(matrices: FloatArray) -> FloatArray:
        values = part_relevant(matrices, relevance.indicator)
        for level, gain in by_hand.items():
            values[..., level] = gain
        return values

    gains = prm_gains(predict_relevance(disagreement, relevance), overrides=overrides)
    return Scheme(gains, redraw, relevance)


def udm_scheme(disagreement: Disagreement) -> Scheme:
    """UDM gains (at least one of two assessors says top, the observed one included), drawn anew with the topics.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.counts.pairing import count_pairs
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> disagreement = estimate_disagreement(count_pairs(twenty_documents()))
    >>> udm_scheme(disagreement).redraw(disagreement.matrix[None]).round(3).tolist()
    [[0.0, 0.294, 1.0]]
    """
    levels = disagreement.levels
    return Scheme(
        udm_gains(disagreement), lambda matrices: udm_values(levels, matrices), levels.at_or_above(levels.top)
    )


def with_unjudged(scheme: Scheme, gain: float) -> Scheme:
    """The same with this gain for unjudged documents."""
    return replace(scheme, gains=replace(scheme.gains, unjudged=gain))


def pattern_scheme(scheme: Scheme, levels: Levels) -> Scheme:
    """The same for documents with patterns of labels: each gain the mean of its labels' gains (`pattern_gains`).

    Where the levels are no patterns, the scheme is as it was.

    >>> from gainsayer.gains import binary_gains
    >>> from gainsayer.levels import find_patterns
    >>> plain = Levels(("0", "1"))
    >>> binary = Scheme(binary_gains(plain, plain.at_or_above("1")), relevance=plain.at_or_above("1"))
    >>> mixed = pattern_scheme(binary, find_patterns(plain, np.array([[3, 1]])))
    >>> mixed.gains.values.tolist(), mixed.relevance.mask
    ([0.0, 1.0, 0.25], (False, True, True))
    """
    if not isinstance(levels, Patterns):
        return scheme
    redraw, fitted, relevance = scheme.redraw, scheme.fitted, scheme.relevance
    known = None if fitted is None else np.nan_to_num(fitted.covariance)
    return replace(
        scheme,
        gains=pattern_gains(scheme.gains, levels),
        redraw=None if redraw is None else lambda matrices: levels.mix(redraw(matrices)),
        fitted=None
        if fitted is None or known is None
        else replace(fitted, covariance=np.einsum("pl,lk,qk->pq", levels.shares, known, levels.shares)),
        relevance=None if relevance is None else levels.relevance(relevance),
    )
