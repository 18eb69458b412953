"""Records: every form of a result selects from them."""

from __future__ import annotations

from gainsayer.evaluation.comparisons import compare
from gainsayer.evaluation.parameters import fit
from gainsayer.evaluation.simulation import simulate
from gainsayer.findings import Finding
from gainsayer.presentation.comparison_records import pair_records, reverse_pair
from gainsayer.presentation.parameters import fit_records, fit_rows
from gainsayer.presentation.records import describe_findings, flatten, pick, select, show_interval, tabulate
from gainsayer.presentation.tables import Column

RECORD = {"run": "a", "interval": [0.25, 1.5], "error": {"topic": 0.1, "pair": None}, "ranks": None}


def test_paths_reach_what_is_nested() -> None:
    """Numbers go into lists, names into dicts; where nothing is known on the way, nothing is known at the end."""
    assert pick(RECORD, "interval.1") == 1.5
    assert pick(RECORD, "error.topic") == 0.1
    assert pick(RECORD, "error.pair") is None
    assert pick(RECORD, "ranks.0") is None
    assert select(RECORD, ("ranks", "run")) == {"ranks": None, "run": "a"}


def test_tables_pick_paths_and_functions() -> None:
    """A column is a path or a function of the record."""
    flat = flatten([RECORD], {"run": "run", "low": "interval.0", "loud": lambda record: record["run"].upper()})
    assert [column.key for column in flat.columns] == ["run", "low", "loud"]
    assert flat.rows == (("a", 0.25, "A"),)
    shown = tabulate("T", [(Column("i", "interval"), show_interval(1))], [RECORD], ("a note",))
    assert (shown.title, shown.rows, shown.notes) == ("T", (("[0.2, 1.5]",),), ("a note",))
    assert show_interval(1, "ranks", missing="-")(RECORD) == "-"


def test_findings_are_code_and_message() -> None:
    """As JSON holds them."""
    assert describe_findings([Finding("few-topics", "Few.")]) == [{"code": "few-topics", "message": "Few."}]


def test_fit_has_a_record_per_stratum_threshold_and_level() -> None:
    """All topics first, then each stratum; the flat table has as many rows."""
    made = simulate(topics=12, documents=30, strata={"nav": 0.5, "inf": 0.5}, runs=0, seed=2)
    model = fit(made.judgments, threshold=["Rel", "Key"])
    records = list(fit_records(model))
    strata = list(model.strata)
    expected = [(name, level) for name in (None, *strata) for level in ("Rel", "Key")]
    assert list(dict.fromkeys((record["stratum"], record["threshold"]) for record in records)) == expected
    assert len(records) == len(expected) * 4 == len(fit_rows(model).rows)


def test_units_have_their_probability_alone() -> None:
    """Other numbers are not known for single topics."""
    model = fit(simulate(topics=6, documents=30, runs=0, seed=2).judgments, threshold="Key", smooth="eb-topics")
    units = [record for record in fit_records(model) if record["unit"] is not None]
    assert units
    assert all(record["interval"] is None and record["note"] == "empirical Bayes" for record in units)


def test_a_pair_the_other_way_round() -> None:
    """Reversed twice is the pair itself; once, signs, ends and the verdict change places, p-values stay."""
    made = simulate(topics=12, documents=30, runs={"good": 0.9, "poor": 0.1}, seed=2)
    comparison = compare(made.judgments, made.runs, "nDCG@5", permutations=100, resamples=100).comparison
    (pair,) = pair_records(comparison.runs, comparison.parts[0])
    turned = reverse_pair(pair)
    assert (turned["a"], turned["b"]) == (pair["b"], pair["a"])
    assert turned["difference"] == -pair["difference"]
    assert turned["interval"] == [-pair["interval"][1], -pair["interval"][0]]
    assert turned["relative_difference"] == -pair["relative_difference"]
    assert (turned["verdict"], turned["p"]) == (pair["reverse_verdict"], pair["p"])
    assert reverse_pair(turned) == pair
