"""`gainsayer export`: the gains in other tools' forms."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gainsayer.cli.flags import with_flags
from gainsayer.cli.options import (
    OUTPUT,
    RELEVANCE,
    GroupedCommand,
    gain_option,
    labels_option,
    model_option,
    option,
    reading_options,
)
from gainsayer.cli.outputs import STANDARD_OUTPUT, keep_inputs, quiet_option, say
from gainsayer.cli.streams import show
from gainsayer.output_files import write_whole

if TYPE_CHECKING:
    from gainsayer.evaluation.exports import What
    from gainsayer.evaluation.sources import Reading

EXAMPLES = """\b
Examples:
  gainsayer export qrels nist.qrels --model model.json -o scaled.qrels
  gainsayer export gains --model model.json --as trec_eval
  gainsayer export opensearch nist.qrels --model model.json --queries queries.tsv -o judgments.json
  gainsayer export quepid nist.qrels --gain 0=0.01 --gain 1=0.27 --gain 2=0.53 -o ratings.csv
"""


@click.command("export", cls=GroupedCommand, epilog=EXAMPLES)
@click.argument(
    "what",
    metavar="qrels|gains|opensearch|quepid|quepid-book",
    type=click.Choice(["qrels", "gains", "opensearch", "quepid", "quepid-book"]),
)
@partial(reading_options, required=False)
@model_option
@option("--threshold", RELEVANCE, "Which threshold of the model; its first by default.", metavar="LEVEL")
@gain_option
@labels_option
@option(
    "--scale",
    None,
    "Gains become max(1, round(SCALE x gain)): 1000 for qrels and ir_measures; for quepid decimals by default.",
    type=click.IntRange(min=1),
)
@option(
    "--as style",
    None,
    "For 'gains': a JSON object, trec_eval's -m ndcg.LEVEL=GAIN,... or ir_measures' nDCG(gains={...}).",
    choices=("json", "trec_eval", "ir_measures"),
    default="json",
)
@option("--queries", None, "Lines of topic and query, for tools that know queries by their words.", metavar="FILE")
@option("--name", None, "For 'opensearch' and 'quepid-book': the name of the list or book.", default="PRM gains")
@option(
    "-o --output",
    OUTPUT,
    "Write here instead of standard output.",
    type=click.Path(dir_okay=False, path_type=Path),
)
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
    from gainsayer.evaluation.exports import export

    if output is not None and str(output) in STANDARD_OUTPUT:
        output = None
    keep_inputs(click.get_current_context(), () if output is None else (output,))
    result = export(what, reading if reading.sources else None, **options)
    if output is None:
        show(result.text)
    else:
        write_whole(output, result.text)
        say(f"Wrote {output}", quiet=quiet)
    for line in (*result.notes, *(f"Warning ({found.code}): {found.message}" for found in result.findings)):
        say(with_flags(line), quiet=quiet)
