"""Labels to be written: one on each document, with a gain for each level."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gainsayer.errors import CallError, DataError
from gainsayer.exports import level_gains, take_labels
from gainsayer.gains import Gains
from gainsayer.judgments import Judgments
from gainsayer.levels import Levels

Judge = Callable[..., Judgments]


def test_one_label_per_document(judge: Judge) -> None:
    """Several assessors need a choice; repeated labels are refused; an unknown name lists the known ones."""
    both = judge([("q", "d", "a", "0"), ("q", "e", "a", "1"), ("q", "d", "b", "1")], roles=None)
    with pytest.raises(CallError, match=r"1 of 2 documents have several labels \(up to 2, from 2 assessors: a, b\)"):
        take_labels(both)
    with pytest.raises(CallError, match="no assessor 'c': the assessors are a, b"):
        take_labels(both, "c")
    assert len(take_labels(both, "b")) == 1
    twice = judge([("q", "d", "a", "0"), ("q", "d", "a", "1")], repeats="all")
    with pytest.raises(CallError, match="1 of 1 documents have several labels"):
        take_labels(twice)


def test_a_level_without_gain_is_named() -> None:
    """The message says which level lacks a gain, and which ones the gains are for."""
    gains = Gains(Levels(("0", "1")), np.array([0.1, 0.5]))
    with pytest.raises(DataError, match=r"level '2', '3', which the gains do not know: they are for 0, 1\. Give"):
        level_gains(Levels(("0", "1", "2", "3")), gains)
