"""Ranked levels and gains in, one number per topic out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.measures.catalogue import Measure, parse_measure
    from gainsayer.measures.scoring import Scores, score_runs

_HOMES = {"Measure": "catalogue", "Scores": "scoring", "parse_measure": "catalogue", "score_runs": "scoring"}
__all__ = ["Measure", "Scores", "parse_measure", "score_runs"]
__getattr__, __dir__ = late_names(__name__, _HOMES)
