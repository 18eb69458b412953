"""`fit`: p(R|i) per level, from judgments to a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from gainsayer.commands.engine import EngineName, EngineOptions, read_with
from gainsayer.commands.inputs import (
    JudgmentInput,
    Names,
    Pairing,
    choose_relevance,
    choose_side_names,
    for_each_stratum,
)
from gainsayer.commands.model_file import Fit
from gainsayer.commands.plan_weights import weigh_by_plan
from gainsayer.commands.provenance import record
from gainsayer.counts.pair_counts import Weighting
from gainsayer.counts.sampling import weigh_second_round
from gainsayer.disagreement.estimate import Disagreement, Estimator, Smoothing, estimate_disagreement
from gainsayer.disagreement.intervals import Method
from gainsayer.disagreement.relevance import PredictedRelevance, predict_relevance, set_lowest_to_zero
from gainsayer.disagreement.shrinkage import UnitEstimates, shrink_units
from gainsayer.errors import CallError
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Relevance
from gainsayer.planning.plan_files import PlanInput
from gainsayer.text import option

# What few ask for is imported where it is asked for: a command waits for nothing that it does not use.

_SMOOTHINGS = ("uniform", "marginal", "isotonic", "eb-topics")


def fit(
    *judgments: JudgmentInput,
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    first: Names = None,
    second: Names = None,
    pairing: Pairing = "auto",
    estimator: Estimator | None = None,
    weighting: Weighting = "judgment",
    sampled: Mapping[str, float] | Literal["observed"] | None = None,
    smooth: str | None = None,
    interval: Method = "auto",
    confidence: float = 0.95,
    zero_lowest: bool = False,
    plan: PlanInput | None = None,
    keep_pilot: bool = False,
    engine: EngineName = "embedded",
    master: str | None = None,
    seed: int = 0,
) -> Fit:
    """Estimate p(R|i), the probability that a random user finds a document relevant that an assessor put on level i.

    Eq. (5) where both sides judged the same documents independently, else eq. (4); see `estimate_disagreement` and
    `predict_relevance` for what they assume. Two files are first and second in the order given.

    Args:
        *judgments: files, data frames, dicts, or judgments already read; see `read_judgments` and `Reading`.
        threshold: users are satisfied with this level (by name or number) or a higher one; several may be given.
            Without it and `relevant`, every threshold.
        relevant: a set of levels with which users are satisfied, or several sets.
        first: assessors whose labels the evaluation uses.
        second: assessors who stand for the users.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        estimator: `symmetric` or `one-sided`; by default symmetric where it is valid.
        weighting: what counts once where documents have unequal numbers of judgments.
        sampled: the share of each first level that went to the second round, or `observed`.
        smooth: `uniform`, `marginal`, `isotonic`, with `:ALPHA` behind it where wanted; or `eb-topics` for parameters
            per topic.
        interval: how intervals are made; see `predict_relevance`.
        confidence: of the intervals.
        zero_lowest: set p(R|lowest level) to 0, for parameters of a whole collection.
        plan: by which documents were chosen for the second round, as `plan` made or wrote it: second judgments of its
            finished batches are weighed by the probabilities reached, and `relevant` is the plan's where not given.
        keep_pilot: with a plan, use documents outside it as well, weighed by the share judged of their topic and level.
        engine: `embedded` works on this machine, `spark` on a cluster. Both give the same result.
        master: where Spark is, such as `local[2]` or `yarn`.
        seed: of everything that is drawn.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> fit(twenty_documents(), threshold=2).predict().probability.round(4).tolist()
    [0.0769, 0.2941, 0.4]
    """
    options = {name: value for name, value in locals().items() if name != "plan"}
    where = EngineOptions(engine=engine, master=master)
    read = read_with(where, judgments, unserved={"plans of second judgments": plan})
    if plan is None and keep_pilot:
        raise CallError(f"Only with a plan is there a pilot beside it: give {option('plan')} as well.")
    kind, alpha = _parse_smoothing(smooth)
    sides = choose_side_names(read, first, second, pairing)
    planned = None
    if plan is not None:
        if sampled is not None:
            raise CallError(f"A plan knows the sampling probabilities: leave out {option('sampled')}.")
        planned = weigh_by_plan(read, sides, plan, keep_pilot=keep_pilot, confidence=confidence)
        read, sides, confidence = planned.judgments, planned.sides, planned.confidence
        if threshold is None and relevant is None:
            relevant = planned.plan.relevant
    relevances = choose_relevance(read.levels, threshold, relevant)
    if sampled is not None:
        read = weigh_second_round(read, sampled, first=sides.first, second=sides.second)

    def estimate(part: Judgments) -> Fit:
        counts = sides.count(part, weighting=weighting)
        smoothing = _smoothing(kind, alpha)
        disagreement = estimate_disagreement(counts, estimator=estimator, smoothing=smoothing, seed=seed)
        predictions = predict_each(disagreement, relevances, interval=interval, confidence=confidence)
        if zero_lowest:
            predictions = tuple(set_lowest_to_zero(prediction) for prediction in predictions)
        return Fit(disagreement, predictions)

    whole = estimate(read)
    strata, noticed = for_each_stratum(read, estimate)
    return replace(
        whole,
        units=_units(kind, whole),
        strata=strata,
        noticed=(*(() if planned is None else planned.findings), *noticed),
        provenance=record([*judgments, plan], options, seed=seed),
        planned=planned,
    )


def predict_each(
    disagreement: Disagreement, relevances: Sequence[Relevance], *, interval: Method = "auto", confidence: float = 0.95
) -> tuple[PredictedRelevance, ...]:
    """p(R|i) at each notion of relevance."""
    return tuple(
        predict_relevance(disagreement, relevance, interval=interval, confidence=confidence) for relevance in relevances
    )


def _parse_smoothing(text: str | None) -> tuple[str | None, float | None]:
    if text is None:
        return None, None
    kind, _, number = text.partition(":")
    if kind not in _SMOOTHINGS:
        raise CallError(f"There is no smoothing {kind!r}: choose one of {', '.join(_SMOOTHINGS)}.")
    try:
        return kind, float(number) if number else None
    except ValueError:
        raise CallError(f"The smoothing {kind}:ALPHA needs a number, found {number!r}.") from None


def _smoothing(kind: str | None, alpha: float | None) -> Smoothing | None:
    if kind is None or kind == "eb-topics":
        return None
    return Smoothing(cast(Any, kind), alpha)


def _units(kind: str | None, whole: Fit) -> UnitEstimates | None:
    """Parameters per topic, by empirical Bayes."""
    if kind != "eb-topics":
        return None
    disagreement = whole.disagreement
    return shrink_units(disagreement.levels, "topics", disagreement.counts.topics, disagreement.pairs)
