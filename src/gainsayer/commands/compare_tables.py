"""The tables of `compare`: the run table, differences, kinds of gains, where the uncertainty comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from gainsayer.commands.compare import ComparisonTable
from gainsayer.commands.compare_records import (
    find_part,
    group_runs,
    is_nearly_all,
    pair_records,
    power_records,
    ranking_record,
    reverse_pair,
    run_record,
    run_records,
    variance_records,
)
from gainsayer.commands.figures.difference_line import DifferenceLine
from gainsayer.commands.figures.run_forest import RunForest
from gainsayer.commands.old_tables import Cell, Column, from_rows, show_number
from gainsayer.commands.records import Pick, Record, flatten, pick, show_interval, tabulate
from gainsayer.commands.users import band_tables
from gainsayer.comparison.paired_tests import PairTests
from gainsayer.comparison.results import Comparison, RankingAgreement, RunComparison
from gainsayer.drawing.figure import Figure
from gainsayer.drawing.panels import show_panels
from gainsayer.gains.schemes import Scheme
from gainsayer.measures.catalogue import Measure
from gainsayer.table import Table
from gainsayer.words import counted, say_runs, sure

MOST_LETTERS = 6
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
    of_users = {shown.title: replace(shown, name="users") for band in table.users for shown in band_tables(band)}
    return [*tables, *of_users.values()]


def comparison_tables(comparison: Comparison, *, pairwise: bool = False, stratum: str | None = None) -> list[Table]:
    """Runs per measure, and for who asks: who differs, what grades are worth, orders, power, sources of uncertainty.

    Differences are shown unasked where they are the question: of two runs, all pairs, from a baseline, by a margin.
    """
    where = "" if stratum is None else f"Stratum {stratum}: "
    measures = tuple(dict.fromkeys(part.measure for part in comparison.parts))
    asked = pairwise or comparison.baseline is not None
    wanted = asked or comparison.margin is not None or len(comparison.runs) == 2
    tables = [
        *(run_table(comparison, measure, prefix=where) for measure in measures),
        replace(difference_table(comparison, every=asked, prefix=where), extra=not wanted),
        grade_table(comparison, prefix=where),
        replace(ranking_table(comparison.rankings, _say_resampled(comparison), prefix=where), extra=True),
        *(replace(make(comparison, prefix=where), extra=True) for make in (power_table, uncertainty_table)),
    ]
    return [table for table in tables if table.height]


def name_scheme(scheme: Scheme) -> str:
    """The gains and the relevance they stand for: `prm (2)`.

    >>> from gainsayer.gains.values import linear_gains
    >>> from gainsayer.levels import Levels
    >>> name_scheme(Scheme(linear_gains(Levels(("0", "1")))))
    'linear'
    """
    return _name(scheme.name, scheme.threshold)


def run_table(comparison: Comparison, measure: Measure, *, prefix: str = "") -> Table:
    """Runs from best to worst by the first scheme: score, interval, ranks, group; the scores by other schemes."""
    parts = [part for part in comparison.parts if part.measure == measure]
    interval = f"{sure(comparison.confidence)} interval"
    columns: list[tuple[Column, Pick]] = [(Column("run", "run", align="left"), "run")]
    for place, part in enumerate(parts):
        name, more = name_scheme(part.scheme), place > 0
        beside = more or len(comparison.runs) == 2  # of two runs, the difference says it all
        before = f"{name} " if more else ""
        columns += [
            (
                Column(f"{before}score".strip() if not more else name, name if more else "score", show_number(3)),
                f"{place}.value",
            ),
            (
                Column(f"{before}interval", f"{before}{interval}", align="left", extra=more),
                show_interval(3, f"{place}.interval"),
            ),
            (
                Column(f"{before}ranks", f"{before}possible ranks", align="left", extra=beside),
                _show_ranks(f"{place}.rank_interval"),
            ),
            (Column(f"{before}group", f"{before}group", align="left", extra=beside), f"{place}.standing"),
            (Column(f"{before}rank", f"{before}rank", show_number(0), extra=True), f"{place}.rank"),
            (Column(f"{before}error", f"{before}topic error", show_number(4), extra=True), f"{place}.standard_error"),
            (Column(f"{before}letters", f"{before}letters", align="left", extra=True), _show_letters(f"{place}.group")),
        ]
    columns.append((Column("unjudged", "unjudged share", show_number(3), extra=True), "0.unjudged_share"))
    standings = [group_runs(comparison, part) or (None,) * len(comparison.runs) for part in parts]
    records = [
        {
            "run": comparison.runs[at],
            **{
                str(place): run_record(comparison, part, at) | {"standing": standings[place][at]}
                for place, part in enumerate(parts)
            },
        }
        for at in np.argsort(parts[0].standings.rank, kind="stable").tolist()
    ]
    return tabulate(
        f"{prefix}{say_measure(comparison, parts[0])}", columns, records, _notes(comparison, parts), name="runs"
    )


def say_measure(comparison: Comparison, part: RunComparison) -> str:
    """The measure, the gains and the topics: `nDCG@10 with PRM gains (relevant: Key), mean over 50 topics`."""
    return f"{part.measure} with {say_gains(part.scheme)}, mean over {counted(len(comparison.topics), 'topic')}"


def say_gains(scheme: Scheme) -> str:
    """The gains, and which levels users find relevant where the gains stand for that.

    >>> from gainsayer.gains.values import binary_gains, linear_gains
    >>> from gainsayer.levels import Levels
    >>> levels = Levels(("0", "1", "2"))
    >>> say_gains(Scheme(linear_gains(levels)))
    'linear gains'
    >>> say_gains(Scheme(binary_gains(levels, levels.at_or_above("1")), levels.at_or_above("1")))
    'binary gains (relevant: 1, 2)'
    """
    kind = scheme.name.upper() if scheme.name in ("prm", "udm") else scheme.name
    relevant = "" if scheme.relevance is None else f" (relevant: {', '.join(scheme.relevance.names) or 'nothing'})"
    return f"{kind} gains{relevant}"


def grade_table(comparison: Comparison, *, prefix: str = "") -> Table:
    """What a document of each level is worth by each kind of gains."""
    schemes = {name_scheme(part.scheme): part.scheme for part in comparison.parts}
    columns = [Column("level", "level", align="left"), *(Column(name, name, show_number(3)) for name in schemes)]
    worth = [scheme.gains.as_dict() for scheme in schemes.values()]
    rows: list[tuple[Cell, ...]] = [(level, *(gains[level] for gains in worth)) for level in worth[0]]
    rows.append(("unjudged", *(scheme.gains.unjudged for scheme in schemes.values())))
    return from_rows(f"{prefix}What a document is worth", tuple(columns), tuple(rows), name="grades", extra=True)


def ranking_table(rankings: Sequence[RankingAgreement], notes: tuple[str, ...] = (), *, prefix: str = "") -> Table:
    """How far the schemes order the runs alike."""
    columns: list[tuple[Column, Pick]] = [
        (Column("measure", "measure", align="left"), "measure"),
        (Column("a", "gains", align="left"), lambda record: _name(record["a"], record["threshold_a"])),
        (Column("b", "other gains", align="left"), lambda record: _name(record["b"], record["threshold_b"])),
        (Column("tau_b", "tau-b", show_number(3, missing="undefined")), "tau_b"),
        (Column("tau_interval", "with other topics", align="left"), show_interval(3, "tau_interval")),
        (Column("tau_ap", "tau-AP", show_number(3, missing="undefined"), extra=True), "tau_ap"),
        (Column("runs", "runs", show_number(0), extra=True), "runs"),
        (Column("ties", "tied pairs", show_number(0)), "ties"),
    ]
    title = f"{prefix}How far two kinds of gains order the runs alike"
    return tabulate(title, columns, map(ranking_record, rankings), notes, name="rankings")


def _say_resampled(comparison: Comparison) -> tuple[str, ...]:
    """What an interval of tau is, where there is one."""
    if all(ranking.tau_interval is None for ranking in comparison.rankings):
        return ()
    return (
        f"Another sample of {len(comparison.topics):,} topics would give about the tau-b in brackets "
        f"({sure(comparison.confidence)}); this is no interval for the true orders.",
    )


def difference_table(comparison: Comparison, *, every: bool, prefix: str = "") -> Table:
    """Differences of runs: all pairs; or each run against the first one, by the first scheme of each measure."""
    confidence = sure(comparison.confidence)
    pair = len(comparison.runs) == 2
    first = {part.measure: part for part in reversed(comparison.parts) if part.differences is not None}
    shown = [part for part in comparison.parts if every or first.get(part.measure) is part]
    columns: list[tuple[Column, Pick]] = [
        (Column("measure", "measure", align="left", extra=len(first) == 1), "measure"),
        (Column("gains", "gains", align="left", extra=len(shown) == 1), _name_gains),
        (Column("a", "run", align="left"), "a"),
        (Column("b", "other run", align="left"), "b"),
        (Column("difference", "difference", show_number(4)), "difference"),
        (Column("interval", f"{confidence} interval", align="left", extra=not pair), show_interval(4)),
        (
            Column("relative_difference", "in per cent", extra=pair),
            lambda record: _show_share(record["relative_difference"]),
        ),
        (
            Column("simultaneous_relative_interval", f"{confidence} for all pairs", align="left", extra=pair),
            lambda record: _show_shares(record["simultaneous_relative_interval"]),
        ),
        (Column("p", "p", show_number(4), extra=not pair), lambda record: _p_value(record["p"])),
        (
            Column("p_adjusted", "adjusted p", show_number(4), extra=pair),
            lambda record: _p_value(record["p_adjusted"]),
        ),
        (Column("verdict", "verdict", align="left"), "verdict"),
    ]
    tested = [part.tests for part in shown if part.tests is not None]
    estimated = any(part.shares is not None for part in comparison.parts)
    against = f"from {comparison.baseline}" if comparison.baseline else "of all pairs" if every else "from the first"
    if pair:
        against = "between the two runs"
    margin = "" if comparison.margin is None else f"; differences below {comparison.margin:g} do not matter"
    said = describe_test(tested[-1], estimated=estimated) if tested else ""
    notes = (f"{said[0].upper()}{said[1:]}.",) if said else ()
    if not pair:
        notes = ("Per cent of the mean score of the two runs.", *notes)
    records = (record for part in shown for record in _shown_pairs(comparison.runs, part, every=every))
    title = f"{prefix}Differences {against}"
    if len(shown) == 1:
        title += f", {shown[0].measure} with {say_gains(shown[0].scheme)}"
    return tabulate(f"{title}{margin}", columns, records, notes, name="differences")


def describe_test(tests: PairTests, *, estimated: bool) -> str:
    """What the p-values are, in words; `estimated` where some gains are.

    >>> from gainsayer.comparison.paired_tests import compare_pairs
    >>> describe_test(compare_pairs([[0.1, 0.2, 0.4], [0.3, 0.3, 0.1]], test="t"), estimated=True)
    'p-values by the t test with the gains held fixed (decides signs only), adjusted by holm'
    """
    if tests.test == "joint":
        flips = "" if tests.permutations is None else f", adjusted for all pairs by {tests.permutations:,} sign flips"
        return f"p-values over topics{' and second judgments' if estimated else ''}{flips}"
    adjusted = "not adjusted" if tests.adjustment == "none" else f"adjusted by {tests.adjustment}"
    held = " with the gains held fixed (decides signs only)" if estimated else ""
    return f"p-values by the {tests.test} test{held}, {adjusted}"


def power_table(comparison: Comparison, *, prefix: str = "") -> Table:
    """Discriminative power: the share of pairs that differ significantly by each scheme."""
    columns: list[tuple[Column, Pick]] = [
        (Column("measure", "measure", align="left"), "measure"),
        (Column("gains", "gains", align="left"), _name_gains),
        (Column("share", "significant share", show_number(3)), "share"),
        (Column("pairs", "pairs", show_number(0)), "pairs"),
        (Column("test", "test", align="left"), "test"),
        (Column("adjustment", "adjustment", align="left"), "adjustment"),
    ]
    level = f"{1 - comparison.confidence:.3g}".removeprefix("0")
    title = f"{prefix}Share of the pairs of runs that differ significantly, at {level}"
    records = [record for record in power_records(comparison) if record["pairs"] > 1]
    return tabulate(title, columns, records, name="power")


def uncertainty_table(comparison: Comparison, *, prefix: str = "") -> Table:
    """Where the uncertainty of a score comes from: the median over runs, and what would help."""
    columns: list[tuple[Column, Pick]] = [
        (Column("measure", "measure", align="left"), "measure"),
        (Column("gains", "gains", align="left"), _name_gains),
        (Column("of", "uncertain", align="left"), lambda record: f"a {record['of']}"),
        (Column("topics", "from topics", show_number(2)), "topics"),
        (Column("parameters", "from second judgments", show_number(2)), "parameters"),
        (Column("together", "from both", show_number(2)), "together"),
        (
            Column("advice", "what would help", align="left"),
            lambda record: advise(record["topics"], record["parameters"]),
        ),
    ]
    title = f"{prefix}Where the uncertainty comes from: shares of the variance, median over runs or pairs of runs"
    return tabulate(title, columns, variance_records(comparison), name="uncertainty")


def advise(topics: float, parameters: float) -> str:
    """More topics, or more second judgments? By where most of the variance comes from.

    What would shorten an interval by less than a tenth is not worth asking for.

    >>> advise(0.85, 0.15), advise(0.15, 0.85), advise(0.5, 0.45)
    ('more topics', 'second judgments on more topics', 'both: more topics, and second judgments on more of them')
    """
    if is_nearly_all(topics):
        return "more topics"
    if is_nearly_all(parameters):
        return "second judgments on more topics"
    return "both: more topics, and second judgments on more of them"


def say_comparison(table: ComparisonTable) -> str:
    """Runs, measures and gains in one line."""
    comparison = table.comparison
    measures = [str(part.measure) for part in comparison.parts]
    return say_runs(comparison.runs, measures, [part.scheme.name for part in comparison.parts], comparison.topics)


def comparison_figure(table: ComparisonTable) -> Figure:
    """The main figure of each measure: the difference of two runs, or all runs with their intervals; strata below."""
    measures = list(dict.fromkeys(part.measure for part in table.comparison.parts))
    drawn = {}
    for stratum, comparison in _parts(table):
        for measure in measures:
            words = [] if len(measures) == 1 else [str(measure)]
            words += [] if stratum is None else [f"{stratum} topics"]
            drawn[", ".join(words)] = _draw(comparison, find_part(comparison, measure))
    return show_panels("comparison", drawn)


def _draw(comparison: Comparison, part: RunComparison) -> Figure:
    if len(comparison.runs) == 2 and part.differences is not None:
        return DifferenceLine.of(comparison, part)
    return RunForest.of(comparison, part)


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


def _show_letters(path: str) -> Callable[[Record], Cell]:
    """Picks the letters of a run; of many the first and the last."""

    def get(record: Record) -> Cell:
        letters = pick(record, path)
        if letters is None:
            return None
        single = letters.split() if " " in letters else list(letters)
        return str(letters) if len(single) <= MOST_LETTERS else f"{single[0]} … {single[-1]} ({len(single)})"

    return get


def _show_ranks(path: str) -> Callable[[Record], Cell]:
    """Picks the ranks a run may have: `3`, or `2 to 6`."""

    def get(record: Record) -> Cell:
        ranks = pick(record, path)
        if ranks is None:
            return None
        return str(ranks[0]) if ranks[0] == ranks[1] else f"{ranks[0]} to {ranks[1]}"

    return get


def _notes(comparison: Comparison, parts: Sequence[RunComparison]) -> tuple[str, ...]:
    """How to read the run table, in one sentence or two."""
    labels = (f"Labels: {comparison.scores.labels}.",) if comparison.scores.labels else ()
    if not np.isfinite(parts[0].standings.interval).any():
        return labels
    twice = f" ({comparison.paired_topics:,} topics were judged twice)" if comparison.paired_topics else ""
    second = f" and other second judgments{twice}" if any(part.shares is not None for part in parts) else ""
    ranks = ""
    if np.isfinite(parts[0].standings.rank_interval).any():
        ranks = f"; possible ranks and groups hold for all runs at once ({sure(comparison.confidence)} confidence)"
    return (f"Intervals allow for other topics{second}{ranks}.", *labels)
