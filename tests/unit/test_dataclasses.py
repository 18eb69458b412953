"""Results never change: every dataclass of the package is frozen, but for what collects faults on the way."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from dataclasses import fields, is_dataclass

import gainsayer

COLLECTS_FAULTS = "gainsayer.reading.faults"
ARRAYS = re.compile(r"\b\w*Array\b|DataFrame|Series")


def test_dataclasses_are_frozen_and_those_with_arrays_compare_by_identity() -> None:
    """Functions go from data to frozen data; two results with arrays cannot be compared, as arrays have no truth."""
    names = [found.name for found in pkgutil.walk_packages(gainsayer.__path__, "gainsayer.")]
    modules = [importlib.import_module(name) for name in names if name not in ("gainsayer.__main__", COLLECTS_FAULTS)]
    kinds = {
        kind
        for module in modules
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if is_dataclass(kind) and kind.__module__ == module.__name__
    }
    assert len(kinds) > 100
    assert [kind for kind in kinds if kind.__setattr__ is object.__setattr__] == []
    with_arrays = [kind for kind in kinds if any(ARRAYS.search(str(field.type)) for field in fields(kind))]
    assert [kind for kind in with_arrays if kind.__eq__ is not object.__eq__] == []
