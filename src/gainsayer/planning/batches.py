"""Batches: a plan in steps, each of which goes through all topics and raises the shares of all levels together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gainsayer.errors import CallError
from gainsayer.planning.keys import FloatArray, IntArray

FIRST_BATCH = 0.2
MOST_BATCHES = 1_000


@dataclass(frozen=True)
class Batch:
    """One step of a plan.

    Args:
        number: from 1 on.
        judgments: how many documents it asks for beyond those before it; expected, where there is no list.
        shares: the share of each level that is judged when it is finished, those of earlier batches included.
    """

    number: int
    judgments: float
    shares: Mapping[str, float]


def grow_shares(share: FloatArray, count: int) -> FloatArray:
    """The shares reached at the end of each batch, in equal steps, the first at least a fifth; shape [batches, levels].

    Raises:
        CallError: fewer than one batch.

    >>> grow_shares(np.array([0.5, 1.0]), 2).tolist()
    [[0.25, 0.5], [0.5, 1.0]]
    >>> grow_shares(np.array([1.0]), 9)[0].tolist()
    [0.2]
    """
    if not 1 <= count <= MOST_BATCHES:
        raise CallError(f"A plan has 1 to {MOST_BATCHES:,} batches, found {count}.")
    first = max(FIRST_BATCH, 1 / count)
    part = np.linspace(first, 1.0, count) if count > 1 else np.ones(1)
    return np.asarray(np.minimum(part[:, None] * share, 1.0))


def find_batches(keys: FloatArray, level: IntArray, shares: FloatArray) -> IntArray:
    """The batch of each document: the first whose share reaches its key, 0 for what the plan never asks for.

    Args:
        keys: shape [documents].
        level: the place of each document's first label; shape [documents].
        shares: as `grow_shares` gives them; shape [batches, levels].

    >>> find_batches(np.array([0.1, 0.4, 0.9]), np.zeros(3, np.int64), np.array([[0.25], [0.5]])).tolist()
    [1, 2, 0]
    """
    reached = keys[None, :] <= shares[:, level]
    return np.where(reached.any(axis=0), reached.argmax(axis=0) + 1, 0).astype(np.int64)
