"""Which system is better, how sure are we, and does the choice of gains matter?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.measures.catalogue import Measure
from gainsayer.presentation.comparison_records import middle_shares
from gainsayer.presentation.comparison_tables import (
    advise,
    difference_table,
    name_scheme,
    power_table,
    ranking_table,
    run_figure,
    run_table,
    uncertainty_table,
)
from gainsayer.presentation.content import NamedTable, Section
from gainsayer.presentation.figures import RankSlope, TauHeatmap, VarianceShares, as_grid, as_row
from gainsayer.presentation.figures.words import counted, quoted, shortened


def run_section(comparison: Comparison) -> Section:
    """The run table with joint intervals, the forest plot, and where the uncertainty comes from."""
    measures = tuple(dict.fromkeys(part.measure for part in comparison.parts))
    figures = [run_figure(comparison, measure, id=f"forest-{place}") for place, measure in enumerate(measures, start=1)]
    shares = [_shares(comparison, part, place) for place, part in enumerate(_drawn(comparison), start=1)]
    tables = [
        *(
            NamedTable(f"runs-{place}", replace(run_table(comparison, measure), title=_title(comparison, measure)))
            for place, measure in enumerate(measures, 1)
        ),
        NamedTable("differences", difference_table(comparison, every=comparison.baseline is not None)),
        NamedTable("power", power_table(comparison)),
        NamedTable("doubt", uncertainty_table(comparison)),
    ]
    return Section(
        id="runs",
        title="Which system is better, and how sure are we?",
        paragraphs=(
            say_best(comparison),
            *([f"The labels that score the runs: {comparison.scores.labels}."] if comparison.scores.labels else []),
            "The intervals allow for other topics and for other second judgments. Each topic was left out in turn, "
            "p(R|level) was estimated anew from the others, and all runs were scored on them. Runs share topics, so "
            "two overlapping intervals do not make two runs equal: the letters and the table of differences say which "
            "runs differ.",
            *(say_uncertainty(part) for part in _drawn(comparison)[:1]),
            "In the run tables, ± is the error over topics alone and the interval beside it the joint one; then come "
            "the rank, the ranks that the run may have (a confidence set: all runs' true ranks lie in theirs with "
            f"{comparison.confidence:.0%} confidence), and letters: runs that share one do not differ significantly.",
        ),
        findings=comparison.findings,
        figures=(*figures, *shares),
        tables=tuple(named for named in tables if named.table.rows),
    )


def gain_section(comparison: Comparison) -> Section | None:
    """Ranks and tau between kinds of gains; None where there is one kind or one run."""
    measure = comparison.parts[0].measure
    parts = [part for part in comparison.parts if part.measure == measure]
    if len(parts) < 2 or len(comparison.runs) < 2:
        return None
    names = tuple(name_scheme(part.scheme) for part in parts)
    tau = np.eye(len(parts))
    for ranking in comparison.rankings:
        if ranking.measure == measure:
            a, b = names.index(name_scheme(ranking.a)), names.index(name_scheme(ranking.b))
            tau[a, b] = tau[b, a] = np.nan if ranking.tau_b.value is None else ranking.tau_b.value
    return Section(
        id="gains",
        title="Does the choice of gains matter?",
        paragraphs=(
            say_gains(comparison),
            "Kendall's tau-b counts how many pairs of runs two kinds of gains put in the same order: 1 for all, 0 for "
            "as many as not. It says whether the choice matters for these runs, not which gains are right.",
        ),
        figures=(
            RankSlope("ranks", str(measure), comparison.runs, names, tuple(as_ranks(part) for part in parts)),
            TauHeatmap("tau", str(measure), names, as_grid(tau), len(comparison.runs)),
        ),
        tables=(NamedTable("rankings", ranking_table(comparison)),),
    )


def say_best(comparison: Comparison) -> str:
    """The run that scores highest, its interval, and how many runs may be the best one."""
    part = comparison.parts[0]
    standings = part.standings
    best = int(np.argsort(standings.rank, kind="stable")[0])
    low, high = standings.interval[best]
    name = f"{part.measure} with {name_scheme(part.scheme)} gains"
    if not np.isfinite([low, high]).all():
        return f"By {name}, {quoted(comparison.runs[best])} scores highest ({standings.value[best]:.3f})."
    said = (
        f"By {name}, {quoted(comparison.runs[best])} scores highest: {standings.value[best]:.3f} ({low:.3f} to "
        f"{high:.3f}, {'joint ' if part.shares is not None else ''}{comparison.confidence:.0%} interval)"
    )
    others = len(comparison.runs) - 1
    if not others or part.possibly_best is None:
        return f"{said}."
    if part.possibly_best == (best,):
        each = "the other run" if others == 1 else f"each of the {others:,} other runs"
        return f"{said}, significantly higher than {each}."
    many = len(part.possibly_best)
    return (
        f"{said}. It need not be the best one: {many:,} of the {len(comparison.runs):,} runs are beaten significantly "
        f"by no other, and each of these may be the best ({comparison.confidence:.0%} confidence)."
    )


def say_gains(comparison: Comparison) -> str:
    """How far the first two kinds of gains order the runs alike."""
    if not comparison.rankings:
        return "One kind of gains was used, so there is nothing to compare."
    ranking = comparison.rankings[0]
    a, b = name_scheme(ranking.a), name_scheme(ranking.b)
    if ranking.tau_b.value is None:
        return f"All runs are tied by {a} or {b} gains, so there is no tau between the orders."
    said = (
        f"Between {a} and {b} gains, {ranking.tau_b.discordant:,} of "
        f"{counted(ranking.tau_b.n * (ranking.tau_b.n - 1) // 2, 'pair')} of runs change places by {ranking.measure} "
        f"(Kendall's tau {ranking.tau_b.value:.2f}"
    )
    if ranking.tau_interval is None:
        return f"{said})."
    low, high = ranking.tau_interval
    return (
        f"{said}; another sample of {len(comparison.topics):,} topics would give about {low:.2f} to {high:.2f}, which "
        "is not an interval for the true orders)."
    )


def say_uncertainty(part: RunComparison) -> str:
    """More topics, or more second judgments?"""
    found = middle_shares(part.shares)
    if found is None:
        return "The scores do not vary over the topics, so there is no uncertainty to divide."
    topics, parameters, _ = found
    said = (
        f"Of the uncertainty of a run's {part.measure} with {name_scheme(part.scheme)} gains, {_of_both(found)} "
        f"(median over runs); to know a score more closely, it takes {advise(topics, parameters)}."
    )
    pairs = middle_shares(part.pair_shares)
    if pairs is None:
        return said
    return (
        f"{said} Of the uncertainty of a difference of two runs, {_of_both(pairs)}: to separate runs, it takes "
        f"{advise(pairs[0], pairs[1])}."
    )


def _of_both(shares: tuple[float, float, float]) -> str:
    """What the topics and the second judgments bring, of the variances of the two alone, so that they add up."""
    topics = shares[0] / (shares[0] + shares[1])
    return f"{topics:.0%} comes from the topics and {1 - topics:.0%} from the second judgments"


def _title(comparison: Comparison, measure: Measure) -> str:
    topics = counted(len(comparison.topics), "topic")
    drawn = (
        f"; {comparison.paired_topics:,} topics are judged twice, {comparison.shared_topics:,} of them scored"
        if comparison.paired_topics
        else ""
    )
    return f"{measure} of the runs, mean over {topics}{drawn}"


def as_ranks(part: RunComparison) -> tuple[float, ...]:
    """The ranks of the runs."""
    return tuple(float(rank) for rank in part.standings.rank)


def _drawn(comparison: Comparison) -> list[RunComparison]:
    return [part for part in comparison.parts if part.shares is not None]


def _shares(comparison: Comparison, part: RunComparison, place: int) -> VarianceShares:
    """Two shares that add up: what both bring together is divided evenly between them."""
    assert part.shares is not None
    order = np.argsort(part.standings.rank, kind="stable")
    topics = np.clip(part.shares.topics + part.shares.together / 2, 0.0, 1.0)
    return VarianceShares(
        f"variance-{place}",
        f"{shortened(str(part.measure))} ({shortened(name_scheme(part.scheme))})",
        tuple(comparison.runs[at] for at in order),
        ("topics", "second judgments"),
        as_grid(np.stack([topics, 1 - topics])[:, order]),
        as_row(part.standings.error[order]),
    )
