"""Which run is best, how sure is that, and what stands in the way?"""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from gainsayer.commands.advice import Advice, say_advice
from gainsayer.commands.compare_figures import differences, forest
from gainsayer.commands.compare_tables import WORTH_SHORTENING
from gainsayer.commands.verdict import RunVerdict, Unjudged
from gainsayer.comparison.results import Comparison
from gainsayer.comparison.users import UserBand
from gainsayer.drawing.interval_lines import ALL_NAMED
from gainsayer.measures.scores import MUCH_UNJUDGED
from gainsayer.model.user_correlation import UserCorrelation
from gainsayer.reports.content import KeyNumber, NamedTable, Section
from gainsayer.studies.orders import RobustnessStudy
from gainsayer.table import Column, Json, Table
from gainsayer.text import option
from gainsayer.words import Sentence, capitalized, counted, shortened, signed, users

MOST_MOVES = 8
WHY_OVERLAP = (
    "Runs are scored on the same topics, so two lines may overlap and the runs still differ: the group says what the "
    "test found for all pairs at once. The places that a run may have follow from the same test."
)
ALL_RUNS = "all-runs"  # the figure of all runs


def run_numbers(verdict: RunVerdict) -> list[KeyNumber]:
    """Runs that may be the best, and pairs in clear order; against a baseline, how many are above it."""
    if verdict.baseline is not None:
        of = f"of {verdict.runs - 1:,}"
        return [
            KeyNumber(f"{verdict.above_baseline:,}", of, "runs shown to be better than the baseline"),
            KeyNumber(f"{verdict.below_baseline:,}", of, "runs shown to be worse"),
        ]
    if verdict.may_be_best is None or verdict.runs == 1:
        return [KeyNumber(f"{verdict.best_score:.3f}", "", f"{verdict.measure} of {shortened(verdict.best)}")]
    return [
        KeyNumber(f"{verdict.may_be_best:,}", f"of {verdict.runs:,}", "runs that may be the best"),
        KeyNumber(f"{verdict.clear_pairs:,}", f"of {verdict.pairs:,}", "pairs of runs in clear order"),
    ]


def run_steps(verdict: RunVerdict, advice: Advice | None = None) -> list[Sentence]:
    """What to do about the runs, the cheapest first."""
    steps = []
    undecided = len(verdict.level or ()) > len(verdict.same)
    # Where judging unjudged documents is the advice, it is the next step.
    advised = undecided and advice is not None and any(lever.bias is not None for lever in advice.levers[:2])
    if verdict.unjudged.runs_with_many and not advised:
        start = "Judge the gaps."
        steps.append(
            Sentence(
                f"{start} In {verdict.unjudged.which()}, more than {MUCH_UNJUDGED * 100:.0f} of 100 ranked documents "
                "were never judged; they count as worthless now.",
                start,
            )
        )
    shorter = verdict.shorter_with_exact_grades
    if undecided and advice is not None:
        steps.append(Sentence(f"Judge next: {say_advice(advice)}", "Judge next:"))
    elif undecided and shorter is None:
        steps.append(Sentence("Add topics. Four times as many would halve the doubt between runs.", "Add topics."))
    elif undecided and shorter is not None and shorter >= WORTH_SHORTENING:
        start = "Add topics and second judgments."
        steps.append(Sentence(f"{start} Four times as many of both would halve the doubt between runs.", start))
    elif undecided:
        start = "Add topics, not second judgments."
        steps.append(
            Sentence(
                f"{start} Four times as many topics would halve the doubt between runs; more second judgments would "
                "leave it as it is.",
                start,
            )
        )
    many = verdict.may_be_best
    if many is not None and 1 < many < verdict.runs:
        start = f"Report the group of {many:,},"
        steps.append(Sentence(f"{start} not one winner; choose within it by cost or speed.", start))
    elif many == 1 and verdict.runs != 1:
        start = f"Report {shortened(verdict.best)}"
        steps.append(Sentence(f"{start} as the best of these, with its interval.", start))
    return steps


def best_section(comparison: Comparison, verdict: RunVerdict) -> Section:
    """All runs, the group of each, and why two lines may overlap though runs differ."""
    figure = forest(comparison, comparison.part(), id=ALL_RUNS)
    named = len(comparison.runs) <= ALL_NAMED
    whose = [f"The grades that score the runs: {comparison.scores.labels}."] if comparison.scores.labels else []
    others = _other_measures(comparison)
    return Section(
        "runs",
        "Which run is best, and how sure is that?",
        _say_best(verdict),
        (*((WHY_OVERLAP,) if verdict.level is not None else ()), *whose),
        figures=() if named else (figure,),
        tables=(NamedTable("runs-1", figure.table), *others) if named else others,
        facts={"run": asdict(verdict)},
    )


def _say_best(verdict: RunVerdict) -> Sentence:
    best = shortened(verdict.best)
    if verdict.are_all_same:
        return Sentence(f"None of them: {verdict.finding()[:1].lower()}{verdict.finding()[1:]}.", "None of them:")
    if verdict.level is None or verdict.lower is None:
        return Sentence(f"{best} scores highest, {verdict.best_score:.3f}.")
    near = len(verdict.level)
    if verdict.baseline is not None:
        above = verdict.above_baseline
        start = f"{above} of {counted(verdict.runs - 1, 'run')}"
        return Sentence(
            f"{start} {'is' if above == 1 else 'are'} better than the baseline and {verdict.below_baseline} worse; "
            f"{near} cannot be told apart from it.",
            f"{above} of {verdict.runs - 1}",
        )
    if not near:
        return Sentence(f"{best}: each of the {verdict.lower:,} others scores lower.", f"{verdict.lower:,}")
    rest = f"; for {verdict.lower:,}, another run is better" if verdict.lower else ""
    return Sentence(
        f"No single one: {near:,} of the {near + verdict.lower:,} others could be the best as well as the first{rest}.",
        "No single one:",
    )


def _other_measures(comparison: Comparison) -> tuple[NamedTable, ...]:
    """The scores by the measures asked for beside the first, one column each; best run of the first measure first."""
    first, measures = comparison.part(), comparison.measures[1:]
    if not measures:
        return ()
    columns = (
        Column("run", comparison.runs, "Run"),
        *(Column(str(measure), comparison.part(measure).standings.value, str(measure)) for measure in measures),
    )
    return (NamedTable("other-measures", Table("The other measures", columns).take(first.order)),)


def difference_section(comparison: Comparison, verdict: RunVerdict) -> Section | None:
    """How large a difference must be to show; None where there are no tests, or fewer than three runs."""
    figure = differences(comparison, comparison.part())
    if figure is None or len(comparison.runs) < 3 or verdict.are_all_same:
        return None
    small, large = verdict.smallest_clear, verdict.largest_unclear
    other = "the baseline" if comparison.baseline is not None else "the first run"
    if small is None:
        said = f"The test confirms no difference from {other}; the largest is {large:.3f}."
        if verdict.reach is None:
            answer = Sentence(f"Nobody knows yet. {said}", "Nobody knows yet.")
        else:
            start = f"About {verdict.reach:.3f}:"
            answer = Sentence(f"{start} so far do the intervals reach, all pairs at once. {said}", start)
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
        facts={"run": asdict(verdict)},
    )


def unjudged_section(unjudged: Unjudged) -> Section | None:
    """Whether unjudged documents are in the way; None where all are judged."""
    if not unjudged.most_share:
        return None
    name, share = shortened(unjudged.most), f"{100 * unjudged.most_share:.1f}"
    if unjudged.runs_with_many:
        start = f"For {unjudged.which()}, yes:"
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
        facts={"unjudged": asdict(unjudged), "much": MUCH_UNJUDGED},
    )


def order_section(comparison: Comparison, robustness: RobustnessStudy | None) -> Section | None:
    """Whether other values of grades, or another assessor's grades, would change the order; None for few runs."""
    ranking = next(iter(comparison.rankings), None)
    if len(comparison.runs) < 3 or (ranking is None and robustness is None):
        return None
    facts: dict[str, Json] = {}
    said, tables, share = [], [], 0.0
    if ranking is not None:
        total, changed = ranking.tau_b.n * (ranking.tau_b.n - 1) // 2, ranking.tau_b.discordant
        facts |= {"pairs": total, "changed_by_gains": changed}
        moved = f"{changed:,} of {total:,} pairs of runs change places" if changed else "no two runs change places"
        share = changed / total if total else 0.0
        said.append(f"{_counting(ranking.b.name)}, {moved}")
        moves = move_table(comparison)
        if moves.height:
            tables.append(NamedTable("moves", moves))
    rows = [] if robustness is None else [row for row in robustness.rows if row.tau is not None]
    own = next((row for row in rows if row.gains == "prm"), next(iter(rows), None))
    if robustness is not None and own is not None and own.tau is not None:
        total, changed = own.tau.n * (own.tau.n - 1) // 2, own.tau.discordant
        facts |= {"pairs": total, "changed_by_assessor": changed, "assessor_topics": own.topics}
        share = max(share, changed / total if total else 0.0)
        some = f"{changed:,} of {total:,}" if changed else "none"
        said.append(f"with the second assessors' grades, {some} do")
        tables.append(NamedTable("robustness", side_table(robustness)))
    if not said:
        return None
    start = f"{_much(share)}:"
    return Section(
        "order",
        "Would other grades change the order of runs?",
        Sentence(f"{start} {'; '.join(said)}.", start),
        (
            "An order that does not change is no proof that it is right: grades that say nothing would not "
            "change it either.",
        ),
        tables=tuple(tables),
        facts=facts,
    )


def user_section(band: UserBand, correlation: UserCorrelation | None) -> Section | None:
    """How many relevant documents a user finds in the first run, and how many users find none; None for no document."""
    best = int(np.argmax(band.values["plug-in"]))
    nothing = {name: float(spread.nothing[best]) for name, spread in band.found.items()}
    between = [name for name, spread in band.found.items() if isinstance(spread.users, float)]
    mean = float(next(iter(band.found.values())).mean[best])
    if not mean:
        return None
    facts: dict[str, Json] = {"best": band.runs[best], "depth": band.depth, "mean": mean, "find_nothing": nothing}
    low, high = min(nothing.values()), max(nothing.values())
    if between:
        none = f"about {users(nothing[between[0]])} of 100 users find none"
    elif users(low) == users(high):
        none = f"{users(low)} of 100 users find none"
    else:
        none = f"{users(low)} to {users(high)} of 100 users find none"
    paragraphs = []
    if between and correlation is not None and np.isfinite(correlation.correlation):
        facts["correlation"] = float(correlation.correlation)
        paragraphs.append(
            "A strict user is strict with every document: the second judgments show how strongly one person's views "
            f"are correlated ({correlation.correlation:.2f}). If they were not correlated at all, "
            f"{users(low)} of 100 would find nothing; if a single strictness decided everything, {users(high)}."
        )
    elif users(low) != users(high):
        paragraphs.append(
            f"{capitalized(users(low))} if each document is a new question to a user, {users(high)} if a strict user "
            "is strict with every document. Real users lie between."
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
        Column("run", comparison.runs, "Run"),
        Column("a", one.standings.rank, f"Place, {_counting_short(ranking.a.name)}"),
        Column("b", two.standings.rank, f"Place, {_counting_short(ranking.b.name)}"),
        Column("move", -moved, "Moves", say=lambda places: signed(places, 0), align="right"),
    )
    return Table("The runs that move most", columns).take(chosen)


def side_table(robustness: RobustnessStudy) -> Table:
    """Pairs that change places with the second side's grades, by what a grade counts."""
    rows = [row for row in robustness.rows if row.tau is not None and row.tau.value is not None]
    columns = (
        Column("gains", [_counting_short(row.gains) for row in rows], "What a grade counts"),
        Column("discordant", [row.tau.discordant for row in rows if row.tau], "Pairs that change places"),
        Column("tau", [row.tau.value for row in rows if row.tau], "Kendall's tau", 2),
    )
    title = f"The order of runs by first and second assessors, {counted(robustness.topics, 'topic')}"
    return Table(title, columns)


def _much(share: float) -> str:
    return "Not at all" if not share else "Little" if share < 0.05 else "Somewhat" if share < 0.15 else "Much"


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
