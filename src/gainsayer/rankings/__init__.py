"""Runs and judgments in, ranked levels out: order, ties, duplicates, unjudged documents, whose labels."""

from __future__ import annotations

from gainsayer.rankings.documents import RankedDocuments, label_documents
from gainsayer.rankings.duplicates import (
    Duplicates,
    group_duplicates,
    later_members,
    number_members,
    one_per_group,
    read_duplicates,
)
from gainsayer.rankings.labels import LabelRule, apply_rule, choose_labels, decide_labels
from gainsayer.rankings.lists import ranked_from_lists
from gainsayer.rankings.mappings import match_mapping
from gainsayer.rankings.pool import DocumentPool, Pool, make_pool, pool_documents
from gainsayer.rankings.ranked_levels import FloatArray, IntArray, RankedLevels, condense, keep_topics
from gainsayer.rankings.ranking import TIES, match_pool, rank_documents, rank_levels, rank_rows
from gainsayer.rankings.resources import Returned, returned_by_rows, returned_by_rule, select_oracle, select_resources

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
