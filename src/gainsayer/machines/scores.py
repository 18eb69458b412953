"""Scores of runs that people would have given, measure by measure, beside people's alone and the machine's alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from gainsayer.comparison.fixed_tests import PairTests, SignFlips, adjust_p, list_pairs
from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.machines.composite import Composite, combine_scores
from gainsayer.machines.document_gains import SUMS, DocumentGains, rank_weights, score_documents
from gainsayer.machines.favour import Flattery, find_flags, find_flattery
from gainsayer.machines.ideal import expected_ideal, fit_shift
from gainsayer.machines.prediction import Prediction
from gainsayer.machines.rectified import (
    FEW_TOPICS,
    FEWEST_TOPICS,
    Estimate,
    Saving,
    Target,
    TopicScores,
    estimate_people_alone,
    estimate_scores,
    find_savings,
    weigh_topics,
    whole_topics,
)
from gainsayer.machines.sample import BoolArray, Sample
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.family import GAIN_PARAMETERS
from gainsayer.measures.scoring import MUCH_UNJUDGED
from gainsayer.rankings.documents import RankedDocuments
from gainsayer.rankings.pool import DocumentPool
from gainsayer.rankings.ranked_levels import FloatArray, IntArray
from gainsayer.text import option

MOST_LACKING = 0.02
HEAVY_WEIGHT = 50.0
HEAVY_SHARE = 0.05
_PAIRS = 4096


@dataclass(frozen=True, eq=False)
class Step:
    """A step of people's gains: so much more for documents that satisfy at least so far, and the gains predicted of it.

    Binary gains have one step of height 1; graded ones one per distinct gain. The ideal list needs them.
    """

    height: float
    sample: Sample
    gain: FloatArray


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of the documents that runs are scored by.

    Args:
        pool: the documents the machine graded.
        sample: what people said of some.
        prediction: what the machine's grades foretell.
        steps: of people's gains.
        raw: the machine's grades taken as the truth: 1 where the grade is relevant (the share, with several).
        own: the machine's grades as numbers from 0 to 1, for how far runs rank as it does.
    """

    pool: DocumentPool
    sample: Sample
    prediction: Prediction
    steps: tuple[Step, ...]
    raw: DocumentGains
    own: DocumentGains

    @cached_property
    def predicted(self) -> DocumentGains:
        """What each document is worth by the machine's word."""
        return DocumentGains(self.pool, self.prediction.gain)


@dataclass(frozen=True, eq=False)
class RectifiedScores:
    """What a measure gives the runs.

    Args:
        measure: which one.
        topics: what it is made of, topic by topic.
        estimate: what people would have given.
        alone: what the same labels give without the machine.
        raw: the machine's grades taken as the truth; shape [runs].
        predicted: with predicted gains; shape [runs].
        favour: which runs the machine overrates; None with one run.
        flags: per run what speaks against ranking it by the machine.
        composite: the best guess of the order; None with fewer than eight runs.
        savings: what the machine was good for.
        ideal_by_machine: whether the ideal list is the machine's estimate.
        findings: what a reader should know.
    """

    measure: Measure
    topics: TopicScores
    estimate: Estimate
    alone: Estimate
    raw: FloatArray
    predicted: FloatArray
    favour: Flattery | None
    flags: tuple[tuple[str, ...], ...]
    composite: Composite | None
    savings: tuple[Saving, ...]
    ideal_by_machine: bool
    findings: tuple[Finding, ...]

    @property
    def method(self) -> str:
        """How the scores were made, in words."""
        return f"rectified, {self.topics.design}{', ideal by machine' if self.ideal_by_machine else ''}"

    @property
    def flattery(self) -> FloatArray:
        """f - theta: by how much the score with predicted gains lies above people's; shape [runs]."""
        return np.asarray(self.predicted - self.estimate.score)


def score_rectified(
    runs: Sequence[RankedDocuments],
    measure: Measure,
    evidence: Evidence,
    own: FloatArray,
    *,
    target: Target = "population",
    reranked: Sequence[int] = (),
    confidence: float = 0.95,
    flips: int = 10_000,
    seed: int = 0,
) -> RectifiedScores:
    """Score runs as people would have, from a machine's grades of all documents and people's labels of some.

    Args:
        runs: matched with the pool.
        measure: sums over documents (NumRel, CG, P, DCG, RBP) and nDCG; with whole topics judged, any measure.
        evidence: what is known of the documents.
        own: nDCG of each run by the machine's own grades, `rank_like_judge`; shape [runs].
        target: scores for topics like these, or for these topics.
        reranked: places of runs that are known to rank by the judge's word. Runs that are favoured, or said to be,
            neither make the line of the composite nor are drawn to it.
        confidence: of the intervals about favoured runs.
        flips: sign patterns for these.
        seed: of the sign flips.

    Raises:
        CallError: the measure cannot be rectified at all.
        DataError: the measure needs whole topics; too few topics; people left out too many documents.
    """
    topics, ideal = score_topics(runs, measure, evidence)
    sample = evidence.sample
    estimate = estimate_scores(topics, target)
    raw = np.array([score_documents(run, evidence.raw, measure).mean() for run in runs])
    favour = find_flattery(topics, confidence=confidence, flips=flips, seed=seed) if len(runs) > 1 else None
    flags = find_flags(favour, own, reranked)
    apart = np.array([bool(flag) for flag in flags])
    findings = [
        *_find_few(sample),
        *_find_unpooled(runs, measure),
        *_find_heavy(runs, measure, sample, evidence.prediction.gain),
    ]
    if ideal:
        said = f"{measure}: the ideal list is the machine's estimate; it is the same for all runs."
        findings.append(Finding("ideal-by-machine", said))
    return RectifiedScores(
        measure=measure,
        topics=topics,
        estimate=estimate,
        alone=estimate_people_alone(topics, target),
        raw=raw,
        predicted=topics.predicted.mean(axis=1),
        favour=favour,
        flags=flags,
        # The machine's scores are of these topics, too: what topics do to both is no distance between them.
        composite=combine_scores(estimate.score, estimate_scores(topics, "these").covariance, raw, apart),
        savings=find_savings(topics, target),
        ideal_by_machine=ideal,
        findings=tuple(findings),
    )


def score_topics(runs: Sequence[RankedDocuments], measure: Measure, evidence: Evidence) -> tuple[TopicScores, bool]:
    """The measure on each topic by people and by prediction, and whether the ideal list is the machine's estimate."""
    family, sample, gain = measure.family, evidence.sample, evidence.prediction.gain
    if family.needs in ("binary", "nothing") or measure.users is not None:
        raise CallError(f"{measure} is not made of gains, so a machine's grades cannot be put into it. Try nDCG@10.")
    if set(measure.given) & {"rel", "judged_only", *GAIN_PARAMETERS}:
        raise CallError(
            f"{measure} says itself what is relevant, or what a level is worth. Here people's threshold or gains say "
            "it, for every measure alike."
        )
    whole = sample.design == "topics"
    if whole and sample.seen_topics < FEWEST_TOPICS:
        raise DataError(
            f"People judged {sample.seen_topics} whole topics; at least {FEWEST_TOPICS} are needed for an error over "
            "topics. The same labels, spread over documents of all topics by known chances, would say far more."
        )
    if family.name in SUMS or (family.name == "nDCG" and not whole):
        weights = rank_weights(tuple(runs), measure)
        if whole:
            _refuse_holes(sample, np.asarray(weights.any(axis=0)), measure)
        if family.name == "nDCG":
            weights = weights / _ideal(measure, evidence)[sample.topic]
        return weigh_topics(sample, gain, weights), family.name == "nDCG"
    if not whole:
        raise DataError(
            f"{measure} needs whole topics: it depends on how many documents of a topic are relevant, which documents "
            "drawn at random do not tell well enough for an interval. Ask for nDCG, DCG, P, NumRel or RBP, or have "
            "all documents of some topics judged."
        )
    _refuse_holes(sample, np.ones(len(sample.topic), np.bool_), measure)
    told = DocumentGains(evidence.pool, np.where(sample.judged, sample.told, gain))
    people = np.stack([score_documents(run, told, measure)[sample.seen] for run in runs])
    predicted = np.stack([score_documents(run, evidence.predicted, measure) for run in runs])
    return whole_topics(people, predicted, sample), False


def compare_differences(
    scores: RectifiedScores, *, baseline: int | None = None, flips: int = 10_000, seed: int = 0
) -> PairTests:
    """Tests of all pairs of runs (or all with the baseline): p by t (or normal), with the interval's own error.

    Documents drawn in all topics, for topics like these: adjusted by maxT, signs of the topics' rectified scores
    flipped, in a single step for all pairs. Else by Holm.
    """
    estimate, topics = scores.estimate, scores.topics
    a, b = list_pairs(len(estimate.score), baseline)
    difference, error = estimate.score[a] - estimate.score[b], estimate.difference_error(a, b)
    t = np.divide(difference, error, out=np.zeros_like(error), where=error > 0)
    p = 2 * (
        scipy.special.ndtr(-np.abs(t))
        if np.isinf(estimate.freedom)
        else scipy.special.stdtr(estimate.freedom, -np.abs(t))
    )
    flipped = topics.design == "documents" and estimate.target == "population" and len(a) > 1
    tried = None
    if flipped:
        signs = SignFlips(topics.seen_topics, len(a), flips=flips, seed=seed)
        for start in range(0, len(a), _PAIRS):
            part = slice(start, start + _PAIRS)
            apart = topics.people[a[part]] - topics.people[b[part]]
            signs.add(apart.T, np.where(error[part] > 0, np.sqrt((apart**2).sum(axis=1)), 0.0))
        largest = signs.finish()
        adjusted, tried = largest.adjust(p), largest.patterns
    else:
        adjusted = adjust_p(p, "holm")
    return PairTests(
        a=a,
        b=b,
        difference=difference,
        p=p,
        p_adjusted=adjusted,
        effect=np.full(len(a), np.nan),
        test="normal" if np.isinf(estimate.freedom) else "t",
        adjustment="maxt" if flipped else "holm",
        permutations=tried,
    )


def _ideal(measure: Measure, evidence: Evidence) -> FloatArray:
    """The expected ideal of each topic, over the steps of people's gains."""
    parts = measure.linear
    assert parts is not None
    total = np.zeros(evidence.sample.topics)
    for step in evidence.steps:
        sigma = fit_shift(step.sample, step.gain).sigma
        total += step.height * expected_ideal(step.sample, step.gain, sigma, discount=parts.discount, depth=parts.depth)
    return total


def _refuse_holes(sample: Sample, needed: BoolArray, measure: Measure) -> None:
    """Whole topics must be whole: at most 2 % of the documents that count may lack people's label."""
    inside = needed & sample.seen[sample.topic]
    asked = sample.total(inside.astype(np.float64))
    lacking = sample.total((inside & ~sample.judged).astype(np.float64))
    share = np.divide(lacking, asked, out=np.zeros_like(asked), where=asked > 0)
    if (share > MOST_LACKING).any():
        raise DataError(
            f"{measure}: in {int((share > MOST_LACKING).sum()):,} of {sample.seen_topics:,} topics people left out "
            f"more than {MOST_LACKING:.0%} of the documents that count (up to {share.max():.0%}), so these are not "
            "whole topics. Give the probability with which each document was chosen, or "
            f"{option('sampled', 'observed')}."
        )


def _find_few(sample: Sample) -> list[Finding]:
    if sample.seen_topics >= FEW_TOPICS:
        return []
    return [Finding("few-topics", f"Errors over topics rest on {sample.seen_topics} topics that people judged.")]


def _find_unpooled(runs: Sequence[RankedDocuments], measure: Measure) -> list[Finding]:
    """A finding where many of the documents that count were graded by no machine: they are worth nothing here."""
    if measure.depth is None:
        return []
    shares = []
    for run in runs:
        length = int(np.minimum(run.retrieved, measure.depth).sum())
        shares.append(1 - int((run.rank <= measure.depth).sum()) / max(length, 1))
    worst = int(np.argmax(shares))
    if shares[worst] <= MUCH_UNJUDGED:
        return []
    many = sum(share > MUCH_UNJUDGED for share in shares)
    said = (
        f"{measure}: in {many} of {len(runs)} runs more than {MUCH_UNJUDGED:.0%} of the documents were graded by no "
        f"machine, up to {shares[worst]:.1%} ({runs[worst].name}). They count as worth nothing; have them graded."
    )
    return [Finding("unjudged-documents", said)]


def _find_heavy(runs: Sequence[RankedDocuments], measure: Measure, sample: Sample, gain: FloatArray) -> list[Finding]:
    """A finding where a label stands for more than 50 documents, or carries more than 5 % of a run's variance."""
    if sample.design == "topics":
        return []
    weights = rank_weights(tuple(runs), measure)
    counts = sample.judged & weights.any(axis=0)
    heaviest = float(sample.weight[counts].max(initial=0.0))
    pi = sample.probability[counts]
    parts = weights[:, counts] ** 2 * (1 - pi) / pi**2 * (sample.told - gain)[counts] ** 2
    total = parts.sum(axis=1)
    largest = np.divide(parts.max(axis=1, initial=0.0), total, out=np.zeros(len(total)), where=total > 0)
    if heaviest <= HEAVY_WEIGHT and largest.max(initial=0.0) <= HEAVY_SHARE:
        return []
    said = (
        f"{measure}: one label stands for up to {heaviest:.0f} documents, and carries up to {largest.max():.0%} of a "
        "run's variance. Intervals then hang on single labels; draw more documents where the runs differ."
    )
    return [Finding("heavy-weights", said)]


def place_order(values: FloatArray) -> IntArray:
    """The rank of each run, 1 for the highest value; equal ones share the better rank.

    >>> place_order(np.array([0.2, 0.5, 0.5])).tolist()
    [3, 1, 1]
    """
    return np.asarray(1 + (values[None, :] > values[:, None]).sum(axis=1), dtype=np.int64)
