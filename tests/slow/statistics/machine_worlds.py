"""Simulated collections with a machine whose taste some of the runs share: people's view, grades and rankings.

Documents have a quality and a style. People see the quality; the machine sees it, too, but overrates the style
(`bias`); every other run likes the style as well (`style`). World 1 has neither, world 2 both.
"""

from __future__ import annotations

import numpy as np

from gainsayer.ranking import FloatArray, IntArray

DEPTH = 10
TOPICS, DOCUMENTS, RUNS = 50, 80, 8
PLAIN: dict[str, float] = {}
TASTE = {"bias": 0.6, "style": 0.8}


def draw_world(
    rng: np.random.Generator,
    *,
    bias: float = 0.0,
    style: float = 0.0,
    equal: bool = False,
    topics: int = TOPICS,
    graded: bool = False,
) -> tuple[FloatArray, IntArray, IntArray]:
    """What people say [topics, documents], the machine's grade, and each run's ranks from 0 [runs, ...].

    With `graded`, people's gains are 0, .4 or 1 instead of 0 or 1.
    """
    shape = (topics, DOCUMENTS)
    quality = rng.normal(0, 0.5, (topics, 1)) + rng.normal(0, 1, shape)
    taste = rng.normal(0, 1, shape)
    seen = quality + rng.normal(0, 0.4, (topics, 1)) + rng.normal(0, 0.6, shape)
    told = np.where(seen > 1.2, 1.0, np.where(seen > 0.6, 0.4, 0.0)) if graded else (seen > 1.2).astype(float)
    latent = quality + 0.3 + bias * taste + rng.normal(0, 0.2, (topics, 1)) + rng.normal(0, 0.6, shape)
    grade = np.searchsorted(np.array([0.2, 1.0, 1.8]), latent)
    noise = np.ones(RUNS) if equal else np.linspace(0.6, 1.4, RUNS)
    likes = (np.arange(RUNS) % 2 == 0).astype(float)
    score = quality + style * likes[:, None, None] * taste + noise[:, None, None] * rng.normal(0, 1, (RUNS, *shape))
    return told, grade, np.argsort(np.argsort(-score, axis=2), axis=2)


def dcg_weights(rank: IntArray, depth: int = DEPTH) -> FloatArray:
    """1 / log2(rank + 1) down to the depth, ranks counted from 1; same shape."""
    return np.where(rank < depth, 1 / np.log2(rank + 2.0), 0.0)


def count_weights(rank: IntArray, depth: int = DEPTH) -> FloatArray:
    """1 down to the depth."""
    return (rank < depth).astype(float)


def by_rank(values: FloatArray, rank: IntArray) -> FloatArray:
    """The values of each topic's documents in each run's order; shape [runs, topics, documents]."""
    placed = np.empty(rank.shape)
    np.put_along_axis(placed, rank, np.broadcast_to(values, rank.shape), 2)
    return placed


def ndcg(values: FloatArray, rank: IntArray, depth: int = DEPTH) -> FloatArray:
    """DCG over that of the documents sorted by value, plainly; shape [runs, topics]."""
    discount = 1 / np.log2(np.arange(depth) + 2.0)
    ideal = -np.sort(-values, axis=1)[:, :depth] @ discount
    found = by_rank(values, rank)[:, :, :depth] @ discount
    return np.divide(found, ideal, out=np.zeros_like(found), where=ideal > 0)


def average_precision(values: FloatArray, rank: IntArray) -> FloatArray:
    """Sum over ranks of value times the mean of the values down to it, over the sum of all; shape [runs, topics]."""
    placed = by_rank(values, rank)
    before = np.cumsum(placed, axis=2) - placed
    precision = (before + 1) / np.arange(1, placed.shape[2] + 1)
    total = values.sum(axis=1)
    return np.divide((placed * precision).sum(axis=2), total, out=np.zeros(placed.shape[:2]), where=total > 0)
