"""`machine`: a machine judge next to people. Which documents to judge, is it to be trusted, what people would score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from gainsayer.commands.machine_design import (
    SampleDesign,
    SampleInput,
    describe_chances,
    round_chances,
    take_design,
)
from gainsayer.commands.machine_input import (
    EffectInput,
    MachineInput,
    MachineRequest,
    Material,
    PeopleInput,
    read_material,
    read_properties,
)
from gainsayer.commands.machine_results import CheckTable, GainTable, SampleTable
from gainsayer.commands.machine_scores import MeasureScores, RectifiedTable
from gainsayer.commands.ranked_runs import Policies, Progress, RunInput
from gainsayer.commands.setup import MeasureInput, take_measures
from gainsayer.errors import CallError, DataError
from gainsayer.machines.document_gains import SUMS, DocumentGains, rank_weights, score_documents
from gainsayer.machines.drawing import (
    add_chances,
    choose_chances,
    document_keys,
    guess_gains,
    size_documents,
    size_for_suspects,
)
from gainsayer.machines.grades import value_grades
from gainsayer.machines.properties import find_effects
from gainsayer.machines.rectified import Target, weigh_topics
from gainsayer.machines.sample import Design
from gainsayer.machines.scores import compare_differences, refuse_holes, score_rectified
from gainsayer.machines.verdict import (
    Favour,
    Order,
    Verdict,
    guess_scores,
    judge_machine,
    rank_like_judge,
    weigh_runs,
)
from gainsayer.measures.catalogue import Measure, parse_measure
from gainsayer.ranking.duplicates import Duplicates
from gainsayer.ranking.matching import Ties
from gainsayer.reading.files import FilePath
from gainsayer.reading.side_files import read_topic_table
from gainsayer.text import option

__all__ = ["check", "gains", "sample", "score"]

Families: TypeAlias = FilePath | Mapping[str, str]
USUAL = "nDCG@10"
CHECKED_BY = "DCG@10"
LABELS = 1_000
SUSPECT_LABELS = 100


def sample(
    machine: MachineInput,
    runs: RunInput,
    *,
    measures: MeasureInput | None = None,
    labels: int | None = None,
    more: int | None = None,
    suspect: str | Sequence[str] = (),
    sample: SampleInput | None = None,
    people: PeopleInput = None,
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

    Every document has a chance of its own, which the design keeps: without it nobody can say what the documents stand
    for that were not judged. People see neither chances nor grades. Documents are drawn in every topic: six times fewer
    labels than whole topics for the same error, on a large collection. How many are drawn is left to chance, too:
    `labels` are expected. Each document has a permanent key, so that more labels keep those that there are.

    Args:
        machine: the machine's grades: a file, a data frame, a dict, {name: file}, or several machines;
            judgments of one machine on one document are repeated calls. A column `confidence`, how sure it is
            that the document is relevant, is what is learned from in place of the grades.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measures: by which the runs will be scored; sums over documents and nDCG.
        labels: how many documents people can judge, 1,000 by default; of suspects, 100. The number drawn varies.
        more: so many labels more than an earlier sample has.
        suspect: runs that the machine may favour: more documents are drawn where they differ from the others. Name
            them before anybody has looked at the labels; whoever is suspected by his labels is convicted by them.
        sample: the design of the earlier sample, for `more` and `suspect`.
        people: labels that are there already, not of this sample, from which the worth of the grades is learned; by
            default it is guessed.
        design: how the documents of these labels were chosen, where no file says it.
        threshold: people are satisfied with this level (by name or number) or a higher one; by default the top
            level.
        relevant: people are satisfied with these levels.
        gain: level to gain from 0 to 1, where satisfaction has degrees; instead of a threshold.
        tuned_topics: topics, or a file of them, whose labels the machine was tuned on; they are left out.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        seed: of the keys, and of the order in which documents stand; a sample that is extended keeps its own.
        progress: called with what is being done, and the share that is done.

    Raises:
        CallError: a measure is no sum over documents, or fewer than one label is asked for.

    >>> machine = {f"q{t}": {f"d{d}": (t + d) % 3 for d in range(20)} for t in range(10)}
    >>> run = {f"q{t}": {f"d{d}": -d for d in range(20)} for t in range(10)}
    >>> drawn = sample(machine, run, measures="DCG@5", labels=40, seed=1)
    >>> round(float(drawn.probability.sum()), 6), drawn.rows().height
    (40.0, 40)
    >>> more = sample(machine, run, more=20, sample=drawn)
    >>> round(float(more.probability.sum()), 6), bool((more.probability >= drawn.probability).all())
    (60.0, True)
    """
    options = dict(locals())
    suspects = [suspect] if isinstance(suspect, str) else list(suspect)
    extended = bool(more or suspects)
    if extended and people is not None:
        raise CallError(
            "Chances must not follow the labels that they drew, so more documents are drawn by the first design alone. "
            f"Leave out {option('people')}."
        )
    if more and suspects:
        raise CallError(f"Ask for more labels or for a suspect, not both: {option('more')} or {option('suspect')}.")
    if sample is not None and people is None and not extended:
        raise CallError(
            f"What should be drawn next to this sample: {option('more', 500)} or {option('suspect', 'RUN')}?"
        )
    request = MachineRequest(
        machine=machine,
        runs=runs,
        people=people,
        sample=None if extended else sample,
        design=design,
        threshold=threshold,
        relevant=relevant,
        gain=gain,
        tuned_topics=tuned_topics,
        policies=Policies(ties=ties, duplicates=duplicates),
        progress=progress,
    )
    first = take_design(sample) if extended else None
    material = read_material(request)
    pool = material.pool
    wanted = take_measures(measures or (None if first is None else list(first.measures)), USUAL)
    topic, grade = pool.topic.astype(np.int64), material.grade
    worth = _guess_worth(material) if first is None else np.array(first.worth)
    if len(worth) != material.levels:
        raise CallError("The first sample was drawn by other grades: give the machine's grades as they were then.")
    before = np.zeros(len(pool.document)) if first is None else first.place_chances(pool, grade)
    size, inside = size_documents(material.runs, wanted, topic, grade, worth)
    if first is None:
        probability = choose_chances(size, inside, LABELS if labels is None else labels)
    elif suspects:
        at = np.array(_indices_of(suspects, [run.name for run in material.runs]))
        size = size_for_suspects(rank_weights(material.runs, _summed(wanted[0])), at, grade, worth)
        probability = add_chances(before, size, SUSPECT_LABELS if labels is None else labels)
    else:
        probability = add_chances(before, size, more or 0)
    probability = round_chances(probability)
    seed = seed if first is None else first.seed
    keys = document_keys(pool, seed)
    drawn = keys < probability
    depths = [measure.depth for measure in wanted]
    found = SampleDesign(
        kind="documents",
        seed=seed,
        measures=tuple(map(str, wanted)),
        depth=None if None in depths else max(depth for depth in depths if depth is not None),
        labels=round(float(probability.sum()), 6),
        worth=tuple(worth.tolist()),
        suspects=tuple(dict.fromkeys((*(() if first is None else first.suspects), *suspects))),
        **describe_chances(pool, grade, probability, drawn),
    )
    return SampleTable(
        pool=pool,
        probability=probability,
        drawn=drawn & (keys >= before),
        design=found,
        findings=material.findings,
        provenance=request.record(options, seed, *material.files),
    )


def _guess_worth(material: Material) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """What each grade is worth: learned from labels where there are some, else guessed; never quite 0 or 1."""
    if material.sample is not None:
        graded, _ = material.grades.grade_sample(material.sample)
        return np.clip(value_grades(graded, isotonic=material.grades.rising).value, 0.02, 0.98)
    worth = guess_gains(len(material.grades.names))
    return np.append(worth, worth.mean()) if material.levels > len(worth) else worth


def _summed(measure: Measure) -> Measure:
    """The measure itself where it is a sum over documents, else DCG to its depth."""
    if measure.family.name in SUMS:
        return measure
    return parse_measure("DCG" if measure.depth is None else f"DCG@{measure.depth}")


def gains(
    machine: MachineInput,
    *,
    people: PeopleInput = None,
    sample: SampleInput | None = None,
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
        people: people's labels: a file, data frame or dict; several people by name, where they are named.
        sample: how their documents were chosen: the design that `sample` wrote, found by itself next to people's file;
            a table of topic, document and probability; or `observed`, the share judged of each grade. A column
            `probability` of the labels (or `weight`, one over it) says it, too.
        design: what was drawn, where no file says it: `topics` (all their documents), `documents` (of all topics) or
            `two-stage` (documents of some topics).
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
        sample=sample,
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
        raise DataError(
            "Nobody knows what its grades are worth here: no person judged a document. "
            f"Give people's labels of some documents: {option('people')}."
        )
    evidence = material.evidence
    refuse_holes(evidence.sample, np.arange(len(material.pool.document)), "Gains")
    return GainTable(
        gains=evidence.predicted,
        prediction=evidence.prediction,
        findings=material.noticed,
        provenance=request.record(options, seed),
    )


def check(
    machine: MachineInput,
    runs: RunInput,
    *,
    measure: str | Measure | None = None,
    effects: EffectInput = None,
    families: Families | None = None,
    suspect: str | Sequence[str] = (),
    reranked_by_judge: str | Sequence[str] = (),
    people: PeopleInput = None,
    sample: SampleInput | None = None,
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
    """Check a machine judge: do its grades tell, does it put runs in people's order, does it favour a run?

    Each question gets yes, no or open, with what would settle it. Without people's labels nobody knows, which is no
    error. The answers are about DCG and these topics, whatever is scored.

    Args:
        machine: the machine's grades: a file, a data frame, a dict, {name: file}, or several machines;
            judgments of one machine on one document are repeated calls. A column `confidence`, how sure it is
            that the document is relevant, is what is learned from in place of the grades.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measure: its depth is that of the DCG by which runs are compared; 10 by default.
        effects: properties of documents that may tell more than the grade: `votes` (number of runs), `rank`
            (best rank), `metarank` (mean log rank), files of topic, document and number or group, of topic and
            stratum, or {name: {topic: {document: number}}}.
        families: the family of each run, or a file with lines of run and family.
        suspect: runs that the machine may favour, named before anybody looked at the labels: they are tested by
            themselves, next to those for which documents were drawn.
        reranked_by_judge: runs that are known to rank by the machine's word; the line is not fitted to them.
        people: people's labels: a file, data frame or dict; several people by name, where they are named.
        sample: how their documents were chosen: the design that `sample` wrote, found by itself next to people's file;
            a table of topic, document and probability; or `observed`, the share judged of each grade. A column
            `probability` of the labels (or `weight`, one over it) says it, too.
        design: what was drawn, where no file says it: `topics` (all their documents), `documents` (of all topics) or
            `two-stage` (documents of some topics).
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
    >>> check(machine, runs)
    CheckTable(not-measured)
    >>> check(machine, runs, people=machine, threshold=1, measure="DCG@3")
    CheckTable(worth-yes order-open favour-open)
    """
    options = dict(locals())
    request = MachineRequest(
        machine=machine,
        runs=runs,
        people=people,
        sample=sample,
        design=design,
        threshold=threshold,
        relevant=relevant,
        gain=gain,
        tuned_topics=tuned_topics,
        policies=Policies(ties=ties, duplicates=duplicates),
        progress=progress,
    )
    material = read_material(request)
    names = tuple(run.name for run in material.runs)
    by = take_measures(measure, CHECKED_BY)[0]
    verdict = examine(material, by, suspect=suspect, families=families, reranked=reranked_by_judge, seed=seed)
    properties = read_properties(effects, material, by.depth)
    measured = material.sample is not None
    evidence = material.evidence if measured else None
    return CheckTable(
        verdict=verdict,
        runs=names,
        material=material,
        prediction=None if evidence is None else evidence.prediction,
        effects=() if evidence is None else find_effects(evidence.sample, properties),
        findings=tuple(dict.fromkeys(material.noticed)),
        provenance=request.record(options, seed, *material.files),
    )


def examine(
    material: Material,
    measure: Measure,
    *,
    suspect: str | Sequence[str] = (),
    families: Families | None = None,
    reranked: str | Sequence[str] = (),
    seed: int = 0,
) -> Verdict:
    """The verdict on a machine: one and the same for `check`, `score` and the report.

    Args:
        material: grades, labels and runs.
        measure: what is scored; its depth is that of the DCG that the verdict is about.
        suspect: runs named before labels were looked at, next to those for which documents were drawn.
        families: the family of each run, or a file of them.
        reranked: runs that are known to rank by the machine's word.
        seed: of the draws.
    """
    ranked, names = material.runs, [run.name for run in material.runs]
    depth = measure.depth or 10
    dcg = parse_measure(f"DCG@{depth}")
    own = rank_like_judge(ranked, DocumentGains(material.pool, material.own))
    apart = _indices_of(reranked, names)
    named = [*(names.index(one) for one in material.suspects if one in names), *_indices_of(suspect, names)]
    groups = _families(families, names)
    if material.sample is None:
        raw = np.full(len(ranked), np.nan)
        if material.raw is not None:
            gains = DocumentGains(material.pool, material.raw)
            raw = np.array([score_documents(run, gains, dcg).mean() for run in ranked])
        return Verdict(None, Order("open"), Favour("open"), None, own, None, raw, depth)
    evidence = material.evidence
    weights = rank_weights(ranked, dcg)
    sample = evidence.sample
    refuse_holes(sample, weights.document, dcg)
    topics = weigh_topics(sample, evidence.prediction.gain, weights)
    machine = weights.sum_by_topic(sample.topic, sample.topics, evidence.raw.value[weights.document]).mean(axis=1)
    verdict = judge_machine(
        evidence.prediction,
        weigh_runs(topics, sample, evidence.prediction.gain, weights, machine),
        own,
        depth=depth,
        named=list(dict.fromkeys(named)),
        apart=apart,
        families=groups,
        seed=seed,
    )
    return replace(verdict, extendable=material.extendable)


def score(
    machine: MachineInput,
    runs: RunInput,
    *,
    measures: MeasureInput | None = None,
    target: Target = "population",
    baseline: str | None = None,
    pairwise: bool = False,
    suspect: str | Sequence[str] = (),
    reranked_by_judge: str | Sequence[str] = (),
    confidence: float = 0.95,
    permutations: int = 10_000,
    people: PeopleInput = None,
    sample: SampleInput | None = None,
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
        suspect: runs that the machine may favour, named before anybody looked at the labels.
        reranked_by_judge: runs that are known to rank by the machine's word.
        confidence: of the intervals.
        permutations: sign flips for all pairs at once.
        people: people's labels: a file, data frame or dict; several people by name, where they are named.
        sample: how their documents were chosen: the design that `sample` wrote, found by itself next to people's file;
            a table of topic, document and probability; or `observed`, the share judged of each grade. A column
            `probability` of the labels (or `weight`, one over it) says it, too.
        design: what was drawn, where no file says it: `topics` (all their documents), `documents` (of all topics) or
            `two-stage` (documents of some topics).
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
    >>> table = score(machine, run, people=people, threshold=1, measures="P@4", design="topics")
    >>> table.parts[0].scores.value.tolist(), table.parts[0].scores.method
    ([0.5], 'rectified, topics')
    """
    options = dict(locals())
    request = MachineRequest(
        machine=machine,
        runs=runs,
        people=people,
        sample=sample,
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
    findings = list(material.noticed)
    wanted = take_measures(measures, USUAL)
    verdict = examine(material, wanted[0], suspect=suspect, reranked=reranked_by_judge, seed=seed)
    parts: list[MeasureScores] = []
    for measure in wanted:
        if material.sample is None:
            raw = None if material.raw is None else DocumentGains(material.pool, material.raw)
            alone = None if raw is None else np.array([score_documents(run, raw, measure).mean() for run in ranked])
            parts.append(MeasureScores(measure, alone))
            continue
        scores = score_rectified(ranked, measure, material.evidence, target=target)
        tests = None
        if len(ranked) > 1 and (pairwise or reference is not None or len(ranked) == 2):
            tests = compare_differences(scores, material.sample, baseline=reference, flips=permutations, seed=seed)
        findings += scores.findings
        raw_scores = None if material.raw is None else scores.raw
        guess = None
        if verdict.order.answer != "no":  # then the machine's word makes no order better
            guess = verdict.guess if scores.runs is None else guess_scores(scores.runs, verdict.kept)
        parts.append(MeasureScores(measure, raw_scores, scores, tests, guess))
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
