"""`gainsayer demo`: the whole flow on a simulated collection with known truth."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

import click

from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.options import FOLDER, option
from gainsayer.cli.outputs import progress_bar, warn
from gainsayer.cli.streams import is_styled, say, show
from gainsayer.reports.demo import demonstrate
from gainsayer.table import choose, render_text
from gainsayer.terminal import PAGE_WIDTH, page_width, wrap

EXAMPLES = ("gainsayer demo", "gainsayer demo --seed 7 -o another")


@click.command("demo", cls=GroupedCommand, examples=EXAMPLES)
@option(
    "-o --output folder FOLDER",
    None,
    "Where the collection and the report go; an earlier demo there is replaced.",
    default="demo",
    type=FOLDER,
)
@option("--seed", None, "Seed of everything that is drawn.", default=0)
@option("--quiet", None, "No messages on standard error.")
def command(folder: Path, seed: int, quiet: bool) -> None:
    """Run the whole flow on a simulated collection: agreement, p(R|i), runs compared, a report, the truth beside it.

    50 topics, four levels, 24 topics judged twice, 12 runs, two kinds of queries. The files are ordinary ones; the
    commands that would do the same on them are shown.
    """
    with progress_bar(quiet=quiet) as progress:
        demo = demonstrate(folder, seed=seed, progress=progress)
    say(f"Simulated 50 topics, 24 of them judged twice, and 12 runs into {folder / 'collection'}", quiet=quiet)
    say("These commands do the same on the files, and, with other names, on yours:", quiet=quiet)
    program = _program()
    for line in demo.commands:
        say(line.replace("gainsayer", program, 1), quiet=quiet, wrapped=False)  # so that it can be copied
    width = page_width(sys.stdout)
    lines = [line for text in demo.answer() for line in wrap(text, width or PAGE_WIDTH)]
    tables = render_text(choose(demo.tables()), color=is_styled(sys.stdout), width=width, all_columns=True)
    show("\n".join([*lines, "", tables]), safe=True)
    warn(demo.findings, quiet=quiet)
    say(f"The report is at {demo.page.resolve()}: open it in a browser.", quiet=quiet)
    say(f"To try the page where people judge, with a made-up study: {program} judge demo", quiet=quiet)


def _program() -> str:
    """What to type in the shell that called us: the name where the shell finds it, else the path."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return shlex.join([os.path.relpath(sys.executable), "-m", "gainsayer"])
    if not called.name.startswith("gainsayer"):  # another program called us
        return "gainsayer"
    found = shutil.which(called.name)
    if found is not None and Path(found).resolve() == called.resolve():
        return called.name
    return shlex.quote(os.path.relpath(called))
