"""Input that once ended in a traceback: every one is refused in words, or read."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import Result

from gainsayer.errors import CallError, DataError, FormatError
from gainsayer.exports import read_queries
from gainsayer.measures import parse_measure
from gainsayer.ranking import read_duplicates, returned_by_rule
from gainsayer.reading import read_judgments, read_run, read_topic_table

MARK = b"\xef\xbb\xbf"
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\nq2 0 d2 1\n"


def write(path: Path, content: str | bytes) -> Path:
    """A file with this content."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_level_of_5000_digits_is_named(tmp_path: Path) -> None:
    """A level with more digits than a number may have is a fault of its line."""
    path = write(tmp_path / "a.qrels", QRELS + "q2 0 d3 " + "7" * 5000 + "\n")
    with pytest.raises(
        FormatError, match=r"a\.qrels, line 5: expected a whole number of at most 18 digits as level, found '7{40}"
    ):
        read_judgments(path)


@pytest.mark.parametrize("number", ["1_0", "٣", "0x1", "1e999", "nan", "½", "1" * 5000])
def test_a_probability_is_a_number_in_ascii_digits(tmp_path: Path, number: str) -> None:
    """What only Python takes for a number is no probability."""
    path = write(tmp_path / "intents.txt", f"q1 1 {number}\n")
    with pytest.raises(FormatError, match=r"intents\.txt, line 1: expected a number as probability"):
        read_topic_table(path, ("topic", "intent", "probability"), numbers=("probability",))


def test_blanks_that_are_not_ascii_are_part_of_a_name(tmp_path: Path) -> None:
    """A no-break space inside a name separates nothing: not in duplicates, strata, resources or queries."""
    path = write(tmp_path / "a.txt", "a\u00a0b c\n")
    assert read_duplicates(path).document.texts() == ["a\u00a0b", "c"]
    assert read_topic_table(path, ("topic", "stratum")).rows() == [("a\u00a0b", "c")]
    assert read_queries(path) == {"a\u00a0b": "c"}
    odd = write(tmp_path / "b.txt", "q\u2003\u0085 r\x1c\u00a0 d\u3000\n")
    assert read_topic_table(odd, ("topic", "resource", "document")).rows() == [
        ("q\u2003\u0085", "r\x1c\u00a0", "d\u3000")
    ]
    lone = write(tmp_path / "c.txt", "a\u00a0b\n")
    with pytest.raises(FormatError, match="expected two or more equal documents"):
        read_duplicates(lone)


def test_a_digit_of_another_script_does_not_lead_duplicates(tmp_path: Path) -> None:
    """Only an ASCII digit at the beginning of all lines means nothing."""
    assert read_duplicates(write(tmp_path / "a", "٣ a b\n")).document.texts() == ["٣", "a", "b"]
    assert read_duplicates(write(tmp_path / "a", "3 a b\n")).document.texts() == ["a", "b"]


def test_two_byte_order_marks_are_refused(tmp_path: Path) -> None:
    """One mark is dropped; two are refused, in judgments, runs and side files; later ones are part of a name."""
    run = "q1 Q0 d1 1 2.5 x\n"
    assert read_run(write(tmp_path / "a.run", MARK + run.encode())).topics == ("q1",)
    assert read_judgments(write(tmp_path / "a.qrels", MARK + QRELS.encode())).topics == ("q1", "q2")
    twice = "expected at most one byte-order mark, found two"
    with pytest.raises(FormatError, match=twice):
        read_run(write(tmp_path / "a.run", MARK * 2 + run.encode()))
    for name, text in (("a.qrels", QRELS), ("a.csv", "topic,document,level\nq1,d1,1\nq1,d2,0\n")):
        with pytest.raises(FormatError, match=twice):
            read_judgments(write(tmp_path / name, MARK * 2 + text.encode()))
    with pytest.raises(FormatError, match=twice):
        read_topic_table(write(tmp_path / "s", MARK * 2 + b"q1 a\n"), ("topic", "stratum"))


def test_a_mark_after_the_header_stays_in_the_name(tmp_path: Path) -> None:
    """A byte-order mark on a later line is part of the name in quoted and plain CSV alike, and of no number."""
    for text in ("topic,document,level\n\ufeffq1,d1,1\nq1,d2,0\n", 'topic,document,level\n\ufeffq1,"d1",1\nq1,d2,0\n'):
        assert read_judgments(write(tmp_path / "a.csv", text)).topics == ("q1", "\ufeffq1")
    with pytest.raises(FormatError, match="expected a number as score"):
        read_run(write(tmp_path / "a.run", "q1 Q0 d1 1 \ufeff1e3 x\n"))


@pytest.mark.parametrize("value", ["1" * 5000, "[" * 100_000, "{", "1" * 400])
def test_a_gain_file_is_checked(run: Callable[..., Result], tmp_path: Path, value: str) -> None:
    """A gain file with a number of 5,000 digits, or with no JSON, is refused."""
    gains = write(tmp_path / "gains.json", '{"0": 0, "1": ' + value + "}")
    judged, ranked = write(tmp_path / "a.qrels", QRELS), write(tmp_path / "a.run", "q1 Q0 d1 1 2.5 x\n")
    result = run("score", "--judgments", judged, "--runs", ranked, "-m", "nDCG@5", "--gains", gains)
    assert result.exit_code == 1
    assert "gains.json: " in result.stderr


def test_a_number_that_is_too_large_is_named() -> None:
    """Whole numbers and fractions that no float can hold are faults of their rows."""
    with pytest.raises(FormatError, match="row 1: expected a number as score, found one that is too large"):
        read_run({"q1": {"d1": 10**400}})
    with pytest.raises(FormatError, match="row 1: expected a number as level, found one that is too large"):
        read_judgments({"U": {"q1": {"d1": Fraction(10**400, 3)}}})


def test_a_rule_that_finds_no_rank_or_resource_is_said() -> None:
    """A group of the rule that takes no part in a document's id is named with the document."""
    labels = read_judgments({"U": {"q": {"e1-01": 0, "e1-x": 1}}})
    with pytest.raises(DataError, match=r"finds no rank in the document 'e1-x': expected digits, found None"):
        returned_by_rule(labels, r"(?P<resource>\w+)-((?P<rank>\d+)|x)")
    with pytest.raises(DataError, match=r"finds no resource in the document 'e1-01'"):
        returned_by_rule(labels, r"(?P<resource>z)?.*")
    with pytest.raises(CallError, match="is no regular expression"):
        returned_by_rule(labels, r"(?P<resource>a){99999999999999999999}")


@pytest.mark.parametrize(
    "text",
    [
        "P@" + "1" * 5000,
        "P_" + "1" * 5000,
        "P@٣",
        "P_1٣",
        "RBP(p=" + "-" * 100_000 + "1)",
        "RBP(p=" + "-" * 900 + "1)",
        "RBP(p=" + "1" * 900 + ")",
        "RBP(p=" + "(" * 900 + ")",
        "AP(users=" + "[" * 90 + "])",
        "ERR(p=1e999)@5",
    ],
    ids=lambda text: text[:12] + str(len(text)),
)
def test_an_odd_measure_is_refused(text: str) -> None:
    """No name of a measure, however long or deep, ends in anything but a fault of the call, in few words."""
    with pytest.raises(CallError) as caught:
        parse_measure(text)
    assert len(str(caught.value)) < 3000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_are_not_utf8_are_shown_with_their_bytes(run: Callable[..., Result], tmp_path: Path) -> None:
    """File names that are not UTF-8 stand in JSON, assessors and messages with their bytes escaped."""
    folder = os.fsencode(tmp_path)
    first, second, strata = (os.fsdecode(folder + b"/" + name) for name in (b"a\xe9.qrels", b"b\xe9.qrels", b"s\xe9"))
    Path(first).write_text(QRELS)
    Path(second).write_text(QRELS.replace("d2 1", "d2 0"))
    Path(strata).write_text("q1 a\nq2 b\n")
    result = run("fit", first, second, "--strata", strata, "--threshold", "1", "--format", "json")
    provenance = json.loads(result.stdout)["provenance"]
    assert [entry["file"].rpartition("/")[2] for entry in provenance["files"]] == [
        r"a\xe9.qrels",
        r"b\xe9.qrels",
        r"s\xe9",
    ]
    assert provenance["options"]["strata"].endswith(r"s\xe9")
    assert read_judgments(first).assessors == (r"a\xe9",)
    absent = run("fit", os.fsdecode(folder + b"/none\xff.qrels"))
    assert absent.exit_code == 2
    assert r"none\\xff.qrels" in absent.stderr


@pytest.mark.parametrize("place", ["judgments", "runs"])
def test_a_name_of_5000_characters_is_refused(run: Callable[..., Result], tmp_path: Path, place: str) -> None:
    """A name that no file can have is a fault of the call."""
    judged, ranked = write(tmp_path / "a.qrels", QRELS), write(tmp_path / "a.run", "q1 Q0 d1 1 2.5 x\n")
    files = {"judgments": str(judged), "runs": str(ranked)} | {place: "x" * 5000}
    result = run("score", "--judgments", files["judgments"], "--runs", files["runs"], "-m", "P@5")
    assert result.exit_code == 2
    assert "cannot be read: File name too long" in result.stderr
