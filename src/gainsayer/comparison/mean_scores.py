"""Mean scores of the runs for many gain vectors and weights of topics at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gainsayer.gains.values import Gains, pattern_gains
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.linear import Linear
from gainsayer.measures.unjudged import take_unjudged_as
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

BLOCK_CELLS = 1 << 21


@dataclass(frozen=True, eq=False)
class ScoredRuns:
    """Runs with a measure and gains that may be moved.

    Args:
        ranked: the runs.
        measure: what to compute.
        gains: as estimated, shape [levels]; `unjudged` stays what it is when the others move. Documents with several
            labels are worth the mean of their labels' gains (`pattern_gains`).
        chosen: places of the scored topics in `ranked`.
        alive: 0 for topics that count 0 whatever the list holds, else 1; shape [topics].
    """

    ranked: tuple[RankedLevels, ...]
    measure: Measure
    gains: Gains
    chosen: npt.NDArray[np.int64]
    alive: FloatArray

    def tables(self, values: FloatArray) -> FloatArray:
        """The score of each run and topic with each gain vector: [gains, levels] in, [gains, runs, topics] out."""
        some = self._worth(values)
        return np.stack([self.measure.score(run, some)[:, self.chosen] for run in self.ranked], axis=1) * self.alive

    def means(self, values: FloatArray, weights: FloatArray) -> FloatArray:
        """`sum_t weights[w, k, t] score(run, t, values[k])`, shape [weights, gains, runs].

        A linear measure goes through its level profile, so that all runs are one product; any other is scored with all
        gain vectors at once, in blocks of bounded memory.

        >>> from gainsayer.levels import Levels
        >>> from gainsayer.measures.catalogue import parse_measure
        >>> from gainsayer.rankings.lists import ranked_from_lists
        >>> run = ranked_from_lists({"q1": [1], "q2": [0]}, {"q1": [1, 1], "q2": [1, 1]}, levels=Levels(("0", "1")))
        >>> gains = Gains(run.levels, np.array([0.0, 1.0]))
        >>> scored = ScoredRuns((run,), parse_measure("P@1"), gains, np.arange(2), np.ones(2))
        >>> scored.means(np.array([[0.2, 0.8]]), np.full((1, 1, 2), 0.5)).tolist()
        [[[0.5]]]
        """
        linear = self.measure.linear
        gains = self._worth(values)
        if linear is None:
            return self._by_evaluation(gains, weights)
        self.measure.check(gains)
        return self._by_profile(linear, gains.values, weights)

    def _worth(self, values: FloatArray) -> Gains:
        """These gains for what stands in the lists: of patterns of labels, the mean of their labels' gains."""
        return pattern_gains(self.measure.take_gains(replace(self.gains, values=values)), self.ranked[0].levels)

    def _by_profile(self, linear: Linear, values: FloatArray, weights: FloatArray) -> FloatArray:
        worth = np.concatenate([values, np.full((len(values), 1), self.gains.unjudged)], axis=1)
        means = np.empty((len(weights), len(values), len(self.ranked)))
        # Runs with the same pool share their ideal lists.
        families: dict[tuple[bytes, ...], list[int]] = {}
        for at, run in enumerate(self.ranked):
            families.setdefault(_pool_of(run), []).append(at)
        step = max(1, BLOCK_CELLS // max(1, len(weights) * len(self.chosen) * worth.shape[1]))
        for members in families.values():
            profile = np.stack([linear.profile(self.ranked[at])[self.chosen] for at in members])
            flat = profile.reshape(len(members), -1)
            for start in range(0, len(values), step):
                piece = slice(start, start + step)
                share = weights[:, piece] * self.alive
                if linear.divisor is not None:
                    divisor = linear.divisor(self.ranked[members[0]], values[piece])[:, self.chosen]
                    share = share * np.divide(1.0, divisor, out=np.zeros_like(divisor), where=divisor > 0)
                cells = (share[..., None] * worth[piece, None, :]).reshape(*share.shape[:2], -1)
                # Not `@`: what BLAS adds up in which order depends on the number of threads.
                means[:, piece, members] = np.einsum("wkc,rc->wkr", cells, flat)
        return means

    def _by_evaluation(self, gains: Gains, weights: FloatArray) -> FloatArray:
        values = gains.values
        means = np.empty((len(weights), len(values), len(self.ranked)))
        for at, run in enumerate(self.ranked):
            step = max(1, BLOCK_CELLS // max(1, len(run.topic), len(run.topics)))
            for start in range(0, len(values), step):
                piece = slice(start, start + step)
                some = replace(gains, values=values[piece])
                table = self.measure.score(run, some)[:, self.chosen] * self.alive
                means[:, piece, at] = np.einsum("wkt,kt->wk", weights[:, piece], table)
        return means


def prepare_runs(
    ranked: Sequence[RankedLevels],
    measure: Measure,
    gains: Gains,
    topics: Sequence[str],
    *,
    unjudged_as_lowest: bool = False,
    zero: npt.NDArray[np.bool_] | None = None,
) -> ScoredRuns:
    """The runs on these topics, ready to be scored with other gains.

    With `unjudged_as_lowest` an unjudged document is worth what one of the lowest level is, whatever that comes to be.
    For random users its worth stays what was estimated. `zero` are topics of the runs that count 0.
    """
    place = {name: at for at, name in enumerate(ranked[0].topics)}
    chosen = np.array([place[name] for name in topics], dtype=np.int64)
    alive = np.ones(len(chosen)) if zero is None else (~zero[chosen]).astype(np.float64)
    ranked = [measure.view(run) for run in ranked]
    if unjudged_as_lowest and measure.users is None:
        lowest = gains.levels.lowest
        ranked = [take_unjudged_as(run, lowest, measure.depth) for run in ranked]
        gains = replace(gains, unjudged=0.0)
    return ScoredRuns(tuple(ranked), measure, gains, chosen, alive)


def _pool_of(run: RankedLevels) -> tuple[bytes, ...]:
    """What a run's ideal lists depend on, as a key; with duplicates pools may differ between runs."""
    choices = (run.choice_topic, run.choice_levels)
    return (run.pool.tobytes(), *(b"" if choice is None else choice.tobytes() for choice in choices))
