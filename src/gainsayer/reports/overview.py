"""Everything a report can say: agreement, parameters, comparison, and the studies that the data allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

import numpy as np

from gainsayer.commands.advice import Advice
from gainsayer.commands.chances import SampledInput, find_chance_table
from gainsayer.commands.compare import Contest, prepare_contest
from gainsayer.commands.fit import Fit, predict_each
from gainsayer.commands.inputs import SideChoice, choose_relevance, for_each_stratum
from gainsayer.commands.machine import score
from gainsayer.commands.machine_scores import RectifiedTable
from gainsayer.commands.order_requests import ComparisonOptions, refuse_own_gains
from gainsayer.commands.ranked_runs import Progress, RunInput
from gainsayer.commands.requests import MeasureInput, take_measures, take_users
from gainsayer.commands.scored_labels import notice_machine
from gainsayer.comparison.results import Comparison
from gainsayer.comparison.user_band import BAND, UserBand
from gainsayer.counts.pair_counts import PairCounts
from gainsayer.disagreement.agreement import Agreement, measure_agreement
from gainsayer.disagreement.estimate import estimate_disagreement
from gainsayer.disagreement.user_correlation import UserCorrelation, estimate_user_correlation
from gainsayer.errors import CallError, DataError, PairingError
from gainsayer.findings import Finding
from gainsayer.gains.values import pattern_gains
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Relevance
from gainsayer.measures.expected.users import Users
from gainsayer.studies.amount import AmountStudy, study_amount
from gainsayer.studies.machine_grades import MachineStudy, study_machine
from gainsayer.studies.quality import QualityStudy, enter_by_runs, study_quality
from gainsayer.studies.robustness import RobustnessStudy, study_robustness
from gainsayer.studies.side_labels import label_sides

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
    findings: tuple[Finding, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class OverviewRequest(ComparisonOptions):
    """What an overview is asked for.

    Args:
        runs: files, folders, patterns, data frames, dicts, or several of them, each file read once; by default the
            report is about the judgments alone.
        measures: such as "nDCG@10"; names of ir_measures or trec_eval.
        threshold: users are satisfied with this level (by name or number) or a higher one; by default every threshold,
            the top level first.
        users: the kinds of random users; by default `band`, both ends: `independent` and `comonotone` (a strict user
            is strict with every document).
        machine: the assessor that is a machine: its grades are put beside people's, grade by grade, from the documents
            that it and at least two people judged; with runs, there are the scores that people would have given, too.
            All else is about the people then, unless a side names it.
        sampled: with which chance each of people's documents was drawn, where their labels lack it: a file or table of
            topic, document and probability, or `observed`.
    """

    runs: RunInput | None = None
    measures: MeasureInput | None = None
    machine: str | None = field(default=None, kw_only=True)
    sampled: SampledInput | None = field(default=None, kw_only=True)


def gather(asked: OverviewRequest) -> Overview:
    """Everything that these judgments and runs allow; every run file is opened once, and once more beside a machine.

    What cannot be had is left out where the data lacks it, as a second assessor or runs; a study that this data cannot
    carry is left out with a finding that says why; any other fault is an error as in `fit` and `compare`.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> overview = gather(OverviewRequest(twenty_documents(), threshold=2))
    >>> overview.fit.predict().probability.round(4).tolist(), overview.comparison
    ([0.0769, 0.2941, 0.4], None)
    """
    progress, seed, confidence = asked.progress, asked.seed, asked.confidence
    users = take_users(asked.users)
    contest = None
    studied: MachineStudy | None = None
    findings: list[Finding] = []
    rectified = None
    if asked.machine is not None:
        rectified = None if asked.runs is None else _rectify(asked, asked.machine, findings)
        asked, studied = _look_at_machine(asked, asked.machine, findings)
    if asked.runs is None:
        judgments, sides = asked.read()
    else:
        contest = prepare_contest(asked, asked.runs, asked.measures, asked.choose_gains(), users)
        judgments, sides = contest.judgments, contest.sides
    if contest is not None:
        findings += notice_machine(judgments, _present(asked.machine, judgments), contest.rule, sides)
    findings += judgments.findings
    counts = _count(judgments, sides)
    files = () if contest is None else contest.matched.files
    scored: dict[str, Any] = {"machine": studied, "rectified": rectified, "files": files}
    if counts is None:
        comparison = None if contest is None else contest.compare(judgments, progress=progress)
        return Overview(comparison=comparison, findings=tuple(findings), **scored)

    def estimate(part: Judgments, pairs: PairCounts | None = None) -> Fit:
        disagreement = estimate_disagreement(
            sides.count(part) if pairs is None else pairs, estimator=asked.estimator, seed=seed
        )
        relevances = choose_relevance(part.levels, asked.threshold, asked.relevant)
        return Fit(disagreement, predict_each(disagreement, relevances, confidence=confidence))

    fit = estimate(judgments, counts)
    main = fit.predictions[0].relevance
    if contest is not None:
        scored |= _look_at_runs(contest, counts, main, users or BAND, findings, progress)
    strata, lacking = for_each_stratum(
        judgments,
        lambda part: (estimate(part), None if contest is None else contest.compare(part, progress=progress)),
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
        findings=tuple(findings),
        **scored,
    )


def _count(judgments: Judgments, sides: SideChoice) -> PairCounts | None:
    """The pairs; None where there is one assessor."""
    try:
        return sides.count(judgments)
    except PairingError:
        if sides.first or sides.second or len(judgments.assessors) > 1:
            raise
        return None


def _look_at_runs(
    contest: Contest,
    counts: PairCounts,
    relevance: Relevance,
    users: Sequence[Users],
    findings: list[Finding],
    progress: Progress | None,
) -> dict[str, Any]:
    """The runs compared, and what else they allow to be studied, as fields of the overview."""
    judgments, sides, seed = contest.judgments, contest.sides, contest.asked.seed
    comparison = contest.compare(contest.judgments, progress=progress)

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
    bands = _of_first(contest, comparison).band(comparison, users, most=1, rho=rho)
    return {
        "comparison": comparison,
        "best_case": attempt("What unjudged documents could change", lambda: _best_case(contest, comparison)),
        "advice": contest.advise(comparison),
        "correlation": correlation,
        "users": bands[0] if bands else None,
        "robustness": attempt(
            "The order of the runs by the other side's labels", lambda: _robustness(contest, counts, relevance)
        ),
        "quality": attempt("The quality curve", lambda: _quality(contest, relevance)),
    }


def _look_at_machine(
    asked: OverviewRequest, machine: str, findings: list[Finding]
) -> tuple[OverviewRequest, MachineStudy | None]:
    """What is asked for about people alone, unless a side names the machine; and the machine's grades beside theirs."""
    judgments, sides = asked.read()
    relevance = choose_relevance(judgments.levels, asked.threshold, asked.relevant)[0]
    study = None
    try:
        study = study_machine(judgments, machine, relevance, confidence=asked.confidence)
    except PairingError as error:
        findings.append(Finding("study-left-out", f"The machine's grades are not in this report: {error}"))
    people = judgments.assessor != judgments.assessors.index(machine)
    if machine not in (*(sides.first or ()), *(sides.second or ())) and len(np.unique(judgments.assessor[people])) > 1:
        judgments = judgments.rows(people)
    return replace(asked, judgments=judgments, first=sides.first, second=sides.second), study


def _rectify(asked: OverviewRequest, machine: str, findings: list[Finding]) -> RectifiedTable | None:
    """What people would have scored, from the machine's grades and people's labels; the runs are read for it."""
    judgments, _ = asked.read()
    if machine not in judgments.assessors:
        return None  # said where its grades are looked at
    people = judgments.assessor != judgments.assessors.index(machine)
    threshold = asked.threshold[0] if isinstance(asked.threshold, list | tuple) else asked.threshold
    try:
        return score(
            judgments.rows(~people),
            cast(RunInput, asked.runs),
            people=judgments.rows(people) if people.any() else None,
            sampled=asked.sampled if asked.sampled is not None else find_chance_table(asked.sources),
            measures=None if not asked.measures else take_measures(asked.measures)[:1],
            threshold=threshold,
            relevant=asked.relevant,
            ties=asked.ties,
            duplicates=asked.duplicates,
            confidence=asked.confidence,
            permutations=asked.permutations,
            seed=asked.seed,
        )
    except (DataError, CallError) as error:
        findings.append(Finding("study-left-out", f"What people would have scored is not in this report: {error}"))
        return None


def _present(machine: str | None, judgments: Judgments) -> str | None:
    """The machine, if any of the judgments that the report is about are its own."""
    if machine is None or not (judgments.assessor == judgments.assessors.index(machine)).any():
        return None
    return machine


def _of_first(contest: Contest, comparison: Comparison) -> Contest:
    """The same with the run alone that scores highest, whose users the report tells of."""
    order = np.argsort(comparison.parts[0].standings.rank, kind="stable")
    names = [run.name for run in contest.runs.ranked]
    first = next((names.index(comparison.runs[at]) for at in order if comparison.runs[at] in names), 0)
    return replace(contest, runs=replace(contest.runs, ranked=contest.runs.ranked[first : first + 1]))


def _best_case(contest: Contest, comparison: Comparison) -> tuple[float, ...] | None:
    """Of two runs, each one's score with unjudged documents as good as the best grade; None for more runs."""
    if len(comparison.runs) != 2:
        return None
    part = comparison.parts[0]
    best = replace(part.scheme.gains, unjudged=float(np.max(part.scheme.gains.values)))
    scored = set(comparison.topics)
    kept = np.array([topic in scored for topic in contest.runs.ranked[0].topics], dtype=bool)
    gains = pattern_gains(best, contest.runs.ranked[0].levels)
    return tuple(float(part.measure.score(run, gains)[kept].mean()) for run in contest.runs.ranked)


def _robustness(contest: Contest, counts: PairCounts, relevance: Relevance) -> RobustnessStudy | None:
    """The order of the runs by both sides' labels; None where there are no sides or only one run."""
    matched = contest.matched
    if not counts.directed or len(matched.runs) < 2:
        return None
    measure, sides = contest.measures[0], contest.sides
    refuse_own_gains([measure])
    labels = label_sides(contest.judgments, first=sides.first, second=sides.second)
    return study_robustness(
        counts,
        matched.label(labels.first).ranked,
        matched.label(labels.second).ranked,
        relevance,
        measure=measure,
        schemes=("binary", "prm"),
        seed=contest.asked.seed,
    )


def _quality(contest: Contest, relevance: Relevance) -> QualityStudy:
    """The quality curve by where the runs rank documents."""
    sides = contest.sides
    entry = enter_by_runs(contest.judgments, contest.matched.runs, by="metarank")
    return study_quality(
        contest.judgments,
        entry,
        relevance,
        first=sides.first,
        second=sides.second,
        matched=sides.matched,
        seed=contest.asked.seed,
    )
