"""Text from files, as it may be shown and written."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest

from gainsayer.reading.workers import work_in_turn
from gainsayer.text import STEERING, legible, on_command_line, option, printable, write_json

BIDI = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
MARKS = ("\u061c", "\u200e", "\u200f")


def test_what_steers_is_what_unicode_says() -> None:
    """All control characters but tab and line feed, and all that sets or turns direction, by Unicode's own tables."""
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    controls = {sign for sign in characters if unicodedata.category(sign) == "Cc"} - {"\t", "\n"}
    turning = {sign for sign in characters if unicodedata.bidirectional(sign) in BIDI} | set(MARKS)
    found = {sign for sign in characters if re.fullmatch(STEERING, sign)}
    assert controls | turning <= found
    assert {unicodedata.category(sign) for sign in found} == {"Cc", "Cf", "Cn"}
    assert {sign for sign in found if unicodedata.category(sign) == "Cn"} == {"\ufffe", "\uffff"}


@pytest.mark.parametrize("sign", ["\x1b", "\x7f", "\x9b", "\u061c", "\u202e", "\u2066"])
def test_json_escapes_what_steers_and_loses_nothing(sign: str) -> None:
    """The mark is not in the JSON, which reads back as the same name; other scripts stay readable."""
    text = write_json({f"ké{sign}y": [f"日本 {sign}"]})
    assert sign not in text
    assert "日本" in text
    assert json.loads(text) == {f"ké{sign}y": [f"日本 {sign}"]}
    assert sign not in printable(f"a{sign}b")


def test_names_that_are_not_utf_8_can_be_written() -> None:
    """Raw bytes of a name become its characters where they are UTF-8, else numbers that JSON gives back."""
    name = "é\udcff".encode("utf-8", "surrogateescape").decode("ascii", "surrogateescape")
    assert legible(name) == "é\\udcff"
    assert legible(name).encode()
    assert json.loads(write_json([name])) == ["é\udcff"]
    assert legible("\ud800") == "\\ud800"


def test_a_document_that_nobody_reads_by_eye_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to the bound JSON is indented, beyond it it stands on one line, and means the same."""
    document = {"pairs": [{"a": "x", "ends": [0.5, None]}] * 3, "b": "é\x9b"}
    monkeypatch.setattr("gainsayer.text.MOST_INDENTED", 10)
    indented = write_json(document)
    monkeypatch.setattr("gainsayer.text.MOST_INDENTED", 9)
    line = write_json(document)
    on_a_line = 3 * 3  # of each of the three lists of two numbers: they stand where their bracket opens
    lines = len(json.dumps(document, indent=2).split("\n")) - on_a_line
    assert (indented.count("\n"), line.count("\n")) == (lines, 1)
    assert json.loads(indented) == json.loads(line) == document


def test_threads_speak_to_the_same_reader() -> None:
    """A message made by a thread that shares the work names options as the command line does."""
    with on_command_line():
        words = list(work_in_turn(lambda value: option("ties", value), iter(["a", "b", "c", "d", "e"])))
    assert words == [f"--ties {value}" for value in "abcde"]
    assert option("ties", "a") == "ties='a'"
