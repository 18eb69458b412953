"""Parameters for a topic from other topics: no topic is scored with gains that its own pairs have made (T17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.counts.pair_counts import FloatArray
from gainsayer.disagreement.estimate import Disagreement
from gainsayer.errors import DataError


@dataclass(frozen=True, eq=False)
class FittedMatrices:
    """p(j|i), and which of several a topic is scored with.

    Args:
        matrices: shape [draws, levels, levels]; one per fold, the last one from all topics.
        place: topic to its matrix; a topic without pairs has the last one.
        topics: how many topics hold the pairs.
    """

    matrices: FloatArray
    place: dict[str, int]
    topics: int

    def choose(self, topics: Sequence[str]) -> npt.NDArray[np.int64]:
        """The matrix of each topic."""
        last = len(self.matrices) - 1
        return np.array([self.place.get(topic, last) for topic in topics], dtype=np.int64)


def fit_matrices(
    disagreement: Disagreement, held: npt.NDArray[np.bool_], *, folds: int | None = None, seed: int = 0
) -> FittedMatrices:
    """p(j|i) from the `held` topics; with `folds`, for each part of them from the other parts.

    Topics are dealt into parts at random; where there are fewer topics than folds, each is a part of its own. A topic
    without pairs has had no say in the estimate, and takes that of all topics.

    Args:
        disagreement: the way of estimating, and the pairs of all topics.
        held: which of its topics count, shape [topics].
        folds: how many parts; None for one estimate from all of them.
        seed: of the dealing.

    Raises:
        DataError: there are folds, and fewer than two topics hold pairs.

    >>> from gainsayer.counts.pair_counts import PairCounts
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> from gainsayer.levels import Levels
    >>> counts = PairCounts.from_matrix(Levels(("0", "1")), [[[3, 1], [0, 4]], [[1, 3], [0, 4]]], topics=["a", "b"])
    >>> fitted = fit_matrices(estimate_disagreement(counts, estimator="one-sided"), np.ones(2, bool), folds=2)
    >>> fitted.matrices[fitted.choose(["a", "b", "c"]), 0, 1].tolist()
    [0.75, 0.25, 0.5]
    """
    pairs = disagreement.pairs[held]
    topics = [name for name, keep in zip(disagreement.counts.topics, held, strict=True) if keep]
    whole = disagreement.apply(pairs.sum(axis=0))[None]
    if folds is None:
        return FittedMatrices(whole, {}, len(topics))
    if len(topics) < 2:
        raise DataError(
            f"Cross-fitting takes a topic's parameters from other topics, but {len(topics)} topic holds pairs. Fit one "
            "estimate to all topics, or have documents of more topics judged a second time."
        )
    parts = min(folds, len(topics))
    fold = np.empty(len(topics), dtype=np.int64)
    fold[np.random.default_rng(seed).permutation(len(topics))] = np.arange(len(topics)) % parts
    others = np.stack([pairs[fold != part].sum(axis=0) for part in range(parts)])
    matrices = np.concatenate([disagreement.apply(others), whole])
    return FittedMatrices(matrices, dict(zip(topics, fold.tolist(), strict=True)), len(topics))
