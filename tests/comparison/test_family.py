"""All measures and gains as one family, or each as its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import t

import gainsayer as gs
from gainsayer.comparison.differences import find_differences
from gainsayer.comparison.intervals import replicate_given
from gainsayer.errors import CallError

A, B = np.array([0, 0, 1]), np.array([1, 2, 2])
GIVEN: dict[str, Any] = {"confidence": 0.95}


def scores(seed: int, topics: int = 8) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Three runs, the first one ahead."""
    rng = np.random.default_rng(seed)
    return rng.uniform(0.2, 0.6, (3, topics)) + np.array([[0.15], [0.0], [0.05]])


def test_one_family_is_the_largest_statistic_of_all_its_pairs() -> None:
    """By all sign patterns: the adjusted p is the share of patterns whose largest |t| of six reaches a pair's own."""
    parts = [replicate_given(scores(seed)) for seed in (1, 2)]
    found = find_differences(parts, A, B, highest=[1.0, 1.0], **GIVEN)
    count = 8
    signs = np.array([[1 if pattern >> bit & 1 else -1 for bit in range(count)] for pattern in range(2**count)])
    largest = np.zeros(len(signs))
    own = []
    for part in parts:
        for a, b in zip(A, B, strict=True):
            one, two = part.joint[:, a], part.joint[:, b]
            relative = 2 * (one - two) / (one + two)
            influence = -np.sqrt((count - 1) / count) * (relative - relative.mean())
            ratio = np.abs(signs @ influence) / np.sqrt((influence**2).sum())
            largest = np.maximum(largest, ratio)
            whole = 2 * (part.estimate[a] - part.estimate[b]) / (part.estimate[a] + part.estimate[b])
            own.append(abs(whole) / np.sqrt((influence**2).sum()))
    # The statistic of a flipped sum is its t, whose square is (n - 1) z² / (n - z²).
    flipped = np.sort(np.sqrt((count - 1) * largest**2 / np.maximum(count - largest**2, 1e-12)))
    share = [(1 + (flipped >= value - 1e-6).sum()) / (len(signs) + 1) for value in own]
    got = np.concatenate([part.p_adjusted for part in found])
    degrees = np.concatenate([part.degrees for part in found])
    assert degrees.tolist() == [count - 1] * 6
    assert got == pytest.approx(share, abs=1.5 / (len(signs) + 1))
    assert t.sf(own, count - 1) * 2 == pytest.approx(np.concatenate([part.p for part in found]))


def test_a_larger_family_is_never_narrower() -> None:
    """Each pair's adjusted p and simultaneous interval in the family of all contain those in its own."""
    parts = [replicate_given(scores(seed, 30)) for seed in (1, 2, 3)]
    every = find_differences(parts, A, B, highest=[1.0] * 3, **GIVEN)
    for part, among in zip(parts, every, strict=True):
        [alone] = find_differences([part], A, B, highest=[1.0], **GIVEN)
        assert (among.p_adjusted >= alone.p_adjusted).all()
        assert (among.simultaneous_interval[:, 0] <= alone.simultaneous_interval[:, 0]).all()
        assert (among.simultaneous_interval[:, 1] >= alone.simultaneous_interval[:, 1]).all()
        assert among.interval.tolist() == alone.interval.tolist()


def test_a_single_pair_by_several_measures_is_a_family() -> None:
    """Two runs by two measures: alone p is not adjusted, together it is; the words and the JSON say which."""
    rng = np.random.default_rng(5)
    truth = {f"q{at:02}": {f"d{place}": int(rng.integers(3)) for place in range(10)} for at in range(12)}
    runs = {
        name: {topic: {document: float(rng.random()) for document in found} for topic, found in truth.items()}
        for name in ("a", "b")
    }
    one = gs.compare(truth, runs, ["P@3", "nDCG@5"])
    both = gs.compare(truth, runs, ["P@3", "nDCG@5"], family="all")
    for part, among in zip(one.comparison.parts, both.comparison.parts, strict=True):
        assert part.differences is not None
        assert among.differences is not None
        assert part.differences.p_adjusted.tolist() == part.differences.p.tolist()
        assert among.differences.p_adjusted[0] > among.differences.p[0]
    assert (one.document()["family"], both.document()["family"]) == ("each", "all")
    assert "all pairs, measures and gains" in " ".join(both.to_text().split())
    with pytest.raises(CallError, match="leave out"):
        gs.compare(truth, runs, "P@3", family="all", test="t")
    with pytest.raises(CallError, match="no family"):
        gs.compare(truth, runs, "P@3", family="some")  # type: ignore[arg-type]


def test_strata_share_the_error() -> None:
    """With two strata and all topics three comparisons hold at once: p is three times as large."""
    parts = [replicate_given(scores(1, 30))]
    one, three = (find_differences(parts, A, B, highest=[1.0], families=families, **GIVEN)[0] for families in (1, 3))
    assert three.p_adjusted == pytest.approx(np.minimum(3 * one.p_adjusted, 1))
