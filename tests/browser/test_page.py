"""The report's page in a real browser: Debian's chromium by way of playwright."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re

import pytest
from tests.browser.looking import MARKS, Opening, find_cut_figures, read_cell

from gainsayer.presentation.content import ReportContent, describe_report
from gainsayer.presentation.figures.palettes import DARK, LIGHT
from gainsayer.presentation.tables import render_latex, render_markdown


@pytest.mark.parametrize(
    ("name", "width"), [("tame", 400), ("tame", 1280), ("wild", 400), ("wild", 1280), ("taken", 1280)]
)
def test_every_figure_is_drawn(opened: Opening, request: pytest.FixtureRequest, name: str, width: int) -> None:
    """Each figure of the content has marks, whatever its names look like, with no word on the console."""
    content: ReportContent = request.getfixturevalue(name)
    with opened(name, width=width) as page:
        for figure in content.figures:
            assert page.locator(f"#figure-{figure.id}").locator(MARKS).count() > 0, figure.id
        runs = len(content.figures[4].runs)  # type: ignore[attr-defined]
        assert page.locator("#figure-run-forest g.mark-symbol.role-mark path").count() == 2 * runs
        assert page.locator("#figure-confusion g.mark-rect.role-mark path").count() == 16


def test_every_run_is_named_beside_its_interval(opened: Opening, tame: ReportContent) -> None:
    """All 60 names stand at the forest plot, each on a line of its own that no other one covers."""
    with opened("tame") as page:
        labels = page.locator("#figure-run-forest g.mark-text.role-axis-label text")
        boxes = [box for box in (label.bounding_box() for label in labels.all()) if box and box["x"] < 480]
        tops = sorted(box["y"] for box in boxes)
        assert set(tame.figures[4].runs) <= set(labels.all_text_contents())  # type: ignore[attr-defined]
        assert len(tops) >= 60
        assert all(after - before > 11 for before, after in itertools.pairwise(tops))


@pytest.mark.parametrize("name", ["tame", "wild"])
@pytest.mark.parametrize("width", [320, 400])
def test_no_horizontal_scroll(opened: Opening, name: str, width: int) -> None:
    """The page is as wide as the window, also with all data shown; wide tables scroll in their own boxes."""
    with opened(name, width=width) as page:
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate("document.querySelector('#table-runs .scroll').scrollWidth") > width
        inside = "(part) => part.getBoundingClientRect().right <= innerWidth"
        assert page.locator(".chart svg").evaluate_all(f"(parts) => parts.every({inside})")


def test_figures_follow_the_width(opened: Opening) -> None:
    """A window made narrow draws its figures anew."""
    with opened("tame") as page:
        page.set_viewport_size({"width": 400, "height": 900})
        page.wait_for_selector("#figure-quality .chart[data-drawn='368']")
        assert page.evaluate("document.documentElement.scrollWidth") == 400


def test_names_are_no_markup(opened: Opening) -> None:
    """What looks like a script or an image in a name stays text."""
    with opened("wild") as page:
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 3
        assert "</script><script>alert('run')</script>" in page.locator("#table-runs tbody th").all_text_contents()


def test_tables_sort_by_click_and_keyboard(opened: Opening) -> None:
    """A heading sorts up, then down; numbers as numbers, unknown values last both times."""
    with opened("tame") as page:
        heading = page.locator("#table-runs thead th").nth(4)
        cells = page.locator("#table-runs tbody tr td:nth-child(5)")
        heading.locator("button").click()
        assert heading.get_attribute("aria-sort") == "ascending"
        up = cells.all_text_contents()
        heading.locator("button").focus()
        page.keyboard.press("Enter")
        assert heading.get_attribute("aria-sort") == "descending"
        down = cells.all_text_contents()
        missing = up.count("-")
        assert missing
        assert up[-missing:] == down[-missing:] == ["-"] * missing
        assert up[:-missing] == sorted(up[:-missing], key=float)
        assert down[:-missing] == sorted(down[:-missing], key=float, reverse=True)
        page.locator("#table-runs thead th button").first.click()
        assert page.locator("#table-runs thead th").nth(4).get_attribute("aria-sort") == "none"


def test_names_sort_as_people_count(opened: Opening) -> None:
    """Among names, 2 comes before 10."""
    with opened("tame") as page:
        page.locator("#table-runs thead th button").first.click()
        names = page.locator("#table-runs tbody tr > :first-child").all_text_contents()
        assert names[:7] == [*(f"ance-{place}" for place in range(1, 7)), "bm25-1"]


def test_tables_filter(opened: Opening) -> None:
    """Rows without the words are hidden, and the count of the others is said."""
    with opened("tame") as page:
        page.locator("#table-runs input").fill("BM25 0.")
        rows = page.locator("#table-runs tbody tr:visible th").all_text_contents()
        assert rows == [f"bm25-{place}" for place in range(1, 7)]
        assert page.locator("#table-runs .said").text_content() == "6 of 60 rows"
        page.locator("#table-runs input").fill("")
        assert page.locator("#table-runs tbody tr:visible").count() == 60


@pytest.mark.parametrize("name", ["tame", "wild"])
def test_copies_are_what_the_json_says(opened: Opening, request: pytest.FixtureRequest, name: str) -> None:
    """CSV read back gives the rows of the JSON; Markdown and LaTeX are those of the command line."""
    content: ReportContent = request.getfixturevalue(name)
    table = content.sections[2].tables[0].table
    described = json.loads(json.dumps(describe_report(content)))["sections"][2]["tables"][0]
    with opened(name) as page:
        copied = {}
        for form in ("csv", "markdown", "latex"):
            page.locator(f"#table-runs [data-copy={form}]").click()
            page.wait_for_function(
                "(said) => document.querySelector('#table-runs .said').textContent.toLowerCase() === said",
                arg=f"copied as {form}",
            )
            copied[form] = page.evaluate("navigator.clipboard.readText()")
    head, *rows = csv.reader(io.StringIO(copied["csv"]))
    assert head == [column["key"] for column in described["columns"]]
    assert [[read_cell(cell) for cell in row] for row in rows] == described["rows"]
    assert copied["markdown"] == render_markdown([table])
    assert copied["latex"] == render_latex([table])


def test_tooltips_give_the_numbers(opened: Opening) -> None:
    """Pointing at a mark shows its row under the headings of the columns."""
    with opened("tame") as page:
        page.locator("#figure-parameters g.mark-symbol.role-mark path").nth(3).hover()
        page.wait_for_selector("#vg-tooltip-element.visible")
        tip = page.locator("#vg-tooltip-element").inner_text()
        assert re.search(r"level\s+Key", tip)
        assert re.search(r"p\(R\|level\)\s+0\.\d{3}", tip)
        assert re.search(r"judged\s+214\b", tip)


def test_dark_scheme_changes_ground_text_and_marks(opened: Opening) -> None:
    """The page and its figures take the dark colours, and the light ones again in print, without drawing anew."""
    mark = "getComputedStyle(document.querySelector('#figure-run-forest g.mark-symbol.role-mark path')).fill"
    with opened("tame", dark=True) as page:
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == _rgb(DARK.ground)
        assert page.evaluate(mark) == _rgb(DARK.series[0])
        page.emulate_media(color_scheme="light")
        assert page.evaluate(mark) == _rgb(LIGHT.series[0])
        page.emulate_media(color_scheme="dark", media="print")
        assert page.evaluate(mark) == _rgb(LIGHT.series[0])


def test_landmarks_and_names_for_screen_readers(opened: Opening, tame: ReportContent) -> None:
    """There is one main landmark and a named navigation; figures and tables have names; contents lead somewhere."""
    with opened("tame") as page:
        assert page.get_by_role("main").count() == 1
        assert page.get_by_role("navigation", name="Contents").count() == 1
        for figure in tame.figures:
            assert page.get_by_role("figure", name=figure.title).count() == 1
            assert page.get_by_role("img", name=figure.description).count() == 1
        assert page.get_by_role("table", name="Runs by nDCG@10, with the share of unjudged documents").count() == 1
        for link in page.locator("nav a, .skip").all():
            assert page.locator(str(link.get_attribute("href"))).count() == 1
        ids = page.locator("[id]").evaluate_all("(parts) => parts.map((part) => part.id)")
        own = [name for name in ids if not name.startswith(("gradient", "clip"))]
        assert len(own) == len(set(own))
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"


def test_prints_with_no_figure_cut(opened: Opening, tame: ReportContent) -> None:
    """Each figure begins and ends on one page; without the rule that says so, some would not."""
    with opened("tame", dark=True) as page:
        assert find_cut_figures(page, [figure.id for figure in tame.figures]) == []
        page.add_style_tag(content="@media print { figure, .chart { break-inside: auto !important; } }")
        page.add_style_tag(content="@media print { .chart svg { max-height: none !important; } }")
        assert find_cut_figures(page, [figure.id for figure in tame.figures])


def _rgb(color: str) -> str:
    return f"rgb({', '.join(str(int(color[place : place + 2], 16)) for place in (1, 3, 5))})"
