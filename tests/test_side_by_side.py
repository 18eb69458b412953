"""The page that does one job in ir_measures, ranx and here: its code runs, and its numbers are what is printed."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "how-to" / "move-from-ir-measures.md").read_text("utf-8")
BLOCK = re.compile(
    r"^<!-- skip -->\n```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```)?", re.MULTILINE | re.DOTALL
)
BLOCKS = [(found["code"], found["shown"]) for found in BLOCK.finditer(PAGE)]
TABLE = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if re.match(r"\| `.*\d", line)
]
PEERS = ("ir_measures", "ranx", "gainsayer")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page, made by its first block."""
    place = tmp_path_factory.mktemp("page")
    run_block(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0], place)
    return place


def run_block(code: str, folder: Path) -> str:
    """What a block prints, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=dict(os.environ), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def column(peer: str) -> list[str]:
    """The numbers of a tool in the table, from top to bottom, as printed."""
    place = 1 + PEERS.index(peer)
    return [found[0] for row in TABLE if len(row) == 4 and (found := re.match(r"\d\.\d{4}", row[place]))]


@pytest.mark.parametrize("peer", PEERS)
def test_the_table_holds_what_each_tool_prints(peer: str, folder: Path) -> None:
    """Every number of the table is printed by the tool's block, in the same order, and none is left out."""
    if importlib.util.find_spec(peer) is None:
        pytest.skip(f"{peer} is not installed")
    code, _ = BLOCKS[PEERS.index(peer)]
    printed = [line.split()[1] for line in run_block(code, folder).splitlines()]
    assert printed == column(peer)
    assert len(printed) >= 4


def test_the_tools_agree_where_the_page_says_so() -> None:
    """The first four measures have the same number in all three columns."""
    columns = [column(peer)[:4] for peer in PEERS]
    assert columns[0] == columns[1] == columns[2]


@pytest.mark.parametrize("block", [block for block in BLOCKS if block[1]], ids=["interval", "own measure"])
def test_what_is_shown_is_printed(block: tuple[str, str], folder: Path) -> None:
    """What stands below the blocks that only run here is what they print."""
    code, shown = block
    assert run_block(code, folder) == shown
