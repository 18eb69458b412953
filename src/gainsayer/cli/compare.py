"""`gainsayer compare`: which run is better, and how sure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from gainsayer.cli.bundles import comparison_options, model_option, reading_options, run_options, side_options
from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.options import TESTS, option, refuse_second_reading
from gainsayer.cli.outputs import Output, Target, emit, output_options
from gainsayer.cli.progress import progress_bar

if TYPE_CHECKING:
    from gainsayer.evaluation.sources import Reading

EXAMPLES = (
    "gainsayer compare first.qrels second.qrels --runs runs -m nDCG@10",
    "gainsayer compare nist.qrels gpt.qrels --runs runs/*.run --threshold 1,3 --gains prm,binary -m P@10",
    "gainsayer compare nist.qrels --runs runs -m nDCG@10 -m AP -o table.tex",
    "gainsayer compare first.qrels second.qrels --runs runs --baseline bm25 --margin 0.01",
)


@click.command("compare", cls=GroupedCommand, examples=EXAMPLES)
@option("--pairwise", TESTS, "Show the differences of all pairs of runs.")
@reading_options
@side_options
@run_options
@comparison_options
@model_option
@output_options
def command(
    reading: Reading, runs: tuple[str, ...], measures: tuple[str, ...], pairwise: bool, target: Target, **options: Any
) -> None:
    """Say which run is better, and how sure: scores with intervals, the ranks that runs may have, differences.

    Intervals and p-values allow for other topics and for other second judgments: each topic is left out in turn, and
    p(R|i) estimated anew from the others. All pairs of runs are one family; with --baseline, the pairs with that run.
    With --margin a pair is better, worse, equivalent, no worse or undecided. With --strata each stratum has its own
    model and is compared on its own topics. JSON holds every pair of runs; CSV the run table, or with --pairwise or
    --margin the pairs.
    """
    from gainsayer.evaluation.comparisons import compare
    from gainsayer.presentation.comparison_tables import comparison_rows, every_comparison_table, pair_rows

    refuse_second_reading(reading.sources, runs, options["model"])
    with progress_bar(quiet=target.quiet) as progress:
        table = compare(reading, list(runs), list(measures), progress=progress, **options)
    flats = {"runs": partial(comparison_rows, table), "differences": partial(pair_rows, table)}
    shown = Output.of(
        table,
        tables=partial(every_comparison_table, table, pairwise=pairwise),
        flat=flats["differences" if pairwise or options["margin"] is not None else "runs"],
        flats=flats,
    )
    emit(shown, target)
