"""Gainsayer turns assessor disagreement into gains.

Assessors disagree. From documents judged twice it counts who said what, estimates for each relevance level how likely a
random user is to find such a document relevant, and uses these probabilities as gains: the Predicted Relevance Model.
The names below stand in the order of that flow.

    read_judgments  ->  count_pairs  ->  estimate_disagreement  ->  predict_relevance  ->  prm_gains
       Judgments         PairCounts          Disagreement           PredictedRelevance       Gains
                                                                                               |
    read_run  ->  rank_levels  ------------------------------------------------------->  score_runs, compare_runs
      Run        RankedLevels

>>> import gainsayer as gs
>>> judgments = gs.twenty_documents()
>>> disagreement = gs.estimate_disagreement(gs.count_pairs(judgments))
>>> prediction = gs.predict_relevance(disagreement, judgments.levels.at_or_above("2"))
>>> gs.prm_gains(prediction).as_dict()
{'0': 0.07692307692307693, '1': 0.29411764705882354, '2': 0.4}
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gainsayer.comparison.comparing import compare_runs
    from gainsayer.comparison.correlation import kendall_tau
    from gainsayer.comparison.results import Comparison
    from gainsayer.comparison.schemes import Scheme, prm_scheme
    from gainsayer.counts.intents import expand_intents, keep_top_intent
    from gainsayer.counts.pairing import count_pairs
    from gainsayer.counts.pairs import PairCounts
    from gainsayer.counts.sampling import weigh_second_round
    from gainsayer.counts.strata import assign_strata, split_strata
    from gainsayer.datasets.collection import SimulatedCollection
    from gainsayer.datasets.paper import twenty_documents
    from gainsayer.datasets.simulate import simulate_collection
    from gainsayer.disagreement.agreement import Agreement, measure_agreement
    from gainsayer.disagreement.bootstrap import draw_matrices, draw_probabilities
    from gainsayer.disagreement.checks import check_exchangeability
    from gainsayer.disagreement.estimate import Disagreement, estimate_disagreement
    from gainsayer.disagreement.relevance import PredictedRelevance, predict_relevance, set_lowest_to_zero
    from gainsayer.disagreement.smoothing import Smoothing
    from gainsayer.disagreement.units import UnitEstimates, shrink_units
    from gainsayer.errors import CallError, DataError, GainsayerError
    from gainsayer.gains import (
        Gains,
        binary_gains,
        custom_gains,
        exponential_gains,
        linear_gains,
        prm_gains,
        udm_gains,
        utility_gains,
    )
    from gainsayer.judgments.files import read_judgments
    from gainsayer.judgments.table import Judgments
    from gainsayer.levels import Levels, Relevance, parse_levels
    from gainsayer.measures.catalogue import parse_measure
    from gainsayer.measures.scoring import score_runs
    from gainsayer.rankings.labels import choose_labels
    from gainsayer.rankings.pool import make_pool
    from gainsayer.rankings.rank import rank_levels
    from gainsayer.rankings.ranked_levels import RankedLevels
    from gainsayer.runs.files import read_run
    from gainsayer.studies.amount import study_amount
    from gainsayer.studies.gain_schemes import study_gains
    from gainsayer.studies.quality import study_quality
    from gainsayer.studies.robustness import study_robustness
    from gainsayer.studies.topics import study_topics

# Each public name and the module it lives in. They are imported when first used, so that `import gainsayer` and
# `gainsayer --help` do not wait for tables and arrays.
_HOME = {
    "Levels": "levels",
    "Relevance": "levels",
    "parse_levels": "levels",
    "Judgments": "judgments.table",
    "read_judgments": "judgments.files",
    "twenty_documents": "datasets.paper",
    "SimulatedCollection": "datasets.collection",
    "simulate_collection": "datasets.simulate",
    "PairCounts": "counts.pairs",
    "count_pairs": "counts.pairing",
    "weigh_second_round": "counts.sampling",
    "assign_strata": "counts.strata",
    "split_strata": "counts.strata",
    "expand_intents": "counts.intents",
    "keep_top_intent": "counts.intents",
    "Agreement": "disagreement.agreement",
    "measure_agreement": "disagreement.agreement",
    "Disagreement": "disagreement.estimate",
    "estimate_disagreement": "disagreement.estimate",
    "Smoothing": "disagreement.smoothing",
    "check_exchangeability": "disagreement.checks",
    "PredictedRelevance": "disagreement.relevance",
    "predict_relevance": "disagreement.relevance",
    "set_lowest_to_zero": "disagreement.relevance",
    "draw_matrices": "disagreement.bootstrap",
    "draw_probabilities": "disagreement.bootstrap",
    "UnitEstimates": "disagreement.units",
    "shrink_units": "disagreement.units",
    "Gains": "gains",
    "prm_gains": "gains",
    "udm_gains": "gains",
    "utility_gains": "gains",
    "binary_gains": "gains",
    "linear_gains": "gains",
    "exponential_gains": "gains",
    "custom_gains": "gains",
    "read_run": "runs.files",
    "choose_labels": "rankings.labels",
    "make_pool": "rankings.pool",
    "rank_levels": "rankings.rank",
    "RankedLevels": "rankings.ranked_levels",
    "parse_measure": "measures.catalogue",
    "score_runs": "measures.scoring",
    "Scheme": "comparison.schemes",
    "prm_scheme": "comparison.schemes",
    "Comparison": "comparison.results",
    "compare_runs": "comparison.comparing",
    "kendall_tau": "comparison.correlation",
    "study_topics": "studies.topics",
    "study_amount": "studies.amount",
    "study_quality": "studies.quality",
    "study_robustness": "studies.robustness",
    "study_gains": "studies.gain_schemes",
    "GainsayerError": "errors",
    "DataError": "errors",
    "CallError": "errors",
}

__all__ = [
    "Agreement",
    "CallError",
    "Comparison",
    "DataError",
    "Disagreement",
    "Gains",
    "GainsayerError",
    "Judgments",
    "Levels",
    "PairCounts",
    "PredictedRelevance",
    "RankedLevels",
    "Relevance",
    "Scheme",
    "SimulatedCollection",
    "Smoothing",
    "UnitEstimates",
    "assign_strata",
    "binary_gains",
    "check_exchangeability",
    "choose_labels",
    "compare_runs",
    "count_pairs",
    "custom_gains",
    "draw_matrices",
    "draw_probabilities",
    "estimate_disagreement",
    "expand_intents",
    "exponential_gains",
    "keep_top_intent",
    "kendall_tau",
    "linear_gains",
    "make_pool",
    "measure_agreement",
    "parse_levels",
    "parse_measure",
    "predict_relevance",
    "prm_gains",
    "prm_scheme",
    "rank_levels",
    "read_judgments",
    "read_run",
    "score_runs",
    "set_lowest_to_zero",
    "shrink_units",
    "simulate_collection",
    "split_strata",
    "study_amount",
    "study_gains",
    "study_quality",
    "study_robustness",
    "study_topics",
    "twenty_documents",
    "udm_gains",
    "utility_gains",
    "weigh_second_round",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("gainsayer")
    if name not in _HOME:
        raise AttributeError(f"module 'gainsayer' has no attribute {name!r}")
    return getattr(import_module(f"gainsayer.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
