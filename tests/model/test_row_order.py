"""The order of judgments, against shuffled rows and renamed documents."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from gainsayer.judgments import Judgments, read_judgments
from gainsayer.model import count_assessor_pairs, count_pairs, order_judgments


def draw_crowd(seed: int, *, weights: bool = False) -> pl.DataFrame:
    """Nine people, one to seven of whom judged each document."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{t}", f"d{d}", f"w{who}", int(rng.integers(4)), 1.0 + float(rng.random()) * weights)
        for t in range(20)
        for d in range(10)
        for who in rng.choice(9, size=rng.integers(1, 8), replace=False).tolist()
    ]
    frame = pl.DataFrame(rows, ["topic", "document", "assessor", "level", "weight"], orient="row")
    return frame if weights else frame.drop("weight")


def shuffle(frame: pl.DataFrame) -> pl.DataFrame:
    """The same rows in another order, documents under other names."""
    renamed = frame.with_columns(pl.col("document").map_elements(lambda name: name[::-1] + "x", pl.String))
    return renamed.sample(fraction=1, shuffle=True, seed=7)


def counted(judgments: Judgments) -> list[bytes]:
    """Everything that adds up parts of pairs, as bytes."""
    sides = {"first": ["w0", "w1", "w2"], "second": ["w3", "w4"]}
    every = [
        *(count_pairs(judgments, weighting=weighting) for weighting in ("judgment", "pair", "document")),
        count_pairs(judgments, first=sides["first"], second=sides["second"]),
    ]
    arrays = []
    for one in every:
        assert one.people is not None
        arrays += [one.counts, one.squares, one.symmetric_squares, one.people.first, one.people.second]
        arrays += [array for share in one.shares for array in (share.judged, share.paired)]
    pairs = count_assessor_pairs(judgments)
    arrays += [pairs.by_judgment, pairs.by_document, pairs.weight]
    return [array.tobytes() for array in arrays]


@pytest.mark.parametrize("weights", [False, True])
def test_order_and_names_leave_the_bits_alone(weights: bool) -> None:
    """Parts of pairs add up to the same bits when rows are shuffled and documents renamed."""
    frame = draw_crowd(2, weights=weights)
    assert counted(read_judgments(shuffle(frame))) == counted(read_judgments(frame))


def test_judgments_are_the_same_in_order() -> None:
    """Nothing is lost: who gave which level to which document is the same set of rows."""
    judgments = read_judgments(draw_crowd(3))
    ordered = order_judgments(judgments)
    assert set(ordered.frame().rows()) == set(judgments.frame().rows())
    assert len(ordered) == len(judgments)
    together = {(topic, document) for topic, document, *_ in ordered.frame().rows()}
    items = set(zip(ordered.topic.tolist(), ordered.document.to_list(), ordered.item.tolist(), strict=True))
    assert len(items) == len(together) == ordered.items


def test_two_judgments_a_document_stay_as_they_are(judge: Callable[..., Judgments]) -> None:
    """Pairs that count 1 add up to the same in any order, so nothing is sorted."""
    judgments = judge([("q", "a", "U1", "1"), ("q", "a", "U2", "0"), ("q", "b", "U3", "1"), ("q", "b", "U1", "0")])
    assert order_judgments(judgments) is judgments
