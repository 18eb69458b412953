"""Ranked levels and gains in, one number per topic out."""

from __future__ import annotations

from gainsayer.measures.cascade import expected_reciprocal_rank, reciprocal_rank, success
from gainsayer.measures.catalogue import DEEPEST, Measure, ask_users, parse_measure
from gainsayer.measures.expected.dependent_users import (
    average_over_strictness,
    score_threshold_users,
    share_with_threshold,
    threshold_users,
)
from gainsayer.measures.expected.divided import (
    expected_average_precision,
    expected_f1,
    expected_inferred_precision,
    expected_normalised_gain,
    expected_recall,
)
from gainsayer.measures.expected.found import FoundDistribution, distribute_found, distribute_runs
from gainsayer.measures.expected.kinds import (
    MOST_ANSWERS,
    MOST_NUMBERS,
    Kinds,
    cached,
    find_kinds,
    kind_profile,
    refuse_many,
    score_by_kinds,
    split_draws,
)
from gainsayer.measures.expected.r_precision import expected_q_measure, expected_r_precision
from gainsayer.measures.expected.relevant_counts import (
    FEW_OF_MANY,
    RelevantCount,
    binomial_probabilities,
    highest_likely,
)
from gainsayer.measures.expected.shares import expect_shares, share_with_relevant
from gainsayer.measures.expected.simulated_users import simulate_users
from gainsayer.measures.expected.users import check_users, score_users, share_of_served
from gainsayer.measures.families import FAMILIES, add_family
from gainsayer.measures.family import USER_PARAMETERS, Family, Parameter, choice, number
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
    share_of_judged,
    unjudged_share,
)
from gainsayer.measures.metric_names import list_metrics, name_metric, tell_apart_names
from gainsayer.measures.precision_at_relevant import average_precision, graded_average_precision, q_measure, r_precision
from gainsayer.measures.preference import EPSILON, binary_preference, inferred_precision, real_judgments
from gainsayer.measures.profiles import (
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
from gainsayer.measures.scoring import (
    MUCH_UNJUDGED,
    Scores,
    bound_unjudged,
    mean_and_error,
    score_runs,
    without_relevant,
)
from gainsayer.measures.unjudged import admit_unjudged, spell_out_unjudged, take_unjudged_as

__all__ = ["Family", "Linear", "Measure", "Parameter", "Scores", "add_family", "parse_measure", "score_runs"]
