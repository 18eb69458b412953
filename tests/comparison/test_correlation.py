"""Kendall tau and AP correlation: definitions, ties, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import kendalltau, t

from gainsayer.comparison import RankCorrelation, kendall_tau, tau_ap, tau_interval
from gainsayer.errors import CallError

Coefficient = Callable[[list[float], list[float]], RankCorrelation]


def plain_tau_ap(assessed: tuple[int, ...], reference: tuple[int, ...]) -> Fraction:
    """The formula of Yilmaz et al. for two orders without ties, summed rank by rank."""
    total = Fraction(0)
    for rank in range(2, len(assessed) + 1):
        run, above = assessed[rank - 1], assessed[: rank - 1]
        agreeing = sum(reference.index(other) < reference.index(run) for other in above)
        total += Fraction(agreeing, rank - 1)
    return 2 * total / (len(assessed) - 1) - 1


def test_kendall_counts_by_hand() -> None:
    """Of the six pairs of four runs, counted by hand: one is tied in each order, three agree, one does not."""
    found = kendall_tau([4, 3, 3, 1], [2, 4, 1, 1])
    assert (found.concordant, found.discordant, found.ties_a, found.ties_b) == (3, 1, 1, 1)
    assert found.value == pytest.approx(2 / 5)


def test_tau_ap_without_ties_is_the_mean_of_the_plain_formula_in_both_directions() -> None:
    """For all orders of five runs."""
    reference = (0, 1, 2, 3, 4)
    scores = [5.0, 4.0, 3.0, 2.0, 1.0]
    for order in permutations(reference):
        assessed = [0.0] * 5
        for rank, run in enumerate(order):
            assessed[run] = 5.0 - rank
        there, back = plain_tau_ap(order, reference), plain_tau_ap(reference, order)
        assert tau_ap(assessed, scores).value == pytest.approx(float(there + back) / 2, abs=1e-14)


@pytest.mark.parametrize("ties", [False, True])
def test_equal_orders_give_one(ties: bool) -> None:
    """Both are exactly 1 for equal orders, with or without ties, and -1 for opposite ones."""
    scores = [0.3, 0.1, 0.3, 0.2, 0.1] if ties else [0.3, 0.15, 0.35, 0.2, 0.1]
    other = [value**3 for value in scores]
    assert kendall_tau(scores, other).value == 1
    assert tau_ap(scores, other).value == 1
    if not ties:
        assert kendall_tau(scores, [-value for value in other]).value == -1
        assert tau_ap(scores, [-value for value in other]).value == -1


COEFFICIENTS: dict[str, Coefficient] = {
    "tau_b": kendall_tau,
    "tau_ap": tau_ap,
}


@pytest.mark.parametrize("kind", COEFFICIENTS)
def test_no_order_no_coefficient(kind: str) -> None:
    """Runs all tied on one side, a single run, or none: the coefficient is undefined, None and not 0 (T13)."""
    coefficient = COEFFICIENTS[kind]
    for a, b in (([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]), ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]), ([1.0], [2.0]), ([], [])):
        found = coefficient(a, b)
        assert (found.value, found.n) == (None, len(a))
    assert coefficient([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]).ties_a == 3


@pytest.mark.parametrize("kind", COEFFICIENTS)
def test_values_are_plain_numbers_and_blind_to_the_order_of_runs(kind: str) -> None:
    """A value is a Python float, and listing the runs in another order leaves it as it is."""
    a, b = [0.5, 0.2, 0.2, 0.9, 0.4], [0.3, 0.3, 0.1, 0.8, 0.6]
    found = COEFFICIENTS[kind](a, b)
    assert type(found.value) is float
    assert COEFFICIENTS[kind](a[::-1], b[::-1]).value == pytest.approx(found.value, abs=1e-15)


def test_what_is_refused() -> None:
    """NaN and lists of different length are the caller's fault, and said so."""
    with pytest.raises(CallError, match="no place in an order"):
        kendall_tau([1.0, float("nan")], [1.0, 2.0])
    with pytest.raises(CallError, match=r"\(2,\) and \(3,\)"):
        tau_ap([1, 2], [1, 2, 3])


def test_ties_by_rounding_are_ties() -> None:
    """0.1 + 0.2 and 0.3 are one score: the pair is tied, as in the ranks."""
    found = kendall_tau([0.1 + 0.2, 0.3, 0.5], [1.0, 2.0, 3.0])
    assert (found.ties_a, found.concordant, found.discordant) == (1, 2, 0)


@pytest.mark.parametrize(("tau", "topics"), [(1.0, 25), (-1.0, 25), (0.5, 1), (None, 25)])
def test_no_interval_where_tau_cannot_vary(tau: float | None, topics: int) -> None:
    """Not for 1, -1, an undefined tau, or a single topic."""
    scores = np.random.default_rng(1).random((20, 5))
    assert tau_interval(tau, scores, scores[::-1], topics=topics, confidence=0.95) is None


@pytest.mark.parametrize(("tau", "topics"), [(0.4, 30), (-0.6, 2), (0.9995, 30)])
def test_the_ends_of_tau_on_the_scale_of_atanh(tau: float, topics: int) -> None:
    """tanh(atanh tau ± t sd / (1 - tau^2)), sd of scipy's tau-b over the samples; a tau beyond .999 is cut to that."""
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 4, (2, 60, 6)).astype(float)
    deviation = np.nanstd([kendalltau(one, two).statistic for one, two in zip(a, b, strict=True)], ddof=1)
    low, high = tau_interval(tau, a, b, topics=topics, confidence=0.9) or (0.0, 0.0)
    cut = min(tau, 0.999)
    half = t.ppf(0.95, topics - 1) * deviation / (1 - cut**2)
    assert (low, high) == pytest.approx((np.tanh(np.arctanh(cut) - half), np.tanh(np.arctanh(cut) + half)), abs=1e-9)
