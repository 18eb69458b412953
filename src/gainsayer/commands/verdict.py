"""Which run is better, in sentences: said once, for the first screen of the report and for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from gainsayer.commands.advice import say_advice
from gainsayer.commands.compare import ComparisonTable
from gainsayer.commands.compare_records import (
    WORTH_SHORTENING,
    find_part,
    from_first,
    group_runs,
    inner_interval,
    is_clear,
    winner_record,
)
from gainsayer.commands.figures.topic_dots import TopicDifferences
from gainsayer.commands.records import Record
from gainsayer.comparison.results import Comparison, RunComparison, VarianceShares
from gainsayer.measures.scoring import is_much_unjudged
from gainsayer.words import ABOVE_BASELINE, BELOW_BASELINE, Sentence, counted, listed, shortened, signed, times

POWER = 0.8
MOST_NAMED = 3
DIFFERENCES = (0.05, 0.03, 0.02, 0.01)
_MOST_TOPICS = 10_000_000


@dataclass(frozen=True)
class Answer:
    """What a comparison answers by one measure.

    Args:
        headline: the answer in one sentence.
        lead: what it rests on.
        help: what would tell more runs apart; None where nothing is left to tell, or nothing is known of it.
        badge: the verdict in a word, for two runs; else empty.
        facts: the numbers that the sentences are made of, by name.
    """

    headline: str
    lead: tuple[Sentence, ...]
    help: Sentence | None
    badge: str
    facts: Record


def answer(comparison: Comparison, part: RunComparison, best_case: Sequence[float] | None = None) -> Answer:
    """The answer by one measure and kind of gains; `best_case` as for `pair_facts`."""
    if len(comparison.runs) == 2 and part.differences is not None:
        facts = pair_facts(comparison, part, best_case)
        badge, headline, lead = say_two(facts)
        return Answer(headline, lead, None, badge, facts)
    facts = run_facts(comparison, part)
    return Answer(say_headline(facts), (say_first(facts),), say_help(facts), "", facts)


def answer_comparison(table: ComparisonTable) -> list[str]:
    r"""The answer for each measure by its first kind of gains: what `compare` says before its tables.

    >>> from gainsayer.commands.compare import compare
    >>> truth = {f"q{t}": {"a": 1, "b": int(t > 6), "c": 0} for t in range(12)}
    >>> runs = {"good": {t: {"a": 2.0, "b": 1.0} for t in truth}, "poor": {t: {"b": 2.0, "c": 1.0} for t in truth}}
    >>> print(answer_comparison(compare(truth, runs, "P@1"))[0].replace(". With", ".\nWith"))
    good is better. It scores 0.583 higher than poor.
    With other topics the difference would lie between +0.155 and +0.898.
    """
    comparison = table.comparison
    measures = list(dict.fromkeys(part.measure for part in comparison.parts))
    said = []
    for measure in measures:
        found = answer(comparison, find_part(comparison, measure))
        if table.advice is not None and found.facts.get("clear pairs") != found.facts.get("pairs"):
            found = replace(found, help=None)
        by = f"{measure}: " if len(measures) > 1 else ""
        sentences = [found.headline, *(one.text for one in found.lead)]
        said.append(by + " ".join(sentences + ([] if found.help is None else [found.help.text])))
    undecided = any(part.differences is not None and not all_clear(part) for part in comparison.parts)
    return [*said, *([f"What to judge next: {say_advice(table.advice)}"] if table.advice and undecided else [])]


def all_clear(part: RunComparison) -> bool:
    """Whether every pair of runs is told apart."""
    found = part.differences
    return found is None or bool((found.verdicts.better | found.verdicts.worse).all())


def run_facts(comparison: Comparison, part: RunComparison) -> Record:
    """What the sentences about the runs are made of."""
    value, runs = part.standings.value, comparison.runs
    order = np.argsort(part.standings.rank, kind="stable")
    best = int(order[0])
    facts: Record = {
        "runs": len(runs),
        "topics": len(comparison.topics),
        "measure": str(part.measure),
        "first": runs[best],
        "first score": float(value[best]),
        "confidence": comparison.confidence,
    }
    if np.isfinite(part.standings.interval[best]).all():
        facts |= dict(zip(("first from", "first to"), map(float, part.standings.interval[best]), strict=True))
    if len(runs) > 1:
        facts |= {"second": runs[int(order[1])], "second score": float(value[order[1]])}
    found = part.differences
    if found is not None:
        clear = found.verdicts.better | found.verdicts.worse
        facts |= {"pairs": len(found.a), "clear pairs": int(clear.sum())}
        records = [record for record in from_first(comparison, part) if record["a"] != record["b"]]
        told = [record for record in records if is_clear(record)]
        level = [record["a"] for record in records if not is_clear(record)]
        facts |= {"told apart": len(told), "not told apart": len(level)}
        if len(level) <= MOST_NAMED:
            facts["level"] = level
        if told:
            facts["smallest clear"] = min(abs(record["difference"]) for record in told)
        if len(told) < len(records):
            facts["largest unclear"] = max(abs(record["difference"]) for record in records if not is_clear(record))
        nearest = records[0]
        if nearest["simultaneous_interval"] is not None and comparison.baseline is None:
            low, high = nearest["simultaneous_interval"]
            facts |= {"lead from": -high, "lead to": -low}
    if part.possibly_best is not None:
        facts["may be best"] = len(part.possibly_best)
    if comparison.baseline is not None:
        group = group_runs(comparison, part)
        facts |= {
            "baseline": comparison.baseline,
            "above baseline": group.count(ABOVE_BASELINE),
            "below baseline": group.count(BELOW_BASELINE),
        }
    return facts | unjudged_facts(comparison, part) | _shortening(part)


def unjudged_facts(comparison: Comparison, part: RunComparison) -> Record:
    """How many runs have many unjudged documents, and which one most."""
    shares = np.nan_to_num(comparison.scores.unjudged[part.measure])
    worst = int(np.argmax(shares.round(9)))  # of equal ones the first, whatever the rounding
    return {
        "runs": len(comparison.runs),
        "runs with gaps": int(is_much_unjudged(shares).sum()),
        "most unjudged": comparison.runs[worst],
        "most unjudged share": float(shares[worst]),
    }


def _shortening(part: RunComparison) -> Record:
    """By how much the line of a difference would be shorter if the worth of grades were known exactly."""
    found = shorten(part.pair_shares)
    return {} if found is None else {"shorter with exact grades": found}


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


def say_headline(facts: Record) -> str:
    """The answer: who is best, or how many may be."""
    runs, first = facts["runs"], shortened(str(facts["first"]))
    if "baseline" in facts:
        above = facts["above baseline"]
        said = (
            "No run is" if not above else f"{above} of the {_others(facts)} other runs {'is' if above == 1 else 'are'}"
        )
        return f"{said} shown to be better than {shortened(str(facts['baseline']))}."
    if runs == 1:
        return f"{first} scores {_three(facts['first score'])}."
    if "may be best" not in facts:
        return f"{first} scores highest of {runs:,} runs."
    if facts["may be best"] == 1:
        return f"{first} is the best of {runs:,} runs."
    if facts["may be best"] == runs:
        return f"No run can be called the best: each of the {runs:,} could be."
    return f"No run can be called the best: {facts['may be best']:,} of the {runs:,} could be."


def say_first(facts: Record) -> Sentence:
    """The highest score, and how many cannot be told apart from it."""
    first, score, topics = shortened(str(facts["first"])), _three(facts["first score"]), facts["topics"]
    if facts["runs"] == 1:
        ends = (
            f", from {_three(facts['first from'])} to {_three(facts['first to'])} {times(facts['confidence'])}"
            if "first from" in facts
            else ""
        )
        return Sentence(f"That is the mean {facts['measure']} over {topics:,} topics{ends}.")
    if "baseline" in facts:
        return Sentence(
            f"{first} scores highest, {score}; {facts['below baseline']} "
            f"{'is' if facts['below baseline'] == 1 else 'are'} shown to be worse than the baseline, and the "
            f"others cannot be told apart from it on these {topics:,} topics.",
            first,
        )
    if "told apart" not in facts:
        return Sentence(f"{first} scores {score} on {counted(topics, 'topic')}.", first)
    near = facts["not told apart"]
    if facts["may be best"] == 1:
        gap = (
            f", and the difference lies between {signed(facts['lead from'])} and {signed(facts['lead to'])}"
            if "lead from" in facts
            else ""
        )
        return Sentence(
            f"It scores {score}; the next, {shortened(str(facts['second']))}, {_three(facts['second score'])}{gap}.",
            score,
        )
    beaten = near - (facts["may be best"] - 1)
    also = f", {beaten:,} of which another run beats" if beaten else ""
    who = listed([shortened(name) for name in facts["level"]]) if "level" in facts else f"{near:,} others"
    return Sentence(
        f"{first} scores highest, {score}, but {who} cannot be told apart from it{also} on these {topics:,} topics.",
        first,
    )


def say_help(facts: Record) -> Sentence | None:
    """Whether more topics or more second judgments would sort the runs."""
    if "shorter with exact grades" not in facts or facts["runs"] == 1 or facts["clear pairs"] == facts["pairs"]:
        return None
    if facts["shorter with exact grades"] >= WORTH_SHORTENING:
        return Sentence("More topics would sort the runs; so would more second judgments.")
    return Sentence("More topics would sort the runs; more second judgments would not.")


def _others(facts: Record) -> int:
    return int(facts["runs"]) - 1


def _three(value: float) -> str:
    return f"{value:.3f}"


def pair_facts(comparison: Comparison, part: RunComparison, best_case: Sequence[float] | None = None) -> Record:
    """What the sentences about two runs are made of; `a` is the one that scores higher.

    Args:
        comparison: of two runs.
        part: by which measure and gains.
        best_case: each run's score if its unjudged documents were of the top grade; None where nobody looked.
    """
    record = winner_record(comparison, part)
    dots = TopicDifferences.of(comparison, part)
    a, b = (comparison.runs.index(record[side]) for side in ("a", "b"))
    low, high = record["interval"] or (None, None)
    narrow = inner_interval(part, reverse=record["a"] != comparison.runs[0])
    value = part.standings.value
    facts: Record = {
        "a": record["a"],
        "b": record["b"],
        "measure": str(part.measure),
        "topics": len(comparison.topics),
        "score a": float(value[a]),
        "score b": float(value[b]),
        "difference": record["difference"],
        "difference from": low,
        "difference to": high,
        "narrow from": narrow[0],
        "narrow to": narrow[1],
        "narrow confidence": round(1 - 2 * (1 - comparison.confidence), 12),
        "margin": comparison.margin,
        "other": "other topics and assessors" if part.shares is not None else "other topics",
        "p": record["p"],
        "verdict": record["verdict"],
        **_topic_facts(dots),
        "shorter with exact grades": shorten(part.pair_shares),
    }
    if len(dots.topics) > 1:
        facts["without clearest win"] = float(np.mean(np.delete(dots.differences, dots.order()[0])))
    facts |= _gap_facts(comparison, part, (a, b), best_case)
    spread = float(np.std(dots.differences, ddof=1)) if len(dots.topics) > 1 else _spread_of(part)
    return facts | {f"topics for {size:g}": topics_needed(spread, size) for size in DIFFERENCES}


def _topic_facts(dots: TopicDifferences) -> Record:
    """Topics won and lost, and the clearest of them; nothing where the topics' scores were not gathered."""
    if not dots.topics:
        return {}
    won, lost, same = dots.counts
    order = dots.order()
    return {
        "won": won,
        "lost": lost,
        "same": same,
        "clearest win": dots.topics[order[0]],
        "clearest win by": dots.differences[order[0]],
        "clearest loss": dots.topics[order[-1]],
        "clearest loss by": dots.differences[order[-1]],
    }


def _spread_of(part: RunComparison) -> float:
    """Standard deviation of the topics' differences of two runs, from their standardised difference; 0 without one."""
    if part.tests is None or not part.tests.effect[0]:
        return 0.0
    return float(np.nan_to_num(np.abs(part.tests.difference[0] / part.tests.effect[0])))


def topics_needed(spread: float, difference: float, *, level: float = 0.05, power: float = POWER) -> int | None:
    """How many topics a paired t test needs to find a true difference with this power; None beyond ten million.

    The smallest n with `n >= ((t(1 - level/2) + t(power)) spread / difference)²`, both quantiles with n - 1 degrees of
    freedom; `spread` is the standard deviation of the differences over topics. Within one topic of the exact
    calculation by the noncentral t distribution.

    >>> topics_needed(0.16, 0.05), topics_needed(0.0, 0.05)
    (83, 2)
    """

    def is_enough(topics: int) -> bool:
        reach = float(stdtrit(topics - 1, 1 - level / 2) + stdtrit(topics - 1, power))
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


def say_two(facts: Record) -> tuple[str, str, tuple[Sentence, ...]]:
    """Badge, headline and lead of two runs."""
    a, b = shortened(facts["a"]), shortened(facts["b"])
    size, words = f"{abs(facts['difference']):.3f}", facts["verdict"].split(", ")
    margin = "" if facts["margin"] is None else f"{facts['margin']:g}"
    if facts["difference from"] is None:
        lead = Sentence(f"{a} scores {size} higher than {b}, but no interval can be given.", a)
        return "Undecided", "Which of the two is better is still open.", (lead,)
    low, high = signed(facts["difference from"]), signed(facts["difference to"])
    between = f"With {facts['other']} the difference would lie between {low} and {high}"
    if "better" in words or "worse" in words:
        if "equivalent" in words:
            inside = f"{signed(facts['narrow from'])} to {signed(facts['narrow to'])}"
            often = times(facts["narrow confidence"])
            return (
                "Better, by too little to matter",
                f"{a} is better, by too little to matter.",
                (
                    Sentence(f"It scores {size} higher than {b}. {between}.", b),
                    Sentence(
                        f"{often[0].upper()}{often[1:]} it would lie from {inside}, within the {margin} that you "
                        "called too small to matter."
                    ),
                ),
            )
        sure = ""
        if facts["margin"] is not None:
            more = facts["difference from"] > facts["margin"]
            sure = (
                f", more than the {margin} that you called too small to matter"
                if more
                else f"; whether it is more than the {margin} that you called too small to matter is not certain"
            )
        return "Better", f"{a} is better.", (Sentence(f"It scores {size} higher than {b}. {between}{sure}.", b),)
    if "equivalent" in words:
        return (
            "Equivalent",
            "The two runs are equivalent: take the cheaper one.",
            (
                Sentence(
                    f"{a} and {b} differ by {size}. With {facts['other']} the difference would lie, "
                    f"{times(facts['narrow confidence'])}, between {signed(facts['narrow from'])} and "
                    f"{signed(facts['narrow to'])}, all of it within the {margin} that you called too small to matter.",
                    a,
                ),
            ),
        )
    wide = (
        f"{a} scores {size} higher than {b}, but with {facts['other']} the difference could lie anywhere from {low} "
        f"to {high}."
    )
    if "no worse" in words:
        return (
            "No worse",
            f"{a} is no worse than {b}; whether it is better is open.",
            (
                Sentence(wide, a),
                Sentence(
                    f"It is not worse by as much as {margin}, which you called the smallest difference that matters."
                ),
            ),
        )
    also = "" if facts["margin"] is None else ", and too wide to call the two equivalent"
    return (
        "Undecided",
        "Which of the two is better is still open.",
        (Sentence(wide, a), Sentence(f"That is too wide to call it better{also}.")),
    )


def _gap_facts(
    comparison: Comparison, part: RunComparison, places: tuple[int, int], best_case: Sequence[float] | None
) -> Record:
    """Unjudged documents of both runs down to the measure's depth, and what they could change."""
    depth = part.measure.depth
    whole = 0 if depth is None else depth * len(comparison.topics)
    shares = np.nan_to_num(comparison.scores.unjudged[part.measure])
    facts: Record = {"depth": depth, "places": whole}
    for side, at in zip("ab", places, strict=True):
        facts[f"unjudged {side}"] = round(float(shares[at]) * whole)
    if best_case is not None:
        a, b = places
        value = part.standings.value
        facts |= {
            "highest difference": best_case[a] - float(value[b]),
            "lowest difference": float(value[a]) - best_case[b],
        }
    return facts
