"""Judgments in JSON documents of other tools: Quepid, OpenSearch and Elasticsearch, Label Studio.

The forms are told apart by their keys; each has a function below, or in `label_studio`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from gainsayer.errors import FormatError
from gainsayer.judgments.label_studio import is_label_studio, read_label_studio
from gainsayer.lines.opening import as_text
from gainsayer.tables.cells import Cells
from gainsayer.tables.json_documents import Walk, parse_document, refuse_document

FORMS: Final = (
    "an OpenSearch judgment list ('judgmentRatings'), a _rank_eval request ('requests'), a Quepid book "
    "('query_doc_pairs') or case ('queries'), or a Label Studio export (a list of tasks)"
)
_INSTEAD: Final = {
    "annotation_id": "a Label Studio JSON-MIN export. Export it as JSON",
    "completions": "an export of Label Studio before version 1.0. Export it as JSON from a newer version",
    "details": "a _rank_eval response, which rates only what was returned. Give the request, which holds all ratings",
}
"""Forms that are told by a key and not read: what they are, and what to give instead."""
_UNKNOWN_JUDGE: Final = "unknown"


def read_document(content: bytes, name: str) -> Cells | None:
    """The judgments of a JSON document; None for JSON lines and arrays of flat objects, which are tables.

    Args:
        content: the bytes of the file, decompressed.
        name: what messages call it.

    Raises:
        FormatError: it is a document of no known form, or not as its form should be; faults are named by key path.

    >>> body = b'{"judgmentRatings": [{"query": "red dress", "ratings": [{"docId": "d1", "rating": "3.000"}]}]}'
    >>> {key: column.to_list() for key, column in read_document(body, "list.json").columns.items()}
    {'topic': ['red dress'], 'document': ['d1'], 'level': ['3']}
    """
    value = parse_document(as_text(content, name), name)
    if value is None:
        return None
    if isinstance(value, list):
        if not is_label_studio(value):
            raise _refuse(value[0], name, f"{name}, item 1")
        return read_label_studio(value, name)
    value = _unwrap(value)
    for key, read in _READERS.items():
        if key in value:
            return read(value, name)
    if not any(isinstance(cell, dict | list) for cell in value.values()):
        return None  # JSON lines with one line
    raise _refuse(value, name, name)


def _refuse(value: dict[str, Any], name: str, where: str) -> FormatError:
    found = next((said for key, said in _INSTEAD.items() if key in value), None)
    return refuse_document(value, where, FORMS) if found is None else FormatError(f"{name} is {found}.")


def _unwrap(value: dict[str, Any]) -> dict[str, Any]:
    """What an answer of OpenSearch is about: the one stored list that was asked for."""
    hits = value.get("hits")
    found = hits.get("hits") if isinstance(hits, dict) else None
    if isinstance(found, list) and len(found) == 1 and isinstance(found[0], dict):
        source = found[0].get("_source")
        if isinstance(source, dict) and "judgmentRatings" in source:
            return source
    return value


def _read_opensearch_list(value: dict[str, Any], name: str) -> Cells:
    walk = Walk(
        name,
        "an OpenSearch judgment list",
        '{"judgmentRatings": [{"query": "...", "ratings": [{"docId": "...", "rating": "1.0"}]}]}',
    )
    for entry, path in walk.each(value["judgmentRatings"], "judgmentRatings", "query and ratings"):
        query = walk.cell(entry, "query", path, "query")
        if "ratings" not in entry:
            walk.fault(path, "the key 'ratings'", entry)
        for rating, where in walk.each(entry.get("ratings", []), f"{path}.ratings", "docId and rating"):
            document = walk.cell(rating, "docId", where, "document id")
            walk.add(where, topic=query, document=document, level=walk.rating(rating, "rating", where))
    return walk.finish()


def _read_book(value: dict[str, Any], name: str) -> Cells:
    walk = Walk(
        name,
        "a Quepid book",
        '{"query_doc_pairs": [{"query_text": "...", "doc_id": "...", "judgements": [{"rating": 2, "user_email": ""}]}]'
        "}",
    )
    for pair, path in walk.each(value["query_doc_pairs"], "query_doc_pairs", "query_text, doc_id and judgements"):
        topic = walk.cell(pair, "query_text", path, "query")
        document = walk.cell(pair, "doc_id", path, "document id")
        if "judgements" not in pair and "judgments" in pair:
            walk.fault(path, "the key 'judgements', as Quepid spells it", pair)
        for said, where in walk.each(pair.get("judgements") or [], f"{path}.judgements", "rating and user_email"):
            if "rating" not in said:
                walk.fault(where, "the key 'rating'", said)
            elif said["rating"] is None or said.get("unrateable") or said.get("judge_later"):
                walk.skipped += 1
            else:
                level = walk.rating(said, "rating", where)
                judge = walk.cell(said, "user_email", where, "judge") if said.get("user_email") else _UNKNOWN_JUDGE
                walk.add(where, topic=topic, document=document, assessor=judge, level=level)
    return walk.finish()


def _read_case(value: dict[str, Any], name: str) -> Cells:
    walk = Walk(
        name,
        "a Quepid case",
        '{"queries": [{"query_text": "...", "ratings": [{"doc_id": "...", "rating": 2}]}]}',
    )
    for query, path in walk.each(value["queries"], "queries", "query_text and ratings"):
        topic = walk.cell(query, "query_text", path, "query")
        what = "doc_id and rating, as newer versions of Quepid export them"
        for rating, where in walk.each(query.get("ratings") or [], f"{path}.ratings", what):
            if rating.get("rating", "") is None:
                walk.skipped += 1
                continue
            document = walk.cell(rating, "doc_id", where, "document id")
            walk.add(where, topic=topic, document=document, level=walk.rating(rating, "rating", where))
    return walk.finish()


def _read_request(value: dict[str, Any], name: str) -> Cells:
    walk = Walk(
        name,
        "a _rank_eval request",
        '{"requests": [{"id": "...", "request": {...}, "ratings": [{"_index": "...", "_id": "...", "rating": 2}]}]}',
    )
    for request, path in walk.each(value["requests"], "requests", "id, request and ratings"):
        topic = walk.cell(request, "id", path, "id of the request")
        if "ratings" not in request:
            walk.fault(path, "the key 'ratings'", request)
        for rating, where in walk.each(request.get("ratings", []), f"{path}.ratings", "_index, _id and rating"):
            document = walk.cell(rating, "_id", where, "document id")
            walk.add(where, topic=topic, document=document, level=walk.rating(rating, "rating", where))
    return walk.finish()


_READERS: Final[dict[str, Callable[[dict[str, Any], str], Cells]]] = {
    "judgmentRatings": _read_opensearch_list,
    "query_doc_pairs": _read_book,
    "queries": _read_case,
    "requests": _read_request,
}
