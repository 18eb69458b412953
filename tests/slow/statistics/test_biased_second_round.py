"""A second round chosen by the first labels (T6): what it does to each estimate, in simulation."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.datasets import FEDWEB13_PAGES, JointModel, RunDesign, SecondRound
from gainsayer.errors import BiasedSampleError, DataError
from gainsayer.model import normalise_rows

# Exchangeable sides, so that the one-sided and the symmetric truth are one and the same.
JOINT = np.array(FEDWEB13_PAGES) + np.array(FEDWEB13_PAGES).T
TRUTH = JOINT[:, 3] / JOINT.sum(axis=1)
SHARES = {"Non": 0.05, "Rel": 0.5, "HRel": 0.8, "Key": 1.0}
NEVER = {"Non": 0.0, "Rel": 1.0, "HRel": 1.0, "Key": 1.0}
TRIALS = 60
# 4 levels and a few claims: a mean of the trials exceeds 4.5 of its errors about once in 10,000 seeds.
ERRORS = 4.5


@cache
def judgments(seed: int, never: bool = False) -> gs.Judgments:
    """60 topics of 150 documents; the second side judges documents of each first level in the given shares."""
    second = SecondRound(topics=60, by_level=NEVER if never else SHARES)
    model = JointModel(JOINT, concentration=80)
    collection = gs.datasets.simulate_collection(
        model, topics=60, documents=150, second=second, runs=RunDesign((), unjudged=0), seed=seed
    )
    return collection.judgments


def plain_symmetric(counts: gs.model.PairCounts) -> np.ndarray:
    """p(Key|i) by eq. (5) without asking whether it is valid."""
    return normalise_rows(counts.symmetric().sum(axis=0))[:, 3]


def mean_and_error(estimates: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The mean over the trials and the standard error of that mean."""
    values = np.array(estimates)
    return values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))


def test_the_plain_symmetric_estimate_is_wrong() -> None:
    """Unweighted eq. (5) puts p(Key|Non) far above .008 and p(Key|Key) above .53, beyond all chance."""
    mean, error = mean_and_error([plain_symmetric(gs.count_pairs(judgments(seed))) for seed in range(TRIALS)])
    assert mean[0] > 5 * TRUTH[0]
    assert mean[0] - TRUTH[0] > 20 * error[0]
    # Nearly all Key documents are judged again from the first side, few of the pairs (Non, Key) from the other.
    assert mean[3] - TRUTH[3] > 5 * error[3]


def test_the_one_sided_estimate_is_right() -> None:
    """Eq. (4), which the default falls back on, is unbiased for every level."""
    estimates = []
    for seed in range(TRIALS):
        disagreement = gs.estimate_disagreement(gs.count_pairs(judgments(seed)))
        assert disagreement.estimator == "one-sided"
        estimates.append(disagreement.matrix[:, 3])
    mean, error = mean_and_error(estimates)
    assert np.all(np.abs(mean - TRUTH) < ERRORS * error)


@pytest.mark.parametrize("probabilities", ["observed", SHARES], ids=["observed", "given"])
def test_inverse_probabilities_repair_the_symmetric_estimate(probabilities: object) -> None:
    """Pairs weighted by 1/pi, known or observed, make eq. (5) unbiased again."""
    estimates = []
    for seed in range(TRIALS):
        weighed = gs.model.weigh_second_round(judgments(seed), probabilities)  # type: ignore[arg-type]
        disagreement = gs.estimate_disagreement(gs.count_pairs(weighed), estimator="symmetric")
        estimates.append(gs.predict_relevance(disagreement).probability)
    mean, error = mean_and_error(estimates)
    # A ratio of weighted sums is biased by a small part of its own error, which the mean over trials can just see.
    assert np.all(np.abs(mean - TRUTH) < ERRORS * error + 0.01 * TRUTH)


def test_weighted_errors_tell_the_spread() -> None:
    """The error over topics of the weighted estimate is the spread between trials, within what the trials can say."""
    estimates, errors = [], []
    for seed in range(TRIALS):
        weighed = gs.model.weigh_second_round(judgments(seed), SHARES)
        prediction = gs.predict_relevance(gs.estimate_disagreement(gs.count_pairs(weighed), estimator="symmetric"))
        estimates.append(prediction.probability)
        errors.append(prediction.topic)
    ratio = np.mean(errors, axis=0) / np.std(estimates, axis=0, ddof=1)
    # The deviation of 60 trials: chi with 59 degrees of freedom lies within these bounds but once in 1,000 times.
    assert np.all((ratio > 0.75) & (ratio < 1.43))


def test_the_symmetric_estimate_is_refused() -> None:
    """The check sees the selection in every trial, and names the shares."""
    for seed in range(TRIALS):
        with pytest.raises(BiasedSampleError, match=r"share judged again by level: Non \d"):
            gs.estimate_disagreement(gs.count_pairs(judgments(seed)), estimator="symmetric")


def test_a_level_never_judged_again_cannot_be_repaired() -> None:
    """With pi_0 = 0 eq. (5) is wrong for every level, weights are refused, eq. (4) is right and p(R|Non) missing."""
    plain, one_sided = [], []
    for seed in range(TRIALS):
        given = judgments(seed, True)
        counts = gs.count_pairs(given)
        plain.append(plain_symmetric(counts))
        disagreement = gs.estimate_disagreement(counts)
        one_sided.append(disagreement.matrix[:, 3])
        with pytest.raises(DataError, match="no weighting can repair"):
            gs.model.weigh_second_round(given, "observed")
    mean, error = mean_and_error(plain)
    assert np.all((mean - TRUTH)[1:] > 3 * error[1:]), "too high: the pairs (Non, i) that would lower it are unseen"
    mean, error = mean_and_error(one_sided)
    assert np.isnan(mean[0])
    assert np.all(np.abs(mean - TRUTH)[1:] < ERRORS * error[1:])


def test_a_random_second_round_is_not_refused() -> None:
    """Half of the documents of half of the topics, chosen at random: the symmetric estimate stands, and is right."""
    estimates = []
    for seed in range(TRIALS):
        collection = gs.datasets.simulate_collection(
            JointModel(JOINT, concentration=80),
            topics=60,
            documents=150,
            second=SecondRound(topics=30, share=0.5),
            runs=RunDesign((), unjudged=0),
            seed=1000 + seed,
        )
        disagreement = gs.estimate_disagreement(gs.count_pairs(collection.judgments))
        assert disagreement.estimator == "symmetric"
        estimates.append(disagreement.matrix[:, 3])
    mean, error = mean_and_error(estimates)
    assert np.all(np.abs(mean - TRUTH) < ERRORS * error)
