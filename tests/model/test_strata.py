"""Strata: kinds of topics, each with its own judgments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import DataError

Make = Callable[..., gs.Judgments]


def test_strata_split_topics(judge: Make) -> None:
    """Each stratum holds its own topics' judgments; a topic without stratum is named."""
    rows = [(f"q{t}", f"d{d}", a, str((t + d) % 2)) for t in range(4) for d in range(3) for a in "AB"]
    judgments = gs.model.assign_strata(judge(rows), {"q0": "nav", "q1": "inf", "q2": "nav", "q3": "inf", "q9": "inf"})
    parts = gs.model.split_strata(judgments)
    assert list(parts) == ["inf", "nav"]
    assert gs.count_pairs(parts["nav"]).topics == ("q0", "q2")
    total = sum(gs.count_pairs(part).matrix for part in parts.values())
    np.testing.assert_array_equal(total, gs.count_pairs(judgments).matrix)
    with pytest.raises(DataError, match="3 of 4 judged topics have no stratum: q1, q2, q3"):
        gs.model.assign_strata(judgments, {"q0": "nav"})


def test_no_strata_no_parts(judge: Make) -> None:
    """Judgments whose topics have no strata are not split."""
    assert gs.model.split_strata(judge([("q", "d", "A", "0"), ("q", "d", "B", "1")])) == {}


def test_topics_lacking_a_stratum_are_counted_and_ten_are_named(judge: Make) -> None:
    """Twelve of them: the first ten by name."""
    judgments = judge([(f"q{t:02}", "d", a, str(t % 2)) for t in range(12) for a in "AB"])
    with pytest.raises(DataError, match=r"12 of 12 judged topics have no stratum: q00, .*, q09\. Add a line"):
        gs.model.assign_strata(judgments, {})
