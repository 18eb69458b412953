"""Sides: whose labels the evaluation uses, and who stands for the users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError, PairingError
from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments
from gainsayer.text import nearest

MOST_ACROSS = 0.01
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]


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
            "different assessors are needed. Give the second assessor's file as well, or say by_assessor=True where "
            f"column 2 of a qrels file names the assessor.{judgments.unnamed}"
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
        raise CallError("Each side needs at least one assessor. Leave one out of first=... or second=....")
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
            "pairs, or count all pairs with pairing='all'."
        )
    if within == 0 or (matched is None and across > MOST_ACROSS * every):
        return judgments
    findings = judgments.findings
    if across:
        message = (
            f"{across:,} of {every:,} pairs are between assessors of different pairs and were left out, as the sides "
            "were given pair by pair. Count them with pairing='all'."
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
