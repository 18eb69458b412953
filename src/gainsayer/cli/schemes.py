"""Schemes of gains on the command line: every kind asked for, with every threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gainsayer.cli.gaining import GainRequest, GainSource, gain_of_unjudged, make_kind
from gainsayer.errors import CallError

if TYPE_CHECKING:
    from gainsayer.comparison.schemes import FittedElsewhere, Scheme
    from gainsayer.levels import Levels, Relevance


def make_schemes(
    levels: Levels, request: GainRequest, source: GainSource, relevances: Sequence[Relevance]
) -> list[Scheme]:
    """The schemes: by default PRM beside binary where there is a model, else binary; one each per threshold.

    PRM gains that were estimated here carry the way to draw them again; those of a model file are taken as given.
    """
    from gainsayer.comparison.schemes import Scheme, prm_scheme, udm_scheme, with_unjudged

    if request.unjudged == "bounds":
        raise CallError("--unjudged bounds makes two scores of one: use `gainsayer score`, or another policy here.")
    modelled = source.probability is not None or source.disagreement is not None
    names = request.schemes or (("prm", "binary") if modelled else ("binary",))
    made: list[Scheme] = []
    for relevance in relevances:
        for name in names:
            if name == "prm" and source.disagreement is not None:
                scheme = prm_scheme(source.disagreement, relevance, overrides=request.by_hand)
            elif name == "udm" and source.disagreement is not None:
                scheme = udm_scheme(source.disagreement)
            else:
                meant = relevance if name in ("prm", "binary") else None
                fitted = _fitted(levels, request, source) if name == "prm" else None
                scheme = Scheme(make_kind(levels, name, request, source, relevance), relevance=meant, fitted=fitted)
            made.append(with_unjudged(scheme, gain_of_unjudged(scheme.gains, request.unjudged)))
    unique = {(scheme.name, scheme.threshold): scheme for scheme in made}
    return [replace(scheme) for scheme in unique.values()]


def _fitted(levels: Levels, request: GainRequest, source: GainSource) -> FittedElsewhere | None:
    """How closely the model's probabilities are known, level by level as here; gains by hand are taken as given."""
    import numpy as np

    from gainsayer.comparison.schemes import FittedElsewhere

    if source.covariance is None or source.probability is None:
        return None
    rows, topics = source.covariance
    place = {name: at for at, name in enumerate(source.probability)}
    if len(place) != len(rows):
        return None
    whole = np.full((len(levels), len(levels)), np.nan)
    shared = [(here, place[name]) for here, name in enumerate(levels.names) if name in place]
    given = {levels.index(level) for level in request.by_hand}
    for here, there in shared:
        for other, beside in shared:
            if here not in given and other not in given:
                whole[here, other] = rows[there][beside]
    return FittedElsewhere(whole, topics) if np.isfinite(np.diagonal(whole)).any() else None
