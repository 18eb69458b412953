"""Runs in JSON documents: the hits of a `_rank_eval` response of OpenSearch or Elasticsearch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainsayer.lines.opening import as_text
from gainsayer.tables.cells import Cells
from gainsayer.tables.json_documents import Walk, parse_document, refuse_document

_SHAPE = '{"details": {"ID": {"hits": [{"hit": {"_id": "...", "_score": 1.5}, "rating": 2}]}}}'


def read_hits(content: bytes, name: str) -> Cells | None:
    """The hits of a `_rank_eval` response, as `topic, document, score`; None for JSON lines and flat arrays.

    The order of the hits is the ranking: a score of ours, falling from the number of hits to 1, stands for it, as
    `_score` is null where something else sorted them.

    Args:
        content: the bytes of the file, decompressed.
        name: what messages call it.

    Raises:
        FormatError: it is a document of another form, or not as it should be; faults are named by key path.

    >>> body = b'{"details": {"q1": {"hits": [{"hit": {"_id": "b", "_score": null}}, {"hit": {"_id": "a"}}]}}}'
    >>> cells = read_hits(body, "response.json").columns
    >>> cells["document"].to_list(), cells["score"].to_list()
    (['b', 'a'], ['2', '1'])
    """
    value = parse_document(as_text(content, name), name)
    if value is None:
        return None
    if isinstance(value, dict) and isinstance(value.get("rank_eval"), dict):
        value = dict(value["rank_eval"])
    if not isinstance(value, dict) or "details" not in value:
        if isinstance(value, dict) and not any(isinstance(cell, dict | list) for cell in value.values()):
            return None  # JSON lines with one line
        raise refuse_document(value, name, "a _rank_eval response ('details') as a run")
    walk = Walk(name, "a _rank_eval response", _SHAPE)
    for topic, hits in _list_hits(walk, value["details"]):
        for place, (entry, where) in enumerate(hits):
            hit = entry.get("hit")
            if isinstance(hit, dict):
                document = walk.cell(hit, "_id", f"{where}.hit", "document id")
                walk.add(where, topic=topic, document=document, score=str(len(hits) - place))
            else:
                walk.fault(where, "the key 'hit' with an object", entry)
    return walk.finish()


def _list_hits(walk: Walk, details: Any) -> Iterator[tuple[str, list[tuple[dict[str, Any], str]]]]:
    """The topics of a response, each with its hits and their paths."""
    if not isinstance(details, dict):
        walk.fault("details", "an object with an entry for each request", details)
        return
    for topic, detail in details.items():
        path = f"details.{topic}"
        if isinstance(detail, dict):
            yield topic.strip(), list(walk.each(detail.get("hits"), f"{path}.hits", "hit and rating"))
        else:
            walk.fault(path, "an object with hits", detail)
