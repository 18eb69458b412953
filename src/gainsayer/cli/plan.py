"""`gainsayer plan`: which documents to judge a second time, how many, and when to stop."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from gainsayer.cli.bundles import confidence_option, duplicates_option, reading_options, side_options, ties_option
from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.options import JUDGMENTS, RELEVANCE, RUNS, SCORING, TESTS, option, parse_numbers, rare, split_list
from gainsayer.cli.outputs import STANDARD_OUTPUT, Target, emit, keep_inputs, output_options, progress_bar
from gainsayer.commands.inputs import Reading
from gainsayer.commands.plan import is_list, list_path, plan
from gainsayer.output_files import keep_foreign

EXAMPLES = (
    "gainsayer plan first.qrels pilot.csv --threshold 2 --budget 400 -o plan.json",
    "gainsayer plan first.qrels --threshold 2 --within 0.05 --assessors 8",
    "gainsayer plan first.qrels pilot.csv --threshold 2 --for difference --runs a.run b.run -m nDCG@10 --power 0.8",
    "gainsayer plan --shares Non=.77,Rel=.15,Key=.08 --topics 50 --documents 34010 --threshold Key --within 0.05",
)
COUNT = click.IntRange(min=1)


@click.command("plan", cls=GroupedCommand, examples=EXAMPLES)
@partial(reading_options, required=False)
@rare(
    "--shares LEVEL=SHARE,...",
    JUDGMENTS,
    "In place of JUDGMENTS: the share of each level, from low to high.",
    callback=parse_numbers,
)
@rare("--topics N", JUDGMENTS, "In place of JUDGMENTS: how many topics.", type=COUNT)
@rare("--documents N", JUDGMENTS, "In place of JUDGMENTS: how many documents.", type=COUNT)
@side_options
@option("--threshold LEVEL", RELEVANCE, "Users want this level or a higher one.")
@rare(
    "--relevant LEVEL,LEVEL",
    RELEVANCE,
    "Users want one of these levels.",
    callback=lambda _context, _parameter, value: list(split_list([value])) if value else None,
)
@option(
    "--for purpose parameters|score|difference",
    None,
    "What is to be precise: p(R|i), the scores of runs, or the difference of two.",
    default="parameters",
)
@rare("--level LEVEL *", None, "With --for parameters: of this level alone; repeatable.")
@option("--within E", None, "Plan for intervals of at most plus or minus this.", type=float)
@option("--power P", None, "Plan for a difference to show with this probability.", type=float)
@option("--budget N", None, "Plan for so many second judgments.", type=COUNT)
@option("--runs R... *", RUNS, "Run files, folders or patterns; two for a difference.")
@option("-m --measure MEASURE", SCORING, "By which runs are scored; nDCG@10 by default.")
@rare("--difference D", SCORING, "The difference that should show; by default today's.", type=float)
@ties_option
@duplicates_option
@rare(
    "--guess LEVEL=P *",
    RELEVANCE,
    "A guess of p(R|level) where no pilot tells; repeatable.",
    callback=lambda context, parameter, value: parse_numbers(context, parameter, value) or None,
)
@rare(
    "--intraclass R",
    TESTS,
    "Without a pilot: how alike opinions on documents of one topic and level are where p is 1/2; else 0.35.",
    type=float,
)
@option("--assessors K", None, "How many people will judge a second time.", type=COUNT)
@rare(
    "--assessor-sd S",
    TESTS,
    "Without a pilot: how far people differ, on the logit of p(R|i); with --assessors, else 0.8.",
    type=float,
)
@rare("--minimum N", None, "Fewest judgments of a level.", type=COUNT)
@rare("--batches", None, "In how many steps to judge.", default=5)
@rare("--with-levels", None, "Show first labels in the list; whoever judges should not see them.")
@confidence_option
@output_options
def command(reading: Reading, target: Target, runs: tuple[str, ...], level: tuple[str, ...], **options: Any) -> None:
    """Which documents should be judged a second time, how many of each level, and when may one stop?

    JUDGMENTS are the first labels; a second side, where there is one, is the pilot. With -o plan.json the documents are
    listed beside it in plan.list.csv (topic, document, batch, sampling key; shuffled, without labels), and the plan is
    printed as well, unless with --quiet. 'gainsayer fit ... --plan plan.json' weighs what came back. The same seed and
    labels give the same list, and a larger budget contains the smaller one's documents.
    """
    path = None if target.path is None or str(target.path) in STANDARD_OUTPUT else target.path
    listed = list_path(path) if path is not None and reading.sources else None
    if listed is not None:
        keep_inputs(click.get_current_context(), [listed])
        keep_foreign(listed, is_list)
    sources = (reading,) if reading.sources else ()
    with progress_bar(quiet=target.quiet):
        table = plan(*sources, runs=list(runs) or None, level=level or None, **options)
    if path is not None:
        table = table.named_for(path)
    emit(table, target, together=None if listed is None else {listed: table.list_text})
    if path is not None and not target.quiet:
        emit(table, Target(form="table", quiet=True, table=target.table, columns=target.columns))
