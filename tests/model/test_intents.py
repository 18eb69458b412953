"""Intents: what was not said is the lowest level, and the most probable intent alone."""

from __future__ import annotations

from collections.abc import Callable

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
    full = gs.model.expand_intents(diversity(judge, ROWS))
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
    full = gs.model.expand_intents(diversity(judge, ROWS), unmentioned=False)
    assert gs.count_pairs(full).pairs == 3
    assert len(full) == 8


def test_top_intent_keeps_the_most_probable_one(judge: Make) -> None:
    """Ties go to the lowest intent id, by number."""
    full = gs.model.expand_intents(diversity(judge, ROWS))
    top = gs.model.keep_top_intent(full, {("q1", "1"): 0.3, ("q1", "2"): 0.7, ("q2", "7"): 1.0})
    assert set(top.frame().filter(topic="q1")["intent"]) == {"2"}
    tied = gs.model.keep_top_intent(full, {("q1", "10"): 0.5, ("q1", "2"): 0.5, ("q2", "7"): 1.0})
    assert set(tied.frame().filter(topic="q1")["intent"]) == {"2"}
    with pytest.raises(DataError, match="1 topics have no intent probabilities: q2"):
        gs.model.keep_top_intent(full, {("q1", "1"): 1.0})


def test_intent_faults_are_named(judge: Make) -> None:
    """Intent 0 with a level above the lowest, and judgments without intents."""
    with pytest.raises(DataError, match=r"give intent 0 .* a level above 0, in topics q1"):
        gs.model.expand_intents(diversity(judge, [*ROWS, ("q1", "0", "d9", "A", "2")]))
    with pytest.raises(CallError, match=r"no intents.*diversity=True"):
        gs.model.expand_intents(judge([("q", "d", "A", "0"), ("q", "d", "B", "1")]))


def test_weights_come_along(judge: Make) -> None:
    """An added judgment weighs what its assessor's heaviest judgment of the document does."""
    plain = [(topic, document, assessor, label) for topic, _, document, assessor, label in ROWS]
    columns = {"intent": [row[1] for row in ROWS], "weight": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]}
    full = gs.model.expand_intents(judge(plain, levels=gs.Levels(("0", "1", "2")), columns=columns))
    assert full.weight is not None
    rows = zip(full.frame().select("topic", "intent", "document", "assessor").rows(), full.weight.tolist(), strict=True)
    assert dict(rows) == {
        ("q1", "1", "d1", "A"): 2.0,
        ("q1", "2", "d1", "A"): 2.0,
        ("q1", "1", "d1", "B"): 3.0,
        ("q1", "2", "d1", "B"): 3.0,
        ("q1", "1", "d2", "A"): 4.0,
        ("q1", "2", "d2", "A"): 4.0,
        ("q1", "1", "d2", "B"): 5.0,
        ("q1", "2", "d2", "B"): 5.0,
        ("q2", "7", "d1", "A"): 6.0,
        ("q2", "7", "d1", "B"): 7.0,
    }


def test_topics_without_any_intent_have_nothing_to_compare(judge: Make) -> None:
    """Intent 0 throughout is refused; nothing added, nothing said."""
    with pytest.raises(DataError, match="No topic has an intent other than 0"):
        gs.model.expand_intents(diversity(judge, [("q", "0", "d", "A", "0"), ("q", "0", "d", "B", "0")]))
    both = [("q", "1", "d", "A", "1"), ("q", "1", "d", "B", "2")]
    assert gs.model.expand_intents(diversity(judge, both)).findings == ()


def test_probabilities_of_intents_are_checked(judge: Make) -> None:
    """Negative and infinite ones are refused by name, and so are judgments without intents."""
    full = gs.model.expand_intents(diversity(judge, ROWS))
    for wrong in (-0.1, float("inf"), float("nan")):
        with pytest.raises(DataError, match=f"intent '1' of topic 'q1' is {wrong}, not a number >= 0"):
            gs.model.keep_top_intent(full, {("q1", "1"): wrong, ("q2", "7"): 1.0})
    zero = gs.model.keep_top_intent(full, {("q1", "1"): 0.0, ("q2", "7"): 0.0})
    assert set(zero.frame()["intent"]) == {"1", "7"}, "0 is a probability"
    with pytest.raises(CallError, match="The judgments have no intents"):
        gs.model.keep_top_intent(judge([("q", "d", "A", "0"), ("q", "e", "A", "1")]), {("q", "1"): 1.0})
