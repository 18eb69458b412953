"""Exports: the gains in other tools' forms, and what those tools make of them."""

from __future__ import annotations

from gainsayer.rooms import late_names

# What the room's own tests use; users have the names of `gainsayer`.
_INSIDE = {
    "Answer": "peers",
    "Check": "checks",
    "PERFECT": "checks",
    "Patience": "peers",
    "Question": "peers",
    "ask_peer": "peers",
    "bound_error": "scaled_qrels",
    "check_peers": "checks",
    "count_formulas": "judgment_lists",
    "example_gains": "checks",
    "find_version": "peers",
    "level_gains": "labels",
    "read_queries": "judgment_lists",
    "scale_gains": "scaled_qrels",
    "take_labels": "labels",
    "write_gain_json": "gain_maps",
    "write_ir_measures_gains": "gain_maps",
    "write_opensearch_judgments": "judgment_lists",
    "write_quepid_csv": "judgment_lists",
    "write_scaled_qrels": "scaled_qrels",
    "write_trec_eval_gains": "gain_maps",
}
__getattr__, __dir__ = late_names(__name__, {}, _INSIDE)
