"""What a comparison holds: shares of variance that add up."""

from __future__ import annotations

import numpy as np
import pytest
from tests.comparison.small_worlds import LEVELS, ONE, make_replicates, small_world

from gainsayer.comparison import VarianceShares, compare_runs, find_quantities
from gainsayer.gains import Gains, prm_scheme
from gainsayer.measures import parse_measure


def test_shares_add_up_to_one() -> None:
    """What topics and parameters do not bring alone they bring together, more or less than nothing."""
    shares = VarianceShares(np.array([0.5, 0.75]), np.array([0.25, 0.5]))
    assert shares.together.tolist() == [0.25, -0.25]


def without_each(table: np.ndarray) -> np.ndarray:
    """The jackknife's variance of each column, from the replicates in its rows."""
    return np.asarray((len(table) - 1) / len(table) * ((table - table.mean(axis=0)) ** 2).sum(axis=0))


def test_the_split_of_the_variance() -> None:
    """Of log x: topics, the gains held; parameters, gains anew without each doubly judged topic; each over s^2."""
    runs, model = small_world(30, 20, seed=3)
    measure = parse_measure("P@3")
    part = compare_runs(runs, [measure], [prm_scheme(model, ONE)]).parts[0]
    left = make_replicates(runs, model, "P@3")
    joint = find_quantities(left, np.log, left.slopes).spread.topics
    topics = without_each(np.log((part.values.sum(axis=1, keepdims=True) - part.values) / 29).T)
    means = []
    for place in range(20):
        counts = np.delete(model.counts.counts, place, axis=0).sum(axis=0)
        both = counts + counts.T
        gains = Gains(LEVELS, both[:, 1:].sum(axis=1) / both.sum(axis=1))
        means.append([measure.score(run, gains).mean() for run in runs])
    parameters = without_each(np.log(np.array(means)))
    assert part.shares is not None
    assert part.shares.topics == pytest.approx(topics / joint, rel=1e-9)
    assert part.shares.parameters == pytest.approx(parameters / joint, rel=1e-9)
    assert part.shares.together == pytest.approx(1 - (topics + parameters) / joint, rel=1e-7)


def test_the_split_of_a_difference() -> None:
    """Of r = (x1 - x2) / m: the jackknife over the scored topics with the gains held, over s_r^2."""
    runs, model = small_world(30, 20, seed=3)
    part = compare_runs(runs, [parse_measure("P@3")], [prm_scheme(model, ONE)]).parts[0]
    assert part.pair_shares is not None
    assert part.differences is not None

    def relative(x: np.ndarray) -> np.ndarray:
        a, b = x[..., part.differences.a], x[..., part.differences.b]  # type: ignore[union-attr]
        return np.asarray(2 * (a - b) / (a + b))

    left = make_replicates(runs, model, "P@3")
    joint = find_quantities(left, relative, left.slopes).spread.topics
    alone = relative(((part.values.sum(axis=1, keepdims=True) - part.values) / 29).T)
    topics = without_each(alone)
    assert part.pair_shares.topics == pytest.approx(topics / joint, rel=1e-9)
    assert (part.pair_shares.parameters > 0).all()
    assert (part.pair_shares.topics > 0.5).all()
