"""The words behind the topics: tools that search need the query, not the number it has in the qrels."""

from __future__ import annotations

from collections.abc import Mapping

from gainsayer.errors import MOST_FAULTS, DataError
from gainsayer.judgments.table import Judgments
from gainsayer.lines.faults import Faults, shorten
from gainsayer.lines.opening import FilePath, as_text, call_file, read_content


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
