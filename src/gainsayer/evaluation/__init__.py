"""One function per command, same word, same defaults: from what a person has to one frozen result."""

from __future__ import annotations

from gainsayer.rooms import late_names

# What the room's own tests use; users have the names of `gainsayer`.
_INSIDE = {
    "Advice": "advice",
    "CheckRequest": "machine_requests",
    "CompareRequest": "order_requests",
    "GainChoice": "gain_choice",
    "GainsRequest": "machine_requests",
    "OrderRequest": "order_requests",
    "Overview": "overview",
    "OverviewRequest": "overview",
    "Policies": "ranked_runs",
    "QualityRequest": "studies",
    "RectifiedRequest": "machine_requests",
    "RobustnessRequest": "studies",
    "SampleRequest": "machine_requests",
    "ScoreRequest": "requests",
    "SideChoice": "sources",
    "arguments": "requests",
    "choose_gains": "gain_choice",
    "choose_relevance": "sources",
    "choose_side_names": "sources",
    "expand_users": "requests",
    "find_falls": "gain_choice",
    "find_first": "plan_material",
    "find_returned": "ranked_runs",
    "for_each_stratum": "sources",
    "gain_of_unjudged": "gain_choice",
    "gather": "overview",
    "hash_while_reading": "provenance",
    "join_second": "sources",
    "list_path": "plans",
    "make_material": "plan_material",
    "match_runs": "ranked_runs",
    "notice_simulation": "scores",
    "record": "provenance",
    "refuse_plain": "order_requests",
    "split_assessors": "sources",
    "take_first_labels": "plan_material",
    "take_judgments": "sources",
    "take_measures": "requests",
    "take_relevance": "plan_material",
    "take_users": "requests",
    "usual_relevance": "gain_choice",
}
__getattr__, __dir__ = late_names(__name__, {}, _INSIDE)
