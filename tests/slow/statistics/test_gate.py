"""How often the gate stops a run that is as good as the one in production: the figures of the how-to page.

python tests/slow/statistics/test_gate.py 500      prints them
"""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest

import gainsayer as gs

CANDIDATES = 5
LIMITS = (0.9, 0.95, 0.99)
REPEATS = 1000 if os.environ.get("GAINSAYER_SLOW") else 60


def probabilities(
    seed: int, *, topics: int, measures: list[str], margin: float | None, gains: str = "prm", loss: float = 0.0
) -> np.ndarray:
    """How probable it is that each of five runs is worse than the baseline, all of which are equally good."""
    qualities = {"prod": 0.7} | {f"new{n}": 0.7 - loss for n in range(CANDIDATES)}
    twin = gs.simulate(topics=topics, documents=40, levels="0,1,2,3", runs=qualities, depth=20, seed=seed)
    # Every run as a data frame with the columns topic, document and score.
    table = gs.compare(
        twin.judgments, dict(twin.runs), measures, threshold=2, gains=gains, baseline="prod", margin=margin, resamples=2
    )
    return np.array([gate.confidence for gate in table.gates(0.9)])


@pytest.mark.slow
def test_equal_systems_trip_the_gate_as_often_as_its_limit_says() -> None:
    """At 0.9 a run that is as good as the baseline is stopped in one of ten builds; with a margin almost never."""
    found = np.stack([probabilities(seed, topics=30, measures=["nDCG@10"], margin=None) for seed in range(REPEATS)])
    rate = float((found > 0.9).mean())
    # Five candidates share a baseline; their mean has at most the variance of one.
    assert rate == pytest.approx(0.1, abs=4 * np.sqrt(0.1 * 0.9 / REPEATS))
    some = np.stack([probabilities(seed, topics=30, measures=["nDCG@10"], margin=0.05) for seed in range(REPEATS // 4)])
    assert float((some > 0.9).mean()) < 0.05


def main(repeats: int) -> None:
    """Print the figures."""
    for topics in (25, 50, 100):
        for measures in (["nDCG@10"], ["nDCG@10", "AP", "P@10"]):
            for margin in (None, 0.01, 0.02):
                if len(measures) > 1 and (margin is not None or topics != 50):
                    continue
                found = np.stack(
                    [probabilities(seed, topics=topics, measures=measures, margin=margin) for seed in range(repeats)]
                )
                one = " ".join(f"{(found > limit).mean():.3f}" for limit in LIMITS)
                some = " ".join(f"{(found > limit).any(axis=1).mean():.3f}" for limit in LIMITS)
                print(topics, len(measures), margin, "one:", one, "any of five:", some, flush=True)
    for loss in (0.02, 0.05, 0.1):
        for margin in (None, 0.01):
            found = np.stack(
                [
                    probabilities(seed, topics=50, measures=["nDCG@10"], margin=margin, loss=loss)
                    for seed in range(repeats // 4)
                ]
            )
            print("loss", loss, margin, " ".join(f"{(found > limit).mean():.3f}" for limit in LIMITS), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
