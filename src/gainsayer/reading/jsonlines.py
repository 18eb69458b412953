"""JSON lines: one object per line, or one array of them, with the columns of the other tables as keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import polars as pl

from gainsayer.errors import FormatError
from gainsayer.reading.cells import Cells, cell_text
from gainsayer.reading.columns import (
    JUDGMENTS,
    RATER,
    Schema,
    find_columns,
    list_candidates,
    list_titles,
    may_be_wide,
    tell_column,
    tell_columns,
)
from gainsayer.reading.faults import Faults, shorten

_BLANKS: Final = b" \t\r\n\f\v"
_BLANK: Final = re.compile(r"[ \t\r\n\f\v]*")
_END: Final = re.compile(r"\][ \t\r\n\f\v]*")


def read_objects(text: bytes, name: str, schema: Schema = JUDGMENTS, *, raters: Sequence[str] = ()) -> Cells:
    r"""The known columns of a JSON lines file, or of a JSON array of flat objects, as text.

    Values may be text or numbers: the topic 17 is '17', the level 2.0 is '2', the level true is '1', and null is an
    empty cell. All objects have the same known keys; other keys are left out.

    Args:
        text: the content, UTF-8 without a byte-order mark (see `opening.as_text`).
        name: what messages call the file.
        schema: what the table holds.
        raters: keys of levels, one per rater, where the table is wide; a line may lack some of them. Where nobody named
            them and the first object may be a row of a wide table, every key of any line that may be a rater's.

    Raises:
        FormatError: a line is no such object; the first ten are listed.

    >>> cells = read_objects(b'{"qid": 7, "docno": "d1", "rel": 2.0}\n', "nist.jsonl")
    >>> {key: column.to_list() for key, column in cells.columns.items()}
    {'topic': ['7'], 'document': ['d1'], 'level': ['2']}
    """
    array = text[:1000].lstrip(_BLANKS).startswith(b"[")
    faults = Faults(name, unit="item" if array else "line")
    rows: list[list[str]] = []
    loose: list[dict[str, str]] = []
    lines: list[int] = []
    meanings: list[str] = []
    first: tuple[str, ...] = ()
    known: dict[tuple[str, ...], tuple[list[str], list[str]] | None] = {}
    wide = bool(raters)
    for number, entry in _items(text, faults) if array else _objects(text, faults):
        keys = tuple(entry)
        if not meanings:
            first, wide = keys, wide or may_be_wide(keys, schema)
            needed = [meaning for meaning in schema.needed if not (wide and meaning == "level")]
            others, where = _set_apart(keys, schema, raters), f"{name}, {faults.unit} {number}"
            meanings = list(find_columns(others, where, replace(schema, needed=needed)))
        if keys not in known:
            known[keys] = _match_keys(keys, meanings, schema, raters, wide)
        matched = known[keys]
        if matched is None:
            expected = f"the same columns as above ({', '.join(meanings)})"
            faults.add(number, f"expected {expected}, found the keys {shorten(', '.join(keys))}.")
            continue
        titles, free = matched
        try:
            row = [cell_text(entry[title], meaning) for title, meaning in zip(titles, meanings, strict=True)]
            levels = {key: cell_text(entry[key], "level") if raters else _any_text(entry[key]) for key in free}
        except ValueError as fault:
            faults.add(number, str(fault))
            continue
        rows.append(row)
        lines.append(number)
        if wide:
            loose.append(levels)
    faults.settle()
    if not rows:
        raise FormatError(f"{name} is empty: expected objects with {', '.join(schema.needed)}, found none.")
    seen = dict.fromkeys(key for levels in loose for key in levels)
    lacking = sorted(set(raters).difference(seen))
    if lacking and rows:
        raise FormatError(
            f"{name}: expected a key {shorten(lacking[0])} with a rater's levels, found none in any "
            f"{faults.unit}; the keys of the first object are {list_titles(first)}."
        )
    table = pl.DataFrame(rows, dict.fromkeys(meanings, pl.String), orient="row")
    columns = {key: table[key] for key in meanings}
    for key in raters or seen:
        columns[RATER + key] = pl.Series([levels.get(key, "") for levels in loose], dtype=pl.String)
    everything = tuple(dict.fromkeys((*first, *seen)))
    if array:
        return Cells(columns, titles=everything, places=tuple(f"item {number}" for number in lines))
    return Cells(columns, lines=np.array(lines, np.int64), titles=everything)


def _items(text: bytes, faults: Faults) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object of an array with its number; what is no object is a fault, and broken JSON the last one."""
    whole = text.decode()
    place, number = whole.index("[") + 1, 0
    while True:
        number += 1
        place = _BLANK.match(whole, place).end()  # type: ignore[union-attr]  # it matches nothing, too
        if whole[place : place + 1] == "]" and number == 1:
            break
        try:
            entry, place = JSON.raw_decode(whole, place)
        except RecursionError:
            faults.add(number, "expected a flat JSON object, found many within each other.")
            return
        except ValueError as fault:
            found = shorten(whole[place : place + 200]) if place < len(whole) else "the end of the file"
            faults.add(number, f"expected a JSON object of the array, found {found} ({fault}).")
            return
        if isinstance(entry, dict):
            yield number, entry
        else:
            faults.add(number, f"expected a JSON object, found {shorten(json.dumps(entry))}.")
        place = _BLANK.match(whole, place).end()  # type: ignore[union-attr]
        if whole[place : place + 1] != ",":
            break
        place += 1
    if not _END.fullmatch(whole, place):
        faults.add(number, f"expected ']' at the end of the JSON array, found {shorten(whole[place:] or 'nothing')}.")


def _set_apart(keys: Sequence[str], schema: Schema, raters: Sequence[str]) -> list[str]:
    """The keys next to those of raters who were named; then there is no other level and no assessor."""
    narrow = ("level", "assessor") if raters else ()
    return [key for key in keys if key not in raters and tell_column(key, schema.synonyms) not in narrow]


def _any_text(value: object) -> str:
    """A cell that may be a rater's level; as JSON, which is none, where it is neither text nor a number."""
    try:
        return cell_text(value, "")
    except ValueError:
        return json.dumps(value)


def _objects(text: bytes, faults: Faults) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object with its line; blank lines are passed over, other lines are faults."""
    for number, line in enumerate(text.split(b"\n"), start=1):
        line = line.strip(_BLANKS)
        if not line:
            continue
        try:
            entry = JSON.decode(line.decode())
        except RecursionError:
            faults.add(number, f"expected a flat JSON object, found many within each other: {shorten(line)}.")
        except ValueError as fault:
            faults.add(number, f"expected one JSON object, found {shorten(line)} ({fault}).")
        else:
            if isinstance(entry, dict):
                yield number, entry
            else:
                faults.add(number, f"expected one JSON object, found {shorten(line)}.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entry = dict(pairs)
    if len(entry) < len(pairs):
        raise ValueError("a key is there twice")
    return entry


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")


JSON: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)
"""JSON as it is written down: no key twice, no NaN."""


def _match_keys(
    keys: tuple[str, ...], meanings: list[str], schema: Schema, raters: Sequence[str], wide: bool
) -> tuple[list[str], list[str]] | None:
    """The key for each meaning, and those that may be raters'; None if there is not just one for each meaning."""
    others = _set_apart(keys, schema, raters)
    told = zip(tell_columns(others, schema), others, strict=True)
    found = [(meaning, key) for meaning, key in told if meaning is not None]
    titles = dict(found)
    if len(found) != len(titles) or titles.keys() != set(meanings):
        return None
    free = [key for key in keys if key in raters] if raters else list_candidates(keys, schema) if wide else []
    return [titles[meaning] for meaning in meanings], free
