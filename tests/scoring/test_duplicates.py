"""Groups of equal documents, against sets and loops."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from tests.scoring.plain_lists import NAMES, random_labels

from gainsayer.errors import FormatError
from gainsayer.levels import Levels
from gainsayer.ranking import (
    Duplicates,
    Pool,
    group_duplicates,
    later_members,
    make_pool,
    number_members,
    one_per_group,
    read_duplicates,
)
from gainsayer.reading import read_judgments

Groups = list[tuple[str | None, list[str]]]


def random_groups(generator: random.Random) -> Groups:
    """Pairs and triples of documents, some of them for one topic only; some share documents."""
    return [
        (generator.choice((None, None, "q1", "q2")), generator.sample(NAMES[:9], generator.randint(2, 3)))
        for _ in range(3)
    ]


def joined(groups: Groups) -> list[tuple[str | None, set[str]]]:
    """The groups with those of the same scope that share a document put together, as often as it takes."""
    found = [(topic, set(names)) for topic, names in groups]
    while True:
        for i, j in combinations(reversed(range(len(found))), 2):
            if found[i][0] == found[j][0] and found[i][1] & found[j][1]:
                found[j] = (found[j][0], found[j][1] | found[i][1])
                del found[i]
                break
        else:
            return found


def entries(pool: Pool) -> list[tuple[int, str, int]]:
    """Topic, name and level of each entry."""
    return list(zip(pool.topic.tolist(), pool.document.texts(), pool.level.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_groups_that_share_a_document_are_one(seed: int) -> None:
    """As when sets are joined until none share a member; groups of another topic stay apart."""
    groups = random_groups(random.Random(seed))
    made = group_duplicates(groups)
    names = made.document.texts()
    found = [
        (topic, {name for name, group in zip(names, made.group.tolist(), strict=True) if group == place})
        for place, topic in enumerate(made.topic)
    ]
    key = lambda group: (str(group[0]), sorted(group[1]))  # noqa: E731
    assert sorted(found, key=key) == sorted(joined(groups), key=key)
    assert len(made) == len(found)


@pytest.mark.parametrize("seed", range(20))
def test_the_first_returned_member_counts(seed: int) -> None:
    """Of each topic and group the member at the best rank is first, all others are later."""
    generator = random.Random(seed)
    rank = np.array(generator.sample(range(1, 40), 15))
    topic, group = (np.array([generator.randrange(3) for _ in rank]) for _ in range(2))
    later = later_members(topic, group, rank)
    best: dict[tuple[int, int], int] = {}
    for place in np.argsort(rank).tolist():
        best.setdefault((topic[place], group[place]), place)
    assert set(later.tolist()) == set(range(15)) - set(best.values())


@pytest.mark.parametrize("seed", range(30))
def test_a_group_is_one_document_of_the_pool(seed: int) -> None:
    """Groups of one level count once there; groups of several levels stand apart, with the levels they hold."""
    generator = random.Random(seed)
    pool = make_pool(read_judgments({"U": random_labels(generator)}))
    groups = joined([(None, names) for _, names in random_groups(generator)])
    counts, where, held = one_per_group(pool, group_duplicates([(None, sorted(names)) for _, names in groups]))
    expected = np.zeros_like(pool.counts)
    mixed = Counter()
    for place in range(len(pool.topics)):
        own = {name: level for topic, name, level in entries(pool) if topic == place}
        for _, names in groups:
            levels = {own.pop(name) for name in names if name in own}
            if len(levels) == 1:
                expected[place, levels.pop()] += 1
            elif levels:
                mixed[place, tuple(level in levels for level in range(len(pool.levels)))] += 1
        for level in own.values():
            expected[place, level] += 1
    assert counts.tolist() == expected.tolist()
    assert Counter(zip(where.tolist(), map(tuple, held.tolist()), strict=True)) == mixed


@pytest.mark.parametrize("seed", range(20))
def test_members_are_numbered_group_by_group(seed: int) -> None:
    """Members of a group of one level share a number; numbers of a level run from 0 to its count in the pool."""
    generator = random.Random(seed)
    pool = make_pool(read_judgments({"U": random_labels(generator)}))
    duplicates = group_duplicates([(None, names) for _, names in random_groups(generator)])
    counts, where, held = one_per_group(pool, duplicates)
    member = number_members(pool, duplicates)
    for place in range(len(pool.topics)):
        for level in range(len(pool.levels)):
            own = member[(pool.topic == place) & (pool.level == level)]
            assert sorted(set(own[own >= 0].tolist())) == list(range(counts[place, level]))
    apart = member < 0
    assert (where[-1 - member[apart]] == pool.topic[apart]).all()
    assert held[-1 - member[apart], pool.level[apart]].all()


def test_groups_count_in_their_topic_alone() -> None:
    """A group of one topic is none in another, and a topic nobody judged does no harm."""
    pool = make_pool(read_judgments({"U": {"q1": {"a": 1, "b": 1}, "q2": {"a": 1, "b": 1}}}, levels=Levels(("0", "1"))))
    duplicates = group_duplicates([("q1", ["a", "b"]), ("q9", ["a", "b"])])
    assert one_per_group(pool, duplicates)[0].tolist() == [[0, 1], [0, 2]]


def test_a_line_without_two_documents_is_named(tmp_path) -> None:
    """Every line is a group of two or more different documents, a leading topic or digit apart."""
    path = tmp_path / "groups.txt"
    path.write_text("q1 a b\nq1 c c\n\nq2 d\n")
    with pytest.raises(FormatError, match="line 2: expected two or more equal documents, found 'q1 c c'") as refused:
        read_duplicates(path, topics=("q1", "q2"))
    assert "line 4" in str(refused.value)
    path.write_text("0 a b\n1 c d\n")
    assert read_duplicates(path).document.texts() == ["a", "b", "c", "d"]
    path.write_text("0 a b\nx c d\n")
    assert isinstance(found := read_duplicates(path), Duplicates)
    assert found.document.texts() == ["0", "a", "b", "x", "c", "d"]
