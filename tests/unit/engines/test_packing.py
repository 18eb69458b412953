"""Waists as bytes and back."""

from __future__ import annotations

import io

import numpy as np
import pytest
from tests.unit.engines.topic_buckets import as_task, draw_collection, make_waists, same

from gainsayer.engines.packing import pack, unpack
from gainsayer.engines.waists import join_waists
from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.levels import Levels


def test_what_is_packed_comes_back_the_same() -> None:
    """Every array has its kind and bits again, and every name, level and finding is there."""
    judgments, runs = draw_collection()
    task = as_task(judgments, runs=("a.run", "b", "c"), depth=7, findings=(Finding("rare-labels", "1 stray"),))
    for waist in (*make_waists(judgments, runs, task, 50), *make_waists(judgments, runs, task, 1)):
        back = unpack(pack(waist))
        assert same(back, waist)


def test_levels_with_codes_and_merges_come_back() -> None:
    """Levels keep what labels mean."""
    levels = Levels(("Non", "Rel"), codes=("0", "1"), merges={"2": "Rel"}, missing=frozenset({"-1"}))
    judgments, runs = draw_collection(3)
    [waist] = make_waists(judgments, runs, as_task(judgments), 1)
    task = as_task(judgments, unnamed=" x")
    object.__setattr__(task, "levels", levels)
    object.__setattr__(waist, "task", task)
    back = unpack(pack(waist)).task
    assert (back.levels, back.unnamed) == (levels, " x")


def test_packed_waists_join_as_waists_do() -> None:
    """A waist that went through bytes joins to the same bits."""
    judgments, runs = draw_collection()
    parts = make_waists(judgments, runs, as_task(judgments), 3)
    assert same(join_waists(unpack(pack(part)) for part in parts), join_waists(parts))


@pytest.mark.parametrize("cut", [0, 1, 100, -1, -40])
def test_cut_off_bytes_are_refused(cut: int) -> None:
    """Bytes that end too early are no waist, and a sentence says so."""
    judgments, runs = draw_collection(3)
    [waist] = make_waists(judgments, runs, as_task(judgments), 1)
    with pytest.raises(DataError, match="no whole waist of a bucket: they were damaged or cut off"):
        unpack(pack(waist)[:cut])


def test_damaged_bytes_are_refused() -> None:
    """A byte that changed on the way is noticed, wherever it stands."""
    judgments, runs = draw_collection(3)
    [waist] = make_waists(judgments, runs, as_task(judgments), 1)
    packed = pack(waist)
    refused = 0
    for place in range(60, len(packed), 997):
        harmed = bytearray(packed)
        harmed[place] ^= 0xFF
        try:
            back = unpack(bytes(harmed))
        except DataError:
            refused += 1
        else:
            assert same(back, waist)  # a byte that means nothing, such as a date
    assert refused >= 4


def test_bytes_that_would_run_code_are_refused() -> None:
    """Pickled objects are not loaded."""
    stream = io.BytesIO()
    np.savez(stream, header=np.array([{"format": "x"}], dtype=object))
    with pytest.raises(DataError, match="damaged"):
        unpack(stream.getvalue())


def test_another_version_is_refused() -> None:
    """A waist of another version is named as such."""
    stream = io.BytesIO()
    np.savez(stream, header=np.frombuffer(b'{"format": "gainsayer waist 0"}', np.uint8))
    with pytest.raises(DataError, match="a gainsayer waist 0, but this version reads"):
        unpack(stream.getvalue())
