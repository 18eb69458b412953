"""Clean qrels files: read as bytes or as text, the judgments are the same; all other files are left alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gainsayer.errors import FormatError, GainsayerError, RepeatError
from gainsayer.judgments import clean_qrels, files
from gainsayer.judgments.clean_qrels import read_clean_qrels
from gainsayer.judgments.files import read_judgments
from gainsayer.judgments.qrels import read_qrels
from gainsayer.lines import blocks

CLEAN = {
    "plain": b"q1 0 d1 2\nq1 0 d22 0\nq2 0 d1 1\n",
    "no last line end": b"q1 0 d1 2\nq1 0 d22 0\nq2 0 d1 1",
    "tabs": b"q1\t0\td1\t2\nq1\t0\td22\t0\n",
    "other widths": b"q9 0 d1 2\nq10 Q0 d22 -1\nq10 0 d1 10\nq9 0 d3 0\n",
    "UTF-8": "q1 0 dé 2\nq1 0 d\u2003 0\n".encode(),
    "long": b"q1 0 " + b"d" * 5000 + b" 2\nq1 0 e 0\n",
    "odd names": b'"q 0 #1 1\nnull 0 , 0\n',
    "topics in turn": b"".join(b"q%d 0 d%d 1\n" % (number % 7, number) for number in range(500)),
    "one line": b"1 0 2 0\n",
}
OTHER = {
    "crlf": b"q1 0 d1 2\r\nq1 0 d2 0\r\n",
    "two blanks": b"q1 0  d1 2\nq1 0 d2 0\n",
    "blank at the end": b"q1 0 d1 2 \nq1 0 d2 0\n",
    "blank at the begin": b" q1 0 d1 2\nq1 0 d2 0\n",
    "blank line": b"q1 0 d1 2\n\nq1 0 d2 0\n",
    "both blanks": b"q1 0 d1 2\nq1\t0 d2 0\n",
    "text as level": b"q1 0 d1 Key\nq1 0 d2 Non\n",
    "odd spelling": b"q1 0 d1 1.0\nq1 0 d2 02\nq1 0 d3 +0\n",
    "control character": b"q1 0 d\x1c1 2\n",
    "NUL": b"q1 0 d\x001 2\n",
    "not UTF-8": b"q1 0 d\xe9 2\n",
    "three columns": b"q1 0 d1 2\nq1 0 d2\n",
    "five columns": b"q1 0 d1 2\nq1 0 d2 2 x\n",
    "three and five columns": b"q1 0 d1 2\nq1 d2 1\nq1 0 x d2 2\n",
    "header": b"topic iter docno rel\nq1 0 d1 2\n",
    "CSV": b"topic,document,level\nq1,d1,2\n",
    "JSON": b'{"topic": "q1", "doc": "d1", "rel": 2}\n',
    "byte-order mark": b"\xef\xbb\xbfq1 0 d1 2\n",
    "Parquet's mark": b"PAR1 0 d1 2\n",
    "empty": b"",
    "a line end": b"\n",
    "no line end": b"q1 0 d1 2",
}


def write(folder: Path, content: bytes) -> Path:
    """A file of its own."""
    path = folder / "a.qrels"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("size", [3, 17, 1 << 19])
@pytest.mark.parametrize("name", CLEAN)
def test_clean_files_give_the_rows_of_the_other_reader(
    name: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the size of the blocks."""
    plain = blocks.load_blocks
    monkeypatch.setattr(clean_qrels, "load_blocks", lambda path: plain(path, size=size))
    source = read_clean_qrels(write(tmp_path, CLEAN[name]), assessor="U1")
    assert source is not None
    expected = read_qrels(CLEAN[name], source.name, assessor="U1")
    assert source.frame.equals(expected.frame)
    assert source.assessor == expected.assessor
    assert [source.where(row) for row in range(source.height)] == [expected.where(row) for row in range(source.height)]


@pytest.mark.parametrize("name", OTHER)
def test_other_files_are_left_alone(name: str, tmp_path: Path) -> None:
    """Anything unusual is for the reader that can say what is wrong."""
    assert read_clean_qrels(write(tmp_path, OTHER[name]), assessor="U1") is None


def test_no_file_is_left_alone(tmp_path: Path) -> None:
    """Folders, missing files, names that cannot be, and standard input."""
    for path in (tmp_path, tmp_path / "none.qrels", "a\0b", "-"):
        assert read_clean_qrels(path, assessor="U1") is None


@pytest.mark.parametrize("name", [*CLEAN, *OTHER])
def test_judgments_and_messages_are_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without the reader of bytes, the same judgments or the same words."""
    path = write(tmp_path, (CLEAN | OTHER)[name])
    other = tmp_path / "b.csv"
    other.write_text("topic,document,level\nq1,d22,1\nq1,d1,0\n")

    def read() -> object:
        try:
            judgments = read_judgments(path, other)
        except GainsayerError as fault:
            return type(fault), str(fault)
        return judgments.frame().rows(), judgments.findings, judgments.items, same(judgments.item)

    def same(item: np.ndarray) -> list[int]:
        return [item.tolist().index(number) for number in item.tolist()]

    quick = read()
    monkeypatch.setattr(files, "read_clean_qrels", lambda path, **options: None)
    assert quick == read()


def test_faults_in_clean_files_are_named_by_line(tmp_path: Path) -> None:
    """Two levels for one document, and a label that is no level."""
    path = write(tmp_path, b"q1 0 d1 2\nq1 0 d2 0\nq1 0 d1 1\n")
    with pytest.raises(RepeatError, match=r"a.qrels, line 1: a gave q1 d1 level 2; .*a.qrels, line 3: a gave q1 d1"):
        read_judgments(path)
    assert read_judgments(path, repeats="last").frame()["document"].to_list() == ["d2", "d1"]
    from gainsayer.levels import Levels

    with pytest.raises(FormatError, match=r"a.qrels, line 1: expected one of the levels 0, 1, found '2'"):
        read_judgments(path, levels=Levels(("0", "1")))
    kept = read_judgments(path, missing=["2"])
    assert kept.frame().rows() == [("q1", "d2", "a", "0"), ("q1", "d1", "a", "1")]


def test_documents_do_not_follow_the_file(tmp_path: Path) -> None:
    """What was read stays as it was read, also where the text is asked for after the file was changed."""
    path = write(tmp_path, CLEAN["plain"])
    judgments = read_judgments(path)
    path.write_bytes(b"")
    assert judgments.document.to_list() == ["d1", "d22", "d1"]
    assert judgments.rows(np.array([2, 1])).document.to_list() == ["d1", "d22"]
