"""Figures: plain data that says its finding in a sentence, lists its numbers, and draws itself with Altair.

A notebook shows a figure as a picture, and `figure.chart()` as a chart to point at; `save_figures` writes PNG, SVG and
PDF; the report's page draws the same charts. What each figure takes is in its class.
"""

from gainsayer.report.figures.amount_curve import AmountCurve
from gainsayer.report.figures.assessor_reliability import AssessorReliability
from gainsayer.report.figures.confusion_matrix import ConfusionMatrix
from gainsayer.report.figures.figure import Figure, as_grid, as_row
from gainsayer.report.figures.palettes import DARK, LIGHT, Palette
from gainsayer.report.figures.parameter_chart import ParameterChart
from gainsayer.report.figures.quality_curve import QualityCurve
from gainsayer.report.figures.rank_slope import RankSlope
from gainsayer.report.figures.run_forest import RunForest
from gainsayer.report.figures.saving import save_figures
from gainsayer.report.figures.tau_heatmap import TauHeatmap
from gainsayer.report.figures.topic_boxplot import TopicBoxplot
from gainsayer.report.figures.variance_shares import VarianceShares

__all__ = [
    "DARK",
    "LIGHT",
    "AmountCurve",
    "AssessorReliability",
    "ConfusionMatrix",
    "Figure",
    "Palette",
    "ParameterChart",
    "QualityCurve",
    "RankSlope",
    "RunForest",
    "TauHeatmap",
    "TopicBoxplot",
    "VarianceShares",
    "as_grid",
    "as_row",
    "save_figures",
]
