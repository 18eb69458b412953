"""The latent model: its exact truth, and what it refuses."""

import numpy as np
import pytest

from gainsayer.datasets import LatentModel, Truth, rectangle_probabilities
from gainsayer.errors import CallError


@pytest.mark.parametrize("own", [1e-4, 0.05, 0.27, 1.0, 25.0])
def test_rectangles_agree_with_scipys_bivariate_normal(own):
    """The cells are rectangles of the bivariate normal distribution function."""
    from scipy.stats import multivariate_normal, norm

    shares = (0.788, 0.086, 0.069, 0.057)
    correlation = 1.25 / (1.25 + own)
    cuts = np.concatenate(([-40], norm.ppf(np.cumsum(shares)[:-1]), [40]))
    normal = multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], abseps=1e-10, releps=1e-10)
    expected = [
        [normal.cdf([cuts[i + 1], cuts[j + 1]], lower_limit=[cuts[i], cuts[j]]) for j in range(4)] for i in range(4)
    ]
    np.testing.assert_allclose(rectangle_probabilities(shares, 1.25, own), expected, atol=1e-8)


@pytest.mark.parametrize("own", [1e-12, 1e-6, 0.3, 1e3])
def test_rectangles_have_the_asked_margins(own):
    """Rows and columns sum to the shares, also for steep cuts and small shares."""
    shares = (0.9, 0.0989, 0.001, 0.0001)
    found = rectangle_probabilities(shares, 1.0, own)
    np.testing.assert_allclose(found.sum(axis=1), shares, rtol=1e-10)
    np.testing.assert_allclose(found, found.T, atol=1e-15)


def test_two_levels_cut_in_the_middle_follow_the_arcsine_law():
    """P(both above) = 1/4 + arcsin(correlation) / (2 pi)."""
    model = LatentModel(shares=(0.5, 0.5), topic_effect=0.7, leniency=0.3, noise=0.9)
    correlation = 1.49 / (1.49 + 0.09 + 0.81)
    assert model.distribution()[1, 1] == pytest.approx(0.25 + np.arcsin(correlation) / (2 * np.pi), abs=1e-14)


def test_without_noise_and_leniency_there_is_no_disagreement():
    """Two assessors then give the same level, in truth and in the draw."""
    model = LatentModel(leniency=0, noise=0)
    assert Truth.of(model.distribution()).symmetric.tolist() == np.eye(4).tolist()
    _, labels = model.draw(np.random.default_rng(1), 50, np.zeros((2, 4)))
    assert np.array_equal(labels[0], labels[1])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: LatentModel(shares=(0.5, 0.4)), "must sum to 1, found 0.9"),
        (lambda: LatentModel(shares=(1.0,)), "2 to 100 levels, found 1"),
        (lambda: LatentModel(shares=(1.5, -0.5)), "between 0 and 1"),
        (lambda: LatentModel(noise=-1), "noise is a standard deviation"),
        (lambda: LatentModel(leniency=np.inf), "leniency is a standard deviation"),
    ],
)
def test_what_is_no_model_is_refused_in_words(make, words):
    """The message says what was expected and what was found."""
    with pytest.raises(CallError, match=words):
        make()
