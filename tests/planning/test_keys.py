"""Sampling keys: exact inclusion, whole numbers per cell, nesting, permanence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainsayer.errors import CallError
from gainsayer.levels import Levels
from gainsayer.planning import FirstLabels, drawn_by_keys


def make_labels(cells: list[list[int]]) -> FirstLabels:
    """So many documents of each topic and level."""
    topic = [t for t, row in enumerate(cells) for count in row for _ in range(count)]
    level = [i for row in cells for i, count in enumerate(row) for _ in range(count)]
    return FirstLabels(
        Levels(tuple(str(place) for place in range(len(cells[0])))),
        tuple(f"q{t}" for t in range(len(cells))),
        np.array(topic, np.int64),
        tuple(f"d{place}" for place in range(len(topic))),
        np.array(level, np.int64),
    )


CELLS = st.lists(st.lists(st.integers(0, 12), min_size=2, max_size=2), min_size=1, max_size=5)


@settings(max_examples=80, deadline=None)
@given(CELLS, st.integers(0, 10_000), st.floats(0, 1), st.floats(0, 1))
def test_cells_get_the_whole_number_below_or_above_and_shares_nest(
    cells: list[list[int]], seed: int, one: float, two: float
) -> None:
    """Whatever the share, a cell gives floor or ceiling of its part, and a larger share contains the smaller."""
    labels = make_labels(cells)
    keys = labels.keys(seed)
    assert np.all((keys > 0) & (keys <= 1))
    for share in (one, two, 0.0, 1.0):
        taken = np.bincount(labels.cell[keys <= share], minlength=labels.sizes.size).reshape(labels.sizes.shape)
        part = labels.sizes * share
        assert np.all(taken >= np.floor(part - 1e-9))
        assert np.all(taken <= np.ceil(part + 1e-9))
    low, high = sorted((one, two))
    assert np.all((keys <= low) <= (keys <= high))


def test_every_document_has_the_probability_of_its_level_exactly() -> None:
    """Over seeds, each document is taken as often as the share says: the keys of one are uniform."""
    labels = make_labels([[7, 3], [2, 5]])
    draws = np.stack([labels.keys(seed) for seed in range(2000)])
    for share in (0.1, 0.37, 0.8):
        found = (draws <= share).mean(axis=0)
        assert np.abs(found - share).max() < 4 * np.sqrt(share * (1 - share) / len(draws))


@settings(max_examples=30, deadline=None)
@given(CELLS, st.integers(0, 1000))
def test_keys_belong_to_names_and_not_to_the_order_of_files(cells: list[list[int]], seed: int) -> None:
    """Documents and topics in another order, or another topic beside them, keep their keys and the digest its value."""
    labels = make_labels(cells)
    turned = np.arange(len(labels))[::-1]
    back = FirstLabels(
        labels.levels,
        (*labels.topics[::-1], "new"),
        len(labels.topics) - 1 - labels.topic[turned],
        tuple(labels.document[place] for place in turned),
        labels.level[turned],
    )
    assert np.array_equal(back.keys(seed), labels.keys(seed)[turned])
    assert back.digest == labels.digest


def test_changed_labels_change_the_digest() -> None:
    """One document on another level is another digest."""
    labels = make_labels([[3, 2]])
    moved = FirstLabels(labels.levels, labels.topics, labels.topic, labels.document, np.array([0, 0, 1, 1, 1]))
    assert moved.digest != labels.digest


def test_a_pilot_drawn_by_keys_is_told_from_a_foreign_one() -> None:
    """The lowest keys of each level are the plan's own beginning; the first documents of a file are not."""
    labels = make_labels([[30, 10]] * 8)
    keys = labels.keys(3)
    own = keys <= np.where(labels.level == 0, 0.2, 0.5)
    assert drawn_by_keys(labels, keys, own)
    assert not drawn_by_keys(labels, keys, np.arange(len(labels)) < 60)
    assert not drawn_by_keys(labels, keys, np.zeros(len(labels), bool))


def test_a_seed_is_a_whole_number_from_0_on() -> None:
    """As everywhere."""
    with pytest.raises(CallError, match="seed"):
        make_labels([[1, 1]]).keys(-1)
