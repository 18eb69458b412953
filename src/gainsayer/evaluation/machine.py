"""`machine`: a machine judge beside people. Which documents to judge, is it to be trusted, what people would score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gainsayer.comparison.paired_tests import PairTests
from gainsayer.display import Displayed
from gainsayer.errors import CallError, DataError
from gainsayer.evaluation.machine_inputs import (
    MachineRequest,
    MachineRuns,
    Material,
    PeopleOptions,
    read_properties,
)
from gainsayer.evaluation.provenance import Provenance
from gainsayer.evaluation.requests import MeasureInput, arguments, take_measures
from gainsayer.findings import Finding
from gainsayer.judgments.side_files import read_topic_table
from gainsayer.lines.opening import FilePath
from gainsayer.machines.check import (
    NOT_MEASURED,
    MachineCheck,
    Verdict,
    check_machine,
    judge_machine,
)
from gainsayer.machines.document_gains import DocumentGains, rank_weights, score_documents
from gainsayer.machines.drawing import choose_probabilities, draw_documents, guess_gains
from gainsayer.machines.favour import rank_like_judge
from gainsayer.machines.prediction import Prediction
from gainsayer.machines.rectified import Target
from gainsayer.machines.sample import BoolArray
from gainsayer.machines.scores import RectifiedScores, compare_differences, score_rectified
from gainsayer.measures.catalogue import Measure
from gainsayer.rankings.pool import DocumentPool
from gainsayer.rankings.ranked_levels import FloatArray

__all__ = ["check", "gains", "sample", "score"]

USUAL = "nDCG@10"
CHECKED_BY = "DCG@10"
Families: TypeAlias = FilePath | Mapping[str, str]


@dataclass(frozen=True, eq=False, kw_only=True)
class SampleOptions:
    """How many documents, and what for.

    Args:
        measures: by which the runs will be scored; sums over documents and nDCG.
        labels: how many documents people can judge; the number drawn varies around it.
    """

    measures: MeasureInput | None = None
    labels: int = 1_000


@dataclass(frozen=True, eq=False)
class SampleRequest(SampleOptions, PeopleOptions, MachineRuns):
    """What `sample` is asked for.

    Args:
        people: labels that are there already, from which the worth of the grades is learned; by default it is guessed.
    """


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckOptions:
    """What may go wrong with a machine.

    Args:
        measure: by which runs are compared; DCG@10 by default.
        effects: properties of documents that may tell more than the grade: `votes` (number of runs), `rank` (best
            rank), files of topic, document and number, or {name: {topic: {document: number}}}.
        families: the family of each run, or a file with lines of run and family.
        reranked_by_judge: runs that are known to rank by the machine's word.
    """

    measure: str | Measure | None = None
    effects: str | FilePath | Sequence[str] | Mapping[str, Mapping[str, Mapping[str, float]]] | None = None
    families: Families | None = None
    reranked_by_judge: str | Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class CheckRequest(CheckOptions, PeopleOptions, MachineRuns):
    """What `check` is asked for."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RectifiedOptions:
    """Which scores are wanted.

    Args:
        measures: such as "DCG@10" or ["DCG@10", "nDCG@10"]; where people judged whole topics, any measure.
        target: scores for topics like these (`population`), or what judging everything would give (`these`).
        tune: fit how far the machine is believed (whole topics or two stages, at least 20 topics).
        baseline: compare each run with this one.
        pairwise: compare all pairs of runs.
        reranked_by_judge: runs that are known to rank by the machine's word.
        confidence: of the intervals.
        permutations: sign flips for all pairs at once.
    """

    measures: MeasureInput | None = None
    target: Target = "population"
    tune: bool = False
    baseline: str | None = None
    pairwise: bool = False
    reranked_by_judge: str | Sequence[str] = ()
    confidence: float = 0.95
    permutations: int = 10_000


@dataclass(frozen=True, eq=False)
class RectifiedRequest(RectifiedOptions, PeopleOptions, MachineRuns):
    """What `score` is asked for."""


@dataclass(frozen=True, eq=False)
class GainsRequest(PeopleOptions, MachineRequest):
    """What `gains` is asked for."""


@dataclass(frozen=True, eq=False)
class SampleTable(Displayed):
    """Documents for people to judge, and the chance with which each was drawn.

    Args:
        pool: all documents.
        probability: of each; shape [documents].
        drawn: whether it was; shape [documents].
        seed: of the drawing, and of the order in which they stand.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    pool: DocumentPool
    probability: FloatArray
    drawn: BoolArray
    seed: int
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    def rows(self) -> list[tuple[str, str, float]]:
        """Topic, document and probability of what was drawn, shuffled; the machine's grade is not told."""
        place = np.random.default_rng([self.seed, 1]).permutation(np.flatnonzero(self.drawn))
        names = self.pool.document.rows(place).texts()
        topics = self.pool.topic[place].tolist()
        chances = self.probability[place].tolist()
        return [
            (self.pool.topics[topic], name, chance) for topic, name, chance in zip(topics, names, chances, strict=True)
        ]

    @property
    def text(self) -> str:
        """The same as lines of tab-separated values, with a header."""
        return _lines(("topic", "document", "probability"), self.rows())


@dataclass(frozen=True, eq=False)
class GainTable(Displayed):
    """Predicted gains of all documents.

    Args:
        gains: one per document.
        prediction: how they were made, and how good they are.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    gains: DocumentGains
    prediction: Prediction
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    @property
    def text(self) -> str:
        """Topic, document and gain as lines of tab-separated values, with a header."""
        return _lines(("topic", "document", "gain"), self.gains.rows())


@dataclass(frozen=True, eq=False)
class CheckTable(Displayed):
    """What is known of a machine.

    Args:
        verdict: in words; the rest is None or empty where no person judged anything.
        runs: their names.
        own: nDCG@10 of each run by the machine's own grades; shape [runs].
        check: effects, topics, runs, families, line.
        material: what was read.
        prediction: what the grades are worth.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    verdict: Verdict
    runs: tuple[str, ...]
    own: FloatArray
    material: Material
    check: MachineCheck | None = None
    prediction: Prediction | None = None
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None


@dataclass(frozen=True, eq=False)
class MeasureScores:
    """What one measure gives the runs.

    Args:
        measure: which one.
        raw: with the machine's grades taken as the truth; None where none of its grades is relevant; shape [runs].
        scores: what people would have given; None where nobody judged.
        tests: of differences, where asked for.
    """

    measure: Measure
    raw: FloatArray | None
    scores: RectifiedScores | None = None
    tests: PairTests | None = None


@dataclass(frozen=True, eq=False)
class RectifiedTable(Displayed):
    """Scores of runs that people would have given.

    Args:
        verdict: what the machine may be used for.
        runs: their names.
        parts: one per measure.
        material: what was read.
        target: topics like these, or these.
        confidence: of the intervals.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    verdict: Verdict
    runs: tuple[str, ...]
    parts: tuple[MeasureScores, ...]
    material: Material
    target: Target
    confidence: float
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None


@arguments(SampleRequest)
def sample(asked: SampleRequest) -> SampleTable:
    """Draw documents for people to judge: those that move scores, and of which the machine's word is least sure.

    Every document has a chance of its own, which is written beside it and must come back with the label: without it
    nobody can say what the documents stand for that were not judged. The machine's grade is not shown. Documents are
    drawn in every topic: six times fewer labels than whole topics for the same error, on a large collection.

    Raises:
        CallError: a measure is no sum over documents, or fewer than one label is asked for.

    >>> machine = {f"q{t}": {f"d{d}": (t + d) % 3 for d in range(20)} for t in range(10)}
    >>> run = {f"q{t}": {f"d{d}": -d for d in range(20)} for t in range(10)}
    >>> drawn = sample(machine, run, measures="DCG@5", labels=40, seed=1)
    >>> round(float(drawn.probability.sum()), 6), len(drawn.rows()), float(drawn.probability.min()) >= 0.02
    (40.0, 40, True)
    """
    material = asked.material
    measures = take_measures(asked.measures, USUAL)
    parts = [rank_weights(material.runs, measure) for measure in measures]
    weights = np.concatenate([part / max(float(np.sqrt((part**2).mean())), 1e-300) for part in parts])
    first = material.opinions[0]
    gain = guess_gains(np.maximum(first.grade, 0), len(first.names))
    if material.sample is not None:
        gain = material.evidence(asked.seed).prediction.gain
    probability = choose_probabilities(weights, np.clip(gain, 0.02, 0.98), asked.labels)
    return SampleTable(
        pool=material.pool,
        probability=probability,
        drawn=draw_documents(probability, asked.seed),
        seed=asked.seed,
        findings=material.findings,
        provenance=asked.record(*material.files),
    )


@arguments(GainsRequest)
def gains(asked: GainsRequest) -> GainTable:
    """Predicted gains: how likely a person is to be satisfied with each document, given what machines said of it.

    Learned on other topics, always. Rectified gains are not to be had: they are right in sums alone, and whoever sorts
    them sorts by luck.

    Raises:
        DataError: no person judged a document.

    >>> machine = {f"q{t}": {f"d{d}": d % 2 for d in range(4)} for t in range(6)}
    >>> people = {f"q{t}": {f"d{d}": (d % 2) * (t % 3 > 0) for d in range(4)} for t in range(6)}
    >>> found = gains(machine, people=people, threshold=1)
    >>> sorted({round(gain, 2) for _, _, gain in found.gains.rows()})
    [0.0, 0.6, 0.8]
    """
    material = asked.material
    if material.sample is None:
        raise DataError(f"{NOT_MEASURED.text} Give people's labels of some documents: people=....")
    evidence = material.evidence(asked.seed)
    return GainTable(
        gains=evidence.predicted,
        prediction=evidence.prediction,
        findings=material.findings,
        provenance=asked.record(),
    )


@arguments(CheckRequest)
def check(asked: CheckRequest) -> CheckTable:
    """Check a machine judge: what its grades are worth to people, for which runs, and what it may be used for.

    Without people's labels the verdict is that nobody knows, which is no error.

    >>> machine = {f"q{t}": {f"d{d}": (t + d) % 2 for d in range(8)} for t in range(12)}
    >>> runs = {"a": {f"q{t}": {f"d{d}": -d for d in range(8)} for t in range(12)},
    ...         "b": {f"q{t}": {f"d{d}": d for d in range(8)} for t in range(12)}}
    >>> check(machine, runs).verdict.code
    'not-measured'
    >>> check(machine, runs, people=machine, threshold=1, measure="DCG@3").verdict.code
    'orders'
    """
    material = asked.material
    runs = material.runs
    names = tuple(run.name for run in runs)
    measure = take_measures(asked.measure, CHECKED_BY)[0]
    reranked = _places_of(asked.reranked_by_judge, names)
    own = rank_like_judge(runs, DocumentGains(material.pool, material.own, "predicted"))
    provenance = asked.record(*material.files)
    if material.sample is None:
        return CheckTable(NOT_MEASURED, names, own, material, findings=material.findings, provenance=provenance)
    evidence = material.evidence(asked.seed)
    found = check_machine(
        runs,
        evidence,
        measure,
        properties=read_properties(asked.effects, material, measure.depth),
        families=_families(asked.families, names),
        reranked=reranked,
        seed=asked.seed,
    )
    return CheckTable(
        verdict=found.verdict,
        runs=names,
        own=own,
        material=material,
        check=found,
        prediction=evidence.prediction,
        findings=tuple(dict.fromkeys((*material.findings, *found.findings))),
        provenance=provenance,
    )


@arguments(RectifiedRequest)
def score(asked: RectifiedRequest) -> RectifiedTable:
    """Score runs as people would have, from a machine's grades of all documents and people's labels of some.

    A poor machine costs precision, never truth: where people were asked, the error of its prediction is seen, and
    stands for the errors that were not. Without people's labels there are the machine's scores alone, and no interval.

    Raises:
        CallError: a run is named that is not there, or options do not fit.
        DataError: people's labels do not allow what is asked for.

    >>> machine = {f"q{t}": {f"d{d}": (t + d) % 2 for d in range(8)} for t in range(12)}
    >>> people = {f"q{t}": {f"d{d}": (t + d) % 2 * (d < 6) for d in range(8)} for t in range(6)}
    >>> run = {f"q{t}": {f"d{d}": -d for d in range(8)} for t in range(12)}
    >>> table = score(machine, run, people=people, threshold=1, measures="P@4")
    >>> table.parts[0].scores.estimate.score.tolist(), table.parts[0].scores.method
    ([0.5], 'rectified, topics')
    """
    material = asked.material
    runs = material.runs
    names = tuple(run.name for run in runs)
    if not 0 < asked.confidence < 1:
        raise CallError(f"The confidence must lie between 0 and 1, found {asked.confidence}.")
    baseline = None if asked.baseline is None else _places_of(asked.baseline, names)[0]
    reranked = _places_of(asked.reranked_by_judge, names)
    measures = take_measures(asked.measures, USUAL)
    findings = list(material.findings)
    own = rank_like_judge(runs, DocumentGains(material.pool, material.own, "predicted"))
    parts: list[MeasureScores] = []
    verdict = NOT_MEASURED
    evidence = None if material.sample is None else material.evidence(asked.seed)
    for measure in measures:
        if evidence is None:
            raw = None if material.raw is None else DocumentGains(material.pool, material.raw, "predicted")
            alone = None if raw is None else np.array([score_documents(run, raw, measure).mean() for run in runs])
            parts.append(MeasureScores(measure, alone))
            continue
        scores = score_rectified(
            runs,
            measure,
            evidence,
            own,
            target=asked.target,
            tune=asked.tune,
            reranked=reranked,
            confidence=asked.confidence,
            flips=asked.permutations,
            seed=asked.seed,
        )
        tests = None
        if len(runs) > 1 and (asked.pairwise or baseline is not None or len(runs) == 2):
            tests = compare_differences(scores, baseline=baseline, flips=asked.permutations, seed=asked.seed)
        if not parts:
            verdict = judge_machine(names, evidence.prediction, own, scores)
        findings += scores.findings
        raw_scores = None if material.raw is None else scores.raw
        parts.append(MeasureScores(measure, raw_scores, scores, tests))
    return RectifiedTable(
        verdict=verdict,
        runs=names,
        parts=tuple(parts),
        material=material,
        target=asked.target,
        confidence=asked.confidence,
        findings=tuple(dict.fromkeys(findings)),
        provenance=asked.record(*material.files),
    )


def _places_of(given: str | Sequence[str], names: Sequence[str]) -> list[int]:
    """The places of runs that are named."""
    wanted = [given] if isinstance(given, str) else list(given)
    unknown = [name for name in wanted if name not in names]
    if unknown:
        raise CallError(f"There is no run {unknown[0]!r}: the runs are {', '.join(names)}.")
    return [names.index(name) for name in wanted]


def _families(given: Families | None, names: Sequence[str]) -> dict[str, list[int]]:
    """Families of runs, and the places of their members."""
    if given is None:
        return {}
    table: dict[str, str] = dict(given) if isinstance(given, Mapping) else dict(_family_rows(given))
    found: dict[str, list[int]] = {}
    for run, family in table.items():
        if run in names:
            found.setdefault(family, []).append(names.index(run))
    if not found:
        raise CallError(f"None of the runs has a family: the runs are {', '.join(names)}.")
    return found


def _family_rows(path: FilePath) -> list[tuple[str, str]]:
    return [(str(run), str(family)) for run, family in read_topic_table(path, ("run", "family")).iter_rows()]


def _lines(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in (header, *rows))
