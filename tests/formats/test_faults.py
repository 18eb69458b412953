"""Faults: the first ten shown, all counted, none too long."""

from __future__ import annotations

import pytest

from gainsayer.errors import FormatError
from gainsayer.reading import Faults, shorten


def test_without_faults_nothing_is_raised() -> None:
    """Settling what has no fault does nothing, whatever the advice."""
    Faults("a.run").settle("Try something else.")


def test_the_first_ten_are_shown_and_the_rest_counted() -> None:
    """Places have the unit that was asked for, and the advice comes last."""
    faults = Faults("table", unit="row")
    for place in range(1, 13):
        faults.add(place, "expected a number.")
    with pytest.raises(FormatError) as caught:
        faults.settle("Mend them.")
    shown = [f"table, row {place}: expected a number." for place in range(1, 11)]
    assert str(caught.value).split("\n") == [*shown, "... and 2 more like these.", "Mend them."]


@pytest.mark.parametrize("found", ["x" * 41, b"x" * 10_000_000, b"x" * 41])
def test_long_finds_are_cut(found: str | bytes) -> None:
    """Forty letters are shown; as many or fewer are shown as they are."""
    assert shorten(found) == repr("x" * 40 + "...")
    assert shorten(found[:40]) == repr("x" * 40)


def test_bytes_that_are_no_text_can_be_shown() -> None:
    """A byte that is no UTF-8 is replaced, as are letters cut in half."""
    assert shorten(b"caf\xe9") == repr("caf\ufffd")
    assert shorten("é".encode() * 1000) == repr("é" * 40 + "...")
