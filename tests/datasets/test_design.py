"""Who reads what: shares of strata, assessors and the second round."""

import numpy as np
import polars as pl
import pytest

from gainsayer.datasets import SecondRound, deal_topics, simulate_collection
from gainsayer.errors import UnknownLevelError


def test_more_assessors_share_the_topics_of_their_side():
    """A topic has one first reader and, with three readings, two different second ones; the load is even."""
    collection = simulate_collection(
        topics=12, documents=5, assessors=7, second=SecondRound(topics=8, readings=3), seed=2
    )
    assert collection.first == ("first1", "first2", "first3")
    assert collection.second == ("second1", "second2", "second3", "second4")
    assert collection.judgments.assessors == collection.first + collection.second
    frame = collection.judgments.frame().select("topic", "assessor").unique()
    load = dict(frame["assessor"].value_counts().iter_rows())
    assert {load[name] for name in collection.first} == {4}
    assert {load[name] for name in collection.second} == {4}
    readers = frame.filter(pl.col("topic").is_in(collection.second_topics))["topic"].value_counts()
    assert readers["count"].to_list() == [3] * 8


def test_strata_get_their_share_of_the_topics():
    """Topics are dealt out by share, rounded to whole topics; the judgments know their stratum."""
    assert deal_topics({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}, 7).tolist() == [3, 2, 2]
    collection = simulate_collection(topics=10, documents=5, strata={"nav": 0.4, "inf": 0.6})
    assert sorted(collection.strata.values()) == ["inf"] * 6 + ["nav"] * 4
    assert dict(collection.judgments.strata) == collection.strata
    nav, inf = collection.stratum_truth["nav"], collection.stratum_truth["inf"]
    np.testing.assert_array_equal(nav.symmetric, inf.symmetric)


def test_an_unknown_level_of_the_second_round_is_refused():
    """Shares by level need levels that exist."""
    with pytest.raises(UnknownLevelError, match="no level 'Nav'"):
        simulate_collection(second=SecondRound(by_level={"Nav": 0.5}))
