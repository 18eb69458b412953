"""Runs of chosen quality over simulated documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.datasets.checks import FloatArray, check_count, check_names, check_share
from gainsayer.errors import CallError


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
        return {f"run{place:0{width}}": quality for place, quality in enumerate(self.qualities, start=1)}

    def unjudged_documents(self, pool: int) -> int:
        """How many documents beside a pool of this size make up the unjudged share."""
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
            raise CallError(f"{name} cannot miss {missing} topics: there are {len(topics)}.")
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
