"""`machine`: a machine judge next to people. Which documents to judge, is it to be trusted, what people would score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from gainsayer.commands.chances import SampledInput
from gainsayer.commands.machine_input import (
    EffectInput,
    MachineInput,
    MachineRequest,
    PeopleInput,
    read_material,
    read_properties,
)
from gainsayer.commands.machine_results import CheckTable, GainTable, SampleTable
from gainsayer.commands.machine_scores import MeasureScores, RectifiedTable
from gainsayer.commands.ranked_runs import Policies, Progress, RunInput
from gainsayer.commands.setup import MeasureInput, take_measures
from gainsayer.errors import CallError, DataError
from gainsayer.judgments.side_files import read_topic_table
from gainsayer.lines.opening import FilePath
from gainsayer.machines.check import NOT_MEASURED, check_machine, judge_machine
from gainsayer.machines.document_gains import DocumentGains, rank_weights, score_documents
from gainsayer.machines.drawing import choose_probabilities, draw_documents, guess_gains
from gainsayer.machines.favour import rank_like_judge
from gainsayer.machines.rectified import Target
from gainsayer.machines.sample import Design
from gainsayer.machines.scores import compare_differences, score_rectified
from gainsayer.measures.catalogue import Measure
from gainsayer.rankings.duplicates import Duplicates
from gainsayer.rankings.ranking import Ties
from gainsayer.text import option

__all__ = ["check", "gains", "sample", "score"]

Families: TypeAlias = FilePath | Mapping[str, str]
USUAL = "nDCG@10"
CHECKED_BY = "DCG@10"


def sample(
    machine: MachineInput,
    runs: RunInput,
    *,
    measures: MeasureInput | None = None,
    labels: int = 1_000,
    people: PeopleInput = None,
    sampled: SampledInput | None = None,
    design: Design | None = None,
    threshold: object | None = None,
    relevant: Sequence[object] | None = None,
    gain: Mapping[str, float] | None = None,
    tuned_topics: FilePath | Sequence[str] | None = None,
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> SampleTable:
    """Draw documents for people to judge: those that move scores, and of which the machine's word is least sure.

    Every document has a chance of its own, which is written beside it and must come back with the label: without it
    nobody can say what the documents stand for that were not judged. The machine's grade is not shown. Documents are
    drawn in every topic: six times fewer labels than whole topics for the same error, on a large collection. How many
    are drawn is left to chance, too: `labels` are expected.

    Args:
        machine: the machine's grades: a file, a data frame, a dict, {name: file}, or several machines;
            judgments of one machine on one document are repeated calls. A column `confidence`, how sure it is
            that the document is relevant, is what is learned from in place of the grades.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measures: by which the runs will be scored; sums over documents and nDCG.
        labels: how many documents people can judge; the number drawn varies around it.
        people: labels that are there already, from which the worth of the grades is learned; by default it is
            guessed.
        sampled: the chances, where the labels lack them: a file or table of topic, document and probability,
            such as the one that `sample` wrote; or `observed`, the share judged of each grade.
        design: what was drawn: `topics`, `documents` (of all topics), or `two-stage` (documents of some
            topics); by default what the labels look like.
        threshold: people are satisfied with this level (by name or number) or a higher one; by default the top
            level.
        relevant: people are satisfied with these levels.
        gain: level to gain from 0 to 1, where satisfaction has degrees; instead of a threshold.
        tuned_topics: topics, or a file of them, whose labels the machine was tuned on; they are left out.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

    Raises:
        CallError: a measure is no sum over documents, or fewer than one label is asked for.

    >>> machine = {f"q{t}": {f"d{d}": (t + d) % 3 for d in range(20)} for t in range(10)}
    >>> run = {f"q{t}": {f"d{d}": -d for d in range(20)} for t in range(10)}
    >>> drawn = sample(machine, run, measures="DCG@5", labels=40, seed=1)
    >>> round(float(drawn.probability.sum()), 6), drawn.rows().height, float(drawn.probability.min()) >= 0.02
    (40.0, 37, True)
    """
    options = dict(locals())
    request = MachineRequest(
        machine=machine,
        runs=runs,
        people=people,
        sampled=sampled,
        design=design,
        threshold=threshold,
        relevant=relevant,
        gain=gain,
        tuned_topics=tuned_topics,
        policies=Policies(ties=ties, duplicates=duplicates),
        progress=progress,
    )
    material = read_material(request)
    wanted = take_measures(measures, USUAL)
    parts = [rank_weights(material.runs, measure) for measure in wanted]
    weights = np.concatenate([part / max(float(np.sqrt((part**2).mean())), 1e-300) for part in parts])
    first = material.opinions[0]
    worth = guess_gains(np.maximum(first.grade, 0), len(first.names))
    if material.sample is not None:
        worth = material.evidence(seed).prediction.gain
    probability = choose_probabilities(weights, np.clip(worth, 0.02, 0.98), labels)
    return SampleTable(
        pool=material.pool,
        probability=probability,
        drawn=draw_documents(probability, seed),
        seed=seed,
        findings=material.findings,
        provenance=request.record(options, seed, *material.files),
    )


def gains(
    machine: MachineInput,
    *,
    people: PeopleInput = None,
    sampled: SampledInput | None = None,
    design: Design | None = None,
    threshold: object | None = None,
    relevant: Sequence[object] | None = None,
    gain: Mapping[str, float] | None = None,
    tuned_topics: FilePath | Sequence[str] | None = None,
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> GainTable:
    """Predicted gains: how likely a person is to be satisfied with each document, given what machines said of it.

    Learned on other topics, always. Rectified gains are not to be had: they are right in sums alone, and whoever sorts
    them sorts by luck.

    Args:
        machine: the machine's grades: a file, a data frame, a dict, {name: file}, or several machines;
            judgments of one machine on one document are repeated calls. A column `confidence`, how sure it is
            that the document is relevant, is what is learned from in place of the grades.
        people: people's labels: a file, data frame or dict; a column `probability` (or `weight`, one over it)
            says with which chance each document was chosen. Without it, all documents of some topics.
        sampled: the chances, where the labels lack them: a file or table of topic, document and probability,
            such as the one that `sample` wrote; or `observed`, the share judged of each grade.
        design: what was drawn: `topics`, `documents` (of all topics), or `two-stage` (documents of some
            topics); by default what the labels look like.
        threshold: people are satisfied with this level (by name or number) or a higher one; by default the top
            level.
        relevant: people are satisfied with these levels.
        gain: level to gain from 0 to 1, where satisfaction has degrees; instead of a threshold.
        tuned_topics: topics, or a file of them, whose labels the machine was tuned on; they are left out.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

    Raises:
        DataError: no person judged a document.

    >>> machine = {f"q{t}": {f"d{d}": d % 2 for d in range(4)} for t in range(6)}
    >>> people = {f"q{t}": {f"d{d}": (d % 2) * (t % 3 > 0) for d in range(4)} for t in range(6)}
    >>> found = gains(machine, people=people, threshold=1)
    >>> sorted({round(gain, 2) for _, _, gain in found.gains.rows()})
    [0.0, 0.6, 0.8]
    """
    options = dict(locals())
    request = MachineRequest(
        machine=machine,
        people=people,
        sampled=sampled,
        design=design,
        threshold=threshold,
        relevant=relevant,
        gain=gain,
        tuned_topics=tuned_topics,
        policies=Policies(ties=ties, duplicates=duplicates),
        progress=progress,
    )
    material = read_material(request)
    if material.sample is None:
        raise DataError(f"{NOT_MEASURED.text} Give people's labels of some documents: {option('people')}.")
    evidence = material.evidence(seed)
    return GainTable(
        gains=evidence.predicted,
        prediction=evidence.prediction,
        findings=material.findings,
        provenance=request.record(options, seed),
    )


def check(
    machine: MachineInput,
    runs: RunInput,
    *,
    measure: str | Measure | None = None,
    effects: EffectInput = None,
    families: Families | None = None,
    reranked_by_judge: str | Sequence[str] = (),
    people: PeopleInput = None,
    sampled: SampledInput | None = None,
    design: Design | None = None,
    threshold: object | None = None,
    relevant: Sequence[object] | None = None,
    gain: Mapping[str, float] | None = None,
    tuned_topics: FilePath | Sequence[str] | None = None,
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> CheckTable:
    """Check a machine judge: what its grades are worth to people, for which runs, and what it may be used for.

    Without people's labels the verdict is that nobody knows, which is no error.

    Args:
        machine: the machine's grades: a file, a data frame, a dict, {name: file}, or several machines;
            judgments of one machine on one document are repeated calls. A column `confidence`, how sure it is
            that the document is relevant, is what is learned from in place of the grades.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measure: by which runs are compared; DCG@10 by default.
        effects: properties of documents that may tell more than the grade: `votes` (number of runs), `rank`
            (best rank), `metarank` (mean log rank), files of topic, document and number or group, of topic and
            stratum, or {name: {topic: {document: number}}}.
        families: the family of each run, or a file with lines of run and family.
        reranked_by_judge: runs that are known to rank by the machine's word.
        people: people's labels: a file, data frame or dict; a column `probability` (or `weight`, one over it)
            says with which chance each document was chosen. Without it, all documents of some topics.
        sampled: the chances, where the labels lack them: a file or table of topic, document and probability,
            such as the one that `sample` wrote; or `observed`, the share judged of each grade.
        design: what was drawn: `topics`, `documents` (of all topics), or `two-stage` (documents of some
            topics); by default what the labels look like.
        threshold: people are satisfied with this level (by name or number) or a higher one; by default the top
            level.
        relevant: people are satisfied with these levels.
        gain: level to gain from 0 to 1, where satisfaction has degrees; instead of a threshold.
        tuned_topics: topics, or a file of them, whose labels the machine was tuned on; they are left out.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

    >>> machine = {f"q{t}": {f"d{d}": (t + d) % 2 for d in range(8)} for t in range(12)}
    >>> runs = {"a": {f"q{t}": {f"d{d}": -d for d in range(8)} for t in range(12)},
    ...         "b": {f"q{t}": {f"d{d}": d for d in range(8)} for t in range(12)}}
    >>> check(machine, runs).verdict.code
    'not-measured'
    >>> check(machine, runs, people=machine, threshold=1, measure="DCG@3").verdict.code
    'orders'
    """
    options = dict(locals())
    request = MachineRequest(
        machine=machine,
        runs=runs,
        people=people,
        sampled=sampled,
        design=design,
        threshold=threshold,
        relevant=relevant,
        gain=gain,
        tuned_topics=tuned_topics,
        policies=Policies(ties=ties, duplicates=duplicates),
        progress=progress,
    )
    material = read_material(request)
    ranked = material.runs
    names = tuple(run.name for run in ranked)
    by = take_measures(measure, CHECKED_BY)[0]
    reranked = _indices_of(reranked_by_judge, names)
    own = rank_like_judge(ranked, DocumentGains(material.pool, material.own))
    provenance = request.record(options, seed, *material.files)
    if material.sample is None:
        return CheckTable(NOT_MEASURED, names, own, material, findings=material.findings, provenance=provenance)
    evidence = material.evidence(seed)
    found = check_machine(
        ranked,
        evidence,
        by,
        properties=read_properties(effects, material, by.depth),
        families=_families(families, names),
        reranked=reranked,
        seed=seed,
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


def score(
    machine: MachineInput,
    runs: RunInput,
    *,
    measures: MeasureInput | None = None,
    target: Target = "population",
    baseline: str | None = None,
    pairwise: bool = False,
    reranked_by_judge: str | Sequence[str] = (),
    confidence: float = 0.95,
    permutations: int = 10_000,
    people: PeopleInput = None,
    sampled: SampledInput | None = None,
    design: Design | None = None,
    threshold: object | None = None,
    relevant: Sequence[object] | None = None,
    gain: Mapping[str, float] | None = None,
    tuned_topics: FilePath | Sequence[str] | None = None,
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> RectifiedTable:
    """Score runs as people would have, from a machine's grades of all documents and people's labels of some.

    A poor machine costs precision, never truth: where people were asked, the error of its prediction is seen, and
    stands for the errors that were not. Without people's labels there are the machine's scores alone, and no interval.

    Args:
        machine: the machine's grades: a file, a data frame, a dict, {name: file}, or several machines;
            judgments of one machine on one document are repeated calls. A column `confidence`, how sure it is
            that the document is relevant, is what is learned from in place of the grades.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measures: such as "DCG@10" or ["DCG@10", "nDCG@10"]; where people judged whole topics, any measure.
        target: scores for topics like these (`population`), or what judging everything would give (`these`).
        baseline: compare each run with this one.
        pairwise: compare all pairs of runs.
        reranked_by_judge: runs that are known to rank by the machine's word.
        confidence: of the intervals.
        permutations: sign flips for all pairs at once.
        people: people's labels: a file, data frame or dict; a column `probability` (or `weight`, one over it)
            says with which chance each document was chosen. Without it, all documents of some topics.
        sampled: the chances, where the labels lack them: a file or table of topic, document and probability,
            such as the one that `sample` wrote; or `observed`, the share judged of each grade.
        design: what was drawn: `topics`, `documents` (of all topics), or `two-stage` (documents of some
            topics); by default what the labels look like.
        threshold: people are satisfied with this level (by name or number) or a higher one; by default the top
            level.
        relevant: people are satisfied with these levels.
        gain: level to gain from 0 to 1, where satisfaction has degrees; instead of a threshold.
        tuned_topics: topics, or a file of them, whose labels the machine was tuned on; they are left out.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

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
    options = dict(locals())
    request = MachineRequest(
        machine=machine,
        runs=runs,
        people=people,
        sampled=sampled,
        design=design,
        threshold=threshold,
        relevant=relevant,
        gain=gain,
        tuned_topics=tuned_topics,
        policies=Policies(ties=ties, duplicates=duplicates),
        progress=progress,
    )
    material = read_material(request)
    ranked = material.runs
    names = tuple(run.name for run in ranked)
    if not 0 < confidence < 1:
        raise CallError(f"The confidence must lie between 0 and 1, found {confidence}.")
    reference = None if baseline is None else _indices_of(baseline, names)[0]
    reranked = _indices_of(reranked_by_judge, names)
    findings = list(material.findings)
    own = rank_like_judge(ranked, DocumentGains(material.pool, material.own))
    parts: list[MeasureScores] = []
    verdict = NOT_MEASURED
    evidence = None if material.sample is None else material.evidence(seed)
    for measure in take_measures(measures, USUAL):
        if evidence is None:
            raw = None if material.raw is None else DocumentGains(material.pool, material.raw)
            alone = None if raw is None else np.array([score_documents(run, raw, measure).mean() for run in ranked])
            parts.append(MeasureScores(measure, alone))
            continue
        scores = score_rectified(
            ranked,
            measure,
            evidence,
            own,
            target=target,
            reranked=reranked,
            confidence=confidence,
            flips=permutations,
            seed=seed,
        )
        tests = None
        if len(ranked) > 1 and (pairwise or reference is not None or len(ranked) == 2):
            tests = compare_differences(scores, baseline=reference, flips=permutations, seed=seed)
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
        target=target,
        confidence=confidence,
        findings=tuple(dict.fromkeys(findings)),
        provenance=request.record(options, seed, *material.files),
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
