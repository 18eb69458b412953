"""From files to everything a report can say: agreement, parameters, comparison and the studies the data allows."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from gainsayer.cli.comparing import ComparisonOptions, Labelling, band_compared, compare_judged
from gainsayer.cli.inputs import PAIRINGS, Reading, choose_assessors, choose_relevance, measure_strata, read_input
from gainsayer.cli.running import RunRequest
from gainsayer.errors import CallError, DataError, PairingError
from gainsayer.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gainsayer.comparison.results import Comparison
    from gainsayer.counts.pairs import PairCounts
    from gainsayer.disagreement.user_correlation import UserCorrelation
    from gainsayer.judgments.table import Judgments
    from gainsayer.levels import Relevance
    from gainsayer.report.composing import Results
    from gainsayer.report.content import Provenance
    from gainsayer.report.fitting import Fit
    from gainsayer.studies.robustness import RobustnessStudy

_Study = TypeVar("_Study")
Sides = tuple[tuple[str, ...] | None, tuple[str, ...] | None]
REPORTED_GAINS = "prm,binary,linear,exponential"


def gather_results(
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: Literal["auto", "matched", "all"],
    request: RunRequest,
    options: ComparisonOptions,
    *,
    seed: int,
    quiet: bool,
) -> tuple[Results, list[str]]:
    """Everything that these files allow, and which files were read.

    What cannot be had is left out where the data lacks it, as a second assessor or runs; a study that this data cannot
    carry is left out with a finding that says why; any other fault is an error as in the single commands.
    """
    from gainsayer.counts.pairing import count_pairs
    from gainsayer.disagreement.agreement import measure_agreement
    from gainsayer.report.composing import Results
    from gainsayer.report.figures.words import name_side
    from gainsayer.studies.amount import study_amount
    from gainsayer.studies.topics import study_topics

    if options.model is not None:
        raise CallError("A report estimates its own model: leave out --model, and give the judgments of both sides.")
    prepared = None
    if request.runs:
        prepared = Labelling.read(reading, first, second, pairing, request, options, seed=seed, quiet=quiet)
    judgments = read_input(reading, quiet=quiet) if prepared is None else prepared.judgments
    sides: Sides = choose_assessors(first, judgments), choose_assessors(second, judgments)
    files = [*reading.files, *(() if prepared is None else prepared.runs.files)]
    counts: PairCounts | None = None
    try:
        counts = count_pairs(judgments, first=sides[0], second=sides[1], matched=PAIRINGS[pairing])
    except PairingError:
        if any(sides) or len(judgments.assessors) > 1:
            raise
    if counts is None:
        comparison = None if prepared is None else compare_judged(prepared, judgments)
        return Results(comparison=comparison, findings=judgments.findings), files
    fit = _fit(counts, choose_relevance(judgments.levels, options.threshold, options.relevant), options, seed)
    main = fit.predictions[0].relevance
    comparison, robustness, quality, users, correlation = None, None, None, None, None
    findings: list[Finding] = list(judgments.findings)
    if prepared is not None:
        comparison = _compare(prepared, options)
        if counts.directed:
            correlation = _attempt(
                "The correlation of one user's views",
                partial(_correlation, prepared, main, sides, PAIRINGS[pairing], seed),
                findings,
            )
        rho = None if correlation is None else correlation.correlation
        bands = band_compared(prepared, comparison, always=True, correlation=rho)
        users = bands[0] if bands else None
        robustness = _attempt(
            "The order of the runs by the other side's labels",
            partial(_robustness, prepared, counts, main, seed),
            findings,
        )
        quality = _attempt(
            "The quality curve",
            partial(_quality, prepared, judgments, sides, PAIRINGS[pairing], main),
            findings,
        )
    strata: dict[str, tuple[Fit, Comparison | None]] = {}
    if judgments.strata is not None:
        strata, lacking = measure_strata(judgments, partial(_stratum, sides, pairing, options, prepared, seed))
        findings += lacking
    agreement = None
    if not counts.refusal:  # with sets of labels that differ there is the one-sided estimate, and no agreement
        agreement = measure_agreement(judgments, first=sides[0], second=sides[1])
    results = Results(
        agreement=agreement,
        fit=fit,
        comparison=comparison,
        topics=study_topics(fit.disagreement, main, seed=seed) if len(counts.topics) > 1 else None,
        amount=study_amount(counts, main, estimator=fit.disagreement.estimator, seed=seed),
        quality=quality,
        robustness=robustness,
        users=users,
        correlation=correlation,
        strata=strata,
        sides=(name_side(counts.first), name_side(counts.second)),
        findings=tuple(findings),
    )
    return results, files


def _fit(counts: PairCounts, relevances: Sequence[Relevance], options: ComparisonOptions, seed: int) -> Fit:
    from gainsayer.disagreement.estimate import estimate_disagreement
    from gainsayer.disagreement.relevance import predict_relevance
    from gainsayer.report.fitting import Fit

    disagreement = estimate_disagreement(counts, estimator=options.estimator, seed=seed)
    predictions = tuple(
        predict_relevance(disagreement, relevance, confidence=options.confidence) for relevance in relevances
    )
    return Fit(disagreement, predictions)


def _stratum(
    sides: Sides,
    pairing: str,
    options: ComparisonOptions,
    prepared: Labelling | None,
    seed: int,
    judgments: Judgments,
) -> tuple[Fit, Comparison | None]:
    """One kind of topics: its parameters, and its runs compared with them."""
    from gainsayer.counts.pairing import count_pairs

    counts = count_pairs(judgments, first=sides[0], second=sides[1], matched=PAIRINGS[pairing])
    fit = _fit(counts, choose_relevance(judgments.levels, options.threshold, options.relevant), options, seed)
    return fit, None if prepared is None else compare_judged(prepared, judgments)


def _compare(prepared: Labelling, options: ComparisonOptions) -> Comparison:
    """The comparison with all kinds of gains that the levels bear, unless some were asked for."""
    from dataclasses import replace

    if options.gains is None and prepared.judgments.levels.ordered:
        able = all(measure.family.needs == "any" for measure in prepared.measures)
        prepared = replace(prepared, options=replace(options, gains=REPORTED_GAINS if able else "prm,binary"))
    return compare_judged(prepared, prepared.judgments)


def _correlation(
    prepared: Labelling, relevance: Relevance, sides: Sides, matched: bool | None, seed: int
) -> UserCorrelation:
    """How strongly one user's views are correlated, by the second side's labels given the first's."""
    from gainsayer.disagreement.user_correlation import estimate_user_correlation

    return estimate_user_correlation(
        prepared.judgments, relevance, first=sides[0], second=sides[1], matched=matched, seed=seed
    )


def _attempt(name: str, study: Callable[[], _Study | None], findings: list[Finding]) -> _Study | None:
    """The study; or None, and a finding that says why, where the data or the options do not allow it."""
    try:
        return study()
    except (DataError, CallError) as error:
        findings.append(Finding("study-left-out", f"{name} is not in this report: {error}"))
        return None


def _robustness(prepared: Labelling, counts: PairCounts, relevance: Relevance, seed: int) -> RobustnessStudy | None:
    """The order of the runs by both sides' labels; None where there are no sides or only one run."""
    from gainsayer.cli.running import rank_runs
    from gainsayer.studies.robustness import study_robustness
    from gainsayer.studies.side_labels import label_sides

    if not counts.directed or len(prepared.runs.ranked) < 2 or prepared.request.resources is not None:
        return None
    measure = prepared.measures[0]
    able = measure.family.needs == "any" and prepared.judgments.levels.ordered
    schemes: dict[str, Any] = {} if able else {"schemes": ("binary", "prm")}
    labels = label_sides(prepared.judgments, first=prepared.sides[0], second=prepared.sides[1])
    ranked = [rank_runs(prepared.request, side, quiet=True).ranked for side in (labels.first, labels.second)]
    return study_robustness(counts, ranked[0], ranked[1], relevance, measure=measure, seed=seed, **schemes)


def _quality(
    prepared: Labelling, judgments: Judgments, sides: Sides, matched: bool | None, relevance: Relevance
) -> Any:
    """The quality curve by where the runs rank documents; None where there are no sides or no runs."""
    from gainsayer.runs.files import read_run
    from gainsayer.studies.entering import enter_by_runs
    from gainsayer.studies.quality import study_quality

    if prepared.request.resources is not None:
        return None
    ties = prepared.request.ties
    runs = (read_run(path, ranks=ties == "rank") for path in prepared.runs.files)
    entering = enter_by_runs(judgments, runs, by="metarank", ties=ties)
    return study_quality(judgments, entering, relevance, first=sides[0], second=sides[1], matched=matched)


def _show_option(value: Any) -> str:
    """A value as it would be typed: those of a repeated option one after another."""
    if isinstance(value, list | tuple):
        return "  ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def make_provenance(described: Mapping[str, Any], command: str) -> Provenance:
    """The provenance as a report holds it, with the command that makes it again; options left alone are left out."""
    from gainsayer.report.content import Provenance

    return Provenance(
        version=described["version"],
        files=tuple((entry["file"], entry["sha256"] or "read from standard input") for entry in described["files"]),
        options=tuple(
            (name, _show_option(value))
            for name, value in described["options"].items()
            if value not in (None, [], "") and value is not False
        ),
        seed=described["seed"],
        command=command,
    )
