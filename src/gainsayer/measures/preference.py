"""Measures for incomplete judgments, as trec_eval defines them: bpref and infAP. They need 0/1 gains.

A negative code means, in trec_eval's qrels, *in the pool but not judged*: neither relevant nor not.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels, Patterns, is_whole
from gainsayer.measures.profiles import divide, gains_of_hits, pool_total, sum_before, sum_by_topic
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels, condense
from gainsayer.text import option

EPSILON = 1e-5


def binary_preference(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """Bpref = (1/R) sum over relevant retrieved of 1 - min(n, R) / min(N, R).

    n counts the documents judged not relevant that stand before the relevant one, N those in the pool, R the relevant
    ones. Unjudged documents have no influence (Buckley and Voorhees 2004).
    """
    relevant, judged = _flags(ranked, gains)
    wrong = gains_of_hits(ranked, judged - relevant)
    good = gains_of_hits(ranked, relevant)
    number = pool_total(ranked, relevant)
    bound = np.minimum(pool_total(ranked, judged - relevant), number)[ranked.topic]
    before = np.minimum(sum_before(ranked, wrong), number[ranked.topic])
    part = good * (1 - np.divide(before, bound, out=np.zeros(len(before)), where=bound > 0))
    return divide(sum_by_topic(ranked, part), number)


def inferred_precision(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """infAP: AP for a pool of which a random part was judged (Yilmaz and Aslam 2006).

    The precision at a relevant document of rank r is `1/r + (d/r) (rel + eps) / (rel + non + 2 eps)`: d pool
    members, rel relevant and non not relevant ones stand before it.
    """
    relevant, judged = _flags(ranked, gains)
    good = gains_of_hits(ranked, relevant)
    before = sum_before(ranked, good)
    wrong = sum_before(ranked, gains_of_hits(ranked, judged - relevant))
    pooled = sum_before(ranked, gains_of_hits(ranked, np.ones(len(ranked.levels))))
    estimate = 1 / ranked.rank + pooled / ranked.rank * (before + EPSILON) / (before + wrong + 2 * EPSILON)
    value = np.where(ranked.rank == 1, 1.0, estimate)
    return divide(sum_by_topic(ranked, good * value), pool_total(ranked, relevant))


def _flags(ranked: RankedLevels, gains: Gains) -> tuple[FloatArray, FloatArray]:
    """Which levels are relevant, and which are judgments at all."""
    values = gains.values
    if values.ndim != 1 or not np.all((values == 0) | (values == 1)):
        raise CallError(
            f"bpref and infAP count relevant documents: they need 0/1 gains. Use {option('gains', 'binary')}."
        )
    return values, real_judgments(ranked.levels).astype(np.float64)


def real_judgments(levels: Levels) -> npt.NDArray[np.bool_]:
    """Which levels are judgments: all but negative codes, and patterns of such alone; shape [levels]."""
    if isinstance(levels, Patterns):
        return np.asarray(levels.shares @ real_judgments(levels.levels) > 0)
    return np.array([not (is_whole(name) and name.startswith("-")) for name in levels.names])


def keep_judged(ranked: RankedLevels) -> RankedLevels:
    """The lists without unjudged documents, as trec_eval's option -J has it: negative codes are taken out, too.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> levels = Levels(("-1", "0", "1"))
    >>> kept = keep_judged(ranked_from_lists({"q": [None, 2, 0, 1]}, {"q": [1, 1, 1]}, levels=levels))
    >>> kept.rank.tolist(), kept.level.tolist(), kept.retrieved.tolist()
    ([1, 2], [2, 1], [2])
    """
    seen = np.append(real_judgments(ranked.levels), True)[ranked.level]
    member = None if ranked.member is None else ranked.member[seen]
    part = replace(ranked, topic=ranked.topic[seen], rank=ranked.rank[seen], level=ranked.level[seen], member=member)
    return condense(part)
