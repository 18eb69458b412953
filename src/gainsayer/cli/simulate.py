"""`gainsayer simulate`: judgments and runs with known parameters, as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from gainsayer.cli.options import JUDGMENTS, OUTPUT, RUNS, GroupedCommand, option
from gainsayer.cli.outputs import emit, keep_inputs, say
from gainsayer.errors import CallError
from gainsayer.output_files import files_below

EXAMPLES = """\b
Examples:
  gainsayer simulate -o twin --topics 50 --documents 200 --seed 1
  gainsayer simulate -o biased --second-by-level Non=0.1 --second-by-level Key=1
  gainsayer fit twin/first.qrels twin/second.qrels --levels Non,Rel,HRel,Key
"""


@click.command("simulate", cls=GroupedCommand, epilog=EXAMPLES)
@option(
    "-o",
    "--output",
    "folder",
    metavar="FOLDER",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    group=OUTPUT,
    help="Where the files go; made whole or not at all.",
)
@option("--overwrite", is_flag=True, group=OUTPUT, help="Replace an earlier simulation in that folder.")
@option("--topics", type=int, default=50, show_default=True, help="Number of topics.")
@option("--documents", type=int, default=100, show_default=True, help="Documents judged per topic.")
@option("--levels", metavar="A,B,...", group=JUDGMENTS, help="Levels from low to high; by default Non,Rel,HRel,Key.")
@option(
    "--assessors",
    type=int,
    default=2,
    show_default=True,
    group=JUDGMENTS,
    help="Number of assessors, half on each side.",
)
@option("--second-topics", type=int, group=JUDGMENTS, help="Topics judged twice; by default 24 of every 50.")
@option(
    "--second-share",
    type=float,
    default=1.0,
    show_default=True,
    group=JUDGMENTS,
    help="Share of their documents judged again.",
)
@option(
    "--second-by-level",
    metavar="LEVEL=SHARE",
    multiple=True,
    group=JUDGMENTS,
    help="The same by first level; repeatable.",
)
@option(
    "--readings",
    type=int,
    default=2,
    show_default=True,
    group=JUDGMENTS,
    help="Opinions on each document judged again.",
)
@option("--shares", metavar="S0,S1,...", group=JUDGMENTS, help="Latent model: share of each level, from low to high.")
@option(
    "--topic-effect",
    type=float,
    default=0.5,
    show_default=True,
    group=JUDGMENTS,
    help="Latent model: how much topics differ.",
)
@option(
    "--leniency",
    type=float,
    default=0.2,
    show_default=True,
    group=JUDGMENTS,
    help="Latent model: how much assessors differ.",
)
@option(
    "--noise",
    type=float,
    default=0.48,
    show_default=True,
    group=JUDGMENTS,
    help="Latent model: what else separates two readings.",
)
@option(
    "--matrix",
    metavar="FILE",
    group=JUDGMENTS,
    help="Joint model: counts or shares, rows the first level, instead of the above.",
)
@option(
    "--concentration",
    type=float,
    default=35.0,
    show_default=True,
    group=JUDGMENTS,
    help="Joint model: how alike topics are.",
)
@option(
    "--strata",
    metavar="NAME=SHARE,...",
    group=JUDGMENTS,
    help="Kinds of topics and their shares, e.g. nav=0.4,inf=0.6.",
)
@option("--runs", type=int, default=5, show_default=True, group=RUNS, help="Number of runs, of falling quality.")
@option(
    "--run",
    "named",
    metavar="NAME=QUALITY",
    multiple=True,
    group=RUNS,
    help="A run and its quality in 0..1; repeatable.",
)
@option("--depth", type=int, default=100, show_default=True, group=RUNS, help="Documents per topic in a run.")
@option(
    "--unjudged", type=float, default=0.05, show_default=True, group=RUNS, help="Share of unjudged documents in a run."
)
@option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
    group=OUTPUT,
    help="How to print the true parameters.",
)
@option("--seed", type=int, default=0, show_default=True, group=OUTPUT, help="Seed of everything that is drawn.")
@option("--quiet", is_flag=True, group=OUTPUT, help="No messages on standard error.")
@click.pass_context
def command(
    context: click.Context,
    folder: Path,
    overwrite: bool,
    topics: int,
    documents: int,
    levels: str | None,
    assessors: int,
    second_topics: int | None,
    second_share: float,
    second_by_level: tuple[str, ...],
    readings: int,
    shares: str | None,
    topic_effect: float,
    leniency: float,
    noise: float,
    matrix: str | None,
    concentration: float,
    strata: str | None,
    runs: int,
    named: tuple[str, ...],
    depth: int,
    unjudged: float,
    form: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Draw judgments and runs from known parameters and write them as ordinary files.

    Writes one qrels file per assessor, TREC runs under runs/, strata.tsv where there are strata, and truth.json;
    prints the true p(R|i). Labels come from a latent quality that assessors see through leniency and noise, or, with
    --matrix, from a joint distribution of two labels.
    """
    from gainsayer.evaluation.simulation import simulate

    keep_inputs(context, list(files_below(folder)))
    collection = simulate(
        folder,
        overwrite=overwrite,
        topics=topics,
        documents=documents,
        levels=levels,
        assessors=assessors,
        second_topics=second_topics,
        second_share=second_share,
        second_by_level=_pairs(second_by_level, "--second-by-level"),
        readings=readings,
        shares=None if shares is None else _numbers(shares, "--shares"),
        topic_effect=topic_effect,
        leniency=leniency,
        noise=noise,
        matrix=matrix,
        concentration=concentration,
        strata=None if strata is None else _pairs([strata], "--strata"),
        runs=_pairs(named, "--run") or runs,
        depth=depth,
        unjudged=unjudged,
        seed=seed,
    )
    emit(collection, form=form, output=None, quiet=quiet)
    say(f"Wrote {folder}", quiet=quiet)


def _pairs(texts: Sequence[str], option: str) -> dict[str, float]:
    """NAME=NUMBER pairs, several between commas."""
    pairs: dict[str, float] = {}
    for text in (part for item in texts for part in item.split(",")):
        name, equals, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            raise CallError(f"{option} needs NAME=NUMBER, found {text!r}.")
        if name.strip() in pairs:
            raise CallError(f"{option} names {name.strip()!r} twice.")
        pairs[name.strip()] = value
    return pairs


def _numbers(text: str, option: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise CallError(f"{option} needs numbers between commas, found {text!r}.") from None
