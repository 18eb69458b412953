"""Variance by source: against brute simulation of the model, and against the formulae by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from gainsayer.levels import Levels
from gainsayer.planning import Prospect, Targets, fill_components

LEVELS = Levels(("0", "1"))


def make_prospect(**options: object) -> Prospect:
    """Thirty uneven topics, one target on both levels."""
    sizes = np.random.default_rng(3).integers(5, 60, size=(30, 2)).astype(float)
    known = fill_components(LEVELS, guesses={"0": 0.2, "1": 0.6}, intraclass=0.3)
    targets = Targets(("score",), np.array([[0.7, 1.2]]), np.array([0.86]), np.array([0.001]))
    return Prospect(sizes, known, targets, **options)  # type: ignore[arg-type]


def test_between_and_within_are_what_simulated_opinions_have() -> None:
    """Normal u and eps with the components' variances, judged in proportion to the cells: the spread of A.p agrees."""
    prospect = make_prospect()
    generator = np.random.default_rng(8)
    known, sizes = prospect.components, prospect.sizes
    share = np.array([0.3, 0.5])
    judged = np.maximum(np.round(sizes * share), 1)
    root = np.linalg.cholesky(known.covariance + 1e-12 * np.eye(2))
    found = []
    for _ in range(6000):
        u = generator.standard_normal((30, 2)) @ root.T
        total = judged * u + generator.standard_normal((30, 2)) * np.sqrt(judged * known.within)
        found.append(float((total.sum(axis=0) / judged.sum(axis=0)) @ [0.7, 1.2]))
    predicted = prospect.variance(judged.sum(axis=0))
    expected = float(predicted.between[0] + predicted.within[0])
    assert np.var(found) == pytest.approx(expected, rel=0.06)


def test_the_half_width_is_t_times_the_error() -> None:
    """With degrees of freedom from the fewest of topics, judged topics and assessors."""
    prospect = make_prospect(assessors=5)
    judge = np.array([50.0, 80.0])
    total = float(prospect.variance(judge).total[0])
    assert prospect.half_width(judge) == pytest.approx(stats.t.ppf(0.975, 4) * np.sqrt(total))
    people = (0.15 * (0.7 + 1.2)) ** 2 / 5
    assert prospect.variance(judge).assessors[0] == pytest.approx(people)
    assert make_prospect().quantile == pytest.approx(stats.t.ppf(0.975, 29))


def test_only_the_part_within_topics_falls_with_judgments() -> None:
    """Twice the judgments halve it and leave the others."""
    prospect = make_prospect()
    few, many = prospect.variance(np.array([50.0, 80.0])), prospect.variance(np.array([100.0, 160.0]))
    assert many.within == pytest.approx(few.within / 2)
    assert (many.between, many.topics) == (pytest.approx(few.between), pytest.approx(few.topics))


def test_judging_in_half_the_topics_doubles_what_lies_between_them() -> None:
    """A simple random sample of topics."""
    half = make_prospect(judged_topics=15)
    judge = np.array([50.0, 80.0])
    assert half.variance(judge).between == pytest.approx(2 * make_prospect().variance(judge).between)
    assert half.documents == pytest.approx(make_prospect().documents / 2)


def test_power_and_topics_needed() -> None:
    """Power is 1/2 where the difference is t standard errors; the topics said to be needed do reach the half-width."""
    prospect = make_prospect()
    judge = prospect.documents
    error = float(np.sqrt(prospect.variance(judge).total[0]))
    assert prospect.power(judge, prospect.quantile * error) == pytest.approx(0.5)
    needed = prospect.topics_needed(prospect.half_width(judge) / 2)
    found = prospect.variance(judge)
    shared = float(found.total[0] - found.within[0]) * 30 / needed  # type: ignore[operator]
    assert prospect.quantile * np.sqrt(shared + found.within[0]) <= prospect.half_width(judge) / 2 * (1 + 1e-9)
    assert replace(prospect, assessors=4).topics_needed(0.1) is None


def test_a_covariance_never_takes_away_more_than_topics_bring() -> None:
    """The total stays at or above what judgments and people bring."""
    prospect = make_prospect(covariance=np.array([-1.0]))
    found = prospect.variance(np.array([50.0, 80.0]))
    assert found.total == pytest.approx(found.within)


def test_effective_topics() -> None:
    """As many as there are where sizes are equal, fewer where not, none for a level without documents."""
    sizes = np.array([[2.0, 30.0, 0.0], [2.0, 1.0, 0.0]])
    levels = Levels(("a", "b", "c"))
    targets = Targets(("x",), np.ones((1, 3)), np.zeros(1), np.zeros(1))
    found = Prospect(sizes, fill_components(levels), targets).effective_topics
    assert found == pytest.approx([2.0, 31**2 / (30**2 + 1), 0.0])
