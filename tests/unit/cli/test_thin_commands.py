"""Commands parse, call one function and print: nothing is read, estimated or decided in `cli`."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gainsayer
from gainsayer.cli import COMMANDS, flags

SOURCE = Path(gainsayer.__file__).parent
FILES = sorted((SOURCE / "cli").glob("*.py"))
# What a command may use of the other rooms: its functions, how results look, and how words of a call are taken apart.
ALLOWED = (
    *("gainsayer.cli", "gainsayer.evaluation", "gainsayer.presentation", "gainsayer.errors", "gainsayer.findings"),
    "gainsayer.web",
    *("gainsayer.output_files", "gainsayer.records", "gainsayer.text", "gainsayer.levels"),
    *("gainsayer.judgments.files.split_name", "gainsayer.judgments.labels.parse_map", "gainsayer.__version__"),
    "gainsayer.lines.kernel.name_reader",
)
# Functions that carry out a whole command; the others of `evaluation` and `presentation` only make or show values.
DOING = ("agree", "fit", "score", "compare", "plan", "report", "simulate", "export", "doctor", "demonstrate")


def imports(tree: ast.AST) -> Iterator[str]:
    """What a module imports when it runs; imports for types alone are left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            yield from imports(node)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_commands_use_functions_and_views_alone(path: Path) -> None:
    """No module of `cli` imports a room in which something is read, counted, estimated or scored."""
    found = [name for name in imports(ast.parse(path.read_text(encoding="utf-8"))) if name.startswith("gainsayer")]
    assert [name for name in found if not f"{name}.".startswith(tuple(f"{allowed}." for allowed in ALLOWED))] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_commands_open_no_file_and_loop_over_no_runs(path: Path) -> None:
    """Files are opened, and runs gone through, by the functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {ast.unparse(node.func).rpartition(".")[2] for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert called & {"read_text", "read_bytes", "read_content", "read_run", "read_judgments", "read_model"} == set()
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For | ast.comprehension)]
    assert [
        ast.unparse(node.iter) for node in loops if re.search(r"\b(runs|topics|ranked)\b", ast.unparse(node.iter))
    ] == []


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("study", "machine", "judge", "measures")])
def test_a_command_calls_its_function_once(name: str) -> None:
    """The body of each command calls the function of its word, and no other that does a command's work."""
    tree = ast.parse((SOURCE / "cli" / f"{name}.py").read_text(encoding="utf-8"))
    body = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "command")
    calls = [ast.unparse(node.func) for node in ast.walk(body) if isinstance(node, ast.Call)]
    assert [call for call in calls if call in DOING] == ["demonstrate" if name == "demo" else name]


def test_messages_outside_the_command_line_name_no_flag() -> None:
    """A Python user never reads --option: outside `cli` only docstrings, styles and commands to copy hold one."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        if path.is_relative_to(SOURCE / "cli"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                hits = re.findall(r"(?<![\w-])--[a-z][a-z-]+", node.value)
                if (
                    hits
                    and not re.search(r"var\(--|--[a-z]+: ", node.value)
                    and path.name not in ("demonstration.py", "peers.py")
                ):
                    found.append((path.relative_to(SOURCE).as_posix(), hits))
    assert found == []


def test_hints_are_arguments_of_the_functions() -> None:
    """Every name that becomes a flag is an argument of a public function or of a reading."""
    known = set(inspect.signature(gainsayer.Reading).parameters)
    for function in ("agree", "fit", "score", "compare", "plan", "report", "simulate", "export", "doctor"):
        known |= set(inspect.signature(getattr(gainsayer, function)).parameters)
    for family in (gainsayer.study, gainsayer.machine):
        functions = [getattr(family, name) for name in family.__all__ if name[0].islower()]
        known |= {name for function in functions for name in inspect.signature(function).parameters}
    assert set(flags._NAMES) - known == set()
