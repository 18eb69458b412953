"""Where results go: standard output or a file, in the format asked for; messages and bars go to standard error."""

from __future__ import annotations

import functools
import glob
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from gainsayer.cli.options import FILE, OUTPUT, add_options, option, rare, split_list
from gainsayer.cli.streams import is_lively, is_styled, say, show
from gainsayer.commands.ranked_runs import Progress
from gainsayer.drawing.figure import check_form, format_of
from gainsayer.errors import CallError
from gainsayer.findings import NOTES, Finding
from gainsayer.output_files import refuse_inputs, write_files
from gainsayer.result import Result
from gainsayer.terminal import page_width

FORMATS = ("table", "json", "csv", "markdown", "latex")
STANDARD_OUTPUT = ("-", "/dev/stdout")
_OUTPUTS = ("output", "figure", "figures")
_BESIDE = {"plan": ".list.csv", "people_files": ".design.json"}  # what is read with a file, next to it
_SPREADSHEET = "spreadsheet"
_ENDINGS = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}
_Function = TypeVar("_Function", bound=Callable[..., Any])
seed_option = rare("--seed", OUTPUT, "Seed of everything that is drawn.", default=0)
quiet_option = option("--quiet", OUTPUT, "No warnings and no messages.")
_FIGURE = option("--figure FILE", OUTPUT, "Also draw it: .svg, .png or .pdf.", type=FILE)


@dataclass(frozen=True)
class Target:
    """Where a result goes, and what of it.

    Args:
        form: the format; None for what the ending of the file says, else a table.
        path: the file; None for standard output.
        quiet: no warnings and no messages.
        table: the name of one table, or `all`; None for those that answer.
        columns: of the tables; None for those that answer.
        figure: the file for the figure; None for none.
    """

    form: str | None = None
    path: Path | None = None
    quiet: bool = False
    table: str | None = None
    columns: tuple[str, ...] | None = None
    figure: Path | None = None


def output_options(
    function: _Function, *, formats: Sequence[str] = FORMATS, seed: bool = True, figure: bool = True
) -> _Function:
    """What every command has: --format, -o, --table, --columns and others, as one `target`.

    Before the command runs, an output that is one of its inputs is refused, and a figure that cannot be drawn.

    Args:
        function: the command.
        formats: that it knows.
        seed: whether something is drawn.
        figure: whether there is a figure.
    """

    @functools.wraps(function)
    def command(*args: Any, spreadsheet_safe: bool, columns: str | None, **given: Any) -> Any:
        form, drawn = given.pop("form"), given.pop("figure", None)
        if spreadsheet_safe:
            if form not in (None, "csv"):
                raise CallError(f"--spreadsheet-safe is about CSV, not --format {form}. Leave one of them out.")
            form = _SPREADSHEET
        target = Target(
            form=form,
            path=given.pop("output"),
            quiet=given.pop("quiet"),
            table=given.pop("table"),
            columns=None if columns is None else split_list([columns]),
            figure=drawn,
        )
        if form in ("json", "trec") and (target.table or target.columns):
            raise CallError(f"--format {form} holds everything. Leave out --table and --columns.")
        keep_inputs(click.get_current_context(), [path for path in (target.path, drawn) if path is not None])
        if drawn is not None:
            check_form(drawn)
        return function(*args, target=target, **given)

    options = [
        option(
            "--format form",
            OUTPUT,
            f"{', '.join(formats[:-1])} or {formats[-1]}; else as -o ends.",
            choices=formats,
            metavar="FORMAT",
        ),
        option("-o --output", OUTPUT, "Write to this file; its ending chooses the format.", type=FILE),
        rare("--table NAME", OUTPUT, "One of the tables, or 'all'."),
        rare("--columns A,B,...", OUTPUT, "These columns, or 'all'."),
        *((_FIGURE,) if figure else ()),
        *((seed_option,) if seed else ()),
        rare(
            "--spreadsheet-safe",
            OUTPUT,
            "CSV in which a spreadsheet takes no name for a formula: an apostrophe before = + - @.",
        ),
        quiet_option,
    ]
    return cast(_Function, add_options(command, options))


def keep_inputs(context: click.Context, outputs: Sequence[Path]) -> None:
    """Refuse to write over a file that an option or argument of this call names, before any work (CallError)."""
    outputs = [output for output in outputs if str(output) not in STANDARD_OUTPUT]
    if outputs:
        refuse_inputs(outputs, _files_named(context))


def _files_named(context: click.Context) -> Iterator[str]:
    """The files that this call may read: FILE, NAME=FILE, parts of lists, folders and patterns, of any option.

    Options are not asked what they are for: a word of any of them that happens to be the name of the output is most
    likely that file. What lies next to a plan or a list of people is read with it.
    """
    for parameter in context.command.params:
        given = context.params.get(str(parameter.name))
        if parameter.name in _OUTPUTS or isinstance(parameter.type, click.Choice):
            continue
        for text in map(str, given if isinstance(given, tuple | list) else () if given is None else (given,)):
            named = (text, text.partition("=")[2], *text.split(","))
            yield from named
            if parameter.name in _BESIDE:
                yield from (str(Path(name).with_suffix(_BESIDE[parameter.name])) for name in named if Path(name).name)
            if Path(text).is_dir():
                yield from map(str, Path(text).iterdir())
            elif glob.has_magic(text):
                yield from glob.iglob(text, recursive=True)  # the pattern may be absolute


def emit(
    result: Result,
    target: Target,
    *,
    trec: Callable[[], str] | None = None,
    flat: str | None = None,
    together: Mapping[Path, str] | None = None,
) -> None:
    """Print or write a result, then the warnings.

    Args:
        result: what to show.
        target: where it goes, and what of it.
        trec: gives the lines that trec_eval would print.
        flat: the table that CSV holds where none is asked for; the result's flat table by default.
        together: files that belong to the one written, and their text: all of them are written, or none.
    """
    path = None if target.path is not None and str(target.path) in STANDARD_OUTPUT else target.path
    form = target.form or _format_of(path)
    if form == "trec":
        assert trec is not None
        text = trec()
    else:
        text = _render(result, form, target, flat, printed=path is None)
    files: dict[Path, str | bytes] = {} if path is None else {path: text}
    files |= together or {}
    if target.figure is not None:
        files[target.figure] = result.figure().content(format_of(target.figure))
    write(files, quiet=target.quiet)
    if path is None:
        show(text, safe=form == "table")
    warn(result.findings, quiet=target.quiet)


def _render(result: Result, form: str, target: Target, flat: str | None, *, printed: bool) -> str:
    if form == "json":
        return result.to_json()
    if form in ("csv", _SPREADSHEET):
        return result.to_csv(target.table or flat, columns=target.columns, spreadsheet=form == _SPREADSHEET)
    if form == "markdown":
        return result.to_markdown(target.table, columns=target.columns)
    if form == "latex":
        return result.to_latex(target.table, columns=target.columns)
    width = page_width(sys.stdout) if printed else None
    return result.to_text(target.table, columns=target.columns, width=width, color=printed and is_styled(sys.stdout))


def choose_place(output: Path | None) -> Path | None:
    """The file to write to, None for standard output; a file that this call reads is refused (CallError)."""
    place = None if output is None or str(output) in STANDARD_OUTPUT else output
    keep_inputs(click.get_current_context(), () if place is None else (place,))
    return place


def put(text: str, path: Path | None, *, quiet: bool) -> None:
    """Write text to a file, or print it where there is none."""
    if path is None:
        show(text)
    else:
        write({path: text}, quiet=quiet)


def write(files: Mapping[Path, str | bytes], *, quiet: bool) -> None:
    """Write files, all or none of them, and say so."""
    write_files(files)
    for file in files:
        say(f"Wrote {file}", quiet=quiet)


def warn(findings: Sequence[Finding], *, quiet: bool) -> None:
    """Warnings on standard error, one by one; what is only worth a note in one line, by its codes."""
    if quiet:
        return
    noted = [finding.code for finding in findings if finding.code in NOTES]
    for finding in findings:
        if finding.code not in NOTES:
            say(f"Warning ({finding.code}): {finding.message}")
    if noted:
        codes = ", ".join(dict.fromkeys(noted))
        say(f"Notes: {codes}. In full: --format json; what they mean: docs/reference/findings.md.")


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress | None]:
    """Something to tell what is being done and how much of it; a bar on a terminal that knows escapes, else None."""
    if quiet or not is_lively(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Reading", total=None)

        def tell(what: str, share: float) -> None:
            bar.update(task, description=what, total=1.0, completed=share)

        yield tell


def _format_of(output: Path | None) -> str:
    """The format that the ending of an output file asks for."""
    if output is None or output.suffix.lower() in ("", ".txt"):
        return "table"
    if output.suffix.lower() not in _ENDINGS:
        known = ", ".join((*_ENDINGS, ".txt"))
        raise CallError(
            f"-o {output}: the ending {output.suffix!r} is not known ({known}). Say which --format to write."
        )
    return _ENDINGS[output.suffix.lower()]
