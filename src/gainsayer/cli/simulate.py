"""`gainsayer simulate`: judgments and runs with known parameters, as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.options import (
    FOLDER,
    JUDGMENTS,
    MACHINE,
    OUTPUT,
    RUNS,
    option,
    parse_list,
    parse_numbers,
    rare,
    split_list,
)
from gainsayer.cli.outputs import FORMATS, Target, emit, keep_inputs, say, seed_option
from gainsayer.evaluation.simulation import simulate
from gainsayer.output_files import files_below

EXAMPLES = (
    "gainsayer simulate -o twin --topics 50 --documents 200 --seed 1",
    "gainsayer simulate -o flattery --machine gpt --runs 8 --reranker gpt-rank --seed 1",
    "gainsayer simulate -o biased --second-by-level Non=0.1 --second-by-level Key=1",
    "gainsayer fit twin/first.qrels twin/second.qrels --levels Non,Rel,HRel,Key",
)


@click.command("simulate", cls=GroupedCommand, examples=EXAMPLES)
@option(
    "-o --output folder FOLDER", OUTPUT, "Where the files go; made whole or not at all.", required=True, type=FOLDER
)
@option("--overwrite", OUTPUT, "Replace an earlier simulation in that folder.")
@option("--topics", None, "Number of topics.", default=50)
@option("--documents", None, "Documents judged per topic.", default=100)
@option("--levels A,B,...", JUDGMENTS, "Levels from low to high; by default Non,Rel,HRel,Key.")
@rare("--assessors", JUDGMENTS, "Number of assessors, half on each side.", default=2)
@option("--second-topics", JUDGMENTS, "Topics judged twice; by default 24 of every 50.", type=int)
@rare("--second-share", JUDGMENTS, "Share of their documents judged again.", default=1.0)
@rare("--second-by-level LEVEL=SHARE *", JUDGMENTS, "The same by first level; repeatable.", callback=parse_numbers)
@rare("--readings", JUDGMENTS, "Opinions on each document judged again.", default=2)
@rare(
    "--shares S0,S1,...",
    JUDGMENTS,
    "Latent model: share of each level, from low to high.",
    callback=parse_list(float, "numbers"),
)
@rare("--topic-effect", JUDGMENTS, "Latent model: how much topics differ.", default=0.5)
@option("--leniency", JUDGMENTS, "Latent model: how much assessors differ.", default=0.2)
@rare("--noise", JUDGMENTS, "Latent model: what else separates two readings.", default=0.48)
@rare("--matrix FILE", JUDGMENTS, "Joint model: counts or shares, rows the first level, instead of the above.")
@rare("--concentration", JUDGMENTS, "Joint model: how alike topics are.", default=35.0)
@option(
    "--strata NAME=SHARE,...",
    JUDGMENTS,
    "Kinds of topics and their shares, e.g. nav=0.4,inf=0.6.",
    callback=parse_numbers,
)
@option("--runs", RUNS, "Number of runs, of falling quality.", default=5)
@option("--run named NAME=QUALITY *", RUNS, "A run and its quality in 0..1; repeatable.", callback=parse_numbers)
@rare("--depth", RUNS, "Documents per topic in a run.", default=100)
@rare("--unjudged", RUNS, "Share of unjudged documents in a run.", default=0.05)
@option("--machine NAME", MACHINE, "Also a machine of this name, which grades every document.")
@option("--generosity", MACHINE, "How much too well it thinks of every document.", default=0.5)
@option("--taste", MACHINE, "How much it likes a style for which people do not care.", default=0.7)
@option(
    "--tasteful RUN,... *",
    MACHINE,
    "Runs that share its taste; by default every other one.",
    callback=lambda _context, _parameter, value: split_list(value) or None,
)
@option("--reranker RUN", MACHINE, "Also a run of this name that ranks by the machine's grades.")
@option("--calls", MACHINE, "How often it is asked about each document.", default=1)
@rare("--call-noise", MACHINE, "What separates one call from another.", default=0.3)
@rare("--machine-noise", MACHINE, "What else separates it from quality.", default=0.4)
@option("--format form", OUTPUT, "How to print the true parameters.", choices=FORMATS)
@seed_option
@option("--quiet", OUTPUT, "No messages on standard error.")
def command(folder: Path, runs: int, named: dict[str, float], form: str | None, quiet: bool, **options: Any) -> None:
    """Draw judgments and runs from known parameters and write them as ordinary files.

    Writes one qrels file per assessor and machine, TREC runs under runs/, strata.tsv where there are strata, and
    truth.json; prints the true p(R|i). Labels come from a latent quality that assessors see through leniency and noise,
    or, with --matrix, from a joint distribution of two labels. A machine overrates a style that some runs share.
    """
    keep_inputs(click.get_current_context(), list(files_below(folder)))
    collection = simulate(folder, runs=named or runs, **options)
    emit(collection, Target(form, quiet=quiet))
    say(f"Wrote {folder}", quiet=quiet)
