"""Pair profiles: which kinds of documents stand before which, weighted; what a level profile is to pairs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels


def pair_profile(ranked: RankedLevels, weight: FloatArray, kind: npt.NDArray[np.integer], kinds: int) -> FloatArray:
    """C[topic, k, l] = sum over ranks r of kind k of weight(r) x number of earlier ranks of kind l.

    A measure that adds up over pairs of documents (AP is one) is `sum_kl C[k, l] x worth of such a pair`, whatever the
    worth; so the list is walked once, and a thousand gain vectors cost one product more.

    Args:
        ranked: whose hits are meant.
        weight: one per hit.
        kind: one per hit, such as its level; `kinds` for hits that count for nothing.
        kinds: how many kinds there are.

    Returns:
        Shape [topics, kinds, kinds].

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, 0, 1]}, {"q": [1, 2]})
    >>> pair_profile(ranked, np.array([1.0, 0.5, 0.25]), ranked.level, 2).tolist()
    [[[0.0, 0.5], [0.25, 0.25]]]
    """
    topics, lengths = len(ranked.topics), np.diff(ranked.starts)
    shape = (topics, kinds + 1)
    cell = ranked.topic * np.int64(kinds + 1) + kind
    profile = np.zeros((topics, kinds, kinds))
    held = np.flatnonzero(np.bincount(kind, minlength=kinds + 1)[:kinds])
    # Several counts run side by side in the bits of one number: as many bits each as the longest list needs.
    bits = max(int(lengths.max(initial=0)).bit_length(), 1)
    together = 63 // bits
    for low in range(0, len(held), together):
        some = held[low : low + together]
        one = np.zeros(kinds + 1, np.int64)
        one[some] = np.left_shift(1, np.arange(len(some)) * bits)
        own = one[kind]
        running = np.cumsum(own) - own
        running -= np.repeat(running[ranked.starts[:-1][lengths > 0]], lengths[lengths > 0])
        for place, other in enumerate(some.tolist()):
            before = (running >> (place * bits)) & ((1 << bits) - 1)
            found = np.bincount(cell, weight * before, minlength=topics * (kinds + 1))
            profile[:, :, other] = found.reshape(shape)[:, :kinds]
    return profile
