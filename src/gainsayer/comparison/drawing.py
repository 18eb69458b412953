"""The draws behind a comparison: topics, and the gains that belong to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.resampling import TopicResamples, redraw_matrices, resample_topics
from gainsayer.comparison.schemes import Scheme
from gainsayer.disagreement.estimate import Disagreement
from gainsayer.errors import CallError, DataError
from gainsayer.gains import Gains
from gainsayer.rankings.ranked_levels import FloatArray


@dataclass(frozen=True, eq=False)
class Drawing:
    """The draws of topics, and the matrices p(j|i) that belong to them; None where there is nothing to estimate anew.

    `needed` says which levels a scored topic holds: only their gains must be known.
    """

    resamples: TopicResamples
    matrices: FloatArray | None
    needed: npt.NDArray[np.bool_]

    def draw_gains(self, scheme: Scheme) -> tuple[Gains | None, npt.NDArray[np.bool_]]:
        """The gains of a scheme in the draws that hold every level it needs, and which draws these are.

        None for gains that are given, which every draw can use.
        """
        draws = self.resamples.draws
        every = np.ones(draws, dtype=bool)
        if scheme.fitted is not None:
            return replace(scheme.gains, values=scheme.fitted.draw(scheme.gains, draws, self.resamples.seed)), every
        if scheme.redraw is None or self.matrices is None:
            return None, every
        values = scheme.redraw(self.matrices)
        kept = np.asarray((np.isfinite(values) | ~self.needed).all(axis=1))
        if kept.sum() < 2:
            raise DataError(
                "Hardly any resample of the topics holds all levels: some level was judged twice in one or two topics "
                "only. Merge it (--merge), give its gain (--gain), or judge it twice in more topics."
            )
        known = np.where(np.isfinite(values), values, scheme.gains.values)[kept]
        return replace(scheme.gains, values=known), kept


def draw_topics(
    topics: Sequence[str],
    disagreement: Disagreement | None,
    schemes: Sequence[Scheme],
    needed: npt.NDArray[np.bool_],
    *,
    draws: int,
    seed: int,
) -> Drawing:
    """Draw topics, and estimate p(j|i) from each draw.

    Nothing is estimated anew where all pairs come from one topic, or where a single topic is scored: there is nothing
    to draw from.

    Raises:
        CallError: a scheme is estimated, and the double judgments are not there.
    """
    estimated = [scheme for scheme in schemes if scheme.redraw is not None]
    if estimated and disagreement is None:
        raise CallError("Gains that are estimated need the double judgments behind them.")
    if not estimated or disagreement is None or min(len(disagreement.counts.topics), len(topics)) < 2:
        return Drawing(resample_topics(topics, draws=draws, seed=seed), None, needed)
    resamples = resample_topics(topics, disagreement.counts.topics, draws=draws, seed=seed)
    return Drawing(resamples, redraw_matrices(disagreement, resamples), needed)
