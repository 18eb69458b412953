"""From an overview to the content of a report: the first screen, and the questions behind it."""

from __future__ import annotations

from dataclasses import asdict

from gainsayer.commands.agree import confusion_matrix
from gainsayer.commands.compare_figures import forest, pair_figure, topic_figure
from gainsayer.commands.fit import parameter_chart
from gainsayer.commands.machine_figures import machine_grades
from gainsayer.commands.provenance import Provenance
from gainsayer.commands.verdict import PairVerdict, decide
from gainsayer.commands.verdict import Verdict as Decision
from gainsayer.drawing.interval_lines import ALL_NAMED
from gainsayer.findings import CODES, Finding
from gainsayer.reports.content import AllRuns, ReportContent, Section, Verdict
from gainsayer.reports.overview import Overview
from gainsayer.reports.sections.agreement import agreement_section, decide_agreement
from gainsayer.reports.sections.grades import decide_grades, grade_section, topic_section
from gainsayer.reports.sections.machine import (
    decide_machine,
    machine_numbers,
    machine_section,
    say_machine,
)
from gainsayer.reports.sections.machine_scores import (
    machine_score_facts,
    machine_score_section,
    machine_verdict,
    say_machine_verdict,
)
from gainsayer.reports.sections.next_judgments import next_section
from gainsayer.reports.sections.runs import (
    ALL_RUNS,
    best_section,
    difference_section,
    order_section,
    run_numbers,
    run_steps,
    unjudged_section,
    user_section,
)
from gainsayer.reports.sections.strata import strata_section
from gainsayer.reports.sections.studies import amount_section, quality_section
from gainsayer.reports.sections.two_runs import (
    power_section,
    second_section,
    topics_section,
    two_numbers,
    two_steps,
)
from gainsayer.table import Json
from gainsayer.text import option
from gainsayer.words import Sentence, capitalized, counted, shortened

TITLE = "What is a grade worth?"
MOST_NUMBERS = 4
MOST_STEPS = 3
SECOND_JUDGMENTS = Sentence(
    "Have documents judged a second time. Nobody knows yet what a grade is worth to another person: ten documents of "
    "every grade on each of twenty topics say more than two hundred on one. Then report on both files together.",
    "Have documents judged a second time.",
)
MACHINE_ALONE = Sentence(
    "Publish no score from the machine alone. Have people grade a random part of every topic.",
    "Publish no score from the machine alone.",
)
ENOUGH_OPINIONS = 30


def compose_report(
    overview: Overview,
    provenance: Provenance,
    *,
    title: str = TITLE,
    command: str | None = None,
) -> ReportContent:
    """The content of a report: the answer, then a question for each result there is.

    What the data does not tell is left out, not shown empty. Two runs are told apart as two; more of them are grouped.
    """
    comparison = overview.comparison
    decided = None if comparison is None else decide(comparison, comparison.part(), overview.best_case)
    sections = [] if decided is None or _is_about_machine(overview) else _run_sections(overview, decided)
    sections += _judgment_sections(overview, drawn=isinstance(decided, PairVerdict) or overview.machine is not None)
    if overview.machine is not None:
        sections.insert(0, machine_section(overview.machine))
    if overview.rectified is not None:
        sections.insert(0, machine_score_section(overview.rectified, drawn=not _is_about_machine(overview)))
    sections += _remarks(overview)
    return ReportContent(title, _about(overview), _verdict(overview, decided), tuple(sections), provenance, command)


def _is_about_machine(overview: Overview) -> bool:
    """Whether scores that people would have given lead: nothing else ranks the runs, or only the machine's labels."""
    table, comparison = overview.rectified, overview.comparison
    return table is not None and (comparison is None or comparison.scores.labels in table.material.machines)


def _verdict(overview: Overview, decided: Decision | None) -> Verdict:
    comparison, fit = overview.comparison, overview.fit
    prediction = None if fit is None else fit.predictions[0]
    machine = None if overview.machine is None else machine_grades(overview.machine)
    grades = [] if prediction is None else [parameter_chart([prediction], id="grades", judge=overview.judge)]
    second = [machine] if machine is not None else grades
    numbers, facts = [], dict[str, Json]()
    worth = None if prediction is None else decide_grades(prediction, overview.judge)
    if worth is not None:
        facts["grades"] = asdict(worth)
        numbers += [] if (own := worth.number()) is None else [own]
    if overview.agreement is not None:
        agreed = decide_agreement(overview.agreement)
        facts["agreement"] = asdict(agreed)
        numbers.append(agreed.number())
    if overview.machine is not None:
        numbers = machine_numbers(overview.machine)
        facts["machine"] = asdict(decide_machine(overview.machine))
    warned = []
    if overview.rectified is not None:
        facts["machine_scores"] = machine_score_facts(overview.rectified)
        warned = say_machine_verdict(overview.rectified)
        if _is_about_machine(overview):
            return machine_verdict(overview.rectified, facts)
    if comparison is None or decided is None:
        return _verdict_of_judgments(overview, facts)
    if overview.advice is not None:
        facts["advice"] = asdict(overview.advice)
    part = comparison.part()
    if isinstance(decided, PairVerdict):
        facts["pair"] = asdict(decided)
        steps_title, steps = two_steps(decided, overview.advice)
        return Verdict(
            decided.headline(),
            (*warned, *decided.reasons()),
            decided.badge,
            tuple([*two_numbers(decided), *numbers][:MOST_NUMBERS]),
            tuple([*([] if fit is not None else [SECOND_JUDGMENTS]), *steps][:MOST_STEPS]),
            steps_title,
            (pair_figure(decided), topic_figure(comparison, part)),
            () if machine is None else (machine,),
            facts,
        )
    facts["run"] = asdict(decided)
    lead = [*warned, *decided.reasons()]
    if overview.machine is not None:
        lead.append(say_machine(overview.machine))
    elif worth is not None:
        lead.append(worth.sentence())
    if overview.advice is None and (help := decided.help()) is not None:
        lead.append(help)
    steps = [
        *([] if overview.machine is None else [MACHINE_ALONE]),
        *([] if fit is not None else [SECOND_JUDGMENTS]),
        *run_steps(decided, overview.advice),
    ]
    return Verdict(
        decided.headline(),
        tuple(lead),
        decided.badge,
        tuple([*run_numbers(decided), *numbers][:MOST_NUMBERS]),
        tuple(steps[:MOST_STEPS]),
        main=(forest(comparison, part, short=True),),
        beside=tuple(second),
        all_runs=AllRuns(ALL_RUNS, len(comparison.runs)) if len(comparison.runs) > ALL_NAMED else None,
        facts=facts,
    )


def _verdict_of_judgments(overview: Overview, facts: dict[str, Json]) -> Verdict:
    """The first screen without runs: what the grades are worth, and how far assessors agree."""
    fit, agreement = overview.fit, overview.agreement
    if fit is None:
        return Verdict(
            "There are no second judgments yet, so nobody knows what a grade is worth.",
            steps=(SECOND_JUDGMENTS, _add_runs()),
            facts=facts,
        )
    prediction = fit.predictions[0]
    worth = decide_grades(prediction, overview.judge)
    lead = [] if (contrast := worth.contrast()) is None else [Sentence(f"{capitalized(contrast)}.")]
    numbers = [] if (own := worth.number()) is None else [own]
    if agreement is not None:
        agreed = decide_agreement(agreement)
        lead.append(agreed.sentence())
        numbers.append(agreed.number())
    if overview.machine is not None:
        lead.append(say_machine(overview.machine))
        numbers += machine_numbers(overview.machine)
    thin = [
        shortened(name)
        for name, count in zip(prediction.levels.names, prediction.judged_count, strict=True)
        if count < ENOUGH_OPINIONS
    ]
    steps = []
    if thin:
        steps.append(
            Sentence(
                f"Judge more documents twice that were graded {', '.join(thin)}, on many topics.",
                "Judge more documents twice",
            )
        )
    machine = None if overview.machine is None else machine_grades(overview.machine)
    beside = [] if agreement is None else [confusion_matrix(agreement)]
    return Verdict(
        f"{worth.headline()}.",
        tuple(lead),
        numbers=tuple(numbers),
        steps=(*steps, _add_runs()),
        main=(parameter_chart([prediction], id="grades", judge=overview.judge),),
        beside=tuple([machine] if machine is not None else beside),
        facts=facts,
    )


def _run_sections(overview: Overview, decided: Decision) -> list[Section]:
    comparison, advice = overview.comparison, overview.advice
    assert comparison is not None
    if isinstance(decided, PairVerdict):
        found = [
            topics_section(comparison, decided),
            power_section(decided),
            second_section(decided) if advice is None else next_section(advice),
            unjudged_section(decided.unjudged),
        ]
    else:
        found = [
            best_section(comparison, decided) if len(comparison.runs) > 1 else None,
            difference_section(comparison, decided),
            None if advice is None else next_section(advice),
            unjudged_section(decided.unjudged),
            order_section(comparison, overview.robustness),
        ]
    if overview.users is not None and not overview.judge:
        found.append(user_section(overview.users, overview.correlation))
    return [section for section in found if section is not None]


def _judgment_sections(overview: Overview, *, drawn: bool) -> list[Section]:
    fit = overview.fit
    if fit is None:
        return []
    agreement = overview.agreement
    shown = overview.comparison is None  # the confusion matrix stands on the first screen
    worth = grade_section(fit, judge=overview.judge, drawn=drawn)
    agreed = None if agreement is None else agreement_section(agreement, drawn=not shown)
    if overview.judge:  # the other questions are about users
        return [section for section in (worth, agreed) if section is not None]
    found = [
        worth,
        agreed,
        strata_section(overview.strata, topic_section(fit)) if overview.strata else topic_section(fit),
        # What to judge next answers that question better, where runs say what the judgments are for.
        None if overview.amount is None or overview.advice is not None else amount_section(overview.amount),
        None if overview.quality is None else quality_section(overview.quality, fit.disagreement.estimator),
    ]
    return [section for section in found if section is not None]


def _remarks(overview: Overview) -> list[Section]:
    """Everything that was noticed on the way, once; of kinds of topics, what does not hold for all of them."""
    every: list[Finding] = list(overview.findings)
    for result in (overview.agreement, overview.fit, overview.comparison, overview.quality):
        every += () if result is None else result.findings
    known = {finding.code for finding in every}
    for name, (fit, comparison) in overview.strata.items():
        own = [*fit.findings, *(() if comparison is None else comparison.findings)]
        every += [Finding(one.code, f"{name} topics: {one.message}") for one in own if one.code not in known]
    findings = tuple(dict.fromkeys(every))
    if not findings:
        return []
    codes = list(dict.fromkeys(finding.code for finding in findings))
    first = "; ".join(CODES[code] for code in codes[:2])
    count = counted(len(findings), "remark")
    more = f"; and {len(findings) - 2} more" if len(findings) > 2 else ""
    return [
        Section(
            "remarks",
            "What should a reader keep in mind?",
            Sentence(f"{count}: {first}{more}.", f"{count}:"),
            findings=findings,
            facts={"remarks": len(findings), "more": len(findings) - 2},
        )
    ]


def _about(overview: Overview) -> str:
    """Runs, topics and measure in a few words."""
    parts = []
    comparison, fit, table = overview.comparison, overview.fit, overview.rectified
    if table is not None and table.material.sample is not None and comparison is None:
        parts += [
            counted(len(table.runs), "run"),
            counted(table.material.sample.topics, "topic"),
            str(table.parts[0].measure),
            f"graded by {' and '.join(map(shortened, table.material.machines))}",
        ]
    if comparison is not None:
        parts += [
            counted(len(comparison.runs), "run"),
            counted(len(comparison.topics), "topic"),
            str(comparison.part().measure),
        ]
    if fit is not None:
        counts = fit.disagreement.counts
        if counts.directed:
            parts.append(f"graded by {_people(counts.first)}, second grades by {_people(counts.second)}")
        else:
            parts.append(f"graded by {_people(counts.first)}")
    labels = "" if comparison is None else comparison.scores.labels
    if labels and (fit is None or not fit.disagreement.counts.directed):
        parts.append(f"scored by {shortened(labels)}")
    return " · ".join(parts)


def _people(names: tuple[str, ...]) -> str:
    return shortened(names[0]) if len(names) == 1 else f"{len(names)} assessors"


def _add_runs() -> Sentence:
    more = f"With {option('runs')} the report also compares systems, and says how sure that comparison is."
    return Sentence(f"Add runs. {more}", "Add runs.")
