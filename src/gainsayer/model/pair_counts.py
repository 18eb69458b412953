"""PairCounts: who said what about the same document, counted. All that estimation ever sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.levels import Levels

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
Weighting = Literal["judgment", "pair", "document"]
WEIGHTINGS: tuple[Weighting, ...] = ("judgment", "pair", "document")


@dataclass(frozen=True, eq=False)
class Share:
    """How much of what one side judged was judged again, by the level this side gave.

    `judged` and `paired` have the shape [topics, levels] and cover the topics that hold pairs.
    """

    side: str
    judged: FloatArray
    paired: FloatArray


@dataclass(frozen=True, eq=False)
class People:
    """Pairs by the people who take part in them, so that one person at a time can be left out.

    `first[k, i, j]` is the part of the counts (over all topics) in which person k gave the first label, `second[k]` the
    part in which they gave the second one; where there are no sides, every pair is read both ways and stands in both.

    Args:
        names: the assessors; with sides, those of the first side and then those of the second.
        first: shape [people, levels, levels].
        second: likewise.
        recurs: who judged in two or more topics, shape [people].
    """

    names: tuple[str, ...]
    first: FloatArray
    second: FloatArray
    recurs: BoolArray


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Pairs of judgments of the same document by different assessors, per topic and pair of levels.

    `counts[t, i, j]` is J: pairs in topic t with first label i and second label j. Where there are no
    sides (`directed` is False) every pair stands in it twice, once in each order, and the matrix is symmetric.

    Args:
        levels: the levels, rows and columns of the counts.
        topics: topics that hold at least one pair, sorted.
        counts: shape [topics, levels, levels]; whole numbers unless weighted.
        squares: shape [levels, levels, levels]: sum over documents of c[i, j] c[i, l], c being one document's part of
            `counts`. With it the error over documents (23) is known for every set of relevant levels.
        symmetric_squares: the same for c + c', which the symmetric estimate needs.
        directed: whether there is a first and a second side.
        first: assessors of the first side (all assessors where there are no sides).
        second: assessors of the second side.
        pairs: number of pairs of judgments, each counted once.
        documents: number of documents with at least one pair.
        weighting: what counts once where documents have unequal numbers of judgments.
        weighted: whether pairs carry sampling weights (T6).
        shares: how much of each side was judged twice, per level; for the check of T6.
        opinions: shape [levels, levels]: second opinions by first and second label, without any weights. With sides
            every pair is one, a whole number. Without, each judgment is one, shared among the labels of the others who
            judged the document, so that rows add up to whole numbers (with `pair` weighting each ordered pair is one).
            None where it is the counts' sum over topics.
        people: the pairs by who takes part; None where each side is one name, or nothing says who gave an opinion.
        findings: what was noticed on the way.
        refusal: why equal labels may not be taken as equal, in words; empty where they may.
    """

    levels: Levels
    topics: tuple[str, ...]
    counts: FloatArray
    squares: FloatArray
    symmetric_squares: FloatArray
    directed: bool
    first: tuple[str, ...]
    second: tuple[str, ...]
    pairs: int
    documents: int
    weighting: Weighting = "judgment"
    weighted: bool = False
    shares: tuple[Share, ...] = ()
    findings: tuple[Finding, ...] = ()
    opinions: FloatArray | None = None
    people: People | None = None
    refusal: str = ""

    def __post_init__(self) -> None:
        size = len(self.levels)
        assert self.counts.shape == (len(self.topics), size, size)
        assert self.squares.shape == self.symmetric_squares.shape == (size, size, size)

    def __repr__(self) -> str:
        sizes = f"pairs={self.pairs}, documents={self.documents}, topics={len(self.topics)}"
        return f"PairCounts({sizes}, levels={len(self.levels)}, directed={self.directed})"

    @property
    def matrix(self) -> FloatArray:
        """The counts over all topics, shape [levels, levels]."""
        return np.asarray(self.counts.sum(axis=0))

    def symmetric(self) -> FloatArray:
        """S = J + J' per topic, eq. (5), shape [topics, levels, levels]; where there are no sides, the counts."""
        return self.counts + self.counts.transpose(0, 2, 1) if self.directed else self.counts

    @classmethod
    def from_matrix(
        cls,
        levels: Levels,
        matrix: npt.ArrayLike,
        *,
        topics: Sequence[str] | None = None,
        sides: tuple[str, str] = ("first", "second"),
    ) -> PairCounts:
        """Counts from a published confusion matrix: rows the first label, columns the second, one pair a document.

        `matrix` has the shape [levels, levels], or [topics, levels, levels] with the names of the `topics`.

        >>> twenty = PairCounts.from_matrix(Levels(("0", "1", "2")), [[4, 1, 1], [3, 4, 3], [0, 2, 2]])
        >>> twenty.pairs, twenty.symmetric()[0].astype(int).tolist()
        (20, [[8, 4, 1], [4, 8, 5], [1, 5, 4]])
        """
        try:
            counts = np.array(matrix, dtype=np.float64)
        except (TypeError, ValueError):
            raise CallError(f"Counts are numbers in rows of equal length, found {matrix!r}.") from None
        if counts.ndim == 2:
            counts = counts[None]
        size = len(levels)
        if counts.ndim != 3 or counts.shape[1:] != (size, size):
            raise CallError(f"{size} levels need a {size} by {size} matrix of counts, found {counts.shape[-2:]}.")
        if not np.all(np.isfinite(counts)) or np.any(counts < 0):
            raise DataError("Counts of pairs are finite and not negative.")
        if not counts.any():
            raise DataError("The matrix holds no pair, so nothing can be estimated from it.")
        names = tuple(topics) if topics is not None else tuple(f"topic{t + 1}" for t in range(len(counts)))
        if len(names) != len(counts):
            raise CallError(f"{len(counts)} topics need {len(counts)} names, found {len(names)}.")
        held = counts.sum(axis=(1, 2)) > 0
        counts, names = counts[held], tuple(name for name, keep in zip(names, held, strict=True) if keep)
        squares, symmetric = single_pair_squares(counts.sum(axis=0))
        pairs = round(float(counts.sum()))
        return cls(levels, names, counts, squares, symmetric, True, (sides[0],), (sides[1],), pairs, pairs)


def single_pair_squares(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """`squares` and `symmetric_squares` where each document holds one pair of weight 1.

    A document with labels a, b puts 1 into cell (a, b); after adding the transpose 1 into (a, b) and (b, a),
    or 2 into (a, a), whose square is 4.
    """
    size = len(matrix)
    diagonal = np.arange(size)
    squares = np.zeros((size, size, size))
    squares[:, diagonal, diagonal] = matrix
    symmetric = np.zeros((size, size, size))
    both = matrix + matrix.T
    both[diagonal, diagonal] = 4 * matrix[diagonal, diagonal]
    symmetric[:, diagonal, diagonal] = both
    return squares, symmetric
