"""Intervals over people: the larger of two jackknife variances, and how many people bear it; read aloud."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import t

from gainsayer.disagreement.people_intervals import people_intervals
from gainsayer.disagreement.topic_intervals import topic_intervals

RNG = np.random.default_rng(7)
# Opinions [topics, people] of one level, by the person of the second side who gave them.
JUDGED = RNG.integers(3, 15, (8, 5)).astype(float)
SHARE = np.array([0.1, 0.3, 0.4, 0.5, 0.8])
RELEVANT = np.floor(JUDGED * SHARE) + 1


def by_topic(cells: np.ndarray) -> np.ndarray:
    """Sums over people, [topics, levels]."""
    return np.asarray(cells.sum(axis=1)[:, None])


def by_person(cells: np.ndarray) -> np.ndarray:
    """Sums over topics, [people, levels]."""
    return np.asarray(cells.sum(axis=0)[:, None])


def deletion_variance(relevant: np.ndarray, judged: np.ndarray) -> float:
    """sum (1 - h) d^2 over the parts, d the move of the logit without a part and h its share."""
    a, b = relevant.sum(), judged.sum()
    moves = logit((a - relevant) / (b - judged)) - logit(a / b)
    return float(((1 - judged / b) * moves**2).sum())


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_one_side_of_five_people(confidence: float) -> None:
    """People differ more than topics: theirs is the variance, with K* - 1 degrees of freedom, K* Kish's number."""
    found = people_intervals(
        by_topic(RELEVANT),
        by_topic(JUDGED),
        by_person(RELEVANT),
        np.zeros((5, 1)),
        by_person(JUDGED),
        confidence=confidence,
    )
    people, topics = JUDGED.sum(axis=0), JUDGED.sum(axis=1)
    variances = deletion_variance(RELEVANT.sum(axis=0), people), deletion_variance(RELEVANT.sum(axis=1), topics)
    assert variances[0] > variances[1]
    degrees = min(people.sum() ** 2 / (people**2).sum(), topics.sum() ** 2 / (topics**2).sum()) - 1
    half = t.ppf((1 + confidence) / 2, degrees) * np.sqrt(variances[0])
    centre = logit(RELEVANT.sum() / JUDGED.sum())
    assert found.variance == pytest.approx([variances[0]])
    assert found.degrees == pytest.approx([degrees])
    assert found.ends[0] == pytest.approx(expit([centre - half, centre + half]))


def test_topics_that_differ_more_decide() -> None:
    """With people alike and topics apart, the variance is the topics'; never fewer than one degree of freedom."""
    relevant, judged = RELEVANT.T, JUDGED.T  # five topics, eight people
    found = people_intervals(
        by_topic(relevant), by_topic(judged), by_person(relevant), np.zeros((8, 1)), by_person(judged)
    )
    assert found.variance == pytest.approx([deletion_variance(relevant.sum(axis=1), judged.sum(axis=1))])
    two = slice(0, 2)
    few = people_intervals(
        by_topic(RELEVANT[:, two]),
        by_topic(JUDGED[:, two]),
        by_person(RELEVANT[:, two]),
        np.zeros((2, 1)),
        by_person(JUDGED[:, two]),
    )
    assert few.degrees.tolist() == [1.0]


def test_two_teams_have_welchs_degrees_of_freedom() -> None:
    """(V1 + V2)^2 / (V1^2 / (K1* - 1) + V2^2 / (K2* - 1)); a person's share is the larger of both roles'."""
    team = np.array([0, 0, 1, 1, 1])
    first, second = by_person(JUDGED), by_person(JUDGED[::-1] * 0.5)
    taking = first + second
    relevant = by_person(RELEVANT)
    found = people_intervals(by_topic(RELEVANT), by_topic(JUDGED), relevant, first, second, team=team)
    a, b = RELEVANT.sum(), JUDGED.sum()
    moves = logit((a - relevant) / (b - taking)) - logit(a / b)
    each = (1 - np.maximum(first, second) / b) * moves**2
    variances = [each[team == side].sum() for side in (0, 1)]
    kish = [taking[team == side].sum() ** 2 / (taking[team == side] ** 2).sum() - 1 for side in (0, 1)]
    welch = sum(variances) ** 2 / sum(variance**2 / number for variance, number in zip(variances, kish, strict=True))
    topics = JUDGED.sum(axis=1)
    assert found.variance == pytest.approx([max(sum(variances), deletion_variance(RELEVANT.sum(axis=1), topics))])
    assert found.degrees == pytest.approx([max(1, min(welch, topics.sum() ** 2 / (topics**2).sum() - 1))])


def test_a_team_of_one_person_leaves_one_degree_of_freedom() -> None:
    """Nothing is known about how such a team varies."""
    team = np.array([0, 1, 1, 1, 1])
    parts = by_person(RELEVANT), by_person(JUDGED) / 2, by_person(JUDGED) / 2
    assert people_intervals(by_topic(RELEVANT), by_topic(JUDGED), *parts, team=team).degrees.tolist() == [1.0]


def test_half_a_count_where_one_person_gave_all_relevant_opinions() -> None:
    """Then every logit is that of (a + 1/2) / (c + 1/2)."""
    relevant = np.zeros_like(JUDGED)
    relevant[:, 2] = np.floor(JUDGED[:, 2] / 2)
    found = people_intervals(
        by_topic(relevant), by_topic(JUDGED), by_person(relevant), np.zeros((5, 1)), by_person(JUDGED)
    )
    assert found.half.tolist() == [True]
    a, c = relevant.sum() + 0.5, (JUDGED - relevant).sum() + 0.5
    others = JUDGED - relevant
    moves = np.log((a - relevant.sum(axis=0)) / (c - others.sum(axis=0))) - np.log(a / c)
    share = JUDGED.sum(axis=0) / JUDGED.sum()
    assert found.variance == pytest.approx([((1 - share) * moves**2).sum()])


@pytest.mark.parametrize("relevant", [np.zeros_like(JUDGED), JUDGED])
def test_estimates_of_0_and_1_have_the_ends_of_topics(relevant: np.ndarray) -> None:
    """Nobody changes them by being left out: Clopper and Pearson's ends, as over topics."""
    found = people_intervals(
        by_topic(relevant), by_topic(JUDGED), by_person(relevant), np.zeros((5, 1)), by_person(JUDGED)
    )
    assert found.exact.tolist() == [True]
    assert found.ends.tolist() == topic_intervals(by_topic(relevant), by_topic(JUDGED)).ends.tolist()
    assert np.isnan(found.degrees).all()
    assert np.isnan(found.variance).all()


def test_a_level_seen_in_one_topic_has_no_interval() -> None:
    """However many people judged it there."""
    judged, relevant = np.zeros_like(JUDGED), np.zeros_like(JUDGED)
    judged[3], relevant[3] = JUDGED[3], RELEVANT[3]
    found = people_intervals(
        by_topic(relevant), by_topic(judged), by_person(relevant), np.zeros((5, 1)), by_person(judged)
    )
    assert np.isnan(found.ends).all()
