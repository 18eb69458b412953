"""What `_kernel.c` gives; None wherever something is not plain."""

from typing import Final

from typing_extensions import Buffer

INTERFACE: Final[int]

def split_block(block: Buffer, stop: int, columns: int) -> tuple[bytearray, bytearray, bytearray, bytearray] | None: ...
def number_names(bound: Buffer, text: Buffer, start: Buffer, length: Buffer) -> tuple[bytearray, int] | None: ...
def rank_hits(
    text: Buffer,
    start: Buffer,
    length: Buffer,
    score: Buffer,
    bound: Buffer,
    code: Buffer,
    pool_text: Buffer,
    pool_start: Buffer,
    pool_length: Buffer,
    pool_begin: Buffer,
) -> bytearray | None: ...
def match_dict(scores: dict[str, float], entries: dict[str, int]) -> bytearray | None: ...
