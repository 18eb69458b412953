"""Schemes: which gains answer to the double judgments, and what a model file's uncertainty becomes."""

from __future__ import annotations

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import CallError, DataError
from gainsayer.gains import (
    KINDS,
    FittedElsewhere,
    GainSource,
    Model,
    gains_from,
    make_scheme,
    name_lacking,
    prm_scheme,
    udm_scheme,
    with_unjudged,
)
from gainsayer.model import PairCounts

LEVELS = gs.Levels(("0", "1", "2"))
TOP = LEVELS.at_or_above("2")
COUNTS = np.array([[40, 5, 5], [10, 10, 5], [2, 8, 10]])
OTHERS = np.array([[[0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.0, 0.1, 0.9]]])
EVERY = np.ones(3, dtype=bool)


def fitted(matrix: np.ndarray = COUNTS, levels: gs.Levels = LEVELS) -> gs.model.Disagreement:
    """The one-sided estimate of a matrix: its rows over their sums."""
    return gs.estimate_disagreement(PairCounts.from_matrix(levels, matrix), estimator="one-sided")


def test_a_gain_given_by_hand_is_not_estimated() -> None:
    """It keeps its number whatever the matrix, and is marked as not answering to it; the others are row sums over R."""
    scheme = prm_scheme(fitted(), LEVELS.at_or_above("1"), overrides={"1": 0.25})
    assert scheme.gains.values.tolist() == [0.2, 0.25, 0.9]
    assert scheme.estimated == (True, False, True)
    assert scheme.rule is not None
    assert scheme.rule(OTHERS).tolist() == [[0.5, 0.25, 1.0]]


def test_udm_gains_of_the_ends_are_not_estimated() -> None:
    """The top is worth 1 and the lowest 0 by rule; between, p(T|i) of each matrix."""
    scheme = udm_scheme(fitted())
    assert scheme.gains.values.tolist() == [0.0, 0.2, 1.0]
    assert scheme.estimated == (False, True, False)
    assert scheme.rule is not None
    assert scheme.rule(OTHERS).tolist() == [[0.0, 0.7, 1.0]]
    assert scheme.relevance is not None
    assert scheme.relevance.names == ("2",)


@pytest.mark.parametrize(
    ("kind", "expected", "relevant"),
    [
        ("prm", [0.1, 0.2, 0.5], ("2",)),
        ("binary", [0.0, 0.0, 1.0], ("2",)),
        ("linear", [0.0, 1.0, 2.0], None),
        ("exponential", [0.0, 1.0, 3.0], None),
        ("udm", [0.0, 0.2, 1.0], ("2",)),
    ],
)
def test_kinds_by_name(kind: str, expected: list[float], relevant: tuple[str, ...] | None) -> None:
    """Each kind has its name, its numbers, its relevant levels, and double judgments only where it is estimated."""
    scheme = make_scheme(kind, GainSource(LEVELS, fitted()), TOP)
    assert scheme.name == kind
    assert scheme.gains.values.tolist() == expected
    assert (scheme.relevance.names if scheme.relevance else None) == relevant
    assert scheme.threshold == ("2" if relevant else None)
    assert (scheme.disagreement is not None) == (scheme.rule is not None) == (kind in ("prm", "udm"))


@pytest.mark.parametrize("kind", ["prm", "binary", "linear", "exponential"])
def test_a_gain_by_hand_takes_precedence_in_every_kind(kind: str) -> None:
    """The level has the number given, and the other two are as without it."""
    plain, by_hand = (
        make_scheme(kind, GainSource(LEVELS, fitted(), by_hand=given), TOP).gains.values for given in ({}, {"1": 0.75})
    )
    assert by_hand.tolist() == [plain[0], 0.75, plain[2]]


def test_a_model_is_read_by_the_names_of_its_levels() -> None:
    """Probabilities and covariance come in the model's order of levels and leave in that of the judgments."""
    covariance = np.array([[0.04, 0.01, 0.0], [0.01, 0.09, 0.02], [0.0, 0.02, 0.16]])
    model = Model({"2": 0.5, "0": 0.1, "1": 0.2}, covariance, topics=12)
    scheme = make_scheme("prm", GainSource(LEVELS, model=model), TOP)
    assert scheme.gains.values.tolist() == [0.1, 0.2, 0.5]
    assert scheme.disagreement is None
    assert scheme.fitted is not None
    assert scheme.fitted.topics == 12
    assert scheme.fitted.covariance.tolist() == [[0.09, 0.02, 0.01], [0.02, 0.16, 0.0], [0.01, 0.0, 0.04]]


def test_a_gain_by_hand_has_no_uncertainty_beside_a_model() -> None:
    """Its row and column of the covariance are not known; by hand throughout, nothing is uncertain."""
    model = Model({"0": 0.1, "1": 0.2, "2": 0.5}, np.diag([0.01, 0.02, 0.03]), topics=12)
    scheme = make_scheme("prm", GainSource(LEVELS, model=model, by_hand={"1": 0.4}), TOP)
    assert scheme.gains.values.tolist() == [0.1, 0.4, 0.5]
    assert scheme.fitted is not None
    assert np.isnan(scheme.fitted.covariance).tolist() == [[False, True, False], [True] * 3, [False, True, False]]
    rows = scheme.fitted.root()
    np.testing.assert_allclose(rows.T @ rows, np.diag([0.01, 0.0, 0.03]), atol=1e-15)
    by_hand = dict.fromkeys(LEVELS.names, 0.5)
    assert make_scheme("prm", GainSource(LEVELS, model=model, by_hand=by_hand), TOP).fitted is None


def test_a_model_without_covariance_is_taken_as_given() -> None:
    """No covariance, or one of other levels, leaves gains without uncertainty."""
    for covariance in (None, np.eye(2)):
        model = Model({"0": 0.1, "1": 0.2, "2": 0.5}, covariance, topics=12)
        assert make_scheme("prm", GainSource(LEVELS, model=model), TOP).fitted is None


def test_a_level_that_the_model_does_not_know() -> None:
    """It is refused by name, and mended by a gain given by hand."""
    model = Model({"0": 0.1, "2": 0.5}, np.diag([0.01, 0.03]), topics=7, name="old.json")
    with pytest.raises(DataError, match=r"have level '1', which old.json does not know; it has 0, 2.*gain=\{'1': 0.5"):
        make_scheme("prm", GainSource(LEVELS, model=model), TOP)
    scheme = make_scheme("prm", GainSource(LEVELS, model=model, by_hand={"1": 0.3}), TOP)
    assert scheme.gains.values.tolist() == [0.1, 0.3, 0.5]
    assert scheme.fitted is not None
    assert np.diagonal(scheme.fitted.covariance).tolist()[::2] == [0.01, 0.03]


def test_double_judgments_take_precedence_over_a_model() -> None:
    """Where both are at hand the judgments decide; either makes a source of estimates."""
    model = Model({"0": 0.9, "1": 0.9, "2": 0.9})
    both = GainSource(LEVELS, fitted(), model)
    assert make_scheme("prm", both, TOP).gains.values.tolist() == [0.1, 0.2, 0.5]
    assert [source.estimated for source in (both, GainSource(LEVELS, model=model), GainSource(LEVELS))] == [1, 1, 0]


def test_what_cannot_be_made_is_refused() -> None:
    """PRM without anything behind it, UDM from a model, and names that are no kinds."""
    with pytest.raises(CallError, match="PRM gains need a model, or judgments of two assessors"):
        make_scheme("prm", GainSource(LEVELS), TOP)
    with pytest.raises(CallError, match="UDM gains need judgments of two assessors, not a model file"):
        make_scheme("udm", GainSource(LEVELS, model=Model({"0": 0.1, "1": 0.2, "2": 0.5})), TOP)
    with pytest.raises(CallError, match=f"no gains 'cubic': choose among {', '.join(KINDS)}"):
        make_scheme("cubic", GainSource(LEVELS), TOP)


def test_roots_add_up_to_the_covariance() -> None:
    """R'R is the covariance whatever its rank; directions without variance have no row."""
    mixing = np.random.default_rng(5).normal(size=(2, 4))
    covariance = mixing.T @ mixing  # four levels that vary in two directions
    rows = FittedElsewhere(covariance, 9).root()
    assert rows.shape == (2, 4)
    np.testing.assert_allclose(rows.T @ rows, covariance, rtol=1e-12)
    assert FittedElsewhere(np.zeros((3, 3)), 9).root().shape == (0, 3)


def test_a_level_without_second_opinions_matters_where_it_is_needed() -> None:
    """No gains where a document to be scored has the level; where none has, its gain is 0 and others are as ever."""
    counts = COUNTS.copy()
    counts[1] = 0
    disagreement = fitted(counts)
    assert gains_from("prm", disagreement, TOP, EVERY) is None
    assert name_lacking(disagreement, EVERY) == "1"
    spared = np.array([True, False, True])
    gains = gains_from("prm", disagreement, TOP, spared)
    assert gains is not None
    assert gains.values.tolist() == [0.1, 0.0, 0.5]
    assert name_lacking(disagreement, spared) == ""
    assert gains_from("binary", disagreement, TOP, EVERY) is not None, "a given gain needs no second opinions"


def test_unjudged_documents_get_a_gain() -> None:
    """Only the gain of unjudged documents changes."""
    scheme = prm_scheme(fitted(), TOP)
    changed = with_unjudged(scheme, 0.125)
    assert (changed.gains.unjudged, changed.gains.values.tolist()) == (0.125, scheme.gains.values.tolist())
    assert changed.rule is scheme.rule
