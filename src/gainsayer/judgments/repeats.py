"""One assessor, one document, several judgments: counted once, refused, or resolved as asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from gainsayer.errors import MOST_FAULTS, RepeatError
from gainsayer.findings import Finding

Repeats = Literal["error", "first", "last", "majority", "all"]
REPEATS: tuple[Repeats, ...] = ("error", "first", "last", "majority", "all")
Rows = npt.NDArray[np.int64]
PIECE = 1 << 18


def resolve_repeats(
    item: npt.NDArray[np.int64],
    assessor: npt.NDArray[np.int32],
    level: npt.NDArray[np.int16],
    *,
    repeats: Repeats,
    describe: Callable[[int], str],
) -> tuple[Rows | None, tuple[Finding, ...]]:
    """Which rows to keep (None: all of them), and what was found.

    Equal levels are counted once. Different levels are an error that lists them, unless `repeats` says which one to
    keep: the `first`, the `last`, or the `majority` (among equally frequent levels the one that came first). With
    `all`, every judgment stays: right for repeated calls of a machine judge, which never pair with each other.

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
            f"{int((sizes > 1).sum()):,} documents were judged several times by one assessor "
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
            raise _conflict([groups[place] for place in by_line], describe)
        keep[torn] = [_choose(rows, level, repeats) for rows in groups]
        text = f"{len(torn):,} documents had different levels from one assessor; the {repeats} one was kept."
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
        counts = np.bincount(level[rows])
        return int(rows[np.argmax(counts[level[rows]])])
    return int(rows[0] if repeats == "first" else rows[-1])


def _conflict(groups: list[Rows], describe: Callable[[int], str]) -> RepeatError:
    shown = ["; ".join(describe(int(row)) for row in rows[:4]) for rows in groups[:MOST_FAULTS]]
    if len(groups) > len(shown):
        shown.append(f"... and {len(groups) - len(shown)} more like these.")
    return RepeatError(
        f"{len(groups)} documents have different levels from one assessor:\n"
        + "\n".join(shown)
        + "\nKeep one with --repeats first, last or majority, or all of them with --repeats all (repeated calls of a "
        "machine judge). If the judgments come from different people, give each an assessor name of their own."
    )
