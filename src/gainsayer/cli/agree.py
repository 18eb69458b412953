"""`gainsayer agree`: confusion matrix and agreement coefficients."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from gainsayer.cli.bundles import confidence_option, engine_options, reading_options, side_options
from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.outputs import Target, emit, output_options, progress_bar
from gainsayer.commands.agree import agree
from gainsayer.commands.inputs import Reading

EXAMPLES = (
    "gainsayer agree first.qrels second.qrels",
    "gainsayer agree crowd.csv --missing -1 --format markdown",
    "gainsayer agree nist.qrels gpt=machine.qrels --format json",
)


@click.command("agree", cls=GroupedCommand, examples=EXAMPLES)
@reading_options
@side_options
@confidence_option
@engine_options
@partial(output_options, seed=False)
def command(reading: Reading, target: Target, **options: Any) -> None:
    """Show how far assessors agree: confusion matrix and coefficients, with intervals over topics.

    Percent agreement, Cohen's and weighted kappa, Scott's pi, Fleiss' kappa, Krippendorff's alpha, Gwet's AC1 and AC2,
    for two or many assessors; labels may be missing. Overall, and for each pair of assessors.
    """
    with progress_bar(quiet=target.quiet):
        table = agree(reading, **options)
    emit(table, target)
