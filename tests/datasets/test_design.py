"""Who reads what, and runs: as good, as deep and as complete as asked."""

import numpy as np
import polars as pl
import pytest

from gainsayer.datasets import (
    FEDWEB13_PAGES,
    JointModel,
    LatentModel,
    RunDesign,
    SecondRound,
    deal_topics,
    draw_runs,
    simulate_collection,
)
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


def same(one, other):
    """Whether judgments and the runs of the first are equal in both."""
    return one.judgments.frame().equals(other.judgments.frame()) and all(
        one.runs[name].equals(other.runs[name]) for name in one.runs
    )


def test_another_run_leaves_the_rest_as_it_is():
    """Judgments and earlier runs do not change when a run is added, nor labels when the second round shrinks."""
    one = simulate_collection(topics=5, documents=20, runs=RunDesign((0.5,)))
    two = simulate_collection(topics=5, documents=20, runs=RunDesign((0.5, 0.9)))
    assert same(one, two)
    fewer = simulate_collection(topics=5, documents=20, second=SecondRound(share=0.5))
    first = pl.col("assessor") == "first"
    assert one.judgments.frame().filter(first).equals(fewer.judgments.frame().filter(first))


def test_runs_are_ranked_to_the_asked_depth():
    """Ranks from 1 to the depth, falling scores, no document twice, the same topics for every run."""
    collection = simulate_collection(topics=6, documents=40, runs=RunDesign((0.9, 0.1), depth=15))
    for run in collection.runs.values():
        assert run.columns == ["topic", "document", "rank", "score"]
        assert run["topic"].unique().sort().to_list() == list(collection.judgments.topics)
        for (topic,), part in run.group_by("topic"):
            assert part["rank"].to_list() == list(range(1, 16))
            assert part["score"].is_sorted(descending=True)
            assert part["document"].n_unique() == 15
            assert part["document"].str.starts_with(f"{topic}-").all()
    deep = simulate_collection(topics=6, documents=40, runs=RunDesign((0.9,), depth=1000))
    assert deep.runs["run01"].height == 6 * 42


def test_equal_scores_are_ordered_as_trec_eval_does():
    """Score descending, then document id descending by bytes."""
    ids = pl.Series(["a", "b", "c", "d"])
    signal = np.array([[1.0, 2.0, 1.0, 2.0]])
    runs = draw_runs(RunDesign((1.0,)), signal, pl.Series(["q"]), ids, np.random.SeedSequence(0))
    assert runs["run01"]["document"].to_list() == ["d", "b", "c", "a"]


def test_the_share_of_unjudged_documents_is_as_asked():
    """Unjudged documents are not in the pool, and turn up at their share in the upper ranks of good runs too."""
    collection = simulate_collection(topics=400, documents=80, runs=RunDesign((0.9, 0.1), depth=10, unjudged=0.2))
    pool = set(collection.judgments.document)
    for run in collection.runs.values():
        share = 1 - np.mean([document in pool for document in run["document"]])
        assert share == pytest.approx(0.2, abs=4 * np.sqrt(0.2 * 0.8 / 4000))
    none = simulate_collection(topics=3, documents=20, runs=RunDesign((0.5,), unjudged=0))
    assert set(none.runs["run01"]["document"]) == set(none.judgments.document)


def test_a_run_may_miss_topics():
    """As many as asked, and only that run."""
    collection = simulate_collection(
        topics=8, documents=10, runs=RunDesign({"a": 0.5, "b": 0.5}, missing_topics={"b": 3})
    )
    assert {name: run["topic"].n_unique() for name, run in collection.runs.items()} == {"a": 8, "b": 5}


@pytest.mark.parametrize("model", [LatentModel(), JointModel(FEDWEB13_PAGES)])
def test_better_runs_find_better_documents(model):
    """The mean level in the top 10 rises with the quality; chance finds the mean level of the pool."""
    collection = simulate_collection(
        model, topics=200, runs=RunDesign({"good": 0.95, "fair": 0.6, "chance": 0.0}, unjudged=0, depth=10)
    )
    judgments = collection.judgments
    first = judgments.assessor == 0
    level = dict(zip(judgments.document.filter(pl.Series(first)), judgments.level[first].tolist(), strict=True))
    mean = {name: np.mean([level[document] for document in run["document"]]) for name, run in collection.runs.items()}
    everything = np.array(list(level.values()))
    assert mean["good"] > mean["fair"] + 0.3 > mean["chance"] + 0.6
    assert mean["chance"] == pytest.approx(everything.mean(), abs=4 * everything.std() / np.sqrt(2000))
