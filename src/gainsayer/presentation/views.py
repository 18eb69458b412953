"""How each kind of result is shown: plain data, tables for readers, the flat table, what was found, and the figure.

`gainsayer.display.Displayed` calls the functions here by name. To have another kind of result show itself, derive it
from that class and give it a line in `_VIEWS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gainsayer.display import as_arrow, as_pandas
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.presentation.fragment import render_html
from gainsayer.presentation.records import describe_findings
from gainsayer.presentation.tables import Cell, Table, choose_tables, render_csv, render_latex, render_markdown
from gainsayer.text import printable, write_json

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]
    import polars as pl

    from gainsayer.comparison.results import Comparison
    from gainsayer.disagreement.relevance import PredictedRelevance
    from gainsayer.evaluation.agreement import AgreementTable
    from gainsayer.evaluation.comparisons import ComparisonTable
    from gainsayer.evaluation.machine import RectifiedTable, SampleTable
    from gainsayer.evaluation.parameters import Fit
    from gainsayer.evaluation.scores import ScoreTable
    from gainsayer.machines.document_gains import DocumentGains
    from gainsayer.measures.scoring import Scores
    from gainsayer.presentation.figures.figure import Figure
    from gainsayer.presentation.paper_table import PaperTable

# A column in which nothing is known has no values to tell its type by; these hold text wherever they hold anything.
TEXT = frozenset(
    (
        *("estimator", "flags", "given", "group", "interval_method", "kind", "method", "note", "ranking", "relevant"),
        *("stratum", "threshold", "topic", "unit", "version"),
    )
)
_LONGEST = 100


@dataclass(frozen=True)
class View:
    """How to show one kind of result; each form is made only where asked for, as it may be long.

    Args:
        tables: for readers.
        flat: one flat table, nothing rounded.
        document: plain data for JSON; by default the rows of the flat table, and the findings.
        findings: what was found; by default those of the result.
        figure: the main figure; None where there is none.
        answer: what it says in sentences, before the tables.
        paper: the table of a paper with these columns, for LaTeX and Markdown; by default the tables for readers.
        words: what it is about, in a few words; by default the title of its first table.
    """

    tables: Callable[[Any], Sequence[Table]]
    flat: Callable[[Any], Table]
    document: Callable[[Any], dict[str, Any]] | None = None
    findings: Callable[[Any], Sequence[Finding]] = lambda result: tuple(result.findings)
    figure: Callable[[Any], Figure] | None = None
    answer: Callable[[Any], Sequence[str]] | None = None
    paper: Callable[[Any, Sequence[str] | None], Sequence[PaperTable]] | None = None
    words: Callable[[Any], str] | None = None


def _as_part_of(view: View, wrap: Callable[[Any], Any]) -> View:
    """The view of a step, shown as the result that has it for its only part."""
    document, figure, answer, paper, words = view.document, view.figure, view.answer, view.paper, view.words
    return View(
        lambda result: view.tables(wrap(result)),
        lambda result: view.flat(wrap(result)),
        None if document is None else lambda result: document(wrap(result)),
        figure=None if figure is None else lambda result: figure(wrap(result)),
        answer=None if answer is None else lambda result: answer(wrap(result)),
        paper=None if paper is None else lambda result, columns: paper(wrap(result), columns),
        words=None if words is None else lambda result: words(wrap(result)),
    )


def _say_fit(fit: Fit) -> str:
    return _say_prediction(fit.predictions[0])


def _say_prediction(prediction: PredictedRelevance) -> str:
    from gainsayer.presentation.figures.words import counted

    known = zip(prediction.levels.names, prediction.probability.tolist(), strict=True)
    worth = ", ".join(f"{level}: {value:.3f}" for level, value in known)
    relevant = " or ".join(prediction.relevance.names)
    return f"p(R|level) = {worth}; R = {relevant}, {prediction.estimator}, {counted(prediction.topics, 'topic')}"


def _say_agreement(table: AgreementTable) -> str:
    from gainsayer.presentation.figures.words import counted

    agreement = table.agreement
    same = agreement.coefficients["percent"].value
    return f"{same:.0%} of {counted(agreement.pairs, 'pair')} agree, {counted(agreement.topics, 'topic')}"


def _say_scores(table: ScoreTable) -> str:
    scores = table.scores
    return _say_runs(scores.runs, [str(one) for one, _ in scores.values], [kind for _, kind in scores.values], scores)


def _say_comparison(table: ComparisonTable) -> str:
    comparison = table.comparison
    measures = [str(part.measure) for part in comparison.parts]
    return _say_runs(comparison.runs, measures, [part.scheme.name for part in comparison.parts], comparison)


def _say_runs(runs: Sequence[str], measures: Sequence[str], gains: Sequence[str], result: Scores | Comparison) -> str:
    from gainsayer.presentation.figures.words import counted

    measured, kinds = (", ".join(dict.fromkeys(names)) for names in (measures, gains))
    return f"{counted(len(runs), 'run')}, {measured}, gains {kinds}, {counted(len(result.topics), 'topic')}"


def _say_sample(table: SampleTable) -> str:
    from gainsayer.presentation.figures.words import counted

    return f"{counted(int(table.drawn.sum()), 'document')} of {len(table.drawn):,} to judge, drawn by known chances"


def _say_documents(gains: DocumentGains) -> str:
    from gainsayer.presentation.figures.words import counted

    return f"{gains.kind} gains of {counted(len(gains.value), 'document')}"


def _say_rectified(table: RectifiedTable) -> str:
    from gainsayer.presentation.figures.words import counted

    measures = ", ".join(str(part.measure) for part in table.parts)
    return f"{counted(len(table.runs), 'run')}, {measures}, as people would score; {table.verdict.code}"


def _view_agreement() -> View:
    from gainsayer.presentation import agreement_tables as shown

    return View(
        shown.every_agreement_table,
        shown.agreement_rows,
        shown.describe_agreement,
        figure=lambda table: shown.agreement_figure(table.agreement),
        words=_say_agreement,
    )


def _view_agreement_alone() -> View:
    from gainsayer.evaluation.agreement import AgreementTable

    return _as_part_of(_view_agreement(), AgreementTable)


def _view_fit() -> View:
    from gainsayer.presentation import parameters as shown

    return View(
        shown.fit_tables,
        shown.fit_rows,
        shown.describe_fit,
        figure=lambda fit: shown.parameter_figure(fit.predictions),
        words=_say_fit,
    )


def _view_prediction() -> View:
    from gainsayer.presentation import parameters as shown

    return View(
        lambda prediction: [shown.prediction_table(prediction)],
        shown.prediction_rows,
        figure=lambda prediction: shown.parameter_figure([prediction]),
        words=_say_prediction,
    )


def _view_scores() -> View:
    from gainsayer.presentation import scores as shown

    return View(
        shown.score_tables,
        lambda table: shown.score_rows(table.scores),
        shown.describe_scores,
        figure=lambda table: shown.score_figure(table.scores),
        words=_say_scores,
    )


def _view_scores_alone() -> View:
    from gainsayer.evaluation.scores import ScoreTable

    return _as_part_of(_view_scores(), ScoreTable)


def _view_comparison() -> View:
    from gainsayer.presentation.comparison_answer import answer_comparison
    from gainsayer.presentation.comparison_records import describe_comparison
    from gainsayer.presentation.comparison_tables import comparison_rows, every_comparison_table
    from gainsayer.presentation.paper_table import paper_tables

    return View(
        every_comparison_table,
        comparison_rows,
        describe_comparison,
        figure=_draw_comparison,
        answer=answer_comparison,
        paper=paper_tables,
        words=_say_comparison,
    )


def _draw_comparison(table: ComparisonTable) -> Figure:
    from gainsayer.presentation.comparison_figures import comparison_figure

    return comparison_figure(table.comparison)


def _view_comparison_alone() -> View:
    from gainsayer.evaluation.comparisons import ComparisonTable

    return _as_part_of(_view_comparison(), ComparisonTable)


def _view_counts() -> View:
    from gainsayer.presentation import steps

    return View(steps.count_tables, steps.count_rows)


def _view_disagreement() -> View:
    from gainsayer.presentation import steps

    return View(steps.disagreement_tables, steps.disagreement_rows)


def _view_units() -> View:
    from gainsayer.evaluation.parameters import UNITS
    from gainsayer.presentation import steps

    return View(steps.unit_tables, steps.unit_rows, findings=lambda _: (Finding("units-shrunk", UNITS),))


def _view_gains() -> View:
    from gainsayer.presentation import steps

    return View(steps.gain_tables, steps.gain_rows, findings=lambda _: ())


def _view_diagnosis() -> View:
    from gainsayer.presentation import peer_checks as shown

    return View(shown.diagnosis_tables, shown.check_rows, shown.describe_diagnosis)


def _view_collection() -> View:
    from gainsayer.presentation.truth import describe_truth, truth_table

    return View(lambda made: [truth_table(made)], truth_table, describe_truth, findings=lambda _: ())


def _view_sample() -> View:
    from gainsayer.presentation import machine as shown

    return View(lambda table: [shown.sample_rows(table)], shown.sample_rows, words=_say_sample)


def _view_check() -> View:
    from gainsayer.presentation import machine as shown

    return View(
        shown.check_tables,
        shown.favour_rows,
        shown.describe_check,
        answer=shown.say_verdict,
        words=lambda table: str(table.verdict.text),
    )


def _view_rectified() -> View:
    from gainsayer.presentation import machine as shown

    return View(
        shown.rectified_tables,
        shown.rectified_rows,
        shown.describe_rectified,
        answer=shown.say_verdict,
        words=_say_rectified,
    )


def _view_documents() -> View:
    from gainsayer.presentation import machine as shown

    return View(
        lambda gains: [shown.document_rows(gains)], shown.document_rows, findings=lambda _: (), words=_say_documents
    )


def _view_machine_gains() -> View:
    from gainsayer.presentation import machine as shown

    return View(
        lambda table: [shown.gain_rows(table)], shown.gain_rows, words=lambda table: _say_documents(table.gains)
    )


def _view_plan() -> View:
    from gainsayer.presentation import plans as shown

    return View(
        shown.plan_tables,
        shown.plan_rows,
        shown.describe_plan,
        figure=shown.plan_figure,
        answer=shown.answer_plan,
        words=shown.say_plan,
    )


def _view_study() -> View:
    from gainsayer.presentation.studies import describe_study, study_rows, study_tables
    from gainsayer.presentation.study_figures import draw_study

    return View(study_tables, study_rows, describe_study, figure=lambda table: draw_study(table.studies[0]))


def _view_study_alone() -> View:
    from gainsayer.evaluation.studies import StudyTable

    return _as_part_of(_view_study(), lambda study: StudyTable((study,)))


# By the name of the class, so that showing one kind of result loads what belongs to it alone.
_VIEWS: dict[str, Callable[[], View]] = {
    "AgreementTable": _view_agreement,
    "Agreement": _view_agreement_alone,
    "Fit": _view_fit,
    "PredictedRelevance": _view_prediction,
    "ScoreTable": _view_scores,
    "Scores": _view_scores_alone,
    "ComparisonTable": _view_comparison,
    "Comparison": _view_comparison_alone,
    "PairCounts": _view_counts,
    "Disagreement": _view_disagreement,
    "UnitEstimates": _view_units,
    "Gains": _view_gains,
    "Diagnosis": _view_diagnosis,
    "SimulatedCollection": _view_collection,
    "SampleTable": _view_sample,
    "CheckTable": _view_check,
    "RectifiedTable": _view_rectified,
    "DocumentGains": _view_documents,
    "GainTable": _view_machine_gains,
    "PlanTable": _view_plan,
    "StudyTable": _view_study,
    **dict.fromkeys(("TopicStudy", "AmountStudy", "QualityStudy", "RobustnessStudy", "GainStudy"), _view_study_alone),
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
        if kind.__module__.startswith("gainsayer.") and kind.__name__ in _VIEWS:
            return _VIEWS[kind.__name__]()
    name = type(result).__name__
    raise CallError(f"There are no tables for {name!r}: only results of Gainsayer are shown as such.")


def describe(result: object) -> dict[str, Any]:
    """The result as plain data for JSON."""
    view = find_view(result)
    if view.document is not None:
        return view.document(result)
    return {"rows": make_frame(result).to_dicts(), "warnings": describe_findings(view.findings(result))}


def draw(result: object) -> Figure:
    """The main figure of a result.

    Raises:
        CallError: it has none.
    """
    view = find_view(result)
    if view.figure is None:
        raise CallError(f"There is no figure of a {type(result).__name__}: its tables say all of it.")
    return view.figure(result)


def say(result: object) -> str:
    """The result in one line."""
    view = find_view(result)
    if view.words is not None:
        words = view.words(result)
    else:
        titles = [table.title for table in view.tables(result)[:1]]
        words = titles[0] if titles else ""
    shown = printable(words).replace("\n", " ")
    return f"{type(result).__name__}({shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + '…'})"


def write_json_of(result: object) -> str:
    """The result as JSON text."""
    return write_json(describe(result))


def write_html(result: object) -> str:
    """The tables and, once each, the findings, for a notebook."""
    view = find_view(result)
    return render_html(choose_tables(view.tables(result)), tuple(dict.fromkeys(view.findings(result))))


def write_csv(result: object) -> str:
    """The flat table as CSV."""
    return render_csv(find_view(result).flat(result))


def write_markdown(result: object) -> str:
    """The table of a paper, or the tables, as Markdown."""
    view = find_view(result)
    if view.paper is not None:
        from gainsayer.presentation.paper_table import render_paper_markdown

        return render_paper_markdown(view.paper(result, None))
    return render_markdown(choose_tables(view.tables(result)))


def write_latex(result: object) -> str:
    """The table of a paper, or the tables, for LaTeX."""
    view = find_view(result)
    if view.paper is not None:
        from gainsayer.presentation.paper_table import render_paper_latex

        return render_paper_latex(view.paper(result, None))
    return render_latex(choose_tables(view.tables(result)))


def make_frame(result: object) -> pl.DataFrame:
    """The flat table as a data frame: numbers unrounded, text where a column holds both, null where nothing is known.

    >>> from gainsayer.gains.values import linear_gains
    >>> from gainsayer.levels import Levels
    >>> make_frame(linear_gains(Levels(("0", "1")))).get_column("gain").to_list()
    [0.0, 1.0]
    """
    import polars as pl

    table = find_view(result).flat(result)
    return pl.DataFrame(
        [make_series(column.key, [row[place] for row in table.rows]) for place, column in enumerate(table.columns)]
    )


def make_pandas(result: object) -> pd.DataFrame:
    """The flat table as a pandas data frame; whole numbers that are not all known are floats, as pandas has them.

    Raises:
        CallError: pandas is not installed.
    """
    return as_pandas(make_frame(result))


def make_arrow(result: object) -> Any:
    """The flat table as a pyarrow table where pyarrow is installed, else as a frame that gives an Arrow stream."""
    return as_arrow(make_frame(result))


def make_series(key: str, cells: Sequence[Cell]) -> pl.Series:
    """One column: Int64 for whole numbers, Float64 for numbers, else String; NaN becomes null.

    >>> make_series("p", [1, None, 0.5]).to_list(), make_series("p", [1, "many"]).to_list()
    ([1.0, None, 0.5], ['1', 'many'])
    """
    import polars as pl

    values = [None if cell is None or cell != cell else cell for cell in cells]
    known = [value for value in values if value is not None]
    if any(isinstance(value, str) for value in known) or (not known and key in TEXT):
        return pl.Series(key, [None if value is None else str(value) for value in values], dtype=pl.String)
    whole = known and all(isinstance(value, int) for value in known)
    return pl.Series(key, values, dtype=pl.Int64 if whole else pl.Float64)
