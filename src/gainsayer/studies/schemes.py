"""Gain schemes by name, from one matrix p(j|i) or a stack of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.counts.pairs import FloatArray
from gainsayer.disagreement.estimate import Disagreement
from gainsayer.disagreement.smoothing import part_relevant
from gainsayer.errors import CallError
from gainsayer.gains import Gains, binary_gains, exponential_gains, linear_gains, udm_gains
from gainsayer.levels import Relevance
from gainsayer.rankings.ranked_levels import RankedLevels

SCHEMES: Final = ("prm", "binary", "linear", "exponential", "udm")
FITTED: Final = ("prm", "udm")


def make_scheme(
    name: str,
    disagreement: Disagreement,
    matrices: FloatArray,
    relevance: Relevance,
    needed: npt.NDArray[np.bool_],
) -> Gains | None:
    """The gains of a scheme, with one draw per matrix; None where a needed level has no second opinions.

    A level that nobody needs, as no document to be scored has it, may lack second opinions; its gain is set to 0.

    Args:
        name: `prm`, `binary`, `linear`, `exponential` or `udm`.
        disagreement: whose levels and way of estimating are meant.
        matrices: p(j|i), shape [draws, levels, levels].
        relevance: the relevant levels.
        needed: which levels are there to be scored, shape [levels].

    Raises:
        CallError: there is no such scheme, or it needs levels with an order.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.counts.pairing import count_pairs
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> disagreement = estimate_disagreement(count_pairs(twenty_documents()))
    >>> top = disagreement.levels.at_or_above("2")
    >>> gains = make_scheme("prm", disagreement, disagreement.matrix[None], top, np.ones(3, bool))
    >>> gains.values.round(4).tolist()
    [[0.0769, 0.2941, 0.4]]
    """
    check_schemes([name])
    levels = disagreement.levels
    if name not in FITTED:
        made = {"linear": linear_gains, "exponential": exponential_gains}
        plain = binary_gains(levels, relevance) if name == "binary" else made[name](levels)
        return replace(plain, values=np.repeat(plain.values[None], len(matrices), axis=0))
    lacking = np.asarray(np.isnan(matrices).any(axis=-1))
    if (lacking & needed).any():
        return None
    filled = np.where(lacking[..., None], 0.0, matrices)
    if name == "prm":
        values = np.where(lacking, 0.0, part_relevant(np.where(lacking[..., None], 1.0, matrices), relevance.indicator))
    else:
        values = np.stack([udm_gains(replace(disagreement, matrix=matrix)).values for matrix in filled])
    return Gains(levels, values, name=name)


def check_schemes(names: Sequence[str]) -> None:
    """Refuse names that are no schemes, and none at all.

    Raises:
        CallError: there is no such scheme.
    """
    strangers = [name for name in names if name not in SCHEMES]
    if strangers or not names:
        raise CallError(f"There are no gains {', '.join(map(repr, strangers))}: choose among {', '.join(SCHEMES)}.")


def name_lacking(disagreement: Disagreement, matrices: FloatArray, needed: npt.NDArray[np.bool_]) -> str:
    """The needed levels without second opinions, for a note."""
    lacking = np.asarray((np.isnan(matrices).any(axis=-1) & needed).any(axis=0))
    return ", ".join(name for name, gone in zip(disagreement.levels.names, lacking, strict=True) if gone)


def find_levels(ranked: RankedLevels, topics: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which levels the judged documents of these topics have, shape [levels]."""
    there = ranked.pool[topics].sum(axis=0) > 0
    if ranked.choice_topic is not None and ranked.choice_levels is not None:
        there = there | ranked.choice_levels[np.isin(ranked.choice_topic, topics)].any(axis=0)
    return np.asarray(there)
