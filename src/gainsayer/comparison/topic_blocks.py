"""Blocks of topics, and sums over them that have the same bits however the topics were shared out.

A topic's block follows from its name, the number of blocks from the number of scored topics alone. A block is summed as
a whole, its topics in the order of their names; blocks are added in a binary tree by their number. Whoever holds some
of the blocks adds up what the tree adds up, and no more: the rest is added when the other blocks come. Floating-point
addition is not associative, so this is what makes one process and a hundred agree to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar
from zlib import crc32

import numpy as np

from gainsayer.errors import CallError
from gainsayer.rankings.ranked_levels import IntArray

TOPICS_PER_BLOCK = 1024
Item = TypeVar("Item")
# A node of the tree: its height above the blocks, and its number among the nodes of that height.
Node = tuple[int, int]


def count_bits(topics: int) -> int:
    """k of the 2^k blocks: the smallest number with no more than 1,024 topics a block on average.

    >>> [count_bits(topics) for topics in (1_024, 1_025, 5_000, 1_000_000)]
    [0, 1, 3, 10]
    """
    return max(0, (max(1, topics) - 1).bit_length() - (TOPICS_PER_BLOCK - 1).bit_length())


def find_blocks(names: Iterable[str], bits: int) -> IntArray:
    """The block of each topic: the first bits of the CRC-32 of its name in UTF-8.

    >>> find_blocks(["q1", "q2", "q3"], 1).tolist()
    [0, 1, 1]
    """
    sums = [crc32(name.encode("utf-8", "surrogatepass")) >> (32 - bits) for name in names]
    return np.array(sums, dtype=np.int64)


def join_nodes(nodes: Iterable[tuple[Node, Item]], add: Callable[[Item, Item], Item]) -> dict[Node, Item]:
    """Nodes of the tree, both halves of a node added up wherever they are at hand.

    Raises:
        CallError: a block comes twice.

    >>> join_nodes([((0, 0), 1), ((0, 1), 2), ((0, 3), 4)], int.__add__)
    {(1, 0): 3, (0, 3): 4}
    """
    found: dict[Node, Item] = {}
    for (height, number), added in nodes:
        if any(_overlap((height, number), other) for other in found):
            raise CallError(f"The topics of block {number << height} were summed up twice.")
        item = added
        while (other := found.pop((height, number ^ 1), None)) is not None:
            item = add(item, other) if number % 2 == 0 else add(other, item)
            height, number = height + 1, number >> 1
        found[height, number] = item
    return found


def _overlap(one: Node, other: Node) -> bool:
    height = max(one[0], other[0])
    return one[1] >> (height - one[0]) == other[1] >> (height - other[0])


def add_up(nodes: Mapping[Node, Item], add: Callable[[Item, Item], Item]) -> Item:
    """The sum of all, blocks that are lacking having no topic.

    >>> add_up({(1, 0): 3, (0, 3): 4}, int.__add__)
    7
    """
    held = dict(nodes)
    for height in range(max(node[0] for node in held) + 33):
        if len(held) == 1:
            break
        for own, number in sorted(node for node in held if node[0] == height):
            item = held.pop((own, number))
            above = (height + 1, number >> 1)
            held[above] = add(held[above], item) if above in held else item
    return next(iter(held.values()))
