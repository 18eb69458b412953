"""The small collection of whole-number formulas that the expected values of these tests were computed on elsewhere."""

from __future__ import annotations

import numpy as np

from gainsayer.machines import Sample

TOPICS, DOCUMENTS, RUNS = 20, 7, 3
TOPIC, DOCUMENT = np.meshgrid(np.arange(TOPICS), np.arange(DOCUMENTS), indexing="ij")
GRADE = (3 * TOPIC + 5 * DOCUMENT + (TOPIC * DOCUMENT % 3)) % 4
HUMAN = (GRADE + (5 * TOPIC + 7 * DOCUMENT + TOPIC * DOCUMENT) % 4 >= 4).astype(float)
RANK = np.array([((run + 1) * DOCUMENT + TOPIC + run) % 7 for run in range(RUNS)])  # from 0
WEIGHTS = np.where(RANK < 3, 1 / np.log2(RANK + 2.0), 0.0).reshape(RUNS, -1)  # DCG@3
CHANCE = np.array([0.25, 0.5, 0.5, 1.0])[GRADE]


def whole_topics() -> Sample:
    """Every other topic judged by people."""
    seen = np.arange(TOPICS) % 2 == 0
    told = np.where(seen[:, None], HUMAN, np.nan)
    return Sample(TOPIC.ravel(), GRADE.ravel(), told.ravel(), np.ones(TOPIC.size), seen, 4)


def some_documents() -> Sample:
    """79 documents judged, in all topics that happen to have one."""
    drawn = (3 * TOPIC + 2 * DOCUMENT + TOPIC * DOCUMENT) % 4 < 4 * CHANCE
    told = np.where(drawn, HUMAN, np.nan)
    return Sample(TOPIC.ravel(), GRADE.ravel(), told.ravel(), CHANCE.ravel(), np.ones(TOPICS, bool), 4)
