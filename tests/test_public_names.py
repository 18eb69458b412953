"""The public names: few, all there, all documented, and cheap to import."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import gainsayer

MOST_NAMES = 44
FUNCTIONS = [name for name in gainsayer.__all__ if name[0].islower() and name not in gainsayer._FAMILIES]


def test_type_checkers_are_told_the_same_names() -> None:
    """The stub imports each name from the module where Python looks for it, and nothing else."""
    stub = ast.parse(Path(gainsayer.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    told = {
        str(alias.asname).lstrip("_"): f"{line.module}.{alias.name}"
        for line in stub.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }
    names = {name: f"gainsayer.{home}.{name}" for name, home in gainsayer._HOME.items()}
    families = {name: f"gainsayer.{home}" for name, home in gainsayer._FAMILIES.items()}
    assert told == names | families | {room: f"gainsayer.{room}" for room in gainsayer.ROOMS}
    assert len(gainsayer.__all__) <= MOST_NAMES


@pytest.mark.parametrize("name", gainsayer._HOME)
def test_name_can_be_imported_and_is_told(name: str) -> None:
    """The name leads to something with a docstring of its own, in the module that the table says."""
    thing = getattr(gainsayer, name)
    assert thing.__module__ == f"gainsayer.{gainsayer._HOME[name]}"
    assert thing.__doc__
    assert thing.__doc__.strip().partition("\n")[0].endswith((".", ":"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_has_an_example_that_runs(name: str) -> None:
    """Every public function shows an example; the doctests run it."""
    assert ">>>" in (inspect.getdoc(getattr(gainsayer, name)) or "")


@pytest.mark.parametrize("room", gainsayer.ROOMS)
def test_rooms_list_their_names(room: str) -> None:
    """A room's __all__ is sorted, each name is there, is documented, and lives in the room."""
    package = getattr(gainsayer, room)
    assert list(package.__all__) == sorted(set(package.__all__))
    for name in package.__all__:
        thing = getattr(package, name)
        assert thing.__doc__, name
        assert thing.__module__.startswith(f"gainsayer.{room}."), name
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        package.nothing  # noqa: B018


def test_signatures_are_closed() -> None:
    """Every class in the signature of a public function is public itself, here or in a room."""
    public = {getattr(gainsayer, name) for name in gainsayer._HOME}
    for room in gainsayer.ROOMS:
        package = getattr(gainsayer, room)
        public |= {getattr(package, name) for name in package.__all__}
    lacking = set()
    for name in FUNCTIONS:
        function = getattr(gainsayer, name)
        hints = typing.get_type_hints(function)
        for hint in hints.values():
            for kind in classes_in(hint):
                if kind.__module__.startswith("gainsayer") and kind not in public:
                    lacking.add(f"{name}: {kind.__module__}.{kind.__qualname__}")
    assert lacking == set()


def classes_in(hint: object) -> set[type]:
    """The classes that an annotation names, however deep."""
    found = {hint} if isinstance(hint, type) and not typing.get_args(hint) else set()
    for part in (typing.get_origin(hint), *typing.get_args(hint)):
        found |= classes_in(part) if part is not None and part is not hint else set()
    return {kind for kind in found if isinstance(kind, type)}


def test_names_are_listed_by_dir() -> None:
    """dir() shows the public names before they are imported, so that completion works."""
    assert set(gainsayer.__all__) <= set(dir(gainsayer))


def test_unknown_name_is_refused() -> None:
    """A name that is not there is an AttributeError that says so."""
    with pytest.raises(AttributeError, match="module 'gainsayer' has no attribute 'estimate'"):
        gainsayer.estimate  # noqa: B018


def test_version_is_known() -> None:
    """The version is that of the installed package."""
    assert gainsayer.__version__[0].isdigit()


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        ("import gainsayer", ("numpy", "polars", "click", "scipy", "rich")),
        ("import gainsayer.cli", ("scipy", "rich", "polars", "numpy")),
        ("import gainsayer; gainsayer.count_pairs", ("click", "rich")),
    ],
)
def test_importing_does_nothing_heavy(statement: str, heavy: tuple[str, ...]) -> None:
    """Importing waits for nothing that is not used."""
    code = f"{statement}\nimport sys\nprint(*sorted(set({heavy!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
    assert done.stderr == ""
