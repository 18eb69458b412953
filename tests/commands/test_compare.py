"""`compare`: the scores of `score`, stratum by stratum what the stratum alone gives, and the same answers to users."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

import gainsayer as gs
from gainsayer import Reading
from gainsayer.errors import CallError

TOPICS = [f"q{t}" for t in range(12)]
STRATA = {topic: "nav" if place % 2 else "inf" for place, topic in enumerate(TOPICS)}
FEW: dict[str, Any] = {"threshold": 1, "resamples": 20, "permutations": 50}


def make_judgments() -> dict[str, dict[str, dict[str, int]]]:
    """Two assessors who mostly agree, levels 0 to 2."""
    generator = random.Random(3)
    first = {topic: {f"d{n}": generator.randrange(3) for n in range(15)} for topic in TOPICS}
    second = {
        topic: {name: level if generator.random() < 0.7 else generator.randrange(3) for name, level in own.items()}
        for topic, own in first.items()
    }
    return {"U1": first, "U2": second}


JUDGMENTS = make_judgments()
RUNS = {
    name: {
        topic: {
            f"d{n}": JUDGMENTS["U1"][topic][f"d{n}"] * skill + random.Random(f"{name}{topic}{n}").random()
            for n in range(15)
        }
        for topic in TOPICS
    }
    for name, skill in (("good", 1.0), ("fair", 0.4), ("poor", 0.0))
}


@pytest.fixture(scope="module")
def table() -> gs.ComparisonTable:
    """Three runs by two measures, in two strata."""
    return gs.compare(Reading((JUDGMENTS,), strata=STRATA), RUNS, ["nDCG@5", "AP"], users="band", **FEW)


def test_scores_are_those_of_score(table: gs.ComparisonTable) -> None:
    """Values per topic are `score`'s with the same gains; means and ranks follow from them."""
    alone = gs.score(JUDGMENTS, RUNS, ["nDCG@5", "AP"], threshold=1, gains=["prm", "binary"])
    for part in table.comparison.parts:
        if part.measure.users is None:
            np.testing.assert_allclose(part.values, alone.scores.values[part.measure, part.scheme.name])
        np.testing.assert_allclose(part.standings.value, part.values.mean(axis=1))
        expected = [1 + sum(other > value for other in part.standings.value) for value in part.standings.value]
        assert part.standings.rank.tolist() == expected


def test_a_stratum_is_its_topics_alone(table: gs.ComparisonTable) -> None:
    """Compared on the judgments and runs of its own topics, a stratum has the same values and parameters."""
    assert set(table.strata) == {"inf", "nav"}
    for name, found in table.strata.items():
        inside = [topic for topic in TOPICS if STRATA[topic] == name]
        judgments = {who: {topic: own[topic] for topic in inside} for who, own in JUDGMENTS.items()}
        runs = {run: {topic: lists[topic] for topic in inside} for run, lists in RUNS.items()}
        alone = gs.compare(judgments, runs, ["nDCG@5", "AP"], users="band", **FEW).comparison
        assert found.topics == tuple(sorted(inside))
        for one, other in zip(found.parts, alone.parts, strict=True):
            np.testing.assert_allclose(one.values, other.values)
            np.testing.assert_allclose(one.standings.interval, other.standings.interval)


def test_orders_by_two_kinds_of_gains(table: gs.ComparisonTable) -> None:
    """tau-b between the orders is scipy's."""
    for agreement in table.comparison.rankings:
        values = [
            next(
                part.standings.value
                for part in table.comparison.parts
                if part.measure == agreement.measure and part.scheme.gains is gains
            )
            for gains in (agreement.a, agreement.b)
        ]
        assert agreement.tau_b.value == pytest.approx(kendalltau(*values).statistic)


def test_random_users_stand_beside_the_plug_in_values(table: gs.ComparisonTable) -> None:
    """One band per plug-in measure, whose values are those of the expected measures in `score`."""
    assert [str(band.measure) for band in table.users] == ["nDCG@5", "AP"]
    alone = gs.score(JUDGMENTS, RUNS, ["AP(users='comonotone')"], threshold=1, gains="prm")
    (values,) = alone.scores.values.values()
    np.testing.assert_allclose(table.users[1].values["comonotone"], values.mean(axis=1))


def test_findings_once_and_what_cannot_be_asked() -> None:
    """A model and strata exclude each other; a measure that says nothing about relevance orders nothing."""
    model = gs.fit(JUDGMENTS, threshold=1)
    with pytest.raises(CallError, match="With strata each has a model of its own"):
        gs.compare(Reading((JUDGMENTS,), strata=STRATA), RUNS, model=model, **FEW)
    with pytest.raises(CallError, match="says nothing about relevance"):
        gs.compare(JUDGMENTS, RUNS, "Judged@10", **FEW)
    with pytest.raises(CallError, match="make two scores of one"):
        gs.compare(JUDGMENTS, RUNS, "P@5", unjudged="bounds", **FEW)
    found = gs.compare(JUDGMENTS, RUNS, "P@5", **FEW)
    assert len(set(found.findings)) == len(found.findings)
