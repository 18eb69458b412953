"""Scores in; differences, intervals, tests, rank correlations out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.comparison.correlation import kendall_tau
    from gainsayer.comparison.results import Comparison
    from gainsayer.comparison.run_comparison import compare_runs

_HOMES = {"Comparison": "results", "compare_runs": "run_comparison", "kendall_tau": "correlation"}
__all__ = ["Comparison", "compare_runs", "kendall_tau"]
__getattr__, __dir__ = late_names(__name__, _HOMES)
