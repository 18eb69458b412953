"""`compare`: which run is better, and how sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gainsayer.comparison.comparing import compare_runs
from gainsayer.comparison.results import Comparison
from gainsayer.comparison.testing import Adjustment, Test
from gainsayer.comparison.user_band import UserBand, band_users
from gainsayer.disagreement.estimate import Estimator
from gainsayer.display import Displayed
from gainsayer.errors import CallError
from gainsayer.evaluation.gain_choice import (
    GainChoice,
    choose_gains,
    choose_relevances,
    find_falls,
    find_source,
    levels_of,
    make_schemes,
    notice_model,
)
from gainsayer.evaluation.models import SavedModel
from gainsayer.evaluation.parameters import Fit
from gainsayer.evaluation.progress import Progress, part_of
from gainsayer.evaluation.provenance import Provenance, files_of, record
from gainsayer.evaluation.random_users import (
    MeasureInput,
    UserInput,
    expand_users,
    refuse_plain,
    take_measures,
    take_users,
)
from gainsayer.evaluation.ranked_runs import MatchedRuns, Policies, RankedRuns, Resources, RunInput, match_runs
from gainsayer.evaluation.sides import (
    Names,
    Pairing,
    SideChoice,
    choose_side_names,
    for_each_stratum,
    split_assessors,
)
from gainsayer.evaluation.sources import JudgmentInput, join_second, take_judgments
from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Relevance
from gainsayer.lines.opening import FilePath
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.expected.users import Users
from gainsayer.measures.scoring import NoRelevant, TopicPolicy
from gainsayer.rankings.duplicates import Duplicates
from gainsayer.rankings.labels import LabelRule, apply_rule, decide_labels
from gainsayer.rankings.ordering import Ties
from gainsayer.rankings.selecting import keep_topics

# Measures whose expected value for correlated users takes seconds a run.
SLOW_FOR_CORRELATED = ("Q", "Rprec", "Bpref", "infAP")


@dataclass(frozen=True, eq=False)
class ComparisonTable(Displayed):
    """Runs compared, over all topics and per kind of topics.

    Args:
        comparison: over all topics.
        strata: per kind of topics, each with parameters of its own.
        users: what random users make of the runs, where users were asked for.
        noticed: what else a reader should know.
        policies: as plain data.
        provenance: where it comes from.
    """

    comparison: Comparison
    strata: Mapping[str, Comparison] = field(default_factory=dict)
    users: tuple[UserBand, ...] = ()
    noticed: tuple[Finding, ...] = ()
    policies: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding once, in order."""
        every = (self.comparison, *self.strata.values())
        return tuple(dict.fromkeys((*self.noticed, *(finding for part in every for finding in part.findings))))


@dataclass(frozen=True)
class Question:
    """How runs are compared: tests, intervals, and what counts as a difference; see `compare_runs`."""

    test: Test = "joint"
    adjust: Adjustment | None = None
    baseline: str | None = None
    margin: float | None = None
    resamples: int = 1_000
    permutations: int = 10_000
    confidence: float = 0.95
    estimator: Estimator | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Contest:
    """Everything that a comparison starts from: judgments, labels that score, matched runs, notions of relevance."""

    judgments: Judgments
    labels: Judgments
    rule: LabelRule
    matched: MatchedRuns
    runs: RankedRuns
    measures: tuple[Measure, ...]
    relevances: tuple[Relevance, ...]
    sides: SideChoice
    choice: GainChoice
    question: Question

    def compare(self, judgments: Judgments, *, progress: Progress | None = None) -> Comparison:
        """Compare the runs on the topics of these judgments (all, or one stratum), with a model of these alone."""
        question, policies = self.question, self.matched.policies
        source, noted = find_source(
            self.choice, judgments, self.sides, self.relevances, estimator=question.estimator, seed=question.seed
        )
        schemes = make_schemes(self.choice, source, self.relevances)
        ranked, whole = self.runs.ranked, self.runs.whole
        if judgments is not self.judgments:
            topics = {judgments.topics[place] for place in np.unique(judgments.topic).tolist()}
            ranked = tuple(keep_topics(run, topics) for run in ranked)
            whole = tuple(keep_topics(run, topics) for run in whole)
        comparison = compare_runs(
            ranked,
            self.measures,
            schemes,
            test=question.test,
            adjust=question.adjust,
            baseline=question.baseline,
            margin=question.margin,
            draws=question.resamples,
            permutations=question.permutations,
            confidence=question.confidence,
            seed=question.seed,
            topics=policies.topics,
            no_relevant=policies.no_relevant,
            unjudged_as_lowest=policies.unjudged == "level",
            oracle=self.runs.oracle,
            whole=whole,
            progress=part_of(progress, "Comparing runs"),
        )
        noticed = [*noted, *self.labels.findings, *self.runs.findings]
        noticed += find_falls(judgments.levels, [scheme.gains for scheme in schemes])
        noticed += notice_model(self.choice, source, schemes)
        if judgments is self.judgments and judgments.strata is not None:
            text = "The run table of all topics uses one estimate for all of them; each stratum follows with its own."
            noticed.append(Finding("strata-pooled", text))
        return replace(comparison, findings=tuple(dict.fromkeys([*noticed, *comparison.findings])))

    def band(
        self, comparison: Comparison, users: Sequence[Users], *, most: int | None = None, rho: float | None = None
    ) -> tuple[UserBand, ...]:
        """The plug-in measures beside their expected values for these users, with PRM gains.

        Args:
            comparison: whose topics are scored.
            users: the kinds of users.
            most: of how many measures; all by default.
            rho: also for users whose views have this correlation, where that is quickly computed.
        """
        scored = set(comparison.topics)
        chosen = np.array([topic in scored for topic in self.runs.ranked[0].topics], dtype=bool)
        if rho is not None and self.measures[0].family.name not in SLOW_FOR_CORRELATED:
            users = tuple(dict.fromkeys((*users[:1], round(rho, 2), *users[1:])))
        asked = [measure for measure in self.measures if measure.users is None and measure.family.for_users != "no"]
        return tuple(
            band_users(self.runs.ranked, measure, part.scheme.gains, users=users, chosen=chosen)
            for measure in asked[:most]
            for part in comparison.parts
            if users and part.scheme.name == "prm" and part.measure == measure
        )


def prepare_contest(
    given: list[JudgmentInput],
    runs: RunInput,
    measures: MeasureInput | None,
    *,
    first: Names,
    second: Names,
    pairing: Pairing,
    choice: GainChoice,
    threshold: object | Sequence[object] | None,
    relevant: Sequence[object] | None,
    labels: Names,
    policies: Policies,
    users: Sequence[Users],
    question: Question,
    progress: Progress | None,
) -> Contest:
    """Read the judgments, match and label the runs; refuse what cannot be asked for before anything long begins."""
    # Correlated users take too long to be left out topic by topic; their values stand in the band.
    wanted = expand_users(take_measures(measures), [kind for kind in users if isinstance(kind, str)])
    refuse_plain(wanted)
    judgments = take_judgments(given, levels=levels_of(choice.model))
    if choice.model is not None and judgments.strata is not None:
        raise CallError("With strata each has a model of its own: leave out the model, or compare each stratum alone.")
    sides = choose_side_names(judgments, first, second, pairing)
    rule = decide_labels(judgments, split_assessors(judgments, labels), first=sides.first, second=sides.second)
    scored = apply_rule(judgments, rule)
    doubly = judgments.voices > 1
    relevances = choose_relevances(judgments.levels, choice, threshold, relevant, estimated=doubly)
    matched = match_runs(runs, judgments, policies, labels=scored, progress=progress)
    return Contest(judgments, scored, rule, matched, matched.label(scored), wanted, relevances, sides, choice, question)


def compare(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    runs: RunInput,
    measures: MeasureInput | None = None,
    *,
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    model: Fit | SavedModel | FilePath | None = None,
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    gains: str | Sequence[str] | None = None,
    gain: Mapping[str, float] | None = None,
    estimator: Estimator | None = None,
    labels: Names = None,
    unjudged: str | float = "0",
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    fedweb_duplicates: bool = False,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "keep",
    resources: Resources | None = None,
    users: UserInput = None,
    test: Test = "joint",
    adjust: Adjustment | None = None,
    baseline: str | None = None,
    margin: float | None = None,
    resamples: int = 1_000,
    permutations: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> ComparisonTable:
    """Compare runs: scores with joint intervals, ranks, differences, verdicts, and tau between kinds of gains.

    The intervals allow for other topics and for other second judgments; see `compare_runs` for how, and for `test` to
    `confidence`. The other arguments are those of `score`; several thresholds may be given.

    Args:
        judgments: files, data frames, dicts, or judgments already read.
        runs: files, folders, patterns, data frames, dicts, or several of them.
        measures: such as "nDCG@10"; names of ir_measures or trec_eval.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: see `fit`.
        model: what `fit` gave, or the file it was written to.
        threshold: users are satisfied with this level or a higher one; by default the top level.
        relevant: users are satisfied with these levels.
        gains: by default `prm` beside `binary` where there is a model or a second side.
        gain: level to gain, before all others.
        estimator: by default symmetric where it is valid.
        labels: whose labels score; see `score`.
        unjudged: see `score`.
        ties: see `score`.
        duplicates: see `score`.
        fedweb_duplicates: see `score`.
        topics: see `score`.
        no_relevant: see `score`.
        resources: see `score`.
        users: also the expected values over random users.
        test: whose p-values.
        adjust: of tests with the gains held fixed.
        baseline: compare each run with this one only.
        margin: the smallest difference that matters.
        resamples: samples of topics for the interval of tau, the only thing that needs any.
        permutations: sign flips for all pairs at once.
        confidence: of the intervals.
        seed: of everything that is drawn.
        progress: is told what is being done, and the share that is done.

    >>> truth = {f"q{t}": {"a": 1, "b": 0, "c": 0} for t in range(8)}
    >>> runs = {"good": {t: {"a": 2.0, "b": 1.0} for t in truth}, "poor": {t: {"b": 2.0, "c": 1.0} for t in truth}}
    >>> table = compare(truth, runs, "P@1")
    >>> table.comparison.runs, table.comparison.parts[0].standings.rank.tolist()
    (('good', 'poor'), [1, 2])
    """
    options = {name: value for name, value in locals().items() if name not in ("judgments", "runs", "seed", "progress")}
    given, second_names = join_second(judgments, second)
    choice = choose_gains(gains, gain, model, unjudged)
    asked = take_users(users)
    contest = prepare_contest(
        given,
        runs,
        measures,
        first=first,
        second=second_names,
        pairing=pairing,
        choice=choice,
        threshold=threshold,
        relevant=relevant,
        labels=labels,
        policies=Policies(choice.unjudged, ties, duplicates, fedweb_duplicates, topics, no_relevant, resources),
        users=asked,
        question=Question(test, adjust, baseline, margin, resamples, permutations, confidence, estimator, seed),
        progress=progress,
    )
    whole = contest.compare(contest.judgments, progress=progress)
    strata, noticed = for_each_stratum(contest.judgments, lambda part: contest.compare(part, progress=progress))
    return ComparisonTable(
        comparison=whole,
        strata=strata,
        users=contest.band(whole, asked),
        noticed=tuple(noticed),
        policies=contest.matched.policies.describe(contest.relevances[0].names, contest.rule),
        provenance=record([*files_of(given), model, *contest.matched.files], options, seed=seed),
    )
