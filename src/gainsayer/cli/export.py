"""`gainsayer export`: the gains in other tools' forms."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

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
from gainsayer.cli.outputs import STANDARD_OUTPUT, keep_inputs, say
from gainsayer.cli.streams import show
from gainsayer.output_files import write_whole

if TYPE_CHECKING:
    from gainsayer.evaluation.exports import Style, What
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
    metavar="qrels|gains|opensearch|quepid",
    type=click.Choice(["qrels", "gains", "opensearch", "quepid"]),
)
@partial(reading_options, required=False)
@model_option
@option("--threshold", metavar="LEVEL", group=RELEVANCE, help="Which threshold of the model; its first by default.")
@gain_option
@labels_option
@option(
    "--scale",
    type=click.IntRange(min=1),
    help="Gains become max(1, round(SCALE x gain)): 1000 for qrels and ir_measures; for quepid decimals by default.",
)
@option(
    "--as",
    "style",
    type=click.Choice(["json", "trec_eval", "ir_measures"]),
    default="json",
    show_default=True,
    help="For 'gains': a JSON object, trec_eval's -m ndcg.LEVEL=GAIN,... or ir_measures' nDCG(gains={...}).",
)
@option("--queries", metavar="FILE", help="Lines of topic and query, for tools that know queries by their words.")
@option("--name", default="PRM gains", show_default=True, help="For 'opensearch': the name of the judgment list.")
@option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    group=OUTPUT,
    help="Write here instead of standard output.",
)
@option("--quiet", is_flag=True, group=OUTPUT, help="No warnings and no messages on standard error.")
@click.pass_context
def command(
    context: click.Context,
    what: What,
    reading: Reading,
    model: str | None,
    threshold: str | None,
    gain: dict[str, float],
    labels: tuple[str, ...],
    scale: int | None,
    style: Style,
    queries: str | None,
    name: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Write the gains in other tools' forms.

    \b
    qrels       qrels with whole-numbered gains, for nDCG in trec_eval, pytrec_eval, ir_measures and ranx
    gains       the gains alone: JSON, or trec_eval's or ir_measures' parameter (needs no JUDGMENTS)
    opensearch  judgment ratings for OpenSearch's Search Relevance Workbench, as JSON
    quepid      Quepid's ratings, as CSV

    JUDGMENTS are read as in 'fit'; the gains come from --model, --gain or both. How far nDCG on scaled qrels may be
    off is said on standard error.
    """
    from gainsayer.evaluation.exports import export

    if output is not None and str(output) in STANDARD_OUTPUT:
        output = None
    keep_inputs(context, () if output is None else (output,))
    result = export(
        what,
        reading if reading.sources else None,
        model=model,
        threshold=threshold,
        gain=gain,
        labels=labels,
        scale=scale,
        style=style,
        queries=queries,
        name=name,
    )
    if output is None:
        show(result.text)
    else:
        write_whole(output, result.text)
        say(f"Wrote {output}", quiet=quiet)
    for line in (*result.notes, *(f"Warning ({found.code}): {found.message}" for found in result.findings)):
        say(with_flags(line), quiet=quiet)
