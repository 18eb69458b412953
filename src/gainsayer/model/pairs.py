"""Judgments in, PairCounts out: whose labels the evaluation uses, who stands for users, and what both said."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError, DataError, PairingError
from gainsayer.findings import Finding
from gainsayer.levels import Levels
from gainsayer.model.label_checks import compare_label_sets, notice_missing_zeros
from gainsayer.reading.judgments import Judgments
from gainsayer.text import nearest, option

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
Weighting = Literal["judgment", "pair", "document"]
MOST_ACROSS = 0.01
BLOCK_CELLS = 1 << 21
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
class Cells:
    """Pairs by topic and by the two people who made them: topics, people and cells are three ways to sum the pairs.

    Args:
        names: all assessors of the judgments.
        pairs: of each cell, each pair once and its weight included; shape [cells, levels, levels], rows being the level
            that the first person gave.
        topic: index in `PairCounts.topics`, shape [cells].
        first: index in `names` of the person who gave the first label; without sides, either of the two.
        second: likewise the second one.
    """

    names: tuple[str, ...]
    pairs: FloatArray
    topic: IntArray
    first: IntArray
    second: IntArray


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
        cells: the pairs by topic and people; None where each side is one name, or nothing says who gave an opinion.
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
    cells: Cells | None = None
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


@dataclass(frozen=True, eq=False)
class Sides:
    """The assessors of the two sides, and which judgments are theirs; masks have one entry per judgment."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    first_rows: BoolArray
    second_rows: BoolArray


def choose_sides(judgments: Judgments, first: Sequence[str] | None, second: Sequence[str] | None) -> Sides | None:
    """The two sides as asked for, or as two assessors make them who came one by one; None where all pairs count alike.

    Two assessors of one table are a panel like more of them: which of their rows comes first says nothing.

    Raises:
        CallError: an assessor is unknown, or stands on both sides.
        PairingError: there is one assessor only, or one of the sides judged nothing.
    """
    held = _held(judgments)
    present = [name for name, here in zip(judgments.assessors, held, strict=True) if here]
    if len(present) < 2:
        raise PairingError(
            f"All {len(judgments):,} judgments come from one assessor, {present[0]!r}; documents judged by two "
            "different assessors are needed. Give the second assessor's file as well, or say "
            f"{option('by_assessor', True)} where column 2 of a qrels file names the assessor.{judgments.unnamed}"
        )
    if first is None and second is None:
        if len(present) > 2 or not judgments.roles:
            return None
        first, second = present[:1], present[1:]
    for name in (*(first or ()), *(second or ())):
        if name not in judgments.assessors:
            raise CallError(
                f"There is no assessor {name!r}: the assessors are {', '.join(present)}.{nearest(name, present)}"
            )
    both = set(first or ()) & set(second or ())
    if both:
        raise CallError(f"{', '.join(sorted(both))} cannot be on both sides: nobody is their own second opinion.")
    chosen_first = tuple(first) if first else tuple(name for name in present if name not in (second or ()))
    chosen_second = tuple(second) if second else tuple(name for name in present if name not in chosen_first)
    if not chosen_first or not chosen_second:
        raise CallError(
            f"Each side needs at least one assessor. Leave one out of {option('first')} or {option('second')}."
        )
    sides = Sides(chosen_first, chosen_second, _rows_of(judgments, chosen_first), _rows_of(judgments, chosen_second))
    for names, rows in ((sides.first, sides.first_rows), (sides.second, sides.second_rows)):
        if not rows.any():  # in a stratum, say: they are known, and judged elsewhere
            raise PairingError(f"{', '.join(names)} judged nothing here, so there are no pairs.")
    return sides


def match_sides(judgments: Judgments, sides: Sides, matched: bool | None) -> Judgments:
    """The judgments, a document counting as another one for each fixed pair of assessors where they are `matched`.

    Raises:
        CallError: the sides have unequal lengths, and fixed pairs were asked for.
        PairingError: fixed pairs were asked for, and none of them judged a common document.
    """
    if matched is False or len(sides.first) != len(sides.second) or len(sides.first) == 1:
        if matched and len(sides.first) != len(sides.second):
            raise CallError(
                f"Fixed pairs need equally long sides, found {len(sides.first)} and {len(sides.second)} assessors."
            )
        return judgments
    place = {name: team for side in (sides.first, sides.second) for team, name in enumerate(side)}
    teams = np.array([place.get(name, len(sides.first)) for name in judgments.assessors])
    numbers, item = np.unique(judgments.item * (len(sides.first) + 1) + teams[judgments.assessor], return_inverse=True)
    every = _count_products(judgments.item, judgments.items, sides)
    within = _count_products(item, len(numbers), sides)
    across = every - within
    if matched and within == 0:
        teams_named = ", ".join(f"{one} and {two}" for one, two in zip(sides.first, sides.second, strict=True))
        raise PairingError(
            f"No fixed pair of assessors ({teams_named}) judged a common document. Name the sides in the order of the "
            f"pairs, or count all pairs with {option('pairing', 'all')}."
        )
    if within == 0 or (matched is None and across > MOST_ACROSS * every):
        return judgments
    findings = judgments.findings
    if across:
        message = (
            f"{across:,} of {every:,} pairs are between assessors of different pairs and were left out, as the sides "
            f"were given pair by pair. Count them with {option('pairing', 'all')}."
        )
        findings = (*findings, Finding("pairs-across-teams", message))
    return replace(judgments, item=item.astype(np.int64), items=len(numbers), findings=findings)


def _count_products(item: IntArray, items: int, sides: Sides) -> int:
    one, two = (np.bincount(item[rows], minlength=items) for rows in (sides.first_rows, sides.second_rows))
    return int((one * two).sum())


def _held(judgments: Judgments) -> BoolArray:
    """Which assessors have judgments: those that begin a run, as an assessor's judgments mostly follow one another."""
    heads = np.flatnonzero(judgments.assessor[1:] != judgments.assessor[:-1])
    held = np.zeros(len(judgments.assessors), dtype=np.bool_)
    held[judgments.assessor[heads]] = True
    held[judgments.assessor[-1:]] = True
    return held


def _rows_of(judgments: Judgments, names: Sequence[str]) -> BoolArray:
    if len(names) == 1:
        return np.asarray(judgments.assessor == judgments.assessors.index(names[0]))
    on_side = np.array([name in names for name in judgments.assessors])
    return np.asarray(on_side.take(judgments.assessor))


def describe_gap(judgments: Judgments, sides: Sides) -> PairingError:
    """The error for two sides without a common document: what each judged, so that a reader sees what differs."""
    parts = []
    for names, rows in ((sides.first, sides.first_rows), (sides.second, sides.second_rows)):
        row = int(np.flatnonzero(rows)[0])
        example = f"{judgments.topics[judgments.topic[row]]} {judgments.document[row]}"
        example = example if len(example) <= 60 else example[:60] + "..."
        documents = len(np.unique(judgments.item[rows]))
        parts.append(f"{', '.join(names)} judged {documents:,} documents (such as {example!r})")
    common = len(set(judgments.topic[sides.first_rows]) & set(judgments.topic[sides.second_rows]))
    return PairingError(
        f"No document was judged by both sides: {'; '.join(parts)}; {common} topics are common. Check that topic and "
        "document ids are written alike, or have some documents judged a second time."
    )


def count_pairs(
    judgments: Judgments,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    weighting: Weighting = "judgment",
    matched: bool | None = None,
) -> PairCounts:
    """Count the pairs of judgments of the same document by different assessors, per topic.

    With two sides, `J[t, i, j]` is the number of documents of topic t with first label i and second label j. With
    more assessors and no sides, all ordered pairs of different assessors' judgments are counted, eq. (14):
    `sum_d w_d n_di (n_dj - 1[i = j])`.

    Assumes that the two judgments of a pair were made independently. It is *not* a comparison of an assessor with
    themselves: repeated judgments of one assessor never pair with each other (T9).

    Args:
        judgments: who said what.
        first: assessors of the first side, whose labels the evaluation uses. With two assessors in all, the first
            one; with more, no sides.
        second: assessors of the second side, who stand for the users; all others where only `first` is given.
        weighting: what counts once where documents have unequal numbers of judgments: each `judgment` (the default;
            Krippendorff's coincidences), each `pair`, or each `document`. The same where all have equally many.
        matched: whether the first assessor of one side pairs only with the first of the other, the second with the
            second, and so on. By default this is so where both sides list equally many assessors and all but one in a
            hundred pairs are of this kind, as in a design of fixed pairs; the few others are left out and reported.

    Raises:
        CallError: an assessor is unknown, or stands on both sides; there is no such weighting.
        PairingError: there is one assessor only, or no document that two of them judged.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> count_pairs(twenty_documents()).matrix.astype(int).tolist()
    [[4, 1, 1], [3, 4, 3], [0, 2, 2]]
    """
    if weighting not in WEIGHTINGS:
        raise CallError(f"There is no weighting {weighting!r}: choose one of {', '.join(WEIGHTINGS)}.")
    sides = choose_sides(judgments, first, second)
    if sides is not None:
        judgments = match_sides(judgments, sides, matched)
    return _count(judgments, sides, weighting)


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of judgments of the same document, each once; arrays over pairs but for the last.

    Args:
        one: row of the first judgment of each pair, in the order of documents.
        two: row of the second one.
        scale: what a pair counts in its document by the weighting, before any weights of the judgments.
        judged: how many judgments of the sides each document has, shape [documents].
    """

    one: IntArray
    two: IntArray
    scale: FloatArray
    judged: IntArray


def _pair_sides(judgments: Judgments, sides: Sides, weighting: Weighting) -> _Pairs:
    """Every judgment of the first side with every judgment of the second one of the same document."""
    item, items = judgments.item, judgments.items
    rows = [np.flatnonzero(side) for side in (sides.first_rows, sides.second_rows)]
    times = [np.bincount(item[side], minlength=items) for side in rows]
    start = np.cumsum(times[1]) - times[1]
    # Documents with one judgment on each side, which are most, need no sorting.
    order = rows[1] if _ascends(item[rows[1]]) else rows[1][np.argsort(item[rows[1]], kind="stable")]
    first = rows[0] if _ascends(item[rows[0]]) else rows[0][np.argsort(item[rows[0]], kind="stable")]
    repeat = times[1][item[first]]
    one = np.repeat(first, repeat)
    two = order[np.arange(len(one)) - np.repeat(np.cumsum(repeat) - repeat, repeat) + start[item[one]]]
    m1, m2 = (count.astype(np.float64) for count in times)
    product = np.maximum(m1 * m2, 1.0)
    scale = {"judgment": (m1 + m2) / (2 * product), "pair": np.ones(items), "document": 1 / product}[weighting]
    return _Pairs(one, two, scale[item[one]], times[0] + times[1])


def _pair_all(judgments: Judgments, weighting: Weighting) -> _Pairs:
    """Every two judgments of the same document by different assessors."""
    item, items, assessor = judgments.item, judgments.items, judgments.assessor
    judged = np.bincount(item, minlength=items)
    rows = np.flatnonzero(judged[item] > 1)
    rows = rows[np.argsort(item[rows], kind="stable")]
    after = np.searchsorted(item[rows], item[rows], side="right") - np.arange(1, len(rows) + 1)
    one = np.repeat(np.arange(len(rows)), after)
    two = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(after) - after, after)
    one, two = rows[one], rows[two]
    apart = assessor[one] != assessor[two]
    one, two = one[apart], two[apart]
    ordered = np.maximum(2.0 * np.bincount(item[one], minlength=items), 1.0)
    scale = {"judgment": judged / ordered, "pair": np.ones(items), "document": 2 / ordered}[weighting]
    return _Pairs(one, two, scale[item[one]], judged)


def _ascends(item: IntArray) -> bool:
    return bool((item[1:] >= item[:-1]).all())


def _count(judgments: Judgments, sides: Sides | None, weighting: Weighting) -> PairCounts:
    """Counts, squares and cells of all pairs; without sides each pair is read both ways."""
    size, directed = len(judgments.levels), sides is not None
    pairs = _pair_all(judgments, weighting) if sides is None else _pair_sides(judgments, sides, weighting)
    if not len(pairs.one):
        if sides is not None:
            raise describe_gap(judgments, sides)
        raise PairingError(
            f"No document was judged by two different assessors ({judgments.items:,} documents, "
            f"{len(judgments.assessors)} assessors). Check that topic and document ids are written alike."
        )
    one, two = pairs.one, pairs.two
    weighted = judgments.weight is not None
    weight = pairs.scale if judgments.weight is None else pairs.scale * judgments.weight[one] * judgments.weight[two]
    label = judgments.level[one].astype(np.int64) * size + judgments.level[two]
    held = np.zeros(len(judgments.topics), dtype=np.bool_)
    held[judgments.topic[one]] = True
    topic = (np.cumsum(held) - 1)[judgments.topic[one]]

    counts = _sum_by(topic * size * size + label, weight, (int(held.sum()), size, size))
    squares, symmetric = _square(judgments.item[one], label, weight, size)
    opinions: FloatArray | None = _sum_by(label, None, (size, size))
    if not directed:
        counts, squares, opinions = counts + counts.transpose(0, 2, 1), symmetric, None
        if weighted or weighting == "document":
            plain = _pair_all(judgments, "pair" if weighting == "pair" else "judgment").scale
            opinions = _sum_by(label, plain, (size, size))
            opinions = opinions + opinions.T
    paired = np.zeros(judgments.items, dtype=np.bool_)
    paired[judgments.item[one]] = True
    every = np.ones(len(judgments), dtype=np.bool_) if sides is None else sides.first_rows | sides.second_rows
    sets = compare_label_sets(judgments, None if sides is None else every)
    zeros = () if _holds_zeros(judgments, counts) else notice_missing_zeros(judgments, every)
    first, second = (judgments.assessors,) * 2 if sides is None else (sides.first, sides.second)
    shares: tuple[Share, ...]
    if sides is None:
        shares = (_share("all assessors", judgments, every, paired, held, 1 / np.maximum(pairs.judged, 1)),)
    else:
        both = ((sides.first, sides.first_rows), (sides.second, sides.second_rows))
        shares = tuple(_share(", ".join(names), judgments, rows, paired, held) for names, rows in both)
    named = names_people(judgments) and (len(first) > 1 or len(second) > 1)
    return PairCounts(
        levels=judgments.levels,
        topics=tuple(name for name, keep in zip(judgments.topics, held, strict=True) if keep),
        counts=counts,
        squares=squares,
        symmetric_squares=symmetric,
        directed=directed,
        first=first,
        second=second,
        pairs=len(one),
        documents=int(paired.sum()),
        weighting=weighting,
        weighted=weighted,
        shares=shares,
        findings=(*judgments.findings, *sets.findings, *zeros),
        refusal=sets.refusal,
        opinions=opinions,
        cells=_count_cells(judgments, pairs, topic, label, weight) if named else None,
    )


def _sum_by(index: IntArray, weight: FloatArray | None, shape: tuple[int, ...]) -> FloatArray:
    """The weights, 1 each where there are none, summed up by index into an array of this shape."""
    return np.bincount(index, weight, minlength=math.prod(shape)).astype(np.float64).reshape(shape)


def _square(item: IntArray, label: IntArray, weight: FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
    """`squares` and `symmetric_squares` of pairs that stand in the order of their documents."""
    document = np.cumsum(np.append(True, item[1:] != item[:-1])) - 1
    alone = np.bincount(document)[document] == 1
    squares, symmetric = single_pair_squares(_sum_by(label[alone], weight[alone] ** 2, (size, size)))
    label, weight = label[~alone], weight[~alone]
    _, document = np.unique(document[~alone], return_inverse=True)
    step = max(1, BLOCK_CELLS // (size * size))
    starts = np.searchsorted(document, np.arange(0, len(document) + step, step))
    for number, (start, stop) in enumerate(pairwise(starts)):
        if start < stop:
            place = document[start:stop] - number * step
            index = place * size * size + label[start:stop]
            cells = _sum_by(index, weight[start:stop], (int(place[-1]) + 1, size, size))
            squares += _products(cells)
            symmetric += _products(cells + cells.transpose(0, 2, 1))
    return squares, symmetric


def _count_cells(judgments: Judgments, pairs: _Pairs, topic: IntArray, label: IntArray, weight: FloatArray) -> Cells:
    """The pairs by topic and by who gave the first and the second label."""
    size, people = len(judgments.levels), len(judgments.assessors)
    who = judgments.assessor[pairs.one].astype(np.int64) * people + judgments.assessor[pairs.two]
    keys, cell = np.unique(topic * people * people + who, return_inverse=True)
    counted = _sum_by(cell * size * size + label, weight, (len(keys), size, size))
    where, who = np.divmod(keys, people * people)
    return Cells(judgments.assessors, counted, where, who // people, who % people)


def names_people(judgments: Judgments) -> bool:
    """Whether a name is the same person everywhere: not where k-th judgments were taken as k-th opinions."""
    return all(finding.code != "repeats-as-assessors" for finding in judgments.findings)


def _holds_zeros(judgments: Judgments, counts: FloatArray) -> bool:
    """Whether a pair has the lowest label twice; then nobody needs to look at documents for it."""
    if not judgments.levels.ordered:
        return True
    lowest = judgments.levels.lowest
    return bool(counts[:, : lowest + 1, : lowest + 1].any())


def _products(cells: FloatArray) -> FloatArray:
    """Sum over documents of c[i, j] c[i, l]; shape [levels, levels, levels]."""
    return np.asarray(np.einsum("dij,dil->ijl", cells, cells))


def _share(
    side: str,
    judgments: Judgments,
    rows: BoolArray,
    paired: BoolArray,
    held: BoolArray,
    part: FloatArray | None = None,
) -> Share:
    """How many judgments of each level there are, and how many of them stand on doubly judged documents."""
    size, item = len(judgments.levels), judgments.item[rows]
    cell = judgments.topic[rows].astype(np.int64) * size + judgments.level[rows]
    weight = np.ones(len(item)) if part is None else part[item]
    shape = (len(held), size)
    judged, twice = (_sum_by(cell, mass, shape)[held] for mass in (weight, weight * paired[item]))
    return Share(side, judged, twice)
