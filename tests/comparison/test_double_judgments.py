"""What the double judgments of single topics bring."""

from __future__ import annotations

import numpy as np
import pytest
from tests.comparison.small_worlds import BINARY, LEVELS, ONE, random_model

from gainsayer.comparison import find_basis, find_moves, hold_gains, leave_out_pairs
from gainsayer.errors import CallError
from gainsayer.gains import prm_scheme
from gainsayer.model import PairCounts, Smoothing, estimate_disagreement


@pytest.mark.parametrize("smoothing", [None, Smoothing("uniform"), Smoothing("isotonic")])
def test_moves_are_gains_without_a_topic(smoothing: Smoothing | None) -> None:
    """From a topic's own pairs and the total: the gains that leaving it out gives, less those of all topics."""
    counts = np.random.default_rng(4).integers(0, 6, (30, 3, 3))
    counts[1:, 2], counts[1:, :, 2] = 0, 0  # level 2 in one topic alone
    model = estimate_disagreement(PairCounts.from_matrix(LEVELS, counts), estimator="symmetric", smoothing=smoothing)
    scheme = prm_scheme(model, ONE)
    basis = find_basis([scheme, BINARY], 50)
    some = [3, 0, 17]
    found = find_moves(scheme, [basis.topics[at] for at in some], basis.pairs[some], basis.total)
    moving = (scheme.gains.values > 0) & (scheme.gains.values < 1)
    expected = (leave_out_pairs(scheme).values - scheme.gains.values)[some][:, moving]
    assert found.moves == pytest.approx(expected, abs=1e-14)
    judged = model.pairs.sum(axis=2)
    assert found.shares == pytest.approx((judged / judged.sum(axis=0))[some][:, moving])


def test_rounding_of_weighted_pairs_is_no_pair() -> None:
    """Where one topic holds all of a level's pairs, what is left without it is nothing, also of sums of fractions."""
    counts = np.random.default_rng(4).uniform(0, 1, (50, 3, 3)) / 3
    counts[1:, 2] = 0
    zeros = np.zeros((3, 3, 3))
    names = tuple(f"q{at:02}" for at in range(50))
    pairs = PairCounts(LEVELS, names, counts, zeros, zeros, True, ("a",), ("b",), 50, 50, weighted=True)
    scheme = prm_scheme(estimate_disagreement(pairs, estimator="one-sided"), ONE)
    total = counts[::-1].sum(axis=0)
    found = find_moves(scheme, names, counts, total)
    assert found.moves[0, 2] == 0
    assert (found.moves[:, :2] != 0).all()


def test_given_gains_do_not_move() -> None:
    """No level moves for gains that nobody estimated, or that are held."""
    model = random_model()
    for scheme in (BINARY, hold_gains(prm_scheme(model, ONE))):
        found = find_moves(scheme, model.counts.topics, model.pairs, model.pairs.sum(axis=0))
        assert found.moves.shape == found.shares.shape == (6, 0)


def test_the_basis() -> None:
    """The pairs behind all schemes; none where one topic has them all or is scored; refused where they differ."""
    model = random_model()
    scheme = prm_scheme(model, ONE)
    found = find_basis([BINARY, scheme, prm_scheme(model, LEVELS.at_or_above("2"))], 9)
    assert found.topics == model.counts.topics
    assert found.total.tolist() == model.pairs.sum(axis=0).tolist()
    assert find_basis([BINARY], 9).topics == ()
    assert find_basis([scheme], 1).topics == ()
    assert find_basis([prm_scheme(random_model(topics=1), ONE)], 9).topics == ()
    with pytest.raises(CallError, match="must rest on the same double judgments"):
        find_basis([scheme, prm_scheme(random_model(), ONE)], 9)
