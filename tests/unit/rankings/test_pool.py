"""Pools of judged documents, against dicts and counters."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from tests.unit.rankings.plain_lists import random_labels

from gainsayer.errors import DataError
from gainsayer.judgments.files import read_judgments
from gainsayer.rankings.pool import make_pool, pool_documents


@pytest.mark.parametrize("seed", range(10))
def test_counts_and_entries(seed: int) -> None:
    """Entries stand by topic; a topic's counts are how often each level was given, whoever else judged."""
    generator = random.Random(seed)
    labels, others = random_labels(generator), random_labels(generator, topics=7)
    judgments = read_judgments({"U1": labels, "U2": others})
    pool = make_pool(judgments, assessor="U1")
    assert pool.topics == tuple(sorted(labels, key=str.encode))
    names = pool.document.texts()
    for place, topic in enumerate(pool.topics):
        own = slice(int(pool.starts[place]), int(pool.starts[place + 1]))
        found = dict(zip(names[own], (pool.levels.names[at] for at in pool.level[own].tolist()), strict=True))
        assert found == {name: str(level) for name, level in labels[topic].items()}
        times = Counter(labels[topic].values())
        assert pool.counts[place].tolist() == [times[int(name)] for name in pool.levels.names]
        assert (pool.topic[own] == place).all()
        seen: Counter[int] = Counter()
        for level, member in zip(pool.level[own].tolist(), pool.member[own].tolist(), strict=True):
            assert member == seen[level], "the members of a level are numbered from 0 in the order of the entries"
            seen[level] += 1
    assert pool.place == {topic: place for place, topic in enumerate(pool.topics)}


@pytest.mark.parametrize("seed", range(10))
def test_documents_of_all_assessors_once(seed: int) -> None:
    """The pool of documents is the union over assessors, topic by topic."""
    generator = random.Random(seed)
    one, two = random_labels(generator), random_labels(generator, topics=7)
    pool = pool_documents(read_judgments({"U1": one, "U2": two}))
    names = pool.document.texts()
    found = [(pool.topics[topic], name) for topic, name in zip(pool.topic.tolist(), names, strict=True)]
    assert len(set(found)) == len(found)
    assert set(found) == {(topic, name) for side in (one, two) for topic in side for name in side[topic]}
    assert np.diff(pool.starts).min() > 0


def test_no_labels_are_no_pool(judge) -> None:
    """An assessor without judgments cannot score."""
    judgments = judge([("q", "a", "A", "1"), ("q", "b", "A", "0")])
    with pytest.raises(DataError, match="A judged nothing"):
        make_pool(judgments.rows(np.zeros(2, dtype=bool)))
