"""Pools of judged documents, against dicts and counters."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from tests.scoring.plain_lists import random_labels, random_run

from gainsayer.errors import DataError, FormatError
from gainsayer.ranking import make_pool, match_pool, pool_documents
from gainsayer.reading import Run, read_judgments, read_run


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


def bounds_of(run: Run) -> np.ndarray:
    """Where the rows of each topic begin, and at last their number."""
    return np.searchsorted(run.topic, np.arange(len(run.topics) + 1))


@pytest.mark.parametrize("seed", range(20))
def test_rows_and_entries_have_the_same_topic_and_document(seed: int) -> None:
    """Every judged row is found once, with the entry of its own topic; nothing else is."""
    generator = random.Random(seed)
    lists, labels = random_run(generator), random_labels(generator)
    run, pool = read_run(lists), make_pool(read_judgments({"U": labels}))
    codes = np.array([pool.place.get(topic, -1) for topic in run.topics])
    row, entry = match_pool(run, bounds_of(run), codes, pool)
    names, judged = run.document.texts(), pool.document.texts()
    found = {(run.topics[run.topic[r]], names[r]) for r in row.tolist()}
    assert found == {(topic, name) for topic in lists for name in lists[topic] if name in labels.get(topic, {})}
    assert len(row) == len(found)
    for r, e in zip(row.tolist(), entry.tolist(), strict=True):
        assert (run.topics[run.topic[r]], names[r]) == (pool.topics[pool.topic[e]], judged[e])


def test_a_document_there_twice_is_refused_with_both_places(tmp_path) -> None:
    """The first ten are listed, whether or not the document is judged."""
    path = tmp_path / "a.run"
    path.write_text("".join(f"q Q0 d{n % 12} {n} {-n} t\n" for n in range(24)))
    run, pool = read_run(path), make_pool(read_judgments({"U": {"q": {"other": 1, "more": 0}}}))
    with pytest.raises(FormatError, match=r"line 13: document d0 of topic q is there already in .*line 1\.") as refused:
        match_pool(run, bounds_of(run), np.array([0]), pool)
    assert str(refused.value).count("is there already") == 10
    assert "2 more" in str(refused.value)
