"""`gainsayer report`: all of it in one HTML file."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path
from typing import Any, Literal

import click

from gainsayer.cli.bundles import comparison_options, reading_options, run_options, side_options
from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.options import FILE, FOLDER, OUTPUT, SIDES, option, rare, refuse_second_reading
from gainsayer.cli.outputs import STANDARD_OUTPUT, keep_inputs, progress_bar, quiet_option, seed_option
from gainsayer.cli.streams import say, show
from gainsayer.commands.inputs import Reading
from gainsayer.drawing.figure import figure_files, need_converter
from gainsayer.errors import CallError
from gainsayer.output_files import files_below, write_files
from gainsayer.reports.report import check_place, report

LARGE_PAGE = 2_000_000
EXAMPLES = (
    "gainsayer report first.qrels second.qrels --runs runs --threshold 2",
    "gainsayer report gpt.qrels nist.qrels --runs runs/*.run -o report.html --figures figures",
    "gainsayer report first.qrels second.qrels --format json",
)


@click.command("report", cls=GroupedCommand, examples=EXAMPLES)
@rare("--title", OUTPUT, "Of the report.", default="What is a grade worth?")
@option("--machine NAME", SIDES, "The assessor that is a machine.")
@rare(
    "--sample FILE",
    SIDES,
    "Beside a machine: the design by which people's documents were drawn, that 'machine sample' wrote.",
)
@rare("--suspect RUN *", SIDES, "Beside a machine: runs that it may favour, named before labels were looked at.")
@reading_options
@side_options
@partial(run_options, required=False)
@comparison_options
@option("--figures DIR", OUTPUT, "Also every figure, as files in this folder.", type=FOLDER)
@rare(
    "--figure-format figure_formats svg|png|pdf *",
    OUTPUT,
    "Of --figures; repeatable.",
    default=("svg", "png", "pdf"),
)
@option(
    "--format form",
    OUTPUT,
    "html writes the page; json prints.",
    choices=("html", "json"),
    default="html",
    metavar="FORMAT",
)
@option("-o --output", OUTPUT, "The page, report.html by default; JSON beside it.", type=FILE)
@seed_option
@quiet_option
def command(
    reading: Reading,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    figures: Path | None,
    figure_formats: tuple[str, ...],
    form: Literal["html", "json"],
    output: Path | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Write a report that answers: how much do the assessors disagree, what is each grade worth, which run is better?

    Does agree, fit, compare and the studies that the data allows, and writes one HTML file that needs no network, with
    its JSON beside it. Without --runs it is about the judgments alone; with one assessor it says what is missing.
    """
    if form == "json" and output is not None:
        raise CallError("-o names the page; with --format json the report is printed. Leave one of them out.")
    refuse_second_reading(reading.sources, runs)
    context = click.get_current_context()
    page = Path("report.html") if output is None else output
    if form == "html":
        if str(page) in STANDARD_OUTPUT or (page.exists() and not page.is_file()):
            raise CallError("The page and its JSON are two files, so they need a name. To print: --format json.")
        keep_inputs(context, (page, page.with_suffix(".json")))
        check_place(page, chosen=output is not None)
    if figures is not None:
        endings = tuple(f".{ending}" for ending in figure_formats)
        keep_inputs(context, [figures, *(file for file in files_below(figures) if file.suffix in endings)])
        need_converter(*figure_formats)
    typed = sys.argv[1:] if Path(sys.argv[0]).name.startswith("gainsayer") else ["report"]
    with progress_bar(quiet=quiet) as progress:
        made = report(
            reading,
            list(runs) or None,
            list(measures),
            command=shlex.join(["gainsayer", *typed]),
            progress=progress,
            **options,
        )
    drawn = {} if figures is None else figure_files(made.figures, figures, formats=figure_formats)
    write_files({**({} if form == "json" else made.files(page)), **drawn})
    if form == "json":
        show(made.to_json())
    else:
        size = page.stat().st_size
        if size > LARGE_PAGE:
            say(f"The page has {size / 1e6:.1f} MB: fewer measures, gains or runs make it lighter.", quiet=quiet)
        for sentence in made.content.summary:
            say(sentence, quiet=quiet)
        codes = dict.fromkeys(finding.code for finding in made.findings)
        if codes:
            say(f"Warnings, in the report where they belong: {', '.join(codes)}", quiet=quiet)
        say(f"Wrote {page} and {page.with_suffix('.json')}", quiet=quiet)
    if figures is not None:
        say(f"Wrote {len(drawn)} files into {figures}", quiet=quiet)
