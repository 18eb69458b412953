"""`gainsayer study quality`: the parameters along a quality curve."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

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
    working_bar,
)
from gainsayer.cli.outputs import output_options
from gainsayer.cli.study import publish, relevance_options, study_strata, whole_numbers
from gainsayer.errors import CallError

if TYPE_CHECKING:
    from gainsayer.judgments.table import Judgments
    from gainsayer.studies.entering import EntrySteps
    from gainsayer.studies.quality import QualityStudy


@click.command(
    "quality",
    cls=GreedyCommand,
    epilog="\b\nExample:\n  gainsayer study quality --judgments first.qrels second.qrels --runs runs --by depth",
)
@partial(judgment_options, argument=False)
@side_options
@relevance_options
@click.option(
    "--by",
    type=click.Choice(["metarank", "depth", "resources"]),
    help="Order results by geometric mean rank over the runs, by best rank, or with their resource (by labels).",
)
@click.option("--runs", metavar="R...", multiple=True, help="Run files, folders or patterns, for metarank and depth.")
@click.option(
    "--ties",
    type=click.Choice(["trec", "trec9", "rank", "input"]),
    default="trec",
    show_default=True,
    help="Order of equal scores.",
)
@click.option("--resource-rule", metavar="REGEX", help="How a document id names its resource and rank, as in score.")
@click.option("--resource-file", metavar="FILE", help="Lines of topic, resource and document, in the resource's order.")
@click.option("--results", type=int, default=10, show_default=True, help="With resources: results of each.")
@click.option(
    "--good",
    metavar="LEVEL",
    help="With resources: the best have most results of this level or higher; by default the second highest level.",
)
@click.option("--steps", metavar="K,K,...", help="Look at these k; by default about twenty.")
@output_options
@click.pass_context
def quality(
    context: click.Context,
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: str,
    threshold: tuple[str, ...],
    relevant: tuple[str, ...],
    by: Literal["metarank", "depth", "resources"] | None,
    runs: tuple[str, ...],
    ties: Literal["trec", "trec9", "rank", "input"],
    resource_rule: str | None,
    resource_file: str | None,
    results: int,
    good: str | None,
    steps: str | None,
    form: str | None,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Does p(R|i) depend on how good the judged results are?

    Estimates p(R|i) from the results that enter first: those of the k best resources, or those that the runs rank
    highly. The symmetric and the one-sided estimate stand side by side: an order made from one side's labels bends the
    symmetric one.
    """
    from gainsayer.report.studying_curves import report_quality
    from gainsayer.studies.quality import study_quality

    judgments = read_input(reading, quiet=quiet)
    relevances = choose_relevance(judgments.levels, threshold, relevant)
    sides = choose_assessors(first, judgments), choose_assessors(second, judgments)
    chosen = by or ("metarank" if runs else "resources")
    asked = None if steps is None else whole_numbers(steps, "--steps")
    paths = _find_paths(runs, chosen)

    def study(part: Judgments) -> list[QualityStudy]:
        if chosen == "resources":
            entering = _enter_resources(part, sides, resource_rule, resource_file, results, good)
        else:
            entering = _enter_runs(part, paths, chosen, ties, quiet=quiet)
        options: dict[str, Any] = {"first": sides[0], "second": sides[1], "matched": PAIRINGS[pairing], "steps": asked}
        return [study_quality(part, entering, relevance, **options) for relevance in relevances]

    groups, noticed = study_strata(judgments, study)
    provenance = describe_provenance([*reading.files, *paths], plain_options(context.params), seed)
    report = report_quality(groups, seed=seed, provenance=provenance, noticed=noticed)
    publish(report, form=form, output=output, quiet=quiet)


def _find_paths(runs: Sequence[str], chosen: str) -> list[str]:
    from gainsayer.runs.files import find_runs

    if chosen == "resources":
        if runs:
            raise CallError("--runs goes with --by metarank or --by depth; resources are ordered by the labels.")
        return []
    if not runs:
        raise CallError(f"--by {chosen} goes by where runs put a document. Give --runs.")
    return find_runs(runs)


def _enter_runs(
    judgments: Judgments, paths: Sequence[str], by: Literal["metarank", "depth"], ties: Any, *, quiet: bool
) -> EntrySteps:
    from gainsayer.runs.files import read_run
    from gainsayer.studies.entering import enter_by_runs

    with working_bar("Reading runs", paths, quiet=quiet) as files:
        runs = (read_run(path, ranks=ties == "rank") for path in files)
        return enter_by_runs(judgments, runs, by=by, ties=ties)


def _enter_resources(
    judgments: Judgments,
    sides: tuple[Sequence[str] | None, Sequence[str] | None],
    rule: str | None,
    file: str | None,
    results: int,
    good: str | None,
) -> EntrySteps:
    from gainsayer.counts.sides import choose_sides
    from gainsayer.judgments.side_files import read_topic_table
    from gainsayer.rankings.labels import choose_labels
    from gainsayer.rankings.resources import returned_by_rows, returned_by_rule
    from gainsayer.studies.entering import enter_by_resources

    if (rule is None) == (file is None):
        raise CallError(
            "Say how results are ordered: --by metarank or --by depth with --runs, or by resources with "
            "--resource-rule or --resource-file."
        )
    found = choose_sides(judgments, *sides)
    if found is None:
        raise CallError("A quality curve is about two sides. Name them with --first and --second.")
    levels = judgments.levels
    level = good or levels.names[max(len(levels) - 2, 1)]
    if rule is not None:
        returned = returned_by_rule(choose_labels(judgments, found.first), rule)
    else:
        returned = returned_by_rows(read_topic_table(str(file), ("topic", "resource", "document")).iter_rows())
    return enter_by_resources(judgments, returned, levels.at_or_above(level), reference=found.first, results=results)
