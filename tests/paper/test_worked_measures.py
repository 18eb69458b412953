"""A worked example of every plug-in measure, to ten digits, and what the measures must be in limiting cases."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.measures import parse_measure
from gainsayer.ranking import RankedLevels

LEVELS = gs.Levels(("0", "1", "2", "3"))
POOL = {"d1": 3, "d2": 2, "d3": 0, "d4": 1, "d5": 2, "d6": 0, "d7": 3, "d8": 0}
RUN = ["d2", "d3", "d1", "d6", "d4"]
A = gs.Gains(LEVELS, np.array([0.01, 0.04, 0.27, 0.53]), name="prm")
B = gs.Gains(LEVELS, np.array([0.08, 0.46, 0.88, 0.93]), name="prm")

EXPECTED = {
    "NumRel@5": (0.86, 2.43),
    "P@5": (0.172, 0.486),
    "DCG@5": (0.5610901754, 1.6078807963),
    "nDCG@5": (0.4960353600, 0.6396439143),
    "DCG(discount='zipf')@5": (0.4621666667, 1.342),
    "nDCG(discount='zipf')@5": (0.4811730002, 0.6708881853),
    "AP": (0.3123163673, 0.4383888889),
    "RR": (0.4048663510, 0.9198326579),
    "ERR@5": (0.4048663510, 0.9198326579),
    "R@5": (0.5149700599, 0.5625),
    "RBP(p=0.8)": (0.1277408, 0.3537152),
    "Success@5": (0.6771785824, 0.9961607296),
}


def rank(run: list[str], pool: dict[str, int]) -> RankedLevels:
    """One topic: a list of documents beside its labels."""
    hits = [(place, pool[document]) for place, document in enumerate(run, start=1) if document in pool]
    return RankedLevels(
        levels=LEVELS,
        topics=("q",),
        topic=np.zeros(len(hits), np.int32),
        rank=np.array([place for place, _ in hits], np.int32),
        level=np.array([level for _, level in hits], np.int16),
        retrieved=np.array([len(run)]),
        present=np.array([True]),
        pool=np.bincount(list(pool.values()), minlength=4)[None],
    )


@pytest.mark.parametrize("name", EXPECTED)
def test_worked_example(name: str) -> None:
    """Eight judged documents, five retrieved, two sets of parameters: every plug-in value to ten digits."""
    measure = parse_measure(name)
    found = [float(measure.score(rank(RUN, POOL), gains)[0]) for gains in (A, B)]
    assert found == pytest.approx(EXPECTED[name], abs=5e-11)


def test_binary_measures_of_the_example() -> None:
    """Binary nDCG for both thresholds and discounts, and the binary count."""
    for threshold, log, zipf, count in (("3", 0.3065735964, 0.2222222222, 1), ("1", 0.6399453854, 0.6715328467, 3)):
        gains = gs.gains.binary_gains(LEVELS, LEVELS.at_or_above(threshold))
        ranked = rank(RUN, POOL)
        assert parse_measure("nDCG@5").score(ranked, gains)[0] == pytest.approx(log, abs=5e-11)
        assert parse_measure("nDCG(discount='zipf')@5").score(ranked, gains)[0] == pytest.approx(zipf, abs=5e-11)
        assert parse_measure("NumRel").score(ranked, gains)[0] == count


@pytest.mark.parametrize(
    "name", ["NumRel@5", "P@5", "DCG@5", "DCG(discount='zipf')@5", "RBP(p=0.8)", "RR", "Success@5"]
)
def test_prm_gains_give_the_mean_over_users(name: str) -> None:
    """Summed over all 2^8 ways users may judge the documents, the binary measure has the PRM value as its mean."""
    documents = list(POOL)
    measure = parse_measure(name)
    binary = gs.gains.binary_gains(LEVELS, LEVELS.at_or_above("3"))
    for gains in (A, B):
        total = 0.0
        for views in product((0, 1), repeat=len(documents)):
            chance = np.prod(
                [
                    gains.values[POOL[document]] if view else 1 - gains.values[POOL[document]]
                    for document, view in zip(documents, views, strict=True)
                ]
            )
            seen = {document: 3 * view for document, view in zip(documents, views, strict=True)}
            total += float(chance) * float(measure.score(rank(RUN, seen), binary)[0])
        assert measure.score(rank(RUN, POOL), gains)[0] == pytest.approx(total, abs=1e-12)


@pytest.mark.parametrize("name", [*EXPECTED, "Q", "Rprec", "nDCG", "CG@3"])
def test_without_disagreement_the_prm_is_binary(name: str) -> None:
    """p(R|i) = 1 for relevant levels and 0 for the others gives every binary measure exactly."""
    for threshold in ("1", "2", "3"):
        relevance = LEVELS.at_or_above(threshold)
        sure = gs.Gains(LEVELS, relevance.indicator, name="prm")
        binary = gs.gains.binary_gains(LEVELS, relevance)
        measure = parse_measure(name)
        assert measure.score(rank(RUN, POOL), sure)[0] == measure.score(rank(RUN, POOL), binary)[0]


def test_random_labels_give_every_list_the_same() -> None:
    """Where all levels have the same probability, all lists of judged documents of one length score the same."""
    flat = gs.Gains(LEVELS, np.full(4, 0.3), name="prm")
    for name in ("NumRel@5", "DCG@5", "nDCG@5", "AP", "RR"):
        scores = {
            round(float(parse_measure(name).score(rank(run, POOL), flat)[0]), 12)
            for run in (RUN, ["d7", "d8", "d1", "d4", "d6"])
        }
        assert len(scores) == 1


def test_affine_identity_of_binary_labels() -> None:
    """On binary labels and a judged top k: DCG_PRM = p(R|0) sum c(r) + (p(R|1) - p(R|0)) DCG_bin."""
    pool = {document: 3 * (level > 1) for document, level in POOL.items()}
    gains = gs.Gains(LEVELS, np.array([0.1, 0.5, 0.5, 0.7]), name="prm")
    measure = parse_measure("DCG@5")
    binary = measure.score(rank(RUN, pool), gs.gains.binary_gains(LEVELS, LEVELS.at_or_above("3")))[0]
    constant = sum(1 / np.log2(place + 1) for place in range(1, 6))
    assert measure.score(rank(RUN, pool), gains)[0] == pytest.approx(0.1 * constant + 0.6 * binary)


def test_draws_on_the_first_axis_equal_one_by_one() -> None:
    """A stack of gain vectors gives the scores of each vector, also where the ideal order differs between them."""
    rng = np.random.default_rng(3)
    stack = rng.random((40, 4))
    for name in ("nDCG@5", "DCG", "AP", "RR", "ERR", "Success@3", "Rprec", "Q", "R@4", "P@5", "RBP"):
        measure = parse_measure(name)
        together = measure.score(rank(RUN, POOL), gs.Gains(LEVELS, stack, name="prm"))
        apart = [measure.score(rank(RUN, POOL), gs.Gains(LEVELS, gains, name="prm")) for gains in stack]
        np.testing.assert_allclose(together, apart, rtol=1e-12)


def test_ideal_is_sorted_by_gain_not_level() -> None:
    """With probabilities out of order, the perfect list by gain scores 1, that by level does not (T7)."""
    gains = gs.Gains(LEVELS, np.array([0.1, 0.2, 0.6, 0.4]), name="prm")
    by_gain = sorted(POOL, key=lambda document: -gains.values[POOL[document]])
    by_level = sorted(POOL, key=lambda document: -POOL[document])
    measure = parse_measure("nDCG@5")
    assert measure.score(rank(by_gain, POOL), gains)[0] == pytest.approx(1.0)
    assert measure.score(rank(by_level, POOL), gains)[0] < 0.99


def test_unjudged_documents_have_their_own_gain() -> None:
    """An unjudged document is worth 0 by default and what its policy says otherwise, in all measures (T5)."""
    run = ["x1", "d2", "x2", "d1"]
    for name in ("DCG@4", "AP", "RR", "NumRel@3"):
        measure = parse_measure(name)
        plain = measure.score(rank(run, POOL), A)[0]
        given = measure.score(rank(run, POOL), gs.Gains(LEVELS, A.values, unjudged=0.2, name="prm"))[0]
        # The same as if the unjudged ones had been judged with a level of that gain, outside the pool.
        five = gs.Levels(("0", "1", "2", "3", "4"))
        extended = dict(POOL) | {"x1": 4, "x2": 4}
        ranked = rank(run, POOL)
        hits = [(place, extended[document]) for place, document in enumerate(run, start=1)]
        full = RankedLevels(
            five,
            ("q",),
            np.zeros(4, np.int32),
            np.array([place for place, _ in hits], np.int32),
            np.array([level for _, level in hits], np.int16),
            ranked.retrieved,
            ranked.present,
            np.append(ranked.pool, [[0]], axis=1),
        )
        expected = measure.score(full, gs.Gains(five, np.append(A.values, 0.2), name="prm"))[0]
        assert given == pytest.approx(expected, abs=1e-12)
        assert given > plain
