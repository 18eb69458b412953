"""`gainsayer measures`: the list of measures."""

from __future__ import annotations

from functools import partial

import click

from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.outputs import Target, emit, output_options
from gainsayer.commands.measures import MeasureList

EXAMPLES = ("gainsayer measures", "gainsayer measures --format markdown")


@click.command("measures", cls=GroupedCommand, examples=EXAMPLES)
@partial(output_options, seed=False, figure=False)
def command(target: Target) -> None:
    """List the measures with their names here and in trec_eval, and what gains each takes."""
    emit(MeasureList(), target)
