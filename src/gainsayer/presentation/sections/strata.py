"""Do kinds of topics differ? Each with its own parameters, and its runs compared with these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gainsayer.comparison.results import Comparison
from gainsayer.evaluation.parameters import Fit
from gainsayer.findings import Finding
from gainsayer.presentation.comparison_tables import run_table
from gainsayer.presentation.content import NamedTable, Section
from gainsayer.presentation.figures.words import counted, name_relevance, percent, quoted
from gainsayer.presentation.parameters import fit_tables
from gainsayer.presentation.plain import number


def strata_section(strata: Mapping[str, tuple[Fit, Comparison | None]]) -> Section:
    """The parameters of each stratum, and its run table."""
    tables: list[NamedTable] = []
    findings: list[Finding] = []
    for place, (name, (fit, comparison)) in enumerate(strata.items(), start=1):
        tables.append(NamedTable(f"stratum-{place}-parameters", fit_tables(fit, stratum=name)[0]))
        findings += fit.findings
        if comparison is not None:
            measure = comparison.parts[0].measure
            title = (
                f"{quoted(name)} topics: {measure} of the runs, mean over {counted(len(comparison.topics), 'topic')}"
            )
            table = replace(run_table(comparison, measure), title=title)
            tables.append(NamedTable(f"stratum-{place}-runs", table))
    return Section(
        id="strata",
        title="Do kinds of topics differ?",
        paragraphs=(
            _say(strata),
            "Each kind of topics has parameters of its own, estimated from its own double judgments, and its runs are "
            "scored on its own topics with these. Numbers for all topics together are led by the kind with the most "
            "judgments. Columns are read as in the run table below.",
        ),
        findings=tuple(dict.fromkeys(findings)),
        tables=tuple(tables),
    )


def _say(strata: Mapping[str, tuple[Fit, Comparison | None]]) -> str:
    """What the top level is worth in each stratum, in one sentence."""
    said = []
    relevance, level = "", ""
    for name, (fit, _) in strata.items():
        prediction = fit.predictions[0]
        relevance, level = name_relevance(prediction.relevance), prediction.levels.names[-1]
        value = number(prediction.probability[-1])
        low, high = prediction.interval.ends[-1]
        known = prediction.interval.methods[-1] is not None
        span = f" ({percent(low)} to {percent(high)})" if known else ""
        share = "an unknown share" if value is None else f"{percent(value)}{span}"
        said.append(
            f"{share} of the users of {quoted(name)} topics ({counted(prediction.topics, 'topic')} judged twice)"
        )
    return (
        f"A document labelled {quoted(level)} is relevant for {'; for '.join(said)}: {relevance} counting as relevant."
    )
