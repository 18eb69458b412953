"""`gainsayer fit`: p(R|i) per level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from gainsayer.cli.bundles import (
    confidence_option,
    engine_options,
    estimator_option,
    reading_options,
    relevance_options,
    side_options,
)
from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.options import RELEVANCE, TESTS, option, parse_numbers, rare
from gainsayer.cli.outputs import Target, emit, output_options, progress_bar
from gainsayer.commands.fit import fit
from gainsayer.commands.inputs import Reading

EXAMPLES = (
    "gainsayer fit first.qrels second.qrels --threshold 2",
    "gainsayer fit crowd.csv --levels Non,Rel,HRel,Key --merge Nav=Key -o model.json",
    "gainsayer fit first.qrels second.csv --plan plan.json",
    "gainsayer fit llm=machine.qrels nist.qrels --estimator one-sided --format json",
)


def _parse_shares(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> object:
    """Shares by level, or `observed`; None where nothing was given."""
    return "observed" if list(given) == ["observed"] else parse_numbers(context, parameter, given) or None


@click.command("fit", cls=GroupedCommand, examples=EXAMPLES)
@reading_options
@side_options
@relevance_options
@estimator_option
@rare(
    "--weighting judgment|pair|document",
    RELEVANCE,
    "What counts once where documents have unequal numbers of judgments.",
    default="judgment",
)
@rare(
    "--sampled LEVEL=PROBABILITY *",
    RELEVANCE,
    "Share of each first level that went to the second round, or 'observed'; pairs are weighted by its inverse.",
    callback=_parse_shares,
)
@rare(
    "--smooth KIND[:ALPHA]",
    RELEVANCE,
    "uniform, marginal, isotonic; or eb-topics for parameters per topic.",
)
@rare("--zero-lowest", RELEVANCE, "Set p(R|lowest level) to 0: parameters for a whole collection.")
@rare(
    "--interval auto|topics|people|pair|binomial",
    TESTS,
    "What intervals are over: topics; people (and topics); auto is people where named assessors who stand for users "
    "are worth more than three and judged several topics. pair and binomial take documents or opinions as independent.",
    default="auto",
)
@option(
    "--plan FILE",
    RELEVANCE,
    "The plan by which second judgments were chosen: they are weighed by it, and estimated as it foretells.",
)
@rare(
    "--keep-pilot",
    RELEVANCE,
    "With --plan: use documents outside it, too, all weighed by the share judged of their topic and level.",
)
@confidence_option
@engine_options
@output_options
def command(reading: Reading, target: Target, **options: Any) -> None:
    """Estimate what each level is worth: how likely a user is to find a document relevant that has this level.

    JUDGMENTS are TREC qrels (one file per assessor, named by its file name or NAME=FILE), or CSV, TSV, JSON lines or
    Parquet with columns topic, document, assessor, level; '-' is standard input. Two files are first and second in the
    order given; with more, or people of one table, and no sides, all pairs of different assessors count. Without
    --threshold or --relevant every threshold is shown.
    """
    with progress_bar(quiet=target.quiet):
        model = fit(reading, **options)
    emit(model, target)
