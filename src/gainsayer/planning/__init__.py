"""First labels in; which documents to judge a second time, how many, and when to stop, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.planning.allocation import allocate as allocate
    from gainsayer.planning.allocation import least_judgments as least_judgments
    from gainsayer.planning.allocation import spread_evenly as spread_evenly
    from gainsayer.planning.batches import Batch as Batch
    from gainsayer.planning.batches import find_batches as find_batches
    from gainsayer.planning.batches import grow_shares as grow_shares
    from gainsayer.planning.components import Components as Components
    from gainsayer.planning.components import estimate_components as estimate_components
    from gainsayer.planning.components import estimate_deviation as estimate_deviation
    from gainsayer.planning.components import fill_components as fill_components
    from gainsayer.planning.keys import FirstLabels as FirstLabels
    from gainsayer.planning.keys import choose_topics as choose_topics
    from gainsayer.planning.keys import drawn_by_keys as drawn_by_keys
    from gainsayer.planning.levers import Gap as Gap
    from gainsayer.planning.levers import Lever as Lever
    from gainsayer.planning.levers import find_gap as find_gap
    from gainsayer.planning.levers import find_levers as find_levers
    from gainsayer.planning.plan_files import SavedPlan as SavedPlan
    from gainsayer.planning.plan_files import read_plan as read_plan
    from gainsayer.planning.plans import Aim as Aim
    from gainsayer.planning.plans import Plan as Plan
    from gainsayer.planning.plans import make_plan as make_plan
    from gainsayer.planning.reached import Reached as Reached
    from gainsayer.planning.reached import find_reached as find_reached
    from gainsayer.planning.stopping import Stopping as Stopping
    from gainsayer.planning.stopping import any_moment_multiplier as any_moment_multiplier
    from gainsayer.planning.stopping import looks_multiplier as looks_multiplier
    from gainsayer.planning.stopping import multiplier_at as multiplier_at
    from gainsayer.planning.stopping import nominal_confidence as nominal_confidence
    from gainsayer.planning.targets import Targets as Targets
    from gainsayer.planning.targets import target_difference as target_difference
    from gainsayer.planning.targets import target_parameters as target_parameters
    from gainsayer.planning.targets import target_scores as target_scores
    from gainsayer.planning.variance import Prospect as Prospect
    from gainsayer.planning.variance import Variance as Variance

_HOMES = {
    "Aim": "plans",
    "Batch": "batches",
    "Components": "components",
    "FirstLabels": "keys",
    "Gap": "levers",
    "Lever": "levers",
    "Plan": "plans",
    "Prospect": "variance",
    "Reached": "reached",
    "SavedPlan": "plan_files",
    "Stopping": "stopping",
    "Targets": "targets",
    "Variance": "variance",
    "allocate": "allocation",
    "any_moment_multiplier": "stopping",
    "choose_topics": "keys",
    "drawn_by_keys": "keys",
    "estimate_components": "components",
    "estimate_deviation": "components",
    "fill_components": "components",
    "find_batches": "batches",
    "find_gap": "levers",
    "find_levers": "levers",
    "find_reached": "reached",
    "grow_shares": "batches",
    "least_judgments": "allocation",
    "looks_multiplier": "stopping",
    "make_plan": "plans",
    "multiplier_at": "stopping",
    "nominal_confidence": "stopping",
    "read_plan": "plan_files",
    "spread_evenly": "allocation",
    "target_difference": "targets",
    "target_parameters": "targets",
    "target_scores": "targets",
}
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
    "Stopping",
    "Targets",
    "Variance",
    "allocate",
    "any_moment_multiplier",
    "choose_topics",
    "drawn_by_keys",
    "estimate_components",
    "estimate_deviation",
    "fill_components",
    "find_batches",
    "find_gap",
    "find_levers",
    "find_reached",
    "grow_shares",
    "least_judgments",
    "looks_multiplier",
    "make_plan",
    "multiplier_at",
    "nominal_confidence",
    "read_plan",
    "spread_evenly",
    "target_difference",
    "target_parameters",
    "target_scores",
]
# What the room's own tests use as well.
_INSIDE = {
    "default_probabilities": "components",
    "list_levels": "plans",
    "notice_prospect": "caveats",
    "out_of_reach": "caveats",
    "share_topics": "allocation",
}
__getattr__, __dir__ = late_names(__name__, _HOMES, _INSIDE)
