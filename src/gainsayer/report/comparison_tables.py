"""The tables of `compare`: the run table, differences, gain schemes, where the uncertainty comes from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gainsayer.comparison.results import Comparison, RunComparison, VarianceShares
from gainsayer.comparison.schemes import Scheme
from gainsayer.comparison.testing import PairTests
from gainsayer.measures.catalogue import Measure
from gainsayer.report.comparing import count_ties, pair_of_numbers
from gainsayer.report.plain import number
from gainsayer.report.tables import Cell, Column, Table, show_number

MOST_LETTERS = 6


def comparison_tables(comparison: Comparison, *, pairwise: bool = False, stratum: str | None = None) -> list[Table]:
    """What a terminal shows: runs per measure, tau between schemes, who differs, where the uncertainty comes from."""
    where = "" if stratum is None else f"Stratum {stratum}: "
    measures = tuple(dict.fromkeys(part.measure for part in comparison.parts))
    tables = [run_table(comparison, measure, prefix=where) for measure in measures]
    if comparison.scores.labels:
        tables = [replace(table, title=f"{table.title}; labels: {comparison.scores.labels}") for table in tables]
    if comparison.rankings:
        tables.append(ranking_table(comparison, prefix=where))
    differences = difference_table(comparison, every=pairwise or comparison.baseline is not None, prefix=where)
    if differences.rows:
        tables.append(differences)
    power = power_table(comparison, prefix=where)
    if power.rows:
        tables.append(power)
    doubt = doubt_table(comparison, prefix=where)
    if doubt.rows:
        tables.append(doubt)
    return tables


def name_scheme(scheme: Scheme) -> str:
    """The gains and the relevance they stand for: `prm (2)`.

    >>> from gainsayer.gains import linear_gains
    >>> from gainsayer.levels import Levels
    >>> name_scheme(Scheme(linear_gains(Levels(("0", "1")))))
    'linear'
    """
    return scheme.name if scheme.threshold is None else f"{scheme.name} ({scheme.threshold})"


def run_table(comparison: Comparison, measure: Measure, *, prefix: str = "") -> Table:
    """Runs from best to worst by the first scheme; per scheme mean, error over topics, joint interval, ranks, group."""
    parts = [part for part in comparison.parts if part.measure == measure]
    columns = [Column("run", "run", align="left")]
    for part in parts:
        name = name_scheme(part.scheme)
        columns += [
            Column(f"{name} value", name, show_number(4)),
            Column(f"{name} standard_error", "±", show_number(4)),
            Column(f"{name} interval", _percent(comparison.confidence), align="left"),
            Column(f"{name} rank", "rank", show_number(0)),
            Column(f"{name} rank_interval", "ranks", align="left"),
            Column(f"{name} group", "group", align="left"),
        ]
    rows: list[tuple[Cell, ...]] = []
    for at in np.argsort(parts[0].standings.rank, kind="stable").tolist():
        cells: list[Cell] = [comparison.runs[at]]
        for part in parts:
            standings = part.standings
            cells += [
                number(standings.value[at]),
                number(part.error[at]),
                _shown(standings.interval[at]),
                int(standings.rank[at]),
                _shown_ranks(standings.rank_interval[at]),
                _shown_group(part.groups[at]) if part.groups else None,
            ]
        rows.append(tuple(cells))
    twice = (
        f" ({comparison.paired_topics:,} topics judged twice, {comparison.shared_topics:,} of them scored)"
        if comparison.paired_topics
        else ""
    )
    joint = "joint " if any(part.shares is not None for part in parts) else ""
    sets = np.isfinite(parts[0].standings.rank_interval).any()
    ranks = (
        f"rank and the ranks it may have ({_percent(comparison.confidence)} confidence, all runs at once)"
        if sets
        else "rank"
    )
    letters = "; runs that share a letter do not differ significantly" if any(part.groups for part in parts) else ""
    title = (
        f"{prefix}{measure}: mean over {len(comparison.topics):,} topics ± error over topics, {joint}"
        f"{_percent(comparison.confidence)} interval{twice}, {ranks}{letters}"
    )
    return Table(title, tuple(columns), tuple(rows))


def ranking_table(comparison: Comparison, *, prefix: str = "") -> Table:
    """How far the schemes order the runs alike."""
    columns = (
        Column("measure", "measure", align="left"),
        Column("a", "gains", align="left"),
        Column("b", "and", align="left"),
        Column("tau_b", "tau-b", show_number(4, missing="undefined")),
        Column("tau_interval", "from other topics", align="left"),
        Column("tau_ap", "tau-AP", show_number(4, missing="undefined")),
        Column("rbo", "RBO", show_number(4, missing="undefined")),
        Column("runs", "runs", show_number(0)),
        Column("ties", "tied pairs", show_number(0)),
    )
    rows = tuple(
        (
            str(ranking.measure),
            name_scheme(ranking.a),
            name_scheme(ranking.b),
            ranking.tau_b.value,
            None if ranking.tau_interval is None else _shown(np.array(ranking.tau_interval)),
            ranking.tau_ap.value,
            ranking.rbo.value,
            ranking.tau_b.n,
            count_ties(ranking.tau_b),
        )
        for ranking in comparison.rankings
    )
    title = f"{prefix}Agreement of the run orders under two kinds of gains"
    if any(ranking.tau_interval is not None for ranking in comparison.rankings):
        title += (
            f"; another sample of {len(comparison.topics):,} topics would give about the tau-b in brackets "
            f"({_percent(comparison.confidence)}), which is not an interval for the true orders"
        )
    return Table(title, columns, rows)


def difference_table(comparison: Comparison, *, every: bool, prefix: str = "") -> Table:
    """Differences of runs: all pairs; or each run against the best one, by the first scheme of each measure."""
    confidence = _percent(comparison.confidence)
    columns = (
        Column("measure", "measure", align="left"),
        Column("gains", "gains", align="left"),
        Column("a", "run", align="left"),
        Column("b", "minus", align="left"),
        Column("difference", "difference", show_number(4)),
        Column("interval", f"{confidence} alone", align="left"),
        Column("relative_difference", "relative"),
        Column("simultaneous_relative_interval", f"{confidence} all pairs", align="left"),
        Column("p", "p", show_number(4)),
        Column("p_adjusted", "adjusted", show_number(4)),
        Column("verdict", "verdict", align="left"),
    )
    rows: list[tuple[Cell, ...]] = []
    tested = ""
    seen: set[Measure] = set()
    for part in comparison.parts:
        tests, found = part.tests, part.differences
        if tests is None or found is None or (not every and part.measure in seen):
            continue
        seen.add(part.measure)
        tested = describe_test(tests)
        for at, sign in _shown_pairs(part, every=every):
            a, b = (found.a[at], found.b[at]) if sign > 0 else (found.b[at], found.a[at])
            rows.append(
                (
                    str(part.measure),
                    name_scheme(part.scheme),
                    comparison.runs[a],
                    comparison.runs[b],
                    number(sign * found.difference[at]),
                    _shown(np.sort(sign * found.interval[at])),
                    _show_share(sign * found.relative[at]),
                    _shown_shares(np.sort(sign * found.simultaneous_relative_interval[at])),
                    _p_value(tests.p[at]),
                    _p_value(tests.p_adjusted[at]),
                    found.verdicts.word(at, reverse=sign < 0),
                )
            )
    against = f"with {comparison.baseline}" if comparison.baseline else "of all pairs" if every else "from the best"
    margin = "" if comparison.margin is None else f"; differences below {comparison.margin:g} do not matter"
    title = (
        f"{prefix}Differences of runs {against}: joint interval of each alone; relative to the mean of the two runs, "
        f"with intervals that hold for all pairs at once; {tested}{margin}"
    )
    return Table(title, columns, tuple(rows))


def describe_test(tests: PairTests) -> str:
    """What the p-values are, in words.

    >>> from gainsayer.comparison.testing import compare_pairs
    >>> describe_test(compare_pairs([[0.1, 0.2, 0.4], [0.3, 0.3, 0.1]], test="t"))
    'p by the t test with the gains held fixed (decides signs only), adjusted by holm'
    """
    if tests.test == "joint":
        flips = "" if tests.permutations is None else f", adjusted for all pairs by {tests.permutations:,} sign flips"
        return f"p over topics and gains{flips}"
    adjusted = "not adjusted" if tests.adjustment == "none" else f"adjusted by {tests.adjustment}"
    return f"p by the {tests.test} test with the gains held fixed (decides signs only), {adjusted}"


def power_table(comparison: Comparison, *, prefix: str = "") -> Table:
    """Discriminative power: the share of pairs that differ significantly by each scheme."""
    columns = (
        Column("measure", "measure", align="left"),
        Column("gains", "gains", align="left"),
        Column("share", "significant", show_number(3)),
        Column("pairs", "pairs", show_number(0)),
        Column("test", "test", align="left"),
        Column("adjustment", "adjustment", align="left"),
    )
    rows = tuple(
        (
            str(part.measure),
            name_scheme(part.scheme),
            part.power.power,
            part.power.pairs,
            part.tests.test,
            part.tests.adjustment,
        )
        for part in comparison.parts
        if part.power is not None and part.tests is not None and part.power.pairs > 1
    )
    level = f"{1 - comparison.confidence:.3g}".removeprefix("0")
    return Table(f"{prefix}Share of the pairs of runs that differ significantly, at {level}", columns, rows)


def doubt_table(comparison: Comparison, *, prefix: str = "") -> Table:
    """Where the uncertainty of a score comes from: the median over runs, and what would help."""
    columns = (
        Column("measure", "measure", align="left"),
        Column("gains", "gains", align="left"),
        Column("of", "of", align="left"),
        Column("topics", "topics", show_number(2)),
        Column("parameters", "second judgments", show_number(2)),
        Column("together", "both together", show_number(2)),
        Column("advice", "what would help", align="left"),
    )
    rows: list[tuple[Cell, ...]] = []
    for part in comparison.parts:
        for what, shares in (("a score", part.shares), ("a difference", part.pair_shares)):
            found = middle_shares(shares)
            if found is not None:
                rows.append((str(part.measure), name_scheme(part.scheme), what, *found, advise(found[0], found[1])))
    title = f"{prefix}Where the uncertainty comes from: shares of the variance, median over runs or pairs of runs"
    return Table(title, columns, tuple(rows))


def middle_shares(shares: VarianceShares | None) -> tuple[float, float, float] | None:
    """The median of the shares of topics, parameters and both together; None where there are none."""
    if shares is None:
        return None
    known = np.isfinite(shares.topics)
    if not known.any():
        return None
    topics, parameters = (float(np.median(share[known])) for share in (shares.topics, shares.parameters))
    return topics, parameters, 1 - topics - parameters


def advise(topics: float, parameters: float) -> str:
    """More topics, or more second judgments? By where most of the variance comes from.

    >>> advise(0.8, 0.2), advise(0.2, 0.8), advise(0.5, 0.45)
    ('more topics', 'second judgments on more topics', 'both: more topics, and second judgments on more of them')
    """
    if topics > 2 * parameters:
        return "more topics"
    if parameters > 2 * topics:
        return "second judgments on more topics"
    return "both: more topics, and second judgments on more of them"


def comparison_rows(comparisons: dict[str | None, Comparison]) -> Table:
    """One row per stratum, run, measure and gains: what CSV writes."""
    columns = tuple(
        Column(key, key)
        for key in (
            "stratum",
            "run",
            "measure",
            "gains",
            "threshold",
            "value",
            "standard_error",
            "low",
            "high",
            "rank",
            "rank_low",
            "rank_high",
            "group",
            "topics",
        )
    )
    rows: list[tuple[Cell, ...]] = []
    for stratum, comparison in comparisons.items():
        for at, run in enumerate(comparison.runs):
            for part in comparison.parts:
                ends = pair_of_numbers(part.standings.interval[at]) or [None, None]
                ranks = pair_of_numbers(part.standings.rank_interval[at], whole=True) or [None, None]
                rows.append(
                    (
                        stratum,
                        run,
                        str(part.measure),
                        part.scheme.name,
                        part.scheme.threshold,
                        number(part.standings.value[at]),
                        number(part.error[at]),
                        *ends,
                        int(part.standings.rank[at]),
                        *ranks,
                        part.groups[at] if part.groups else None,
                        len(comparison.topics),
                    )
                )
    return Table("", columns, tuple(rows))


def pair_rows(comparisons: dict[str | None, Comparison]) -> Table:
    """One row per stratum, measure, gains and pair of runs: what CSV writes where pairs were asked for."""
    keys = (
        *("stratum", "measure", "gains", "threshold", "a", "b", "difference", "low", "high"),
        *("simultaneous_low", "simultaneous_high", "relative_difference", "relative_low", "relative_high"),
        *("simultaneous_relative_low", "simultaneous_relative_high", "p", "p_adjusted", "test", "verdict"),
    )
    rows: list[tuple[Cell, ...]] = []
    for stratum, comparison in comparisons.items():
        for part in comparison.parts:
            tests, found = part.tests, part.differences
            if tests is None or found is None:
                continue
            place = (stratum, str(part.measure), part.scheme.name, part.scheme.threshold)
            intervals = (found.interval, found.simultaneous_interval)
            relative = (found.relative_interval, found.simultaneous_relative_interval)
            for at in range(len(found.a)):
                absolute_ends, relative_ends = (
                    [end for ends in some for end in pair_of_numbers(ends[at]) or (None, None)]
                    for some in (intervals, relative)
                )
                rows.append(
                    (
                        *place,
                        comparison.runs[found.a[at]],
                        comparison.runs[found.b[at]],
                        number(found.difference[at]),
                        *absolute_ends,
                        number(found.relative[at]),
                        *relative_ends,
                        number(tests.p[at]),
                        number(tests.p_adjusted[at]),
                        tests.test,
                        found.verdicts.word(at),
                    )
                )
    return Table("", tuple(Column(key, key) for key in keys), tuple(rows))


def _shown_pairs(part: RunComparison, *, every: bool) -> list[tuple[int, int]]:
    """Which pairs to show, and the sign with which: all, or each run minus the best one."""
    tests = part.differences
    assert tests is not None
    if every:
        return [(at, 1) for at in range(len(tests.a))]
    order = np.argsort(part.standings.rank, kind="stable")
    best = order[0]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    found = [(at, 1 if tests.b[at] == best else -1) for at in np.flatnonzero((tests.a == best) | (tests.b == best))]
    return sorted(
        ((int(at), sign) for at, sign in found),
        key=lambda pair: int(place[tests.a[pair[0]] if pair[1] > 0 else tests.b[pair[0]]]),
    )


def _shown(ends: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> str | None:
    if not np.isfinite(ends).all():
        return None
    low, high = (show_number(4)(float(end)) for end in ends)
    return f"[{low}, {high}]"


def _show_share(share: float) -> str | None:
    """A relative difference, in percent; None where there is none.

    >>> _show_share(-0.0312), _show_share(-0.0), _show_share(float("nan"))
    ('-3.1 %', '0.0 %', None)
    """
    if np.isnan(share):
        return None
    shown = f"{100 * share:+.1f}"
    return f"{shown if float(shown) else '0.0'} %"


def _p_value(p: float) -> Cell:
    """A p-value; one too small to be shown as what it lies below.

    >>> _p_value(0.0312), _p_value(1e-9)
    (0.0312, '<0.0001')
    """
    return "<0.0001" if p < 0.0001 else number(p)


def _shown_shares(ends: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> str | None:
    return f"[{_show_share(float(ends[0]))}, {_show_share(float(ends[1]))}]" if np.isfinite(ends).all() else None


def _shown_ranks(ends: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> str | None:
    return f"[{ends[0]:.0f}, {ends[1]:.0f}]" if np.isfinite(ends).all() else None


def _shown_group(letters: str) -> str:
    """The letters of a run; of many the first and the last."""
    single = letters.split() if " " in letters else list(letters)
    return letters if len(single) <= MOST_LETTERS else f"{single[0]} … {single[-1]} ({len(single)})"


def _percent(confidence: float) -> str:
    return f"{100 * confidence:g} %"
