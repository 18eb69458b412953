"""Scores in; differences, intervals, tests, rank correlations out."""

from __future__ import annotations

from gainsayer.comparison.conclusions import conclude_part
from gainsayer.comparison.correlation import RankCorrelation, kendall_tau, tau_ap, tau_interval
from gainsayer.comparison.differences import Differences, find_differences, flip_runs, judge_pairs
from gainsayer.comparison.intervals import (
    ScoreErrors,
    difference_intervals,
    find_quantities,
    highest_score,
    replicate_given,
    score_intervals,
)
from gainsayer.comparison.options import CompareOptions, Part, list_parts, list_schemes
from gainsayer.comparison.paired_tests import (
    ENUMERATED_TOPICS,
    EXACT_TOPICS,
    adjust_p,
    compare_effects,
    compare_pairs,
    discriminative_power,
    list_pairs,
    rank_differences,
    standardise,
)
from gainsayer.comparison.ranks import letter_groups, possibly_best, rank_scores, rank_sets
from gainsayer.comparison.replicates import (
    Replicates,
    ScoredRuns,
    doubly_judged,
    leave_out_topics,
    move_gains,
    prepare_runs,
    sort_topics,
)
from gainsayer.comparison.results import Comparison, VarianceShares
from gainsayer.comparison.run_comparison import compare_runs
from gainsayer.comparison.sign_flips import FEWEST_FLIPS, SignFlips, adjust_by_largest, flip_signs, sign_patterns
from gainsayer.comparison.user_band import band_users

__all__ = ["Comparison", "compare_runs", "kendall_tau"]
