"""`machine`: a machine judge next to people. Which documents to judge, is it to be trusted, what people would score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gainsayer.commands.machine_input import read_properties
from gainsayer.commands.machine_requests import (
    CheckRequest,
    Families,
    GainsRequest,
    RectifiedRequest,
    SampleRequest,
)
from gainsayer.commands.machine_results import CheckTable, GainTable, SampleTable
from gainsayer.commands.machine_scores import MeasureScores, RectifiedTable
from gainsayer.commands.requests import arguments, take_measures
from gainsayer.errors import CallError, DataError
from gainsayer.judgments.side_files import read_topic_table
from gainsayer.lines.opening import FilePath
from gainsayer.machines.check import NOT_MEASURED, check_machine, judge_machine
from gainsayer.machines.document_gains import DocumentGains, rank_weights, score_documents
from gainsayer.machines.drawing import choose_probabilities, draw_documents, guess_gains
from gainsayer.machines.favour import rank_like_judge
from gainsayer.machines.scores import compare_differences, score_rectified
from gainsayer.text import option

__all__ = ["check", "gains", "sample", "score"]

USUAL = "nDCG@10"
CHECKED_BY = "DCG@10"


@arguments(SampleRequest)
def sample(asked: SampleRequest) -> SampleTable:
    """Draw documents for people to judge: those that move scores, and of which the machine's word is least sure.

    Every document has a chance of its own, which is written beside it and must come back with the label: without it
    nobody can say what the documents stand for that were not judged. The machine's grade is not shown. Documents are
    drawn in every topic: six times fewer labels than whole topics for the same error, on a large collection. How many
    are drawn is left to chance, too: `labels` are expected.

    Raises:
        CallError: a measure is no sum over documents, or fewer than one label is asked for.

    >>> machine = {f"q{t}": {f"d{d}": (t + d) % 3 for d in range(20)} for t in range(10)}
    >>> run = {f"q{t}": {f"d{d}": -d for d in range(20)} for t in range(10)}
    >>> drawn = sample(machine, run, measures="DCG@5", labels=40, seed=1)
    >>> round(float(drawn.probability.sum()), 6), drawn.rows().height, float(drawn.probability.min()) >= 0.02
    (40.0, 37, True)
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
        raise DataError(f"{NOT_MEASURED.text} Give people's labels of some documents: {option('people')}.")
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
    reranked = _indices_of(asked.reranked_by_judge, names)
    own = rank_like_judge(runs, DocumentGains(material.pool, material.own))
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
    baseline = None if asked.baseline is None else _indices_of(asked.baseline, names)[0]
    reranked = _indices_of(asked.reranked_by_judge, names)
    measures = take_measures(asked.measures, USUAL)
    findings = list(material.findings)
    own = rank_like_judge(runs, DocumentGains(material.pool, material.own))
    parts: list[MeasureScores] = []
    verdict = NOT_MEASURED
    evidence = None if material.sample is None else material.evidence(asked.seed)
    for measure in measures:
        if evidence is None:
            raw = None if material.raw is None else DocumentGains(material.pool, material.raw)
            alone = None if raw is None else np.array([score_documents(run, raw, measure).mean() for run in runs])
            parts.append(MeasureScores(measure, alone))
            continue
        scores = score_rectified(
            runs,
            measure,
            evidence,
            own,
            target=asked.target,
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


def _indices_of(given: str | Sequence[str], names: Sequence[str]) -> list[int]:
    """The indices of runs that are named."""
    wanted = [given] if isinstance(given, str) else list(given)
    unknown = [name for name in wanted if name not in names]
    if unknown:
        raise CallError(f"There is no run {unknown[0]!r}: the runs are {', '.join(names)}.")
    return [names.index(name) for name in wanted]


def _families(given: Families | None, names: Sequence[str]) -> dict[str, list[int]]:
    """Families of runs, and the indices of their members."""
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
