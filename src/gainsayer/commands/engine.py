"""Where the work is done: all at once in memory, or on Spark.

An engine takes the place of reading judgments and matching runs with them. Everything behind goes on from there, and
does not know which engine it was.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from gainsayer.commands.inputs import JudgmentInput, Reading, as_reading, take_judgments
from gainsayer.commands.ranked_runs import MatchedRuns, Policies, Progress, RunInput, name_matched
from gainsayer.engines import spark
from gainsayer.errors import CallError
from gainsayer.levels import Levels
from gainsayer.ranking.matching import Ties
from gainsayer.ranking.ranked import RankedDocuments
from gainsayer.reading.files import STANDARD_INPUT
from gainsayer.reading.judgments import Judgments
from gainsayer.text import option

EngineName: TypeAlias = Literal["embedded", "spark"]
ENGINES: Final[tuple[EngineName, ...]] = ("embedded", "spark")


@dataclass(frozen=True, eq=False, kw_only=True)
class EngineOptions:
    """Where the work is done.

    Args:
        engine: `embedded` holds what it needs in memory; `spark` works on a cluster. Both give the same result.
        master: where Spark is, such as `local[2]` or `yarn`.
    """

    engine: EngineName = "embedded"
    master: str | None = None


@dataclass(frozen=True, eq=False)
class Gathered:
    """What Spark made of judgments and runs: read, and matched with each other.

    Args:
        judgments: who said what; documents have numbers for names.
        runs: where each put the judged documents.
        files: where they came from.
    """

    judgments: Judgments
    runs: tuple[RankedDocuments, ...]
    files: tuple[str, ...]

    def match(self, policies: Policies) -> MatchedRuns:
        """The runs, as `match_runs` gives them."""
        return MatchedRuns(self.runs, self.files, policies)


def gather(
    options: EngineOptions,
    judgments: Sequence[JudgmentInput],
    runs: RunInput | None = None,
    *,
    levels: Levels | None = None,
    ties: Ties = "trec",
    depth: int | None = None,
    unserved: Mapping[str, object] | None = None,
    progress: Progress | None = None,
) -> Gathered | None:
    """What Spark makes of judgments and runs, where it is asked for; None for the embedded engine.

    Args:
        options: the engine asked for.
        judgments: as given.
        runs: as given; None where none are needed.
        levels: those of a model, where the judgments do not bring their own.
        ties: how lists are ordered.
        depth: the deepest rank that any measure looks at; None for all.
        unserved: in words, what was asked for beside that Spark does not serve, where it is not None.
        progress: called with what is being done, and the share that is done.

    Raises:
        CallError: there is no such engine, or it does not serve what was asked for.
    """
    if options.engine not in ENGINES:
        raise CallError(f"The engine may be {' or '.join(ENGINES)}, found {options.engine!r}.")
    if options.engine == "embedded":
        if options.master is not None:
            raise CallError(f"{option('master')} says where Spark is: use {option('engine', 'spark')} with it.")
        return None
    reading = as_reading(list(judgments))
    asked = {
        f"the order of lines, which it does not keep ({option('ties', 'input')})": ties if ties == "input" else None
    }
    reason = _find_reason(reading, runs, asked | dict(unserved or {}))
    if reason is not None:
        raise CallError(f"The spark engine does not serve {reason}: use {option('engine', 'embedded')}.")
    assert isinstance(reading, Reading)
    files = tuple(_list_files(runs) or ())
    read, matched = spark.gather(
        spark.Job(
            judgments=reading.sources,  # type: ignore[arg-type]  # files, as was seen
            runs=files,
            meaning=reading.meaning,
            levels=levels,
            ties=ties,
            depth=depth,
            master=options.master,
            progress=progress,
        )
    )
    # Spark looks into folders itself.
    sources = tuple(run.source for run in matched)
    named = tuple(dict.fromkeys(sources)) if all(isinstance(file, str) for file in files) else ()
    return Gathered(reading.finish(read), name_matched(matched, sources), named)


def read_with(
    options: EngineOptions, judgments: Sequence[JudgmentInput], *, unserved: Mapping[str, object] | None = None
) -> Judgments:
    """The judgments, read by the engine asked for; see `gather`."""
    gathered = gather(options, judgments, unserved=unserved)
    return take_judgments(list(judgments)) if gathered is None else gathered.judgments


def _find_reason(reading: Reading | Judgments, runs: RunInput | None, unserved: Mapping[str, object]) -> str | None:
    """Why only the embedded engine serves, in words; None where Spark does."""
    if isinstance(reading, Judgments) or not all(_is_file(source) for source in reading.sources):
        return "judgments that are in memory or come from standard input"
    if runs is not None and _list_files(runs) is None:
        return "runs that are in memory or come from standard input"
    if reading.diversity or reading.intents != "all" or reading.intent_probabilities is not None:
        return "intents"
    if reading.raters:
        return (
            "tables with a column of levels per rater; it takes one judgment a row (topic, document, assessor, level)"
        )
    if reading.repeats == "as-assessors":
        return f"repeated judgments as opinions of different people ({option('repeats', 'as-assessors')})"
    return next((words for words, given in unserved.items() if given is not None), None)


def _is_file(source: object) -> bool:
    """Whether it is a file, or one of Spark's own data frames, which are as good as files there."""
    path = source[1] if isinstance(source, tuple) and len(source) == 2 else source
    if isinstance(path, str | os.PathLike):
        return path != STANDARD_INPUT
    return type(path).__module__.startswith("pyspark.")


def _list_files(runs: RunInput | None) -> list[str] | None:
    """The runs as named, where all are files, folders or patterns, or data frames of Spark; else None."""
    every: Sequence[object] = runs if isinstance(runs, list | tuple) else [runs]
    named = [os.fspath(run) if isinstance(run, os.PathLike) else run for run in every if _is_file(run)]
    return named if named and len(named) == len(every) else None  # type: ignore[return-value]  # or data frames
