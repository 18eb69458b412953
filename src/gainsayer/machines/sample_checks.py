"""Were people's documents chosen with the chances that are given? What can be seen of it."""

from __future__ import annotations

import numpy as np
import scipy

from gainsayer.findings import Finding
from gainsayer.machines.sample import Sample
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

CLEARLY = 0.001
_THIRDS = ("the best third of ranks", "the middle third", "the last third")


def check_sample(sample: Sample, names: tuple[str, ...], rank: FloatArray | None = None) -> tuple[Finding, ...]:
    """Do the judged documents stand for as many as there are, in every grade and in every third of the ranks?

    sum of delta/pi over a group estimates its known size; chi-square over the groups, with the variance
    sum of delta (1 - pi) / pi^2 of each. It notices people who leave out documents of some kind. It cannot notice those
    who leave out the hard ones within a grade.

    Args:
        sample: what people said.
        names: of the grades.
        rank: the best rank of each document, NaN where no run has it; shape [documents].

    >>> topic, grade = np.repeat(np.arange(20), 50), np.tile([0, 1], 500)
    >>> drawn = np.random.default_rng(1).random(1000) < 0.3
    >>> told = np.where(drawn, grade, np.nan)
    >>> sample = Sample(topic, grade, told, np.full(1000, 0.3), np.ones(20, bool), 2)
    >>> skipped = np.where(grade == 1, np.where(np.arange(1000) % 3 > 0, np.nan, told), told)
    >>> check_sample(sample, ("0", "1"))
    ()
    >>> bad = Sample(topic, grade, skipped, np.full(1000, 0.3), np.ones(20, bool), 2)
    >>> print(check_sample(bad, ("0", "1"))[0].message)  # doctest: +ELLIPSIS
    Judged documents do not stand for as many as there are: 1 (... for 500). Were some left out?
    """
    groups = [(sample.grade, names)]
    if rank is not None:
        known = ~np.isnan(rank)
        edges = np.quantile(rank[known], [1 / 3, 2 / 3]) if known.any() else np.zeros(2)
        groups.append((np.where(known, np.searchsorted(edges, rank, side="left"), 3), (*_THIRDS, "no run's")))
    found = []
    for group, called in groups:
        odd = _odd_groups(sample, group, called)
        if odd:
            said = f"Judged documents do not stand for as many as there are: {odd}. Were some left out?"
            found.append(Finding("uneven-second-sample", said))
    return tuple(found)


def _odd_groups(sample: Sample, group: IntArray, names: tuple[str, ...]) -> str:
    """The groups that are off by more than twice their error, in words; empty where chance explains them all."""
    inside = sample.seen[sample.topic]
    size = len(names)
    held = np.bincount(group[inside], minlength=size).astype(np.float64)
    stands = np.bincount(group[inside], sample.weight[inside], minlength=size)
    pi = np.where(sample.judged, sample.probability, 1.0)
    # At least what one more document of the group would add: an empty group is not known without error.
    spread = np.bincount(group[inside], ((1 - pi) / pi**2)[inside], minlength=size)
    least = (1 - pi[sample.judged].mean()) * held / pi[sample.judged].mean()
    spread = np.maximum(spread, np.where(stands < held, least, 0.0))
    there = (held > 0) & (spread > 0)
    z = (stands - held)[there] / np.sqrt(spread[there])
    if not there.any() or scipy.special.chdtrc(int(there.sum()), float((z**2).sum())) >= CLEARLY:
        return ""
    places = np.flatnonzero(there)[np.abs(z) > 2]
    return ", ".join(f"{names[place]} ({stands[place]:.0f} for {held[place]:.0f})" for place in places.tolist())
