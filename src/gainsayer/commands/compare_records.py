"""What `compare` says: records of runs, of pairs of runs, of orders, of where the uncertainty comes from; and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Any

import numpy as np

from gainsayer.commands.advice import describe_advice
from gainsayer.commands.compare import ComparisonTable
from gainsayer.commands.records import Record, describe_findings, number
from gainsayer.commands.users import describe_band
from gainsayer.comparison.correlation import RankCorrelation
from gainsayer.comparison.results import Comparison, RankingAgreement, RunComparison, VarianceShares
from gainsayer.measures.catalogue import Measure
from gainsayer.rankings.ranked_levels import FloatArray, IntArray
from gainsayer.words import ABOVE_BASELINE, BASELINE, BELOW, BELOW_BASELINE, FIRST, NEAR_BASELINE

# From this share of an interval's length on, something is worth asking for that would shorten it.
WORTH_SHORTENING = 0.1


def describe_comparison(table: ComparisonTable) -> dict[str, Any]:
    """The comparison as plain data with stable keys: what `compare` gives as JSON; with strata, each in the same shape.

    Runs stand in the order given, pairs in that of the runs.
    """
    document = {
        **_describe(table.comparison),
        "strata": {name: _describe(part) for name, part in table.strata.items()} or None,
        "labels": table.comparison.scores.labels,
        "policies": dict(table.policies),
        "provenance": {} if table.provenance is None else table.provenance.as_dict(),
    }
    if table.advice is not None:
        document["advice"] = describe_advice(table.advice)
    return document | ({"users": [describe_band(band) for band in table.users]} if table.users else {})


def run_records(comparison: Comparison) -> Iterator[Record]:
    """One record per run, measure and kind of gains."""
    for at, run in enumerate(comparison.runs):
        for part in comparison.parts:
            yield {"run": run, **run_record(comparison, part, at)}


def run_record(comparison: Comparison, part: RunComparison, at: int) -> Record:
    """How one run fares by one measure and kind of gains."""
    standings = part.standings
    return {
        **_place(part),
        "value": number(standings.value[at]),
        "standard_error": number(part.error[at]),
        "interval": pair_of_numbers(standings.interval[at]),
        "topic_interval": pair_of_numbers(standings.topic_interval[at]),
        "rank": int(standings.rank[at]),
        "rank_interval": pair_of_numbers(standings.rank_interval[at], whole=True),
        "group": part.groups[at] if part.groups else None,
        "variance": None
        if part.shares is None
        else {
            "topics": number(part.shares.topics[at]),
            "parameters": number(part.shares.parameters[at]),
            "together": number(part.shares.together[at]),
        },
        "topics": len(comparison.topics),
        "unjudged_share": number(comparison.scores.unjudged[part.measure][at]),
    }


def pair_records(runs: tuple[str, ...], part: RunComparison, chosen: Iterable[int] | None = None) -> Iterator[Record]:
    """One record per pair of runs, by one measure and kind of gains; of all pairs, or of those at these places."""
    tests, found = part.tests, part.differences
    if tests is None or found is None:
        return
    shared = {**_place(part), "test": tests.test, "adjustment": tests.adjustment}
    places = np.arange(len(tests.a)) if chosen is None else np.fromiter(chosen, np.int64)
    # Column by column: with 500 runs there are 124,750 pairs.
    columns: dict[str, list[Any]] = {
        "difference": _listed(found.difference[places]),
        "interval": _listed_ends(found.interval[places]),
        "simultaneous_interval": _listed_ends(found.simultaneous_interval[places]),
        "relative_difference": _listed(found.relative[places]),
        "relative_interval": _listed_ends(found.relative_interval[places]),
        "simultaneous_relative_interval": _listed_ends(found.simultaneous_relative_interval[places]),
        "p": _listed(tests.p[places]),
        "p_adjusted": _listed(tests.p_adjusted[places]),
        "degrees_of_freedom": _listed(found.degrees[places]),
        "effect": _listed(tests.effect[places]),
        "verdict": _chosen(found.verdicts.words(), places),
        "reverse_verdict": _chosen(found.verdicts.words(reverse=True), places),
    }
    names = tuple(columns)
    pairs = zip(tests.a[places].tolist(), tests.b[places].tolist(), strict=True)
    for (one, two), row in zip(pairs, zip(*columns.values(), strict=True), strict=True):
        yield {"a": runs[one], "b": runs[two], **shared, **dict(zip(names, row, strict=True))}


def _chosen(words: list[str], places: IntArray) -> list[str]:
    return words if len(places) == len(words) else [words[at] for at in places.tolist()]


def _listed(values: FloatArray) -> list[float | None]:
    """Numbers for JSON: None where one is not known."""
    return [value if isfinite(value) else None for value in values.tolist()]


def _listed_ends(ends: FloatArray) -> list[list[float] | None]:
    """Intervals for JSON: None where one is not known."""
    return [both if isfinite(both[0]) and isfinite(both[1]) else None for both in ends.tolist()]


def reverse_pair(record: Record) -> Record:
    """The same pair the other way round: b minus a."""
    turned = {
        key: None if value is None else [-value[1], -value[0]] if isinstance(value, list) else -value
        for key, value in record.items()
        if key.endswith(("interval", "difference")) or key == "effect"
    }
    names = {"a": record["b"], "b": record["a"]}
    return record | turned | names | {"verdict": record["reverse_verdict"], "reverse_verdict": record["verdict"]}


def ranking_record(ranking: RankingAgreement) -> Record:
    """How far two kinds of gains agree; `ties` counts pairs of runs that either of them ties."""
    tau = ranking.tau_b
    return {
        "a": ranking.a.kind,
        "b": ranking.b.kind,
        "threshold_a": ranking.a.threshold,
        "threshold_b": ranking.b.threshold,
        "measure": str(ranking.measure),
        "tau_b": tau.value,
        "tau_interval": None if ranking.tau_interval is None else list(ranking.tau_interval),
        "tau_ap": ranking.tau_ap.value,
        "runs": tau.n,
        "ties": count_ties(tau),
        "ties_a": tau.ties_a,
        "ties_b": tau.ties_b,
    }


def variance_records(comparison: Comparison) -> Iterator[Record]:
    """Where the uncertainty of a score and of a difference comes from: the median over runs, or pairs of runs."""
    for part in comparison.parts:
        for what, shares in (("score", part.shares), ("difference", part.pair_shares)):
            found = middle_shares(shares)
            if found is not None:
                yield {
                    **_place(part),
                    "of": what,
                    **dict(zip(("topics", "parameters", "together"), found, strict=True)),
                }


def power_records(comparison: Comparison) -> Iterator[Record]:
    """Discriminative power: the share of pairs that differ significantly, by measure and kind of gains."""
    for part in comparison.parts:
        power, tests = part.power, part.tests
        if power is not None and tests is not None:
            yield {
                **_place(part),
                "test": tests.test,
                "adjustment": tests.adjustment,
                "level": power.level,
                "share": power.power,
                "pairs": power.pairs,
                "permutations": tests.permutations,
                "curve": {
                    "p": np.quantile(power.p, np.linspace(0, 1, 21), method="inverted_cdf").tolist(),
                    "share": np.linspace(0, 1, 21).round(2).tolist(),
                },
            }


def middle_shares(shares: VarianceShares | None) -> tuple[float, float, float] | None:
    """The median of the shares of topics, parameters and both together; None where there are none."""
    if shares is None:
        return None
    known = np.isfinite(shares.topics)
    if not known.any():
        return None
    topics, parameters = (float(np.median(share[known])) for share in (shares.topics, shares.parameters))
    return topics, parameters, 1 - topics - parameters


def is_nearly_all(share: float) -> bool:
    """Whether a share of a variance is nearly all: an interval from it alone would be shorter by less than a tenth.

    Then whatever brings the rest is not worth asking for.

    >>> is_nearly_all(0.85), is_nearly_all(0.7)
    (True, False)
    """
    return 1 - float(np.sqrt(min(share, 1.0))) < WORTH_SHORTENING


def count_ties(tau: RankCorrelation) -> int:
    """Pairs of runs that are tied in either order."""
    return tau.n * (tau.n - 1) // 2 - tau.concordant - tau.discordant


def pair_of_numbers(ends: np.ndarray[Any, np.dtype[np.float64]], *, whole: bool = False) -> list[Any] | None:
    """An interval for JSON: None where it is not known."""
    if not np.isfinite(ends).all():
        return None
    return [number(end, whole=whole) for end in ends]


def find_part(comparison: Comparison, measure: Measure | None = None) -> RunComparison:
    """The first kind of gains of a measure; of the first measure by default."""
    wanted = comparison.parts[0].measure if measure is None else measure
    return next(part for part in comparison.parts if part.measure == wanted)


def group_runs(comparison: Comparison, part: RunComparison) -> tuple[str, ...]:
    """In words, which runs the test tells from the first one, or from the baseline; empty where there was no test."""
    if part.differences is None:
        return ()
    if comparison.baseline is not None:
        words = {"better": ABOVE_BASELINE, "worse": BELOW_BASELINE}
        records = from_first(comparison, part)
        found = {record["a"]: words.get(record["verdict"].split(",")[0], NEAR_BASELINE) for record in records}
        return tuple(BASELINE if run == comparison.baseline else found[run] for run in comparison.runs)
    first = comparison.runs[find_first(comparison, part)]
    lower = {record["a"] for record in from_first(comparison, part) if is_clear(record)}
    return tuple(BELOW if run in lower and run != first else FIRST for run in comparison.runs)


def find_first(comparison: Comparison, part: RunComparison) -> int:
    """The place of the run that the others are held against: the baseline, else the one that scores highest."""
    if comparison.baseline is not None:
        return comparison.runs.index(comparison.baseline)
    return int(np.argsort(part.standings.rank, kind="stable")[0])


def is_clear(record: Record) -> bool:
    """Whether the test tells the two runs of a pair apart."""
    return record["verdict"].split(",")[0] in ("better", "worse")


def from_first(comparison: Comparison, part: RunComparison) -> list[Record]:
    """Each run minus the first one (or the baseline), the higher ones first."""
    found = part.differences
    if found is None:
        return []
    at = find_first(comparison, part)
    other = comparison.runs[at]
    held = np.flatnonzero((found.a == at) | (found.b == at))
    records = [
        record if record["b"] == other else reverse_pair(record)
        for record in pair_records(comparison.runs, part, held.tolist())
    ]
    return sorted(records, key=lambda record: (-record["difference"], record["a"]))


def winner_record(comparison: Comparison, part: RunComparison) -> Record:
    """The pair of two runs, the one that scores higher first."""
    (record,) = pair_records(comparison.runs, part)
    return reverse_pair(record) if record["difference"] < 0 else record


def inner_interval(part: RunComparison, *, reverse: bool = False) -> tuple[float | None, float | None]:
    """The interval of the one-sided tests behind "equivalent" and "no worse" of two runs; None without a margin."""
    found = part.differences
    if found is None or found.one_sided_interval is None or not np.isfinite(found.one_sided_interval[0]).all():
        return None, None
    low, high = found.one_sided_interval[0].tolist()
    return (-high, -low) if reverse else (low, high)


def _describe(comparison: Comparison) -> dict[str, Any]:
    parts = comparison.parts
    return {
        "runs": [
            {"run": run, "scores": [run_record(comparison, part, at) for part in parts]}
            for at, run in enumerate(comparison.runs)
        ],
        "possibly_best": [
            {
                **_place(part),
                "runs": None if part.possibly_best is None else [comparison.runs[at] for at in part.possibly_best],
            }
            for part in parts
        ],
        "rankings": [ranking_record(ranking) for ranking in comparison.rankings],
        "differences": [record for part in parts for record in pair_records(comparison.runs, part)],
        "variance": list(variance_records(comparison)),
        "power": list(power_records(comparison)),
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
        "topics": {
            "scored": len(comparison.topics),
            "judged_twice": comparison.paired_topics,
            "both": comparison.shared_topics,
        },
        "resamples": {"draws": comparison.draws, "for": "tau_interval"},
        "confidence": comparison.confidence,
        "interval_method": "delete-one-topic jackknife of scores and parameters together",
        "baseline": comparison.baseline,
        "margin": comparison.margin,
        "seed": comparison.seed,
        "warnings": describe_findings(comparison.findings),
    }


def _place(part: RunComparison) -> Record:
    return {"measure": str(part.measure), "gains": part.scheme.name, "threshold": part.scheme.threshold}
