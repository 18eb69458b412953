"""Label Studio's JSON exports: tasks with their annotations.

The topic and the document are looked for among the task's data, under the usual titles of columns. The level is what
was chosen, rated or typed in the control whose name means a level (`relevance`, `rating`, ...), or in the only one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gainsayer.tables.cells import Cells, cell_text
from gainsayer.tables.columns import JUDGMENTS, tell_column, tell_columns
from gainsayer.tables.json_documents import Walk

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
