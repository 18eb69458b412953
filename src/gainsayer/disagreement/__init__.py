"""Counts in, p(R|i) out: estimators, errors and intervals, smoothing, agreement coefficients, checks."""

from __future__ import annotations

from gainsayer.disagreement.agreement import Agreement, measure_agreement
from gainsayer.disagreement.agreement_scores import (
    COEFFICIENTS,
    ORDERED,
    AgreementScores,
    score_assessor_pairs,
    score_many,
    score_sides,
)
from gainsayer.disagreement.bootstrap import draw_matrices, draw_probabilities
from gainsayer.disagreement.checks import Exchangeability, check_exchangeability, check_selection, chi_square_tail
from gainsayer.disagreement.estimate import (
    FEWEST_SUSPICIOUS,
    Disagreement,
    Estimator,
    Smoothing,
    estimate_disagreement,
    isotonic_means,
    normalise_rows,
)
from gainsayer.disagreement.estimators import ESTIMATORS
from gainsayer.disagreement.intervals import (
    binomial_error,
    effective_count,
    normal_interval,
    pair_error,
    topic_covariance,
)
from gainsayer.disagreement.jackknife import (
    clopper_pearson,
    delete_each,
    effective_number,
    effective_topics,
    exact_size,
    jackknife_intervals,
    leave_out_each,
    people_intervals,
    straighten,
    topic_intervals,
)
from gainsayer.disagreement.relevance import PredictedRelevance, predict_relevance, set_lowest_to_zero
from gainsayer.disagreement.resampling import all_signs, check_draws, draw_signs, draw_topics, weigh_topics
from gainsayer.disagreement.shrinkage import UnitEstimates, shrink_units
from gainsayer.disagreement.user_correlation import (
    PANELS,
    Opinions,
    estimate_user_correlation,
    fit_correlation,
    fit_user_correlation,
    joint_excess,
    residual_products,
)

__all__ = [
    "Agreement",
    "Disagreement",
    "PredictedRelevance",
    "Smoothing",
    "UnitEstimates",
    "check_exchangeability",
    "draw_matrices",
    "draw_probabilities",
    "estimate_disagreement",
    "estimate_user_correlation",
    "measure_agreement",
    "predict_relevance",
    "set_lowest_to_zero",
    "shrink_units",
]
