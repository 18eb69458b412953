"""Judgments in, PairCounts out: pairing, strata, intents, sampling weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.counts.intents import expand_intents, keep_top_intent
    from gainsayer.counts.pair_counts import PairCounts
    from gainsayer.counts.pairing import count_pairs
    from gainsayer.counts.sampling import weigh_second_round
    from gainsayer.counts.strata import assign_strata, split_strata

_HOMES = {
    "PairCounts": "pair_counts",
    "assign_strata": "strata",
    "count_pairs": "pairing",
    "expand_intents": "intents",
    "keep_top_intent": "intents",
    "split_strata": "strata",
    "weigh_second_round": "sampling",
}
__all__ = [
    "PairCounts",
    "assign_strata",
    "count_pairs",
    "expand_intents",
    "keep_top_intent",
    "split_strata",
    "weigh_second_round",
]
# What the room's own tests use as well.
_INSIDE = {
    "AssessorPairCounts": "assessor_pairs",
    "FloatArray": "pair_counts",
    "Share": "pair_counts",
    "as_slice": "tallies",
    "blocks_of": "tallies",
    "compare_label_sets": "label_checks",
    "count_assessor_pairs": "assessor_pairs",
    "count_cells": "tallies",
    "count_given_assessor": "assessor_pairs",
    "count_judgments": "tallies",
    "notice_missing_zeros": "label_checks",
    "order_judgments": "row_order",
    "rows_by_block": "tallies",
    "tally_levels": "tallies",
    "tally_own": "tallies",
    "tally_selves": "tallies",
}
__getattr__, __dir__ = late_names(__name__, _HOMES, _INSIDE)
