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
__getattr__, __dir__ = late_names(__name__, _HOMES)
