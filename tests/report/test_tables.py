"""Renderings of a table: what stands in names never becomes markup or a command."""

from __future__ import annotations

import csv
import io
import re

import pytest

from gainsayer.table import Align, Column, Table, render_csv, render_latex, render_markdown, render_text

NASTY = '<b>&|"_%$#{}\\~^[red]`*\x1b[31m\u202e,\n'
TABLE = Table("Title | of _it_", (Column("name", [NASTY], "the name"), Column("p", [0.5], "p", 2)))


def test_text_shows_control_signs_instead_of_sending_them() -> None:
    """Escape sequences and direction marks are spelt out; brackets stay text."""
    text = render_text([TABLE])
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"\x1b[31m" in text
    assert "[red]" in text
    assert "0.50" in text


def test_a_cell_without_a_value_is_a_dash() -> None:
    """Nobody reads Python's word for nothing, whatever kind of column it stands in; CSV leaves the cell empty."""
    table = Table("", (Column("a", [None, 1], "a"), Column("b", [None, 0.5], "b", 2)))
    for text in (render_text([table]), render_markdown([table]), render_latex([table])):
        assert "None" not in text
        assert len(re.findall(r"(?<![-:])-(?![-:])", text)) == 2
    assert render_csv(table).splitlines()[1] == ","


def test_colour_only_where_asked_for() -> None:
    """A terminal gets colour, a pipe none."""
    assert "\x1b[1m" in render_text([TABLE], color=True)
    assert "\x1b" not in render_text([TABLE])


@pytest.mark.parametrize("align", ["left", "right"])
@pytest.mark.parametrize("cell", ["bm25", "0.5123", "", "é±≥", "語한", "cafe\u0301", "a longer name than its heading"])
def test_cells_stand_where_rich_puts_them(cell: str, align: Align) -> None:
    """Wide letters, marks on letters and empty cells leave the columns in line, as in a table drawn by rich."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable

    drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    drawn.add_column("run", justify="left")
    drawn.add_column("語 value", justify=align)
    drawn.add_column("last")
    drawn.add_row("a", cell, "x")
    drawn.add_row("another", "1", "y")
    console = Console(file=io.StringIO(), width=200, legacy_windows=False)
    console.print(drawn)
    assert isinstance(console.file, io.StringIO)
    expected = [line.rstrip() for line in console.file.getvalue().rstrip().split("\n")]
    columns = (
        Column("run", ["a", "another"], "run"),
        Column("v", [cell, "1"], "語 value", align=align),
        Column("l", ["x", "y"], "last"),
    )
    found = render_text([Table("", columns)])
    assert found.splitlines() == expected


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
    table = Table("", (Column("a", ["x", "y"], "a"), Column("note", [None, None], "note")))
    assert "note" not in render_text([table])
    assert "note" in render_csv(table)
