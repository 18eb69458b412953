"""`gainsayer doctor`: what each installed evaluator makes of these gains, and where it goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gainsayer.cli.gain_options import GainChoice, adopt_levels, choose_gains, gain_options
from gainsayer.cli.inputs import Reading, describe_provenance, judgment_options, plain_options, read_input
from gainsayer.cli.outputs import Output, emit, output_options, say
from gainsayer.cli.running import LABELS_HELP, choose_scored
from gainsayer.errors import CallError, DataError

if TYPE_CHECKING:
    from gainsayer.judgments.table import Judgments
    from gainsayer.runs.run import Run

EXAMPLES = """\b
Examples:
  gainsayer doctor nist.qrels
  gainsayer doctor nist.qrels bm25.run --model model.json
  gainsayer doctor nist.qrels --gain 0=0.01 --gain 1=0.27 --gain 2=0.53 --format json
"""


@click.command("doctor", epilog=EXAMPLES)
@judgment_options
@gain_options
@click.option("--labels", metavar="NAME,...|majority", multiple=True, help=LABELS_HELP)
@click.option(
    "--scale", type=click.IntRange(min=1), default=1000, show_default=True, help="Factor of the scaled qrels."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    default=90,
    show_default=True,
    help="Time limit of each evaluator, for all questions; ranx compiles itself at its first use.",
)
@click.option(
    "--most-topics",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Look at this many topics at most.",
)
@output_options
@click.pass_context
def command(
    context: click.Context,
    reading: Reading,
    choice: GainChoice,
    labels: tuple[str, ...],
    scale: int,
    seconds: float,
    most_topics: int,
    form: str | None,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Show what each installed evaluator makes of PRM gains on your own files, and where it goes wrong.

    Looks for trec_eval (on PATH), pytrec_eval, ir_measures and ranx. Each is asked for the nDCG of a perfect ranking
    made from the labels of QRELS, which should be 1, and of RUN where one is given: with the gains as relevance, as a
    gain map, and as scaled qrels ('gainsayer export qrels'), beside the right value. Without --model and --gain,
    example gains are used: the paper's FedWeb13 parameters, stretched over the levels found. An evaluator that needs
    more than --seconds is stopped, and its row says so.
    """
    from gainsayer.exports.doctor import check_peers, example_gains
    from gainsayer.exports.labels import take_labels
    from gainsayer.report.doctoring import advise, check_rows, check_tables, describe_checks

    if len(reading.files) > 2:
        raise CallError(f"'doctor' takes QRELS and at most one RUN, found {len(reading.files)} files.")
    judgments = read_input(adopt_levels(replace(reading, files=reading.files[:1]), choice), quiet=quiet)
    returned: Run | None = None
    if len(reading.files) == 2:
        from gainsayer.runs.files import read_run

        returned = read_run(reading.files[1])
    scored, rule = choose_scored(labels, judgments)
    if rule.kind == "mean":
        raise CallError(
            "The evaluators know one label per document, not the mean over several: name assessors with --labels, or "
            "take --labels majority. 'gainsayer export qrels --labels mean' writes the mean gains for them."
        )
    own = take_labels(scored)
    gains = choose_gains(choice, own.levels) if choice.given else example_gains(own.levels)
    own = _first_topics(own, None if returned is None else returned.topics, most_topics, quiet=quiet)
    run = None if returned is None else _rank(returned, own)
    say(f"Asking the evaluators, {seconds:g} seconds at most; ranx may take a minute at its first use.", quiet=quiet)
    checks = check_peers(own, gains, run, scale=scale, seconds=seconds)
    advice = advise(checks, scale=scale)
    provenance = describe_provenance(reading.files, plain_options(context.params), seed)
    document = describe_checks(checks, gains, advice, scale=scale, provenance=provenance) | {"labels": rule.said}
    result = Output(document, check_tables(checks, gains, advice), check_rows(checks))
    emit(result, form=form, output=output, quiet=quiet)


next(parameter for parameter in command.params if parameter.name == "files").metavar = "QRELS [RUN]"


def _first_topics(labels: Judgments, returned: Sequence[str] | None, most: int, *, quiet: bool) -> Judgments:
    """The labels of the first topics, of those in the run where there is one; says how many there were."""
    import numpy as np

    known = set(labels.topics if returned is None else returned)
    places = [place for place in np.unique(labels.topic).tolist() if labels.topics[place] in known]
    if len(places) <= most:
        return labels
    say(f"Looking at the first {most:,} of {len(places):,} topics; --most-topics allows more.", quiet=quiet)
    return labels.rows(np.isin(labels.topic, places[:most]))


def _rank(run: Run, labels: Judgments) -> dict[str, list[str]]:
    """Documents by rank for each judged topic: score descending, then document descending by bytes, as in trec_eval."""
    import numpy as np
    import polars as pl

    judged = [labels.topics[place] for place in np.unique(labels.topic).tolist()]
    frame = run.frame().filter(pl.col("topic").is_in(judged))
    repeated = frame.filter(pl.struct("topic", "document").is_duplicated())
    if repeated.height:
        topic, document = repeated.row(0)[:2]
        raise DataError(f"{run.source}: topic {topic} has document {document!r} twice. A run returns it once.")
    ranked = frame.sort("score", "document", descending=True).group_by("topic", maintain_order=True).agg("document")
    return dict(ranked.select("topic", "document").iter_rows())
