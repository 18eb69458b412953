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
    from gainsayer.measures.catalogue import FAMILIES
    from gainsayer.report.tables import Column, Table

    needs = {"probabilities": "0 to 1", "binary": "0 or 1", "any": "any", "nothing": "none"}
    rows = []
    for family in FAMILIES.values():
        depth = {"must": "@k", "may": "[@k]", "no": ""}[family.depth]
        given = ",".join(f"{name}={value!r}" for name, value in family.parameters.items())
        shown = f"{family.name}{f'({given})' if given else ''}{depth}"
        trec = ", ".join(name.format(k="K") for name in (family.trec_whole, family.trec) if name)
        rows.append((shown, family.about, needs[family.needs], family.classic, trec or None))
    columns = tuple(
        Column(key, heading, lambda cell: str(cell or ""), "left")
        for key, heading in (
            ("measure", "measure"),
            ("about", "what it is"),
            ("gains", "gains"),
            ("classic", "with no model"),
            ("trec_eval", "trec_eval"),
        )
    )
    table = Table(
        "Measures; gains: prm, binary, linear, exponential, udm, a file, or --gain LEVEL=NUMBER", columns, tuple(rows)
    )
    document = {"measures": [dict(zip((column.key for column in columns), row, strict=True)) for row in rows]}
    emit(Output(document, [table], table), form=form, output=output, quiet=quiet)
