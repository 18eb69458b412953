"""What to judge next: after a comparison, what more topics, second judgments or first labels would buy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gainsayer.comparison.results import Comparison
from gainsayer.errors import GainsayerError
from gainsayer.levels import Patterns, Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.model.pairs import PairCounts
from gainsayer.planning.allocation import allocate
from gainsayer.planning.components import estimate_components, fill_components
from gainsayer.planning.keys import BoolArray, FloatArray
from gainsayer.planning.levers import Lever, find_gap, find_levers
from gainsayer.planning.targets import target_difference, target_scores
from gainsayer.planning.variance import Prospect
from gainsayer.rankings.ranked_levels import RankedLevels
from gainsayer.table import Column, Json, Table, number


@dataclass(frozen=True)
class Advice:
    """What would make a result surer, as the plan of second judgments predicts it.

    Args:
        about: the difference of the two runs that score highest, or the run.
        measure: by which.
        half_width: predicted now.
        floor: predicted with all documents judged twice.
        judged: how many documents are judged twice.
        levers: what could be done, the most useful first.
    """

    about: str
    measure: str
    half_width: float
    floor: float
    judged: int
    levers: tuple[Lever, ...]


def advise_next(
    comparison: Comparison,
    ranked: Sequence[RankedLevels],
    counts: PairCounts | None,
    relevances: Sequence[Relevance],
) -> Advice | None:
    """What to judge next to tell the two best runs apart, or to be surer of the only one.

    Args:
        comparison: what was found.
        ranked: the runs, labelled.
        counts: the double judgments behind the gains; None where there are none.
        relevances: what satisfies users.

    None where gains were not estimated from double judgments at hand, or labels are patterns.
    """
    part = next((part for part in comparison.parts if part.scheme.gains.kind == "prm"), None)
    if part is None or counts is None or isinstance(ranked[0].levels, Patterns) or len(ranked[0].topics) < 2:
        return None
    named = {run.name: run for run in ranked}
    order = [comparison.runs[at] for at in np.argsort(part.standings.rank, kind="stable").tolist()]
    best = [named[name] for name in order if name in named][:2]
    meant = [relevance for relevance in relevances if relevance.name == part.scheme.gains.threshold]
    try:
        return _advise(best, part.measure, counts, (meant or list(relevances))[0], comparison.confidence)
    except GainsayerError:  # such as a measure that takes no other gains
        return None


def _advise(
    best: Sequence[RankedLevels], measure: Measure, counts: PairCounts, relevance: Relevance, confidence: float
) -> Advice:
    run = best[0]
    mask = np.array(relevance.mask)
    relevant, judged = _second_opinions(counts, mask, run.topics)
    known = fill_components(run.levels, estimate_components(relevant, judged))
    scores = target_scores(best, measure, known.probability)
    pair = len(best) == 2
    targets = target_difference(scores) if pair else scores
    sizes = np.maximum(run.pool.astype(np.float64), judged)
    second = int((judged.sum(axis=1) > 0).sum())
    prospect = Prospect(
        sizes,
        known,
        targets,
        confidence=confidence,
        judged_topics=second if 1 < second < len(sizes) else None,
        covariance=targets.covariance(known.residual),
    )
    now = np.minimum(judged.sum(axis=0), prospect.documents)

    def share_out(budget: float) -> FloatArray:
        return allocate(prospect.worth, budget, prospect.documents, now)

    gap = replace(find_gap(best, measure, known.probability), runs="the two best runs" if pair else "it")
    return Advice(
        about=targets.names[0],
        measure=str(measure),
        half_width=prospect.half_width(now),
        floor=prospect.half_width(prospect.documents),
        judged=round(float(now.sum())),
        levers=find_levers(prospect, now, share_out, gap),
    )


def _second_opinions(counts: PairCounts, mask: BoolArray, topics: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    """Relevant and all second opinions per scored topic and first label; weights are scaled to one on average."""
    index = {name: at for at, name in enumerate(topics)}
    scale = counts.pairs / max(float(counts.matrix.sum()), 1e-300)
    found = np.zeros((len(topics), *counts.counts.shape[1:]))
    for name, cells in zip(counts.topics, counts.counts, strict=True):
        if name in index:
            found[index[name]] = cells * scale
    return found[:, :, mask].sum(axis=2), found.sum(axis=2)


def lever_table(
    levers: Sequence[Lever], title: str = "Instead, or beyond", heading: str = "what else would help"
) -> Table:
    """What could be done, one row per lever; `heading` stands above the changes."""
    columns = (
        Column("lever", [lever.name for lever in levers]),
        Column("change", [lever.change for lever in levers], heading, narrow="wrap"),
        Column("cost", [{"first": lever.first, "second": lever.second} for lever in levers], csv=False),
        Column("half_width", np.array([lever.half_width for lever in levers]), "±"),
        Column("first", [lever.first for lever in levers], "first judgments", json=False),
        Column("second", [lever.second for lever in levers], "second judgments", json=False),
        Column("bias", np.array([lever.bias for lever in levers], np.float64), "left open"),
    )
    return Table(title, columns, "levers")


def say_lever(lever: Lever, now: float) -> str:
    """What a lever would buy, in a sentence; `now` is the half-width without it."""
    if lever.bias is not None:
        off = f"Until then the result may be off by up to {_width(lever.bias)}"
        return f"{lever.change}. {off}, which the interval of ±{_width(now)} does not show."
    if lever.half_width > 0.995 * now:
        return f"{lever.change} would leave the interval at ±{_width(lever.half_width)}."
    return f"{lever.change} would narrow the interval from ±{_width(now)} to ±{_width(lever.half_width)}."


def _width(value: float) -> str:
    return f"{value:.3f}" if value >= 0.01 else f"{value:.4f}"


def describe_advice(advice: Advice) -> dict[str, Json]:
    """What to judge next, as plain data: what the JSON of `compare` holds as `advice`."""
    return {
        "about": advice.about,
        "measure": advice.measure,
        "half_width": number(advice.half_width),
        "floor_half_width": number(advice.floor),
        "judged": advice.judged,
        "levers": lever_table(advice.levers).records(),
    }


def say_advice(advice: Advice) -> str:
    """What to judge next, in a sentence or two."""
    first, *rest = (say_lever(lever, advice.half_width) for lever in advice.levers[:2])
    return " ".join([first, *(said[:1].upper() + said[1:] for said in rest)])
