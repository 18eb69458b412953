"""The net: what the commands say, kept in every format, so that a refactoring loses nothing on the surface.

`calls.txt` is the table of calls, `inputs/` the files they read, `kept/` one JSON Lines file per command. A kept line
is `[call, format, where, value]`: the exit code, standard output, standard error, or a file that the call wrote, piece
by piece, so that a diff shows the row or the sentence that changed. JSON is compared at 1e-9, text after folding
blanks, messages whole. Each JSON is one that the schema of its command describes.

After a change that is meant to show, `GAINSAYER_GOLDEN=write` renews the outputs that differ, and no others. Kept
outputs are never rewritten wholesale: read the diff (`git diff --word-diff`), and say in the commit which lines changed
and why, one kind of change per commit. What is known to be wrong in them stands in known_faults.md.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result
from jsonschema import Draft202012Validator

from gainsayer.cli import gainsayer
from gainsayer.findings import CODES

HERE = Path(__file__).parent
WRITE = os.environ.get("GAINSAYER_GOLDEN") == "write"
EVERY = ("json", "table", "csv", "markdown", "latex")
LONG_NUMBER = re.compile(r"(-?\d+\.\d{9,}(?:e[-+]\d+)?)")  # written in full, so its last digits are the platform's
DIGITS = 11  # of a number that is kept
PIECE = 300  # characters of a kept line's value

# Commands that serve or tell a story have tests of their own.
ELSEWHERE = ("judge", "demo")
# Options of Spark, which has tests of its own, and such as are about to go.
WITHOUT_A_CALL = {"--engine", "--master"}
# What they write has formats of other tools.
WITHOUT_A_SCHEMA = ("export",)
# Binary files.
CHOICES_WITHOUT_A_CALL = {"--input parquet", "--figure-format png", "--figure-format pdf"}


@dataclass(frozen=True)
class Call:
    """A line of calls.txt: what is typed, and the formats in which it is asked for; none for the command's own."""

    name: str
    words: tuple[str, ...]
    formats: tuple[str, ...]

    @property
    def file(self) -> Path:
        """Where the outputs of its command are kept."""
        return HERE / "kept" / f"{self.words[0]}.jsonl"


def read_calls() -> Iterator[Call]:
    """The calls in order, with what `{NAME}` stands for filled in."""
    stands_for: dict[str, str] = {}
    for line in (HERE / "calls.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, formats, words = (part.strip() for part in line.split("|", 2))
        for short, text in stands_for.items():
            words = words.replace(short, text)
        if name.startswith("{"):
            stands_for[name] = words
        else:
            asked = EVERY if formats == "every" else tuple(formats.split(",")) if formats else ()
            yield Call(name, tuple(shlex.split(words)), asked)


CALLS = list(read_calls())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the inputs, in which the calls are made."""
    return Path(shutil.copytree(HERE / "inputs", tmp_path_factory.mktemp("golden") / "inputs"))


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_output_is_as_kept(
    call: Call, folder: Path, run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a user sees changes only on purpose."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.argv", ["gainsayer", *call.words])  # which a report quotes
    found = {form: make_call(call, form, folder, run) for form in call.formats or ("",)}
    if WRITE:
        keep(call, found)
    kept = read_kept(call)
    assert list(kept) == list(found), "formats"
    assert not [line for form in found for line in differences(kept[form], found[form], f"{call.name}.{form}")][:20]
    assert not [fault for form in found for fault in schema_faults(call, found[form])][:20]


def test_kept_outputs_belong_to_calls() -> None:
    """Each call has a name of its own, and nothing is kept of a call that is no longer made."""
    names = [call.name for call in CALLS]
    assert len(set(names)) == len(names)
    kept = {json.loads(line)[0] for path in (HERE / "kept").iterdir() for line in path.read_text("utf-8").splitlines()}
    assert kept == set(names)


def test_every_option_is_typed_in_a_call() -> None:
    """What no call types, a refactoring may lose unnoticed."""
    typed = {word for call in CALLS for word in call.words} | {"--format"}
    commands = dict(list_commands(gainsayer))
    untyped = {
        option.opts[-1]
        for name, command in commands.items()
        if name.split()[0] not in ELSEWHERE
        for option in command.params
        if isinstance(option, click.Option) and typed.isdisjoint(option.opts)
    }
    assert untyped == WITHOUT_A_CALL


def test_every_choice_is_typed_in_a_call() -> None:
    """Of options with a few words to choose from every word but the default."""
    typed = {pair for call in CALLS for pair in itertools.pairwise(call.words)}
    untyped = {
        f"{option.opts[-1]} {word}"
        for name, command in list_commands(gainsayer)
        if name.split()[0] not in ELSEWHERE
        for option in command.params
        if isinstance(option.type, click.Choice) and option.opts[-1] not in {*WITHOUT_A_CALL, "--format"}
        for word in option.type.choices
        if isinstance(option, click.Option) and word != option.default
        if not any((flag, word) in typed for flag in option.opts)
    }
    assert untyped == CHOICES_WITHOUT_A_CALL


def test_every_finding_is_shown_by_a_call() -> None:
    """Each code stands in what is kept, with its message."""
    kept = "".join(path.read_text(encoding="utf-8") for path in (HERE / "kept").iterdir())
    assert not {code for code in CODES if not re.search(rf"\b{code}\b", kept)}


def list_commands(group: click.Group, *before: str) -> Iterator[tuple[str, click.Command]]:
    """Every command with its name, those of groups included."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from list_commands(command, *before, name)
        elif command is not None:
            yield " ".join((*before, name)), command


def schema_faults(call: Call, found: dict[str, Any]) -> Iterator[str]:
    """Where the JSON that a call printed or wrote is not what the package's schemas say."""
    for where, value in found.items():
        if isinstance(value, dict) and call.words[0] not in WITHOUT_A_SCHEMA:
            own = "-".join(call.words[:2] if call.words[0] in ("machine", "study") else call.words[:1])
            own = "machine-design" if where.endswith(".design.json") else own
            for fault in read_schema("truth" if where.endswith("truth.json") else own).iter_errors(value):
                yield f"{call.name} {where} {fault.json_path}: {fault.message[:200]}"


@functools.cache
def read_schema(name: str) -> Draft202012Validator:
    """One of the schemas in the package."""
    return Draft202012Validator(json.loads((files("gainsayer") / "schemas" / f"{name}.json").read_text("utf-8")))


def make_call(call: Call, form: str, folder: Path, run: Callable[..., Result]) -> dict[str, Any]:
    """Exit code, standard output, standard error, and the files that were written."""
    before = set(folder.rglob("*"))
    result = run(*call.words, *(["--format", form] if form else []))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    made = sorted(path for path in set(folder.rglob("*")) - before if path.is_file())
    found: dict[str, Any] = {
        "exit": result.exit_code,
        "out": read_text(result.stdout.replace(str(folder), "."), f".{form}"),
        "err": result.stderr.replace(str(folder), ".").splitlines(),
        **{path.relative_to(folder).as_posix(): read_text(path.read_text("utf-8"), path.suffix) for path in made},
    }
    for path in sorted(set(folder.rglob("*")) - before, reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    return found


def read_text(text: str, ending: str) -> Any:
    """JSON as a value, of a page or figure what a reader sees, else lines."""
    if ending in (".json", ".") and text.startswith("{"):
        value = json.loads(text)
        if isinstance(value, dict) and "version" in value.get("provenance", {}):
            value["provenance"]["version"] = "any"
        sum_cells(value)
        return value
    if ending in (".html", ".svg"):
        seen = _Seen()
        seen.feed(text)
        return seen.lines
    return text.splitlines()


def sum_cells(document: dict[str, Any]) -> None:
    """The rows of a model's cells as one: how many there are, and each column's sum, weighed by place."""
    rows = (document.get("cells") or {}).get("rows")
    if rows:
        columns = zip(*rows, strict=True)
        sums = [sum(place * cell for place, cell in enumerate(column, start=1)) for column in columns]
        document["cells"]["rows"] = [[len(rows), *sums]]
    for part in (document.get("strata") or {}).values():
        if isinstance(part, dict):
            sum_cells(part)


class _Seen(HTMLParser):
    """The words and numbers of a page or an SVG figure, without style and script."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside not in ("style", "script") and data.strip():
            self.lines.append(" ".join(data.split()))


def leaves(value: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Each number, word and empty list of a value, with the way to it."""
    if isinstance(value, dict | list) and value:
        for name, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, f"{where}/{name}")
    else:
        yield where, value


def pieces(value: Any, where: str) -> Iterator[tuple[str, Any]]:
    """A value in pieces that fit on a line."""
    if isinstance(value, dict | list) and value and len(json.dumps(value, ensure_ascii=False)) > PIECE:
        for name, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from pieces(part, f"{where}/{name}")
    else:
        yield where, value


def shortened(value: Any) -> Any:
    """A value whose numbers have no more digits than are compared, and one to spare."""
    if isinstance(value, dict):
        return {name: shortened(part) for name, part in value.items()}
    if isinstance(value, list):
        return [shortened(part) for part in value]
    if isinstance(value, str):
        return LONG_NUMBER.sub(lambda number: f"{float(number[0]):.{DIGITS}g}", value)
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def differences(kept: dict[str, Any], found: dict[str, Any], call: str) -> Iterator[str]:
    """What is not as it was kept, with its place."""
    found = dict(leaf for where, value in found.items() for leaf in leaves(value, where))
    for where, value in kept.items():
        if where not in found:
            yield f"{call} {where}: {value!r} is gone"
        elif not is_same(value, found[where]):
            yield f"{call} {where}: {value!r} was kept, {found[where]!r} is found"
    yield from (f"{call} {where}: {found[where]!r} is new" for where in found if where not in kept)


def is_same(kept: Any, found: Any) -> bool:
    """Numbers at 1e-9, of text all but blanks and the last digits of numbers that are written in full."""
    if isinstance(kept, str) and isinstance(found, str):
        old, new = (LONG_NUMBER.split(" ".join(text.split())) for text in (kept, shortened(found)))
        return len(old) == len(new) and all(
            math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-9) if at % 2 else a == b
            for at, (a, b) in enumerate(zip(old, new, strict=True))
        )
    if isinstance(kept, float) and isinstance(found, int | float) and not isinstance(found, bool):
        return math.isclose(kept, found, rel_tol=1e-9, abs_tol=1e-9)
    return type(kept) is type(found) and bool(kept == found)


def read_kept(call: Call) -> dict[str, dict[str, Any]]:
    """What is kept of a call: format to leaves."""
    kept: dict[str, dict[str, Any]] = {}
    for line in call.file.read_text(encoding="utf-8").splitlines() if call.file.exists() else ():
        name, form, where, value = json.loads(line)
        if name == call.name:
            kept.setdefault(form, {}).update(leaves(value, where))
    return kept


def keep(call: Call, found: dict[str, dict[str, Any]]) -> None:
    """Write those outputs of a call that differ from what is kept; all others stay to the letter."""
    kept = read_kept(call)
    stale = {form for form in {*kept, *found} if form not in found or form not in kept}
    stale |= {form for form in found if form in kept and any(differences(kept[form], found[form], ""))}
    if not stale:
        return
    lines = call.file.read_text(encoding="utf-8").splitlines() if call.file.exists() else []
    parts: dict[tuple[str, str], list[str]] = {}
    for line in lines:
        name, form, *_ = json.loads(line)
        parts.setdefault((name, form), []).append(line)
    for form in stale:
        parts.pop((call.name, form), None)
    for form in found:
        if form in stale:
            parts[call.name, form] = [
                json.dumps([call.name, form, *piece], ensure_ascii=False)
                for where, value in found[form].items()
                for piece in pieces(shortened(value), where)
            ]
    call.file.parent.mkdir(exist_ok=True)
    places = [(other.name, form) for other in CALLS if other.file == call.file for form in other.formats or ("",)]
    text = "".join(f"{line}\n" for place in places for line in parts.get(place, ()))
    call.file.write_text(text, encoding="utf-8")
