"""The small collections of whole-number formulas that the expected values of these tests were computed on elsewhere."""

from __future__ import annotations

import numpy as np

from gainsayer.machines import Opinions, RankWeights, Sample
from gainsayer.ranking import FloatArray

TOPICS, DOCUMENTS, RUNS = 20, 7, 3
TOPIC, DOCUMENT = np.meshgrid(np.arange(TOPICS), np.arange(DOCUMENTS), indexing="ij")
GRADE = (3 * TOPIC + 5 * DOCUMENT + (TOPIC * DOCUMENT % 3)) % 4
HUMAN = (GRADE + (5 * TOPIC + 7 * DOCUMENT + TOPIC * DOCUMENT) % 4 >= 4).astype(float)
RANK = np.array([((run + 1) * DOCUMENT + TOPIC + run) % 7 for run in range(RUNS)])  # from 0
CHANCE = np.array([0.25, 0.5, 0.5, 1.0])[GRADE]
EVERY = np.arange(TOPIC.size)


def as_weights(weights: FloatArray) -> RankWeights:
    """W of all documents of a pool."""
    return RankWeights(np.arange(weights.shape[1]), weights)


def dcg_weights(rank: np.ndarray, depth: int = 3) -> FloatArray:
    """DCG by ranks from 0, [runs, topics, documents] in, [runs, all documents] out."""
    return np.where(rank < depth, 1 / np.log2(rank + 2.0), 0.0).reshape(len(rank), -1)


WEIGHTS = dcg_weights(RANK)


def rank_ten_runs() -> np.ndarray:
    """Ranks from 0 of ten runs, each of which sorts documents by a key of its own; [runs, topics, documents]."""
    ranks = []
    for run in range(10):
        key = ((run + 2) * DOCUMENT**2 + 3 * DOCUMENT * run + TOPIC * run + DOCUMENT) % 11
        ranks.append(np.argsort(np.argsort(key * 100 + DOCUMENT, axis=1), axis=1))
    return np.array(ranks)


def ten_runs() -> FloatArray:
    """DCG@3 of these ten runs."""
    return dcg_weights(rank_ten_runs())


def whole_topics() -> Sample:
    """Every other topic judged by people."""
    seen = np.arange(TOPICS) % 2 == 0
    told = np.where(seen[:, None], HUMAN, np.nan)
    return Sample(TOPIC.ravel(), GRADE.ravel(), told.ravel(), np.ones(TOPIC.size), seen, 4, "topics")


def drawn_documents() -> np.ndarray:
    """Which of the documents people judged; shape [topics, documents]."""
    return np.asarray((3 * TOPIC + 2 * DOCUMENT + TOPIC * DOCUMENT) % 4 < 4 * CHANCE)


def some_documents() -> Sample:
    """79 documents judged, in all topics that happen to have one."""
    told = np.where(drawn_documents(), HUMAN, np.nan)
    return Sample(TOPIC.ravel(), GRADE.ravel(), told.ravel(), CHANCE.ravel(), np.ones(TOPICS, bool), 4, "documents")


def people_sample() -> Sample:
    """The same documents judged by four people in turn, every other document by two of them."""
    drawn = drawn_documents().ravel()
    topic, document, grade = TOPIC.ravel(), DOCUMENT.ravel(), GRADE.ravel()
    second = (grade + (5 * topic + 7 * document + topic * document + 1) % 4 >= 4).astype(float)
    twice = drawn & (document % 2 == 0)
    place = np.concatenate([np.flatnonzero(drawn), np.flatnonzero(twice)])
    person = np.concatenate([((topic + document) % 4)[drawn], ((topic + document + 1) % 4)[twice]])
    satisfied = np.concatenate([HUMAN.ravel()[drawn], second[twice]])
    times = np.bincount(place, minlength=len(topic))
    told = np.full(len(topic), np.nan)
    told[drawn] = np.bincount(place, satisfied, minlength=len(topic))[drawn] / times[drawn]
    opinions = Opinions(place, person, satisfied, ("a", "b", "c", "d"))
    return Sample(topic, grade, told, CHANCE.ravel(), np.ones(TOPICS, bool), 4, "documents", opinions)
