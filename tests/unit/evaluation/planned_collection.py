"""First labels and second opinions of one small world, as dicts: what the tests of plans share."""

from __future__ import annotations

import numpy as np

Labels = dict[str, dict[str, int]]
TOPICS, DOCUMENTS = 30, 30
TRUTH = np.array([0.15, 0.45, 0.75])


def draw_labels(seed: int = 1) -> tuple[Labels, Labels]:
    """First labels 0, 1, 2, the lower the more frequent; a second opinion of every document."""
    generator = np.random.default_rng(seed)
    first: Labels = {}
    second: Labels = {}
    for topic in range(TOPICS):
        level = generator.choice(3, DOCUMENTS, p=[0.6, 0.25, 0.15])
        shift = generator.normal(0, 0.8)
        chance = 1 / (1 + np.exp(-(np.log(TRUTH / (1 - TRUTH)) + shift)))
        likes = generator.random(DOCUMENTS) < chance[level]
        first[f"q{topic:02}"] = {f"d{place}": int(value) for place, value in enumerate(level)}
        said = np.where(likes, 2, generator.integers(0, 2, DOCUMENTS))
        second[f"q{topic:02}"] = {f"d{place}": int(value) for place, value in enumerate(said)}
    return first, second


def answer(second: Labels, rows: list[tuple[str, ...]], batch: int = 99) -> Labels:
    """The second opinions that a list asks for, up to a batch."""
    found: Labels = {}
    for topic, document, number, *_ in rows:
        if int(number) <= batch:
            found.setdefault(topic, {})[document] = second[topic][document]
    return found
