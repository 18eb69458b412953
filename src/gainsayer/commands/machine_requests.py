"""What the commands about machines are asked for, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gainsayer.commands.machine_input import EffectInput, MachineRequest, MachineRuns, PeopleOptions
from gainsayer.commands.requests import MeasureInput
from gainsayer.lines.opening import FilePath
from gainsayer.machines.rectified import Target
from gainsayer.measures.catalogue import Measure

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
            rank), `metarank` (mean log rank), files of topic, document and number or group, of topic and stratum, or
            {name: {topic: {document: number}}}.
        families: the family of each run, or a file with lines of run and family.
        reranked_by_judge: runs that are known to rank by the machine's word.
    """

    measure: str | Measure | None = None
    effects: EffectInput = None
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
        baseline: compare each run with this one.
        pairwise: compare all pairs of runs.
        reranked_by_judge: runs that are known to rank by the machine's word.
        confidence: of the intervals.
        permutations: sign flips for all pairs at once.
    """

    measures: MeasureInput | None = None
    target: Target = "population"
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
