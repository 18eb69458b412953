"""A plan with its curve beside the reading of the files that it is made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import gainsayer as gs
from benchmarks.timing import Ratio, time_in_turns

TOPICS, DOCUMENTS, PILOT, BUDGET = 50, 34_000, 200, 2.0


def measure(folder: Path) -> list[Ratio]:
    """First labels of FedWeb's size, a pilot, two runs: the plan, its curve and its list may take two seconds more."""
    generator = np.random.default_rng(1)
    rows = [(f"q{place % TOPICS}", f"FW13-e{place % 157:03}-{place}") for place in range(DOCUMENTS)]
    levels = generator.choice(4, DOCUMENTS, p=[0.77, 0.12, 0.07, 0.04])
    again = set(generator.choice(DOCUMENTS, PILOT, replace=False).tolist())
    first, pilot = folder / "first.qrels", folder / "pilot.qrels"
    lines = [f"{topic} 0 {name} {level}\n" for (topic, name), level in zip(rows, levels, strict=True)]
    first.write_text("".join(lines))
    pilot.write_text("".join(line for place, line in enumerate(lines) if place in again))
    runs = []
    for name in ("one", "two"):
        order = np.lexsort((generator.permutation(DOCUMENTS), np.arange(DOCUMENTS) % TOPICS))
        path = folder / f"{name}.run"
        path.write_text("".join(f"{rows[at][0]} Q0 {rows[at][1]} 1 {-rank} {name}\n" for rank, at in enumerate(order)))
        runs.append(str(path))

    def read() -> None:
        gs.read_judgments(first, pilot)
        for path in runs:
            gs.read_run(path)

    def plan() -> None:
        made = gs.plan(
            str(first), str(pilot), threshold=2, purpose="difference", runs=runs, measure="nDCG@20", budget=1_000
        )
        assert made.to_json()
        assert made.list_text

    ours, reading = time_in_turns(plan, read, rounds=3, choose=min)
    job = f"a plan with curve and list, {TOPICS} topics x {DOCUMENTS:,} documents"
    note = f"{ours:.2f} s with reading, which alone takes {reading:.2f} s"
    return [Ratio(job, ours - reading, "two seconds", BUDGET, 1, higher_is_better=False, note=note)]
