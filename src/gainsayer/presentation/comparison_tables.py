"""The tables of `compare`: the run table, differences, kinds of gains, where the uncertainty comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from gainsayer.comparison.paired_tests import PairTests
from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.evaluation.comparisons import ComparisonTable
from gainsayer.gains.schemes import Scheme
from gainsayer.measures.catalogue import Measure
from gainsayer.presentation.comparison_records import (
    pair_records,
    power_records,
    ranking_record,
    reverse_pair,
    run_record,
    run_records,
    variance_records,
)
from gainsayer.presentation.figures import RunForest, as_grid
from gainsayer.presentation.records import Pick, Record, flatten, pick, show_interval, tabulate
from gainsayer.presentation.tables import Cell, Column, Table, show_number
from gainsayer.presentation.users import band_tables

MOST_LETTERS = 6
MOST_KINDS_DRAWN = 2
_RUNS: dict[str, Pick] = {
    **{key: key for key in ("stratum", "run", "measure", "gains", "threshold", "value", "standard_error")},
    "low": "interval.0",
    "high": "interval.1",
    "rank": "rank",
    "rank_low": "rank_interval.0",
    "rank_high": "rank_interval.1",
    "group": "group",
    "topics": "topics",
}
_PAIRS: dict[str, Pick] = {
    **{key: key for key in ("stratum", "measure", "gains", "threshold", "a", "b", "difference")},
    "low": "interval.0",
    "high": "interval.1",
    "simultaneous_low": "simultaneous_interval.0",
    "simultaneous_high": "simultaneous_interval.1",
    "relative_difference": "relative_difference",
    "relative_low": "relative_interval.0",
    "relative_high": "relative_interval.1",
    "simultaneous_relative_low": "simultaneous_relative_interval.0",
    "simultaneous_relative_high": "simultaneous_relative_interval.1",
    **{key: key for key in ("p", "p_adjusted", "test", "verdict")},
}


def every_comparison_table(table: ComparisonTable, *, pairwise: bool = False) -> list[Table]:
    """The tables of all topics together, those of the strata, and what users make of the runs."""
    tables = [
        shown for name, part in _parts(table) for shown in comparison_tables(part, pairwise=pairwise, stratum=name)
    ]
    # Measures of one depth share the table of what users find.
    of_users = {shown.title: shown for band in table.users for shown in band_tables(band)}
    return [*tables, *of_users.values()]


def comparison_tables(comparison: Comparison, *, pairwise: bool = False, stratum: str | None = None) -> list[Table]:
    """Runs per measure, tau between kinds of gains, who differs, where the uncertainty comes from."""
    where = "" if stratum is None else f"Stratum {stratum}: "
    measures = tuple(dict.fromkeys(part.measure for part in comparison.parts))
    tables = [run_table(comparison, measure, prefix=where) for measure in measures]
    if comparison.scores.labels:
        tables = [replace(table, title=f"{table.title}; labels: {comparison.scores.labels}") for table in tables]
    further = (
        ranking_table(comparison, prefix=where),
        difference_table(comparison, every=pairwise or comparison.baseline is not None, prefix=where),
        power_table(comparison, prefix=where),
        uncertainty_table(comparison, prefix=where),
    )
    return [*tables, *(table for table in further if table.rows)]


def name_scheme(scheme: Scheme) -> str:
    """The gains and the relevance they stand for: `prm (2)`.

    >>> from gainsayer.gains.values import linear_gains
    >>> from gainsayer.levels import Levels
    >>> name_scheme(Scheme(linear_gains(Levels(("0", "1")))))
    'linear'
    """
    return _name(scheme.name, scheme.threshold)


def run_table(comparison: Comparison, measure: Measure, *, prefix: str = "") -> Table:
    """Runs from best to worst by the first scheme; per scheme mean, error over topics, joint interval, ranks, group."""
    parts = [part for part in comparison.parts if part.measure == measure]
    columns: list[tuple[Column, Pick]] = [(Column("run", "run", align="left"), "run")]
    for place, part in enumerate(parts):
        name = name_scheme(part.scheme)
        columns += [
            (Column(f"{name} value", name, show_number(4)), f"{place}.value"),
            (Column(f"{name} standard_error", "±", show_number(4)), f"{place}.standard_error"),
            (
                Column(f"{name} interval", _percent(comparison.confidence), align="left"),
                show_interval(4, f"{place}.interval"),
            ),
            (Column(f"{name} rank", "rank", show_number(0)), f"{place}.rank"),
            (Column(f"{name} rank_interval", "ranks", align="left"), show_interval(0, f"{place}.rank_interval")),
            (Column(f"{name} group", "group", align="left"), _show_group(f"{place}.group")),
        ]
    records = [
        {
            "run": comparison.runs[at],
            **{str(place): run_record(comparison, part, at) for place, part in enumerate(parts)},
        }
        for at in np.argsort(parts[0].standings.rank, kind="stable").tolist()
    ]
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
    return tabulate(title, columns, records)


def run_figure(comparison: Comparison, measure: Measure | None = None, *, id: str = "forest") -> RunForest:
    """The runs by one measure, with joint intervals, for the first kinds of gains."""
    wanted = comparison.parts[0].measure if measure is None else measure
    shown = [part for part in comparison.parts if part.measure == wanted][:MOST_KINDS_DRAWN]
    return RunForest(
        id,
        str(wanted),
        comparison.runs,
        tuple(name_scheme(part.scheme) for part in shown),
        as_grid([part.standings.value for part in shown]),
        as_grid([part.standings.interval[:, 0] for part in shown]),
        as_grid([part.standings.interval[:, 1] for part in shown]),
        comparison.confidence,
        "topics and second judgments" if any(part.shares is not None for part in shown) else "topics",
    )


def ranking_table(comparison: Comparison, *, prefix: str = "") -> Table:
    """How far the schemes order the runs alike."""
    columns: list[tuple[Column, Pick]] = [
        (Column("measure", "measure", align="left"), "measure"),
        (Column("a", "gains", align="left"), lambda record: _name(record["a"], record["threshold_a"])),
        (Column("b", "and", align="left"), lambda record: _name(record["b"], record["threshold_b"])),
        (Column("tau_b", "tau-b", show_number(4, missing="undefined")), "tau_b"),
        (Column("tau_interval", "from other topics", align="left"), show_interval(4, "tau_interval")),
        (Column("tau_ap", "tau-AP", show_number(4, missing="undefined")), "tau_ap"),
        (Column("rbo", "RBO", show_number(4, missing="undefined")), "rbo"),
        (Column("runs", "runs", show_number(0)), "runs"),
        (Column("ties", "tied pairs", show_number(0)), "ties"),
    ]
    title = f"{prefix}Agreement of the run orders under two kinds of gains"
    if any(ranking.tau_interval is not None for ranking in comparison.rankings):
        title += (
            f"; another sample of {len(comparison.topics):,} topics would give about the tau-b in brackets "
            f"({_percent(comparison.confidence)}), which is not an interval for the true orders"
        )
    return tabulate(title, columns, map(ranking_record, comparison.rankings))


def difference_table(comparison: Comparison, *, every: bool, prefix: str = "") -> Table:
    """Differences of runs: all pairs; or each run against the best one, by the first scheme of each measure."""
    confidence = _percent(comparison.confidence)
    columns: list[tuple[Column, Pick]] = [
        (Column("measure", "measure", align="left"), "measure"),
        (Column("gains", "gains", align="left"), _name_gains),
        (Column("a", "run", align="left"), "a"),
        (Column("b", "minus", align="left"), "b"),
        (Column("difference", "difference", show_number(4)), "difference"),
        (Column("interval", f"{confidence} alone", align="left"), show_interval(4)),
        (Column("relative_difference", "relative"), lambda record: _show_share(record["relative_difference"])),
        (
            Column("simultaneous_relative_interval", f"{confidence} all pairs", align="left"),
            lambda record: _show_shares(record["simultaneous_relative_interval"]),
        ),
        (Column("p", "p", show_number(4)), lambda record: _p_value(record["p"])),
        (Column("p_adjusted", "adjusted", show_number(4)), lambda record: _p_value(record["p_adjusted"])),
        (Column("verdict", "verdict", align="left"), "verdict"),
    ]
    first = {part.measure: part for part in reversed(comparison.parts) if part.differences is not None}
    shown = [part for part in comparison.parts if every or first.get(part.measure) is part]
    tested = [part.tests for part in shown if part.tests is not None]
    estimated = any(part.shares is not None for part in comparison.parts)
    against = f"from {comparison.baseline}" if comparison.baseline else "of all pairs" if every else "from the best"
    margin = "" if comparison.margin is None else f"; differences below {comparison.margin:g} do not matter"
    title = (
        f"{prefix}Differences of runs {against}: joint interval of each alone; relative to the mean of the two runs, "
        "with intervals that hold for all pairs at once; "
        f"{describe_test(tested[-1], estimated=estimated) if tested else ''}{margin}"
    )
    records = (record for part in shown for record in _shown_pairs(comparison.runs, part, every=every))
    return tabulate(title, columns, records)


def describe_test(tests: PairTests, *, estimated: bool) -> str:
    """What the p-values are, in words; `estimated` where some gains are.

    >>> from gainsayer.comparison.paired_tests import compare_pairs
    >>> describe_test(compare_pairs([[0.1, 0.2, 0.4], [0.3, 0.3, 0.1]], test="t"), estimated=True)
    'p by the t test with the gains held fixed (decides signs only), adjusted by holm'
    """
    if tests.test == "joint":
        flips = "" if tests.permutations is None else f", adjusted for all pairs by {tests.permutations:,} sign flips"
        return f"p over topics{' and gains' if estimated else ''}{flips}"
    adjusted = "not adjusted" if tests.adjustment == "none" else f"adjusted by {tests.adjustment}"
    held = " with the gains held fixed (decides signs only)" if estimated else ""
    return f"p by the {tests.test} test{held}, {adjusted}"


def power_table(comparison: Comparison, *, prefix: str = "") -> Table:
    """Discriminative power: the share of pairs that differ significantly by each scheme."""
    columns: list[tuple[Column, Pick]] = [
        (Column("measure", "measure", align="left"), "measure"),
        (Column("gains", "gains", align="left"), _name_gains),
        (Column("share", "significant", show_number(3)), "share"),
        (Column("pairs", "pairs", show_number(0)), "pairs"),
        (Column("test", "test", align="left"), "test"),
        (Column("adjustment", "adjustment", align="left"), "adjustment"),
    ]
    level = f"{1 - comparison.confidence:.3g}".removeprefix("0")
    title = f"{prefix}Share of the pairs of runs that differ significantly, at {level}"
    return tabulate(title, columns, [record for record in power_records(comparison) if record["pairs"] > 1])


def uncertainty_table(comparison: Comparison, *, prefix: str = "") -> Table:
    """Where the uncertainty of a score comes from: the median over runs, and what would help."""
    columns: list[tuple[Column, Pick]] = [
        (Column("measure", "measure", align="left"), "measure"),
        (Column("gains", "gains", align="left"), _name_gains),
        (Column("of", "of", align="left"), lambda record: f"a {record['of']}"),
        (Column("topics", "topics", show_number(2)), "topics"),
        (Column("parameters", "second judgments", show_number(2)), "parameters"),
        (Column("together", "both together", show_number(2)), "together"),
        (
            Column("advice", "what would help", align="left"),
            lambda record: advise(record["topics"], record["parameters"]),
        ),
    ]
    title = f"{prefix}Where the uncertainty comes from: shares of the variance, median over runs or pairs of runs"
    return tabulate(title, columns, variance_records(comparison))


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


def comparison_rows(table: ComparisonTable) -> Table:
    """One row per stratum, run, measure and gains: what CSV writes."""
    return flatten(
        ({"stratum": stratum, **record} for stratum, part in _parts(table) for record in run_records(part)), _RUNS
    )


def pair_rows(table: ComparisonTable) -> Table:
    """One row per stratum, measure, gains and pair of runs: what CSV writes where pairs were asked for."""
    return flatten(
        (
            {"stratum": stratum, **record}
            for stratum, comparison in _parts(table)
            for part in comparison.parts
            for record in pair_records(comparison.runs, part)
        ),
        _PAIRS,
    )


def _parts(table: ComparisonTable) -> list[tuple[str | None, Comparison]]:
    return [(None, table.comparison), *table.strata.items()]


def _shown_pairs(runs: tuple[str, ...], part: RunComparison, *, every: bool) -> Iterator[Record]:
    """All pairs; or each run minus the best one, the better ones first."""
    found = part.differences
    if every or found is None:
        yield from pair_records(runs, part)
        return
    order = np.argsort(part.standings.rank, kind="stable")
    best = order[0]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    other = {int(at): int(found.a[at] if found.b[at] == best else found.b[at]) for at in range(len(found.a))}
    held = [int(at) for at in np.flatnonzero((found.a == best) | (found.b == best))]
    held.sort(key=lambda at: int(place[other[at]]))
    for at, record in zip(held, pair_records(runs, part, held), strict=True):
        yield record if found.b[at] == best else reverse_pair(record)


def _name(gains: str, threshold: str | None) -> str:
    return gains if threshold is None else f"{gains} ({threshold})"


def _name_gains(record: Record) -> Cell:
    return _name(record["gains"], record["threshold"])


def _show_share(share: float | None) -> str | None:
    """A relative difference, in percent; None where there is none.

    >>> _show_share(-0.0312), _show_share(-0.0), _show_share(None)
    ('-3.1 %', '0.0 %', None)
    """
    if share is None:
        return None
    shown = f"{100 * share:+.1f}"
    return f"{shown if float(shown) else '0.0'} %"


def _show_shares(ends: list[float] | None) -> str | None:
    return None if ends is None else f"[{_show_share(ends[0])}, {_show_share(ends[1])}]"


def _p_value(p: float | None) -> Cell:
    """A p-value; one too small to be shown as what it lies below.

    >>> _p_value(0.0312), _p_value(1e-9), _p_value(None)
    (0.0312, '<0.0001', None)
    """
    return "<0.0001" if p is not None and p < 0.0001 else p


def _show_group(path: str) -> Callable[[Record], Cell]:
    """Picks the letters of a run; of many the first and the last."""

    def get(record: Record) -> Cell:
        letters = pick(record, path)
        if letters is None:
            return None
        single = letters.split() if " " in letters else list(letters)
        return str(letters) if len(single) <= MOST_LETTERS else f"{single[0]} … {single[-1]} ({len(single)})"

    return get


def _percent(confidence: float) -> str:
    return f"{100 * confidence:g} %"
