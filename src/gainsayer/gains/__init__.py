"""Gains: what a document of each level is worth, by rule or by what assessors said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.gains.kinds import prm_gains, udm_gains, utility_gains
    from gainsayer.gains.posterior import Posterior, posterior_gains
    from gainsayer.gains.schemes import GainSource, Model, Scheme, make_scheme, prm_scheme
    from gainsayer.gains.values import Gains, binary_gains, custom_gains, exponential_gains, linear_gains

_HOMES = {
    "GainSource": "schemes",
    "Gains": "values",
    "Model": "schemes",
    "Posterior": "posterior",
    "Scheme": "schemes",
    "binary_gains": "values",
    "custom_gains": "values",
    "exponential_gains": "values",
    "linear_gains": "values",
    "make_scheme": "schemes",
    "posterior_gains": "posterior",
    "prm_gains": "kinds",
    "prm_scheme": "schemes",
    "udm_gains": "kinds",
    "utility_gains": "kinds",
}
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
# What the room's own tests use as well.
_INSIDE = {
    "FittedElsewhere": "schemes",
    "KINDS": "schemes",
    "gains_from": "schemes",
    "name_lacking": "schemes",
    "pattern_gains": "values",
    "udm_scheme": "schemes",
    "with_unjudged": "schemes",
}
__getattr__, __dir__ = late_names(__name__, _HOMES, _INSIDE)
