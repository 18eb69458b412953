"""Waists of buckets, joined, against the arrays that the whole gives."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.engines.topic_buckets import as_task, draw_collection, make_waists, same, take_bucket

from gainsayer.engines.waists import Waist, as_judgments, as_runs, find_bucket, join_findings, join_waists, make_waist
from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.judgments import Judgments, read_judgments
from gainsayer.model import PairCounts, count_pairs
from gainsayer.rankings import RankedLevels, apply_rule, decide_labels, label_documents, make_pool, rank_levels
from gainsayer.runs import Run, read_run


def rank_whole(judgments: Judgments, runs: list[Run]) -> list[RankedLevels]:
    """The runs by the labels of whole judgments."""
    pool = make_pool(apply_rule(judgments, decide_labels(judgments)))
    return [rank_levels(run, pool) for run in runs]


def rank_joined(waist: Waist) -> list[RankedLevels]:
    """The runs by the labels of a waist."""
    judgments = as_judgments(waist)
    pool = make_pool(apply_rule(judgments, decide_labels(judgments)))
    return [label_documents(run, pool) for run in as_runs(waist)]


@pytest.mark.parametrize("buckets", [1, 3, 8])
def test_joined_waists_give_the_counts_of_the_whole(buckets: int) -> None:
    """Pairs, shares and findings of 1, 3 and 8 buckets are those of all judgments at once, to the last bit."""
    judgments, _ = draw_collection()
    joined = join_waists(make_waists(judgments, [], as_task(judgments), buckets))
    found, expected = count_pairs(as_judgments(joined)), count_pairs(judgments)
    assert isinstance(found, PairCounts)
    assert same(found, expected)


@pytest.mark.parametrize("buckets", [1, 3, 8])
def test_joined_waists_give_the_ranked_levels_of_the_whole(buckets: int) -> None:
    """Levels at ranks, pools and list lengths of 1, 3 and 8 buckets are those of whole runs, to the last bit."""
    judgments, runs = draw_collection()
    found = rank_joined(join_waists(make_waists(judgments, runs, as_task(judgments), buckets)))
    for one, two in zip(found, rank_whole(judgments, runs), strict=True):
        for name in ("topics", "topic", "rank", "level", "retrieved", "present", "pool", "name", "labels"):
            assert same(getattr(one, name), getattr(two, name)), name


def test_runs_return_the_same_documents_in_buckets_as_in_the_whole() -> None:
    """Two runs share a document in the joined waist where they share it in the files."""
    judgments, runs = draw_collection()
    found = rank_joined(join_waists(make_waists(judgments, runs, as_task(judgments), 3)))
    common = []
    for ranked in (found, rank_whole(judgments, runs)):
        ids = []
        for run in ranked:
            assert run.member is not None
            ids.append(list(zip(run.topic.tolist(), run.level.tolist(), run.member.tolist(), strict=True)))
        common.append([(k, ids[1].index(who)) for k, who in enumerate(ids[0]) if who in ids[1]])
    assert common[0] == common[1]


def test_order_and_grouping_leave_the_bits_alone() -> None:
    """Buckets joined backwards, or two by two, or cut from rows in another order, give the same bits."""
    judgments, runs = draw_collection()
    task = as_task(judgments)
    parts = make_waists(judgments, runs, task, 8)
    whole = join_waists(parts)
    pairs = [join_waists(parts[n : n + 2]) for n in range(0, 8, 2)]
    shuffled = judgments.rows(np.random.default_rng(1).permutation(len(judgments)))
    assert same(join_waists(parts[::-1]), whole)
    assert same(join_waists(pairs[::-1]), whole)
    assert same(join_waists(make_waists(shuffled, runs, task, 3)), whole)


def test_a_bucket_without_judgments_reports_its_topics() -> None:
    """Topics that nobody judged are named as unscored, though their bucket has no judgment at all."""
    judged = read_judgments({"ann": {"q0": {"a": 1, "b": 0}}})
    run = read_run({"q0": {"a": 2.0}, "q1": {"a": 1.0}, "q4": {"b": 1.0}})
    task = as_task(judged)
    assert find_bucket("q0", 4) == find_bucket("q4", 4) != find_bucket("q1", 4)
    waists = make_waists(judged, [run], task, 4)
    assert waists[find_bucket("q1", 4)].topics == ()
    assert waists[find_bucket("q1", 4)].runs[0].unscored == ("q1",)
    [ranked] = as_runs(join_waists(waists))
    assert ranked.unscored == ("q1", "q4")


def test_levels_found_in_one_bucket_only_are_levels_of_all() -> None:
    """A level that nobody gave in a bucket is a level there, too: the task says which levels there are."""
    labels = {f"q{t}": {"a": 3 if t == 2 else t % 2, "b": 0} for t in range(9)}
    judged = read_judgments({"ann": labels, "bob": labels})
    joined = as_judgments(join_waists(make_waists(judged, [], as_task(judged), 3)))
    assert joined.levels.names == ("0", "1", "3")
    assert same(count_pairs(joined), count_pairs(judged))


def test_a_run_without_a_topic_lacks_it_in_the_joined_waist() -> None:
    """A topic that a run lacks is not present; a bucket in which it has no row at all is no fault."""
    judged = read_judgments({"ann": {"q0": {"a": 1}, "q1": {"a": 0}}})
    run = read_run({"q0": {"a": 2.0, "x": 1.0}})
    [ranked] = as_runs(join_waists(make_waists(judged, [run], as_task(judged), 4)))
    assert ranked.present.tolist() == [True, False]
    assert ranked.retrieved.tolist() == [2, 0]


def test_no_common_topic_is_a_fault_of_the_whole() -> None:
    """A run that shares no topic with any bucket's judgments is refused by its name, with topics of both."""
    judged = read_judgments({"ann": {"q0": {"a": 1}, "q1": {"a": 0}}})
    task = as_task(judged, runs=("files/bm25.run",))
    joined = join_waists(make_waists(judged, [read_run({"001": {"a": 1.0}})], task, 3))
    with pytest.raises(
        DataError, match=r"files/bm25.run and the judgments share no topic.*: 001; judged topics: q0, q1"
    ):
        as_runs(joined)


def test_hits_are_kept_down_to_the_depth() -> None:
    """Ranks below the deepest that a measure looks at are left behind; lengths of lists stay."""
    judgments, runs = draw_collection()
    cut, whole = (
        as_runs(join_waists(make_waists(judgments, runs, as_task(judgments, depth=depth), 3))) for depth in (5, None)
    )
    for short, long in zip(cut, whole, strict=True):
        kept = long.rank <= 5
        assert short.rank.tolist() == long.rank[kept].tolist()
        assert short.entry.tolist() == long.entry[kept].tolist()
        assert short.retrieved.tolist() == long.retrieved.tolist()


def test_a_topic_in_two_buckets_is_refused() -> None:
    """Buckets hold whole topics; one in two of them would be counted twice."""
    judged = read_judgments({"ann": {"q0": {"a": 1}, "q1": {"a": 0}}})
    part = make_waist(take_bucket(judged, 0, 1), [], as_task(judged))
    with pytest.raises(DataError, match="Topic q0 is in two buckets"):
        join_waists([part, part])


def test_counts_in_findings_add_up() -> None:
    """Findings that count rows are said once with the sum; others once; both whatever the order of buckets."""
    parts = [
        (Finding("repeats-collapsed", "1,200 judgments repeat."), Finding("levels-by-order", "Codes: a=0, b=1.")),
        (Finding("levels-by-order", "Codes: a=0, b=1."), Finding("labels-missing", "2 labels were left out.")),
        (Finding("repeats-collapsed", "900 judgments repeat."),),
    ]
    said = ["Codes: a=0, b=1.", "2 labels were left out.", "2,100 judgments repeat."]
    assert [found.message for found in join_findings(parts)] == said
    assert join_findings(parts[::-1]) == join_findings(parts)


def test_weights_travel_with_their_rows() -> None:
    """Weighted judgments come back with the weight of each."""
    import polars as pl

    rows = [("q1", "a", "u", 1, 2.0), ("q0", "a", "u", 0, 3.0), ("q0", "a", "v", 1, 1.5), ("q1", "a", "v", 1, 1.0)]
    frame = pl.DataFrame(rows, ["topic", "document", "assessor", "level", "weight"], orient="row")
    judged = read_judgments(frame)
    back = as_judgments(join_waists(make_waists(judged, [], as_task(judged), 4)))
    assert back.weight is not None
    found = zip(back.topic.tolist(), back.assessor.tolist(), back.weight.tolist(), strict=True)
    assert sorted(found) == [(0, 0, 3.0), (0, 1, 1.5), (1, 0, 2.0), (1, 1, 1.0)]
    assert same(count_pairs(back).counts, count_pairs(judged).counts)
