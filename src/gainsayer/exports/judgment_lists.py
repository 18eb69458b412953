"""Judgment lists for search tools that know queries by their words: ratings for OpenSearch and Quepid, Quepid books."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import polars as pl

from gainsayer.errors import MOST_FAULTS, DataError
from gainsayer.exports.gain_files import level_gains, refuse_marks, scale_gains, show_decimal
from gainsayer.gains.values import Gains
from gainsayer.reading.faults import Faults, shorten
from gainsayer.reading.files import FilePath, as_text, call_file, read_content
from gainsayer.reading.judgments import Judgments
from gainsayer.text import option, write_json
from gainsayer.words import counted

# What separates the lines of a table, and other control characters.
_LINE_BREAKS: Final = r"[\x00-\x1f\x7f\x{85}\x{2028}\x{2029}]"
_FORMULA_STARTS: Final = ("=", "+", "-", "@")


def read_queries(path: FilePath) -> dict[str, str]:
    """The query of each topic, from lines of a topic and, after a tab or else the first blanks, its query.

    Queries may hold commas, quotes and blanks; they are taken as they are.

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
    used = [labels.topics[index] for index in np.unique(labels.topic)]
    lacking = [topic for topic in used if topic not in queries]
    if lacking:
        raise DataError(
            f"There is no query for {counted(len(lacking), 'topic')}: {', '.join(lacking[:MOST_FAULTS])}. Add "
            f"{'it' if len(lacking) == 1 else 'them'} to the queries."
        )
    owners: dict[str, str] = {}
    for topic in used:
        other = owners.setdefault(queries[topic], topic)
        if other != topic:
            raise DataError(
                f"Topics {other!r} and {topic!r} have the same query {queries[topic]!r}, which would mix their "
                "ratings. Export one of them."
            )
    return tuple(queries.get(topic, topic) for topic in labels.topics)


def _list_labels(labels: Judgments) -> Iterator[tuple[int, str, int]]:
    """The labels one by one: the index of the topic, the document, the level."""
    return zip(labels.topic.tolist(), labels.document.to_list(), labels.level.tolist(), strict=True)


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
    >>> from gainsayer.exports.gain_files import take_labels
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
    for topic, document, level in _list_labels(labels):
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
    r"""Quepid's ratings file: a header, exactly `query,docid,rating`, and one line per label.

    Ratings are the gains in plain decimals; with `scale` they are `max(1, round(scale * g))`, for scorers and versions
    that want whole numbers. Cells are quoted where CSV needs it, lines end in a line feed alone, as Quepid checks its
    header. Traps: Quepid compares queries by their words, so give `queries` where topics are numbers; and a spreadsheet
    takes cells that begin with = + - @ as formulas (`count_formulas`), which no quoting prevents.

    Raises:
        DataError: a topic, query or document has line breaks, a level has no gain, or a topic no query.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.exports.gain_files import take_labels
    >>> import numpy as np
    >>> labels = take_labels(twenty_documents(), "U1")
    >>> write_quepid_csv(labels, Gains(labels.levels, np.array([0.01, 0.27, 0.53])), queries={"q1": "a, b"})[:41]
    'query,docid,rating\n"a, b",d01,0.53\n"a, b"'
    """
    worth = level_gains(labels.levels, gains)
    shown = list(map(show_decimal, worth)) if scale is None else list(map(str, scale_gains(worth, scale=scale)))
    refuse_marks(labels, _LINE_BREAKS, what="a ratings file cannot hold line breaks or control characters")
    texts = name_queries(labels, queries)
    broken = pl.Series(texts, dtype=pl.String).str.contains(_LINE_BREAKS)
    if broken.any():
        raise DataError(f"Query {texts[broken.arg_true()[0]]!r} has a line break or control character. Take it out.")
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("query", "docid", "rating"))
    writer.writerows((texts[topic], document, shown[level]) for topic, document, level in _list_labels(labels))
    return stream.getvalue()


def count_formulas(labels: Judgments, queries: Mapping[str, str] | None = None) -> int:
    """How many queries and documents a spreadsheet would take as formulas: those that begin with = + - @."""
    texts = name_queries(labels, queries)
    return sum(text.startswith(_FORMULA_STARTS) for text in (*texts, *labels.document.to_list()))


def write_quepid_book(
    judgments: Judgments, *, name: str = "Judgments", scorer: str = "nDCG@10", queries: Mapping[str, str] | None = None
) -> str:
    """A book for Quepid's *Import Book*: query-document pairs with every judge's rating, as JSON.

    Ratings are the levels' numbers, or 0, 1, ... where levels have names. Judges are called `user_email`, by which
    Quepid knows people; it offers to create those it does not know. A trap: Quepid knows queries by their words, so
    give `queries` where topics are numbers. The scorer must exist in Quepid already.

    Raises:
        DataError: a topic has no query, or judgments have intents, which a book cannot hold.

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
    assessors = [judgments.assessors[assessor] for assessor in judgments.assessor.tolist()]
    for (topic, document, level), assessor in zip(_list_labels(judgments), assessors, strict=True):
        pair = {"query_text": texts[topic], "doc_id": document, "judgements": []}
        said = pairs.setdefault((topic, document), pair)["judgements"]
        said.append({"rating": ratings[level], "user_email": assessor})
    body = {"name": name, "scorer": {"name": scorer}, "query_doc_pairs": [pairs[key] for key in sorted(pairs)]}
    return write_json(body)
