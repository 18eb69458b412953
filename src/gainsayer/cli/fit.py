"""`gainsayer fit`: p(R|i) per level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import click

from gainsayer.cli.inputs import (
    PAIRINGS,
    Reading,
    choose_assessors,
    choose_relevance,
    describe_provenance,
    judgment_options,
    measure_strata,
    plain_options,
    read_input,
    side_options,
)
from gainsayer.cli.outputs import Output, emit, output_options
from gainsayer.errors import CallError

if TYPE_CHECKING:
    from gainsayer.counts.pairs import FloatArray
    from gainsayer.disagreement.smoothing import Smoothing
    from gainsayer.disagreement.units import UnitEstimates
    from gainsayer.judgments.table import Judgments
    from gainsayer.report.fitting import Fit

UNIT_KINDS = ("topics", "strata", "assessors")

EXAMPLES = """\b
Examples:
  gainsayer fit first.qrels second.qrels --threshold 2
  gainsayer fit crowd.csv --levels Non,Rel,HRel,Key --merge Nav=Key -o model.json
  gainsayer fit llm=machine.qrels nist.qrels --estimator one-sided --format json
"""


@click.command("fit", epilog=EXAMPLES)
@judgment_options
@side_options
@click.option(
    "--threshold",
    metavar="LEVEL",
    multiple=True,
    help="Users are satisfied with this level or a higher one; repeatable.",
)
@click.option(
    "--relevant", metavar="LEVEL,LEVEL", multiple=True, help="Users are satisfied with these levels; repeatable."
)
@click.option(
    "--estimator", type=click.Choice(["symmetric", "one-sided"]), help="By default symmetric where it is valid."
)
@click.option(
    "--weighting",
    type=click.Choice(["judgment", "pair", "document"]),
    default="judgment",
    show_default=True,
    help="What counts once where documents have unequal numbers of judgments.",
)
@click.option(
    "--sampled",
    metavar="LEVEL=PROBABILITY",
    multiple=True,
    help="Share of each first level that went to the second round, or 'observed'; pairs are weighted by its inverse.",
)
@click.option(
    "--smooth",
    metavar="KIND[:ALPHA]",
    help="uniform, marginal, pooled (strata), isotonic; or eb-topics, eb-strata, eb-assessors for parameters per unit.",
)
@click.option(
    "--interval",
    type=click.Choice(["auto", "topics", "people", "pair", "binomial", "beta"]),
    default="auto",
    show_default=True,
    help="What intervals are over: topics; people (the larger of topics and people); auto is people where four or more "
    "assessors who stand for users judged several topics. pair and binomial take documents or opinions as independent; "
    "beta needs --smooth with a prior.",
)
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Coverage of the intervals.")
@click.option("--zero-lowest", is_flag=True, help="Set p(R|lowest level) to 0: parameters for a whole collection.")
@output_options
@click.pass_context
def command(
    context: click.Context,
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: str,
    threshold: tuple[str, ...],
    relevant: tuple[str, ...],
    estimator: Literal["symmetric", "one-sided"] | None,
    weighting: Literal["judgment", "pair", "document"],
    sampled: tuple[str, ...],
    smooth: str | None,
    interval: Literal["auto", "topics", "people", "pair", "binomial", "beta"],
    confidence: float,
    zero_lowest: bool,
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
    from gainsayer.counts.pairing import count_pairs
    from gainsayer.counts.sampling import weigh_second_round
    from gainsayer.disagreement.estimate import estimate_disagreement
    from gainsayer.disagreement.relevance import predict_relevance, set_lowest_to_zero
    from gainsayer.report.fitting import Fit, describe_fit, fit_rows, fit_tables

    judgments = read_input(reading, quiet=quiet)
    relevances = choose_relevance(judgments.levels, threshold, relevant)
    kind, alpha = _parse_smoothing(smooth)
    ends = (choose_assessors(first, judgments), choose_assessors(second, judgments))
    if sampled:
        judgments = weigh_second_round(judgments, _parse_shares(sampled), first=ends[0], second=ends[1])
    matched = PAIRINGS[pairing]

    def estimate(part: Judgments, prior: FloatArray | None) -> Fit:
        counts = count_pairs(part, first=ends[0], second=ends[1], weighting=weighting, matched=matched)
        smoothing = _smoothing(kind, alpha, prior)
        disagreement = estimate_disagreement(counts, estimator=estimator, smoothing=smoothing, seed=seed)
        predictions = tuple(
            predict_relevance(disagreement, relevance, interval=interval, confidence=confidence)
            for relevance in relevances
        )
        if zero_lowest:
            predictions = tuple(set_lowest_to_zero(prediction) for prediction in predictions)
        return Fit(disagreement, predictions)

    whole = estimate(judgments, None)
    strata, noticed = measure_strata(judgments, lambda part: estimate(part, whole.disagreement.matrix))
    if kind == "pooled" and not strata:
        raise CallError("--smooth pooled shrinks strata towards all of them together. Give --strata FILE.")
    units = _units(kind, judgments, whole, strata)
    if units is not None:
        whole = Fit(whole.disagreement, whole.predictions, units)
    fits: dict[str | None, Fit] = {None: whole}
    fits.update(strata)
    tables = [table for name, fit in fits.items() for table in fit_tables(fit, stratum=name)]
    provenance = describe_provenance(reading.files, plain_options(context.params), seed)
    findings = dict.fromkeys([*noticed, *(finding for fit in fits.values() for finding in fit.findings)])
    document = describe_fit(whole, strata=strata, provenance=provenance)
    document["warnings"] += [dict(vars(finding)) for finding in noticed]
    emit(Output(document, tables, fit_rows(fits), list(findings)), form=form, output=output, quiet=quiet)


def _parse_smoothing(text: str | None) -> tuple[str | None, float | None]:
    if text is None:
        return None, None
    kind, _, number = text.partition(":")
    known = ("uniform", "marginal", "pooled", "isotonic", *(f"eb-{unit}" for unit in UNIT_KINDS))
    if kind not in known:
        raise CallError(f"There is no smoothing {kind!r}: choose one of {', '.join(known)}.")
    if not number:
        return kind, None
    try:
        return kind, float(number)
    except ValueError:
        raise CallError(f"--smooth {kind}:ALPHA needs a number, found {number!r}.") from None


def _smoothing(kind: str | None, alpha: float | None, prior: FloatArray | None) -> Smoothing | None:
    from gainsayer.disagreement.smoothing import Smoothing

    if kind is None or kind.startswith("eb-") or (kind == "pooled" and prior is None):
        return None
    return Smoothing(cast(Any, kind), alpha, prior if kind == "pooled" else None)


def _parse_shares(sampled: Sequence[str]) -> dict[str, float] | Literal["observed"]:
    if list(sampled) == ["observed"]:
        return "observed"
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


def _units(kind: str | None, judgments: Judgments, whole: Fit, strata: Mapping[str, Fit]) -> UnitEstimates | None:
    """Parameters per topic, stratum or assessor, by empirical Bayes."""
    import numpy as np

    from gainsayer.counts.by_assessors import count_given_assessor
    from gainsayer.disagreement.units import shrink_units

    levels = judgments.levels
    if kind == "eb-topics":
        return shrink_units(levels, "topics", whole.disagreement.counts.topics, whole.disagreement.pairs)
    if kind == "eb-strata":
        if not strata:
            raise CallError("--smooth eb-strata needs strata. Give --strata FILE.")
        pairs = np.stack([fit.disagreement.pairs.sum(axis=0) for fit in strata.values()])
        return shrink_units(levels, "strata", tuple(strata), pairs)
    if kind == "eb-assessors":
        names, pairs = count_given_assessor(judgments)
        return shrink_units(levels, "assessors", names, pairs)
    return None
