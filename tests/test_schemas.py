"""The JSON Schemas in the package: whole, described and of use. The net checks them against every command's JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.collections import World

import gainsayer as gs
from gainsayer.datasets.paper import twenty_documents

FOLDER = files("gainsayer") / "schemas"
SCHEMAS = {Path(file.name).stem: json.loads(file.read_text("utf-8")) for file in FOLDER.iterdir()}
KEPT = Path(__file__).parent / "golden" / "kept"
# What prints tab-separated values is not JSON there.
IN_PYTHON = ("machine-sample", "machine-gains")


def find_objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Each part of a schema that describes an object with keys of our own."""
    if isinstance(schema, list):
        for part in schema:
            yield from find_objects(part)
    elif isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and "required" in schema:
            yield schema
        for part in schema.values():
            yield from find_objects(part)


def find_keys(value: Any) -> Iterator[str]:
    """Every key of a JSON value."""
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from find_keys(part)
    if isinstance(value, dict):
        yield from value


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid_and_says_what_each_key_is(name: str) -> None:
    """It is draft 2020-12; every key has one line that says what it is, and keys that are fixed are all."""
    Draft202012Validator.check_schema(SCHEMAS[name])
    objects = list(find_objects(SCHEMAS[name]))
    about = [inner.get("description", "") for part in objects for inner in part["properties"].values()]
    assert all(words and "\n" not in words for words in about)
    assert all("additionalProperties" in part for part in objects)
    assert SCHEMAS[name]["additionalProperties"] is False
    assert SCHEMAS[name]["required"][0] == "schema_version"


def test_there_is_a_schema_for_every_document() -> None:
    """No schema is left over when its document is gone: the page of the reference names all of them."""
    page = (Path(__file__).parents[1] / "docs" / "reference" / "json.md").read_text("utf-8")
    assert [name for name in SCHEMAS if f"## {name}\n" in page] == list(SCHEMAS)
    assert page.count("\n## ") == len(SCHEMAS)


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name not in IN_PYTHON])
def test_what_is_described_is_printed(name: str) -> None:
    """Every key of a schema stands in the net: a key that was removed does not stay in the reference."""
    command = {"truth": "simulate"}.get(name, name.partition("-")[0])
    kept = [json.loads(line) for line in (KEPT / f"{command}.jsonl").read_text("utf-8").splitlines()]
    seen = {key for _, _, where, value in kept for key in (*where.split("/"), *find_keys(value))}
    described = {key for part in find_objects(SCHEMAS[name]) for key in part["properties"]}
    assert described - seen == set()


def test_what_the_net_does_not_have_is_as_described(world: World) -> None:
    """`machine sample` and `machine gains` have JSON in Python alone."""
    drawn = gs.machine.sample(world.machine, world.runs, measures="DCG@10", labels=30)
    gains = gs.machine.gains(world.machine, people=world.people, threshold=2)
    for name, table in (("machine-sample", drawn), ("machine-gains", gains)):
        Draft202012Validator(SCHEMAS[name]).validate(json.loads(table.to_json()))


def test_a_document_with_a_fault_is_refused() -> None:
    """Another version, a key that is not known, one that is missing, text for a number."""
    document = json.loads(gs.fit(twenty_documents(), threshold=2).to_json())
    check = Draft202012Validator(SCHEMAS["fit"]).is_valid
    assert check(document)
    for changed in ({"schema_version": 2}, {"more": 1}, {"topics": "1"}, {"levels": [{}]}, {"confidence": None}):
        assert not check({**document, **changed}), changed
    assert not check({key: value for key, value in document.items() if key != "covariance"})
