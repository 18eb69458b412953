"""Where the work is done: all at once in memory, bucket by bucket on this machine, or on Spark.

An engine takes the place of reading judgments and matching runs with them. Everything behind goes on from there, and
does not know which engine it was: the same rows give the same result.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Final, Literal, TypeAlias

from gainsayer.engines.bucket_sums import Holders
from gainsayer.engines.jobs import Engine, Job
from gainsayer.engines.spark import spread
from gainsayer.engines.waists import as_judgments, as_runs
from gainsayer.errors import CallError
from gainsayer.evaluation.ranked_runs import MatchedRuns, Policies, Progress, RunInput, name_matched
from gainsayer.evaluation.sources import JudgmentInput, Reading, as_reading, take_judgments
from gainsayer.findings import Finding
from gainsayer.judgments.files import FileSource
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels
from gainsayer.lines.compression import free_memory, guess_unfolded
from gainsayer.lines.opening import STANDARD_INPUT, FilePath
from gainsayer.measures.catalogue import Measure
from gainsayer.rankings.documents import RankedDocuments
from gainsayer.rankings.ranking import Ties
from gainsayer.runs.files import find_runs

EngineName: TypeAlias = Literal["auto", "embedded", "buckets", "spark"]
ENGINES: Final[tuple[EngineName, ...]] = ("auto", "embedded", "buckets", "spark")
_HOMES: Final = {"buckets": "local", "spark": "spark"}


@dataclass(frozen=True, eq=False, kw_only=True)
class EngineOptions:
    """Where the work is done.

    Args:
        engine: `embedded` holds all data in memory; `buckets` takes some topics after others, on this machine; `spark`
            does so on a cluster. All give the same result. By default embedded, or buckets where the files are larger
            than half the free memory.
        work: a folder in which `buckets` and `spark` keep what they made, to begin there again.
        buckets: into how many parts the topics are divided; by default as many as their size asks for.
        master: where Spark is, such as `local[2]` or `yarn`.
    """

    engine: EngineName = "auto"
    work: FilePath | None = None
    buckets: int | None = None
    master: str | None = None


@dataclass(frozen=True, eq=False)
class Gathered:
    """What an engine made of judgments and runs: read, and matched with each other.

    Args:
        judgments: who said what; documents have numbers for names.
        runs: where each put the judged documents.
        files: where they came from.
        holders: who holds what the runs returned, where it was not gathered.
    """

    judgments: Judgments
    runs: tuple[RankedDocuments, ...]
    files: tuple[str, ...]
    holders: Holders | None = None

    def match(self, policies: Policies) -> MatchedRuns:
        """The runs, as `match_runs` gives them."""
        return MatchedRuns(self.runs, self.files, policies, holders=self.holders)

    def fetch(self) -> Gathered:
        """The same with what the runs returned, wherever it was."""
        if self.holders is None:
            return self
        runs = as_runs(self.holders.join())
        named = (replace(run, name=known.name) for run, known in zip(runs, self.runs, strict=True))
        return replace(self, runs=tuple(named), holders=None)


def gather(
    options: EngineOptions,
    judgments: Sequence[JudgmentInput],
    runs: RunInput | None = None,
    *,
    levels: Levels | None = None,
    ties: Ties = "trec",
    depth: int | None = None,
    unserved: Mapping[str, object] | None = None,
    sums: bool = False,
    progress: Progress | None = None,
) -> Gathered | None:
    """What the engine asked for makes of judgments and runs; None for the embedded one, which reads as it goes.

    Args:
        options: the engine asked for.
        judgments: as given.
        runs: as given; None where none are needed.
        levels: those of a model, where the judgments do not bring their own.
        ties: how lists are ordered.
        depth: the deepest rank that any measure looks at; None for all.
        unserved: in words, what was asked for beside that other engines do not serve, where it is not None.
        sums: sums over topics are enough, where there are very many; Spark then leaves runs where they are.
        progress: called with what is being done, and the share that is done.

    Raises:
        CallError: there is no such engine, or it does not serve what was asked for.
    """
    name = options.engine
    _check(options)
    if name == "embedded":
        return None
    reading = as_reading(list(judgments))
    spark = name == "spark"
    reason = _find_reason(reading, runs, unserved or {}, spark=spark)
    large: tuple[int, int] | None = None
    if name == "auto":
        large = None if reason else _outgrows_memory(reading, runs)
        if large is None:
            return None
        name = "buckets"
    if reason is not None:
        raise CallError(f"The {name} engine does not serve {reason}: use engine='embedded'.")
    assert isinstance(reading, Reading)
    files = tuple(_list_files(runs, spark=spark) or ())
    if name == "buckets":
        files = _look_into(files)
    job = Job(
        judgments=reading.sources,  # type: ignore[arg-type]  # files, as was seen
        runs=files,
        meaning=reading.meaning,
        levels=levels,
        ties=ties,
        depth=depth,
        buckets=options.buckets,
        work=options.work,
        master=options.master,
        progress=progress,
    )
    holders: Holders | None = None
    if spark and sums and reading.strata is None:
        waist, holders = spread(job)
    else:
        waist = _find_engine(name)(job)
    read = reading.finish(as_judgments(waist))
    if large is not None:
        read = replace(read, findings=(*read.findings, _notice_buckets(*large)))
    if spark:  # which looks into folders itself
        files = tuple(dict.fromkeys(waist.task.runs)) if all(isinstance(file, str) for file in files) else ()
    return Gathered(read, name_matched(as_runs(waist), waist.task.runs), files, holders)


def read_with(
    options: EngineOptions, judgments: Sequence[JudgmentInput], *, unserved: Mapping[str, object] | None = None
) -> Judgments:
    """The judgments, read by the engine asked for; see `gather`."""
    gathered = gather(options, judgments, unserved=unserved)
    return take_judgments(list(judgments)) if gathered is None else gathered.judgments


def deepest(measures: Sequence[Measure], policies: Policies) -> int | None:
    """The deepest rank that any of the measures looks at; None for all.

    Also where lists lose their unjudged documents, so that others move up, and for random users, to whom all unjudged
    documents of a list may matter.

    >>> from gainsayer.evaluation.ranked_runs import Policies
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> deepest([parse_measure("nDCG@10"), parse_measure("P@5")], Policies())
    10
    """
    depths = [
        None if measure.users is not None or measure.given.get("judged_only") else measure.depth for measure in measures
    ]
    if policies.unjudged == "condense" or any(depth is None for depth in depths):
        return None
    return max(depth for depth in depths if depth is not None)


def _check(options: EngineOptions) -> None:
    name = options.engine
    if name not in ENGINES:
        raise CallError(f"The engine may be {', '.join(ENGINES)}, found {name!r}.")
    if options.master is not None and name != "spark":
        raise CallError("master=... says where Spark is: use engine='spark' with it.")
    if name == "embedded" and (options.work is not None or options.buckets is not None):
        given = "work" if options.work is not None else "buckets"
        raise CallError(f"The embedded engine holds all data in memory: use engine='buckets' with {given}=....")
    if options.buckets is not None and options.buckets < 1:
        raise CallError(f"At least one bucket is needed, found buckets={options.buckets}.")


def _find_reason(
    reading: Reading | Judgments, runs: RunInput | None, unserved: Mapping[str, object], *, spark: bool
) -> str | None:
    """Why only the embedded engine serves, in words; None where others do."""
    if isinstance(reading, Judgments) or not all(_is_file(source, spark=spark) for source in reading.sources):
        return "judgments that are in memory or come from standard input"
    if runs is not None and _list_files(runs, spark=spark) is None:
        return "runs that are in memory or come from standard input"
    if reading.diversity or reading.intents != "all" or reading.intent_probabilities is not None:
        return "intents"
    if reading.repeats == "as-assessors":
        return "repeated judgments as opinions of different people (repeats='as-assessors')"
    return next((words for words, given in unserved.items() if given is not None), None)


def _is_file(source: object, *, spark: bool = False) -> bool:
    """Whether it is a file, or for Spark one of its own data frames, which are as good as files there."""
    path = source[1] if isinstance(source, tuple) and len(source) == 2 else source
    if isinstance(path, str | os.PathLike):
        return path != STANDARD_INPUT
    return spark and type(path).__module__.startswith("pyspark.")


def _list_files(runs: RunInput | None, *, spark: bool = False) -> list[str] | None:
    """The runs as named, where all are files, folders or patterns; else None. Data frames of Spark are as good."""
    every: Sequence[object] = runs if isinstance(runs, list | tuple) else [runs]
    named = [os.fspath(run) if isinstance(run, os.PathLike) else run for run in every if _is_file(run, spark=spark)]
    return named if named and len(named) == len(every) else None  # type: ignore[return-value]  # or data frames


def _look_into(named: Sequence[str]) -> tuple[str, ...]:
    """The files in folders and those that patterns match."""
    if not named:
        return ()
    return tuple(find_runs(named))


def _outgrows_memory(reading: Reading | Judgments, runs: RunInput | None) -> tuple[int, int] | None:
    """The bytes of all files, at a guess where they are compressed, and the free memory, if they exceed half of it."""
    assert isinstance(reading, Reading)
    sources: Sequence[FileSource] = reading.sources  # type: ignore[assignment]  # files, as was seen
    try:
        paths = [source[1] if isinstance(source, tuple) else source for source in sources]
        files = [os.fspath(path) for path in (*paths, *_look_into(_list_files(runs) or ()))]
        size = sum(guess_unfolded(file, os.path.getsize(file)) for file in files)
    except (CallError, OSError, ValueError):
        return None  # whoever reads them will say so
    free = free_memory()
    return (size, free) if size > free / 2 else None


def _notice_buckets(size: int, free: int) -> Finding:
    said = (
        f"The files hold about {size / 1e9:.1f} GB, more than half of the {free / 1e9:.1f} GB of memory that are free, "
        "so the topics were taken in buckets. The result is the same; ask for it with engine='buckets' or 'embedded'."
    )
    return Finding("buckets-taken", said)


def _find_engine(name: EngineName) -> Engine:
    engine: Engine = import_module(f"gainsayer.engines.{_HOMES[name]}").gather
    return engine
