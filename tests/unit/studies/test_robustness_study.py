"""Two sides' orders of the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau

from gainsayer.counts.pairing import count_pairs
from gainsayer.counts.pairs import PairCounts
from gainsayer.datasets.collection import SimulatedCollection
from gainsayer.datasets.design import SecondRound
from gainsayer.datasets.simulate import simulate_collection
from gainsayer.datasets.simulated_runs import RunDesign
from gainsayer.disagreement.estimate import estimate_disagreement
from gainsayer.disagreement.relevance import predict_relevance
from gainsayer.errors import CallError, DataError
from gainsayer.gains import Gains, prm_gains
from gainsayer.judgments.files import read_judgments
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import parse_measure
from gainsayer.rankings.lists import ranked_from_lists
from gainsayer.rankings.pool import make_pool
from gainsayer.rankings.rank import rank_levels
from gainsayer.rankings.ranked_levels import RankedLevels
from gainsayer.runs.files import read_run
from gainsayer.studies.cross_fitting import fit_matrices
from gainsayer.studies.robustness import study_robustness
from gainsayer.studies.side_labels import label_sides

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


def test_tau_is_that_of_scipy_with_the_strata_parameters(collection: SimulatedCollection) -> None:
    """Per stratum, parameters come from its own pairs and tau-b is SciPy's of the two columns of scores."""
    first, second = rank_sides(collection)
    judgments = collection.judgments
    relevance = judgments.levels.at_or_above("Rel")
    study = study_robustness(
        count_pairs(judgments), first, second, relevance, measure=NDCG, strata=judgments.strata, no_relevant="keep"
    )
    assert [row.stratum for row in study.rows] == ["all"] * 4 + ["inf"] * 4 + ["nav"] * 4
    assert judgments.strata is not None
    for row in study.rows:
        if row.gains != "prm":
            continue
        inside = [name for name in judgments.topics if row.stratum in ("all", judgments.strata[name])]
        mask = np.isin(judgments.topic, [judgments.topics.index(name) for name in inside])
        counts = count_pairs(judgments.rows(mask))
        gains = prm_gains(predict_relevance(estimate_disagreement(counts, estimator="symmetric"), relevance))
        columns = mean_scores(first, gains, inside), mean_scores(second, gains, inside)
        assert row.values == pytest.approx(gains.values)
        assert (row.first, row.second) == (pytest.approx(columns[0]), pytest.approx(columns[1]))
        assert row.tau is not None
        assert row.tau.value == pytest.approx(kendalltau(*columns).statistic)
        assert row.topics == len(inside) == row.fitted_topics


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


def test_cross_fitting_keeps_a_topic_out_of_its_own_gains() -> None:
    """Whatever the pairs of a topic say, the matrix it is scored with stays the same; the others' matrices move."""
    rng = np.random.default_rng(1)
    tables = rng.integers(1, 20, size=(12, 2, 2)).astype(float)
    changed = tables.copy()
    changed[4] = [[50, 1], [1, 90]]
    fitted = []
    for counted in (tables, changed):
        disagreement = estimate_disagreement(PairCounts.from_matrix(BINARY, counted), estimator="one-sided")
        fitted.append(fit_matrices(disagreement, np.ones(12, dtype=bool), folds=4, seed=9))
    topics = [f"topic{number}" for number in range(1, 13)]
    before, after = (part.matrices[part.choose(topics)] for part in fitted)
    own = fitted[0].choose(topics) == fitted[0].place["topic5"]
    assert np.array_equal(before[own], after[own])
    assert not np.isclose(before[~own], after[~own]).any()
    assert np.bincount(fitted[0].choose(topics)).tolist() == [3, 3, 3, 3]


def test_leaving_one_topic_out_is_the_sum_of_the_others() -> None:
    """With at least as many folds as topics, a topic's matrix comes from all other topics together."""
    tables = np.random.default_rng(2).integers(1, 20, size=(5, 2, 2)).astype(float)
    disagreement = estimate_disagreement(PairCounts.from_matrix(BINARY, tables), estimator="one-sided")
    fitted = fit_matrices(disagreement, np.ones(5, dtype=bool), folds=99)
    for place in range(5):
        rest = np.delete(tables, place, axis=0).sum(axis=0)
        matrix = fitted.matrices[fitted.choose([f"topic{place + 1}"])[0]]
        assert matrix == pytest.approx(rest / rest.sum(axis=1, keepdims=True))


def test_cross_fitting_follows_the_seed_and_moves_prm_alone(collection: SimulatedCollection) -> None:
    """The same seed gives the same scores; gains that are not fitted do not change with folds."""
    first, second = rank_sides(collection)
    counts = count_pairs(collection.judgments)
    relevance = counts.levels.at_or_above("Rel")
    plain, one, again, other = (
        study_robustness(counts, first, second, relevance, measure=NDCG, folds=folds, seed=seed)
        for folds, seed in ((None, 0), (5, 1), (5, 1), (5, 2))
    )
    scores = [{row.gains: row.first for row in study.rows} for study in (plain, one, again, other)]
    assert np.array_equal(scores[1]["prm"], scores[2]["prm"])  # type: ignore[arg-type]
    assert not np.array_equal(scores[1]["prm"], scores[3]["prm"])  # type: ignore[arg-type]
    assert not np.array_equal(scores[1]["prm"], scores[0]["prm"])  # type: ignore[arg-type]
    for name in ("binary", "linear", "exponential"):
        assert scores[1][name] == pytest.approx(scores[0][name])
    assert (one.seed, one.folds, plain.folds) == (1, 5, None)


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
    assert "There is no tau for all, binary: all runs are tied" in study.findings[-1].message


def test_topics_without_relevant_labels_are_skipped_for_all_gains_or_kept() -> None:
    """A topic in which one side found nothing relevant is left out for every kind of gains, and counted (T12)."""
    lists: dict[str, list[list[int | None]]] = {"q1": [[1, 0], [0, 1]], "q2": [[0, 1], [0, 0]]}
    first = small(lists, {"q1": [2, 1], "q2": [2, 1]})
    second = small({"q1": [[1, 0], [0, 1]], "q2": [[0, 0], [0, 0]]}, {"q1": [2, 1], "q2": [3, 0]})
    counts = PairCounts.from_matrix(BINARY, [[[3, 1], [1, 2]], [[2, 0], [1, 0]]], topics=["q1", "q2"])
    relevance = BINARY.at_or_above("1")
    skipped, kept = (
        study_robustness(counts, first, second, relevance, measure=NDCG, no_relevant=policy)  # type: ignore[arg-type]
        for policy in ("skip", "keep")
    )
    assert (skipped.topics, skipped.skipped, {row.topics for row in skipped.rows}) == (2, 1, {1})
    assert (kept.skipped, {row.topics for row in kept.rows}) == (0, {2})
    assert "R = 1: 1 of 2 topics were left out, for all gains alike" in skipped.findings[-1].message


def test_a_stratum_without_pairs_is_a_note() -> None:
    """Strata that cannot be estimated or scored have a row that says why; the others are as they were."""
    first = small({"q1": [[1, 0], [0, 1]], "q2": [[1, 0], [0, 1]]}, {"q1": [2, 1], "q2": [2, 1]})
    counts = PairCounts.from_matrix(BINARY, [[3, 1], [1, 2]], topics=["q1"])
    study = study_robustness(
        counts, first, first, BINARY.at_or_above("1"), measure=NDCG, schemes=["prm"], strata={"q1": "a", "q2": "b"}
    )
    assert [(row.stratum, row.tau and row.tau.value, row.note) for row in study.rows] == [
        ("all", 1.0, None),
        ("a", 1.0, None),
        ("b", None, "no pairs in this stratum"),
    ]


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
    """One run, one fold, unknown gains, no common topic, one topic to cross-fit: each is said."""
    ranked = small({"q": [[1, 0], [0, 1]]}, {"q": [2, 1]})
    other = small({"z": [[1, 0], [0, 1]]}, {"z": [2, 1]})
    counts = PairCounts.from_matrix(BINARY, [[3, 1], [1, 2]], topics=["q"])
    relevance = BINARY.at_or_above("1")
    with pytest.raises(CallError, match=r"compared from two runs on, found 1\. Give more --runs"):
        study_robustness(counts, ranked[:1], ranked[:1], relevance, measure=NDCG)
    with pytest.raises(CallError, match="at least 2 parts, found 1"):
        study_robustness(counts, ranked, ranked, relevance, measure=NDCG, folds=1)
    with pytest.raises(CallError, match="There are no gains 'huge': choose among prm, binary"):
        study_robustness(counts, ranked, ranked, relevance, measure=NDCG, schemes=["huge"])
    with pytest.raises(DataError, match="No topic was judged by both sides"):
        study_robustness(counts, ranked, other, relevance, measure=NDCG)
    with pytest.raises(DataError, match="takes a topic's parameters from other topics, but 1 topic holds pairs"):
        study_robustness(counts, ranked, ranked, relevance, measure=NDCG, folds=2)
    with pytest.raises(CallError, match="A stratum cannot be called 'all'"):
        study_robustness(counts, ranked, ranked, relevance, measure=NDCG, strata={"q": "all"})
    three = Levels(("0", "1", "2"))
    deep = [ranked_from_lists({"q": order}, {"q": [1, 1, 1]}, levels=three) for order in ([2], [1])]
    wide = PairCounts.from_matrix(three, [[3, 1, 1], [1, 2, 1], [1, 1, 1]], topics=["q"])
    with pytest.raises(CallError, match="AP needs gains between 0 and 1"):
        study_robustness(wide, deep, deep, three.at_or_above("1"), measure=parse_measure("AP"))


def test_labels_of_the_sides_are_on_common_topics() -> None:
    """Topics that one side alone judged are left out; --common-documents leaves out such documents as well."""
    judgments = read_judgments(
        {"A": {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1}}, "B": {"q1": {"a": 0, "b": 1}, "q3": {"a": 1}}}
    )
    labels = label_sides(judgments)
    assert (labels.topics, labels.common, labels.either) == (("q1",), 2, 3)
    assert (len(labels.first), len(labels.second)) == (3, 2)
    assert [finding.code for finding in labels.findings] == ["different-documents"]
    assert "Of 3 documents that either side judged on 1 common topics, both judged 2" in labels.findings[0].message
    common = label_sides(judgments, common=True)
    assert (len(common.first), len(common.second), common.findings) == (2, 2, ())


def test_labels_need_two_sides_and_something_in_common() -> None:
    """Three assessors without sides, no common topic, no common document: each is said."""
    crowd: Judgments = read_judgments({name: {"q": {"a": 1, "b": 0}} for name in "ABC"})
    with pytest.raises(CallError, match=r"3 assessors make no two sides\. Name them with --first and --second"):
        label_sides(crowd)
    apart = read_judgments({"A": {"q1": {"a": 1}}, "B": {"q2": {"a": 0}}})
    with pytest.raises(DataError, match=r"No topic was judged by both sides .*such as 'q1' and 'q2'"):
        label_sides(apart)
    strange = read_judgments({"A": {"q1": {"a": 1}}, "B": {"q1": {"b": 0}}})
    with pytest.raises(DataError, match="No document was judged by both sides"):
        label_sides(strange, common=True)
