"""What to judge next: after a comparison, what more topics, second judgments or first labels would buy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gainsayer.comparison.results import Comparison
from gainsayer.errors import GainsayerError
from gainsayer.levels import Patterns, Relevance
from gainsayer.model.estimate import Disagreement
from gainsayer.model.variance import share_of
from gainsayer.planning.plans import Lever, find_gap, find_levers, print_width
from gainsayer.planning.prospect import Prospect, allocate, bound_shares, take_pilot, target_runs
from gainsayer.planning.sampling import FloatArray
from gainsayer.ranking.ranked import RankedLevels
from gainsayer.table import Column, Json, Table, number


@dataclass(frozen=True)
class Advice:
    """What would make a result surer: the interval that is there, and what it would become.

    Args:
        about: the difference of the two runs that score highest, or the run.
        measure: by which.
        half_width: half the width of its interval.
        floor: foretold with all documents judged twice.
        judged: how many documents are judged twice.
        left: how many of the same topics are not.
        levers: what could be done, the most useful first.
    """

    about: str
    measure: str
    half_width: float
    floor: float
    judged: int
    left: int
    levers: tuple[Lever, ...]


def advise_next(
    comparison: Comparison,
    ranked: Sequence[RankedLevels],
    disagreement: Disagreement | None,
    relevances: Sequence[Relevance],
) -> Advice | None:
    """What to judge next to tell the two best runs apart, or to be surer of the only one.

    Args:
        comparison: what was found.
        ranked: the runs, labelled.
        disagreement: the double judgments behind the gains; None where there are none.
        relevances: what satisfies users.

    None where gains were not estimated from double judgments at hand, labels are patterns, or there is no interval.
    """
    part = next((part for part in comparison.parts if part.scheme.gains.kind == "prm"), None)
    if part is None or part.scheme.rule is None or disagreement is None or isinstance(ranked[0].levels, Patterns):
        return None
    if part.replicates is None or len(disagreement.counts.topics) < 2 or len(comparison.topics) < 2:
        return None
    meant = [relevance for relevance in relevances if relevance.name == part.scheme.gains.threshold]
    relevance = (meant or list(relevances))[0]
    best = part.two_best
    target = target_runs(
        part, comparison.runs, best, "difference" if len(best) == 2 else "score", comparison.confidence
    )
    if not target.known.all():
        return None
    place = {name: at for at, name in enumerate(ranked[0].topics)}
    sizes = ranked[0].pool[[place[name] for name in comparison.topics]].astype(np.float64)
    pilot = take_pilot(disagreement, relevance, comparison.topics, sizes)
    if not len(pilot.sizes):  # other topics were judged twice than those that are scored
        return None
    prospect = Prospect.seen(pilot, target, sizes=sizes, confidence=comparison.confidence)
    documents = pilot.sizes.sum(axis=0)
    judged = np.minimum(pilot.share * documents, documents)

    def shared(budget: float) -> FloatArray:
        found = allocate(bound_shares(prospect.worth, documents), budget, documents, judged)
        return share_of(found, documents, empty=0.0)

    gap = None
    try:
        named = {run.name: run for run in ranked}
        runs = [named[comparison.runs[at]] for at in best if comparison.runs[at] in named]
        gap = replace(
            find_gap(runs, part.measure, prospect.probability),
            runs="the two best runs" if len(best) == 2 else "the run",
        )
    except GainsayerError:  # such as a measure that takes no other gains
        pass
    return Advice(
        about=target.names[0],
        measure=str(part.measure),
        half_width=prospect.half_width_now,
        floor=prospect.half_width(np.ones(len(documents))),
        judged=round(float(judged.sum())),
        left=round(float((documents - judged).sum())),
        levers=find_levers(prospect, pilot.share, shared, gap, second=1.0),
    )


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
        off = f"Until then the result may be off by up to {print_width(lever.bias)}"
        shown = "no interval shows" if np.isnan(now) else f"the interval of ±{print_width(now)} does not show"
        return f"{lever.change}. {off}, which {shown}."
    return f"{lever.change} would narrow the interval from ±{print_width(now)} to ±{print_width(lever.half_width)}."


def describe_advice(advice: Advice) -> dict[str, Json]:
    """What to judge next, as plain data: what the JSON of `compare` holds as `advice`."""
    return {
        "about": advice.about,
        "measure": advice.measure,
        "half_width": number(advice.half_width),
        "floor_half_width": number(advice.floor),
        "judged": advice.judged,
        "left": advice.left,
        "levers": lever_table(advice.levers).records(),
    }


def say_advice(advice: Advice) -> str:
    """What to judge next, in a sentence or two."""
    said = [say_lever(lever, advice.half_width) for lever in advice.levers[:2]]
    if not advice.left:
        said.insert(0, "every document of the topics judged twice has its second judgment: more there cannot help.")
    first, *rest = said or ["nothing that can be foretold would narrow the interval."]
    return " ".join([first, *(words[:1].upper() + words[1:] for words in rest)])
