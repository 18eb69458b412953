"""AP, GAP, R-precision and Q, against walks down the ranks."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.measures.plain_lists import BINARY, LEVELS, PRM, PRM_UNJUDGED, Entry, draw_lists, gain_of

from gainsayer.gains import Gains
from gainsayer.measures import (
    average_precision,
    graded_average_precision,
    parse_measure,
    q_measure,
    r_precision,
    spell_out_unjudged,
)
from gainsayer.rankings import ranked_from_lists

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
