"""How many documents of each level: those where an opinion tells most about the target."""

from __future__ import annotations

import numpy as np

from gainsayer.planning.keys import FloatArray

LEAST = 12
LEAST_SHARE = 0.02
LEAST_SHOWN = 30


def least_judgments(
    documents: FloatArray, budget: float, *, shown: bool = False, minimum: int | None = None
) -> FloatArray:
    """The floor of each level: 12, 2 % of the budget, 30 where p(R|i) itself is shown; at most its documents.

    No level goes without: a level that nobody judged again would leave the symmetric estimate without repair.

    >>> least_judgments(np.array([1000.0, 5.0]), 1000).tolist()
    [20.0, 5.0]
    """
    floor = float(max(LEAST, LEAST_SHARE * budget, LEAST_SHOWN if shown else 0)) if minimum is None else float(minimum)
    return np.minimum(floor, documents)


def allocate(worth: FloatArray, budget: float, documents: FloatArray, least: FloatArray) -> FloatArray:
    """n_i proportional to what each level is worth, between its floor and its documents; the budget is used up.

    Minimises `sum_i worth_i^2 / n_i` (Neyman): `worth_i = |A_i| sigma_i / sqrt(cost_i)`. Where the floors alone cost
    more than the budget, they are all there is: a finding says so.

    Args:
        worth: at least 0; shape [levels].
        budget: how many judgments.
        documents: of each level.
        least: the floor of each level, at most its documents.

    >>> allocate(np.array([1.0, 3.0]), 80, np.array([500.0, 500.0]), np.array([12.0, 12.0])).round(6).tolist()
    [20.0, 60.0]
    >>> allocate(np.array([1.0, 3.0]), 80, np.array([500.0, 50.0]), np.array([12.0, 12.0])).round(6).tolist()
    [30.0, 50.0]
    """
    budget = float(np.clip(budget, least.sum(), documents.sum()))
    most = float(worth.max(initial=0.0))
    worth = np.maximum(worth / most, 1e-12) if most > 1e-200 else np.ones_like(worth)
    low, high = 0.0, float((documents / worth)[documents > 0].max(initial=1.0))
    for _ in range(200):  # the sum grows with the scale; halving finds it
        scale = (low + high) / 2
        if np.clip(scale * worth, least, documents).sum() < budget:
            low = scale
        else:
            high = scale
        if high - low <= 1e-15 * high:
            break
    return np.clip(high * worth, least, documents)


def spread_evenly(budget: float, documents: FloatArray) -> FloatArray:
    """The same share of every level: a second round drawn without looking at the first labels.

    >>> spread_evenly(30, np.array([200.0, 100.0])).tolist()
    [20.0, 10.0]
    """
    return np.asarray(documents * min(1.0, budget / max(float(documents.sum()), 1.0)))
