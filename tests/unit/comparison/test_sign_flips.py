"""Sign patterns: how many, and the largest t they make."""

from __future__ import annotations

from gainsayer.comparison.sign_flips import FEWEST_FLIPS, SignFlips


def test_very_many_pairs_have_fewer_flips_and_say_how_many() -> None:
    """200,000 pairs of fifty topics get as many sign patterns as the work allows, never fewer than a thousand."""
    assert SignFlips(50, 200_000, flips=10_000, seed=0).finish().patterns == 3_000
    assert SignFlips(50, 10**9, flips=10_000, seed=0).finish().patterns == FEWEST_FLIPS
    assert SignFlips(50, 1_000, flips=10_000, seed=0).finish().patterns == 10_000
