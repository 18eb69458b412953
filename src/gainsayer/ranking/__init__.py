"""Runs and judgments in, ranked levels out: order, ties, duplicates, unjudged documents, whose labels."""

from __future__ import annotations

from gainsayer.ranking.duplicates import (
    Duplicates,
    group_duplicates,
    later_members,
    number_members,
    one_per_group,
    read_duplicates,
)
from gainsayer.ranking.mappings import match_mapping
from gainsayer.ranking.matching import TIES, match_pool, rank_documents, rank_levels, rank_rows
from gainsayer.ranking.pool import DocumentPool, Pool, make_pool, pool_documents
from gainsayer.ranking.ranked import (
    FloatArray,
    IntArray,
    RankedDocuments,
    RankedLevels,
    condense,
    keep_topics,
    label_documents,
    ranked_from_lists,
)
from gainsayer.ranking.resources import Returned, returned_by_rows, returned_by_rule, select_oracle, select_resources
from gainsayer.ranking.whose_labels import LabelRule, apply_rule, choose_labels, decide_labels

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
    "returned_by_rule",
]
