"""What `compare` says, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from gainsayer.comparison.correlation import RankCorrelation
from gainsayer.comparison.results import Comparison, RankingAgreement, RunComparison
from gainsayer.report.plain import number


def describe_comparison(
    comparison: Comparison,
    *,
    strata: Mapping[str, Comparison] | None = None,
    policies: Mapping[str, Any],
    provenance: Mapping[str, Any],
) -> dict[str, Any]:
    """The comparison as plain data with stable keys: what `--format json` prints; with strata, each in the same shape.

    Runs stand in the order given, pairs in that of the runs.
    """
    parts = {name: _describe(part) for name, part in (strata or {}).items()}
    return {
        **_describe(comparison),
        "strata": parts or None,
        "labels": comparison.scores.labels,
        "policies": dict(policies),
        "provenance": dict(provenance),
    }


def _describe(comparison: Comparison) -> dict[str, Any]:
    return {
        "runs": [
            {"run": run, "scores": [_describe_score(comparison, part, at) for part in comparison.parts]}
            for at, run in enumerate(comparison.runs)
        ],
        "possibly_best": [_describe_best(comparison.runs, part) for part in comparison.parts],
        "rankings": [describe_ranking(ranking) for ranking in comparison.rankings],
        "differences": [entry for part in comparison.parts for entry in _describe_differences(comparison.runs, part)],
        "variance": [entry for part in comparison.parts for entry in _describe_variance(part)],
        "power": [_describe_power(part) for part in comparison.parts if part.power is not None],
        "gains": [
            {
                "gains": part.scheme.name,
                "threshold": part.scheme.threshold,
                "levels": part.scheme.gains.as_dict(),
                "unjudged": part.scheme.gains.unjudged,
                "estimated": part.scheme.redraw is not None,
            }
            for part in comparison.parts
            if part.measure == comparison.parts[0].measure
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
        "warnings": [dict(vars(finding)) for finding in comparison.findings],
    }


def _describe_score(comparison: Comparison, part: RunComparison, at: int) -> dict[str, Any]:
    standings = part.standings
    ranks = standings.rank_interval[at]
    return {
        "measure": str(part.measure),
        "gains": part.scheme.name,
        "threshold": part.scheme.threshold,
        "value": number(standings.value[at]),
        "standard_error": number(part.error[at]),
        "interval": pair_of_numbers(standings.interval[at]),
        "topic_interval": pair_of_numbers(standings.topic_interval[at]),
        "rank": int(standings.rank[at]),
        "rank_interval": pair_of_numbers(ranks, whole=True),
        "resample_share_best": None,  # nothing is resampled: see rank_interval and possibly_best
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


def describe_ranking(ranking: RankingAgreement) -> dict[str, Any]:
    """How far two schemes agree, as plain data; `ties` counts pairs of runs that either of them ties."""
    tau = ranking.tau_b
    return {
        "a": ranking.a.name,
        "b": ranking.b.name,
        "threshold_a": ranking.a.threshold,
        "threshold_b": ranking.b.threshold,
        "measure": str(ranking.measure),
        "tau_b": tau.value,
        "tau_interval": None if ranking.tau_interval is None else list(ranking.tau_interval),
        "tau_ap": ranking.tau_ap.value,
        "rbo": ranking.rbo.value,
        "runs": tau.n,
        "ties": count_ties(tau),
        "ties_a": tau.ties_a,
        "ties_b": tau.ties_b,
    }


def count_ties(tau: RankCorrelation) -> int:
    """Pairs of runs that are tied in either order."""
    return tau.n * (tau.n - 1) // 2 - tau.concordant - tau.discordant


def _describe_best(runs: tuple[str, ...], part: RunComparison) -> dict[str, Any]:
    """The runs that may be best; None where not all pairs were compared."""
    return {
        "measure": str(part.measure),
        "gains": part.scheme.name,
        "threshold": part.scheme.threshold,
        "runs": None if part.possibly_best is None else [runs[at] for at in part.possibly_best],
    }


def _describe_differences(runs: tuple[str, ...], part: RunComparison) -> list[dict[str, Any]]:
    tests, found = part.tests, part.differences
    if tests is None or found is None:
        return []
    shared = {
        "measure": str(part.measure),
        "gains": part.scheme.name,
        "threshold": part.scheme.threshold,
        "test": tests.test,
        "adjustment": tests.adjustment,
    }
    # Column by column: with 500 runs there are 124,750 pairs.
    columns: dict[str, list[Any]] = {
        "a": [runs[at] for at in found.a.tolist()],
        "b": [runs[at] for at in found.b.tolist()],
        "difference": _listed(found.difference),
        "interval": _listed_ends(found.interval),
        "simultaneous_interval": _listed_ends(found.simultaneous_interval),
        "relative_difference": _listed(found.relative),
        "relative_interval": _listed_ends(found.relative_interval),
        "simultaneous_relative_interval": _listed_ends(found.simultaneous_relative_interval),
        "p": _listed(tests.p),
        "p_adjusted": _listed(tests.p_adjusted),
        "degrees_of_freedom": _listed(found.degrees),
        "effect": _listed(tests.effect),
        "verdict": found.verdicts.words(),
        "reverse_verdict": found.verdicts.words(reverse=True),
    }
    return [
        {"a": row[0], "b": row[1], **shared, **dict(zip(tuple(columns)[2:], row[2:], strict=True))}
        for row in zip(*columns.values(), strict=True)
    ]


def _listed(values: np.ndarray[Any, np.dtype[np.float64]]) -> list[float | None]:
    """Numbers for JSON: None where one is not known."""
    return [value if isfinite(value) else None for value in values.tolist()]


def _listed_ends(ends: np.ndarray[Any, np.dtype[np.float64]]) -> list[list[float] | None]:
    """Intervals for JSON: None where one is not known."""
    return [both if isfinite(both[0]) and isfinite(both[1]) else None for both in ends.tolist()]


def _describe_variance(part: RunComparison) -> list[dict[str, Any]]:
    """Where the uncertainty of a score and of a difference comes from, medians."""
    entries = []
    for what, shares in (("score", part.shares), ("difference", part.pair_shares)):
        if shares is not None and np.isfinite(shares.topics).any():
            topics, parameters = (float(np.nanmedian(share)) for share in (shares.topics, shares.parameters))
            entries.append(
                {
                    "measure": str(part.measure),
                    "gains": part.scheme.name,
                    "threshold": part.scheme.threshold,
                    "of": what,
                    "topics": topics,
                    "parameters": parameters,
                    "together": 1 - topics - parameters,
                }
            )
    return entries


def _describe_power(part: RunComparison) -> dict[str, Any]:
    assert part.power is not None
    assert part.tests is not None
    return {
        "measure": str(part.measure),
        "gains": part.scheme.name,
        "threshold": part.scheme.threshold,
        "test": part.tests.test,
        "adjustment": part.tests.adjustment,
        "level": part.power.level,
        "share": part.power.power,
        "pairs": part.power.pairs,
        "permutations": part.tests.permutations,
        "curve": {
            "p": np.quantile(part.power.p, np.linspace(0, 1, 21), method="inverted_cdf").tolist(),
            "share": np.linspace(0, 1, 21).round(2).tolist(),
        },
    }


def pair_of_numbers(ends: np.ndarray[Any, np.dtype[np.float64]], *, whole: bool = False) -> list[Any] | None:
    """An interval for JSON: None where it is not known."""
    if not np.isfinite(ends).all():
        return None
    return [number(end, whole=whole) for end in ends]
