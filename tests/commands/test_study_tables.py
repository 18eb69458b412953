"""What studies show: flat rows, JSON and tables hold the same numbers, over all topics and per stratum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from gainsayer import StudyTable
from gainsayer.commands import study as studies
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
def test_all_topics_come_first_then_each_stratum(collection: SimulatedCollection, study: Callable[..., Any]) -> None:
    """In the flat rows as in each table that is asked for by name; the same seed everywhere."""
    table = ask(collection, study)
    document = table.document()
    rows = table.to_polars()
    assert rows["stratum"].unique(maintain_order=True).to_list() == [None, "inf", "nav"]
    assert set(rows["seed"]) == {document["seed"]} == {2}
    assert document["study"] == study.__name__
    for shown in table.tables():
        assert "seed 2" in shown.title
        named = table.to_polars(shown.name)
        assert named["stratum"].unique(maintain_order=True).to_list() == [None, "inf", "nav"]
        assert set(named["relevant"]) == {"Rel,HRel,Key"}


def test_strata_of_the_robustness_study_are_rows(collection: SimulatedCollection) -> None:
    """One table and one result for all strata, as a reader compares them; `all` is the name of the whole in a table."""
    table = ask(collection, studies.robustness)
    document: dict[str, Any] = dict(table.document())
    assert document["strata"] is None
    (result,) = document["results"]
    assert [row["stratum"] for row in result["rows"]] == [None] * 4 + ["inf"] * 4 + ["nav"] * 4
    (shown,) = table.tables()
    assert [row[0] for row in shown.shown()] == ["all"] * 4 + ["inf"] * 4 + ["nav"] * 4
    assert ask(collection, studies.gains).document()["strata"].keys() == {"inf", "nav"}  # type: ignore[union-attr]


def test_the_matrix_of_tau_is_symmetric(collection: SimulatedCollection) -> None:
    """tau-b between all gains stands on both sides of an empty diagonal, as numbers, and in the list of pairs."""
    table = ask(collection, studies.gains)
    whole = table.to_polars("matrix").filter(pl.col("stratum").is_null())
    cells = {(row["gains"], name): row[name] for row in whole.to_dicts() for name in whole["gains"]}
    assert {cells[name, name] for name in whole["gains"]} == {None}
    pairs = table.to_polars().filter(pl.col("stratum").is_null())
    assert len(pairs) == 10
    for pair in pairs.to_dicts():
        assert cells[pair["a"], pair["b"]] == cells[pair["b"], pair["a"]] == pair["tau_b"]


def test_draws_without_a_level_are_shown_where_there_are_any(collection: SimulatedCollection) -> None:
    """How many draws know nothing of a level is in the rows always, and in the table where it is not nothing."""
    judged = {f"q{number}": {"a": 0, "b": 1} for number in range(6)}
    rare = studies.topics({"U1": judged | {"q9": {"c": 2}}, "U2": judged | {"q9": {"c": 1}}}, threshold=1, draws=20)
    assert "without it" in rare.to_text(width=200)
    assert rare.to_polars()["undefined"].to_list()[2] > 0
    common = ask(collection, studies.topics)
    assert "without it" not in common.to_text()
    assert set(common.to_polars()["undefined"]) == {0}
