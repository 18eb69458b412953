"""Would the tests notice? Break the code on purpose, one small change at a time, and see whether a test fails.

`make mutants` draws a sample of the changes that cosmic-ray knows (another operator, another number, a loop left out)
in the rooms where the numbers are made, runs the tests of the room for each, and prints how many were noticed and which
were not. A change that alters nothing (an annotation, a name in a docstring) is no mutant and is not drawn. Survivors
that cannot be noticed because they mean the same stand in equivalent.txt, one per line, and are left out of the share.

    python tests/mutants/run.py [--sample 300] [--seed 0] [--workers 2] [--rooms gains,counts] [--least 0.85]
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
SECONDS = 600.0  # a mutant that runs for so long has hung, which a person would notice
# Where the numbers are made, and the tests beside the room's own that a change there should set off, fastest first.
ROOMS: dict[str, tuple[str, ...]] = {
    "counts": ("tests/unit/counts", "tests/paper", "tests/properties/test_estimator_identities.py", "tests/unit/cli"),
    "disagreement": (
        "tests/unit/disagreement",
        "tests/paper",
        "tests/properties/test_estimator_identities.py",
        "tests/oracles/test_agreement_oracles.py",
        "tests/unit/cli",
    ),
    "gains": ("tests/unit/test_gains.py", "tests/unit/gains", "tests/paper", "tests/unit/comparison", "tests/unit/cli"),
    "measures": (
        "tests/unit/measures",
        "tests/paper",
        "tests/properties/test_pytrec_eval.py",
        "tests/properties/test_expected_measures.py",
        "tests/oracles/test_trec_eval_outputs.py",
        "tests/oracles/test_expected_measures.py",
        "tests/unit/cli",
    ),
    "comparison": ("tests/unit/comparison", "tests/oracles/test_comparison_oracles.py", "tests/unit/cli"),
}
LAST = ("tests/golden",)


@dataclass(frozen=True)
class Mutant:
    """One change: which occurrence of which operator in which module, and the line it touches before and after."""

    room: str
    module: str
    operator: str
    occurrence: int
    line: int
    before: str
    after: str
    code: str

    @property
    def key(self) -> str:
        """What the list of equivalent changes knows it by: it survives edits elsewhere in the file."""
        return f"{self.module}: {self.before} -> {self.after}"


def main() -> int:
    """Draw, run, print; 1 where fewer than `--least` of the mutants were noticed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--least", type=float, default=0.85)
    asked = parser.parse_args()
    equivalent = set(EQUIVALENT.read_text(encoding="utf-8").splitlines()) if EQUIVALENT.exists() else set()
    drawn = draw(asked.rooms.split(","), asked.sample, asked.seed)
    mutants = [mutant for mutant in drawn if mutant.key not in equivalent]
    print(f"{len(drawn)} mutants drawn, {len(drawn) - len(mutants)} of them known to mean the same", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        noticed = run_all(mutants, Path(folder), asked.workers)
    survivors = [mutant for mutant, killed in zip(mutants, noticed, strict=True) if not killed]
    print(f"\n{'room':<14}{'mutants':>9}{'noticed':>9}{'share':>8}")
    for room in ROOMS:
        own = [killed for mutant, killed in zip(mutants, noticed, strict=True) if mutant.room == room]
        if own:
            print(f"{room:<14}{len(own):>9}{sum(own):>9}{sum(own) / len(own):>8.1%}")
    share = sum(noticed) / max(len(noticed), 1)
    print(f"{'all':<14}{len(noticed):>9}{sum(noticed):>9}{share:>8.1%}")
    for mutant in survivors:
        print(f"\nnot noticed: {mutant.module}:{mutant.line}\n  {mutant.before}\n  {mutant.after}")
    return int(share < asked.least)


def draw(rooms: Sequence[str], sample: int, seed: int) -> list[Mutant]:
    """A sample over all rooms alike, the same for the same seed and code, of changes that alter what the code does."""
    places = [place for room in rooms for place in list_places(room)]
    random.Random(seed).shuffle(places)
    chosen: list[Mutant] = []
    for room, path, operator, occurrence in places:
        if len(chosen) == sample:
            break
        mutant = change(room, path, operator, occurrence)
        if mutant is not None:
            chosen.append(mutant)
    return sorted(chosen, key=lambda mutant: (mutant.module, mutant.line, mutant.operator, mutant.occurrence))


def list_places(room: str) -> Iterator[tuple[str, Path, str, int]]:
    """Every place in a room that some operator can change: room, file, operator, which occurrence."""
    import cosmic_ray.plugins
    from cosmic_ray.ast import ast_nodes, get_ast

    folder = ROOT / "src" / "gainsayer" / room
    for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]:
        nodes = list(ast_nodes(get_ast(path.read_text(encoding="utf-8"))))
        for name in sorted(cosmic_ray.plugins.operator_names()):
            kind = cosmic_ray.plugins.get_operator(name)
            if not kind.arguments():
                count = sum(1 for node in nodes for _ in kind().mutation_positions(node))
                yield from ((room, path, name, occurrence) for occurrence in range(count))


def change(room: str, path: Path, operator: str, occurrence: int) -> Mutant | None:
    """The change at one place; None where the code still means the same, or nothing."""
    import cosmic_ray.plugins
    from cosmic_ray.mutating import mutate_code

    code = path.read_text(encoding="utf-8")
    changed = mutate_code(code, cosmic_ray.plugins.get_operator(operator)(), occurrence)
    if changed is None or _meaning(changed) in (None, _meaning(code)):
        return None
    line, before, after = _first_change(code, changed)
    return Mutant(room, path.relative_to(ROOT).as_posix(), operator, occurrence, line, before, after, changed)


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
    pairs = zip(code.splitlines(), changed.splitlines(), strict=False)
    for number, (before, after) in enumerate(pairs, start=1):
        if before != after:
            return number, before.strip(), after.strip()
    return 0, "(end)", "(end)"


def run_all(mutants: Sequence[Mutant], folder: Path, workers: int) -> list[bool]:
    """Whether each mutant was noticed; every worker has a copy of the project to break."""
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(workers):
        # Beside the project's own name, so that real data is found by the same variable.
        copy = folder / f"copy{number}"
        shutil.copytree(
            ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "demo", "*_cache", "__pycache__", ".hypothesis")
        )
        copies.put(copy)

    def test(mutant: Mutant) -> bool:
        copy = copies.get()
        try:
            path = copy / mutant.module
            before = path.read_text(encoding="utf-8")
            path.write_text(mutant.code, encoding="utf-8")
            try:
                killed = not passes(copy, mutant.module, mutant.room)
            finally:
                path.write_text(before, encoding="utf-8")
        finally:
            copies.put(copy)
        print("." if killed else "S", end="", flush=True)
        return killed

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(test, mutants))


def passes(copy: Path, module: str, room: str) -> bool:
    """Whether the tests of the room pass on this copy; its own doctests first, the first failure ends it."""
    tests = [path for path in (module, *ROOMS[room], *LAST) if (copy / path).exists()]
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "POLARS_MAX_THREADS": "1",
        "GAINSAYER_DATA": os.environ.get("GAINSAYER_DATA", str(ROOT.parent / "shared" / "data")),
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
