"""The catalogue: every measure once, the same in tables and in JSON."""

from __future__ import annotations

from gainsayer.commands.measures import describe_measures, measure_tables
from gainsayer.measures import FAMILIES


def test_every_family_has_a_record() -> None:
    """Names come with their parameters and depth; tables hold what JSON holds."""
    records = describe_measures()["measures"]
    assert len(records) == len(FAMILIES)
    by_name = {record["measure"]: record for record in records}
    assert by_name["P@k"]["trec_eval"] == "P_K"
    assert by_name["nDCG(discount='log2')[@k]"]["gains"] == "any"
    measures, parameters, users = measure_tables()
    assert measures.cells() == [tuple(record.values()) for record in records]
    assert parameters.cells() == [tuple(record.values()) for record in describe_measures()["parameters"]]
    assert users.cells() == [tuple(record.values()) for record in describe_measures()["users"]]
