"""JSON lines: one object per line, with the columns of the other tables as keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from gainsayer.errors import FormatError
from gainsayer.judgments.cells import cell_text
from gainsayer.judgments.columns import NEEDED, SYNONYMS, Cells, find_columns, make_source, tell_column
from gainsayer.judgments.source import Source
from gainsayer.lines.faults import Faults, shorten

_BLANKS: Final = b" \t\r\n\f\v"


def read_jsonlines(text: bytes, name: str, *, assessor: str | None) -> Source:
    r"""The rows of a JSON lines file.

    Values may be text or numbers: the topic 17 is '17', the level 2.0 is '2', the level true is '1', and null is an
    empty cell. All lines have the same known keys; other keys are left out.

    Args:
        text: the content, UTF-8 without a byte-order mark (see `opening.as_text`).
        name: what messages call the file.
        assessor: who gave the levels, where no key says so.

    Raises:
        FormatError: a line is no such object; the first ten are listed.

    >>> read_jsonlines(b'{"qid": 7, "docno": "d1", "rel": 2.0}\n', "nist.jsonl", assessor="nist").frame.rows()
    [('7', 'd1', 'nist', '2')]
    """
    cells = read_objects(text, name)
    return make_source(cells.columns, name, assessor=assessor, lines=cells.lines)


def read_objects(
    text: bytes,
    name: str,
    *,
    synonyms: Mapping[str, Sequence[str]] = SYNONYMS,
    needed: Sequence[str] = NEEDED,
) -> Cells:
    """The known columns of a JSON lines file as text; see `read_jsonlines`."""
    if text[:1000].lstrip(_BLANKS).startswith(b"["):
        raise FormatError(
            f"{name}: expected JSON lines (one object per line), found a JSON array. "
            "Put each object on a line of its own: jq -c '.[]'"
        )
    faults = Faults(name)
    rows: list[list[str]] = []
    lines: list[int] = []
    meanings: list[str] = []
    known: dict[tuple[str, ...], list[str] | None] = {}
    for number, entry in _objects(text, faults):
        keys = tuple(entry)
        if not meanings:
            meanings = list(find_columns(keys, f"{name}, line {number}", synonyms=synonyms, needed=needed))
        if keys not in known:
            known[keys] = _match_keys(keys, meanings, synonyms)
        titles = known[keys]
        if titles is None:
            expected = f"the same columns as above ({', '.join(meanings)})"
            faults.add(number, f"expected {expected}, found the keys {shorten(', '.join(keys))}.")
            continue
        try:
            rows.append([cell_text(entry[title], meaning) for title, meaning in zip(titles, meanings, strict=True)])
            lines.append(number)
        except ValueError as fault:
            faults.add(number, str(fault))
    faults.settle()
    table = pl.DataFrame(rows, dict.fromkeys(meanings, pl.String), orient="row")
    return Cells({meaning: table[meaning] for meaning in meanings}, lines=np.array(lines, np.int64))


def _objects(text: bytes, faults: Faults) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object with its line; blank lines are passed over, other lines are faults."""
    decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)
    for number, line in enumerate(text.split(b"\n"), start=1):
        line = line.strip(_BLANKS)
        if not line:
            continue
        try:
            entry = decoder.decode(line.decode())
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


def _match_keys(keys: tuple[str, ...], meanings: list[str], synonyms: Mapping[str, Sequence[str]]) -> list[str] | None:
    """The key for each meaning, or None if there is not just one for each."""
    found = [(meaning, key) for key in keys if (meaning := tell_column(key, synonyms)) is not None]
    titles = dict(found)
    return (
        [titles[meaning] for meaning in meanings]
        if len(found) == len(titles) and titles.keys() == set(meanings)
        else None
    )
