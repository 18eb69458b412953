"""`score`: scores of runs with any gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gainsayer.disagreement.estimate import Estimator
from gainsayer.display import Displayed
from gainsayer.errors import CallError
from gainsayer.evaluation.gain_choice import (
    choose_gains,
    find_falls,
    find_source,
    levels_of,
    list_schemes,
    make_schemes,
    name_relevances,
    usual_relevance,
)
from gainsayer.evaluation.models import SavedModel
from gainsayer.evaluation.parameters import Fit
from gainsayer.evaluation.progress import Progress
from gainsayer.evaluation.provenance import Provenance, files_of, record
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
from gainsayer.evaluation.ranked_runs import Policies, Resources, RunInput, match_runs
from gainsayer.evaluation.sides import Names, Pairing, choose_side_names, split_assessors
from gainsayer.evaluation.sources import JudgmentInput, Reading, join_second, take_judgments
from gainsayer.findings import Finding
from gainsayer.gains.schemes import tell_apart
from gainsayer.gains.values import Gains, pattern_gains
from gainsayer.lines.opening import FilePath
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import NoRelevant, Scores, TopicPolicy, bound_unjudged, narrowest, score_runs
from gainsayer.rankings.duplicates import Duplicates
from gainsayer.rankings.labels import apply_rule, decide_labels
from gainsayer.rankings.ordering import Ties


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


def score(
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
    seed: int = 0,
    progress: Progress | None = None,
) -> ScoreTable:
    """Score runs: counts, precision, DCG, nDCG and their family, with probabilities of relevance as gains.

    The gains come from a model, or are estimated on the way from judgments of two assessors; binary, linear and
    exponential gains need neither. With one assessor and no model each measure has the gains it is known with, so that
    the numbers are those of ir_measures and trec_eval.

    Args:
        judgments: files, data frames, dicts, or judgments already read; see `read_judgments` and `Reading`.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measures: such as "nDCG@10" or ["nDCG@10", "AP"]; names of ir_measures or trec_eval.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        model: what `fit` gave, or the file it was written to.
        threshold: users are satisfied with this level (by name or number) or a higher one; several may be given. By
            default the top level for PRM gains, else 1 and above.
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
        users: also the expected value over random users: `independent`, `comonotone` (a strict user is strict with
            every document), `band` (both), or a correlation.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

    >>> table = score({"q1": {"d1": 2, "d2": 0}}, {"q1": {"d2": 2.0, "d1": 1.0}}, ["nDCG@2", "RR"])
    >>> [round(float(values.mean()), 4) for values in table.scores.values.values()]
    [0.6309, 0.5]
    """
    options = {name: value for name, value in locals().items() if name not in ("judgments", "runs", "seed", "progress")}
    given, second_names = join_second(judgments, second)
    if any(isinstance(source, Reading) and source.strata is not None for source in given):
        raise CallError("score uses one model for all topics. Fit each stratum, and score its topics with its model.")
    asked = take_users(users)
    wanted = expand_users(take_measures(measures), asked)
    choice = choose_gains(gains, gain, model, unjudged)
    read = take_judgments(given, levels=levels_of(choice.model))
    sides = choose_side_names(read, first, second_names, pairing)
    named = name_relevances(read.levels, choice, threshold, relevant)
    source, noted = find_source(choice, read, sides, named, estimator=estimator, seed=seed)
    relevances = named or (usual_relevance(read.levels, choice, estimated=source.estimated),)
    schemes = make_schemes(choice, source, relevances, wanted)
    every = list_schemes(schemes)
    labels_of = {scheme: tell_apart(scheme, every).gains for scheme in every}
    falls = find_falls(read.levels, list(labels_of.values()))
    kinds: dict[Measure, list[Gains]] = {
        measure: [labels_of[scheme] for scheme in some] for measure, some in schemes.items()
    }
    rule = decide_labels(read, split_assessors(read, labels), first=sides.first, second=sides.second)
    scored = apply_rule(read, rule)
    policies = Policies(choice.unjudged, ties, duplicates, fedweb_duplicates, topics, no_relevant, resources)
    matched = match_runs(runs, read, policies, labels=scored, progress=progress)
    ranked = matched.label(scored)
    if choice.unjudged == "bounds":
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
        wanted,
        kinds,
        relevance=narrowest(relevances, no_relevant),
        topics=topics,
        no_relevant=no_relevant,
        oracle=ranked.oracle,
        whole=ranked.whole,
    )
    mixed = {measure: [pattern_gains(kind, scored.levels) for kind in some] for measure, some in kinds.items()}
    noticed = (*ranked.findings, *falls, *notice_simulation(ranked.ranked, mixed))
    findings = tuple(dict.fromkeys((*noted, *scored.findings, *noticed, *scores.findings)))
    return ScoreTable(
        scores=replace(scores, findings=findings),
        found=tuple(found_by_users(ranked.ranked, scores, asked)) if asked else (),
        policies=policies.describe(relevances[0].names, rule),
        provenance=record([*files_of(given), model, *matched.files], options, seed=seed),
    )
