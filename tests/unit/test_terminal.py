"""Text within a width: what gives way, in which order, and what never does."""

from __future__ import annotations

import io

import pytest

from gainsayer.table import Column, Table, render_csv, render_markdown, render_text
from gainsayer.terminal import TextColumn, lay_out, page_width, shorten, width_of, wrap

ALIKE = tuple(f"bl_bcai_{middle}_passages_with_a_long_name" for middle in ("one", "two", "three"))


def test_names_stay_distinct() -> None:
    """Names that differ only in the middle keep as much of it as tells them apart."""
    for width in range(20, 60):
        layout = lay_out([TextColumn("run", ALIKE, narrow="shorten"), TextColumn("P@10", ["0.5"] * 3)], width)
        names = [row.split()[0] for row in layout.body[1:]]
        assert len(set(names)) == 3
        assert ("…" in names[2]) == (width < len(ALIKE[2]) + len("  P@10"))


def test_a_name_looks_the_same_in_two_columns() -> None:
    """Columns of names are cut to one width."""
    columns = [TextColumn("run", ["x" * 20 + "yz"], narrow="shorten"), TextColumn("other", ["x" * 20 + "yz"])]
    left, right = lay_out([columns[0], columns[0]], 36).body[1].split()
    assert left == right == shorten("x" * 20 + "yz", 17)


@pytest.mark.parametrize("room", range(2, 12))
def test_a_short_name_takes_no_more_room(room: int) -> None:
    """Wide letters count twice, marks on letters not at all."""
    for name in ("msmarco_passage", "検索エンジンの比較", "e\u0301" * 12):
        assert width_of(shorten(name, room)) <= room


def test_sentences_wrap_by_columns_of_the_terminal() -> None:
    """Wide letters count twice; a number stays with its sign for per cent; a long path stays whole."""
    assert wrap("検索 検索 検索", 9) == ["検索 検索", "検索"]
    assert wrap("an interval of 95 % or so", 17) == ["an interval of", "95 % or so"]
    assert wrap("in /a/long/path/to/a-file", 10) == ["in", "/a/long/path/to/a-file"]
    assert wrap("", 10) == [""]


TABLE = Table(
    "Differences",
    (
        Column("a", ["first"], "run", narrow="shorten"),
        Column("difference", [0.25], "difference"),
        Column("p", [0.0312], "p", 4, spare=1),
        Column("ndcg", [0.5], "nDCG@10 of the run"),
        Column("ndcg error", [0.01], "error", spare=2),
        Column("ap", [0.4], "AP"),
        Column("ap error", [0.02], "error", spare=2),
        Column("verdict", ["undecided"], "verdict", spare=-1),
    ),
)


@pytest.mark.parametrize(
    ("width", "left_out"),
    [
        (66, None),
        (65, "error"),
        (52, "error"),
        (51, "p, error"),
        (40, "p, error, AP"),
        (30, "p, nDCG@10 of the run, error, AP"),
        (20, "p, nDCG@10 of the run, error, AP, verdict"),
        (10, "p, nDCG@10 of the run, error, AP, verdict"),
    ],
)
def test_the_least_needed_columns_go_first(width: int, left_out: str | None) -> None:
    """Spare ones by their number, those of one heading together; then from the right; never the first two kinds."""
    text = " ".join(render_text([TABLE], width=width).split())
    assert left_out is None or f"Not shown for width: {left_out}. All columns: to_polars()." in text
    assert ("Not shown" in text) == (left_out is not None)
    assert "first 0.250" in text


def test_a_heading_that_stays_elsewhere_is_named_by_its_key() -> None:
    """Which of two columns with one heading was left out can be read."""
    columns = (Column("run", ["r"], "run"), *(Column(f"{n} sd", [0.5], "deviation") for n in "abc"))
    assert "Not shown for width: b sd, c sd." in " ".join(render_text([Table("", columns)], width=20).split())


def test_columns_asked_for_are_all_there() -> None:
    """None is left out, however wide the table; other forms know no width."""
    assert "Not shown" not in render_text([TABLE], width=30, all_columns=True)
    assert "ap error" in render_csv(TABLE.flat())
    assert render_markdown([TABLE]).count("error") == 2


def test_an_empty_table_has_headings() -> None:
    """A table without rows or columns is no fault."""
    assert lay_out([TextColumn("run", ()), TextColumn("p", ())], 80).head == ["run   p"]
    assert lay_out([], 80).head == []


def test_sentences_in_cells_wrap() -> None:
    """A cell of several lines leaves the others in line."""
    about = TextColumn("what it is", ["relevant documents in the list, of all there are"], narrow="wrap")
    layout = lay_out([TextColumn("measure", ["P@5"]), about, TextColumn("n", ["1"], right=True)], 40)
    assert layout.body[1:] == ["P@5      relevant documents in the  1", "         list, of all there are"]


def test_the_width_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """As COLUMNS says, else as the terminal is; what is no terminal has a width of its own; never below sixty."""
    monkeypatch.delenv("COLUMNS", raising=False)
    assert page_width(None) is page_width(io.StringIO()) is None
    for asked, width in (("72", 72), ("20", 60), ("0", None), ("wide", None)):
        monkeypatch.setenv("COLUMNS", asked)
        assert page_width(None) == width
