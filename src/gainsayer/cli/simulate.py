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
    parse_numbers,
    split_list,
)
from gainsayer.cli.outputs import FORMATS, Target, emit, seed_option
from gainsayer.cli.streams import say
from gainsayer.commands.simulate import simulate
from gainsayer.table import ALL

EXAMPLES = (
    "gainsayer simulate -o twin --topics 50 --documents 200 --seed 1",
    "gainsayer simulate -o flattery --machine gpt --runs 8 --reranker gpt-rank --seed 1",
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
@option("--second-topics", JUDGMENTS, "Topics judged twice; by default 24 of every 50.", type=int)
@option("--leniency", JUDGMENTS, "How much assessors differ.", default=0.2)
@option(
    "--strata NAME=SHARE,...",
    JUDGMENTS,
    "Kinds of topics and their shares, e.g. nav=0.4,inf=0.6.",
    callback=parse_numbers,
)
@option("--runs", RUNS, "Number of runs, of falling quality.", default=5)
@option("--run named NAME=QUALITY *", RUNS, "A run and its quality in 0..1; repeatable.", callback=parse_numbers)
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
@option("--format form", OUTPUT, "How to print the true parameters.", choices=FORMATS)
@seed_option
@option("--quiet", OUTPUT, "No messages on standard error.")
def command(folder: Path, runs: int, named: dict[str, float], form: str | None, quiet: bool, **options: Any) -> None:
    """Draw judgments and runs from known parameters and write them as ordinary files.

    Writes one qrels file per assessor and machine, TREC runs under runs/, strata.tsv where there are strata, and
    truth.json; prints the true p(R|i). Labels come from a latent quality that assessors see through leniency and noise.
    A machine overrates a style that some runs share. gs.simulate in Python has more to choose.
    """
    collection = simulate(folder, runs=named or runs, **options)
    emit(collection, Target(form, quiet=quiet, columns=(ALL,)))
    say(f"Wrote {folder}", quiet=quiet)
