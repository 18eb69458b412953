"""Numbers in bytes: what Python's float and int say, to the last bit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gainsayer.lines import Names, parse_decimals, parse_whole


def padded(texts: list[str]) -> Names:
    """The texts, with the bytes before them that the parsers need."""
    return Names.of(["x" * 16, *texts]).rows(slice(1, None))


def test_decimals_are_those_of_python() -> None:
    """Plain numbers, exponents, many digits, signs and infinities give the nearest float."""
    texts = ["0", "-0", "1.", ".5", "-.5", "37.231257", "9007199254740993", "0.1234567890123456", "123456789012345.6"]
    texts += ["1e3", "-2.5E-7", "+4", "inf", "-Infinity", "1e999", "4.9e-324", "0.30000000000000004", "1" * 30]
    numbers, wrong = parse_decimals(padded(texts))
    assert wrong.tolist() == []
    assert [number.hex() for number in numbers.tolist()] == [float(text).hex() for text in texts]


@pytest.mark.parametrize("text", ["x", "", "-", ".", "1.2.3", "1,5", "0x10", "--1", "1-", "nan", "1e", "\ufeff1"])
def test_what_is_no_number_is_named_by_its_row(text: str) -> None:
    """The others on its side are read."""
    numbers, wrong = parse_decimals(padded(["2.5", text, "1e2"]))
    assert wrong.tolist() == [1]
    assert math.isnan(numbers[1])
    assert numbers[[0, 2]].tolist() == [2.5, 100.0]


def test_whole_numbers_in_their_usual_spelling() -> None:
    """Every number of up to four digits is read, negative ones too, alone and beside others."""
    numbers = [*range(-1200, 1200), -9999, 9999, 1234, -1]
    found = parse_whole(padded([str(number) for number in numbers]))
    assert found is not None
    assert found.tolist() == numbers
    assert found.dtype == np.int16
    for number in (0, 9, 10, -1, 9999):
        alone = parse_whole(padded([str(number)]))
        assert alone is not None
        assert alone.tolist() == [number]


@pytest.mark.parametrize("text", ["+1", "01", "-0", "00", "1.0", "x", "10000", "-", "1x", "x1", "-x", "1-", "³"])
def test_other_spellings_are_declined(text: str) -> None:
    """One of them among many is enough: then the column is text."""
    assert parse_whole(padded(["1", "-2", text, "10"])) is None
    assert parse_whole(padded([text])) is None
