"""Judgments in, p(R|i) out: pairs and their counts, estimators, variances and intervals, agreement, checks."""

from __future__ import annotations

from gainsayer.model.agreement import (
    COEFFICIENTS,
    ORDERED,
    Agreement,
    AgreementScores,
    measure_agreement,
    score_assessor_pairs,
    score_many,
    score_sides,
)
from gainsayer.model.assessor_pairs import AssessorPairCounts, count_assessor_pairs
from gainsayer.model.bootstrap import draw_matrices, draw_probabilities
from gainsayer.model.estimate import (
    ESTIMATORS,
    FEWEST_SUSPICIOUS,
    Disagreement,
    Estimator,
    Exchangeability,
    Smoothing,
    check_exchangeability,
    check_selection,
    estimate_disagreement,
    isotonic_means,
    normalise_rows,
)
from gainsayer.model.intents import expand_intents, keep_top_intent
from gainsayer.model.intervals import (
    binomial_error,
    effective_count,
    normal_interval,
    pair_error,
    topic_covariance,
)
from gainsayer.model.label_checks import compare_label_sets, notice_missing_zeros
from gainsayer.model.pairs import FloatArray, PairCounts, Share, count_pairs
from gainsayer.model.relevance import PredictedRelevance, predict_relevance, set_lowest_to_zero
from gainsayer.model.resampling import all_signs, check_draws, draw_signs, draw_topics, weigh_topics
from gainsayer.model.shrinkage import UnitEstimates, shrink_units
from gainsayer.model.user_correlation import (
    PANELS,
    Opinions,
    estimate_user_correlation,
    fit_correlation,
    fit_user_correlation,
    joint_excess,
    residual_products,
)
from gainsayer.model.variance import (
    clopper_pearson,
    delete_each,
    effective_number,
    effective_topics,
    exact_size,
    jackknife_intervals,
    leave_out_each,
    straighten,
    topic_intervals,
)
from gainsayer.model.weights import assign_strata, split_strata, weigh_second_round

__all__ = [
    "Agreement",
    "Disagreement",
    "PairCounts",
    "PredictedRelevance",
    "Smoothing",
    "UnitEstimates",
    "assign_strata",
    "check_exchangeability",
    "count_pairs",
    "draw_matrices",
    "draw_probabilities",
    "estimate_disagreement",
    "estimate_user_correlation",
    "expand_intents",
    "keep_top_intent",
    "measure_agreement",
    "predict_relevance",
    "set_lowest_to_zero",
    "shrink_units",
    "split_strata",
    "weigh_second_round",
]
