"""`gainsayer fit`: p(R|i) per level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from gainsayer.cli.options import (
    RELEVANCE,
    TESTS,
    GroupedCommand,
    confidence_option,
    estimator_option,
    option,
    reading_options,
    relevance_options,
    side_options,
)
from gainsayer.cli.outputs import Output, emit, output_options
from gainsayer.cli.progress import progress_bar
from gainsayer.errors import CallError

if TYPE_CHECKING:
    from gainsayer.counts.pairs import Weighting
    from gainsayer.disagreement.estimate import Estimator
    from gainsayer.disagreement.intervals import Method
    from gainsayer.evaluation.sides import Pairing
    from gainsayer.evaluation.sources import Reading

EXAMPLES = """\b
Examples:
  gainsayer fit first.qrels second.qrels --threshold 2
  gainsayer fit crowd.csv --levels Non,Rel,HRel,Key --merge Nav=Key -o model.json
  gainsayer fit llm=machine.qrels nist.qrels --estimator one-sided --format json
"""


def _parse_shares(_context: click.Context, _parameter: click.Parameter, sampled: Sequence[str]) -> object:
    """Shares by level, or `observed`; None where nothing was given."""
    if list(sampled) in ([], ["observed"]):
        return "observed" if sampled else None
    shares = {}
    for text in (part for item in sampled for part in item.split(",")):
        level, equals, number = text.rpartition("=")
        try:
            shares[level] = float(number)
        except ValueError:
            equals = ""
        if not equals or not level:
            raise CallError(f"--sampled needs LEVEL=PROBABILITY or 'observed', found {text!r}.")
    return shares


@click.command("fit", cls=GroupedCommand, epilog=EXAMPLES)
@reading_options
@side_options
@relevance_options
@estimator_option
@option(
    "--weighting",
    type=click.Choice(["judgment", "pair", "document"]),
    default="judgment",
    show_default=True,
    group=RELEVANCE,
    help="What counts once where documents have unequal numbers of judgments.",
)
@option(
    "--sampled",
    metavar="LEVEL=PROBABILITY",
    multiple=True,
    callback=_parse_shares,
    group=RELEVANCE,
    help="Share of each first level that went to the second round, or 'observed'; pairs are weighted by its inverse.",
)
@option(
    "--smooth",
    metavar="KIND[:ALPHA]",
    group=RELEVANCE,
    help="uniform, marginal, pooled (strata), isotonic; or eb-topics, eb-strata, eb-assessors for parameters per unit.",
)
@option(
    "--zero-lowest",
    is_flag=True,
    group=RELEVANCE,
    help="Set p(R|lowest level) to 0: parameters for a whole collection.",
)
@option(
    "--interval",
    type=click.Choice(["auto", "topics", "people", "pair", "binomial", "beta"]),
    default="auto",
    show_default=True,
    group=TESTS,
    help="What intervals are over: topics; people (the larger of topics and people); auto is people where four or more "
    "assessors who stand for users judged several topics. pair and binomial take documents or opinions as independent; "
    "beta needs --smooth with a prior.",
)
@confidence_option
@output_options
def command(
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: Pairing,
    threshold: list[str] | None,
    relevant: list[list[str]] | None,
    estimator: Estimator | None,
    weighting: Weighting,
    sampled: Mapping[str, float] | Literal["observed"] | None,
    smooth: str | None,
    zero_lowest: bool,
    interval: Method,
    confidence: float,
    form: str | None,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Estimate p(R|i), the probability that a random user finds a document relevant that an assessor put on level i.

    JUDGMENTS are TREC qrels (one file per assessor, named by its file name or NAME=FILE), or CSV, TSV, JSON lines or
    Parquet with columns topic, document, assessor, level; '-' is standard input. Two files are first and second in the
    order given; with more, or people of one table, and no sides, all pairs of different assessors count. Without
    --threshold or --relevant every threshold is shown.
    """
    from gainsayer.evaluation.parameters import fit
    from gainsayer.presentation.parameters import describe_fit, fit_rows, fit_tables

    with progress_bar(quiet=quiet):
        model = fit(
            reading,
            threshold=threshold,
            relevant=relevant,
            first=first,
            second=second,
            pairing=pairing,
            estimator=estimator,
            weighting=weighting,
            sampled=sampled,
            smooth=smooth,
            interval=interval,
            confidence=confidence,
            zero_lowest=zero_lowest,
            seed=seed,
        )
    shown = Output(
        partial(describe_fit, model), partial(fit_tables, model), partial(fit_rows, model), model.findings
    )  # said here, as the views of all other results would have to be loaded, too
    emit(shown, form=form, output=output, quiet=quiet)
