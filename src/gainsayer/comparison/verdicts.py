"""Better, worse, equivalent, no worse, undecided: what intervals say about a pair of runs, in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.rankings.ranked_levels import FloatArray

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What holds for each pair, a against b; arrays have the shape [pairs].

    Args:
        better: the interval of a - b lies above 0.
        worse: below 0.
        equivalent: within the margin on both sides.
        no_worse: a is not worse than b by as much as the margin.
        no_better: b is not worse than a by as much as the margin.
    """

    better: BoolArray
    worse: BoolArray
    equivalent: BoolArray
    no_worse: BoolArray
    no_better: BoolArray

    def words(self, *, reverse: bool = False) -> list[str]:
        """In words, both where two hold: "better, equivalent" is better by less than matters."""
        kinds = np.stack([self.better, self.worse, self.equivalent, self.no_worse, self.no_better])
        different, which = np.unique(kinds, axis=1, return_inverse=True)
        known = [Verdicts(*different[:, [at]]).word(0, reverse=reverse) for at in range(different.shape[1])]
        return [known[at] for at in which.ravel().tolist()]

    def word(self, at: int, *, reverse: bool = False) -> str:
        """The words for one pair; `reverse` for b against a."""
        better, worse = (self.worse, self.better) if reverse else (self.better, self.worse)
        no_worse = self.no_better if reverse else self.no_worse
        said = [name for name, holds in (("better", better[at]), ("worse", worse[at])) if holds]
        if self.equivalent[at]:
            said.append("equivalent")
        elif no_worse[at] and not said:
            said.append("no worse")
        return ", ".join(said) or "undecided"


def judge_pairs(
    difference: FloatArray, *, significant: BoolArray, wide: FloatArray | None = None, margin: float | None = None
) -> Verdicts:
    """Which verdicts hold: better and worse by the two-sided test, the others by two one-sided tests with a margin.

    [l, u] being the interval of a - b with twice the error rate, 90 % for 95 %: equivalent if -margin < l and u <
    margin, no worse if l > -margin. "No worse" goes without saying where a is better or equivalent. Not being
    significant is *no* sign of being equivalent.

    Args:
        difference: its sign says who is better, shape [pairs].
        significant: whether there is a difference, shape [pairs].
        wide: the interval for the one-sided tests, shape [pairs, 2]; None without a margin.
        margin: the smallest difference that matters; None for no such thing.

    >>> none = np.array([False, False])
    >>> wide = np.array([[-0.005, 0.004], [-0.004, 0.02]])
    >>> judge_pairs(np.zeros(2), significant=none, wide=wide, margin=0.01).words()
    ['equivalent', 'no worse']
    """
    nothing = np.zeros(len(difference), dtype=bool)
    better, worse = significant & (difference > 0), significant & (difference < 0)
    if wide is None or margin is None:
        return Verdicts(better, worse, nothing, nothing, nothing)
    with np.errstate(invalid="ignore"):
        low, high = wide[:, 0] > -margin, wide[:, 1] < margin
    return Verdicts(better, worse, low & high, low, high)
