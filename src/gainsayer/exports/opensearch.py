"""OpenSearch: judgment ratings for the Search Relevance Workbench."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gainsayer.exports.labels import level_gains
from gainsayer.exports.queries import name_queries
from gainsayer.gains.values import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.text import write_json


def write_opensearch_judgments(
    labels: Judgments,
    gains: Gains,
    *,
    name: str = "PRM gains",
    description: str = "Probability that a random user finds the document relevant, given its level",
    queries: Mapping[str, str] | None = None,
) -> str:
    """The body of `PUT _plugins/_search_relevance/judgments`: one list of ratings per query, as decimal strings.

    The shape is that of an imported judgment list in OpenSearch 3: `name`, `description`, `type` (IMPORT_JUDGMENT) and
    `judgmentRatings`, each with `query` and `ratings` of `docId` and `rating`. Ratings are decimals, so that the gains
    go through unrounded. A trap: the workbench looks queries up by their words, so give `queries` where topics are
    numbers.

    Raises:
        DataError: a level has no gain, or a topic no query.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.exports.labels import take_labels
    >>> labels = take_labels(twenty_documents(), "U1")
    >>> import json
    >>> body = json.loads(write_opensearch_judgments(labels, Gains(labels.levels, np.array([0.01, 0.27, 0.53]))))
    >>> body["judgmentRatings"][0]["ratings"][0]
    {'docId': 'd01', 'rating': '0.530'}
    """
    worth = level_gains(labels.levels, gains).tolist()
    shown = [np.format_float_positional(gain, unique=True, min_digits=3) for gain in worth]
    texts = name_queries(labels, queries)
    ratings: dict[int, list[dict[str, str]]] = {}
    for topic, document, level in zip(
        labels.topic.tolist(), labels.document.to_list(), labels.level.tolist(), strict=True
    ):
        ratings.setdefault(topic, []).append({"docId": document, "rating": shown[level]})
    body = {
        "name": name,
        "description": description,
        "type": "IMPORT_JUDGMENT",
        "judgmentRatings": [{"query": texts[topic], "ratings": part} for topic, part in sorted(ratings.items())],
    }
    return write_json(body)
