"""Requests of what orders runs: `compare`, the report, and studies of the order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gainsayer.commands.inputs import Names
from gainsayer.commands.ranked_runs import Policies
from gainsayer.commands.requests import Engined, Modelled, Runs, ScoringOptions, UserOptions
from gainsayer.comparison.paired_tests import Adjustment, Test
from gainsayer.errors import CallError
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import NoRelevant


@dataclass(frozen=True, eq=False, kw_only=True)
class ComparisonOptions(UserOptions):
    """How runs are compared: tests, intervals, and what counts as a difference; see `compare_runs`.

    Args:
        test: whose p-values: `joint` for topics and gains together; `randomisation`, `t` or `wilcoxon` hold the gains
            fixed.
        adjust: of tests with the gains held fixed: `maxt`, `holm`, `bh` or `none`.
        baseline: compare each run with this one only.
        margin: the smallest difference that matters.
        resamples: samples of topics for the interval of tau, the only thing that needs any.
        permutations: sign flips for all pairs at once.
        confidence: of the intervals.
    """

    test: Test = "joint"
    adjust: Adjustment | None = None
    baseline: str | None = None
    margin: float | None = None
    resamples: int = 1_000
    permutations: int = 10_000
    confidence: float = 0.95


@dataclass(frozen=True, eq=False)
class CompareRequest(Modelled, ComparisonOptions, Engined):
    """What `compare` is asked for.

    Args:
        machine: the assessor that is a machine, or several: a warning where it takes a side.
        gains: `prm`, `binary`, `linear`, `exponential`, `udm`, or a JSON file; several may be given. By default `prm`
            beside `binary` where there is a model or a second side, else what the measure has in ir_measures.
    """

    machine: Names = field(default=None, kw_only=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class OrderRequest(ScoringOptions, Runs):
    """What a study is asked for that orders runs.

    Args:
        measures: such as "nDCG@10", the default; the study of gains has nDCG@20.
        gains: among `prm`, `binary`, `linear`, `exponential` and `udm`; by default those that the measure can take.
        unjudged: what an unjudged document is worth: `0`, `level`, a number or `condense`.
        no_relevant: topics without a relevant label: left out (`skip`), as computed (`keep`), or `zero`.
    """

    no_relevant: NoRelevant = "skip"

    @property
    def policies(self) -> Policies:
        """What the judgments leave open; what gives no order of runs is refused (CallError)."""
        policies = super().policies
        if policies.unjudged == "bounds":
            raise CallError(
                "Bounds on unjudged documents make two scores of one, so they order no runs: choose another."
            )
        return policies


def refuse_plain(measures: Sequence[Measure]) -> None:
    """Refuse measures that say nothing about relevance, where runs are to be ordered (CallError)."""
    for measure in measures:
        if measure.family.needs == "nothing":
            raise CallError(f"{measure} says nothing about relevance, so it orders no runs: choose another measure.")


def refuse_own_gains(measures: Sequence[Measure]) -> None:
    """Refuse measures that name their gains, where kinds of gains are what is studied (CallError)."""
    for measure in measures:
        named = [name for name in ("rel", "dcg", "gains") if name in measure.given]
        if named:
            raise CallError(
                f"{measure}: the study chooses the gains. Leave out {named[0]}=, or give a threshold instead."
            )
