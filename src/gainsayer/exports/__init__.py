"""Exports: the gains in other tools' forms. `ir_measures` is imported by those who have that tool."""

from __future__ import annotations

from gainsayer.exports.gain_files import (
    bound_error,
    level_gains,
    scale_gains,
    take_labels,
    write_gain_json,
    write_ir_measures_gains,
    write_scaled_qrels,
    write_trec_eval_gains,
)
from gainsayer.exports.judgment_lists import count_formulas, read_queries, write_opensearch_judgments, write_quepid_csv

__all__ = []
