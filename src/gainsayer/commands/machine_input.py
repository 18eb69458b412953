"""A machine's grades, people's labels and runs as a person has them, made into what `gainsayer.machines` works on."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import polars as pl

from gainsayer.commands.chances import KEY, SampledInput, find_chances, find_number_table
from gainsayer.commands.inputs import JudgmentInput, Reading, choose_relevance, take_judgments
from gainsayer.commands.provenance import Provenance, record
from gainsayer.commands.ranked_runs import MatchedRuns, Policies, Progress, RunInput, match_runs, notice_topics
from gainsayer.errors import CallError, DataError, FormatError
from gainsayer.findings import Finding
from gainsayer.judgments.side_files import read_topic_table
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels, Relevance
from gainsayer.lines.opening import FilePath, as_text, call_file, read_content
from gainsayer.machines.document_gains import DocumentGains
from gainsayer.machines.prediction import Opinions, predict, take_number
from gainsayer.machines.sample import Design, Sample
from gainsayer.machines.sample_checks import check_sample
from gainsayer.machines.scores import Evidence, Step
from gainsayer.rankings.documents import RankedDocuments
from gainsayer.rankings.pool import DocumentPool, pool_documents
from gainsayer.rankings.ranked_levels import FloatArray
from gainsayer.table import Json, number
from gainsayer.text import option

MachineInput: TypeAlias = JudgmentInput | Sequence[JudgmentInput] | Mapping[str, FilePath]
PeopleInput: TypeAlias = JudgmentInput | Sequence[JudgmentInput] | None
# Names, files, or {name: {topic: {document: number}}}.
EffectInput: TypeAlias = str | FilePath | Sequence[str] | Mapping[str, Mapping[str, Mapping[str, float]]] | None
_ABOUT_RUNS: Final = ("votes", "rank", "metarank")
_UNSAID: Final = "not said"
_UNRECORDED: Final = ("machine", "people", "sampled")  # files, which have their own place


@dataclass(frozen=True, eq=False, kw_only=True)
class MachineRequest:
    """What the functions about machines are asked for next to measures; see `machine.score` for each."""

    machine: MachineInput
    runs: RunInput | None = None
    people: PeopleInput = None
    sampled: SampledInput | None = None
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
        given = [*_listed(self.machine), *_listed(self.people), self.sampled]
        return record([*given, self.policies.duplicates, self.tuned_topics, *files], asked, seed=seed)


@dataclass(frozen=True, eq=False)
class Material:
    """What a machine and people said about a pool of documents, and the runs.

    Args:
        machine: what machines said.
        people: what people said; None where nobody did.
        pool: the documents that a machine graded.
        opinions: of each machine.
        relevance: which levels satisfy people; None where gains by hand say it.
        sample: what people said about the pool's documents; None where they said nothing.
        steps: of people's gains, each with what people said of it; empty without people.
        raw: the machines' grades taken as the truth; None where none of their grades is relevant.
        own: their grades as numbers from 0 to 1.
        matched: the runs, where there are any.
        assumed: whether the chances were guessed from shares.
        findings: what was noticed.
    """

    machine: Judgments
    people: Judgments | None
    pool: DocumentPool
    opinions: tuple[Opinions, ...]
    relevance: Relevance | None
    sample: Sample | None
    steps: tuple[tuple[float, Sample], ...]
    raw: FloatArray | None
    own: FloatArray
    matched: MatchedRuns | None
    assumed: bool
    findings: tuple[Finding, ...]

    @property
    def runs(self) -> tuple[RankedDocuments, ...]:
        """The runs, each as it met the pool."""
        assert self.matched is not None
        pool = self.pool
        return tuple(replace(run, pool=pool) for run in self.matched.runs)

    @property
    def files(self) -> tuple[str, ...]:
        """Files of the runs."""
        return () if self.matched is None else self.matched.files

    def evidence(self, seed: int = 0) -> Evidence:
        """The documents with what is predicted of them; people must have judged some."""
        assert self.sample is not None
        prediction = predict(self.sample, self.opinions, seed=seed)
        steps = tuple(
            Step(
                height,
                part,
                prediction.gain if part is self.sample else predict(part, self.opinions, seed=seed).gain,
            )
            for height, part in self.steps
        )
        raw = prediction.gain if self.raw is None else self.raw
        return Evidence(
            pool=self.pool,
            sample=self.sample,
            prediction=prediction,
            steps=steps,
            raw=DocumentGains(self.pool, raw),
            own=DocumentGains(self.pool, self.own),
        )

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
                "labels": sample.labels,
                "probabilities": "observed" if self.assumed else "known",
                "smallest": number(known.min()) if len(known) else None,
            }
        return {
            "machine": [opinions.name for opinions in self.opinions],
            "people": [] if people is None else list(people.assessors),
            "threshold": None if relevance is None else relevance.threshold,
            "relevant": [] if relevance is None else list(relevance.names),
            "design": design,
        }


def read_material(asked: MachineRequest) -> Material:
    """Read grades, labels, chances and runs, and match them.

    Raises:
        DataError: people's documents have nothing to do with the machine's, or chances are lacking.
        CallError: options do not fit.
    """
    machine = _read(asked.machine, repeats="all")
    left_out = _topics(asked.tuned_topics)
    if left_out:
        kept = np.array([name not in left_out for name in machine.topics])[machine.topic]
        if not kept.any():
            raise DataError("The machine was tuned on every topic, so none is left to check it on.")
        machine = machine.rows(kept)
    pool = pool_documents(machine)
    where = _places_of(pool)
    entry = machine.frame().select(KEY).join(where, on=KEY, how="left", maintain_order="left")["place"].to_numpy()
    opinions = _opinions(machine, entry, len(where), find_number_table(_listed(asked.machine), "confidence"), where)
    people = None if asked.people is None else _read(asked.people, levels=machine.levels, missing=("",))
    levels = machine.levels if people is None else people.levels
    if asked.gain is not None and (asked.threshold is not None or asked.relevant is not None):
        raise CallError("Gains say what satisfies people already. Give either these or a threshold.")
    relevance = None if asked.gain is not None else _relevance(levels, asked)
    matched = None
    if asked.runs is not None:
        matched = match_runs(asked.runs, machine, asked.policies, progress=asked.progress)
    values = _numbers(machine.levels)
    material = Material(
        machine=machine,
        people=people,
        pool=pool,
        opinions=opinions,
        relevance=relevance,
        sample=None,
        steps=(),
        raw=_mean(entry, _relevant_grades(machine.levels, levels, relevance, asked.gain), machine, len(where)),
        own=_mean(entry, values, machine, len(where)),  # type: ignore[arg-type]
        matched=matched,
        assumed=False,
        findings=(*machine.findings, *(() if matched is None else notice_topics(matched.runs))),
    )
    return material if people is None else _add_people(material, people, where, asked, levels)


def _add_people(
    material: Material, people: Judgments, where: pl.DataFrame, asked: MachineRequest, levels: Levels
) -> Material:
    """The material with what people said."""
    frame = people.frame().with_columns(pl.Series("code", people.level.astype(np.int64)))
    left_out = _topics(asked.tuned_topics)
    joined = frame.filter(~pl.col("topic").is_in(list(left_out))).join(where, on=KEY, how="left")
    lost = joined["place"].null_count()
    findings = list(material.findings) + list(people.findings)
    if lost == len(joined):
        raise DataError(
            "The machine graded none of the documents that people judged. Topics and documents are text: '001' is not "
            "'1'. Are these labels of the same collection?"
        )
    if lost:
        said = f"People judged {lost:,} documents that the machine did not grade; they were left out."
        findings.append(Finding("labels-outside-pool", said))
    joined = joined.filter(pl.col("place").is_not_null())
    place, code = joined["place"].to_numpy(), joined["code"].to_numpy()
    worth = _worth(levels, material.relevance, asked.gain)
    heights = np.unique(worth[worth > 0])
    if not len(heights):
        raise CallError("No level is worth anything to people. Name a threshold, or gains above 0.")
    pool = material.pool
    size, topic = len(where), pool.topic.astype(np.int64)

    def said_of(values: FloatArray) -> FloatArray:
        times = np.bincount(place, minlength=size)
        total = np.bincount(place, values[code], minlength=size)
        return np.asarray(np.divide(total, times, out=np.full(size, np.nan), where=times > 0))

    told = said_of(worth)
    grade = material.opinions[0].grade
    chances = find_chances(
        np.asarray(~np.isnan(told)),
        topic,
        grade,
        len(pool.topics),
        joined,
        where,
        asked.sampled,
        _listed(asked.people),
        asked.design,
    )
    findings += chances.findings
    grades = len(material.opinions[0].names)
    fit = np.maximum(grade, 0)
    sample = Sample(topic, fit, told, chances.probability, chances.seen, grades)
    steps = []
    for height, below in zip(heights.tolist(), [0.0, *heights.tolist()], strict=False):
        step = sample
        if len(heights) > 1 or height != 1:
            step = replace(sample, relevant=said_of((worth >= height).astype(np.float64)))
        steps.append((height - below, step))
    if sample.design != "topics" and not chances.assumed:
        findings += check_sample(sample, material.opinions[0].names, _best_ranks(material))
    return replace(
        material, sample=sample, steps=tuple(steps), assumed=chances.assumed, findings=tuple(dict.fromkeys(findings))
    )


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


def _places_of(pool: DocumentPool) -> pl.DataFrame:
    """The documents of the pool by topic and name, and the place of each."""
    topic = pl.Series("topic", pool.topics, dtype=pl.String).gather(pool.topic.astype(np.uint32))
    document = pl.Series("document", pool.document.texts(), dtype=pl.String)
    return pl.DataFrame([topic, document, pl.Series("place", np.arange(len(document)))])


def _opinions(
    machine: Judgments, entry: np.ndarray[Any, Any], size: int, sure: pl.DataFrame | None, where: pl.DataFrame
) -> tuple[Opinions, ...]:
    """What each machine said; several calls on a document become their mean, a confidence takes the grade's place."""
    found = []
    values = _numbers(machine.levels)
    if sure is not None:
        if len(machine.assessors) > 1:
            raise CallError("A confidence is one machine's: combine several machines by their grades, or give one.")
        placed = sure.join(where, on=KEY, how="inner").group_by("place").agg(pl.col("confidence").mean())
        number = np.full(size, np.nan)
        number[placed["place"].to_numpy()] = placed["confidence"].to_numpy()
        return (take_number(machine.assessors[0], number),)
    for code, name in enumerate(machine.assessors):
        rows = machine.assessor == code
        if not rows.any():
            continue
        place, level = entry[rows], machine.level[rows]
        times = np.bincount(place, minlength=size)
        if times.max() > 1:
            total = np.bincount(place, values[level], minlength=size)
            found.append(take_number(name, np.divide(total, times, out=np.full(size, np.nan), where=times > 0)))
            continue
        grade = np.full(size, -1)
        grade[place] = level
        found.append(Opinions(name, grade, machine.levels.names))
    return tuple(found)


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


def _best_ranks(material: Material) -> FloatArray | None:
    """The best rank of each document over the runs, NaN where none has it."""
    if material.matched is None:
        return None
    best = np.full(len(material.pool.document), np.inf)
    for run in material.matched.runs:
        rank = run.ranks()
        best = np.minimum(best, np.where(rank > 0, rank, np.inf))
    return np.where(np.isinf(best), np.nan, best)


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
        DataError: a file says nothing of any document.
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
        return np.log2(np.where(np.isnan(best), worst + 1, best))
    ranks = np.stack([run.ranks() for run in material.runs])
    if name == "votes":
        return np.asarray(((ranks > 0) & (ranks <= (depth or np.inf))).sum(axis=0).astype(np.float64))
    last = ranks.max(axis=1, keepdims=True)
    return np.asarray(np.log(np.where(ranks > 0, ranks, last + 1)).mean(axis=0))


def _from_file(path: FilePath, material: Material) -> dict[str, FloatArray]:
    name = os.path.splitext(os.path.basename(str(path)))[0]
    where = _places_of(material.pool)
    try:
        table = read_topic_table(path, (*KEY, "value"))
    except FormatError:
        strata = read_topic_table(path, ("topic", "stratum"))
        table = where.join(strata, on="topic", how="inner").select(*KEY, pl.col("stratum").alias("value"))
        return _from_groups(name, table, material)
    numbers = table["value"].cast(pl.Float64, strict=False)
    if numbers.null_count() == 0:
        return {name: _from_numbers(name, table.with_columns(numbers), material)}
    return _from_groups(name, table, material)


def _from_numbers(name: str, table: pl.DataFrame, material: Material) -> FloatArray:
    placed = _match(name, table, material)
    values = np.full(len(material.pool.document), float(placed["value"].to_numpy().mean()))
    values[placed["place"].to_numpy()] = placed["value"].to_numpy()
    return values


def _from_groups(name: str, table: pl.DataFrame, material: Material) -> dict[str, FloatArray]:
    placed = _match(name, table, material)
    names = sorted(set(placed["value"].to_list()))
    group = np.full(len(material.pool.document), len(names))
    group[placed["place"].to_numpy()] = np.searchsorted(names, placed["value"].to_list())
    called = tuple(names) if (group < len(names)).all() else (*names, _UNSAID)
    return {f"{name}={one}": (group == place).astype(np.float64) for place, one in enumerate(called)}


def _match(name: str, table: pl.DataFrame, material: Material) -> pl.DataFrame:
    placed = table.join(_places_of(material.pool), on=KEY, how="inner")
    if not len(placed):
        raise DataError(f"{name} says nothing of any document that the machine graded.")
    return placed
