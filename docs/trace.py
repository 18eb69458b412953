"""Which modules a judgment and a run row pass on their way, traced from real calls.

    python docs/trace.py            print the ways
    python docs/trace.py --write    write them into docs/explanation/architecture.md, between the markers
    python docs/trace.py --check    exit with 1 where the page says otherwise

A module is passed when one of its functions runs, in order of first entry; what runs while a module is being imported
does not count. The calls are those of a newcomer, on the small files of a simulated collection.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import textwrap
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import gainsayer as gs

PAGE = Path(__file__).parent / "explanation" / "architecture.md"
BEGIN, END = "<!-- ways: python docs/trace.py --write -->", "<!-- end of ways -->"
SOURCE = str(Path(gs.__file__).parent)
# The public names, which lead to the modules, and what classes are made with.
DOORS = ("gainsayer", "rooms", "records")


@dataclass(frozen=True)
class Way:
    """What a call passes.

    Args:
        call: as a newcomer writes it.
        about: what goes which way.
        modules: in order of first entry.
        reached: how many of them were passed when the number was there; None where no number was asked for.
        number: what it is called.
    """

    call: str
    about: str
    modules: tuple[str, ...]
    reached: int | None = None
    number: str = ""


def trace(call: Callable[[], object], last: str | None = None) -> tuple[tuple[str, ...], int | None]:
    """The modules that a call passes, and how many when the function `last`, "room.module:function", first returned."""
    passed: dict[str, None] = {}
    reached: list[int] = []
    importing = threading.local()

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event not in ("call", "return"):
            return
        if code.co_name == "<module>":
            importing.depth = getattr(importing, "depth", 0) + (1 if event == "call" else -1)
        elif code.co_filename.startswith(SOURCE) and not getattr(importing, "depth", 0):
            module = frame.f_globals["__name__"].removeprefix("gainsayer.")
            if event == "call" and module not in DOORS:
                passed.setdefault(module)
            elif event == "return" and f"{module}:{code.co_name}" == last and not reached:
                reached.append(len(passed))

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return tuple(passed), reached[0] if reached else None


def find_ways(folder: Path) -> list[Way]:
    """The ways of a judgment, of a run row, of both, and of a whole report, on files in this folder."""
    gs.datasets.write_collection(gs.datasets.simulate_collection(topics=6, documents=20, seed=1), folder)
    first, second, run = folder / "first.qrels", folder / "second.qrels", folder / "runs" / "run01.run"
    judgments = gs.read_judgments(first)
    judged = trace(lambda: gs.fit(first, second, threshold=2), "disagreement.estimate:estimate_disagreement")
    ranked = trace(lambda: gs.score(judgments, run, "nDCG@10"), "measures.catalogue:score")
    scored = trace(lambda: gs.score(first, run, "nDCG@10"))
    told = trace(lambda: gs.report([first, second], folder / "runs", threshold=2))
    return [
        Way('gs.fit("first.qrels", "second.qrels", threshold=2)', "A judgment", *judged, "p(R|i)"),
        Way('gs.score(judgments, "run01.run", "nDCG@10")', "A run row", *ranked, "nDCG"),
        Way('gs.score("first.qrels", "run01.run", "nDCG@10")', "Both, in one call", *scored),
        Way('gs.report(["first.qrels", "second.qrels"], "runs", threshold=2)', "A whole report", *told),
    ]


def draw(ways: list[Way]) -> str:
    """The ways as text: a room's modules together as long as the call stays in the room."""
    blocks: list[str] = []
    for way in ways:
        rooms = Counter(module.partition(".")[0] for module in way.modules)
        if way.reached is None:
            counted = ", ".join(f"{room} {count}" for room, count in rooms.items())
            blocks.append(f"{way.about}, `{way.call}`: {len(way.modules)} modules.\n\n{_indent(counted)}")
            continue
        to, after = way.modules[: way.reached], way.modules[way.reached :]
        title = f"{way.about}, `{way.call}`: {len(to)} modules from file to {way.number}, {len(way.modules)} in all."
        beyond = f"then {_join(after)}"
        blocks.append(f"{title}\n\n{_indent(f'file ─▶ {_join(to)} ─▶ {way.number}')}\n{_indent(beyond)}")
    return "\n\n".join(textwrap.fill(part, 120) if not part.startswith(" ") else part for part in _parts(blocks))


def _parts(blocks: list[str]) -> list[str]:
    return [part for block in blocks for part in block.split("\n\n")]


def _join(modules: tuple[str, ...]) -> str:
    stays: list[tuple[str, list[str]]] = []
    for module in modules:
        room, _, name = module.partition(".")
        if not stays or stays[-1][0] != room:
            stays.append((room, []))
        stays[-1][1].append(name)
    return " ─▶ ".join(room + (f" ({', '.join(names)})" if any(names) else "") for room, names in stays)


def _indent(text: str) -> str:
    return textwrap.fill(text, 116, initial_indent="    ", subsequent_indent="        ", break_long_words=False)


def main(arguments: list[str] | None = None) -> int:
    """Print the ways, write them into the page, or compare them with it."""
    parser = argparse.ArgumentParser(description="Trace which modules a judgment and a run row pass.")
    parser.add_argument("--write", action="store_true", help="write them into the page")
    parser.add_argument("--check", action="store_true", help="exit with 1 where the page says otherwise")
    asked = parser.parse_args(arguments)
    os.environ["GAINSAYER_PURE"] = "1"  # the way is drawn without compiled parts, which not every machine has
    with tempfile.TemporaryDirectory() as folder:
        drawing = draw(find_ways(Path(folder) / "twin"))
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    shown, _, after = rest.partition(END)
    if asked.write:
        PAGE.write_text(f"{before}{BEGIN}\n\n{drawing}\n\n{END}{after}", encoding="utf-8")
    elif asked.check:
        if shown.strip("\n") != drawing:
            print(f"Stale: {PAGE.name}; write it again: python docs/trace.py --write", file=sys.stderr)
            return 1
    else:
        print(drawing)
    return 0


if __name__ == "__main__":
    sys.exit(main())
