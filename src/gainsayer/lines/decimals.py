"""Decimal numbers in a buffer of bytes, sixteen digits at a time; the rest by polars.

A number such as `-37.231257` is a whole number of at most fifteen digits over a power of ten. Both are exact in 64-bit
floats, and so their quotient is the float nearest to the decimal, as `strtod` gives it. All others (exponents, more
digits, `inf`) are parsed by polars, which is exact too.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.lines.names import Hashes, Names, Places, Rows, words_at

FloatArray = npt.NDArray[np.float64]

LONGEST: Final = 16
MOST_DIGITS: Final = 4
PAD: Final = 16


def _every(byte: int) -> np.uint64:
    return np.uint64(byte * 0x0101010101010101)


_ONES, _LOW, _HIGH, _TOPS = _every(0x01), _every(0x0F), _every(0xF0), _every(0x80)
_ZEROS, _DOTS, _SIXES = _every(0x30), _every(ord(".")), _every(0x06)
_ONE, _BYTE, _TOP_BYTE = np.uint64(1), np.uint64(8), np.uint64(56)
_POWERS: Final = 10.0 ** np.arange(2 * LONGEST)
_EXACT: Final = np.uint64(1 << 53)


def parse_decimals(text: Names) -> tuple[FloatArray, Rows]:
    """The number in each text, and the rows where there is none (NaN there).

    Args:
        text: the texts; their buffer has at least sixteen bytes before the first.

    >>> numbers, bad = parse_decimals(Names.of(["." * 16, "37.25", "-1e3", "x", "nan"]).rows(slice(1, None)))
    >>> numbers.tolist(), bad.tolist()
    ([37.25, -1000.0, nan, nan], [2, 3])
    """
    with np.errstate(over="ignore"):
        number, plain = _parse_plain(text)
    rest = np.flatnonzero(~plain)
    if len(rest) == 0:
        return number, rest
    number[rest] = _parse_any(text.rows(rest))
    return number, rest[np.isnan(number[rest])]


def parse_whole(text: Names) -> npt.NDArray[np.int16] | None:
    """The whole number in each text, if each is one of at most four digits in its usual spelling; else None.

    Args:
        text: see `parse_decimals`.

    >>> parse_whole(Names.of(["0", "-2", "10"])).tolist()
    [0, -2, 10]
    >>> [parse_whole(Names.of([text])) for text in ("+1", "01", "-0", "1.0", "x", "10000")]
    [None, None, None, None, None, None]
    """
    first, length = text.buffer[text.start], text.length
    if bool((length == 1).all()):
        digit = first - np.uint8(ord("0"))
        return digit.astype(np.int16) if bool((digit <= 9).all()) else None
    negative = first == ord("-")
    digits = length - negative
    if int(digits.min(initial=1)) < 1 or int(digits.max(initial=1)) > MOST_DIGITS:
        return None
    lead = text.buffer[text.start + negative]
    if bool(((lead == ord("0")) & (length > 1)).any()):
        return None
    number = np.zeros(len(text), np.int16)
    end = text.start + length
    for place in range(int(digits.max(initial=0))):
        digit = text.buffer[np.maximum(end - 1 - place, 0)] - np.uint8(ord("0"))
        digit[digits <= place] = 0
        if bool((digit > 9).any()):
            return None
        number += digit * np.int16(10**place)
    np.negative(number, out=number, where=negative)
    return number


def _parse_any(text: Names) -> FloatArray:
    """By polars, NaN where a text is no number."""
    found = None
    lines = text.gather()
    try:
        table = pl.read_csv(
            lines,
            has_header=False,
            quote_char=None,
            separator="\n",
            schema={"number": pl.Float64},
            low_memory=True,
        )
        if not lines.startswith(b"\xef\xbb\xbf"):  # a byte-order mark, which polars would drop
            found = table["number"]
    except pl.exceptions.PolarsError:
        pass
    if found is None or len(found) != len(text) or found.null_count():
        found = pl.Series(text.texts(), dtype=pl.String).cast(pl.Float64, strict=False)
    return found.fill_null(np.nan).to_numpy(writable=True)


def _parse_plain(text: Names) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """The numbers, and which of them are plain decimals of at most sixteen symbols after the sign."""
    end = text.start + text.length
    negative = text.buffer[text.start] == ord("-")
    length = text.length - negative if negative.any() else text.length
    plain = (length >= 1) & (length <= LONGEST)
    low, high = words_at(text.buffer, end - 8), words_at(text.buffer, end - 16)
    # The last symbol is the highest byte of `low`; symbols before the number are cut off.
    low = _keep_last(low, length)
    high = _keep_last(high, length - 8)
    low, high, decimals, dotted = _drop_dot(low, high)
    digits = length - dotted
    plain &= _all_digits(low, digits) & _all_digits(high, digits - 8) & (digits >= 1)
    whole = _eight_digits(high)
    whole *= np.uint64(100_000_000)
    whole += _eight_digits(low)
    plain &= whole <= _EXACT
    number = whole.astype(np.float64)
    number /= _POWERS[decimals]
    if negative.any():
        np.negative(number, out=number, where=negative)
    return number, plain


def _keep_last(word: Hashes, count: Places) -> Hashes:
    shift = (64 - 8 * np.clip(count, 0, 8)).astype(np.uint64)
    return (word >> shift) << shift


def _drop_dot(low: Hashes, high: Hashes) -> tuple[Hashes, Hashes, Rows, npt.NDArray[np.bool_]]:
    """The words without the first dot, what stood before it moved up; the digits behind it; whether there was one."""
    below, in_low = _below_dot(low)
    if in_low.all():  # as usual
        new_low = (low & ~below & ~(below << _BYTE | np.uint64(0xFF))) | ((low & below) << _BYTE) | (high >> _TOP_BYTE)
        return new_low, high << _BYTE, 7 - (np.bitwise_count(below) >> 3).astype(np.int64), in_low
    beneath, in_high = _below_dot(high)
    both = in_high & in_low  # two dots: left as they are, which is no number
    in_low, in_high = in_low & ~both, in_high & ~both
    reach = below << _BYTE | np.uint64(0xFF)
    moved = (low & ~reach) | ((low & below) << _BYTE) | (high >> _TOP_BYTE)
    new_low = np.where(in_low, moved, low)
    reach = beneath << _BYTE | np.uint64(0xFF)
    new_high = np.where(in_low, high << _BYTE, np.where(in_high, (high & ~reach) | ((high & beneath) << _BYTE), high))
    places = 7 - (np.bitwise_count(below) >> 3).astype(np.int64)
    further = 15 - (np.bitwise_count(beneath) >> 3).astype(np.int64)
    decimals = np.where(in_low, places, np.where(in_high, further, 0))
    return new_low, new_high, decimals, in_low | in_high


def _below_dot(word: Hashes) -> tuple[Hashes, npt.NDArray[np.bool_]]:
    """A mask of the bytes below the lowest dot, and whether there is a dot (else the mask means nothing)."""
    zero = word ^ _DOTS
    found = (zero - _ONES) & ~zero & _TOPS
    dotted = found != 0
    lowest = found & (~found + _ONE)
    return (lowest - _ONE) >> np.uint64(7), dotted


def _all_digits(word: Hashes, count: Places) -> npt.NDArray[np.bool_]:
    """Whether the highest `count` bytes are digits; the others are zero."""
    shift = (64 - 8 * np.clip(count, 0, 8)).astype(np.uint64)
    expected = (_ZEROS >> shift) << shift
    digits: npt.NDArray[np.bool_] = ((word & _HIGH) == expected) & (((word + _SIXES) & _HIGH) == expected)
    return digits


def _eight_digits(word: Hashes) -> Hashes:
    """The number that eight ASCII digits spell, the first in the lowest byte."""
    value = word & _LOW
    value *= np.uint64(2561)
    value >>= np.uint64(8)
    value &= np.uint64(0x00FF00FF00FF00FF)
    value *= np.uint64(6553601)
    value >>= np.uint64(16)
    value &= np.uint64(0x0000FFFF0000FFFF)
    value *= np.uint64(42949672960001)
    value >>= np.uint64(32)
    return value
