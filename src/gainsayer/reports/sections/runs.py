"""Which run is best, how sure is that, and what stands in the way?"""

from __future__ import annotations

import numpy as np

from gainsayer.commands.compare_records import WORTH_SHORTENING, find_part
from gainsayer.commands.figures.run_differences import RunDifferences
from gainsayer.commands.figures.run_forest import ALL_NAMED, RunForest
from gainsayer.commands.old_tables import Cell, Column, from_rows, show_number
from gainsayer.commands.records import Record, number
from gainsayer.commands.verdict import run_facts, unjudged_facts
from gainsayer.comparison.results import Comparison
from gainsayer.comparison.user_band import UserBand
from gainsayer.disagreement.user_correlation import UserCorrelation
from gainsayer.measures.scoring import MUCH_UNJUDGED
from gainsayer.reports.content import KeyNumber, NamedTable, Section
from gainsayer.studies.robustness import RobustnessStudy
from gainsayer.table import Table
from gainsayer.text import option
from gainsayer.words import Sentence, counted, shortened, signed, users

MOST_MOVES = 8


def run_numbers(facts: Record) -> list[KeyNumber]:
    """Runs that may be the best, and pairs in clear order; against a baseline, how many are above it."""
    if "baseline" in facts:
        return [
            KeyNumber(
                f"{facts['above baseline']:,}", f"of {facts['runs'] - 1:,}", "runs shown to be better than the baseline"
            ),
            KeyNumber(f"{facts['below baseline']:,}", f"of {facts['runs'] - 1:,}", "runs shown to be worse"),
        ]
    if "may be best" not in facts or facts["runs"] == 1:
        return [KeyNumber(f"{facts['first score']:.3f}", "", f"{facts['measure']} of {shortened(str(facts['first']))}")]
    return [
        KeyNumber(f"{facts['may be best']:,}", f"of {facts['runs']:,}", "runs that may be the best"),
        KeyNumber(f"{facts['clear pairs']:,}", f"of {facts['pairs']:,}", "pairs of runs in clear order"),
    ]


def run_steps(facts: Record) -> list[Sentence]:
    """What to do about the runs, the cheapest first."""
    steps = []
    undecided = "told apart" in facts and bool(facts["not told apart"])
    advised = undecided and "left open by unjudged documents" in facts  # to judge them is the next step then
    if facts["runs with gaps"] and not advised:
        start = "Judge the gaps."
        steps.append(
            Sentence(
                f"{start} In {_few(facts)}, more than {MUCH_UNJUDGED * 100:.0f} of 100 ranked documents were never "
                "judged; they count as worthless now.",
                start,
            )
        )
    if undecided:
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
    facts = run_facts(comparison, part)
    forest = RunForest.of(comparison, part, id="all-runs")
    named = len(comparison.runs) <= ALL_NAMED
    near, apart = facts.get("not told apart"), facts.get("told apart")
    if near is None or apart is None:
        answer = Sentence(f"{shortened(str(facts['first']))} scores highest, {facts['first score']:.3f}.")
    elif comparison.baseline is not None:
        answer = Sentence(
            f"{facts['above baseline']} of {facts['runs'] - 1} runs are better than the baseline and "
            f"{facts['below baseline']} worse; {near} cannot be told apart from it.",
            f"{facts['above baseline']} of {facts['runs'] - 1}",
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
            "Runs are scored on the same topics, so two lines may overlap and the runs still differ: the group says "
            "what the test found for all pairs at once. The places that a run may have follow from the same test.",
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
    return (NamedTable("other-measures", from_rows("The other measures", columns, rows)),)


def difference_section(comparison: Comparison) -> Section | None:
    """How large a difference must be to show; None where there are no tests, or fewer than three runs."""
    part = find_part(comparison)
    figure = RunDifferences.of(comparison, part)
    if figure is None or len(comparison.runs) < 3:
        return None
    facts = {
        key: value
        for key, value in run_facts(comparison, part).items()
        if key in ("smallest clear", "largest unclear", "pairs", "first", "baseline", "runs")
    }
    small, large = facts.get("smallest clear"), facts.get("largest unclear")
    other = "the baseline" if comparison.baseline is not None else "the first run"
    if small is None:
        start = f"More than {large:.3f}:"
        answer = Sentence(f"{start} the test confirms no difference from {other}.", start)
    elif large is None:
        start = f"{small:.3f} is enough:"
        answer = Sentence(f"{start} it is the smallest difference from {other}, and the test confirms all.", start)
    else:
        span = f"{min(small, large):.3f} to {max(small, large):.3f}"
        answer = Sentence(
            f"About {span}: the smallest confirmed difference from {other} is {small:.3f}, the largest unconfirmed "
            f"{large:.3f}.",
            span,
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
    name, share = shortened(str(facts["most unjudged"])), f"{100 * most:.1f}"
    if facts["runs with gaps"]:
        start = f"For {_few(facts)}, yes:"
        answer = Sentence(
            f"{start} more than {MUCH_UNJUDGED * 100:.0f} of 100 documents that count were never judged; at most "
            f"{share} of 100 ({name}).",
            start,
        )
    else:
        answer = Sentence(f"Hardly: at most {share} of 100 documents that count were never judged ({name}).", "Hardly:")
    return Section(
        "unjudged",
        "Are unjudged documents in the way?",
        answer,
        (
            "An unjudged document counts as worthless here. Runs made after the judging suffer most. Score with "
            f"{option('unjudged', 'bounds')} for the lowest and the highest score that each run can have.",
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
        total, changed = ranking.tau_b.n * (ranking.tau_b.n - 1) // 2, ranking.tau_b.discordant
        facts |= {"order pairs": total, "changed by gains": changed}
        moved = f"{changed:,} of {total:,} pairs of runs change places" if changed else "no two runs change places"
        said.append(f"{_much(changed, total)}: {_counting(ranking.b.name)}, {moved}")
        moves = move_table(comparison)
        if moves.height:
            tables.append(NamedTable("moves", moves))
    rows = [] if robustness is None else [row for row in robustness.rows if row.tau is not None]
    own = next((row for row in rows if row.gains == "prm"), next(iter(rows), None))
    if robustness is not None and own is not None and own.tau is not None:
        total, changed = own.tau.n * (own.tau.n - 1) // 2, own.tau.discordant
        facts |= {"changed by assessor": changed, "assessor topics": own.topics, "order pairs": total}
        start = f"{_much(changed, total)}: " if ranking is None else ""
        said.append(
            f"{start}with the second assessors' grades, {changed:,} of {total:,} do"
            if changed
            else f"{start}with the second assessors' grades, none do"
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


def user_section(band: UserBand, correlation: UserCorrelation | None) -> Section:
    """How many relevant documents a user finds in the first run, and how many users find none."""
    best = int(np.argmax(band.values["plug-in"]))
    nothing = {name: float(spread.nothing[best]) for name, spread in band.found.items()}
    between = [name for name, spread in band.found.items() if isinstance(spread.users, float)]
    mean = float(next(iter(band.found.values())).mean[best])
    facts: Record = {
        "run": band.runs[best],
        "depth": band.depth,
        "mean": mean,
        **{f"nothing, {name}": share for name, share in nothing.items()},
    }
    low, high = min(nothing.values()), max(nothing.values())
    if between:
        none = f"about {users(nothing[between[0]])} of 100 users find none"
    elif users(low) == users(high):
        none = f"{users(low)} of 100 users find none"
    else:
        none = f"{users(low)} to {users(high)} of 100 users find none"
    paragraphs = []
    if between and correlation is not None and number(correlation.correlation) is not None:
        facts["correlation"] = float(correlation.correlation)
        paragraphs.append(
            "A strict user is strict with every document: the second judgments show how strongly one person's views "
            f"are correlated ({correlation.correlation:.2f}). If they were not correlated at all, "
            f"{users(low)} of 100 would find nothing; if a single strictness decided everything, {users(high)}."
        )
    elif users(low) != users(high):
        paragraphs.append(
            f"{users(low)} if each document is a new question to a user, {users(high)} if a strict user is strict with "
            "every document. Real users lie between."
        )
    return Section(
        "users",
        "What does one user get from the first run?",
        Sentence(
            f"On average {mean:.1f} relevant documents in the top {band.depth} of {shortened(band.runs[best])}; "
            f"{none}.",
            f"{mean:.1f} relevant documents",
        ),
        tuple(paragraphs),
        facts=facts,
    )


def move_table(comparison: Comparison) -> Table:
    """The runs that move most between the first two kinds of gains."""
    ranking = comparison.rankings[0]
    one, two = (
        next(part for part in comparison.parts if part.measure == ranking.measure and part.scheme.gains is gains)
        for gains in (ranking.a, ranking.b)
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
    return from_rows("The runs that move most", columns, rows)


def side_table(robustness: RobustnessStudy) -> Table:
    """Pairs that change places with the second side's grades, by what a grade counts."""
    columns = (
        Column("gains", "What a grade counts", align="left"),
        Column("discordant", "Pairs that change places", show_number(0)),
        Column("tau", "Kendall's tau", show_number(2)),
    )
    rows = tuple(
        (_counting_short(row.gains), row.tau.discordant, row.tau.value)
        for row in robustness.rows
        if row.tau is not None and row.tau.value is not None
    )
    return from_rows(
        f"The order of runs by first and second assessors, {counted(robustness.topics, 'topic')}", columns, rows
    )


def _few(facts: Record) -> str:
    """The runs with gaps, counted."""
    some, runs = facts["runs with gaps"], facts["runs"]
    return f"all {runs:,} runs" if some == runs > 2 else "both runs" if some == runs == 2 else counted(some, "run")


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
