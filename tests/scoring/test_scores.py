"""Scores of many runs: topics, policies, shares of unjudged documents, what is said of them, and names for trackers."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scoring.level_lists import BINARY, LEVELS, PRM

import gainsayer as gs
from gainsayer.errors import CallError, DataError
from gainsayer.gains import Gains
from gainsayer.measures import (
    MUCH_UNJUDGED,
    Scores,
    bound_unjudged,
    list_metrics,
    mean_and_error,
    name_metric,
    parse_measure,
    score_runs,
    tell_apart_names,
    without_relevant,
)
from gainsayer.ranking import ranked_from_lists

POOL = {"q1": [3, 1, 2], "q2": [4, 0, 0], "q3": [0, 0, 2], "q4": [2, 2, 1]}
LONG = ranked_from_lists(
    {"q1": [2, None, 0], "q2": [0, 0], "q3": [2], "q4": [None, 1]}, POOL, levels=LEVELS, name="long"
)
SHORT = ranked_from_lists({"q1": [1, 2], "q2": [0], "q4": [2]}, POOL, levels=LEVELS, name="short")
P2 = parse_measure("P@2")
TOP = LEVELS.at_or_above("2")


def score(**options: object) -> Scores:
    """P@2 of both runs with PRM and binary gains."""
    return score_runs([LONG, SHORT], [P2], {P2: [PRM, BINARY]}, **options)  # type: ignore[arg-type]


def test_a_topic_that_a_run_lacks_scores_0() -> None:
    """Every run and topic by hand: half the gains of the first two ranks."""
    found = score()
    assert (found.runs, found.topics) == (("long", "short"), ("q1", "q2", "q3", "q4"))
    assert found.values[P2, "prm"] == pytest.approx(np.array([[0.4, 0.1, 0.4, 0.225], [0.625, 0.05, 0.0, 0.4]]))
    assert found.values[P2, "binary"].tolist() == [[0.5, 0.0, 0.5, 0.5], [1.0, 0.0, 0.0, 0.5]]
    assert [kind.name for kind in found.gains] == ["prm", "binary"]


def test_common_topics_are_those_that_every_run_has() -> None:
    """q3 is not in the short run."""
    assert score(topics="common").topics == ("q1", "q2", "q4")


def test_topics_without_relevant_documents() -> None:
    """q2 has no document of level 2: kept as computed, 0 for all gains, or left out."""
    assert without_relevant(LONG, TOP).tolist() == [False, True, False, False]
    assert not without_relevant(LONG, None).any()
    assert score(relevance=TOP).values[P2, "prm"][0, 1] == pytest.approx(0.1)
    zero = score(relevance=TOP, no_relevant="zero")
    assert zero.values[P2, "prm"][:, 1].tolist() == [0.0, 0.0]
    assert zero.values[P2, "prm"][0, 0] == pytest.approx(0.4)
    assert score(relevance=TOP, no_relevant="skip").topics == ("q1", "q3", "q4")
    assert score(relevance=TOP).relevant == ("2",)
    assert score().relevant == ()


def test_topics_that_say_little_are_counted() -> None:
    """Binary gains of level 1: q2 has no ideal; q2 and q3 hold equal gains throughout; q2 lacks level 2."""
    found = score(relevance=TOP).counts
    assert vars(found["binary"]) == {"topics": 4, "without_relevant": 1, "without_ideal": 1, "all_gains_equal": 2}
    assert vars(found["prm"]) == {"topics": 4, "without_relevant": 1, "without_ideal": 0, "all_gains_equal": 2}
    assert vars(score(relevance=TOP, topics="common").counts["prm"])["all_gains_equal"] == 1


def test_shares_of_unjudged_documents() -> None:
    """Down to the depth, over the topics that a run has: half of q1 and of q4, nothing of q2 and q3."""
    found = score()
    assert found.unjudged[P2].tolist() == [0.25, 0.0]
    assert found.findings[0].code == "unjudged-documents"
    assert (
        "More than 5% of the documents are unjudged: P@2: 1 of 2 runs, up to 25.0% (long)." in found.findings[0].message
    )
    assert score(topics="common").unjudged[P2].tolist() == pytest.approx([1 / 3, 0.0])


def test_as_many_judged_documents_are_the_same_share_to_the_last_bit() -> None:
    """Seven judged of three lists of five, however they are spread: no run is the worst by rounding."""
    spread = [(1, 2, 4), (4, 1, 2), (3, 3, 1), (2, 0, 5), (3, 4, 0)]
    topics = ("q1", "q2", "q3")
    runs = [
        ranked_from_lists(
            {topic: [0] * judged + [None] * (5 - judged) for topic, judged in zip(topics, counts, strict=True)},
            {topic: [5, 0, 1] for topic in topics},
            levels=LEVELS,
            name=str(counts),
        )
        for counts in spread
    ]
    measure = parse_measure("P@5")
    found = score_runs(runs, [measure], {measure: [BINARY]})
    assert len(set(found.unjudged[measure].tolist())) == 1
    assert found.unjudged[measure][0] == pytest.approx(8 / 15)
    assert "5 of 5 runs, up to 53.3% ((1, 2, 4))" in found.findings[0].message


@pytest.mark.parametrize(("judged", "said"), [(24, False), (23, True), (19, False), (18, True)])
def test_much_unjudged_begins_above_five_percent(judged: int, said: bool) -> None:
    """One of twenty-five is not above 5 %, two are; one of twenty is 5 %, which is not above it either."""
    assert MUCH_UNJUDGED == 0.05
    depth = 25 if judged > 20 else 20
    entries = [0] * judged + [None] * (depth - judged)
    run = ranked_from_lists({"q": entries}, {"q": [depth, 0, 1]}, levels=LEVELS)
    measure = parse_measure(f"P@{depth}")
    assert bool(score_runs([run], [measure], {measure: [BINARY]}).findings) == said


def test_measures_without_depth_or_gains_say_nothing_of_unjudged_documents() -> None:
    """AP goes to the end of the list, where most is unjudged as a rule; Judged@2 is about nothing else."""
    for name in ("AP", "Judged@2"):
        measure = parse_measure(name)
        assert score_runs([LONG], [measure], {measure: [BINARY]}).findings == ()


def test_lists_before_condensing_tell_what_was_unjudged() -> None:
    """The share is that of the whole lists, the scores are those of the condensed ones."""
    condensed = ranked_from_lists({"q1": [2, 0]}, POOL, levels=LEVELS, name="long")
    found = score_runs([condensed], [P2], {P2: [BINARY]}, whole=[LONG])
    assert found.unjudged[P2].tolist() == [0.25]
    assert found.values[P2, "binary"].tolist() == [[0.5, 0.0, 0.0, 0.0]]


def test_an_oracle_is_scored_first_with_each_kind_of_gains() -> None:
    """It is made from the gains, stands first and has no share in the finding."""
    perfect = ranked_from_lists({topic: [2] for topic in POOL}, POOL, levels=LEVELS, name="oracle")
    asked: list[str] = []

    def oracle(gains: Gains) -> object:
        asked.append(gains.name)
        return perfect

    found = score(oracle=oracle)
    assert found.runs == ("oracle", "long", "short")
    assert set(asked) == {"prm", "binary"}
    assert found.values[P2, "binary"][0].tolist() == [0.5] * 4
    assert found.unjudged[P2].tolist() == [0.0, 0.25, 0.0]
    assert "1 of 2 runs" in found.findings[0].message


def test_mean_and_error_by_hand() -> None:
    """0.1, 0.3, 0.8: mean 0.4, deviation sqrt(0.13), error over sqrt(3); one topic has no error."""
    mean, error = mean_and_error(np.array([[0.1, 0.3, 0.8], [0.5, 0.5, 0.5]]))
    assert mean == pytest.approx([0.4, 0.5])
    assert error == pytest.approx([np.sqrt(0.13 / 3), 0.0])
    single = mean_and_error(np.array([[0.1]]))
    assert single[0].tolist() == [0.1]
    assert np.isnan(single[1]).all()


def test_bounds_of_unjudged_documents() -> None:
    """Worth nothing, or as much as the best level; the other gains stay."""
    low, high = bound_unjudged(Gains(LEVELS, np.array([0.1, 0.8, 0.45]), unjudged=0.3))
    assert (low.unjudged, high.unjudged) == (0.0, 0.8)
    assert low.values.tolist() == high.values.tolist() == [0.1, 0.8, 0.45]


def test_what_cannot_be_scored() -> None:
    """No runs, or no topic left."""
    with pytest.raises(CallError, match="No runs were given"):
        score_runs([], [P2], {P2: [PRM]})
    empty = ranked_from_lists({"q2": [0]}, POOL, levels=LEVELS)
    with pytest.raises(DataError, match="No topic is left to score"):
        score_runs([empty], [P2], {P2: [PRM]}, relevance=TOP, topics="common", no_relevant="skip")


TRUTH = {f"q{t}": {"a": 1, "b": 0, "c": 2} for t in range(6)}
RUNS = {"new/../x": {t: {"a": 2.0, "b": 1.0} for t in TRUTH}, "old": {t: {"b": 2.0, "c": 1.0} for t in TRUTH}}


@given(st.text(max_size=300), st.text(max_size=20))
def test_every_name_is_plain(measure: str, gains: str) -> None:
    """Whatever the texts are, the name holds letters, digits, _, - and single points, and is no path."""
    name = name_metric(measure, gains)
    assert re.fullmatch(r"[0-9A-Za-z_.-]+", name)
    assert ".." not in name.replace("_.", "").replace("._", "") or name.count("..") == 0


@given(st.lists(st.text(max_size=8), unique=True))
def test_names_stay_apart(texts: list[str]) -> None:
    """Different runs have different names."""
    assert len(set(tell_apart_names(texts).values())) == len(texts)


def test_equal_names_are_counted() -> None:
    """Measures whose plain names are the same get _2, _3 and so on."""
    values = {(measure, "prm"): {"run": 0.5} for measure in ("P@5", "P at 5", "P_at_5")}
    assert list(list_metrics(values, ["run"])) == ["P_at_5.prm", "P_at_5.prm_2", "P_at_5.prm_3"]


def test_scores_by_name() -> None:
    """One run has the names of its measures; several have the run's name and a slash before them."""
    table = gs.score(TRUTH, RUNS, ["nDCG@10", "nDCG(discount='zipf')@2"], gains=["linear", "binary"])
    old = table.metrics("old")
    assert list(old) == [
        *("nDCG_at_10.linear", "nDCG_at_10.binary"),
        *("nDCG_discount_zipf_at_2.linear", "nDCG_discount_zipf_at_2.binary"),
    ]
    assert old["nDCG_at_10.linear"] == table.means("old")["nDCG@10 linear"]
    assert {name.partition("/")[0] for name in table.metrics()} == {"new_._x", "old"}
    with pytest.raises(CallError, match="There is no run 'odl'"):
        table.metrics("odl")
