"""What is each grade worth to a user, and what if users ask for more, or for less?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import scipy

from gainsayer.commands.fit import Fit, parameter_chart, topic_spread
from gainsayer.model.relevance import PredictedRelevance
from gainsayer.ranking.ranked import FloatArray
from gainsayer.reports.content import KeyNumber, NamedTable, Section
from gainsayer.table import Column, Table, number
from gainsayer.words import (
    Sentence,
    capitalized,
    counted,
    find_relevant,
    name_relevance,
    shortened,
    sure,
    user_span,
    users,
)

# A number of users is a headline where it rests on so many second judgments and topics.
FEWEST_JUDGMENTS, FEWEST_TOPICS = 100, 20
HARDLY = 0.03
LEAST_BY_TOPIC = 8
SURE_OF_NOTHING = 1e-9  # the width of an interval where no second opinion differs from another


@dataclass(frozen=True)
class Grade:
    """What a grade is worth: the share of users who find such a document relevant; None where nothing is known."""

    name: str
    worth: float | None
    lower: float | None
    upper: float | None
    second_opinions: float

    def say(self) -> str:
        """Users of 100, and their interval: `42 (27 to 58)`."""
        span = user_span(self.lower, self.upper)
        return f"{users(self.worth)} ({span})" if span else users(self.worth)


@dataclass(frozen=True)
class GradeStep:
    """How much more a grade is worth than the one below it, with its interval."""

    higher: str
    lower: str
    by: float
    by_lower: float
    by_upper: float


@dataclass(frozen=True, kw_only=True)
class GradeVerdict:
    """What the grades are worth to users who are content with one notion of relevance.

    Args:
        relevant: with what users are content, in words.
        topics: that were judged twice.
        pairs: of judgments.
        confidence: of the intervals.
        ordered: whether the grades have an order.
        judge: who stands in place of users, where that is not people.
        grades: from low to high.
        steps: from the highest grade down; empty where grades have no order, or there is one topic.
    """

    relevant: str
    topics: int
    pairs: int
    confidence: float
    ordered: bool
    judge: str
    grades: tuple[Grade, ...]
    steps: tuple[GradeStep, ...]

    @property
    def known(self) -> list[Grade]:
        """The grades whose worth may stand in a headline, the highest first; without an order, the one worth most."""
        if self.topics < FEWEST_TOPICS:
            return []
        order = list(reversed(self.grades))
        if not self.ordered:
            order.sort(key=lambda grade: -(grade.worth or 0))
        return [grade for grade in order if grade.second_opinions >= FEWEST_JUDGMENTS and grade.worth is not None]

    def headline(self) -> str:
        """What the highest grade is worth, or that too little is known; without a full stop."""
        if not self.known:
            return (
                f"What a grade is worth is known roughly at best: there are {self.pairs:,} second judgments on "
                f"{counted(self.topics, 'topic')}"
            )
        top = self.known[0]
        which = "top grade," if self.ordered and top is self.grades[-1] else "grade"
        graded = f"given the {which} {shortened(top.name)}"
        return capitalized(find_relevant(top.worth, self.judge, graded, only=(top.worth or 0) < 0.495))

    def contrast(self) -> str | None:
        """How much less the next grade is worth; without a full stop. None where too little is known of it."""
        if len(self.known) < 2:
            return None
        high, low = (grade.worth or 0.0 for grade in self.known[:2])
        gap = round(100 * high) - round(100 * low)
        much = "hardly" if abs(high - low) < HARDLY or not gap else str(abs(gap))
        less = "less" if gap > 0 or (not gap and much == "hardly") else "more"
        return f"a document graded {shortened(self.known[1].name)} is worth {much} {less}, {users(low)}"

    def sentence(self) -> Sentence:
        """Both."""
        return Sentence("; ".join(part for part in (self.headline(), self.contrast()) if part) + ".")

    def number(self) -> KeyNumber | None:
        """Users of 100 who find the top grade relevant, where enough is known of it."""
        if not self.known:
            return None
        top = self.known[0]
        name = shortened(top.name)
        label = f"users of 100 who find a grade {name} relevant"
        if self.judge:
            label = f"documents of 100 graded {name} that {self.judge} finds relevant"
        return KeyNumber(users(top.worth), user_span(top.lower, top.upper), label)


def decide_grades(prediction: PredictedRelevance, judge: str = "") -> GradeVerdict:
    """What the grades are worth, from the estimates at one notion of relevance, to users or to another judge."""
    grades = []
    for level, name in enumerate(prediction.levels.names):
        worth, count = number(prediction.probability[level]), float(prediction.judged_count[level])
        low = high = None
        if prediction.interval.methods[level] is not None:
            low, high = map(number, prediction.interval.ends[level])
        grades.append(Grade(name, worth, low, high, count))
    return GradeVerdict(
        relevant=name_relevance(prediction.relevance),
        topics=prediction.topics,
        pairs=prediction.pairs,
        confidence=prediction.confidence,
        ordered=prediction.levels.ordered,
        judge=judge,
        grades=tuple(grades),
        steps=tuple(_steps(prediction)),
    )


def _steps(prediction: PredictedRelevance) -> list[GradeStep]:
    """How much more each grade is worth than the one below, with intervals over what those of the grades are over."""
    if prediction.topics < 2 or not prediction.levels.ordered:
        return []
    names = prediction.levels.names
    slope = np.diff(np.eye(len(names)), axis=0)
    gaps = np.diff(prediction.probability)
    reach = prediction.along(slope).reach(1 - prediction.confidence)
    return [
        GradeStep(names[low + 1], names[low], float(gaps[low]), float(gaps[low] - half), float(gaps[low] + half))
        for low, half in reversed(list(enumerate(reach.tolist())))
        if np.isfinite([gaps[low], half]).all()
    ]


def grade_section(fit: Fit, *, judge: str = "", drawn: bool = False) -> Section:
    """The worth of each grade, by what users are content with; and whether each grade is worth more than the next."""
    verdicts = [decide_grades(prediction, judge) for prediction in fit.predictions]
    main = verdicts[0]
    known = [grade for grade in reversed(main.grades) if grade.worth is not None]
    answer = Sentence("Nobody knows: no grade has second judgments.")
    if known:
        first, *others = known
        said = [find_relevant(first.worth, judge, f"graded {shortened(first.name)}")]
        said += [f"{users(grade.worth)} graded {shortened(grade.name)}" for grade in others]
        answer = Sentence(f"{capitalized(', '.join(said))}.", users(first.worth))
    return Section(
        "grades",
        "What is each grade worth?",
        answer,
        (
            f"Relevant means that {judge or 'the user'} would give {main.relevant}. From {main.pairs:,} second "
            f"judgments on {counted(main.topics, 'topic')}.",
            *(_say_steps(main) if not judge else ()),
        ),
        figures=(parameter_chart(fit.predictions[:1], id="grades", judge=judge),) if drawn else (),
        tables=(NamedTable("grade-worth", _worth_table(verdicts)),),
        facts={"grades": [asdict(verdict) for verdict in verdicts]},
    )


def _worth_table(verdicts: Sequence[GradeVerdict]) -> Table:
    """Users of 100 by grade, a row per notion of relevance."""
    judge = verdicts[0].judge
    by_grade = zip(*(verdict.grades for verdict in verdicts), strict=True)
    columns = (
        Column(
            "relevant", [verdict.relevant for verdict in verdicts], "Relevant" if judge else "Users are content with"
        ),
        *(worth_column(grades) for grades in by_grade),
    )
    known = any(grade.lower is not None for verdict in verdicts for grade in verdict.grades)
    ends = f" ({sure(verdicts[0].confidence)} interval in brackets)" if known else ""
    who = f"Documents of 100 that {judge} finds relevant" if judge else "Users of 100 who find the document relevant"
    return Table(f"{who}, by its grade{ends}", columns)


def worth_column(grades: Sequence[Grade]) -> Column:
    """What one grade is worth, in several rows of a table."""
    worth = [None if grade.worth is None else grade.say() for grade in grades]
    return Column(grades[0].name, worth, f"Grade {grades[0].name}", keep=True, align="right")


def _say_steps(verdict: GradeVerdict) -> list[str]:
    """How much more each grade is worth than the one below: the difference of the numbers that are shown."""
    shown = {grade.name: round(100 * (grade.worth or 0)) for grade in verdict.grades}
    said, alike = [], []
    for step in verdict.steps:
        a, b = shortened(step.higher), shortened(step.lower)
        ends = f"{_more(step.by_lower)} to {_more(step.by_upper)}"
        if step.by_lower > 0:
            more = max(shown[step.higher] - shown[step.lower], 0)
            said.append(f"{a} is worth {more or 'hardly any'} more users of 100 than {b} ({ends}).")
        elif step.by_upper - step.by_lower < SURE_OF_NOTHING:
            seen = "everybody found both relevant" if shown[step.higher] else "nobody found either relevant"
            said.append(f"That {a} is worth more than {b} is not shown: {seen}.")
            alike.append(f"{b} and {a}")
        else:
            by = (shown[step.higher] - shown[step.lower]) / 100
            said.append(f"That {a} is worth more than {b} is not shown: {_more(by)}, anywhere from {ends}.")
            alike.append(f"{b} and {a}")
    if alike:
        said.append(f"If you want fewer grades, join {alike[0]}.")
    return [" ".join(said)] if said else []


def _more(gap: float) -> str:
    users_more = round(100 * gap)
    return "none" if not users_more else f"{abs(users_more)} {'more' if users_more > 0 else 'fewer'}"


def topic_section(fit: Fit) -> Section | None:
    """How far the top grade's worth differs between topics; None where too few topics say something."""
    main = fit.predictions[0]
    pairs = fit.disagreement.pairs
    relevant = pairs @ main.relevance.indicator
    judged = pairs.sum(axis=2)
    for level in reversed(range(len(main.levels))):
        chosen = np.flatnonzero(judged[:, level] >= LEAST_BY_TOPIC)
        if len(chosen) >= 5:
            break
    else:
        return None
    name, share = main.levels.names[level], relevant[chosen, level] / judged[chosen, level]
    topics = [fit.disagreement.counts.topics[at] for at in chosen]
    low, high = float(share.min()), float(share.max())
    wide = high - low >= 0.3
    chance = wide and not _is_beyond_chance(relevant[chosen, level], judged[chosen, level])
    start = "No more than by chance" if chance else "Much" if wide else "Little"
    return Section(
        "topics",
        "Do topics differ in what a grade is worth?",
        Sentence(
            f"{start}: by topic, between {users(low)} and {users(high)} of 100 users find a "
            f"document relevant that was graded {shortened(name)}.",
            f"between {users(low)} and {users(high)}",
        ),
        ("That is why the intervals are over topics: more documents of the same topics would not shorten them much.",)
        if wide and not chance
        else (),
        figures=(topic_spread(name, topics, share, judged[chosen, level], least=LEAST_BY_TOPIC),),
        facts={"lowest": low, "highest": high, "topics": len(chosen), "least": LEAST_BY_TOPIC},
    )


def _is_beyond_chance(relevant: FloatArray, judged: FloatArray) -> bool:
    """Whether shares of topics lie further apart than one share for all of them would give, 19 times in 20.

    Pearson's chi-square of the topics' shares against the share of all.

    >>> counts = np.array([10.0, 10.0, 10.0])
    >>> _is_beyond_chance(np.array([2.0, 4.0, 3.0]), counts), _is_beyond_chance(np.array([0.0, 9.0, 3.0]), counts)
    (False, True)
    """
    share = relevant.sum() / judged.sum()
    if not 0 < share < 1:
        return False
    statistic = float(((relevant - judged * share) ** 2 / (judged * share * (1 - share))).sum())
    return statistic > float(scipy.special.chdtri(len(judged) - 1, 0.05))
