"""Runs as a person names them, matched with the judged documents once, and labelled as often as needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np

from gainsayer.errors import MOST_FAULTS, CallError
from gainsayer.findings import Finding
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scores import NoRelevant, TopicPolicy
from gainsayer.ranking.duplicates import Duplicates, read_duplicates
from gainsayer.ranking.matching import Ties, rank_documents
from gainsayer.ranking.pool import DocumentPool, Pool, make_pool, pool_documents
from gainsayer.ranking.ranked import RankedDocuments, RankedLevels, condense, keep_topics, label_runs
from gainsayer.ranking.whose_labels import LabelRule
from gainsayer.reading.files import FilePath, call_file
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.objects import is_named_tuples
from gainsayer.reading.run import Run
from gainsayer.reading.runs import RunSource, find_runs, name_runs, read_run
from gainsayer.reading.workers import count_threads, work_in_turn
from gainsayer.table import Json
from gainsayer.text import option
from gainsayer.words import counted

_MANY_FILES: Final = 3
_SMALL_FILE: Final = 16 << 20
_DOORS: Final = ("__arrow_c_stream__", "to_polars", "to_dict", "__next__")

Progress: TypeAlias = Callable[[str, float], None]
"""Called with what is being done and the share that is done, from 0 to 1."""
Scored: TypeAlias = Mapping[str, Mapping[str, float]]
RunInput: TypeAlias = Run | RunSource | Mapping[str, RunSource] | Sequence[Run | RunSource]


@dataclass(frozen=True)
class Policies:
    """What the judgments leave open about scoring a run; see `gainsayer measures` and the how-to page on scoring."""

    unjudged: str = "0"
    ties: Ties = "trec"
    duplicates: FilePath | Duplicates | None = None
    topics: TopicPolicy = "all"
    no_relevant: NoRelevant = "keep"

    def describe(self, relevant: Sequence[str], rule: LabelRule) -> dict[str, Json]:
        """As plain data, for outputs."""
        named = self.duplicates
        return {
            "unjudged": self.unjudged,
            "ties": self.ties,
            "topics": self.topics,
            "no_relevant": self.no_relevant,
            "duplicates": call_file(named) if isinstance(named, str | os.PathLike) else None,
            "relevant": list(relevant),
            "labels": list(rule.names),
            "label_rule": rule.kind,
        }


def make_policies(
    unjudged: str | float = "0",
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "keep",
) -> Policies:
    """The policies asked for; what an unjudged document is worth may be a number.

    >>> make_policies(0.5).unjudged
    '0.5'
    """
    if not isinstance(unjudged, str | int | float):
        raise CallError(f"What an unjudged document is worth is a number or a word, found {unjudged!r}.")
    worth = f"{unjudged:g}" if isinstance(unjudged, int | float) else unjudged
    return Policies(worth, ties, duplicates, topics, no_relevant)


@dataclass(frozen=True, eq=False)
class RankedRuns:
    """The runs as ranked levels.

    Args:
        ranked: what is scored; condensed where asked for.
        whole: the same before it was condensed.
        findings: what was noticed.
    """

    ranked: tuple[RankedLevels, ...]
    whole: tuple[RankedLevels, ...]
    findings: tuple[Finding, ...]

    def on_topics_of(self, part: Judgments) -> RankedRuns:
        """The same on the topics of a part of the judgments, such as a stratum."""
        topics = {part.topics[place] for place in np.unique(part.topic).tolist()}
        if topics.issuperset(self.ranked[0].topics):
            return self
        ranked, whole = (tuple(keep_topics(run, topics) for run in runs) for runs in (self.ranked, self.whole))
        return replace(self, ranked=ranked, whole=whole)


@dataclass(frozen=True, eq=False)
class MatchedRuns:
    """Runs that met the judged documents: every file was opened once.

    Args:
        runs: where each put the judged documents.
        files: where they came from; empty for runs in memory.
        policies: how they are ranked and labelled.
    """

    runs: tuple[RankedDocuments, ...]
    files: tuple[str, ...]
    policies: Policies

    def label(self, labels: Judgments, pool: Pool | None = None) -> RankedRuns:
        """The runs with these labels, one on each document; `pool` is what `make_pool` made of them, where it did."""
        whole = label_runs(self.runs, make_pool(labels) if pool is None else pool)
        return RankedRuns(
            ranked=tuple(condense(run) for run in whole) if self.policies.unjudged == "condense" else whole,
            whole=whole,
            findings=(
                *(found for run in self.runs for found in run.findings),
                *notice_topics(whole, self.policies.topics),
                *notice_close(self.runs),
            ),
        )


def match_runs(
    runs: RunInput,
    judgments: Judgments,
    policies: Policies,
    *,
    pool: DocumentPool | None = None,
    depth: int | None = None,
    select: Callable[[Run | RunSource], Run] | None = None,
    progress: Progress | None = None,
) -> MatchedRuns:
    """Match runs with the judged documents, whoever judged them.

    Args:
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, `Run`s, or several by name.
        judgments: who said what.
        policies: how lists are ordered, and which documents are equal.
        pool: what to match with, where it was made already; by default every judged document.
        depth: the deepest rank that anybody will look at, `find_depth`; None for all.
        select: makes a run of documents, in the right order, of a run of something else, such as resources.
        progress: called with the share of the runs that is done.
    """
    pool = pool_documents(judgments) if pool is None else pool
    groups = policies.duplicates
    if groups is not None and not isinstance(groups, Duplicates):
        groups = read_duplicates(groups, topics=pool.topics)
    named, files = _list_runs(runs)

    def match(given: tuple[Run | FilePath | Scored, str | None]) -> RankedDocuments:
        run, name = given
        ties = policies.ties
        if select is not None:
            run, ties = select(run), "trec"
        found = rank_documents(run, pool, ties=ties, duplicates=groups, depth=depth)
        return found if name is None else replace(found, name=name)

    matched: list[RankedDocuments] = []
    tell = progress or (lambda _what, _share: None)
    tell("Ranking runs", 0.0)
    for found in (work_in_turn if _are_small(files) else map)(match, iter(named)):
        matched.append(found)
        tell("Ranking runs", len(matched) / len(named))
    return MatchedRuns(name_matched(matched, files), tuple(files), policies)


def find_depth(measures: Sequence[Measure], policies: Policies) -> int | None:
    """The deepest rank that any of the measures looks at; None for all.

    All, too, where documents move up (unjudged or equal ones are left out), and for random users, to whom all unjudged
    documents of a list may matter.

    >>> from gainsayer.measures.catalogue import parse_measure
    >>> find_depth([parse_measure("nDCG@10"), parse_measure("P@5")], Policies())
    10
    """
    moved = policies.unjudged == "condense" or policies.duplicates is not None
    whole = any(measure.users is not None or measure.given.get("judged_only") for measure in measures)
    depths = [measure.depth for measure in measures]
    return None if moved or whole or None in depths else max(depth for depth in depths if depth is not None)


def _are_small(files: Sequence[str]) -> bool:
    """Whether threads had better share the files than the blocks of each: there are many, and each has few blocks."""
    many = len(files) >= _MANY_FILES * count_threads()
    return many and all(os.path.isfile(file) and os.path.getsize(file) <= _SMALL_FILE for file in files)


def name_matched(matched: Sequence[RankedDocuments], files: Sequence[str]) -> tuple[RankedDocuments, ...]:
    """The runs under names that tell them apart; `files` are where they come from, empty for runs in memory.

    Raises:
        CallError: two runs in memory have one name.
    """
    tags = [run.name for run in matched]
    names = name_runs(tags, files) if files else tuple(tags)
    if len(set(names)) < len(names):
        raise CallError(f"Two runs are called {next(n for n in names if names.count(n) > 1)!r}. Name them apart.")
    return tuple(replace(run, name=name) for run, name in zip(matched, names, strict=True))


def _list_runs(runs: RunInput) -> tuple[list[tuple[Run | FilePath | Scored, str | None]], list[str]]:
    """The runs one by one with their names, where they were given any, and the files among them (all or none)."""
    if isinstance(runs, Mapping) and runs and all(_is_run(value) for value in runs.values()):
        return [(_take(value), str(name)) for name, value in runs.items()], []
    several = isinstance(runs, list | tuple) and not (runs and isinstance(runs[0], tuple) and is_named_tuples(runs))
    every: list[Any] = list(runs) if several else [runs]  # type: ignore[arg-type]  # as just seen
    if every and all(isinstance(run, str | os.PathLike) for run in every):
        files = find_runs(every)
        return [(file, None) for file in files], files
    made: list[tuple[Run | FilePath | Scored, str | None]] = []
    for place, run in enumerate(every, start=1):
        named = len(every) > 1 and not isinstance(run, Run | str | os.PathLike)
        made.append((_take(run), f"run {place}" if named else None))
    if not made:
        raise CallError("No runs were given: name at least one file, folder or table.")
    return made, []


def list_files(runs: RunInput) -> list[str]:
    """The files that runs are read from; none where they cannot be found, which `match_runs` then says."""
    every = runs if isinstance(runs, list | tuple) else [runs]
    try:
        return find_runs([run for run in every if isinstance(run, str | os.PathLike)])
    except (CallError, OSError):
        return []


def _take(run: object) -> Run | Scored:
    """A run in memory; dicts are ranked as they are."""
    return run if isinstance(run, Run | Mapping) else read_run(run)  # type: ignore[arg-type]


def _is_run(value: object) -> bool:
    """Whether a value of a mapping is a run of its own: not the scores {document: score} of a topic."""
    if isinstance(value, Mapping):
        return any(isinstance(inner, Mapping) for inner in value.values())
    return isinstance(value, Run | str | os.PathLike | list) or any(hasattr(value, door) for door in _DOORS)


def notice_topics(whole: Sequence[RankedLevels | RankedDocuments], topics: TopicPolicy = "all") -> list[Finding]:
    """Topics that runs have and nobody judged, and judged ones that runs lack."""
    findings = []
    unknown = [f"{run.name} ({len(run.unscored)}, such as {min(run.unscored)})" for run in whole if run.unscored]
    if unknown:
        findings.append(
            Finding("topics-without-judgments", f"Topics without judgments were left out: {_few(unknown)}.")
        )
    short = [f"{run.name} ({int((~run.present).sum())})" for run in whole if not run.present.all()]
    if short:
        text = f"Judged topics that a run lacks: {_few(short)}."
        if topics == "common":
            text += " They are left out for all runs."
        else:
            text += f" They score 0; or score the topics that every run has ({option('topics', 'common')})."
        findings.append(Finding("topics-missing", text))
    return findings


def notice_close(runs: Sequence[RankedDocuments]) -> list[Finding]:
    """Runs whose lists are others in single precision, in which neighbours compare scores."""
    close = [f"{run.name} ({counted(run.close, 'topic')})" for run in runs if run.close]
    if not close:
        return []
    text = (
        f"Some scores differ only beyond single precision: {_few(close)}. trec_eval 10 keeps them apart, and so do we; "
        f"trec_eval 9, pytrec_eval and ir_measures take them for equal: {option('ties', 'trec9')} gives their numbers."
    )
    return [Finding("single-precision", text)]


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_FAULTS} more" if len(names) > MOST_FAULTS else ""
    return ", ".join(names[:MOST_FAULTS]) + more
