"""Ranked levels and gains in, one number per topic out."""

from __future__ import annotations

from gainsayer.measures.catalogue import DEEPEST, Measure, ask_users, parse_measure
from gainsayer.measures.expected.exact import (
    MOST_ANSWERS,
    MOST_NUMBERS,
    Kinds,
    cached,
    expect_shares,
    expected_average_precision,
    expected_f1,
    expected_inferred_precision,
    expected_normalised_gain,
    expected_q_measure,
    expected_r_precision,
    expected_recall,
    find_kinds,
    kind_profile,
    refuse_many,
    score_by_kinds,
    share_with_relevant,
    split_draws,
)
from gainsayer.measures.expected.found import FoundDistribution, distribute_found, distribute_runs
from gainsayer.measures.expected.relevant_counts import (
    FEW_OF_MANY,
    RelevantCount,
    binomial_probabilities,
    highest_likely,
)
from gainsayer.measures.expected.simulated import simulate_users
from gainsayer.measures.expected.users import (
    average_over_strictness,
    check_users,
    score_threshold_users,
    score_users,
    share_of_served,
    share_with_threshold,
    threshold_users,
)
from gainsayer.measures.families import FAMILIES, USER_PARAMETERS, Family, Parameter, add_family, choice, number
from gainsayer.measures.linear import (
    Linear,
    discounted_gain,
    f1,
    judged_share,
    normalised_gain,
    precision,
    rank_biased_precision,
    recall,
    relative_set_precision,
    relevant_count,
    retrieved_count,
    set_f,
    set_precision,
    unjudged_share,
)
from gainsayer.measures.lists import (
    EPSILON,
    average_precision,
    binary_preference,
    expected_reciprocal_rank,
    graded_average_precision,
    inferred_precision,
    q_measure,
    r_precision,
    reciprocal_rank,
    success,
)
from gainsayer.measures.scores import (
    MUCH_UNJUDGED,
    Scores,
    bound_unjudged,
    list_metrics,
    mean_and_error,
    name_metric,
    score_runs,
    tell_apart_names,
    without_relevant,
)
from gainsayer.measures.sums import (
    DISCOUNTS,
    divide,
    gains_of_hits,
    ideal_score,
    level_profile,
    log_discount,
    no_discount,
    pair_profile,
    pool_total,
    running_discount,
    sum_before,
    sum_by_topic,
    zipf_discount,
)
from gainsayer.measures.unjudged import admit_unjudged, real_judgments, spell_out_unjudged, take_unjudged_as

__all__ = ["Family", "Linear", "Measure", "Parameter", "Scores", "add_family", "parse_measure", "score_runs"]
