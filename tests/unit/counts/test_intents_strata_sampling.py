"""Intents, strata and sampling weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import CallError, DataError

Make = Callable[..., gs.Judgments]


def diversity(judge: Make, rows: list[tuple[str, str, str, str, str]]) -> gs.Judgments:
    """Judgments from rows of topic, intent, document, assessor, label."""
    plain = [(topic, document, assessor, label) for topic, _, document, assessor, label in rows]
    return judge(plain, levels=gs.Levels(("0", "1", "2")), columns={"intent": [row[1] for row in rows]})


ROWS = [
    ("q1", "1", "d1", "A", "2"),
    ("q1", "2", "d1", "A", "1"),
    ("q1", "1", "d1", "B", "1"),  # B does not mention intent 2
    ("q1", "1", "d2", "A", "1"),
    ("q1", "0", "d2", "B", "0"),  # relevant to no intent
    ("q2", "7", "d1", "A", "1"),
    ("q2", "7", "d1", "B", "2"),
]


def test_intent_zero_and_unmentioned_intents_become_explicit(judge: Make) -> None:
    """Every intent of the topic gets the lowest level where an assessor said 0 or did not mention it."""
    full = gs.counts.expand_intents(diversity(judge, ROWS))
    found = sorted(full.frame().select("topic", "intent", "document", "assessor", "level").rows())
    assert found == [
        ("q1", "1", "d1", "A", "2"),
        ("q1", "1", "d1", "B", "1"),
        ("q1", "1", "d2", "A", "1"),
        ("q1", "1", "d2", "B", "0"),
        ("q1", "2", "d1", "A", "1"),
        ("q1", "2", "d1", "B", "0"),
        ("q1", "2", "d2", "A", "0"),
        ("q1", "2", "d2", "B", "0"),
        ("q2", "7", "d1", "A", "1"),
        ("q2", "7", "d1", "B", "2"),
    ]
    counts = gs.count_pairs(full)
    assert counts.pairs == 5
    assert counts.topics == ("q1", "q2"), "the topic stays the cluster"
    assert "4 lowest-level judgments were added" in full.findings[-1].message


def test_unmentioned_intents_may_be_left_out(judge: Make) -> None:
    """Without the option only intent 0 is expanded."""
    full = gs.counts.expand_intents(diversity(judge, ROWS), unmentioned=False)
    assert gs.count_pairs(full).pairs == 3
    assert len(full) == 8


def test_top_intent_keeps_the_most_probable_one(judge: Make) -> None:
    """Ties go to the lowest intent id, by number."""
    full = gs.counts.expand_intents(diversity(judge, ROWS))
    top = gs.counts.keep_top_intent(full, {("q1", "1"): 0.3, ("q1", "2"): 0.7, ("q2", "7"): 1.0})
    assert set(top.frame().filter(topic="q1")["intent"]) == {"2"}
    tied = gs.counts.keep_top_intent(full, {("q1", "10"): 0.5, ("q1", "2"): 0.5, ("q2", "7"): 1.0})
    assert set(tied.frame().filter(topic="q1")["intent"]) == {"2"}
    with pytest.raises(DataError, match="1 topics have no intent probabilities: q2"):
        gs.counts.keep_top_intent(full, {("q1", "1"): 1.0})


def test_intent_faults_are_named(judge: Make) -> None:
    """Intent 0 with a level above the lowest, and judgments without intents."""
    with pytest.raises(DataError, match=r"give intent 0 .* a level above 0, in topics q1"):
        gs.counts.expand_intents(diversity(judge, [*ROWS, ("q1", "0", "d9", "A", "2")]))
    with pytest.raises(CallError, match=r"no intents.*diversity=True"):
        gs.counts.expand_intents(judge([("q", "d", "A", "0"), ("q", "d", "B", "1")]))


def test_strata_split_topics(judge: Make) -> None:
    """Each stratum holds its own topics' judgments; a topic without stratum is named."""
    rows = [(f"q{t}", f"d{d}", a, str((t + d) % 2)) for t in range(4) for d in range(3) for a in "AB"]
    judgments = gs.counts.assign_strata(judge(rows), {"q0": "nav", "q1": "inf", "q2": "nav", "q3": "inf", "q9": "inf"})
    parts = gs.counts.split_strata(judgments)
    assert list(parts) == ["inf", "nav"]
    assert gs.count_pairs(parts["nav"]).topics == ("q0", "q2")
    total = sum(gs.count_pairs(part).matrix for part in parts.values())
    np.testing.assert_array_equal(total, gs.count_pairs(judgments).matrix)
    with pytest.raises(DataError, match="3 of 4 judged topics have no stratum: q1, q2, q3"):
        gs.counts.assign_strata(judgments, {"q0": "nav"})


def biased_rows() -> list[tuple[str, str, str, str]]:
    """One topic: 100 documents of level 0, of which every tenth is judged again; 20 of level 1, all of them."""
    rows = [("q", f"n{place}", "A", "0") for place in range(100)]
    rows += [("q", f"n{place}", "B", "1" if place < 20 else "0") for place in range(0, 100, 10)]
    for place in range(20):
        rows += [("q", f"r{place}", "A", "1"), ("q", f"r{place}", "B", "1" if place < 12 else "0")]
    return rows


def test_observed_shares_repair_the_symmetric_estimate(judge: Make) -> None:
    """Weights 1/pi restore the counts of a full second round (T6): 2 of 10 level-0 pairs stand for 20 of 100."""
    judgments = judge(biased_rows())
    weighed = gs.counts.weigh_second_round(judgments, "observed")
    np.testing.assert_allclose(gs.count_pairs(weighed).matrix, [[80, 20], [8, 12]])
    given = gs.counts.weigh_second_round(judgments, {"0": 0.1, "1": 1.0})
    np.testing.assert_allclose(gs.count_pairs(given).matrix, [[80, 20], [8, 12]])
    disagreement = gs.estimate_disagreement(gs.count_pairs(weighed), estimator="symmetric")
    assert gs.predict_relevance(disagreement).probability == pytest.approx([28 / 188, 24 / 52])


def test_sampling_faults_are_named(judge: Make) -> None:
    """A level without probability, a probability of 0, a level never judged again."""
    judgments = judge(biased_rows())
    with pytest.raises(CallError, match="probability of level 0 as well"):
        gs.counts.weigh_second_round(judgments, {"1": 1.0})
    with pytest.raises(CallError, match=r"level '0' must be above 0 and at most 1, found 0"):
        gs.counts.weigh_second_round(judgments, {"0": 0.0, "1": 1.0})
    unseen = judge([row for row in biased_rows() if not (row[2] == "B" and row[1].startswith("n"))])
    with pytest.raises(DataError, match=r"No document with first label 0 was judged again.*one-sided"):
        gs.counts.weigh_second_round(unseen, "observed")
