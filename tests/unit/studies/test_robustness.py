"""Two sides' orders of the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau

from gainsayer.datasets import RunDesign, SecondRound, SimulatedCollection, simulate_collection
from gainsayer.errors import CallError, DataError
from gainsayer.gains import Gains, prm_gains
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.model import PairCounts, count_pairs, estimate_disagreement, predict_relevance
from gainsayer.ranking import RankedLevels, make_pool, rank_levels, ranked_from_lists
from gainsayer.reading import read_run
from gainsayer.studies import label_sides, study_robustness

NDCG = parse_measure("nDCG@10")
BINARY = Levels(("0", "1"))


@pytest.fixture(scope="module")
def collection() -> SimulatedCollection:
    """Twenty topics, all judged twice, in two strata, and eight runs close to each other."""
    return simulate_collection(
        topics=20,
        documents=40,
        second=SecondRound(topics=20),
        runs=RunDesign([0.7, 0.68, 0.66, 0.64, 0.62, 0.6, 0.58, 0.56], depth=20),
        strata={"inf": 0.6, "nav": 0.4},
        seed=3,
    )


def rank_sides(collection: SimulatedCollection) -> tuple[list[RankedLevels], list[RankedLevels]]:
    """The runs ranked by either side's labels."""
    labels = label_sides(collection.judgments)
    first, second = (
        [rank_levels(read_run(run, name=name), make_pool(side)) for name, run in collection.runs.items()]
        for side in (labels.first, labels.second)
    )
    return first, second


def mean_scores(ranked: Sequence[RankedLevels], gains: Gains, topics: Sequence[str]) -> list[float]:
    """Mean nDCG@10 of each run over some topics, one by one."""
    means = []
    for run in ranked:
        scores = dict(zip(run.topics, NDCG.score(run, gains).tolist(), strict=True))
        means.append(float(np.mean([scores[topic] for topic in topics])))
    return means


def test_tau_is_that_of_scipy(collection: SimulatedCollection) -> None:
    """Tau-b is SciPy's of the two columns of scores, made one by one with the parameters of the pairs."""
    first, second = rank_sides(collection)
    counts = count_pairs(collection.judgments)
    relevance = counts.levels.at_or_above("Rel")
    study = study_robustness(counts, first, second, relevance, measure=NDCG, no_relevant="keep")
    row = next(row for row in study.rows if row.gains == "prm")
    gains = prm_gains(predict_relevance(estimate_disagreement(counts, estimator="symmetric"), relevance))
    columns = mean_scores(first, gains, first[0].topics), mean_scores(second, gains, first[0].topics)
    assert row.values == pytest.approx(gains.values)
    assert row.first == pytest.approx(columns[0])
    assert row.second == pytest.approx(columns[1])
    assert row.tau is not None
    assert row.tau.value == pytest.approx(kendalltau(*columns).statistic)
    assert row.topics == 20 == row.fitted_topics
    assert study.sides == (counts.first, counts.second)


def test_unjudged_documents_may_be_worth_the_lowest_level(collection: SimulatedCollection) -> None:
    """With `level` an unjudged document has the gain of the lowest level."""
    first, second = (
        [replace(run, level=run.level[::2], rank=run.rank[::2], topic=run.topic[::2], member=None) for run in side]
        for side in rank_sides(collection)
    )
    counts = count_pairs(collection.judgments)
    relevance = counts.levels.at_or_above("Rel")
    study = study_robustness(
        counts,
        first,
        second,
        relevance,
        measure=NDCG,
        schemes=["prm"],
        unjudged="level",
        no_relevant="keep",
    )
    values = estimate_disagreement(counts).matrix @ relevance.indicator
    gains = Gains(counts.levels, values, unjudged=float(values[0]))
    assert study.rows[0].first == pytest.approx(mean_scores(first, gains, first[0].topics))


def test_topics_that_a_run_lacks_may_be_left_out() -> None:
    """With `common` only topics that every run has are scored; with `zero` a topic without R counts 0 for that side."""
    lists: dict[str, list[list[int | None]]] = {"q1": [[1, 0], [0, 1]], "q2": [[0, 1], [0, 0]]}
    first = small(lists, {"q1": [2, 1], "q2": [2, 1]})
    second = small({"q1": [[1, 0], [0, 1]], "q2": [[0, 0], [0, 0]]}, {"q1": [2, 1], "q2": [3, 0]})
    counts = PairCounts.from_matrix(BINARY, [[[3, 1], [1, 2]], [[2, 0], [1, 0]]], topics=["q1", "q2"])
    study = study_robustness(counts, first, second, BINARY.at_or_above("1"), measure=NDCG, no_relevant="zero")
    prm = next(row for row in study.rows if row.gains == "prm")
    assert prm.second is not None
    whole = study_robustness(counts, first, second, BINARY.at_or_above("1"), measure=NDCG)
    assert prm.second == pytest.approx(np.array(next(row.second for row in whole.rows if row.gains == "prm")) / 2)
    present = np.array([True, False])
    one, two = ([replace(side[0], present=present), *side[1:]] for side in (first, second))
    common = study_robustness(counts, one, two, BINARY.at_or_above("1"), measure=NDCG, topics="common")
    assert (common.topics, common.skipped, {row.topics for row in common.rows}) == (1, 0, {1})


def test_exchanging_the_sides_leaves_tau_as_it_is(collection: SimulatedCollection) -> None:
    """With the symmetric estimate the study does not depend on who is called first."""
    first, second = rank_sides(collection)
    counts = count_pairs(collection.judgments)
    relevance = counts.levels.at_or_above("HRel")
    one = study_robustness(counts, first, second, relevance, measure=NDCG)
    two = study_robustness(counts, second, first, relevance, measure=NDCG)
    assert [row.tau and row.tau.value for row in one.rows] == [row.tau and row.tau.value for row in two.rows]


def test_identical_labels_give_tau_one(collection: SimulatedCollection) -> None:
    """Two sides that agree on everything order the runs alike under all gains, without a single exchange."""
    first, _ = rank_sides(collection)
    counts = count_pairs(collection.judgments)
    study = study_robustness(counts, first, first, counts.levels.at_or_above("Rel"), measure=NDCG)
    assert [row.tau and (row.tau.value, row.tau.discordant) for row in study.rows] == [(1.0, 0)] * 4


def small(first: dict[str, list[list[int | None]]], pools: dict[str, list[int]]) -> list[RankedLevels]:
    """Runs r1, r2, ... from each topic's lists."""
    count = len(next(iter(first.values())))
    return [
        ranked_from_lists({topic: lists[at] for topic, lists in first.items()}, pools, levels=BINARY, name=f"r{at + 1}")
        for at in range(count)
    ]


def test_tied_runs_have_no_tau_and_that_is_said() -> None:
    """Identical runs are tied under every gains: no tau, a note, and a finding; not 0 and not NaN."""
    ranked = small({"q": [[1, 0], [1, 0]]}, {"q": [2, 1]})
    counts = PairCounts.from_matrix(BINARY, [[3, 1], [1, 2]], topics=["q"])
    study = study_robustness(counts, ranked, ranked, BINARY.at_or_above("1"), measure=NDCG)
    assert [(row.tau and row.tau.value, row.note) for row in study.rows] == [(None, "all runs are tied")] * 4
    assert study.findings[-1].code == "undefined-correlation"
    assert "There is no tau for binary: all runs are tied" in study.findings[-1].message


def test_topics_without_relevant_labels_are_skipped_for_all_gains_or_kept() -> None:
    """A topic in which one side found nothing relevant is left out for every kind of gains, and counted (T12)."""
    lists: dict[str, list[list[int | None]]] = {"q1": [[1, 0], [0, 1]], "q2": [[0, 1], [0, 0]]}
    first = small(lists, {"q1": [2, 1], "q2": [2, 1]})
    second = small({"q1": [[1, 0], [0, 1]], "q2": [[0, 0], [0, 0]]}, {"q1": [2, 1], "q2": [3, 0]})
    counts = PairCounts.from_matrix(BINARY, [[[3, 1], [1, 2]], [[2, 0], [1, 0]]], topics=["q1", "q2"])
    relevance = BINARY.at_or_above("1")
    skipped, kept = (
        study_robustness(counts, first, second, relevance, measure=NDCG, no_relevant=policy)
        for policy in ("skip", "keep")
    )
    assert (skipped.topics, skipped.skipped, {row.topics for row in skipped.rows}) == (2, 1, {1})
    assert (kept.skipped, {row.topics for row in kept.rows}) == (0, {2})
    assert "R = 1: 1 of 2 topics were left out, for all gains alike" in skipped.findings[-1].message


def test_a_level_without_second_opinions_is_named_where_it_is_needed() -> None:
    """p(R|i) that is not known leaves PRM without a tau and the other gains with theirs."""
    levels = Levels(("0", "1", "2"))
    ranked = [
        ranked_from_lists({"q": order}, {"q": [2, 1, 1]}, levels=levels, name=name)
        for name, order in (("a", [2, 1]), ("b", [0, 1]))
    ]
    counts = PairCounts.from_matrix(levels, [[3, 1, 0], [1, 2, 0], [0, 0, 0]], topics=["q"])
    study = study_robustness(counts, ranked, ranked, levels.at_or_above("1"), measure=NDCG, schemes=["prm", "linear"])
    assert [(row.gains, row.tau and row.tau.value, row.note) for row in study.rows] == [
        ("prm", None, "p(R|i) is not known for level 2"),
        ("linear", 1.0, None),
    ]
    unneeded = [replace(run, pool=np.array([[2, 1, 0]]), level=np.minimum(run.level, 1)) for run in ranked]
    known = study_robustness(counts, unneeded, unneeded, levels.at_or_above("1"), measure=NDCG, schemes=["prm"])
    assert known.rows[0].tau is not None


def test_what_cannot_be_compared_is_refused() -> None:
    """One run, unknown gains, no common topic: each is said."""
    ranked = small({"q": [[1, 0], [0, 1]]}, {"q": [2, 1]})
    other = small({"z": [[1, 0], [0, 1]]}, {"z": [2, 1]})
    counts = PairCounts.from_matrix(BINARY, [[3, 1], [1, 2]], topics=["q"])
    relevance = BINARY.at_or_above("1")
    with pytest.raises(CallError, match=r"compared from two runs on, found 1\. Give more runs"):
        study_robustness(counts, ranked[:1], ranked[:1], relevance, measure=NDCG)
    with pytest.raises(CallError, match="There are no gains 'huge': choose among prm, binary"):
        study_robustness(counts, ranked, ranked, relevance, measure=NDCG, schemes=["huge"])
    with pytest.raises(DataError, match="No topic was judged by both sides"):
        study_robustness(counts, ranked, other, relevance, measure=NDCG)
    three = Levels(("0", "1", "2"))
    deep = [ranked_from_lists({"q": order}, {"q": [1, 1, 1]}, levels=three) for order in ([2], [1])]
    wide = PairCounts.from_matrix(three, [[3, 1, 1], [1, 2, 1], [1, 1, 1]], topics=["q"])
    with pytest.raises(CallError, match="AP needs gains between 0 and 1"):
        study_robustness(wide, deep, deep, three.at_or_above("1"), measure=parse_measure("AP"))
