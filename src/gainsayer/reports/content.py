"""Everything a report says, as typed plain data, and as plain data for JSON.

The page (`gainsayer.reports.page`) is the other rendering. Both show every field; a test changes each field in
turn and sees both change.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gainsayer.commands.provenance import Provenance
from gainsayer.drawing.figure import Figure, check_id
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.table import Json, Table
from gainsayer.words import Sentence


@dataclass(frozen=True)
class NamedTable:
    """A table with an id of its own, for anchors."""

    id: str
    table: Table

    def __post_init__(self) -> None:
        check_id(self.id)


@dataclass(frozen=True)
class KeyNumber:
    """One of the numbers of the first screen: the number, its interval or total, and what it counts."""

    value: str
    beside: str
    label: str


@dataclass(frozen=True)
class AllRuns:
    """Where all runs are shown, if the first figure names only the highest: the id of that figure, and how many."""

    figure: str
    count: int


@dataclass(frozen=True)
class Verdict:
    """The first screen: the answer, the figures, the numbers, what to do next.

    Args:
        headline: the answer in one sentence.
        lead: what it rests on, in one to three sentences.
        badge: the verdict in a word, for two runs; else empty.
        numbers: at most four.
        steps: what to do, at most three.
        steps_title: the heading above them.
        main: the first figure, and what belongs below it.
        beside: the second figure.
        facts: what the sentences are made of: each verdict under its name, by its fields.
        all_runs: to which figure the first one leads on; a link of the page alone.
    """

    headline: str
    lead: tuple[Sentence, ...] = ()
    badge: str = ""
    numbers: tuple[KeyNumber, ...] = ()
    steps: tuple[Sentence, ...] = ()
    steps_title: str = "What to do next"
    main: tuple[Figure, ...] = ()
    beside: tuple[Figure, ...] = ()
    facts: Mapping[str, Json] = field(default_factory=dict)
    all_runs: AllRuns | None = None


@dataclass(frozen=True)
class Section:
    """A question with its answer in one sentence; below them more sentences, warnings, figures and tables.

    Where there are figures, the tables stand with their numbers behind "Show the data".
    """

    id: str
    title: str
    answer: Sentence
    paragraphs: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[NamedTable, ...] = ()
    facts: Mapping[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_id(self.id)


@dataclass(frozen=True)
class ReportContent:
    """Every fact a report shows.

    Parameters:
        title: of the report.
        about: what it rests on, in a few words: runs, topics, measure.
        verdict: the first screen.
        sections: the questions behind it, in reading order.
        provenance: where it comes from.
        command: what to type to make it again; None where it was not made by a command.

    Raises:
        CallError: two sections, two figures or two tables share an id.

    >>> made = Provenance("0.1.0", (("a.qrels", "9f86d0"),), {"threshold": 2})
    >>> section = Section("agreement", "How much do the assessors disagree?", Sentence("Little."))
    >>> verdict = Verdict("a is better.")
    >>> content = ReportContent("Report", "2 runs", verdict, (section,), made, "gainsayer report a.qrels")
    >>> content.summary
    ('a is better.',)
    """

    title: str
    about: str
    verdict: Verdict
    sections: tuple[Section, ...]
    provenance: Provenance
    command: str | None = None

    def __post_init__(self) -> None:
        tables = [table.id for section in self.sections for table in section.tables]
        for what, ids in (
            ("sections", [section.id for section in self.sections]),
            ("figures", [figure.id for figure in self.figures]),
            ("tables", tables),
        ):
            twice = sorted({id for id in ids if ids.count(id) > 1})
            if twice:
                raise CallError(f"Two {what} share the id {twice[0]!r}; give each its own.")

    @property
    def summary(self) -> tuple[str, ...]:
        """The answer in sentences, the most important first."""
        return (self.verdict.headline, *(sentence.text for sentence in self.verdict.lead))

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Name and value of each option, as they would be typed."""
        return tuple((name, _show_option(value)) for name, value in self.provenance.options.items())

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """Name and SHA-256 of each file read."""
        return tuple((name, digest or "read from standard input") for name, digest in self.provenance.files)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures of all sections, in reading order: what `save_figures` takes."""
        below = (figure for section in self.sections for figure in section.figures)
        return (*self.verdict.main, *self.verdict.beside, *below)


def describe_report(content: ReportContent) -> dict[str, Json]:
    """The report as plain data with stable keys; values are raw, and unknown ones None.

    A table is its title, its columns (key and heading), and its rows as lists in the order of the columns. A figure has
    its kind, title, heading and caption, and its data as such a table.
    """
    made, verdict = content.provenance, content.verdict
    return {
        "title": content.title,
        "about": content.about,
        "summary": list(content.summary),
        "verdict": {
            "headline": verdict.headline,
            "badge": verdict.badge or None,
            "lead": [vars(sentence) for sentence in verdict.lead],
            "numbers": [vars(one) for one in verdict.numbers],
            "steps_title": verdict.steps_title,
            "steps": [vars(sentence) for sentence in verdict.steps],
            "figures": [_describe_figure(figure) for figure in verdict.main],
            "figures_beside": [_describe_figure(figure) for figure in verdict.beside],
            "facts": dict(verdict.facts),
        },
        "sections": [
            {
                "id": section.id,
                "title": section.title,
                "answer": vars(section.answer),
                "paragraphs": list(section.paragraphs),
                "warnings": [{"code": finding.code, "message": finding.message} for finding in section.findings],
                "figures": [_describe_figure(figure) for figure in section.figures],
                "tables": [{"id": named.id, **describe_table(named.table)} for named in section.tables],
                "facts": dict(section.facts),
            }
            for section in content.sections
        ],
        "provenance": {
            "version": made.version,
            "files": [{"name": name, "sha256": digest} for name, digest in content.files],
            "options": [{"name": name, "value": value} for name, value in content.options],
            "seed": made.seed,
            "command": content.command,
        },
    }


def _describe_figure(figure: Figure) -> dict[str, Json]:
    return {
        "id": figure.id,
        "kind": figure.kind,
        "title": figure.title,
        "heading": figure.heading,
        "caption": figure.caption,
        "data": describe_table(figure.table),
    }


def is_report(path: Path) -> bool:
    """Whether a file holds what `describe_report` gives: the JSON beside a report.

    >>> is_report(Path("no such file"))
    False
    """
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(document, dict) and {"title", "summary", "sections", "provenance"} <= document.keys()


def describe_table(table: Table) -> dict[str, Json]:
    """A table as plain data.

    >>> from gainsayer.table import Column
    >>> describe_table(Table("T", (Column("p", [float("nan")], "p(R)"),)))
    {'title': 'T', 'columns': [{'key': 'p', 'heading': 'p(R)'}], 'rows': [[None]], 'notes': []}
    """
    return {
        "title": table.title,
        "columns": [{"key": column.key, "heading": column.heading} for column in table.columns],
        "rows": [list(row) for row in table.cells()],
        "notes": list(table.notes),
    }


def _show_option(value: Any) -> str:
    """A value as it would be typed: those of a repeated option one after another."""
    if isinstance(value, list | tuple):
        return "  ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
