"""The demo's report, those of real annotators, of two runs and of a machine, in a real browser."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.slow.browser.looking import MARKS, UNFOLD, Opening, find_cut_figures, read_cell
from tests.slow.browser.test_page import find_outside

REPORTS = ("demo", "annotators", "pair", "machine")
# Bounds of the demo's page: half of the 6,000 words and 35 tables that it once had.
MOST_HIGH, MOST_WORDS, MOST_TABLES = 4_000, 3_000, 17


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
    verdict = report["verdict"]
    shown = (verdict["figures"], verdict["figures_beside"], *(section["figures"] for section in report["sections"]))
    return [figure["id"] for figures in shown for figure in figures]


def _bottom(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box, selector
    return box["y"] + box["height"]


def test_first_screen_of_a_desktop_is_the_answer(opened: Opening, name: str) -> None:
    """At 1400 x 900 verdict, both figures, numbers and next steps end above 900 px, the figures side by side."""
    with opened(name) as page:
        for part in ("#verdict", ".numbers", ".main", ".steps"):
            assert _bottom(page, part) <= 900, part
        assert _bottom(page, ".first") <= 900
        left, right = page.locator(".main").bounding_box(), page.locator(".beside, .steps").first.bounding_box()
        assert left
        assert right
        assert right["x"] >= left["x"] + left["width"]
        if page.locator(".beside").count():
            assert right["y"] == pytest.approx(left["y"], abs=2)
        assert page.locator("details[open]").count() == 0


def test_first_screen_of_a_phone(opened: Opening, name: str) -> None:
    """At 390 x 844 verdict and main figure come first, then the second figure and the numbers; all four fit."""
    with opened(name, width=390, height=844) as page:
        parts = [part for part in ("#verdict", ".main", ".beside", ".numbers") if page.locator(part).count()]
        bottoms = [_bottom(page, part) for part in parts]
        assert bottoms == sorted(bottoms)
        assert bottoms[-1] <= 844


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1400, 1920])
def test_nothing_overflows_sideways(opened: Opening, name: str, report: Any, width: int) -> None:
    """With everything unfolded the page is as wide as the window, and each figure has marks inside it."""
    with opened(name, width=width, dark=width == 390) as page:
        page.evaluate(UNFOLD)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert find_outside(page) == []
        for figure in _figures(report):
            assert page.locator(f"#figure-{figure}").locator(MARKS).count() > 0, figure


def test_the_demo_stays_short(opened: Opening, demo: Path) -> None:
    """Folded at most 4,000 px tall, unfolded at most 3,000 words and 17 tables, 8 to 13 questions."""
    with opened("demo") as page:
        assert page.evaluate("document.documentElement.scrollHeight") <= MOST_HIGH
        assert 8 <= page.locator("details.question").count() <= 13
        page.evaluate(UNFOLD)
        words = len(page.locator("body").inner_text().split())
        assert 1_000 < words <= MOST_WORDS
        assert 5 < page.locator("table").count() <= MOST_TABLES


def test_every_table_copies_what_the_json_says(opened: Opening, name: str, report: Any) -> None:
    """CSV read back gives the rows of the JSON, table by table."""
    with opened(name) as page:
        page.evaluate(UNFOLD)
        for table in [table for section in report["sections"] for table in section["tables"]]:
            block = page.locator(f"#table-{table['id']}")
            block.locator(".tools button", has_text="CSV").click()
            block.locator("[role=status]", has_text="Copied as CSV").wait_for()
            head, *rows = csv.reader(io.StringIO(page.evaluate("navigator.clipboard.readText()")))
            known = [at for at in range(len(table["columns"])) if any(row[at] is not None for row in table["rows"])]
            assert head == [table["columns"][at]["key"] for at in known]
            for copied, row in zip(rows, table["rows"], strict=True):
                for cell, at in zip(copied, known, strict=True):
                    value = read_cell(row[at]) if isinstance(row[at], str) else row[at]
                    assert read_cell(cell) == (pytest.approx(value, rel=1e-8) if isinstance(value, float) else value)


def test_headings_repeat_on_every_sheet(opened: Opening) -> None:
    """In print the head of a table that goes on over a page's end stands on each of its sheets."""
    with opened("annotators") as page:
        page.evaluate(UNFOLD)
        rows = page.locator("#data-all-runs tbody tr").count()
        assert rows == 61
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.querySelector('#data-all-runs thead')).display") == (
            "table-header-group"
        )
        # What stands in a button is not repeated: on paper the buttons of headings are no boxes.
        shown = "getComputedStyle(document.querySelector('#data-all-runs thead button')).display"
        assert page.evaluate(shown) == "contents"


def test_every_sheet_of_a_table_has_its_headings(opened: Opening, tmp_path: Path) -> None:
    """The text of the printed report has the heading of each table on every sheet that has rows of it."""
    if (pdftotext := shutil.which("pdftotext")) is None:
        pytest.skip("pdftotext is not installed: apt-get install poppler-utils")
    with opened("pair") as page:
        page.pdf(path=tmp_path / "report.pdf", format="A4")
    command = [pdftotext, "-layout", str(tmp_path / "report.pdf"), "-"]
    sheets = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\f")
    topics = [sheet for sheet in sheets if re.search(r"^\s*\d{5,7}(?: +[\u2212]?\d\.\d{3}){3}$", sheet, re.M)]
    assert len(topics) >= 2  # 43 topics do not fit on one
    assert all(re.search(r"Topic +\S+ +\S+ +Difference", sheet) for sheet in topics)


def test_prints_with_no_figure_cut(opened: Opening, name: str, report: Any) -> None:
    """Each figure begins and ends on one sheet, the tall ones made smaller; paper has every question open."""
    with opened(name) as page:
        assert find_cut_figures(page, _figures(report)) == []


def test_two_runs_are_no_ranking(opened: Opening, pair: Path) -> None:
    """The page of two runs has a verdict, a difference line and a dot per topic, and no forest, places or groups."""
    with opened("pair") as page:
        assert page.locator(".badge").inner_text() == "Undecided"
        assert page.locator("#figure-difference svg:visible").count() == 1
        assert page.locator("#figure-topic-dots svg:visible circle").count() == 43
        page.evaluate(UNFOLD)
        words = page.locator("body").inner_text().lower()
        for word in ("tau", "ranks", "places", "group", "best of"):
            assert word not in words, word


def test_a_machine_stands_beside_people(opened: Opening, machine: Path) -> None:
    """People's agreement with people stands beside the machine's, grade by grade, with one of four verdicts each."""
    with opened("machine") as page:
        assert page.locator("#figure-machine-grades > svg:visible").count() == 1
        page.evaluate(UNFOLD)
        rows = [row.locator("td").all_text_contents() for row in page.locator("#table-machine-worth tbody tr").all()]
        assert len(rows) == 4
        words = {"worth less", "worth more", "no difference found", "worth the same"}
        assert all(len(words & set(row)) == 1 for row in rows)
        assert "Two people give the same grade to" in page.locator("#section-machine").inner_text()
