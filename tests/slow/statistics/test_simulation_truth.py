"""Large simulated collections approach the truth they state, within errors that follow from their size."""

import numpy as np
import pytest

from gainsayer.datasets import (
    FEDWEB13_PAGES,
    JointModel,
    LatentModel,
    RunDesign,
    SecondRound,
    Truth,
    draw_pair_counts,
    simulate_collection,
)

SYMMETRIC = np.array(FEDWEB13_PAGES) + np.array(FEDWEB13_PAGES).T
NO_RUNS = RunDesign((), unjudged=0)
# 32 cells (two estimates of 4 x 4) in each of a few tests: chance alone exceeds 4.5 errors about once in 500 seeds.
ERRORS = 4.5


def pair_counts(collection, topics=None, inclusion=None):
    """J per topic [topics, levels, levels] from the judgments, weighted by 1 / inclusion when given."""
    judgments = collection.judgments
    size = len(collection.levels)
    second = np.isin(judgments.assessor, [judgments.assessors.index(name) for name in collection.second])
    label = np.full((2, judgments.items), -1)
    label[0, judgments.item[~second]] = judgments.level[~second]
    label[1, judgments.item[second]] = judgments.level[second]
    topic = np.zeros(judgments.items, dtype=int)
    topic[judgments.item] = judgments.topic
    both = label[1] >= 0
    weight = np.ones(both.sum()) if inclusion is None else 1 / np.array(list(inclusion.values()))[label[0, both]]
    cell = (topic[both] * size + label[0, both]) * size + label[1, both]
    counts = np.bincount(cell, weight, minlength=len(judgments.topics) * size * size)
    counts = counts.reshape(-1, size, size)
    held = [name in collection.second_topics and (topics is None or name in topics) for name in judgments.topics]
    return counts[np.array(held)]


def ratio_and_error(counts):
    """p(j|i) over all topics and its error with topics as clusters, eq. (24)."""
    row = counts.sum(axis=(0, 2))[:, None]
    ratio = counts.sum(axis=0) / row
    residual = counts - ratio * counts.sum(axis=2, keepdims=True)
    topics = len(counts)
    return ratio, np.sqrt(topics / (topics - 1) * (residual**2).sum(axis=0)) / row


def assert_near(counts, truth):
    """Both estimates lie within `ERRORS` errors over topics; never less than the binomial error of the truth."""
    for matrices, expected in ((counts, truth.one_sided), (counts + counts.transpose(0, 2, 1), truth.symmetric)):
        ratio, error = ratio_and_error(matrices)
        assert np.all(error < 0.05)
        # A cell that is hardly ever met may have no residuals to take an error from.
        least = np.sqrt(expected * (1 - expected) / matrices.sum(axis=(0, 2))[:, None])
        assert np.all(np.abs(ratio - expected) < ERRORS * np.maximum(error, least))


@pytest.mark.parametrize("matrix", [FEDWEB13_PAGES, SYMMETRIC], ids=["lopsided", "symmetric"])
def test_the_joint_model_approaches_its_truth(matrix):
    """One-sided and symmetric estimates over many topics, from a lopsided and a symmetric matrix."""
    collection = simulate_collection(
        JointModel(matrix), topics=1000, documents=60, second=SecondRound(topics=800), runs=NO_RUNS, seed=11
    )
    assert_near(pair_counts(collection), collection.truth)
    expected = np.array(matrix) / np.sum(matrix, axis=1, keepdims=True)
    np.testing.assert_allclose(collection.truth.one_sided, expected)


def test_the_latent_model_approaches_its_truth():
    """With an assessor of its own for each reading of a topic; the shares of the levels are as asked."""
    collection = simulate_collection(
        LatentModel(topic_effect=0.6, leniency=0.5, noise=0.4),
        topics=1000,
        documents=60,
        assessors=2000,
        second=SecondRound(topics=1000),
        runs=NO_RUNS,
        seed=12,
    )
    counts = pair_counts(collection)
    assert_near(counts, collection.truth)
    shares = counts.sum(axis=2) / 60
    error = shares.std(axis=0) / np.sqrt(1000)
    assert np.all(np.abs(shares.mean(axis=0) - LatentModel().shares) < ERRORS * error)


def test_each_stratum_approaches_its_own_truth():
    """Two strata with different noise; the whole approaches the mixture."""
    models = {"nav": LatentModel(leniency=0, noise=0.2), "inf": LatentModel(leniency=0, noise=0.9)}
    collection = simulate_collection(
        models,
        topics=1000,
        documents=60,
        second=SecondRound(topics=1000),
        runs=NO_RUNS,
        strata={"nav": 0.4, "inf": 0.6},
        seed=13,
    )
    for name, truth in collection.stratum_truth.items():
        topics = {topic for topic, stratum in collection.strata.items() if stratum == name}
        assert_near(pair_counts(collection, topics), truth)
    assert_near(pair_counts(collection), collection.truth)
    nav, inf = (collection.stratum_truth[name].symmetric[3, 3] for name in ("nav", "inf"))
    assert nav > inf + 0.2


def test_two_assessors_scatter_around_the_truth_by_their_leniency():
    """However many documents: within a collection the sides differ, over many collections they do not."""
    model = LatentModel((0.5, 0.5), topic_effect=0, leniency=0.5, noise=0.5)
    found = []
    for seed in range(200):
        collection = simulate_collection(
            model, topics=2, documents=2000, second=SecondRound(topics=2), runs=NO_RUNS, seed=seed
        )
        found.append(pair_counts(collection).sum(axis=0) / 4000)
    found = np.array(found)
    assert found[:, 0, 1].std() > 5 * np.sqrt(0.25 * 0.75 / 4000)
    error = found.std(axis=0) / np.sqrt(200)
    assert np.all(np.abs(found.mean(axis=0) - model.distribution()) < ERRORS * error)


def test_a_second_round_by_level_has_the_asked_shares():
    """Of each first level, the asked share is judged again, in the doubly judged topics alone."""
    asked = {"Non": 0.1, "Rel": 0.4, "Key": 1.0}
    collection = simulate_collection(
        JointModel(FEDWEB13_PAGES),
        topics=400,
        documents=100,
        second=SecondRound(topics=300, share=0.7, by_level=asked),
        runs=NO_RUNS,
        seed=14,
    )
    assert collection.inclusion == {"Non": 0.1, "Rel": 0.4, "HRel": 0.7, "Key": 1.0}
    judgments = collection.judgments
    first = (judgments.assessor == 0) & np.isin(
        np.array(judgments.topics)[judgments.topic], list(collection.second_topics)
    )
    judged = np.bincount(judgments.level[first], minlength=4)
    again = pair_counts(collection).sum(axis=(0, 2))
    for share, number, twice in zip(collection.inclusion.values(), judged, again, strict=True):
        assert twice / number == pytest.approx(share, abs=ERRORS * np.sqrt(share * (1 - share) / number) + 1e-12)


def test_weights_repair_the_symmetric_estimate_of_a_second_round_by_level():
    """T6: one-sided stays right, plain symmetric is wrong, symmetric with 1 / inclusion is right."""
    collection = simulate_collection(
        JointModel(SYMMETRIC),
        topics=1500,
        documents=60,
        second=SecondRound(topics=1500, by_level={"Non": 0.1, "Rel": 0.5}),
        runs=NO_RUNS,
        seed=15,
    )
    chosen = np.array(list(collection.inclusion.values()))[:, None] * collection.truth.joint
    plain = Truth.of(chosen / chosen.sum())
    np.testing.assert_allclose(plain.one_sided, collection.truth.one_sided)
    assert plain.symmetric[0, 3] > 4 * collection.truth.symmetric[0, 3]
    assert_near(pair_counts(collection), plain)
    assert_near(pair_counts(collection, inclusion=collection.inclusion), collection.truth)


def test_bare_pair_counts_follow_the_joint_model():
    """Mean counts are pairs times J; the variance of a cell has the intraclass correlation 1 / (concentration + 1)."""
    joint = SYMMETRIC / SYMMETRIC.sum()
    counts = draw_pair_counts(FEDWEB13_PAGES, topics=20, pairs_per_topic=50, repeats=1000, concentration=9, seed=16)
    flat = counts.reshape(-1, 4, 4)
    lopsided = np.array(FEDWEB13_PAGES) / np.sum(FEDWEB13_PAGES)
    error = flat.std(axis=0) / np.sqrt(len(flat))
    assert np.all(np.abs(flat.mean(axis=0) - 50 * lopsided) < ERRORS * error)
    expected = 50 * lopsided * (1 - lopsided) * (1 + 49 / 10)
    large = lopsided > 0.01
    np.testing.assert_allclose(flat.var(axis=0)[large], expected[large], rtol=0.12)
    paired = draw_pair_counts(joint, topics=20, pairs_per_topic=50, repeats=1000, concentration=9, seed=17)
    error = paired.reshape(-1, 4, 4).std(axis=0) / np.sqrt(20000)
    assert np.all(np.abs(paired.mean(axis=(0, 1)) - 50 * joint) < ERRORS * error)


def test_the_default_concentration_gives_the_papers_spread_over_topics():
    """24 topics like FedWeb13's pages: p(Key|Key) and p(Key|HRel) vary by about .06 and .05."""
    counts = draw_pair_counts(FEDWEB13_PAGES, topics=24, pairs_per_topic=293, repeats=2000, seed=18).sum(axis=1)
    both = counts + counts.transpose(0, 2, 1)
    deviation = (both[:, :, 3] / both.sum(axis=2)).std(axis=0)
    # Half a printed digit is .005; 2,000 repeats know a deviation of .06 to .06 / sqrt(4000) = .001, five times.
    assert deviation[3] == pytest.approx(0.06, abs=0.01)
    assert deviation[2] == pytest.approx(0.05, abs=0.01)


def test_the_quality_of_a_run_is_its_correlation_with_what_it_may_know():
    """Two runs of qualities a and b share the signal alone, so their scores correlate by a * b within topics."""
    for model in (LatentModel(), JointModel(SYMMETRIC)):
        runs = simulate_collection(
            model, topics=200, documents=100, runs=RunDesign((0.8, 0.5), depth=1000, unjudged=0), seed=19
        ).runs
        joined = runs["run01"].join(runs["run02"], on=["topic", "document"])
        assert joined.height == 20_000
        found = np.corrcoef(joined["score"], joined["score_right"])[0, 1]
        # The signal is heavy-tailed and shared within topics in the joint model, hence the wider bound there.
        assert found == pytest.approx(0.4, abs=0.03 if isinstance(model, LatentModel) else 0.06)
