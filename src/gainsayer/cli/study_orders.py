"""`gainsayer study robustness` and `gainsayer study gains`: the order of the runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from gainsayer.cli.inputs import (
    PAIRINGS,
    GreedyCommand,
    Reading,
    choose_assessors,
    choose_relevance,
    describe_provenance,
    judgment_options,
    plain_options,
    read_input,
    side_options,
)
from gainsayer.cli.outputs import output_options
from gainsayer.cli.running import LABELS_HELP, RunRequest, choose_scored, rank_runs
from gainsayer.cli.study import estimator_option, publish, relevance_options, study_strata
from gainsayer.errors import CallError

if TYPE_CHECKING:
    from gainsayer.findings import Finding
    from gainsayer.judgments.table import Judgments
    from gainsayer.measures.catalogue import Measure
    from gainsayer.rankings.ranked_levels import RankedLevels
    from gainsayer.studies.gain_schemes import GainStudy

_Function = TypeVar("_Function", bound=Callable[..., Any])


def order_options(function: _Function) -> _Function:
    """The options of studies that score runs."""
    options = (
        click.option("--runs", metavar="R...", multiple=True, required=True, help="Run files, folders or patterns."),
        click.option("-m", "--measure", "names", metavar="MEASURE", multiple=True, help="Such as nDCG@10; repeatable."),
        click.option("--gains", "schemes", metavar="KIND,...", help="Among prm, binary, linear, exponential and udm."),
        click.option(
            "--unjudged",
            type=click.Choice(["0", "condense"]),
            default="0",
            show_default=True,
            help="Unjudged documents are worth 0, or left out of the lists.",
        ),
        click.option(
            "--ties",
            type=click.Choice(["trec", "trec9", "rank", "input"]),
            default="trec",
            show_default=True,
            help="Order of equal scores.",
        ),
        click.option("--duplicates", metavar="FILE", help="Groups of equal documents; later ones are worth nothing."),
        click.option(
            "--no-relevant",
            type=click.Choice(["skip", "keep"]),
            default="skip",
            show_default=True,
            help="Topics without a relevant label: left out for all gains alike, or scored as computed.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command(
    "robustness",
    cls=GreedyCommand,
    epilog="\b\nExample:\n  gainsayer study robustness --judgments first.qrels second.qrels --runs runs --folds 10",
)
@partial(judgment_options, argument=False)
@side_options
@relevance_options
@estimator_option
@order_options
@click.option(
    "--folds",
    type=int,
    help="Score a topic with the parameters of the other topics, divided into so many parts (cross-fitting).",
)
@click.option("--common-documents", is_flag=True, help="Use only the documents that both sides judged.")
@output_options
@click.pass_context
def robustness(
    context: click.Context,
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: str,
    threshold: tuple[str, ...],
    relevant: tuple[str, ...],
    estimator: Literal["symmetric", "one-sided"] | None,
    runs: tuple[str, ...],
    names: tuple[str, ...],
    schemes: str | None,
    unjudged: Literal["0", "condense"],
    ties: Literal["trec", "trec9", "rank", "input"],
    duplicates: str | None,
    no_relevant: Literal["skip", "keep"],
    folds: int | None,
    common_documents: bool,
    form: str | None,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Does the order of the runs survive another assessor's labels?

    Scores every run with the first side's labels and with the second's, on the topics that both judged and with the
    same gains, and gives Kendall's tau-b between the two orders; with --strata in each stratum, with its own
    parameters, besides all topics together.
    """
    from gainsayer.counts.pairing import count_pairs
    from gainsayer.report.figures.words import name_side
    from gainsayer.report.studying_orders import report_robustness
    from gainsayer.runs.files import find_runs
    from gainsayer.studies.robustness import ROBUST_SCHEMES, study_robustness
    from gainsayer.studies.side_labels import label_sides

    measures = _parse(names or ("nDCG@10",))
    judgments = read_input(reading, quiet=quiet)
    relevances = choose_relevance(judgments.levels, threshold, relevant)
    sides = choose_assessors(first, judgments), choose_assessors(second, judgments)
    labels = label_sides(judgments, first=sides[0], second=sides[1], common=common_documents)
    counts = count_pairs(judgments, first=sides[0], second=sides[1], matched=PAIRINGS[pairing])
    noticed = list(labels.findings)
    ranked = []
    for side in (labels.first, labels.second):
        lists, found = _rank_runs(runs, side, ties, duplicates, unjudged, quiet=quiet)
        ranked.append(lists)
        noticed += found
    studies = [
        study_robustness(
            counts,
            ranked[0],
            ranked[1],
            relevance,
            measure=measure,
            schemes=_schemes(schemes, measure, ROBUST_SCHEMES),
            estimator=estimator,
            strata=judgments.strata,
            folds=folds,
            no_relevant=no_relevant,
            seed=seed,
        )
        for measure in measures
        for relevance in relevances
    ]
    provenance = describe_provenance([*reading.files, *find_runs(runs)], plain_options(context.params), seed)
    named = (name_side(counts.first), name_side(counts.second))
    report = report_robustness(studies, sides=named, provenance=provenance, noticed=noticed)
    publish(report, form=form, output=output, quiet=quiet)


@click.command(
    "gains",
    cls=GreedyCommand,
    epilog="\b\nExample:\n  gainsayer study gains --judgments first.qrels second.qrels --runs runs -m nDCG@20",
)
@partial(judgment_options, argument=False)
@side_options
@relevance_options
@estimator_option
@order_options
@click.option("--labels", metavar="NAME,...|majority|mean", multiple=True, help=LABELS_HELP)
@output_options
@click.pass_context
def gains(
    context: click.Context,
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: str,
    threshold: tuple[str, ...],
    relevant: tuple[str, ...],
    estimator: Literal["symmetric", "one-sided"] | None,
    runs: tuple[str, ...],
    names: tuple[str, ...],
    schemes: str | None,
    unjudged: Literal["0", "condense"],
    ties: Literal["trec", "trec9", "rank", "input"],
    duplicates: str | None,
    no_relevant: Literal["skip", "keep"],
    labels: tuple[str, ...],
    form: str | None,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Does the order of the runs depend on the gains?

    Scores every run with PRM, binary, linear, exponential and UDM gains, same labels and topics, and gives rank
    correlations between the orders: tau-b and tau_ap against the first kind of gains, and tau-b between all of them.
    """
    from gainsayer.counts.pairing import count_pairs
    from gainsayer.disagreement.estimate import estimate_disagreement
    from gainsayer.rankings.selecting import keep_topics
    from gainsayer.report.studying_orders import report_gains
    from gainsayer.runs.files import find_runs
    from gainsayer.studies.gain_schemes import study_gains
    from gainsayer.studies.schemes import SCHEMES

    measures = _parse(names or ("nDCG@20",))
    judgments = read_input(reading, quiet=quiet)
    relevances = choose_relevance(judgments.levels, threshold, relevant)
    sides = choose_assessors(first, judgments), choose_assessors(second, judgments)
    scored, _ = choose_scored(labels, judgments, first=sides[0], second=sides[1])
    ranked, found = _rank_runs(runs, scored, ties, duplicates, unjudged, quiet=quiet)

    def study(part: Judgments) -> list[GainStudy]:
        counts = count_pairs(part, first=sides[0], second=sides[1], matched=PAIRINGS[pairing])
        disagreement = estimate_disagreement(counts, estimator=estimator, seed=seed)
        inside = {part.topics[topic] for topic in set(part.topic.tolist())}
        lists = [keep_topics(run, inside) for run in ranked]
        options: dict[str, Any] = {"no_relevant": no_relevant, "seed": seed}
        return [
            study_gains(
                disagreement,
                lists,
                relevance,
                measure=measure,
                schemes=_schemes(schemes, measure, SCHEMES),
                **options,
            )
            for measure in measures
            for relevance in relevances
        ]

    groups, gone = study_strata(judgments, study)
    provenance = describe_provenance([*reading.files, *find_runs(runs)], plain_options(context.params), seed)
    noticed = [*scored.findings, *found, *gone]
    report = report_gains(groups, provenance=provenance, noticed=noticed)
    publish(report, form=form, output=output, quiet=quiet)


def _rank_runs(
    runs: Sequence[str], labels: Judgments, ties: Any, duplicates: str | None, unjudged: str, *, quiet: bool
) -> tuple[list[RankedLevels], list[Finding]]:
    """The runs ranked by these labels, condensed where asked for."""
    request = RunRequest(tuple(runs), unjudged=unjudged, ties=ties, duplicates=duplicates)
    found = rank_runs(request, labels, quiet=quiet)
    return list(found.ranked), list(found.findings)


def _parse(names: Sequence[str]) -> list[Measure]:
    from gainsayer.measures.catalogue import parse_measure

    measures = list(dict.fromkeys(parse_measure(name) for name in names))
    for measure in measures:
        if measure.family.needs == "nothing":
            raise CallError(f"{measure} says nothing about relevance, so it orders no runs: choose another measure.")
    return measures


def _schemes(asked: str | None, measure: Measure, usual: Sequence[str]) -> tuple[str, ...]:
    """The kinds of gains asked for; by default those of the usual ones that the measure can take."""
    if asked is not None:
        return _split(asked)
    if measure.family.needs == "any" and measure.users is None:
        return tuple(usual)
    return tuple(name for name in usual if name in ("prm", "binary", "udm"))


def _split(schemes: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in schemes.split(","))
