"""RR, ERR, Success, AP, GAP, R-precision, Q, bpref and infAP, against walks down the ranks."""

from __future__ import annotations

import numpy as np
import pytest
from tests.scoring.level_lists import BINARY, LEVELS, PRM, PRM_UNJUDGED, Entry, draw_lists, gain_of

from gainsayer.errors import CallError
from gainsayer.gains import Gains, exponential_gains, linear_gains
from gainsayer.levels import Levels, find_patterns
from gainsayer.measures import (
    EPSILON,
    average_precision,
    binary_preference,
    expected_reciprocal_rank,
    graded_average_precision,
    inferred_precision,
    parse_measure,
    q_measure,
    r_precision,
    real_judgments,
    reciprocal_rank,
    spell_out_unjudged,
    success,
)
from gainsayer.ranking import ranked_from_lists

GAINS = [PRM, PRM_UNJUDGED, BINARY]


def worth(entries: list[Entry], gains: Gains) -> list[float]:
    """The gain at each rank."""
    return [gain_of(entry, gains) for entry in entries]


@pytest.mark.parametrize("gains", GAINS)
@pytest.mark.parametrize("depth", [None, 1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_average_precisions(gains: Gains, depth: int | None, seed: int) -> None:
    """AP counts a document and p of those before it, GAP the smaller p of each two; both over the pool's p."""
    case = draw_lists(seed)
    ranked = spell_out_unjudged(case.ranked)
    for topic, (entries, pool) in enumerate(case.topics()):
        p = worth(entries, gains)[:depth]
        there = float(np.dot(pool, gains.values))
        ap = sum(p[r] / (r + 1) * (1 + sum(p[:r])) for r in range(len(p)))
        gap = sum((p[r] + sum(min(p[r], p[s]) for s in range(r))) / (r + 1) for r in range(len(p)))
        expected = (ap / there, gap / there) if there else (0.0, 0.0)
        assert average_precision(ranked, gains, depth=depth)[topic] == pytest.approx(expected[0])
        assert graded_average_precision(ranked, gains, depth=depth)[topic] == pytest.approx(expected[1])


@pytest.mark.parametrize("gains", GAINS)
@pytest.mark.parametrize("seed", range(6))
def test_precision_at_r_takes_part_of_a_document(gains: Gains, seed: int) -> None:
    """The cut at the expected R falls within a document, which counts by the part before it."""
    case = draw_lists(seed)
    found = r_precision(spell_out_unjudged(case.ranked), gains)
    for topic, (entries, pool) in enumerate(case.topics()):
        there = float(np.dot(pool, gains.values))
        part = sum(p * min(max(there - r, 0.0), 1.0) for r, p in enumerate(worth(entries, gains)))
        assert found[topic] == pytest.approx(part / there if there else 0.0)


@pytest.mark.parametrize("gains", [*GAINS, Gains(LEVELS, np.array([0.0, 1.0, 3.0]), unjudged=0.5, name="linear")])
@pytest.mark.parametrize("depth", [None, 3])
@pytest.mark.parametrize("beta", [1.0, 10.0])
@pytest.mark.parametrize("seed", range(3))
def test_q_measure(gains: Gains, depth: int | None, beta: float, seed: int) -> None:
    """Sakai's blended ratio at each document; flags are 0/1 for gains, and the gain itself for probabilities."""
    case = draw_lists(seed)
    found = q_measure(spell_out_unjudged(case.ranked), gains, beta=beta, depth=depth)

    def flag(gain: float) -> float:
        return gain if gains.probabilities else float(gain > 0)

    for topic, (entries, pool) in enumerate(case.topics()):
        own = worth(entries, gains)[:depth]
        ideal = sorted((float(gains.values[level]) for level in range(3) for _ in range(pool[level])), reverse=True)
        total = sum(
            flag(g) * (sum(map(flag, own[: r + 1])) + beta * sum(own[: r + 1])) / (r + 1 + beta * sum(ideal[: r + 1]))
            for r, g in enumerate(own)
        )
        there = sum(flag(g) for g in ideal)
        assert found[topic] == pytest.approx(total / there if there else 0.0)


@pytest.mark.parametrize("score", [average_precision, graded_average_precision, r_precision, q_measure])
def test_draws_are_scored_one_by_one(score: object) -> None:
    """Stacked gains, in other orders too, probabilities or not, give what each gives alone."""
    ranked = spell_out_unjudged(draw_lists(5).ranked)
    stack = np.array([[0.1, 0.45, 0.8], [0.7, 0.2, 0.1], [0.0, 1.0, 3.0]])
    together = score(ranked, Gains(LEVELS, stack, unjudged=0.2))  # type: ignore[operator]
    for place, values in enumerate(stack):
        alone = score(ranked, Gains(LEVELS, values, unjudged=0.2))  # type: ignore[operator]
        assert together[place] == pytest.approx(alone)


def test_q_has_a_beta_of_one_unless_asked_otherwise() -> None:
    """The list (1, 0, 2) against one document of each level: ratios 2/3 and 5/6, by Sakai's definition with beta 1."""
    ranked = ranked_from_lists({"q": [1, 0, 2]}, {"q": [1, 1, 1]}, levels=LEVELS)
    gains = Gains(LEVELS, np.array([0.0, 1.0, 2.0]), name="linear")
    # Rank 1: (1 + 1) / (1 + 2); rank 3: (2 + 3) / (3 + 3).
    assert parse_measure("Q").score(ranked, gains).tolist() == pytest.approx([(2 / 3 + 5 / 6) / 2])


SURE = Gains(LEVELS, np.array([0.0, 0.5, 1.0]), name="prm")


@pytest.mark.parametrize("gains", [PRM, PRM_UNJUDGED, BINARY, SURE])
@pytest.mark.parametrize("depth", [None, 1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_users_go_on_until_satisfied(gains: Gains, depth: int | None, seed: int) -> None:
    """RR sums p_r / r times the chance of getting there; Success is the chance of stopping anywhere."""
    case = draw_lists(seed)
    ranked = spell_out_unjudged(case.ranked)
    found = reciprocal_rank(ranked, gains, depth=depth), success(ranked, gains, depth=depth)
    for topic, (entries, _) in enumerate(case.topics()):
        value, going = 0.0, 1.0
        for rank, entry in enumerate(entries[:depth], start=1):
            p = gain_of(entry, gains)
            value += going * p / rank
            going *= 1 - p
        assert found[0][topic] == pytest.approx(value, abs=1e-12)
        assert found[1][topic] == pytest.approx(1 - going, abs=1e-12)
    np.testing.assert_allclose(expected_reciprocal_rank(ranked, gains, depth=depth), found[0], atol=1e-12)


@pytest.mark.parametrize(
    ("gains", "satisfied"),
    [
        (exponential_gains(LEVELS), [0.0, 1 / 4, 3 / 4]),
        (linear_gains(LEVELS), [0.0, 1 / 3, 2 / 3]),
        (Gains(LEVELS, np.array([0.0, 0.5, 1.0]), name="exponential"), [0.0, 0.25, 0.5]),
    ],
)
def test_gains_that_are_no_probabilities_are_divided_by_the_largest_plus_one(
    gains: Gains, satisfied: list[float]
) -> None:
    """(2^i - 1) / 2^T, ERR on the levels' own scale; exponential gains of two levels are no probabilities either."""
    case = draw_lists(2)
    expected = reciprocal_rank(case.ranked, Gains(LEVELS, np.array(satisfied)))
    assert expected_reciprocal_rank(case.ranked, gains, max_rel=1) == pytest.approx(expected)


def test_each_draw_has_its_own_scale() -> None:
    """Stacked gains give what each of them gives alone, also for unjudged documents, and where one is probable."""
    ranked = spell_out_unjudged(draw_lists(6).ranked)
    stack = np.array([[0.0, 1.0, 3.0], [0.0, 2.0, 7.0], [0.0, 0.5, 1.0]])
    together = expected_reciprocal_rank(ranked, Gains(LEVELS, stack, unjudged=0.4))
    for place, values in enumerate(stack):
        alone = expected_reciprocal_rank(ranked, Gains(LEVELS, values, unjudged=0.4))
        assert together[place] == pytest.approx(alone)


def test_an_unjudged_document_is_scaled_like_the_others() -> None:
    """Worth 1 beside levels worth up to 3 it satisfies one user in four."""
    from gainsayer.ranking import ranked_from_lists

    ranked = spell_out_unjudged(ranked_from_lists({"q": [None]}, {"q": [1, 0, 1]}, levels=LEVELS))
    gains = Gains(LEVELS, np.array([0.0, 1.0, 3.0]), unjudged=1.0, name="exponential")
    assert expected_reciprocal_rank(ranked, gains, max_rel=2).tolist() == [0.25]
    assert expected_reciprocal_rank(ranked, gains).tolist() == [1 / 16]


CODED = Levels(("-1", "0", "1"))
RELEVANT = Gains(CODED, np.array([0.0, 0.0, 1.0]), name="binary")


@pytest.mark.parametrize("seed", range(8))
def test_with_codes_for_pooled_but_not_judged(seed: int) -> None:
    """bpref counts wrong documents before each relevant one, capped at R; infAP those of the pool; -1 is neither."""
    case = draw_lists(seed)
    ranked = ranked_from_lists(case.lists, case.pool, levels=CODED)
    for topic, (entries, (_, wrong, relevant)) in enumerate(case.topics()):
        preference = precision = 0.0
        before = {0: 0, 1: 0, 2: 0}
        for rank, entry in enumerate(entries, start=1):
            if entry == 2:
                capped, bound = min(before[1], relevant), min(wrong, relevant)
                preference += 1 - capped / bound if bound else 1.0
                pooled = sum(before.values())
                share = (before[2] + EPSILON) / (before[1] + before[2] + 2 * EPSILON)
                precision += 1 / rank + pooled / rank * share if rank > 1 else 1.0
            if entry in before:
                before[entry] += 1
        expected = (preference / relevant, precision / relevant) if relevant else (0.0, 0.0)
        assert binary_preference(ranked, RELEVANT)[topic] == pytest.approx(expected[0])
        assert inferred_precision(ranked, RELEVANT)[topic] == pytest.approx(expected[1])


def test_gains_between_0_and_1_are_refused() -> None:
    """Both count relevant documents; so are draws."""
    ranked = draw_lists(1).ranked
    for score in (binary_preference, inferred_precision):
        with pytest.raises(CallError, match="they need 0/1 gains"):
            score(ranked, PRM)
        with pytest.raises(CallError, match="they need 0/1 gains"):
            score(ranked, Gains(BINARY.levels, np.stack([BINARY.values] * 2)))


def test_which_levels_are_judgments() -> None:
    """All but negative whole numbers; a pattern is one unless all its labels are negative codes."""
    assert real_judgments(Levels(("-2", "0", "1"))).tolist() == [False, True, True]
    assert real_judgments(Levels(("-a", "b"), ordered=False)).tolist() == [True, True]
    patterns = find_patterns(CODED, np.array([[2, 0, 0], [1, 0, 1], [0, 1, 1]]))
    labels = patterns.shares > 0
    assert real_judgments(patterns).tolist() == [bool(own[1:].any()) for own in labels]
