"""What a comparison can be asked for."""

from __future__ import annotations

import pytest
from tests.comparison.small_worlds import BINARY, LEVELS, ONE, random_model

from gainsayer.comparison import CompareOptions, list_parts, list_schemes
from gainsayer.errors import CallError
from gainsayer.gains import Scheme, linear_gains, prm_scheme
from gainsayer.measures import parse_measure

PRECISION, RANK = parse_measure("P@3"), parse_measure("RR")


def test_parts_are_measures_with_schemes() -> None:
    """Every measure with every scheme, or with its own; equal names are told apart by their thresholds."""
    model = random_model()
    schemes = [prm_scheme(model, ONE), prm_scheme(model, LEVELS.at_or_above("2")), BINARY]
    parts = list_parts([PRECISION, RANK], schemes)
    assert [(str(part.measure), part.gains.name) for part in parts] == [
        (measure, gains) for measure in ("P@3", "RR") for gains in ("prm (1)", "prm (2)", "binary")
    ]
    assert [part.scheme for part in parts[:3]] == schemes
    linear = Scheme(linear_gains(LEVELS))
    of_measure = {PRECISION: [BINARY, linear], RANK: [BINARY]}
    assert [(part.measure, part.scheme) for part in list_parts([PRECISION, RANK], of_measure)] == [
        (PRECISION, BINARY),
        (PRECISION, linear),
        (RANK, BINARY),
    ]
    assert list_schemes([RANK, PRECISION], of_measure) == [BINARY, linear]


def test_random_users_pass_over_gains_that_are_no_probabilities() -> None:
    """A measure of random users is scored with probabilities where there are any."""
    users = parse_measure("RR(users=independent)")
    assert users.users is not None
    found = list_parts([users, PRECISION], [prm_scheme(random_model(), ONE), Scheme(linear_gains(LEVELS))])
    assert [(part.measure, part.gains.name) for part in found] == [
        (users, "prm"),
        (PRECISION, "prm"),
        (PRECISION, "linear"),
    ]


def test_nothing_to_compare() -> None:
    """No measure, no scheme, and the same gains twice are refused."""
    for measures, schemes in (([], [BINARY]), ([PRECISION], [])):
        with pytest.raises(CallError, match="at least one measure and one kind of gains"):
            list_parts(measures, schemes)
    with pytest.raises(CallError, match="were asked for twice"):
        list_parts([PRECISION], [BINARY, BINARY])


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"confidence": 1.0}, "onfidence"),
        ({"margin": 0.0}, "The margin is the smallest difference that matters"),
        ({"permutations": 0}, "number of permutations"),
        ({"draws": 1}, "number of resamples"),
        ({"seed": -1}, "seed"),
        ({"adjust": "holm"}, "The joint test is adjusted for all pairs in one step"),
    ],
)
def test_options_that_are_none(asked: dict[str, object], words: str) -> None:
    """Each is refused when the options are made."""
    with pytest.raises(CallError, match=words):
        CompareOptions(**asked)  # type: ignore[arg-type]


def test_the_baseline_is_one_of_the_runs() -> None:
    """Its place among them; none without a baseline; another name is refused with the nearest."""
    assert CompareOptions(baseline="b").find_baseline(["a", "b"]) == 1
    assert CompareOptions().find_baseline(["a", "b"]) is None
    with pytest.raises(CallError, match=r"There is no run 'bn25'.*bm25"):
        CompareOptions(baseline="bn25").find_baseline(["bm25", "dense"])
