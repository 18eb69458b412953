"""Which format a file has: by its ending, else by its content; and the assessor its name stands for."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from gainsayer.judgments.columns import is_header, tell_column
from gainsayer.judgments.delimited import split_header
from gainsayer.judgments.parquet import PARQUET_MARK
from gainsayer.lines.opening import BYTE_ORDER_MARK, STANDARD_INPUT, FilePath, call_file

Format: TypeAlias = Literal["qrels", "csv", "tsv", "jsonl", "parquet"]
FORMATS: Final[tuple[Format, ...]] = ("qrels", "csv", "tsv", "jsonl", "parquet")

_LONGEST_LINE: Final = 4096
_COMPRESSION_ENDINGS: Final = frozenset({".gz", ".bz2", ".zst", ".zstd"})
_SNIFFED_ENDINGS: Final = frozenset({".qrels", ".qrel", ".txt"})
_ENDINGS: Final[dict[str, Format]] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}


def name_assessor(path: FilePath) -> str:
    """The assessor a file belongs to: its name without folders and known endings.

    >>> name_assessor("dl19/nist.qrels.gz"), name_assessor("umbrela-llama3.2.qrels"), name_assessor("-")
    ('nist', 'umbrela-llama3.2', 'stdin')
    """
    if path == STANDARD_INPUT:
        return "stdin"
    name = PurePath(call_file(path))
    while name.suffix.lower() in _COMPRESSION_ENDINGS | _SNIFFED_ENDINGS | _ENDINGS.keys():
        name = name.with_suffix("")
    return name.name


def tell_format(path: FilePath, content: bytes) -> Format:
    r"""The format of a file, by its ending, else by its (decompressed) content.

    A TSV file whose first line names no column, as MS MARCO has them, is a qrels file.

    >>> tell_format("nist.csv.gz", b""), tell_format("-", b"q1 0 d1 2\n"), tell_format("a.txt", b'{"qid": 1}')
    ('csv', 'qrels', 'jsonl')
    """
    name = PurePath(path)
    while name.suffix.lower() in _COMPRESSION_ENDINGS:
        name = name.with_suffix("")
    text = content.removeprefix(BYTE_ORDER_MARK)
    by_ending = _ENDINGS.get(name.suffix.lower())
    if by_ending == "tsv" and not any(map(tell_column, split_header(text, "\t"))):
        return "qrels"
    return by_ending or _tell_by_content(text)


def tell_content(content: bytes) -> Format | None:
    r"""The format that a file's content shows, whatever its ending; None where it shows none.

    >>> tell_content(b"q1 0 d1 2\n"), tell_content(b"topic,document,level\n"), tell_content(b"a b\n")
    ('qrels', 'csv', None)
    """
    text = content.removeprefix(BYTE_ORDER_MARK)
    found = _tell_by_content(text)
    cells = text[:_LONGEST_LINE].lstrip().split(b"\n", 1)[0].split()
    if found == "qrels" and not (len(cells) == 4 and re.fullmatch(rb"[+-]?\d+", cells[3])):
        return None
    return found


def _tell_by_content(text: bytes) -> Format:
    if text.startswith(PARQUET_MARK):
        return "parquet"
    if re.match(rb"\s*(\{|\[\s*[\[{])", text):
        return "jsonl"
    if is_header(split_header(text, "\t")):
        return "tsv"
    return "csv" if is_header(split_header(text, ",")) else "qrels"
