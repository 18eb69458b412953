"""One assessor, one document, several judgments: counted once, refused, or resolved as asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from gainsayer.errors import MOST_FAULTS, CallError, RepeatError
from gainsayer.findings import Finding

Repeats = Literal["error", "first", "last", "majority", "all", "as-assessors"]
MOST_SHOWN = 3
REPEATS: tuple[Repeats, ...] = ("error", "first", "last", "majority", "all", "as-assessors")
Rows = npt.NDArray[np.int64]
PIECE = 1 << 18


def resolve_repeats(
    item: npt.NDArray[np.int64],
    assessor: npt.NDArray[np.int32],
    level: npt.NDArray[np.int16],
    *,
    repeats: Repeats,
    describe: Callable[[list[int]], str],
    hint: str = "",
) -> tuple[Rows | None, tuple[Finding, ...]]:
    """Which rows to keep (None: all of them), and what was found.

    Equal levels are counted once. Different levels are an error that lists them, unless `repeats` says which one to
    keep: the `first`, the `last`, or the `majority` (of equally frequent levels the lowest). With `all`, every judgment
    stays: right for repeated calls of a machine judge, which never pair with each other. `hint` is added to the error.

    Raises:
        RepeatError: one assessor gave one document different levels, and `repeats` is `error`.
    """
    people = int(assessor.max(initial=0)) + 1
    if not _any_repeated(item, assessor, people):
        return None, ()
    slot = item * people + assessor
    order = np.argsort(slot, kind="stable")
    ranked = slot[order]
    starts = np.concatenate(([0], np.flatnonzero(ranked[1:] != ranked[:-1]) + 1))
    sizes = np.diff(np.append(starts, len(ranked)))
    if repeats == "all":
        message = (
            f"{_count_items(item, order[starts[sizes > 1]]):,} documents were judged several times by one assessor "
            f"({int(sizes[sizes > 1].sum()):,} judgments, all kept). They never pair with each other."
        )
        return None, (Finding("repeats-kept", message),)
    lows = np.minimum.reduceat(level[order], starts)
    highs = np.maximum.reduceat(level[order], starts)
    torn = np.flatnonzero(lows != highs)
    same = int((sizes[lows == highs] - 1).sum())
    findings = []
    if same:
        text = f"{same:,} judgments repeat an earlier one with the same level and were counted once."
        findings.append(Finding("repeats-collapsed", text))
    keep = order[starts]
    if len(torn):
        groups = [order[starts[group] : starts[group] + sizes[group]] for group in torn]
        by_line = np.argsort([rows[0] for rows in groups], kind="stable")
        if repeats == "error":
            raise _conflict([groups[place] for place in by_line], item, describe, hint)
        keep[torn] = [_choose(rows, level, repeats) for rows in groups]
        documents = _count_items(item, order[starts[torn]])
        text = f"{documents:,} documents had different levels from one assessor; the {repeats} one was kept."
        if repeats == "majority":
            text += " Of equally frequent levels it is the lowest."
        findings.append(Finding("repeats-resolved", text))
    return np.sort(keep), tuple(findings)


def _any_repeated(item: Rows, assessor: npt.NDArray[np.int32], people: int) -> bool:
    """Whether an assessor judged a document twice: marks per (document, assessor), set in pieces that stay in cache."""
    if len(item) == 0:
        return False
    slots = (int(item.max()) + 1) * people
    if slots > 16 * len(item):
        ranked = np.sort(item * people + assessor)
        return bool(np.any(ranked[1:] == ranked[:-1]))
    marked = np.zeros(slots, dtype=np.bool_)
    for start in range(0, len(item), PIECE):
        piece = slice(start, start + PIECE)
        marked[item[piece] * people + assessor[piece]] = True
    return int(np.count_nonzero(marked)) < len(item)


def _choose(rows: Rows, level: npt.NDArray[np.int16], repeats: Repeats) -> int:
    if repeats == "majority":
        return int(rows[np.argmax(level[rows] == np.argmax(np.bincount(level[rows])))])
    return int(rows[0] if repeats == "first" else rows[-1])


def split_repeats(
    item: Rows, assessor: npt.NDArray[np.int32], assessors: tuple[str, ...]
) -> tuple[npt.NDArray[np.int32], tuple[str, ...], tuple[Finding, ...]]:
    """The k-th judgment of a document under one name as that of the k-th assessor of this name: `crowd 1`, `crowd 2`.

    For judgments without ids of who gave them. Which of a document's opinions is called the first one means nothing:
    they are a panel. Names without repeats stay as they are.

    >>> item, whose = np.array([0, 0, 1]), np.array([0, 0, 0], np.int32)
    >>> split_repeats(item, whose, ("crowd",))[:2]
    (array([0, 1, 0], dtype=int32), ('crowd 1', 'crowd 2'))
    """
    slot = item * len(assessors) + assessor
    order = np.argsort(slot, kind="stable")
    ranked = slot[order]
    turn = np.empty(len(slot), np.int64)
    turn[order] = np.arange(len(slot)) - np.searchsorted(ranked, ranked)
    most = np.zeros(len(assessors), np.int64)
    np.maximum.at(most, assessor, turn)
    names: list[str] = []
    begin = np.zeros(len(assessors), np.int64)
    for place, name in enumerate(assessors):
        begin[place] = len(names)
        names += [name] if most[place] == 0 else [f"{name} {number + 1}" for number in range(int(most[place]) + 1)]
    if len(set(names)) < len(names):
        doubled = next(name for name in names if names.count(name) > 1)
        raise CallError(f"The opinions under one name cannot be told from an assessor called {doubled!r}. Rename one.")
    split = [name for name, times in zip(assessors, most.tolist(), strict=True) if times]
    text = (
        f"Repeated judgments under {', '.join(split[:MOST_FAULTS])} are taken as opinions of different people: the "
        f"k-th judgment of a document as the k-th opinion, up to {int(most.max()) + 1}. They pair with each other."
    )
    findings = (Finding("repeats-as-assessors", text),) if split else ()
    return (begin[assessor] + turn).astype(np.int32), tuple(names), findings


def _count_items(item: Rows, rows: Rows) -> int:
    """How many different documents stand on these rows: one may be repeated under several names."""
    return len(np.unique(item[rows]))


def _conflict(groups: list[Rows], item: Rows, describe: Callable[[list[int]], str], hint: str) -> RepeatError:
    shown = [describe(rows[:4].tolist()) for rows in groups[:MOST_SHOWN]]
    if len(groups) > len(shown):
        shown.append(f"... and {len(groups) - len(shown):,} more like these.")
    documents = _count_items(item, np.array([rows[0] for rows in groups]))
    return RepeatError(
        f"{documents:,} {'document has' if documents == 1 else 'documents have'} different levels from one assessor:\n"
        + "\n".join(shown)
        + "\nKeep one with repeats='first', 'last' or 'majority', or all of them with repeats='all' (repeated calls "
        "of a machine judge). If the judgments come from different people, give each an assessor name of their own, "
        f"or take them as so many opinions with repeats='as-assessors'.{hint}"
    )
