"""Quepid: ratings as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from gainsayer.errors import DataError
from gainsayer.exports.gain_maps import show_decimal
from gainsayer.exports.labels import LINE_BREAKS, level_gains, refuse_marks
from gainsayer.exports.queries import name_queries
from gainsayer.exports.scaled_qrels import scale_gains
from gainsayer.gains.values import Gains
from gainsayer.judgments.table import Judgments

HEADER = ("query", "docid", "rating")
_FORMULA_STARTS = ("=", "+", "-", "@")


def write_quepid_csv(
    labels: Judgments, gains: Gains, *, scale: int | None = None, queries: Mapping[str, str] | None = None
) -> str:
    r"""Quepid's ratings file: a header `query,docid,rating`, spelt exactly so, and one line per label.

    Ratings are the gains in plain decimals; with `scale` they are `max(1, round(scale * g))`, for scorers and versions
    that want whole numbers. Cells are quoted where CSV needs it, lines end in a line feed alone, as Quepid checks its
    header. Traps: Quepid compares queries by their words, so give `queries` where topics are numbers; and a spreadsheet
    takes cells that begin with = + - @ as formulas (`count_formulas`), which no quoting prevents.

    Raises:
        DataError: a topic, query or document has line breaks, a level has no gain, or a topic no query.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.exports.labels import take_labels
    >>> import numpy as np
    >>> labels = take_labels(twenty_documents(), "U1")
    >>> write_quepid_csv(labels, Gains(labels.levels, np.array([0.01, 0.27, 0.53])), queries={"q1": "a, b"})[:41]
    'query,docid,rating\n"a, b",d01,0.53\n"a, b"'
    """
    import polars as pl

    worth = level_gains(labels.levels, gains)
    shown = list(map(show_decimal, worth)) if scale is None else list(map(str, scale_gains(worth, scale=scale)))
    refuse_marks(labels, LINE_BREAKS, what="a ratings file cannot hold line breaks or control characters")
    texts = name_queries(labels, queries)
    broken = pl.Series(texts, dtype=pl.String).str.contains(LINE_BREAKS)
    if broken.any():
        raise DataError(f"Query {texts[broken.arg_true()[0]]!r} has a line break or control character. Take it out.")
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEADER)
    rows = zip(labels.topic.tolist(), labels.document.to_list(), labels.level.tolist(), strict=True)
    writer.writerows((texts[topic], document, shown[level]) for topic, document, level in rows)
    return stream.getvalue()


def count_formulas(labels: Judgments, queries: Mapping[str, str] | None = None) -> int:
    """How many queries and documents a spreadsheet would take as formulas: those that begin with = + - @."""
    texts = name_queries(labels, queries)
    return sum(text.startswith(_FORMULA_STARTS) for text in (*texts, *labels.document.to_list()))
