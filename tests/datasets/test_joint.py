"""The joint model: its exact truth, and what it refuses."""

import numpy as np
import pytest

from gainsayer.datasets import FEDWEB13_PAGES, JointModel, draw_pair_counts, draw_topic_matrices, read_matrix
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
    ],
)
def test_what_is_no_model_is_refused_in_words(make, words):
    """The message says what was expected and what was found."""
    with pytest.raises(CallError, match=words):
        make()
