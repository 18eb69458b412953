"""Sign flips of one pair at a time: all patterns, or as many at random."""

from __future__ import annotations

from itertools import product

import numpy as np

from gainsayer.comparison.randomisation import flip_signs


def test_ties_are_ties_whatever_the_order_of_adding() -> None:
    """Patterns whose sums are equal on paper count as equal: 0.1 + 0.2 against 0.3 decides nothing."""
    differences = np.array([[0.1], [0.2], [0.3], [-0.3]])
    exact = flip_signs(differences, permutations=16, seed=0)[0]
    whole = np.array([1, 2, 3, -3])
    assert exact == sum(abs(np.dot(signs, whole)) >= 3 for signs in product((1, -1), repeat=4)) / 16


def test_random_signs_approach_all_signs() -> None:
    """With 20,000 random patterns, p is within five standard errors of the share among all 2^14 patterns."""
    differences = np.random.default_rng(5).normal(0.2, 1, size=(14, 6))
    exact = flip_signs(differences, permutations=2**14, seed=0)
    random = flip_signs(differences, permutations=2**14 - 1, seed=11)
    assert np.all(np.abs(random - exact) < 5 * np.sqrt(exact * (1 - exact) / 2**14) + 1e-4)
