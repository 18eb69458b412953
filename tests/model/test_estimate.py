"""From counts to p(j|i): which estimator, what is refused, and what is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

import gainsayer as gs
from gainsayer.errors import BiasedSampleError, CallError, LabelSetError
from gainsayer.model import FEWEST_SUSPICIOUS, PairCounts, Share, isotonic_means

COUNTS = np.array([[4.0, 1, 1], [3, 4, 3], [0, 2, 2]])
LEVELS = gs.Levels(("0", "1"))
MATRIX = np.array([[[12, 3], [5, 4]], [[20, 2], [6, 9]]])


def fractions(*rows: str) -> np.ndarray:
    """A matrix written as fractions, a row per text."""
    return np.array([[float(a) / float(b) for a, b in (cell.split("/") for cell in row.split())] for row in rows])


def test_uniform_adds_half_a_count_to_each_cell() -> None:
    """Eq. (13) with m uniform and the default alpha: (c + 1/2) / (n + 3/2) for three levels."""
    expected = fractions("9/15 3/15 3/15", "7/23 9/23 7/23", "1/11 5/11 5/11")
    np.testing.assert_allclose(gs.model.Smoothing("uniform").apply(COUNTS), expected)


def test_marginal_shrinks_to_the_second_labels() -> None:
    """Eq. (13) with m = (7, 7, 6) / 20, the margin of the second side, and alpha = 20."""
    expected = fractions("11/26 8/26 7/26", "10/30 11/30 9/30", "7/24 9/24 8/24")
    np.testing.assert_allclose(gs.model.Smoothing("marginal", alpha=20).apply(COUNTS), expected)


def test_rows_without_counts_get_the_prior() -> None:
    """A prior fills an empty row; isotonic smoothing leaves it missing."""
    counts = np.array([[4.0, 1, 1], [0, 0, 0], [0, 2, 2]])
    np.testing.assert_allclose(gs.model.Smoothing("uniform").apply(counts)[1], 1 / 3)
    np.testing.assert_allclose(gs.model.Smoothing("marginal").apply(counts)[1], [0.4, 0.3, 0.3])
    fit = gs.model.Smoothing("isotonic").apply(counts)
    assert np.all(np.isnan(fit[1]))
    assert np.all(np.isfinite(fit[[0, 2]]))


@pytest.mark.parametrize("seed", range(5))
def test_isotonic_equals_scikit_learn_at_every_threshold(seed: int) -> None:
    """p(R|i) at each threshold is the isotonic regression of the raw shares, weighted by the opinions."""
    rng = np.random.default_rng(seed)
    stack = rng.integers(0, 9, size=(20, 5, 5)) * rng.choice([1.0, 0.37], size=(20, 5, 5))
    stack[:, :, 0] += 1  # scikit-learn takes no weight of 0
    fits = gs.model.Smoothing("isotonic").apply(stack)
    for counts, fit in zip(stack, fits, strict=True):
        weight = counts.sum(axis=1)
        for threshold in range(1, 5):
            share = counts[:, threshold:].sum(axis=1) / weight
            expected = IsotonicRegression().fit(np.arange(5), share, sample_weight=weight).predict(np.arange(5))
            np.testing.assert_allclose(fit[:, threshold:].sum(axis=1), expected, atol=1e-12)
    np.testing.assert_allclose(fits.sum(axis=-1), 1)


def test_isotonic_skips_levels_without_weight() -> None:
    """An empty level in between stays missing and does not part its neighbours."""
    fit = isotonic_means(np.array([[8.0], [0], [2]]), np.array([[10.0], [0], [10]]))
    assert fit[[0, 2], 0].tolist() == [0.5, 0.5]
    assert np.isnan(fit[1, 0])


def test_isotonic_leaves_ordered_levels_alone() -> None:
    """Where p(R|i) rises at every threshold already, nothing changes."""
    counts = np.array([[6.0, 3, 1], [3, 4, 3], [1, 3, 6]])
    np.testing.assert_allclose(gs.model.Smoothing("isotonic").apply(counts), counts / 10, atol=1e-12)


def test_symmetric_counts_with_a_uniform_prior_keep_the_identities() -> None:
    """Half a count in each cell of S keeps total probability (I1) and detailed balance (I2)."""
    both = COUNTS + COUNTS.T
    matrix = gs.model.Smoothing("uniform").apply(both)
    margin = both.sum(axis=1) + 1.5
    np.testing.assert_allclose(margin @ matrix, margin)
    flow = margin[:, None] * matrix
    np.testing.assert_allclose(flow, flow.T)


@pytest.mark.parametrize("kind", ["uniform", "marginal", "isotonic"])
def test_a_stack_is_smoothed_one_by_one(kind: str) -> None:
    """Applied to a stack, smoothing gives what it gives for each matrix alone."""
    smoothing = gs.model.Smoothing(kind)  # type: ignore[arg-type]
    stack = np.random.default_rng(0).integers(0, 5, size=(2, 6, 3, 3)).astype(float)
    expected = [[smoothing.apply(matrix) for matrix in row] for row in stack]
    np.testing.assert_allclose(smoothing.apply(stack), expected, atol=1e-15)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"kind": "kneser"}, "no smoothing 'kneser': choose one of uniform, marginal, isotonic"),
        ({"kind": "uniform", "alpha": 0.0}, r"alpha\) must be above 0, found 0.0"),
        ({"kind": "uniform", "alpha": -1.0}, "must be above 0, found -1.0"),
        ({"kind": "uniform", "alpha": float("nan")}, "must be above 0, found nan"),
        ({"kind": "uniform", "alpha": float("inf")}, "must be above 0, found inf"),
        ({"kind": "isotonic", "alpha": 1.0}, "takes no alpha"),
    ],
)
def test_faults_are_named(arguments: dict[str, object], words: str) -> None:
    """Unknown kinds and alphas that are no weight are refused by name."""
    with pytest.raises(CallError, match=words):
        gs.model.Smoothing(**arguments)  # type: ignore[arg-type]


def test_isotonic_needs_order_and_a_threshold() -> None:
    """Categories and sets of levels that are no threshold are refused."""
    categories = gs.Levels(("a", "b", "c"), ordered=False)
    with pytest.raises(CallError, match=r"Isotonic smoothing needs levels with an order.*smooth='marginal'"):
        gs.estimate_disagreement(
            gs.model.PairCounts.from_matrix(categories, COUNTS), smoothing=gs.model.Smoothing("isotonic")
        )
    levels = gs.Levels(("0", "1", "2"))
    counts = gs.model.PairCounts.from_matrix(levels, COUNTS)
    disagreement = gs.estimate_disagreement(counts, smoothing=gs.model.Smoothing("isotonic"))
    with pytest.raises(CallError, match="the relevant levels must be the highest ones"):
        gs.predict_relevance(disagreement, levels.only("0", "1"))


def test_pooled_levels_are_named() -> None:
    """With isotonic smoothing the notes say which levels were pooled, at the threshold where they were."""
    levels = gs.Levels(("0", "1", "2"))
    counts = np.array([[60, 30, 10], [20, 20, 60], [30, 30, 40]])
    pairs = gs.model.PairCounts.from_matrix(levels, [counts, counts])
    disagreement = gs.estimate_disagreement(pairs, estimator="one-sided", smoothing=gs.model.Smoothing("isotonic"))
    prediction = gs.predict_relevance(disagreement, levels.at_or_above("2"))
    assert prediction.notes == (None, "pooled with 2", "pooled with 1")
    np.testing.assert_allclose(prediction.probability, [0.1, 0.5, 0.5])


def counts(shares: tuple[Share, ...] = (), **changes: object) -> PairCounts:
    """Counts of two topics, with what is known about the second round."""
    return replace(PairCounts.from_matrix(LEVELS, MATRIX), shares=shares, **changes)


def share(side: str, judged: list[int], paired: list[int]) -> Share:
    """A side's judgments by level in one topic, and how many of them were judged again."""
    return Share(side, np.array([judged], dtype=float), np.array([paired], dtype=float))


EVEN = (share("first", [100, 40], [50, 20]), share("second", [80, 60], [40, 30]))


BY_FIRST = (share("first", [100, 40], [10, 40]), share("second", [30, 20], [30, 20]))


BY_SECOND = (share("first", [30, 20], [30, 20]), share("second", [100, 40], [10, 40]))


def codes(disagreement: gs.model.Disagreement) -> list[str]:
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
    assert "The two sides, ann against bob, use the levels differently" in found.findings[0].message
    assert "pairs taken as independent" in found.findings[0].message
    assert gs.estimate_disagreement(skewed, estimator="one-sided").exchangeability is None
    assert gs.estimate_disagreement(replace(skewed, weighted=True, shares=EVEN)).exchangeability is None


def test_labels_that_do_not_mean_the_same_are_refused_but_one_sided() -> None:
    """What counting refuses, the symmetric estimate refuses in the same words; the one-sided does not."""
    with pytest.raises(LabelSetError, match="these labels differ"):
        gs.estimate_disagreement(counts(EVEN, refusal="these labels differ"))
    assert gs.estimate_disagreement(counts(refusal="these labels differ"), estimator="one-sided").matrix.shape == (2, 2)


def test_calls_that_make_no_sense_are_refused() -> None:
    """Unknown estimators, isotonic smoothing of categories."""
    with pytest.raises(CallError, match="no estimator 'bayes': choose one of symmetric, one-sided"):
        gs.estimate_disagreement(counts(), estimator="bayes")  # type: ignore[arg-type]
    categories = PairCounts.from_matrix(gs.Levels(("a", "b"), ordered=False), MATRIX)
    with pytest.raises(CallError, match="Isotonic smoothing needs levels with an order"):
        gs.estimate_disagreement(categories, smoothing=gs.model.Smoothing("isotonic"))
