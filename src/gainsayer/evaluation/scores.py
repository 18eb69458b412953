"""`score`: scores of runs with any gains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gainsayer.display import Displayed
from gainsayer.errors import CallError
from gainsayer.evaluation.gain_choice import (
    find_falls,
    find_source,
    levels_of,
    list_schemes,
    make_schemes,
    name_relevances,
    usual_relevance,
)
from gainsayer.evaluation.provenance import Provenance
from gainsayer.evaluation.random_users import (
    FoundByUsers,
    expand_users,
    found_by_users,
    notice_simulation,
    take_measures,
    take_users,
)
from gainsayer.evaluation.ranked_runs import match_runs
from gainsayer.evaluation.requests import ScoreRequest, arguments
from gainsayer.evaluation.sides import split_assessors
from gainsayer.evaluation.sources import Reading
from gainsayer.findings import Finding
from gainsayer.gains.schemes import tell_apart
from gainsayer.gains.values import pattern_gains
from gainsayer.measures.scoring import Scores, bound_unjudged, narrowest, score_runs
from gainsayer.rankings.labels import apply_rule, decide_labels


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
    if any(isinstance(source, Reading) and source.strata is not None for source in asked.sources):
        raise CallError("score uses one model for all topics. Fit each stratum, and score its topics with its model.")
    users = take_users(asked.users)
    wanted = expand_users(take_measures(asked.measures), users)
    choice, policies = asked.choose_gains(asked.model), asked.policies
    read, sides = asked.read(levels=levels_of(choice.model))
    named = name_relevances(read.levels, choice, asked.threshold, asked.relevant)
    source, noted = find_source(choice, read, sides, named, estimator=asked.estimator, seed=asked.seed)
    relevances = named or (usual_relevance(read.levels, choice, estimated=source.estimated),)
    schemes = make_schemes(choice, source, relevances, wanted)
    every = list_schemes(schemes)
    labelled = {scheme: tell_apart(scheme, every).gains for scheme in every}
    kinds = {measure: [labelled[scheme] for scheme in some] for measure, some in schemes.items()}
    falls = find_falls(read.levels, list(labelled.values()))
    rule = decide_labels(read, split_assessors(read, asked.labels), first=sides.first, second=sides.second)
    scored = apply_rule(read, rule)
    matched = match_runs(asked.runs, read, policies, labels=scored, progress=asked.progress)
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
        relevance=narrowest(relevances, asked.no_relevant),
        topics=asked.topics,
        no_relevant=asked.no_relevant,
        oracle=ranked.oracle,
        whole=ranked.whole,
    )
    mixed = {measure: [pattern_gains(kind, scored.levels) for kind in some] for measure, some in kinds.items()}
    noticed = (*ranked.findings, *falls, *notice_simulation(ranked.ranked, mixed))
    findings = tuple(dict.fromkeys((*noted, *scored.findings, *noticed, *scores.findings)))
    return ScoreTable(
        scores=replace(scores, findings=findings),
        found=tuple(found_by_users(ranked.ranked, scores, users)) if users else (),
        policies=policies.describe(relevances[0].names, rule),
        provenance=asked.record(asked.model, *matched.files),
    )
