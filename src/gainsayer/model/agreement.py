"""Agreement: how far assessors agree, by every usual coefficient, with intervals over topics."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gainsayer.errors import LabelSetError
from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels
from gainsayer.model.agreement_scores import (
    AgreementScores,
    Coefficient,
    score_assessor_pairs,
    score_many,
    score_sides,
)
from gainsayer.model.assessor_pairs import AssessorPairCounts, count_assessor_pairs
from gainsayer.model.intervals import check_confidence
from gainsayer.model.pairs import FloatArray


@dataclasses.dataclass(frozen=True, slots=True)
class AssessorPair:
    """Agreement of two assessors on the documents both judged: `pairs` pairs of judgments in `topics` topics."""

    first: str
    second: str
    pairs: int
    topics: int
    coefficients: dict[str, Coefficient]


@dataclass(frozen=True, eq=False, repr=False)
class Agreement:
    """How far the assessors agree.

    Args:
        levels: the levels, rows and columns of the counts.
        sides: the assessors of the two sides, or None where all pairs of different assessors count.
        topics: number of topics that hold pairs.
        pairs: number of pairs of judgments, each counted once.
        documents: number of documents with at least one pair.
        counts: shape [levels, levels]. With sides J, rows the first side's level; otherwise Krippendorff's
            coincidences, all ordered pairs at weight 1 / (k_d - 1).
        coefficients: by name, in the order of `COEFFICIENTS`.
        confidence: of the intervals.
        findings: what was noticed on the way.
        by_assessors: the counts of each pair of assessors.
        pair_scores: the coefficients of each pair of assessors, as arrays; `assessor_pairs` shows them one by one.
    """

    levels: Levels
    sides: tuple[tuple[str, ...], tuple[str, ...]] | None
    topics: int
    pairs: int
    documents: int
    counts: FloatArray
    coefficients: dict[str, Coefficient]
    confidence: float
    findings: tuple[Finding, ...]
    by_assessors: AssessorPairCounts
    pair_scores: AgreementScores

    def __repr__(self) -> str:
        return f"Agreement({self.pairs} pairs, {self.topics} topics, levels {', '.join(self.levels.names)})"

    @cached_property
    def assessor_pairs(self) -> tuple[AssessorPair, ...]:
        """Every pair of assessors that share documents (with sides: across them), in the order of the assessors.

        Kept as arrays until asked for: a crowd of hundreds has tens of thousands of pairs.
        """
        return tuple(self.assessor_pair(place) for place in range(self.assessor_pair_count))

    @property
    def assessor_pair_count(self) -> int:
        """How many pairs of assessors share documents."""
        return len(self.by_assessors)

    def assessor_pair(self, place: int) -> AssessorPair:
        """One of the pairs of assessors."""
        counted, scores = self.by_assessors, self.pair_scores
        names = counted.assessors[counted.first[place]], counted.assessors[counted.second[place]]
        return AssessorPair(*names, int(counted.pairs[place]), int(scores.topics[place]), scores.describe(place))


def measure_agreement(
    judgments: Judgments,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    matched: bool | None = None,
    confidence: float = 0.95,
) -> Agreement:
    """Agreement of the assessors over the documents that several of them judged, and of each pair of assessors.

    With two assessors or two sides, everything comes from J[topic, i, j], a side being treated as one
    assessor. With more assessors, any of whom may lack documents: percent, Fleiss and Gwet count each document once,
    Krippendorff each judgment once, and Cohen's, the weighted kappas and Scott's pi are pooled over pairs of assessors,
    `1 - sum_ab n_ab Do_ab / sum_ab n_ab De_ab` (de Vries et al. 2008, weighted by the pairs' numbers of documents).
    With two assessors and nothing missing all of them are the classical ones. See `coefficients` for each formula.

    Intervals leave out one topic at a time (`jackknife_intervals`). They say what other topics might have given, not
    other assessors. Judgments of one assessor never pair with each other; sampling weights are left aside.

    Args:
        judgments: who said what.
        first: assessors of the first side; with two assessors in all, the first one; with more, no sides.
        second: assessors of the second side; all others where only `first` is given.
        matched: whether the sides list fixed pairs of assessors, as in `count_pairs`.
        confidence: of the intervals.

    Raises:
        CallError: an assessor is unknown or stands on both sides, or the confidence is not between 0 and 1.
        PairingError: there is one assessor only, or no document that two of them judged.
        LabelSetError: somebody's labels look shifted or coarser, and nobody said what they mean.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> agreement = measure_agreement(twenty_documents())
    >>> agreement.pairs, agreement.counts.astype(int).tolist()
    (20, [[4, 1, 1], [3, 4, 3], [0, 2, 2]])
    >>> round(agreement.coefficients["cohen_kappa"].value, 6), agreement.coefficients["cohen_kappa"].note
    (0.242424, 'All pairs come from one topic, so there is no interval over topics.')
    """
    check_confidence(confidence)
    counted = count_assessor_pairs(judgments, first=first, second=second, matched=matched)
    if counted.refusal:
        raise LabelSetError(counted.refusal)
    if counted.sides is None:
        overall = score_many(counted, confidence)
    else:
        overall = score_sides(counted.by_judgment, counted.levels, confidence)
    return Agreement(
        levels=counted.levels,
        sides=counted.sides,
        topics=len(counted.topics),
        pairs=int(counted.pairs.sum()),
        documents=counted.documents,
        counts=counted.by_judgment.sum(axis=0),
        coefficients=overall.describe(0),
        confidence=confidence,
        findings=counted.findings,
        by_assessors=counted,
        pair_scores=score_assessor_pairs(counted, confidence),
    )
