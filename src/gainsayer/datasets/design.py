"""Who reads which topic, and which documents are read twice: settled before any label is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from gainsayer.datasets.checks import FloatArray, check_count, check_share
from gainsayer.errors import CallError
from gainsayer.levels import Levels

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class SecondRound:
    """Which documents are judged a second time.

    Each document of a doubly judged topic is chosen on its own, with the probability given here.

    Args:
        topics: topics judged twice, chosen at random; None for 24 of every 50, as in the paper.
        share: the probability that a document of such a topic is judged again.
        by_level: the same by the level of the first judgment; levels left out have the plain `share`. The symmetric
            estimate is wrong on such a round unless pairs are weighted by 1 / probability (T6).
        readings: opinions on each such document, the first one included; all from different assessors.

    Raises:
        CallError: a share is out of range, or nothing would be judged twice.

    >>> SecondRound(by_level={"Non": 0.1}).inclusion(Levels(("Non", "Rel")))
    {'Non': 0.1, 'Rel': 1.0}
    """

    topics: int | None = None
    share: float = 1.0
    by_level: Mapping[str, float] = field(default_factory=dict)
    readings: int = 2

    def __post_init__(self) -> None:
        if self.topics is not None:
            check_count(self.topics, "The number of topics judged twice")
        check_share(self.share, "The share judged again")
        for level, share in self.by_level.items():
            check_share(share, f"The share of {level!r} judged again")
        if self.share == 0 and not any(self.by_level.values()):
            raise CallError("Nothing would be judged twice: give a share above 0, for all levels or by level.")
        check_count(self.readings, "The number of readings", least=2)

    def topics_of(self, topics: int) -> int:
        """How many of so many topics are judged twice."""
        if self.topics is None:
            return max(1, round(topics * 24 / 50))
        if self.topics > topics:
            raise CallError(f"{self.topics} topics cannot be judged twice: there are {topics}.")
        return self.topics

    def inclusion(self, levels: Levels) -> dict[str, float]:
        """The probability of a second judgment by the name of the first level."""
        chosen = {levels.index(level): float(share) for level, share in self.by_level.items()}
        return {name: chosen.get(place, float(self.share)) for place, name in enumerate(levels.names)}


@dataclass(frozen=True, eq=False)
class Design:
    """The readers of each topic.

    Args:
        first: assessors of the first side.
        second: assessors of the second side.
        stratum: the stratum of each topic, by place, shape [topics].
        twice: whether a topic is judged twice, shape [topics].
        reader: who reads, a place in `first + second`, shape [readings, topics]; the first reading is the first side's.
        leniency: the reader's leniency in standard units, shape [readings, topics].
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    stratum: IntArray
    twice: BoolArray
    reader: IntArray
    leniency: FloatArray


def deal_topics(strata: Mapping[str, float], topics: int) -> IntArray:
    """How many topics each stratum gets: its share, rounded so that all topics are dealt (largest remainders).

    >>> deal_topics({"nav": 0.4, "inf": 0.6}, 9).tolist()
    [4, 5]
    """
    exact = np.array(list(strata.values())) * topics
    dealt = np.floor(exact + 1e-9).astype(np.int64)
    neediest = np.argsort(dealt - exact, kind="stable")
    dealt[neediest[: topics - int(dealt.sum())]] += 1
    empty = [name for name, count in zip(strata, dealt, strict=True) if count == 0]
    if empty:
        raise CallError(
            f"The stratum {empty[0]!r} would get none of {topics} topics. Give it a larger share, or more topics."
        )
    return dealt


def draw_design(rng: np.random.Generator, dealt: IntArray, assessors: int, second: SecondRound) -> Design:
    """Strata, second round and readers at random; the assessors of a side take the topics in turn."""
    topics = int(dealt.sum())
    stratum = rng.permutation(np.repeat(np.arange(len(dealt)), dealt))
    chosen = rng.permutation(topics)
    twice = np.zeros(topics, dtype=np.bool_)
    twice[chosen[: second.topics_of(topics)]] = True
    half = assessors // 2
    first, others = _side("first", half, assessors), _side("second", assessors - half, assessors)
    reader = np.empty((second.readings, topics), dtype=np.int64)
    reader[0, rng.permutation(topics)] = np.arange(topics) % half
    # In the order of `chosen`, so that the topics judged twice are spread evenly over the second side.
    for reading in range(1, second.readings):
        reader[reading, chosen] = half + (np.arange(topics) + reading - 1) % len(others)
    return Design(first, others, stratum, twice, reader, rng.standard_normal(assessors)[reader])


def _side(name: str, count: int, assessors: int) -> tuple[str, ...]:
    if assessors == 2:
        return (name,)
    width = len(str(count))
    return tuple(f"{name}{place:0{width}}" for place in range(1, count + 1))
