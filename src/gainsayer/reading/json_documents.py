"""JSON documents: whole files of nested objects, walked through by key path, so that a fault says where it is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import polars as pl

from gainsayer.errors import MOST_FAULTS, FormatError
from gainsayer.findings import Finding
from gainsayer.reading.cells import Cells, cell_text
from gainsayer.reading.columns import list_titles
from gainsayer.reading.faults import shorten
from gainsayer.reading.jsonlines import JSON

_BLANKS: Final = " \t\r\n\f\v"
_MOST_DIGITS: Final = 300  # more would not fit a float
_OPEN: Final = (b"{", b"[", b",")
"""How the first line of a document ends that goes on."""


def parse_document(text: bytes, name: str) -> dict[str, Any] | list[Any] | None:
    r"""The one object or array that a file holds; None for JSON lines.

    An array of flat objects is a table, and None, too: `reading.jsonlines` reads it.

    Raises:
        FormatError: it begins like a document, but is no JSON, such as one that was cut off.

    >>> parse_document(b'{"a": {"b": 1}}\n', "a.json"), parse_document(b'{"a": 1}\n{"a": 2}\n', "a.json")
    ({'a': {'b': 1}}, None)
    """
    first, _, rest = text.strip(_BLANKS.encode()).partition(b"\n")
    if _begins_table(first, rest):
        return None
    whole = text.decode().strip(_BLANKS)
    try:
        value, end = JSON.raw_decode(whole)
    except RecursionError:
        raise FormatError(
            f"{name}: expected a JSON document, found too many lists and objects in each other."
        ) from None
    except ValueError as fault:
        if whole.startswith("[") or not first.rstrip(_BLANKS.encode()).endswith(_OPEN):
            return None  # lines, or a table, whose reader knows on which line or in which item the fault is
        raise FormatError(f"{name}: expected JSON lines or a JSON document, found neither: {fault}.") from None
    if whole[end:].strip(_BLANKS):
        return None
    if isinstance(value, list):
        row = value[0] if value and isinstance(value[0], dict) else {}
        return value if any(isinstance(cell, dict | list) for cell in row.values()) else None
    return value if isinstance(value, dict) else None


def parse_json(text: bytes | str) -> Any:
    """What a JSON file of ours holds; the reason in words where it is no JSON, or none that anybody wrote.

    Raises:
        ValueError: it is no JSON, too deep, or holds a whole number of hundreds of digits.

    >>> parse_json("[" * 9999)
    Traceback (most recent call last):
    ValueError: too many lists and objects in each other
    """
    try:
        return json.loads(text, parse_int=_whole)
    except RecursionError:
        raise ValueError("too many lists and objects in each other") from None


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a whole number of {len(digits)} digits")
    return int(digits)


def _begins_table(first: bytes, rest: bytes) -> bool:
    """Whether the first line is an object and others follow: JSON lines, which need not be read as a whole."""
    if not rest.strip() or not first.startswith(b"{"):
        return False
    try:
        return isinstance(JSON.decode(first.decode()), dict)
    except (ValueError, RecursionError):
        return False


class Walk:
    """One way through a document: rows are kept with their key paths, faults are collected, and told all at once.

    Args:
        name: what messages call the file.
        form: the form it is read as, in words: 'an OpenSearch judgment list'.
        shape: an example of the form.
    """

    def __init__(self, name: str, form: str, shape: str) -> None:
        self.name, self.form, self.shape = name, form, shape
        self.rows: list[dict[str, str]] = []
        self.places: list[str] = []
        self.shown: list[str] = []
        self.count = self.skipped = 0

    def fault(self, path: str, expected: str, found: object) -> None:
        """Note that something else was expected at a key path."""
        self.count += 1
        if len(self.shown) < MOST_FAULTS:
            self.shown.append(f"{self.name}, {path or 'the document'}: expected {expected}, found {show_value(found)}.")

    def each(self, value: Any, path: str, what: str) -> Iterator[tuple[dict[str, Any], str]]:
        """The objects of a list, each with its path; anything else is a fault."""
        if not isinstance(value, list):
            self.fault(path, f"a list of {what}", value)
            return
        for place, entry in enumerate(value):
            if isinstance(entry, dict):
                yield entry, f"{path}[{place}]"
            else:
                self.fault(f"{path}[{place}]", f"an object ({what})", entry)

    def cell(self, entry: Mapping[str, Any], key: str, path: str, meaning: str) -> str | None:
        """The text or number under a key; None, and a fault, where there is none."""
        if key not in entry:
            self.fault(path, f"the key {key!r} ({meaning})", entry)
            return None
        try:
            text = cell_text(entry[key], meaning).strip(_BLANKS)
        except ValueError:
            text = ""
        if not text:
            self.fault(f"{path}.{key}", f"a {meaning}", entry[key])
            return None
        return text

    def rating(self, entry: Mapping[str, Any], key: str, path: str) -> str | None:
        """The same for a rating, which may be a number as text: '0.530' and 0.53 are one."""
        text = self.cell(entry, key, path, "rating")
        try:
            return None if text is None else cell_text(float(text), "rating") or text
        except ValueError:
            return text

    def add(self, place: str, **row: str | None) -> None:
        """Keep a row, unless a cell of it was at fault."""
        broken = [cell for cell in row.values() if cell is not None and not _is_text(cell)]
        if broken:
            self.fault(place, "text", broken[0])
        elif None not in row.values():
            self.rows.append(row)  # type: ignore[arg-type]  # no None, as just seen
            self.places.append(place)

    def finish(self) -> Cells:
        """The rows as columns.

        Raises:
            FormatError: something was at fault, or there are no rows; says which form was expected.
        """
        expected = f"It was read as {self.form}: {self.shape}"
        if self.count:
            raise FormatError.listing(self.shown, self.count - len(self.shown), expected)
        if not self.rows:
            left = f", and {self.skipped:,} entries without one" if self.skipped else ""
            raise FormatError(f"{self.name}: expected {self.form}, found no judgment or hit in it{left}.\n{expected}")
        findings: tuple[Finding, ...] = ()
        if self.skipped:
            text = f"{self.name}: {self.skipped:,} entries without a judgment (skipped, not rateable) were left out."
            findings = (Finding("entries-skipped", text),)
        table = pl.DataFrame(self.rows, dict.fromkeys(self.rows[0], pl.String))
        columns = {title: table[title] for title in table.columns}
        return Cells(columns, places=tuple(self.places), findings=findings)


def _is_text(cell: str) -> bool:
    """Whether it is text that can be written: JSON can hold half a character."""
    try:
        cell.encode()
    except UnicodeEncodeError:
        return False
    return True


def refuse_document(value: object, name: str, known: str) -> FormatError:
    """What to say of a document of no known form."""
    return FormatError(f"{name}: expected JSON lines or {known}, found {show_value(value)}.")


def show_value(value: object) -> str:
    """A JSON value for a message: the keys of an object, else the value, shortened.

    >>> show_value({"doc": 1}), show_value([1, 2]), show_value(None)
    ("an object with the keys 'doc'", 'a list of 2', 'null')
    """
    if isinstance(value, dict):
        return f"an object with the keys {list_titles([str(key) for key in value])}" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value):,}" if value else "an empty list"
    return shorten(value) if isinstance(value, str) else shorten(json.dumps(value)).strip("'\"")
