"""The condensed list: unjudged documents taken out, and the ranks of the others closed up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gainsayer.rankings.ranked_levels import RankedLevels


def condense(ranked: RankedLevels) -> RankedLevels:
    """The same lists without their unjudged documents.

    The r-th hit of a topic gets rank r. Duplicates of earlier documents stay: they are known, and worth nothing. A
    topic of which the run returned only unjudged documents has an empty list then, but is still present.

    It is not a fair view of a run that returns many new documents: they are neither good nor bad, they are gone.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = condense(ranked_from_lists({"q1": [None, 2, None, 0]}, {"q1": [3, 0, 1]}))
    >>> ranked.rank.tolist(), ranked.level.tolist(), ranked.retrieved.tolist()
    ([1, 2], [2, 0], [2])
    """
    rank = np.arange(len(ranked.topic)) - ranked.starts[ranked.topic] + 1
    return replace(ranked, rank=rank.astype(np.int32), retrieved=np.diff(ranked.starts))
