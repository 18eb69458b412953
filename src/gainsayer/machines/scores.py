"""Scores of runs that people would have given, next to people's alone and the machine's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from gainsayer.comparison.fixed_tests import PairTests, SignFlips, adjust_p, list_pairs
from gainsayer.comparison.intervals import highest_score
from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.gains.values import linear_gains
from gainsayer.levels import Levels
from gainsayer.machines.document_gains import SUMS, DocumentGains, RankWeights, rank_weights, score_documents
from gainsayer.machines.grades import Prediction
from gainsayer.machines.ndcg import estimate_ndcg, rectify_ndcg
from gainsayer.machines.rectified import (
    FEW_LIKED,
    Estimate,
    Saving,
    Target,
    TopicScores,
    estimate_people_alone,
    estimate_scores,
    find_savings,
    refuse_unreachable,
    weigh_topics,
)
from gainsayer.machines.sample import BoolArray, Sample
from gainsayer.machines.verdict import RunEvidence, weigh_runs
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.families import GAIN_PARAMETERS
from gainsayer.measures.scores import MUCH_UNJUDGED
from gainsayer.ranking.pool import DocumentPool
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedDocuments
from gainsayer.text import option
from gainsayer.words import count_of

FEWEST_TOPICS: Final = 5
FEW_TOPICS: Final = 10
MOST_LACKING: Final = 0.02
HEAVY_WEIGHT: Final = 50.0
HEAVY_SHARE: Final = 0.05
# Where nDCG from drawn documents has an interval (machine judged well enough, sample large enough).
LEAST_SKILL: Final = 0.02
FEWEST_LABELS: Final = 100
FEWEST_PER_TOPIC: Final = 2
MUCH_MOVED: Final = 0.15
_TESTED_DEPTH: Final = 10
_PAIRS: Final = 4096
_ANY_GAINS = linear_gains(Levels(("0", "1")))


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of the documents that runs are scored by.

    Args:
        pool: the documents the machine graded.
        prediction: what the machine's grades foretell, from what people said of some.
        raw: the machine's grades taken as the truth: 1 where the grade is relevant (the share, with several).
        own: the machine's grades as numbers from 0 to 1, for how far runs rank as it does.
    """

    pool: DocumentPool
    prediction: Prediction
    raw: DocumentGains
    own: DocumentGains

    @property
    def sample(self) -> Sample:
        """What people said, with the grades that predict."""
        return self.prediction.sample

    @cached_property
    def predicted(self) -> DocumentGains:
        """What each document is worth by the machine's word."""
        return DocumentGains(self.pool, self.prediction.gain)


@dataclass(frozen=True, eq=False)
class RectifiedScores:
    """What a measure gives the runs.

    Args:
        measure: which one.
        method: how the scores were made, in words.
        estimate: what people would have given.
        by_topic: the rectified score of each seen topic; shape [runs, seen].
        raw: the machine's grades taken as the truth; shape [runs].
        predicted: with predicted gains; shape [runs].
        most: the highest score that the measure can give.
        alone: what the same labels give without the machine; None for nDCG from drawn documents.
        savings: what the machine was good for; none for nDCG from drawn documents.
        findings: what a reader should know.
        runs: what is known of the runs' scores together, by a measure that is a sum.
        unsure: why scores have no interval, in words; empty where they have.
    """

    measure: Measure
    method: str
    estimate: Estimate
    by_topic: FloatArray
    raw: FloatArray
    predicted: FloatArray
    most: float
    alone: Estimate | None
    savings: tuple[Saving, ...]
    findings: tuple[Finding, ...]
    runs: RunEvidence | None = None
    unsure: str = ""

    @property
    def value(self) -> FloatArray:
        """Scores, cut to what the measure can give; shape [runs]."""
        return np.clip(self.estimate.score, 0.0, self.most)

    def interval(self, confidence: float) -> FloatArray:
        """Of each score, cut likewise; shape [runs, 2]."""
        return np.clip(self.estimate.interval(confidence), 0.0, self.most)


def score_rectified(
    runs: Sequence[RankedDocuments], measure: Measure, evidence: Evidence, *, target: Target = "population"
) -> RectifiedScores:
    """Score runs as people would have, from a machine's grades of all documents and people's labels of some.

    Args:
        runs: matched with the pool.
        measure: sums over documents (NumRel, CG, P, DCG, RBP) and nDCG; with whole topics judged, any measure.
        evidence: what is known of the documents.
        target: scores for topics like these, or for these topics.

    Raises:
        CallError: the measure cannot be rectified at all.
        DataError: the measure needs whole topics; too few topics; people left out too many documents; what is found
            lies beyond what the measure can give.
    """
    _refuse_measure(measure)
    sample = evidence.sample
    if sample.design == "topics" and sample.seen_topics < FEWEST_TOPICS:
        raise DataError(
            f"People judged {sample.seen_topics} whole topics; at least {FEWEST_TOPICS} are needed for an error over "
            "topics. The same labels, spread over documents of all topics by known chances, would say far more."
        )
    findings = [*_find_few(sample), *_find_unpooled(runs, measure)]
    if measure.family.name in SUMS:
        weights = rank_weights(runs, measure)
        refuse_holes(sample, weights.document, measure)
        topics = weigh_topics(sample, evidence.prediction.gain, weights)
        raw = weights.sum_by_topic(sample.topic, sample.topics, evidence.raw.value[weights.document]).mean(axis=1)
        scores = _from_topics(measure, topics, raw, target)
        known = weigh_runs(topics, sample, evidence.prediction.gain, weights, raw)
        scores = replace(scores, runs=known)
        findings += [*_find_heavy(measure, sample, weights, evidence.prediction.gain), *_find_rare(sample, topics)]
    elif sample.design == "topics":
        topics = _score_whole_topics(runs, measure, evidence)
        scores = _from_topics(measure, topics, _mean_score(runs, evidence.raw, measure), target)
    elif measure.family.name == "nDCG":
        scores, noticed = _score_ndcg(runs, measure, evidence, target)
        findings += noticed
    else:
        raise DataError(
            f"{measure} needs whole topics: it depends on how many documents of a topic are relevant, which documents "
            "drawn at random do not tell well enough for an interval. Ask for nDCG, DCG, P, NumRel or RBP, or have "
            "all documents of some topics judged."
        )
    if sample.says_little and not sample.judged.all():
        why, none = f"{sample.says_little}, so errors cannot be told", np.zeros(len(runs), np.bool_)
        scores = replace(scores, estimate=replace(scores.estimate, known=none), savings=(), unsure=why)
        said = f"No interval: {why}. Have more documents judged."
        findings.append(Finding("no-error-seen", said))
    elif not scores.estimate.known.all() and not any(found.code == "no-ndcg-interval" for found in findings):
        why = f"people's labels say nothing of {_name([run.name for run in runs], ~scores.estimate.known)}"
        scores = replace(scores, unsure=why)
        said = f"{measure}: {why}, so there is no interval. Have more documents judged."
        findings.append(Finding("no-error-seen", said))
    findings += _find_beyond([run.name for run in runs], scores)
    return replace(scores, findings=tuple(findings))


def _from_topics(measure: Measure, topics: TopicScores, raw: FloatArray, target: Target) -> RectifiedScores:
    return RectifiedScores(
        measure=measure,
        method=f"rectified, {topics.design}",
        estimate=estimate_scores(topics, target),
        by_topic=topics.people,
        raw=raw,
        predicted=topics.predicted.mean(axis=1),
        most=highest_score(measure, _ANY_GAINS, estimated=True),
        alone=estimate_people_alone(topics, target),
        savings=find_savings(topics, target),
        findings=(),
    )


def _score_whole_topics(runs: Sequence[RankedDocuments], measure: Measure, evidence: Evidence) -> TopicScores:
    """A measure that is not a sum: people's on the topics they judged, by prediction on all."""
    sample = evidence.sample
    refuse_holes(sample, np.arange(len(sample.topic)), measure)
    told = DocumentGains(evidence.pool, np.where(sample.judged, sample.relevant, evidence.prediction.gain))
    people = np.stack([score_documents(run, told, measure)[sample.seen] for run in runs])
    none = np.zeros((len(runs), len(runs)))
    return TopicScores(
        people=people,
        predicted=np.stack([score_documents(run, evidence.predicted, measure) for run in runs]),
        alone=people,
        seen=sample.seen,
        noise=none,
        noise_alone=none,
        design=sample.design,
        complete=np.full(len(runs), bool(sample.judged.all())),
    )


def _score_ndcg(
    runs: Sequence[RankedDocuments], measure: Measure, evidence: Evidence, target: Target
) -> tuple[RectifiedScores, list[Finding]]:
    """nDCG from drawn documents, with an interval where one is known to hold."""
    sample, parts, weights = evidence.sample, measure.linear, rank_weights(runs, measure)
    assert parts is not None
    told = sample.relevant[sample.judged]
    if sample.design != "documents" or not np.isin(told, (0.0, 1.0)).all():
        why = "of some topics only" if sample.design != "documents" else "with more than two labels"
        more = "" if sample.design != "documents" else " (gains between 0 and 1, or people who disagree)"
        raise DataError(
            f"{measure} cannot be estimated from documents drawn {why}{more}: how good a list could be is then not "
            "known well enough. Ask for DCG, P, NumRel or RBP."
        )
    refuse_unreachable(sample, np.arange(len(sample.topic)))
    found = rectify_ndcg(weights, sample, evidence.prediction.gain, discount=parts.discount, depth=parts.depth)
    findings = []
    refused = _refuse_interval(evidence, told)
    if refused:
        said = f"{measure} has no interval here: {refused}.{'' if sample.says_little else ' DCG and P have one.'}"
        findings.append(Finding("no-ndcg-interval", said))
    else:
        said = "The ideal list is estimated from people's labels and the machine; its error is in the interval."
        if parts.depth != _TESTED_DEPTH or len(evidence.prediction.skills) > 1:
            said += " That intervals hold was tried at depth 10 with one machine; here it is not known."
        findings.append(Finding("ideal-by-machine", f"{measure}: {said}"))
    if found.moved > MUCH_MOVED and not sample.says_little:
        said = (
            f"{measure}: labels move the estimate of the ideal lists by {found.moved:.0%} of the score. There are too "
            "few labels for so few relevant documents; the score may be too high. Have more documents judged."
        )
        findings.append(Finding("ideal-moved", said))
    if sample.topics < 2:
        raise DataError("An error over topics needs at least two topics, found 1.")
    scores = RectifiedScores(
        measure=measure,
        method="rectified, documents, ideal estimated",
        estimate=replace(estimate_ndcg(found, target), known=np.full(len(runs), not refused)),
        by_topic=found.by_topic,
        raw=_mean_score(runs, evidence.raw, measure),
        predicted=_mean_score(runs, evidence.predicted, measure),
        most=highest_score(measure, _ANY_GAINS, estimated=True),
        alone=None,
        savings=(),
        findings=(),
        unsure=refused,
    )
    return scores, findings


def _refuse_interval(evidence: Evidence, told: FloatArray) -> str:
    """Why nDCG has no interval here, in words; empty where it has one."""
    sample, skill = evidence.sample, evidence.prediction.skill.value
    if sample.judged.all():
        return ""
    if not sample.all_chances_known:
        return f"the chances of documents that were not drawn are not known ({option('sample')} FILE gives them)"
    if len(told) < FEWEST_LABELS or len(told) < FEWEST_PER_TOPIC * sample.topics:
        return (
            f"{len(told)} labels on {sample.topics} topics are too few (at least {FEWEST_LABELS}, and "
            f"{FEWEST_PER_TOPIC} a topic)"
        )
    if not skill > LEAST_SKILL:
        return "the machine does not tell enough to find the ideal lists"
    return ""


def compare_differences(
    scores: RectifiedScores, sample: Sample, *, baseline: int | None = None, flips: int = 10_000, seed: int = 0
) -> PairTests:
    """Tests of all pairs of runs (or all with the baseline), with the interval's own error.

    Documents drawn in all topics, for topics like these: adjusted by maxT, signs of the topics' rectified scores
    flipped, in a single step for all pairs. Else, and where intervals allow for other people, by Holm.
    """
    estimate = scores.estimate
    a, b = list_pairs(len(estimate.score), baseline)
    p = estimate.p(a, b)
    flipped = (
        sample.design == "documents" and estimate.target == "population" and estimate.of_people is None and len(a) > 1
    )
    tried = None
    known = ~np.isnan(p)
    if flipped and known.all():
        error = estimate.error(a, b)
        signs = SignFlips(scores.by_topic.shape[1], len(a), flips=flips, seed=seed)
        for start in range(0, len(a), _PAIRS):
            part = slice(start, start + _PAIRS)
            apart = scores.by_topic[a[part]] - scores.by_topic[b[part]]
            signs.add(apart.T, np.where(error[part] > 0, np.sqrt((apart**2).sum(axis=1)), 0.0))
        largest = signs.finish()
        adjusted, tried = largest.adjust(p), largest.patterns
    else:
        adjusted = np.full(len(p), np.nan)
        adjusted[known] = adjust_p(p[known], "holm")
    return PairTests(
        a=a,
        b=b,
        difference=estimate.score[a] - estimate.score[b],
        p=p,
        p_adjusted=adjusted,
        effect=np.full(len(a), np.nan),
        test="normal" if np.isinf(estimate.freedom) else "t",
        adjustment="holm" if tried is None else "maxt",
        permutations=tried,
    )


def _mean_score(runs: Sequence[RankedDocuments], gains: DocumentGains, measure: Measure) -> FloatArray:
    return np.array([score_documents(run, gains, measure).mean() for run in runs])


def _refuse_measure(measure: Measure) -> None:
    if measure.family.needs in ("binary", "nothing") or measure.users is not None:
        raise CallError(f"{measure} is not made of gains, so a machine's grades cannot be put into it. Try nDCG@10.")
    if set(measure.given) & {"rel", "judged_only", *GAIN_PARAMETERS}:
        raise CallError(
            f"{measure} says itself what is relevant, or what a level is worth. Here people's threshold or gains say "
            "it, for every measure alike."
        )


def refuse_holes(sample: Sample, needed: IntArray, what: object) -> None:
    """Whole topics must be whole: at most 2 % of the documents that count may lack people's label."""
    if sample.design != "topics":
        return
    inside = np.zeros(len(sample.topic), np.bool_)
    inside[needed] = True
    inside &= sample.seen[sample.topic]
    asked = sample.total(inside.astype(np.float64))
    lacking = sample.total((inside & ~sample.judged).astype(np.float64))
    share = np.divide(lacking, asked, out=np.zeros_like(asked), where=asked > 0)
    if (share > MOST_LACKING).any():
        raise DataError(
            f"{what}: in {count_of(int((share > MOST_LACKING).sum()), sample.seen_topics, 'topic')} people left out "
            f"more than {MOST_LACKING:.0%} of the documents that count (up to {share.max():.0%}), so these are not "
            f"whole topics. Say with which chances documents were drawn: {option('sample')} FILE, the design that "
            f"`machine sample` wrote, or {option('sample', 'observed')}."
        )


def _find_rare(sample: Sample, topics: TopicScores) -> list[Finding]:
    """A finding where so few labels are relevant that what they show of errors is not enough."""
    if sample.design == "topics" or sample.says_little or sample.judged.all() or sample.liked >= FEW_LIKED:
        return []
    how = "are as wide as the grades lead to expect" if topics.unseen is not None else "may be too narrow"
    said = (
        f"Only {sample.liked:g} of {sample.labels:,} labels are relevant. What most errors come from was not drawn "
        f"then, so intervals {how}. Have more documents judged."
    )
    return [Finding("few-relevant", said)]


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
        f"{measure}: in {count_of(many, len(runs), 'run')} more than {MUCH_UNJUDGED:.0%} of the documents were graded "
        f"by no machine, up to {shares[worst]:.1%} ({runs[worst].name}). They count as worth nothing; have them graded."
    )
    return [Finding("unjudged-documents", said)]


def _find_heavy(measure: Measure, sample: Sample, weights: RankWeights, gain: FloatArray) -> list[Finding]:
    """A finding where a label stands for more than 50 documents, or carries more than 5 % of a run's variance."""
    if sample.design == "topics":
        return []
    counts = weights.document[sample.judged[weights.document]]
    heaviest = float(sample.weight[counts].max(initial=0.0))
    pi = sample.probability[counts]
    parts = weights.of(counts) ** 2 * ((1 - pi) / pi**2 * (sample.relevant[counts] - gain[counts]) ** 2)
    total = parts.sum(axis=1)
    largest = np.divide(parts.max(axis=1, initial=0.0), total, out=np.zeros(len(total)), where=total > 0)
    if heaviest <= HEAVY_WEIGHT and largest.max(initial=0.0) <= HEAVY_SHARE:
        return []
    weighs = [f"stands for up to {heaviest:.0f} documents"] if heaviest > HEAVY_WEIGHT else []
    if largest.max(initial=0.0) > HEAVY_SHARE:
        weighs.append(f"carries up to {largest.max():.0%} of a run's variance")
    said = (
        f"{measure}: one label {' and '.join(weighs)}. Intervals then hang on single labels; draw more documents where "
        "the runs differ."
    )
    return [Finding("heavy-weights", said)]


def _find_beyond(names: Sequence[str], scores: RectifiedScores) -> list[Finding]:
    """Findings about scores without an interval, and beyond what the measure can give.

    Raises:
        DataError: a whole interval lies beyond.
    """
    score, known, most, measure = scores.estimate.score, scores.estimate.known, scores.most, scores.measure
    out = (score < 0) | (score > most)
    if known[out].any():
        reach = scores.estimate.reach(0.95)
        lost = np.flatnonzero(known & ((score + reach < 0) | (score - reach > most)))
        if len(lost):
            at = int(lost[0])
            raise DataError(
                f"{measure} of {names[at]} would be {score[at]:.2f} [{score[at] - reach[at]:.2f}, "
                f"{score[at] + reach[at]:.2f}], but it lies between 0 and {most:.2f}. Either the chances are not those "
                f"by which documents were drawn (say what was drawn: {option('sample')} FILE, or {option('design')}), "
                "or too few labels are relevant (have more documents judged)."
            )
    findings = []
    if out.any():
        said = f"{measure}: {_name(names, out)} would score below 0 or above {most:.2f}; cut to what it can be."
        findings.append(Finding("score-cut", said))
    return findings


def _name(names: Sequence[str], which: BoolArray, most: int = 3) -> str:
    some = [name for name, one in zip(names, which.tolist(), strict=True) if one]
    return ", ".join(some[:most]) + (f" and {len(some) - most} more" if len(some) > most else "")
