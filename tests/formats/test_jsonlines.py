"""JSON lines: values of several types, and what is said of other lines."""

from __future__ import annotations

import json

import pytest

from gainsayer.errors import FormatError
from gainsayer.reading import Source, make_source, read_objects


def read(*lines: str, assessor: str | None = "U1") -> Source:
    """The lines in a file called a.jsonl."""
    return make_source(read_objects("\n".join(lines).encode(), "a.jsonl"), "a.jsonl", assessor=assessor)


@pytest.mark.parametrize(
    ("level", "label"),
    [
        ("2", "2"),
        ("2.0", "2"),
        ('"Key"', "Key"),
        ("true", "1"),
        ("false", "0"),
        ("0.5", "0.5"),
        ("null", ""),
        ("-1", "-1"),
    ],
)
def test_levels_may_be_numbers_text_or_truth(level: str, label: str) -> None:
    """Whole numbers lose their point, true and false are 1 and 0, null is an empty level."""
    assert read(f'{{"topic": "q1", "doc": "d1", "rel": {level}}}').frame.rows() == [("q1", "d1", "U1", label)]


def test_ids_may_be_numbers() -> None:
    """Topics and documents may be numbers, however big."""
    source = read('{"qid": 17, "docid": 12345678901234567890123, "judge": 3, "rel": 1}')
    assert source.frame.rows() == [("17", "12345678901234567890123", "3", "1")]


def test_key_order_and_other_keys_do_not_matter() -> None:
    """Each line may have its keys in its own order, and keys of its own."""
    source = read(
        '{"topic": "q1", "document": "d1", "level": 2, "note": {"deep": []}}',
        "",
        '{"rel": 0, "docno": "d2", "qid": "q1"}',
    )
    assert source.frame.rows() == [("q1", "d1", "U1", "2"), ("q1", "d2", "U1", "0")]
    assert source.where(1) == "a.jsonl, line 3"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "expected one JSON object, found '{'"),
        ("17", "expected one JSON object, found '17'"),
        ('{"topic": "q1"} {"topic": "q2"}', "expected one JSON object, found .* \\(Extra data"),
        ('{"topic": "q1", "doc": "d1"}', "expected the same columns as above .topic, document, level."),
        ('{"topic": "q1", "doc": "d1", "rel": 1, "judge": "U7"}', "expected the same columns as above"),
        ('{"topic": "q1", "doc": "d1", "rel": 1, "label": 1}', "expected the same columns as above"),
        ('{"topic": "q1", "doc": "d1", "rel": 1, "rel": 2}', "a key is there twice"),
        ('{"topic": "q1", "doc": "d1", "rel": NaN}', "NaN is no JSON number"),
        ('{"topic": "q1", "doc": "d1", "rel": [1]}', "expected text or a number as level, found '\\[1\\]'"),
        ('{"topic": true, "doc": "d1", "rel": 1}', "expected text or a number as topic, found 'True'"),
        ('{"topic": "\\ud800", "doc": "d1", "rel": 1}', "expected text as topic, found half a character"),
        ('{"topic": null, "doc": "d1", "rel": 1}', "expected a topic, found an empty one"),
        ("[" * 100_000, "expected a flat JSON object"),
        ('{"topic": ' + "9" * 5000 + "}", "expected one JSON object, found "),
    ],
)
def test_bad_lines_are_named(line: str, fault: str) -> None:
    """A line that is not such an object is an error with its number."""
    with pytest.raises(FormatError, match=f"a.jsonl, line 2: .*{fault}") as caught:
        read('{"topic": "q1", "doc": "d0", "rel": 0}', line)
    assert len(str(caught.value)) < 400


def test_missing_keys_of_the_first_line_are_listed() -> None:
    """The first line decides which columns there are, and misses none that is needed."""
    with pytest.raises(
        FormatError, match=r"a\.jsonl, line 1: expected the columns topic, document, level, found 'qid'"
    ):
        read('{"qid": 1}')


@pytest.mark.parametrize(
    "text", ['[{"topic": "q1", "doc": "d1", "rel": 1},\n {"topic": "q1", "doc": "d2", "rel": 0}]\n']
)
def test_an_array_of_flat_objects_is_read_as_lines_are(text: str) -> None:
    """A JSON array holds the rows that the same objects would be on lines of their own."""
    lines = text.strip().strip("[]").replace(",\n", "\n")
    assert read(text).frame.rows() == read(lines).frame.rows()
    assert read(text).where(1) == "a.jsonl, item 2"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"topic": 1, "doc": 2, "rel": 1}, 7]', "item 2: expected a JSON object, found '7'"),
        (
            '[{"topic": 1, "doc": 2, "rel": 1}, {"topic"',
            "item 2: expected a JSON object of the array, found '{\"topic\"'",
        ),
        ('[{"topic": 1, "doc": 2, "rel": 1}', r"item 1: expected '\]' at the end of the JSON array, found 'nothing'"),
        ('[{"topic": 1, "doc": 2, "rel": 1}] x', r"item 1: expected '\]' at the end of the JSON array, found '\] x'"),
        ('[{"topic": 1, "doc": 2, "rel": 1}, {"topic": 1}]', "item 2: expected the same columns as above"),
    ],
)
def test_a_broken_array_is_told_by_its_item(text: str, said: str) -> None:
    """What is wrong in a JSON array is named by the number of the object."""
    with pytest.raises(FormatError, match=said):
        read(text)


def test_ten_megabytes_on_one_line_are_refused_in_short() -> None:
    """A single line of 10 MB that is no JSON gives a short message."""
    with pytest.raises(FormatError, match=r"a\.jsonl, line 1: expected one JSON object") as caught:
        read('{"' + "x" * 10_000_000)
    assert len(str(caught.value)) < 300


def test_many_lines_keep_their_order() -> None:
    """50,000 lines are 50,000 rows, in the order of the file."""
    lines = [json.dumps({"qid": n % 50, "docno": f"d{n}", "judge": "U1", "rel": n % 4}) for n in range(50_000)]
    assert read(*lines).frame["document"].to_list() == [f"d{n}" for n in range(50_000)]
