"""JSON Schemas from typed keys, and the page of the reference that is made from the schemas.

A key is declared once, in json_keys.py: `"pairs": whole("pairs of judgments, each counted once")`. All numbers that are
estimated may be unknown, so most are `or_null(number(...))`. docs/generate.py writes src/gainsayer/schemas/*.json and
docs/reference/json.md; tests/golden checks every JSON of the net against them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gainsayer.result import SCHEMA_VERSION

Schema: TypeAlias = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
UNKNOWN_NUMBER: Schema = {"type": ["number", "null"]}
_SHOWN = {"array": "list", "integer": "whole number", "string": "text", "boolean": "true or false"}


@dataclass(frozen=True)
class Document:
    """The JSON of one command.

    Args:
        name: of its schema's file, without the ending.
        call: what prints or writes it.
        about: what it is, in a sentence or two.
        keys: each with its type and what it is, in order.
        optional: keys that it has only sometimes.
        parts: what `same` refers to.
    """

    name: str
    call: str
    about: str
    keys: Mapping[str, Schema]
    optional: tuple[str, ...] = ()
    parts: Mapping[str, Schema] = field(default_factory=dict)

    def schema(self) -> Schema:
        """The JSON Schema, draft 2020-12."""
        version = {"const": SCHEMA_VERSION, "description": "the version of this schema"}
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"JSON of gainsayer {self.name}",
            **record(self.about, schema_version=version, **self.keys),
            "required": ["schema_version", *(key for key in self.keys if key not in self.optional)],
            **({"$defs": dict(self.parts)} if self.parts else {}),
        }


def text(about: str) -> Schema:
    """A text."""
    return {**TEXT, "description": about}


def whole(about: str) -> Schema:
    """A whole number."""
    return {"type": "integer", "description": about}


def number(about: str) -> Schema:
    """A number that is always known."""
    return {**NUMBER, "description": about}


def flag(about: str) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": about}


def interval(about: str, ends: Schema = NUMBER) -> Schema:
    """A lower and an upper end."""
    return {"type": "array", "items": ends, "minItems": 2, "maxItems": 2, "description": about}


def listed(items: Schema, about: str) -> Schema:
    """A list."""
    return {"type": "array", "items": items, "description": about}


def matrix(about: str) -> Schema:
    """A list of rows of numbers."""
    return listed({"type": "array", "items": UNKNOWN_NUMBER}, about)


def record(about: str, /, **keys: Schema) -> Schema:
    """An object with these keys and no others."""
    return {
        "type": "object",
        "properties": keys,
        "required": list(keys),
        "additionalProperties": False,
        **({"description": about} if about else {}),
    }


def entries(about: str, /, **keys: Schema) -> Schema:
    """A list of objects with these keys."""
    return listed(record("", **keys), about)


def by_name(values: Schema, about: str) -> Schema:
    """An object whose keys are names from the data, such as levels."""
    return {"type": "object", "additionalProperties": values, "description": about}


def anything(about: str) -> Schema:
    """An object about whose keys nothing is promised."""
    return {"type": "object", "description": about}


def same(part: str) -> Schema:
    """One of the parts of the document."""
    return {"$ref": f"#/$defs/{part}"}


def or_null(schema: Schema) -> Schema:
    """The same, or null.

    >>> or_null(number("the mean"))
    {'type': ['number', 'null'], 'description': 'the mean'}
    """
    types = schema["type"]
    return {**schema, "type": [*([types] if isinstance(types, str) else types), "null"]}


def write_schema(document: Document) -> str:
    """The text of a schema's file."""
    return json.dumps(document.schema(), indent=2, ensure_ascii=False) + "\n"


def json_page(documents: Sequence[Document], note: str) -> str:
    """The page of the reference: for each document its call and a table of its keys."""
    parts = [f"# JSON\n\n{note}\n\n{_INTRODUCTION}"]
    for document in documents:
        schema = document.schema()
        rows = "\n".join(
            f"| `{key}` | {kind} | {about.replace('|', chr(92) + '|')} |" for key, kind, about in _rows(schema)
        )
        call = f"`{document.call}`"
        parts.append(
            f"## {document.name}\n\n{document.about} From {call}; schema: `{document.name}.json`.\n\n"
            f"| key | type | what it is |\n|---|---|---|\n{rows}"
        )
    return "\n\n".join(parts) + "\n"


_INTRODUCTION = f"""What `--format json`, `-o FILE.json` and `.to_json()` give. Numbers are not rounded, and `null` is
a number that is not known. Keys are stable: while `schema_version` is {SCHEMA_VERSION}, some may be added; none is
removed, and none changes its meaning. A key with `?` is there only sometimes; `[]` stands for each entry of a list, and
`*` for a name from the data: a level, a stratum, a kind of gains.

Each table below is made from a JSON Schema (draft 2020-12) that is part of the package:

```python
import json
from importlib.resources import files

schema = json.loads((files("gainsayer") / "schemas" / "fit.json").read_text("utf-8"))
assert schema["properties"]["schema_version"]["const"] == {SCHEMA_VERSION}
```

`jsonschema.validate(json.loads(text), schema)` of the package jsonschema, or another validator, then says whether a
text is such a document."""


def _rows(schema: Schema, before: str = "") -> Iterator[tuple[str, str, str]]:
    """Key, type and meaning of everything in an object, in order; those of a part that is repeated are not repeated."""
    for key, inner in schema.get("properties", {}).items():
        name = f"{before}{key}"
        yield name if key in schema["required"] else f"{name}?", _kind(inner), inner["description"]
        yield from _below(inner, name)
    if before and isinstance(others := schema.get("additionalProperties"), dict):
        yield from _below(others, f"{before}*")


def _below(schema: Schema, name: str) -> Iterator[tuple[str, str, str]]:
    while "items" in schema:
        schema, name = schema["items"], f"{name}[]"
    if "properties" in schema or "additionalProperties" in schema:
        yield from _rows(schema, f"{name}.")


def _kind(schema: Schema) -> str:
    """A type in words.

    >>> _kind(or_null(listed(TEXT, "names"))), _kind(by_name(UNKNOWN_NUMBER, "gains"))
    ('list of text, or null', 'object of number or null')
    """
    if "const" in schema:
        return f"`{schema['const']}`"
    if "$ref" in schema:
        return "object as above"
    types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    shown = [_SHOWN.get(kind, kind) for kind in types]
    inner = schema.get("items") or schema.get("additionalProperties")
    if not inner:
        return " or ".join(shown)
    first = "[lower, upper]" if "minItems" in schema else f"{shown[0]} of {_kind(inner)}"
    return ", or ".join([first, *shown[1:]])
