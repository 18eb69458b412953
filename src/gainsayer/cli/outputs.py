"""Where results go: standard output or a file, in the format asked for; talk goes to standard error."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.report.tables import Table, printable, render_csv, render_latex, render_markdown, render_text

FORMATS = ("table", "json", "csv", "markdown", "latex")
_ENDINGS = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Output:
    """One result in every form; the flat table is what CSV writes, and a long document is made only where asked for."""

    document: dict[str, Any] | Callable[[], dict[str, Any]]
    tables: Sequence[Table]
    flat: Table
    findings: Sequence[Finding] = ()
    trec: str | None = None


def output_options(function: _Function, *, formats: Sequence[str] = FORMATS) -> _Function:
    """The options every command has: --format, -o, --seed, --quiet."""
    options = (
        click.option(
            "--format",
            "form",
            type=click.Choice(formats),
            default=None,
            help="How to print; by default what the ending of -o says, else a table.",
        ),
        click.option(
            "-o",
            "--output",
            type=click.Path(dir_okay=False, path_type=Path),
            default=None,
            help="Write here instead of standard output; .json, .csv, .md and .tex choose the format.",
        ),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of everything that is drawn."),
        click.option("--quiet", is_flag=True, help="No warnings and no talk on standard error."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def emit(result: Output, *, form: str | None, output: Path | None, quiet: bool) -> None:
    """Print or write the result, then the warnings."""
    if output is not None and str(output) == "-":
        output = None
    chosen = form or _format_of(output)
    text = _render(result, chosen, to_file=output is not None)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, text)
        say(f"Wrote {output}", quiet=quiet)
    for finding in result.findings:
        say(f"Warning ({finding.code}): {finding.message}", quiet=quiet)


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


def say(text: str, *, quiet: bool = False) -> None:
    """Talk, on standard error."""
    if not quiet:
        click.echo(printable(text), err=True)


def write_whole(path: Path, text: str) -> None:
    """Write a file beside its place and rename it, so that a stop half-way never leaves half a file.

    A link is followed; a pipe or device is written to as it is.

    Raises:
        CallError: the folder is missing or may not be written.
    """
    if not path.name:
        raise CallError("-o needs the name of a file.")
    path = path.resolve()
    try:
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            return
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            mask = os.umask(0)
            os.umask(mask)
            Path(name).chmod(0o666 & ~mask)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise CallError(f"Cannot write {path}: {error.strerror}. Choose another place with -o.") from error


def _render(result: Output, form: str, *, to_file: bool) -> str:
    if form == "json":
        document = result.document() if callable(result.document) else result.document
        return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if form == "trec":
        assert result.trec is not None
        return result.trec
    if form == "csv":
        return render_csv(result.flat)
    if form == "markdown":
        return render_markdown(result.tables)
    if form == "latex":
        return render_latex(result.tables)
    terminal = sys.stdout is not None and sys.stdout.isatty() and not to_file
    return render_text(result.tables, color=terminal and "NO_COLOR" not in os.environ)
