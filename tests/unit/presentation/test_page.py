"""The page as text: one file, no network, nothing in the data becomes markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from gainsayer.evaluation.provenance import Provenance
from gainsayer.findings import Finding
from gainsayer.presentation.content import NamedTable, ReportContent, Section
from gainsayer.presentation.figures import ConfusionMatrix, RunForest
from gainsayer.presentation.page import render_report_html
from gainsayer.presentation.tables import Column, Table, render_csv, render_latex, render_markdown, show_number

WILD = "</script><script>alert(1)</script><!-- ' \" & ]]> {{ 7 * 7 }} \u2028 \x1b[31m \u202e"
TABLE = Table(WILD, (Column("name", WILD, align="left"), Column("p", "p", show_number(2))), ((WILD, 0.5), (WILD, None)))


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
    row = tuple(place / 61 for place in range(61))
    figures = (
        ConfusionMatrix("confusion", (WILD, "b"), ((1, 2), (3, 4)), WILD, WILD),
        RunForest("forest", WILD, runs, (WILD, "b"), (row, row), (row, row), (row, row)),
    )
    section = Section("runs", WILD, (WILD,), (Finding("thin-level", WILD),), figures, (NamedTable("scores", TABLE),))
    made = Provenance(WILD, ((WILD, WILD),), {WILD: WILD})
    return render_report_html(ReportContent(WILD, (WILD,), (section,), made, WILD))


def test_one_file_of_bounded_size(wild: str) -> None:
    """The page with its scripts stays below 2 MB, and no element asks for another file."""
    assert len(wild.encode("utf-8")) < 2_000_000
    for tag, attributes in Elements(wild).found:
        assert tag not in {"link", "img", "iframe", "object", "embed", "audio", "video", "source", "base"}
        assert "src" not in attributes
        assert str(attributes.get("href", "#")).startswith("#")
        assert not [name for name in attributes if name.startswith("on")]


def test_only_our_scripts_may_run(wild: str) -> None:
    """There are the data and two scripts, and the policy names just these two by their hashes."""
    elements = Elements(wild)
    (policy,) = (
        str(attributes["content"])
        for tag, attributes in elements.found
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'")
    assert "unsafe-eval" not in policy
    hashes = {base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in elements.scripts[1:]}
    assert len(elements.scripts) == 3
    assert set(re.findall(r"'sha256-([^']+)'", policy)) == hashes
    (sources,) = re.findall(r"script-src ([^;]*)", policy)
    assert "unsafe-inline" not in sources


def test_data_in_a_script_cannot_end_it(wild: str) -> None:
    """The data reads back as JSON, and the copies in it are those of the command line, names and all."""
    carried = json.loads(Elements(wild).scripts[0])
    assert "<" not in Elements(wild).scripts[0]
    assert carried["copies"]["table-scores"] == {
        "csv": render_csv(TABLE),
        "markdown": render_markdown([TABLE]),
        "latex": render_latex([TABLE]),
    }
    assert set(carried["figures"]) == {"confusion", "forest"}


def test_signs_that_steer_text_are_shown(wild: str) -> None:
    """Escapes and direction overrides are spelt out on the page."""
    seen = re.sub(r"<script.*?</script>", "", wild, flags=re.DOTALL)
    assert "\u202e" not in seen
    assert "\x1b" not in seen
    assert "49" not in re.findall(r"<h1[^>]*>(.*?)</h1>", seen)[0]


def test_a_page_without_figures_carries_no_charting() -> None:
    """Where nothing is drawn, the file is small."""
    made = Provenance("1", ())
    text = render_report_html(ReportContent("t", (), (Section("a", "a"),), made))
    assert len(text) < 30_000
    assert len(Elements(text).scripts) == 2


def test_rendering_is_repeatable(wild: str) -> None:
    """Nothing in the page depends on when or where it was made."""
    content = ReportContent("t", ("s",), (), Provenance("1", ()))
    assert render_report_html(content) == render_report_html(content)
