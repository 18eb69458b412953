"""Permanent sampling keys: which documents are judged a second time, whatever the share turns out to be.

Within each cell (a topic's documents of one first label) the documents stand in a random order k = 0, 1, ... and one
number U is drawn between 0 and 1; the key of a document is `(k + U) / size of the cell`. Judging all documents with a
key up to pi gives each the probability pi exactly, takes from each cell the whole number below or above its part, and
contains what a smaller pi would take. So batches are nested, and the weights 1 / pi of everything judged so far are
known whenever a batch ends.

Order and U come from hashes of the seed and the names, so the same seed and labels give the same keys on every machine,
in whatever order files are read, and a topic that is added changes no other topic's keys.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from gainsayer.levels import Levels
from gainsayer.model.resampling import check_seed

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FirstLabels:
    """The documents to choose from: one first label on each.

    Args:
        levels: the levels.
        topics: names of the topics.
        topic: the place of each document's topic; shape [documents].
        document: its name.
        level: the place of its first label; shape [documents].

    >>> labels = FirstLabels(Levels(("0", "1")), ("q",), np.zeros(3, np.int64), ("a", "b", "c"), np.array([0, 1, 0]))
    >>> labels.sizes.tolist(), len(labels.digest)
    ([[2, 1]], 64)
    """

    levels: Levels
    topics: tuple[str, ...]
    topic: IntArray
    document: tuple[str, ...]
    level: IntArray

    def __len__(self) -> int:
        return len(self.document)

    @cached_property
    def cell(self) -> IntArray:
        """The cell of each document: its topic and first label."""
        return np.asarray(self.topic * len(self.levels) + self.level)

    @cached_property
    def sizes(self) -> IntArray:
        """Documents per topic and level; shape [topics, levels]."""
        counted = np.bincount(self.cell, minlength=len(self.topics) * len(self.levels))
        return counted.reshape(len(self.topics), len(self.levels)).astype(np.int64)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of who stands on which level: another one, other labels. The order of documents does not matter."""
        names = [self.topics[place] for place in self.topic.tolist()]
        labels = [self.levels.names[place] for place in self.level.tolist()]
        lines = sorted("\0".join(row) for row in zip(names, self.document, labels, strict=True))
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def keys(self, seed: int) -> FloatArray:
        """The sampling key of each document, between 0 and 1; shape [documents]. See the module's words.

        >>> level = np.array([0, 0, 0, 1])
        >>> labels = FirstLabels(Levels(("0", "1")), ("q",), np.zeros(4, np.int64), tuple("abcd"), level)
        >>> keys = labels.keys(1)
        >>> int((keys[:3] <= 2 / 3).sum()), bool((labels.keys(1) == keys).all()), bool((labels.keys(2) == keys).all())
        (2, True, False)
        """
        check_seed(seed)
        return _find_keys(self, seed)


@lru_cache(maxsize=4)
def _find_keys(labels: FirstLabels, seed: int) -> FloatArray:
    cell, size = labels.cell, labels.sizes.ravel()
    names = [labels.topics[place] for place in labels.topic.tolist()]
    turn = np.array([_hash(seed, *row) for row in zip(names, labels.document, strict=True)], np.uint64)
    order = np.lexsort((turn, cell))
    start = np.cumsum(size) - size
    place = np.empty(len(labels), np.float64)
    place[order] = np.arange(len(labels)) - start[cell[order]]
    shift = np.zeros(len(size))
    for one in np.flatnonzero(size).tolist():
        topic, level = divmod(one, len(labels.levels))
        shift[one] = _unit(_hash(seed, labels.topics[topic], labels.levels.names[level], "start"))
    keys = (place + shift[cell]) / size[cell]
    keys.setflags(write=False)
    return np.asarray(keys)


def shuffle_within(topic: IntArray, documents: Sequence[str], seed: int) -> IntArray:
    """Places of documents topic by topic, in random order within each, so that a list tells nothing about labels."""
    turn = np.array([_hash(seed, name, "list", str(t)) for name, t in zip(documents, topic, strict=True)], np.uint64)
    return np.lexsort((turn, topic))


def drawn_by_keys(labels: FirstLabels, keys: FloatArray, judged: BoolArray) -> bool:
    """Whether the documents judged already are mostly those with the lowest keys of each level, a few skips apart.

    If so, they are the beginning of this plan, perhaps with a batch that is not finished; if not, they were chosen in
    another way: a foreign pilot.
    """
    covered = 0
    for level in range(len(labels.levels)):
        here = np.flatnonzero(labels.level == level)
        found = np.cumsum(judged[here[np.argsort(keys[here])]])
        dense = np.flatnonzero(found >= 0.95 * np.arange(1, len(here) + 1))
        covered += int(found[dense[-1]]) if len(dense) else 0
    return bool(judged.any()) and covered >= 0.8 * int(judged.sum())


def _hash(seed: int, *names: str) -> int:
    text = "\0".join((str(seed), *names)).encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest())


def _unit(number: int) -> float:
    return (number + 0.5) / 2**64
