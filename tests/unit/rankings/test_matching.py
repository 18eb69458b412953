"""Which rows of a run are judged, against dicts of names."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.unit.rankings.plain_lists import random_labels, random_run

from gainsayer.errors import FormatError
from gainsayer.judgments.files import read_judgments
from gainsayer.lines.names import Names
from gainsayer.rankings.matching import find_equal, match_pool
from gainsayer.rankings.pool import make_pool
from gainsayer.runs.files import read_run


@pytest.mark.parametrize("seed", range(20))
def test_rows_and_entries_have_the_same_topic_and_document(seed: int) -> None:
    """Every judged row is found once, with the entry of its own topic; nothing else is."""
    generator = random.Random(seed)
    lists, labels = random_run(generator), random_labels(generator)
    run, pool = read_run(lists), make_pool(read_judgments({"U": labels}))
    codes = np.array([pool.place.get(topic, -1) for topic in run.topics])
    row, entry = match_pool(run, pool, codes)
    names, judged = run.document.texts(), pool.document.texts()
    found = {(run.topics[run.topic[r]], names[r]) for r in row.tolist()}
    assert found == {(topic, name) for topic in lists for name in lists[topic] if name in labels.get(topic, {})}
    assert len(row) == len(found)
    for r, e in zip(row.tolist(), entry.tolist(), strict=True):
        assert (run.topics[run.topic[r]], names[r]) == (pool.topics[pool.topic[e]], judged[e])


def test_names_that_share_a_key_differ_by_their_bytes() -> None:
    """With one key for all names, still only equal names are a pair."""
    rows, sought = Names.of(["x", "y", "xy"]), Names.of(["y", "z", "x"])
    same = np.zeros(3, np.uint64)
    row, entry = find_equal(same, np.arange(3), rows, same, np.arange(3), sought)
    assert sorted(zip(row.tolist(), entry.tolist(), strict=True)) == [(0, 2), (1, 0)]
    nothing = find_equal(same[:0], np.arange(0), rows, same, np.arange(3), sought)
    assert [part.tolist() for part in nothing] == [[], []]


def test_a_document_there_twice_is_refused_with_both_places(tmp_path) -> None:
    """The first ten are listed, whether or not the document is judged."""
    path = tmp_path / "a.run"
    path.write_text("".join(f"q Q0 d{n % 12} {n} {-n} t\n" for n in range(24)))
    run, pool = read_run(path), make_pool(read_judgments({"U": {"q": {"other": 1, "more": 0}}}))
    with pytest.raises(FormatError, match=r"line 13: document d0 of topic q is there already in .*line 1\.") as refused:
        match_pool(run, pool, np.array([0]))
    assert str(refused.value).count("is there already") == 10
    assert "2 more" in str(refused.value)
