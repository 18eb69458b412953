"""Runs as plain dicts {topic: {document: score}}: Python's own hash tables find the judged documents.

A training loop scores thousands of such runs. A table of all their rows would cost more than all the rest, and only the
judged documents, a tenth of them, are ever looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from gainsayer.ranking.pool import DocumentPool
from gainsayer.reading.kernel import find_kernel
from gainsayer.reading.names import Rows

Lists: TypeAlias = Sequence[dict[str, float]]
_BLANKS: Final = " \t\r\f\v"
_NUMBERS: Final = frozenset((float, int, np.float64, np.float32, np.int64, np.int32))


@dataclass(frozen=True, eq=False)
class MappedHits:
    """Where dicts put the documents of a pool, topic by topic: place of the topic, rank and entry of each hit.

    `retrieved` has the length of each topic's list, and `topics` their names, as they came; `codes` their places in the
    pool, -1 for none.
    """

    topics: list[str]
    codes: Rows
    retrieved: Rows
    topic: Rows
    rank: Rows
    entry: Rows


def match_mapping(table: Mapping[Any, Any], pool: DocumentPool) -> MappedHits | None:
    """The hits of a run in dicts, in trec_eval's order; None where something is not plain, for `read_run` to say.

    Plain are dicts with names that are text without blanks, and scores that are numbers.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> from gainsayer.ranking.pool import make_pool
    >>> pool = make_pool(read_judgments({"U1": {"q1": {"a": 2, "b": 0, "c": 1}}}))
    >>> found = match_mapping({"q1": {"a": 1.0, "x": 3.0, "b": 2.0}}, pool)
    >>> [(pool.document.texts()[entry], rank) for entry, rank in zip(found.entry.tolist(), found.rank.tolist())]
    [('a', 3), ('b', 2)]
    >>> match_mapping({"q1": {"a": None}}, pool)
    """
    lists = {topic: inner for topic, inner in table.items() if type(inner) is not dict or inner}
    if not lists or not all(type(inner) is dict for inner in lists.values()) or not _are_plain(lists):
        return None
    codes = [pool.place.get(topic, -1) for topic in lists]
    held = [pool.entries[code] if code >= 0 else {} for code in codes]
    found = _match_compiled(list(lists.values()), held) or _match(list(lists.values()), held)
    if found is None:
        return None
    hits = np.concatenate(found)
    return MappedHits(
        topics=list(lists),
        codes=np.array(codes, np.int64),
        retrieved=np.array([len(inner) for inner in lists.values()], np.int64),
        topic=np.repeat(codes, [len(part) for part in found]),
        rank=hits[:, 0],
        entry=hits[:, 1],
    )


def _match_compiled(lists: Lists, held: Sequence[dict[str, int]]) -> list[Rows] | None:
    kernel = find_kernel()
    found: list[Rows] = []
    for inner, entries in zip(lists, held, strict=True):
        part = None if kernel is None else kernel.match_dict(inner, entries)
        if part is None:
            return None
        found.append(np.frombuffer(part, np.int64).reshape(-1, 2))
    return found


def _match(lists: Lists, held: Sequence[dict[str, int]]) -> list[Rows] | None:
    """Rank and entry of the hits of each list, shape [hits, 2]."""
    kinds = set(chain.from_iterable(map(type, inner.values()) for inner in lists))
    if not kinds <= _NUMBERS or not all(_are_plain(inner) for inner in lists):
        return None
    found = []
    for inner, entries in zip(lists, held, strict=True):
        try:
            score = np.fromiter(inner.values(), np.float64, len(inner))
        except OverflowError:
            return None
        if np.isnan(score).any():
            return None
        if len(entries) <= len(inner):
            pairs = [(name, place) for name, place in entries.items() if name in inner]
        else:
            pairs = [(name, entries[name]) for name in inner if name in entries]
        rank = _rank(inner, score, [name for name, _ in pairs])
        found.append(np.stack((rank, np.array([place for _, place in pairs], np.int64)), axis=1))
    return found


def _are_plain(names: Mapping[Any, Any]) -> bool:
    """Whether all names are text without ASCII blanks, and none is empty."""
    try:
        text = "\n".join(names)
        text.isascii() or text.encode()  # half a character is refused in words elsewhere
    except (TypeError, UnicodeEncodeError):
        return False
    return (
        text.count("\n") == len(names) - 1
        and not any(blank in text for blank in _BLANKS)
        and not (not text or text[0] == "\n" or text[-1] == "\n" or "\n\n" in text)
    )


def _rank(inner: Mapping[str, float], score: npt.NDArray[np.float64], names: list[str]) -> Rows:
    """The ranks of some documents of a list: by score descending, then by name descending by bytes."""
    ascending = -score
    if not (ascending[1:] > ascending[:-1]).all():
        ascending.sort()
    own = -np.array([float(inner[name]) for name in names], np.float64)
    first, last = np.searchsorted(ascending, own), np.searchsorted(ascending, own, side="right")
    rank = first + 1
    tied = np.flatnonzero(last - first > 1).tolist()
    if tied:
        groups: dict[float, list[bytes]] = {float(-own[place]): [] for place in tied}
        for name, value in inner.items():
            if (group := groups.get(float(value))) is not None:
                group.append(name.encode())
        order = {
            (value, name): place for value, group in groups.items() for place, name in enumerate(sorted(group)[::-1])
        }
        for place in tied:
            rank[place] += order[float(-own[place]), names[place].encode()]
    return rank
