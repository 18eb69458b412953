"""`fit`: the paper's fractions, at every threshold asked for, per stratum and per unit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import gainsayer as gs
from gainsayer import Reading
from gainsayer.errors import CallError

TWO_TOPICS = {
    "U1": {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 0, "b": 1, "c": 0, "d": 1}},
    "U2": {"q1": {"a": 1, "b": 0, "c": 0}, "q2": {"a": 0, "b": 1, "c": 1, "d": 1}},
}


def test_the_papers_fractions_at_each_threshold() -> None:
    """1/13, 5/17, 2/5 for the top level; the first threshold asked for is the model's own."""
    model = gs.fit(gs.twenty_documents(), threshold=[2, 1])
    top = [Fraction(1, 13), Fraction(5, 17), Fraction(4, 10)]
    assert model.predict().probability.tolist() == pytest.approx([float(part) for part in top])
    assert model.predict(2) is model.predictions[0]
    assert model.predict("1") is model.predictions[1]
    with pytest.raises(CallError, match="no threshold '0': it has 2, 1"):
        model.predict(0)


def test_strata_have_models_of_their_own() -> None:
    """Each stratum's p(R|i) is that of its topics alone: fit on one topic at a time by hand."""
    reading = Reading((TWO_TOPICS,), strata={"q1": "nav", "q2": "inf"})
    model = gs.fit(reading, threshold=1, estimator="one-sided", first="U1", second="U2")
    assert model.predict().probability.tolist() == pytest.approx([1 / 3, 3 / 4])
    assert model.strata["nav"].predict().probability.tolist() == pytest.approx([0, 1 / 2])
    assert model.strata["inf"].predict().probability.tolist() == pytest.approx([1 / 2, 1])


def test_smoothing_as_text() -> None:
    """`uniform:1` adds one opinion, spread over the levels; what is no smoothing is refused in words."""
    plain = gs.fit(gs.twenty_documents(), threshold=2, estimator="one-sided")
    smooth = gs.fit(gs.twenty_documents(), threshold=2, estimator="one-sided", smooth="uniform:3")
    counts = plain.disagreement.counts.matrix
    added = 3 / counts.shape[1]
    expected = (counts + added)[:, 2] / (counts + added).sum(axis=1)
    np.testing.assert_allclose(smooth.predict().probability, expected)
    for text, words in (("eb", "There is no smoothing 'eb'"), ("uniform:x", "needs a number, found 'x'")):
        with pytest.raises(CallError, match=words):
            gs.fit(gs.twenty_documents(), smooth=text)


def test_parameters_per_topic() -> None:
    """Units are the topics; the whole stays the raw shares, and a finding says so."""
    reading = Reading((TWO_TOPICS,), strata={"q1": "x", "q2": "x"})
    model = gs.fit(reading, threshold=1, smooth="eb-topics")
    assert model.units is not None
    assert model.units.units == ("q1", "q2")
    assert "units-shrunk" in [finding.code for finding in model.findings]
    np.testing.assert_array_equal(model.predict().probability, gs.fit(reading, threshold=1).predict().probability)


def test_the_lowest_level_may_be_set_to_nothing() -> None:
    """p(R|0) = 0 on request, the others as they were."""
    asked = gs.fit(gs.twenty_documents(), threshold=2, zero_lowest=True).predict().probability
    assert asked.tolist() == pytest.approx([0, 5 / 17, 2 / 5])
