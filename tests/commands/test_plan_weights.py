"""`gs.fit(plan=...)`: weights of the batches finished, at every look; refusals and remarks in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.collections import Labels, answer, draw_labels

import gainsayer as gs
from gainsayer import Fit
from gainsayer.errors import BiasedSampleError, CallError, DataError

FIRST, SECOND = draw_labels()
PLAN = gs.plan(("nist", FIRST), threshold=2, budget=300, minimum=10, seed=2)
SAVED = json.loads(PLAN.to_json())


def fit(second: Labels, plan: Any = SAVED, first: Labels = FIRST, **options: Any) -> Fit:
    """A fit by the plan."""
    return gs.fit(("nist", first), ("people", second), plan=plan, **options)


def codes(found: Fit) -> set[str]:
    """What is said."""
    return {finding.code for finding in found.findings}


def test_second_judgments_are_weighed_by_the_probabilities_reached() -> None:
    """By hand: the one-sided share of each level, and the symmetric one with weights 1 / pi of the batch."""
    judged = answer(SECOND, PLAN, batch=3)
    found = fit(judged, estimator="symmetric")
    share = SAVED["batches"][2]["shares"]
    counts = np.zeros((3, 3))
    for topic, documents in judged.items():
        for document, second in documents.items():
            level = FIRST[topic][document]
            counts[level, second] += 1 / share[str(level)]
    both = counts + counts.T
    assert found.predict().probability == pytest.approx(both[:, 2] / both.sum(axis=1))
    one = fit(judged).predict().probability  # what a plan without a pilot foretells
    assert one == pytest.approx(counts[:, 2] / counts.sum(axis=1))
    assert fit(judged, SAVED | {"estimator": "symmetric"}).predict().probability == pytest.approx(
        found.predict().probability
    )
    assert found.predict().relevance.names == ("2",)


def test_unweighted_symmetric_estimates_after_a_plan_are_refused() -> None:
    """Levels were judged in unequal shares: without the plan the symmetric estimate is wrong, and says so."""
    judged = answer(SECOND, gs.plan(("nist", FIRST), threshold=2, level="2", budget=300, minimum=30))
    with pytest.raises(BiasedSampleError, match="The symmetric estimate is wrong here"):
        gs.fit(("nist", FIRST), ("people", judged), threshold=2, estimator="symmetric")


def test_an_unfinished_batch_waits() -> None:
    """Its judgments change nothing."""
    whole = answer(SECOND, PLAN, batch=2)
    more = answer(SECOND, PLAN, batch=2)
    for topic, document, batch, _ in PLAN.documents().cells():
        if batch == 3 and topic < "q08":
            more[topic][document] = SECOND[topic][document]
    found = fit(more)
    assert "batch-unfinished" in codes(found)
    assert found.predict().probability == pytest.approx(fit(whole).predict().probability)


def test_skips_are_said() -> None:
    """More than 5 % of a level, with the rates."""
    judged = answer(SECOND, PLAN)
    missing = [row for row in PLAN.documents().cells() if FIRST[row[0]][row[1]] == 1][::10]
    for topic, document, *_ in missing:
        del judged[topic][document]
    assert "many-skipped" in codes(fit(judged))


def test_changed_first_labels_are_refused() -> None:
    """The plan's probabilities no longer hold."""
    changed = {topic: dict(labels) for topic, labels in FIRST.items()}
    changed["q03"]["d4"] = (changed["q03"]["d4"] + 1) % 3
    with pytest.raises(DataError, match="The first labels are not those of the plan"):
        fit(answer(SECOND, PLAN), first=changed)


def test_a_foreign_pilot_is_left_out_or_kept_as_asked() -> None:
    """Kept, its documents count with the share judged of their cell."""
    judged = answer(SECOND, PLAN)
    for topic, labels in SECOND.items():
        judged.setdefault(topic, {}).update(dict(list(labels.items())[:4]))
    assert "outside-plan" in codes(fit(judged))
    kept = fit(judged, keep_pilot=True)
    assert "pilot-kept" in codes(kept)
    assert kept.predict().pairs > fit(judged).predict().pairs


def test_intervals_of_a_decision_are_widened() -> None:
    """By a multiplier that the first batch fixes, whatever comes later; those of a precision stop stay."""
    decision = SAVED | {"stopping": SAVED["stopping"] | {"kind": "decision"}}
    judged = answer(SECOND, PLAN)
    plain, wide = fit(judged), fit(judged, decision)
    assert "widened-for-looks" in codes(wide)
    assert plain.predict().confidence == 0.95
    assert wide.predict().confidence > 0.95
    widths = [np.diff(found.predict().interval.ends, axis=1).ravel() for found in (plain, wide)]
    assert np.all(widths[1] > widths[0])
    early = fit(answer(SECOND, PLAN, batch=1), decision)
    assert early.predict().confidence == pytest.approx(wide.predict().confidence, rel=1e-12)


def test_the_rule_is_asked() -> None:
    """Met where every interval is within what was wanted, and said; a plan itself does in place of its file."""
    judged = answer(SECOND, PLAN)
    ends = np.diff(fit(judged).predict().interval.ends, axis=1).max() / 2
    for within, met in ((ends * 1.001, True), (ends * 0.999, False)):
        found = fit(judged, SAVED | {"stopping": SAVED["stopping"] | {"kind": "precision", "within": within}})
        assert found.met == met
        assert found.document()["plan"]["stopping"]["met"] == met  # type: ignore[index, call-overload]
        assert ("the plan's rule says stop" in found.answer()[0]) == met
    assert fit(judged, PLAN).predict().probability.tolist() == fit(judged).predict().probability.tolist()


def test_the_plan_comes_from_its_file_and_is_recorded(tmp_path: Path) -> None:
    """The file stands in the provenance, and how far it has come in the JSON."""
    PLAN.save(tmp_path / "plan.json")
    found = json.loads(fit(answer(SECOND, PLAN, batch=4), tmp_path / "plan.json").to_json())
    assert found["plan"]["batch"] == 4
    assert [entry["asked"] for entry in found["plan"]["levels"]] == [
        entry["judged"] for entry in found["plan"]["levels"]
    ]
    assert any("plan.json" in file["file"] for file in found["provenance"]["files"])


def test_what_does_not_fit_is_refused() -> None:
    """Other levels, shares beside a plan, a pilot without one, second labels of other documents."""
    judged = answer(SECOND, PLAN)
    with pytest.raises(CallError, match="knows the levels"):
        fit(judged, SAVED | {"levels": [{"level": "0"}, {"level": "1"}, {"level": "9"}]}
            | {"relevant": ["9"], "batches": [{"shares": {"0": 0.1, "1": 0.1, "9": 0.1}}]})  # fmt: skip
    with pytest.raises(CallError, match="A plan knows the sampling probabilities"):
        fit(judged, sampled="observed")
    with pytest.raises(CallError, match=r"give plan=\.\.\."):
        gs.fit(("nist", FIRST), ("people", judged), keep_pilot=True)
    with pytest.raises(DataError, match="None of the second judgments"):
        fit({"q00": {"unknown": 2}})
