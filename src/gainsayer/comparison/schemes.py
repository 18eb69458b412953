"""Schemes: kinds of gains with the way they follow from p(j|i), so that they can be estimated anew without a topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from gainsayer.disagreement.estimate import Disagreement
from gainsayer.disagreement.relevance import predict_relevance
from gainsayer.disagreement.smoothing import part_relevant
from gainsayer.gains import Gains, prm_gains, udm_gains, udm_values
from gainsayer.levels import Relevance
from gainsayer.rankings.ranked_levels import FloatArray


@dataclass(frozen=True, eq=False)
class FittedElsewhere:
    """The doubt about gains that come from a model file: their covariance over topics, and over how many.

    It is added to that of the scored topics as if the model's topics were none of these: what the two have in common
    where they are the same is lost, and intervals of scores may then be too narrow.
    """

    covariance: FloatArray
    topics: int

    def root(self) -> FloatArray:
        """Rows whose products add up to the covariance, shape [rows, levels]; 0 for a level whose error is not known.

        >>> fitted = FittedElsewhere(np.array([[0.01, 0.0], [0.0, np.nan]]), 20)
        >>> rows = fitted.root()
        >>> (rows.T @ rows).round(4).tolist()
        [[0.01, 0.0], [0.0, 0.0]]
        """
        known = np.isfinite(np.diagonal(self.covariance))
        spread = np.where(known[:, None] & known[None, :], self.covariance, 0.0)
        values, vectors = np.linalg.eigh(spread)
        some = values > 1e-15 * max(float(values.max(initial=0.0)), 1e-300)
        return np.asarray((vectors[:, some] * np.sqrt(values[some])).T)


@dataclass(frozen=True, eq=False)
class Scheme:
    """One kind of gains that runs are compared by.

    Args:
        gains: as estimated, or as given.
        redraw: gains [..., levels] from matrices p(j|i) [..., levels, levels]; None for gains that are given, such
            as binary or linear ones: there is no doubt about them because nobody measured them.
        relevance: the notion of relevance they stand for; None where they stand for none.
        fitted: how closely gains of a model made elsewhere are known; None for gains that were estimated here or that
            nobody measured.
        estimated: which levels have p(R|i) as their gain, with `redraw`; those given by hand, or by rule, do not.
    """

    gains: Gains
    redraw: Callable[[FloatArray], FloatArray] | None = None
    relevance: Relevance | None = None
    fitted: FittedElsewhere | None = None
    estimated: tuple[bool, ...] | None = None

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
    """PRM gains g(i) = p(R|i), estimated anew when a topic is left out; gains given by hand stay as they are.

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
    return Scheme(gains, redraw, relevance, estimated=tuple(level not in by_hand for level in range(len(levels))))


def udm_scheme(disagreement: Disagreement) -> Scheme:
    """UDM gains (at least one of two assessors says top, the observed one included), estimated anew without a topic.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.counts.pairing import count_pairs
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> disagreement = estimate_disagreement(count_pairs(twenty_documents()))
    >>> udm_scheme(disagreement).redraw(disagreement.matrix[None]).round(3).tolist()
    [[0.0, 0.294, 1.0]]
    """
    levels = disagreement.levels
    # Where a gain answers to p(T|i), so does the rule: 1 for the top and 0 for the lowest, whatever the matrix.
    certain = np.full((len(levels), len(levels)), 0.5)
    return Scheme(
        udm_gains(disagreement),
        lambda matrices: udm_values(levels, matrices),
        levels.at_or_above(levels.top),
        estimated=tuple((udm_values(levels, certain) == 0.5).tolist()),
    )


def with_unjudged(scheme: Scheme, gain: float) -> Scheme:
    """The same with this gain for unjudged documents."""
    return replace(scheme, gains=replace(scheme.gains, unjudged=gain))
