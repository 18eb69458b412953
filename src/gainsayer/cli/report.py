"""`gainsayer report`: all of it in one HTML file."""

from __future__ import annotations

import json
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
from gainsayer.cli.outputs import say, write_whole
from gainsayer.cli.reporting import gather_results, make_provenance
from gainsayer.cli.running import RunRequest, run_options
from gainsayer.errors import CallError

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
    if form == "html" and beside == page:
        raise CallError(f"-o {page} would hold both the page and its JSON. Name the page, such as report.html.")
    if form == "html" and not page.resolve().parent.is_dir():
        raise CallError(
            f"Cannot write {page}: there is no folder {page.parent}. Make it, or choose another place with -o."
        )
    results, files = gather_results(reading, first, second, pairing, request, options, seed=seed, quiet=quiet)
    said = sys.argv[1:] if Path(sys.argv[0]).name.startswith("gainsayer") else ["report"]
    described = describe_provenance(files, plain_options(context.params), seed)
    provenance = make_provenance(described, shlex.join(["gainsayer", *said]))
    content = compose_report(results, provenance, title=title)
    if form == "json":
        click.echo(json.dumps(describe_report(content), indent=2, ensure_ascii=False, allow_nan=False))
    elif form == "table":
        click.echo(render_report_text(content, color=sys.stdout.isatty()))
    else:
        html = render_report_html(content)
        data = json.dumps(describe_report(content), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        write_whole(beside, data)
        write_whole(page, html)
        if len(html.encode("utf-8")) > LARGE_PAGE:
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
