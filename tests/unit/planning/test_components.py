"""Components of second opinions: recovered from simulated pilots, filled where nobody judged."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.errors import CallError
from gainsayer.levels import Levels
from gainsayer.planning import default_probabilities, estimate_components, estimate_deviation, fill_components

LEVELS = Levels(("0", "1", "2"))


def test_components_of_beta_binomial_topics_are_recovered() -> None:
    """Topics with p from a beta distribution have its mean, and its intraclass correlation 1 / (a + b + 1)."""
    generator = np.random.default_rng(4)
    a, b = np.array([1.0, 2.0]), np.array([9.0, 2.0])
    topics = 4000
    p = generator.beta(a, b, size=(topics, 2))
    judged = generator.integers(1, 20, size=(topics, 2)).astype(float)
    found = estimate_components(generator.binomial(judged.astype(int), p).astype(float), judged)
    assert found.probability == pytest.approx(a / (a + b), abs=0.01)
    assert found.intraclass == pytest.approx(1 / (a + b + 1), abs=0.02)
    assert abs(found.covariance[0, 1]) < 0.003


def test_topics_lenient_on_all_levels_have_covariances() -> None:
    """Where one number per topic shifts both levels, Omega's corners are equal."""
    generator = np.random.default_rng(5)
    shift = generator.choice([-0.2, 0.2], size=3000)
    p = np.array([0.3, 0.6]) + shift[:, None]
    judged = np.full((3000, 2), 12.0)
    found = estimate_components(generator.binomial(12, p).astype(float), judged)
    assert found.covariance == pytest.approx(np.full((2, 2), 0.04), abs=0.004)


def test_a_level_on_which_all_agreed_keeps_a_variance() -> None:
    """A pilot in which nothing was relevant does not mean that nothing need be judged."""
    judged = np.full((10, 1), 3.0)
    assert estimate_components(np.zeros((10, 1)), judged).within[0] > 0
    assert estimate_components(judged, judged).within[0] > 0


def test_levels_nobody_judged_take_defaults_and_guesses_come_first() -> None:
    """Pilot where it tells, a guess where one is given, else evenly spaced defaults; Omega is complete."""
    relevant, judged = np.array([[1.0, 0.0, 0.0]] * 12), np.array([[4.0, 4.0, 0.0]] * 12)
    found = fill_components(LEVELS, estimate_components(relevant, judged), guesses={"1": 0.4})
    assert found.source == ("pilot", "guess", "default")
    assert found.probability == pytest.approx([0.25, 0.4, 0.8])
    assert np.isfinite(found.covariance).all()
    assert np.linalg.eigvalsh(found.covariance).min() >= -1e-12


def test_without_a_pilot_everything_is_guessed() -> None:
    """p from .1 to .8, rho .35, correlation .7 between levels."""
    found = fill_components(LEVELS)
    own = np.sqrt(np.diag(found.covariance))
    assert found.probability == pytest.approx([0.1, 0.45, 0.8])
    assert found.intraclass == pytest.approx([0.35] * 3)
    assert found.covariance[0, 2] / own[0] / own[2] == pytest.approx(0.7)
    assert default_probabilities(1).tolist() == [0.45]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"guesses": {"1": 1.0}}, r"p\(R\|1\)"), ({"intraclass": 1.0}, "intraclass"), ({"guesses": {"9": 0.5}}, "9")],
)
def test_guesses_that_cannot_be_are_refused(options: dict[str, object], message: str) -> None:
    """No probability of 1, no correlation of 1, no unknown level."""
    with pytest.raises(CallError, match=message):
        fill_components(LEVELS, **options)  # type: ignore[arg-type]


def test_people_differ_by_more_than_chance_or_not() -> None:
    """The spread of people's shares less what chance alone gives: none for equal people, and three are too few."""
    generator = np.random.default_rng(6)
    judged = np.full((400, 1), 50.0)
    same = generator.binomial(50, 0.4, size=(400, 1)).astype(float)
    apart = generator.binomial(50, generator.choice([0.2, 0.6], size=(400, 1))).astype(float)
    assert estimate_deviation(same, judged)[0] < 0.03  # type: ignore[index]
    assert estimate_deviation(apart, judged)[0] == pytest.approx(0.2, abs=0.02)  # type: ignore[index]
    assert estimate_deviation(same[:3], judged[:3]) is None
