"""How each kind of result is shown: its tables for readers, its flat table, and what was found.

`gainsayer.display.Displayed` calls the functions here by name. To have another kind of result show itself, derive it
from that class and give it a line in `_VIEWS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from gainsayer.comparison.results import Comparison
from gainsayer.counts.pairs import PairCounts
from gainsayer.disagreement.agreement import Agreement
from gainsayer.disagreement.estimate import Disagreement
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.disagreement.units import UnitEstimates
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.gains import Gains
from gainsayer.measures.scoring import Scores
from gainsayer.report import steps
from gainsayer.report.agreeing import agreement_rows, agreement_tables
from gainsayer.report.comparison_tables import comparison_rows, comparison_tables
from gainsayer.report.fitting import UNITS, prediction_rows, prediction_table
from gainsayer.report.fragment import render_html
from gainsayer.report.scoring import score_rows, score_tables
from gainsayer.report.studying import StudyReport, report_topics
from gainsayer.report.studying_curves import report_amount, report_quality
from gainsayer.report.studying_orders import report_gains, report_robustness
from gainsayer.report.tables import Cell, Table, render_csv, render_latex, render_markdown
from gainsayer.studies.amount import AmountStudy
from gainsayer.studies.gain_schemes import GainStudy
from gainsayer.studies.quality import QualityStudy
from gainsayer.studies.robustness import RobustnessStudy
from gainsayer.studies.topics import TopicStudy

# A column in which nothing is known has no values to tell its type by; these hold text wherever they hold anything.
TEXT = frozenset(
    ("estimator", "group", "interval_method", "kind", "note", "relevant", "stratum", "threshold", "topic", "unit")
)
_SIDES = ("the first side", "the second side")


def _found(result: Any) -> Sequence[Finding]:
    return tuple(result.findings)


@dataclass(frozen=True)
class View:
    """How to show one kind of result; the flat table is made only where asked for, as it may be long."""

    tables: Callable[[Any], Sequence[Table]]
    flat: Callable[[Any], Table]
    findings: Callable[[Any], Sequence[Finding]] = _found


def _view_study(report: Callable[[Any], StudyReport]) -> View:
    return View(lambda study: report(study).tables, lambda study: report(study).flat)


_VIEWS: dict[type, View] = {
    PairCounts: View(steps.count_tables, steps.count_rows),
    Agreement: View(agreement_tables, lambda agreement: agreement_rows({None: agreement})),
    Disagreement: View(steps.disagreement_tables, steps.disagreement_rows),
    PredictedRelevance: View(lambda prediction: [prediction_table(prediction)], prediction_rows),
    UnitEstimates: View(steps.unit_tables, steps.unit_rows, lambda _: (Finding("units-shrunk", UNITS),)),
    Gains: View(steps.gain_tables, steps.gain_rows, lambda _: ()),
    Scores: View(
        lambda scores: score_tables(scores, per_topic=False), lambda scores: score_rows(scores, per_topic=False)
    ),
    Comparison: View(comparison_tables, lambda comparison: comparison_rows({None: comparison})),
    TopicStudy: _view_study(lambda study: report_topics({None: [study]}, provenance={})),
    AmountStudy: _view_study(lambda study: report_amount({None: [study]}, provenance={})),
    QualityStudy: _view_study(lambda study: report_quality({None: [study]}, seed=None, provenance={})),
    RobustnessStudy: _view_study(lambda study: report_robustness([study], sides=_SIDES, provenance={})),
    GainStudy: _view_study(lambda study: report_gains({None: [study]}, provenance={})),
}


def find_view(result: object) -> View:
    """How to show this result, by its type or the nearest one it derives from.

    Raises:
        CallError: there are no tables for such a thing.

    >>> find_view(3)
    Traceback (most recent call last):
    gainsayer.errors.CallError: There are no tables for 'int': only results of Gainsayer are shown as such.
    """
    for kind in type(result).__mro__:
        if kind in _VIEWS:
            return _VIEWS[kind]
    name = type(result).__name__
    raise CallError(f"There are no tables for {name!r}: only results of Gainsayer are shown as such.")


def write_html(result: object) -> str:
    """The tables and, once each, the findings, for a notebook."""
    view = find_view(result)
    return render_html(view.tables(result), tuple(dict.fromkeys(view.findings(result))))


def write_csv(result: object) -> str:
    """The flat table as CSV."""
    return render_csv(find_view(result).flat(result))


def write_markdown(result: object) -> str:
    """The tables as Markdown."""
    return render_markdown(find_view(result).tables(result))


def write_latex(result: object) -> str:
    """The tables for LaTeX."""
    return render_latex(find_view(result).tables(result))


def make_frame(result: object) -> pl.DataFrame:
    """The flat table as a data frame: numbers unrounded, text where a column holds both, null where nothing is known.

    >>> from gainsayer.gains import linear_gains
    >>> from gainsayer.levels import Levels
    >>> make_frame(linear_gains(Levels(("0", "1")))).get_column("gain").to_list()
    [0.0, 1.0]
    """
    table = find_view(result).flat(result)
    return pl.DataFrame(
        [make_series(column.key, [row[place] for row in table.rows]) for place, column in enumerate(table.columns)]
    )


def make_series(key: str, cells: Sequence[Cell]) -> pl.Series:
    """One column: Int64 for whole numbers, Float64 for numbers, else String; NaN becomes null.

    >>> make_series("p", [1, None, 0.5]).to_list(), make_series("p", [1, "many"]).to_list()
    ([1.0, None, 0.5], ['1', 'many'])
    """
    values = [None if cell is None or cell != cell else cell for cell in cells]
    known = [value for value in values if value is not None]
    if any(isinstance(value, str) for value in known) or (not known and key in TEXT):
        return pl.Series(key, [None if value is None else str(value) for value in values], dtype=pl.String)
    whole = known and all(isinstance(value, int) for value in known)
    return pl.Series(key, values, dtype=pl.Int64 if whole else pl.Float64)
