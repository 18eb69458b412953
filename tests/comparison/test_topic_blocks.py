"""Blocks of topics, and the tree in which they are added up."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from gainsayer.comparison import TOPICS_PER_BLOCK, add_up, count_bits, find_blocks, join_nodes
from gainsayer.errors import CallError


def test_the_number_of_blocks_follows_from_that_of_topics() -> None:
    """The smallest power of two with at most 1,024 topics a block."""
    for topics in (1, 2, 1_023, 1_024, 1_025, 2_048, 2_049, 4_097, 100_000, 1_000_000):
        bits = count_bits(topics)
        assert topics <= TOPICS_PER_BLOCK << bits
        assert bits == 0 or topics > TOPICS_PER_BLOCK << (bits - 1)


def test_a_block_is_the_first_bits_of_the_checksum() -> None:
    """The block of a topic is crc32 of its name, shifted; with no bits there is one block."""
    names = ["q1", "é", "a b", ""]
    assert find_blocks(names, 5).tolist() == [zlib.crc32(name.encode()) >> 27 for name in names]
    assert find_blocks(names, 0).tolist() == [0, 0, 0, 0]


def test_blocks_are_even() -> None:
    """100,000 names fill 128 blocks as chance would."""
    sizes = np.bincount(find_blocks([f"topic-{at}" for at in range(100_000)], 7), minlength=128)
    assert sizes.min() > 600
    assert sizes.max() < 1_000


def tell(left: str, right: str) -> str:
    """An addition that shows in which order it was done."""
    return f"({left}{right})"


def test_the_tree_does_not_depend_on_who_adds_what() -> None:
    """Blocks in any order and grouping are added up as ((01)(23))((45)(67)); those without a topic are left out."""
    rng = np.random.default_rng(3)
    for held in ("01234567", "0134567", "1246", "7", "036"):
        blocks = [((0, int(name)), name) for name in held]
        expected = add_up(dict(blocks), tell)
        for _ in range(40):
            mixed = [blocks[at] for at in rng.permutation(len(blocks))]
            cut = int(rng.integers(0, len(blocks) + 1))
            parts = [join_nodes(part, tell) for part in (mixed[:cut], mixed[cut:])]
            whole = join_nodes((node for part in parts for node in part.items()), tell)
            assert add_up(whole, tell) == expected
    assert add_up({(0, at): str(at) for at in range(8)}, tell) == "(((01)(23))((45)(67)))"


def test_a_block_counts_once() -> None:
    """A block that comes twice, alone or as a part of what was added up, is refused."""
    for nodes in ([((0, 3), "a"), ((0, 3), "b")], [((1, 1), "a"), ((0, 3), "b")], [((0, 2), "a"), ((2, 0), "b")]):
        with pytest.raises(CallError, match="were summed up twice"):
            join_nodes(nodes, tell)
