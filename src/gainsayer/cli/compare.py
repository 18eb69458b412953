"""`gainsayer compare`: which run is better, and how sure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from gainsayer.cli.bundles import (
    comparison_options,
    engine_options,
    model_option,
    reading_options,
    run_options,
    side_options,
)
from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.options import SIDES, TESTS, option, rare, refuse_second_reading
from gainsayer.cli.outputs import Target, emit, output_options, progress_bar
from gainsayer.cli.streams import say
from gainsayer.commands.compare import compare
from gainsayer.commands.gates import check_gate
from gainsayer.commands.inputs import Reading

EXAMPLES = (
    "gainsayer compare first.qrels second.qrels --runs runs -m nDCG@10",
    "gainsayer compare nist.qrels gpt.qrels --runs runs/*.run --threshold 1,3 --gains prm,binary -m P@10",
    "gainsayer compare nist.qrels --runs runs -m nDCG@10 -m AP -o table.tex",
    "gainsayer compare first.qrels second.qrels --runs runs --baseline bm25 --margin 0.01",
    "gainsayer compare nist.qrels --runs runs -m nDCG@10 --baseline prod --fail-if-worse 0.9 --margin 0.01",
)
SHUT = 3
"""The exit code of a gate that stops a run."""


@click.command("compare", cls=GroupedCommand, examples=EXAMPLES)
@option("--pairwise", TESTS, "Show the differences of all pairs of runs.")
@rare(
    "--fail-if-worse CONFIDENCE",
    TESTS,
    "End with exit code 3 where a run is worse than the baseline (by more than the margin) at a confidence above this, "
    "e.g. 0.9.",
    type=float,
)
@rare("--machine NAME,... *", SIDES, "Assessors that are machines: a warning where one takes a side.")
@reading_options
@side_options
@run_options
@comparison_options
@model_option
@rare(
    "--plan FILE",
    SIDES,
    "The plan by which second judgments were chosen: they are weighed by it, and its rule says whether to stop.",
)
@engine_options
@output_options
def command(
    reading: Reading,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    pairwise: bool,
    fail_if_worse: float | None,
    target: Target,
    **options: Any,
) -> None:
    """Say which run is better, and how sure: scores with intervals, the ranks that runs may have, differences.

    Intervals and p-values allow for other topics and for other second judgments: each topic is left out in turn, and
    p(R|i) estimated anew from the others. All pairs of runs are one family; with --baseline, the pairs with that run.
    With --margin a pair is better, worse, equivalent, no worse or undecided. With --strata each stratum has its own
    model and is compared on its own topics. JSON holds every pair of runs; CSV the run table, or with --pairwise or
    --margin the pairs. With --fail-if-worse the command is a gate for continuous integration.
    """
    refuse_second_reading(reading.sources, runs, options["model"])
    if fail_if_worse is not None:
        check_gate(fail_if_worse, options["baseline"])
    with progress_bar(quiet=target.quiet) as progress:
        table = compare(reading, list(runs), list(measures), progress=progress, **options)
    emit(
        replace(table, pairwise=pairwise),
        target,
        flat="differences" if pairwise or options["margin"] is not None else None,
    )
    if fail_if_worse is None:
        return
    said = click.get_current_context().get_parameter_source("topics") is not ParameterSource.DEFAULT
    gates = table.gates(fail_if_worse, missing_as_zero=said)
    for gate in gates:
        say(str(gate), quiet=target.quiet and not gate.shut)
    if any(gate.shut for gate in gates):
        click.get_current_context().exit(SHUT)
