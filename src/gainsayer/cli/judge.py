"""`gainsayer judge`: the page where people judge."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from gainsayer.cli.help_pages import CommandGroup, GroupedCommand
from gainsayer.cli.options import JUDGMENTS, OUTPUT, add_options, option
from gainsayer.cli.outputs import choose_place, put, quiet_option
from gainsayer.cli.streams import say, show
from gainsayer.errors import CallError
from gainsayer.output_files import refuse_inputs
from gainsayer.text import printable, write_json
from gainsayer.web.database import files_of
from gainsayer.web.demo import serve_demo
from gainsayer.web.server import (
    back_up_study,
    describe_status,
    end_links,
    export_study,
    find_own_topics,
    make_links,
    new_study,
    serve_study,
)
from gainsayer.words import counted

EXAMPLES = {
    "demo": "",
    "new": "study.db --plan plan.json --topics topics.tsv --documents docs.jsonl --judgments first.qrels",
    "serve": "study.db",
    "invite": "study.db Ann Ben Chloe",
    "revoke": "study.db Ben",
    "status": "study.db",
    "export": "study.db -o second.csv",
    "backup": "study.db -o copy.db",
}


@click.group(
    "judge",
    cls=CommandGroup,
    examples=[f"gainsayer judge {name} {words}".rstrip() for name, words in EXAMPLES.items()],
)
def command() -> None:
    """People judge documents a second time, blind, in a browser; the organiser sees when to stop.

    'demo' shows it in ten seconds. 'new' makes a study from a plan, 'serve' serves its page, 'invite' makes a link for
    each person, 'export' gives the second judgments that 'gainsayer fit' reads. STUDY is a file, or the address of a
    PostgreSQL database.
    """


_STUDY = click.argument("study", metavar="STUDY")
_NAMES = click.argument("names", metavar="NAME...", nargs=-1, required=True)
_PORT = option("--port", None, "0 lets the system choose one.", type=click.IntRange(0, 65535), default=8321)
_TABLE = option(
    "-o --output", OUTPUT, "Write here instead of standard output.", type=click.Path(dir_okay=False, path_type=Path)
)


def judge(*options: Callable[[Any], Any]) -> Callable[[Callable[..., None]], click.Command]:
    """Make a function a command of its name, with these options."""

    def make(function: Callable[..., None]) -> click.Command:
        name = function.__name__
        examples = [f"gainsayer judge {name} {EXAMPLES[name]}".rstrip()]
        return command.command(name, cls=GroupedCommand, examples=examples)(add_options(function, options))

    return make


@judge(
    _STUDY,
    option("--plan", JUDGMENTS, "The plan; its list of documents is next to it.", metavar="FILE", required=True),
    option("--topics", JUDGMENTS, "Table of topic, title, description, narrative.", metavar="FILE", required=True),
    option("--documents", JUDGMENTS, "Table of document (and topic), title, text or html.", metavar="FILE"),
    option("--url-template", JUDGMENTS, "Or their address: 'https://x/{document}'.", metavar="URL"),
    option(
        "--judgments", JUDGMENTS, "The first judgments, for the organiser's page alone.", metavar="FILE", multiple=True
    ),
    option("--level-text", JUDGMENTS, "Table of level, name and text: the guidelines.", metavar="FILE"),
    option("--overlap", None, "Second judgments of each document, by different people.", default=1),
    option("--within", None, "How close each p(R|i) should be known; else what the plan says.", type=float),
    option("--name", None, "What judges see at the top of the page; else the file's name.", metavar="TEXT"),
    quiet_option,
)
def new(study: str, judgments: tuple[str, ...], name: str | None, quiet: bool, **given: Any) -> None:
    """Make a study from a plan, its topics and its documents."""
    made = new_study(study, judgments=judgments, name=name, **given)
    what = f"{counted(made.items, 'document')} of {counted(made.topics, 'topic')}"
    say(f"Made {printable(made.place)}: {what}. Next: judge serve and invite.", quiet=quiet)
    if not made.first_labels:
        say(
            "Without first judgments the organiser's page shows progress alone. Give them with --judgments.",
            quiet=quiet,
        )


@judge(
    _STUDY,
    _PORT,
    option("--host", None, "Another address of this machine; needs --public-url.", default="127.0.0.1", rare=True),
    option("--public-url", None, "Where people reach it, through a proxy with TLS: https://...", metavar="URL"),
    option(
        "--moment",
        None,
        "Seconds a document must be in view before it takes a grade.",
        type=click.FloatRange(0, 60),
        default=0.25,
        rare=True,
    ),
)
def serve(study: str, **options: Any) -> None:
    """Serve a study's page until Ctrl-C; print the organiser's link."""
    serve_study(study, ready=lambda link: _tell(f"{link}\n", "The organiser's link is above; Ctrl-C ends."), **options)


@judge(_STUDY, _NAMES)
def invite(study: str, names: tuple[str, ...]) -> None:
    """Make a link for each person; an earlier link of the name ends."""
    links = make_links(study, names)
    show("".join(f"{name}\t{link}\n" for name, link in links.items()))
    for sentence in find_own_topics(study, list(links)):
        say(sentence)


@judge(_STUDY, _NAMES, quiet_option)
def revoke(study: str, names: tuple[str, ...], quiet: bool) -> None:
    """End people's links and sessions; what they answered stays."""
    end_links(study, names)
    say(f"Revoked {', '.join(map(printable, names))}.", quiet=quiet)


@judge(_STUDY, option("--format form", OUTPUT, "table or json.", choices=("table", "json"), default="table"))
def status(study: str, form: str) -> None:
    """How far a study is, what the grades are worth so far, and whether to stop."""
    overview, text = describe_status(study)
    show(write_json(overview.describe()) if form == "json" else text)


@judge(
    _STUDY,
    _TABLE,
    option("--events", OUTPUT, "Every answer, skip and undo instead of last words.", is_flag=True),
    option("--spreadsheet-safe spreadsheet", OUTPUT, "An apostrophe before = + - @.", is_flag=True, rare=True),
    quiet_option,
)
def export(study: str, output: Path | None, quiet: bool, **options: Any) -> None:
    """Write the second judgments as CSV that 'gainsayer fit' reads."""
    place = choose_place(output)
    if place is not None:
        _refuse_own_files(place, study)
    put(export_study(study, **options), place, quiet=quiet)


@judge(
    _STUDY,
    option(
        "-o --output", OUTPUT, "Where the copy goes.", required=True, type=click.Path(dir_okay=False, path_type=Path)
    ),
    quiet_option,
)
def backup(study: str, output: Path, quiet: bool) -> None:
    """Copy a study, also one that is being served, into a file that is a study itself."""
    _refuse_own_files(output, study)
    back_up_study(study, output)
    say(f"Wrote {output}", quiet=quiet)


@judge(_PORT)
def demo(port: int) -> None:
    """Serve a small made-up study on this machine: judge in it, and look at the organiser's page."""

    def tell(judge: str, organiser: str) -> None:
        _tell(
            f"To judge:     {judge}\nTo organise:  {organiser}\n",
            "Open the links in two browsers (or a private window): a link signs you in. Ctrl-C ends.",
        )

    serve_demo(port=port, now=time.time(), ready=tell)


def _refuse_own_files(output: Path, study: str) -> None:
    """Refuse to write over the study, or in the place where SQLite keeps its log, though that is not there now."""
    refuse_inputs((output,), files_of(study))
    if os.path.realpath(output) in map(os.path.realpath, files_of(study)):
        raise CallError(f"{output} is a file of the study. Choose another place for the output.")


def _tell(lines: str, hint: str) -> None:
    show(lines)
    say(hint)
