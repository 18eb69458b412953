"""nDCG from drawn documents, against two other codes' numbers, enumeration, and what must hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import poisson

from gainsayer.machines import RankWeights, Sample, guess_worth, rectify_ndcg
from gainsayer.machines.ndcg import NODES, PRIOR, RectifiedNdcg, inverse_ideals
from gainsayer.measures import log_discount, running_discount

TOPICS, DOCUMENTS, DEPTH = 12, 10, 3
TOPIC, DOCUMENT = (part.ravel() for part in np.meshgrid(np.arange(TOPICS), np.arange(DOCUMENTS), indexing="ij"))
GRADE = (TOPIC + 2 * DOCUMENT) % 3
LIKED = (np.array([1, 4, 7])[GRADE] + 3 * (TOPIC % 3) - 3 > (7 * TOPIC + 5 * DOCUMENT + TOPIC * DOCUMENT) % 11).astype(
    float
)
DRAWN = (TOPIC + DOCUMENT) % 2 == 0
CHANCE, GAIN = np.array([0.25, 0.5, 0.75])[GRADE], np.array([0.2, 0.4, 0.7])[GRADE]
RANKS = np.stack([(3 * DOCUMENT + TOPIC) % 10, (3 * DOCUMENT + TOPIC + 1) % 10])
WEIGHTS = np.where(RANKS < DEPTH, 1 / np.log2(RANKS + 2.0), 0.0)
TOP = np.flatnonzero(WEIGHTS.any(axis=0))


def drawn_sample(*, whole: bool = False) -> Sample:
    """The twelve topics, half of the documents judged, or all of them."""
    told, chance = (LIKED, np.ones(len(LIKED))) if whole else (np.where(DRAWN, LIKED, np.nan), CHANCE)
    return Sample(TOPIC, GRADE, told, chance, np.ones(TOPICS, bool), 3, "documents")


def estimate(sample: Sample) -> RectifiedNdcg:
    """nDCG@3 of both runs."""
    weights = RankWeights(TOP, WEIGHTS[:, TOP])
    return rectify_ndcg(weights, sample, GAIN, discount=log_discount, depth=DEPTH)


def test_the_collection_is_the_one_meant() -> None:
    """60 labels, 21 of them relevant; so many relevant documents by topic; 72 documents in no top."""
    assert (int(DRAWN.sum()), int(LIKED[DRAWN].sum())) == (60, 21)
    assert np.bincount(TOPIC, LIKED).astype(int).tolist() == [1, 3, 4, 1, 3, 6, 0, 3, 7, 1, 3, 7]
    assert len(TOPIC) - len(TOP) == 72


def test_the_model_of_labels_agrees_with_two_other_codes() -> None:
    """Its maximum, by matrices and L-BFGS-B as by plain loops and Nelder-Mead."""
    model = estimate(drawn_sample()).model
    assert model.coefficients == pytest.approx(
        [-2.688474071, -1.008343945, 0.914442082, 0.104827753, 0.066895964], abs=1e-7
    )
    assert model.sigma == pytest.approx(1.079826869, abs=1e-7)
    assert model.loss == pytest.approx(28.482273635, abs=1e-7)


def test_scores_and_their_variance_agree_with_two_other_codes() -> None:
    """nDCG@3, and the three parts of its variance, of scores and of their difference."""
    found = estimate(drawn_sample())
    assert found.by_topic.mean(axis=1) == pytest.approx([0.241156565, 0.389066701], abs=1e-8)
    parts = {
        "seen": ([0.092408456, 0.051536240], 0.053378401),
        "expected": ([0.093494708, 0.052417960], 0.054159793),
        "open": ([0.021642084, 0.018935689], 0.013760086),
    }
    for name, (own, apart) in parts.items():
        matrix = getattr(found, name)
        assert np.sqrt(np.diagonal(matrix)) == pytest.approx(own, abs=1e-8), name
        assert np.sqrt(matrix[0, 0] + matrix[1, 1] - 2 * matrix[0, 1]) == pytest.approx(apart, abs=1e-8), name


def test_judged_wholly_it_is_exact_whatever_the_model_says() -> None:
    """People's nDCG of each topic, 0 where nothing is relevant, and no variance."""
    found = estimate(drawn_sample(whole=True))
    assert found.by_topic.mean(axis=1) == pytest.approx([0.432697692, 0.355446720], abs=1e-8)
    discount = 1 / np.log2(np.arange(DEPTH) + 2.0)
    for topic in range(TOPICS):
        here = topic == TOPIC
        ideal = max(float((np.sort(LIKED[here])[::-1][:DEPTH] * discount).sum()), 1e-300)
        assert found.by_topic[:, topic] == pytest.approx(WEIGHTS[:, here] @ LIKED[here] / ideal)
    assert max(np.abs(part).max() for part in (found.seen, found.expected, found.open)) < 1e-15
    assert found.moved == 0


def by_hand(found: RectifiedNdcg, document: int) -> tuple[float, float, float]:
    """w, p and slope of a document from the fitted model, with scipy's Poisson and plain loops over nodes."""
    worth = inverse_ideals(running_discount(log_discount, np.arange(DEPTH + 1)))
    cells = [cell_of(other) for other in range(len(TOPIC))]
    p = 1 / (1 + np.exp(-(found.model.logit[:, None] + found.model.sigma * NODES)))
    counts = np.arange(200)
    sums = np.zeros(5)  # of the law given the others: all, p, p w(1 + N), w(1 + N) - w(N); of that given all: slope
    total = 0.0
    for node in range(len(NODES)):
        likely, mean, liked = PRIOR[node], 0.0, 0
        for other in np.flatnonzero(TOPIC[document] == TOPIC).tolist():
            chance = p[cells[other], node]
            if other == document:
                own = chance
            elif DRAWN[other]:
                likely *= chance if LIKED[other] else 1 - chance
                liked += int(LIKED[other])
            else:
                mean += chance
        law = poisson.pmf(counts, mean)
        one, none = ((law * worth[np.minimum(liked + more + counts, DEPTH)]).sum() for more in (1, 0))
        sums[:4] += likely * np.array([1, own, own * one, one - none])
        if DRAWN[document]:
            here, now = (own, liked + 1) if LIKED[document] else (1 - own, liked)
            step = [worth[np.minimum(now + more + counts, DEPTH)] for more in (1, 0)]
            sums[4] += likely * here * (law * (step[0] - step[1])).sum()
            total += likely * here
    before = sums[3] / sums[0]
    slope = (before + sums[4] / total) / 2 if DRAWN[document] else before
    return float(sums[2] / sums[1]), float(sums[1] / sums[0]), float(slope)


def cell_of(document: int) -> int:
    """5 grade + class of a document, by hand: its quarter among those in tops, by mean square weight."""
    size = np.round((WEIGHTS**2).mean(axis=0), 12)
    if size[document] == 0:
        return int(5 * GRADE[document])
    smaller = int((size[TOP] < size[document]).sum())
    return int(5 * GRADE[document] + 1 + 4 * smaller // len(TOP))


def test_documents_of_the_first_topic_agree_with_two_other_codes() -> None:
    """w, p and slope of four documents, which a plain loop over documents and nodes gives from the fitted model."""
    found = estimate(drawn_sample())
    worth, chance, slope = zip(*(by_hand(found, document) for document in range(4)), strict=True)
    assert worth == pytest.approx([0.629487868, 0.762010708, 0.629487868, 0.638596319], abs=1e-8)
    assert chance == pytest.approx([0.037590221, 0.506171506, 0.175449252, 0.034455320], abs=1e-8)
    assert slope == pytest.approx([-0.154169473, -0.138140040, -0.153910326, -0.154912247], abs=1e-8)


def test_a_guess_of_the_ideal_before_anybody_judged() -> None:
    """E[w(R)] and E[w(R) - w(R + 1)] by enumeration of Poisson counts."""
    ideals = running_discount(log_discount, np.arange(DEPTH + 1))
    worth, gains, sizes = inverse_ideals(ideals), np.array([0.1, 0.6]), np.array([[4.0, 2.0], [0.0, 0.0]])
    expected, step = guess_worth(gains, sizes, ideals)
    chance = 1 / (1 + np.exp(-(np.log(gains / (1 - gains))[:, None] + 1.5 * NODES)))
    counts = np.arange(100)
    law = np.array([poisson.pmf(counts, mean) for mean in (sizes @ chance)[0]])
    at = [worth[np.minimum(counts + more, DEPTH)] for more in (0, 1)]
    assert expected == pytest.approx([PRIOR @ law @ at[0], 1.0])
    assert step[0] == pytest.approx(PRIOR @ law @ (at[0] - at[1]))


def test_the_order_of_topics_and_documents_does_not_matter() -> None:
    """Topics turned round give the same scores, topic by topic, and the same variance."""
    sample, back = drawn_sample(), np.argsort(TOPICS - 1 - TOPIC, kind="stable")
    turned = replace(sample, grade=GRADE[back], relevant=sample.relevant[back], probability=sample.probability[back])
    weights = WEIGHTS[:, back]
    top = np.flatnonzero(weights.any(axis=0))
    found = rectify_ndcg(RankWeights(top, weights[:, top]), turned, GAIN[back], discount=log_discount, depth=DEPTH)
    plain = estimate(sample)
    assert found.by_topic[:, ::-1] == pytest.approx(plain.by_topic, abs=1e-6)
    assert found.seen == pytest.approx(plain.seen, abs=1e-7)
