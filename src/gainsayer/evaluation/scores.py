"""`score`: scores of runs with any gains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

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
    make_measure_gains,
)
from gainsayer.evaluation.models import SavedModel
from gainsayer.evaluation.parameters import Fit
from gainsayer.evaluation.progress import Progress
from gainsayer.evaluation.provenance import Digests, Provenance, files_of, record
from gainsayer.evaluation.random_users import (
    FoundByUsers,
    MeasureInput,
    UserInput,
    expand_users,
    found_by_users,
    notice_simulation,
    take_measures,
    take_users,
)
from gainsayer.evaluation.ranked_runs import Policies, RankedRuns, Resources, RunInput, list_files, match_runs
from gainsayer.evaluation.sides import Names, Pairing, choose_side_names, split_assessors
from gainsayer.evaluation.sources import JudgmentInput, Reading, join_second, take_judgments
from gainsayer.findings import Finding
from gainsayer.gains.values import Gains, pattern_gains
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Relevance
from gainsayer.lines.opening import FilePath
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.expected.users import Users
from gainsayer.measures.scoring import NoRelevant, Scores, TopicPolicy, bound_unjudged, score_runs
from gainsayer.rankings.duplicates import Duplicates
from gainsayer.rankings.labels import LabelRule, apply_rule, decide_labels
from gainsayer.rankings.ordering import Ties
from gainsayer.rankings.pool import Pool, make_pool
from gainsayer.rankings.ranked_levels import FloatArray


@dataclass(frozen=True, eq=False)
class ScoreTable(Displayed):
    """Scores of runs by measure and kind of gains.

    Args:
        scores: one number per run, measure, kind of gains and topic.
        found: how many relevant documents random users find, where users were asked for.
        policies: as plain data.
        provenance: where it comes from.
    """

    scores: Scores
    found: tuple[FoundByUsers, ...] = ()
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
class Scoring:
    """What scores rest on beside the runs, settled once: labels, measures, gains, policies.

    Args:
        judgments: who said what.
        labels: those that score, one per document.
        rule: how they were chosen.
        measures: what is scored.
        kinds: the gains of each measure.
        relevance: what is relevant.
        policies: how runs are ranked.
        users: whose expected values were asked for.
        noted: what a reader should know, whatever the runs are.
        falls: the same about gains that fall.
    """

    judgments: Judgments
    labels: Judgments
    rule: LabelRule
    measures: tuple[Measure, ...]
    kinds: Mapping[Measure, list[Gains]]
    relevance: Relevance
    policies: Policies
    users: tuple[Users, ...] = ()
    noted: tuple[Finding, ...] = ()
    falls: tuple[Finding, ...] = ()

    @cached_property
    def pool(self) -> Pool:
        """The labels, ready for runs to meet them."""
        return make_pool(self.labels)

    @property
    def covers(self) -> bool:
        """Whether every judged document has a label that scores, so that runs can be matched with the labels alone."""
        return len(self.labels) == self.judgments.items

    def score(self, ranked: RankedRuns) -> ScoreTable:
        """The scores of runs that met the labels."""
        kinds = self.kinds
        if self.policies.unjudged == "bounds":
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
            relevance=self.relevance,
            topics=self.policies.topics,
            no_relevant=self.policies.no_relevant,
            oracle=ranked.oracle,
            whole=ranked.whole,
        )
        mixed = {measure: [pattern_gains(kind, self.labels.levels) for kind in some] for measure, some in kinds.items()}
        noticed = (*ranked.findings, *self.falls, *notice_simulation(ranked.ranked, mixed))
        findings = tuple(dict.fromkeys((*self.noted, *self.labels.findings, *noticed, *scores.findings)))
        return ScoreTable(
            scores=replace(scores, findings=findings),
            found=tuple(found_by_users(ranked.ranked, scores, self.users)) if self.users else (),
            policies=self.policies.describe(self.relevance.names, self.rule),
        )


def score(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    runs: RunInput,
    measures: MeasureInput | None = None,
    *,
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    model: Fit | SavedModel | FilePath | None = None,
    threshold: object | None = None,
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
    seed: int = 0,
    progress: Progress | None = None,
) -> ScoreTable:
    """Score runs: counts, precision, DCG, nDCG and their family, with probabilities of relevance as gains.

    The gains come from a model, or are estimated on the way from judgments of two assessors; binary, linear and
    exponential gains need neither. With one assessor and no model each measure has the gains it is known with, so that
    the numbers are those of trec_eval.

    Args:
        judgments: files, data frames, dicts, or judgments already read; see `read_judgments` and `Reading`.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measures: such as "nDCG@10" or ["nDCG@10", "AP"]; names of ir_measures or trec_eval.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        model: what `fit` gave, or the file it was written to.
        threshold: users are satisfied with this level (by name or number) or a higher one.
        relevant: users are satisfied with these levels.
        gains: `prm`, `binary`, `linear`, `exponential`, `udm`, or a JSON file; several may be given.
        gain: level to gain, before all others.
        estimator: `symmetric` or `one-sided`; by default symmetric where it is valid.
        labels: whose labels score: assessors (the first who judged a document), `majority` or `mean`.
        unjudged: what an unjudged document is worth: `0`, `level`, a number, `condense` or `bounds`.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        fedweb_duplicates: count duplicates as the FedWeb track did.
        topics: all judged topics, or those that every run has.
        no_relevant: what topics without a relevant label count: `keep`, `zero` or `skip`.
        resources: where the runs rank resources.
        users: also the expected value over random users: `independent`, `comonotone`, `band`, or a correlation.
        seed: of everything that is drawn.
        progress: is told what is being done, and the share that is done.

    >>> table = score({"q1": {"d1": 2, "d2": 0}}, {"q1": {"d2": 2.0, "d1": 1.0}}, ["nDCG@2", "RR"])
    >>> [round(float(values.mean()), 4) for values in table.scores.values.values()]
    [0.6309, 0.5]
    """
    options = {name: value for name, value in locals().items() if name not in ("judgments", "runs", "seed", "progress")}
    given, second_names = join_second(judgments, second)
    choice = choose_gains(gains, gain, model, unjudged)
    with Digests([*files_of(given), model, *list_files(runs)]) as digests:
        settled = settle_scoring(
            given,
            measures,
            choice,
            first=first,
            second=second_names,
            pairing=pairing,
            threshold=threshold,
            relevant=relevant,
            estimator=estimator,
            labels=labels,
            policies=Policies(choice.unjudged, ties, duplicates, fedweb_duplicates, topics, no_relevant, resources),
            users=users,
            seed=seed,
        )
        pool = settled.pool if settled.covers else None
        matched = match_runs(
            runs, settled.judgments, settled.policies, labels=settled.labels, pool=pool, progress=progress
        )
        ranked = matched.label(settled.labels, settled.pool)
        table = settled.score(ranked)
        provenance = record([*files_of(given), model, *matched.files], options, seed=seed, digests=digests)
        return replace(table, provenance=provenance)


def settle_scoring(
    given: list[JudgmentInput],
    measures: MeasureInput | None,
    choice: GainChoice,
    *,
    first: Names = None,
    second: Names = None,
    pairing: Pairing = "auto",
    threshold: object | None = None,
    relevant: Sequence[object] | None = None,
    estimator: Estimator | None = None,
    labels: Names = None,
    policies: Policies,
    users: UserInput = None,
    seed: int = 0,
) -> Scoring:
    """Read the judgments, and settle labels, measures and gains before any run is opened; arguments as in `score`."""
    if threshold is not None and relevant is not None:
        raise CallError("A threshold and a set of relevant levels say the same thing in two ways. Give one of them.")
    if any(isinstance(source, Reading) and source.strata is not None for source in given):
        raise CallError("score uses one model for all topics. Fit each stratum, and score its topics with its model.")
    asked = take_users(users)
    wanted = expand_users(take_measures(measures), asked)
    read = take_judgments(given, levels=levels_of(choice.model))
    sides = choose_side_names(read, first, second, pairing)
    named = (
        None
        if threshold is None and relevant is None
        else choose_relevances(read.levels, choice, threshold, relevant, estimated=True)
    )
    source, noted = find_source(choice, read, sides, named, estimator=estimator, seed=seed)
    relevance = choose_relevances(read.levels, choice, threshold, relevant, estimated=source.estimated)[0]
    kinds = make_measure_gains(choice, source, relevance, wanted)
    falls = find_falls(read.levels, list({kind.name: kind for some in kinds.values() for kind in some}.values()))
    rule = decide_labels(read, split_assessors(read, labels), first=sides.first, second=sides.second)
    scored = apply_rule(read, rule)
    return Scoring(read, scored, rule, wanted, kinds, relevance, policies, asked, noted, tuple(falls))
