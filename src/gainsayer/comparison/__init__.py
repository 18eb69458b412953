"""Scores in; differences, intervals, tests, rank correlations out."""

from __future__ import annotations

from gainsayer.comparison.conclusions import Measured, conclude_part
from gainsayer.comparison.correlation import RankCorrelation, kendall_tau, tau_ap, tau_interval
from gainsayer.comparison.differences import Differences, find_differences, judge_pairs
from gainsayer.comparison.double_judgments import DoubleJudgments, find_basis, find_moves, hold_gains
from gainsayer.comparison.hashed_draws import hashed_signs, name_keys, poisson_weights
from gainsayer.comparison.intervals import (
    ScoreErrors,
    difference_intervals,
    find_influences,
    highest_score,
    score_intervals,
)
from gainsayer.comparison.mean_scores import ScoredRuns, prepare_runs
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
    TopicDraws,
    draw_kinds,
    leave_out_pairs,
    leave_out_topics,
    redraw_scores,
    sort_topics,
)
from gainsayer.comparison.results import Comparison, VarianceShares
from gainsayer.comparison.run_comparison import compare_runs
from gainsayer.comparison.sign_flips import FEWEST_FLIPS, SignFlips, adjust_by_largest, flip_signs, sign_patterns
from gainsayer.comparison.summed_errors import (
    RunMoments,
    find_moments,
    flip_pairs,
    pair_errors,
    score_errors,
    summed_differences,
    summed_effect,
    summed_intervals,
)
from gainsayer.comparison.topic_blocks import TOPICS_PER_BLOCK, add_up, count_bits, find_blocks, join_nodes
from gainsayer.comparison.topic_sums import (
    KindSums,
    SumPlan,
    TopicSums,
    cut_columns,
    find_slopes,
    plan_sums,
    sum_topics,
)
from gainsayer.comparison.user_band import band_users

__all__ = ["Comparison", "compare_runs", "kendall_tau"]
