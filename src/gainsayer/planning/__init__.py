"""First labels in; which documents to judge a second time, how many, and when to stop, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.planning.batches import Batch as Batch
    from gainsayer.planning.batches import find_batches as find_batches
    from gainsayer.planning.batches import grow_shares as grow_shares
    from gainsayer.planning.keys import FirstLabels as FirstLabels
    from gainsayer.planning.keys import choose_topics as choose_topics
    from gainsayer.planning.keys import drawn_by_keys as drawn_by_keys
    from gainsayer.planning.stopping import Stopping as Stopping
    from gainsayer.planning.stopping import any_moment_multiplier as any_moment_multiplier
    from gainsayer.planning.stopping import looks_multiplier as looks_multiplier
    from gainsayer.planning.stopping import multiplier_at as multiplier_at
    from gainsayer.planning.stopping import nominal_confidence as nominal_confidence

_HOMES = {
    "Batch": "batches",
    "FirstLabels": "keys",
    "Stopping": "stopping",
    "any_moment_multiplier": "stopping",
    "choose_topics": "keys",
    "drawn_by_keys": "keys",
    "find_batches": "batches",
    "grow_shares": "batches",
    "looks_multiplier": "stopping",
    "multiplier_at": "stopping",
    "nominal_confidence": "stopping",
}
__all__ = [
    "Batch",
    "FirstLabels",
    "Stopping",
    "any_moment_multiplier",
    "choose_topics",
    "drawn_by_keys",
    "find_batches",
    "grow_shares",
    "looks_multiplier",
    "multiplier_at",
    "nominal_confidence",
]
__getattr__, __dir__ = late_names(__name__, _HOMES)
