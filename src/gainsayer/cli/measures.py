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
USERS = (
    ("none", "plug-in: gains are put where the measure has a gain"),
    ("users='independent'", "mean of the binary measure over users whose views of different documents are independent"),
    ("users='comonotone'", "over users of whom a strict one is strict with all documents of a topic"),
    ("users=0.3", "over users between the two, whose views have this correlation (Gaussian copula)"),
    ("condition_on_relevant=True", "without users to whom no judged document is relevant; else they count as 0"),
    ("sample=1000, seed=0", "how many users are drawn, and how, where the measure is simulated"),
)


@click.command("measures", epilog=EXAMPLES)
@output_options
def command(form: str | None, output: Path | None, seed: int, quiet: bool) -> None:
    """List the measures with their names here and in trec_eval, and what gains each takes."""
    from gainsayer.measures.families import FAMILIES
    from gainsayer.report.tables import Column, Table

    users = {"plug-in": "same", "exact": "exact", "simulated": "simulated", "no": None}
    needs = {"probabilities": "0 to 1", "binary": "0 or 1", "any": "any", "nothing": "none"}
    rows = []
    for family in FAMILIES.values():
        depth = {"must": "@k", "may": "[@k]", "no": ""}[family.depth]
        given = ",".join(f"{name}={value!r}" for name, value in family.parameters.items())
        shown = f"{family.name}{f'({given})' if given else ''}{depth}"
        trec = ", ".join(name.format(k="K") for name in (family.trec_whole, family.trec) if name)
        row = (shown, family.about, needs[family.needs], family.classic, users[family.for_users], trec or None)
        rows.append(row)
    columns = tuple(
        Column(key, heading, lambda cell: str(cell or ""), "left")
        for key, heading in (
            ("measure", "measure"),
            ("about", "what it is"),
            ("gains", "gains"),
            ("classic", "with no model"),
            ("users", "users="),
            ("trec_eval", "trec_eval"),
        )
    )
    table = Table(
        "Measures; gains: prm, binary, linear, exponential, udm, a file, or --gain LEVEL=NUMBER", columns, tuple(rows)
    )
    kinds = Table(
        "Expected over random users, as in AP(users='independent') or nDCG(users=0.3)@10",
        (Column("parameter", "parameter", str, "left"), Column("about", "what it is", str, "left")),
        USERS,
    )
    document = {
        "measures": [dict(zip((column.key for column in columns), row, strict=True)) for row in rows],
        "users": [{"parameter": parameter, "about": about} for parameter, about in USERS],
    }
    emit(Output(document, [table, kinds], table), form=form, output=output, quiet=quiet)
