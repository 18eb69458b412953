"""A machine's grades, people's labels and runs as a person has them, made into what `gainsayer.machines` works on."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import polars as pl

from gainsayer.commands.inputs import JudgmentInput, Reading, choose_relevance, take_judgments
from gainsayer.commands.machine_design import (
    KEY,
    SampleInput,
    find_chances,
    find_number_table,
    lists_with_design,
    place_rows,
)
from gainsayer.commands.provenance import Provenance, record
from gainsayer.commands.ranked_runs import MatchedRuns, Policies, Progress, RunInput, match_runs, notice_topics
from gainsayer.errors import CallError, DataError, FormatError, LabelSetError, PairingError
from gainsayer.findings import Finding
from gainsayer.levels import Levels, Relevance
from gainsayer.machines.document_gains import DocumentGains
from gainsayer.machines.grades import MachineGrades, find_empty_grades, predict, take_number
from gainsayer.machines.sample import BoolArray, Design, Opinions, Ranks, Sample, check_sample
from gainsayer.machines.scores import Evidence
from gainsayer.model.agreement import Coefficient, measure_agreement
from gainsayer.ranking.pool import DocumentPool, place_judgments
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedDocuments
from gainsayer.reading.faults import shorten
from gainsayer.reading.files import FilePath, as_text, call_file, read_content
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.side_files import read_topic_table
from gainsayer.table import Json, number
from gainsayer.text import option

MachineInput: TypeAlias = JudgmentInput | Sequence[JudgmentInput] | Mapping[str, FilePath]
PeopleInput: TypeAlias = JudgmentInput | Sequence[JudgmentInput] | None
# Names, files, or {name: {topic: {document: number}}}.
EffectInput: TypeAlias = str | FilePath | Sequence[str] | Mapping[str, Mapping[str, Mapping[str, float]]] | None
_ABOUT_RUNS: Final = ("votes", "rank", "metarank")
_UNSAID: Final = "not said"
_LARGEST: Final = 1e100  # a property's numbers are squared and summed
_UNRECORDED: Final = ("machine", "people", "sample")  # files, which have their own place


@dataclass(frozen=True, eq=False, kw_only=True)
class MachineRequest:
    """What the functions about machines are asked for next to measures; see `machine.score` for each."""

    machine: MachineInput
    runs: RunInput | None = None
    people: PeopleInput = None
    sample: SampleInput | None = None
    design: Design | None = None
    threshold: object | None = None
    relevant: Sequence[object] | None = None
    gain: Mapping[str, float] | None = None
    tuned_topics: FilePath | Sequence[str] | None = None
    policies: Policies
    progress: Progress | None = None

    def record(self, options: Mapping[str, object], seed: int, *files: object) -> Provenance:
        """Where a result comes from, and what was asked for."""
        asked = {name: value for name, value in options.items() if name not in _UNRECORDED}
        given = [*_listed(self.machine), *_listed(self.people), self.sample]
        return record([*given, self.policies.duplicates, self.tuned_topics, *files], asked, seed=seed)


@dataclass(frozen=True, eq=False)
class Material:
    """What a machine and people said about a pool of documents, and the runs.

    Args:
        people: what people said; None where nobody did.
        pool: the documents that a machine graded.
        grades: what predicts: a machine's grades, or the mean of several machines' or calls'.
        single: of each machine, where there are several.
        relevance: which levels satisfy people; None where gains by hand say it.
        sample: what people said about the pool's documents; None where they said nothing.
        raw: the machines' grades taken as the truth; None where none of their grades is relevant.
        own: their grades as numbers from 0 to 1.
        matched: the runs, where there are any.
        assumed: whether the chances were taken from shares.
        suspects: runs for which documents were drawn.
        extendable: whether more documents can be drawn by the same design.
        agreement: how far people agree with each other, where several judged the same documents.
        findings: what was noticed.
    """

    people: Judgments | None
    pool: DocumentPool
    grades: MachineGrades
    single: tuple[MachineGrades, ...]
    relevance: Relevance | None
    sample: Sample | None
    raw: FloatArray | None
    own: FloatArray
    matched: MatchedRuns | None
    assumed: bool = False
    suspects: tuple[str, ...] = ()
    extendable: bool = False
    agreement: Coefficient | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def machines(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(one.name for one in self.single) or (self.grades.name,)

    @property
    def grade(self) -> IntArray:
        """What predicts, by document; what was not graded has a grade of its own."""
        grade = self.grades.grade
        return np.where(grade < 0, len(self.grades.names), grade) if (grade < 0).any() else grade

    @property
    def levels(self) -> int:
        """How many grades there are, with that of what was not graded."""
        return len(self.grades.names) + int((self.grades.grade < 0).any())

    @property
    def runs(self) -> tuple[RankedDocuments, ...]:
        """The runs, each as it met the pool."""
        assert self.matched is not None
        return self.matched.runs

    @property
    def files(self) -> tuple[str, ...]:
        """Files of the runs."""
        return () if self.matched is None else self.matched.files

    @cached_property
    def evidence(self) -> Evidence:
        """The documents with what is predicted of them; people must have judged some."""
        assert self.sample is not None
        prediction = predict(self.sample, self.grades, self.single)
        return Evidence(
            pool=self.pool,
            prediction=prediction,
            raw=DocumentGains(self.pool, prediction.gain if self.raw is None else self.raw),
            own=DocumentGains(self.pool, self.own),
        )

    @property
    def noticed(self) -> tuple[Finding, ...]:
        """All that was noticed of grades and labels."""
        if self.sample is None:
            return self.findings
        prediction = self.evidence.prediction
        return (*self.findings, *find_empty_grades(prediction.values, prediction.names))

    def describe(self) -> dict[str, Json]:
        """Who judged, what is relevant, and how people's labels were drawn, as plain data."""
        sample, relevance, people = self.sample, self.relevance, self.people
        design: dict[str, Json] | None = None
        if sample is not None:
            known = sample.probability[sample.judged]
            design = {
                "kind": sample.design,
                "topics": sample.topics,
                "seen_topics": sample.seen_topics,
                "labels": sample.opinions_count,
                "documents": sample.labels,
                "people": sample.people,
                "probabilities": "observed" if self.assumed else "known",
                "smallest": number(known.min()) if len(known) else None,
            }
        return {
            "machine": list(self.machines),
            "people": [] if people is None else [people.assessors[code] for code in np.unique(people.assessor)],
            "threshold": None if relevance is None else relevance.threshold,
            "relevant": [] if relevance is None else list(relevance.names),
            "design": design,
            "agreement": None
            if self.agreement is None
            else {
                "value": number(self.agreement.value),
                "interval": None if self.agreement.interval is None else list(map(number, self.agreement.interval)),
            },
        }


def read_material(asked: MachineRequest) -> Material:
    """Read grades, labels, chances and runs, and match them.

    Raises:
        DataError: people's documents have nothing to do with the machine's, or chances are lacking.
        CallError: options do not fit.
    """
    material, levels = _read_grades(asked)  # the judgments themselves are not needed any more, and may be large
    return material if material.people is None else _add_people(material, material.people, asked, levels)


def _read_grades(asked: MachineRequest) -> tuple[Material, Levels]:
    """Everything but what people said, and the levels of their labels."""
    machine = _read(asked.machine, repeats="all")
    left_out = _topics(asked.tuned_topics)
    if left_out:
        kept = np.array([name not in left_out for name in machine.topics])[machine.topic]
        if not kept.any():
            raise DataError("The machine was tuned on every topic, so none is left to check it on.")
        machine = machine.rows(kept)
    pool, entry = place_judgments(machine)
    grades, single = _take_grades(machine, entry, pool, find_number_table(_listed(asked.machine), "confidence"))
    people = None
    if asked.people is not None:
        people = join_parts(_read(asked.people, levels=machine.levels, missing=("",)), _listed(asked.people))
    levels = machine.levels if people is None else people.levels
    if asked.gain is not None and (asked.threshold is not None or asked.relevant is not None):
        raise CallError("Gains say what satisfies people already. Give either these or a threshold.")
    relevance = None if asked.gain is not None else _relevance(levels, asked)
    matched = None
    if asked.runs is not None:
        matched = match_runs(asked.runs, machine, asked.policies, pool=pool, progress=asked.progress)
    values = _numbers(machine.levels)
    material = Material(
        people=people,
        pool=pool,
        grades=grades,
        single=single,
        relevance=relevance,
        sample=None,
        raw=_mean(entry, _relevant_grades(machine.levels, levels, relevance, asked.gain), machine, len(pool.document)),
        own=_mean(entry, values, machine, len(pool.document)),  # type: ignore[arg-type]
        matched=matched,
        findings=(*machine.findings, *(() if matched is None else notice_topics(matched.runs))),
    )
    return material, levels


def _add_people(material: Material, people: Judgments, asked: MachineRequest, levels: Levels) -> Material:
    """The material with what people said."""
    frame = people.frame().with_columns(pl.Series("code", people.level.astype(np.int64)))
    kept = frame.filter(~pl.col("topic").is_in(list(_topics(asked.tuned_topics))))
    place, joined = place_rows(material.pool, kept)
    joined = joined.with_columns(pl.Series("place", place))
    lost = len(kept) - len(joined)
    findings = list(material.findings) + list(people.findings)
    if lost == len(kept):
        raise DataError(
            "The machine graded none of the documents that people judged. Topics and documents are text: '001' is not "
            "'1'. Are these labels of the same collection?"
        )
    if lost:
        said = f"People judged {lost:,} documents that the machine did not grade; they were left out."
        findings.append(Finding("labels-outside-pool", said))
    code = joined["code"].to_numpy()
    worth = _worth(levels, material.relevance, asked.gain)
    if not worth.any():
        raise CallError("No level is worth anything to people. Name a threshold, or gains above 0.")
    pool = material.pool
    size = len(pool.document)
    times = np.bincount(place, minlength=size)
    told = np.divide(np.bincount(place, worth[code], minlength=size), times, out=np.full(size, np.nan), where=times > 0)
    chances = find_chances(
        times > 0,
        material.grade,
        pool,
        joined,
        asked.sample,
        _listed(asked.people),
        asked.design,
        _topics(asked.tuned_topics),
    )
    findings += chances.findings
    sample = Sample(
        topic=pool.topic,
        grade=material.grade,
        relevant=np.where(chances.kept, told, np.nan),
        probability=chances.probability,
        seen=chances.seen,
        grades=material.levels,
        design=chances.kind,
        opinions=_take_opinions(people, joined, worth, chances.kept),
    )
    if sample.design != "topics" and not chances.assumed:
        names = (*material.grades.names, "no grade")[: material.levels]
        findings += check_sample(sample, names, _best_ranks(material))
    return replace(
        material,
        sample=sample,
        assumed=chances.assumed,
        suspects=chances.suspects,
        extendable=chances.extendable,
        agreement=_agree(people),
        findings=tuple(dict.fromkeys(findings)),
    )


def _take_opinions(people: Judgments, joined: pl.DataFrame, worth: FloatArray, kept: BoolArray) -> Opinions | None:
    """What each of several people said; None where one name stands for all."""
    if len(np.unique(people.assessor)) < 2:
        return None
    place = joined["place"].to_numpy()
    names, person = np.unique(joined["assessor"].to_numpy(), return_inverse=True)
    counts = kept[place]
    return Opinions(
        document=place[counts].astype(np.int64),
        person=person[counts],
        satisfied=worth[joined["code"].to_numpy()][counts],
        people=tuple(map(str, names)),
    )


def _agree(people: Judgments) -> Coefficient | None:
    """How far people agree with each other; None where no two judged the same documents."""
    if len(np.unique(people.assessor)) < 2:
        return None
    try:
        return measure_agreement(people).coefficients["percent"]
    except (PairingError, LabelSetError):
        return None


def _read(
    given: object,
    *,
    repeats: Literal["error", "all"] = "error",
    levels: Levels | None = None,
    missing: tuple[str, ...] = (),
) -> Judgments:
    """Judgments from what was given, on the other side's levels where these hold all of its labels."""
    every = _listed(given)
    if len(every) == 1 and isinstance(every[0], Judgments):
        return every[0]
    reading = every[0] if len(every) == 1 and isinstance(every[0], Reading) else Reading(tuple(every))
    reading = replace(reading, repeats=repeats if reading.repeats == "error" else reading.repeats)
    reading = replace(reading, missing=(*reading.missing, *missing))
    if levels is None:
        return take_judgments(reading)
    try:  # one scale for both, where the labels fit into it, whether or not each level was used
        return take_judgments(reading, levels=levels)
    except FormatError:
        return take_judgments(reading)


def join_parts(judgments: Judgments, sources: Sequence[object]) -> Judgments:
    """The same, with files that have a design next to each as parts of one sample: their names are nobody's."""
    parts = [path.name.partition(".")[0] for path in lists_with_design(sources)]
    codes = [code for code, name in enumerate(judgments.assessors) if name in parts]
    if len(codes) < 2:
        return judgments
    return replace(judgments, assessor=np.where(np.isin(judgments.assessor, codes), codes[0], judgments.assessor))


def _listed(given: object) -> list[Any]:
    """Sources one by one; {name: file} as pairs of name and file."""
    if given is None:
        return []
    if isinstance(given, Mapping) and given and all(isinstance(value, str | os.PathLike) for value in given.values()):
        return list(given.items())
    return list(given) if isinstance(given, list) else [given]


def _topics(given: FilePath | Sequence[str] | None) -> frozenset[str]:
    if given is None:
        return frozenset()
    if isinstance(given, str | os.PathLike):
        text = as_text(read_content(given), call_file(given)).decode()
        return frozenset(text.split())
    return frozenset(map(str, given))


def _take_grades(
    machine: Judgments, entry: IntArray, pool: DocumentPool, sure: pl.DataFrame | None
) -> tuple[MachineGrades, tuple[MachineGrades, ...]]:
    """What predicts, and each machine where there are several.

    Several calls on a document become their mean, and so do several machines; a confidence takes the grade's place.
    """
    size = len(pool.document)
    if sure is not None:
        if len(machine.assessors) > 1:
            raise CallError("A confidence is one machine's: combine several machines by their grades, or give one.")
        place, placed = place_rows(pool, sure)
        times, total = np.bincount(place, minlength=size), np.bincount(place, placed["confidence"], minlength=size)
        mean = np.divide(total, times, out=np.full(size, np.nan), where=times > 0)
        return take_number(machine.assessors[0], mean), ()
    found, means = [], []
    values = machine.levels.values() if machine.levels.ordered else _numbers(machine.levels)
    used = {}
    for code, name in enumerate(machine.assessors):
        rows = machine.assessor == code
        if not rows.any():
            continue
        place, level = entry[rows], machine.level[rows]
        used[name] = (int(level.min()), int(level.max()))
        times = np.bincount(place, minlength=size)
        total = np.bincount(place, values[level], minlength=size)
        means.append(np.divide(total, times, out=np.full(size, np.nan), where=times > 0))
        if times.max() > 1:
            found.append(take_number(name, means[-1]))
        else:
            grade = np.full(size, -1)
            grade[place] = level
            found.append(MachineGrades(name, grade, machine.levels.names))
    if len(found) == 1:
        return found[0], ()
    if len(set(used.values())) > 1:
        names = machine.levels.names
        spans = "; ".join(f"{name} from {names[low]} to {names[high]}" for name, (low, high) in used.items())
        raise CallError(
            f"Machines with different grades have no mean ({spans}). Give one machine at a time, or say what grades "
            f"of one are in those of the other ({option('maps', 'NAME:1=3')})."
        )
    known = ~np.isnan(means)
    total = np.where(known, means, 0.0).sum(axis=0)
    count = known.sum(axis=0)
    mean = np.divide(total, count, out=np.full(size, np.nan), where=count > 0)
    return take_number(" + ".join(one.name for one in found), mean), tuple(found)


def _numbers(levels: Levels) -> FloatArray:
    """Levels as numbers from 0 to 1."""
    if not levels.ordered:
        raise CallError(f"A machine's grades need an order. Name the levels from low to high ({option('levels')}).")
    values = np.maximum(levels.values(), 0.0)
    return np.asarray(values / max(float(values.max()), 1e-300))


def _mean(entry: np.ndarray[Any, Any], values: FloatArray | None, machine: Judgments, size: int) -> FloatArray | None:
    """The mean over all machines and calls of what each document's grades are worth."""
    if values is None:
        return None
    times = np.bincount(entry, minlength=size)
    return np.asarray(np.bincount(entry, values[machine.level], minlength=size) / times)


def _relevance(levels: Levels, asked: MachineRequest) -> Relevance:
    if asked.threshold is not None and asked.relevant is not None:
        raise CallError("A threshold and a set of relevant levels say the same thing in two ways. Give one of them.")
    found = choose_relevance(levels, asked.threshold, asked.relevant)
    if len(found) > 1 and (asked.threshold is not None or asked.relevant is not None):
        raise CallError("A machine is checked with one threshold, or one set of relevant levels, at a time.")
    return found[0]


def _worth(levels: Levels, relevance: Relevance | None, gain: Mapping[str, float] | None) -> FloatArray:
    """What each of people's levels is worth, from 0 to 1."""
    if relevance is not None:
        return np.asarray(relevance.indicator)
    worth = np.zeros(len(levels))
    for name, value in (gain or {}).items():
        worth[levels.index(name)] = float(value)
    if not np.all((worth >= 0) & (worth <= 1)):
        raise CallError("People's gains must lie between 0 and 1.")
    return worth


def _relevant_grades(
    machine: Levels, people: Levels, relevance: Relevance | None, gain: Mapping[str, float] | None
) -> FloatArray | None:
    """What the machine's grades are worth if taken as people's; None where they share no relevant level."""
    worth = dict(zip(people.names, _worth(people, relevance, gain).tolist(), strict=True))
    if relevance is not None and relevance.threshold is not None and relevance.threshold in machine.names:
        return machine.at_or_above(relevance.threshold).indicator
    values = np.array([worth.get(name, 0.0) for name in machine.names])
    return values if values.any() else None


def _best_ranks(material: Material) -> Ranks | None:
    """The best rank of each document over the runs, NaN where none has it."""
    if material.matched is None:
        return None
    best = np.full(len(material.pool.document), np.nan, np.float32)
    for run in material.runs:
        counts = (run.entry >= 0) & ~run.later
        best[run.entry[counts]] = np.fmin(best[run.entry[counts]], run.rank[counts])
    return best


def read_properties(given: EffectInput, material: Material, depth: int | None) -> dict[str, FloatArray]:
    """Properties of the pool's documents as numbers, whose effects can be tested; a group is a number of 0 and 1.

    Args:
        given: `votes` (how many runs have it down to the depth), `rank` (log of its best rank), `metarank` (mean log
            rank over all runs, one below the last where a run lacks it); files of topic, document and a number or a
            group, or of topic and stratum; or mappings. Documents of which a file says nothing have its mean, or a
            group of their own.
        material: documents and runs.
        depth: of the measure.

    Raises:
        DataError: a file says nothing of any document, or a number is not finite or too large.
    """
    if given is None:
        return {}
    names: list[Any] = [given] if isinstance(given, str | os.PathLike) else list(given)
    found: dict[str, FloatArray] = {}
    for name in names:
        if name in _ABOUT_RUNS:
            found[name] = _from_runs(name, material, depth)
        elif isinstance(given, Mapping):
            rows = [(str(t), str(d), float(x)) for t, values in given[name].items() for d, x in values.items()]
            table = pl.DataFrame(rows, schema=["topic", "document", "value"], orient="row")
            found[str(name)] = _from_numbers(str(name), table, material)
        else:
            found |= _from_file(name, material)
    return found


def _from_runs(name: str, material: Material, depth: int | None) -> FloatArray:
    if name == "rank":
        best = _best_ranks(material)
        assert best is not None
        worst = float(np.nanmax(best)) if np.isfinite(best).any() else 1.0
        return np.log2(np.where(np.isnan(best), worst + 1, best.astype(np.float64)))
    ranks = np.stack([run.ranks() for run in material.runs])
    if name == "votes":
        return np.asarray(((ranks > 0) & (ranks <= (depth or np.inf))).sum(axis=0).astype(np.float64))
    last = ranks.max(axis=1, keepdims=True)
    return np.asarray(np.log(np.where(ranks > 0, ranks, last + 1)).mean(axis=0))


def _from_file(path: FilePath, material: Material) -> dict[str, FloatArray]:
    name, pool = os.path.splitext(os.path.basename(str(path)))[0], material.pool
    try:
        table = read_topic_table(path, (*KEY, "value"))
    except FormatError:
        strata = dict(read_topic_table(path, ("topic", "stratum")).iter_rows())
        known = np.flatnonzero(np.isin(pool.topics, list(strata))[pool.topic])
        said = [strata[pool.topics[topic]] for topic in pool.topic[known].tolist()]
        return _from_groups(name, known, said, material)
    numbers = table["value"].cast(pl.Float64, strict=False)
    if numbers.null_count() == 0:
        return {name: _from_numbers(name, table.with_columns(numbers), material)}
    place, placed = place_rows(pool, table)
    return _from_groups(name, place, placed["value"].to_list(), material)


def _from_numbers(name: str, table: pl.DataFrame, material: Material) -> FloatArray:
    odd = table.filter(~(pl.col("value").abs() <= _LARGEST) | pl.col("value").is_nan())
    if len(odd):
        topic, document, value = odd.select(*KEY, "value").row(0)
        raise DataError(
            f"{name}: expected numbers from -{_LARGEST:g} to {_LARGEST:g}, found {value:g} for document "
            f"{shorten(document)} of topic {shorten(topic)}."
        )
    place, placed = place_rows(material.pool, table)
    _refuse_none(name, place)
    values = np.full(len(material.pool.document), float(placed["value"].to_numpy().mean()))
    values[place] = placed["value"].to_numpy()
    return values


def _from_groups(name: str, place: IntArray, said: list[str], material: Material) -> dict[str, FloatArray]:
    _refuse_none(name, place)
    names = sorted(set(said))
    group = np.full(len(material.pool.document), len(names))
    group[place] = np.searchsorted(names, said)
    called = tuple(names) if (group < len(names)).all() else (*names, _UNSAID)
    return {f"{name}={one}": (group == at).astype(np.float64) for at, one in enumerate(called)}


def _refuse_none(name: str, place: IntArray) -> None:
    if not len(place):
        raise DataError(f"{name} says nothing of any document that the machine graded.")
