"""The page as text: one file, no network, nothing in the data becomes markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from tests.figures import confusion

from gainsayer import Provenance
from gainsayer.commands.compare_figures import run_forest
from gainsayer.findings import Finding
from gainsayer.reports.content import AllRuns, KeyNumber, NamedTable, ReportContent, Section, Verdict
from gainsayer.reports.page import MOST_ROWS, render_report_html
from gainsayer.table import Column, Table
from gainsayer.text import printable
from gainsayer.words import Sentence

WILD = "</script><script>alert(1)</script><!-- ' \" & ]]> {{ 7 * 7 }} \u2028 \x1b[31m \u202e"
TABLE = Table(WILD, (Column("name", [WILD, WILD], WILD), Column("p", [0.5, None], "p", 2)))
LARGE = Table(
    WILD,
    (
        Column("name", [f"{WILD}{row}" for row in range(MOST_ROWS + 1)], WILD),
        Column("p", -np.arange(MOST_ROWS + 1) / 7, "p", 2),
    ),
)


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the text of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.found.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        """Note its end."""
        self.found.append((f"/{tag}", {}))

    def handle_data(self, data: str) -> None:
        """Note what a script holds."""
        if self.found and self.found[-1][0] == "script":
            self.scripts[-1] += data


@pytest.fixture(scope="module")
def wild() -> str:
    """A page on which every text is wild."""
    runs = tuple(f"{WILD}{place}" for place in range(61))
    row = np.arange(61) / 61
    ends = np.column_stack((row, row))
    matrix = confusion((WILD, "b"), ((1, 2), (3, 4)), WILD, WILD)
    forest = run_forest(WILD, runs, row, ends, id="all-runs", over=WILD)
    section = Section(
        "runs",
        WILD,
        Sentence(WILD, WILD[:9]),
        (WILD,),
        (Finding("thin-level", WILD),),
        (matrix, forest),
        (NamedTable("scores", TABLE), NamedTable("large", LARGE)),
    )
    short = run_forest(WILD, runs, row, ends, short=True, over=WILD)
    lead = (Sentence(WILD, WILD[:9]),)
    verdict = Verdict(
        WILD, lead, WILD, (KeyNumber(WILD, WILD, WILD),), lead, WILD, (short,), (), {}, AllRuns("all-runs", 61)
    )
    made = Provenance(WILD, ((WILD, WILD),), {WILD: WILD})
    return render_report_html(ReportContent(WILD, WILD, verdict, (section,), made, WILD))


def test_one_file_of_bounded_size(wild: str) -> None:
    """The page stays small, and no element asks for another file."""
    assert len(wild.encode("utf-8")) < 300_000
    for tag, attributes in Elements(wild).found:
        assert tag not in {"link", "img", "iframe", "object", "embed", "audio", "video", "source", "base"}
        assert "src" not in attributes
        assert str(attributes.get("href", "#")).startswith("#")
        assert not [name for name in attributes if name.startswith("on")]


def test_the_first_figure_leads_to_all_runs(wild: str) -> None:
    """Where the first figure names only the highest runs, a link leads to the figure of all of them."""
    assert 'The highest are named; <a href="#figure-all-runs">all 61</a> below.' in wild
    assert wild.count('<figure id="figure-all-runs">') == 1


def test_only_our_scripts_may_run(wild: str) -> None:
    """There are the data and one script, and the policy names just this one by its hash."""
    elements = Elements(wild)
    (policy,) = (
        str(attributes["content"])
        for tag, attributes in elements.found
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'")
    assert "unsafe-eval" not in policy
    hashes = {base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in elements.scripts[1:]}
    assert len(elements.scripts) == 2
    assert set(re.findall(r"'sha256-([^']+)'", policy)) == hashes
    (sources,) = re.findall(r"script-src ([^;]*)", policy)
    assert "unsafe-inline" not in sources


def test_large_tables_are_carried_once_as_data_that_cannot_end_the_script(wild: str) -> None:
    """A table beyond the bound is JSON and no rows of HTML; names come back whole, numbers beside how they look."""
    (data, _) = Elements(wild).scripts
    assert "<" not in data
    carried = json.loads(data)
    assert set(carried) == {"table-large", "data-all-runs"}
    assert carried["table-large"][1] == [f"{printable(WILD)}1", ["-0.142857143", "\u22120.14"]]
    large = wild[wild.index('id="table-large"') :]
    assert "<td" not in large[: large.index("</table>")]
    assert "the numbers are in the JSON next to this page" in large


def test_signs_that_steer_text_are_shown(wild: str) -> None:
    """Escapes and direction overrides are spelt out on the page."""
    seen = re.sub(r"<script.*?</script>", "", wild, flags=re.DOTALL)
    assert "\u202e" not in seen
    assert "\x1b" not in seen
    assert "49" not in re.findall(r"<h1[^>]*>(.*?)</h1>", seen)[0]


def test_what_is_empty_is_left_out() -> None:
    """A bare report has no lists, no figures and no tables, and weighs little."""
    content = ReportContent("t", "", Verdict("h"), (Section("a", "a", Sentence("b")),), Provenance("1", ()))
    text = render_report_html(content)
    assert len(text) < 30_000
    assert not {"figure", "table", "ol", "dl"} & {tag for tag, _ in Elements(text).found}


@pytest.mark.parametrize("rows", [1, MOST_ROWS + 1])
def test_intervals_are_shown_as_text(rows: int) -> None:
    """In a cell and in the data of a large table: an interval is not one number to sort or copy."""
    table = Table("", (Column("interval", np.array([[0.125, 0.5]] * rows), "interval"),))
    section = Section("a", "a", Sentence("b"), tables=(NamedTable("ends", table),))
    text = render_report_html(ReportContent("t", "", Verdict("h"), (section,), Provenance("1", ())))
    shown = "<bdi>[0.125, 0.500]</bdi>" if rows == 1 else '["[0.125, 0.500]"]'
    assert text.count(shown) == rows
    assert "0.125, 0.5]" not in text


def test_rendering_is_repeatable(wild: str) -> None:
    """Nothing in the page depends on when or where it was made."""
    content = ReportContent("t", "s", Verdict("h"), (), Provenance("1", ()))
    assert render_report_html(content) == render_report_html(content)
