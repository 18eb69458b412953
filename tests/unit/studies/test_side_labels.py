"""The labels of each side on the topics that both judged."""

from __future__ import annotations

import pytest

from gainsayer.errors import CallError, DataError
from gainsayer.reading import Judgments, read_judgments
from gainsayer.studies import label_sides


def test_labels_of_the_sides_are_on_common_topics() -> None:
    """Topics that one side alone judged are left out; `common` leaves out such documents as well."""
    judgments = read_judgments(
        {"A": {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1}}, "B": {"q1": {"a": 0, "b": 1}, "q3": {"a": 1}}}
    )
    labels = label_sides(judgments)
    assert (len(labels.first), len(labels.second)) == (3, 2)
    assert [finding.code for finding in labels.findings] == ["different-documents"]
    assert "Of 3 documents that either side judged on 1 common topics, both judged 2" in labels.findings[0].message
    common = label_sides(judgments, common=True)
    assert (len(common.first), len(common.second), common.findings) == (2, 2, ())


def test_a_side_of_several_assessors_needs_an_order_or_a_rule() -> None:
    """Assessors of a side who judged the same document: those named first, the majority, or the mean count."""
    said = {"A": {"a": 1, "b": 0}, "B": {"a": 0, "b": 0}, "C": {"a": 0}, "D": {"a": 1, "b": 1}}
    judgments = read_judgments({name: {"q": labels} for name, labels in said.items()})
    three = ["A", "B", "C"]
    named = label_sides(judgments, first=three, second=["D"])
    assert named.first.level.tolist() == [1, 0]
    assert label_sides(judgments, first=three, second=["D"], labels=["majority"]).first.level.tolist() == [0, 0]
    assert label_sides(judgments, first=three, second=["D"], labels=["B", "D"]).first.level.tolist() == [0, 0]
    mean = label_sides(judgments, first=three, second=["D"], labels=["mean"])
    assert mean.first.levels.names[2:] == ("0+0", "0+0+1")
    with pytest.raises(CallError, match="None of B, whose labels are to count, is on the side of D"):
        label_sides(judgments, first=three, second=["D"], labels=["B"])
    with pytest.raises(CallError, match="who make one side, judged the same documents"):
        label_sides(judgments, second=["D"])


def test_labels_need_two_sides_and_something_in_common() -> None:
    """Three assessors without sides, no common topic, no common document: each is said."""
    crowd: Judgments = read_judgments({name: {"q": {"a": 1, "b": 0}} for name in "ABC"})
    with pytest.raises(CallError, match=r"3 assessors make no two sides\. Name the sides: first=... and second=..."):
        label_sides(crowd)
    apart = read_judgments({"A": {"q1": {"a": 1}}, "B": {"q2": {"a": 0}}})
    with pytest.raises(DataError, match=r"No topic was judged by both sides .*such as 'q1' and 'q2'"):
        label_sides(apart)
    strange = read_judgments({"A": {"q1": {"a": 1}}, "B": {"q1": {"b": 0}}})
    with pytest.raises(DataError, match="No document was judged by both sides"):
        label_sides(strange, common=True)
