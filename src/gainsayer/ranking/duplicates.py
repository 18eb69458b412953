"""Groups of equal documents: only the first one a run returns counts.

Later members of a group keep their rank and are worth nothing (not even what a document of the lowest level is worth),
and the ideal list has one document per group.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.ranking.pool import DocumentPool, IntArray, Pool
from gainsayer.reading.faults import Faults, shorten
from gainsayer.reading.files import FilePath, as_text, call_file, read_content
from gainsayer.reading.names import Names, Rows

EVERY_TOPIC: Final = -1


@dataclass(frozen=True, eq=False)
class Duplicates:
    """Groups of documents that are equal, in one topic or in all of them.

    Args:
        document: the members of all groups.
        group: the number of each member's group.
        topic: the topic in which a group counts, None for all topics; one per group.
    """

    document: Names
    group: Rows
    topic: tuple[str | None, ...]

    def __len__(self) -> int:
        return len(self.topic)

    @cached_property
    def members(self) -> dict[bytes, list[int]]:
        """The places of each document among the members: it may be in several groups, of different topics."""
        places: dict[bytes, list[int]] = {}
        for place, name in enumerate(self.document.encoded()):
            places.setdefault(name, []).append(place)
        return places

    def find(self, names: Names, topic: Rows, pool: DocumentPool) -> tuple[Rows, Rows]:
        """Which names are members of groups that count in their topics, and the group of each.

        Args:
            names: documents.
            topic: the place in the pool of each one's topic.
            pool: whose topics are meant.
        """
        pairs = [(row, place) for row, name in enumerate(names.encoded()) for place in self.members.get(name, ())]
        row, found = np.array(pairs, np.int64).reshape(-1, 2).T
        group = self.group[found]
        scope = np.array([EVERY_TOPIC if name is None else pool.place.get(name, -2) for name in self.topic], np.int64)
        counts = (scope[group] == EVERY_TOPIC) | (scope[group] == topic[row])
        return row[counts], group[counts]


def read_duplicates(path: FilePath, *, topics: Collection[str] = ()) -> Duplicates:
    """Groups of equal documents from a file: one group per line, its documents separated by ASCII blanks.

    Lines may begin with the topic in which the group counts, or with a single digit, which means nothing here (the
    FedWeb file has 0, 1 and 2); that is so if all lines do. Groups of the same topic that share a document are one.

    Args:
        path: the file.
        topics: the topics, to tell a leading topic from a document.

    Raises:
        FormatError: a line has fewer than two documents; the first ten are listed.
    """
    name = call_file(path)
    text = as_text(read_content(path), name)
    lines = [[cell.decode() for cell in line.split()] for line in text.split(b"\n")]
    known = set(topics)
    led = all(line[0] in known or re.fullmatch("[0-9]", line[0]) for line in lines if line)
    faults = Faults(name)
    groups: list[tuple[str | None, list[str]]] = []
    for number, line in enumerate(lines, start=1):
        members = line[1:] if led else line
        if not line:
            continue
        if len(set(members)) < 2:
            faults.add(number, f"expected two or more equal documents, found {shorten(' '.join(line))}.")
        groups.append((line[0] if led and line[0] in known else None, members))
    faults.settle()
    return group_duplicates(groups)


def group_duplicates(groups: Iterable[tuple[str | None, Iterable[str]]]) -> Duplicates:
    """Groups from pairs of a topic (None for all) and documents; groups that share a document are one.

    >>> found = group_duplicates([(None, ["a", "b"]), (None, ["c", "b"]), ("q1", ["x", "y"])])
    >>> found.topic, found.document.texts(), found.group.tolist()
    ((None, 'q1'), ['a', 'b', 'c', 'x', 'y'], [0, 0, 0, 1, 1])
    """
    parent: dict[tuple[str | None, str], tuple[str | None, str]] = {}

    def root(member: tuple[str | None, str]) -> tuple[str | None, str]:
        while (above := parent.setdefault(member, member)) != member:
            parent[member] = parent[above]
            member = above
        return member

    for topic, documents in groups:
        members = [(topic, document) for document in documents]
        for member in members:
            first, second = root(members[0]), root(member)
            parent[second] = first
    place: dict[tuple[str | None, str], int] = {}
    group = [place.setdefault(root(member), len(place)) for member in parent]
    return Duplicates(
        document=Names.of([document for _, document in parent]),
        group=np.array(group, np.int64),
        topic=tuple(topic for topic, _ in place),
    )


def later_members(topic: Rows, group: Rows, rank: Rows) -> IntArray:
    """Of members that a run returned, which are not the first of their group.

    >>> later_members(np.array([0, 0, 0]), np.array([5, 6, 5]), np.array([3, 2, 1]))
    array([0])
    """
    order = np.lexsort((rank, group, topic))
    later = np.zeros(len(order), np.bool_)
    later[1:] = (topic[order][1:] == topic[order][:-1]) & (group[order][1:] == group[order][:-1])
    return order[later]


def one_per_group(pool: Pool, duplicates: Duplicates) -> tuple[IntArray, IntArray, npt.NDArray[np.bool_]]:
    """The pool's level counts with one document per group, and the groups whose members have different levels.

    Which member of such a group an ideal list takes depends on the gains: the one worth most. So these groups are
    not in the counts, but apart: the topic of each, and which levels it holds, shape [groups, levels].
    """
    entry, group = duplicates.find(pool.document, pool.topic.astype(np.int64), pool)
    topic, level = pool.topic[entry].astype(np.int64), pool.level[entry].astype(np.int64)
    counts = pool.counts.copy()
    np.subtract.at(counts, (topic, level), 1)
    keys, place = np.unique(topic * len(duplicates) + group, return_inverse=True)
    held = np.zeros((len(keys), len(pool.levels)), dtype=bool)
    held[place.reshape(-1), level] = True
    where = keys // max(len(duplicates), 1)
    sole = held.sum(axis=1) == 1
    np.add.at(counts, (where[sole], held[sole].argmax(axis=1)), 1)
    return counts, where[~sole], held[~sole]


def number_members(pool: Pool, duplicates: Duplicates) -> npt.NDArray[np.int32]:
    """Which document of its level each entry of the pool is, from 0, when a group counts as one document.

    The counterpart of `one_per_group`: an entry of the g-th group whose members have different levels has `-1 - g`.
    """
    entry, group = duplicates.find(pool.document, pool.topic.astype(np.int64), pool)
    level = pool.level[entry].astype(np.int64)
    keys, first, place = np.unique(
        pool.topic[entry].astype(np.int64) * len(duplicates) + group, return_index=True, return_inverse=True
    )
    place = place.reshape(-1)
    sole = np.bincount(place, level != level[first][place], minlength=len(keys)) == 0
    alone = np.ones(len(pool.level), np.bool_)
    alone[entry] = False
    alone[entry[first[sole]]] = True  # the first member stands for its group
    member = np.zeros(len(pool.level), np.int64)
    for each in range(len(pool.levels)):
        counted = alone & (pool.level == each)
        running = np.concatenate(([0], np.cumsum(counted)))
        mine = np.flatnonzero(counted)
        member[mine] = running[mine] - running[pool.starts[pool.topic[mine]]]
    mixed = -1 - (np.cumsum(~sole) - 1)
    member[entry] = np.where(sole[place], member[entry[first]][place], mixed[place])
    return member.astype(np.int32)
