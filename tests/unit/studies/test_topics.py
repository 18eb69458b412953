"""The topic bootstrap, and what a boxplot of it draws."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.datasets import FEDWEB13_LEVELS, FEDWEB13_PAGES, draw_pair_counts, twenty_documents
from gainsayer.errors import CallError, DataError
from gainsayer.levels import Levels
from gainsayer.model import PairCounts, count_pairs, estimate_disagreement
from gainsayer.studies import make_boxes, study_topics

BINARY = Levels(("0", "1"))


def test_same_seed_same_numbers_and_another_seed_others() -> None:
    """The seed decides the draws, and is recorded."""
    counts = draw_pair_counts(FEDWEB13_PAGES, topics=10, pairs_per_topic=100, seed=1)[0]
    disagreement = estimate_disagreement(PairCounts.from_matrix(FEDWEB13_LEVELS, counts))
    top = FEDWEB13_LEVELS.at_or_above("Key")
    one, again, other = (study_topics(disagreement, top, draws=50, seed=seed) for seed in (3, 3, 4))
    assert np.array_equal(one.draws, again.draws, equal_nan=True)
    assert not np.array_equal(one.draws, other.draws, equal_nan=True)
    assert (one.seed, other.seed) == (3, 4)


def test_deviation_is_that_of_all_possible_draws() -> None:
    """With three topics all 27 draws can be listed: their mean and deviation are what many random draws approach."""
    tables = np.array([[[6, 2], [1, 3]], [[9, 1], [2, 8]], [[5, 3], [1, 1]]], dtype=float)
    counts = PairCounts.from_matrix(BINARY, tables)
    study = study_topics(estimate_disagreement(counts), BINARY.at_or_above("1"), draws=40_000, seed=1)
    both = tables + tables.transpose(0, 2, 1)
    every = []
    for draw in np.ndindex(3, 3, 3):
        total = both[list(draw)].sum(axis=0)
        every.append(total[:, 1] / total.sum(axis=1))
    assert study.mean == pytest.approx(np.mean(every, axis=0), abs=0.002)
    assert study.deviation == pytest.approx(np.std(every, axis=0), rel=0.03)
    assert study.estimate == pytest.approx([10 / 50, 24 / 34])


def test_draws_without_a_level_are_counted_and_left_out() -> None:
    """A level in one of three topics is missing from (2/3)^3 of the draws; its deviation is not known."""
    counts = PairCounts.from_matrix(BINARY, [[[6, 0], [0, 3]], [[9, 0], [0, 0]], [[5, 0], [0, 0]]])
    study = study_topics(estimate_disagreement(counts), BINARY.at_or_above("1"), draws=9_000, seed=2)
    assert study.undefined[0] == 0
    assert study.undefined[1] / 9_000 == pytest.approx((2 / 3) ** 3, abs=0.02)
    assert study.mean[1] == 1.0
    assert np.isnan(study.deviation[1])
    assert study.notes[1] == "seen in one topic: no error over topics"


def test_one_topic_is_refused_in_words() -> None:
    """Drawing a single topic again and again says nothing, and is not shown as certainty."""
    disagreement = estimate_disagreement(count_pairs(twenty_documents()))
    with pytest.raises(DataError, match="All 20 pairs come from one topic, 'q1': drawing it again says nothing"):
        study_topics(disagreement, disagreement.levels.at_or_above("2"))


@pytest.mark.parametrize(("draws", "seed"), [(0, 0), (10, -1)])
def test_bad_calls_are_refused(draws: int, seed: int) -> None:
    """No draws and negative seeds are refused."""
    counts = PairCounts.from_matrix(BINARY, [[[6, 2], [1, 3]], [[9, 1], [2, 8]]])
    with pytest.raises(CallError):
        study_topics(estimate_disagreement(counts), BINARY.at_or_above("1"), draws=draws, seed=seed)


def test_boxes_are_those_of_numpy_and_tukey() -> None:
    """Quartiles are NumPy's; whiskers end at the last draw within 1.5 box lengths; undefined draws play no part."""
    draws = np.random.default_rng(5).standard_t(2, size=(501, 2))
    draws[7, 0] = np.nan
    boxes = make_boxes(draws)
    for level in range(2):
        low, middle, high = np.nanquantile(draws[:, level], [0.25, 0.5, 0.75])
        assert (boxes.low_quartile[level], boxes.median[level], boxes.high_quartile[level]) == (low, middle, high)
        beyond = draws[:, level] > boxes.high_whisker[level]
        assert np.all(draws[beyond, level] > high + 1.5 * (high - low))
        assert boxes.high_whisker[level] <= high + 1.5 * (high - low)
        assert boxes.lowest[level] == np.nanmin(draws[:, level])
    assert np.isnan(make_boxes(np.full((3, 1), np.nan)).median[0])
