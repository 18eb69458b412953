"""Resampling: topics drawn with replacement, signs of topics flipped. Whatever is drawn of topics is drawn here."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError
from gainsayer.model.pairs import FloatArray

MOST_DRAWS = 1_000_000
BLOCK_CELLS = 1 << 22
SignArray = npt.NDArray[np.int8]


def check_draws(draws: int, seed: int, *, least: int = 1, what: str = "draws") -> None:
    """Refuse a number of draws, permutations or rounds that is none, and a seed that is none (CallError).

    >>> check_draws(0, 0, what="permutations")
    Traceback (most recent call last):
    gainsayer.errors.CallError: The number of permutations must lie between 1 and 1,000,000, found 0.
    """
    if not least <= draws <= MOST_DRAWS:
        raise CallError(f"The number of {what} must lie between {least} and {MOST_DRAWS:,}, found {draws}.")
    check_seed(seed)


def check_seed(seed: int) -> None:
    """Refuse a seed that is none (CallError)."""
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise CallError(f"The seed must be a whole number of at least 0, found {seed!r}.")


def draw_topics(generator: np.random.Generator, topics: int, draws: int) -> npt.NDArray[np.int64]:
    """How often each topic is drawn when as many as there are are drawn with replacement; shape [draws, topics].

    >>> draw_topics(np.random.default_rng(0), 4, 3).sum(axis=1).tolist()
    [4, 4, 4]
    """
    return generator.multinomial(topics, np.full(topics, 1 / topics), size=draws)


def weigh_topics(topics: int, cells: int, *, draws: int, seed: int) -> Iterator[FloatArray]:
    """`draw_topics` in blocks that stay small with so many cells a draw."""
    check_draws(draws, seed)
    generator = np.random.default_rng(seed)
    step = max(1, BLOCK_CELLS // max(topics, cells))
    for start in range(0, draws, step):
        yield draw_topics(generator, topics, min(step, draws - start)).astype(np.float64)


def draw_signs(generator: np.random.Generator, patterns: int, topics: int) -> SignArray:
    """Signs at random, 1 or -1 with one half each; shape [patterns, topics]."""
    return 2 * generator.integers(0, 2, size=(patterns, topics), dtype=np.int8) - 1


def all_signs(topics: int, *, first: int = 0, last: int | None = None) -> SignArray:
    """Every pattern of signs, or those from number `first` up to `last`; shape [patterns, topics].

    >>> all_signs(2).tolist()
    [[1, 1], [-1, 1], [1, -1], [-1, -1]]
    """
    number = np.arange(first, 2**topics if last is None else last)[:, None]
    return (1 - 2 * (number >> np.arange(topics) & 1)).astype(np.int8)
