"""The parts of a linear measure: a level profile, and what it is divided by.

`score[topic] = profile[topic] @ gains / divisor[topic]`. With the parts at hand, a bootstrap over topics and gains is a
matrix product, not ten thousand evaluations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from gainsayer.measures.catalogue import Measure
from gainsayer.measures.family import DISCOUNTS
from gainsayer.measures.profiles import Discount, ideal_score, level_profile, no_discount
from gainsayer.measures.sums import pool_total
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

Divisor = Callable[[RankedLevels, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Parts:
    """How a linear measure is made.

    Args:
        discount: the weight of a rank.
        depth: the last rank that counts.
        divisor: what the sum of gains is divided by, from the list's pool and gains [..., levels], shape [..., topics];
            None for nothing.
    """

    discount: Discount
    depth: int | None
    divisor: Divisor | None

    def profile(self, ranked: RankedLevels) -> FloatArray:
        """The level profile of a run, shape [topics, levels + 1], unjudged last."""
        return level_profile(ranked, self.discount, self.depth)


def linear_parts(measure: Measure) -> Parts | None:
    """The parts of a measure that is linear in the gains, or a ratio of two that are; None for any other.

    >>> from gainsayer.measures.catalogue import parse_measure
    >>> linear_parts(parse_measure("nDCG@10")).depth, linear_parts(parse_measure("AP"))
    (10, None)
    """
    options = dict(measure.family.parameters) | dict(measure.parameters)
    depth = measure.depth
    if options.get("users") is not None and measure.family.name in ("R", "nDCG"):
        return None  # an expected ratio is no ratio of expected values
    match measure.family.name:
        case "NumRel" | "CG":
            return Parts(no_discount, depth, None)
        case "P":
            return Parts(no_discount, depth, partial(_constant, float(depth or 1)))
        case "R":
            return Parts(no_discount, depth, pool_total)
        case "DCG":
            return Parts(DISCOUNTS[options["discount"]], depth, None)
        case "nDCG":
            discount = DISCOUNTS[options["discount"]]
            return Parts(discount, depth, partial(_ideal, discount, depth))
        case "RBP":
            return Parts(partial(_persistence, float(options["p"])), depth, None)
    return None


def _constant(value: float, ranked: RankedLevels, gains: FloatArray) -> FloatArray:
    return np.full((*gains.shape[:-1], len(ranked.topics)), value)


def _ideal(discount: Discount, depth: int | None, ranked: RankedLevels, gains: FloatArray) -> FloatArray:
    return ideal_score(ranked, gains, discount, depth)


def _persistence(p: float, rank: FloatArray) -> FloatArray:
    return np.asarray((1 - p) * p ** (rank - 1))
