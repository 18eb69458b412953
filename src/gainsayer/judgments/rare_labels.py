"""Rare labels: a few that lie outside everybody else's range, and would become levels of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.findings import Finding
from gainsayer.levels import Levels, is_whole

RARE: Final = 1000
_MOST_PLACES: Final = 3


def find_rare_labels(
    levels: Levels,
    assessor: npt.NDArray[np.int32],
    level: npt.NDArray[np.integer],
    where: Callable[[int], str],
) -> list[Finding]:
    """A finding for labels given less than once in 1,000, below or above all others, by hardly anybody.

    Two stray 5s among 150,000 labels from 0 to 3 make a fifth level, which stretches every scale that counts distances
    between levels. A rare top level that more than one in ten assessors use is none of these; of a single assessor's
    numbers only those are that do not follow on the others (10 after 3, not 4).

    Args:
        levels: the levels found.
        assessor: who gave each label.
        level: its place among the levels.
        where: the place of a row, for messages.
    """
    total = np.bincount(level, minlength=len(levels))
    rare = (total > 0) & (total * RARE < len(level))
    common = np.flatnonzero((total > 0) & ~rare)
    if not levels.ordered or not rare.any() or not len(common):
        return []
    people = len(np.unique(assessor))
    strays = []
    for place in np.flatnonzero(rare).tolist():
        if common[0] < place < common[-1]:
            continue
        if people == 1:
            near = levels.names[int(common[-1] if place > common[-1] else common[0])]
            stray = is_whole(near) and abs(int(levels.names[place]) - int(near)) > 1
        else:
            stray = len(np.unique(assessor[level == place])) <= max(1, people // 10)
        if stray:
            strays.append(place)
    if not strays:
        return []
    rows = np.flatnonzero(np.isin(level, strays))
    shown = ", ".join(f"{levels.names[place]} ({int(total[place]):,} times)" for place in strays)
    places = "; ".join(where(int(row)) for row in rows[:_MOST_PLACES]) + ("; ..." if len(rows) > _MOST_PLACES else "")
    example = levels.names[strays[0]]
    message = (
        f"Of {len(level):,} labels, {shown} lie outside the range of all others ({places}), and each is a level of its "
        f"own. If they are slips, leave them out (missing={example!r}) or merge them (merges={{{example!r}: 'LABEL'}})."
    )
    return [Finding("rare-labels", message)]
