"""A pool that lists only what somebody found relevant."""

from __future__ import annotations

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.counts.missing_zeros import notice_missing_zeros
from gainsayer.disagreement.agreement import measure_agreement

Table = dict[str, dict[str, int]]


def opinions(count: int, seed: int, *, noise: float = 0.6, top: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Two people's levels from 0 to `top` of the same documents."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(1.5, 1.0, count)
    return tuple(np.clip(np.rint(quality + rng.normal(0, noise, count)), 0, top).astype(int) for _ in range(2))  # type: ignore[return-value]


def as_table(levels: np.ndarray) -> Table:
    """Levels of ten documents per topic."""
    return {
        f"q{at}": {f"d{at + n}": int(x) for n, x in enumerate(levels[at : at + 10])} for at in range(0, len(levels), 10)
    }


def codes(findings: tuple[gs.DataError, ...] | tuple[object, ...]) -> list[str]:
    """The codes of findings."""
    return [finding.code for finding in findings]  # type: ignore[attr-defined]


def test_a_pool_listed_only_where_somebody_was_positive() -> None:
    """No document with the lowest label from all: noticed; with one such document, or few in all, it is not."""
    one, two = opinions(500, 6, noise=1.0)
    chosen = np.flatnonzero((one > 0) | (two > 0))
    listed = {"ann": as_table(one[chosen]), "bob": as_table(two[chosen])}
    for counts in (gs.count_pairs(gs.read_judgments(listed)), measure_agreement(gs.read_judgments(listed))):
        assert codes(counts.findings) == ["zeros-missing"]  # type: ignore[union-attr]
    assert codes(gs.count_pairs(gs.read_judgments({"ann": as_table(one), "bob": as_table(two)})).findings) == []
    few = {"ann": as_table(one[chosen][:30]), "bob": as_table(two[chosen][:30])}
    assert codes(gs.count_pairs(gs.read_judgments(few)).findings) == []


@pytest.mark.parametrize(("documents", "noticed"), [(18, False), (20, True)])
def test_five_must_be_expected(documents: int, noticed: bool) -> None:
    """Two labels each, half of them 0: a quarter of the documents would have 0 twice by chance; 4.5 are too few."""
    one = {f"d{n}": n % 2 for n in range(documents)}
    two = {f"d{n}": 1 - n % 2 for n in range(documents)}
    judgments = gs.read_judgments({"ann": {"q": one}, "bob": {"q": two}})
    found = notice_missing_zeros(judgments, slice(None))
    assert bool(found) == noticed
    if noticed:
        assert "Not one of 20 documents has the label 0" in found[0].message
        assert "give it to about 5." in found[0].message


def test_only_the_judgments_that_count_are_looked_at() -> None:
    """A document that has 0 from everybody on these rows speaks against missing zeros; one left out does not."""
    one = {f"d{n}": n % 2 for n in range(40)} | {"z": 0}
    two = {f"d{n}": 1 - n % 2 for n in range(40)} | {"z": 0}
    judgments = gs.read_judgments({"ann": {"q": one}, "bob": {"q": two}})
    assert notice_missing_zeros(judgments, slice(None)) == ()
    kept = np.array(judgments.frame()["document"] != "z")
    assert len(notice_missing_zeros(judgments, kept)) == 1


def test_categories_have_no_lowest_label() -> None:
    """Where labels have no order nothing is missing."""
    tables = {
        "ann": {"q": {f"d{n}": "ab"[n % 2] for n in range(40)}},
        "bob": {"q": {f"d{n}": "ba"[n % 2] for n in range(40)}},
    }
    levels = gs.Levels(("a", "b"), ordered=False)
    assert notice_missing_zeros(gs.read_judgments(tables, levels=levels), slice(None)) == ()
