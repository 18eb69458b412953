"""First labels in; which documents to judge a second time, how many, and when to stop, out."""

from __future__ import annotations

from gainsayer.planning.allocation import allocate, least_judgments, spread_evenly
from gainsayer.planning.batches import Batch, find_batches, grow_shares
from gainsayer.planning.caveats import notice_prospect, out_of_reach
from gainsayer.planning.components import (
    Components,
    default_probabilities,
    estimate_components,
    estimate_deviation,
    fill_components,
)
from gainsayer.planning.keys import FirstLabels, drawn_by_keys
from gainsayer.planning.levers import Gap, Lever, find_gap, find_levers
from gainsayer.planning.plan_files import SavedPlan, read_plan
from gainsayer.planning.plans import Aim, Plan, list_levels, make_plan
from gainsayer.planning.reached import Reached, find_reached
from gainsayer.planning.stopping import (
    Stopping,
    any_moment_multiplier,
    looks_multiplier,
    multiplier_at,
    nominal_confidence,
)
from gainsayer.planning.targets import Targets, target_difference, target_parameters, target_scores
from gainsayer.planning.variance import Prospect, Variance

__all__ = [
    "Aim",
    "Batch",
    "Components",
    "FirstLabels",
    "Gap",
    "Lever",
    "Plan",
    "Prospect",
    "Reached",
    "SavedPlan",
    "Targets",
    "Variance",
    "allocate",
    "any_moment_multiplier",
    "drawn_by_keys",
    "estimate_components",
    "estimate_deviation",
    "fill_components",
    "find_batches",
    "find_gap",
    "find_levers",
    "find_reached",
    "make_plan",
    "nominal_confidence",
    "read_plan",
    "target_difference",
    "target_parameters",
    "target_scores",
]
