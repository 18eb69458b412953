"""Two renderings of one content: what one shows, the other shows."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from gainsayer import Provenance
from gainsayer.commands.figures.amount_curve import AmountCurve
from gainsayer.commands.figures.assessor_reliability import AssessorReliability
from gainsayer.commands.figures.confusion_matrix import ConfusionMatrix
from gainsayer.commands.figures.difference_line import DifferenceLine
from gainsayer.commands.figures.machine_grades import MachineGrades
from gainsayer.commands.figures.parameter_chart import ParameterChart
from gainsayer.commands.figures.plan_curve import PlanCurve
from gainsayer.commands.figures.quality_curve import QualityCurve
from gainsayer.commands.figures.rank_slope import RankSlope
from gainsayer.commands.figures.run_arrows import RunArrows
from gainsayer.commands.figures.run_differences import RunDifferences
from gainsayer.commands.figures.run_forest import BELOW, FIRST, RunForest
from gainsayer.commands.figures.topic_boxplot import TopicBoxplot
from gainsayer.commands.figures.topic_dots import TopicDifferences, TopicSpread
from gainsayer.commands.old_tables import Column as Head
from gainsayer.commands.old_tables import from_rows, show_number
from gainsayer.drawing.figure import Figure
from gainsayer.drawing.files import render_inline, render_svg
from gainsayer.drawing.panels import Panels
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.reports import page
from gainsayer.reports.content import (
    KeyNumber,
    NamedTable,
    ReportContent,
    Section,
    Sentence,
    Verdict,
    describe_report,
)
from gainsayer.table import Column, Table

GRID = ((0.11, 0.52), (0.23, 0.64))
LOW, HIGH = ((0.05, 0.41), (0.12, 0.53)), ((0.19, 0.63), (0.34, 0.75))
FIGURES: tuple[Figure, ...] = (
    ConfusionMatrix("confusion", ("lo", "hi"), ((7, 2), (3, 8)), "ann", "ben"),
    ParameterChart("parameters", ("lo", "hi"), ("hi", "any"), GRID, LOW, HIGH, ((1, 2), (3, 4)), ((9, 8), (9, 8)), 0.9),
    AssessorReliability("reliability", ("ann", "ben"), "trust", *(GRID[0], LOW[0], HIGH[0]), (12, 13), 0.44, 0.9),
    TopicBoxplot("topics", ("lo", "hi"), *LOW, *GRID, *HIGH, (0.03, 0.07), (0.02, 0.03), 300),
    AmountCurve("amount", ("lo", "hi"), (10, 20), GRID, ((0.3, 0.2), (0.4, 0.1)), 50),
    PlanCurve("plan", (100, 900), (0.3, 0.2), (0.4, 0.2), 300, 0.25, 0.19, 43),
    QualityCurve("quality", ("lo", "hi"), ("sym", "one"), (1, 2), (GRID, LOW), "rank"),
    RunForest(
        "forest", "P@5", ("r1", "r2"), GRID[0], LOW[0], HIGH[0], (BELOW, FIRST), (2, 1), (2, 1), True, 0.9, "all"
    ),
    RunDifferences("apart", "P@5", "r0", ("r1", "r2"), GRID[0], LOW[0], HIGH[0], (True, False), (0.01, 0.2), 3, 0.9),
    DifferenceLine("difference", "P@5", "r1", "r2", 0.11, 0.05, 0.19, 0.02, "better", 43, 0.9, 0.07, 0.15, "all"),
    TopicDifferences("dots", "P@5", "r1", "r2", ("t1", "t2"), (0.2, 0.7), (0.5, 0.3)),
    TopicSpread("spread", "hi", ("t1", "t2"), (0.2, 0.7), (9, 12), 8),
    MachineGrades(
        "machine",
        "gpt",
        ("lo", "hi"),
        *(GRID[0], LOW[0], HIGH[0]),
        *(GRID[1], LOW[1], HIGH[1]),
        *((0.12, -0.3), (0.02, -0.5), (0.22, -0.1), (0.3, 0.4), (0.5, 0.6)),
        ("worth more", "worth less"),
        0.9,
    ),
    RunArrows("arrows", "P@5", ("r1", "r2"), GRID[0], GRID[1], LOW[1], HIGH[1], 300, 0.9),
    RankSlope("slope", "P@5", ("r1", "r2"), ("prm", "binary"), ((1, 2), (2, 1))),
)
TABLE = from_rows(
    "How the runs fare",
    (Head("run", "name of the run", align="left"), Head("score", "score at five", show_number(3))),
    (("r1", 0.25), ("r2", 0.75)),
    ("On forty topics.",),
)
PROVENANCE = Provenance("1.2.3", (("a.qrels", "9f86"),), {"threshold": "2"}, 17)
# By these tables and columns are asked for on the command line; a report shows all of them.
EXTRA = ((Table, "extra"), (Table, "name"))
COLUMN = ("key", "values", "heading", "say", "align")  # of a column, what a report shows
NOT_SHOWN = {
    *((owner, field, form) for owner, field in EXTRA for form in ("json", "html")),
    # How a value is shown is no fact of its own: JSON holds it raw.
    *((Column, "say", "json"), (Column, "align", "json"), (RunForest, "short", "json")),
    # What sentences are made of.
    *((Section, "facts", "html"), (Verdict, "facts", "html")),
    # The number at the grey line stands in the answer of its section, the measure in the heading of the figure beside.
    *((AssessorReliability, "reference", "json"), (TopicDifferences, "measure", "html")),
}


# Numbers that stand in the data beside the drawing.
NOT_DRAWN = {
    *((ParameterChart, "relevant_counts"), (ParameterChart, "judged_counts"), (RunForest, "best_place")),
    *((RunForest, "worst_place"), (RunDifferences, "p"), (TopicSpread, "judged")),
    *((MachineGrades, "person_repeats"), (MachineGrades, "machine_repeats")),
    *((TopicBoxplot, "topic_error"), (AmountCurve, "mean"), (TopicDifferences, "measure")),
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
        (DifferenceLine("main", "P@5", "r1", "r2", 0.11, 0.05, 0.19, 0.02, "better", 43, 0.9, 0.07, 0.15),),
        (TopicDifferences("second", "P@5", "r1", "r2", ("t1", "t2"), (0.2, 0.7), (0.5, 0.3)),),
        {"runs": 3},
    )
    return ReportContent("The title", "3 runs", verdict, (section,), PROVENANCE, "gainsayer report a.qrels")


def changes(value: Any, owner: type = object, field: str = "") -> Iterator[tuple[type, str, Any]]:
    """Each single change of a leaf, with the class and field it belongs to."""
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
    elif (owner, field) == (RunForest, "group"):
        yield owner, field, FIRST if value == BELOW else BELOW
    elif (owner, field) == (MachineGrades, "verdict"):
        yield owner, field, "no difference found"
    elif isinstance(value, bool):
        yield owner, field, not value
    elif (owner, field) == (Column, "align"):
        yield owner, field, "left" if value == "right" else "right"
    elif callable(value):
        yield owner, field, lambda cell: f"{cell} indeed"
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


@pytest.mark.parametrize("figure", [None, *FIGURES], ids=lambda figure: "page" if figure is None else figure.id)
def test_every_field_is_shown_in_both(figure: Figure | None) -> None:
    """Whichever field changes, JSON and page change; a field that is not shown somewhere fails here."""
    if figure is None:
        content = content_of(FIGURES[0])
        cases = ((owner, field, changed) for owner, field, changed in changes(content))
    else:
        content = content_of(figure)
        cases = ((owner, field, content_of(changed)) for owner, field, changed in changes(figure))
    before = renderings(content)
    for owner, field, changed in cases:
        after = renderings(changed)
        for form in before:
            if (owner, field, form) in NOT_SHOWN:
                continue
            assert after[form] != before[form], f"{owner.__name__}.{field} is not shown in {form}"


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_every_field_of_a_figure_is_drawn(figure: Figure) -> None:
    """Whichever field of a figure changes, but for its id, the drawing or its words change."""
    before = f"{render_inline(figure)}{render_svg(figure)}"
    for owner, field, changed in changes(figure):
        if (owner, field) not in ((owner, "id"), *NOT_DRAWN):
            assert f"{render_inline(changed)}{render_svg(changed)}" != before, f"{owner.__name__}.{field} is not drawn"


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
    section = content_of(FIGURES[0]).sections[0]
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
    with pytest.raises(CallError, match="is no id"):
        Section(id, "title", Sentence("answer"))
    with pytest.raises(CallError, match="is no id"):
        NamedTable(id, TABLE)


def test_the_walk_reaches_every_class() -> None:
    """The test above sees all classes of the content and all kinds of figures."""
    seen = {owner for owner, _, _ in itertools.chain(changes(content_of(*FIGURES)))}
    assert {ReportContent, Verdict, Section, Sentence, KeyNumber, Provenance, NamedTable, Table, Column} <= seen
    assert Finding in seen
    assert {type(figure) for figure in FIGURES} == set(Figure.__subclasses__()) - {Panels}  # which no page has
    assert {type(figure) for figure in FIGURES} <= seen
