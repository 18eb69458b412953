"""What the organiser sees: how far the round is, what each grade is worth so far, whether to stop, who reads otherwise.

The numbers are those of `fit` on the exported judgments: the page and the command cannot differ. The interval by which
a precision rule stops is the plain one; the wider one holds at any moment from the first finished batch on, however
often somebody looks.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, cast

import numpy as np
import polars as pl
import scipy

from gainsayer.commands.fit import Fit, fit
from gainsayer.commands.inputs import Reading
from gainsayer.errors import DataError
from gainsayer.levels import Levels
from gainsayer.model.relevance import PredictedRelevance
from gainsayer.planning.plans import do_people_decide, people_needed, topics_needed
from gainsayer.planning.prospect import Pilot, Prospect, target_levels
from gainsayer.planning.sampling import FINISHED, FloatArray
from gainsayer.planning.stopping import Stopping
from gainsayer.web.second_round import Event, Round, second_judgments

CONFIDENCE: Final = 0.95
FEWEST_PEOPLE: Final = 4
_FIRST: Final = "first  labels"  # with two blanks, which no person's name has


@dataclass(frozen=True)
class LevelState:
    """A grade of the first assessors: what it is worth so far, and how close that is known.

    Args:
        level: its name in the data.
        name: what it is called.
        planned: documents to judge, times the judgments wanted of each.
        judged: second judgments so far.
        skipped: documents skipped.
        probability: p(R|i); None where nobody judged such a document.
        interval: the plain interval.
        any_moment: the one that holds at any moment; None before the first batch is finished.
        half_width: half of the plain one.
        expected_half_width: what it should be when everything planned is judged; None where too little was seen to say.
        remaining: second judgments still needed for the precision asked for; None where judging alone will not do, or
            too little was seen to say.
    """

    level: str
    name: str
    planned: int
    judged: int
    skipped: int
    probability: float | None
    interval: tuple[float, float] | None
    any_moment: tuple[float, float] | None
    half_width: float | None
    expected_half_width: float | None
    remaining: int | None

    def is_close(self, within: float | None) -> bool:
        """Whether it is known as closely as asked for."""
        return within is not None and self.half_width is not None and self.half_width <= within


@dataclass(frozen=True)
class PersonState:
    """A person at work; in no order but that of names.

    Args:
        name: who.
        judged: documents with a level.
        skipped: documents skipped.
        topics: topics judged in.
        seconds: the median time for a document; None where not known.
        leniency: by how much more often they are satisfied than others were with documents of the same first grades.
        leniency_interval: over their topics.
    """

    name: str
    judged: int
    skipped: int
    topics: int
    seconds: float | None
    leniency: float | None
    leniency_interval: tuple[float, float] | None

    @property
    def far_off(self) -> str:
        """`stricter`, `more lenient`, or nothing where the interval holds 0."""
        if self.leniency_interval is None or self.leniency_interval[0] <= 0 <= self.leniency_interval[1]:
            return ""
        return "more lenient" if self.leniency_interval[0] > 0 else "stricter"


@dataclass(frozen=True)
class TopicState:
    """A topic: how many of the planned judgments are there."""

    name: str
    planned: int
    judged: int


@dataclass(frozen=True)
class Overview:
    """The whole state of a round; see `LevelState`, `PersonState`, `TopicState`.

    Args:
        study: its name.
        stopped: whether judging was stopped.
        within: how close each parameter should be known; None where the plan is for something else, or has a budget.
        kind: of the rule, `precision` or `decision`.
        purpose: what the plan is for: `parameters`, `score` or `difference`.
        met: whether the rule says stop.
        begun: whether the first batch is finished, so that one may stop at any moment.
        topics_needed: about how many topics like these would reach it, where more judging of these will not.
        people_decide: whether more people would help more than more topics.
        people_needed: about how many people would reach it then.
        planned: all judgments planned.
        judged: those there.
        skipped: documents skipped, of all answered.
        people_count: people who gave a second judgment.
        for_users: whether the intervals allow for how few people judge; else they are for these assessors.
        seconds: the median time for a document.
        multiplier: of the standard error in intervals that hold at any moment; None before the first batch is finished.
        estimator: of p(R|i).
        confidence: of the intervals.
        any_moment_confidence: to ask of `fit` for the intervals that hold at any moment; None likewise.
    """

    study: str
    stopped: bool
    within: float | None
    kind: str
    purpose: str
    met: bool
    begun: bool
    topics_needed: int | None
    people_decide: bool
    people_needed: int | None
    planned: int
    judged: int
    skipped: int
    people_count: int
    for_users: bool
    seconds: float | None
    multiplier: float | None
    estimator: str
    confidence: float
    any_moment_confidence: float | None
    relevant: tuple[str, ...]
    levels: tuple[LevelState, ...]
    people: tuple[PersonState, ...]
    topics: tuple[TopicState, ...]

    def describe(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


class Monitor:
    """The overview of one study, computed anew when something happened."""

    def __init__(self) -> None:
        self._latest: tuple[object, Overview] | None = None

    def look(self, second: Round) -> Overview:
        """The state now."""
        key = (second.events[-1].id if second.events else 0, len(second.people), second.study.stopped)
        if self._latest is None or self._latest[0] != key:
            self._latest = (key, oversee(second))
        return self._latest[1]


def oversee(second: Round) -> Overview:
    """The state of a round: p(R|i) with intervals, the rule, progress by topic, grade and person."""
    study, items, plan = second.study, second.items, second.study.plan
    said = second.last_words()
    graded = [one for one in said if one.kind == "level"]
    judged = Counter(one.item for one in graded)
    # What one person skipped and others judged after all is not missing.
    words = [one for one in said if one.kind == "level" or judged[one.item] < study.overlap]
    model = estimate(second, CONFIDENCE)
    predicted = None if model is None else model.predict()
    prospect = None if model is None else foretell(second, model)
    begun = is_begun(second, words)
    rule = _fix_rule(second, begun)
    wide = None if rule is None or model is None else estimate(second, rule.nominal)
    levels = _level_states(second, words, predicted, None if wide is None else wide.predict(), prospect)
    asked = [level for level in levels if level.planned]
    halves = [level.half_width for level in asked]
    known = [half for half in halves if half is not None]
    met = bool(
        plan.stopping.kind == "precision"
        and study.within is not None
        and len(known) == len(halves) > 0
        and replace(plan.stopping, within=study.within).met(half_width=max(known))
    )
    names = sorted({planned.topic for planned in items.values()})
    of_topic = {name: [0, 0] for name in names}
    for planned in items.values():
        of_topic[planned.topic][0] += study.overlap
    for one in graded:
        of_topic[items[one.item].topic][1] += 1
    people = len({one.assessor for one in graded})
    return Overview(
        study=study.name,
        stopped=study.stopped is not None,
        within=study.within,
        kind=plan.stopping.kind,
        purpose=plan.purpose,
        met=met,
        begun=begun,
        topics_needed=None if met else _count_topics(second, prospect),
        people_decide=prospect is not None and do_people_decide(prospect),
        people_needed=None if met else _count_people(second, prospect),
        planned=len(items) * study.overlap,
        judged=len(graded),
        skipped=len(words) - len(graded),
        people_count=people,
        for_users=predicted is not None and predicted.panel.over == "topics and people",
        seconds=_median([one.milliseconds for one in graded]),
        multiplier=None if rule is None else rule.multiplier,
        estimator=plan.estimator,
        confidence=CONFIDENCE,
        any_moment_confidence=None if rule is None else rule.nominal,
        relevant=study.relevant,
        levels=levels,
        people=tuple(_person_state(second, name, said) for name in second.people),
        topics=tuple(TopicState(name, *of_topic[name]) for name in names),
    )


def estimate(second: Round, confidence: float) -> Fit | None:
    """p(R|i) of the round so far, as `fit` gives it for the exported file; None before there are judgments enough."""
    study = second.study
    rows = second_judgments(second)
    labels = [one for one in second.items.values() if one.level is not None]
    if not rows or not labels:
        return None
    names = [level.level for level in study.levels]
    first = pl.DataFrame(
        {
            "topic": [one.topic for one in labels],
            "document": [one.document for one in labels],
            "assessor": [_FIRST] * len(labels),
            "level": [names[cast(int, one.level)] for one in labels],
        }
    )
    second_table = pl.DataFrame(
        {name: [row[name] for row in rows] for name in ("topic", "document", "assessor", "level", "weight")}
    )
    try:
        return fit(
            Reading((first, second_table), levels=Levels(tuple(names))),
            relevant=list(study.relevant),
            first=[_FIRST],
            second=sorted({row["assessor"] for row in rows}),
            estimator=study.plan.estimator,
            confidence=confidence,
        )
    except DataError:  # too little to say anything yet
        return None


def foretell(second: Round, model: Fit) -> Prospect:
    """What more judgments of the plan would make of it; documents of a topic and grade are those planned, by share."""
    study, predicted = second.study, model.predict()
    size = len(study.levels)
    names = sorted({planned.topic for planned in second.items.values()})
    place = {name: at for at, name in enumerate(names)}
    sizes = np.zeros((len(names), size))
    for planned in second.items.values():
        if planned.level is not None:
            sizes[place[planned.topic], planned.level] += study.overlap
    share = study.plan.shares[-1]
    sizes = np.divide(sizes, share, out=sizes.copy(), where=share > 0)
    pilot = Pilot(model.disagreement, predicted.relevance, sizes)
    return Prospect.seen(pilot, target_levels(predicted, range(size)), confidence=predicted.confidence)


def is_begun(second: Round, words: Sequence[Event]) -> bool:
    """Whether the first batch is finished in all topics: at most a tenth of it lacks a level."""
    first = [number for number, planned in second.items.items() if planned.batch == 1]
    judged = {one.item for one in words if one.kind == "level"}
    return bool(first) and sum(number in judged for number in first) >= FINISHED * len(first)


def _fix_rule(second: Round, begun: bool) -> Stopping | None:
    """The rule for looks at any moment, its ratio as the first batch has it; None before that is finished."""
    if not begun:
        return None
    of_first = {number for number, planned in second.items.items() if planned.batch == 1}
    model = estimate(replace(second, events=[one for one in second.events if one.item in of_first]), CONFIDENCE)
    rule = replace(second.study.plan.stopping, kind="decision", confidence=CONFIDENCE)
    if model is None:
        return rule
    ratio = foretell(second, model).ratio(second.study.plan.shares[-1])
    return rule if ratio is None else rule.with_ratio(ratio)


def _count_topics(second: Round, prospect: Prospect | None) -> int | None:
    """About how many topics like these would do, where judging everything planned will not; else None."""
    within = second.study.within
    if prospect is None or within is None:
        return None
    share = second.study.plan.shares[-1]
    planned = prospect.half_width(share)
    if not planned > within:
        return None
    return topics_needed(prospect, lambda times: prospect.half_width(share, topics=times) <= within)


def _count_people(second: Round, prospect: Prospect | None) -> int | None:
    """About how many second assessors would do in place of those there are, where people decide; else None."""
    within = second.study.within
    if prospect is None or within is None or not do_people_decide(prospect):
        return None
    share = second.study.plan.shares[-1]
    if not prospect.half_width(share) > within:
        return None
    return people_needed(prospect, lambda times: prospect.half_width(share, people=times) <= within)


def _level_states(
    second: Round,
    words: Sequence[Event],
    predicted: PredictedRelevance | None,
    wide: PredictedRelevance | None,
    prospect: Prospect | None,
) -> tuple[LevelState, ...]:
    study, found = second.study, []
    halves = [None] * len(study.levels) if predicted is None else _halves(predicted)
    for place, level in enumerate(study.levels):
        of_level = [one for one in words if second.items[one.item].level == place]
        planned = sum(one.level == place for one in second.items.values()) * study.overlap
        judged = sum(one.kind == "level" for one in of_level)
        half, probability, expected, remaining = halves[place], None, None, None
        if predicted is not None and not np.isnan(predicted.probability[place]):
            probability = float(predicted.probability[place])
        if prospect is not None and half is not None and judged:
            then = float(prospect.half_widths(study.plan.shares[-1])[place])
            expected = None if np.isnan(then) else then
            remaining = None if study.within is None else _count_remaining(prospect, place, half, judged, study.within)
        found.append(
            LevelState(
                level=level.level,
                name=level.name,
                planned=planned,
                judged=judged,
                skipped=len(of_level) - judged,
                probability=probability,
                interval=_ends(predicted, place),
                any_moment=_ends(wide, place),
                half_width=half,
                expected_half_width=expected,
                remaining=remaining,
            )
        )
    return tuple(found)


def _count_remaining(prospect: Prospect, place: int, half: float, judged: int, within: float) -> int | None:
    """How many more judgments of a level reach the half-width, all levels growing by one factor, by halving."""
    if half <= within:
        return 0
    assert prospect.pilot is not None
    share: FloatArray = prospect.pilot.share

    def reached(factor: float) -> bool:
        return bool(prospect.half_widths(np.minimum(factor * share, 1.0))[place] <= within)

    low, high = 1.0, 1 / max(float(share[place]), 1e-9)
    if not reached(high):
        return None
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return max(1, int(np.ceil((high - 1) * judged - 1e-9)))


def _person_state(second: Round, name: str, words: Sequence[Event]) -> PersonState:
    own = [one for one in words if one.assessor == name]
    graded = [one for one in own if one.kind == "level"]
    others = [one for one in words if one.assessor != name and one.kind == "level"]
    leniency, ends = measure_leniency(second, graded, others)
    topics = len({second.items[one.item].topic for one in graded})
    seconds = _median([one.milliseconds for one in graded])
    return PersonState(name, len(graded), len(own) - len(graded), topics, seconds, leniency, ends)


def measure_leniency(
    second: Round, graded: Sequence[Event], others: Sequence[Event]
) -> tuple[float | None, tuple[float, float] | None]:
    """How much more often a person is satisfied than others were with documents of the same first grades.

    The mean of `x_d - p_i(d)`, p_i being the share of the others' answers that are relevant; the interval is that of a
    ratio over the person's topics, with a t quantile. It speaks of strictness, not of right and wrong.
    """
    relevant = [level.level in second.study.relevant for level in second.study.levels]
    seen: dict[int, list[bool]] = {}
    for one in others:
        first = second.items[one.item].level
        if first is not None and one.level is not None:
            seen.setdefault(first, []).append(relevant[one.level])
    expected = {first: sum(found) / len(found) for first, found in seen.items()}
    of_topic: dict[str, list[float]] = {}
    for one in graded:
        planned = second.items[one.item]
        if planned.level in expected and one.level is not None:
            of_topic.setdefault(planned.topic, []).append(relevant[one.level] - expected[planned.level])
    if not of_topic:
        return None, None
    size = np.array([len(found) for found in of_topic.values()], dtype=np.float64)
    excess = np.array([sum(found) for found in of_topic.values()])
    mean = float(excess.sum() / size.sum())
    if len(size) < 3:
        return mean, None
    count = len(size)
    variance = float(((excess - mean * size) ** 2).sum() / size.sum() ** 2 * count / (count - 1))
    reach = float(scipy.special.stdtrit(count - 1, (1 + CONFIDENCE) / 2)) * variance**0.5
    return mean, (max(mean - reach, -1.0), min(mean + reach, 1.0))


def _ends(predicted: PredictedRelevance | None, place: int) -> tuple[float, float] | None:
    if predicted is None or np.isnan(predicted.interval.ends[place]).any():
        return None
    low, high = predicted.interval.ends[place].tolist()
    return low, high


def _halves(predicted: PredictedRelevance) -> list[float | None]:
    ends = [_ends(predicted, place) for place in range(len(predicted.levels))]
    return [None if one is None else (one[1] - one[0]) / 2 for one in ends]


def _median(milliseconds: Sequence[int | None]) -> float | None:
    known = [one for one in milliseconds if one is not None]
    return statistics.median(known) / 1000 if known else None
