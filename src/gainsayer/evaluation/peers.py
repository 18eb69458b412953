"""`doctor`: what each installed evaluator makes of these gains, and where it goes wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from gainsayer.display import Displayed
from gainsayer.errors import CallError, DataError
from gainsayer.evaluation.exports import gains_of_levels
from gainsayer.evaluation.gain_choice import choose_gains
from gainsayer.evaluation.models import Fit, SavedModel
from gainsayer.evaluation.provenance import Provenance, record
from gainsayer.evaluation.ranked_runs import Progress
from gainsayer.evaluation.sources import JudgmentInput, Names, split_assessors, take_judgments
from gainsayer.exports.checks import SECONDS, Check, check_peers, example_gains
from gainsayer.exports.labels import take_labels
from gainsayer.exports.peers import Ranking
from gainsayer.exports.scaled_qrels import SCALE, show_bound
from gainsayer.findings import Finding
from gainsayer.gains.values import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.lines.opening import FilePath
from gainsayer.rankings.labels import LabelRule, decide_labels
from gainsayer.runs.files import RunSource, read_run
from gainsayer.runs.run import Run


@dataclass(frozen=True, eq=False)
class Diagnosis(Displayed):
    """What the other evaluators made of the gains.

    Args:
        checks: one for each evaluator, what it was given, and ranking.
        advice: what to do about it, one line each.
        gains: what the levels are worth.
        scale: of the scaled qrels.
        labels: whose labels they were.
        notes: what was left out.
        findings: what was noticed about the judgments.
        provenance: where it comes from.
    """

    checks: tuple[Check, ...]
    advice: tuple[str, ...]
    gains: Gains
    scale: int
    labels: LabelRule
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None


def doctor(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    run: Run | RunSource | None = None,
    *,
    model: Fit | SavedModel | FilePath | None = None,
    threshold: object | None = None,
    gain: Mapping[str, float] | None = None,
    labels: Names = None,
    scale: int = SCALE,
    seconds: float = SECONDS,
    most_topics: int = 100,
    progress: Progress | None = None,
) -> Diagnosis:
    """Ask each installed evaluator for nDCG with these gains, and compare with the right value.

    trec_eval (on PATH), pytrec_eval, ir_measures and ranx are asked for the nDCG of a perfect ranking made from the
    labels, which should be 1, and of the run where there is one: with the gains as relevance, as a gain map, and as
    scaled qrels (`export`). An evaluator that is not installed, or that needs more time, is said to be so.

    Args:
        judgments: files, data frames, dicts, or judgments already read.
        run: a file, a data frame, a dict {topic: {document: score}}, or a run already read.
        model: what `fit` gave, or the file it wrote.
        threshold: which threshold of the model; its first by default.
        gain: level to gain, before the model's. Without a model and gains, the paper's FedWeb13 parameters are taken as
            an example, stretched over the levels found.
        labels: whose labels: assessors (the first who judged a document), or `majority`.
        scale: factor of the scaled qrels.
        seconds: time limit of each evaluator, for all questions; ranx compiles itself at its first use.
        most_topics: look at this many topics at most.
        progress: called with what is being done, and the share that is done.

    Raises:
        CallError: the labels are a mean, which no other evaluator knows; or a gain is missing or negative.
        DataError: the run and the judgments share no topic, or the run returns a document twice.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> doctor(twenty_documents(), labels="mean")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    gainsayer.errors.CallError: The evaluators know one label per document, not the mean over several: name ...
    """
    options = {key: value for key, value in locals().items() if key not in ("judgments", "run", "model", "progress")}
    choice = choose_gains(gain=gain, model=model)
    read = take_judgments(judgments, levels=choice.levels)
    returned = run if isinstance(run, Run) or run is None else read_run(run)
    rule = decide_labels(read, split_assessors(read, labels))
    if rule.kind == "mean":
        raise CallError(
            "The evaluators know one label per document, not the mean over several: name assessors, or take the "
            "majority (labels='majority'). Exported as qrels, mean gains can be given to them."
        )
    taken = take_labels(read, rule)
    named = choice.model is not None or choice.by_hand or threshold is not None
    gains = gains_of_levels(choice, threshold, taken.levels) if named else example_gains(taken.levels)
    own, notes = _first_topics(taken, None if returned is None else returned.topics, most_topics)
    checks = check_peers(
        own,
        gains,
        None if returned is None else _rank(returned, own),
        scale=scale,
        seconds=seconds,
        progress=None if progress is None else partial(progress, "Asking the evaluators"),
    )
    return Diagnosis(
        checks=checks,
        advice=tuple(advise(checks, scale=scale)),
        gains=gains,
        scale=scale,
        labels=rule,
        notes=notes,
        findings=taken.findings,
        provenance=record([judgments, run, model], options),
    )


def advise(checks: Sequence[Check], *, scale: int) -> list[str]:
    """What to do about it, one line each."""
    lines = []
    for peer in dict.fromkeys(check.peer for check in checks):
        own = [check for check in checks if check.peer == peer and check.given != "scaled qrels"]
        lines += [f"{peer}: {line}" for line in dict.fromkeys(map(_warn, own)) if line]
    scaled = [check for check in checks if check.given == "scaled qrels"]
    good = list(dict.fromkeys(check.peer for check in scaled if check.verdict == "right"))
    bad = list(dict.fromkeys(check.peer for check in scaled if check.verdict not in ("right", "no answer")))
    if good:
        bound = max((check.bound or 0.0) for check in scaled)
        near = f"within the bound of {show_bound(bound)}" if bound > 1e-9 else "exactly"
        factor = "" if scale == SCALE else f" with a scale of {scale}"
        lines.append(
            f"For nDCG in {', '.join(good)}: gainsayer export qrels{factor}; it gave the right value {near}. Use such "
            "qrels for nothing but nDCG."
        )
    if bad:
        lines.append(f"Scaled qrels did not help in {', '.join(bad)}; see its rows above.")
    if not scaled:
        lines.append("No other evaluator is installed here, so there was nothing to compare.")
    lines.append("For every other measure, and for exact values: gainsayer score")
    return lines


def _warn(check: Check) -> str:
    if check.verdict == "wrong" and check.given == "gains as relevance":
        return "do not give it gains as relevance: it changes them in silence."
    if check.verdict == "wrong":
        return f"do not give it gains as a {check.given}: its nDCG is wrong in silence."
    if check.verdict == "crashed":
        return f"do not give it gains as a {check.given}: it takes the whole process down."
    if check.verdict == "no answer":
        again = " Ask again: what it has compiled so far is kept." if check.peer == "ranx" else ""
        return f"it ran out of time; allow it more seconds.{again}"
    return ""


def _first_topics(labels: Judgments, returned: Sequence[str] | None, most: int) -> tuple[Judgments, tuple[str, ...]]:
    """The labels of the first topics, of those in the run where there is one; and how many there were, in words."""
    known = set(labels.topics if returned is None else returned)
    places = [place for place in np.unique(labels.topic).tolist() if labels.topics[place] in known]
    if len(places) <= most:
        return labels, ()
    note = f"Looked at the first {most:,} of {len(places):,} topics, the most that were asked for."
    return labels.rows(np.isin(labels.topic, places[:most])), (note,)


def _rank(run: Run, labels: Judgments) -> Ranking:
    """Documents by rank for each judged topic: score descending, then document descending by bytes, as in trec_eval."""
    judged = [labels.topics[place] for place in np.unique(labels.topic).tolist()]
    frame = run.frame().filter(pl.col("topic").is_in(judged))
    repeated = frame.filter(pl.struct("topic", "document").is_duplicated())
    if repeated.height:
        topic, document = repeated.row(0)[:2]
        raise DataError(f"{run.source}: topic {topic} has document {document!r} twice. A run returns it once.")
    ranked = frame.sort("score", "document", descending=True).group_by("topic", maintain_order=True).agg("document")
    return dict(ranked.select("topic", "document").iter_rows())
