"""Job: what is to be done on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from gainsayer.engines.waists import Task
from gainsayer.judgments.files import FileSource
from gainsayer.judgments.survey import Meaning, Survey, settle
from gainsayer.levels import Levels
from gainsayer.lines.opening import FilePath, call_file
from gainsayer.rankings.ranking import Ties

Progress: TypeAlias = Callable[[str, float], None]


@dataclass(frozen=True, eq=False)
class Job:
    """Files to be read, what they mean, and how far the runs are of interest.

    Args:
        judgments: files, or pairs of an assessor's name and a file.
        runs: files.
        meaning: what columns and labels of judgments mean.
        levels: the levels where `meaning` names none.
        ties: how lists are ordered.
        depth: the deepest rank that any measure looks at; None for all.
        buckets: how many; None for as many as are needed.
        master: where Spark is.
        progress: called with what is being done, and the share that is done.
    """

    judgments: tuple[FileSource, ...]
    runs: tuple[FilePath, ...] = ()
    meaning: Meaning = field(default_factory=Meaning)
    levels: Levels | None = None
    ties: Ties = "trec"
    depth: int | None = None
    buckets: int | None = None
    master: str | None = None
    progress: Progress | None = None

    def settle(self, survey: Survey, *, runs: tuple[str, ...] | None = None) -> Task:
        """What every bucket needs to know, from what was seen in all of them; runs are called by their files."""
        names = [call_file(source[1] if isinstance(source, tuple) else source) for source in self.judgments]
        settled = settle(survey, names, self.meaning, levels=self.levels)
        called = tuple(map(call_file, self.runs)) if runs is None else runs
        return Task(**vars(settled), ties=self.ties, depth=self.depth, runs=called)
