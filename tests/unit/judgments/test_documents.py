"""Documents in parts: chosen rows are those of one long list, as bytes and as text."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from gainsayer.judgments.documents import Documents
from gainsayer.lines.names import Names

PARTS = (["d1", "d22", "d3"], [], ["d1", "é"], ["d4"])


@pytest.mark.parametrize("kinds", ["bbbb", "tttt", "btbt", "tbtb"], ids=["bytes", "text", "mixed", "mixed again"])
@pytest.mark.parametrize("chosen", [[], [0], [5], [1, 3, 4], [3, 4], [0, 1, 2, 3, 4, 5], [4, 0, 0, 5], [2, 2]])
def test_chosen_rows_are_those_of_one_list(kinds: str, chosen: list[int]) -> None:
    """In any order, with repeats, within one part or over several."""
    parts = tuple(
        Names.of(part) if kind == "b" else pl.Series(part, dtype=pl.String)
        for kind, part in zip(kinds, PARTS, strict=True)
    )
    everything = [name for part in PARTS for name in part]
    documents = Documents(parts).rows(np.array(chosen, np.int64))
    expected = [everything[row] for row in chosen]
    assert documents.text.to_list() == documents.names.texts() == expected
    assert len(documents) == len(expected)
    assert documents.text.name == "document"
