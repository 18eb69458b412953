"""The columns of a block: three ways to find them, each of them Python's split or nothing."""

from __future__ import annotations

import random

import pytest

from gainsayer.lines import Block, Names, split_any, split_even, split_single


def place(content: bytes) -> Block:
    """The lines somewhere within a larger buffer, with other lines around them."""
    around = b"0 0 0\n" * 5
    block = Block.of(around + content + around)
    return Block(block.buffer, block.start + len(around), block.stop - len(around), 1)


def cells(columns: list[Names]) -> list[tuple[bytes, ...]]:
    """The rows of the columns."""
    return list(zip(*(column.encoded() for column in columns), strict=True))


def draw(seed: int) -> bytes:
    """Some lines of about three columns, plain or not."""
    chance = random.Random(seed)
    blanks = chance.choice([[b" "], [b"\t"], [b" ", b"\t"], [b" ", b"  ", b"\x0b"]])
    ends = chance.choice([[b"\n"], [b"\n", b"\r\n"], [b"\n", b"\n\n", b" \n"]])
    words = chance.choice([[b"a", b"b"], [b"a", b"bbb", b"\x1c"], ["é".encode(), b"cc"]])
    content = b""
    for _ in range(chance.randint(1, 6)):
        width = 3 if chance.random() < 0.95 else chance.choice([1, 2, 4])
        content += b"".join(chance.choice(words) + chance.choice(blanks) for _ in range(width - 1))
        content += chance.choice(words) + chance.choice(ends)
    return content


@pytest.mark.parametrize("seed", range(300))
def test_columns_are_those_of_a_plain_split(seed: int) -> None:
    """Any blanks are split as Python splits bytes; the fast ways give the same or decline."""
    content = draw(seed)
    lines = [(number, tuple(line.split())) for number, line in enumerate(content.split(b"\n")) if line.split()]
    rows = [row for _, row in lines]
    found = split_any(place(content), 3, [0, 1, 2])
    if any(len(row) != 3 for row in rows):
        assert found is None
    else:
        assert found is not None
        columns, places = found
        assert cells(columns) == rows
        assert (list(range(len(rows))) if places is None else places.tolist()) == [number for number, _ in lines]
    for quick in (split_single(place(content), 3, [0, 1, 2]), split_even(place(content), 3, free=1)):
        assert quick is None or cells(quick) == rows


def test_single_blanks_are_not_declined() -> None:
    """Plain lines are read the fast way, in the order that is wanted, with spaces or with tabs."""
    for blank in (b" ", b"\t"):
        content = b"a 1 x\nbb 22 yy\n".replace(b" ", blank)
        columns = split_single(place(content), 3, [2, 0])
        assert columns is not None
        assert cells(columns) == [(b"x", b"a"), (b"yy", b"bb")]
        assert split_even(place(content), 3, free=1) is None
        assert split_even(place(content.replace(b"bb", b"b").replace(b"yy", b"y")), 3, free=1) is not None


@pytest.mark.parametrize(
    "content", [b"a  1 x\n", b" a 1 x\n", b"a 1 x \n", b"a 1\tx\n", b"a 1 x\n\n", b"a 1 \x00\n", b"a 1\n", b"a 1 x y\n"]
)
def test_all_else_is_declined_by_the_fast_ways(content: bytes) -> None:
    """Several or other blanks, blank lines, control characters and other widths, also far below plain lines."""
    for text in (content, b"a 1 x\n" * 100 + content):
        assert split_single(place(text), 3, [0]) is None
        assert split_even(place(text), 3, free=1) is None
