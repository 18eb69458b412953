"""What a plan is made from: whose labels are first, and what the others say."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gainsayer.commands.inputs import SideChoice
from gainsayer.commands.plan_input import find_first, make_material, take_first_labels, take_relevance
from gainsayer.errors import CallError
from gainsayer.levels import Levels
from gainsayer.reading import Judgments

ROWS = [
    ("q1", "a", "ann", "0"),
    ("q1", "b", "ann", "1"),
    ("q2", "a", "ann", "1"),
    ("q2", "b", "ann", "1"),
    ("q1", "a", "bob", "1"),
    ("q2", "b", "cid", "0"),
]


def test_the_first_side_is_who_judged_everything(judge: Callable[..., Judgments]) -> None:
    """Of a panel too, where one person judged all; else somebody must say."""
    judgments = judge(ROWS, roles=None)
    assert find_first(judgments, SideChoice()) == ("ann",)
    assert find_first(judge(ROWS[1:], roles=None), SideChoice()) is None
    assert find_first(judgments, SideChoice(first=("bob",))) == ("bob",)


def test_first_labels_know_their_place_in_the_judgments(judge: Callable[..., Judgments]) -> None:
    """The item of each document leads back to its rows."""
    judgments = judge(ROWS[::-1], roles=None)
    labels, item = take_first_labels(judgments, SideChoice(first=("ann",)))
    assert labels.sizes.tolist() == [[1, 1], [0, 2]]
    for place, one in enumerate(item.tolist()):
        row = int(np.flatnonzero(judgments.item == one)[0])
        assert judgments.document[row] == labels.document[place]
        assert judgments.topics[judgments.topic[row]] == labels.topics[labels.topic[place]]


def test_the_pilot_is_what_the_others_say(judge: Callable[..., Judgments]) -> None:
    """One relevant opinion on level 0, one that is not on level 1; people who judged apart are no first side."""
    judgments = judge(ROWS, roles=None)
    found = make_material(judgments, SideChoice(), judgments.levels.at_or_above("1"), 0)
    assert found.pilot is not None
    assert found.pilot.disagreement.counts.counts.sum(axis=0).tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert found.first == ("ann",)
    alone = judge(ROWS[:4], roles=None)
    assert make_material(alone, SideChoice(), alone.levels.at_or_above("1"), 0).pilot is None


def test_a_plan_is_for_one_notion_of_relevance() -> None:
    """Two levels have one threshold; three have two."""
    assert take_relevance(Levels(("0", "1")), None, None).names == ("1",)
    with pytest.raises(CallError, match="one notion"):
        take_relevance(Levels(("0", "1", "2")), None, None)
