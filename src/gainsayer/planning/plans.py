"""A plan: how many documents of each level, in which batches, what they would buy, what else helps, when to stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from gainsayer.comparison.intervals import highest_score
from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import Measure
from gainsayer.model.variance import share_of
from gainsayer.planning.prospect import FEWEST_PEOPLE, FEWEST_SEEN, PURPOSES, Prospect, Purpose, share_out
from gainsayer.planning.sampling import FloatArray, grow_shares
from gainsayer.planning.stopping import Kind, Stopping
from gainsayer.ranking.ranked import RankedLevels
from gainsayer.reading.faults import shorten
from gainsayer.text import option

CURVE_POINTS = 16
NEARLY_ALL = 1.1
MORE = 0.1
HARDLY = 0.005  # of a half-width: three digits show it
_MOST_TIMES = 1_000_000
_MOST_PEOPLE = 200


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
        for name in ("within", "budget", "power", "difference"):
            if not isinstance(getattr(self, name), int | float | None):
                raise CallError(f"{name} must be a number, found {shorten(repr(getattr(self, name)))}.")
        for name, value in (("within", self.within), ("budget", self.budget)):
            if value is not None and not 0 < value < np.inf:
                raise CallError(f"{name} must be above 0, found {value}.")
        if self.difference is not None and not 0 < abs(self.difference) < np.inf:
            raise CallError(f"The difference that should show is a number other than 0, found {self.difference}.")
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


@dataclass(frozen=True)
class Lever:
    """One thing that could be done.

    Args:
        name: `second judgments`, `topics judged twice`, `topics`, `assessors` or `deeper pools`.
        change: what, in words.
        first: how many first judgments it costs.
        second: how many second judgments it costs.
        half_width: of the widest interval then; NaN where it is not known.
        amount: how many of what it is about: judgments, topics, assessors, documents.
        bias: by how much unjudged documents leave the targets open, for deeper pools: no interval shows it.
    """

    name: str
    change: str
    first: int
    second: int
    half_width: float
    amount: int = 0
    bias: float | None = None


@dataclass(frozen=True)
class Gap:
    """What runs hold that nobody judged.

    Args:
        width: how far the widest target may lie from what it is taken for: unjudged documents worth nothing, or as much
            as the best level. A difference moves by no more than the run that it moves most: worth on one side only.
        documents: how many documents that are; of several runs at most, as those that they share count for each.
        runs: whose they are, in words.
        several: whether they are of several runs.
    """

    width: float
    documents: int
    runs: str = "the runs"
    several: bool = False

    @property
    def wanted(self) -> str:
        """The documents in words."""
        alone = self.documents == 1
        which = f"up to {self.documents:,}" if self.several else "the" if alone else f"the {self.documents:,}"
        return f"{which} unjudged {'document' if alone else 'documents'} of {self.runs}"


def find_gap(ranked: Sequence[RankedLevels], measure: Measure, probability: FloatArray) -> Gap:
    """The bounds that unjudged documents set to scores, or to the difference of two runs.

    No score is taken to be above what the measure can reach.

    >>> from gainsayer.levels import Levels
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, None]}, {"q": [3, 1]}, levels=Levels(("0", "1")))
    >>> find_gap([ranked], parse_measure("P@2"), np.array([0.1, 0.6]))
    Gap(width=0.3, documents=1, runs='the runs', several=False)
    """
    gains = Gains(ranked[0].levels, probability, name="prm")
    best = replace(gains, unjudged=float(probability.max()))
    most = highest_score(measure, gains, estimated=True)
    widths = [float((np.minimum(measure.score(run, best), most) - measure.score(run, gains)).mean()) for run in ranked]
    unjudged = 0
    for run in ranked:
        held = run.retrieved if measure.depth is None else np.minimum(run.retrieved, measure.depth)
        inside = run.rank if measure.depth is None else run.rank[run.rank <= measure.depth]
        unjudged += int(held.sum()) - len(inside)
    return Gap(max(0.0, *widths), unjudged, several=len(ranked) > 1)


@dataclass(frozen=True, eq=False)
class Plan:
    """What to judge a second time, and what it would buy.

    Args:
        aim: what it is for.
        prospect: what the spread depends on.
        levels: the levels.
        judge: expected judgments of each level; shape [levels].
        shares: reached at the end of each batch; shape [batches, levels].
        half_widths: of each target, NaN where nothing can be foretold; shape [targets].
        floor: the half-width with all documents judged twice.
        power: to show the difference; None for other purposes.
        difference: the one that is to show; None for other purposes.
        curve: half-widths by budget.
        levers: what else could be done.
        stopping: the rule.
        findings: what a reader should know.
    """

    aim: Aim
    prospect: Prospect
    levels: Levels
    judge: FloatArray
    shares: FloatArray
    half_widths: FloatArray
    floor: float
    power: float | None
    difference: float | None
    curve: tuple[CurvePoint, ...]
    levers: tuple[Lever, ...]
    stopping: Stopping
    findings: tuple[Finding, ...] = ()

    @property
    def share(self) -> FloatArray:
        """Of each level's documents, how many are judged in the end; shape [levels]."""
        return np.asarray(self.shares[-1])

    @property
    def half_width(self) -> float:
        """That of the widest interval."""
        return float(np.nanmax(self.half_widths)) if np.isfinite(self.half_widths).any() else float("nan")

    @property
    def guessed(self) -> bool:
        """Whether it rests on no pilot."""
        return self.prospect.pilot is None


def make_plan(
    prospect: Prospect, aim: Aim, levels: Levels, *, gap: Gap | None = None, held: FloatArray | None = None
) -> Plan:
    """Plan second judgments for an aim, never fewer of a level than are held; a budget below these comes on top.

    Args:
        prospect: what the spread depends on.
        aim: what the plan is for.
        levels: the levels.
        gap: what runs hold that nobody judged, for the levers.
        held: how many documents of each level were judged by the plan's own keys before; shape [levels].

    Raises:
        DataError: the aim is out of reach even with all documents judged twice; nothing can be foretold; there is one
            topic, or one assessor.

    >>> from gainsayer.planning.prospect import guess_levels
    >>> levels, p = Levels(("0", "1")), np.array([0.1, 0.5])
    >>> target = guess_levels(levels, p, [0, 1], 0.95)
    >>> prospect = Prospect(levels, np.full((40, 2), 50.0), target, p, ("guess",) * 2, intraclass=0.1)
    >>> plan = make_plan(prospect, Aim("parameters", budget=400), levels)
    >>> plan.judge.round(1).tolist(), round(plan.half_width, 3), round(plan.floor, 3)
    ([152.0, 248.0], 0.079, 0.055)
    """
    if prospect.topics < 2:
        raise DataError("One topic says nothing about other topics, so no plan can say how sure a result would be.")
    if prospect.assessors is not None and prospect.assessors < 2:
        raise one_assessor(prospect)
    every, whole = prospect.documents, np.ones(len(levels))
    findings = notice_prospect(prospect, levels, gap)
    held = np.zeros(len(levels)) if held is None else held
    if held.sum() >= every.sum() - 0.5:
        said = f"All {every.sum():,.0f} documents are judged twice: nothing is left to judge."
        findings.append(Finding("all-judged", said))
    floor = prospect.half_width(whole)
    if aim.within is not None and not floor <= aim.within:
        raise out_of_reach(prospect, floor, aim.within)
    difference = None
    if aim.purpose == "difference":
        difference = float(prospect.target.values[0]) if aim.difference is None else aim.difference
    # For parameters within a half-width each level has a number of its own; any other budget keeps their proportions.
    each = aim.purpose == "parameters" and aim.within is not None
    worth = _judge_each(prospect, aim) if each else prospect.worth

    def shared(budget: float) -> FloatArray:
        shown = aim.purpose == "parameters" and not each
        return share_out(worth, budget, every, shown=shown, minimum=aim.minimum, held=held)

    share_of_each = partial(share_of, whole=every, empty=0.0)
    if aim.budget is not None:
        whole_budget = aim.budget + (0.0 if aim.budget > held.sum() else float(held.sum()))
        judge = shared(whole_budget)
        if judge.sum() > whole_budget + 0.5:
            findings.append(below_floor(whole_budget, float(judge.sum())))
    elif aim.within is not None:
        most = aim.within
        judge = _search(shared, every, lambda count: prospect.half_width(share_of_each(count)) <= most)
    else:
        assert aim.power is not None
        assert difference is not None
        wanted, shown = aim.power, difference
        if not prospect.power(whole, shown) >= wanted:
            raise too_weak(prospect, shown, wanted)
        judge = _search(shared, every, lambda count: prospect.power(share_of_each(count), shown) >= wanted)
    share = share_of_each(judge)
    shares = grow_shares(np.minimum(share, 1.0), aim.batches)
    half_widths = prospect.half_widths(share)
    found = float(np.nanmax(half_widths)) if np.isfinite(half_widths).any() else float("nan")
    if found < NEARLY_ALL * floor and judge.sum() < every.sum() - 0.5:
        findings.append(what_decides(prospect, judge, found, floor))
    return Plan(
        aim=aim,
        prospect=prospect,
        levels=levels,
        judge=judge,
        shares=shares,
        half_widths=half_widths,
        floor=floor,
        power=None if difference is None else prospect.power(share, difference),
        difference=difference,
        curve=_draw_curve(prospect, shared, float(judge.sum())),
        levers=find_levers(prospect, share, lambda budget: share_of_each(shared(budget)), gap),
        stopping=make_stopping(prospect, shares, aim),
        findings=tuple(findings),
    )


def make_stopping(prospect: Prospect, shares: FloatArray, aim: Aim) -> Stopping:
    """The rule by which the study stops. Its ratio is foretold; the first finished batch will say it better."""
    first, last = (prospect.spread(row).topics for row in (shares[0], shares[-1]))
    ratio = float(np.max(np.divide(first, last, out=np.ones_like(first), where=last > 0)[:1], initial=1.0))
    return Stopping(aim.kind, ratio, prospect.confidence, aim.within)


def _judge_each(prospect: Prospect, aim: Aim) -> FloatArray:
    """For parameters within a half-width: how many judgments of each level it takes, if all had its share."""
    assert aim.within is not None
    wanted = np.zeros(len(prospect.documents))
    for place, row in enumerate(prospect.target.slope):
        low, high = 0.0, 1.0
        for _ in range(30):
            middle = (low + high) / 2
            enough = prospect.half_widths(np.full(len(wanted), middle))[place] <= aim.within
            low, high = (low, middle) if enough else (middle, high)
        level = int(row.argmax())
        wanted[level] = high * prospect.documents[level]
    return wanted


def _search(
    shared: Callable[[float], FloatArray], every: FloatArray, enough: Callable[[FloatArray], bool]
) -> FloatArray:
    """The fewest judgments that are enough, by halving."""
    low, high = 0.0, float(every.sum())
    while high - low > 0.5:
        middle = (low + high) / 2
        if enough(shared(middle)):
            high = middle
        else:
            low = middle
    return np.asarray(shared(float(np.ceil(high))))


def _draw_curve(prospect: Prospect, shared: Callable[[float], FloatArray], planned: float) -> tuple[CurvePoint, ...]:
    every = prospect.documents
    total, least = float(every.sum()), float(shared(1.0).sum())
    budgets = np.geomspace(max(least, 1.0), max(total, least, 1.0), CURVE_POINTS)
    points = [
        count for count in sorted({*np.round(budgets).tolist(), round(planned), total}) if least - 0.5 <= count <= total
    ]
    # Topics of a level may weigh less evenly as its share grows; nobody need judge what does not help.
    by_plan, evenly = (
        np.fmin.accumulate([prospect.half_width(share) for share in shares])
        for shares in (
            [share_of(shared(count), every, empty=0.0) for count in points],
            [np.full(len(every), count / total) for count in points],
        )
    )
    return tuple(CurvePoint(*row) for row in zip(points, by_plan.tolist(), evenly.tolist(), strict=True))


def find_levers(
    prospect: Prospect,
    share: FloatArray,
    shared: Callable[[float], FloatArray],
    gap: Gap | None = None,
    *,
    second: float | None = None,
) -> tuple[Lever, ...]:
    """What could be done next, the most useful first.

    Args:
        prospect: what the spread depends on.
        share: of each level's documents, planned or judged; shape [levels].
        shared: the shares that any number of judgments makes.
        gap: what runs hold that nobody judged.
        second: how many times as many topics are judged twice as in the pilot; all by default. 1 for what is there.
    """
    held = prospect.topics if second is None else round(prospect.second * second)
    documents = prospect.documents * held / prospect.topics
    total, room = float((share * documents).sum()), float(((1 - share) * documents).sum())
    now = prospect.half_width(share, second=second)
    found: list[Lever] = []
    if room >= 1:
        more = min(max(1.0, round(MORE * total)), room)
        words = f"{more:,.0f} more second {'judgments' if more > 1 else 'judgment'} in the same topics"
        then = prospect.half_width(shared(total + more), second=second)
        found.append(Lever("second judgments", words, 0, round(more), then, round(more)))
    if held < prospect.topics:
        left = prospect.topics - held
        more = total / held * left
        words = (
            f"second judgments in the {left:,} {'topics that have' if left > 1 else 'topic that has'} none yet (as "
            f"many {'in each ' if left > 1 else ''}as in the others)"
        )
        then = prospect.half_width(share, second=prospect.topics / prospect.second)
        found.append(Lever("topics judged twice", words, 0, round(more), then, left))
    extra = max(1, round(MORE * prospect.topics))
    times = 1 + extra / prospect.topics
    first = round(float(prospect.sizes.sum()) / prospect.topics * extra)
    words = f"{extra:,} more {'topics' if extra > 1 else 'topic'} like these"
    then = prospect.half_width(share, topics=times, second=None if second is None else second * times)
    found.append(Lever("topics", words, first, round(total / prospect.topics * extra), then, extra))
    people = prospect.now if prospect.pilot is not None else prospect.assessors
    if people is not None:
        asked = prospect.assessors or people
        count = max(FEWEST_PEOPLE, 2 * asked)
        team = prospect.pilot is not None and not prospect.pilot.disagreement.counts.directed
        words = f"{count:,} {'' if team else 'second '}assessors in place of {asked:,}, the same documents"
        then = prospect.half_width(share, second=second, people=count / asked)
        # What was judged is judged anew by those who take the place of its judges.
        again = round(float(prospect.judged.sum()) * people * (1 / asked - 1 / count))
        found.append(Lever("assessors", words, again if team else 0, again, then, count))
    # Hardly anything is no help; a lever that reckons with more than the plan does, such as people, may even be worse.
    found = [lever for lever in found if lever.half_width < (1 - HARDLY) * now]
    found.sort(key=lambda lever: lever.half_width)
    if gap is not None and gap.documents:
        pool = Lever("deeper pools", f"first labels for {gap.wanted}", gap.documents, 0, now, gap.documents, gap.width)
        found.insert(0 if gap.width > now else len(found), pool)
    return tuple(found)


def print_width(half_width: float) -> str:
    """A half-width as sentences say it: three digits that count."""
    return f"{half_width:#.3g}"


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


def notice_prospect(prospect: Prospect, levels: Levels, gap: Gap | None) -> list[Finding]:
    """What a reader of any plan should know: levels without documents, guesses, assessors, unjudged documents."""
    findings = []
    unused = [name for name, count in zip(levels.names, prospect.documents.tolist(), strict=True) if count == 0]
    if unused:
        said = (
            f"No document has the first label {' or '.join(unused)}, so no second judgments of such documents are "
            "planned."
        )
        findings.append(Finding("unused-level", said))
    guessed = [name for name, source in zip(levels.names, prospect.source, strict=True) if source == "default"]
    guessed = [name for name in guessed if name not in unused]
    if guessed:
        values = ", ".join(f"{prospect.probability[levels.index(name)]:.2g} for {name}" for name in guessed)
        said = (
            f"Nothing is known of p(R|{', '.join(guessed)}): the plan takes {values}. A pilot of a hundred second "
            f"judgments, or guesses of your own ({option('guess')}), would make it better."
        )
        findings.append(Finding("guessed-parameters", said))
    findings += _notice_rare(prospect)
    if prospect.pilot is not None and prospect.now is None:
        if prospect.assessors is not None:
            said = (
                "The pilot does not tell people apart, or too few of them, so that how far they differ is not known: "
                "half-widths are for these assessors, however many will judge."
            )
            findings.append(Finding("assessors-not-counted", said))
    elif prospect.assessors is None and prospect.pilot is None:
        said = (
            "The second assessors are taken as many: that one is stricter than another is not in the half-widths. Say "
            f"how many there will be ({option('assessors')})."
        )
        findings.append(Finding("assessors-not-counted", said))
    elif prospect.assessors is not None and prospect.assessors < FEWEST_PEOPLE:
        said = (
            f"{prospect.assessors} second assessors stand for all users. The interval will be one for these "
            "assessors, not for users; from four on it can be one for users."
        )
        findings.append(Finding("few-assessors", said))
    if gap is not None and gap.documents and gap.width > prospect.half_width(np.ones(len(levels))):
        said = (
            f"Unjudged documents leave the result open by {gap.width:.3g}, more than all second judgments would: have "
            f"{gap.wanted} judged first."
        )
        findings.append(Finding("pool-too-shallow", said))
    return findings


def _notice_rare(prospect: Prospect) -> list[Finding]:
    """Levels of which too little was seen to say how sure they will be."""
    if prospect.pilot is None or prospect.target.purpose != "parameters":
        return []
    relevant = prospect.pilot.counts.sum(axis=0) @ prospect.pilot.relevance.indicator
    said = []
    for name, known in zip(prospect.target.names, prospect.target.known.tolist(), strict=True):
        if not known:
            place = prospect.levels.index(name)
            count, of = round(float(relevant[place])), round(float(prospect.judged[place]))
            which, count = ("relevant", count) if count <= of - count else ("not relevant", of - count)
            seen = f"Only {count:,} of {of:,} {'was' if count == 1 else 'were'} {which}"
            if not count:
                seen = f"None of {of:,} was {which}" if of else f"No document of level {name} was judged twice"
            said.append(f"{seen}: too few to say how sure p(R|{name}) will be.")
    if not said:
        return []
    text = f"{' '.join(said)} It takes {FEWEST_SEEN} of either kind."
    return [Finding("too-few-seen", text)]


def below_floor(budget: float, floor: float) -> Finding:
    """The finding for a budget that does not pay for some judgments of every level."""
    said = (
        f"A budget of {budget:,.0f} is below the floor of {floor:,.0f}: every level needs some judgments, or its "
        "probability rests on nothing. The plan has the floor."
    )
    return Finding("budget-below-floor", said)


def what_decides(prospect: Prospect, judge: FloatArray, found: float, floor: float) -> Finding:
    """The finding for a plan after which more second judgments would hardly help: topics matter then, or people."""
    now = (
        f"After {judge.sum():,.0f} second judgments ±{found:.3g} is left, and ±{floor:.3g} with all "
        f"{prospect.documents.sum():,.0f}:"
    )
    if do_people_decide(prospect):
        people = prospect.assessors or prospect.now
        said = f"{now} the {people} second assessors decide. More people help, more judgments hardly."
        return Finding("assessors-decide", said)
    said = f"{now} the {prospect.topics} topics decide. More topics help, more second judgments hardly."
    return Finding("topics-decide", said)


def do_people_decide(prospect: Prospect) -> bool:
    """Whether twice the second assessors would help more than twice the topics, with all documents judged twice."""
    if (prospect.assessors or prospect.now) is None:
        return False
    whole = np.ones(len(prospect.documents))
    return prospect.half_width(whole, people=2) < prospect.half_width(whole, topics=2)


def people_needed(prospect: Prospect, enough: Callable[[float], bool]) -> int | None:
    """How many second assessors would be enough in place of those there are; None where none would."""
    people = prospect.assessors or prospect.now
    if people is None:
        return None
    return next((count for count in range(people + 1, _MOST_PEOPLE + 1) if enough(count / people)), None)


def topics_needed(prospect: Prospect, enough: Callable[[float], bool]) -> int | None:
    """How many topics would be enough with all their documents judged twice, by halving; None where none would."""
    low, high = 1.0, 2.0
    while not enough(high):
        low, high = high, 2 * high
        if high > _MOST_TIMES:
            return None
    while high - low > 0.5 / prospect.topics:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return int(np.ceil(high * prospect.topics))


def out_of_reach(prospect: Prospect, floor: float, within: float) -> DataError:
    """The error for a half-width that no number of second judgments reaches: what is the best, and what would."""
    if floor != floor:
        said = ["Nothing can be foretold of any of these.", *(one.message for one in _notice_rare(prospect))]
        return DataError(f"{' '.join(said)} Plan with {option('budget')}, and again when more is seen.")
    whole = np.ones(len(prospect.documents))
    topics = topics_needed(prospect, lambda times: prospect.half_width(whole, topics=times) <= within)
    more = (
        "no number of topics reaches it: more second assessors would"
        if topics is None
        else f"±{within:.2g} needs about {topics:,} topics"
    )
    return DataError(
        f"Even with all {prospect.documents.sum():,.0f} documents judged twice ±{floor:.2g} is the best that "
        f"{prospect.topics} topics allow; {more}.{_own_guess(prospect)}"
    )


def _own_guess(prospect: Prospect) -> str:
    if prospect.pilot is not None:
        return ""
    return f" Without a pilot that is a guess, perhaps twice too wide: plan with {option('budget', 100)} first."


def too_weak(prospect: Prospect, difference: float, power: float) -> DataError:
    """The error for a power that no number of second judgments reaches."""
    whole = np.ones(len(prospect.documents))
    reached = prospect.power(whole, difference)
    topics = topics_needed(prospect, lambda times: prospect.power(whole, difference, topics=times) >= power)
    more = "no number of topics would" if topics is None else f"about {topics:,} topics would"
    return DataError(
        f"Even with all {prospect.documents.sum():,.0f} documents judged twice {prospect.topics} topics show a "
        f"difference of {abs(difference):.2g} with a power of {reached:.2f}, not {power:.2g}; {more}."
        f"{_own_guess(prospect)}"
    )


def one_assessor(prospect: Prospect) -> DataError:
    """No plan for one assessor, but numbers: what one and what four other people would give."""
    lines = []
    for count in (100, 200):
        judge = share_out(prospect.worth, count, prospect.documents)
        share = share_of(judge, prospect.documents, empty=0.0)
        one, four = (replace(prospect, assessors=people).half_width(share) for people in (None, FEWEST_PEOPLE))
        lines.append(
            f"{judge.sum():,.0f} judgments by one other person: ±{one:.2g} for that person alone; by four other "
            f"people: ±{four:.2g} for users"
        )
    return DataError(
        "One second assessor makes no plan (one-assessor): how users differ cannot be seen in one person, and the same "
        f"person judging again only bounds agreement from above. {'; '.join(lines)}."
    )
