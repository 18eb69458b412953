"""Results never change: every dataclass of the package is frozen, but for what collects faults on the way."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import gainsayer

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(gainsayer.__path__, "gainsayer.")
    if module.name not in ("gainsayer.__main__", "gainsayer.lines.faults")
)
ARRAYS = re.compile(r"\b\w*Array\b|DataFrame|Series")


@pytest.mark.parametrize("name", MODULES)
def test_dataclasses_are_frozen(name: str) -> None:
    """Functions go from data to frozen data."""
    module = importlib.import_module(name)
    own = [value for _, value in inspect.getmembers(module, inspect.isclass) if value.__module__ == name]
    loose = [kind.__name__ for kind in own if is_dataclass(kind) and kind.__setattr__ is object.__setattr__]
    assert not loose


@pytest.mark.parametrize("name", MODULES)
def test_dataclasses_that_hold_arrays_compare_by_identity(name: str) -> None:
    """Arrays have no truth value, so that results that hold some would raise where two of them are compared."""
    module = importlib.import_module(name)
    own = [value for _, value in inspect.getmembers(module, inspect.isclass) if value.__module__ == name]
    by_value = [
        kind.__name__
        for kind in own
        if is_dataclass(kind)
        and kind.__eq__ is not object.__eq__
        and any(ARRAYS.search(str(field.type)) for field in fields(kind))
    ]
    assert not by_value


def test_dataclasses_are_ours() -> None:
    """The standard library's cost a command half a millisecond each; those made by the thousand have slots."""
    source = Path(gainsayer.__file__).parent
    files = [file for file in source.rglob("*.py") if file.name != "records.py"]
    usual = re.compile(r"^from dataclasses import .*\bdataclass\b|@dataclasses\.dataclass\((?!.*slots=True)", re.M)
    assert len(files) > 300
    assert [str(file) for file in files if usual.search(file.read_text(encoding="utf-8"))] == []
