"""Random users next to the plug-in measures: the band of expected values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.ranks import RankCorrelation, kendall_tau
from gainsayer.gains.values import Gains, pattern_gains
from gainsayer.measures.catalogue import Measure, ask_users
from gainsayer.measures.expected.found import FoundDistribution, distribute_runs
from gainsayer.measures.expected.users import Users
from gainsayer.ranking.ranked import FloatArray, RankedLevels

BAND: Final[tuple[Users, ...]] = ("independent", "comonotone")
FOUND_DEPTH: Final = 10


@dataclass(frozen=True, eq=False)
class UserBand:
    """What random users make of the runs; arrays have the shape [runs].

    Args:
        runs: their names.
        measure: the plug-in measure.
        gains: p(R|i), the same for all.
        values: name to mean over topics: `plug-in`, then the expected value for each kind of users.
        taus: tau-b between the orders, by the names of both.
        exact: whether the expected values equal the plug-in one, as the measure is linear in relevance.
        found: kind of users to the distribution, one per run, of how many relevant documents a random user finds on a
            random topic, in the top `depth`; shape [runs, numbers].
        depth: of `found`: the measure's, or 10.
        topics: how many topics were scored.
    """

    runs: tuple[str, ...]
    measure: Measure
    gains: Gains
    values: dict[str, FloatArray]
    taus: dict[tuple[str, str], RankCorrelation]
    exact: bool
    found: dict[str, FoundDistribution]
    depth: int
    topics: int


def band_users(
    ranked: Sequence[RankedLevels],
    measure: Measure,
    gains: Gains,
    *,
    users: Sequence[Users] = BAND,
    chosen: npt.NDArray[np.bool_] | None = None,
) -> UserBand:
    """The plug-in value of a measure beside its expected values over random users, for every run (spec 2.4).

    The two extremes differ in how one user's views correlate: not at all (independent), or through a single
    strictness that holds for all documents (comonotone). Real users lie between, but their *values* need not: nDCG and
    AP may be larger at a correlation between the two than at either. They are extreme dependences, not bounds; ask for
    the correlation that second judgments suggest as well. A linear measure does not care.

    Args:
        ranked: the runs.
        measure: a plug-in measure.
        gains: probabilities of relevance, shape [levels].
        users: kinds of users.
        chosen: which topics count; all by default.

    Raises:
        CallError: the gains are no probabilities, or the measure has no expected value.

    >>> from gainsayer.levels import Levels
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, 0, 1]}, {"q": [2, 2]}, levels=Levels(("0", "1")))
    >>> band = band_users([ranked], parse_measure("RR"), Gains(ranked.levels, np.array([0.0, 0.5])))
    >>> {name: value.round(4).tolist() for name, value in band.values.items()}
    {'plug-in': [0.5833], 'independent': [0.5833], 'comonotone': [0.5]}
    """
    kept = np.ones(len(ranked[0].topics), dtype=bool) if chosen is None else chosen
    depth = measure.depth or FOUND_DEPTH
    gains = pattern_gains(gains, ranked[0].levels)
    values = {"plug-in": _means(ranked, measure, gains, kept)}
    found = {}
    for kind in users:
        asked = ask_users(measure, kind)
        values[str(kind)] = values["plug-in"] if asked is None else _means(ranked, asked, gains, kept)
        found[str(kind)] = distribute_runs(ranked, gains, depth=depth, users=kind, chosen=kept)
    return UserBand(
        runs=tuple(run.name for run in ranked),
        measure=measure,
        gains=gains,
        values=values,
        taus={(a, b): kendall_tau(values[a], values[b]) for a, b in combinations(values, 2)},
        exact=all(ask_users(measure, kind) is None for kind in users),
        found=found,
        depth=depth,
        topics=int(kept.sum()),
    )


def _means(ranked: Sequence[RankedLevels], measure: Measure, gains: Gains, kept: npt.NDArray[np.bool_]) -> FloatArray:
    return np.array([measure.score(run, gains)[kept].mean() for run in ranked])
