"""The cache of what depends on pool and gains alone."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from gainsayer.gains.values import Gains
from gainsayer.levels import Levels
from gainsayer.measures.expected import cache
from gainsayer.measures.expected.cache import _CACHE, MOST_ANSWERS, cached

LEVELS = Levels(("0", "1", "2"))


def prm(unjudged: float = 0.0) -> Gains:
    """Probabilities of relevance as gains."""
    return Gains(LEVELS, np.array([0.05, 0.3, 0.7]), unjudged, "prm")


def test_the_cache_is_bounded_and_dies_with_the_gains() -> None:
    """A few answers per gains, and none once the gains are gone."""
    gains = prm()
    for number in range(3 * MOST_ANSWERS):
        cached(gains, number, lambda number=number: np.full(3, number))  # type: ignore[misc]
    assert len(_CACHE[gains]) == MOST_ANSWERS
    before = len(_CACHE)
    del gains
    gc.collect()
    assert len(_CACHE) < before


def test_the_last_answers_asked_for_are_kept() -> None:
    """An answer asked for again stays when others push the oldest out."""
    gains = prm()
    for number in range(MOST_ANSWERS):
        cached(gains, number, lambda number=number: number)  # type: ignore[misc]
    assert cached(gains, 0, lambda: -1) == 0
    cached(gains, "new", lambda: 1)
    assert cached(gains, 0, lambda: -1) == 0
    assert cached(gains, 1, lambda: -1) == -1, "the oldest one is gone"
    assert cached(prm(), 0, lambda: -2) == -2, "other gains have other answers"


def test_large_answers_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays count with their bytes, also within tuples and lists."""
    monkeypatch.setattr(cache, "MOST_BYTES", 80)
    gains = prm()
    for key, answer, kept in (
        ("small", np.zeros(10), True),
        ("large", np.zeros(11), False),
        ("both", (np.zeros(5), [np.zeros(6)]), False),
        ("pair", (np.zeros(5), [np.zeros(5)]), True),
    ):
        cached(gains, key, lambda answer=answer: answer)  # type: ignore[misc]
        assert (key in _CACHE[gains]) == kept
