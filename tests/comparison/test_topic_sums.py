"""Sums over topics."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest
from tests.comparison.many_topics import ManyTopics, make_topics

from gainsayer.comparison import (
    KindSums,
    TopicSums,
    cut_columns,
    find_blocks,
    hashed_signs,
    name_keys,
    plan_sums,
    poisson_weights,
)
from gainsayer.errors import CallError


@pytest.fixture(scope="module")
def world() -> ManyTopics:
    """5,000 topics in eight blocks."""
    return make_topics()


def by_blocks(world: ManyTopics, *groups: list[int]) -> list[TopicSums]:
    """The sums over the topics of each group of blocks."""
    scored, paired = (find_blocks(names, world.plan.bits) for names in (world.names, world.paired))
    return [world.sums(*(np.flatnonzero(np.isin(block, group)) for block in (scored, paired))) for group in groups]


def bits_of(sums: TopicSums) -> dict[str, bytes]:
    """Every number of the whole, to the last bit."""
    return {
        f"{kind} {field.name}": getattr(found, field.name).tobytes()
        for kind, found in sums.whole().items()
        for field in fields(KindSums)
    }


def test_the_order_of_the_topics_leaves_the_bits_alone(world: ManyTopics) -> None:
    """Topics and double judgments in any order are summed in the order of their names."""
    rng = np.random.default_rng(8)
    chosen, bare = rng.permutation(len(world.names)), rng.permutation(len(world.paired))
    assert bits_of(world.sums(chosen, bare)) == bits_of(world.sums())


def test_sums_are_sums(world: ManyTopics) -> None:
    """Numbers, totals, squares about the mean, products and highest scores are NumPy's, by kind of topics."""
    found = world.sums().whole()
    twice = np.isin(world.names, world.paired)
    assert {kind: sums.topics for kind, sums in found.items()} == {
        "twice": twice.sum(),
        "once": (~twice).sum(),
        "unscored": len(world.paired) - twice.sum(),
    }
    once = world.scores[:, ~twice]
    assert found["once"].mean[:4] == pytest.approx(once.mean(axis=1), rel=1e-13)
    for one in range(4):
        assert found["once"].squares[one, 4] == pytest.approx(once[one].var() * once.shape[1], rel=1e-12)
        for other in range(4):
            apart = once[one] - once[other]
            assert found["once"].squares[one, other] == pytest.approx(apart.var() * len(apart), rel=1e-12)
    assert found["once"].highest.tolist() == once.max(axis=1).tolist()
    assert found["once"].slopes == pytest.approx(world.slopes[:, :, ~twice].sum(axis=2), rel=1e-12)
    shares = world.pairs.sum(axis=2) / world.pairs.sum(axis=(0, 2))
    second = found["twice"].second + found["unscored"].second
    assert second == pytest.approx(shares.T @ shares, rel=1e-12)


def test_sums_under_signs_and_weights_are_exact(world: ManyTopics) -> None:
    """What is multiplied with signs and weights is cut so short that no order of adding rounds anything."""
    columns = np.concatenate([world.scores[:, :1_500], 1e-9 * world.slopes[0, :, :1_500], np.zeros((1, 1_500))])
    short = cut_columns(columns)
    assert short[:, 0].tolist() == [1.0] * 1_500
    largest = np.abs(columns).max(axis=1, keepdims=True)
    assert (np.abs(short[:, 1:].T - columns) <= largest * 2.0**-36).all()
    keys = name_keys(world.names[:1_500])
    for weights in (hashed_signs(keys, range(40), 0), poisson_weights(keys, range(40), 0)):
        found = weights @ short
        for draw in range(40):
            exact = [math.fsum(weights[draw] * short[:, column]) for column in range(short.shape[1])]
            assert found[draw].tolist() == exact
        order = np.random.default_rng(2).permutation(1_500)
        assert (weights[:, order] @ short[order]).tobytes() == found.tobytes()


def test_more_topics_than_a_block_should_hold() -> None:
    """Where far more topics are judged twice than scored, their blocks are large; fewer digits keep sums exact."""
    columns = np.random.default_rng(5).uniform(-1, 1, (1, 300_000))
    short = cut_columns(columns)[:, 1]
    assert np.abs(short - columns[0]).max() <= 2.0**-30
    weights = np.random.default_rng(6).integers(0, 9, 300_000).astype(float)
    for order in (slice(None), slice(None, None, -1), np.argsort(weights)):
        assert (weights[order] * short[order]).sum() == math.fsum(weights * short)


def test_a_whole_that_lacks_topics_is_refused(world: ManyTopics) -> None:
    """Sums over some of the topics are not taken for those over all."""
    [some] = by_blocks(world, [0, 1, 2, 3])
    with pytest.raises(CallError, match=r"over 2,\d\d\d of 5,000 scored topics"):
        some.whole()


def test_how_many_patterns_and_draws() -> None:
    """As many as asked for while the work is bearable, at least 1,000 then; none for a single pair of runs."""
    plan = plan_sums(5_000, 20, pairs=190, permutations=10_000, draws=1_000, seed=3)
    assert (plan.patterns, plan.draws, plan.seed) == (10_000, 1_000, 3)
    assert plan_sums(5_000, 2, pairs=1, permutations=10_000, draws=1_000, seed=3).patterns == 0
    many = plan_sums(1_000_000, 1_000, pairs=499_500, permutations=10_000, draws=5_000, seed=3)
    assert (many.patterns, many.draws) == (1_000, 2_000)
    assert plan_sums(1_000_000, 1_000, pairs=499_500, permutations=99, draws=5_000, seed=3).patterns == 99
