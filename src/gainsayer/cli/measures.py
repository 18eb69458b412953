"""`gainsayer measures`: the catalogue."""

from __future__ import annotations

from pathlib import Path

import click

from gainsayer.cli.outputs import Output, emit, output_options

EXAMPLES = """\b
Examples:
  gainsayer measures
  gainsayer measures --format markdown
"""


@click.command("measures", epilog=EXAMPLES)
@output_options
def command(form: str | None, output: Path | None, seed: int, quiet: bool) -> None:
    """List the measures with their names here and in trec_eval, and what gains each takes."""
    from gainsayer.presentation.catalogue import describe_measures, measure_tables

    tables = measure_tables()
    emit(Output(describe_measures(), tables, tables[0]), form=form, output=output, quiet=quiet)
