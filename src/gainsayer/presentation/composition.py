"""From an overview to the content of a report."""

from __future__ import annotations

from dataclasses import replace

from gainsayer.evaluation.overview import Overview
from gainsayer.evaluation.provenance import Provenance
from gainsayer.findings import Finding
from gainsayer.presentation.content import ReportContent, Section
from gainsayer.presentation.sections.advice import NO_RUNS, NO_SECOND_OPINIONS, advice_section
from gainsayer.presentation.sections.judgments import (
    agreement_section,
    parameter_section,
    say_agreement,
    say_parameters,
)
from gainsayer.presentation.sections.runs import gain_section, run_section, say_best, say_gains, say_uncertainty
from gainsayer.presentation.sections.strata import strata_section
from gainsayer.presentation.sections.studies import (
    amount_section,
    quality_section,
    robustness_section,
    say_robustness,
    topic_section,
)
from gainsayer.presentation.sections.users import say_found, user_section

TITLE = "What is a grade worth?"


def compose_report(
    overview: Overview,
    provenance: Provenance,
    *,
    title: str = TITLE,
    command: str | None = None,
) -> ReportContent:
    """The content of a report: a summary in sentences, then a section for each result there is.

    A finding stands in the first section it belongs to, not in every one; a sentence of the summary is not said again.
    """
    prediction = None if overview.fit is None else overview.fit.predictions[0]
    sections: list[Section | None] = [
        None if overview.agreement is None else agreement_section(overview.agreement),
        None if overview.fit is None else parameter_section(overview.fit),
        strata_section(overview.strata) if overview.strata else None,
        None if overview.comparison is None else run_section(overview.comparison),
        None if overview.comparison is None else gain_section(overview.comparison),
        None if overview.users is None else user_section(overview.users, overview.correlation),
        None if overview.robustness is None else robustness_section(overview.robustness),
        None if overview.topics is None else topic_section(overview.topics),
        None if overview.amount is None else amount_section(overview.amount),
        None if overview.quality is None else quality_section(overview.quality),
        advice_section(prediction, overview.comparison),
    ]
    found = [section for section in sections if section is not None]
    if overview.findings:
        found[0] = replace(found[0], findings=(*found[0].findings, *overview.findings))
    summary = _summary(overview)
    return ReportContent(title, summary, _say_once(found, summary), provenance, command)


def _summary(overview: Overview) -> tuple[str, ...]:
    said = []
    if overview.agreement is not None:
        said.append(say_agreement(overview.agreement))
    if overview.fit is not None:
        said.append(say_parameters(overview.fit.predictions[0]))
    else:
        said.append(NO_SECOND_OPINIONS)
    if overview.comparison is None:
        said.append(NO_RUNS)
        return tuple(said)
    said.append(say_best(overview.comparison))
    if overview.comparison.rankings:
        said.append(say_gains(overview.comparison))
    if overview.users is not None:
        said.append(say_found(overview.users))
    if overview.robustness is not None:
        said.append(say_robustness(overview.robustness))
    drawn = [part for part in overview.comparison.parts if part.shares is not None]
    if drawn:
        said.append(say_uncertainty(drawn[0]))
    return tuple(said)


def _say_once(sections: list[Section], summary: tuple[str, ...]) -> tuple[Section, ...]:
    seen: set[Finding] = set()
    kept = []
    for section in sections:
        new = tuple(finding for finding in dict.fromkeys(section.findings) if finding not in seen)
        seen.update(new)
        paragraphs = tuple(paragraph for paragraph in section.paragraphs if paragraph not in summary)
        kept.append(replace(section, paragraphs=paragraphs, findings=new))
    return tuple(kept)
