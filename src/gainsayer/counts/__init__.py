"""Judgments in, PairCounts out: pairing, strata, intents, sampling weights."""

from __future__ import annotations

from gainsayer.counts.assessor_pairs import AssessorPairCounts, count_assessor_pairs
from gainsayer.counts.intents import expand_intents, keep_top_intent
from gainsayer.counts.label_checks import compare_label_sets, notice_missing_zeros
from gainsayer.counts.pair_counts import FloatArray, PairCounts, Share
from gainsayer.counts.pairing import count_pairs
from gainsayer.counts.row_order import order_judgments
from gainsayer.counts.sampling import weigh_second_round
from gainsayer.counts.strata import assign_strata, split_strata
from gainsayer.counts.tallies import (
    as_slice,
    blocks_of,
    count_cells,
    count_judgments,
    rows_by_block,
    tally_levels,
    tally_own,
    tally_selves,
)

__all__ = [
    "PairCounts",
    "assign_strata",
    "count_pairs",
    "expand_intents",
    "keep_top_intent",
    "split_strata",
    "weigh_second_round",
]
