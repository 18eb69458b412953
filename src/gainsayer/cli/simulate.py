"""`gainsayer simulate`: judgments and runs with known parameters, as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gainsayer.cli.outputs import Output, emit, keep_inputs, say
from gainsayer.errors import CallError, FormatError
from gainsayer.output_files import files_below

if TYPE_CHECKING:
    from gainsayer.datasets.joint import JointModel
    from gainsayer.datasets.latent import LatentModel

EXAMPLES = """\b
Examples:
  gainsayer simulate -o twin --topics 50 --documents 200 --seed 1
  gainsayer simulate -o biased --second-by-level Non=0.1 --second-by-level Key=1
  gainsayer fit twin/first.qrels twin/second.qrels --levels Non,Rel,HRel,Key
"""


@click.command("simulate", epilog=EXAMPLES)
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="FOLDER",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the files go; made whole or not at all.",
)
@click.option("--overwrite", is_flag=True, help="Replace an earlier simulation in that folder.")
@click.option("--topics", type=int, default=50, show_default=True, help="Number of topics.")
@click.option("--documents", type=int, default=100, show_default=True, help="Documents judged per topic.")
@click.option("--levels", metavar="A,B,...", help="Levels from low to high; by default Non,Rel,HRel,Key.")
@click.option("--assessors", type=int, default=2, show_default=True, help="Number of assessors, half on each side.")
@click.option("--second-topics", type=int, help="Topics judged twice; by default 24 of every 50.")
@click.option(
    "--second-share", type=float, default=1.0, show_default=True, help="Share of their documents judged again."
)
@click.option("--second-by-level", metavar="LEVEL=SHARE", multiple=True, help="The same by first level; repeatable.")
@click.option("--readings", type=int, default=2, show_default=True, help="Opinions on each document judged again.")
@click.option("--shares", metavar="S0,S1,...", help="Latent model: share of each level, from low to high.")
@click.option(
    "--topic-effect", type=float, default=0.5, show_default=True, help="Latent model: how much topics differ."
)
@click.option("--leniency", type=float, default=0.2, show_default=True, help="Latent model: how much assessors differ.")
@click.option(
    "--noise", type=float, default=0.48, show_default=True, help="Latent model: what else parts two readings."
)
@click.option(
    "--matrix", metavar="FILE", help="Joint model: counts or shares, rows the first level, instead of the above."
)
@click.option("--concentration", type=float, default=35.0, show_default=True, help="Joint model: how alike topics are.")
@click.option("--strata", metavar="NAME=SHARE,...", help="Kinds of topics and their shares, e.g. nav=0.4,inf=0.6.")
@click.option("--runs", type=int, default=5, show_default=True, help="Number of runs, of falling quality.")
@click.option(
    "--run", "named", metavar="NAME=QUALITY", multiple=True, help="A run and its quality in 0..1; repeatable."
)
@click.option("--depth", type=int, default=100, show_default=True, help="Documents per topic in a run.")
@click.option("--unjudged", type=float, default=0.05, show_default=True, help="Share of unjudged documents in a run.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
    help="How to print the true parameters.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of everything that is drawn.")
@click.option("--quiet", is_flag=True, help="No talk on standard error.")
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
    from gainsayer.datasets.design import SecondRound
    from gainsayer.datasets.simulate import simulate_collection
    from gainsayer.datasets.simulated_runs import RunDesign
    from gainsayer.datasets.writing import write_collection
    from gainsayer.levels import parse_levels
    from gainsayer.report.truth import describe_truth, truth_table

    keep_inputs(context, list(files_below(folder)))
    model: JointModel | LatentModel
    if matrix is not None:
        from gainsayer.datasets.joint import JointModel

        model = JointModel(_read_matrix(matrix), concentration)
    else:
        from gainsayer.datasets.latent import LatentModel

        given = {} if shares is None else {"shares": _numbers(shares, "--shares")}
        model = LatentModel(topic_effect=topic_effect, leniency=leniency, noise=noise, **given)
    qualities = _pairs(named, "--run") or _falling(runs)
    collection = simulate_collection(
        model,
        levels=None if levels is None else parse_levels(levels),
        topics=topics,
        documents=documents,
        assessors=assessors,
        second=SecondRound(
            topics=second_topics,
            share=second_share,
            by_level=_pairs(second_by_level, "--second-by-level"),
            readings=readings,
        ),
        runs=RunDesign(qualities=qualities, depth=depth, unjudged=unjudged),
        strata=None if strata is None else _pairs([strata], "--strata"),
        seed=seed,
    )
    write_collection(collection, folder, overwrite=overwrite)
    table = truth_table(collection)
    emit(Output(describe_truth(collection), [table], table), form=form, output=None, quiet=quiet)
    say(f"Wrote {folder}", quiet=quiet)


def _falling(runs: int) -> dict[str, float]:
    """Qualities from 0.9 down to 0.3, evenly."""
    if runs < 0:
        raise CallError(f"--runs needs a number that is not negative, found {runs}.")
    width = max(2, len(str(runs)))
    step = 0.6 / (runs - 1) if runs > 1 else 0.0
    return {f"run{place + 1:0{width}}": round(0.9 - step * place, 6) for place in range(runs)}


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


def _read_matrix(path: str) -> list[list[float]]:
    """A square of numbers: one row a line, between blanks or commas."""
    from gainsayer.lines.faults import shorten
    from gainsayer.lines.opening import as_text, call_file, read_content

    name = call_file(path)
    rows = []
    for place, line in enumerate(as_text(read_content(path), name).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append([float(part.decode("ascii")) for part in line.replace(b",", b" ").split()])
        except ValueError:
            raise FormatError(f"{name}, line {place}: expected numbers, found {shorten(line.strip())}.") from None
    if any(len(row) != len(rows) for row in rows):
        found = ", ".join(str(len(row)) for row in rows)
        raise FormatError(
            f"{name}: expected as many numbers in each line as there are lines ({len(rows)}), found {found}."
        )
    return rows
