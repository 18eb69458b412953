"""Which runs a machine favours: those it overrates more than others, and those that rank as it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from gainsayer.comparison.fixed_tests import SignFlips, adjust_p
from gainsayer.errors import DataError
from gainsayer.machines.document_gains import DocumentGains, score_documents
from gainsayer.machines.rectified import TopicScores
from gainsayer.machines.sample import BoolArray
from gainsayer.measures.catalogue import parse_measure
from gainsayer.rankings.documents import RankedDocuments
from gainsayer.rankings.ranked_levels import FloatArray

LIKE_THE_JUDGE: Final = 0.95
LEVEL: Final = 0.05
OWN_MEASURE: Final = "nDCG@10"


@dataclass(frozen=True, eq=False)
class Flattery:
    """By how much predicted scores lie above people's, run by run; every array has the shape [runs].

    Args:
        flattery: b = f - theta.
        excess: how much more than the mean over all runs: what changes the order.
        interval: of the excess, for all runs at once; shape [runs, 2].
        p_adjusted: of an excess of 0, adjusted for the number of runs (single-step maxT).
    """

    flattery: FloatArray
    excess: FloatArray
    interval: FloatArray
    p_adjusted: FloatArray

    @property
    def clear(self) -> BoolArray:
        """Runs that the machine treats otherwise than the rest, for better or worse, at this level of confidence."""
        return np.asarray(self.p_adjusted <= LEVEL)

    @property
    def flagged(self) -> BoolArray:
        """Runs that the machine overrates more than others, at this level of confidence."""
        return np.asarray((self.excess > 0) & self.clear)


def overrating(scores: TopicScores) -> FloatArray:
    """f - z of each run on each seen topic: by how much prediction exceeds what people say; shape [runs, seen].

    With documents drawn it is sum_d delta/pi W (g - h); its mean over the seen topics is the flattery b = f - theta.
    """
    return np.asarray(scores.predicted[:, scores.seen] - scores.people)


def find_flattery(scores: TopicScores, *, confidence: float = 0.95, flips: int = 10_000, seed: int = 0) -> Flattery:
    """Which runs are overrated more than others? Signs of the topics flipped, the largest t over all runs.

    What the machine gives all runs too much of does no harm to their order, so deviations from the mean over runs are
    tested. Predicted gains compress: good runs are then underrated and poor ones overrated without any taste of the
    machine's, so look at the slope of the line first (trap T-j).

    Raises:
        DataError: fewer than two runs, or fewer than two seen topics.

    >>> rng = np.random.default_rng(0)
    >>> z = rng.normal(1, 0.3, (4, 30))
    >>> f = z + rng.normal(0, 0.1, (4, 30)) + np.array([[0.5], [0.0], [0.0], [0.0]])
    >>> none = np.zeros((4, 4))
    >>> find_flattery(TopicScores(z, f, z, np.ones(30, bool), none, none, "topics")).flagged.tolist()
    [True, False, False, False]
    """
    runs, count = scores.people.shape
    if runs < 2 or count < 2:
        raise DataError(f"Flattery is told by comparison: {runs} runs on {count} topics are too few.")
    above = overrating(scores)
    deviation = above - above.mean(axis=0)
    excess, error = deviation.mean(axis=1), deviation.std(axis=1, ddof=1) / np.sqrt(count)
    moves = error > 1e-12 * max(1.0, float(np.abs(above).max(initial=0.0)))
    t = np.divide(excess, error, out=np.zeros(runs), where=moves)
    signs = SignFlips(count, runs, flips=flips, seed=seed)
    signs.add(deviation.T, np.where(moves, np.sqrt((deviation**2).sum(axis=1)), 0.0))
    largest = signs.finish()
    share = largest.critical_share(1 - confidence)
    reach = np.where(moves, error * (abs(scipy.special.stdtrit(count - 1, share / 2)) if share > 0 else np.inf), 0.0)
    return Flattery(
        flattery=above.mean(axis=1),
        excess=excess,
        interval=np.stack([excess - reach, excess + reach], axis=1),
        p_adjusted=largest.adjust(np.where(moves, 2 * scipy.special.stdtr(count - 1, -np.abs(t)), 1.0)),
    )


@dataclass(frozen=True)
class FamilyFlattery:
    """By how much the runs of a family are overrated more than all others, on average."""

    family: str
    runs: int
    excess: float
    standard_error: float
    p: float
    p_adjusted: float


def compare_families(scores: TopicScores, families: Mapping[str, Sequence[int]]) -> tuple[FamilyFlattery, ...]:
    """Mean overrating of a family's runs minus that of the others, t over topics, Holm over families.

    Args:
        scores: of all runs.
        families: name to the places of its runs; a family of all runs has no others and is left out.
    """
    above = overrating(scores)
    runs, count = above.shape
    found = []
    for family, members in families.items():
        inside = np.isin(np.arange(runs), members)
        if not inside.any() or inside.all():
            continue
        apart = above[inside].mean(axis=0) - above[~inside].mean(axis=0)
        error = float(apart.std(ddof=1) / np.sqrt(count))
        t = float(apart.mean()) / error if error > 0 else 0.0
        found.append(
            (family, int(inside.sum()), float(apart.mean()), error, float(2 * scipy.special.stdtr(count - 1, -abs(t))))
        )
    if not found:
        return ()
    adjusted = adjust_p([row[-1] for row in found], "holm").tolist()
    return tuple(FamilyFlattery(*row, p_adjusted=p) for row, p in zip(found, adjusted, strict=True))


def rank_like_judge(runs: Sequence[RankedDocuments], own: DocumentGains) -> FloatArray:
    """nDCG@10 of each run by the machine's own grades, linear gains; near 1, the run re-ranks with the judge.

    Its machine score is then the machine's opinion of itself, however good both may be. NaN for a machine of two
    grades: there the lists of any good run are full of the higher one, and nothing tells them from re-ranked ones.
    """
    if len(np.unique(own.value)) <= 2:
        return np.full(len(runs), np.nan)
    measure = parse_measure(OWN_MEASURE)
    return np.array([float(score_documents(run, own, measure).mean()) for run in runs])


def find_flags(flattery: Flattery | None, own: FloatArray, reranked: Sequence[int] = ()) -> tuple[tuple[str, ...], ...]:
    """What speaks against ranking a run by the machine: `overrated`, `underrated`, `machine-reranker`, `named`."""
    flags: list[tuple[str, ...]] = []
    for place in range(len(own)):
        clear = flattery is not None and flattery.clear[place]
        high = flattery is not None and flattery.excess[place] > 0
        parts = {
            "overrated": clear and high,
            "underrated": clear and not high,
            "machine-reranker": bool(own[place] >= LIKE_THE_JUDGE),
            "named": place in reranked,
        }
        flags.append(tuple(name for name, there in parts.items() if there))
    return tuple(flags)
