"""Figures: plain data that says its finding in a sentence, lists its numbers, and draws itself as SVG.

A notebook shows a figure as a picture; `figure.save("name.png")` writes SVG, PNG or PDF, `save_figures` several of
them; the report's page shows the same drawings. What each figure takes is in its class.
"""

from __future__ import annotations

from gainsayer.commands.figures.amount_curve import AmountCurve
from gainsayer.commands.figures.assessor_reliability import AssessorReliability
from gainsayer.commands.figures.confusion_matrix import ConfusionMatrix
from gainsayer.commands.figures.difference_line import DifferenceLine
from gainsayer.commands.figures.figure import Figure, as_grid, as_row
from gainsayer.commands.figures.files import save_figures
from gainsayer.commands.figures.machine_grades import MachineGrades
from gainsayer.commands.figures.palettes import DARK, LIGHT, Palette
from gainsayer.commands.figures.panels import Panels, show_panels
from gainsayer.commands.figures.parameter_chart import ParameterChart
from gainsayer.commands.figures.plan_curve import PlanCurve
from gainsayer.commands.figures.quality_curve import QualityCurve
from gainsayer.commands.figures.rank_slope import RankSlope
from gainsayer.commands.figures.run_arrows import RunArrows
from gainsayer.commands.figures.run_differences import RunDifferences
from gainsayer.commands.figures.run_forest import RunForest
from gainsayer.commands.figures.topic_boxplot import TopicBoxplot
from gainsayer.commands.figures.topic_dots import TopicDifferences, TopicSpread

__all__ = [
    "DARK",
    "LIGHT",
    "AmountCurve",
    "AssessorReliability",
    "ConfusionMatrix",
    "DifferenceLine",
    "Figure",
    "MachineGrades",
    "Palette",
    "Panels",
    "ParameterChart",
    "PlanCurve",
    "QualityCurve",
    "RankSlope",
    "RunArrows",
    "RunDifferences",
    "RunForest",
    "TopicBoxplot",
    "TopicDifferences",
    "TopicSpread",
    "as_grid",
    "as_row",
    "save_figures",
    "show_panels",
]
