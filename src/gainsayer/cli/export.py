"""`gainsayer export`: the gains in other tools' forms."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from gainsayer.cli.bundles import gain_option, labels_option, model_option, model_threshold_option, reading_options
from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.options import FILE, OUTPUT, option
from gainsayer.cli.outputs import choose_place, put, quiet_option
from gainsayer.cli.streams import say
from gainsayer.commands.export import What, export
from gainsayer.commands.inputs import Reading

EXAMPLES = (
    "gainsayer export qrels nist.qrels --model model.json -o scaled.qrels",
    "gainsayer export gains --model model.json --as trec_eval",
    "gainsayer export opensearch nist.qrels --model model.json --queries queries.tsv -o judgments.json",
    "gainsayer export quepid nist.qrels --gain 0=0.01 --gain 1=0.27 --gain 2=0.53 -o ratings.csv",
)


@click.command("export", cls=GroupedCommand, examples=EXAMPLES)
@click.argument(
    "what",
    metavar="qrels|gains|opensearch|quepid|quepid-book",
    type=click.Choice(["qrels", "gains", "opensearch", "quepid", "quepid-book"]),
)
@partial(reading_options, required=False)
@model_option
@model_threshold_option
@gain_option
@labels_option
@option(
    "--scale",
    None,
    "Gains become max(1, round(SCALE x gain)): 1000 for qrels and ir_measures; for quepid decimals by default.",
    type=click.IntRange(min=1),
)
@option(
    "--as style json|trec_eval|ir_measures",
    None,
    "For 'gains': a JSON object, trec_eval's -m ndcg.LEVEL=GAIN,... or ir_measures' nDCG(gains={...}).",
    default="json",
)
@option("--queries FILE", None, "Lines of topic and query, for tools that know queries by their words.")
@option("--name", None, "For 'opensearch' and 'quepid-book': the name of the list or book.", default="PRM gains")
@option("-o --output", OUTPUT, "Write here instead of standard output.", type=FILE)
@quiet_option
def command(what: What, reading: Reading, output: Path | None, quiet: bool, **options: Any) -> None:
    """Write the gains in other tools' forms.

    \b
    qrels       qrels with whole-numbered gains, for nDCG in trec_eval, pytrec_eval, ir_measures and ranx
    gains       the gains alone: JSON, or trec_eval's or ir_measures' parameter (needs no JUDGMENTS)
    opensearch  judgment ratings for OpenSearch's Search Relevance Workbench, as JSON
    quepid      Quepid's ratings, as CSV
    quepid-book every judge's levels as a Quepid book, as JSON (needs no gains)

    JUDGMENTS are read as in 'fit'; the gains come from --model, --gain or both. How far nDCG on scaled qrels may be
    off is said on standard error.
    """
    place = choose_place(output)
    result = export(what, reading if reading.sources else None, **options)
    put(result.text, place, quiet=quiet)
    for line in (*result.notes, *(f"Warning ({found.code}): {found.message}" for found in result.findings)):
        say(line, quiet=quiet)
