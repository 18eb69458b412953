"""The report's page in a real browser: Debian's chromium by way of playwright; made-up content."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re

import pytest
from playwright.sync_api import Page, expect
from tests.slow.browser.looking import MARKS, UNFOLD, Opening, find_cut_figures, read_cell, wait_until

from gainsayer.drawing.svg import DARK, LIGHT
from gainsayer.reports.content import ReportContent, describe_report
from gainsayer.table import render_latex, render_markdown


@pytest.mark.parametrize(
    ("name", "width"), [("tame", 390), ("tame", 1400), ("wild", 390), ("wild", 1400), ("taken", 1400)]
)
def test_every_figure_is_drawn(opened: Opening, request: pytest.FixtureRequest, name: str, width: int) -> None:
    """Each figure of the content has marks, whatever its names look like, with no word on the console."""
    content: ReportContent = request.getfixturevalue(name)
    with opened(name, width=width) as page:
        page.evaluate(UNFOLD)
        for figure in content.figures:
            assert page.locator(f"#figure-{figure.id}").locator(MARKS).count() > 0, figure.id
            assert page.locator(f"#figure-{figure.id} > svg:visible").count() == 1, figure.id
        assert page.locator("#figure-grades svg:visible circle").count() == 400


@pytest.mark.parametrize("width", [390, 1400])
def test_every_run_is_named_beside_its_interval(opened: Opening, tame: ReportContent, width: int) -> None:
    """All 60 names stand at the unfolded forest, each on a line of its own that no other one covers."""
    with opened("tame", width=width) as page:
        page.evaluate(UNFOLD)
        labels = page.locator("#figure-all-runs svg:visible text:not(.faint)")
        names = [label.evaluate("(part) => part.lastChild.textContent") for label in labels.all()]
        tops = sorted(box["y"] for box in (label.bounding_box() for label in labels.all()) if box)
        assert {row[0] for row in tame.verdict.main[0].table.cells()} == set(names)
        assert all(after - before > 11 for before, after in itertools.pairwise(tops))


@pytest.mark.parametrize("name", ["tame", "wild"])
@pytest.mark.parametrize("width", [320, 390, 640, 899, 900, 1400, 1920])
def test_nothing_overflows_sideways(opened: Opening, name: str, width: int) -> None:
    """With everything unfolded the page is as wide as the window, and no text of a drawing leaves it."""
    with opened(name, width=width) as page:
        page.evaluate(UNFOLD)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert find_outside(page) == []
        if width == 320:
            assert page.evaluate("document.querySelector('#table-runs .scroll').scrollWidth") > width


def find_outside(page: Page) -> list[str]:
    """Texts of drawings that reach beyond the window by more than the pixel that fonts differ by."""
    inside = """(parts) => parts.filter((part) => {
        const box = part.getBoundingClientRect();
        return box.width && (box.left < -1 || box.right > document.documentElement.clientWidth + 1);
    }).map((part) => part.textContent)"""
    return page.locator("svg.drawing text").evaluate_all(inside)  # type: ignore[no-any-return]


def test_text_keeps_its_size(opened: Opening) -> None:
    """A label is as high on a phone as on a wide screen."""
    heights = []
    for width in (390, 1400):
        with opened("tame", width=width) as page:
            box = page.locator("#figure-grades svg:visible text").first.bounding_box()
            assert box
            heights.append(box["height"])
    assert heights[0] == pytest.approx(heights[1], abs=0.5)


def test_names_are_no_markup(opened: Opening) -> None:
    """What looks like a script or an image in a name stays text."""
    with opened("wild") as page:
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 2
        assert "</script><script>alert('run')</script>" in page.locator("#table-runs tbody th").all_text_contents()


@pytest.mark.parametrize("target", ["section-runs", "figure-amount", "table-runs", "data-amount", "provenance"])
def test_a_link_opens_what_it_points_into(opened: Opening, target: str) -> None:
    """By address and by click: every closed part around the target opens, and it comes into view."""
    with opened("tame") as page:
        assert page.locator("details[open]").count() == 0
        page.evaluate(f"location.hash = '#{target}'")
        wait_until(page, f"document.getElementById('{target}').getClientRects().length > 0")
        assert page.locator(f"details:not([open]) #{target}").count() == 0
        wait_until(
            page,
            f"(() => {{ const y = document.getElementById('{target}').getBoundingClientRect().top;"
            " return y >= -1 && y < innerHeight; })()",
        )


def test_a_click_on_the_first_screen_leads_to_all_runs(opened: Opening) -> None:
    """The link below the forest opens the question with every run."""
    with opened("tame") as page:
        page.locator("#figure-forest a").click()
        wait_until(page, "document.getElementById('section-about-all-runs').open")
        assert page.locator("#figure-all-runs svg:visible").count() == 1


def test_answers_are_readable_while_folded(opened: Opening, tame: ReportContent) -> None:
    """Each question shows its answer in one piece; what is below it is hidden until opened."""
    with opened("tame") as page:
        for section in tame.sections:
            block = page.locator(f"#section-{section.id}")
            assert block.locator(".answer").is_visible()
            assert block.locator(".answer").inner_text().split() == section.answer.text.split()
            assert not block.locator(".body").is_visible()
        page.locator("#section-runs summary").first.click()
        assert page.locator("#section-runs .body").is_visible()


def test_large_tables_are_written_when_opened(opened: Opening) -> None:
    """A table of 60 rows has none before its question is opened, and all of them after."""
    with opened("tame") as page:
        rows = page.locator("#table-runs tbody tr")
        assert rows.count() == 0
        assert page.locator("#table-few tbody tr").count() == 15
        page.locator("#section-runs summary").first.click()
        expect(rows).to_have_count(60)


def test_without_scripts_all_but_large_tables_is_there(opened: Opening, files: dict[str, object]) -> None:
    """With scripts off, questions open by a click, and a large table says where its numbers are."""
    with opened("tame") as page:
        browser = page.context.browser
        assert browser is not None
        context = browser.new_context(java_script_enabled=False)
        bare = context.new_page()
        bare.goto(page.url)
        bare.locator("#section-runs > summary").click()
        assert bare.locator("#table-few tbody tr:visible").count() == 15
        assert "JSON next to this page" in bare.locator("#table-runs .note").inner_text()
        context.close()


def test_tables_sort_by_click_and_keyboard(opened: Opening) -> None:
    """A heading sorts up, then down; numbers as numbers, unknown values last both times."""
    with opened("tame") as page:
        page.evaluate(UNFOLD)
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
        names = page.locator("#table-runs tbody tr > :first-child").all_text_contents()
        assert names[:7] == [*(f"ance-{place}" for place in range(1, 7)), "bm25-1"]


def test_tables_filter(opened: Opening) -> None:
    """Rows without the words are hidden, and the count of the others is said."""
    with opened("tame") as page:
        page.evaluate(UNFOLD)
        page.locator("#table-runs input").fill("BM25 0.")
        rows = page.locator("#table-runs tbody tr:visible th").all_text_contents()
        assert rows == [f"bm25-{place}" for place in range(1, 7)]
        assert page.locator("#table-runs [role=status]").text_content() == "6 of 60 rows"
        page.locator("#table-runs input").fill("")
        assert page.locator("#table-runs tbody tr:visible").count() == 60


@pytest.mark.parametrize("name", ["tame", "wild"])
def test_copies_are_what_the_json_says(opened: Opening, request: pytest.FixtureRequest, name: str) -> None:
    """CSV read back gives the rows of the JSON; Markdown and LaTeX the lines of the command line's."""
    content: ReportContent = request.getfixturevalue(name)
    table = content.sections[0].tables[1].table
    described = json.loads(json.dumps(describe_report(content)))["sections"][0]["tables"][1]
    with opened(name) as page:
        page.evaluate(UNFOLD)
        copied = {}
        for form in ("CSV", "Markdown", "LaTeX"):
            page.locator("#table-few .tools button", has_text=form).click()
            expect(page.locator("#table-few [role=status]")).to_have_text(f"Copied as {form}")
            copied[form] = page.evaluate("navigator.clipboard.readText()")
    head, *rows = csv.reader(io.StringIO(copied["CSV"]))
    assert head == [column["key"] for column in described["columns"]]
    for row, wanted in zip(rows, described["rows"], strict=True):
        for cell, value in zip(map(read_cell, row), wanted, strict=True):
            assert cell == (pytest.approx(value, rel=1e-8) if isinstance(value, float) else value) or name == "wild"
    if name == "tame":
        assert copied["Markdown"].split() == render_markdown([table]).partition("\n\n")[2].split()
        assert _rows(copied["LaTeX"]) == _rows(render_latex([table]))
    else:
        assert r"\textless{}script" in copied["LaTeX"]


def test_pointing_at_a_mark_gives_its_numbers(opened: Opening, tame: ReportContent) -> None:
    """Every mark of the forest has a title with its run, score and group."""
    with opened("tame") as page:
        titles = page.locator("#figure-forest svg:visible circle title").all_text_contents()
        assert len(titles) == 60
        pattern = r".+: 0\.\d{3} \(0\.\d{3} to 0\.\d{3}\); (may be best|the best|not the best)"
        assert all(re.fullmatch(pattern, one) for one in titles)


def test_dark_scheme_changes_ground_text_and_marks(opened: Opening) -> None:
    """The page and its figures take the dark colours, and the light ones again in print, without drawing anew."""
    mark = "getComputedStyle(document.querySelector('#figure-forest circle.blue')).fill"
    with opened("tame", dark=True) as page:
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == _rgb(DARK.ground)
        assert page.evaluate(mark) == _rgb(DARK.blue)
        page.emulate_media(color_scheme="light")
        assert page.evaluate(mark) == _rgb(LIGHT.blue)
        page.emulate_media(color_scheme="dark", media="print")
        assert page.evaluate(mark) == _rgb(LIGHT.blue)


def test_landmarks_and_names_for_screen_readers(opened: Opening, tame: ReportContent) -> None:
    """There is one main landmark; figures say their finding, tables their name; no id stands twice."""
    with opened("tame") as page:
        page.evaluate(UNFOLD)
        assert page.get_by_role("main").count() == 1
        for figure in tame.figures:
            assert page.get_by_role("img", name=figure.title).count() >= 1, figure.id
        assert page.get_by_role("table", name="Runs by nDCG@10, with the share of unjudged documents").count() == 1
        for link in page.locator("a[href^='#']").all():
            assert page.locator(str(link.get_attribute("href"))).count() == 1
        ids = page.locator("[id]").evaluate_all("(parts) => parts.map((part) => part.id)")
        assert len(ids) == len(set(ids))
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"


def test_paper_opens_every_question_and_cuts_no_figure(opened: Opening, tame: ReportContent) -> None:
    """In print all questions and data are open, and each figure that fits on a sheet stands on one."""
    with opened("tame", dark=True) as page:
        low = [figure.id for figure in tame.figures if figure.drawing.height < 800]
        assert find_cut_figures(page, low) == []
        page.add_style_tag(content="@media print { figure { break-inside: auto !important; } }")
        assert find_cut_figures(page, low)


def test_paper_shows_what_is_folded(opened: Opening, tame: ReportContent) -> None:
    """With print styles alone, as without scripts, the body of a closed question is laid out."""
    with opened("tame") as page:
        page.emulate_media(media="print")
        box = page.locator("#figure-amount").bounding_box()
        assert box
        assert box["height"] > 100


def _rows(latex: str) -> list[list[str]]:
    """The rows of a tabular."""
    return [line.split() for line in latex.splitlines() if line.endswith(r"\\")]


def _rgb(color: str) -> str:
    return f"rgb({', '.join(str(int(color[place : place + 2], 16)) for place in (1, 3, 5))})"
