"""Linear measures, against walks down the ranks."""

from __future__ import annotations

import numpy as np
import pytest
from tests.scoring.level_lists import LEVELS, PRM, PRM_UNJUDGED, Entry, draw_lists, gain_of

from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.measures import (
    discounted_gain,
    f1,
    judged_share,
    normalised_gain,
    parse_measure,
    precision,
    rank_biased_precision,
    recall,
    relative_set_precision,
    relevant_count,
    retrieved_count,
    set_f,
    set_precision,
    unjudged_share,
)
from gainsayer.ranking import ranked_from_lists

SEEDS = range(4)
STACK = np.array([[0.1, 0.45, 0.8], [0.6, 0.2, 0.3]])


def walk(entries: list[Entry], depth: int | None, discount: object = None) -> float:
    """The sum of discounted gains down to the depth."""
    weigh = discount if callable(discount) else lambda r: 1.0
    return sum(weigh(r) * gain_of(entry, PRM_UNJUDGED) for r, entry in enumerate(entries[:depth], start=1))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("depth", [None, 1, 4])
def test_gains_precision_recall_and_f1(seed: int, depth: int | None) -> None:
    """CG, P over k, SetP over what was retrieved, R over the pool, F1 = 2 found / (k + pool), and SetF."""
    case = draw_lists(seed)
    ranked, gains = case.ranked, PRM_UNJUDGED
    for topic, (entries, pool) in enumerate(case.topics()):
        found = walk(entries, depth)
        there = float(np.dot(pool, gains.values))
        assert discounted_gain(depth=depth).score(ranked, gains)[topic] == pytest.approx(found)
        assert recall(depth=depth).score(ranked, gains)[topic] == pytest.approx(found / there)
        if depth is not None:
            assert precision(depth=depth).score(ranked, gains)[topic] == pytest.approx(found / depth)
            assert f1(depth=depth).score(ranked, gains)[topic] == pytest.approx(2 * found / (depth + there))
            continue
        length = len(entries)
        assert set_precision().score(ranked, gains)[topic] == pytest.approx(found / length if length else 0.0)
        best = min(length, there)
        assert relative_set_precision().score(ranked, gains)[topic] == pytest.approx(found / best if best else 0.0)
        assert set_f(beta=3.0).score(ranked, gains)[topic] == pytest.approx(4 * found / (length + 3 * there))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("depth", [None, 3])
def test_normalised_gain(seed: int, depth: int | None) -> None:
    """DCG over that of the pool's documents sorted by gain; 0 where the ideal is 0; unjudged ones are in no ideal."""
    case = draw_lists(seed)
    found = normalised_gain(depth=depth).score(case.ranked, PRM)
    for topic, (entries, pool) in enumerate(case.topics()):
        best = sorted((PRM.values[level] for level in range(3) for _ in range(pool[level])), reverse=True)
        ideal = sum(g / np.log2(r + 1) for r, g in enumerate(best[:depth], start=1))
        dcg = sum(gain_of(entry, PRM) / np.log2(r + 1) for r, entry in enumerate(entries[:depth], start=1))
        assert found[topic] == pytest.approx(dcg / ideal)


@pytest.mark.parametrize("p", [0.5, 0.8])
@pytest.mark.parametrize("depth", [None, 3])
def test_rank_biased_precision(p: float, depth: int | None) -> None:
    """(1 - p) sum of p^(r - 1) gains."""
    case = draw_lists(5)
    found = rank_biased_precision(p=p, depth=depth).score(case.ranked, PRM_UNJUDGED)
    for topic, (entries, _) in enumerate(case.topics()):
        assert found[topic] == pytest.approx(walk(entries, depth, lambda r: (1 - p) * p ** (r - 1)))


@pytest.mark.parametrize(
    "name",
    [
        *("NumRel", "NumRel@3", "CG@4", "P@1", "P@5", "R", "R@3", "DCG@3", "DCG(discount='zipf')", "nDCG", "nDCG@3"),
        *("nDCG(discount='none')@4", "RBP", "RBP(p=0.5)@4", "P(users='independent')@5", "RBP(users=0.3)"),
        *("F1@3", "SetP", "SetRelP", "SetF(beta=2)", "SetP(users=0.3)"),
    ],
)
@pytest.mark.parametrize("unjudged", [0.0, 0.07])
def test_profile_gains_and_divisor_make_the_measure(name: str, unjudged: float) -> None:
    """For every draw of the gains, unjudged documents included."""
    case, measure = draw_lists(7), parse_measure(name)
    linear = measure.linear
    assert linear is not None
    profile = linear.profile(case.ranked)
    divisor = np.ones((2, 6)) if linear.divisor is None else linear.divisor(case.ranked, STACK)
    for draw in range(2):
        gains = Gains(LEVELS, STACK[draw], unjudged)
        total = profile @ np.append(STACK[draw], unjudged)
        expected = measure.score(case.ranked, gains)
        assert np.divide(total, divisor[draw], out=np.zeros(6), where=divisor[draw] > 0) == pytest.approx(expected)


@pytest.mark.parametrize(
    "name", ["AP", "RR", "Rprec", "Q", "ERR", "SetAP", "F1(users=0.2)@3", "R(users='independent')", "nDCG(users=0.2)@5"]
)
def test_other_measures_are_not_linear(name: str) -> None:
    """Neither those that look at pairs of documents, nor an expected ratio, which is no ratio of expected values."""
    assert parse_measure(name).linear is None


@pytest.mark.parametrize("depth", [None, 1, 3, 50])
@pytest.mark.parametrize("seed", range(3))
def test_shares_of_judged_documents(seed: int, depth: int | None) -> None:
    """Judged: of those returned, down to the depth; Unjudged: over the depth, whatever was returned."""
    case = draw_lists(seed)
    ranked = case.ranked
    for topic, (entries, pool) in enumerate(case.topics()):
        top = entries[:depth]
        unseen = top.count(None)
        expected = (len(top) - unseen) / len(top) if top else 0.0
        assert judged_share(ranked, PRM, depth=depth)[topic] == pytest.approx(expected)
        assert retrieved_count(ranked, PRM)[topic] == len(entries)
        assert relevant_count(ranked, PRM)[topic] == pytest.approx(np.dot(pool, PRM.values))
        if depth is not None:
            assert unjudged_share(ranked, PRM, depth=depth)[topic] == pytest.approx(unseen / depth)


def test_negative_codes_are_in_the_pool_but_not_judged() -> None:
    """As in trec_eval's qrels: one of level -1 and one unjudged of four."""
    levels = Levels(("-1", "0", "1"))
    ranked = ranked_from_lists({"q": [0, 1, None, 2]}, {"q": [1, 1, 1]}, levels=levels)
    gains = Gains(levels, np.array([0.0, 0.0, 1.0]))
    assert unjudged_share(ranked, gains, depth=4).tolist() == [0.5]
    assert judged_share(ranked, gains, depth=4).tolist() == [0.75]
