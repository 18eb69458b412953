"""Which modules a judgment and a run row pass on their way, traced from real calls.

    python docs/trace.py            print the ways
    python docs/trace.py --write    write them into docs/explanation/architecture.md, between the markers
    python docs/trace.py --check    exit with 1 where the page says otherwise

A module is passed when one of its functions runs, in order of first entry; what runs while a module is being imported
does not count. The calls are those of a newcomer, on the small files of a simulated collection.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import gainsayer as gs

PAGE = Path(__file__).parent / "explanation" / "architecture.md"
BEGIN, END = "<!-- ways: python docs/trace.py --write -->", "<!-- end of ways -->"
SOURCE = str(Path(gs.__file__).parent)
WIDTH = 118


@contextmanager
def tracing(passed: dict[str, str]) -> Iterator[None]:
    """Put every module of the package whose functions run into `passed`, with the function entered first."""
    importing = threading.local()

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event not in ("call", "return"):
            return
        if code.co_name == "<module>":
            importing.depth = getattr(importing, "depth", 0) + (1 if event == "call" else -1)
        elif event == "call" and code.co_filename.startswith(SOURCE) and not getattr(importing, "depth", 0):
            passed.setdefault(frame.f_globals["__name__"].removeprefix("gainsayer."), code.co_name)

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def trace(call: Callable[[], object]) -> dict[str, str]:
    """The modules that a call passes, in order of first entry, each with the function entered first."""
    passed: dict[str, str] = {}
    with tracing(passed):
        call()
    passed.pop("gainsayer", None)  # the public names, which lead to the modules
    return {module: function for module, function in passed.items() if module != "rooms"}


def find_ways(folder: Path) -> dict[str, dict[str, str]]:
    """The ways by what is called, on files in this folder."""
    gs.datasets.write_collection(gs.datasets.simulate_collection(topics=6, documents=20, seed=1), folder)
    first, second, run = folder / "first.qrels", folder / "second.qrels", folder / "runs" / "run01.run"
    return {
        'gs.fit("first.qrels", "second.qrels", threshold=2): a judgment, from file to p(R|i)': trace(
            lambda: gs.fit(first, second, threshold=2)
        ),
        'gs.score("first.qrels", "run01.run", "nDCG@10"): a run row, from file to nDCG': trace(
            lambda: gs.score(first, run, "nDCG@10")
        ),
        'gs.report(["first.qrels", "second.qrels"], "runs", threshold=2): all of it': trace(
            lambda: gs.report([first, second], folder / "runs", threshold=2)
        ),
    }


def draw(ways: dict[str, dict[str, str]]) -> str:
    """The ways as lines, a room's modules together as long as the call stays in the room."""
    lines: list[str] = []
    for title, passed in ways.items():
        lines += ["", f"    {title}; {len(passed)} modules", ""]
        stays: list[tuple[str, list[str]]] = []
        for module in passed:
            room, _, name = module.partition(".")
            if not stays or stays[-1][0] != room:
                stays.append((room, []))
            stays[-1][1].append(name)
        line = "       "
        for room, names in stays:
            part = f" ─▶ {room}" + (f" ({', '.join(names)})" if any(names) else "")
            if len(line) + len(part) > WIDTH and line.strip():
                lines.append(line)
                line = "       "
            line += part
        lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Print the ways, write them into the page, or compare them with it."""
    parser = argparse.ArgumentParser(description="Trace which modules a judgment and a run row pass.")
    parser.add_argument("--write", action="store_true", help="write them into the page")
    parser.add_argument("--check", action="store_true", help="exit with 1 where the page says otherwise")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        drawing = draw(find_ways(Path(folder) / "twin"))
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    shown, _, after = rest.partition(END)
    if asked.write:
        PAGE.write_text(f"{before}{BEGIN}\n\n{drawing}\n{END}{after}", encoding="utf-8")
    elif asked.check:
        if shown.strip("\n") != drawing.strip("\n"):
            print(f"Stale: {PAGE.name}; write it again: python docs/trace.py --write", file=sys.stderr)
            return 1
    else:
        print(drawing, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
