"""A plan: how many documents of each level, in which batches, what they would buy, and when to stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.levels import Levels
from gainsayer.planning.allocation import allocate, least_judgments, spread_evenly
from gainsayer.planning.batches import grow_shares
from gainsayer.planning.caveats import (
    below_floor,
    notice_prospect,
    one_assessor,
    out_of_reach,
    too_weak,
    what_decides,
)
from gainsayer.planning.components import BAND, fill_components
from gainsayer.planning.keys import FloatArray
from gainsayer.planning.levers import Gap, Lever, find_levers
from gainsayer.planning.stopping import Kind, Stopping, looks_multiplier, multiplier_at
from gainsayer.planning.variance import Prospect, Variance
from gainsayer.text import option

Purpose = Literal["parameters", "score", "difference"]
PURPOSES: tuple[Purpose, ...] = ("parameters", "score", "difference")
CURVE_POINTS = 16
NEARLY_ALL = 1.1


@dataclass(frozen=True)
class Aim:
    """What a plan is for: exactly one of `within`, `power` and `budget` is given.

    Args:
        purpose: `parameters`, `score` or `difference`.
        within: half the width that the widest interval may have.
        power: how likely a difference is to show.
        budget: how many second judgments there can be.
        difference: the one that should show; by default what the runs score now.
        batches: in how many steps.
        minimum: fewest judgments of a level, in place of the usual floor.
    """

    purpose: Purpose
    within: float | None = None
    power: float | None = None
    budget: float | None = None
    difference: float | None = None
    batches: int = 5
    minimum: int | None = None

    def __post_init__(self) -> None:
        if self.purpose not in PURPOSES:
            raise CallError(f"There is no purpose {self.purpose!r}: choose one of {', '.join(PURPOSES)}.")
        if sum(value is not None for value in (self.within, self.power, self.budget)) != 1:
            raise CallError(
                f"A plan has one aim: give exactly one of {option('within')}, {option('power')} and {option('budget')}."
            )
        for name, value in (("within", self.within), ("budget", self.budget)):
            if value is not None and not value > 0:
                raise CallError(f"{name} must be above 0, found {value}.")
        if self.power is not None and not 0 < self.power < 1:
            raise CallError(f"The power must lie between 0 and 1, found {self.power}.")
        if self.power is not None and self.purpose != "difference":
            raise CallError(f"Power is a question about a difference of two runs: {option('purpose', 'difference')}.")

    @property
    def kind(self) -> Kind:
        """How the study stops: when precise enough, or because a difference shows."""
        shows = self.power is not None or (self.purpose == "difference" and self.budget is not None)
        return "decision" if shows else "precision"


@dataclass(frozen=True)
class CurvePoint:
    """The half-width after so many judgments, and with as many drawn evenly, whatever the first labels."""

    judgments: float
    half_width: float
    uniform_half_width: float


@dataclass(frozen=True, eq=False)
class Plan:
    """What to judge a second time, and what it would buy.

    Args:
        aim: what it is for.
        prospect: what the variance depends on.
        levels: the levels.
        judge: expected judgments of each level; shape [levels].
        share: of each level's documents in the topics that are judged; shape [levels].
        shares: reached at the end of each batch; shape [batches, levels].
        variance: by source, expected at the end.
        half_widths: of each target; shape [targets].
        floor: the half-width with all documents judged twice.
        power: to show the difference; None for other purposes.
        difference: the one that is to show; None for other purposes.
        curve: half-widths by budget.
        levers: what else could be done.
        band: the half-width if documents of a topic agreed less or more; None with a pilot.
        stopping: the rule.
        findings: what a reader should know.
    """

    aim: Aim
    prospect: Prospect
    levels: Levels
    judge: FloatArray
    share: FloatArray
    shares: FloatArray
    variance: Variance
    half_widths: FloatArray
    floor: float
    power: float | None
    difference: float | None
    curve: tuple[CurvePoint, ...]
    levers: tuple[Lever, ...]
    band: tuple[float, float] | None
    stopping: Stopping
    findings: tuple[Finding, ...] = ()

    @property
    def worst(self) -> int:
        """The place of the target with the widest interval."""
        return int(self.half_widths.argmax())

    @property
    def half_width(self) -> float:
        """That of the widest interval."""
        return float(self.half_widths.max())

    @property
    def standard_error(self) -> float:
        """Of the target with the widest interval."""
        return float(np.sqrt(self.variance.total[self.worst]))


def make_plan(prospect: Prospect, aim: Aim, levels: Levels, *, gap: Gap | None = None) -> Plan:
    """Plan second judgments for an aim.

    Args:
        prospect: what the variance depends on.
        aim: what the plan is for.
        levels: the levels.
        gap: what runs hold that nobody judged, for the levers.

    Raises:
        DataError: the aim is out of reach even with all documents judged twice; there is one topic, or one assessor.

    >>> from gainsayer.planning.targets import target_parameters
    >>> levels = Levels(("0", "1"))
    >>> known = fill_components(levels, guesses={"0": 0.1, "1": 0.5}, intraclass=0.1)
    >>> prospect = Prospect(np.full((40, 2), 50.0), known, target_parameters(levels, known.probability, [0, 1]))
    >>> plan = make_plan(prospect, Aim("parameters", budget=400), levels)
    >>> plan.judge.round(1).tolist(), round(plan.half_width, 3), round(plan.floor, 3)
    ([150.0, 250.0], 0.079, 0.055)
    """
    if prospect.topics < 2:
        raise DataError("One topic says nothing about other topics, so no plan can say how sure a result would be.")
    if prospect.assessors is not None and prospect.assessors < 2:
        raise one_assessor(prospect)
    findings = notice_prospect(prospect, levels, gap)
    every = prospect.documents
    floor = prospect.half_width(every)
    if aim.within is not None and floor > aim.within:
        raise out_of_reach(prospect, floor, aim.within)
    difference = None
    if aim.purpose == "difference":
        difference = float(prospect.targets.values[0]) if aim.difference is None else aim.difference
    # For parameters within a half-width each level has a number of its own; any other budget keeps their proportions.
    each = aim.purpose == "parameters" and aim.within is not None
    worth = _judge_each(prospect, aim) if each else prospect.worth

    def share_out(budget: float) -> FloatArray:
        least = least_judgments(every, budget, shown=aim.purpose == "parameters", minimum=aim.minimum)
        return allocate(worth, budget, every, np.minimum(least, worth) if each else least)

    if aim.budget is not None:
        judge = share_out(aim.budget)
        if judge.sum() > aim.budget + 0.5:
            findings.append(below_floor(aim.budget, float(judge.sum())))
    elif aim.within is not None:
        most = aim.within
        judge = worth if each else _search(share_out, every, lambda count: prospect.half_width(count) <= most)
    else:
        judge = _search_power(prospect, aim, share_out, difference)
    share = np.divide(judge, every, out=np.zeros_like(judge), where=every > 0)
    shares = grow_shares(np.minimum(share, 1.0), aim.batches)
    half_widths = prospect.half_widths(judge)
    if float(half_widths.max()) < NEARLY_ALL * floor and judge.sum() < every.sum() - 0.5:
        findings.append(what_decides(prospect, judge, floor))
    return Plan(
        aim=aim,
        prospect=prospect,
        levels=levels,
        judge=judge,
        share=share,
        shares=shares,
        variance=prospect.variance(judge),
        half_widths=half_widths,
        floor=floor,
        power=None if difference is None else prospect.power(judge, difference),
        difference=difference,
        curve=_draw_curve(prospect, share_out, float(judge.sum())),
        levers=find_levers(prospect, judge, share_out, gap),
        band=_find_band(prospect, levels, judge),
        stopping=make_stopping(prospect, shares, aim),
        findings=tuple(findings),
    )


def make_stopping(prospect: Prospect, shares: FloatArray, aim: Aim) -> Stopping:
    """The rule by which the study stops; for a decision, the multiplier of the looks after each batch."""
    variances = [float(prospect.variance(row * prospect.documents).total.max()) for row in shares]
    ratio = max(variances[0] / variances[-1], 1.0)
    if aim.kind == "precision":
        plain = multiplier_at((1.0,), prospect.confidence)
        return Stopping("precision", ratio, plain, prospect.confidence, aim.within)
    return Stopping("decision", ratio, looks_multiplier(ratio, len(shares), prospect.confidence), prospect.confidence)


def _judge_each(prospect: Prospect, aim: Aim) -> FloatArray:
    """For parameters, each level its own: n_i = sigma_i^2 / ((E / t)^2 - what judging does not reduce)."""
    assert aim.within is not None
    room = (aim.within / prospect.quantile) ** 2
    rest = prospect.variance(prospect.documents)
    fixed = rest.total - rest.within
    wanted = np.zeros(len(prospect.documents))
    for place, row in enumerate(prospect.targets.influence):
        level = int(row.argmax())
        wanted[level] = prospect.components.within[level] / max(room - float(fixed[place]), 1e-300)
    least = least_judgments(prospect.documents, float(wanted.sum()), shown=True, minimum=aim.minimum)
    return np.clip(np.ceil(wanted), least, prospect.documents)


def _search(
    share_out: Callable[[float], FloatArray], every: FloatArray, enough: Callable[[FloatArray], bool]
) -> FloatArray:
    """The fewest judgments that are enough, by halving."""
    low, high = 0.0, float(every.sum())
    while high - low > 0.5:
        middle = (low + high) / 2
        if enough(share_out(middle)):
            high = middle
        else:
            low = middle
    return np.asarray(share_out(float(np.ceil(high))))


def _search_power(
    prospect: Prospect, aim: Aim, share_out: Callable[[float], FloatArray], difference: float | None
) -> FloatArray:
    """The fewest judgments with which a difference shows with the power asked for."""
    assert aim.power is not None
    assert difference is not None
    if prospect.power(prospect.documents, difference) < aim.power:
        raise too_weak(prospect, difference, aim.power)
    wanted = aim.power
    return _search(share_out, prospect.documents, lambda count: prospect.power(count, difference) >= wanted)


def _draw_curve(prospect: Prospect, share_out: Callable[[float], FloatArray], planned: float) -> tuple[CurvePoint, ...]:
    total = float(prospect.documents.sum())
    least = float(share_out(0.0).sum())
    budgets = np.geomspace(max(least, 1.0), max(total, least, 1.0), CURVE_POINTS)
    points = sorted({*np.round(budgets).tolist(), round(planned), total})
    return tuple(
        CurvePoint(
            count,
            prospect.half_width(share_out(count)),
            prospect.half_width(spread_evenly(count, prospect.documents)),
        )
        for count in points
        if least - 0.5 <= count <= total
    )


def _find_band(prospect: Prospect, levels: Levels, judge: FloatArray) -> tuple[float, float] | None:
    """Half-widths if documents of a topic agreed less or more than guessed; None where a pilot tells."""
    known = prospect.components
    if "pilot" in known.source:
        return None
    guesses = dict(zip(levels.names, known.probability.tolist(), strict=True))
    ends = [
        replace(prospect, components=fill_components(levels, guesses=guesses, intraclass=value)).half_width(judge)
        for value in BAND
    ]
    return ends[0], ends[1]


def list_levels(levels: Levels, chosen: Sequence[str] | None, documents: FloatArray) -> list[int]:
    """The levels whose parameters are wanted: those named, or all that some document has.

    Raises:
        UnknownLevelError: there is no such level.
        DataError: no document has it.
    """
    places = [levels.index(name) for name in chosen or ()]
    lacking = [levels.names[place] for place in places if documents[place] == 0]
    if lacking:
        raise DataError(f"No document has the first label {lacking[0]}, so p(R|{lacking[0]}) cannot be planned for.")
    return places or np.flatnonzero(documents > 0).tolist()
