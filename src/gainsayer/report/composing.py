"""From results to the content of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gainsayer.comparison.results import Comparison
from gainsayer.comparison.user_band import UserBand
from gainsayer.disagreement.agreement import Agreement
from gainsayer.disagreement.user_correlation import UserCorrelation
from gainsayer.findings import Finding
from gainsayer.report.content import Provenance, ReportContent, Section
from gainsayer.report.fitting import Fit
from gainsayer.report.sections.advising import NO_RUNS, NO_SECOND_OPINIONS, advice_section
from gainsayer.report.sections.comparing import gain_section, run_section, say_best, say_doubt, say_gains
from gainsayer.report.sections.judging import agreement_section, parameter_section, say_agreement, say_parameters
from gainsayer.report.sections.strata import strata_section
from gainsayer.report.sections.studying import (
    amount_section,
    quality_section,
    robustness_section,
    say_robustness,
    topic_section,
)
from gainsayer.report.sections.users import say_found, user_section
from gainsayer.studies.amount import AmountStudy
from gainsayer.studies.quality import QualityStudy
from gainsayer.studies.robustness import RobustnessStudy
from gainsayer.studies.topics import TopicStudy


@dataclass(frozen=True, eq=False)
class Results:
    """What there is to report; None where the data does not allow it.

    Args:
        agreement: of the assessors; None for a single one.
        fit: p(R|i).
        comparison: of the runs.
        topics: the bootstrap of topics.
        amount: the amount of double judgments.
        quality: the quality curve.
        robustness: the order of the runs by the other side's labels.
        users: what random users make of the runs.
        correlation: how strongly one user's views of different documents are correlated.
        strata: kinds of topics, each with parameters of its own, and its runs compared with these where there are runs.
        sides: what the two sides are called.
        findings: what else a reader should know.
    """

    agreement: Agreement | None = None
    fit: Fit | None = None
    comparison: Comparison | None = None
    topics: TopicStudy | None = None
    amount: AmountStudy | None = None
    quality: QualityStudy | None = None
    robustness: RobustnessStudy | None = None
    users: UserBand | None = None
    correlation: UserCorrelation | None = None
    strata: Mapping[str, tuple[Fit, Comparison | None]] = field(default_factory=dict)
    sides: tuple[str, str] = ("first", "second")
    findings: tuple[Finding, ...] = ()


def compose_report(
    results: Results,
    provenance: Provenance,
    *,
    title: str = "What is a grade worth?",
    further: Sequence[Section] = (),
) -> ReportContent:
    """The content of a report: a summary in sentences, then a section for each result there is, and any `further` ones.

    A finding stands in the first section it belongs to, not in every one; a sentence of the summary is not said again.
    """
    prediction = None if results.fit is None else results.fit.predictions[0]
    sections: list[Section | None] = [
        None if results.agreement is None else agreement_section(results.agreement),
        None if results.fit is None else parameter_section(results.fit),
        strata_section(results.strata) if results.strata else None,
        None if results.comparison is None else run_section(results.comparison),
        None if results.comparison is None else gain_section(results.comparison),
        None if results.users is None else user_section(results.users, results.correlation),
        None if results.robustness is None else robustness_section(results.robustness, results.sides),
        None if results.topics is None else topic_section(results.topics),
        None if results.amount is None else amount_section(results.amount),
        None if results.quality is None else quality_section(results.quality, seed=provenance.seed),
        advice_section(prediction, results.comparison),
        *further,
    ]
    found = [section for section in sections if section is not None]
    if results.findings:
        found[0] = replace(found[0], findings=(*found[0].findings, *results.findings))
    summary = _summary(results)
    return ReportContent(title, summary, _say_once(found, summary), provenance)


def _summary(results: Results) -> tuple[str, ...]:
    said = []
    if results.agreement is not None:
        said.append(say_agreement(results.agreement))
    if results.fit is not None:
        said.append(say_parameters(results.fit.predictions[0]))
    else:
        said.append(NO_SECOND_OPINIONS)
    if results.comparison is None:
        said.append(NO_RUNS)
        return tuple(said)
    said.append(say_best(results.comparison))
    if results.comparison.rankings:
        said.append(say_gains(results.comparison))
    if results.users is not None:
        said.append(say_found(results.users))
    if results.robustness is not None:
        said.append(say_robustness(results.robustness))
    drawn = [part for part in results.comparison.parts if part.shares is not None]
    if drawn:
        said.append(say_doubt(drawn[0]))
    return tuple(said)


def _say_once(sections: list[Section], summary: tuple[str, ...]) -> tuple[Section, ...]:
    seen: set[Finding] = set()
    told = []
    for section in sections:
        new = tuple(finding for finding in dict.fromkeys(section.findings) if finding not in seen)
        seen.update(new)
        paragraphs = tuple(paragraph for paragraph in section.paragraphs if paragraph not in summary)
        told.append(replace(section, paragraphs=paragraphs, findings=new))
    return tuple(told)
