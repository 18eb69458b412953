"""Intervals that allow for people: how often they hold the truth where few people judge many topics."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy.stats import binom
from tests.slow.statistics.people_worlds import PeopleWorld, cover

SLOW = os.environ.get("GAINSAYER_SLOW") == "1"
REPEATS = 200 if SLOW else 60
KINDS = ("one-sided", "symmetric", "sides", "team")


@pytest.mark.slow
@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_people_who_differ_are_allowed_for(kind: str, nested: bool) -> None:
    """Five people with strictness of sd 1 on 50 topics: scores, differences and p(R|i) are held as promised."""
    found = cover(PeopleWorld(kind, 5, 1.0, 50, nested=nested), REPEATS)
    # Two runs are scored on the same topics, so that a score's share is worth little more than one run's.
    least = binom.ppf(0.001, REPEATS, 0.92) / REPEATS
    assert found.over_people == 1.0
    held = np.array([*found.scores.values(), *found.differences.values()])
    # The symmetric estimate with a first side of one name knows nothing of the strictness behind that name.
    assert held.min() >= (binom.ppf(0.001, REPEATS, 0.88) / REPEATS if kind == "symmetric" else least), found
    assert found.fit.min() >= least, found
