"""Renderings of a table: what stands in names never becomes markup or a command."""

from __future__ import annotations

import csv
import io

from gainsayer.presentation.tables import (
    Column,
    Table,
    render_csv,
    render_latex,
    render_markdown,
    render_text,
    show_number,
)

NASTY = '<b>&|"_%$#{}\\~^[red]`*\x1b[31m\u202e,\n'
TABLE = Table(
    "Title | of _it_", (Column("name", "the name", align="left"), Column("p", "p", show_number(2))), ((NASTY, 0.5),)
)


def test_text_shows_control_signs_instead_of_sending_them() -> None:
    """Escape sequences and direction marks are spelt out; rich markup stays text."""
    text = render_text([TABLE])
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"\x1b[31m" in text
    assert "[red]" in text
    assert "0.50" in text


def test_colour_only_where_asked_for() -> None:
    """A terminal gets colour, a pipe none."""
    assert "\x1b[1m" in render_text([TABLE], color=True)
    assert "\x1b" not in render_text([TABLE])


def test_csv_gives_back_the_name() -> None:
    """CSV quotes what it must, so the name reads back as it was."""
    rows = list(csv.reader(io.StringIO(render_csv(TABLE))))
    assert rows == [["name", "p"], [NASTY, "0.5"]]


def test_markdown_escapes_markup() -> None:
    """No bar, tag, emphasis or code survives unescaped, and a line break does not break the table."""
    lines = render_markdown([TABLE]).splitlines()
    assert len(lines) == 5
    row = lines[-1]
    assert r"\<b\>&amp;\|" in row
    assert r"\`\*" in row
    assert row.replace(r"\|", "").count("|") == 3


def test_latex_escapes_commands() -> None:
    """Backslashes, braces and the other special signs are spelt out."""
    row = render_latex([TABLE]).splitlines()[7]
    assert r"\textbackslash{}" in row
    assert r"\_\%\$\#\{\}" in row
    assert row.endswith(r" & 0.50 \\")


def test_columns_in_which_nothing_stands_are_left_out() -> None:
    """A note column without notes is not shown."""
    table = Table("", (Column("a", "a"), Column("note", "note")), (("x", None), ("y", None)))
    assert "note" not in render_text([table])
    assert "note" in render_csv(table)
