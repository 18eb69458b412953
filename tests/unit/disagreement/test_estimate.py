"""From counts to p(j|i): which estimator, what is refused, and what is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.counts.pair_counts import PairCounts, Share
from gainsayer.disagreement.estimate import FEWEST_SUSPICIOUS
from gainsayer.errors import BiasedSampleError, CallError, LabelSetError

LEVELS = gs.Levels(("0", "1"))
MATRIX = np.array([[[12, 3], [5, 4]], [[20, 2], [6, 9]]])


def counts(shares: tuple[Share, ...] = (), **changes: object) -> PairCounts:
    """Counts of two topics, with what is known about the second round."""
    return replace(PairCounts.from_matrix(LEVELS, MATRIX), shares=shares, **changes)


def share(side: str, judged: list[int], paired: list[int]) -> Share:
    """A side's judgments by level in one topic, and how many of them were judged again."""
    return Share(side, np.array([judged], dtype=float), np.array([paired], dtype=float))


EVEN = (share("first", [100, 40], [50, 20]), share("second", [80, 60], [40, 30]))
BY_FIRST = (share("first", [100, 40], [10, 40]), share("second", [30, 20], [30, 20]))
BY_SECOND = (share("first", [30, 20], [30, 20]), share("second", [100, 40], [10, 40]))


def codes(disagreement: gs.disagreement.Disagreement) -> list[str]:
    """The codes of what was found."""
    return [finding.code for finding in disagreement.findings]


def test_rows_are_shares_of_the_pairs() -> None:
    """Eq. (4): J over its row sums; eq. (5): S = J + J' over its row sums; both from the sum over topics."""
    total = MATRIX.sum(axis=0)
    one = gs.estimate_disagreement(counts(), estimator="one-sided")
    both = gs.estimate_disagreement(counts(), estimator="symmetric")
    assert one.matrix.tolist() == (total / total.sum(axis=1, keepdims=True)).tolist()
    joined = total + total.T
    assert both.matrix.tolist() == (joined / joined.sum(axis=1, keepdims=True)).tolist()
    assert one.pairs.tolist() == MATRIX.tolist()
    assert both.pairs.tolist() == (MATRIX + MATRIX.transpose(0, 2, 1)).tolist()
    assert one.squares is one.counts.squares
    assert both.squares is both.counts.symmetric_squares


def test_an_even_second_round_bears_the_symmetric_estimate() -> None:
    """Half of every level judged again: symmetric, nothing said."""
    found = gs.estimate_disagreement(counts(EVEN))
    assert (found.estimator, codes(found)) == ("symmetric", [])


def test_a_second_round_chosen_by_the_first_labels_leaves_the_one_sided_estimate() -> None:
    """By default one-sided, with a finding that shows the shares; asked for the symmetric one, it is refused."""
    found = gs.estimate_disagreement(counts(BY_FIRST))
    assert (found.estimator, codes(found)) == ("one-sided", ["biased-second-sample"])
    assert "level given by first: share judged again by level: 0 10.0%, 1 100.0%" in found.findings[0].message
    assert "So the one-sided estimate is used." in found.findings[0].message
    with pytest.raises(BiasedSampleError, match=r"symmetric estimate is wrong here(.|\n)*sampled='observed'"):
        gs.estimate_disagreement(counts(BY_FIRST), estimator="symmetric")
    assert codes(gs.estimate_disagreement(counts(BY_FIRST), estimator="one-sided")) == []


def test_a_first_round_chosen_by_the_second_labels_leaves_none() -> None:
    """Symmetric by default, it is refused; one-sided, a finding says to exchange the sides."""
    with pytest.raises(BiasedSampleError, match="level given by second"):
        gs.estimate_disagreement(counts(BY_SECOND))
    found = gs.estimate_disagreement(counts(BY_SECOND), estimator="one-sided")
    assert codes(found) == ["biased-second-sample"]
    assert "exchange the sides" in found.findings[0].message


def test_a_panel_chosen_by_its_labels_is_refused_with_what_to_do() -> None:
    """Without sides there is no first label to go by: name the sides, or give weights."""
    panel = counts(BY_FIRST[:1], directed=False)
    with pytest.raises(BiasedSampleError, match=r"Name the sides with first=.*column 'weight'"):
        gs.estimate_disagreement(panel)
    with pytest.raises(CallError, match="needs a first and a second side"):
        gs.estimate_disagreement(panel, estimator="one-sided")


def test_weights_repair_all_but_a_level_never_judged_again() -> None:
    """Weighted pairs are symmetric by default whatever the shares; a level without any second judgment is refused."""
    assert gs.estimate_disagreement(counts(BY_FIRST, weighted=True)).estimator == "symmetric"
    assert gs.estimate_disagreement(counts(BY_FIRST, weighted=True), estimator="one-sided").estimator == "one-sided"
    never = (share("first", [100, 40], [10, 0]), BY_FIRST[1])
    with pytest.raises(BiasedSampleError, match="No document that first put on level 1 was judged again"):
        gs.estimate_disagreement(counts(never, weighted=True))
    assert gs.estimate_disagreement(counts(never, weighted=True), estimator="one-sided").estimator == "one-sided"
    unused = (share("first", [100, 0], [10, 0]), BY_FIRST[1])
    assert gs.estimate_disagreement(counts(unused, weighted=True)).estimator == "symmetric"


@pytest.mark.parametrize(("pairs", "said"), [(FEWEST_SUSPICIOUS, True), (FEWEST_SUSPICIOUS - 1, False)])
def test_sides_that_agree_on_everything_may_be_copies(pairs: int, said: bool) -> None:
    """From twenty pairs on it is said; one disagreement, and it is not."""
    same = PairCounts.from_matrix(LEVELS, [[pairs - 5, 0], [0, 5]], sides=("ann", "bob"))
    found = gs.estimate_disagreement(same)
    assert ("identical-sides" in codes(found)) == said
    if said:
        assert "ann and bob agree on all 20 documents" in found.findings[-1].message
    other = PairCounts.from_matrix(LEVELS, [[pairs - 5, 1], [0, 5]])
    assert "identical-sides" not in codes(gs.estimate_disagreement(other))


def test_sides_that_differ_are_said_with_their_p_values() -> None:
    """Thirty pairs one way and two the other: both tests are in the finding; weighted pairs are not tested."""
    skewed = PairCounts.from_matrix(LEVELS, [[30, 30], [2, 30]], sides=("ann", "bob"))
    found = gs.estimate_disagreement(skewed)
    assert codes(found) == ["sides-not-exchangeable"]
    assert found.exchangeability is not None
    assert "ann and bob use the levels differently" in found.findings[0].message
    assert "pairs taken as independent" in found.findings[0].message
    assert gs.estimate_disagreement(skewed, estimator="one-sided").exchangeability is None
    assert gs.estimate_disagreement(replace(skewed, weighted=True, shares=EVEN)).exchangeability is None


def test_labels_that_do_not_mean_the_same_are_refused_but_one_sided() -> None:
    """What counting refuses, the symmetric estimate refuses in the same words; the one-sided does not."""
    with pytest.raises(LabelSetError, match="these labels differ"):
        gs.estimate_disagreement(counts(EVEN, refusal="these labels differ"))
    assert gs.estimate_disagreement(counts(refusal="these labels differ"), estimator="one-sided").matrix.shape == (2, 2)


def test_calls_that_make_no_sense_are_refused() -> None:
    """Unknown estimators, isotonic smoothing of categories, a pooled matrix of other levels."""
    with pytest.raises(CallError, match="no estimator 'bayes': choose one of symmetric, one-sided"):
        gs.estimate_disagreement(counts(), estimator="bayes")  # type: ignore[arg-type]
    categories = PairCounts.from_matrix(gs.Levels(("a", "b"), ordered=False), MATRIX)
    with pytest.raises(CallError, match="Isotonic smoothing needs levels with an order"):
        gs.estimate_disagreement(categories, smoothing=gs.disagreement.Smoothing("isotonic"))
