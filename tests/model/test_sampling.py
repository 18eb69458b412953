"""A second round sampled with known probabilities, weighed by their inverse."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import gainsayer as gs
from gainsayer.errors import CallError, DataError
from gainsayer.model.estimate import Estimator

Make = Callable[..., gs.Judgments]


def biased_rows() -> list[tuple[str, str, str, str]]:
    """One topic: 100 documents of level 0, of which every tenth is judged again; 20 of level 1, all of them."""
    rows = [("q", f"n{place}", "A", "0") for place in range(100)]
    rows += [("q", f"n{place}", "B", "1" if place < 20 else "0") for place in range(0, 100, 10)]
    for place in range(20):
        rows += [("q", f"r{place}", "A", "1"), ("q", f"r{place}", "B", "1" if place < 12 else "0")]
    return rows


def test_observed_shares_repair_the_symmetric_estimate(judge: Make) -> None:
    """Weights 1/pi restore the counts of a full second round (T6): 2 of 10 level-0 pairs stand for 20 of 100."""
    judgments = judge(biased_rows())
    weighed = gs.model.weigh_second_round(judgments, "observed")
    np.testing.assert_allclose(gs.count_pairs(weighed).matrix, [[80, 20], [8, 12]])
    given = gs.model.weigh_second_round(judgments, {"0": 0.1, "1": 1.0})
    np.testing.assert_allclose(gs.count_pairs(given).matrix, [[80, 20], [8, 12]])
    disagreement = gs.estimate_disagreement(gs.count_pairs(weighed), estimator="symmetric")
    assert gs.predict_relevance(disagreement).probability == pytest.approx([28 / 188, 24 / 52])


def test_sampling_faults_are_named(judge: Make) -> None:
    """A level without probability, a probability of 0, a level never judged again."""
    judgments = judge(biased_rows())
    with pytest.raises(CallError, match="probability of level 0 as well"):
        gs.model.weigh_second_round(judgments, {"1": 1.0})
    with pytest.raises(CallError, match=r"level '0' must be above 0 and at most 1, found 0"):
        gs.model.weigh_second_round(judgments, {"0": 0.0, "1": 1.0})
    unseen = judge([row for row in biased_rows() if not (row[2] == "B" and row[1].startswith("n"))])
    with pytest.raises(DataError, match=r"No document with first label 0 was judged again.*one-sided"):
        gs.model.weigh_second_round(unseen, "observed")


def test_only_topics_with_a_second_round_say_which_share_was_drawn(judge: Make) -> None:
    """A topic that nobody judged again takes no part: 1 of 2 level-0 documents of q1 weighs 2, whatever q2 holds."""
    rows = [("q1", "a", "A", "0"), ("q1", "b", "A", "0"), ("q1", "a", "B", "1"), ("q1", "c", "A", "1")]
    rows += [("q1", "c", "B", "1"), *(("q2", f"d{n}", "A", "0") for n in range(7))]
    weighed = gs.model.weigh_second_round(judge(rows), "observed")
    assert weighed.weight is not None
    assert sorted(weighed.weight.tolist()) == [1.0] * 11 + [2.0]
    assert gs.count_pairs(weighed).matrix.tolist() == [[0, 2], [0, 1]]


def test_weights_multiply_what_is_there(judge: Make) -> None:
    """A judgment that weighs 3 already, drawn with probability 1/4, weighs 12; documents without first label stay."""
    rows = [("q", "a", "A", "0"), ("q", "a", "B", "1"), ("q", "z", "B", "1")]
    weighed = gs.model.weigh_second_round(judge(rows, columns={"weight": [2.0, 3.0, 5.0]}), {"0": 0.25})
    assert weighed.weight is not None
    assert weighed.weight.tolist() == [2.0, 12.0, 5.0]


def test_what_sampling_needs(judge: Make) -> None:
    """Two sides, one first label for each document, probabilities of at most 1."""
    three = judge([("q", "d", name, "0") for name in "ABC"] + [("q", "e", "A", "1")])
    with pytest.raises(CallError, match="needs two sides"):
        gs.model.weigh_second_round(three, "observed")
    with pytest.raises(DataError, match="several first labels"):
        gs.model.weigh_second_round(three, "observed", first=["A", "B"])
    with pytest.raises(CallError, match=r"level '1' must be above 0 and at most 1, found 1\.5"):
        gs.model.weigh_second_round(three, {"1": 1.5}, first=["A"])


PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 1), st.integers(0, 1)), min_size=3, max_size=40)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(PAIRS, st.floats(-2, 2), st.sampled_from(["symmetric", "one-sided"]))
@example([(0, 1, 0), (1, 0, 0), (2, 1, 1)], 1.8, "symmetric")
def test_an_interval_holds_its_estimate_whatever_the_weights(
    judge: Make, pairs: list[tuple[int, int, int]], power: float, estimator: Estimator
) -> None:
    """Also where the outcome with fewer readings is the heavier one, and a level weighs a hundred times another."""
    rows, weights = [], []
    for place, (topic, first, second) in enumerate(pairs):
        rows += [(f"q{topic}", f"d{place}", "A", str(first)), (f"q{topic}", f"d{place}", "B", str(second))]
        weights += [1.0, 10.0 ** (power * first)]
    judgments = judge(rows, levels=gs.Levels(("0", "1")), columns={"weight": weights})
    counts = gs.count_pairs(judgments, first=["A"], second=["B"])
    found = gs.predict_relevance(gs.estimate_disagreement(counts, estimator=estimator))
    low, high = found.interval.ends.T
    inside = (low <= found.probability + 1e-12) & (found.probability <= high + 1e-12)
    assert np.all(inside | np.isnan(low))
