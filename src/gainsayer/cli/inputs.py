"""Judgments on the command line: the options that say what the files mean, and the reading itself."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from gainsayer.cli.bundles import bundle
from gainsayer.cli.streams import is_lively
from gainsayer.errors import CallError, DataError, PairingError
from gainsayer.findings import Finding
from gainsayer.judgments.files import split_name
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels, Relevance, parse_levels
from gainsayer.lines.opening import show_name

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Result = TypeVar("_Result")
BIG_INPUT = 30_000_000


@dataclass(frozen=True)
class Reading:
    """How judgments are to be read: the common options, as given."""

    files: tuple[str, ...]
    input_format: str = "auto"
    by_assessor: bool = False
    diversity: bool = False
    levels: str | None = None
    merge: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    repeats: str = "error"
    strata: str | None = None
    intents: str = "all"
    intent_probabilities: str | None = None
    unmentioned_intents: str = "lowest"
    raters: tuple[str, ...] = ()
    map: tuple[str, ...] = ()


class GreedyCommand(click.Command):
    """A command whose options in `GREEDY` take all words up to the next option: --runs a.run b.run -m P@10."""

    GREEDY = ("--judgments", "--runs")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat a greedy option before each of its words, which is what click understands."""
        spread: list[str] = []
        taking: str | None = None
        for word in args:
            if word in self.GREEDY:
                taking = word
            elif taking is not None and (word == "-" or not word.startswith("-")):
                spread += [taking, word]
            else:
                taking = None
                spread.append(word)
        return super().parse_args(ctx, spread)


def judgment_options(function: _Function, *, argument: bool = True) -> _Function:
    """The options that say what the files mean; they arrive as one `reading`.

    The files are arguments, or with `argument` False those of --judgments (see `GreedyCommand`).
    """
    return bundle(function, Reading, "reading", (_ARGUMENT if argument else _FILES_OPTION, *_OPTIONS))


_ARGUMENT = click.argument("files", metavar="JUDGMENTS...", nargs=-1, required=True)
_FILES_OPTION = click.option(
    "--judgments", "files", metavar="J...", multiple=True, required=True, help="Judgment files; NAME=FILE names one."
)
_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--input",
        "input_format",
        type=click.Choice(["auto", "qrels", "csv", "tsv", "jsonl", "parquet"]),
        default="auto",
        show_default=True,
        help="What the files are, where ending and content do not tell.",
    ),
    click.option("--by-assessor", is_flag=True, help="Column 2 of a qrels file is the assessor."),
    click.option("--diversity", is_flag=True, help="Column 2 of a qrels file is the intent."),
    click.option("--levels", metavar="A,B,...", help="Levels from low to high, e.g. Non,Rel,HRel,Key or Non=0,Key=7."),
    click.option("--merge", metavar="LABEL=LEVEL", multiple=True, help="Take a label as another level, e.g. Nav=Key."),
    click.option(
        "--map",
        metavar="NAME:LABEL=LABEL,...",
        multiple=True,
        help="Replace labels of one assessor or file before anything else, e.g. ann:1=0,2=1,3=2.",
    ),
    click.option("--missing", metavar="LABEL", multiple=True, help="A label that means 'not judged', e.g. -1."),
    click.option(
        "--repeats",
        type=click.Choice(["error", "first", "last", "majority", "all", "as-assessors"]),
        default="error",
        show_default=True,
        help="What to do with different levels from one assessor for one document; as-assessors takes the k-th "
        "judgment as the k-th opinion, where nothing says who gave it.",
    ),
    click.option(
        "--raters",
        metavar="COL,COL",
        multiple=True,
        help="Columns of levels, one per rater, of tables with a row per document.",
    ),
    click.option("--strata", metavar="FILE", help="Lines of topic and stratum; each stratum gets its own estimate."),
    click.option(
        "--intents",
        type=click.Choice(["all", "top"]),
        default="all",
        show_default=True,
        help="With intents: every one an information need, or the most probable one only.",
    ),
    click.option("--intent-probabilities", metavar="FILE", help="Lines of topic, intent and probability."),
    click.option(
        "--unmentioned-intents",
        type=click.Choice(["lowest", "ignore"]),
        default="lowest",
        show_default=True,
        help="What an intent gets that an assessor of the document did not mention.",
    ),
)


PAIRINGS: dict[str, bool | None] = {"auto": None, "matched": True, "all": False}


def side_options(function: _Function) -> _Function:
    """The options that say who is compared with whom."""
    options = (
        click.option("--first", metavar="A,B", multiple=True, help="Assessors whose labels the evaluation uses."),
        click.option("--second", metavar="C,D", multiple=True, help="Assessors who stand for the users."),
        click.option(
            "--pairing",
            type=click.Choice(list(PAIRINGS)),
            default="auto",
            show_default=True,
            help="Pair A only with C and B only with D (matched), or everybody with everybody on the other side (all).",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def read_input(reading: Reading, *, quiet: bool, levels: Levels | None = None) -> Judgments:
    """Read the judgments as the options say, with strata and intents; `levels` where the options name none."""
    from gainsayer.counts.intents import expand_intents, keep_top_intent
    from gainsayer.counts.strata import assign_strata
    from gainsayer.judgments.files import read_judgments
    from gainsayer.judgments.side_files import read_topic_table

    merges = dict(_split_pair(text, "--merge", "LABEL=LEVEL") for text in reading.merge)
    missing = [label for text in reading.missing for label in text.split(",")]
    if reading.levels is not None:
        levels = parse_levels(reading.levels, merges=merges, missing=missing)
    with reading_bar(reading.files, quiet=quiet):
        judgments = read_judgments(
            *(split_name(text) for text in reading.files),
            levels=levels,
            merges=merges,
            missing=missing,
            repeats=cast(Any, reading.repeats),
            by_assessor=reading.by_assessor,
            diversity=reading.diversity,
            format=None if reading.input_format == "auto" else cast(Any, reading.input_format),
            maps=_parse_maps(reading.map),
            raters=[name for text in reading.raters for name in text.split(",") if name.strip()],
        )
    if reading.strata is not None:
        judgments = assign_strata(judgments, dict(read_topic_table(reading.strata, ("topic", "stratum")).iter_rows()))
    if judgments.intent is not None:
        judgments = expand_intents(judgments, unmentioned=reading.unmentioned_intents == "lowest")
    if reading.intents == "top":
        if reading.intent_probabilities is None:
            raise CallError("--intents top needs --intent-probabilities FILE with lines of topic, intent, probability.")
        columns = ("topic", "intent", "probability")
        table = read_topic_table(reading.intent_probabilities, columns, numbers=("probability",))
        judgments = keep_top_intent(judgments, {(topic, intent): value for topic, intent, value in table.iter_rows()})
    return judgments


def measure_strata(
    judgments: Judgments, measure: Callable[[Judgments], _Result]
) -> tuple[dict[str, _Result], list[Finding]]:
    """What `measure` makes of each stratum; a stratum without pairs is left out with a finding, a fault names it."""
    from gainsayer.counts.strata import split_strata

    results: dict[str, _Result] = {}
    findings = []
    for name, part in split_strata(judgments).items():
        try:
            results[name] = measure(part)
        except PairingError:
            text = f"Stratum {name!r} has no document that was judged by both sides; it has no estimate of its own."
            findings.append(Finding("stratum-without-pairs", text))
        except DataError as error:
            raise type(error)(f"Stratum {name!r}: {error}") from error
    return results, findings


def choose_assessors(given: Sequence[str], judgments: Judgments) -> tuple[str, ...] | None:
    """Assessors named by --first or --second: whole names, or several between commas."""
    names = [
        name.strip()
        for text in given
        for name in ([text] if text in judgments.assessors else text.split(","))
        if name.strip()
    ]
    return tuple(dict.fromkeys(names)) or None


def choose_relevance(levels: Levels, thresholds: Sequence[str], relevant: Sequence[str]) -> tuple[Relevance, ...]:
    """The notions of relevance asked for; by default every threshold, the top level first."""
    asked = [
        *(levels.at_or_above(part.strip()) for text in thresholds for part in text.split(",")),
        *(levels.only(*(part.strip() for part in text.split(","))) for text in relevant),
    ]
    if not asked:
        if not levels.ordered:
            raise CallError(
                f"The labels {', '.join(levels.names)} have no order. Name them from low to high (--levels), or name "
                "the relevant ones (--relevant)."
            )
        asked = [levels.at_or_above(name) for name in reversed(levels.names[1:])]
    return tuple(dict.fromkeys(asked))


def describe_provenance(files: Sequence[str], options: dict[str, Any], seed: int) -> dict[str, Any]:
    """What a result was made from: version, files with their SHA-256, options, seed."""
    from gainsayer import __version__

    entries = []
    for text in files:
        source = split_name(text)
        path = source if isinstance(source, str) else source[1]
        digest = None
        if path != "-" and os.path.isfile(path):  # noqa: PTH113  # a Path refuses names that are too long
            with Path(path).open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
        entries.append({"file": show_name(text), "sha256": digest})
    return {"version": __version__, "files": entries, "options": _show_names(options), "seed": seed}


def _show_names(value: Any) -> Any:
    """The same plain data, with file names that are not UTF-8 in a form that can be written."""
    if isinstance(value, str):
        return show_name(value)
    if isinstance(value, list | tuple):
        return [_show_names(item) for item in value]
    return {name: _show_names(item) for name, item in value.items()} if isinstance(value, dict) else value


def plain_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a command as plain data, without those that say where the output goes."""
    skipped = ("files", "form", "spreadsheet_safe", "output", "quiet", "seed")
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in options.items()
        if name not in skipped
    }


@contextmanager
def working_bar(what: str, steps: Sequence[str], *, quiet: bool) -> Iterator[Iterator[str]]:
    """The steps in turn, with a bar on a terminal where they may last."""
    import sys

    size = _total_size(steps)
    if quiet or size < BIG_INPUT or not is_lively(sys.stderr):
        yield iter(steps)
        return
    from rich.console import Console
    from rich.progress import track

    yield iter(track(steps, description=what, console=Console(stderr=True), transient=True))


@contextmanager
def reading_bar(files: Sequence[str], *, quiet: bool) -> Iterator[None]:
    """A moving bar while large files are read, on a terminal only."""
    import sys

    size = _total_size([source if isinstance(source, str) else source[1] for source in map(split_name, files)])
    if quiet or size < BIG_INPUT or not is_lively(sys.stderr):
        yield
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        progress.add_task(f"Reading {len(files)} files ({size / 1e6:.0f} MB)", total=None)
        yield


def _total_size(paths: Sequence[str]) -> int:
    """The bytes of all files among these, whatever else there is."""
    return sum(os.path.getsize(path) for path in paths if os.path.isfile(path))  # noqa: PTH113, PTH202


def _parse_maps(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    from gainsayer.judgments.maps import parse_map

    maps: dict[str, dict[str, str]] = {}
    for name, table in map(parse_map, texts):
        if name in maps:
            raise CallError(f"--map was given twice for {name!r}. Give all of its labels in one: {name}:1=0,2=1")
        maps[name] = table
    return maps


def _split_pair(text: str, option: str, form: str) -> tuple[str, str]:
    source, equals, target = text.rpartition("=")
    if not equals or not source or not target:
        raise CallError(f"{option} needs {form}, found {text!r}.")
    return source, target
