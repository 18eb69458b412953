"""What studies say: records, flat rows, JSON and tables hold the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gainsayer import StudyTable
from gainsayer.commands import study as studies
from gainsayer.commands.study_tables import describe_study, study_records, study_rows, study_tables
from gainsayer.datasets import RunDesign, SecondRound, SimulatedCollection, simulate_collection

OF_PARAMETERS = (studies.topics, studies.amount)
OF_RUNS = (studies.quality, studies.robustness, studies.gains)


@pytest.fixture(scope="module")
def collection() -> SimulatedCollection:
    """Twelve topics in two strata, all judged twice, and four runs."""
    runs = RunDesign([0.7, 0.66, 0.62, 0.58], depth=20)
    strata = {"inf": 0.5, "nav": 0.5}
    return simulate_collection(topics=12, documents=30, second=SecondRound(topics=12), runs=runs, strata=strata, seed=3)


def ask(collection: SimulatedCollection, study: Callable[..., Any]) -> StudyTable[Any]:
    """The study of the collection at one threshold."""
    given = (collection.judgments,) if study in OF_PARAMETERS else (collection.judgments, dict(collection.runs))
    table: StudyTable[Any] = study(*given, threshold="Rel", seed=2)
    return table


@pytest.mark.parametrize("study", [*OF_PARAMETERS, *OF_RUNS])
def test_records_rows_and_json_are_one(collection: SimulatedCollection, study: Callable[..., Any]) -> None:
    """A flat row per record, in order; all topics first, then each stratum; the same seed everywhere."""
    table = ask(collection, study)
    records, rows, document = list(study_records(table)), study_rows(table), describe_study(table)
    assert rows.height == len(records)
    assert list(dict.fromkeys(record["stratum"] for record in records)) == [None, "inf", "nav"]
    assert {record["seed"] for record in records} == {document["seed"]} == {2}
    assert document["study"] == study.__name__
    keys = [column.key for column in rows.columns]
    assert [row[keys.index("stratum")] for row in rows.cells()] == [record["stratum"] for record in records]
    assert all("seed 2" in shown.title for shown in study_tables(table))
    assert document["warnings"] == [vars(finding) for finding in table.findings]


def test_strata_of_the_robustness_study_are_rows(collection: SimulatedCollection) -> None:
    """One table and one result for all strata, as a reader compares them; `all` is the name of the whole in a table."""
    table = ask(collection, studies.robustness)
    document = describe_study(table)
    assert document["strata"] is None
    (result,) = document["results"]
    assert [row["stratum"] for row in result["rows"]] == [None] * 4 + ["inf"] * 4 + ["nav"] * 4
    (shown,) = study_tables(table)
    assert [row[0] for row in shown.cells()] == ["all"] * 4 + ["inf"] * 4 + ["nav"] * 4
    assert set(describe_study(ask(collection, studies.gains))["strata"]) == {"inf", "nav"}


def test_the_matrix_of_tau_is_symmetric(collection: SimulatedCollection) -> None:
    """tau-b between all gains stands on both sides of an empty diagonal, and in the list of pairs."""
    table = ask(collection, studies.gains)
    matrix = study_tables(table)[1]
    names = [row[0] for row in matrix.cells()]
    cells = {(a, b): row[place + 1] for row in matrix.cells() for a in [row[0]] for place, b in enumerate(names)}
    assert all(cells[a, a] == "" for a in names)
    for pair in describe_study(table)["results"][0]["pairs"]:
        assert cells[pair["a"], pair["b"]] == cells[pair["b"], pair["a"]] == pair["tau_b"]
