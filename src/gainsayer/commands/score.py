"""`score`: scores of runs with any gains, and how they are shown; `Evaluator`, for run after run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np
import polars as pl
import scipy

from gainsayer.commands.compare_figures import run_forest
from gainsayer.commands.compare_tables import ranking_table
from gainsayer.commands.engine import EngineName, EngineOptions, Gathered
from gainsayer.commands.fit import Fit
from gainsayer.commands.gains import choose_gains, find_falls, list_schemes, make_schemes
from gainsayer.commands.inputs import JudgmentInput, LevelInput, Names, Pairing, Reading, gather_sources, join_second
from gainsayer.commands.model_file import SavedModel
from gainsayer.commands.provenance import Provenance, hash_while_reading
from gainsayer.commands.ranked_runs import (
    MatchedRuns,
    Progress,
    RankedRuns,
    RunInput,
    find_depth,
    list_files,
    make_policies,
    match_runs,
)
from gainsayer.commands.setup import (
    MeasureInput,
    Request,
    Setup,
    UserInput,
    expand_users,
    take_measures,
    take_users,
)
from gainsayer.commands.users import FoundByUsers, describe_found, found_by_users, found_tables
from gainsayer.comparison.ranks import kendall_tau, tau_ap
from gainsayer.comparison.results import RankingAgreement
from gainsayer.drawing.figure import Figure
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.gains.schemes import tell_apart
from gainsayer.gains.values import Gains, pattern_gains
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.expected.users import Users
from gainsayer.measures.scores import (
    NoRelevant,
    Scores,
    TopicPolicy,
    bound_unjudged,
    mean_and_error,
    narrowest,
    score_runs,
)
from gainsayer.model.estimate import Estimator
from gainsayer.ranking.duplicates import Duplicates
from gainsayer.ranking.matching import Rankable, Ties, rank_documents
from gainsayer.ranking.pool import Pool, make_pool
from gainsayer.ranking.ranked import FloatArray, RankedLevels, condense, label_documents
from gainsayer.ranking.resources import RESULTS, Returned, find_returned, select_oracle, select_resources
from gainsayer.reading.files import FilePath
from gainsayer.reading.labels import Repeats
from gainsayer.reading.run import Run
from gainsayer.reading.runs import RunSource, read_run
from gainsayer.result import Result, describe_findings
from gainsayer.table import Column, Json, Table
from gainsayer.text import option
from gainsayer.words import counted, listed, say_runs

MEAN: Final = "all"
Columns: TypeAlias = tuple[Sequence[object], Sequence[object], Sequence[object]]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(Result):
    """Scores of runs by measure and kind of gains.

    Args:
        scores: one number per run, measure, kind of gains and topic.
        found: how many relevant documents random users find, where users were asked for.
        rankings: where the runs rank resources, how far every two kinds of gains order them alike; without the oracle.
        policies: as plain data.
        provenance: where it comes from.
        per_topic: whether JSON, CSV and what is printed hold each topic, as `score --per-topic` does.
    """

    scores: Scores
    found: tuple[FoundByUsers, ...] = ()
    rankings: tuple[RankingAgreement, ...] = ()
    policies: Mapping[str, Json] = field(default_factory=dict)
    provenance: Provenance | None = None
    per_topic: bool = False

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
        index = 0 if run is None else scores.runs.index(run)
        times = Counter(measure for measure, _ in scores.values)
        return {
            str(measure) if times[measure] == 1 else f"{measure} {gains}": values[index]
            for (measure, gains), values in scores.values.items()
        }

    def about(self) -> str:
        """Runs, measures and gains."""
        measures, gains = [str(measure) for measure, _ in self.scores.values], [kind for _, kind in self.scores.values]
        return say_runs(self.scores.runs, measures, gains, self.scores.topics)

    def tables(self) -> list[Table]:
        """Runs by measures and gains, what users find, how far gains order the runs alike; topics where asked for."""
        means = [_mean_table(self.scores), *found_tables(self.found)]
        means += [ranking_table(self.rankings)] if self.rankings else []
        if not self.per_topic:
            return means
        return [*(replace(table, extra=True) for table in means), self.table("per_topic")]

    def table(self, name: str | None = None) -> Table:
        """One of the tables, whole: `per_topic` has each topic behind the mean; see `Result.table`."""
        if name == "per_topic":
            return replace(_score_rows(self.scores, per_topic=True), name=name)
        return super().table(name)

    def rows(self) -> Table:
        """One row per run, measure and gains: the mean over topics; each topic behind it where asked for."""
        return _score_rows(self.scores, per_topic=self.per_topic)

    def document(self) -> dict[str, Json]:
        """The scores as plain data with stable keys."""
        scores = self.scores
        return {
            "rows": self.rows().records(),
            "gains": {kind.name: kind.as_dict() | {"unjudged": kind.unjudged} for kind in scores.gains},
            "labels": scores.labels,
            "policies": dict(self.policies),
            "topics": {name: dict(vars(counts)) for name, counts in scores.counts.items()},
            "warnings": describe_findings(self.findings),
            "provenance": None if self.provenance is None else self.provenance.as_dict(),
            **({"users": describe_found(self.found)} if self.found else {}),
            **({"rankings": ranking_table(self.rankings).records()} if self.rankings else {}),
        }

    def figure(self) -> Figure:
        """The mean of each run under the first measure and gains, with a 95 % t interval over topics."""
        scores = self.scores
        (measure, _), values = next(iter(scores.values.items()))
        mean, error = mean_and_error(values)
        reach = float(scipy.special.stdtrit(max(len(scores.topics) - 1, 1), 0.975))
        ends = np.column_stack((mean - reach * error, mean + reach * error))
        return run_forest(str(measure), scores.runs, mean, ends, id="scores", over="other topics")


def _mean_table(scores: Scores) -> Table:
    """Runs by measures and gains, mean and standard error; readers see the best run by the first of them first."""
    several = len({gains for _, gains in scores.values}) > 1
    columns = [Column("run", scores.runs, "run", narrow="shorten")]
    for (measure, gains), values in scores.values.items():
        heading = f"{measure} {gains}" if several else str(measure)
        mean, error = mean_and_error(values)
        columns += [Column(heading, mean, heading, 4), Column(f"{heading} error", error, "error", 4, spare=1)]
    named = ", ".join(dict.fromkeys(gains for _, gains in scores.values))
    by_relevance = any(kind.name.split()[0] in ("prm", "binary") for kind in scores.gains)
    single = len({kind.threshold for kind in scores.gains if kind.threshold is not None}) == 1
    relevant = f"; relevant: {', '.join(scores.relevant)}" if scores.relevant and by_relevance and single else ""
    whose = f"; labels: {scores.labels}" if scores.labels else ""
    title = (
        f"Mean over {counted(len(scores.topics), 'topic')}, with its standard error; gains: {named}{relevant}{whose}"
    )
    first = next(iter(scores.values.values())).mean(axis=1).round(12)  # what is left is rounding, so runs are tied
    return Table(title, tuple(columns), "runs", order=np.argsort(-first, kind="stable"))


def _score_rows(scores: Scores, *, per_topic: bool) -> Table:
    """One row per run, measure and gains: the mean over topics, then each topic where asked for."""
    topics = (MEAN, *scores.topics) if per_topic else (MEAN,)
    values = np.stack(list(scores.values.values()), axis=1)  # shape [runs, measures and gains, topics]
    mean, error = mean_and_error(values)
    unjudged = np.stack([scores.unjudged[measure] for measure, _ in scores.values], axis=1)
    named = {kind.name: kind for kind in scores.gains}
    kinds = [(str(measure), named[gains]) for measure, gains in scores.values for _ in topics]
    runs, means = len(scores.runs), mean.size

    def of_means(numbers: FloatArray | int) -> FloatArray:
        """What is known of the means, shape [runs, measures and gains], in their rows; NaN in those of topics."""
        spread = np.full((*mean.shape, len(topics)), np.nan)
        spread[..., 0] = numbers
        return spread.ravel()

    columns = (
        Column("run", [run for run in scores.runs for _ in kinds], "run", narrow="shorten"),
        Column("measure", [measure for measure, _ in kinds] * runs, "measure"),
        Column("gains", [kind.kind for _, kind in kinds] * runs, "gains"),
        Column("threshold", [kind.threshold for _, kind in kinds] * runs, "threshold"),
        Column("topic", topics * means, "topic", narrow="shorten"),
        Column("value", np.concatenate([mean[..., None], values], axis=2)[..., : len(topics)].ravel(), "value", 4),
        Column("standard_error", of_means(error), "error", 4),
        Column("topics", of_means(len(scores.topics)), "topics", whole=True),
        Column("unjudged_share", of_means(unjudged), "unjudged"),
    )
    return Table("", columns)


def trec_lines(scores: Scores, *, per_topic: bool = False) -> str:
    """trec_eval's three columns: measure, topic, value; the run's name first, and the number of topics."""
    lines = []
    for index, run in enumerate(scores.runs):
        if per_topic:
            for at, topic in enumerate(scores.topics):
                for (measure, _), values in scores.values.items():
                    whole = measure.family.trec_total
                    lines.append(_trec_line(measure.trec_name, topic, float(values[index, at]), whole=whole))
        lines.append(_trec_line("runid", MEAN, run))
        lines.append(_trec_line("num_q", MEAN, len(scores.topics)))
        for (measure, _), values in scores.values.items():
            total = measure.family.trec_total and measure.depth is None
            value = float(values[index].sum() if total else np.mean(values[index]))
            lines.append(_trec_line(measure.trec_name, MEAN, value, whole=total))
    return "".join(lines)


def _trec_line(name: str, topic: str, value: float | str, *, whole: bool = False) -> str:
    if isinstance(value, float):
        text = f"{round(value)}" if whole and value == round(value) else f"{value:6.4f}"
    else:
        text = str(value)
    return f"{name:<22}\t{topic}\t{text}\n"


def score(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    runs: RunInput,
    measures: MeasureInput | None = None,
    *,
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    labels: Names = None,
    gains: str | Sequence[str] | None = None,
    gain: Mapping[str, float] | None = None,
    model: Fit | SavedModel | FilePath | None = None,
    estimator: Estimator | None = None,
    unjudged: str | float = "0",
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "keep",
    users: UserInput = None,
    resources: int | None = None,
    results: int | None = None,
    resource_rule: str | None = None,
    resource_file: FilePath | None = None,
    oracle: bool = False,
    engine: EngineName = "embedded",
    master: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> ScoreTable:
    """Score runs: counts, precision, DCG, nDCG and their family, with probabilities of relevance as gains.

    The gains come from a model, or are estimated on the way from judgments of two assessors; binary, linear and
    exponential gains need neither. With one assessor and no model each measure has the gains it is known with, so that
    the numbers are those of ir_measures and trec_eval.

    Args:
        judgments: files, data frames, dicts, judgments already read, or {name of an assessor: any of these};
            see `read_judgments`.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measures: such as "nDCG@10" or ["nDCG@10", "AP"]; names of ir_measures or trec_eval.
        levels: the levels from low to high, as a list, as "Non,Rel,HRel,Key" or as `Levels`; without them, the
            numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        threshold: users are satisfied with this level (by name or number) or a higher one; several may be
            given. By default the top level for PRM gains, else 1 and above.
        relevant: users are satisfied with these levels.
        labels: whose labels score: assessors (the first who judged a document), `majority`, `mean`, or
            `posterior` (all of them together, learned where a document has a further opinion).
        gains: `prm`, `binary`, `linear`, `exponential`, `udm`, or a JSON file; several may be given. By default
            `prm` where there is a model or a second side, else what the measure has in ir_measures.
        gain: level to gain, before all others.
        model: what `fit` gave, or the file it was written to.
        estimator: `symmetric` or `one-sided`; by default symmetric where it is valid.
        unjudged: what an unjudged document is worth: `0`, `level`, a number, `condense` or `bounds`.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        topics: all judged topics, or those that every run has (`common`).
        no_relevant: what topics without a relevant label count: `keep`, `zero` or `skip`.
        users: also the expected value over random users: `independent`, `comonotone` (a strict user is strict
            with every document), `band` (both), or a correlation.
        resources: for runs that rank resources: score the results of their first so many, as in FedWeb (3), and
            compare the orders of the runs by two kinds of gains.
        results: how many results of each resource count; 10 by default.
        resource_rule: a regular expression by which a document id names its resource and rank.
        resource_file: lines of topic, resource and document, in the resource's order; instead of a rule.
        oracle: also the best choice of resources, knowing the labels.
        engine: `embedded` works on this machine, `spark` on a cluster. Both give the same result.
        master: where Spark is, such as `local[2]` or `yarn`.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

    >>> table = score({"q1": {"d1": 2, "d2": 0}}, {"q1": {"d2": 2.0, "d1": 1.0}}, ["nDCG@2", "RR"])
    >>> [round(float(values.mean()), 4) for values in table.scores.values.values()]
    [0.6309, 0.5]
    """
    options = dict(locals())
    others = (results, resource_rule, resource_file, oracle or None)
    if resources is None and any(given is not None for given in others):
        words = [option("results"), option("resource_rule"), option("resource_file"), option("oracle", True)]
        raise CallError(f"{listed(words)} go with {option('resources')}.")
    given, named = join_second(judgments, second)
    request = Request(
        sources=gather_sources(given, levels, merges, missing, maps, repeats, raters, by_assessor),
        first=first,
        second=named,
        pairing=pairing,
        threshold=threshold,
        relevant=relevant,
        labels=labels,
        choice=choose_gains(gains, gain, model, unjudged),
        estimator=estimator,
        policies=make_policies(unjudged, ties, duplicates, topics, no_relevant),
        engine=EngineOptions(engine=engine, master=master),
        seed=seed,
        progress=progress,
    )
    with hash_while_reading([*request.sources, model, *list_files(runs)]) as digests:
        scoring = settle_scoring(request, runs, measures, take_users(users), resources=resources)
        if resources is None:
            matched = scoring.match(runs)
            table = scoring.score(matched.label(scoring.labels, scoring.pool))
        else:
            returned = find_returned(scoring.labels, resource_rule, resource_file)
            chosen = RESULTS if results is None else results
            matched, table = _score_resources(scoring, runs, returned, resources, chosen, oracle=oracle)
        return replace(table, provenance=request.record(options, model, *matched.files, digests=digests))


def _score_resources(
    scoring: Scoring, runs: RunInput, returned: Returned, resources: int, results: int, *, oracle: bool
) -> tuple[MatchedRuns, ScoreTable]:
    """The first results of each run's first resources, matched and scored, with the orders by every two gains."""
    ties = scoring.request.policies.ties
    select = partial(select_resources, returned=returned, resources=resources, results=results, ties=ties)
    matched = scoring.match(runs, select)

    def best(gains: Gains) -> RankedLevels:
        run = select_oracle(scoring.labels, returned, gains, resources=resources, results=results)
        ranked = rank_documents(run, scoring.pool, duplicates=matched.runs[0].duplicates)
        found = label_documents(ranked, scoring.pool)
        return condense(found) if scoring.request.policies.unjudged == "condense" else found

    table = scoring.score(matched.label(scoring.labels, scoring.pool), best if oracle else None)
    return matched, replace(table, rankings=compare_orders(table.scores, first=int(oracle)))


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


def settle_scoring(
    request: Request,
    runs: RunInput | None,
    measures: MeasureInput | None,
    users: tuple[Users, ...] = (),
    *,
    resources: int | None = None,
) -> Scoring:
    """Read the judgments, or have an engine gather them with the runs; settle labels, measures and gains."""
    if any(isinstance(source, Reading) and source.strata is not None for source in request.sources):
        raise CallError("score uses one model for all topics. Fit each stratum, and score its topics with its model.")
    wanted = expand_users(take_measures(measures), users)
    gathered = None if runs is None else request.gather(runs, wanted, resources=resources)
    setup = request.settle(gathered)
    schemes = make_schemes(request.choice, setup.source, setup.relevances, wanted, together=setup.together)
    every = list_schemes(schemes)
    labelled = {scheme: tell_apart(scheme, every).gains for scheme in every}
    return Scoring(
        **vars(setup),
        measures=wanted,
        kinds={measure: [labelled[scheme] for scheme in some] for measure, some in schemes.items()},
        users=users,
        falls=tuple(find_falls(setup.judgments.levels, list(labelled.values()))),
        gathered=gathered,
    )


@dataclass(frozen=True, eq=False)
class Scoring(Setup):
    """What scores rest on next to the runs, settled once: labels, measures, gains, policies.

    Args:
        measures: what is scored.
        kinds: the gains of each measure.
        users: whose expected values were asked for.
        falls: what a reader should know about gains that fall.
        gathered: the runs that an engine matched already; None where they are still to be read.
    """

    measures: tuple[Measure, ...]
    kinds: Mapping[Measure, list[Gains]]
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

    def match(self, runs: RunInput, select: Callable[[Run | RunSource], Run] | None = None) -> MatchedRuns:
        """The runs, or what is selected of them, matched with the judged documents."""
        if self.gathered is not None:
            return self.gathered.match(self.request.policies)
        pool = self.pool if self.covers else None
        return match_runs(
            runs,
            self.judgments,
            self.request.policies,
            pool=pool,
            depth=None if self.users else find_depth(self.measures, self.request.policies),
            select=select,
            progress=self.request.progress,
        )

    def score(self, ranked: RankedRuns, oracle: Callable[[Gains], RankedLevels] | None = None) -> ScoreTable:
        """The scores of runs that met the labels, and of a run that depends on the gains."""
        kinds, policies = self.kinds, self.request.policies
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


@dataclass(frozen=True, eq=False)
class Evaluator:
    """Scores run after run with the same judgments, measures and gains: for training loops and notebooks.

    Labels are chosen, gains estimated and pools made when the evaluator is; `evaluate` then costs no more than the run.
    The numbers are those of `score`, bit by bit. It keeps nothing of a run, so threads may share it.

    It is *not* a test of differences: to compare runs, give all of them to `compare`.

    Args:
        judgments: files, data frames, dicts, or judgments already read; as `score` takes them.
        measures: such as "nDCG@10" or ["nDCG@10", "AP"]; names of ir_measures or trec_eval.
        gains: `prm`, `binary`, `linear`, `exponential`, `udm`, or a JSON file; by default as in `score`.
        second: assessors who stand for the users, or their judgments.
        first: assessors whose labels the evaluation uses.
        model: what `fit` gave, or the file it was written to.
        threshold: users are satisfied with this level or a higher one.
        relevant: users are satisfied with these levels.
        gain: level to gain, before all others.
        estimator: `symmetric` or `one-sided`; by default symmetric where it is valid.
        labels: whose labels score: assessors, `majority` or `mean`.
        unjudged: what an unjudged document is worth: `0`, `level`, a number, `condense` or `bounds`.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.

    Raises:
        GainsayerError: as `score` does; whatever is wrong with judgments, measures or gains is said at once.

    >>> evaluator = Evaluator({"q1": {"d1": 2, "d2": 0}}, ["nDCG@2", "RR"])
    >>> evaluator.evaluate({"q1": {"d2": 2.0, "d1": 1.0}}).means()
    {'nDCG@2': 0.6309297535714575, 'RR': 0.5}
    >>> evaluator.evaluate((["q1", "q1"], ["d1", "d2"], [2.0, 1.0])).means()
    {'nDCG@2': 1.0, 'RR': 1.0}
    """

    judgments: JudgmentInput | Sequence[JudgmentInput]
    measures: MeasureInput | None = None
    gains: str | Sequence[str] | None = None
    _: KW_ONLY
    second: Names | JudgmentInput = None
    first: Names = None
    model: Fit | SavedModel | FilePath | None = None
    threshold: object | None = None
    relevant: Sequence[object] | None = None
    gain: Mapping[str, float] | None = None
    estimator: Estimator | None = None
    labels: Names = None
    unjudged: str | float = "0"
    ties: Ties = "trec"

    def __post_init__(self) -> None:
        _ = self._scoring.pool  # what is wrong with the judgments is said now, not when the first run comes

    def __repr__(self) -> str:
        return f"Evaluator({', '.join(map(str, self._scoring.measures))}; {self._scoring.pool!r})"

    def evaluate(self, run: Run | RunSource | Columns, *, name: str | None = None) -> ScoreTable:
        """The scores of one run, as `score` gives them.

        Args:
            run: dicts {topic: {document: score}}, a data frame, a file, a `Run`, or three sequences of equal length:
                topics, documents and scores.
            name: what to call it; by default its tag, or "run".

        Raises:
            GainsayerError: the run cannot be read, or shares no topic with the judgments.
        """
        found = rank_documents(self._take(run), self._scoring.pool, ties=self.ties)
        if name is not None:
            found = replace(found, name=name)
        files = (os.fspath(run),) if isinstance(run, str | os.PathLike) else ()
        matched = MatchedRuns((found,), files, self._scoring.request.policies)
        return self._scoring.score(matched.label(self._scoring.labels, self._scoring.pool))

    def _take(self, run: Run | RunSource | Columns) -> Rankable:
        if isinstance(run, Run | str | os.PathLike | Mapping):
            return run
        return read_run(_join(run) if isinstance(run, tuple) else run, ranks=self.ties == "rank")

    @cached_property
    def _scoring(self) -> Scoring:
        given, named = join_second(self.judgments, self.second)
        request = Request(
            sources=given,
            first=self.first,
            second=named,
            threshold=self.threshold,
            relevant=self.relevant,
            labels=self.labels,
            choice=choose_gains(self.gains, self.gain, self.model, self.unjudged),
            estimator=self.estimator,
            policies=make_policies(self.unjudged, self.ties),
        )
        return settle_scoring(request, None, self.measures)


def _join(columns: Columns) -> RunSource:
    """Topics, documents and scores as a table."""
    sizes = [len(column) for column in columns]
    if len(sizes) != 3 or len(set(sizes)) > 1:
        found = " and ".join(f"{size:,}" for size in sizes)
        raise CallError(f"A run in columns has as many topics as documents and scores, found {found}.")
    # To polars, an array of Python objects, as pandas may keep text, is not text.
    plain = [list(column) if getattr(column, "dtype", None) == np.object_ else column for column in columns]
    return pl.DataFrame(dict(zip(("topic", "document", "score"), plain, strict=True)), strict=False)
