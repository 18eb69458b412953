"""Exports: the gains in other tools' forms."""

from __future__ import annotations

from gainsayer.exports.gain_maps import write_gain_json, write_ir_measures_gains, write_trec_eval_gains
from gainsayer.exports.judgment_lists import count_formulas, read_queries, write_opensearch_judgments, write_quepid_csv
from gainsayer.exports.labels import level_gains, take_labels
from gainsayer.exports.scaled_qrels import bound_error, scale_gains, write_scaled_qrels

__all__ = []
