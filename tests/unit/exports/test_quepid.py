"""Quepid's ratings: read back, nothing lost, nothing executed."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import numpy as np
import pytest

from gainsayer.errors import DataError
from gainsayer.exports.quepid import count_formulas, write_quepid_csv
from gainsayer.gains.values import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels

Judge = Callable[..., Judgments]
GAINS = Gains(Levels(("0", "1", "2")), np.array([1 / 13, 5 / 17, 0.4]))
NASTY = [
    ('say "hi", <b>{{7*7}}</b>', "=cmd|' /C calc'!A0", "a", "2"),
    ('say "hi", <b>{{7*7}}</b>', "d,2", "a", "0"),
    ("naïve ✓", "d'3", "a", "1"),
]


@pytest.mark.parametrize("scale", [None, 1000])
def test_quepid_round_trip(judge: Judge, scale: int | None) -> None:
    """The header is Quepid's, lines end in a line feed, and a CSV reader gives back every cell."""
    text = write_quepid_csv(judge(NASTY), GAINS, scale=scale)
    assert text.startswith("query,docid,rating\n")
    assert "\r" not in text
    rows = list(csv.reader(io.StringIO(text)))[1:]
    wanted = GAINS.values if scale is None else np.array([77, 294, 400])
    assert [(query, document, float(rating)) for query, document, rating in rows] == [
        (topic, document, wanted[int(level)]) for topic, document, _, level in NASTY
    ]
    assert count_formulas(judge(NASTY)) == 1


def test_line_breaks_are_refused(judge: Judge) -> None:
    """A ratings file holds one rating per line, so a break inside an id is refused, in topics and in queries."""
    rows = [("q1", "d\u2028x", "a", "0"), ("q2", "d", "a", "1")]
    gains = Gains(Levels(("0", "1")), np.array([0.1, 0.5]))
    with pytest.raises(DataError, match=r"cannot hold line breaks.*document"):
        write_quepid_csv(judge(rows), gains)
    with pytest.raises(DataError, match="has a line break"):
        write_quepid_csv(
            judge([("q1", "c", "a", "0"), ("q2", "d", "a", "1")]), gains, queries={"q1": "a\nb", "q2": "c"}
        )
