"""Two ways of doing one job, timed in turns: by the clock, and by what they take of the processor.

The clock is what people wait for, so it alone says whether a goal is reached. A busy machine spoils it: whoever uses
two cores finds one of them taken. So the processor's time stands beside it, of all threads and all processes that were
started; it says nothing of work done side by side.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


class Taken(float):
    """Seconds by the clock; `cpu` are those of the processor, of children, too."""

    cpu: float

    def __new__(cls, wall: float, cpu: float) -> Taken:
        """Both at once."""
        made = super().__new__(cls, wall)
        made.cpu = cpu
        return made


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
        return self._divide(self.ours, self.peer)

    @property
    def cpu_ratio(self) -> float | None:
        """The same by the processor's time, where that was measured."""
        if isinstance(self.ours, Taken) and isinstance(self.peer, Taken):
            return self._divide(self.ours.cpu, self.peer.cpu)
        return None

    @property
    def reached(self) -> bool:
        """Whether the goal was reached in this run, by the clock."""
        return self.ratio >= self.goal if self.higher_is_better else self.ratio <= self.goal

    def line(self) -> str:
        """One row of the table."""
        sign = ">=" if self.higher_is_better else "<="
        goal = f"{sign} {self.goal:g}"
        cpu = "" if self.cpu_ratio is None else f"{self.cpu_ratio:.2f}"
        return (
            f"| {self.job} | {self._show(self.ours)} | {self.peer_name} {self._show(self.peer)} "
            f"| {self.ratio:.2f} | {cpu} | {goal} | {'yes' if self.reached else 'NO'} | {self.note} |"
        )

    def _divide(self, ours: float, peer: float) -> float:
        return peer / ours if self.higher_is_better else ours / peer

    def _show(self, taken: float) -> str:
        cpu = f" ({taken.cpu:.3f})" if isinstance(taken, Taken) else ""
        return f"{taken:.3f}{cpu} {self.unit}"


HEADER = (
    "| job | gainsayer (CPU) | peer (CPU) | ratio | CPU ratio | goal | reached | how measured |\n"
    "|---|---:|---:|---:|---:|---:|---|---|"
)


def time_once(job: Callable[[], object]) -> Taken:
    """Seconds of one call."""
    start, used = time.perf_counter(), processor_time()
    job()
    return Taken(time.perf_counter() - start, processor_time() - used)


def processor_time() -> float:
    """Seconds of the processor that this process and its children that ended have taken so far."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in used)


def time_in_turns(
    ours: Callable[[], object],
    peer: Callable[[], object],
    *,
    rounds: int,
    choose: Callable[[list[float]], float] = median,
) -> tuple[Taken, Taken]:
    """Median seconds of both, or as chosen, run alternately so that a busy moment hits both."""
    taken: tuple[list[Taken], list[Taken]] = ([], [])
    for _ in range(rounds):
        for job, times in zip((ours, peer), taken, strict=True):
            times.append(time_once(job))
    return choose_both(taken[0], choose), choose_both(taken[1], choose)


def choose_both(times: list[Taken], choose: Callable[[list[float]], float] = median) -> Taken:
    """The chosen seconds by the clock, and by the processor."""
    return Taken(choose(list(times)), choose([one.cpu for one in times]))
