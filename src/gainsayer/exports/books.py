"""Quepid's books: what every judge said, in the form that Quepid imports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gainsayer.errors import DataError
from gainsayer.exports.judgment_lists import name_queries
from gainsayer.judgments.table import Judgments
from gainsayer.text import option, write_json


def write_quepid_book(
    judgments: Judgments, *, name: str = "Judgments", scorer: str = "nDCG@10", queries: Mapping[str, str] | None = None
) -> str:
    """A book for Quepid's *Import Book*: query-document pairs with every judge's rating, as JSON.

    Ratings are the levels' numbers, or their places where they have names. Judges are called `user_email`, by which
    Quepid knows people; it offers to create those it does not know. A trap: Quepid knows queries by their words, so
    give `queries` where topics are numbers. The scorer must exist in Quepid already.

    Raises:
        DataError: a topic has no query, or judgments have intents, which books have not.

    >>> import json
    >>> from gainsayer.datasets.paper import twenty_documents
    >>> json.loads(write_quepid_book(twenty_documents()))["query_doc_pairs"][0]["judgements"]
    [{'rating': 2, 'user_email': 'U1'}, {'rating': 1, 'user_email': 'U2'}]
    """
    if judgments.intent is not None:
        raise DataError(f"A Quepid book has no intents. Keep one intent of each topic: {option('intents', 'top')}")
    ratings = [int(value) for value in judgments.levels.values()]
    texts = name_queries(judgments, queries)
    pairs: dict[tuple[int, str], dict[str, Any]] = {}
    rows = zip(
        judgments.topic.tolist(),
        judgments.document.to_list(),
        judgments.assessor.tolist(),
        judgments.level.tolist(),
        strict=True,
    )
    for topic, document, assessor, level in rows:
        pair = {"query_text": texts[topic], "doc_id": document, "judgements": []}
        said = pairs.setdefault((topic, document), pair)["judgements"]
        said.append({"rating": ratings[level], "user_email": judgments.assessors[assessor]})
    body = {"name": name, "scorer": {"name": scorer}, "query_doc_pairs": [pairs[key] for key in sorted(pairs)]}
    return write_json(body)
