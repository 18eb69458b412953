"""A plan in every form: sentences first, tables, JSON with its stable keys, the curve."""

from __future__ import annotations

import json

from tests.collections import draw_labels

import gainsayer as gs
from gainsayer.commands.plan_tables import answer_plan, say_lever
from gainsayer.planning import Lever

FIRST, SECOND = draw_labels()
TABLE = gs.plan(FIRST, threshold=2, budget=200, seed=1)
KEYS = {
    *("purpose", "measure", "relevant", "confidence", "seed", "estimator", "topics", "levels", "variance", "expected"),
    *("curve", "levers", "batches", "stopping", "list", "warnings", "provenance"),
}
LEVEL_KEYS = {
    *("level", "documents", "probability", "source", "intraclass", "topics_effective", "influence", "judge", "share"),
}


def test_json_has_the_stable_keys() -> None:
    """As the surface says; more may be added."""
    document = json.loads(TABLE.to_json())
    assert set(document) >= KEYS
    assert all(set(level) >= LEVEL_KEYS for level in document["levels"])
    assert set(document["variance"]) == {"topics", "between", "within", "covariance", "assessors"}
    assert set(document["expected"]) >= {"standard_error", "half_width", "floor_half_width", "power"}
    assert all(set(point) == {"judgments", "half_width", "uniform_half_width"} for point in document["curve"])
    assert all(set(lever) >= {"lever", "change", "cost", "half_width"} for lever in document["levers"])
    assert all(set(batch) == {"batch", "judgments", "shares"} for batch in document["batches"])
    assert set(document["stopping"]) >= {"kind", "information_ratio", "multiplier"}
    assert set(document["list"]) >= {"file", "digest"}


def test_variances_add_up_to_the_standard_error() -> None:
    """The parts printed are all there is."""
    document = json.loads(TABLE.to_json())
    assert abs(sum(document["variance"].values()) - document["expected"]["standard_error"] ** 2) < 1e-12


def test_the_answer_says_what_to_do_and_when_to_stop() -> None:
    """How many, how sure, the best there is, the next lever, the rule; without a pilot, how sure that guess is."""
    said = " ".join(answer_plan(TABLE))
    assert said.startswith("Have 200 of 900 documents in 30 topics judged a second time, in 5 batches")
    for words in ("all 900 would give ±", "Without a pilot that is a guess", "Next: ", "it needs no correction"):
        assert words in said
    runs = {
        name: {t: {d: sign * float(d[1:]) for d in labels} for t, labels in FIRST.items()}
        for name, sign in (("a", 1), ("b", -1))
    }
    decision = gs.plan(FIRST, SECOND, threshold=2, purpose="difference", runs=runs, measure="P@5", budget=200)
    assert "stop when the difference shows" in " ".join(answer_plan(decision))
    assert "a guess" not in " ".join(answer_plan(decision))


def test_levers_that_do_nothing_are_not_praised() -> None:
    """A lever that leaves the interval as it is says so; unjudged documents are said as what they leave open."""
    assert (
        say_lever(Lever("topics", "2 more topics", 9, 9, 0.0999), 0.1)
        == "2 more topics would leave the interval at ±0.100."
    )
    assert "off by up to 0.5" in say_lever(Lever("deeper pools", "labels", 9, 0, 0.1, 9, 0.5), 0.1)


def test_frame_figure_and_words() -> None:
    """One row per level; the curve's title says the floor; a line for notebooks."""
    frame = TABLE.to_polars()
    assert frame["level"].to_list() == ["0", "1", "2"]
    assert abs(frame["judge"].sum() - 200) < 1e-6
    figure = TABLE.plot()
    assert "30 topics still leave" in figure.title
    assert "<svg" in figure._repr_svg_() if hasattr(figure, "_repr_svg_") else True
    assert repr(TABLE).startswith("PlanTable(200 second judgments in 30 topics for parameters")
