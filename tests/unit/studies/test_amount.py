"""Growing numbers of double judgments."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.datasets import FEDWEB13_LEVELS, FEDWEB13_PAGES, simulate_collection
from gainsayer.errors import CallError
from gainsayer.levels import Levels
from gainsayer.model import PairCounts, count_pairs
from gainsayer.studies import choose_sizes, study_amount

PAGES = PairCounts.from_matrix(FEDWEB13_LEVELS, FEDWEB13_PAGES)
KEY = FEDWEB13_LEVELS.at_or_above("Key")


def test_deviation_at_all_pairs_is_the_pair_error_of_the_specification() -> None:
    """At 7,027 pairs the rounds deviate by .000699, .005689, .015309 and .021286: the pair error, eq. (23)."""
    study = study_amount(PAGES, KEY, rounds=4_000, sizes=[7_027], seed=1)
    assert study.deviation[0] == pytest.approx([0.000699, 0.005689, 0.015309, 0.021286], rel=0.05)
    assert study.mean[0] == pytest.approx(study.estimate, abs=0.002)
    assert study.estimate == pytest.approx([60 / 11_078, 48 / 1_199, 267 / 972, 430 / 805])


def test_one_sided_deviation_is_binomial() -> None:
    """One-sided, a level's second opinions are its rows: the deviation is sqrt(p (1 - p) / n), eq. (6)."""
    study = study_amount(PAGES, KEY, rounds=4_000, sizes=[7_027], estimator="one-sided", seed=1)
    matrix = np.array(FEDWEB13_PAGES)
    share = matrix[:, 3] / matrix.sum(axis=1)
    assert study.estimate == pytest.approx(share)
    assert study.deviation[0] == pytest.approx(np.sqrt(share * (1 - share) / matrix.sum(axis=1)), rel=0.06)


def test_undefined_rounds_are_counted_and_left_out_of_the_mean() -> None:
    """After n pairs a level is unseen in (1 - q)^n of the rounds, q being the share of pairs that touch it."""
    study = study_amount(PAGES, KEY, rounds=5_000, sizes=[1, 5, 20], seed=2)
    matrix = np.array(FEDWEB13_PAGES, dtype=float)
    touched = (matrix.sum(axis=0) + matrix.sum(axis=1) - np.diagonal(matrix)) / matrix.sum()
    for place, size in enumerate((1, 5, 20)):
        assert study.undefined[place] / 5_000 == pytest.approx((1 - touched) ** size, abs=0.02)
    known = study.draws[:, 2, 3][~np.isnan(study.draws[:, 2, 3])]
    assert study.mean[2, 3] == pytest.approx(known.mean())
    assert len(known) + study.undefined[2, 3] == 5_000


def test_few_pairs_make_the_symmetric_estimate_too_low() -> None:
    """After one pair p(Key|Key) is 1 where both said Key and 0 where one did: 215 of 590 on average, p / (2 - p)."""
    study = study_amount(PAGES, KEY, rounds=100_000, sizes=[1], seed=4)
    settled = 430 / 805
    assert settled / (2 - settled) == pytest.approx(215 / 590)
    assert study.mean[0, 3] == pytest.approx(215 / 590, abs=0.02)


def test_a_round_goes_on_from_what_it_had() -> None:
    """A level that a round has seen stays seen, and one more pair moves an estimate of n opinions by at most 2 / n."""
    study = study_amount(PAGES, KEY, rounds=200, sizes=[50, 51], seed=3)
    before, after = study.draws[:, 0], study.draws[:, 1]
    assert not np.any(np.isnan(after) & ~np.isnan(before))
    assert np.abs(after - before)[:, 0].max() <= 2 / 50


def test_same_seed_same_numbers() -> None:
    """The seed decides the draws."""
    one, again, other = (study_amount(PAGES, KEY, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.draws, again.draws, equal_nan=True)
    assert not np.array_equal(one.draws, other.draws, equal_nan=True)
    assert one.rounds == 50
    assert (one.sizes[0], one.sizes[-1], len(one.sizes)) == (10, 7_027, 25)


def test_fractional_weights_are_drawn_in_proportion() -> None:
    """Half a pair is drawn half as often: the mean approaches the weighted share."""
    levels = Levels(("0", "1"))
    counts = PairCounts.from_matrix(levels, [[1.5, 0.5], [0.25, 0.75]])
    study = study_amount(counts, levels.at_or_above("1"), estimator="one-sided", sizes=[20_000])
    assert study.mean[0] == pytest.approx([0.25, 0.75], abs=0.01)


def test_assessors_without_sides_are_drawn_as_unordered_pairs() -> None:
    """With three assessors and no sides the mean approaches the estimate from all pairs."""
    collection = simulate_collection(topics=10, documents=50, assessors=4, seed=1)
    counts = count_pairs(collection.judgments)
    study = study_amount(counts, counts.levels.at_or_above("Rel"), sizes=[50_000])
    assert not counts.directed
    assert study.mean[0] == pytest.approx(study.estimate, abs=0.01)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rounds": 0}, "The number of rounds must lie between 1 and 1,000,000, found 0"),
        ({"sizes": [0, 10]}, r"Numbers of pairs must lie between 1 and .*, found \[0, 10\]"),
        ({"sizes": []}, "Numbers of pairs must lie between 1"),
        ({"seed": -1}, "The seed must be a whole number of at least 0"),
        ({"rounds": 10**6}, "would take too much memory. Look at fewer sizes"),
    ],
)
def test_bad_calls_are_refused(options: dict[str, object], words: str) -> None:
    """What cannot be drawn is refused in words."""
    with pytest.raises(CallError, match=words):
        study_amount(PAGES, KEY, **options)  # type: ignore[arg-type]


def test_a_hundred_levels_are_looked_at_at_fewer_sizes() -> None:
    """Memory grows with the square of the levels: the sizes chosen here become fewer, up to all pairs."""
    levels = Levels(tuple(map(str, range(100))))
    counts = PairCounts.from_matrix(levels, np.eye(100, dtype=np.int64) * 50)
    study = study_amount(counts, levels.at_or_above("50"))
    assert 5 <= len(study.sizes) <= 10
    assert study.sizes[-1] == counts.pairs


def test_sizes_beyond_the_pairs_may_be_asked_for() -> None:
    """The grid ends where it is asked to, be that more than there is."""
    assert choose_sizes(100, most=5_000)[-1] == 5_000
    with pytest.raises(CallError, match=r"Between 1 and .* pairs may be drawn, found 0"):
        choose_sizes(100, most=0)
