"""Identities of the estimators and their errors, on random counts and random judgments."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import gainsayer as gs
from gainsayer.model import Estimator

Make = Callable[..., gs.Judgments]
Array = np.ndarray
ESTIMATORS: tuple[Estimator, ...] = ("symmetric", "one-sided")


def levels_of(size: int) -> gs.Levels:
    """Levels 0, 1, ..., as many as asked."""
    return gs.Levels(tuple(map(str, range(size))))


@st.composite
def tensors(draw: st.DrawFn, least_topics: int = 1, most_topics: int = 6) -> Array:
    """J per topic, shape [topics, levels, levels]; whole numbers, at least one pair in every topic."""
    topics = draw(st.integers(least_topics, most_topics))
    size = draw(st.integers(2, 5))
    counts = draw(hnp.arrays(np.int64, (topics, size, size), elements=st.integers(0, 12)))
    assume(np.all(counts.sum(axis=(1, 2)) > 0))
    return counts


def fitted(
    counts: Array, estimator: Estimator = "symmetric", smoothing: gs.model.Smoothing | None = None
) -> gs.model.Disagreement:
    """The estimate from J per topic."""
    pairs = gs.model.PairCounts.from_matrix(levels_of(counts.shape[-1]), counts)
    return gs.estimate_disagreement(pairs, estimator=estimator, smoothing=smoothing)


def predicted(
    counts: Array, relevant: tuple[int, ...], estimator: Estimator = "symmetric"
) -> gs.model.PredictedRelevance:
    """p(R|i) for a set of levels given by their places."""
    disagreement = fitted(counts, estimator)
    return gs.predict_relevance(disagreement, disagreement.levels.only(*map(str, relevant)))


def probabilities(counts: Array, relevant: tuple[int, ...], estimator: Estimator = "symmetric") -> Array:
    """The probabilities alone: their intervals take most of the time."""
    disagreement = fitted(counts, estimator)
    return gs.predict_relevance(
        disagreement, disagreement.levels.only(*map(str, relevant)), interval="pair"
    ).probability


def subsets(size: int) -> list[tuple[int, ...]]:
    """Every set of levels but the empty one."""
    return [chosen for count in range(1, size + 1) for chosen in combinations(range(size), count)]


quick = settings(max_examples=40, deadline=None)


@given(tensors())
@quick
def test_total_probability(counts: Array) -> None:
    """I1 and I7: over the labels of the doubly judged documents, PRM count and binary count are equal for every R."""
    total = counts.sum(axis=0)
    margins = total.sum(axis=0) + total.sum(axis=1)
    for relevant in subsets(len(total)):
        symmetric = probabilities(counts, relevant)
        held = margins > 0
        assert margins[held] @ symmetric[held] == pytest.approx(margins[list(relevant)].sum())
        one_sided = probabilities(counts, relevant, "one-sided")
        first = total.sum(axis=1)
        assert first[first > 0] @ one_sided[first > 0] == pytest.approx(total[:, list(relevant)].sum())


@given(tensors())
@quick
def test_detailed_balance(counts: Array) -> None:
    """I2: D_i p(j|i) = D_j p(i|j) for the symmetric estimate."""
    total = counts.sum(axis=0)
    margins = (total.sum(axis=0) + total.sum(axis=1)).astype(float)
    flow = margins[:, None] * np.nan_to_num(fitted(counts).matrix)
    np.testing.assert_allclose(flow, flow.T, rtol=1e-12)


@given(tensors(), st.sampled_from(ESTIMATORS))
@quick
def test_a_higher_threshold_never_raises_p(counts: Array, estimator: Estimator) -> None:
    """I3: p(R|i) does not rise with the threshold, and is 1 at the lowest one, for every level that was seen."""
    disagreement = fitted(counts, estimator)
    rows = np.array(
        [
            gs.predict_relevance(disagreement, disagreement.levels.at_or_above(name)).probability
            for name in disagreement.levels.names
        ]
    )
    seen = disagreement.pairs.sum(axis=(0, 2)) > 0
    assert np.all(rows[0, seen] == 1)
    assert np.all(np.diff(rows[:, seen], axis=0) <= 0)
    assert np.all(np.isnan(rows[:, ~seen])), "no second opinion: missing, never 0"


@given(tensors(), st.data())
@quick
def test_swapping_the_labels_of_pairs_changes_nothing(counts: Array, data: st.DataObject) -> None:
    """I4: however the two labels of each pair are split over the sides, the symmetric estimate and errors stay."""
    moved = data.draw(hnp.arrays(np.int64, counts.shape, elements=st.integers(0, 12)))
    moved = np.minimum(moved, counts)
    swapped = counts - moved + moved.transpose(0, 2, 1)
    one, two = predicted(counts, (counts.shape[-1] - 1,)), predicted(swapped, (counts.shape[-1] - 1,))
    for name in ("probability", "binomial", "pair", "topic"):
        np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(one.interval.ends, two.interval.ends, rtol=1e-12, atol=1e-15)


@given(tensors(), st.sampled_from(ESTIMATORS))
@quick
def test_merging_conditioning_levels_gives_the_weighted_mean(counts: Array, estimator: Estimator) -> None:
    """I5: rows 0 and 1 taken together have the mean of their parameters, weighted by their opinions."""
    pairs = counts + counts.transpose(0, 2, 1) if estimator == "symmetric" else counts
    total = pairs.sum(axis=0)
    weight = total.sum(axis=1)
    assume(weight[0] > 0)
    assume(weight[1] > 0)
    for relevant in subsets(len(total)):
        p = probabilities(counts, relevant, estimator)
        merged = total[:2][:, list(relevant)].sum() / weight[:2].sum()
        assert (weight[0] * p[0] + weight[1] * p[1]) / (weight[0] + weight[1]) == pytest.approx(merged, abs=1e-12)


@given(hnp.arrays(np.int64, (4, 3), elements=st.integers(1, 50)))
@quick
def test_without_disagreement_p_is_1_or_0(diagonals: Array) -> None:
    """Where assessors always agree, p(R|i) is exactly 1 for levels in R and exactly 0 for the others."""
    counts = np.array([np.diag(row) for row in diagonals])
    for relevant in subsets(3):
        prediction = predicted(counts, relevant)
        assert prediction.probability.tolist() == [float(level in relevant) for level in range(3)]
        gains = gs.prm_gains(prediction).values
        assert gains.tolist() == gs.gains.binary_gains(prediction.levels, prediction.relevance).values.tolist()


@given(hnp.arrays(np.int64, 4, elements=st.integers(1, 9)), st.integers(1, 4))
@quick
def test_independent_labels_leave_the_prevalence(shares: Array, topics: int) -> None:
    """Where the second label is independent of the first, p(R|i) is the prevalence of R for every i."""
    counts = np.array([np.outer(shares, shares)] * topics)
    for estimator in ESTIMATORS:
        for relevant in subsets(4):
            prevalence = shares[list(relevant)].sum() / shares.sum()
            p = probabilities(counts, relevant, estimator)
            np.testing.assert_allclose(p, prevalence, rtol=1e-12)


@given(tensors(least_topics=2), st.data(), st.sampled_from(ESTIMATORS))
@quick
def test_the_order_of_topics_never_matters(counts: Array, data: st.DataObject, estimator: Estimator) -> None:
    """Estimates, errors and jackknife intervals are the same whatever the order of the topics."""
    order = data.draw(st.permutations(range(len(counts))))
    one, two = (predicted(each, (counts.shape[-1] - 1,), estimator) for each in (counts, counts[order]))
    assert one.notes == two.notes
    for name in ("probability", "pair", "topic", "covariance"):
        np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(one.interval.ends, two.interval.ends, rtol=1e-9, atol=1e-15)


@given(tensors(), st.sampled_from(ESTIMATORS))
@quick
def test_a_set_is_the_sum_of_its_levels(counts: Array, estimator: Estimator) -> None:
    """p(R|i) of a set of levels is the sum of those of its single levels."""
    single = [probabilities(counts, (level,), estimator) for level in range(counts.shape[-1])]
    for relevant in subsets(counts.shape[-1]):
        expected = np.sum([single[level] for level in relevant], axis=0)
        np.testing.assert_allclose(probabilities(counts, relevant, estimator), expected, rtol=1e-12)


def random_judgments(judge: Make, seed: int, readings: tuple[int, ...]) -> tuple[gs.Judgments, list[Array]]:
    """Judgments of 24 documents in 4 topics, and n_di per document; document d has one of the given readings."""
    rng = np.random.default_rng(seed)
    rows, tallies = [], []
    for document in range(24):
        count = readings[document % len(readings)]
        labels = rng.integers(0, 3, size=count)
        assessors = rng.permutation(6)[:count]
        tallies.append(np.bincount(labels, minlength=3).astype(float))
        rows += [
            (f"q{document % 4}", f"d{document}", f"A{assessor}", str(label))
            for assessor, label in zip(assessors, labels, strict=True)
        ]
    return judge(rows, levels=levels_of(3)), tallies


def weight_of(weighting: str, judged: float) -> float:
    """The weight w_d of a document in eq. (14)."""
    return {"judgment": 1 / (judged - 1), "pair": 1.0, "document": 1 / (judged * (judged - 1))}[weighting]


@given(seed=st.integers(0, 2**32), weighting=st.sampled_from(["judgment", "pair", "document"]), top=st.integers(1, 2))
@settings(max_examples=25, deadline=None)
def test_estimate_and_pair_error_equal_a_loop_over_documents(judge: Make, seed: int, weighting: str, top: int) -> None:
    """Eq. (14) and `sum_d e_d^2 / (sum_d b_d)^2`, document by document, with 2, 3 and 5 judgments a document."""
    judgments, tallies = random_judgments(judge, seed, (2, 3, 5))
    counts = gs.count_pairs(judgments, weighting=weighting)  # type: ignore[arg-type]
    found = gs.predict_relevance(gs.estimate_disagreement(counts), judgments.levels.at_or_above(str(top)))
    for level in range(3):
        terms = []
        for tally in tallies:
            judged = tally.sum()
            weight = weight_of(weighting, judged)
            relevant = tally[top:].sum() - (level >= top)
            terms.append((weight * tally[level] * relevant, weight * tally[level] * (judged - 1)))
        a, b = np.array(terms).T
        p = a.sum() / b.sum()
        assert found.probability[level] == pytest.approx(p, abs=1e-12)
        assert found.pair[level] == pytest.approx(np.sqrt(((a - p * b) ** 2).sum()) / b.sum(), abs=1e-12)


@given(seed=st.integers(0, 2**32), readings=st.sampled_from([2, 3, 4]))
@settings(max_examples=15, deadline=None)
def test_the_three_weightings_coincide_for_equal_numbers_of_judgments(judge: Make, seed: int, readings: int) -> None:
    """With equally many judgments on every document the weightings agree, and for two they are eq. (5)."""
    judgments, tallies = random_judgments(judge, seed, (readings,))
    found = [
        gs.predict_relevance(gs.estimate_disagreement(gs.count_pairs(judgments, weighting=weighting)))  # type: ignore[arg-type]
        for weighting in ("judgment", "pair", "document")
    ]
    for other in found[1:]:
        np.testing.assert_allclose(other.probability, found[0].probability, rtol=1e-12)
        np.testing.assert_allclose(other.pair, found[0].pair, rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose(other.topic, found[0].topic, rtol=1e-9, atol=1e-15)
    if readings == 2:
        both = sum(np.outer(tally, tally) - np.diag(tally) for tally in tallies)
        with np.errstate(invalid="ignore"):
            np.testing.assert_allclose(found[0].probability, both[:, 2] / both.sum(axis=1))  # type: ignore[index,union-attr]


@given(tensors(least_topics=2), st.sampled_from(ESTIMATORS))
@quick
def test_topic_error_equals_a_loop_and_its_covariance_is_one(counts: Array, estimator: Estimator) -> None:
    """Eq. (24) term by term; the covariance is symmetric and positive semi-definite; NaN where one topic is seen."""
    top = counts.shape[-1] - 1
    found = predicted(counts, (top,), estimator)
    topics, size = len(counts), counts.shape[-1]
    pairs = counts + counts.transpose(0, 2, 1) if estimator == "symmetric" else counts
    for i in range(size):
        for k in range(size):
            if min((pairs[:, level].sum(axis=1) > 0).sum() for level in (i, k)) < 2:
                assert np.isnan(found.covariance[i, k])
                continue
            total = 0.0
            for t in range(topics):
                residuals = []
                for level in (i, k):
                    p = pairs[:, level, top].sum() / pairs[:, level].sum()
                    residuals.append(pairs[t, level, top] - p * pairs[t, level].sum())
                total += residuals[0] * residuals[1]
            expected = topics / (topics - 1) * total / (pairs[:, i].sum() * pairs[:, k].sum())
            assert found.covariance[i, k] == pytest.approx(expected, abs=1e-12)
    known = ~np.isnan(np.diagonal(found.covariance))
    matrix = found.covariance[np.ix_(known, known)]
    np.testing.assert_array_equal(matrix, matrix.T)
    assert np.all(np.linalg.eigvalsh(matrix) > -1e-12)
    np.testing.assert_allclose(found.topic[known] ** 2, np.diagonal(matrix))


@given(tensors(least_topics=2), st.integers(0, 2**32), st.sampled_from(ESTIMATORS))
@settings(max_examples=20, deadline=None)
def test_bootstrap_draws_are_topics_drawn_by_hand(counts: Array, seed: int, estimator: Estimator) -> None:
    """Every draw is the estimate from topics repeated as often as the multinomial of the seed says."""
    disagreement = fitted(counts, estimator)
    relevance = disagreement.levels.at_or_above(disagreement.levels.top)
    matrices = gs.model.draw_matrices(disagreement, draws=7, seed=seed)
    times = np.random.default_rng(seed).multinomial(len(counts), np.full(len(counts), 1 / len(counts)), size=7)
    for drawn, matrix in zip(times, matrices, strict=True):
        total = np.repeat(disagreement.pairs, drawn, axis=0).sum(axis=0)
        with np.errstate(invalid="ignore"):
            np.testing.assert_allclose(matrix, total / total.sum(axis=1, keepdims=True), rtol=1e-12)
    sums = matrices @ relevance.indicator
    np.testing.assert_allclose(
        gs.model.draw_probabilities(disagreement, relevance, draws=7, seed=seed), sums, rtol=1e-12
    )


@pytest.mark.parametrize("kind", [None, "uniform", "marginal", "isotonic"])
def test_the_same_seed_gives_the_same_draws_in_any_blocks(kind: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of the blocks, which bounds memory, leaves the draws of a seed as they are; another seed moves them."""
    from gainsayer.model import resampling

    counts = np.random.default_rng(3).integers(0, 6, size=(5, 3, 3))
    disagreement = fitted(counts, smoothing=None if kind is None else gs.model.Smoothing(kind))  # type: ignore[arg-type]
    relevance = disagreement.levels.at_or_above("1")
    whole = gs.model.draw_matrices(disagreement, draws=50, seed=4)
    shares = gs.model.draw_probabilities(disagreement, relevance, draws=50, seed=4)
    assert not np.array_equal(whole, gs.model.draw_matrices(disagreement, draws=50, seed=5))
    monkeypatch.setattr(resampling, "BLOCK_CELLS", 40)
    np.testing.assert_array_equal(whole, gs.model.draw_matrices(disagreement, draws=50, seed=4))
    np.testing.assert_array_equal(shares, gs.model.draw_probabilities(disagreement, relevance, draws=50, seed=4))


def test_the_bootstrap_spreads_as_the_topic_error_says() -> None:
    """With 200 topics the deviation of 4,000 draws is the topic error within a tenth."""
    rng = np.random.default_rng(8)
    shares = rng.dirichlet(np.array([6.0, 2, 1, 2, 4, 2, 1, 2, 4]), size=200)
    counts = np.array([rng.multinomial(30, share).reshape(3, 3) for share in shares])
    disagreement = fitted(counts)
    relevance = disagreement.levels.at_or_above("2")
    error = gs.predict_relevance(disagreement, relevance).topic
    spread = gs.model.draw_probabilities(disagreement, relevance, draws=4000, seed=1).std(axis=0)
    # The deviation of 4,000 draws is known to 1 / sqrt(8000) = 1.1 %; the rest is T/(T-1) and curvature.
    np.testing.assert_allclose(spread, error, rtol=0.1)


@given(
    hnp.arrays(np.int64, (4, 3, 3), elements=st.integers(0, 3)),
    hnp.arrays(np.float64, (4, 3, 3), elements=st.sampled_from([0.1, 1 / 3, 0.7, 1.0])),
    st.sampled_from([None, "uniform", "marginal", "isotonic"]),
)
@settings(max_examples=150, deadline=None)
def test_weighted_counts_leave_no_dust(counts: Array, weight: Array, kind: str | None) -> None:
    """With uneven weights p(R|i) is exactly 0 or 1 where no opinion, or each, is relevant, and never beyond (T20)."""
    counts = counts * weight
    assume(counts.sum() > 0)
    smoothing = None if kind is None else gs.model.Smoothing(kind)  # type: ignore[arg-type]
    disagreement = fitted(counts, smoothing=smoothing)
    for threshold in ("0", "1", "2"):
        found = gs.predict_relevance(disagreement, disagreement.levels.at_or_above(threshold))
        p = found.probability[np.isfinite(found.probability)]
        assert np.all((p >= 0) & (p <= 1))
        assert not np.any((p > 0) & (p < 1e-9))
        assert not np.any((p < 1) & (p > 1 - 1e-9))
        ends = found.interval.ends[np.isfinite(found.interval.ends).all(axis=1)]
        assert np.all((ends[:, 0] >= 0) & (ends[:, 0] <= ends[:, 1]) & (ends[:, 1] <= 1))
