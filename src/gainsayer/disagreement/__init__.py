"""Counts in, p(R|i) out: estimators, errors and intervals, smoothing, agreement coefficients, checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.disagreement.agreement import Agreement, measure_agreement
    from gainsayer.disagreement.bootstrap import draw_matrices, draw_probabilities
    from gainsayer.disagreement.checks import check_exchangeability
    from gainsayer.disagreement.estimate import Disagreement, Smoothing, estimate_disagreement
    from gainsayer.disagreement.relevance import PredictedRelevance, predict_relevance, set_lowest_to_zero
    from gainsayer.disagreement.shrinkage import UnitEstimates, shrink_units
    from gainsayer.disagreement.user_correlation import estimate_user_correlation

_HOMES = {
    "Agreement": "agreement",
    "Disagreement": "estimate",
    "PredictedRelevance": "relevance",
    "Smoothing": "estimate",
    "UnitEstimates": "shrinkage",
    "check_exchangeability": "checks",
    "draw_matrices": "bootstrap",
    "draw_probabilities": "bootstrap",
    "estimate_disagreement": "estimate",
    "estimate_user_correlation": "user_correlation",
    "measure_agreement": "agreement",
    "predict_relevance": "relevance",
    "set_lowest_to_zero": "relevance",
    "shrink_units": "shrinkage",
}
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
# What the room's own tests use as well.
_INSIDE = {
    "AgreementScores": "agreement_scores",
    "COEFFICIENTS": "agreement_scores",
    "ESTIMATORS": "estimators",
    "Estimator": "estimate",
    "Exchangeability": "checks",
    "FEWEST_SUSPICIOUS": "estimate",
    "ORDERED": "agreement_scores",
    "Opinions": "user_correlation",
    "PANELS": "user_correlation",
    "all_signs": "resampling",
    "binomial_error": "intervals",
    "check_draws": "resampling",
    "check_selection": "checks",
    "chi_square_tail": "checks",
    "clopper_pearson": "jackknife",
    "delete_each": "jackknife",
    "draw_signs": "resampling",
    "draw_topics": "resampling",
    "effective_count": "intervals",
    "effective_number": "jackknife",
    "effective_topics": "jackknife",
    "exact_size": "jackknife",
    "fit_correlation": "user_correlation",
    "fit_user_correlation": "user_correlation",
    "isotonic_means": "estimate",
    "jackknife_intervals": "jackknife",
    "joint_excess": "user_correlation",
    "leave_out_each": "jackknife",
    "measure_count_agreement": "agreement",
    "normal_interval": "intervals",
    "normalise_rows": "estimate",
    "pair_error": "intervals",
    "people_intervals": "jackknife",
    "residual_products": "user_correlation",
    "score_assessor_pairs": "agreement_scores",
    "score_many": "agreement_scores",
    "score_sides": "agreement_scores",
    "straighten": "jackknife",
    "topic_covariance": "intervals",
    "topic_intervals": "jackknife",
    "weigh_topics": "resampling",
}
__getattr__, __dir__ = late_names(__name__, _HOMES, _INSIDE)
