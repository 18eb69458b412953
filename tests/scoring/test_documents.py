"""Matched once, labelled often: any labels are a look-up on where a run put the documents."""

from __future__ import annotations

import random

import pytest
from tests.scoring.plain_lists import order, random_labels, random_run

from gainsayer.ranking import group_duplicates, label_documents, make_pool, pool_documents, rank_documents
from gainsayer.reading import read_judgments, read_run


@pytest.mark.parametrize("seed", range(20))
def test_labels_of_any_assessor(seed: int) -> None:
    """The hits by an assessor's labels are the sorted list with that assessor's dict of labels held beside it."""
    generator = random.Random(seed)
    lists = random_run(generator)
    sides = {"U1": random_labels(generator), "U2": random_labels(generator, topics=6)}
    judgments = read_judgments(sides)
    matched = rank_documents(read_run(lists), pool_documents(judgments))
    for name, labels in sides.items():
        found = label_documents(matched, make_pool(judgments, assessor=name))
        assert found.topics == tuple(sorted(labels, key=str.encode))
        hits = zip(found.topic.tolist(), found.rank.tolist(), found.level.tolist(), strict=True)
        assert [(found.topics[topic], rank, found.levels.names[level]) for topic, rank, level in hits] == [
            (topic, rank, str(labels[topic][document]))
            for topic in found.topics
            for rank, document in enumerate(order(lists.get(topic, {})), start=1)
            if document in labels[topic]
        ]
        assert found.retrieved.tolist() == [len(lists.get(topic, {})) for topic in found.topics]
        assert found.present.tolist() == [topic in lists for topic in found.topics]
        assert set(found.unscored) == set(lists) - set(labels)


def test_ranks_of_documents() -> None:
    """A document of the pool has its rank, or 0."""
    judgments = read_judgments({"U": {"q": {"a": 1, "b": 0, "c": 2, "d": 0}}})
    pool = pool_documents(judgments)
    groups = group_duplicates([(None, ["a", "b", "x"])])
    matched = rank_documents(read_run({"q": {"b": 9, "y": 8, "a": 7, "c": 6, "x": 5}}), pool, duplicates=groups)
    place = {name: at for at, name in enumerate(pool.document.texts())}
    ranks = matched.ranks()
    assert {name: int(ranks[place[name]]) for name in "abcd"} == {"a": 3, "b": 1, "c": 4, "d": 0}
    assert matched.rank.tolist() == [1, 3, 4, 5]
