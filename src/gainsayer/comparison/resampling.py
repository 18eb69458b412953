"""Topics drawn again: the one source of chance behind every joint interval.

The same drawn topics make new parameters and new scores, so that what the two have in common stays in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gainsayer.counts.pairs import FloatArray
from gainsayer.disagreement.estimate import Disagreement
from gainsayer.errors import CallError

BLOCK_DRAWS = 500
MOST_DRAWS = 10_000_000
MOST_KEPT = 1 << 22


@dataclass(frozen=True, eq=False)
class TopicResamples:
    """How often each topic is drawn, draw by draw; the numbers are made when asked for, always the same ones.

    Args:
        scored: the topics that are scored.
        paired: the topics with double judgments; they may be the same, others, or partly both.
        groups: places of topics (in `names`) that are drawn among each other.
        draws: how many.
        seed: of the drawing.
    """

    scored: tuple[str, ...]
    paired: tuple[str, ...]
    names: tuple[str, ...]
    groups: tuple[npt.NDArray[np.int64], ...]
    draws: int
    seed: int

    @property
    def shared(self) -> int:
        """How many scored topics were judged twice."""
        return len(set(self.scored) & set(self.paired))

    def blocks(self) -> Iterator[tuple[slice, FloatArray, FloatArray]]:
        """Which draws, the weights of the scored topics [draws, scored], and of the paired ones [draws, paired].

        Each block has a stream of its own, so no block depends on another one, nor on how many there are.
        """
        place = {name: at for at, name in enumerate(self.names)}
        scored = np.array([place[name] for name in self.scored], dtype=np.int64)
        paired = np.array([place[name] for name in self.paired], dtype=np.int64)
        for start in range(0, self.draws, BLOCK_DRAWS):
            weights = self._weights(start) if self._kept is None else self._kept[start : start + BLOCK_DRAWS]
            yield slice(start, start + len(weights)), weights[:, scored], weights[:, paired]

    def _weights(self, start: int) -> FloatArray:
        size = min(BLOCK_DRAWS, self.draws - start)
        generator = np.random.default_rng([self.seed, start])
        weights = np.zeros((size, len(self.names)))
        for group in self.groups:
            share = np.full(len(group), 1 / len(group))
            weights[:, group] = generator.multinomial(len(group), share, size=size)
        return weights

    @cached_property
    def _kept(self) -> FloatArray | None:
        """All weights at once, where they take little memory: they are asked for once per measure and gains."""
        if self.draws * len(self.names) > MOST_KEPT:
            return None
        return np.concatenate([self._weights(start) for start in range(0, self.draws, BLOCK_DRAWS)])


def resample_topics(
    scored: Sequence[str], paired: Sequence[str] = (), *, draws: int = 10_000, seed: int = 0
) -> TopicResamples:
    """Draw topics with replacement, as many as there are, separately for those judged twice and those judged once.

    Stratified so (spec 2.8): a draw without double judgments would say nothing about the parameters. A group
    of a single topic has nothing to be drawn among, so it joins the largest other one.

    Raises:
        CallError: no draws, or a negative seed.

    >>> resamples = resample_topics(["q1", "q2", "q3", "q4"], ["q1", "q2"], draws=3)
    >>> [weights.sum(axis=1).tolist() for _, weights, _ in resamples.blocks()]
    [[4.0, 4.0, 4.0]]
    >>> [weights.sum(axis=1).tolist() for _, _, weights in resamples.blocks()]
    [[2.0, 2.0, 2.0]]
    """
    if not 1 <= draws <= MOST_DRAWS:
        raise CallError(f"The number of resamples must lie between 1 and {MOST_DRAWS:,}, found {draws}.")
    if seed < 0:
        raise CallError(f"The seed must be a whole number of at least 0, found {seed}.")
    names = tuple(dict.fromkeys([*scored, *paired]))
    once, twice = set(scored), set(paired)
    kinds = [(name in once, name in twice) for name in names]
    groups = [
        np.array([at for at, found in enumerate(kinds) if found == kind], dtype=np.int64)
        for kind in ((True, True), (True, False), (False, True))
    ]
    groups = sorted((group for group in groups if len(group)), key=len, reverse=True)
    single = [group for group in groups if len(group) == 1]
    groups = [group for group in groups if len(group) > 1] or single[:1]
    for group in single:
        if group is not groups[0]:
            groups[0] = np.sort(np.concatenate([groups[0], group]))
    return TopicResamples(tuple(scored), tuple(paired), names, tuple(groups), draws, seed)


def redraw_matrices(disagreement: Disagreement, resamples: TopicResamples) -> FloatArray:
    """p(j|i) estimated anew from each draw of topics, shape [draws, levels, levels]; NaN rows where a level is lacking.

    Estimated as before: the same estimator, weights and smoothing. Shares its topics with the scores of the same draw.

    >>> from gainsayer.counts.pairs import PairCounts
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> from gainsayer.levels import Levels
    >>> counts = PairCounts.from_matrix(Levels(("0", "1")), [[[6, 2], [1, 3]], [[9, 1], [2, 2]]])
    >>> resamples = resample_topics(counts.topics, counts.topics, draws=5)
    >>> redraw_matrices(estimate_disagreement(counts), resamples).shape
    (5, 2, 2)
    """
    assert resamples.paired == disagreement.counts.topics
    pairs = disagreement.pairs
    flat = pairs.reshape(len(pairs), -1)
    drawn = np.empty((resamples.draws, *pairs.shape[1:]))
    for which, _, weights in resamples.blocks():
        # Not `@`: what BLAS adds up in which order depends on the number of threads.
        drawn[which] = disagreement.apply(np.einsum("dt,tc->dc", weights, flat).reshape(-1, *pairs.shape[1:]))
    return drawn
