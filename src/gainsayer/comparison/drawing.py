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
    """The draws of topics, the matrices that belong to them, and which of them hold all levels that are needed."""

    resamples: TopicResamples
    matrices: FloatArray | None
    kept: npt.NDArray[np.bool_]

    def gains(self, scheme: Scheme) -> Gains | None:
        """The gains of the draws that are kept, shape [draws kept, levels]; None for gains that are given."""
        if scheme.fitted is not None:
            drawn = scheme.fitted.draw(scheme.gains, len(self.kept), self.resamples.seed)
            return replace(scheme.gains, values=drawn[self.kept])
        if scheme.redraw is None or self.matrices is None:
            return None
        return replace(scheme.gains, values=scheme.redraw(self.matrices[self.kept]))


def draw_topics(
    topics: Sequence[str], disagreement: Disagreement | None, schemes: Sequence[Scheme], *, draws: int, seed: int
) -> Drawing:
    """Draw topics, estimate p(j|i) from each draw, and find the draws in which all gains are known.

    Raises:
        CallError: a scheme is estimated, and the double judgments are not there.
        DataError: hardly any draw holds all levels.
    """
    estimated = [scheme for scheme in schemes if scheme.redraw is not None]
    if estimated and disagreement is None:
        raise CallError("Gains that are estimated need the double judgments behind them.")
    if not estimated or disagreement is None or len(disagreement.counts.topics) < 2:
        resamples = resample_topics(topics, draws=draws, seed=seed)
        return Drawing(resamples, None, np.ones(draws, dtype=bool))
    resamples = resample_topics(topics, disagreement.counts.topics, draws=draws, seed=seed)
    matrices = redraw_matrices(disagreement, resamples)
    kept = np.ones(draws, dtype=bool)
    for scheme in estimated:
        assert scheme.redraw is not None
        kept &= np.isfinite(scheme.redraw(matrices)).all(axis=1)
    if kept.sum() < 2:
        raise DataError(
            "Hardly any resample of the topics holds all levels: some level was judged twice in one or two topics "
            "only. Merge it (--merge), give its gain (--gain), or judge it twice in more topics."
        )
    return Drawing(resamples, matrices, kept)
