"""Runs as dicts: the same ranked documents, or words, as their rows give as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.readers import without_kernel

import gainsayer as gs
from gainsayer.errors import GainsayerError
from gainsayer.ranking import make_pool, match_mapping, rank_documents

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1, "d": 0}, "q3": {"z": 1}}
RUN = {"q1": {"x": 3.0, "a": 2.0, "b": 2.0, "c": 0.5}, "q2": {"d": 1.0, "y": 0.25, "a": 0.5}, "q9": {"a": 1.0}}

names = st.sampled_from(["a", "b", "c", "ab", "é", "", " a", "a b", "x\n", "\udce9", "z" * 40, 7, None])
scores = st.sampled_from(
    [
        0.0,
        -0.0,
        1.0,
        2.5,
        1,
        2**53 + 1,
        float(2**53),
        10**400,
        float("nan"),
        float("inf"),
        True,
        "1",
        None,
        np.float32(1),
    ]
)
good_names = st.sampled_from(["a", "b", "c", "d", "ab", "é", "z" * 40])
good_scores = st.sampled_from([0.0, -0.0, 1.0, 2.5, 1, -3, np.float64(2.5), float("inf")])


@settings(max_examples=300)
@given(
    st.one_of(
        st.dictionaries(st.sampled_from(["q1", "q2", "q9"]), st.dictionaries(good_names, good_scores)),
        st.dictionaries(names, st.dictionaries(names, scores)),
        st.dictionaries(st.sampled_from(["q1", "q2"]), st.one_of(st.none(), st.dictionaries(good_names, scores))),
    )
)
@example({"q1": {f"d{n}": 1.0 for n in range(200)} | {"a": 1.0, "b": 1.0, "c": 0.0}})
@example({"q1": {"a": 2**53 + 1, "b": float(2**53), "c": 2**53}})
@example({"q1": {"a": np.float32(0.1), "b": 0.1}})
def test_dicts_are_matched_as_tables_are(run):
    """Dicts give the ranked documents, or the words, that their rows give as a run, with the kernel and without."""
    judged = {
        "q1": dict.fromkeys(("a", "b", "c", "é", *(f"d{n}" for n in range(0, 200, 2))), 1),
        "q2": {"a": 1, "z" * 40: 0},
    }
    pool = make_pool(gs.read_judgments(judged))
    expected = outcome(lambda: rank_documents(gs.read_run(run), pool))
    assert outcome(lambda: rank_documents(run, pool)) == expected
    with without_kernel():
        assert outcome(lambda: rank_documents(run, pool)) == expected


def outcome(rank: Callable[[], Any]) -> object:
    """What ranking gives, as plain data, or what it says."""
    try:
        found = rank()
    except GainsayerError as fault:
        return type(fault), str(fault)
    parts = (found.topic, found.rank, found.entry, found.later, found.retrieved, found.present)
    return [(part.dtype, part.tolist()) for part in parts], found.unscored, found.name


def test_plain_dicts_take_the_short_way() -> None:
    """The usual dicts are matched without a table of their rows; odd ones are left to the reader."""
    pool = make_pool(gs.read_judgments(QRELS))
    assert match_mapping(RUN, pool) is not None
    assert match_mapping({"q1": {"a": "1"}}, pool) is None
