"""Scores in; differences, intervals, tests, rank correlations out."""

from __future__ import annotations

from gainsayer.comparison.compare import compare_runs, conclude_part
from gainsayer.comparison.differences import Differences, find_differences, flip_runs, judge_pairs
from gainsayer.comparison.fixed_tests import (
    ENUMERATED_TOPICS,
    EXACT_TOPICS,
    FEWEST_FLIPS,
    SignFlips,
    adjust_by_largest,
    adjust_p,
    compare_pairs,
    discriminative_power,
    flip_signs,
    list_pairs,
    rank_differences,
    sign_patterns,
    standardise,
)
from gainsayer.comparison.intervals import (
    ScoreErrors,
    difference_intervals,
    find_quantities,
    highest_score,
    replicate_given,
    score_intervals,
)
from gainsayer.comparison.ranks import (
    RankCorrelation,
    kendall_tau,
    letter_groups,
    possibly_best,
    rank_scores,
    rank_sets,
    tau_ap,
    tau_interval,
)
from gainsayer.comparison.replicates import (
    Replicates,
    ScoredRuns,
    doubly_judged,
    leave_out_topics,
    move_gains,
    prepare_runs,
    sort_topics,
)
from gainsayer.comparison.results import CompareOptions, Comparison, Part, VarianceShares, list_parts, list_schemes
from gainsayer.comparison.users import band_users

__all__ = ["Comparison", "compare_runs", "kendall_tau"]
