"""Judgment lists for search tools, which know queries by their words: OpenSearch's and Quepid's ratings."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

import numpy as np
import polars as pl

from gainsayer.errors import MOST_FAULTS, DataError
from gainsayer.exports.gain_maps import show_decimal
from gainsayer.exports.labels import LINE_BREAKS, level_gains, list_labels, refuse_marks
from gainsayer.exports.scaled_qrels import scale_gains
from gainsayer.gains.values import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.lines.faults import Faults, shorten
from gainsayer.lines.opening import FilePath, as_text, call_file, read_content
from gainsayer.text import write_json

HEADER = ("query", "docid", "rating")
_FORMULA_STARTS = ("=", "+", "-", "@")


def read_queries(path: FilePath) -> dict[str, str]:
    """The query of each topic, from lines of a topic and, after a tab or else the first blanks, its query.

    Queries may hold commas, quotes and blanks; they are taken as they stand.

    Raises:
        CallError: there is no such file.
        FormatError: a line has no query, or a topic has two; the first ten are listed.
    """
    name = call_file(path)
    queries: dict[str, str] = {}
    faults = Faults(name)
    for number, line in enumerate(as_text(read_content(path), name).split(b"\n"), start=1):
        cells = line.strip().split(b"\t" if b"\t" in line.strip() else None, 1)
        text = line.strip().decode()
        topic, *rest = [cell.strip().decode() for cell in cells] or [""]
        if text and not rest:
            faults.add(number, f"expected a topic and its query, found {shorten(text)}.")
        elif text and (query := rest[0]) != (before := queries.setdefault(topic, query)):
            faults.add(number, f"expected one query for {topic}, found {shorten(query)} after {shorten(before)}.")
    faults.settle()
    return queries


def name_queries(labels: Judgments, queries: Mapping[str, str] | None) -> tuple[str, ...]:
    """The query of each topic, in the order of `labels.topics`; the topic itself where no queries are given.

    Raises:
        DataError: a topic with labels has no query, or two topics have the same.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> name_queries(twenty_documents(), {"q1": "red dress"})
    ('red dress',)
    """
    if queries is None:
        return labels.topics
    used = sorted({int(place) for place in labels.topic})
    lacking = [labels.topics[place] for place in used if labels.topics[place] not in queries]
    if lacking:
        raise DataError(
            f"{len(lacking):,} topics have no query: {', '.join(lacking[:MOST_FAULTS])}. Add them to the queries."
        )
    owners: dict[str, str] = {}
    for topic in (labels.topics[place] for place in used):
        other = owners.setdefault(queries[topic], topic)
        if other != topic:
            raise DataError(
                f"Topics {other!r} and {topic!r} have the same query {queries[topic]!r}, which would mix their "
                "ratings. Export one of them."
            )
    return tuple(queries.get(topic, topic) for topic in labels.topics)


def write_opensearch_judgments(
    labels: Judgments, gains: Gains, *, name: str = "PRM gains", queries: Mapping[str, str] | None = None
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
    for topic, document, level in list_labels(labels):
        ratings.setdefault(topic, []).append({"docId": document, "rating": shown[level]})
    body = {
        "name": name,
        "description": "Probability that a random user finds the document relevant, given its level",
        "type": "IMPORT_JUDGMENT",
        "judgmentRatings": [{"query": texts[topic], "ratings": part} for topic, part in sorted(ratings.items())],
    }
    return write_json(body)


def write_quepid_csv(
    labels: Judgments, gains: Gains, *, scale: int | None = None, queries: Mapping[str, str] | None = None
) -> str:
    r"""Quepid's ratings file: a header `query,docid,rating`, spelt exactly so, and one line per label.

    Ratings are the gains in plain decimals; with `scale` they are `max(1, round(scale * g))`, for scorers and versions
    that want whole numbers. Cells are quoted where CSV needs it, lines end in a line feed alone, as Quepid checks its
    header. Traps: Quepid compares queries by their words, so give `queries` where topics are numbers; and a spreadsheet
    takes cells that begin with = + - @ as formulas (`count_formulas`), which no quoting prevents.

    Raises:
        DataError: a topic, query or document has line breaks, a level has no gain, or a topic no query.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.exports.labels import take_labels
    >>> import numpy as np
    >>> labels = take_labels(twenty_documents(), "U1")
    >>> write_quepid_csv(labels, Gains(labels.levels, np.array([0.01, 0.27, 0.53])), queries={"q1": "a, b"})[:41]
    'query,docid,rating\n"a, b",d01,0.53\n"a, b"'
    """
    worth = level_gains(labels.levels, gains)
    shown = list(map(show_decimal, worth)) if scale is None else list(map(str, scale_gains(worth, scale=scale)))
    refuse_marks(labels, LINE_BREAKS, what="a ratings file cannot hold line breaks or control characters")
    texts = name_queries(labels, queries)
    broken = pl.Series(texts, dtype=pl.String).str.contains(LINE_BREAKS)
    if broken.any():
        raise DataError(f"Query {texts[broken.arg_true()[0]]!r} has a line break or control character. Take it out.")
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows((texts[topic], document, shown[level]) for topic, document, level in list_labels(labels))
    return stream.getvalue()


def count_formulas(labels: Judgments, queries: Mapping[str, str] | None = None) -> int:
    """How many queries and documents a spreadsheet would take as formulas: those that begin with = + - @."""
    texts = name_queries(labels, queries)
    return sum(text.startswith(_FORMULA_STARTS) for text in (*texts, *labels.document.to_list()))
