"""Signs and weights of topics that come from their names alone, so that whoever holds a topic draws the same for it.

A topic's name is hashed once (BLAKE2b), and the hash starts a stream of numbers (SplitMix64: Steele, Lea and Flood
2014) whose bits are signs, or the weights of a bootstrap. Neither the order of the topics nor how they are shared out
among processes has a part in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
from scipy.special import pdtr

from gainsayer.rankings.ranked_levels import FloatArray

WordArray = npt.NDArray[np.uint64]
SIGNS, WEIGHTS = 1, 2  # what a stream is for: signs and weights of a topic have nothing in common
_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_SIGNS_PER_WORD = 64
_WEIGHTS_PER_WORD = 4


def name_keys(names: Sequence[str], *, kind: str = "topic") -> WordArray:
    """64 bits from each name; shape [names].

    `kind` keeps apart what may bear the same name: a topic, and a column of a model's uncertainty.

    >>> name_keys(["q1", "q2"]) == name_keys(["q1", "q2"])
    array([ True,  True])
    >>> bool(name_keys(["q1"])[0] == name_keys(["q1"], kind="column")[0])
    False
    """
    person = kind.encode()
    digests = b"".join(
        blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8, person=person).digest() for name in names
    )
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def hashed_signs(keys: WordArray, patterns: range, seed: int) -> FloatArray:
    """The signs of the topics in these patterns, 1 or -1 with one half each; shape [patterns, topics].

    >>> whole = hashed_signs(name_keys(["q1", "q2", "q3"]), range(200), seed=0)
    >>> part = hashed_signs(name_keys(["q2"]), range(70, 90), seed=0)
    >>> bool((whole[70:90, 1:2] == part).all()), np.unique(whole).tolist()
    (True, [-1.0, 1.0])
    """
    first = patterns.start // _SIGNS_PER_WORD
    words = _stream(keys, range(first, -(-patterns.stop // _SIGNS_PER_WORD)), seed, SIGNS)
    bits = np.unpackbits(words.astype("<u8").view(np.uint8).reshape(*words.shape, 8), axis=-1, bitorder="little")
    by_pattern = bits.transpose(0, 2, 1).reshape(-1, len(keys))
    at = patterns.start - first * _SIGNS_PER_WORD
    return np.asarray(1.0 - 2.0 * by_pattern[at : at + len(patterns)], dtype=np.float64)


def poisson_weights(keys: WordArray, draws: range, seed: int) -> FloatArray:
    """How often each topic is drawn, Poisson with mean 1, independent of the others; shape [draws, topics].

    With many topics that is drawing with replacement but for the number drawn, which varies a little: whatever is made
    of the weights is centred by their sum. Sixteen bits make a weight, so that none is above 8.

    >>> weights = poisson_weights(name_keys([f"q{at}" for at in range(500)]), range(200), seed=0)
    >>> bool(abs(weights.mean() - 1) < 0.01), bool(abs(weights.var() - 1) < 0.02)
    (True, True)
    """
    first = draws.start // _WEIGHTS_PER_WORD
    words = _stream(keys, range(first, -(-draws.stop // _WEIGHTS_PER_WORD)), seed, WEIGHTS)
    parts = words.astype("<u8").view("<u2").reshape(*words.shape, _WEIGHTS_PER_WORD)
    by_draw = parts.transpose(0, 2, 1).reshape(-1, len(keys))
    at = draws.start - first * _WEIGHTS_PER_WORD
    return np.asarray(_poisson_table()[by_draw[at : at + len(draws)]])


def _stream(keys: WordArray, numbers: range, seed: int, purpose: int) -> WordArray:
    """Words of each topic's stream, shape [numbers, topics]."""
    start = _scramble(np.array([(seed * 4 + purpose) & _MASK], dtype=np.uint64))
    steps = np.array([((number + 1) * _GOLDEN) & _MASK for number in numbers], dtype=np.uint64)
    return _scramble(_scramble(keys ^ start)[None, :] + steps[:, None])


def _scramble(words: WordArray) -> WordArray:
    """SplitMix64's finaliser: every bit of the answer depends on every bit of the word."""
    mixed = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


@cache
def _poisson_table() -> FloatArray:
    """The weight that each number of sixteen bits stands for: as many of them as its probability asks for."""
    ends = np.rint(pdtr(np.arange(12), 1.0) * (1 << 16)).astype(np.int64)
    return np.searchsorted(ends, np.arange(1 << 16), side="right").astype(np.float64)
