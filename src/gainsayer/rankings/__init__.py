"""Runs and judgments in, ranked levels out: order, ties, duplicates, unjudged documents, whose labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.rankings.documents import RankedDocuments as RankedDocuments
    from gainsayer.rankings.documents import label_documents as label_documents
    from gainsayer.rankings.duplicates import Duplicates as Duplicates
    from gainsayer.rankings.labels import LabelRule as LabelRule
    from gainsayer.rankings.labels import choose_labels as choose_labels
    from gainsayer.rankings.pool import Pool as Pool
    from gainsayer.rankings.pool import make_pool as make_pool
    from gainsayer.rankings.pool import pool_documents as pool_documents
    from gainsayer.rankings.ranked_levels import RankedLevels as RankedLevels
    from gainsayer.rankings.ranking import rank_documents as rank_documents
    from gainsayer.rankings.ranking import rank_levels as rank_levels

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
__getattr__, __dir__ = late_names(__name__, _HOMES)
