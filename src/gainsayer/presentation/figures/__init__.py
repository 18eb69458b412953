"""Figures: plain data that says its finding in a sentence, lists its numbers, and draws itself with Altair.

A notebook shows a figure as a picture, and `figure.chart()` as a chart to point at; `save_figures` writes PNG, SVG and
PDF; the report's page draws the same charts. What each figure takes is in its class.
"""

from gainsayer.presentation.figures.amount_curve import AmountCurve
from gainsayer.presentation.figures.assessor_reliability import AssessorReliability
from gainsayer.presentation.figures.confusion_matrix import ConfusionMatrix
from gainsayer.presentation.figures.figure import Figure, as_grid, as_row
from gainsayer.presentation.figures.files import save_figures
from gainsayer.presentation.figures.palettes import DARK, LIGHT, Palette
from gainsayer.presentation.figures.parameter_chart import ParameterChart
from gainsayer.presentation.figures.quality_curve import QualityCurve
from gainsayer.presentation.figures.rank_slope import RankSlope
from gainsayer.presentation.figures.run_forest import RunForest
from gainsayer.presentation.figures.tau_heatmap import TauHeatmap
from gainsayer.presentation.figures.topic_boxplot import TopicBoxplot
from gainsayer.presentation.figures.variance_shares import VarianceShares

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
