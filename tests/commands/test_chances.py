"""With which chance people were asked about a document: read, assumed, or refused."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest
from click.testing import Result
from tests.collections import World

import gainsayer as gs
from gainsayer.errors import DataError

Run = Callable[..., Result]


def test_probabilities_come_from_the_labels_or_from_beside_them(world: World) -> None:
    """A column of probabilities, one of weights, a table beside the labels and a mapping give the same scores."""
    judged = world.drawn(600)
    apart = judged.drop("probability")
    weighted = apart.with_columns((1 / judged["probability"]).alias("weight"))
    chances: dict[str, dict[str, float]] = {}
    for topic, document, chance, _ in judged.iter_rows():
        chances.setdefault(topic, {})[document] = chance

    def scores(people: object, **options: object) -> list[float]:
        table = gs.machine.score(world.machine, world.runs, people=people, threshold=2, measures="P@10", **options)
        assert table.parts[0].scores is not None
        return list(table.parts[0].scores.estimate.score)

    expected = scores(judged)
    assert scores(weighted) == pytest.approx(expected)
    assert scores(apart, sampled=judged) == pytest.approx(expected)
    assert scores(apart, sampled=chances) == pytest.approx(expected)


def test_observed_shares_are_said_to_be_assumed(world: World) -> None:
    """Without chances, the share judged of each grade serves where it is asked for, with a finding."""
    judged = world.drawn(600).drop("probability")
    table = gs.machine.score(world.machine, world.runs, people=judged, threshold=2, measures="P@10", sampled="observed")
    assert "design-assumed" in [finding.code for finding in table.findings]


def test_two_stages_are_told_from_chance(world: World) -> None:
    """Documents of 20 topics are two stages; a topic that chance left without labels is none."""
    judged = world.drawn(600)
    some = judged.filter(pl.col("topic") < "q20")

    def design(people: pl.DataFrame, **options: object) -> str:
        table = gs.machine.score(world.machine, world.runs, people=people, threshold=2, measures="P@10", **options)
        assert table.material.sample is not None
        return table.material.sample.design

    assert design(judged) == "documents"
    assert design(some) == "two-stage"
    assert design(some, design="documents") == "documents"
    assert design(world.drawn(60)) == "documents"


def test_holes_in_whole_topics_are_refused(world: World) -> None:
    """Topics that people judged in part, without chances, are no whole topics."""
    part = {t: dict(list(docs.items())[:60]) for t, docs in world.topics(20).items()}
    with pytest.raises(DataError, match=r"left out more than 2% of the documents that count .* sampled='observed'"):
        gs.machine.score(world.machine, world.runs, people=part, threshold=2, measures="DCG@10")


def test_documents_said_to_be_certain_are_whole_topics(world: World) -> None:
    """A probability of 1 on hand-picked documents says that all were picked: the holes are refused."""
    picked = world.drawn(600).with_columns(pl.lit(1.0).alias("probability"))
    with pytest.raises(DataError, match="so these are not whole topics"):
        gs.machine.score(world.machine, world.runs, people=picked, threshold=2, measures="DCG@10")


def test_impossible_and_lacking_chances_are_refused(world: World) -> None:
    """A chance of 0, and judged documents without a chance."""
    judged = world.drawn(600)
    zero = judged.with_columns(
        pl.when(pl.int_range(len(judged)) == 0).then(0.0).otherwise("probability").alias("probability")
    )
    with pytest.raises(DataError, match="has 0 as its probability"):
        gs.machine.score(world.machine, world.runs, people=zero, threshold=2, measures="DCG@10")
    with pytest.raises(DataError, match="nobody says with which probabilities"):
        gs.machine.score(world.machine, world.runs, people=judged.drop("probability"), design="documents", threshold=2)
    with pytest.raises(DataError, match="100 documents that people judged have no probability"):
        gs.machine.score(
            world.machine,
            world.runs,
            people=judged.drop("probability"),
            sampled=judged[100:],
            threshold=2,
            measures="DCG@10",
        )


def test_heavy_weights_are_said(world: World) -> None:
    """A label that stands for more than 50 documents is named."""
    judged = world.drawn(600).with_columns(pl.lit(0.015).alias("probability"))
    table = gs.machine.score(world.machine, world.runs, people=judged, threshold=2, measures="DCG@10")
    heavy = [finding.message for finding in table.findings if finding.code == "heavy-weights"]
    assert "stands for up to 67 documents" in heavy[0]
