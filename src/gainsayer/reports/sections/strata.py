"""Do kinds of topics differ? Each with its own worth of grades, and its runs compared with these."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gainsayer.commands.compare_records import find_part
from gainsayer.commands.fit import Fit
from gainsayer.commands.old_tables import Cell, Column, from_rows, show_number
from gainsayer.commands.records import Record, number
from gainsayer.comparison.results import Comparison
from gainsayer.reports.content import NamedTable, Section
from gainsayer.table import Table
from gainsayer.words import Sentence, shortened, user_span, users


def strata_section(strata: Mapping[str, tuple[Fit, Comparison | None]], by_topic: Section | None) -> Section:
    """What the top grade is worth in each kind of topics, and which run is first there; topic by topic, if known."""
    predictions = {name: fit.predictions[0] for name, (fit, _) in strata.items()}
    top = next(iter(predictions.values())).levels.names[-1]
    facts: Record = {}
    for name, prediction in predictions.items():
        facts |= {f"worth {top}, {name}": number(prediction.probability[-1]), f"topics, {name}": prediction.topics}
    said = [
        f"{users(prediction.probability[-1])} on {shortened(name)} topics"
        + (f" ({user_span(*prediction.interval.ends[-1])})" if prediction.interval.methods[-1] else "")
        for name, prediction in predictions.items()
    ]
    for name, prediction in predictions.items():
        if prediction.interval.methods[-1]:
            ends = map(float, prediction.interval.ends[-1])
            facts |= dict(zip((f"from, {name}", f"to, {name}"), ends, strict=True))
    tables = [NamedTable("strata-grades", _grade_table(strata))]
    compared = {name: comparison for name, (_, comparison) in strata.items() if comparison is not None}
    if compared:
        tables.append(NamedTable("strata-runs", _run_table(compared)))
    return Section(
        "strata",
        "Do kinds of topics differ?",
        Sentence(
            f"Of 100 users, {', '.join(said)} find a document relevant that was graded {shortened(top)}.",
            said[0].split(" (")[0],
        ),
        (
            "Each kind of topics has a worth of grades of its own, from its own second judgments, and its runs are "
            "scored on its own topics with these.",
            *([] if by_topic is None else [_alone(by_topic.answer.text)]),
        ),
        figures=() if by_topic is None else by_topic.figures,
        tables=tuple(tables),
        facts=facts if by_topic is None else {**by_topic.facts, **facts},
    )


def _alone(answer: str) -> str:
    """An answer as a sentence of its own: without its first word."""
    said = answer.partition(": ")[2]
    return said[:1].upper() + said[1:]


def _grade_table(strata: Mapping[str, tuple[Fit, Comparison | None]]) -> Table:
    names = next(iter(strata.values()))[0].predictions[0].levels.names
    columns = (
        Column("stratum", "Kind of topics", align="left"),
        Column("topics", "Topics judged twice", show_number(0)),
        *(Column(name, f"Grade {name}", lambda cell: str(cell or "-")) for name in names),
    )
    rows: list[tuple[Cell, ...]] = []
    for stratum, (fit, _) in strata.items():
        prediction = fit.predictions[0]
        worth = [
            None
            if not np.isfinite(prediction.probability[level])
            else users(prediction.probability[level])
            + (f" ({user_span(*prediction.interval.ends[level])})" if prediction.interval.methods[level] else "")
            for level in range(len(names))
        ]
        rows.append((stratum, prediction.topics, *worth))
    return from_rows("Users of 100 who find the document relevant, by its grade", columns, tuple(rows))


def _run_table(compared: Mapping[str, Comparison]) -> Table:
    columns = (
        Column("stratum", "Kind of topics", align="left"),
        Column("topics", "Topics scored", show_number(0)),
        Column("run", "Run that scores highest", align="left"),
        Column("score", "Its score", show_number(3)),
        Column("may_be_best", "Runs that may be the best", show_number(0)),
    )
    rows: list[tuple[Cell, ...]] = []
    for stratum, comparison in compared.items():
        part = find_part(comparison)
        best = int(np.argmin(part.standings.rank))
        many = None if part.possibly_best is None else len(part.possibly_best)
        rows.append((stratum, len(comparison.topics), comparison.runs[best], float(part.standings.value[best]), many))
    measure = find_part(next(iter(compared.values()))).measure
    return from_rows(f"The runs in each kind of topics ({measure})", columns, tuple(rows))
