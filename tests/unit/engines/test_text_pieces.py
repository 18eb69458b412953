"""Lines cut by topic, against splitting them one by one in plain Python."""

from __future__ import annotations

import io
import random
from zlib import crc32

import pytest

from gainsayer.engines import text_pieces
from gainsayer.engines.text_pieces import cut_pieces
from gainsayer.lines import cut_blocks

NAMES = (
    *(b"1", b"22", b"1234567", b"12345678", b"123456789", b"topic-0000001", b"topic-0000002", b"topic-0000001x"),
    *(b"x" * 40, b"x" * 41, b"y" * 300, b"z" * 9000, b"a\x01b", b"caf\xc3\xa9"),
)


def draw_lines(chance: random.Random) -> list[bytes]:
    """Lines of topics that stand together or come back, with odd blanks and line ends, some blank, some too short."""
    lines = []
    for _ in range(chance.randint(1, 40)):
        topic = chance.choice(NAMES[: chance.randint(1, len(NAMES))])
        for _ in range(chance.choice([1, 1, 2, 5])):
            style = chance.random()
            blank = chance.choice([b" ", b"\t", b"  ", b" \t"]) if style < 0.3 else b" "
            before = chance.choice([b"", b" ", b"\t ", b" " * 50]) if style < 0.1 else b""
            rest = blank + b"Q0" + blank + b"d%d" % chance.randint(0, 99) if chance.random() < 0.95 else b""
            odd = chance.choice([b"", b" ", b"\r", b" " * 70])
            lines.append(odd if style > 0.97 else before + topic + rest + chance.choice([b"", b"", b"\r"]))
    return lines


@pytest.mark.parametrize("reader", ["as built", "NumPy"])
@pytest.mark.parametrize("seed", range(4))
def test_each_line_goes_to_the_bucket_of_its_first_field_and_stays_in_its_order(
    seed: int, reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every line that is not blank is in the bucket that the CRC-32 of its first field says."""
    if reader == "NumPy":
        monkeypatch.setattr(text_pieces, "find_topics", lambda *_: None)
    chance = random.Random(seed)
    for _ in range(40):
        lines, buckets = draw_lines(chance), chance.choice([1, 3, 8, 64])
        text = b"\n".join(lines) + chance.choice([b"", b"\n"])
        wanted: dict[int, bytes] = {}
        for line in lines:
            if cells := line.split():
                bucket = (crc32(cells[0]) * buckets) >> 32
                wanted[bucket] = wanted.get(bucket, b"") + line + b"\n"
        found: dict[int, bytes] = {}
        size = chance.choice([5, 50, 1000, 100_000])
        for block in cut_blocks(io.BytesIO(text), width=1, batch_bytes=size, whole_topics=False):
            for bucket, part in cut_pieces(block, buckets).texts():
                found[bucket] = found.get(bucket, b"") + bytes(part)
        assert found == wanted


def test_lines_of_a_topic_that_stand_together_are_one_piece() -> None:
    """A thousand lines of two topics in turns of a hundred are ten pieces, not a thousand."""
    text = b"".join(b"topic-%07d Q0 d%d 1 1.0 r\n" % (line // 100 % 2, line) for line in range(1000))
    (block,) = cut_blocks(io.BytesIO(text), width=6, whole_topics=False)
    assert len(cut_pieces(block, 1024).begin) == 10
