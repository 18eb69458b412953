"""Linear measures: what a family declares is all that is needed, whoever declares it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.measures import FAMILIES, Family, Linear, add_family, parse_measure
from gainsayer.rankings import RankedLevels, ranked_from_lists


def halving(depth: int | None = None) -> Linear:
    """The first rank counts a half, the next a quarter, and so on."""
    return Linear(lambda rank: np.asarray(0.5**rank), depth)


@pytest.fixture
def half() -> Iterator[Family]:
    """A measure of a user's own, by its declaration alone: RBP with p = 1/2 under another name."""
    family = Family("Half", "half of the weight at each rank", linear=halving, up_to_one=True)
    add_family(family)
    yield family
    del FAMILIES["Half"]


def test_a_declared_measure_is_compared_by_its_profile(half: Family) -> None:
    """Scores, intervals and differences are those of RBP(p=0.5)."""
    world = gs.datasets.simulate_collection(levels=("0", "1", "2", "3"), topics=12, documents=30, seed=4)
    found = gs.compare(
        world.judgments, world.runs, ["Half@10", "RBP(p=0.5)@10"], gains="prm", threshold=2, resamples=50
    )
    own, known = found.comparison.parts
    assert own.measure.family is half
    assert own.values.tolist() == known.values.tolist()
    assert own.standings.interval.tolist() == known.standings.interval.tolist()
    assert own.differences is not None
    assert known.differences is not None
    assert own.differences.interval.tolist() == known.differences.interval.tolist()


@pytest.mark.parametrize("name", [family.example for family in FAMILIES.values() if family.linear])
def test_many_gains_at_once_score_as_one_by_one(name: str) -> None:
    """The scores of many gain vectors through level profiles are those of each vector alone."""
    random = np.random.default_rng(5)
    drawn = {f"q{topic}": random.integers(0, 4, 1 + topic).tolist() for topic in range(9)}
    lists = {topic: [None if level == 3 else level for level in levels] for topic, levels in drawn.items()}
    ranked = ranked_from_lists(lists, {topic: [9, 9, 9] for topic in lists})
    measure, values = parse_measure(name), random.random((7, 3))
    together = measure.score(ranked, Gains(ranked.levels, values, unjudged=0.1))
    apart = [measure.score(ranked, Gains(ranked.levels, each, unjudged=0.1)) for each in values]
    assert measure.linear is not None
    np.testing.assert_allclose(together, apart, rtol=0, atol=1e-12)


def test_names_are_taken_once() -> None:
    """A family is added under a name of its own, and says how it is computed in one way."""
    with pytest.raises(CallError, match="There is a measure ndcg already"):
        add_family(Family("ndcg", "mine", linear=halving))
    with pytest.raises(CallError, match="one of the two"):
        Family("Mine", "neither")


def test_set_measures_by_hand() -> None:
    """Four documents, three relevant, of five in the pool: SetP 3/4, SetRelP 3/4, SetF 6/9, SetF(beta=2) 9/14."""
    ranked = ranked_from_lists({"q": [1, 0, 1, 1]}, {"q": [2, 5]})
    gains = Gains(ranked.levels, np.array([0.0, 1.0]), name="binary")
    expected = {"SetP": 3 / 4, "SetRelP": 3 / 4, "SetF": 6 / 9, "SetF(beta=2)": 9 / 14, "SetAP": 9 / 20, "SetR": 3 / 5}
    assert {name: score(name, ranked, gains) for name in expected} == pytest.approx(expected)


def score(name: str, ranked: RankedLevels, gains: Gains) -> float:
    """The score of the only topic."""
    return float(parse_measure(name).score(ranked, gains)[0])
