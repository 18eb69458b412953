"""From judgments to pairs: whose labels the evaluation uses, who stands for the users, and what both said, counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError, PairingError
from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments
from gainsayer.model.label_checks import compare_label_sets, notice_missing_zeros
from gainsayer.model.pair_counts import (
    WEIGHTINGS,
    BoolArray,
    FloatArray,
    IntArray,
    PairCounts,
    Share,
    Weighting,
    single_pair_squares,
)
from gainsayer.model.row_order import order_judgments
from gainsayer.model.tallies import (
    Rows,
    as_slice,
    blocks_of,
    count_all_people,
    count_cells,
    count_judgments,
    count_side_people,
    names_people,
    tally_levels,
    tally_selves,
)
from gainsayer.text import nearest, option

MOST_ACROSS = 0.01


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
    judgments = order_judgments(judgments)
    sides = choose_sides(judgments, first, second)
    if sides is None:
        return _count_all(judgments, weighting)
    return _count_sides(match_sides(judgments, sides, matched), sides, weighting)


def _count_sides(judgments: Judgments, sides: Sides, weighting: Weighting) -> PairCounts:
    size, items = len(judgments.levels), judgments.items
    rows = (as_slice(sides.first_rows), as_slice(sides.second_rows))
    judged = tuple(count_judgments(judgments.item[side], items) for side in rows)
    paired = (judged[0] > 0) & (judged[1] > 0)
    if not paired.any():
        raise describe_gap(judgments, sides)
    topic, held = _topics_of(judgments, rows[0], paired)
    both = sides.first_rows | sides.second_rows
    sets = compare_label_sets(judgments, both)

    # Most documents have one judgment on each side: their pairs are counted without looking at documents at all.
    single = paired & (judged[0] == 1) & (judged[1] == 1)
    labels = [np.zeros(items, dtype=np.int16) for _ in rows]
    weight = None if judgments.weight is None else np.ones(items)
    for side, label in zip(rows, labels, strict=True):
        label[judgments.item[side]] = judgments.level[side]
        if weight is not None and judgments.weight is not None:
            weight[judgments.item[side]] *= judgments.weight[side]
    shape = (int(held.sum()), size, size)
    counts = count_cells(shape, (topic, labels[0], labels[1]), single, weight)
    mass = counts if weight is None else count_cells(shape, (topic, labels[0], labels[1]), single, weight**2)
    squares, symmetric = single_pair_squares(mass.sum(axis=0))
    zeros = () if _holds_zeros(judgments, counts) else notice_missing_zeros(judgments, both)

    several = np.flatnonzero(paired & ~single)
    m1, m2 = judged[0][several].astype(np.float64), judged[1][several].astype(np.float64)
    scale = {
        "judgment": (m1 + m2) / (2 * m1 * m2),
        "pair": np.ones(len(several)),
        "document": 1 / (m1 * m2),
    }[weighting]
    opinions = counts.sum(axis=0)
    tallies = [tally_levels(judgments, side, several) for side in rows]
    start = 0
    for block, one, two in zip(blocks_of(several, size), *tallies, strict=True):
        opinions += one.T @ two
        cells = one[:, :, None] * two[:, None, :] * scale[start : start + len(block), None, None]
        start += len(block)
        np.add.at(counts, topic[block], cells)
        squares += _products(cells)
        symmetric += _products(cells + cells.transpose(0, 2, 1))
    if weight is not None:
        opinions = _count_sides(replace(judgments, weight=None), sides, "pair").matrix
    named = names_people(judgments) and (len(sides.first) > 1 or len(sides.second) > 1)
    names = (*sides.first, *sides.second)
    return PairCounts(
        levels=judgments.levels,
        topics=tuple(name for name, keep in zip(judgments.topics, held, strict=True) if keep),
        counts=counts,
        squares=squares,
        symmetric_squares=symmetric,
        directed=True,
        first=sides.first,
        second=sides.second,
        pairs=int((judged[0] * judged[1]).sum(dtype=np.int64)),
        documents=int(paired.sum()),
        weighting=weighting,
        weighted=judgments.weight is not None,
        shares=tuple(
            _share(", ".join(names), judgments, side, paired, held)
            for names, side in zip((sides.first, sides.second), rows, strict=True)
        ),
        findings=(*judgments.findings, *sets.findings, *zeros),
        refusal=sets.refusal,
        opinions=opinions,
        people=count_side_people(judgments, names, rows, labels, single, weight, several, scale) if named else None,
    )


def _count_all(judgments: Judgments, weighting: Weighting) -> PairCounts:
    size, items = len(judgments.levels), judgments.items
    slots, times = np.unique(judgments.item * len(judgments.assessors) + judgments.assessor, return_counts=True)
    judged = np.bincount(judgments.item, minlength=items)
    own = np.bincount(slots // len(judgments.assessors), times.astype(np.float64) ** 2, minlength=items)
    ordered = judged.astype(np.float64) ** 2 - own
    paired = ordered > 0
    if not paired.any():
        raise PairingError(
            f"No document was judged by two different assessors ({items:,} documents, "
            f"{len(judgments.assessors)} assessors). Check that topic and document ids are written alike."
        )
    every = slice(0, len(judgments))
    topic, held = _topics_of(judgments, every, paired)
    sets = compare_label_sets(judgments)
    plain = judgments.weight is None
    single = paired & (judged == 2) & plain
    total = np.bincount(judgments.item, judgments.level, minlength=items).astype(np.int16)
    label = np.zeros(items, dtype=np.int16)
    label[judgments.item] = judgments.level
    shape = (int(held.sum()), size, size)
    split = count_cells(shape, (topic, label, total - label), single, None)
    counts = split + split.transpose(0, 2, 1)
    squares = single_pair_squares(split.sum(axis=0))[1]
    zeros = () if _holds_zeros(judgments, split) else notice_missing_zeros(judgments, every)

    several = np.flatnonzero(paired & ~single)
    tallies = tally_levels(judgments, every, several)
    selves = tally_selves(judgments, several)
    scale = np.zeros(items)
    scale[paired] = {
        "judgment": judged[paired] / ordered[paired],
        "pair": np.ones(int(paired.sum())),
        "document": 2 / ordered[paired],
    }[weighting]
    for block, tally, itself in zip(blocks_of(several, size), tallies, selves, strict=True):
        cells = (tally[:, :, None] * tally[:, None, :] - itself) * scale[block][:, None, None]
        np.add.at(counts, topic[block], cells)
        squares += _products(cells)
    return PairCounts(
        levels=judgments.levels,
        topics=tuple(name for name, keep in zip(judgments.topics, held, strict=True) if keep),
        counts=counts,
        squares=squares,
        symmetric_squares=squares,
        directed=False,
        first=judgments.assessors,
        second=judgments.assessors,
        pairs=int(ordered[paired].sum()) // 2,
        documents=int(paired.sum()),
        weighting=weighting,
        weighted=not plain,
        shares=(_share("all assessors", judgments, every, paired, held, 1 / np.maximum(judged, 1)),),
        findings=(*judgments.findings, *sets.findings, *zeros),
        refusal=sets.refusal,
        opinions=None
        if plain and weighting != "document"
        else _count_all(replace(judgments, weight=None), "pair" if weighting == "pair" else "judgment").matrix,
        people=count_all_people(judgments, np.flatnonzero(paired), scale[paired]) if names_people(judgments) else None,
    )


def _holds_zeros(judgments: Judgments, single: FloatArray) -> bool:
    """Whether a document with one pair has the lowest label twice; then nobody needs to look at documents for it."""
    if not judgments.levels.ordered:
        return True
    lowest = judgments.levels.lowest
    return bool(single[:, : lowest + 1, : lowest + 1].any())


def _topics_of(judgments: Judgments, rows: Rows, paired: BoolArray) -> tuple[npt.NDArray[np.int32], BoolArray]:
    """The place of each paired item's topic among the topics that hold pairs, and which topics those are.

    All paired items stand in the rows.
    """
    topic = np.zeros(judgments.items, dtype=np.int32)
    topic[judgments.item[rows]] = judgments.topic[rows]
    held = np.zeros(len(judgments.topics), dtype=bool)
    held[topic if paired.all() else topic[paired]] = True
    return topic if held.all() else (np.cumsum(held, dtype=np.int32) - np.int32(1))[topic], held


def _products(cells: FloatArray) -> FloatArray:
    """Sum over documents of c[i, j] c[i, l]; shape [levels, levels, levels]."""
    return np.asarray(np.einsum("dij,dil->ijl", cells, cells))


def _share(
    side: str,
    judgments: Judgments,
    rows: Rows,
    paired: BoolArray,
    held: BoolArray,
    part: FloatArray | None = None,
) -> Share:
    """How many judgments of each level there are, and how many of them stand on doubly judged documents."""
    shape = (len(judgments.topics), len(judgments.levels))
    item = judgments.item[rows]
    axes = judgments.topic[rows], judgments.level[rows]
    weight = None if part is None else part[item]
    judged = count_cells(shape, axes, None, weight)
    twice = judged if paired.all() else count_cells(shape, axes, paired[item], weight)
    return Share(side, judged[held], twice[held])
