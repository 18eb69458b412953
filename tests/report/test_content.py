"""Two renderings of one content: what one shows, the other shows."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from gainsayer import Provenance
from gainsayer.drawing.figure import Figure
from gainsayer.drawing.svg import Drawing, text
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.reports import page
from gainsayer.reports.content import (
    AllRuns,
    KeyNumber,
    NamedTable,
    ReportContent,
    Section,
    Sentence,
    Verdict,
    describe_report,
)
from gainsayer.table import Column, Table

MARKS = text(0, 12, "a mark"), text(0, 24, "another")
FIGURE = Figure(
    "lines",
    "Lines",
    "Two lines",
    "How to read it.",
    "What it shows",
    Table(
        "Lines",
        (Column("name", ("one", "two"), "Line"), Column("length", (0.125, 0.5), "Length")),
        notes=("In inches.",),
    ),
    Drawing(40.0, MARKS, Drawing(50.0, MARKS, None)),
)
TABLE = Table(
    "How the runs fare",
    (Column("run", ("r1", "r2"), "name of the run"), Column("score", (0.25, 0.75), "score at five")),
    notes=("On forty topics.",),
)
PROVENANCE = Provenance("1.2.3", (("a.qrels", "9f86"),), {"threshold": "2"}, 17)
# By these tables and columns are asked for on the command line; a report shows all of them.
EXTRA = ((Table, "extra"), (Table, "name"))
COLUMN = ("key", "values", "heading")  # of a column, what a report shows
NOT_SHOWN = {
    *((owner, field, form) for owner, field in EXTRA for form in ("json", "html")),
    # The page has the drawing, JSON the kind and the data.
    *((Figure, "kind", "html"), (Drawing, "height", "json"), (Drawing, "marks", "json")),
    # What sentences are made of.
    *((Section, "facts", "html"), (Verdict, "facts", "html")),
    # A link from one figure of the page to another.
    *((AllRuns, "figure", "json"), (AllRuns, "count", "json")),
}


def content_of(*figures: Figure) -> ReportContent:
    """A small report with everything but the figures filled."""
    section = Section(
        "runs",
        "Which run is better?",
        Sentence("The first one.", "first"),
        ("A paragraph.",),
        (Finding("few-topics", "Errors rest on few topics."),),
        figures,
        (NamedTable("scores", TABLE),),
        {"score": 0.75},
    )
    verdict = Verdict(
        "The headline.",
        (Sentence("The lead is long.", "lead"),),
        "Better",
        (KeyNumber("2", "of 3", "runs"),),
        (Sentence("Judge more.", "Judge"),),
        "What next",
        (dataclasses.replace(FIGURE, id="main"),),
        (dataclasses.replace(FIGURE, id="second"),),
        {"runs": 3},
        AllRuns("main", 1234),
    )
    return ReportContent("The title", "3 runs", verdict, (section,), PROVENANCE, "gainsayer report a.qrels")


def changes(value: Any, owner: type = object, field: str = "") -> Iterator[tuple[type, str, Any]]:
    """Each single change of a leaf, with the class and field it belongs to."""
    if (owner, field, value) == (Drawing, "narrow", None):
        return
    assert value is not None, f"{owner.__name__}.{field} is empty here, so this test cannot see whether it is shown"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for part in dataclasses.fields(value):
            if isinstance(value, Column) and part.name not in COLUMN:
                continue
            if isinstance(value, Table) and part.name == "order":  # the rows of a report's tables stand as shown
                continue
            for place, name, changed in changes(getattr(value, part.name), type(value), part.name):
                yield place, name, dataclasses.replace(value, **{part.name: changed})
    elif isinstance(value, tuple):
        assert value, f"{owner.__name__}.{field} is empty here, so this test cannot see whether it is shown"
        for number, entry in enumerate(value):
            for place, name, changed in changes(entry, owner, field):
                yield place, name, (*value[:number], changed, *value[number + 1 :])
    elif isinstance(value, dict):
        for key, entry in value.items():
            for place, name, changed in changes(entry, owner, field):
                yield place, name, value | {key: changed}
    elif (owner, field) == (Finding, "code"):
        yield owner, field, "thin-level"
    elif (owner, field) == (Sentence, "strong"):
        yield owner, field, ""
    elif isinstance(value, bool):
        yield owner, field, not value
    elif isinstance(value, str):
        yield owner, field, f"{value}zq"
    elif isinstance(value, int):
        yield owner, field, value + 1
    else:
        assert isinstance(value, float), f"{owner.__name__}.{field}: a new kind of value, say here how to change it"
        yield owner, field, value + 0.0625


def renderings(content: ReportContent) -> dict[str, str]:
    """What a reader sees in each."""
    return {
        "json": json.dumps(describe_report(content), allow_nan=False),
        "html": page.render_report_html(content),
    }


def test_every_field_is_shown_in_both() -> None:
    """Whichever field changes, JSON and page change; a field that is not shown somewhere fails here."""
    content = content_of(FIGURE)
    before = renderings(content)
    first_screen = {figure.id for figure in (*content.verdict.main, *content.verdict.beside)}
    for owner, field, changed in changes(content):
        after = renderings(changed)
        for form in before:
            if (owner, field, form) in NOT_SHOWN:
                continue
            # The page lists the data of figures below the first screen alone.
            tables = [one.table for one in changed.figures if one.id in first_screen]
            if form == "html" and any(table is not FIGURE.table for table in tables):
                continue
            assert after[form] != before[form], f"{owner.__name__}.{field} is not shown in {form}"


def test_both_give_the_same_numbers() -> None:
    """The rows of a table in the JSON are those that stand, rounded, on the page."""
    content = content_of()
    (described,) = describe_report(content)["sections"][0]["tables"]
    html = page.render_report_html(content)
    assert described["rows"] == [["r1", 0.25], ["r2", 0.75]]
    for name, score in described["rows"]:
        assert f'data-v="{score}">{score:.3f}</td>' in html.replace(' class="right"', "")
        assert f"<bdi>{name}</bdi>" in html


@pytest.mark.parametrize("part", ["sections", "figures", "tables"])
def test_ids_are_unique(part: str) -> None:
    """An id that stands twice is refused, as anchors and files could not tell them apart."""
    section = content_of(FIGURE).sections[0]
    twice = {
        "sections": (section, section),
        "figures": (dataclasses.replace(section, figures=section.figures * 2),),
        "tables": (dataclasses.replace(section, tables=section.tables * 2),),
    }[part]
    with pytest.raises(CallError, match=f"Two {part} share the id"):
        ReportContent("t", "", Verdict("h"), twice, PROVENANCE)


@pytest.mark.parametrize("id", ["", "A", "a b", "a/b", "..", "a.b", "-a", "ä", "a--b", "a\n"])
def test_ids_are_plain(id: str) -> None:
    """Nothing that could be a path, an entity or a second word is taken as an id."""
    with pytest.raises(CallError, match="is not an id"):
        Section(id, "title", Sentence("answer"))
    with pytest.raises(CallError, match="is not an id"):
        NamedTable(id, TABLE)


def test_the_walk_reaches_every_class() -> None:
    """The test above sees all classes of the content and all kinds of figures."""
    seen = {owner for owner, _, _ in itertools.chain(changes(content_of(FIGURE)))}
    assert {ReportContent, Verdict, Section, Sentence, KeyNumber, Provenance, NamedTable, Table, Column} <= seen
    assert Finding in seen
    assert {Figure, Drawing, AllRuns} <= seen
