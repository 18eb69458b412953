"""What second opinions vary by: between topics, within them, between people. From a pilot, or guessed.

A second opinion of document d in topic t with first label i is `X_d = p_i + u_ti + eps_d`: u with covariance Omega
between the levels of a topic, eps with variance `(1 - rho_i) p_i q_i`, where `rho_i = Omega_ii / (p_i q_i)` says
how far a topic's documents of a level agree with one another. Second judgments of the same topics reduce eps alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gainsayer.errors import CallError
from gainsayer.levels import Levels
from gainsayer.planning.keys import FloatArray

Source = Literal["pilot", "guess", "default"]
INTRACLASS = 0.35  # without a pilot; 0.25 predicted standard deviations of 0.73 of the true ones
CORRELATION = 0.7  # between levels of a topic, without a pilot
BAND = (0.1, 0.6)  # what the intraclass correlation may be, without a pilot
LEAST_INTRACLASS, MOST_INTRACLASS = 0.01, 0.9
ASSESSOR_DEVIATION = 0.15  # of p(R|i) from person to person, where fewer than four people tell
FEWEST_ASSESSORS = 4
_SHRINKAGE = 10.0
_HALF_INFORMED = 5.0


@dataclass(frozen=True, eq=False)
class Components:
    """What is known, or guessed, about second opinions.

    Args:
        probability: p(R|i); shape [levels].
        spread: p (1 - p), the variance of one opinion; from a pilot with half a count added, so above 0.
        covariance: Omega, between topics; shape [levels, levels].
        deviation: of p(R|i) from person to person; shape [levels].
        source: where each level's probability comes from.
        residual: e_ti / n_i, each topic's part of p(R|i) minus p, from a pilot, shape [topics, levels]; None
            without one.
    """

    probability: FloatArray
    spread: FloatArray
    covariance: FloatArray
    deviation: FloatArray
    source: tuple[Source, ...]
    residual: FloatArray | None = None

    @property
    def intraclass(self) -> FloatArray:
        """rho, the correlation of two opinions on a level's documents of one topic; shape [levels]."""
        return np.asarray(np.diag(self.covariance) / self.spread)

    @property
    def within(self) -> FloatArray:
        """sigma^2 = (1 - rho) p (1 - p), what second judgments of the same topics reduce; shape [levels]."""
        return np.asarray(self.spread - np.diag(self.covariance))


def estimate_components(relevant: FloatArray, judged: FloatArray) -> Components:
    """The components from a pilot: relevant and all second opinions per topic and first label, shape [topics, levels].

    With `e_ti = x_ti - p_i m_ti`: `Omega_ik = sum_t e_ti e_tk / sum_t m_ti m_tk`, and `Omega_ii` likewise over pairs of
    different documents; the covariance of the estimated p, eq. (24), is added back, as e is measured from them. p is
    `(x + 1/2) / (n + 1)` in variances, so that a level on which all agreed still gets judgments. rho_i is shrunk
    towards the pooled one with weight `topics / (topics + 10)`, where a topic with m opinions counts `m / (m + 5)` in
    the pooled one, and the other entries of Omega by the same factor.

    Levels without opinions are left to `fill_components`: their entries are NaN.

    >>> judged = np.full((20, 2), 10.0)
    >>> relevant = np.column_stack([np.tile([1.0, 3.0], 10), np.tile([4.0, 8.0], 10)])
    >>> found = estimate_components(relevant, judged)
    >>> found.probability.round(3).tolist(), found.intraclass.round(3).tolist()
    ([0.2, 0.6], [0.01, 0.063])
    """
    total = judged.sum(axis=0)
    told: Source = "pilot"
    seen = total > 0
    safe = np.where(seen, total, 1.0)
    mean = relevant.sum(axis=0) / safe
    smooth = (relevant.sum(axis=0) + 0.5) / (total + 1)
    spread = smooth * (1 - smooth)
    residual = relevant - mean * judged
    squares = relevant * (1 - mean) ** 2 + (judged - relevant) * mean**2  # sum over documents of e_d^2
    held = (judged > 0).sum(axis=0).astype(np.float64)
    topics = int((judged.sum(axis=1) > 0).sum())
    products = residual.T @ residual
    pairs = judged.T @ judged
    np.fill_diagonal(products, np.diag(products) - squares.sum(axis=0))
    np.fill_diagonal(pairs, np.diag(pairs) - total)
    raw = np.divide(products, pairs, out=np.zeros_like(products), where=pairs > 0)
    centring = residual.T @ residual / np.outer(safe, safe) * topics / max(topics - 1, 1)
    raw = raw + centring

    informed = np.diag(pairs) > 0
    own = np.where(informed, np.diag(raw) / spread, 0.0)
    weight = (judged / (judged + _HALF_INFORMED)).sum(axis=0) * informed
    pooled = float((own * weight).sum() / weight.sum()) if weight.any() else INTRACLASS
    kept = np.where(informed, held / (held + _SHRINKAGE), 0.0)
    intraclass = np.clip(kept * own + (1 - kept) * pooled, LEAST_INTRACLASS, MOST_INTRACLASS)
    covariance = raw * np.sqrt(np.outer(kept, kept))
    np.fill_diagonal(covariance, intraclass * spread)
    covariance[~seen] = covariance[:, ~seen] = np.nan
    return Components(
        probability=np.where(seen, mean, np.nan),
        spread=np.where(seen, spread, np.nan),
        covariance=covariance,
        deviation=np.full(len(total), ASSESSOR_DEVIATION),
        source=(told,) * len(total),
        residual=residual / safe,
    )


def default_probabilities(levels: int) -> FloatArray:
    """Guesses of p(R|i) where nothing is known: evenly from 0.1 for the lowest level to 0.8 for the highest.

    >>> default_probabilities(3).round(2).tolist()
    [0.1, 0.45, 0.8]
    """
    return np.linspace(0.1, 0.8, levels) if levels > 1 else np.array([0.45])


def fill_components(
    levels: Levels,
    pilot: Components | None = None,
    *,
    guesses: Mapping[str, float] | None = None,
    intraclass: float | None = None,
    deviation: float | FloatArray | None = None,
) -> Components:
    """The components of all levels: from the pilot where it tells, as guessed, or by default.

    Args:
        levels: the levels.
        pilot: what a pilot says.
        guesses: level to p(R|i), before the pilot.
        intraclass: rho of levels that the pilot does not tell; of all levels where it is given.
        deviation: of p(R|i) from person to person.

    Raises:
        CallError: a guess is no probability between 0 and 1, or the intraclass correlation does not lie in [0, 1).

    >>> found = fill_components(Levels(("0", "1")), guesses={"1": 0.6})
    >>> found.probability.tolist(), found.source, found.intraclass.round(3).tolist()
    ([0.1, 0.6], ('default', 'guess'), [0.35, 0.35])
    """
    size = len(levels)
    probability, source = default_probabilities(size), ["default"] * size
    spread = probability * (1 - probability)
    covariance = np.full((size, size), np.nan)
    if pilot is not None:
        told = ~np.isnan(pilot.probability)
        probability = np.where(told, pilot.probability, probability)
        spread = np.where(told, pilot.spread, spread)
        source = ["pilot" if here else "default" for here in told]
        covariance = pilot.covariance.copy()
    for name, value in (guesses or {}).items():
        if not 0 < value < 1:
            raise CallError(f"A guess of p(R|{name}) lies between 0 and 1, found {value}.")
        place = levels.index(name)
        scale = np.sqrt(value * (1 - value) / spread[place])
        probability[place], spread[place], source[place] = value, value * (1 - value), "guess"
        covariance[place] *= scale
        covariance[:, place] *= scale
    if intraclass is not None and not 0 <= intraclass < 1:
        raise CallError(f"An intraclass correlation lies from 0 to below 1, found {intraclass}.")
    if intraclass is not None or pilot is None:
        wanted = INTRACLASS if intraclass is None else intraclass
        own = np.sqrt(wanted * spread)
        covariance = CORRELATION * np.outer(own, own)
        np.fill_diagonal(covariance, own**2)
    else:
        known = pilot.intraclass
        usual = float(np.nanmean(known)) if np.isfinite(known).any() else INTRACLASS
        own = np.sqrt(np.where(np.isnan(np.diag(covariance)), usual * spread, np.diag(covariance)))
        guessed = CORRELATION * np.outer(own, own)
        np.fill_diagonal(guessed, own**2)
        covariance = np.where(np.isnan(covariance), guessed, covariance)
    people = ASSESSOR_DEVIATION if deviation is None else deviation
    return Components(
        probability=probability,
        spread=spread,
        covariance=_positive(covariance),
        deviation=np.broadcast_to(np.asarray(people, np.float64), (size,)).copy(),
        source=tuple(source),  # type: ignore[arg-type]
        residual=None if pilot is None else pilot.residual,
    )


def estimate_deviation(relevant: FloatArray, judged: FloatArray, *, fewest: int = 5) -> FloatArray | None:
    """How far p(R|i) differs from person to person, beyond chance; None where fewer than four people tell.

    Args:
        relevant: relevant opinions of each second assessor by first label; shape [assessors, levels].
        judged: all of them; likewise.
        fewest: opinions of a person on a level that are enough to count.

    >>> judged = np.full((4, 1), 1000.0)
    >>> estimate_deviation(judged * [[0.2], [0.4], [0.4], [0.6]], judged).round(3).tolist()
    [0.163]
    """
    found = np.full(judged.shape[1], np.nan)
    for level in range(judged.shape[1]):
        told = judged[:, level] >= fewest
        if told.sum() < FEWEST_ASSESSORS:
            continue
        count = judged[told, level]
        share = relevant[told, level] / count
        chance = float((share * (1 - share) / np.maximum(count - 1, 1)).mean())
        found[level] = np.sqrt(max(float(share.var(ddof=1)) - chance, 0.0))
    if np.isnan(found).all():
        return None
    return np.where(np.isnan(found), np.nanmean(found), found)


def _positive(covariance: FloatArray) -> FloatArray:
    """The nearest covariance without negative eigenvalues, its diagonal kept; as it is where it has none."""
    values, vectors = np.linalg.eigh(covariance)
    if values.min() >= 0:
        return covariance
    mended = (vectors * np.maximum(values, 0.0)) @ vectors.T
    scale = np.sqrt(np.diag(covariance) / np.maximum(np.diag(mended), 1e-300))
    return np.asarray(mended * np.outer(scale, scale))
