"""Rank correlations (a stand-in with the agreed interface)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class RankCorrelation:
    """How alike two orders are; None where that is not defined."""

    value: float | None
    n: int
    ties_a: int
    ties_b: int
    concordant: int
    discordant: int
    kind: str


def kendall_tau(a: npt.ArrayLike, b: npt.ArrayLike, *, variant: Literal["a", "b"] = "b") -> RankCorrelation:
    """Kendall's tau of two columns of scores."""
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    upper = np.triu_indices(len(x), 1)
    one, two = np.sign(x[:, None] - x)[upper], np.sign(y[:, None] - y)[upper]
    concordant, discordant = int((one * two > 0).sum()), int((one * two < 0).sum())
    ties = int((one == 0).sum()), int((two == 0).sum())
    pairs = len(one)
    scale = pairs if variant == "a" else float(np.sqrt((pairs - ties[0]) * (pairs - ties[1])))
    value = (concordant - discordant) / scale if scale else None
    return RankCorrelation(value, len(x), *ties, concordant, discordant, f"tau-{variant}")


def tau_ap(a: npt.ArrayLike, b: npt.ArrayLike) -> RankCorrelation:
    """tau_ap of b against the order of a; ties in the order given."""
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    plain = kendall_tau(x, y)
    if len(x) < 2 or plain.value is None:
        return RankCorrelation(None, len(x), plain.ties_a, plain.ties_b, plain.concordant, plain.discordant, "tau_ap")
    order = np.argsort(-y, kind="stable")
    total = sum(float((x[order[:place]] > x[order[place]]).mean()) for place in range(1, len(order)))
    value = 2 * total / (len(x) - 1) - 1
    return RankCorrelation(value, len(x), plain.ties_a, plain.ties_b, plain.concordant, plain.discordant, "tau_ap")
