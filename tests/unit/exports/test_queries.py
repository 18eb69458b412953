"""Queries: the words behind the topics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gainsayer.errors import DataError, FormatError
from gainsayer.exports.opensearch import write_opensearch_judgments
from gainsayer.exports.quepid import write_quepid_csv
from gainsayer.exports.queries import read_queries
from gainsayer.gains.values import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels

Judge = Callable[..., Judgments]


def test_queries_replace_topics(judge: Judge, tmp_path: Path) -> None:
    """Queries come from lines of topic and query; a topic without one and two topics with the same are refused."""
    labels = judge([("1", "c", "a", "0"), ("2", "d", "a", "1")])
    gains = Gains(Levels(("0", "1")), np.array([0.1, 0.5]))
    path = tmp_path / "queries.tsv"
    path.write_text('1\tred, "dress"\n\n2   blue jeans\n')
    queries = read_queries(path)
    assert queries == {"1": 'red, "dress"', "2": "blue jeans"}
    assert '"red, ""dress""",c,0.1\nblue jeans,d,0.5\n' in write_quepid_csv(labels, gains, queries=queries)
    with pytest.raises(DataError, match="1 topics have no query: 2"):
        write_opensearch_judgments(labels, gains, queries={"1": "x"})
    with pytest.raises(DataError, match="'1' and '2' have the same query 'x'"):
        write_opensearch_judgments(labels, gains, queries={"1": "x", "2": "x"})
    path.write_text("1\n2\tx\n2\ty\n")
    with pytest.raises(
        FormatError, match=r"line 1: expected a topic and its query(.|\n)*line 3: expected one query for 2"
    ):
        read_queries(path)
