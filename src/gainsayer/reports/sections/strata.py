"""Do kinds of topics differ? Each with its own worth of grades, and its runs compared with these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from gainsayer.commands.fit import Fit
from gainsayer.commands.verdict import decide_runs
from gainsayer.comparison.results import Comparison
from gainsayer.reports.content import NamedTable, Section
from gainsayer.reports.sections.grades import GradeVerdict, decide_grades, worth_column
from gainsayer.table import Column, Table
from gainsayer.words import Sentence, shortened, user_span, users


def strata_section(strata: Mapping[str, tuple[Fit, Comparison | None]], by_topic: Section | None) -> Section:
    """What the top grade is worth in each kind of topics, and which run is first there; topic by topic, if known."""
    verdicts = {name: decide_grades(fit.predictions[0]) for name, (fit, _) in strata.items()}
    tops = {name: verdict.grades[-1] for name, verdict in verdicts.items()}
    top = next(iter(tops.values())).name
    said = [f"{users(grade.worth)} on {shortened(name)} topics" for name, grade in tops.items()]
    spans = [user_span(grade.lower, grade.upper) for grade in tops.values()]
    both = [f"{words} ({span})" if span else words for words, span in zip(said, spans, strict=True)]
    tables = [NamedTable("strata-grades", _grade_table(verdicts))]
    compared = {name: comparison for name, (_, comparison) in strata.items() if comparison is not None}
    if compared:
        tables.append(NamedTable("strata-runs", _run_table(compared)))
    return Section(
        "strata",
        "Do kinds of topics differ?",
        Sentence(
            f"Of 100 users, {', '.join(both)} find a document relevant that was graded {shortened(top)}.", said[0]
        ),
        (
            "Each kind of topics has a worth of grades of its own, from its own second judgments, and its runs are "
            "scored on its own topics with these.",
            *(f"{figure.title}." for figure in (() if by_topic is None else by_topic.figures)),
        ),
        figures=() if by_topic is None else by_topic.figures,
        tables=tuple(tables),
        facts={
            **({} if by_topic is None else by_topic.facts),
            "strata": {name: asdict(verdict) for name, verdict in verdicts.items()},
        },
    )


def _grade_table(verdicts: Mapping[str, GradeVerdict]) -> Table:
    by_grade = zip(*(verdict.grades for verdict in verdicts.values()), strict=True)
    columns = (
        Column("stratum", list(verdicts), "Kind of topics"),
        Column("topics", [verdict.topics for verdict in verdicts.values()], "Topics judged twice"),
        *(worth_column(grades) for grades in by_grade),
    )
    return Table("Users of 100 who find the document relevant, by its grade", columns)


def _run_table(compared: Mapping[str, Comparison]) -> Table:
    verdicts = [decide_runs(comparison, comparison.part()) for comparison in compared.values()]
    columns = (
        Column("stratum", list(compared), "Kind of topics"),
        Column("topics", [verdict.topics for verdict in verdicts], "Topics scored"),
        Column("run", [verdict.best for verdict in verdicts], "Run that scores highest"),
        Column("score", [verdict.best_score for verdict in verdicts], "Its score"),
        Column("may_be_best", [verdict.may_be_best for verdict in verdicts], "Runs that may be the best"),
    )
    return Table(f"The runs in each kind of topics ({verdicts[0].measure})", columns)
