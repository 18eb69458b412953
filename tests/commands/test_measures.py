"""The list of measures: every one of them once, the same in the tables and in JSON."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gainsayer.commands.measures import MeasureList
from gainsayer.measures import FAMILIES


def test_every_family_is_listed() -> None:
    """Names come with their parameters and depth; what is not known is empty for readers, null elsewhere."""
    rows = {str(row["measure"]): row for row in MeasureList().to_polars().to_dicts()}
    assert len(rows) == len(FAMILIES)
    assert rows["P@k"]["trec_eval"] == "P_K"
    assert rows["nDCG(discount='log2')[@k]"]["gains"] == "any"
    assert rows["F1@k"]["trec_eval"] is None
    shown = next(line for line in MeasureList().to_markdown().splitlines() if line.startswith("| F1@k "))
    assert shown.endswith("| exact |  |")


def test_a_measure_that_was_added_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is of the measures that there are when it is made."""
    monkeypatch.setitem(FAMILIES, "Mine", replace(FAMILIES["P"], name="Mine", trec=None))
    assert MeasureList().to_polars()["measure"][-1] == "Mine@k"


def test_json_holds_the_tables_and_what_is_known_by_another_name() -> None:
    """A list of objects for each table, in its order."""
    measures = MeasureList()
    document = measures.document()
    assert list(document) == ["measures", "parameters", "users", "elsewhere"]
    for table in measures.tables():
        assert document[table.name] == measures.to_polars(table.name).to_dicts()
