"""How long `gainsayer --help` takes, beside Python importing click and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.timing import Ratio, time_in_turns


def measure() -> list[Ratio]:
    """Both as processes of their own, twenty times in turns."""
    command = Path(sys.executable).with_name("gainsayer")

    def ours() -> None:
        subprocess.run([command, "--help"], check=True, capture_output=True)

    def peer() -> None:
        subprocess.run([sys.executable, "-c", "import click"], check=True, capture_output=True)

    ours(), peer()
    times = time_in_turns(ours, peer, rounds=20)
    note = "median of 20, in turns"
    return [Ratio("gainsayer --help", times[0], "import click", times[1], 2, higher_is_better=False, note=note)]
