"""`gainsayer report`: all of it in one HTML file."""

from __future__ import annotations

import os
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import Literal

import click

from gainsayer.cli.comparing import ComparisonOptions, comparison_options
from gainsayer.cli.inputs import (
    GreedyCommand,
    Reading,
    describe_provenance,
    judgment_options,
    plain_options,
    side_options,
)
from gainsayer.cli.outputs import STANDARD_OUTPUT, keep_inputs, say
from gainsayer.cli.reporting import gather_results, make_provenance
from gainsayer.cli.running import RunRequest, run_options
from gainsayer.cli.streams import is_styled, show
from gainsayer.errors import CallError
from gainsayer.output_files import files_below, write_files
from gainsayer.text import write_json

LARGE_PAGE = 2_000_000
EXAMPLES = """\b
Examples:
  gainsayer report --judgments first.qrels second.qrels --runs runs --threshold 2
  gainsayer report --judgments gpt.qrels nist.qrels --runs runs/*.run -o report.html --figures figures
  gainsayer report --judgments first.qrels second.qrels --format table
"""


@click.command("report", cls=GreedyCommand, epilog=EXAMPLES)
@partial(judgment_options, argument=False)
@side_options
@partial(run_options, required=False)
@comparison_options
@click.option("--title", default="What is a grade worth?", show_default=True, help="Of the report.")
@click.option("--figures", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="Also every figure.")
@click.option(
    "--figure-format",
    "figure_formats",
    multiple=True,
    type=click.Choice(["png", "svg", "pdf"]),
    default=("png", "svg", "pdf"),
    show_default=True,
    help="Of --figures; repeatable.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "table", "json"]),
    default="html",
    show_default=True,
    help="html writes the page and its JSON beside it; table and json print instead.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the page goes; report.html by default. The JSON has the same name with .json.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of everything that is drawn.")
@click.option("--quiet", is_flag=True, help="No warnings and no talk on standard error.")
@click.pass_context
def command(
    context: click.Context,
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: Literal["auto", "matched", "all"],
    request: RunRequest,
    options: ComparisonOptions,
    title: str,
    figures: Path | None,
    figure_formats: tuple[str, ...],
    form: Literal["html", "table", "json"],
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Write a report that answers: how much do the assessors disagree, what is each grade worth, which run is better?

    Does agree, fit, compare and the studies that the data allows, and writes one HTML file that needs no network, with
    its JSON beside it. Without --runs it is about the judgments alone; with one assessor it says what is missing.
    """
    from gainsayer.report.composing import compose_report
    from gainsayer.report.content import describe_report, render_report_text
    from gainsayer.report.figures import save_figures
    from gainsayer.report.page import render_report_html

    if form != "html" and output is not None:
        raise CallError(f"-o names the page; with --format {form} the report is printed. Leave one of them out.")
    page = Path("report.html") if output is None else output
    beside = page.with_suffix(".json")
    if form == "html":
        _check_places(context, page, beside, named=output is not None)
    if figures is not None:
        endings = tuple(f".{ending}" for ending in figure_formats)
        keep_inputs(context, [figures, *(file for file in files_below(figures) if file.suffix in endings)])
    results, files = gather_results(reading, first, second, pairing, request, options, seed=seed, quiet=quiet)
    said = sys.argv[1:] if Path(sys.argv[0]).name.startswith("gainsayer") else ["report"]
    described = describe_provenance(files, plain_options(context.params), seed)
    provenance = make_provenance(described, shlex.join(["gainsayer", *said]))
    content = compose_report(results, provenance, title=title)
    if form == "json":
        show(write_json(describe_report(content)))
    elif form == "table":
        show(render_report_text(content, color=is_styled(sys.stdout)) + "\n", safe=True)
    else:
        html = render_report_html(content)
        write_files({beside: write_json(describe_report(content)), page: html})
        if len(html) > LARGE_PAGE:
            say(f"The page has {len(html) / 1e6:.1f} MB: fewer measures, gains or runs make it lighter.", quiet=quiet)
        for sentence in content.summary:
            say(sentence, quiet=quiet)
        codes = dict.fromkeys(finding.code for section in content.sections for finding in section.findings)
        if codes:
            say(f"Warnings, in the report where they belong: {', '.join(codes)}", quiet=quiet)
        say(f"Wrote {page} and {beside}", quiet=quiet)
    if figures is not None:
        written = save_figures(content.figures, figures, formats=figure_formats)
        say(f"Wrote {len(written)} files into {figures}", quiet=quiet)


def _check_places(context: click.Context, page: Path, beside: Path, *, named: bool) -> None:
    """Refuse places that would lose something, before any work (CallError)."""
    from gainsayer.report.content import is_report
    from gainsayer.report.page import is_report_page

    if str(page) in STANDARD_OUTPUT or (page.exists() and not page.is_file()):
        raise CallError("The page and its JSON are two files, so they need a name. To print: --format table or json.")
    if beside == page or os.path.realpath(beside) == os.path.realpath(page):
        raise CallError(f"-o {page} would hold both the page and its JSON. Name the page, such as report.html.")
    keep_inputs(context, (page, beside))
    if not Path(os.path.realpath(page)).parent.is_dir():
        raise CallError(
            f"Cannot write {page}: there is no folder {page.parent}. Make it, or choose another place with -o."
        )
    if beside.exists() and not is_report(beside):
        raise CallError(
            f"The JSON of {page} would replace {beside}, which is not the JSON of an earlier report. Move it away, or "
            "choose another name with -o."
        )
    if not named and page.exists() and not is_report_page(page):
        raise CallError(f"{page} is not an earlier report, so it is not replaced. Choose a name with -o.")
