"""`gainsayer export`: the gains in other tools' forms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gainsayer.cli.gain_options import GainChoice, adopt_levels, choose_gains, gain_options
from gainsayer.cli.inputs import Reading, judgment_options, read_input
from gainsayer.cli.outputs import STANDARD_OUTPUT, keep_inputs, say
from gainsayer.cli.running import LABELS_HELP, choose_scored
from gainsayer.cli.streams import show
from gainsayer.errors import CallError
from gainsayer.output_files import write_whole

if TYPE_CHECKING:
    from gainsayer.gains import Gains
    from gainsayer.judgments.table import Judgments

WHAT = ("qrels", "gains", "opensearch", "quepid")

EXAMPLES = """\b
Examples:
  gainsayer export qrels nist.qrels --model model.json -o scaled.qrels
  gainsayer export gains --model model.json --as trec_eval
  gainsayer export opensearch nist.qrels --model model.json --queries queries.tsv -o judgments.json
  gainsayer export quepid nist.qrels --gain 0=0.01 --gain 1=0.27 --gain 2=0.53 -o ratings.csv
"""


@click.command("export", epilog=EXAMPLES)
@click.argument("what", metavar="qrels|gains|opensearch|quepid", type=click.Choice(WHAT))
@judgment_options
@gain_options
@click.option("--labels", metavar="NAME,...|majority|mean", multiple=True, help=LABELS_HELP)
@click.option(
    "--scale",
    type=click.IntRange(min=1),
    help="Gains become max(1, round(SCALE x gain)): 1000 for qrels and ir_measures; for quepid decimals by default.",
)
@click.option(
    "--as",
    "style",
    type=click.Choice(["json", "trec_eval", "ir_measures"]),
    default="json",
    show_default=True,
    help="For 'gains': a JSON object, trec_eval's -m ndcg.LEVEL=GAIN,... or ir_measures' nDCG(gains={...}).",
)
@click.option("--queries", metavar="FILE", help="Lines of topic and query, for tools that know queries by their words.")
@click.option("--name", default="PRM gains", show_default=True, help="For 'opensearch': the name of the judgment list.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write here instead of standard output."
)
@click.option("--quiet", is_flag=True, help="No warnings and no talk on standard error.")
@click.pass_context
def command(
    context: click.Context,
    what: str,
    reading: Reading,
    choice: GainChoice,
    labels: tuple[str, ...],
    scale: int | None,
    style: str,
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
    if output is not None and str(output) in STANDARD_OUTPUT:
        output = None
    keep_inputs(context, () if output is None else (output,))
    if what == "gains" and not reading.files:
        text, talk = _export_gains(choose_gains(choice), style, scale)
    else:
        if not reading.files:
            raise CallError(f"'export {what}' needs the judgments to write: name at least one file.")
        from gainsayer.exports.labels import take_labels
        from gainsayer.exports.queries import read_queries
        from gainsayer.gains import pattern_gains

        judgments = read_input(adopt_levels(reading, choice), quiet=quiet)
        gains = choose_gains(choice, judgments.levels)
        if what == "gains":
            text, talk = _export_gains(gains, style, scale)
        else:
            table = None if queries is None else read_queries(queries)
            scored, rule = choose_scored(labels, judgments)
            taken = take_labels(scored)
            text, talk = _export_labels(what, taken, pattern_gains(gains, taken.levels), scale, table, name)
            talk += [f"Labels: {rule.said}."] if len(judgments.assessors) > 1 else []
    if output is None:
        show(text)
    else:
        write_whole(output, text)
        say(f"Wrote {output}", quiet=quiet)
    for line in talk:
        say(line, quiet=quiet)


# 'gains' needs no judgments, so the argument that other commands require is free here.
next(parameter for parameter in command.params if parameter.name == "files").required = False


def _export_gains(gains: Gains, style: str, scale: int | None) -> tuple[str, list[str]]:
    from gainsayer.exports.gain_maps import write_gain_json, write_ir_measures_gains, write_trec_eval_gains
    from gainsayer.exports.scaled_qrels import SCALE

    if style == "json":
        return write_gain_json(gains) + "\n", []
    if style == "ir_measures":
        note = f"Note: ir_measures takes whole numbers only, so the gains are scaled by {scale or SCALE}."
        return write_ir_measures_gains(gains, scale=scale or SCALE) + "\n", [note]
    note = (
        "Warning: trec_eval compares gains through an integer; keep this order of levels, or a perfect ranking can "
        "score nDCG above 1. Scaled qrels (gainsayer export qrels) are safer; gainsayer doctor shows what yours does."
    )
    return write_trec_eval_gains(gains) + "\n", [note]


def _export_labels(
    what: str, labels: Judgments, gains: Gains, scale: int | None, queries: Mapping[str, str] | None, name: str
) -> tuple[str, list[str]]:
    from gainsayer.exports.opensearch import write_opensearch_judgments
    from gainsayer.exports.quepid import count_formulas, write_quepid_csv
    from gainsayer.exports.scaled_qrels import MEANINGLESS, SCALE, bound_error, show_bound, write_scaled_qrels

    if what == "qrels":
        factor = scale or SCALE
        text = write_scaled_qrels(labels, gains, scale=factor)
        bound = bound_error(labels, gains, scale=factor)
        talk = [
            f"nDCG on these qrels is off by at most {show_bound(bound.mean)} in the mean over topics, and by at most "
            f"{show_bound(bound.worst)} in any topic (worst: {bound.topic}), at any depth, by the rounding."
            + (" A larger --scale makes it smaller." if bound.worst > 1e-12 else ""),
        ]
        if bound.worthless:
            talk.append(
                f"Warning: {bound.worthless:,} topics have judged documents of gain 0 only. Their nDCG is 0, but in "
                "these qrels it can be up to 1; leave these topics out."
            )
        return text, [*talk, f"Warning: {MEANINGLESS}"]
    talk = []
    if queries is None and all(topic.isdigit() for topic in labels.topics):
        talk.append("Warning: the topics are numbers, but this tool knows queries by their words. Give --queries FILE.")
    if what == "opensearch":
        return write_opensearch_judgments(labels, gains, name=name, queries=queries), talk
    text = write_quepid_csv(labels, gains, scale=scale, queries=queries)
    formulas = count_formulas(labels, queries)
    if formulas:
        talk.append(
            f"Warning: {formulas:,} queries and documents begin with = + - or @. Quepid takes them as text; a "
            "spreadsheet would take them as formulas, so do not open the file in one."
        )
    return text, talk
