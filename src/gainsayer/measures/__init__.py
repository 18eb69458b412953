"""Ranked levels and gains in, one number per topic out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.measures.catalogue import Measure, parse_measure
    from gainsayer.measures.families import add_family
    from gainsayer.measures.family import Family, Parameter
    from gainsayer.measures.linear import Linear
    from gainsayer.measures.scoring import Scores, score_runs

_HOMES = {
    "Family": "family",
    "Linear": "linear",
    "Measure": "catalogue",
    "Parameter": "family",
    "Scores": "scoring",
    "add_family": "families",
    "parse_measure": "catalogue",
    "score_runs": "scoring",
}
__all__ = ["Family", "Linear", "Measure", "Parameter", "Scores", "add_family", "parse_measure", "score_runs"]
__getattr__, __dir__ = late_names(__name__, _HOMES)
