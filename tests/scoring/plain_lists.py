"""A second reading of how runs meet judgments: dicts, loops and Python's own sorting."""

from __future__ import annotations

import random

Scores = dict[str, dict[str, float]]
Labels = dict[str, dict[str, int]]
NAMES = ("a", "b", "B", "é", "zz", "z", "10", "9", "ab", "a-b", "\uff41", "\U0001f600")


def order(scores: dict[str, float]) -> list[str]:
    """Documents by score descending, then by their bytes descending."""
    by_name = sorted(scores, key=str.encode, reverse=True)
    return sorted(by_name, key=lambda name: -scores[name])


def random_run(generator: random.Random, topics: int = 5) -> Scores:
    """Lists of different lengths with many equal scores."""
    return {
        f"q{topic}": {name: float(generator.randrange(4)) for name in generator.sample(NAMES, generator.randint(1, 9))}
        for topic in range(topics)
    }


def random_labels(generator: random.Random, topics: int = 5) -> Labels:
    """Some documents of some topics, levels 0 to 2; topics that a run lacks, and documents that it lacks."""
    return {
        f"q{topic}": {name: generator.randrange(3) for name in generator.sample(NAMES, generator.randint(1, 8))}
        for topic in range(1, topics + 1)
    }
