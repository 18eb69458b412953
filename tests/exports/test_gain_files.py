"""Gains for other evaluators: labels to be written, maps that read back, scaled qrels and what their rounding costs."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainsayer.errors import CallError, DataError
from gainsayer.exports import (
    bound_error,
    level_gains,
    scale_gains,
    take_labels,
    write_gain_json,
    write_ir_measures_gains,
    write_scaled_qrels,
    write_trec_eval_gains,
)
from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.reading import Judgments, read_judgments

Judge = Callable[..., Judgments]
LEVELS = Levels(("0", "1", "2", "3"))


def exact_ndcg(ranked: np.ndarray, pool: np.ndarray, *, depth: int | None) -> float:
    """nDCG of one topic in the plainest way, eq. (12): gains by rank, over those of the best list."""

    def total(gains: np.ndarray) -> float:
        return float(sum(gain / np.log2(rank + 1) for rank, gain in enumerate(gains[:depth], start=1)))

    ideal = total(np.sort(pool)[::-1])
    return total(ranked) / ideal if ideal > 0 else 0.0


def label(*topics: list[int]) -> Judgments:
    """Labels of one assessor: each topic a list of levels, documents d0, d1, ..."""
    table = {f"q{place}": {f"d{i}": level for i, level in enumerate(part)} for place, part in enumerate(topics)}
    return read_judgments({"U1": table}, levels=LEVELS)


def test_lines_are_qrels_and_read_back_the_same() -> None:
    """Every label becomes one line of four columns, its level max(1, round(1000 g))."""
    labels = label([0, 3, 2], [1])
    text = write_scaled_qrels(labels, Gains(LEVELS, np.array([0.0, 0.04, 0.2746, 0.53])))
    assert text == "q0 0 d0 1\nq0 0 d1 530\nq0 0 d2 275\nq1 0 d0 40\n"


def test_gain_zero_becomes_one_over_scale() -> None:
    """A judged document never becomes 0, which trec_eval takes for unjudged."""
    assert scale_gains(np.array([0.0, 1e-9, 0.0006, 1.0])).tolist() == [1, 1, 1, 1000]
    assert scale_gains(np.array([0.0, 0.5]), scale=1).tolist() == [1, 1]


@settings(max_examples=300, deadline=None)
@given(
    gains=st.lists(st.one_of(st.just(0.0), st.floats(1e-4, 1.0)), min_size=4, max_size=4),
    levels=st.lists(st.integers(0, 3), min_size=1, max_size=25),
    scale=st.sampled_from([1, 5, 30, 1000, 10**6]),
    depth=st.one_of(st.none(), st.integers(1, 30)),
    order=st.randoms(use_true_random=False),
    unjudged=st.integers(0, 4),
)
def test_the_bound_holds_for_any_list(
    gains: list[float], levels: list[int], scale: int, depth: int | None, order: object, unjudged: int
) -> None:
    """No list, at no depth, with no gains, lies further from exact nDCG than the bound."""
    worth = np.array(gains)
    bound = bound_error(label(levels), Gains(LEVELS, worth), scale=scale).worst
    ranked = [*levels, *[-1] * unjudged]
    order.shuffle(ranked)  # type: ignore[attr-defined]

    def score(values: np.ndarray) -> float:  # type: ignore[type-arg]
        return exact_ndcg(np.array([values[i] if i >= 0 else 0.0 for i in ranked]), values[levels], depth=depth)

    scaled = scale_gains(worth, scale=scale).astype(float)
    assert abs(score(scaled) - score(worth)) <= bound + 1e-12


@pytest.mark.parametrize("worth", [[0.0, 0.04, 0.27, 0.53], [0.013, 0.0417, 0.2731, 0.5319], [0.3, 0.21, 0.0044, 0.9]])
def test_the_bound_is_within_reach(worth: list[float]) -> None:
    """The bound is not idle: random lists come to within a factor of 5 of it, and it shrinks with the scale."""
    random = np.random.default_rng(7)
    gains, values = Gains(LEVELS, np.array(worth)), np.array(worth)
    scaled = scale_gains(values, scale=100).astype(float)
    levels = random.integers(0, 4, 12)
    bound = bound_error(label(levels.tolist()), gains, scale=100).worst
    seen = 0.0
    for _ in range(2000):
        ranked = random.permutation(levels)[:5]
        difference = exact_ndcg(scaled[ranked], scaled[levels], depth=5) - exact_ndcg(
            values[ranked], values[levels], depth=5
        )
        seen = max(seen, abs(difference))
    assert bound / 5 <= seen <= bound
    assert bound_error(label(levels.tolist()), gains, scale=100_000).worst < bound / 50


def test_exact_thousandths_cost_nothing() -> None:
    """Gains that are whole thousandths go through unchanged, so the bound is 0."""
    bound = bound_error(label([0, 1, 2, 3], [0, 0, 1]), Gains(LEVELS, np.array([0.01, 0.04, 0.27, 0.53])))
    assert bound.worst == pytest.approx(0, abs=1e-12)
    assert bound.worthless == 0


def test_topics_without_any_gain_are_counted() -> None:
    """Where all gains are 0 nothing can be promised: the bound is 1, and the topic is named."""
    bound = bound_error(label([3, 1], [0, 0]), Gains(LEVELS, np.array([0.0, 0.04, 0.27, 0.53])))
    assert (bound.worst, bound.topic, bound.worthless) == (1.0, "q1", 1)
    assert 0.5 <= bound.mean < 0.51


def test_what_qrels_cannot_hold_is_refused(judge: Judge) -> None:
    """Blanks in ids, negative gains, gains of unjudged documents: refused in words, nothing bent."""
    gains = Gains(Levels(("0", "1")), np.array([0.1, 0.5]))
    blank = judge([("q 1", "d\n1", "a", "0"), ("q2", "d2", "a", "1")])
    with pytest.raises(DataError, match=r"cannot hold blanks.*topic 'q 1'; document 'd\\n1'"):
        write_scaled_qrels(blank, gains)
    good = judge([("q1", "d1", "a", "0"), ("q2", "d2", "a", "1")])
    with pytest.raises(CallError, match=r"at least 0, found -0.5"):
        write_scaled_qrels(good, Gains(gains.levels, np.array([-0.5, 1.0])))
    with pytest.raises(CallError, match="cannot give unjudged documents a gain"):
        write_scaled_qrels(good, Gains(gains.levels, gains.values, unjudged=0.1))
    with pytest.raises(CallError, match="smaller scale"):
        scale_gains(np.array([1.0]), scale=10**12)
    with pytest.raises(CallError, match="above 0, found 0"):
        scale_gains(np.array([1.0]), scale=0)


GAINS = Gains(Levels(("0", "1", "2")), np.array([1 / 13, 5 / 17, 0.4]))


def test_gain_json_reads_back_exactly() -> None:
    """The JSON map has every digit, and names that need escaping come back."""
    named = Gains(Levels(('N"on', "Key\\")), np.array([1 / 3, 1e-300]))
    assert json.loads(write_gain_json(named)) == {'N"on': 1 / 3, "Key\\": 1e-300}


def test_trec_eval_levels_stand_by_increasing_gain() -> None:
    """The order is that of the gains, in plain decimals, with the codes of the qrels as levels."""
    levels = Levels(("Non", "Rel", "HRel", "Key"), codes=("0", "1", "3", "7"))
    text = write_trec_eval_gains(Gains(levels, np.array([0.21, 0.41, 0.00001, 0.48])))
    assert text == "-m ndcg.3=0.00001,0=0.21,1=0.41,7=0.48"


def test_ir_measures_gains_are_whole_and_parse() -> None:
    """ir_measures reads the measure back, with the scaled gains."""
    ir_measures = pytest.importorskip("ir_measures")
    measure = ir_measures.parse_measure(write_ir_measures_gains(GAINS))
    assert measure.params["gains"] == {0: 77, 1: 294, 2: 400}


def test_maps_need_whole_levels() -> None:
    """Names without numbers, and negative levels, are refused with a way out."""
    with pytest.raises(CallError, match="levels='Non=0,Key=1'"):
        write_trec_eval_gains(Gains(Levels(("Non", "Key")), np.array([0.0, 0.5])))
    with pytest.raises(CallError, match="whole numbers from 0, found -1, 0"):
        write_ir_measures_gains(Gains(Levels(("-1", "0")), np.array([0.0, 0.5])))


def test_one_label_per_document(judge: Judge) -> None:
    """Several assessors need a choice; repeated labels are refused; an unknown name lists the known ones."""
    both = judge([("q", "d", "a", "0"), ("q", "e", "a", "1"), ("q", "d", "b", "1")], roles=None)
    with pytest.raises(CallError, match=r"1 of 2 documents have several labels \(up to 2, from 2 assessors: a, b\)"):
        take_labels(both)
    with pytest.raises(CallError, match="no assessor 'c': the assessors are a, b"):
        take_labels(both, "c")
    assert len(take_labels(both, "b")) == 1
    twice = judge([("q", "d", "a", "0"), ("q", "d", "a", "1")], repeats="all")
    with pytest.raises(CallError, match="1 of 1 documents have several labels"):
        take_labels(twice)


def test_a_document_of_several_intents_is_named(judge: Judge) -> None:
    """Other tools know one label per document, so a document with a label for each intent is refused by its name."""
    rows = [("q", "d", "a", "0"), ("q", "d", "a", "1"), ("q", "e", "a", "1")]
    both = judge(rows, columns={"intent": ["1", "2", "1"]})
    with pytest.raises(DataError, match="several intents give 1 document more than one, such as q d"):
        take_labels(both)


def test_a_level_without_gain_is_named() -> None:
    """The message says which level lacks a gain, and which ones the gains are for."""
    gains = Gains(Levels(("0", "1")), np.array([0.1, 0.5]))
    with pytest.raises(DataError, match=r"level '2', '3', which the gains do not know: they are for 0, 1\. Give"):
        level_gains(Levels(("0", "1", "2", "3")), gains)
