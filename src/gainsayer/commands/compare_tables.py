"""The tables of `compare`: runs, differences, what grades are worth, orders, power, where the uncertainty comes from.

Each column is declared once, over the arrays of the comparison; JSON, CSV, data frames and what readers see follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from gainsayer.comparison.differences import Differences
from gainsayer.comparison.fixed_tests import PairTests
from gainsayer.comparison.results import Comparison, RankingAgreement, RunComparison, VarianceShares
from gainsayer.gains.schemes import Scheme
from gainsayer.measures.catalogue import Measure
from gainsayer.model.people import Panel
from gainsayer.ranking.ranked import FloatArray
from gainsayer.table import Column, Json, Table, stack
from gainsayer.words import (
    ABOVE_BASELINE,
    BASELINE,
    BELOW,
    BELOW_BASELINE,
    BEST,
    FIRST,
    NEAR_BASELINE,
    SAME,
    counted,
    shortened,
    sure,
)

MOST_LETTERS: Final = 6
MOST_GROUPS: Final = 5  # of equal runs that are named
# From this share of an interval's length on, something is worth asking for that would shorten it.
WORTH_SHORTENING: Final = 0.1
_IN_PER_CENT: Final = (
    *("relative_difference", "simultaneous_relative_interval"),
    *("percent_difference", "simultaneous_percent_interval"),
)
_METHOD: Final = "delete-one-topic jackknife of scores and parameters together"


def comparison_tables(comparison: Comparison, *, pairwise: bool = False, stratum: str | None = None) -> list[Table]:
    """Runs per measure, and for who asks: who differs, what grades are worth, orders, power, sources of uncertainty.

    Differences are shown unasked where they are the question: of two runs, all pairs, from a baseline, by a margin.
    """
    asked = pairwise or comparison.baseline is not None
    wanted = asked or comparison.margin is not None or len(comparison.runs) == 2
    tables = [
        *(_runs_for_readers(comparison, measure, stratum) for measure in comparison.measures),
        *_differences_for_readers(comparison, every=asked, extra=not wanted),
        _grade_table(comparison),
        replace(ranking_table(comparison.rankings), notes=_say_resampled(comparison), extra=True),
        _power_table(comparison),
        _uncertainty_table(comparison),
    ]
    where = "" if stratum is None else f"Stratum {stratum}: "
    return [replace(table, title=f"{where}{table.title}") for table in tables if table.height]


def run_table(comparison: Comparison, part: RunComparison, stratum: str | None = None) -> Table:
    """How each run fares by one measure and kind of gains, in the order given."""
    standings = part.standings
    columns = (
        Column("stratum", stratum, json=False),
        Column("run", comparison.runs, "run", narrow="shorten"),
        *_place(part),
        Column("value", standings.value, "score"),
        Column("standard_error", part.error, "topic error", 4, extra=True),
        Column("interval", standings.interval, f"{sure(comparison.confidence)} interval"),
        Column("topic_interval", standings.topic_interval, csv=False),
        Column("rank", standings.rank, "rank", extra=True),
        Column("rank_interval", standings.rank_interval, "possible ranks", whole=True, say=_say_ranks, spare=1),
        Column("standing", group_runs(comparison, part) or None, "group", csv=False, json=False),
        Column("group", part.groups or None, "letters", say=_say_letters, extra=True),
        Column("variance", _name_shares(part.shares), csv=False),
        Column("topics", len(comparison.topics)),
        Column("unjudged_share", comparison.scores.unjudged[part.measure], "unjudged share", csv=False, extra=True),
    )
    return Table(say_measure(comparison, part), columns, "runs")


def run_rows(comparison: Comparison, stratum: str | None = None) -> Table:
    """The runs by all measures and kinds of gains, run by run."""
    every = stack([run_table(comparison, part, stratum) for part in comparison.parts])
    return every.take(np.arange(every.height).reshape(len(comparison.parts), -1).T.ravel())


def pair_table(
    comparison: Comparison, part: RunComparison, found: Differences | None = None, stratum: str | None = None
) -> Table:
    """Differences of pairs of runs by one measure and kind of gains: of all pairs, or of those found."""
    found = part.pairs if found is None else found
    assert found is not None
    assert part.tests is not None
    confidence = sure(comparison.confidence)
    # Readers see changes against a baseline, else differences by the mean of the two.
    mean, of_it = ("in per cent", None) if comparison.baseline is None else (None, "per cent of the baseline")
    for_all = f"{confidence} for {comparison.which_pairs}"
    same = (part.twin[found.a] == part.twin[found.b]).tolist()

    def worded(words: Sequence[str]) -> list[str]:
        return [SAME if one else word for one, word in zip(same, words, strict=True)]

    columns = (
        Column("stratum", stratum, json=False),
        Column("measure", str(part.measure), "measure"),
        Column("gains", part.scheme.name),
        Column("threshold", part.scheme.threshold),
        Column("scheme", name_scheme(part.scheme), "gains", csv=False, json=False),
        Column("a", [comparison.runs[run] for run in found.a.tolist()], "run", narrow="shorten"),
        Column("b", [comparison.runs[run] for run in found.b.tolist()], "other run", narrow="shorten"),
        Column("difference", found.difference, "difference", 4),
        Column("interval", found.interval, f"{confidence} interval", 4),
        Column("simultaneous_interval", found.simultaneous_interval),
        Column("relative_difference", found.relative, mean, say=_say_percent, align="right", spare=1),
        Column("relative_interval", found.relative_interval),
        Column(
            *("simultaneous_relative_interval", found.simultaneous_relative_interval, mean and for_all),
            say=_say_percent,
            spare=2,
        ),
        Column("percent_difference", percent_of_other(found.relative), of_it, say=_say_change, align="right", spare=1),
        Column("percent_interval", percent_of_other(found.relative_interval)),
        Column(
            *("simultaneous_percent_interval", percent_of_other(found.simultaneous_relative_interval)),
            of_it and for_all,
            say=_say_change,
            spare=2,
        ),
        Column("p", found.p, "p", say=say_p, spare=1),
        Column("p_adjusted", found.p_adjusted, "adjusted p", say=say_p, spare=1),
        Column("test", part.tests.test),
        Column("adjustment", part.tests.adjustment, csv=False),
        Column("degrees_of_freedom", found.degrees, csv=False),
        Column("effect", found.effect, csv=False),
        Column("verdict", worded(found.verdicts.words()), "verdict", spare=-1),
        Column("reverse_verdict", worded(found.verdicts.words(reverse=True)), csv=False),
    )
    return Table("Differences", columns, "differences")


def percent_of_other(relative: FloatArray) -> FloatArray:
    """A relative difference r = (a - b) / mean as a change in per cent of b: 100 (a / b - 1) = 100 r / (1 - r / 2).

    NaN where b scores 0, so that there is nothing to compare with.

    >>> percent_of_other(np.array([0.4, 2.0])).tolist()
    [50.0, nan]
    """
    return np.divide(100 * relative, 1 - relative / 2, out=np.full_like(relative, np.nan), where=relative < 2)


def topic_table(comparison: Comparison, part: RunComparison, stratum: str | None = None) -> Table:
    """The score of each run on each topic."""
    runs = [run for run in comparison.runs for _ in comparison.topics]
    columns = (
        Column("stratum", stratum),
        Column("run", runs, "run", narrow="shorten"),
        *_place(part),
        Column("topic", comparison.topics * len(comparison.runs), "topic", narrow="shorten"),
        Column("value", part.values.ravel(), "score"),
    )
    return Table("Scores by topic", columns, "per_topic", extra=True)


def ranking_table(rankings: Sequence[RankingAgreement]) -> Table:
    """How far two kinds of gains order the runs alike; `ties` counts pairs of runs that either of them ties."""
    taus = [ranking.tau_b for ranking in rankings]
    ends = np.array([ranking.tau_interval or (np.nan, np.nan) for ranking in rankings]).reshape(-1, 2)
    columns = (
        Column("measure", [str(ranking.measure) for ranking in rankings], "measure"),
        Column("scheme_a", [_name(one.a.kind, one.a.threshold) for one in rankings], "gains", json=False),
        Column("scheme_b", [_name(one.b.kind, one.b.threshold) for one in rankings], "other gains", json=False),
        Column("a", [ranking.a.kind for ranking in rankings]),
        Column("b", [ranking.b.kind for ranking in rankings]),
        Column("threshold_a", [ranking.a.threshold for ranking in rankings]),
        Column("threshold_b", [ranking.b.threshold for ranking in rankings]),
        Column("tau_b", [tau.value for tau in taus], "tau-b", missing="undefined", keep=True, align="right"),
        Column("tau_interval", ends, "with other topics"),
        Column("tau_ap", [ranking.tau_ap.value for ranking in rankings], "tau-AP", missing="undefined", extra=True),
        Column("runs", [tau.n for tau in taus], "runs", extra=True),
        Column("ties", [tau.n * (tau.n - 1) // 2 - tau.concordant - tau.discordant for tau in taus], "tied pairs"),
        Column("ties_a", [tau.ties_a for tau in taus]),
        Column("ties_b", [tau.ties_b for tau in taus]),
    )
    return Table("How far two kinds of gains order the runs alike", columns, "rankings")


def describe_comparison(comparison: Comparison, findings: list[Json]) -> dict[str, Json]:
    """A comparison on some topics as plain data; runs stand in the order given, pairs in that of the runs."""
    parts = comparison.parts
    by_run = zip(*(run_table(comparison, part).records("run") for part in parts), strict=True)
    tested = [part for part in parts if part.pairs is not None]
    return {
        "runs": [{"run": run, "scores": list(scores)} for run, scores in zip(comparison.runs, by_run, strict=True)],
        "possibly_best": [
            {
                **_describe_place(part),
                "runs": None if part.possibly_best is None else [comparison.runs[run] for run in part.possibly_best],
            }
            for part in parts
        ],
        "rankings": list(ranking_table(comparison.rankings).records()),
        "differences": [record for part in tested for record in pair_table(comparison, part).records()],
        "variance": list(_uncertainty_table(comparison).records()),
        "power": list(_power_table(comparison).records()),
        "gains": [
            {
                "gains": part.scheme.name,
                "threshold": part.scheme.threshold,
                "levels": part.scheme.gains.as_dict(),
                "unjudged": part.scheme.gains.unjudged,
                "estimated": part.scheme.rule is not None,
            }
            for part in parts
            if part.measure == parts[0].measure
        ],
        "family": comparison.family,
        **(comparison.panel or Panel("topics", (), (), recurring=False)).document(),
        "topics": {
            "scored": len(comparison.topics),
            "judged_twice": comparison.paired_topics,
            "both": comparison.shared_topics,
        },
        "resamples": {"draws": comparison.draws, "for": "tau_interval"},
        "confidence": comparison.confidence,
        "interval_method": _METHOD,
        "baseline": comparison.baseline,
        "margin": comparison.margin,
        "seed": comparison.seed,
        "warnings": findings,
    }


def group_runs(comparison: Comparison, part: RunComparison) -> list[str]:
    """In words, which runs may be the best, or which are told from the baseline; empty where there was no test."""
    found = comparison.from_reference(part)
    if found is None:
        return []
    reference = comparison.reference(part)
    if comparison.baseline is None:
        best = part.possibly_best or ()
        word = FIRST if len(best) > 1 else BEST
        return [word if run in best else BELOW for run in range(len(comparison.runs))]
    words = np.full(len(comparison.runs), NEAR_BASELINE, dtype=object)
    words[found.a[found.verdicts.better]] = ABOVE_BASELINE
    words[found.a[found.verdicts.worse]] = BELOW_BASELINE
    words[part.twin == part.twin[reference]] = SAME
    words[reference] = BASELINE
    return list(words)


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
    return f"{name_kind(scheme)} gains{say_relevant(scheme)}"


def name_kind(scheme: Scheme) -> str:
    """The kind of gains in a sentence."""
    return scheme.name.upper() if scheme.name in ("prm", "udm") else scheme.name


def say_relevant(scheme: Scheme) -> str:
    """Which levels the gains take as relevant, in brackets; nothing where they take none as such."""
    return "" if scheme.relevance is None else f" (relevant: {', '.join(scheme.relevance.names) or 'nothing'})"


def name_scheme(scheme: Scheme) -> str:
    """The gains and the relevance they stand for: `prm (2)`.

    >>> from gainsayer.gains.values import linear_gains
    >>> from gainsayer.levels import Levels
    >>> name_scheme(Scheme(linear_gains(Levels(("0", "1")))))
    'linear'
    """
    return _name(scheme.name, scheme.threshold)


def describe_test(tests: PairTests, *, estimated: bool, family: str = "all pairs") -> str:
    """What the p-values are, in words; `estimated` where some gains are, `family` which pairs hold at once.

    >>> from gainsayer.comparison.fixed_tests import compare_pairs
    >>> describe_test(compare_pairs([[0.1, 0.2, 0.4], [0.3, 0.3, 0.1]], test="t"), estimated=True)
    'p-values by the t test with the gains held fixed (decides signs only), adjusted by holm'
    """
    if tests.test == "joint":
        flips = "" if tests.permutations is None else f", adjusted for {family} by {tests.permutations:,} sign flips"
        return f"p-values over topics{' and second judgments' if estimated else ''}{flips}"
    adjusted = "not adjusted" if tests.adjustment == "none" else f"adjusted by {tests.adjustment}"
    held = " with the gains held fixed (decides signs only)" if estimated else ""
    return f"p-values by the {tests.test} test{held}, {adjusted}"


def say_p(p: float) -> str:
    """A p-value; one too small to be shown as what it lies below.

    >>> say_p(0.0312), say_p(1e-9)
    ('0.0312', '<0.0001')
    """
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def advise(topics: float, parameters: float) -> str:
    """More topics, or more second judgments? By where most of the variance comes from.

    What would shorten an interval by less than a tenth is not worth asking for.

    >>> advise(0.85, 0.15), advise(0.15, 0.85), advise(0.5, 0.45)
    ('more topics', 'second judgments on more topics', 'both: more topics, and second judgments on more of them')
    """
    if _is_nearly_all(topics):
        return "more topics"
    if _is_nearly_all(parameters):
        return "second judgments on more topics"
    return "both: more topics, and second judgments on more of them"


def _is_nearly_all(share: float) -> bool:
    """Whether a share of a variance is nearly all: an interval from it alone would be shorter by less than a tenth."""
    return 1 - float(np.sqrt(min(share, 1.0))) < WORTH_SHORTENING


def _runs_for_readers(comparison: Comparison, measure: Measure, stratum: str | None) -> Table:
    """Runs from best to worst by the first scheme: score, interval, ranks, group; the scores by other schemes."""
    first, *others = [part for part in comparison.parts if part.measure == measure]
    table = run_table(comparison, first, stratum)
    if len(comparison.runs) <= 2:  # the difference says it all, or there is none
        table = table.on_demand("rank_interval", "standing")
    columns = list(table.columns)
    for part in others:
        name = name_scheme(part.scheme)
        for column in run_table(comparison, part).columns:
            if column.key == "value":
                columns.append(replace(column, key=name, heading=name))
            elif column.heading and column.key not in ("run", "unjudged_share"):
                key, heading = f"{name} {column.key}", f"{name} {column.heading}"
                columns.append(replace(column, key=key, heading=heading, extra=True))
    columns.sort(key=lambda column: column.key == "unjudged_share")
    return replace(table.keep(columns), notes=_notes(comparison, [first, *others])).take(first.order)


def _differences_for_readers(comparison: Comparison, *, every: bool, extra: bool) -> list[Table]:
    """Differences of all pairs, or of each run from the best one, by the first scheme of each measure."""
    tested = [part for part in comparison.parts if part.tests is not None]
    if not tested:
        return []
    shown = tested if every else [part for part in tested if part is comparison.part(part.measure)]
    pair = len(comparison.runs) == 2
    parts = []
    for part in shown:
        best = None if every else _from_best(part)
        parts.append(pair_table(comparison, part, best))
    alone = pair and all(part.differences is None or part.differences.flips is None for part in shown)
    table = stack(parts).on_demand(
        *(("interval", "p") if not alone else (*_IN_PER_CENT, "p_adjusted")),
        *(("measure",) if len({part.measure for part in shown}) == 1 else ()),
        *(("scheme",) if len(shown) == 1 else ()),
    )
    if len({name_scheme(part.scheme) for part in shown}) == 1:
        table = table.keep(replace(one, spare=1) if one.key == "scheme" else one for one in table.columns)
    against = f"from {comparison.baseline}" if comparison.baseline else "of all pairs" if every else "from the first"
    title = f"Differences {'between the two runs' if pair else against}"
    if len(shown) == 1:
        title += f", {shown[0].measure} with {say_gains(shown[0].scheme)}"
    if comparison.margin is not None:
        title += f"; differences below {comparison.margin:g} do not matter"
    assert shown[-1].tests is not None
    estimated = any(part.shares is not None for part in comparison.parts)
    said = describe_test(shown[-1].tests, estimated=estimated, family=comparison.held_at_once)
    found = [part.differences for part in shown if part.differences is not None]
    notes = [f"{said[0].upper()}{said[1:]}."] if any(np.isfinite(one.p).any() for one in found) else []
    if not alone and any(np.isfinite(one.relative).any() for one in found):
        whose = "the mean score of the two runs" if comparison.baseline is None else "the baseline's score"
        notes.insert(0, f"Per cent of {whose}.")
    return [replace(table, title=title, notes=tuple(notes), extra=extra)]


def _from_best(part: RunComparison) -> Differences:
    """Each other run minus the best one, the better ones first."""
    assert part.pairs is not None
    found = part.pairs.against(int(part.order[0]))
    return found.take(np.argsort(np.argsort(part.order)[found.a], kind="stable"))


def _grade_table(comparison: Comparison) -> Table:
    """What a document of each level is worth by each kind of gains."""
    schemes = {name_scheme(part.scheme): part.scheme.gains for part in comparison.parts}
    levels = next(iter(schemes.values())).levels.names
    columns = (
        Column("level", (*levels, "unjudged"), "level"),
        *(Column(name, np.array([*gains.values, gains.unjudged]), name) for name, gains in schemes.items()),
    )
    return Table("What a document is worth", columns, "grades", extra=True)


def _power_table(comparison: Comparison) -> Table:
    """Discriminative power: the share of pairs that differ significantly by each scheme."""
    found = [(part, part.power, part.tests) for part in comparison.parts if part.power and part.tests]
    steps = np.linspace(0, 1, 21)
    curves = [np.quantile(power.p, steps, method="inverted_cdf").tolist() for _, power, _ in found]
    columns = (
        *_places([part for part, _, _ in found]),
        Column("share", [power.power for _, power, _ in found], "significant share"),
        Column("pairs", [power.pairs for _, power, _ in found], "pairs"),
        Column("test", [tests.test for _, _, tests in found], "test"),
        Column("adjustment", [tests.adjustment for _, _, tests in found], "adjustment"),
        Column("level", [power.level for _, power, _ in found]),
        Column("permutations", [tests.permutations for _, _, tests in found]),
        Column("curve", [{"p": curve, "share": steps.round(2).tolist()} for curve in curves], csv=False),
    )
    level = f"{1 - comparison.confidence:.3g}".removeprefix("0")
    title = f"Share of the pairs of runs that differ significantly, at {level}"
    return Table(title, columns, "power", extra=True)


def _uncertainty_table(comparison: Comparison) -> Table:
    """Where the uncertainty of a score and of a difference comes from: the median over runs, or pairs of runs."""
    found = [
        (part, what, middle)
        for part in comparison.parts
        for what, shares in (("score", part.shares), ("difference", part.pair_shares))
        if (middle := _middle_shares(shares)) is not None
    ]
    topics, parameters = ([middle[at] for _, _, middle in found] for at in (0, 1))
    together = [1 - one - other for one, other in zip(topics, parameters, strict=True)]
    columns = (
        *_places([part for part, _, _ in found]),
        Column("of", [what for _, what, _ in found], "uncertain", say=lambda what: f"a {what}"),
        Column("topics", topics, "from topics", 2),
        Column("parameters", parameters, "from second judgments", 2),
        Column("together", together, "from both", 2),
        Column("advice", list(map(advise, topics, parameters)), "what would help", narrow="wrap", json=False),
    )
    title = "Where the uncertainty comes from: shares of the variance, median over runs or pairs of runs"
    return Table(title, columns, "uncertainty", extra=True)


def _middle_shares(shares: VarianceShares | None) -> tuple[float, float] | None:
    """The median of the shares of topics and of parameters; None where there are none."""
    if shares is None or not np.isfinite(shares.topics).any():
        return None
    known = np.isfinite(shares.topics)
    return float(np.median(shares.topics[known])), float(np.median(shares.parameters[known]))


def _name_shares(shares: VarianceShares | None) -> list[Json] | None:
    if shares is None:
        return None
    columns = (
        Column("topics", shares.topics),
        Column("parameters", shares.parameters),
        Column("together", shares.together),
    )
    return list(Table("", columns).records())


def _place(part: RunComparison) -> tuple[Column, ...]:
    """By what the rows of a part are told apart."""
    return (
        Column("measure", str(part.measure)),
        Column("gains", part.scheme.name),
        Column("threshold", part.scheme.threshold),
    )


def _places(parts: Sequence[RunComparison]) -> tuple[Column, ...]:
    """The same for rows that belong to a part each."""
    return (
        Column("measure", [str(part.measure) for part in parts], "measure"),
        Column("gains", [part.scheme.name for part in parts]),
        Column("threshold", [part.scheme.threshold for part in parts]),
        Column("scheme", [name_scheme(part.scheme) for part in parts], "gains", json=False),
    )


def _describe_place(part: RunComparison) -> dict[str, Json]:
    return {"measure": str(part.measure), "gains": part.scheme.name, "threshold": part.scheme.threshold}


def _notes(comparison: Comparison, parts: Sequence[RunComparison]) -> tuple[str, ...]:
    """How to read the run table, in one sentence or two."""
    labels = (f"Labels: {comparison.scores.labels}.",) if comparison.scores.labels else ()
    twins = say_twins(comparison, parts[0]) if len(comparison.runs) > 2 else ""
    labels = (*((twins,) if twins else ()), *labels)
    if not np.isfinite(parts[0].standings.interval).any():
        return labels
    at_once = "all runs" if comparison.family == "each" else "all runs, measures and gains"
    twice = f" ({counted(comparison.paired_topics, 'topic')} judged twice)" if comparison.paired_topics else ""
    whom = next((comparison.whom(part) for part in parts if part.shares is not None), "other topics")
    caveat = comparison.panel.caveat if comparison.panel is not None else None
    ranks = ""
    if len(comparison.runs) > 2 and np.isfinite(parts[0].standings.rank_interval).any():
        ranks = f"; possible ranks and groups hold for {at_once} at once ({sure(comparison.confidence)} confidence)"
    return (f"Intervals allow for {whom}{twice}{ranks}.", *((caveat,) if caveat else ()), *labels)


def say_twins(comparison: Comparison, part: RunComparison) -> str:
    """Which runs score the same on every topic; empty where none do."""
    groups: dict[int, list[str]] = {}
    for name, twin in zip(comparison.runs, part.twin.tolist(), strict=True):
        groups.setdefault(twin, []).append(shortened(name))
    same = [" = ".join(names) for names in groups.values() if len(names) > 1]
    more = f"; and {counted(len(same) - MOST_GROUPS, 'more group')}" if len(same) > MOST_GROUPS else ""
    return f"The same on every topic: {'; '.join(same[:MOST_GROUPS])}{more}." if same else ""


def _say_resampled(comparison: Comparison) -> tuple[str, ...]:
    """What an interval of tau is, where there is one."""
    if all(ranking.tau_interval is None for ranking in comparison.rankings):
        return ()
    return (
        f"Another sample of {len(comparison.topics):,} topics would give about the tau-b in brackets "
        f"({sure(comparison.confidence)}); this is no interval for the true orders.",
    )


def _name(gains: str, threshold: str | None) -> str:
    return gains if threshold is None else f"{gains} ({threshold})"


def _say_percent(share: Any) -> str:
    """A relative difference in per cent, or an interval of it.

    >>> _say_percent(-0.0312), _say_percent(-0.0), _say_percent([-0.5, 0.25])
    ('-3.1 %', '0.0 %', '[-50.0 %, +25.0 %]')
    """
    if isinstance(share, list):
        return f"[{_say_percent(share[0])}, {_say_percent(share[1])}]"
    shown = f"{100 * share:+.1f}"
    return f"{shown if float(shown) else '0.0'} %"


def _say_change(percent: Any) -> str:
    return _say_percent([end / 100 for end in percent] if isinstance(percent, list) else percent / 100)


def _say_ranks(ends: Sequence[int]) -> str:
    """The ranks a run may have: `3`, or `2 to 6`."""
    return f"{ends[0]}" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _say_letters(letters: str) -> str:
    """The letters of a run; of many the first and the last."""
    single = letters.split() if " " in letters else list(letters)
    return letters if len(single) <= MOST_LETTERS else f"{single[0]} … {single[-1]} ({len(single)})"
