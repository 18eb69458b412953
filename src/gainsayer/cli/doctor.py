"""`gainsayer doctor`: what each installed evaluator makes of these gains, and where it goes wrong."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import click

from gainsayer.cli.bundles import gain_option, labels_option, model_option, model_threshold_option, reading_options
from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.options import rare
from gainsayer.cli.outputs import Target, emit, output_options, say
from gainsayer.cli.progress import progress_bar
from gainsayer.errors import CallError
from gainsayer.evaluation.peers import doctor
from gainsayer.evaluation.sources import Reading

EXAMPLES = (
    "gainsayer doctor nist.qrels",
    "gainsayer doctor nist.qrels bm25.run --model model.json",
    "gainsayer doctor nist.qrels --gain 0=0.01 --gain 1=0.27 --gain 2=0.53 --format json",
)


@click.command("doctor", cls=GroupedCommand, examples=EXAMPLES)
@reading_options
@model_option
@model_threshold_option
@gain_option
@labels_option
@rare("--scale", None, "Factor of the scaled qrels.", type=click.IntRange(min=1), default=1000)
@rare(
    "--seconds",
    None,
    "Time limit of each evaluator, for all questions; ranx compiles itself at its first use.",
    type=click.FloatRange(min=1),
    default=90,
)
@rare("--most-topics", None, "Look at this many topics at most.", type=click.IntRange(min=1), default=100)
@partial(output_options, seed=False, figure=False)
def command(reading: Reading, target: Target, **options: Any) -> None:
    """Show what each installed evaluator makes of PRM gains on your own files, and where it goes wrong.

    Looks for trec_eval (on PATH), pytrec_eval, ir_measures and ranx. Each is asked for the nDCG of a perfect ranking
    made from the labels of QRELS, which should be 1, and of RUN where one is given: with the gains as relevance, as a
    gain map, and as scaled qrels ('gainsayer export qrels'), beside the right value. Without --model and --gain,
    example gains are used: the paper's FedWeb13 parameters, stretched over the levels found. An evaluator that needs
    more than --seconds is stopped, and its row says so.
    """
    qrels, *runs = reading.sources
    run: Any = runs[0][1] if runs and isinstance(runs[0], tuple) else runs[0] if runs else None
    if len(runs) > 1:
        raise CallError(f"'doctor' takes QRELS and at most one RUN, found {len(reading.sources)} files.")
    say(
        f"Asking the evaluators, {options['seconds']:g} seconds at most; ranx may take a minute at its first use.",
        quiet=target.quiet,
    )
    with progress_bar(quiet=target.quiet) as progress:
        result = doctor(replace(reading, sources=(qrels,)), run, progress=progress, **options)
    for note in result.notes:
        say(note, quiet=target.quiet)
    emit(result, target)


next(parameter for parameter in command.params if parameter.name == "files").metavar = "QRELS [RUN]"
