"""`gainsayer compare`: which run is better, and how sure."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gainsayer.cli.options import (
    TESTS,
    GroupedCommand,
    add_options,
    confidence_option,
    estimator_option,
    gain_option,
    gains_option,
    measure_option,
    model_option,
    option,
    reading_options,
    refuse_second_reading,
    relevance_options,
    run_options,
    side_options,
    users_option,
)
from gainsayer.cli.outputs import Output, emit, output_options
from gainsayer.cli.progress import progress_bar

if TYPE_CHECKING:
    from gainsayer.evaluation.sources import Reading

EXAMPLES = """\b
Examples:
  gainsayer compare --judgments first.qrels second.qrels --runs runs --threshold 2 -m nDCG@10
  gainsayer compare --judgments nist.qrels gpt.qrels --runs runs/*.run --threshold 1,3 --gains prm,binary -m P@10
  gainsayer compare --judgments first.qrels second.qrels --runs runs --baseline bm25 --margin 0.01 -o table.tex
"""
_TESTS = (
    option(
        "--test",
        TESTS,
        "Whose p-values: joint allows for topics and gains; the others hold the gains fixed, and decide signs only.",
        choices=("joint", "randomisation", "t", "wilcoxon"),
        default="joint",
    ),
    option(
        "--adjust",
        TESTS,
        "Of a test with the gains held fixed: maxt for randomisation by default, holm for t and wilcoxon.",
        choices=("maxt", "holm", "bh", "none"),
    ),
    option("--baseline", TESTS, "Compare each run with this one only.", metavar="RUN"),
    option(
        "--margin",
        TESTS,
        "The smallest difference that matters: says which runs are equivalent, or no worse.",
        type=float,
        metavar="NUMBER",
    ),
    option(
        "--permutations",
        TESTS,
        "Sign flips for all pairs at once; fewer where there are very many pairs.",
        default=10_000,
    ),
    option(
        "--resamples", TESTS, "Samples of topics for the interval of tau; nothing else is resampled.", default=1_000
    ),
    confidence_option,
)


def comparison_options(function: Any) -> Any:
    """What `compare` and `report` ask: measures, gains, relevance, users, tests."""
    function = add_options(function, _TESTS)
    function = users_option(estimator_option(gain_option(gains_option(function))))
    function = relevance_options(
        function, default="By default the top level, or every level from 1 on without second judgments and model."
    )
    return measure_option(model_option(function))


@click.command("compare", cls=GroupedCommand, epilog=EXAMPLES)
@click.option("--pairwise", is_flag=True, help="Show all pairs of runs, not only those with the best one.")
@partial(reading_options, argument=False)
@side_options
@run_options
@comparison_options
@output_options
def command(
    reading: Reading,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    pairwise: bool,
    form: str | None,
    output: Path | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Compare runs: scores with joint intervals, the ranks they may have, differences, and tau between kinds of gains.

    Intervals and p-values allow for other topics and for other second judgments: each topic is left out in turn, and
    p(R|i) estimated anew from the others. All pairs of runs are one family; with --baseline, the pairs with that run.
    With --margin a pair is better, worse, equivalent, no worse or undecided. With --strata each stratum has its own
    model and is compared on its own topics. JSON holds every pair of runs; CSV the run table, or with --pairwise or
    --margin the pairs.
    """
    from gainsayer.evaluation.comparisons import compare
    from gainsayer.presentation.comparison_records import describe_comparison
    from gainsayer.presentation.comparison_tables import comparison_rows, every_comparison_table, pair_rows

    refuse_second_reading(reading.sources, runs, options["model"])
    with progress_bar(quiet=quiet) as progress:
        table = compare(reading, list(runs), list(measures), progress=progress, **options)
    shown = Output(
        partial(describe_comparison, table),
        partial(every_comparison_table, table, pairwise=pairwise),
        partial(pair_rows if pairwise or options["margin"] is not None else comparison_rows, table),
        table.findings,
    )
    emit(shown, form=form, output=output, quiet=quiet)
