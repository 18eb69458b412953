"""Sample: what people said about some of the documents that a machine graded, and how these were chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt
import scipy

from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.ranking.ranked import FloatArray, IntArray
from gainsayer.text import option

BoolArray = npt.NDArray[np.bool_]
Places = npt.NDArray[np.signedinteger[Any]]
Ranks = npt.NDArray[np.floating[Any]]
Design = Literal["topics", "documents", "two-stage"]
DESIGNS: Final[tuple[Design, ...]] = get_args(Design)
CLEARLY: Final = 0.001
FEWEST_EXPECTED: Final = 5
FEWEST_SEEN: Final = 5
"""Labels of the rarer kind, relevant or not, below which nothing is said of errors."""
_MOST_TIMES: Final = 100  # a label stands for the whole pool at most, but for chance: a smaller chance is a slip
_THIRDS = ("the best third of ranks", "the middle third", "the last third")


@dataclass(frozen=True, eq=False)
class Opinions:
    """What each of several people said of a document; arrays have the shape [opinions].

    Args:
        document: the place of the document in the pool.
        person: who said it, as a place in `people`.
        satisfied: 1 if they are satisfied, 0 if not, or a gain from 0 to 1.
        people: their names.
    """

    document: IntArray
    person: IntArray
    satisfied: FloatArray
    people: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Sample:
    """A machine graded every document of a pool; people judged some, each chosen at random with a known chance.

    Everything about people's scores rests on these chances: where a document was judged because somebody found it
    interesting, nothing here is right. The design is stated, never read off the labels: a sample of documents may well
    leave topics without any.

    Args:
        topic: the place of each document's topic, ascending; shape [documents].
        grade: the machine's grade of each document, from 0; shape [documents].
        relevant: what people said: 1 if satisfied, 0 if not, the share of several people, or a gain from 0 to 1; NaN
            where nobody judged; shape [documents].
        probability: the chance with which each document of a seen topic was chosen, NaN where it is not known; shape
            [documents].
        seen: the topics in which documents were chosen; shape [topics].
        grades: how many grades there are.
        design: what was drawn: whole `topics`, `documents` of all topics, or documents of some topics (`two-stage`).
        opinions: of single people, where several are known by name.

    Raises:
        DataError: a judged document has no chance above 0 of being chosen, or lies in a topic that was not seen.

    >>> sample = Sample(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([0.0, 1.0, np.nan]), np.ones(3),
    ...                 np.array([True, False]), 2, "topics")
    >>> sample.labels, sample.weight.tolist()
    (2, [1.0, 1.0, 0.0])
    """

    topic: Places
    grade: IntArray
    relevant: FloatArray
    probability: FloatArray
    seen: BoolArray
    grades: int
    design: Design
    opinions: Opinions | None = None

    def __post_init__(self) -> None:
        assert self.topic.shape == self.grade.shape == self.relevant.shape == self.probability.shape
        assert self.design != "documents" or self.seen.all()
        judged = self.judged
        known = self.probability[judged]
        if not np.all((known > 0) & (known <= 1)):
            odd = known[~((known > 0) & (known <= 1))][0]
            raise DataError(
                f"A document that people judged has {odd:g} as its probability of being chosen; it must be above 0 and "
                "at most 1. Without it nobody can say what the documents that were not judged are worth."
            )
        if np.any(known * len(self.topic) < 1 / _MOST_TIMES):
            raise DataError(
                f"A document that people judged has {known.min():g} as its probability of being chosen: it would stand "
                f"for more than {_MOST_TIMES} times the {len(self.topic):,} documents that there are. Correct it."
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

    @property
    def labels(self) -> int:
        """How many documents people judged."""
        return int(self.judged.sum())

    @property
    def opinions_count(self) -> int:
        """How many labels there are: as many as documents, or more where several people judged one."""
        return self.labels if self.opinions is None else len(self.opinions.document)

    @property
    def people(self) -> int | None:
        """How many people are known by name; None where one name stands for all."""
        return None if self.opinions is None else len(self.opinions.people)

    @property
    def topics(self) -> int:
        """T: how many topics there are."""
        return len(self.seen)

    @property
    def seen_topics(self) -> int:
        """n: in how many topics people judged, or could have been asked to."""
        return int(self.seen.sum())

    @cached_property
    def labels_by_topic(self) -> IntArray:
        """How many documents people judged in each topic; shape [topics]."""
        return np.bincount(self.topic[self.judged], minlength=self.topics)

    @cached_property
    def all_chances_known(self) -> bool:
        """Whether the chance of every document of the seen topics is known, also of those that were not drawn."""
        return not bool(np.isnan(self.probability[self.seen[self.topic]]).any())

    @cached_property
    def liked(self) -> float:
        """How many labels are relevant."""
        return float(self.relevant[self.judged].sum())

    @cached_property
    def says_little(self) -> str:
        """Why labels show no errors of predictions, in words; empty where they do.

        That none was seen is not to say that there is none: relevant documents that were not drawn leave no trace.
        """
        told = self.relevant[self.judged]
        if not len(told):
            return ""
        if not np.ptp(told):
            return "people said the same of everything they judged"
        liked, every = self.liked, len(told)
        if self.judged.all() or min(liked, every - liked) >= FEWEST_SEEN:
            return ""
        return (
            f"only {liked:g} of {every:,} labels are relevant"
            if liked < every / 2
            else (f"all but {every - liked:g} of {every:,} labels are relevant")
        )

    def total(self, values: FloatArray) -> FloatArray:
        """Sums over the documents of each topic: [documents] in, [topics] out."""
        return np.bincount(self.topic, values, minlength=self.topics).astype(np.float64)

    def with_grades(self, grade: IntArray, grades: int) -> Sample:
        """The same sample with other grades."""
        return replace(self, grade=grade, grades=grades)


def check_sample(sample: Sample, names: tuple[str, ...], rank: Ranks | None = None) -> tuple[Finding, ...]:
    """Do the judged documents stand for as many as there are, in every grade and in every third of the ranks?

    sum of delta/pi over a group estimates its known size; chi-square over the groups of which five labels are expected,
    with the variance sum of (1 - pi) / pi over all documents of each, or of delta (1 - pi) / pi² over the labelled ones
    where the chances of others are not known. It notices people who leave out documents of some kind. It cannot notice
    those who leave out the hard ones within a grade. And are more topics left without a label than chance leaves?

    Args:
        sample: what people said.
        names: of the grades.
        rank: the best rank of each document, NaN where no run has it; shape [documents].

    >>> topic, grade = np.repeat(np.arange(20), 50), np.tile([0, 1], 500)
    >>> drawn = np.random.default_rng(1).random(1000) < 0.3
    >>> told = np.where(drawn, grade, np.nan)
    >>> sample = Sample(topic, grade, told, np.full(1000, 0.3), np.ones(20, bool), 2, "documents")
    >>> skipped = np.where(grade == 1, np.where(np.arange(1000) % 3 > 0, np.nan, told), told)
    >>> check_sample(sample, ("0", "1"))
    ()
    >>> bad = replace(sample, relevant=skipped)
    >>> print(check_sample(bad, ("0", "1"))[0].message)  # doctest: +ELLIPSIS
    Judged documents do not stand for as many as there are: 1 (... for 500). Were some left out?
    """
    groups: list[tuple[Places, tuple[str, ...]]] = [(sample.grade, names)]
    if rank is not None:
        known = ~np.isnan(rank)
        third: Places = np.full(len(rank), 3, np.int8)
        if known.any():
            third[known] = np.searchsorted(np.quantile(rank[known], [1 / 3, 2 / 3]), rank[known], side="left")
        groups.append((third, (*_THIRDS, "no run's")))
    found = []
    for group, called in groups:
        odd = _odd_groups(sample, group, called)
        if odd:
            said = f"Judged documents do not stand for as many as there are: {odd}. Were some left out?"
            found.append(Finding("uneven-second-sample", said))
    return (*found, *_check_empty(sample))


def _odd_groups(sample: Sample, group: Places, names: tuple[str, ...]) -> str:
    """The groups that are off by more than twice their error, in words; empty where chance explains them all."""
    size, labelled = len(names), np.flatnonzero(sample.judged)
    if not len(labelled):
        return ""
    held = np.bincount(group[sample.seen[sample.topic]], minlength=size).astype(np.float64)
    judged, pi = group[labelled], sample.probability[labelled]
    stands = np.bincount(judged, 1 / pi, minlength=size)
    if sample.all_chances_known and sample.seen.all() and (sample.probability > 0).all():
        spread = np.bincount(group, 1 / sample.probability - 1, minlength=size)
        expected = np.bincount(group, sample.probability, minlength=size)
    else:
        # Where labels are few, all of the group may have had the smallest chance of any that is known.
        spread = np.bincount(judged, (1 - pi) / pi**2, minlength=size)
        least = (1 - pi.min()) * held / pi.min()
        spread, expected = np.maximum(spread, np.where(stands < held, least, 0.0)), held * pi.mean()
    there = (expected >= FEWEST_EXPECTED) & (spread > 0)
    z = (stands - held)[there] / np.sqrt(spread[there])
    if not there.any() or scipy.special.chdtrc(int(there.sum()), float((z**2).sum())) >= CLEARLY:
        return ""
    places = np.flatnonzero(there)[np.abs(z) > 2]
    return ", ".join(f"{names[place]} ({stands[place]:.0f} for {held[place]:.0f})" for place in places.tolist())


def _check_empty(sample: Sample) -> tuple[Finding, ...]:
    """Topics without a label, against sum_t prod_d (1 - pi), or what as many labels spread evenly would leave."""
    if sample.design != "documents":
        return ()
    if sample.all_chances_known:
        left = 1 - sample.probability  # in place, as pools may be large
        with np.errstate(divide="ignore"):
            np.log(np.maximum(left, 0.0, out=left), out=left)
        chance = np.exp(sample.total(left))
    else:
        chance = np.full(sample.topics, np.exp(-sample.labels / sample.topics))
    empty = int((sample.labels_by_topic == 0).sum())
    expected, spread = float(chance.sum()), float((chance * (1 - chance)).sum())
    if empty <= expected + scipy.special.ndtri(1 - CLEARLY) * np.sqrt(spread) + 1:
        return ()
    said = (
        f"{empty:,} of {sample.topics:,} topics have no label, where chance leaves about {expected:,.0f}. If documents "
        f"were drawn in some topics only, say so: {option('design', 'two-stage')}."
    )
    return (Finding("uneven-second-sample", said),)
