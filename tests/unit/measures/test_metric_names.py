"""Names of scores for trackers of experiments."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.measures import list_metrics, name_metric, tell_apart_names

TRUTH = {f"q{t}": {"a": 1, "b": 0, "c": 2} for t in range(6)}
RUNS = {"new/../x": {t: {"a": 2.0, "b": 1.0} for t in TRUTH}, "old": {t: {"b": 2.0, "c": 1.0} for t in TRUTH}}


@given(st.text(max_size=300), st.text(max_size=20))
def test_every_name_is_plain(measure: str, gains: str) -> None:
    """Whatever the texts are, the name holds letters, digits, _, - and single points, and is no path."""
    name = name_metric(measure, gains)
    assert re.fullmatch(r"[0-9A-Za-z_.-]+", name)
    assert ".." not in name.replace("_.", "").replace("._", "") or name.count("..") == 0


@given(st.lists(st.text(max_size=8), unique=True))
def test_names_stay_apart(texts: list[str]) -> None:
    """Different runs have different names."""
    assert len(set(tell_apart_names(texts).values())) == len(texts)


def test_equal_names_are_counted() -> None:
    """Measures whose plain names are the same get _2, _3 and so on."""
    values = {(measure, "prm"): {"run": 0.5} for measure in ("P@5", "P at 5", "P_at_5")}
    assert list(list_metrics(values, ["run"])) == ["P_at_5.prm", "P_at_5.prm_2", "P_at_5.prm_3"]


def test_scores_by_name() -> None:
    """One run has the names of its measures; several have the run's name and a slash before them."""
    table = gs.score(TRUTH, RUNS, ["nDCG@10", "nDCG(discount='zipf')@2"], gains=["linear", "binary"])
    old = table.metrics("old")
    assert list(old) == [
        *("nDCG_at_10.linear", "nDCG_at_10.binary"),
        *("nDCG_discount_zipf_at_2.linear", "nDCG_discount_zipf_at_2.binary"),
    ]
    assert old["nDCG_at_10.linear"] == table.means("old")["nDCG@10 linear"]
    assert {name.partition("/")[0] for name in table.metrics()} == {"new_._x", "old"}
    with pytest.raises(CallError, match="There is no run 'odl'"):
        table.metrics("odl")
