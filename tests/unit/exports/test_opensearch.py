"""OpenSearch's judgment ratings: read back, nothing lost, nothing executed."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np

from gainsayer.exports.opensearch import write_opensearch_judgments
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


def test_opensearch_round_trip(judge: Judge) -> None:
    """Ratings are decimal strings that give the gains back exactly; text stays text."""
    body = json.loads(write_opensearch_judgments(judge(NASTY), GAINS, name='a "name"'))
    assert (body["name"], body["type"]) == ('a "name"', "IMPORT_JUDGMENT")
    found = {
        (part["query"], rating["docId"]): rating["rating"]
        for part in body["judgmentRatings"]
        for rating in part["ratings"]
    }
    assert {key: float(rating) for key, rating in found.items()} == {
        (topic, document): GAINS.values[int(level)] for topic, document, _, level in NASTY
    }
    assert all(isinstance(rating, str) and "e" not in rating for rating in found.values())
    assert found[NASTY[0][:2]] == "0.400"
