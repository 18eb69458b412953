"""Two ways of doing one job, timed in turns."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Ratio:
    """How long two ways took, in seconds, and how far apart they should be at least."""

    job: str
    ours: float
    peer_name: str
    peer: float
    goal: float
    higher_is_better: bool = True
    note: str = ""
    unit: str = "s"

    @property
    def ratio(self) -> float:
        """How many times longer the peer took; for an upper bound, how many times longer we took."""
        return self.peer / self.ours if self.higher_is_better else self.ours / self.peer

    @property
    def reached(self) -> bool:
        """Whether the goal was reached in this run."""
        return self.ratio >= self.goal if self.higher_is_better else self.ratio <= self.goal

    def line(self) -> str:
        """One row of the table."""
        sign = ">=" if self.higher_is_better else "<="
        goal = f"{sign} {self.goal:g}"
        return (
            f"| {self.job} | {self.ours:.3f} {self.unit} | {self.peer_name} {self.peer:.3f} {self.unit} "
            f"| {self.ratio:.1f} | {goal} | "
            f"{'yes' if self.reached else 'NO'} | {self.note} |"
        )


HEADER = "| job | gainsayer | peer | ratio | goal | reached | how measured |\n|---|---:|---:|---:|---:|---|---|"


def time_in_turns(
    ours: Callable[[], object],
    peer: Callable[[], object],
    *,
    rounds: int,
    choose: Callable[[list[float]], float] = median,
) -> tuple[float, float]:
    """Median seconds of both, or as chosen, run alternately so that a busy moment hits both."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for job, times in zip((ours, peer), taken, strict=True):
            start = time.perf_counter()
            job()
            times.append(time.perf_counter() - start)
    return choose(taken[0]), choose(taken[1])
