"""Resource selection: the first results of a run's first resources, and the best choice of them."""

from __future__ import annotations

import pytest

import gainsayer as gs
from gainsayer.errors import CallError, DataError
from gainsayer.gains import custom_gains
from gainsayer.ranking import returned_by_rows, returned_by_rule, select_oracle

RULE = r"(?P<resource>r\d)-(?P<rank>\d+)"
LABELS = {"q": {"r1-1": 2, "r1-2": 0, "r2-1": 1, "r2-2": 1, "r3-1": 0, "r3-2": 2}}


def test_first_results_of_the_first_resources() -> None:
    """Resources by score, ties by id descending; of each its first results, in its own order."""
    returned = returned_by_rule(gs.read_judgments({"U": LABELS}), RULE)
    run = {"q": {"r1": 1.0, "r2": 1.0, "r3": 0.5}}
    assert gs.select_resources(run, returned, resources=2, results=1).document.texts() == ["r2-1", "r1-1"]
    assert gs.select_resources(run, returned, resources=1, results=5).document.texts() == ["r2-1", "r2-2"]


def test_a_document_judged_twice_is_one_result() -> None:
    """What resources returned is the same whoever, and however many, judged it."""
    twice = gs.read_judgments({"U1": LABELS, "U2": LABELS})
    assert returned_by_rule(twice, RULE) == returned_by_rule(gs.read_judgments({"U": LABELS}), RULE)


def test_oracle_goes_by_the_gains_in_use() -> None:
    """The best resource for binary top relevance is another one than for gains that honour the middle level."""
    judgments = gs.read_judgments({"U": LABELS})
    returned = returned_by_rule(judgments, RULE)
    top = custom_gains(judgments.levels, {"0": 0, "1": 0, "2": 1})
    middle = custom_gains(judgments.levels, {"0": 0, "1": 0.6, "2": 0.7})
    assert select_oracle(judgments, returned, top, resources=1).document.texts() == ["r1-1", "r1-2"]
    assert select_oracle(judgments, returned, middle, resources=1).document.texts() == ["r2-1", "r2-2"]


def test_a_file_of_results_equals_the_rule() -> None:
    """Rows of topic, resource and document, in the resource's order, say the same as the ids."""
    rows = [("q", name[:2], name) for name in LABELS["q"]]
    assert returned_by_rows(rows) == returned_by_rule(gs.read_judgments({"U": LABELS}), RULE)


def test_faults_are_named() -> None:
    """A rule without its group, no regular expression, an id that does not fit, resources nobody knows."""
    judgments = gs.read_judgments({"U": LABELS})
    with pytest.raises(CallError, match=r"needs a group \(\?P<resource>"):
        returned_by_rule(judgments, r"(\w+)-\d")
    with pytest.raises(CallError, match="no regular expression"):
        returned_by_rule(judgments, "(")
    with pytest.raises(DataError, match="'r1-1' does not fit"):
        returned_by_rule(judgments, "(?P<resource>x.*)")
    with pytest.raises(DataError, match="none of its resources returned anything"):
        gs.select_resources({"q": {"zz": 1.0}}, returned_by_rule(judgments, RULE))
    with pytest.raises(CallError, match="At least one resource"):
        gs.select_resources({"q": {"r1": 1.0}}, returned_by_rule(judgments, RULE), resources=0)
