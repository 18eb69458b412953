"""The joint and the latent model: their exact truth, and what they refuse."""

import numpy as np
import pytest

from gainsayer.datasets import (
    FEDWEB13_PAGES,
    JointModel,
    LatentModel,
    Truth,
    draw_pair_counts,
    draw_topic_matrices,
    read_matrix,
    rectangle_probabilities,
)
from gainsayer.errors import CallError, FormatError


def test_topic_matrices_are_distributions_and_keep_symmetry_and_zeros():
    """Each sums to 1; a symmetric joint gives symmetric topics; a cell of probability 0 stays empty."""
    rng = np.random.default_rng(3)
    symmetric = np.array([[0.5, 0.1, 0.0], [0.1, 0.1, 0.05], [0.0, 0.05, 0.1]])
    drawn = draw_topic_matrices(symmetric, 4.0, (200,), rng)
    np.testing.assert_allclose(drawn.sum(axis=(1, 2)), 1)
    np.testing.assert_array_equal(drawn, drawn.transpose(0, 2, 1))
    assert np.all(drawn[:, 0, 2] == 0)
    assert drawn[:, 0, 0].std() > 0.1
    lopsided = draw_topic_matrices(np.array([[0.5, 0.3], [0.1, 0.1]]), 4.0, (5,), rng)
    assert not np.allclose(lopsided, lopsided.transpose(0, 2, 1))


def test_topics_do_not_differ_without_concentration():
    """None means that every topic has the same matrix."""
    drawn = draw_topic_matrices(np.full((2, 2), 0.25), None, (3,), np.random.default_rng(0))
    assert np.all(drawn == 0.25)


def test_pair_counts_have_the_asked_shape_and_follow_the_seed():
    """[repeats, topics, levels, levels], with the asked pairs per topic; the same seed gives the same counts."""
    asked = {"topics": 4, "pairs_per_topic": 30, "repeats": 5}
    counts = draw_pair_counts(FEDWEB13_PAGES, **asked, seed=7)
    assert counts.shape == (5, 4, 4, 4)
    assert np.all(counts.sum(axis=(2, 3)) == 30)
    assert np.array_equal(counts, draw_pair_counts(FEDWEB13_PAGES, **asked, seed=7))
    assert not np.array_equal(counts, draw_pair_counts(FEDWEB13_PAGES, **asked, seed=8))
    rng = np.random.default_rng(7)
    assert np.array_equal(counts, draw_pair_counts(FEDWEB13_PAGES, **asked, seed=rng))
    assert not np.array_equal(counts, draw_pair_counts(FEDWEB13_PAGES, **asked, seed=rng))


def test_the_model_does_not_change_with_the_array_it_was_made_from():
    """The matrix is copied and cannot be written to."""
    given = np.array([[3.0, 1.0], [1.0, 3.0]])
    model = JointModel(given)
    given[0, 0] = 100
    assert model.distribution()[0, 0] == 3 / 8
    with pytest.raises(ValueError, match="read-only"):
        model.distribution()[0, 0] = 1


@pytest.mark.parametrize(
    ("text", "words"),
    [("1 2\n3\n", r"as many numbers in each line as there are lines \(2\), found 2, 1"), ("1 x\n", "line 1: expected")],
)
def test_a_file_holds_a_square_of_numbers(tmp_path, text, words):
    """One row a line, between blanks or commas; anything else is refused by its line."""
    path = tmp_path / "joint.txt"
    path.write_text("4,1\n\n3 4.5\n")
    assert read_matrix(path) == [[4, 1], [3, 4.5]]
    path.write_text(text)
    with pytest.raises(FormatError, match=words):
        read_matrix(path)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: JointModel([[1, 2, 3], [4, 5, 6]]), r"one row and one column per level, found the shape \(2, 3\)"),
        (lambda: JointModel([[1.0]]), "2 to 100 levels, found 1"),
        (lambda: JointModel([[1, -1], [0, 1]]), "not negative"),
        (lambda: JointModel([[0, 0], [0, 0]]), "not all 0"),
        (lambda: JointModel([[1, np.nan], [0, 1]]), "finite"),
        (lambda: JointModel([[1, 1], [1, 1]], concentration=0), "above 0, found 0. Give None"),
        (lambda: draw_pair_counts([[1, 1], [1, 1]], topics=0, pairs_per_topic=3), "topics must be a whole number"),
        (lambda: LatentModel(shares=(0.5, 0.4)), "must sum to 1, found 0.9"),
        (lambda: LatentModel(shares=(1.0,)), "2 to 100 levels, found 1"),
        (lambda: LatentModel(shares=(1.5, -0.5)), "between 0 and 1"),
        (lambda: LatentModel(noise=-1), "noise is a standard deviation"),
        (lambda: LatentModel(leniency=np.inf), "leniency is a standard deviation"),
    ],
)
def test_what_is_not_a_model_is_refused_in_words(make, words):
    """The message says what was expected and what was found."""
    with pytest.raises(CallError, match=words):
        make()


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
