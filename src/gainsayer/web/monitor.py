"""What the organiser sees: how far the round is, what each grade is worth so far, whether to stop, who reads otherwise.

The numbers are those of `fit` on the exported judgments: the page and the command cannot differ. The interval by which
a precision rule stops is the plain one; the wider one holds at any moment, however often somebody looks.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, cast

import numpy as np
import polars as pl
from scipy.special import stdtrit

from gainsayer.commands.fit import fit
from gainsayer.commands.inputs import Reading
from gainsayer.errors import DataError
from gainsayer.levels import Levels
from gainsayer.model.estimate import Estimator
from gainsayer.model.relevance import PredictedRelevance
from gainsayer.planning.stopping import any_moment_multiplier, nominal_confidence
from gainsayer.web.second_round import Event, Round, second_judgments

CONFIDENCE: Final = 0.95
FEWEST_PEOPLE: Final = 4
_FIRST: Final = "first  labels"  # with two blanks, which no person's name has
_INTRACLASS: Final = 0.35  # of opinions within a topic, where the plan knows no better
_LARGEST_RATIO: Final = 5.0
_HISTORY: Final = 24


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
        any_moment: the one that holds at any moment.
        half_width: half of the plain one.
        expected_half_width: what it should be when everything planned is judged.
        remaining: second judgments still needed for the precision asked for; None where judging alone will not do.
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

    def is_close(self, within: float) -> bool:
        """Whether it is known as closely as asked for."""
        return self.half_width is not None and self.half_width <= within


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
        within: how close each parameter should be known.
        kind: of the rule, `precision` or `decision`.
        met: whether the rule says stop.
        topics_needed: about how many topics like these would reach it, where more judging of these will not.
        planned: all judgments planned.
        judged: those there.
        skipped: documents skipped, of all answered.
        people_count: people who gave a second judgment.
        for_users: whether the intervals allow for how few people judge; else they are for these assessors.
        seconds: the median time for a document.
        multiplier: of the standard error in intervals that hold at any moment.
        estimator: of p(R|i).
        confidence: of the intervals.
        any_moment_confidence: to ask of `fit` for the intervals that hold at any moment.
        history: after how many judgments each grade's half-width was what; None where not known.
    """

    study: str
    stopped: bool
    within: float
    kind: str
    met: bool
    topics_needed: int | None
    planned: int
    judged: int
    skipped: int
    people_count: int
    for_users: bool
    seconds: float | None
    multiplier: float
    estimator: str
    confidence: float
    any_moment_confidence: float
    relevant: tuple[str, ...]
    levels: tuple[LevelState, ...]
    people: tuple[PersonState, ...]
    topics: tuple[TopicState, ...]
    history: tuple[tuple[int, tuple[float | None, ...]], ...] = ()

    def describe(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


class Monitor:
    """Overviews of one study; what was computed for earlier moments is kept, as they do not change any more."""

    def __init__(self) -> None:
        self._latest: tuple[object, Overview] | None = None
        self._halves: dict[int, tuple[int, tuple[float | None, ...]]] = {}

    def look(self, second: Round) -> Overview:
        """The state now."""
        key = (second.events[-1].id if second.events else 0, len(second.people), second.study.stopped)
        if self._latest is None or self._latest[0] != key:
            self._latest = (key, oversee(second, history=self._history(second)))
        return self._latest[1]

    def _history(self, second: Round) -> tuple[tuple[int, tuple[float | None, ...]], ...]:
        """Half-widths after every n-th event; n such that the whole plan gives about two dozen points."""
        planned = len(second.items) * second.study.overlap
        step = max(5, planned // _HISTORY)
        marks = [one.id for one in second.events[step - 1 :: step]][: 4 * _HISTORY]
        for mark in marks:
            if mark not in self._halves:
                then = second.until(mark)
                predicted = predict(then, CONFIDENCE)
                words = sum(one.kind == "level" for one in then.last_words())
                halves = [None] * len(second.study.levels) if predicted is None else _halves(predicted)
                self._halves[mark] = (words, tuple(halves))
        return tuple(self._halves[mark] for mark in marks)


def oversee(second: Round, *, history: tuple[tuple[int, tuple[float | None, ...]], ...] = ()) -> Overview:
    """The state of a round: p(R|i) with intervals, the rule, progress by topic, grade and person."""
    study, items = second.study, second.items
    words = second.last_words()
    graded = [one for one in words if one.kind == "level"]
    multiplier = _multiplier(second)
    at_any_moment = nominal_confidence(multiplier)
    predicted = predict(second, CONFIDENCE)
    wide = None if predicted is None else predict(second, at_any_moment)
    levels = _level_states(second, words, predicted, wide)
    kind = str((study.plan.get("stopping") or {}).get("kind") or "precision")
    asked = [level for level in levels if level.planned]
    met = kind == "precision" and bool(asked) and all(level.is_close(study.within) for level in asked)
    names = sorted({planned.topic for planned in items.values()})
    of_topic = {name: [0, 0] for name in names}
    for planned in items.values():
        of_topic[planned.topic][0] += study.overlap
    for one in graded:
        of_topic[items[one.item].topic][1] += 1
    ends = [level.expected_half_width for level in asked if level.expected_half_width is not None]
    short = [end for end in ends if end > study.within]
    needed = None
    if kind == "precision" and short and not met:
        needed = int(np.ceil(len(names) * (max(short) / study.within) ** 2))
    people = len({one.assessor for one in graded})
    return Overview(
        study=study.name,
        stopped=study.stopped is not None,
        within=study.within,
        kind=kind,
        met=met,
        topics_needed=needed,
        planned=len(items) * study.overlap,
        judged=len(graded),
        skipped=len(words) - len(graded),
        people_count=people,
        for_users=predicted is not None and any("people" in (method or "") for method in predicted.interval.methods),
        seconds=_median([one.milliseconds for one in graded]),
        multiplier=multiplier,
        estimator=_estimator(second),
        confidence=CONFIDENCE,
        any_moment_confidence=at_any_moment,
        relevant=study.relevant,
        levels=levels,
        people=tuple(_person_state(second, name, words) for name in second.people),
        topics=tuple(TopicState(name, *of_topic[name]) for name in names),
        history=history,
    )


def predict(second: Round, confidence: float) -> PredictedRelevance | None:
    """p(R|i) of the round so far, as `fit` gives it for the exported file; None before there are judgments."""
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
    people = sorted({row["assessor"] for row in rows})
    reading = Reading((first, second_table), levels=Levels(tuple(names)))
    try:
        model = fit(
            reading,
            relevant=list(study.relevant),
            first=[_FIRST],
            second=people,
            estimator=cast(Estimator, _estimator(second)),
            confidence=confidence,
        )
    except DataError:  # too little to say anything yet
        return None
    return model.predict()


def _estimator(second: Round) -> str:
    return str(second.study.plan.get("estimator") or "one-sided")


def _multiplier(second: Round) -> float:
    """c of intervals that hold at any moment, by how far the variance falls from the first batch to the last."""
    ratio = float((second.study.plan.get("stopping") or {}).get("information_ratio") or _LARGEST_RATIO)
    return any_moment_multiplier(min(max(ratio, 1.0), _LARGEST_RATIO), CONFIDENCE)


def _level_states(
    second: Round, words: Sequence[Event], predicted: PredictedRelevance | None, wide: PredictedRelevance | None
) -> tuple[LevelState, ...]:
    study, found = second.study, []
    halves = [None] * len(study.levels) if predicted is None else _halves(predicted)
    rho = {str(one["level"]): one.get("intraclass") for one in study.plan.get("levels") or ()}
    for place, level in enumerate(study.levels):
        of_level = [one for one in words if second.items[one.item].level == place]
        planned = sum(one.level == place for one in second.items.values()) * study.overlap
        judged = sum(one.kind == "level" for one in of_level)
        half, probability, expected, remaining = halves[place], None, None, None
        if predicted is not None and not np.isnan(predicted.probability[place]):
            probability = float(predicted.probability[place])
        if predicted is not None and half is not None and judged:
            known = rho.get(level.level)
            intraclass = find_intraclass(second, of_level, _INTRACLASS if known is None else float(known))
            topics = float(predicted.effective_topics[place])
            expected, remaining = forecast(half, judged, planned, topics, intraclass, study.within)
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


def find_intraclass(second: Round, words: Sequence[Event], prior: float) -> float:
    """How alike opinions on documents of one first grade are within a topic, drawn towards what the plan expects.

    rho = sum_t (e_t² - sum_d e_d²) / (p q sum_t m_t (m_t - 1)) with e = x - p; weight topics / (topics + 10).
    """
    relevant = [level.level in second.study.relevant for level in second.study.levels]
    of_topic: dict[str, list[bool]] = {}
    for one in words:
        if one.level is not None:
            of_topic.setdefault(second.items[one.item].topic, []).append(relevant[one.level])
    share = float(np.mean([said for found in of_topic.values() for said in found]))
    pairs = sum(len(found) * (len(found) - 1) for found in of_topic.values())
    if not pairs or not 0 < share < 1:
        return prior
    errors = [np.array(found) - share for found in of_topic.values()]
    between = sum(float(error.sum() ** 2 - (error**2).sum()) for error in errors) / pairs
    topics = sum(len(found) > 1 for found in of_topic.values())
    own = min(max(between / (share * (1 - share)), 0.01), 0.9)
    return (topics * own + 10 * prior) / (topics + 10)


def forecast(
    half: float, judged: int, planned: int, topics: float, intraclass: float, within: float
) -> tuple[float, int | None]:
    """The half-width when everything planned is judged, and how many more judgments reach the one asked for.

    The variance has a part (1 - rho) / n that falls with judgments and a part rho / T that falls with topics alone, T
    being the topics by what they are worth. None where the latter is too much by itself. How far people differ is not
    in it: new people may read otherwise than these.

    >>> end, more = forecast(0.2, 25, 100, 20, 0.2, 0.15)
    >>> round(end, 4), more
    (0.1309, 34)
    >>> forecast(0.2, 25, 100, 2, 0.8, 0.1)[1] is None
    True
    """
    falling = (1 - intraclass) / judged
    part = falling / (falling + intraclass / topics)
    end = half * float(np.sqrt(1 - part + part * judged / max(planned, judged)))
    if half <= within:
        return end, 0
    room = (within / half) ** 2 - (1 - part)
    if room <= 0:
        return end, None
    return end, max(1, int(np.ceil(part * judged / room)) - judged)


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
    reach = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2)) * variance**0.5
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
