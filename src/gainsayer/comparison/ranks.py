"""Ranks of runs: which ranks they may have, confidence sets from tests of all pairs, and letters that runs share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.correlation import EQUAL
from gainsayer.errors import CallError
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def rank_scores(scores: FloatArray) -> IntArray:
    """Rank of each run, 1 for the highest; scores within rounding are equal and share the better rank.

    >>> rank_scores(np.array([0.5, 0.7, 0.5])).tolist()
    [2, 1, 2]
    """
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    begins = np.ones(len(scores), dtype=bool)
    begins[1:] = falling[:-1] - falling[1:] > EQUAL
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[order] = np.maximum.accumulate(np.where(begins, np.arange(1, len(scores) + 1), 0))
    return ranks


def rank_sets(runs: int, a: IntArray, b: IntArray, better: BoolArray, worse: BoolArray) -> IntArray:
    """The ranks that each run may have, from 1 + #{runs significantly better} to S - #{runs significantly worse}.

    If the tests of all pairs hold at once with 95 %, so do all these sets (spec 4.5). They are wide where runs are
    close: that is the data. Unlike ranks over resamples they are *confidence* sets: of ten close runs the true ranks
    all lie inside in at least 95 % of collections.

    Args:
        runs: how many.
        a: first run of each pair, all pairs.
        b: second run.
        better: a is significantly better than b.
        worse: a is significantly worse.

    Returns:
        Lowest and highest rank, shape [runs, 2].

    >>> better = np.array([False, True, False])
    >>> rank_sets(3, np.array([0, 0, 1]), np.array([1, 2, 2]), better, np.zeros(3, dtype=bool)).tolist()
    [[1, 2], [1, 3], [2, 3]]
    """
    beaten_by = np.bincount(b[better], minlength=runs) + np.bincount(a[worse], minlength=runs)
    beats = np.bincount(a[better], minlength=runs) + np.bincount(b[worse], minlength=runs)
    return np.stack([1 + beaten_by, runs - beats], axis=1)


def possibly_best(sets: IntArray) -> IntArray:
    """The runs that no run beats significantly: the truly best one is among them with the family's confidence.

    >>> possibly_best(np.array([[1, 2], [1, 3], [2, 3]])).tolist()
    [0, 1]
    """
    return np.flatnonzero(sets[:, 0] == 1)


def letter_groups(order: Sequence[int], differs: npt.ArrayLike) -> list[str]:
    """The letters of each run, such that two runs share a letter if and only if they do not differ.

    This is the compact letter display of Piepho (2004). His insert-and-absorb lists every largest group of runs without
    a difference among them; there can be exponentially many, of which a table needs few. Here, from the best run
    downwards, each pair that no letter joins yet gets one, and its group is widened as far as it goes; then a letter
    is dropped where others do its work. Where only the distance in the order decides, both give the same letters.

    A shared letter does *not* mean that runs are equally good: the topics could not tell.

    Args:
        order: the indices of the runs from the best to the worst; the first letters go to the best.
        differs: shape [runs, runs], True where two runs differ; symmetric, False on the diagonal.

    Returns:
        One string per run, by index as in `differs` (not by place in `order`), letters in alphabetical order. Up to 26
        groups are "a" to "z", written together ("abc"); with more, "aa", "ab", ... follow, and a blank parts them.

    Raises:
        CallError: `order` does not hold each run once, or `differs` is not symmetric.

    >>> differs = np.zeros((3, 3), dtype=bool)
    >>> differs[0, 2] = differs[2, 0] = True
    >>> letter_groups([0, 1, 2], differs)
    ['a', 'ab', 'b']
    """
    table = np.asarray(differs)
    runs = len(table)
    if table.shape != (runs, runs) or table.dtype != np.bool_ or (table != table.T).any() or table.diagonal().any():
        raise CallError(
            "Which runs differ is a symmetric table of true and false, [runs, runs], false on the diagonal."
        )
    if sorted(order) != list(range(runs)):
        raise CallError(
            f"The order of {runs} runs must hold each index from 0 to {runs - 1} once, found {list(order)}."
        )
    ranked = np.asarray(order, dtype=np.int64)
    alike = ~table[np.ix_(ranked, ranked)]
    groups = sorted(_needed(_covering(alike)), key=lambda group: np.flatnonzero(group).tolist())
    names = [_name(number) for number in range(len(groups))]
    between = "" if len(names) <= len(_ALPHABET) else " "
    letters = [""] * runs
    for place, run in enumerate(ranked):
        letters[run] = between.join(name for name, group in zip(names, groups, strict=True) if group[place])
    return letters


def _covering(alike: npt.NDArray[np.bool_]) -> list[npt.NDArray[np.bool_]]:
    """Groups of runs all alike, none of which can be widened, that join every pair alike and hold every run."""
    runs = len(alike)
    joined = np.zeros_like(alike)
    groups = []
    for best in range(runs):
        for worst in range(runs - 1, best - 1, -1):
            if alike[best, worst] and not joined[best, worst]:
                group = np.zeros(runs, dtype=bool)
                group[[best, worst]] = True
                for other in [*range(best, worst), *range(best), *range(worst + 1, runs)]:
                    group[other] |= bool(alike[other, group].all())
                joined |= group[:, None] & group
                groups.append(group)
    return groups


def _needed(groups: list[npt.NDArray[np.bool_]]) -> list[npt.NDArray[np.bool_]]:
    """The groups without those whose pairs are all joined by the groups kept."""
    members = np.array(groups, dtype=np.int64)
    times = members.T @ members  # how many groups join each pair
    kept = []
    for group in groups:
        pairs = group[:, None] & group
        if (times[pairs] > 1).all():
            times = times - pairs
        else:
            kept.append(group)
    return kept


def _name(number: int) -> str:
    """The letters a to z, then aa, ab, ...

    >>> [_name(number) for number in (0, 25, 26, 27, 702)]
    ['a', 'z', 'aa', 'ab', 'aaa']
    """
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, len(_ALPHABET))
        name = _ALPHABET[letter] + name
    return name
