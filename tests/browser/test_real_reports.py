"""The demo's report and the one of real annotators, in a real browser."""

from __future__ import annotations

import csv
import io
import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from tests.browser.looking import MARKS, Opening, find_cut_figures, read_cell

REPORTS = ("demo", "annotators")


@pytest.fixture(params=REPORTS)
def name(request: pytest.FixtureRequest) -> str:
    """Which report."""
    return str(request.param)


@pytest.fixture
def report(name: str, request: pytest.FixtureRequest) -> Any:
    """What the JSON beside the page says."""
    path: Path = request.getfixturevalue(name)
    return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


def _figures(report: Any) -> list[str]:
    return [figure["id"] for section in report["sections"] for figure in section["figures"]]


def _tables(report: Any) -> list[Any]:
    return [table for section in report["sections"] for table in section["tables"]]


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_every_figure_has_marks_and_the_page_fits(
    opened: Opening, name: str, report: Any, width: int, dark: bool
) -> None:
    """Wide and narrow, light and dark: each figure of the JSON is drawn, and nothing scrolls sideways but tables."""
    with opened(name, width=width, dark=dark) as page:
        assert len(_figures(report)) >= 9
        for figure in _figures(report):
            assert page.locator(f"#figure-{figure}").locator(MARKS).count() > 0, figure
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        inside = "(part) => part.getBoundingClientRect().right <= innerWidth"
        assert page.locator(".chart svg").evaluate_all(f"(parts) => parts.every({inside})")


def test_every_table_copies_what_the_json_says(opened: Opening, name: str, report: Any) -> None:
    """CSV read back gives the rows of the JSON, table by table; Markdown and LaTeX hold every row."""
    with opened(name) as page:
        for table in _tables(report):
            block = page.locator(f"#table-{table['id']}")
            copied = {}
            for form in ("csv", "markdown", "latex"):
                block.locator(f"[data-copy={form}]").click()
                block.locator(".said", has_text="opied as").wait_for()
                page.wait_for_function(
                    "([id, said]) => document.querySelector(id + ' .said').textContent.toLowerCase() === said",
                    arg=[f"#table-{table['id']}", f"copied as {form}"],
                )
                copied[form] = page.evaluate("navigator.clipboard.readText()")
            head, *rows = csv.reader(io.StringIO(copied["csv"]))
            assert head == [column["key"] for column in table["columns"]]
            assert [[_as_text(read_cell(cell)) for cell in row] for row in rows] == [
                [_as_text(cell) for cell in row] for row in table["rows"]
            ]
            assert sum(line.startswith("|") for line in copied["markdown"].splitlines()) == len(rows) + 2
            assert sum(line.endswith(r"\\") for line in copied["latex"].splitlines()) == len(rows) + 1


def test_run_table_sorts(opened: Opening, name: str, report: Any) -> None:
    """The run table sorts by its score up and down, as numbers."""
    scores = [row[1] for table in _tables(report) if table["id"] == "runs-1" for row in table["rows"]]
    with opened(name) as page:
        heading = page.locator("#table-runs-1 thead th").nth(1)
        cells = page.locator("#table-runs-1 tbody tr td:nth-child(2)")
        for wanted in (sorted(scores), sorted(scores, reverse=True)):
            heading.locator("button").click()
            assert cells.all_text_contents() == [f"{score:.4f}" for score in wanted]


def test_names_of_runs_stand_on_one_line(opened: Opening, name: str) -> None:
    """On a wide page no name of a run below 24 signs is broken in the run table."""
    with opened(name) as page:
        cells = page.locator("#table-runs-1 tbody th bdi").all()
        assert cells
        for cell in cells:
            if len(str(cell.text_content())) < 24:
                assert cell.evaluate("(part) => part.getClientRects().length") == 1, cell.text_content()


def test_tooltip_ids_and_headings_are_unique(opened: Opening, name: str) -> None:
    """No id occurs twice, and sections follow the contents."""
    with opened(name) as page:
        ids = page.locator("[id]").evaluate_all("(parts) => parts.map((part) => part.id)")
        own = [one for one in ids if not one.startswith(("gradient", "clip"))]
        assert len(own) == len(set(own))
        links = page.locator("nav a").evaluate_all("(parts) => parts.map((part) => part.getAttribute('href').slice(1))")
        tops = [page.locator(f"#{link}").bounding_box()["y"] for link in links]  # type: ignore[index]
        assert all(before < after for before, after in itertools.pairwise(tops))


def test_prints_with_no_figure_cut(opened: Opening, name: str, report: Any) -> None:
    """Each figure begins and ends on one page."""
    with opened(name) as page:
        assert find_cut_figures(page, _figures(report)) == []


def _as_text(cell: str | float | None) -> str | float | None:
    """A name that looks like a number is read as one from CSV."""
    return read_cell(cell) if isinstance(cell, str) else cell
