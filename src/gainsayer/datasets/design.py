"""Who reads which topic, which documents are read twice, and runs of chosen quality."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.datasets.checks import FloatArray, check_count, check_names, check_share
from gainsayer.errors import CallError
from gainsayer.levels import Levels
from gainsayer.words import counted

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
            raise CallError(f"Of {counted(topics, 'topic')}, {self.topics:,} cannot be judged twice.")
        return self.topics

    def inclusion(self, levels: Levels) -> dict[str, float]:
        """The probability of a second judgment by the name of the first level."""
        chosen = {levels.index(level): float(share) for level, share in self.by_level.items()}
        return {name: chosen.get(index, float(self.share)) for index, name in enumerate(levels.names)}


@dataclass(frozen=True, eq=False)
class Design:
    """The readers of each topic.

    Args:
        first: assessors of the first side.
        second: assessors of the second side.
        stratum: the index of each topic's stratum, shape [topics].
        twice: whether a topic is judged twice, shape [topics].
        reader: who reads, an index into `first + second`, shape [readings, topics]; the first side reads first.
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
            f"The stratum {empty[0]!r} would get none of {counted(topics, 'topic')}. Give it a larger share, or ask "
            "for more topics."
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
    return tuple(f"{name}{number:0{width}}" for number in range(1, count + 1))


@dataclass(frozen=True)
class RunDesign:
    """Which runs to draw.

    A run scores a document with quality * signal + sqrt(1 - quality²) * noise, so `quality` is the correlation
    within a topic between its scores and the signal: the document's own quality in the latent model, which knows no
    label; the labels themselves, blurred, in the joint model (T3). All runs rank the same documents of the same
    topics, each with noise of its own.

    Args:
        qualities: one number from 0 (chance) to 1 per run, by name or in order (`run01`, `run02`, ...).
        depth: documents returned per topic; fewer where there are not so many.
        unjudged: share of the documents that are outside the pool. They are drawn like the others, so on average
            this is the share of unjudged documents at every depth, up to rounding to whole documents.
        missing_topics: run name to the number of topics it leaves out, chosen at random.

    Raises:
        CallError: a quality or share is out of range, or a name is not fit for a file.

    >>> RunDesign((0.9, 0.4)).named()
    {'run01': 0.9, 'run02': 0.4}
    """

    qualities: Mapping[str, float] | Sequence[float] = (0.9, 0.75, 0.6, 0.45, 0.3)
    depth: int = 100
    unjudged: float = 0.05
    missing_topics: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        named = self.named()
        check_names(named, "Run")
        for name, quality in named.items():
            check_share(quality, f"The quality of {name}")
        check_count(self.depth, "The depth of the runs")
        check_share(self.unjudged, "The share of unjudged documents", most=0.9)
        unknown = sorted(set(self.missing_topics) - set(named))
        if unknown:
            raise CallError(f"Missing topics are given for {', '.join(unknown)}, but the runs are {', '.join(named)}.")
        for name, count in self.missing_topics.items():
            check_count(count, f"The number of topics that {name} misses", least=0)

    def named(self) -> dict[str, float]:
        """The quality of each run by its name."""
        if isinstance(self.qualities, Mapping):
            return dict(self.qualities)
        width = max(2, len(str(len(self.qualities))))
        return {f"run{number:0{width}}": quality for number, quality in enumerate(self.qualities, start=1)}

    def unjudged_documents(self, pool: int) -> int:
        """How many documents outside a pool of this size make up the unjudged share."""
        return round(self.unjudged * pool / (1 - self.unjudged))


def draw_runs(
    design: RunDesign,
    signal: FloatArray,
    topics: pl.Series,
    documents: pl.Series,
    seed: np.random.SeedSequence,
    *,
    style: FloatArray | None = None,
    tastes: Mapping[str, float] | None = None,
) -> dict[str, pl.DataFrame]:
    """The runs as tables `topic, document, rank, score`, ordered by topic and rank.

    Each run has a stream of its own, so that a further run leaves the others as they are. Scores have six decimals,
    as in the files; equal ones are ordered by document id, descending by bytes.

    Args:
        design: which runs.
        signal: what runs may know, shape [topics, documents].
        topics: topic names, in the order of the first axis.
        documents: document ids, one per entry of `signal`, ascending by bytes within a topic.
        seed: where the runs' chance comes from.
        style: of each document, for which no person cares; shape [topics, documents].
        tastes: run name to the share s of its noise that is the style: s * style + sqrt(1 - s²) * noise.
    """
    named = design.named()
    runs = {}
    for (name, quality), stream in zip(named.items(), seed.spawn(len(named)), strict=True):
        rng = np.random.default_rng(stream)
        noise = rng.standard_normal(signal.shape)
        if style is not None and tastes and name in tastes:
            share = tastes[name]
            noise = share * style + np.sqrt(1 - share**2) * noise
        score = np.round(quality * signal + np.sqrt(1 - quality**2) * noise, 6)
        missing = design.missing_topics.get(name, 0)
        if missing > len(topics):
            raise CallError(f"{name} cannot miss {counted(missing, 'topic')} of {len(topics):,}.")
        kept = np.sort(rng.permutation(len(topics))[missing:])
        runs[name] = rank_scores(score, topics, documents, design.depth, kept)
    return runs


def rank_scores(
    score: FloatArray, topics: pl.Series, documents: pl.Series, depth: int, kept: npt.NDArray[np.int64] | None = None
) -> pl.DataFrame:
    """The best documents of each topic by score [topics, documents], of all topics or of those kept."""
    count, size = score.shape
    depth = min(depth, size)
    kept = np.arange(count) if kept is None else kept
    # A stable sort of the reversed row puts the greater document id first among equal scores.
    order = size - 1 - np.argsort(-score[kept, ::-1], axis=1, kind="stable")[:, :depth]
    return pl.DataFrame(
        [
            topics.gather(np.repeat(kept, depth)).alias("topic"),
            documents.gather((kept[:, None] * size + order).ravel()).alias("document"),
            pl.Series("rank", np.tile(np.arange(1, depth + 1), len(kept))),
            pl.Series("score", np.take_along_axis(score[kept], order, axis=1).ravel()),
        ]
    )
