"""The changes: those that cosmic-ray knows, drawn from every room, and those made by hand."""

from __future__ import annotations

import ast
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tests.mutants.memory import remember

ROOT = Path(__file__).resolve().parents[2]
ROOMS = tuple(sorted(path.parent.name for path in ROOT.glob("src/gainsayer/*/__init__.py")))


@dataclass(frozen=True)
class Mutant:
    """One change in one module: the line it touches, before and after, and the module's code with it."""

    room: str
    module: str
    line: int
    before: str
    after: str
    code: str
    claim: str = ""  # what a change made by hand takes away

    @property
    def key(self) -> str:
        """What the list of equivalent changes knows it by: it survives edits elsewhere in the file."""
        return f"{self.module}: {self.before} -> {self.after}"


def draw_mutants(rooms: Sequence[str], each: int, seed: int) -> list[Mutant]:
    """So many changes of each room that alter what the code does; the same for the same seed and code."""
    drawn = [mutant for room in rooms for mutant in itertools.islice(_draw_room(room, seed), each)]
    return sorted(drawn, key=lambda mutant: (mutant.module, mutant.line, mutant.after))


def _draw_room(room: str, seed: int) -> Iterator[Mutant]:
    """Every change of a room, in an order that the seed decides."""
    places = [place for path in _list_modules(room) for place in _list_places(room, path)]
    random.Random(f"{seed} {room}").shuffle(places)
    return (mutant for place in places if (mutant := _change(*place)) is not None)


def change_by_hand(claim: str, module: str, before: str, after: str) -> Mutant:
    """A change of a line's text that must occur exactly once in the module."""
    code = (ROOT / module).read_text(encoding="utf-8")
    if code.count(before) != 1:
        raise ValueError(f"{module} holds {before!r} {code.count(before)} times; a change by hand needs it once.")
    changed = code.replace(before, after)
    line, *texts = _first_change(code, changed)
    return Mutant(Path(module).parts[2], module, line, *texts, changed, claim)


def _list_modules(room: str) -> list[Path]:
    return sorted((ROOT / "src" / "gainsayer" / room).rglob("*.py"))


def _list_places(room: str, path: Path) -> Iterator[tuple[str, Path, str, int]]:
    """Every place in a module that some operator can change: room, file, operator, which occurrence."""
    code = path.read_text(encoding="utf-8")
    counts = remember(f"places of {room}/{path.name}\n{code}", lambda: _count_places(code))
    for name, count in counts.items():
        yield from ((room, path, name, occurrence) for occurrence in range(count))


def _count_places(code: str) -> dict[str, int]:
    """How many places each operator can change; trying them all takes a while."""
    import cosmic_ray.plugins
    from cosmic_ray.ast import ast_nodes, get_ast

    nodes = list(ast_nodes(get_ast(code)))
    kinds = {name: cosmic_ray.plugins.get_operator(name) for name in sorted(cosmic_ray.plugins.operator_names())}
    return {
        name: sum(1 for node in nodes for _ in kind().mutation_positions(node))
        for name, kind in kinds.items()
        if not kind.arguments()
    }


def _change(room: str, path: Path, operator: str, occurrence: int) -> Mutant | None:
    """The change at one place; None where the code still means the same, or nothing."""
    import cosmic_ray.plugins
    from cosmic_ray.mutating import mutate_code

    code = path.read_text(encoding="utf-8")
    changed = mutate_code(code, cosmic_ray.plugins.get_operator(operator)(), occurrence)
    if changed is None or _meaning(code) == _meaning(changed) or _meaning(changed) is None:
        return None
    return Mutant(room, path.relative_to(ROOT).as_posix(), *_first_change(code, changed), changed)


@lru_cache(maxsize=2)
def _meaning(code: str) -> str | None:
    """The program without annotations, docstrings and type-checking imports; None where it is no program."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(0)
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            node.test, node.body = ast.Constant(0), [ast.Pass()]
        elif isinstance(node, ast.Assign) and _is_alias(node):
            node.value = ast.Constant(0)
    return ast.dump(tree)


def _is_alias(node: ast.Assign) -> bool:
    """Whether this names a union of types: `Rankable = Run | Path`."""
    union = isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.BitOr)
    return union and all(isinstance(target, ast.Name) and target.id[:1].isupper() for target in node.targets)


def _first_change(code: str, changed: str) -> tuple[int, str, str]:
    """The first line of code that is another one, or is left out, as a decorator may be."""
    old, new = code.splitlines(), changed.splitlines()
    for number, (before, after) in enumerate(zip(old, new, strict=False), start=1):
        if before != after and before.strip():
            return number, before.strip(), after.strip() if len(old) == len(new) else "(left out)"
    return 0, "(end)", "(end)"
