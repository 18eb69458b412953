"""First labels in; which documents to judge a second time, how many, and when to stop, out."""

from __future__ import annotations

from gainsayer.planning.plans import Aim, Gap, Lever, Plan, find_gap, find_levers, list_levels, make_plan
from gainsayer.planning.prospect import (
    Pilot,
    Prospect,
    Target,
    allocate,
    bound_shares,
    count_companions,
    guess_levels,
    guess_runs,
    least_judgments,
    share_out,
    target_levels,
    target_runs,
)
from gainsayer.planning.sampling import (
    Batch,
    FirstLabels,
    Reached,
    SavedPlan,
    drawn_by_keys,
    find_batches,
    find_reached,
    grow_shares,
    read_plan,
)
from gainsayer.planning.stopping import Stopping, any_moment_multiplier, nominal_confidence

__all__ = [
    "Aim",
    "Batch",
    "FirstLabels",
    "Gap",
    "Lever",
    "Pilot",
    "Plan",
    "Prospect",
    "Reached",
    "SavedPlan",
    "Stopping",
    "Target",
    "allocate",
    "any_moment_multiplier",
    "bound_shares",
    "count_companions",
    "drawn_by_keys",
    "find_batches",
    "find_gap",
    "find_levers",
    "find_reached",
    "grow_shares",
    "guess_levels",
    "guess_runs",
    "least_judgments",
    "list_levels",
    "make_plan",
    "nominal_confidence",
    "read_plan",
    "share_out",
    "target_levels",
    "target_runs",
]
