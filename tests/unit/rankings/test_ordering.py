"""The order of a list, against Python's own sorting."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from tests.unit.rankings.plain_lists import order, random_run

from gainsayer.errors import CallError
from gainsayer.rankings.ordering import TIES, rank_rows
from gainsayer.runs.files import read_run


@pytest.mark.parametrize("seed", range(20))
def test_score_then_bytes(seed: int) -> None:
    """The ranks are the places in a list sorted by score, then by the bytes of the name, both descending."""
    lists = random_run(random.Random(seed))
    run = read_run(lists)
    for topic, name, rank in zip(run.topic.tolist(), run.document.texts(), rank_rows(run).tolist(), strict=True):
        assert order(lists[run.topics[topic]])[rank - 1] == name


@pytest.mark.parametrize("seed", range(10))
def test_trec9_sees_32_bits(seed: int) -> None:
    """Scores that are the same 32-bit float are tied; the others keep their order."""
    generator = random.Random(seed)
    scores = {f"d{n}": 1.0 + generator.randrange(6) * 2.0**-26 for n in range(8)}
    run = read_run({"q": scores})
    rounded = {name: float(np.float32(score)) for name, score in scores.items()}
    found = dict(zip(run.document.texts(), rank_rows(run, ties="trec9").tolist(), strict=True))
    assert sorted(found, key=found.__getitem__) == order(rounded)
    exact = dict(zip(run.document.texts(), rank_rows(run).tolist(), strict=True))
    assert sorted(exact, key=exact.__getitem__) == order(scores)


def test_by_rank_column_and_by_lines(tmp_path: Path) -> None:
    """`rank` sorts by the column whatever the gaps in it, `input` goes by the lines; neither looks at the scores."""
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 30 1 t\nq1 Q0 b 2 9 t\nq1 Q0 c 7 5 t\nq2 Q0 a 1 1 t\n")
    run = read_run(path, ranks=True)
    assert rank_rows(run, ties="rank").tolist() == [3, 1, 2, 1]
    assert rank_rows(run, ties="input").tolist() == [1, 2, 3, 1]
    assert TIES == ("trec", "trec9", "rank", "input")
    with pytest.raises(CallError, match="no rank column, or it was not read"):
        rank_rows(read_run(path), ties="rank")
