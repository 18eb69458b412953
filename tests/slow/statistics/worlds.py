"""Worlds with a known truth in which intervals of p(R|i) are tried: many second rounds at once, as arrays.

A world draws the relevant and all second opinions of each topic and level for many repeats; the interval is then the
production function applied to the whole array. Two families: Gaussian latent quality (assessors see a document's
quality through leniency and noise and cut it into levels), and worlds that are nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy import stats

from gainsayer.model import FloatArray

Rounds = tuple[FloatArray, FloatArray]  # relevant and judged, shape [repeats, topics, levels]
BLOCK = 3_000_000


@dataclass(frozen=True)
class LatentWorld:
    """Gaussian latent quality: a topic has a quality, a document its own, an assessor leniency and noise.

    Args:
        documents: doubly judged documents of a topic, their median where sizes differ.
        shares: of the levels.
        spread: standard deviation of the log sizes of topics.
        slope: how the log size goes with the topic's quality (standard deviations); the rest of `spread` is chance.
        topic: standard deviation of the topics' quality, that of documents within a topic being 1.
        leniency: that of an assessor; every topic has its own two.
        noise: what else separates two readings of a document.
        sampled: share of each first level that is judged again; pairs are weighted by the inverse.
        one_sided: p(R|i) of the second label given the first, instead of both ways.
    """

    documents: int = 40
    shares: tuple[float, ...] = (0.60, 0.20, 0.12, 0.08)
    spread: float = 0.0
    slope: float = 0.0
    topic: float = 0.7
    leniency: float = 0.5
    noise: float = 0.6
    sampled: tuple[float, ...] | None = None
    one_sided: bool = False

    @property
    def cuts(self) -> FloatArray:
        """Where the reported quality is cut into levels."""
        total = np.sqrt(self.topic**2 + 1 + self.leniency**2 + self.noise**2)
        return np.asarray(total * stats.norm.ppf(np.cumsum(self.shares)[:-1]))

    def draw_pairs(self, shape: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Pairs by topic and by first and second label, weights included; shape [*shape, levels, levels]."""
        quality = rng.standard_normal(shape)
        rest = np.sqrt(self.spread**2 - self.slope**2)
        log_size = self.slope * quality + rest * rng.standard_normal(shape)
        size = np.clip(np.round(self.documents * np.exp(log_size)), 2, 100 * self.documents).astype(np.int64).ravel()
        owner = np.repeat(np.arange(size.size), size)
        seen = self.topic * quality.ravel()[owner] + rng.standard_normal(len(owner))
        labels = []
        for _ in range(2):
            leniency = self.leniency * rng.standard_normal(size.size)
            reported = seen + leniency[owner] + self.noise * rng.standard_normal(len(owner))
            labels.append(np.searchsorted(self.cuts, reported))
        levels = len(self.shares)
        weight = None
        if self.sampled is not None:
            chance = np.array(self.sampled)[labels[0]]
            weight = (rng.random(len(owner)) < chance) / chance
        cell = (owner * levels + labels[0]) * levels + labels[1]
        counts = np.bincount(cell, weight, size.size * levels**2)
        return counts.reshape(*shape, levels, levels).astype(np.float64)

    def split(self, pairs: FloatArray, threshold: int) -> Rounds:
        """Relevant and all second opinions per level, at or above the threshold being relevant."""
        both = pairs if self.one_sided else pairs + np.swapaxes(pairs, -1, -2)
        return both[..., threshold:].sum(axis=-1), both.sum(axis=-1)

    def draw(self, repeats: int, topics: int, rng: np.random.Generator) -> FloatArray:
        """Pairs of many second rounds, in blocks that bound the memory."""
        step = max(1, BLOCK // (topics * self.documents))
        blocks = [self.draw_pairs((min(step, repeats - at), topics), rng) for at in range(0, repeats, step)]
        return np.concatenate(blocks)

    def truth(self, threshold: int, *, topics: int) -> FloatArray:
        """p(R|i) of the population of topics, from very many of them; shape [levels]."""
        relevant, judged = self.split(_population(self, topics), threshold)
        return np.asarray(relevant / judged)


@cache
def _population(world: LatentWorld, topics: int) -> FloatArray:
    rng = np.random.default_rng(987_654_321)
    plain = replace(world, sampled=None)  # what is not sampled has the same parameters, and less noise
    return np.sum([block.sum(axis=0) for block in plain.draw(topics // 10, 10, rng)], axis=0)


LATENT: dict[str, LatentWorld] = {
    "balanced": LatentWorld(),
    "lognormal 1.2": LatentWorld(spread=1.2, documents=20),
    "size~quality": LatentWorld(spread=0.9, slope=0.6),
    "rare top": LatentWorld(shares=(0.70, 0.20, 0.085, 0.015)),
    "leniency 1.2": LatentWorld(leniency=1.2),
    "one-sided size~quality": LatentWorld(spread=0.9, slope=0.6, one_sided=True),
    "IPW": LatentWorld(sampled=(0.3, 0.6, 1.0, 1.0)),
}


@dataclass(frozen=True)
class BetaWorld:
    """Topics with a p of their own from a Beta distribution, and binomial opinions: Dirichlet-multinomial counts.

    Three levels with different means; a topic's levels are drawn apart. `kinds` makes a mixture: that share of the
    topics has `times` the p of the others, with the same mean over all.
    """

    means: tuple[float, ...] = (0.03, 0.2, 0.6)
    weight: float = 8.0
    opinions: int = 30
    spread: float = 0.0
    kinds: float = 0.0
    times: float = 4.0

    def draw(self, repeats: int, topics: int, rng: np.random.Generator) -> Rounds:
        """Relevant and all opinions of many second rounds."""
        shape = (repeats, topics, len(self.means))
        size = np.exp(self.spread * rng.standard_normal((repeats, topics, 1))) * self.opinions
        judged = np.broadcast_to(np.maximum(1, np.round(size)), shape).astype(np.int64)
        p = np.broadcast_to(np.array(self.means), shape)
        if self.kinds:
            other = rng.random((repeats, topics, 1)) < self.kinds
            base = p / (1 + self.kinds * (self.times - 1))
            p = np.where(other, self.times * base, base)
        own = rng.beta(self.weight * p, self.weight * (1 - p))
        return rng.binomial(judged, own).astype(np.float64), judged.astype(np.float64)


def resample(pairs: FloatArray, threshold: int, repeats: int, topics: int, rng: np.random.Generator) -> Rounds:
    """Topics drawn with replacement from real ones, `pairs` being their symmetric counts; the truth is their pool."""
    chosen = pairs[rng.integers(len(pairs), size=(repeats, topics))]
    return chosen[..., threshold:].sum(axis=-1), chosen.sum(axis=-1)


def coverage(find_ends: Callable[..., FloatArray], rounds: Rounds, truth: FloatArray) -> FloatArray:
    """Share of the intervals that hold the truth, per level; a level without an interval in a repeat does not count."""
    ends = find_ends(*rounds)
    given = np.isfinite(ends).all(axis=-1)
    held = (ends[..., 0] <= truth) & (truth <= ends[..., 1]) & given
    return np.asarray(held.sum(axis=0) / given.sum(axis=0))
