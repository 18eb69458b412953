"""What the judgments leave open where runs are ordered."""

from __future__ import annotations

import pytest

from gainsayer.errors import CallError
from gainsayer.gains import binary_gains
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure, score_runs
from gainsayer.ranking import ranked_from_lists
from gainsayer.studies import choose_topics, describe_skipped, find_unjudged, refuse_single, skip_topics

LEVELS = Levels(("0", "1"))
POOL = {"q1": [2, 1], "q2": [3, 0], "q3": [1, 2]}


def test_topics_are_one_set_for_all_runs_and_sides() -> None:
    """Topics that every side judged; with `common` those every run has, with `skip` those with R on every side."""
    first = [
        ranked_from_lists({"q1": [1], "q2": [0]}, POOL, levels=LEVELS),
        ranked_from_lists({"q1": [0], "q3": [1]}, POOL),
    ]
    second = [ranked_from_lists({"q1": [1], "q2": [0]}, {"q1": [3, 0], "q2": [2, 1]}, levels=LEVELS)]
    relevance = LEVELS.at_or_above("1")
    assert choose_topics([first, second]) == ["q1", "q2"]
    assert choose_topics([first], "common") == ["q1"]
    assert skip_topics(["q1", "q2", "q3"], [first[0]], relevance, "skip") == ["q1", "q3"]
    assert skip_topics(["q1", "q2"], [first[0], second[0]], relevance, "skip") == []
    assert skip_topics(["q1", "q2"], [first[0], second[0]], relevance, "zero") == ["q1", "q2"]


def test_what_was_left_out_is_counted() -> None:
    """A finding names how many topics are gone, and how to have them; none where none is."""
    relevance = LEVELS.at_or_above("1")
    assert describe_skipped(0, 9, relevance, "one side") == []
    message = describe_skipped(2, 9, relevance, "one side")[0].message
    assert "R = 1: 2 of 9 topics were left out, for all gains alike, as one side put no" in message
    assert message.endswith("Score them too: no_relevant='keep'.")


def test_many_unjudged_documents_are_said() -> None:
    """More than a twentieth unjudged within the depth, by share; nothing for measures without a depth."""
    runs = [ranked_from_lists({"q1": [1, None]}, {"q1": [2, 1]}, levels=LEVELS, name=name) for name in "ab"]
    for name, said in (("P@2", 1), ("AP", 0)):
        measure = parse_measure(name)
        scores = score_runs(runs, [measure], {measure: [binary_gains(LEVELS, LEVELS.at_or_above("1"))]})
        found = find_unjudged(scores, measure, "ann")
        words = "By the labels of ann, 2 of 2 runs have more than 5% unjudged documents within P@2"
        assert [words in finding.message for finding in found] == [True] * said


def test_a_single_run_has_no_order() -> None:
    """Two runs are the least."""
    with pytest.raises(CallError, match="compared from two runs on, found 1"):
        refuse_single([ranked_from_lists({"q1": [1]}, {"q1": [1, 1]})])
