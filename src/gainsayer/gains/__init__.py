"""Gains: what a document of each level is worth, by rule or by what assessors said."""

from __future__ import annotations

from gainsayer.gains.kinds import prm_gains, udm_gains, utility_gains
from gainsayer.gains.posterior import Posterior, posterior_gains
from gainsayer.gains.schemes import (
    KINDS,
    FittedElsewhere,
    GainSource,
    Model,
    Scheme,
    gains_from,
    make_scheme,
    name_lacking,
    prm_scheme,
    udm_scheme,
    with_unjudged,
)
from gainsayer.gains.values import Gains, binary_gains, custom_gains, exponential_gains, linear_gains, pattern_gains

__all__ = [
    "GainSource",
    "Gains",
    "Model",
    "Posterior",
    "Scheme",
    "binary_gains",
    "custom_gains",
    "exponential_gains",
    "linear_gains",
    "make_scheme",
    "posterior_gains",
    "prm_gains",
    "prm_scheme",
    "udm_gains",
    "utility_gains",
]
