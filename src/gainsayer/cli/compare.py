"""`gainsayer compare`: which run is better, and how sure."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from gainsayer.cli.comparing import ComparisonOptions, Labelling, band_compared, compare_judged, comparison_options
from gainsayer.cli.inputs import (
    GreedyCommand,
    Reading,
    describe_provenance,
    judgment_options,
    measure_strata,
    plain_options,
    side_options,
)
from gainsayer.cli.outputs import Output, emit, output_options
from gainsayer.cli.running import RunRequest, describe_policies, run_options

if TYPE_CHECKING:
    from gainsayer.comparison.results import Comparison

EXAMPLES = """\b
Examples:
  gainsayer compare --judgments first.qrels second.qrels --runs runs --threshold 2 -m nDCG@10
  gainsayer compare --judgments nist.qrels gpt.qrels --runs runs/*.run --threshold 1,3 --gains prm,binary -m P@10
  gainsayer compare --judgments first.qrels second.qrels --runs runs --baseline bm25 --margin 0.01 -o table.tex
"""


@click.command("compare", cls=GreedyCommand, epilog=EXAMPLES)
@partial(judgment_options, argument=False)
@side_options
@run_options
@comparison_options
@click.option("--pairwise", is_flag=True, help="Show all pairs of runs, not only those with the best one.")
@output_options
@click.pass_context
def command(
    context: click.Context,
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: Literal["auto", "matched", "all"],
    request: RunRequest,
    options: ComparisonOptions,
    pairwise: bool,
    form: str | None,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Compare runs: scores with joint intervals, the ranks they may have, differences, and tau between kinds of gains.

    Intervals and p-values allow for other topics and for other second judgments: each topic is left out in turn, and
    p(R|i) estimated anew from the others. All pairs of runs are one family; with --baseline, the pairs with that run.
    With --margin a pair is better, worse, equivalent, no worse or undecided. With --strata each stratum has its own
    model and is compared on its own topics. JSON holds every pair of runs; CSV the run table, or with --pairwise or
    --margin the pairs.
    """
    from gainsayer.report.comparing import describe_comparison
    from gainsayer.report.comparison_tables import comparison_rows, comparison_tables, pair_rows
    from gainsayer.report.finding import band_tables, describe_band

    prepared = Labelling.read(reading, first, second, pairing, request, options, seed=seed, quiet=quiet)
    whole = compare_judged(prepared, prepared.judgments)
    strata, noticed = measure_strata(prepared.judgments, lambda part: compare_judged(prepared, part))
    every: dict[str | None, Comparison] = {None: whole}
    every.update(strata)
    findings = list(dict.fromkeys([*noticed, *(finding for part in every.values() for finding in part.findings)]))
    files = [*reading.files, *([] if options.model is None else [options.model]), *prepared.runs.files]
    bands = band_compared(prepared, whole)

    def describe() -> dict[str, Any]:
        document = describe_comparison(
            whole,
            strata=strata,
            policies=describe_policies(request, prepared.relevances[0].names, prepared.rule),
            provenance=describe_provenance(files, plain_options(context.params), seed),
        )
        return document | ({"users": [describe_band(band) for band in bands]} if bands else {})

    tables = [
        table for name, part in every.items() for table in comparison_tables(part, pairwise=pairwise, stratum=name)
    ]
    # Measures of one depth share the table of what users find.
    tables += {table.title: table for band in bands for table in band_tables(band)}.values()
    rows = pair_rows if pairwise or options.margin is not None else comparison_rows
    emit(Output(describe, tables, rows(every), findings), form=form, output=output, quiet=quiet)
