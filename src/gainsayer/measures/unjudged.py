"""What nobody judged: codes that are not judgments, lists without unjudged documents, unjudged documents as hits.

A negative code means, in trec_eval's qrels, *in the pool but not judged*: neither relevant nor not.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from gainsayer.gains.values import Gains
from gainsayer.levels import DerivedLevels, Levels, Patterns, is_whole
from gainsayer.ranking.ranked import RankedLevels, condense


def real_judgments(levels: Levels) -> npt.NDArray[np.bool_]:
    """Which levels are judgments: all but negative codes, and patterns of such alone; shape [levels]."""
    if isinstance(levels, Patterns):
        return np.asarray(levels.shares @ real_judgments(levels.levels) > 0)
    return np.array([not (is_whole(name) and name.startswith("-")) for name in levels.names])


def keep_judged(ranked: RankedLevels) -> RankedLevels:
    """The lists without unjudged documents, as trec_eval's option -J has it: negative codes are taken out, too.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> levels = Levels(("-1", "0", "1"))
    >>> kept = keep_judged(ranked_from_lists({"q": [None, 2, 0, 1]}, {"q": [1, 1, 1]}, levels=levels))
    >>> kept.rank.tolist(), kept.level.tolist(), kept.retrieved.tolist()
    ([1, 2], [2, 1], [2])
    """
    seen = np.append(real_judgments(ranked.levels), True)[ranked.level]
    member = None if ranked.member is None else ranked.member[seen]
    part = replace(ranked, topic=ranked.topic[seen], rank=ranked.rank[seen], level=ranked.level[seen], member=member)
    return condense(part)


def spell_out_unjudged(ranked: RankedLevels, depth: int | None = None) -> RankedLevels:
    """The same lists with a hit at every rank down to the depth; unjudged ones have the code `len(levels) + 1`.

    Takes as much memory as the lists are long, so it is done only where an unjudged document has a gain.
    """
    lengths = ranked.retrieved if depth is None else np.minimum(ranked.retrieved, depth)
    topic = np.repeat(np.arange(len(ranked.topics), dtype=np.int32), lengths)
    first = np.cumsum(lengths) - lengths
    rank = (np.arange(len(topic)) - first[topic] + 1).astype(np.int32)
    level = np.full(len(topic), ranked.duplicate + 1, dtype=ranked.level.dtype)
    inside = ranked.rank <= lengths[ranked.topic]
    index = first[ranked.topic[inside]] + ranked.rank[inside] - 1
    level[index] = ranked.level[inside]
    member = None
    if ranked.member is not None:
        member = np.zeros(len(topic), dtype=np.int32)
        member[index] = ranked.member[inside]
    return replace(ranked, topic=topic, rank=rank, level=level, member=member)


def take_unjudged_as(ranked: RankedLevels, level: int, depth: int | None = None) -> RankedLevels:
    """The same lists with unjudged documents as hits of this level; they do not become part of the pool (T5)."""
    spelt = spell_out_unjudged(ranked, depth)
    known = np.where(spelt.level == ranked.duplicate + 1, level, spelt.level)
    return replace(spelt, level=known.astype(np.int32))


def admit_unjudged(ranked: RankedLevels, gains: Gains) -> tuple[RankedLevels, Gains]:
    """The same list and gains, the retrieved unjudged documents being a level of their own with their gain u.

    A user finds each of them relevant with probability u, so they belong to what is relevant to the user, too:
    `R = sum over the pool + sum over the retrieved unjudged documents`. If such a document counted where it is found
    but not in R, the expected AP could exceed 1, which no mean of a binary AP does.

    So R, unlike the pool, depends on the run: on its whole list, whatever the depth. Unjudged documents that the run
    did not return remain unknown and do not count in R.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, None]}, {"q": [0, 2]})
    >>> admitted, gains = admit_unjudged(ranked, Gains(ranked.levels, np.array([0.0, 0.5]), unjudged=0.1))
    >>> admitted.pool.tolist(), admitted.level.tolist(), gains.values.tolist(), gains.unjudged
    ([[0, 2, 1]], [1, 2], [0.0, 0.5, 0.1], 0.0)
    """
    size = len(ranked.levels)
    spelt = spell_out_unjudged(ranked)
    unjudged = spelt.level > spelt.duplicate
    levels = DerivedLevels((*ranked.levels.names, "unjudged"), ordered=False)
    level = np.where(unjudged, size, np.where(spelt.level == spelt.duplicate, size + 1, spelt.level))
    number = np.bincount(spelt.topic[unjudged], minlength=len(spelt.topics))
    member = None
    if spelt.member is not None:  # numbered in the order of the list: nothing more is known of them
        running = np.cumsum(unjudged, dtype=np.int64) - unjudged
        member = np.where(unjudged, running - (np.cumsum(number) - number)[spelt.topic], spelt.member).astype(np.int32)
    choices = spelt.choice_levels
    admitted = replace(
        spelt,
        levels=levels,
        level=level.astype(np.int32),
        pool=np.column_stack([spelt.pool, number]).astype(np.int64),
        member=member,
        choice_levels=None if choices is None else np.column_stack([choices, np.zeros(len(choices), np.bool_)]),
    )
    share = np.full((*gains.values.shape[:-1], 1), gains.unjudged)
    return admitted, Gains(levels, np.concatenate([gains.values, share], axis=-1), name=gains.name)
