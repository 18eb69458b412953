"""Orders of the runs under kinds of gains."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau

from gainsayer.datasets import twenty_documents
from gainsayer.errors import CallError, DataError, MissingParameterError
from gainsayer.gains import KINDS, binary_gains, exponential_gains, gains_from, linear_gains, prm_gains, udm_gains
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.model import Disagreement, PairCounts, count_pairs, estimate_disagreement, predict_relevance
from gainsayer.ranking import RankedLevels, keep_topics, ranked_from_lists
from gainsayer.studies import study_gains

LEVELS = Levels(("0", "1", "2"))
TOP = LEVELS.at_or_above("2")
NDCG = parse_measure("nDCG@5")


@pytest.fixture
def disagreement() -> Disagreement:
    """That of the twenty documents."""
    return estimate_disagreement(count_pairs(twenty_documents()))


@pytest.fixture
def runs() -> list[RankedLevels]:
    """Nine random runs over four topics."""
    rng = np.random.default_rng(6)
    pool = {f"q{number}": [6, 4, 2] for number in range(4)}
    deck = [0] * 6 + [1] * 4 + [2] * 2
    return [
        ranked_from_lists(
            {topic: rng.permutation(deck)[:8].tolist() for topic in pool}, pool, levels=LEVELS, name=f"r{number}"
        )
        for number in range(9)
    ]


def test_every_pair_of_gains_has_the_tau_of_scipy(disagreement: Disagreement, runs: list[RankedLevels]) -> None:
    """Ten pairs of five kinds of gains; tau-b of the mean scores is SciPy's."""
    study = study_gains(disagreement, runs, TOP, measure=NDCG)
    prediction = predict_relevance(disagreement, TOP)
    kinds = {
        "prm": prm_gains(prediction),
        "binary": binary_gains(LEVELS, TOP),
        "linear": linear_gains(LEVELS),
        "exponential": exponential_gains(LEVELS),
        "udm": udm_gains(disagreement),
    }
    means = {name: [NDCG.score(run, gains).mean() for run in runs] for name, gains in kinds.items()}
    assert [(pair.a, pair.b) for pair in study.pairs] == [
        (a, b) for place, a in enumerate(KINDS) for b in list(KINDS)[place + 1 :]
    ]
    for pair in study.pairs:
        assert pair.tau.value == pytest.approx(kendalltau(means[pair.a], means[pair.b]).statistic)
        assert pair.tau.n == 9
    assert (study.topics, study.skipped) == (4, 0)
    assert study.runs == tuple(f"r{number}" for number in range(9))


def test_order_of_the_runs_does_not_matter(disagreement: Disagreement, runs: list[RankedLevels]) -> None:
    """The runs may come in any order."""
    one = study_gains(disagreement, runs, TOP, measure=NDCG)
    two = study_gains(disagreement, runs[::-1], TOP, measure=NDCG)
    assert [pair.tau for pair in one.pairs] == [pair.tau for pair in two.pairs]
    for left, right in zip(one.pairs, two.pairs, strict=True):
        assert left.tau_ap.value == pytest.approx(right.tau_ap.value)


def test_identical_runs_are_tied_and_that_is_said(disagreement: Disagreement, runs: list[RankedLevels]) -> None:
    """Runs that are alike have no order: no tau, and a finding."""
    study = study_gains(disagreement, [runs[0]] * 3, TOP, measure=NDCG)
    assert all(pair.tau.value is None for pair in study.pairs)
    assert study.findings[-1].code == "undefined-correlation"


def test_topics_without_a_relevant_label_are_left_out(disagreement: Disagreement) -> None:
    """A topic without a label of R is left out for all gains by default, and scored with `keep`."""
    lists = [{"q1": [2, 0], "q2": [1, 0]}, {"q1": [0, 2], "q2": [0, 1]}]
    ranked = [ranked_from_lists(table, {"q1": [2, 0, 1], "q2": [2, 1, 0]}, levels=LEVELS) for table in lists]
    skipped = study_gains(disagreement, ranked, TOP, measure=NDCG)
    kept = study_gains(disagreement, ranked, TOP, measure=NDCG, no_relevant="keep")
    assert (skipped.topics, skipped.skipped, kept.topics, kept.skipped) == (1, 1, 2, 0)
    assert "as the first side put no document of theirs on a relevant level" in skipped.findings[-1].message
    lacking = [keep_topics(run, ["q2"]) for run in ranked]
    with pytest.raises(DataError, match="No topic is left to score"):
        study_gains(disagreement, lacking, TOP, measure=NDCG)


def test_policies_are_those_of_scores(disagreement: Disagreement) -> None:
    """Topics that a run lacks, topics without relevant labels, unjudged documents: as `score_runs` has them."""
    lists: list[dict[str, list[int | None]]] = [{"q1": [2, None], "q2": [1, 0]}, {"q1": [None, 2]}]
    pool = {"q1": [2, 0, 1], "q2": [2, 1, 0]}
    ranked = [ranked_from_lists(table, pool, levels=LEVELS, name=name) for table, name in zip(lists, "ab", strict=True)]
    zero, common, level = (
        study_gains(disagreement, ranked, TOP, measure=NDCG, schemes=["prm", "binary"], **policy)  # type: ignore[arg-type]
        for policy in ({"no_relevant": "zero"}, {"topics": "common"}, {"unjudged": "level", "no_relevant": "keep"})
    )
    assert (zero.topics, zero.skipped) == (2, 0)
    assert zero.scores["prm"][0] == pytest.approx(
        study_gains(disagreement, ranked, TOP, measure=NDCG).scores["prm"][0] / 2
    )
    assert (common.topics, common.skipped) == (1, 0)
    prm = prm_gains(predict_relevance(disagreement, TOP))
    worth = replace(prm, unjudged=float(prm.values[0]))
    assert level.scores["prm"].tolist() == pytest.approx([NDCG.score(run, worth).mean() for run in ranked])


def test_what_cannot_be_compared_is_refused(disagreement: Disagreement, runs: list[RankedLevels]) -> None:
    """One run, one kind of gains, an unknown kind, a level without second opinions."""
    with pytest.raises(CallError, match="compared from two runs on, found 1"):
        study_gains(disagreement, runs[:1], TOP, measure=NDCG)
    with pytest.raises(CallError, match="Two kinds of gains are needed for a comparison, found prm alone"):
        study_gains(disagreement, runs, TOP, measure=NDCG, schemes=["prm", "prm"])
    with pytest.raises(CallError, match="There are no gains 'steep'"):
        study_gains(disagreement, runs, TOP, measure=NDCG, schemes=["prm", "steep"])
    thin = estimate_disagreement(PairCounts.from_matrix(LEVELS, [[3, 1, 0], [1, 2, 0], [0, 0, 0]]))
    with pytest.raises(MissingParameterError, match=r"No pair has level 2, but documents to be scored have it"):
        study_gains(thin, runs, LEVELS.at_or_above("1"), measure=NDCG)


def test_a_level_nobody_needs_may_lack_second_opinions() -> None:
    """Its gain is set to 0; those of the others are as estimated."""
    thin = estimate_disagreement(PairCounts.from_matrix(LEVELS, [[3, 1, 0], [1, 2, 0], [0, 0, 0]]))
    needed = np.array([True, True, False])
    gains = gains_from("prm", thin, LEVELS.at_or_above("1"), needed)
    assert gains is not None
    assert gains.values.tolist() == [0.25, pytest.approx(4 / 6), 0.0]
    assert gains_from("prm", thin, LEVELS.at_or_above("1"), ~needed) is None
