"""Machine grades: is a grade from a machine worth what the same grade from a person is?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from gainsayer.errors import CallError, PairingError
from gainsayer.levels import Levels, Relevance
from gainsayer.model.pairs import FloatArray
from gainsayer.model.variance import jackknife_intervals, share_of, topic_intervals
from gainsayer.reading.judgments import Judgments

MARGIN = 0.05
WORTH_LESS, WORTH_MORE, NO_DIFFERENCE, WORTH_SAME = (
    *("worth less", "worth more", "no difference found", "worth the same"),
)


@dataclass(frozen=True, eq=False)
class Worth:
    """What grades are worth that one kind of assessor gave; arrays have the shape [levels], intervals [levels, 2].

    Args:
        probability: share of people who find a document relevant that got this grade.
        interval: over topics.
        repeats: share of people who give the same grade.
        judged: grades of each kind.
        same: share of all grades that a person repeats, and its interval, shape [3].
    """

    probability: FloatArray
    interval: FloatArray
    repeats: FloatArray
    judged: FloatArray
    same: FloatArray


@dataclass(frozen=True, eq=False)
class MachineStudy:
    """A machine's grades beside people's, on the same documents.

    Args:
        machine: its name.
        people: their names.
        levels: the levels.
        relevance: which levels satisfy a user.
        of_person: what a person's grades are worth to another person.
        of_machine: what the machine's are worth to a person.
        difference: machine minus person, shape [levels].
        difference_interval: over topics, shape [levels, 2].
        verdicts: per level; empty where nothing is known.
        documents: judged by the machine and two people or more.
        topics: that hold them.
        margin: below it a difference is too small to matter.
        confidence: of the intervals.
    """

    machine: str
    people: tuple[str, ...]
    levels: Levels
    relevance: Relevance
    of_person: Worth
    of_machine: Worth
    difference: FloatArray
    difference_interval: FloatArray
    verdicts: tuple[str, ...]
    documents: int
    topics: int
    margin: float
    confidence: float


def study_machine(
    judgments: Judgments,
    machine: str,
    relevance: Relevance,
    *,
    people: Sequence[str] | None = None,
    margin: float = MARGIN,
    confidence: float = 0.95,
) -> MachineStudy:
    """Put people's agreement with people beside their agreement with the machine, grade by grade.

    Only documents count that the machine and at least two people judged, so that both numbers come from the same
    documents. With n_j of a document's k people giving level j, each of its judgments counts once:

        person:   A[i, j] += n_i (n_j - [i = j]) / (k - 1)        machine, grade m:   B[m, j] += n_j / k

    p(R|i) is the share of the row i in R. The difference of the two is linearised over topics, each topic bringing to
    both: u_t = (b_tR - p b_t) / b - (a_tR - q a_t) / a, s² = T / (T - 1) sum u_t², t quantile with T - 1 degrees of
    freedom, T being the topics in which the level occurs.

    High agreement of the machine with people is *no* proof that it may stand for them: see how people agree.

    Args:
        judgments: of the machine and the people.
        machine: its name.
        relevance: which levels satisfy a user.
        people: by default all other assessors.
        margin: a difference whose whole interval lies within it is "worth the same".
        confidence: of the intervals.

    Raises:
        CallError: there is no such assessor.
        PairingError: no document was judged by the machine and two people.
    """
    if machine not in judgments.assessors:
        raise CallError(f"There is no assessor {machine!r}: the assessors are {', '.join(judgments.assessors)}.")
    held = np.unique(judgments.assessor)
    others = [judgments.assessors[at] for at in held.tolist() if judgments.assessors[at] != machine]
    names = tuple(others if people is None else people)
    size = len(judgments.levels)
    by_people = np.zeros((judgments.items, size))
    chosen = np.isin(judgments.assessor, [judgments.assessors.index(name) for name in names])
    np.add.at(by_people, (judgments.item[chosen], judgments.level[chosen]), 1.0)
    own = judgments.assessor == judgments.assessors.index(machine)
    many = by_people.sum(axis=1)
    rows = np.flatnonzero(own & (many[judgments.item] >= 2))
    if not len(rows):
        raise PairingError(
            f"No document was judged by {machine} and two people, so nobody can say whether the machine agrees with "
            "people as they agree among themselves. Have some of its documents judged by two people."
        )
    item, grade = judgments.item[rows], judgments.level[rows]
    kept, place = np.unique(judgments.topic[rows], return_inverse=True)
    counts, k = by_people[item], many[item][:, None, None]
    pairs = (counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(size)) / (k - 1)
    person, automatic = np.zeros((len(kept), size, size)), np.zeros((len(kept), size, size))
    # A machine that graded a document several times brings its people once for each grade; weigh them once.
    _, first = np.unique(item, return_index=True)
    np.add.at(person, place[first], pairs[first])
    np.add.at(automatic, (place, grade), counts / k[:, :, 0])
    of_person = _worth(person, relevance, confidence)
    of_machine = _worth(automatic, relevance, confidence)
    difference = of_machine.probability - of_person.probability
    ends = _difference_ends(person, automatic, relevance, confidence)
    return MachineStudy(
        machine=machine,
        people=names,
        levels=judgments.levels,
        relevance=relevance,
        of_person=of_person,
        of_machine=of_machine,
        difference=difference,
        difference_interval=ends,
        verdicts=tuple(judge_worth(low, high, margin) for low, high in ends.tolist()),
        documents=len(np.unique(item)),
        topics=len(kept),
        margin=margin,
        confidence=confidence,
    )


def judge_worth(low: float, high: float, margin: float) -> str:
    """The verdict on a difference by its interval; empty where there is none.

    >>> judge_worth(-0.2, -0.1, 0.05), judge_worth(-0.02, 0.03, 0.05), judge_worth(-0.1, 0.1, 0.05)
    ('worth less', 'worth the same', 'no difference found')
    """
    if not np.isfinite([low, high]).all():
        return ""
    if high < 0:
        return WORTH_LESS
    if low > 0:
        return WORTH_MORE
    return WORTH_SAME if -margin < low and high < margin else NO_DIFFERENCE


def _worth(pairs: FloatArray, relevance: Relevance, confidence: float) -> Worth:
    """What grades are worth by the pairs [topics, grade, person's grade]."""
    judged, relevant = pairs.sum(axis=2), pairs @ relevance.indicator
    same = pairs[:, np.arange(pairs.shape[1]), np.arange(pairs.shape[1])]
    total, agreed = judged.sum(axis=1, keepdims=True), same.sum(axis=1, keepdims=True)
    shares = (agreed.sum() - agreed) / (total.sum() - total)  # without each topic
    low, high = jackknife_intervals(  # as `agree` has it, so that one page says one thing
        np.array([[agreed.sum() / total.sum()]]),
        shares.T,
        np.array([0, len(shares)]),
        lowest=np.zeros(1),
        confidence=confidence,
    )
    return Worth(
        probability=share_of(relevant.sum(axis=0), judged.sum(axis=0)),
        interval=topic_intervals(relevant, judged, confidence=confidence).ends,
        repeats=share_of(same.sum(axis=0), judged.sum(axis=0)),
        judged=judged.sum(axis=0),
        same=np.array([agreed.sum() / total.sum(), low[0, 0], high[0, 0]]),
    )


def _difference_ends(person: FloatArray, machine: FloatArray, relevance: Relevance, confidence: float) -> FloatArray:
    moved = np.zeros(person.shape[:2])
    gap = np.zeros(person.shape[1])
    seen = np.zeros(person.shape[:2], dtype=bool)
    for sign, pairs in ((1.0, machine), (-1.0, person)):
        judged, relevant = pairs.sum(axis=2), pairs @ relevance.indicator
        share = share_of(relevant.sum(axis=0), judged.sum(axis=0))
        gap = gap + sign * share
        moved = moved + sign * share_of(relevant - share * judged, np.broadcast_to(judged.sum(axis=0), judged.shape))
        seen |= judged > 0
    topics = seen.sum(axis=0)
    known = topics > 1
    many = np.where(known, topics, 2)
    half = scipy.special.stdtrit(many - 1, (1 + confidence) / 2) * np.sqrt(many / (many - 1) * (moved**2).sum(axis=0))
    return np.where(known[:, None], gap[:, None] + half[:, None] * np.array([-1.0, 1.0]), np.nan)
