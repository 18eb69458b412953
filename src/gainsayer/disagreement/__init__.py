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
__getattr__, __dir__ = late_names(__name__, _HOMES)
