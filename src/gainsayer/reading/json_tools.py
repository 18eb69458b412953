"""JSON documents of other tools: Quepid, OpenSearch and Elasticsearch, Label Studio.

The forms are told apart by their keys; each has a function below. The hits of a `_rank_eval` response are a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from gainsayer.errors import FormatError
from gainsayer.reading.cells import Cells, cell_text
from gainsayer.reading.columns import JUDGMENTS, tell_column, tell_columns
from gainsayer.reading.files import as_text
from gainsayer.reading.json_documents import Walk, parse_document, refuse_document

_SHAPE: Final = (
    '[{"id": 1, "data": {"query_id": "...", "doc_id": "..."}, "annotations": [{"completed_by": 7, "result": '
    '[{"from_name": "relevance", "type": "choices", "value": {"choices": ["..."]}}]}]}]'
)
_VALUES: Final = ("choices", "rating", "number", "text")
"""What holds the answer of a control that gives one."""


def is_label_studio(items: Sequence[Any]) -> bool:
    """Whether an array holds tasks of Label Studio.

    >>> is_label_studio([{"id": 1, "data": {}, "annotations": []}]), is_label_studio([{"qid": 1}])
    (True, False)
    """
    first = items[0] if items else None
    return isinstance(first, dict) and "data" in first and "annotations" in first


def read_label_studio(tasks: list[Any], name: str) -> Cells:
    """The judgments of an export; every annotator is an assessor.

    Cancelled annotations, and those without an answer, are left out and counted.

    Raises:
        FormatError: something is not as the form should be; faults are named by key path.

    >>> task = {"data": {"query_id": "q1", "doc_id": "d1"}, "annotations": [{"completed_by": {"email": "ann@x.org"},
    ...         "result": [{"from_name": "relevance", "type": "choices", "value": {"choices": ["high"]}}]}]}
    >>> {key: column.to_list() for key, column in read_label_studio([task], "export.json").columns.items()}
    {'topic': ['q1'], 'document': ['d1'], 'assessor': ['ann@x.org'], 'level': ['high']}
    """
    walk = Walk(name, "a Label Studio JSON export", _SHAPE)
    for task, path in walk.each(tasks, "", "data and annotations"):
        data = task.get("data")
        if not isinstance(data, dict):
            walk.fault(path, "the key 'data' with an object", task)
            continue
        found = _find_ids(walk, data, f"{path}.data")
        for said, where in walk.each(task.get("annotations"), f"{path}.annotations", "result and completed_by"):
            result = said.get("result")
            if said.get("was_cancelled") or result == []:
                walk.skipped += 1
                continue
            answers = {
                str(part.get("from_name")): _answer(part.get("value"))
                for part, _ in walk.each(result, f"{where}.result", "from_name, type and value")
            }
            level = _choose(walk, answers, f"{where}.result")
            if level is not None and found is not None:
                walk.add(where, topic=found[0], document=found[1], assessor=_annotator(walk, said, where), level=level)
    return walk.finish()


def _find_ids(walk: Walk, data: Mapping[str, Any], path: str) -> tuple[str, str] | None:
    """The topic and the document of a task."""
    keys = list(data)
    meanings = tell_columns(keys, JUDGMENTS)
    cells = []
    for meaning in ("topic", "document"):
        places = [place for place, held in enumerate(meanings) if held == meaning]
        if len(places) != 1:
            which = "a key" if not places else "one key, not several,"
            walk.fault(path, f"{which} with the {meaning} ({' or '.join(JUDGMENTS.synonyms[meaning])})", data)
            return None
        cells.append(walk.cell(data, keys[places[0]], path, meaning))
    topic, document = cells
    return None if topic is None or document is None else (topic, document)


def _choose(walk: Walk, answers: Mapping[str, str | None], path: str) -> str | None:
    """The answer that is the level: of the control that is called so, or of the only one that gives an answer."""
    given = {control: answer for control, answer in answers.items() if answer is not None}
    named = [control for control in given if tell_column(control) == "level"]
    if not given:
        walk.skipped += 1
        return None
    if len(named) != 1 and len(given) != 1:
        walk.fault(
            path,
            "one control with the level; name the one that is meant 'relevance' in the labelling interface",
            dict(answers),
        )
        return None
    return given[named[0] if named else next(iter(given))]


def _answer(value: Any) -> str | None:
    """A single choice, rating, number or text; None where there is none, or several."""
    held = [value[key] for key in _VALUES if key in value] if isinstance(value, dict) else []
    value = held[0] if len(held) == 1 else None
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else None
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return cell_text(value, "level") or None


def _annotator(walk: Walk, said: Mapping[str, Any], path: str) -> str | None:
    """Who annotated: an id, or where the export has the person, their email."""
    person = said.get("completed_by")
    if isinstance(person, dict):
        for key in ("email", "id"):
            if person.get(key):
                return walk.cell(person, key, f"{path}.completed_by", "annotator")
    return walk.cell(said, "completed_by", path, "annotator")


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


_RANK_EVAL = '{"details": {"ID": {"hits": [{"hit": {"_id": "...", "_score": 1.5}, "rating": 2}]}}}'


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
    walk = Walk(name, "a _rank_eval response", _RANK_EVAL)
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
