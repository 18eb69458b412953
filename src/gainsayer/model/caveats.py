"""What a reader of p(R|i) should know: thin or empty levels, probabilities out of order, too few topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from gainsayer.findings import Finding
from gainsayer.levels import Levels, Relevance
from gainsayer.model.estimate import Smoothing
from gainsayer.model.pairs import FloatArray
from gainsayer.text import option
from gainsayer.words import listed

FEW_OPINIONS = 30
FEW_RELEVANT = 5
FEW_TOPICS = 10
UNEVEN = 0.5
WIDE = 0.2
SAYS_NOTHING = 0.9  # of an interval's length
DUST = 1e-12


@dataclass(frozen=True, eq=False)
class Evidence:
    """What stands behind the p(R|i) of one notion of relevance; arrays have the shape [levels].

    Args:
        levels: the levels.
        relevance: the relevant ones.
        share: relevant / judged, before any smoothing.
        probability: p(R|i), smoothed where that was asked for.
        relevant: relevant second opinions; where pairs have weights, what they are worth.
        judged: all second opinions, likewise.
        repeated: whether the level was seen in two or more topics.
        topics: topics that hold pairs.
        effective: how many equal topics the topics are worth, by their pairs of all levels.
        smoothing: as asked for.
    """

    levels: Levels
    relevance: Relevance
    share: FloatArray
    probability: FloatArray
    relevant: FloatArray
    judged: FloatArray
    repeated: npt.NDArray[np.bool_]
    topics: int
    effective: float
    smoothing: Smoothing | None

    @property
    def thin(self) -> npt.NDArray[np.bool_]:
        """Levels with some second opinions, but few of them, or few relevant ones."""
        few = (self.judged < FEW_OPINIONS) | (self.relevant < FEW_RELEVANT)
        return np.asarray((self.judged > 0) & few)

    def pooled_with(self, level: int) -> list[str]:
        """The other levels that isotonic smoothing gave the same probability as this one."""
        if self.smoothing is None or self.smoothing.kind != "isotonic":
            return []
        alike = np.abs(self.probability - self.probability[level]) < DUST
        if not np.any(np.abs(self.probability - self.share)[alike] > DUST):
            return []
        return [self.levels.names[other] for other in np.flatnonzero(alike) if other != level]


def describe_levels(evidence: Evidence) -> tuple[str | None, ...]:
    """One remark per level, or None."""
    notes: list[str | None] = []
    for level in range(len(evidence.levels)):
        parts = []
        if evidence.judged[level] == 0:
            known = np.isfinite(evidence.probability[level])
            parts.append("no second opinions: the prior alone" if known else "no second opinions: not known")
        elif evidence.topics > 1 and not evidence.repeated[level]:
            parts.append("seen in one topic: no error over topics")
        elif evidence.thin[level]:
            few = evidence.judged[level] < FEW_OPINIONS
            parts.append("few second opinions" if few else "few relevant second opinions")
        elif evidence.judged[level] - evidence.relevant[level] < FEW_RELEVANT:
            parts.append("few non-relevant second opinions")
        pooled = evidence.pooled_with(level)
        if pooled:
            parts.append(f"pooled with {', '.join(pooled)}")
        notes.append("; ".join(parts) or None)
    return tuple(notes)


def find_weaknesses(evidence: Evidence) -> list[Finding]:
    """Findings about the probabilities of one notion of relevance (T4, T19, and the topics behind the errors)."""
    found = (
        _find_empty(evidence),
        _find_thin(evidence),
        _find_falls(evidence),
        _find_few_topics(evidence),
        _find_uneven_topics(evidence),
    )
    return [finding for finding in found if finding is not None]


def _find_empty(evidence: Evidence) -> Finding | None:
    empty = np.flatnonzero(evidence.judged == 0)
    if not len(empty):
        return None
    names = [repr(evidence.levels.names[level]) for level in empty]
    which = f"p(R|{evidence.levels.names[empty[0]]})" if len(names) == 1 else "p(R|i) of these"
    outcome = (
        f"{which} is what the prior says, and nothing else"
        if np.isfinite(evidence.probability[empty[0]])
        else f"{which} cannot be estimated"
    )
    some, one, its = (names[0], "it", "its gain") if len(names) == 1 else ("such", "each", "their gains")
    message = (
        f"No pair has level {listed(names, 'or')}, so {outcome}. Judge some {some} documents a second time, merge "
        f"{one} into a neighbour ({option('merges')}), or give {its} yourself when you score."
    )
    return Finding("empty-level", message)


def _find_thin(evidence: Evidence) -> Finding | None:
    thin = np.flatnonzero(evidence.thin)
    if not len(thin):
        return None
    shown = ", ".join(
        f"{evidence.levels.names[level]} ({_shown(evidence.relevant[level])} of {_shown(evidence.judged[level])})"
        for level in thin
    )
    message = (
        f"R = {evidence.relevance.name}: few second opinions, or few relevant ones, behind level {shown}; below "
        f"{FEW_OPINIONS} opinions or {FEW_RELEVANT} relevant ones a probability is rough. Where that matters, judge "
        f"more of these documents twice, or smooth ({option('smooth', 'marginal', 'isotonic')})."
    )
    return Finding("thin-level", message)


def _find_falls(evidence: Evidence) -> Finding | None:
    levels, probability = evidence.levels, evidence.probability
    if not levels.ordered or evidence.relevance.threshold is None:
        return None
    known = np.flatnonzero(np.isfinite(probability))
    falls = [(low, high) for low, high in pairwise(known) if probability[high] < probability[low] - DUST]
    if not falls:
        return None
    shown = "; ".join(
        f"{levels.names[low]} {probability[low]:.3f}, {levels.names[high]} {probability[high]:.3f}"
        for low, high in falls
    )
    message = (
        f"R = {evidence.relevance.name}: a higher level has a lower probability ({shown}). The levels are left as they "
        f"are; look whether the assessors tell the two apart, merge them ({option('merges')}), or smooth with "
        f"{option('smooth', 'isotonic')}."
    )
    return Finding("non-monotone", message)


def _find_few_topics(evidence: Evidence) -> Finding | None:
    if evidence.topics == 1:
        message = "All pairs come from one topic, so no error over topics, and no interval from it, can be given."
        return Finding("single-topic", message)
    if evidence.topics < FEW_TOPICS:
        message = (
            f"Errors over topics rest on {evidence.topics} topics; below {FEW_TOPICS} they are rough. "
            "Spread over more topics."
        )
        return Finding("few-topics", message)
    return None


def _find_uneven_topics(evidence: Evidence) -> Finding | None:
    if evidence.topics < 2 or evidence.effective >= UNEVEN * evidence.topics:
        return None
    message = (
        f"The pairs are spread unevenly over topics: {evidence.topics} topics carry as much as "
        f"{evidence.effective:.1f} equal ones. The intervals allow for it; pairs from the other topics would make them "
        "narrower."
    )
    return Finding("few-effective-topics", message)


def find_empty_intervals(levels: Levels, ends: FloatArray, relevance: str) -> list[Finding]:
    """A finding for levels whose interval is nearly all that a probability can be, so that it says nothing.

    >>> ends = np.array([[0.0, 0.97], [0.3, 0.6]])
    >>> find_empty_intervals(Levels(("0", "1")), ends, "1")[0].message.partition(":")[2]
    ' the interval of p(R|0) is [0.00, 0.97], which says nothing. Judge more topics twice, by more people.'
    """
    said = [
        f"p(R|{levels.names[level]}) is [{ends[level, 0]:.2f}, {ends[level, 1]:.2f}]"
        for level in np.flatnonzero(np.nan_to_num(ends[:, 1] - ends[:, 0]) > SAYS_NOTHING)
    ]
    if not said:
        return []
    advice = "Judge more topics twice, by more people."
    text = f"R = {relevance}: the interval of {' and of '.join(said)}, which says nothing. {advice}"
    return [Finding("empty-interval", text)]


def find_heavy_topic(
    levels: Levels,
    topics: Sequence[str],
    judged: FloatArray,
    relevant: FloatArray,
    ends: FloatArray,
    relevance: str | None = None,
) -> list[Finding]:
    """A finding for levels whose interval is wide as one topic holds much of the rarer kind of second opinions.

    Much is more than a third, and more than five times the part of one topic among all; wide is above 0.2.

    Args:
        levels: the levels.
        topics: their names.
        judged: second opinions; shape [topics, levels].
        relevant: those that are relevant.
        ends: of the intervals; shape [levels, 2].
        relevance: what counts as relevant.
    """
    rarer = np.where(2 * relevant.sum(axis=0) > judged.sum(axis=0), judged - relevant, relevant)
    total = rarer.sum(axis=0)
    heavy = np.argmax(rarer, axis=0)
    share = np.divide(rarer.max(axis=0), total, out=np.zeros(len(levels)), where=total >= FEW_RELEVANT)
    wide = np.nan_to_num(ends[:, 1] - ends[:, 0]) > WIDE
    said = [
        f"p(R|{levels.names[level]}) lies between {ends[level, 0]:.2f} and {ends[level, 1]:.2f}, as topic "
        f"{topics[heavy[level]]!r} alone holds {_shown(rarer[heavy[level], level])} of {_shown(total[level])} second "
        f"opinions of the rarer kind"
        for level in np.flatnonzero(wide & (share > max(1 / 3, 5 / len(topics))))
    ]
    if not said:
        return []
    advice = "Look at its second judgments: the interval allows for other topics like it."
    where = "" if relevance is None else f"R = {relevance}: "
    return [Finding("one-topic-decides", f"{where}{'; '.join(said)}. {advice}")]


def _shown(count: float) -> str:
    """A count as it is; with one decimal where weights or shares made it uneven."""
    return f"{round(float(count), 1):g}"
