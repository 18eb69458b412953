"""`score`: scores of runs with any gains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np

from gainsayer.commands.engine import Gathered
from gainsayer.commands.gains import find_falls, list_schemes, make_schemes
from gainsayer.commands.inputs import Reading
from gainsayer.commands.provenance import Provenance, hash_while_reading
from gainsayer.commands.ranked_runs import MatchedRuns, Policies, RankedRuns, find_depth, list_files, match_runs
from gainsayer.commands.requests import Ground, ScoreRequest, arguments, expand_users, take_measures, take_users
from gainsayer.comparison.correlation import kendall_tau, tau_ap
from gainsayer.comparison.results import RankingAgreement
from gainsayer.display import Displayed
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.gains.schemes import tell_apart
from gainsayer.gains.values import Gains, pattern_gains
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.expected.found import FoundDistribution, distribute_runs
from gainsayer.measures.expected.users import Users
from gainsayer.measures.scoring import Scores, bound_unjudged, narrowest, score_runs
from gainsayer.rankings.documents import label_documents
from gainsayer.rankings.pool import Pool, make_pool
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels, condense
from gainsayer.rankings.ranking import rank_documents
from gainsayer.rankings.resources import RESULTS, find_returned, select_oracle, select_resources
from gainsayer.runs.files import RunSource
from gainsayer.runs.run import Run
from gainsayer.text import option

COUNTING = ("NumRel", "P", "Success")


@dataclass(frozen=True, eq=False)
class FoundByUsers:
    """How many relevant documents users of one kind find in the top k of each run, on a random topic.

    `distribution.probability` has the shape [runs, numbers].
    """

    runs: tuple[str, ...]
    gains: str
    users: Users
    distribution: FoundDistribution


@dataclass(frozen=True, eq=False)
class ScoreTable(Displayed):
    """Scores of runs by measure and kind of gains.

    Args:
        scores: one number per run, measure, kind of gains and topic.
        found: how many relevant documents random users find, where users were asked for.
        rankings: where the runs rank resources, how far every two kinds of gains order them alike; without the oracle.
        policies: as plain data.
        provenance: where it comes from.
    """

    scores: Scores
    found: tuple[FoundByUsers, ...] = ()
    rankings: tuple[RankingAgreement, ...] = ()
    policies: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader should know."""
        return self.scores.findings

    def means(self, run: str | None = None) -> dict[str, float]:
        """The mean over topics by measure; the gains are named, too, where a measure was scored with several.

        Args:
            run: which run, where there are several.

        >>> score({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 1.0}}, ["P@2", "RR"]).means()
        {'P@2': 0.5, 'RR': 1.0}
        """
        return {name: float(values.mean()) for name, values in self._of_run(run).items()}

    def metrics(self, run: str | None = None) -> dict[str, float]:
        """The means over topics under names that MLflow and Weights & Biases accept; see `Scores.metrics`.

        Args:
            run: which run; all by default.

        >>> score({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 1.0}}, "P@2").metrics()
        {'P_at_2.binary': 0.5}
        """
        return self.scores.metrics(run)

    def by_topic(self, run: str | None = None) -> dict[str, dict[str, float]]:
        """The scores by topic, then by measure, as pytrec_eval has them.

        Args:
            run: which run, where there are several.

        >>> score({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 1.0}}, ["P@2", "RR"]).by_topic()
        {'q1': {'P@2': 0.5, 'RR': 1.0}}
        """
        table = self._of_run(run)
        rows = zip(*(values.tolist() for values in table.values()), strict=True)
        return {topic: dict(zip(table, row, strict=True)) for topic, row in zip(self.scores.topics, rows, strict=True)}

    def _of_run(self, run: str | None) -> dict[str, FloatArray]:
        """Scores of one run by the name of the measure, shape [topics] each."""
        scores = self.scores
        if (run is None and len(scores.runs) > 1) or (run is not None and run not in scores.runs):
            found = "none" if run is None else repr(run)
            raise CallError(f"Name one of the runs {', '.join(scores.runs[:20])}; found {found}.")
        place = 0 if run is None else scores.runs.index(run)
        times = Counter(measure for measure, _ in scores.values)
        return {
            str(measure) if times[measure] == 1 else f"{measure} {gains}": values[place]
            for (measure, gains), values in scores.values.items()
        }


@dataclass(frozen=True, eq=False)
class Scoring(Ground):
    """What scores rest on beside the runs, settled once: labels, measures, gains, policies.

    Args:
        measures: what is scored.
        kinds: the gains of each measure.
        policies: how runs are ranked.
        users: whose expected values were asked for.
        falls: what a reader should know about gains that fall.
        gathered: the runs that an engine matched already; None where they are still to be read.
    """

    measures: tuple[Measure, ...]
    kinds: Mapping[Measure, list[Gains]]
    policies: Policies
    users: tuple[Users, ...]
    falls: tuple[Finding, ...]
    gathered: Gathered | None = None

    @cached_property
    def pool(self) -> Pool:
        """The labels, ready for runs to meet them."""
        return make_pool(self.labels)

    @property
    def covers(self) -> bool:
        """Whether every judged document has a label that scores, so that runs can be matched with the labels alone."""
        return len(self.labels) == self.judgments.items

    def match(self, asked: ScoreRequest, select: Callable[[Run | RunSource], Run] | None = None) -> MatchedRuns:
        """The runs, or what is selected of them, matched with the judged documents."""
        if self.gathered is not None:
            return self.gathered.match(self.policies)
        pool = self.pool if self.covers else None
        return match_runs(
            asked.runs,
            self.judgments,
            self.policies,
            pool=pool,
            depth=None if self.users else find_depth(self.measures, self.policies),
            select=select,
            progress=asked.progress,
        )

    def score(self, ranked: RankedRuns, oracle: Callable[[Gains], RankedLevels] | None = None) -> ScoreTable:
        """The scores of runs that met the labels, and of a run that depends on the gains."""
        kinds, policies = self.kinds, self.policies
        if policies.unjudged == "bounds":
            kinds = {
                measure: [
                    replace(end, name=f"{kind.name} {word}")
                    for kind in some
                    for word, end in zip(("lower", "upper"), bound_unjudged(kind), strict=True)
                ]
                for measure, some in kinds.items()
            }
        scores = score_runs(
            ranked.ranked,
            self.measures,
            kinds,
            relevance=narrowest(self.relevances, policies.no_relevant),
            topics=policies.topics,
            no_relevant=policies.no_relevant,
            oracle=oracle,
            whole=ranked.whole,
        )
        mixed = {measure: [pattern_gains(kind, self.labels.levels) for kind in some] for measure, some in kinds.items()}
        noticed = (*ranked.findings, *self.falls, *notice_simulation(ranked.ranked, mixed))
        findings = tuple(dict.fromkeys((*self.noted, *self.labels.findings, *noticed, *scores.findings)))
        return ScoreTable(
            scores=replace(scores, findings=findings),
            found=tuple(found_by_users(ranked.ranked, scores, self.users)) if self.users else (),
            policies=policies.describe(self.relevances[0].names, self.rule),
        )


@arguments(ScoreRequest)
def score(asked: ScoreRequest) -> ScoreTable:
    """Score runs: counts, precision, DCG, nDCG and their family, with probabilities of relevance as gains.

    The gains come from a model, or are estimated on the way from judgments of two assessors; binary, linear and
    exponential gains need neither. With one assessor and no model each measure has the gains it is known with, so that
    the numbers are those of ir_measures and trec_eval.

    >>> table = score({"q1": {"d1": 2, "d2": 0}}, {"q1": {"d2": 2.0, "d1": 1.0}}, ["nDCG@2", "RR"])
    >>> [round(float(values.mean()), 4) for values in table.scores.values.values()]
    [0.6309, 0.5]
    """
    others = (asked.results, asked.resource_rule, asked.resource_file, asked.oracle or None)
    if asked.resources is None and any(given is not None for given in others):
        named = (
            f"{option('results')}, {option('resource_rule')}, {option('resource_file')} and {option('oracle', True)}"
        )
        raise CallError(f"{named} go with {option('resources')}.")
    with hash_while_reading([*asked.sources, asked.model, *list_files(asked.runs)]) as digests:
        settled = settle_scoring(asked)
        if asked.resources is None:
            matched = settled.match(asked)
            table = settled.score(matched.label(settled.labels, settled.pool))
        else:
            matched, table = _score_resources(asked, settled, asked.resources)
        return replace(table, provenance=asked.record(asked.model, *matched.files, digests=digests))


def _score_resources(asked: ScoreRequest, settled: Scoring, resources: int) -> tuple[MatchedRuns, ScoreTable]:
    """The first results of each run's first resources, matched and scored, with the orders by every two gains."""
    returned = find_returned(settled.labels, asked.resource_rule, asked.resource_file)
    results = RESULTS if asked.results is None else asked.results
    select = partial(select_resources, returned=returned, resources=resources, results=results, ties=asked.ties)
    matched = settled.match(asked, select)

    def best(gains: Gains) -> RankedLevels:
        run = select_oracle(settled.labels, returned, gains, resources=resources, results=results)
        ranked = rank_documents(run, settled.pool, duplicates=matched.runs[0].duplicates)
        found = label_documents(ranked, settled.pool)
        return condense(found) if settled.policies.unjudged == "condense" else found

    table = settled.score(matched.label(settled.labels, settled.pool), best if asked.oracle else None)
    return matched, replace(table, rankings=compare_orders(table.scores, first=int(asked.oracle)))


def compare_orders(scores: Scores, *, first: int = 0) -> tuple[RankingAgreement, ...]:
    """How far every two kinds of gains order the runs alike, by measure: tau-b and tau-AP, from the run `first` on."""
    named = {kind.name: kind for kind in scores.gains}
    means = {key: values[first:].mean(axis=1) for key, values in scores.values.items()}
    return tuple(
        RankingAgreement(
            measure=one[0],
            a=named[one[1]],
            b=named[two[1]],
            tau_b=kendall_tau(means[one], means[two]),
            tau_ap=tau_ap(means[one], means[two]),
            tau_interval=None,
        )
        for one, two in combinations(means, 2)
        if one[0] == two[0]
    )


def settle_scoring(asked: ScoreRequest) -> Scoring:
    """Read the judgments, or have an engine gather them with the runs; settle labels, measures and gains."""
    if any(isinstance(source, Reading) and source.strata is not None for source in asked.sources):
        raise CallError("score uses one model for all topics. Fit each stratum, and score its topics with its model.")
    users = take_users(asked.users)
    wanted = expand_users(take_measures(asked.measures), users)
    choice, policies = asked.choose_gains(asked.model), asked.policies
    gathered = asked.gather(wanted, choice, resources=asked.resources)
    ground = asked.settle(choice, gathered)
    schemes = make_schemes(choice, ground.source, ground.relevances, wanted, together=ground.together)
    every = list_schemes(schemes)
    labelled = {scheme: tell_apart(scheme, every).gains for scheme in every}
    kinds = {measure: [labelled[scheme] for scheme in some] for measure, some in schemes.items()}
    falls = find_falls(ground.judgments.levels, list(labelled.values()))
    return Scoring(
        **vars(ground),
        measures=wanted,
        kinds=kinds,
        policies=policies,
        users=users,
        falls=tuple(falls),
        gathered=gathered,
    )


def notice_simulation(ranked: Sequence[RankedLevels], kinds: Mapping[Measure, Sequence[Gains]]) -> list[Finding]:
    """How large the error is that simulated users leave in a mean over topics, for measures without a formula."""
    findings = []
    for measure, gains in kinds.items():
        if measure.users in (None, "comonotone") or measure.family.for_users != "simulated":
            continue
        worst = 0.0
        for kind in gains:
            for run in ranked:
                error = measure.score_users(run, kind).standard_error
                if error is not None and len(error):
                    worst = max(worst, float(np.sqrt((np.nan_to_num(error) ** 2).sum()) / len(error)))
        text = (
            f"{measure} is a mean over simulated users, the same for all runs; simulating leaves a standard error of "
            f"at most {worst:.2g} in a run's mean. More users: sample=10000 in the measure's name."
        )
        findings.append(Finding("simulated-users", text))
    return findings


def found_by_users(ranked: Sequence[RankedLevels], scores: Scores, users: Sequence[Users]) -> list[FoundByUsers]:
    """The distributions for every depth of a count, precision or Success that was asked for, and every probability."""
    depths = dict.fromkeys(
        measure.depth for measure in scores.measures if measure.family.name in COUNTING and measure.depth is not None
    )
    scored = set(scores.topics)
    kept = np.array([topic in scored for topic in ranked[0].topics], dtype=bool)
    answers = []
    for depth in depths:
        for gains in scores.gains:
            for kind in users if gains.probabilities else ():
                spread = distribute_runs(ranked, gains, depth=depth, users=kind, chosen=kept)
                answers.append(FoundByUsers(tuple(run.name for run in ranked), gains.name, kind, spread))
    return answers
