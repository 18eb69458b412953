"""Runs and judgments in, ranked levels out: order, ties, duplicates, unjudged documents, whose labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.rankings.documents import RankedDocuments, label_documents
    from gainsayer.rankings.duplicates import Duplicates
    from gainsayer.rankings.labels import LabelRule, choose_labels
    from gainsayer.rankings.pool import Pool, make_pool, pool_documents
    from gainsayer.rankings.ranked_levels import RankedLevels
    from gainsayer.rankings.ranking import rank_documents, rank_levels

_HOMES = {
    "Duplicates": "duplicates",
    "LabelRule": "labels",
    "Pool": "pool",
    "RankedDocuments": "documents",
    "RankedLevels": "ranked_levels",
    "choose_labels": "labels",
    "label_documents": "documents",
    "make_pool": "pool",
    "pool_documents": "pool",
    "rank_documents": "ranking",
    "rank_levels": "ranking",
}
__all__ = [
    "Duplicates",
    "LabelRule",
    "Pool",
    "RankedDocuments",
    "RankedLevels",
    "choose_labels",
    "label_documents",
    "make_pool",
    "pool_documents",
    "rank_documents",
    "rank_levels",
]
# What the room's own tests use as well.
_INSIDE = {
    "DocumentPool": "pool",
    "FloatArray": "ranked_levels",
    "IntArray": "ranked_levels",
    "Returned": "resources",
    "TIES": "ranking",
    "apply_rule": "labels",
    "condense": "ranked_levels",
    "decide_labels": "labels",
    "find_equal": "pool",
    "group_duplicates": "duplicates",
    "keep_topics": "ranked_levels",
    "later_members": "duplicates",
    "match_mapping": "mappings",
    "match_pool": "pool",
    "number_members": "duplicates",
    "one_per_group": "duplicates",
    "only_returned": "duplicates",
    "rank_rows": "ranking",
    "ranked_from_lists": "lists",
    "read_duplicates": "duplicates",
    "returned_by_rows": "resources",
    "returned_by_rule": "resources",
    "select_oracle": "resources",
    "select_results": "resources",
}
__getattr__, __dir__ = late_names(__name__, _HOMES, _INSIDE)
