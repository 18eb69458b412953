"""Families: each one scores, keeps its bounds, says truly what it can take; parameters, and families of one's own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from tests.scoring.level_lists import BINARY, LEVELS, draw_lists

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.measures import (
    DISCOUNTS,
    FAMILIES,
    USER_PARAMETERS,
    Family,
    Linear,
    Measure,
    add_family,
    choice,
    number,
    parse_measure,
)
from gainsayer.ranking import RankedLevels, ranked_from_lists

HIGH = Gains(LEVELS, np.array([0.0, 2.0, 5.0]), name="linear")


def default(name: str) -> Measure:
    """The measure with a depth where it needs one."""
    return parse_measure(FAMILIES[name].example.replace("@10", "@5"))


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_scores_lists_of_0_and_1(name: str) -> None:
    """One finite number per topic, between 0 and 1 where it is a share, 0 for a topic that the run lacks."""
    case = draw_lists(3)
    found = default(name).score(case.ranked, BINARY)
    assert found.shape == (6,)
    assert np.isfinite(found).all()
    assert (found >= 0).all()
    if FAMILIES[name].up_to_one or name in ("Judged", "Unjudged"):
        assert (found <= 1 + 1e-12).all()
    if name != "PoolRel":
        assert found[-1] == 0


@pytest.mark.parametrize("name", FAMILIES)
def test_gains_beyond_one_are_taken_where_the_family_says_so(name: str) -> None:
    """Measures that count relevant documents refuse gains of 5; the others take them."""
    case, measure = draw_lists(3), default(name)
    if measure.family.needs in ("probabilities", "binary"):
        with pytest.raises(CallError, match=r"needs gains between 0 and 1|needs 0/1 gains"):
            measure.score(case.ranked, HIGH)
    else:
        assert np.isfinite(measure.score(case.ranked, HIGH)).all()


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if family.linear])
def test_linear_families_are_linear(name: str) -> None:
    """Half the gains give half the score, or the same where the score is a share of an ideal."""
    case, measure = draw_lists(4), default(name)
    whole = measure.score(case.ranked, BINARY)
    half = measure.score(case.ranked, Gains(LEVELS, BINARY.values / 2, name="half"))
    if name in ("R", "nDCG"):
        assert half == pytest.approx(whole)
    elif name not in ("F1", "SetF", "SetRelP"):
        assert half == pytest.approx(whole / 2)


@pytest.mark.parametrize("discount", ["log2", "zipf", "none"])
def test_discounts_reach_dcg_and_ndcg(discount: str) -> None:
    """One relevant document at rank 2 of a list, one in the pool: DCG is c(2), nDCG c(2) / c(1)."""
    from gainsayer.ranking import ranked_from_lists

    ranked = ranked_from_lists({"q": [0, 1]}, {"q": [1, 1, 0]}, levels=LEVELS)
    expected = {"log2": 1 / np.log2(3), "zipf": 0.5, "none": 1.0}[discount]
    for name in ("DCG", "nDCG"):
        assert parse_measure(f"{name}(discount='{discount}')").score(ranked, BINARY) == pytest.approx([expected])
    users = parse_measure(f"nDCG(discount='{discount}',users='independent')")
    assert users.score(ranked, BINARY) == pytest.approx([expected])


def nothing(*_: object, **__: object) -> np.ndarray:
    """A score that nobody asks for."""
    return np.zeros(1)


def test_parameters_follow_from_what_a_family_needs() -> None:
    """A family's own parameters come first; rel= goes with those that count relevant documents."""
    beta = number(1.0, 0, 5)
    names = {
        needs: list(Family("X", "about", nothing, needs, parameters={"beta": beta}).all_parameters) for needs in NEEDS
    }
    assert names == {
        "probabilities": ["beta", "judged_only", "rel"],
        "binary": ["beta", "judged_only", "rel"],
        "any": ["beta", "judged_only"],
        "nothing": ["beta"],
    }
    defaults = {name: parameter.default for name, parameter in USER_PARAMETERS.items()}
    assert defaults == {"users": None, "condition_on_relevant": False, "sample": 1000, "seed": 0}


NEEDS = ("probabilities", "binary", "any", "nothing")


def test_values_of_parameters() -> None:
    """Names among others, numbers between others; truth is no number."""
    assert [choice("a", "b").allows(value) for value in ("a", "b", "c", 1)] == [True, True, False, False]
    assert (choice("a", "b").default, choice("a", "b", "c").words) == ("a", "a, b or c")
    assert [number(1, 0, 2).allows(value) for value in (0, 0.1, 2, True, "1", None)] == [
        False,
        True,
        False,
        False,
        False,
        False,
    ]
    assert [number(1, 0, 2, ends=True).allows(value) for value in (0, 2, 2.1)] == [True, True, False]
    assert number(1, 0, float("inf")).words == "a number above 0"
    assert number(1, 0, 2, ends=True).words == "a number from 0 to 2"


def test_a_family_is_computed_in_one_way() -> None:
    """By a function or by what it declares."""
    assert Family("X", "about", linear=Linear).score is None
    for both in ({}, {"score": nothing, "linear": Linear}):
        with pytest.raises(CallError, match="one of the two"):
            Family("X", "about", **both)


def test_discounts_by_name() -> None:
    """Rank 3 weighs a half, a third or 1."""
    assert [float(discount(np.array([3.0]))[0]) for discount in DISCOUNTS.values()] == [0.5, 1 / 3, 1.0]
    assert list(DISCOUNTS) == ["log2", "zipf", "none"]


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
    """A family is added under a name of its own."""
    with pytest.raises(CallError, match="There is a measure ndcg already"):
        add_family(Family("ndcg", "mine", linear=halving))


def test_set_measures_by_hand() -> None:
    """Four documents, three relevant, of five in the pool: SetP 3/4, SetRelP 3/4, SetF 6/9, SetF(beta=2) 9/14."""
    ranked = ranked_from_lists({"q": [1, 0, 1, 1]}, {"q": [2, 5]})
    gains = Gains(ranked.levels, np.array([0.0, 1.0]), name="binary")
    expected = {"SetP": 3 / 4, "SetRelP": 3 / 4, "SetF": 6 / 9, "SetF(beta=2)": 9 / 14, "SetAP": 9 / 20, "SetR": 3 / 5}
    assert {name: score(name, ranked, gains) for name in expected} == pytest.approx(expected)


def score(name: str, ranked: RankedLevels, gains: Gains) -> float:
    """The score of the only topic."""
    return float(parse_measure(name).score(ranked, gains)[0])
