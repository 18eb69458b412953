"""Everything a report can say: agreement, parameters, comparison, and the studies that the data allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from gainsayer.commands.advice import Advice
from gainsayer.commands.compare import PreparedComparison, TestOptions, prepare_comparison
from gainsayer.commands.fit import Fit, predict_each
from gainsayer.commands.inputs import SideChoice, choose_relevance, for_each_stratum
from gainsayer.commands.machine import score
from gainsayer.commands.machine_design import SampleInput, find_sample
from gainsayer.commands.machine_input import join_parts
from gainsayer.commands.machine_scores import RectifiedTable
from gainsayer.commands.ranked_runs import RunInput
from gainsayer.commands.scored_labels import notice_machine
from gainsayer.commands.setup import MeasureInput, Request, UserInput, refuse_own_gains, take_measures, take_users
from gainsayer.comparison.results import Comparison
from gainsayer.comparison.users import BAND, UserBand
from gainsayer.errors import CallError, DataError, PairingError
from gainsayer.findings import Finding
from gainsayer.gains.values import pattern_gains
from gainsayer.levels import Relevance
from gainsayer.measures.expected.users import Users
from gainsayer.model.agreement import Agreement, measure_agreement
from gainsayer.model.estimate import estimate_disagreement
from gainsayer.model.pairs import PairCounts
from gainsayer.model.user_correlation import UserCorrelation, estimate_user_correlation
from gainsayer.reading.judgments import Judgments
from gainsayer.studies.machine_grades import MachineStudy, study_machine
from gainsayer.studies.orders import RobustnessStudy, label_sides, study_robustness
from gainsayer.studies.parameters import AmountStudy, study_amount
from gainsayer.studies.quality import QualityStudy, enter_by_runs, study_quality
from gainsayer.words import shortened

_Study = TypeVar("_Study")


@dataclass(frozen=True, eq=False)
class Overview:
    """What there is to report; None where the data does not allow it.

    Args:
        agreement: of the assessors; None for a single one.
        fit: p(R|i).
        comparison: of the runs.
        amount: the amount of double judgments.
        quality: the quality curve.
        robustness: the order of the runs by the other side's labels.
        users: what random users make of the run that scores highest.
        correlation: how strongly one user's views of different documents are correlated.
        machine: a machine's grades beside people's.
        rectified: what people would have scored, from a machine's grades and people's labels.
        best_case: of two runs, each one's score if its unjudged documents were of the grade that is worth most.
        advice: what to judge next; None where no gains were estimated.
        strata: kinds of topics, each with parameters of its own, and its runs compared with these where there are runs.
        judge: who stands in place of users, where that is not people.
        findings: what else a reader should know.
        files: the run files that were read.
    """

    agreement: Agreement | None = None
    fit: Fit | None = None
    comparison: Comparison | None = None
    amount: AmountStudy | None = None
    quality: QualityStudy | None = None
    robustness: RobustnessStudy | None = None
    users: UserBand | None = None
    correlation: UserCorrelation | None = None
    machine: MachineStudy | None = None
    rectified: RectifiedTable | None = None
    best_case: tuple[float, ...] | None = None
    advice: Advice | None = None
    strata: Mapping[str, tuple[Fit, Comparison | None]] = field(default_factory=dict)
    judge: str = ""
    findings: tuple[Finding, ...] = ()
    files: tuple[str, ...] = ()


def collect(
    request: Request,
    tests: TestOptions,
    runs: RunInput | None,
    measures: MeasureInput | None,
    users: UserInput = None,
    *,
    machine: str | None = None,
    sample: SampleInput | None = None,
    suspect: str | Sequence[str] = (),
) -> Overview:
    """Everything that these judgments and runs allow; every run file is opened once, and once more next to a machine.

    What cannot be had is left out where the data lacks it, as a second assessor or runs; a study that this data cannot
    carry is left out with a finding that says why; any other fault is an error as in `fit` and `compare`. See `report`
    for the arguments.
    """
    seed, confidence = request.seed, tests.confidence
    kinds = take_users(users)
    prepared = None
    studied: MachineStudy | None = None
    findings: list[Finding] = []
    rectified = None
    if machine is not None:
        if runs is not None:
            rectified = _rectify(request, tests, runs, measures, machine, sample, suspect)
        if rectified is not None and (is_drawn(rectified) or rectified.material.sample is None):
            # Pairs of labels tell nothing where chances differ; and where nobody judged, nothing ranks the runs.
            return Overview(rectified=rectified, findings=tuple(findings), files=rectified.material.files)
        if rectified is not None and leads_with_people(rectified):
            runs = None  # nothing is to be ranked by labels of a part
        request, studied = _look_at_machine(request, machine, confidence, findings)
    if runs is None:
        judgments, sides = request.read()
    else:
        prepared = prepare_comparison(request, tests, runs, measures, kinds)
        judgments, sides = prepared.judgments, prepared.sides
    if prepared is not None:
        findings += notice_machine(judgments, _present(machine, judgments), prepared.rule, sides)
    findings += judgments.findings
    counts = _count(judgments, sides)
    files = () if prepared is None else prepared.matched.files
    scored: dict[str, Any] = {"machine": studied, "rectified": rectified, "files": files}
    if counts is None:
        comparison = None if prepared is None else prepared.compare(judgments)
        return Overview(comparison=comparison, findings=tuple(findings), **scored)

    def estimate(part: Judgments, pairs: PairCounts | None = None) -> Fit:
        disagreement = estimate_disagreement(
            sides.count(part) if pairs is None else pairs, estimator=request.estimator, seed=seed
        )
        relevances = choose_relevance(part.levels, request.threshold, request.relevant)
        return Fit(disagreement, predict_each(disagreement, relevances, confidence=confidence))

    fit = estimate(judgments, counts)
    main = fit.predictions[0].relevance
    if prepared is not None:
        scored |= _look_at_runs(prepared, counts, main, kinds or BAND, findings)
    strata, lacking = for_each_stratum(
        judgments,
        lambda part: (estimate(part), None if prepared is None else prepared.compare(part)),
    )
    findings += lacking
    agreement = None
    if not counts.refusal:  # with sets of labels that differ there is the one-sided estimate, and no agreement
        agreement = measure_agreement(
            judgments, first=sides.first, second=sides.second, matched=sides.matched, confidence=confidence
        )
    return Overview(
        agreement=agreement,
        fit=fit,
        amount=study_amount(counts, main, estimator=fit.disagreement.estimator, seed=seed),
        strata=strata,
        judge="" if machine is None else _name_judge(fit, machine),
        findings=tuple(findings),
        **scored,
    )


def _name_judge(fit: Fit, machine: str) -> str:
    """Who finds documents relevant in place of users, where a side of the double judgments is the machine alone."""
    counts = fit.disagreement.counts
    by_machine = [counts.directed and set(side) == {machine} for side in (counts.first, counts.second)]
    if fit.disagreement.estimator == "symmetric":
        return "the other assessor" if any(by_machine) else ""
    return shortened(machine) if by_machine[1] else ""


def _count(judgments: Judgments, sides: SideChoice) -> PairCounts | None:
    """The pairs; None where there is one assessor."""
    try:
        return sides.count(judgments)
    except PairingError:
        if sides.first or sides.second or len(judgments.assessors) > 1:
            raise
        return None


def _look_at_runs(
    prepared: PreparedComparison,
    counts: PairCounts,
    relevance: Relevance,
    users: Sequence[Users],
    findings: list[Finding],
) -> dict[str, Any]:
    """The runs compared, and what else they allow to be studied, as fields of the overview."""
    judgments, sides, seed = prepared.judgments, prepared.sides, prepared.request.seed
    comparison = prepared.compare(prepared.judgments)

    def attempt(name: str, study: Callable[[], _Study | None]) -> _Study | None:
        try:
            return study()
        except (DataError, CallError) as error:
            findings.append(Finding("study-left-out", f"{name} is not in this report: {error}"))
            return None

    correlation = None
    if counts.directed:
        correlation = attempt(
            "The correlation of one user's views",
            lambda: estimate_user_correlation(
                judgments, relevance, first=sides.first, second=sides.second, matched=sides.matched, seed=seed
            ),
        )
    rho = None if correlation is None else correlation.correlation
    bands = _of_first(prepared, comparison).band(comparison, users, most=1, rho=rho)
    return {
        "comparison": comparison,
        "best_case": attempt("What unjudged documents could change", lambda: _best_case(prepared, comparison)),
        "advice": prepared.advise(comparison),
        "correlation": correlation,
        "users": bands[0] if bands else None,
        "robustness": attempt(
            "The order of the runs by the other side's labels", lambda: _robustness(prepared, counts, relevance)
        ),
        "quality": attempt("The quality curve", lambda: _quality(prepared, relevance)),
    }


def _look_at_machine(
    request: Request, machine: str, confidence: float, findings: list[Finding]
) -> tuple[Request, MachineStudy | None]:
    """What is asked for about people alone, unless a side names the machine; and its grades next to theirs."""
    judgments, sides = request.read()
    relevance = choose_relevance(judgments.levels, request.threshold, request.relevant)[0]
    study = None
    try:
        study = study_machine(judgments, machine, relevance, confidence=confidence)
    except PairingError as error:
        findings.append(Finding("study-left-out", f"The machine's grades are not in this report: {error}"))
    people = judgments.assessor != judgments.assessors.index(machine)
    if machine not in (*(sides.first or ()), *(sides.second or ())) and len(np.unique(judgments.assessor[people])) > 1:
        judgments = judgments.rows(people)
    return replace(request, sources=[judgments], first=sides.first, second=sides.second), study


def _rectify(
    request: Request,
    tests: TestOptions,
    runs: RunInput,
    measures: MeasureInput | None,
    machine: str,
    sample: SampleInput | None,
    suspect: str | Sequence[str],
) -> RectifiedTable | None:
    """What people would have scored, from the machine's grades and people's labels; the runs are read for it.

    Where that is refused, so is the report: the machine's word would rank the runs in place of people's.
    """
    judgments, _ = request.read()
    if machine not in judgments.assessors:
        return None  # said where its grades are looked at
    judgments = join_parts(judgments, request.sources)
    people = judgments.assessor != judgments.assessors.index(machine)
    several = isinstance(request.threshold, list | tuple)
    return score(
        judgments.rows(~people),
        runs,
        people=judgments.rows(people) if people.any() else None,
        sample=sample if sample is not None else find_sample(request.sources),
        suspect=suspect,
        measures=None if not measures else take_measures(measures)[:1],
        threshold=request.threshold[0] if several else request.threshold,  # type: ignore[index]
        relevant=request.relevant,
        ties=request.policies.ties,
        duplicates=request.policies.duplicates,
        confidence=tests.confidence,
        permutations=tests.permutations,
        seed=request.seed,
    )


def is_drawn(table: RectifiedTable) -> bool:
    """Whether people judged documents by chances of their own."""
    sample = table.material.sample
    return sample is not None and sample.design != "topics"


def leads_with_people(table: RectifiedTable) -> bool:
    """Whether people judged a part, from which scores of all runs for people are estimated."""
    sample = table.material.sample
    return sample is not None and table.parts[0].scores is not None and not sample.judged.all()


def _present(machine: str | None, judgments: Judgments) -> str | None:
    """The machine, if any of the judgments that the report is about are its own."""
    if machine is None or not (judgments.assessor == judgments.assessors.index(machine)).any():
        return None
    return machine


def _of_first(prepared: PreparedComparison, comparison: Comparison) -> PreparedComparison:
    """The same with the run alone that scores highest, whose users the report tells of."""
    order = np.argsort(comparison.parts[0].standings.rank, kind="stable")
    names = [run.name for run in prepared.runs.ranked]
    first = next((names.index(comparison.runs[at]) for at in order if comparison.runs[at] in names), 0)
    return replace(prepared, runs=replace(prepared.runs, ranked=prepared.runs.ranked[first : first + 1]))


def _best_case(prepared: PreparedComparison, comparison: Comparison) -> tuple[float, ...] | None:
    """Of two runs, each one's score with unjudged documents as good as the best grade; None for more runs."""
    if len(comparison.runs) != 2:
        return None
    part = comparison.parts[0]
    best = replace(part.scheme.gains, unjudged=float(np.max(part.scheme.gains.values)))
    scored = set(comparison.topics)
    kept = np.array([topic in scored for topic in prepared.runs.ranked[0].topics], dtype=bool)
    gains = pattern_gains(best, prepared.runs.ranked[0].levels)
    return tuple(float(part.measure.score(run, gains)[kept].mean()) for run in prepared.runs.ranked)


def _robustness(prepared: PreparedComparison, counts: PairCounts, relevance: Relevance) -> RobustnessStudy | None:
    """The order of the runs by both sides' labels; None where there are no sides or only one run."""
    matched = prepared.matched
    if not counts.directed or len(matched.runs) < 2:
        return None
    measure, sides = prepared.measures[0], prepared.sides
    refuse_own_gains([measure])
    labels = label_sides(prepared.judgments, first=sides.first, second=sides.second)
    return study_robustness(
        counts,
        matched.label(labels.first).ranked,
        matched.label(labels.second).ranked,
        relevance,
        measure=measure,
        schemes=("binary", "prm"),
        seed=prepared.request.seed,
    )


def _quality(prepared: PreparedComparison, relevance: Relevance) -> QualityStudy:
    """The quality curve by where the runs rank documents."""
    sides = prepared.sides
    entry = enter_by_runs(prepared.judgments, prepared.matched.runs, by="metarank")
    return study_quality(
        prepared.judgments,
        entry,
        relevance,
        first=sides.first,
        second=sides.second,
        matched=sides.matched,
        seed=prepared.request.seed,
    )
