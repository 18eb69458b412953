"""Draws from the topic bootstrap: plausible parameters, were the topics drawn again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gainsayer.levels import Relevance
from gainsayer.model.estimate import Disagreement, normalise_rows, part_relevant
from gainsayer.model.pairs import FloatArray
from gainsayer.model.resampling import weigh_topics


def draw_matrices(disagreement: Disagreement, *, draws: int = 10_000, seed: int = 0) -> FloatArray:
    """Topic-bootstrap draws of the matrix p(j|i), shape [draws, levels, levels].

    Each draw takes as many doubly judged topics as there are, with replacement; all judgments of a topic enter as often
    as it was drawn. As the counts are a sum over topics, a draw is a row of whole numbers times the
    counts of the topics: ten thousand draws are one matrix product. A level that a draw lacks is NaN in it.

    With w_t how often topic t was drawn, `p(j|i) = sum_t w_t J_tij / sum_t w_t J_ti.` (S = J + J' in place of J where
    the estimate is symmetric). Assumes that the topics are a random sample of those one speaks about, and independent.
    The draws are *not* other assessors' or other documents': what would differ with them is not in them.

    >>> from gainsayer.model.pairs import PairCounts
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> from gainsayer.levels import Levels
    >>> counts = PairCounts.from_matrix(Levels(("0", "1")), [[[6, 2], [1, 3]], [[9, 1], [2, 2]]])
    >>> draw_matrices(estimate_disagreement(counts), draws=3).shape
    (3, 2, 2)
    """
    return np.concatenate(list(_matrices(disagreement, draws, seed)))


def draw_probabilities(
    disagreement: Disagreement, relevance: Relevance, *, draws: int = 10_000, seed: int = 0
) -> FloatArray:
    """Topic-bootstrap draws of p(R|i), shape [draws, levels]; the same draws as `draw_matrices` with the same seed.

    `p(R|i) = sum over j in R of p(j|i)` in every draw, eq. (1). Assumes what `draw_matrices` does. The levels of one
    draw belong together: intervals of sums or differences need whole draws, *not* quantiles of each level combined.

    >>> from gainsayer.model.pairs import PairCounts
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> from gainsayer.levels import Levels
    >>> levels = Levels(("0", "1"))
    >>> counts = PairCounts.from_matrix(levels, [[[6, 2], [1, 3]], [[9, 1], [2, 2]]])
    >>> draw_probabilities(estimate_disagreement(counts), levels.at_or_above("1"), draws=3).shape
    (3, 2)
    """
    if disagreement.smoothing is not None:
        parts = [part_relevant(matrices, relevance.indicator) for matrices in _matrices(disagreement, draws, seed)]
        return np.concatenate(parts)
    pairs = disagreement.pairs
    # Relevant and other second opinions of each level: less to multiply than the whole matrix.
    split = np.stack([pairs @ relevance.indicator, pairs @ (1 - relevance.indicator)], axis=-1)
    flat = split.reshape(len(pairs), -1)
    parts = [
        normalise_rows((weights @ flat).reshape(-1, *split.shape[1:]))[..., 0]
        for weights in weigh_topics(len(pairs), flat.shape[1], draws=draws, seed=seed)
    ]
    return np.concatenate(parts)


def _matrices(disagreement: Disagreement, draws: int, seed: int) -> Iterator[FloatArray]:
    """The draws of the matrix in blocks, shape [draws of the block, levels, levels]."""
    pairs = disagreement.pairs
    flat = pairs.reshape(len(pairs), -1)
    for weights in weigh_topics(len(pairs), flat.shape[1], draws=draws, seed=seed):
        yield disagreement.apply((weights @ flat).reshape(-1, *pairs.shape[1:]))
