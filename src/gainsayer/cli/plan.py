"""`gainsayer plan`: which documents to judge a second time, how many, and when to stop."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from gainsayer.cli.options import (
    JUDGMENTS,
    RELEVANCE,
    RUNS,
    SCORING,
    TESTS,
    GroupedCommand,
    confidence_option,
    duplicates_option,
    option,
    parse_numbers,
    reading_options,
    side_options,
    split_list,
    ties_option,
)
from gainsayer.cli.outputs import STANDARD_OUTPUT, Target, emit, keep_inputs, output_options, say
from gainsayer.cli.progress import progress_bar
from gainsayer.output_files import write_whole

if TYPE_CHECKING:
    from gainsayer.evaluation.sources import Reading

EXAMPLES = """\b
Examples:
  gainsayer plan first.qrels pilot.csv --threshold 2 --budget 400 -o plan.json
  gainsayer plan first.qrels --threshold 2 --within 0.05 --assessors 8
  gainsayer plan first.qrels pilot.csv --threshold 2 --for difference --runs a.run b.run -m nDCG@10 --power 0.8
  gainsayer plan --shares Non=.77,Rel=.15,Key=.08 --topics 50 --documents 34010 --threshold Key --within 0.05
"""


@click.command("plan", cls=GroupedCommand, epilog=EXAMPLES)
@partial(reading_options, required=False)
@option(
    "--shares",
    JUDGMENTS,
    "In place of JUDGMENTS: the share of each level, from low to high.",
    metavar="LEVEL=SHARE,...",
    callback=parse_numbers,
    rare=True,
)
@option("--topics", JUDGMENTS, "In place of JUDGMENTS: how many topics.", type=click.IntRange(min=1), rare=True)
@option("--documents", JUDGMENTS, "In place of JUDGMENTS: how many documents.", type=click.IntRange(min=1), rare=True)
@side_options
@option("--threshold", RELEVANCE, "Users want this level or a higher one.", metavar="LEVEL")
@option(
    "--relevant",
    RELEVANCE,
    "Users want one of these levels.",
    metavar="LEVEL,LEVEL",
    callback=lambda _context, _parameter, value: list(split_list([value])) if value else None,
    rare=True,
)
@option(
    "--for purpose",
    None,
    "What is to be precise: p(R|i), the scores of runs, or the difference of two.",
    choices=("parameters", "score", "difference"),
    default="parameters",
)
@option(
    "--level",
    None,
    "With --for parameters: of this level alone; repeatable.",
    metavar="LEVEL",
    multiple=True,
    rare=True,
)
@option("--within", None, "Plan for intervals of at most plus or minus this.", type=float, metavar="E")
@option("--power", None, "Plan for a difference to show with this probability.", type=float, metavar="P")
@option("--budget", None, "Plan for so many second judgments.", type=click.IntRange(min=1), metavar="N")
@option("--runs", RUNS, "Run files, folders or patterns; two for a difference.", metavar="R...", multiple=True)
@option("-m --measure", SCORING, "By which runs are scored; nDCG@10 by default.", metavar="MEASURE")
@option(
    "--difference", SCORING, "The difference that should show; by default today's.", type=float, metavar="D", rare=True
)
@ties_option
@duplicates_option
@option(
    "--guess",
    RELEVANCE,
    "A guess of p(R|level), in place of what a pilot says; repeatable.",
    metavar="LEVEL=P",
    multiple=True,
    callback=lambda context, parameter, value: parse_numbers(context, parameter, value) or None,
    rare=True,
)
@option(
    "--intraclass",
    TESTS,
    "How far documents of a topic agree with one another; 0.35 without a pilot.",
    type=float,
    metavar="R",
    rare=True,
)
@option("--assessors", None, "How many people will judge a second time.", type=click.IntRange(min=1), metavar="K")
@option(
    "--assessor-sd",
    TESTS,
    "How far p(R|i) differs from person to person; from the pilot, or 0.15.",
    type=float,
    metavar="S",
    rare=True,
)
@option(
    "--topic-cost",
    None,
    "What opening a topic costs, in judgments; some may then be left out.",
    type=float,
    metavar="C",
    rare=True,
)
@option("--minimum", None, "Fewest judgments of a level.", type=click.IntRange(min=1), metavar="N", rare=True)
@option("--batches", None, "In how many steps to judge.", default=5, rare=True)
@option(
    "--with-levels", None, "Show first labels in the list; whoever judges should not see them.", is_flag=True, rare=True
)
@confidence_option
@output_options
def command(reading: Reading, target: Target, runs: tuple[str, ...], level: tuple[str, ...], **options: Any) -> None:
    """Which documents should be judged a second time, how many of each level, and when may one stop?

    JUDGMENTS are the first labels; a second side, where there is one, is the pilot. With -o plan.json the documents are
    listed beside it in plan.list.csv (topic, document, batch, sampling key; shuffled, without labels), and
    'gainsayer fit ... --plan plan.json' weighs what came back. The same seed and labels give the same list, and a
    larger budget contains the smaller one's documents.
    """
    from gainsayer.evaluation.plans import list_path, plan

    path = None if target.path is None or str(target.path) in STANDARD_OUTPUT else target.path
    listed = path is not None and bool(reading.sources)
    if path is not None and listed:
        keep_inputs(click.get_current_context(), [list_path(path)])
    sources = (reading,) if reading.sources else ()
    with progress_bar(quiet=target.quiet):
        table = plan(*sources, runs=list(runs) or None, level=level or None, **options)
    if path is None or not listed:
        emit(table, target)
        return
    named = table.named_for(path)
    emit(named, target)
    write_whole(list_path(path), named.list_text)
    say(f"Wrote {list_path(path)}", quiet=target.quiet)
