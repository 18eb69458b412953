"""Sample: what people said about some of the documents that a machine graded, and how these were chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from gainsayer.errors import DataError
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]
Design = Literal["topics", "documents", "two-stage"]


@dataclass(frozen=True, eq=False)
class Sample:
    """A machine graded every document of a pool; people judged some, each chosen at random with a known chance.

    Everything about people's scores rests on these chances: where a document was judged because somebody found it
    interesting, nothing here is right.

    Args:
        topic: the place of each document's topic, ascending; shape [documents].
        grade: the machine's grade of each document, from 0; shape [documents].
        relevant: what people said: 1 if satisfied, 0 if not, the share of several people, or a gain from 0 to 1; NaN
            where nobody judged; shape [documents].
        probability: the chance with which each document of a seen topic was chosen; shape [documents].
        seen: the topics in which documents were chosen; shape [topics].
        grades: how many grades there are.

    Raises:
        DataError: a judged document has no chance above 0 of being chosen, or lies in a topic that was not seen.

    >>> sample = Sample(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([0.0, 1.0, np.nan]), np.ones(3),
    ...                 np.array([True, False]), 2)
    >>> sample.design, sample.labels, sample.weight.tolist()
    ('topics', 2, [1.0, 1.0, 0.0])
    """

    topic: IntArray
    grade: IntArray
    relevant: FloatArray
    probability: FloatArray
    seen: BoolArray
    grades: int

    def __post_init__(self) -> None:
        assert self.topic.shape == self.grade.shape == self.relevant.shape == self.probability.shape
        judged = self.judged
        known = self.probability[judged]
        if not np.all((known > 0) & (known <= 1)):
            odd = known[~((known > 0) & (known <= 1))][0]
            raise DataError(
                f"A document that people judged has {odd:g} as its probability of being chosen; it must be above 0 and "
                "at most 1. Without it nobody can say what the documents that were not judged are worth."
            )
        if not self.seen[self.topic[judged]].all():
            raise DataError("People judged documents of a topic in which none was to be chosen.")

    @cached_property
    def judged(self) -> BoolArray:
        """Whether people judged the document; shape [documents]."""
        return np.asarray(~np.isnan(self.relevant))

    @cached_property
    def weight(self) -> FloatArray:
        """delta / pi: how many documents of the pool a judged one stands for, 0 for the others; shape [documents]."""
        return np.divide(1.0, self.probability, out=np.zeros(len(self.probability)), where=self.judged)

    @cached_property
    def told(self) -> FloatArray:
        """What people said, 0 where nobody did; only of use where `weight` goes with it; shape [documents]."""
        return np.where(self.judged, self.relevant, 0.0)

    @property
    def labels(self) -> int:
        """How many documents people judged."""
        return int(self.judged.sum())

    @property
    def topics(self) -> int:
        """T: how many topics there are."""
        return len(self.seen)

    @property
    def seen_topics(self) -> int:
        """n: in how many topics people judged."""
        return int(self.seen.sum())

    @cached_property
    def design(self) -> Design:
        """What was drawn: whole topics, documents of every topic, or documents of some topics."""
        if bool(np.all(self.probability[self.seen[self.topic]] == 1)):
            return "topics"
        return "documents" if bool(self.seen.all()) else "two-stage"

    def total(self, values: FloatArray) -> FloatArray:
        """Sums over the documents of each topic: [documents] in, [topics] out."""
        return np.bincount(self.topic, values, minlength=self.topics).astype(np.float64)

    def with_grades(self, grade: IntArray, grades: int) -> Sample:
        """The same sample with other grades."""
        return replace(self, grade=grade, grades=grades)
