"""Which run is best, how sure is that, and what stands in the way?"""

from __future__ import annotations

import numpy as np

from gainsayer.comparison.results import Comparison, RunComparison, VarianceShares
from gainsayer.measures.scoring import MUCH_UNJUDGED, is_much_unjudged
from gainsayer.presentation.comparison_figures import (
    find_part,
    from_first,
    is_clear,
    run_differences,
    run_forest,
)
from gainsayer.presentation.content import KeyNumber, NamedTable, Section, Sentence
from gainsayer.presentation.figures.run_forest import ABOVE_BASELINE, ALL_NAMED, BELOW_BASELINE
from gainsayer.presentation.figures.words import counted, shortened, signed
from gainsayer.presentation.order_studies import robustness_records
from gainsayer.presentation.records import Record
from gainsayer.presentation.tables import Cell, Column, Table, show_number
from gainsayer.studies.robustness import RobustnessStudy

# From this share of a line's length on, second judgments are worth asking for.
WORTH_SHORTENING = 0.1
MOST_MOVES = 8


def run_facts(comparison: Comparison) -> Record:
    """What the sentences about the runs are made of, by the first measure and kind of gains."""
    part = find_part(comparison)
    value, runs = part.standings.value, comparison.runs
    order = np.argsort(part.standings.rank, kind="stable")
    best = int(order[0])
    facts: Record = {
        "runs": len(runs),
        "topics": len(comparison.topics),
        "measure": str(part.measure),
        "first": runs[best],
        "first score": float(value[best]),
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
        facts |= {"told apart": len(told), "not told apart": len(records) - len(told)}
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
        group = run_forest(comparison, part).group
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
            f", from {_three(facts['first from'])} to {_three(facts['first to'])}, 19 times in 20"
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
    others = "one other cannot" if near == 1 else f"{near:,} others cannot"
    return Sentence(
        f"{first} scores highest, {score}, but {others} be told apart from it{also} on these {topics:,} topics.", first
    )


def say_help(facts: Record) -> Sentence | None:
    """Whether more topics or more second judgments would sort the runs."""
    if "shorter with exact grades" not in facts or facts["runs"] == 1 or "judge next" in facts:
        return None
    if facts["shorter with exact grades"] >= WORTH_SHORTENING:
        return Sentence("More topics would sort the runs; so would more second judgments.")
    return Sentence("More topics would sort the runs; more second judgments would not.")


def run_numbers(facts: Record) -> list[KeyNumber]:
    """Runs that may be the best, and pairs in clear order; against a baseline, how many are above it."""
    if "baseline" in facts:
        return [
            KeyNumber(
                f"{facts['above baseline']:,}", f"of {_others(facts):,}", "runs shown to be better than the baseline"
            ),
            KeyNumber(f"{facts['below baseline']:,}", f"of {_others(facts):,}", "runs shown to be worse"),
        ]
    if "may be best" not in facts or facts["runs"] == 1:
        return [KeyNumber(_three(facts["first score"]), "", f"{facts['measure']} of {shortened(str(facts['first']))}")]
    return [
        KeyNumber(f"{facts['may be best']:,}", f"of {facts['runs']:,}", "runs that may be the best"),
        KeyNumber(f"{facts['clear pairs']:,}", f"of {facts['pairs']:,}", "pairs of runs in clear order"),
    ]


def run_steps(facts: Record) -> list[Sentence]:
    """What to do about the runs, the cheapest first."""
    steps = []
    if facts["runs with gaps"]:
        few = counted(facts["runs with gaps"], "run")
        steps.append(
            Sentence(
                f"Judge the gaps. In {few}, more than {MUCH_UNJUDGED * 100:.0f} of 100 ranked documents were never "
                "judged; they count as worthless now.",
                "Judge the gaps.",
            )
        )
    if "told apart" in facts and facts["not told apart"]:
        useful = facts.get("shorter with exact grades", 0.0) >= WORTH_SHORTENING
        if "judge next" in facts:
            steps.append(Sentence(f"Judge next: {facts['judge next']}", "Judge next:"))
        elif "shorter with exact grades" not in facts:
            steps.append(Sentence("Add topics. Four times as many would halve the doubt between runs.", "Add topics."))
        elif useful:
            steps.append(
                Sentence(
                    "Add topics and second judgments. Four times as many of both would halve the doubt between runs.",
                    "Add topics and second judgments.",
                )
            )
        else:
            steps.append(
                Sentence(
                    "Add topics, not second judgments. Four times as many topics would halve the doubt between runs; "
                    "more second judgments would leave it as it is.",
                    "Add topics, not second judgments.",
                )
            )
    many = facts.get("may be best")
    if isinstance(many, int) and many > 1 and facts["runs"] != many:
        steps.append(
            Sentence(
                f"Report the group of {many:,}, not one winner; choose within it by cost or speed.",
                f"Report the group of {many:,},",
            )
        )
    elif many == 1 and facts["runs"] != 1:
        first = shortened(str(facts["first"]))
        steps.append(Sentence(f"Report {first} as the best of these, with its interval.", f"Report {first}"))
    return steps


def best_section(comparison: Comparison) -> Section:
    """All runs, the group of each, and why two lines may overlap though runs differ."""
    part = find_part(comparison)
    facts = run_facts(comparison)
    forest = run_forest(comparison, part, id="all-runs")
    named = len(comparison.runs) <= ALL_NAMED
    near, apart = facts.get("not told apart"), facts.get("told apart")
    if near is None or apart is None:
        answer = Sentence(f"{shortened(str(facts['first']))} scores highest, {_three(facts['first score'])}.")
    elif comparison.baseline is not None:
        answer = Sentence(
            f"{facts['above baseline']} of {_others(facts)} runs are better than the baseline and "
            f"{facts['below baseline']} worse; {near} cannot be told apart from it.",
            f"{facts['above baseline']} of {_others(facts)}",
        )
    elif not near:
        answer = Sentence(f"{shortened(str(facts['first']))}: each of the {apart:,} others scores lower.", f"{apart:,}")
    else:
        answer = Sentence(
            f"No single one: {near:,} of the {near + apart:,} others cannot be told apart from the first; {apart:,} "
            f"score{'s' if apart == 1 else ''} lower.",
            "No single one:",
        )
    data = forest.table()
    whose = [f"The grades that score the runs: {comparison.scores.labels}."] if comparison.scores.labels else []
    return Section(
        "runs",
        "Which run is best, and how sure is that?",
        answer,
        (
            "Runs are scored on the same topics, so two lines may overlap and the runs still differ: the group "
            "says what "
            "the test found for all pairs at once. The places that a run may have follow from the same test.",
            *whose,
        ),
        figures=() if named else (forest,),
        tables=(NamedTable("runs-1", data), *_other_measures(comparison)) if named else _other_measures(comparison),
        facts=facts,
    )


def _other_measures(comparison: Comparison) -> tuple[NamedTable, ...]:
    """The scores by the measures asked for beside the first, one column each; best run of the first measure first."""
    first = find_part(comparison)
    measures = list(dict.fromkeys(part.measure for part in comparison.parts if part.measure != first.measure))
    if not measures:
        return ()
    parts = [find_part(comparison, measure) for measure in measures]
    columns = (Column("run", "Run", align="left"), *(Column(str(m), str(m), show_number(3)) for m in measures))
    order = np.argsort(first.standings.rank, kind="stable").tolist()
    rows = tuple((comparison.runs[at], *(float(part.standings.value[at]) for part in parts)) for at in order)
    return (NamedTable("other-measures", Table("The other measures", columns, rows)),)


def difference_section(comparison: Comparison) -> Section | None:
    """How large a difference must be to show; None where there are no tests, or fewer than three runs."""
    part = find_part(comparison)
    figure = run_differences(comparison, part)
    if figure is None or len(comparison.runs) < 3:
        return None
    facts = {
        key: value
        for key, value in run_facts(comparison).items()
        if key in ("smallest clear", "largest unclear", "pairs", "first", "baseline", "runs")
    }
    small, large = facts.get("smallest clear"), facts.get("largest unclear")
    other = "the baseline" if comparison.baseline is not None else "the first run"
    if small is None or large is None:
        known = small if large is None else large
        assert known is not None
        answer = (
            Sentence(f"More than {_three(known)}: no difference from {other} is confirmed.", _three(known))
            if small is None
            else Sentence(
                f"{_three(known)} shows: it is the smallest from {other}, and all are confirmed.", _three(known)
            )
        )
    else:
        answer = Sentence(
            f"About {_three(min(small, large))} to {_three(max(small, large))}: the "
            f"smallest confirmed difference from {other} is {_three(small)}, the largest unconfirmed {_three(large)}.",
            f"{_three(min(small, large))} to {_three(max(small, large))}",
        )
    return Section(
        "differences",
        "How large must a difference be to show?",
        answer,
        ("A line that reaches zero is exactly a difference that the test does not confirm.",),
        figures=(figure,),
        facts=facts,
    )


def unjudged_section(comparison: Comparison) -> Section | None:
    """Whether unjudged documents are in the way; None where all are judged."""
    facts = unjudged_facts(comparison, find_part(comparison))
    most = facts["most unjudged share"]
    if not most:
        return None
    name, some = shortened(str(facts["most unjudged"])), int(facts["runs with gaps"])
    share = f"{100 * most:.1f}"
    if some:
        answer = Sentence(
            f"For {counted(some, 'run')}, yes: more than 5 of 100 documents that count were never judged; at "
            f"most {share} "
            f"of 100 ({name}).",
            f"For {counted(some, 'run')}, yes:",
        )
    else:
        answer = Sentence(f"Hardly: at most {share} of 100 documents that count were never judged ({name}).", "Hardly:")
    return Section(
        "unjudged",
        "Are unjudged documents in the way?",
        answer,
        (
            "An unjudged document counts as worthless here. Runs made after the judging suffer most. Score with "
            "unjudged='bounds' for the lowest and the highest score that each run can have.",
        ),
        facts={**facts, "much": MUCH_UNJUDGED},
    )


def order_section(comparison: Comparison, robustness: RobustnessStudy | None) -> Section | None:
    """Whether other values of grades, or another assessor's grades, would change the order; None for few runs."""
    ranking = next(iter(comparison.rankings), None)
    if len(comparison.runs) < 3 or (ranking is None and robustness is None):
        return None
    facts: Record = {}
    said, tables = [], []
    if ranking is not None:
        total = ranking.tau_b.n * (ranking.tau_b.n - 1) // 2
        facts |= {"order pairs": total, "changed by gains": ranking.tau_b.discordant}
        said.append(
            f"{_much(ranking.tau_b.discordant, total)}: {_counting(ranking.b.name)}, {ranking.tau_b.discordant:,} of "
            f"{total:,} pairs of runs change places"
        )
        moves = move_table(comparison)
        if moves.rows:
            tables.append(NamedTable("moves", moves))
    if robustness is not None:
        records = [record for record in robustness_records(robustness) if record["tau_b"] is not None]
        own = next((record for record in records if record["gains"] == "prm"), records[0] if records else None)
        if own is not None:
            total = own["concordant"] + own["discordant"] + own["ties_first"] + own["ties_second"]
            changed = own["discordant"]
            facts |= {"changed by assessor": changed, "assessor topics": own["topics"]}
            start = f"{_much(changed, total)}: " if ranking is None else ""
            said.append(
                f"{start}with the second assessors' grades, {changed:,}" + ("" if ranking else f" of {total:,} pairs")
            )
            tables.append(NamedTable("robustness", side_table(robustness)))
    if not said:
        return None
    answer = "; ".join(said) + "."
    return Section(
        "order",
        "Would other grades change the order of runs?",
        Sentence(answer, answer.partition(":")[0] + ":"),
        (
            "An order that does not change is no proof that it is right: grades that say nothing would not "
            "change it either.",
        ),
        tables=tuple(tables),
        facts=facts,
    )


def move_table(comparison: Comparison) -> Table:
    """The runs that move most between the first two kinds of gains."""
    ranking = comparison.rankings[0]
    one, two = (
        next(part for part in comparison.parts if part.measure == ranking.measure and part.scheme is scheme)
        for scheme in (ranking.a, ranking.b)
    )
    moved = two.standings.rank - one.standings.rank
    order = sorted(range(len(moved)), key=lambda at: (-abs(int(moved[at])), int(one.standings.rank[at])))
    chosen = [at for at in order if moved[at]][:MOST_MOVES]
    columns = (
        Column("run", "Run", align="left"),
        Column("a", f"Place, {_counting_short(ranking.a.name)}", show_number(0)),
        Column("b", f"Place, {_counting_short(ranking.b.name)}", show_number(0)),
        Column("move", "Moves", lambda cell: signed(float(cell or 0), 0)),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (comparison.runs[at], int(one.standings.rank[at]), int(two.standings.rank[at]), -int(moved[at]))
        for at in chosen
    )
    return Table("The runs that move most", columns, rows)


def side_table(robustness: RobustnessStudy) -> Table:
    """Pairs that change places with the second side's grades, by what a grade counts."""
    columns = (
        Column("gains", "What a grade counts", align="left"),
        Column("discordant", "Pairs that change places", show_number(0)),
        Column("tau", "Kendall's tau", show_number(2)),
    )
    rows = tuple(
        (_counting_short(record["gains"]), record["discordant"], record["tau_b"])
        for record in robustness_records(robustness)
        if record["tau_b"] is not None
    )
    return Table(
        f"The order of runs by first and second assessors, {counted(robustness.topics, 'topic')}", columns, rows
    )


def _much(changed: int, total: int) -> str:
    share = changed / total if total else 0.0
    return "Not at all" if not changed else "Little" if share < 0.05 else "Somewhat" if share < 0.15 else "Much"


def _counting(gains: str) -> str:
    return {
        "binary": "counting relevant grades as 1 and the rest as 0 instead",
        "linear": "counting grades as whole numbers instead",
        "exponential": "counting grades as powers of two instead",
        "prm": "counting what grades are worth to users instead",
    }.get(gains, f"with {shortened(gains)} gains instead")


def _counting_short(gains: str) -> str:
    return {
        "prm": "worth to users",
        "binary": "all or nothing",
        "linear": "whole numbers",
        "exponential": "powers of two",
    }.get(gains, f"{shortened(gains)} gains")


def _others(facts: Record) -> int:
    return int(facts["runs"]) - 1


def _three(value: float) -> str:
    return f"{value:.3f}"
