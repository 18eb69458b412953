"""Which run is better: decided once, as a value; worded once, in its methods.

The command line, the report's first screen and its sections, tables and figures ask the same verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import scipy

from gainsayer.commands.compare_tables import WORTH_SHORTENING
from gainsayer.comparison.results import Comparison, RunComparison, VarianceShares
from gainsayer.measures.scores import is_much_unjudged
from gainsayer.ranking.ranked import FloatArray
from gainsayer.words import Sentence, capitalized, counted, listed, shortened, signed, times

POWER: Final = 0.8
MOST_NAMED: Final = 3
SIZES: Final = (0.05, 0.03, 0.02, 0.01)
SAME: Final = 0.005
SHOWN: Final = 0.0005  # the least difference that three decimals show
ROUNDING: Final = 1e-9
_MOST_TOPICS: Final = 10_000_000
Ends = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Unjudged:
    """How many runs have many unjudged documents, and which one has most."""

    runs: int
    runs_with_many: int
    most: str
    most_share: float

    def which(self) -> str:
        """The runs with many, counted."""
        if self.runs_with_many < self.runs or self.runs < 2:
            return counted(self.runs_with_many, "run")
        return "both runs" if self.runs == 2 else f"all {self.runs:,} runs"


@dataclass(frozen=True, kw_only=True)
class RunVerdict:
    """What a comparison of runs answers by one measure; None where nothing was tested, or nothing is known.

    Args:
        measure: the measure.
        runs: how many.
        topics: how many.
        confidence: of intervals and tests.
        best: the run that scores highest; then its score and interval.
        next: the run that follows; then its score.
        lead: by how much the best one is ahead of the next, for all pairs at once; None with a baseline.
        pairs: how many were tested.
        clear_pairs: how many of them are told apart.
        level: the runs that may be the best as well, or that cannot be told apart from the baseline.
        lower: how many others there are.
        same: the runs that score the same as the best one, or as the baseline, on every topic.
        same_pairs: how many of the pairs tested do.
        smallest_clear: the smallest difference from it that the test confirms.
        largest_unclear: the largest one that it does not confirm.
        reach: how far the intervals of these differences reach to either side, all pairs at once; the median.
        may_be_best: how many runs no other run beats.
        baseline: the run that all others are compared with.
        above_baseline: how many are shown to be better than that.
        below_baseline: how many are shown to be worse.
        shorter_with_exact_grades: by what share the line of a difference would be shorter if the worth of grades were
            known exactly.
        unjudged: which runs have unjudged documents.
        short: runs that lack more than a tenth of the topics, and how many.
    """

    measure: str
    runs: int
    topics: int
    confidence: float
    best: str
    best_score: float
    best_interval: Ends | None
    next: str | None
    next_score: float | None
    lead: Ends | None
    pairs: int | None
    clear_pairs: int | None
    level: tuple[str, ...] | None
    lower: int | None
    same: tuple[str, ...]
    same_pairs: int
    smallest_clear: float | None
    largest_unclear: float | None
    reach: float | None
    may_be_best: int | None
    baseline: str | None
    above_baseline: int
    below_baseline: int
    shorter_with_exact_grades: float | None
    unjudged: Unjudged
    short: tuple[tuple[str, int], ...]

    badge: ClassVar[str] = ""

    def headline(self) -> str:
        """The answer: who is best, or how many may be; and whether that rests on topics that runs lack."""
        return self._answer().removesuffix(".") + say_short(self.short, self.topics)

    def _answer(self) -> str:
        best = shortened(self.best)
        if self.are_all_same:
            return f"{'Both' if self.runs == 2 else f'All {self.runs:,}'} runs score the same."
        if self.baseline is not None and self.level is not None:
            above = self.above_baseline
            some = f"{above} of the {self.runs - 1} other runs {'is' if above == 1 else 'are'}"
            return f"{some if above else 'No run is'} shown to be better than {shortened(self.baseline)}."
        if self.runs == 1:
            return f"{best} scores {self.best_score:.3f}."
        if self.may_be_best is None:
            return f"{best} scores highest of {self.runs:,} runs."
        if self.may_be_best == 1:
            return f"{best} is the best of {self.runs:,} runs."
        if self._is_tie:
            names = [shortened(name) for name in (self.best, *self.same)]
            who = listed(names) if len(names) <= MOST_NAMED else f"{len(names):,} runs"
            return f"{who} score the same, and are the best of {self.runs:,} runs."
        many = "each" if self.may_be_best == self.runs else f"{self.may_be_best:,}"
        return f"No run can be called the best: {many} of the {self.runs:,} could be."

    def finding(self) -> str:
        """The best run, or how many may be the best as well; what the figure of the runs shows."""
        best, others = shortened(self.best), self.runs - 1
        if np.isnan(self.best_score):
            return "No run has a score"
        if self.are_all_same:
            return self._answer().removesuffix(".")
        if self.level is None or self.baseline is not None or not others:
            return f"{best} scores highest, {self.best_score:.3f}"
        if self.level:
            if self._is_tie:
                return f"{best} scores highest, and {counted(len(self.same), 'other run')} the same"
            return f"{best} scores highest, but {len(self.level):,} of {others:,} others could be the best as well"
        return f"{best} is the best of {self.runs:,} runs"

    def reasons(self) -> tuple[Sentence, ...]:
        """The highest score, and who may be the best as well."""
        return (self._reason(),)

    @property
    def are_all_same(self) -> bool:
        """Whether all runs, of two or more, score the same on every topic."""
        return self.runs > 1 and len(self.same) == self.runs - 1

    @property
    def _is_tie(self) -> bool:
        """Whether only runs that score the same may be the best."""
        return bool(self.same) and self.may_be_best == 1 + len(self.same)

    def _reason(self) -> Sentence:
        best, score, topics = shortened(self.best), f"{self.best_score:.3f}", counted(self.topics, "topic")
        if self.runs == 1:
            ends = ""
            if self.best_interval is not None:
                low, high = self.best_interval
                ends = f"; {times(self.confidence)} it would lie between {low:.3f} and {high:.3f}"
            return Sentence(f"That is the mean {self.measure} over {topics}{ends}.")
        it = best if self.short else "It"
        if self.are_all_same:
            each = "this topic" if self.topics == 1 else f"each of these {self.topics:,} topics"
            return Sentence(f"They score {score}, and the same on {each}: {self.measure} cannot choose.", score)
        if self.level is None or (self.may_be_best is None and self.baseline is None):
            return Sentence(f"{it} scores {score} on {topics}.", score)
        if self.baseline is not None:
            below, same = self.below_baseline, [shortened(name) for name in self.same]
            best = shortened(self.baseline) if self.best in self.same else best
            worse = f"{below or 'none'} {'are' if below > 1 else 'is'} shown to be worse than the baseline"
            near = len(self.level) - len(same)
            rest = f", and {counted(near, 'run')} cannot be told apart from it" if near else ""
            who = listed(same) if len(same) <= MOST_NAMED else counted(len(same), "run")
            twins = f" {who} {'scores' if len(same) == 1 else 'score'} the same as the baseline." if same else ""
            return Sentence(f"{best} scores highest, {score}; {worse}{rest} on {self._these_topics()}.{twins}", best)
        if self.may_be_best == 1:
            gap = ""
            if self.lead is not None:
                gap = f", and the difference lies between {signed(self.lead[0])} and {signed(self.lead[1])}"
            return Sentence(
                f"{it} scores {score}; the next, {shortened(self.next or '')}, {self.next_score:.3f}{gap}.", score
            )
        if self._is_tie:
            return Sentence(f"They score {score} on {self._these_topics()}, topic by topic.", score)
        others = [shortened(name) for name in self.level if name not in self.same]
        who = listed(others) if len(others) <= MOST_NAMED else f"{len(others):,} others"
        twins = ""
        if self.same:
            do = "does" if len(self.same) == 1 else "do"
            twins = f" (as {do} {listed([shortened(name) for name in self.same])}, topic by topic)"
        return Sentence(
            f"{best} scores highest, {score}{twins}, but on {self._these_topics()} {who} could be the best as well.",
            best,
        )

    def _these_topics(self) -> str:
        return "this topic" if self.topics == 1 else f"these {self.topics:,} topics"

    def help(self) -> Sentence | None:
        """Whether more topics or more second judgments would sort the runs; None where nothing is left to sort."""
        if self.shorter_with_exact_grades is None or self.runs == 1 or self.is_clear:
            return None
        if self.shorter_with_exact_grades >= WORTH_SHORTENING:
            return Sentence("More topics would sort the runs; so would more second judgments.")
        return Sentence("More topics would sort the runs; more second judgments would not.")

    @property
    def is_clear(self) -> bool:
        """Whether every pair of runs is told apart, or the same."""
        return self.pairs is not None and self.clear_pairs == self.pairs - self.same_pairs


@dataclass(frozen=True, kw_only=True)
class TopicGap:
    """By how much one run leads on a topic."""

    topic: str
    by: float


@dataclass(frozen=True, kw_only=True)
class PairVerdict:
    """What a comparison of two runs answers by one measure; a is the one that scores higher.

    Args:
        measure: the measure.
        topics: how many.
        confidence: of the interval.
        a: one run, with its score; likewise b.
        difference: a minus b, and its interval; None where there is none.
        inner_interval: the interval of the one-sided tests behind "equivalent" and "no worse"; None without a margin.
        inner_confidence: of that interval.
        margin: the smallest difference that matters; None where nobody said.
        over: what would give another difference: other topics, or also other people.
        p: of the test.
        verdict: in words, as the table of differences has it.
        is_same: whether the two score the same on every topic.
        won: on how many topics a leads by more than 0.005; then how many it loses, and how many are the same. None
            where the topics' scores were not gathered.
        clearest_win: of a; clearest_loss: the topic that is its clearest loss, or its smallest win.
        without_clearest_win: the mean difference without that topic.
        shorter_with_exact_grades: as in `RunVerdict`.
        depth: down to which the measure looks; then how many documents each run has there, and how many are unjudged.
        lowest_difference, highest_difference: what unjudged documents of the top grade could make of it; None where
            nobody looked.
        topics_needed: to find a true difference of each size; None beyond ten million.
        unjudged: which runs have unjudged documents.
        short: runs that lack more than a tenth of the topics, and how many.
    """

    measure: str
    topics: int
    confidence: float
    a: str
    b: str
    score_a: float
    score_b: float
    difference: float
    interval: Ends | None
    inner_interval: Ends | None
    inner_confidence: float
    margin: float | None
    over: str
    p: float | None
    verdict: str
    is_same: bool
    is_better: bool
    is_equivalent: bool
    is_no_worse: bool
    won: int | None
    lost: int | None
    same: int | None
    clearest_win: TopicGap | None
    clearest_loss: TopicGap | None
    without_clearest_win: float | None
    shorter_with_exact_grades: float | None
    depth: int | None
    ranked: int
    unjudged_a: int
    unjudged_b: int
    lowest_difference: float | None
    highest_difference: float | None
    topics_needed: tuple[tuple[float, int | None], ...]
    unjudged: Unjudged
    short: tuple[tuple[str, int], ...]

    @property
    def is_clear(self) -> bool:
        """Whether the two are told apart, or the same."""
        return self.is_better or self.is_same

    @property
    def is_decided(self) -> bool:
        """Whether anything can be said: the same, better, equivalent or no worse."""
        return self.is_same or self.is_better or self.is_equivalent or self.is_no_worse

    @property
    def badge(self) -> str:
        """The verdict in a word or two."""
        if self.is_same:
            return "The same"
        if self.interval is None or not self.is_decided:
            return "Undecided"
        if self.is_better:
            return "Better, by too little to matter" if self.is_equivalent else "Better"
        return "Equivalent" if self.is_equivalent else "No worse"

    def headline(self) -> str:
        """The answer in one sentence, and whether it rests on topics that a run lacks."""
        return self._answer().removesuffix(".") + say_short(self.short, self.topics)

    def _answer(self) -> str:
        a, b = shortened(self.a), shortened(self.b)
        if self.is_same:
            return f"{a} and {b} score the same."
        if self.interval is None or not self.is_decided:
            return "Which of the two is better is still open."
        if self.is_better:
            return f"{a} is better, by too little to matter." if self.is_equivalent else f"{a} is better."
        if self.is_equivalent:
            return "The two runs are equivalent: take the cheaper one."
        return f"{a} is no worse than {b}; whether it is better is open."

    @property
    def _why_none(self) -> str:
        """Why there is no interval, where that is plain."""
        if self.topics == 1:
            return " from a single topic"
        if self.score_b == 0:
            return f": {shortened(self.b)} scores 0 on every topic, so nothing tells how that would vary"
        win, loss = self.clearest_win, self.clearest_loss
        if win is not None and loss is not None and abs(win.by - loss.by) < ROUNDING:
            return ": the difference is the same on every topic, so nothing tells how others would vary"
        return ""

    @property
    def _others(self) -> str:
        """`over` inside a sentence."""
        return f"{self.over}," if "," in self.over else self.over

    def reasons(self) -> tuple[Sentence, ...]:
        """The difference, and where it would lie with other topics and assessors."""
        a, b, far = shortened(self.a), shortened(self.b), abs(self.difference)
        size = f"{far:.3f}" if far >= SHOWN else f"{far:.1g}"
        higher = f"{a} scores {size} higher than {b}" if far >= ROUNDING else f"{a} and {b} score the same on average"
        if self.is_same:
            score = f"{self.score_a:.3f}"
            where = "the topic" if self.topics == 1 else f"each of the {self.topics:,} topics"
            return (Sentence(f"Both score {score}, and the same on {where}: {self.measure} cannot choose.", score),)
        if self.interval is None:
            return (Sentence(f"{higher}, but no interval can be given{self._why_none}.", a),)
        low, high = map(signed, self.interval)
        between = f"With {self._others} the difference would lie between {low} and {high}"
        margin = "" if self.margin is None else f"the {self.margin:g} that you called too small to matter"
        it = a if self.short else "It"
        if self.is_better and not self.is_equivalent:
            sure = ""
            if self.margin is not None and self.interval[0] > self.margin:
                sure = f", more than {margin}"
            elif self.margin is not None:
                sure = f"; whether it is more than {margin} is not certain"
            return (Sentence(f"{it} scores {size} higher than {b}. {between}{sure}.", b),)
        if self.is_equivalent:
            inner_low, inner_high = map(signed, self.inner_interval or self.interval)
            often = times(self.inner_confidence)
            if self.is_better:
                inside = f"{capitalized(often)} it would lie from {inner_low} to {inner_high}, within {margin}."
                return (Sentence(f"{it} scores {size} higher than {b}. {between}.", b), Sentence(inside))
            said = (
                f"{a} and {b} differ by {size}. With {self._others} the difference would lie, {often}, between "
                f"{inner_low} and {inner_high}, all of it within {margin}."
            )
            return (Sentence(said, a),)
        wide = f"{higher}, but with {self._others} the difference could lie anywhere from {low} to {high}."
        if self.is_no_worse:
            least = f"by as much as {self.margin:g}, which you called the smallest difference that matters"
            return (Sentence(wide, a), Sentence(f"It is not worse {least}."))
        also = "" if self.margin is None else ", and too wide to call the two equivalent"
        return (Sentence(wide, a), Sentence(f"That is too wide to call it better{also}."))

    def help(self) -> Sentence | None:
        """Nothing: what would settle it depends on more, and the report says it."""
        return None


Verdict = RunVerdict | PairVerdict


def say_short(short: Sequence[tuple[str, int]], topics: int) -> str:
    """Which runs lack many topics, as the end of a sentence; a full stop where none does.

    >>> say_short([("bm25", 49)], 50)
    ', but bm25 lacks 49 of the 50 topics, which count as 0.'
    """
    if not short:
        return "."
    if len(short) == 1:
        return f", but {shortened(short[0][0])} lacks {short[0][1]:,} of the {topics:,} topics, which count as 0."
    return f", but {len(short):,} runs lack more than a tenth of the topics, which count as 0."


def decide(comparison: Comparison, part: RunComparison, best_case: Sequence[float] | None = None) -> Verdict:
    """What a comparison answers by one measure and kind of gains.

    Args:
        comparison: of the runs.
        part: by which measure and gains.
        best_case: each run's score if its unjudged documents were of the top grade; None where nobody looked.
    """
    if len(comparison.runs) == 2 and part.differences is not None:
        return decide_pair(comparison, part, best_case)
    return decide_runs(comparison, part)


def decide_runs(comparison: Comparison, part: RunComparison) -> RunVerdict:
    """Which run is best, from the arrays of the comparison."""
    runs, standings, order = comparison.runs, part.standings, part.order.tolist()
    found = comparison.from_reference(part)
    level = lower = lead = smallest = largest = reach = None
    twin, reference = part.twin, comparison.reference(part)
    same = [run for run in order if run != reference and twin[run] == twin[reference]]
    above = below = 0
    if found is not None:
        clear, size = found.verdicts.clear, np.abs(found.difference)
        near = found.a[~clear].tolist()
        if part.possibly_best is not None:
            near = [run for run in near if run in part.possibly_best]
        level = tuple(runs[run] for run in near)
        lower = len(found.a) - len(near)
        smallest = float(size[clear].min()) if clear.any() else None
        largest = float(size[~clear].max()) if not clear.all() else None
        apart = twin[found.a] != twin[found.b]
        half = np.diff(found.simultaneous_interval[apart], axis=1) / 2
        reach = float(np.nanmedian(half)) if np.isfinite(half).any() else None
        if comparison.baseline is None:
            lead = _ends(-found.simultaneous_interval[0][::-1])
        else:
            above, below = int(found.verdicts.better.sum()), int(found.verdicts.worse.sum())
    return RunVerdict(
        measure=str(part.measure),
        runs=len(runs),
        topics=len(comparison.topics),
        confidence=comparison.confidence,
        best=runs[order[0]],
        best_score=float(standings.value[order[0]]),
        best_interval=_ends(standings.interval[order[0]]),
        next=runs[order[1]] if len(runs) > 1 else None,
        next_score=float(standings.value[order[1]]) if len(runs) > 1 else None,
        lead=lead,
        pairs=None if part.differences is None else len(part.differences.a),
        clear_pairs=None if part.differences is None else int(part.differences.verdicts.clear.sum()),
        level=level,
        lower=lower,
        same=tuple(runs[run] for run in same),
        same_pairs=0 if part.differences is None else int((twin[part.differences.a] == twin[part.differences.b]).sum()),
        smallest_clear=smallest,
        largest_unclear=largest,
        reach=reach,
        may_be_best=None if part.possibly_best is None else len(part.possibly_best),
        baseline=comparison.baseline,
        above_baseline=above,
        below_baseline=below,
        shorter_with_exact_grades=shorten(part.pair_shares),
        unjudged=find_unjudged(comparison, part),
        short=comparison.scores.short,
    )


def decide_pair(comparison: Comparison, part: RunComparison, best_case: Sequence[float] | None = None) -> PairVerdict:
    """Which of two runs is better; `best_case` as for `decide`."""
    found = part.winner
    a, b = int(found.a[0]), int(found.b[0])
    runs, value, verdicts = comparison.runs, part.standings.value, found.verdicts
    gaps = part.values[a] - part.values[b]
    order = sorted(range(len(gaps)), key=lambda topic: (-gaps[topic], comparison.topics[topic]))
    won, lost = int((gaps > SAME).sum()), int((gaps < -SAME).sum())
    depth = part.measure.depth
    ranked = 0 if depth is None else depth * len(comparison.topics)
    unjudged = np.nan_to_num(comparison.scores.unjudged[part.measure])
    spread = float(np.std(gaps, ddof=1)) if len(gaps) > 1 else 0.0
    lowest = highest = None
    if best_case is not None:
        lowest, highest = float(value[a]) - best_case[b], best_case[a] - float(value[b])
    # One of several measures or gains that hold at once, or alone.
    alone = found.flips is None
    p = float(found.p[0] if alone else found.p_adjusted[0])
    return PairVerdict(
        measure=str(part.measure),
        topics=len(comparison.topics),
        confidence=comparison.confidence,
        a=runs[a],
        b=runs[b],
        score_a=float(value[a]),
        score_b=float(value[b]),
        difference=float(found.difference[0]),
        interval=_ends(found.interval[0] if alone else found.simultaneous_interval[0]),
        inner_interval=None if found.one_sided_interval is None else _ends(found.one_sided_interval[0]),
        inner_confidence=round(1 - 2 * (1 - comparison.confidence), 12),
        margin=comparison.margin,
        over=comparison.whom(part),
        p=None if np.isnan(p) else p,
        verdict=verdicts.word(0),
        is_same=bool(part.twin[a] == part.twin[b]),
        is_better=bool(verdicts.clear[0]),
        is_equivalent=bool(verdicts.equivalent[0]),
        is_no_worse=bool(verdicts.no_worse[0]),
        won=won,
        lost=lost,
        same=len(gaps) - won - lost,
        clearest_win=_gap(comparison, gaps, order[0]),
        clearest_loss=_gap(comparison, gaps, order[-1]),
        without_clearest_win=float(np.mean(np.delete(gaps, order[0]))) if len(order) > 1 else None,
        shorter_with_exact_grades=shorten(part.pair_shares),
        depth=depth,
        ranked=ranked,
        unjudged_a=round(float(unjudged[a]) * ranked),
        unjudged_b=round(float(unjudged[b]) * ranked),
        lowest_difference=lowest,
        highest_difference=highest,
        topics_needed=tuple((size, topics_needed(spread, size, level=1 - comparison.confidence)) for size in SIZES),
        unjudged=find_unjudged(comparison, part),
        short=comparison.scores.short,
    )


def find_unjudged(comparison: Comparison, part: RunComparison) -> Unjudged:
    """Which runs have unjudged documents, down to the depth of the measure."""
    shares = np.nan_to_num(comparison.scores.unjudged[part.measure])
    worst = int(np.argmax(shares.round(9)))  # of equal ones the first, whatever the rounding
    return Unjudged(
        runs=len(comparison.runs),
        runs_with_many=int(is_much_unjudged(shares).sum()),
        most=comparison.runs[worst],
        most_share=float(shares[worst]),
    )


def shorten(shares: VarianceShares | None) -> float | None:
    """1 - sqrt(share of the topics alone), the median over pairs; None where nothing was estimated.

    A share above 1 (the grades' error happens to weigh against that of the topics) shortens nothing.

    >>> round(shorten(VarianceShares(np.array([0.81, 1.2, 0.64]), np.array([0.1, 0.1, 0.1]))), 3)
    0.1
    """
    if shares is None or not np.isfinite(shares.topics).any():
        return None
    median = float(np.median(shares.topics[np.isfinite(shares.topics)]))
    return float(1 - np.sqrt(min(median, 1.0)))


def topics_needed(spread: float, difference: float, *, level: float = 0.05, power: float = POWER) -> int | None:
    """How many topics a paired t test needs to find a true difference with this power; None beyond ten million.

    The smallest n with `n >= ((t(1 - level/2) + t(power)) spread / difference)²`, both quantiles with n - 1 degrees of
    freedom; `spread` is the standard deviation of the differences over topics. Within one topic of the exact
    calculation by the noncentral t distribution.

    >>> topics_needed(0.16, 0.05), topics_needed(0.0, 0.05)
    (83, 2)
    """

    def is_enough(topics: int) -> bool:
        reach = float(scipy.special.stdtrit(topics - 1, 1 - level / 2) + scipy.special.stdtrit(topics - 1, power))
        return topics >= (reach * spread / difference) ** 2

    high = 2
    while not is_enough(high):
        high *= 2
        if high > _MOST_TOPICS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def _gap(comparison: Comparison, gaps: FloatArray, topic: int) -> TopicGap:
    return TopicGap(topic=comparison.topics[topic], by=float(gaps[topic]))


def _ends(ends: FloatArray) -> Ends | None:
    low, high = ends.tolist()
    return None if np.isnan(low) or np.isnan(high) else (low, high)
