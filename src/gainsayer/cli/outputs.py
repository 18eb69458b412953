"""Where results go: standard output or a file, in the format asked for; messages go to standard error."""

from __future__ import annotations

import functools
import glob
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from gainsayer.cli.flags import with_flags
from gainsayer.cli.options import OUTPUT, add_options, option
from gainsayer.cli.streams import is_styled, show
from gainsayer.cli.streams import say as say
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.output_files import refuse_inputs, write_whole
from gainsayer.presentation.tables import Table, render_csv, render_latex, render_markdown, render_text
from gainsayer.text import write_json

FORMATS = ("table", "json", "csv", "markdown", "latex")
STANDARD_OUTPUT = ("-", "/dev/stdout")
_SPREADSHEET = "spreadsheet"
_ENDINGS = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Output:
    """One result in every form; the flat table is what CSV writes. What may be long is made only where asked for."""

    document: dict[str, Any] | Callable[[], dict[str, Any]]
    tables: Sequence[Table] | Callable[[], Sequence[Table]]
    flat: Table | Callable[[], Table]
    findings: Sequence[Finding] = ()
    trec: Callable[[], str] | None = None

    @classmethod
    def of(cls, result: Any) -> Output:
        """A result as its view shows it."""
        from gainsayer.presentation.views import describe, find_view

        view = find_view(result)
        return cls(
            partial(describe, result), partial(view.tables, result), partial(view.flat, result), view.findings(result)
        )


def output_options(function: _Function, *, formats: Sequence[str] = FORMATS) -> _Function:
    """The options every command has: --format, --spreadsheet-safe, -o, --seed, --quiet.

    Before the command runs, an output that is one of its inputs is refused.
    """

    @functools.wraps(function)
    def command(*args: Any, spreadsheet_safe: bool, **given: Any) -> Any:
        if spreadsheet_safe:
            if given["form"] not in (None, "csv"):
                raise CallError(
                    f"--spreadsheet-safe is about CSV, not --format {given['form']}. Leave one of them out."
                )
            given["form"] = _SPREADSHEET
        output = given["output"]
        keep_inputs(click.get_current_context(), () if output is None else (output,))
        return function(*args, **given)

    options = (
        option(
            "--format",
            "form",
            type=click.Choice(formats),
            default=None,
            group=OUTPUT,
            help="How to print; by default what the ending of -o says, else a table.",
        ),
        option(
            "--spreadsheet-safe",
            is_flag=True,
            group=OUTPUT,
            help="CSV in which a spreadsheet takes no name for a formula: an apostrophe before = + - @.",
        ),
        option(
            "-o",
            "--output",
            type=click.Path(dir_okay=False, path_type=Path),
            default=None,
            group=OUTPUT,
            help="Write here instead of standard output; .json, .csv, .md and .tex choose the format.",
        ),
        option(
            "--seed", type=int, default=0, show_default=True, group=OUTPUT, help="Seed of everything that is drawn."
        ),
        option("--quiet", is_flag=True, group=OUTPUT, help="No warnings and no messages on standard error."),
    )
    return cast(_Function, add_options(command, options))


def keep_inputs(context: click.Context, outputs: Sequence[Path]) -> None:
    """Refuse to write over a file that an option or argument of this call names, before any work (CallError)."""
    outputs = [output for output in outputs if str(output) not in STANDARD_OUTPUT]
    if outputs:
        refuse_inputs(outputs, _files_named(context))


def _files_named(context: click.Context) -> Iterator[str]:
    """The files that this call reads, as its options tell: FILE, NAME=FILE, parts of lists, folders, patterns."""
    for parameter in context.command.params:
        if parameter.name in ("files", "runs", "gains", "schemes") or parameter.metavar == "FILE":
            given = context.params[str(parameter.name)]
            for text in (given,) if isinstance(given, str) else given if isinstance(given, tuple) else ():
                yield from (text, text.partition("=")[2], *text.split(","))
                if Path(text).is_dir():
                    yield from map(str, Path(text).iterdir())
                elif glob.has_magic(text):
                    yield from glob.iglob(text, recursive=True)  # noqa: PTH207  # the pattern may be absolute


def emit(result: Any, *, form: str | None, output: Path | None, quiet: bool) -> None:
    """Print or write a result (or an `Output` of it), then the warnings, with the flags of the command line."""
    result = result if isinstance(result, Output) else Output.of(result)
    if output is not None and str(output) in STANDARD_OUTPUT:
        output = None
    chosen = form or _format_of(output)
    styled = output is None and is_styled(sys.stdout)
    text = _render(result, chosen, styled=styled)
    if output is None:
        show(text, safe=chosen == "table")
    else:
        write_whole(output, text)
        say(f"Wrote {output}", quiet=quiet)
    for finding in result.findings:
        say(f"Warning ({finding.code}): {with_flags(finding.message)}", quiet=quiet)


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


def _render(result: Output, form: str, *, styled: bool) -> str:
    if form == "json":
        return write_json(_flagged(_made(result.document)))
    if form == "trec":
        assert result.trec is not None
        return result.trec()
    if form in ("csv", _SPREADSHEET):
        return render_csv(_made(result.flat), spreadsheet=form == _SPREADSHEET)
    tables = _made(result.tables)
    if form == "markdown":
        return render_markdown(tables)
    if form == "latex":
        return render_latex(tables)
    return render_text(tables, color=styled)


def _made(form: Any) -> Any:
    return form() if callable(form) else form


def _flagged(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the flags of the command line in its warnings, those of strata as well."""
    parts = document.get("strata")
    named = {name: _flagged(part) if isinstance(part, dict) else part for name, part in (parts or {}).items()}
    said = [warning | {"message": with_flags(warning["message"])} for warning in document.get("warnings", ())]
    return document | ({"strata": named} if parts else {}) | ({"warnings": said} if "warnings" in document else {})
