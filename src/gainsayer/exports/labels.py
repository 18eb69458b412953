"""Labels: one on each document, ready to be written for another tool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import MOST_FAULTS, DataError
from gainsayer.gains.values import Gains, pattern_gains
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels, Patterns
from gainsayer.rankings.labels import Labels, choose_labels
from gainsayer.text import option

FloatArray = npt.NDArray[np.float64]

BLANKS: Final = r"\s|[\x00-\x1f\x7f]"
"""What parts the columns of a TREC file, or its lines."""
LINE_BREAKS: Final = r"[\x00-\x1f\x7f\x{85}\x{2028}\x{2029}]"
"""What parts the lines of a table, and other control characters."""


def take_labels(judgments: Judgments, labels: Labels = None) -> Judgments:
    """One label per document of a topic, or with `mean` one pattern of labels: what a run is scored with.

    Other tools know one label per document, so several assessors, several intents or repeated judgments of one
    document must be settled before. The rule is that of `choose_labels`.

    Raises:
        CallError: there is no such assessor, or documents have several labels and nothing says which one counts.
        DataError: a document has several intents.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> len(take_labels(twenty_documents(), "U1"))
    20
    """
    chosen = choose_labels(judgments, labels)
    table = pl.DataFrame({"topic": chosen.topic, "document": chosen.document})
    repeated = table.filter(table.is_duplicated()).unique(maintain_order=True)
    if repeated.height:
        shown = [f"{chosen.topics[topic]} {document}" for topic, document in repeated.head(MOST_FAULTS).iter_rows()]
        raise DataError(
            f"{repeated.height:,} documents have a label for each of several intents, such as {'; '.join(shown)}, "
            f"but other tools know one label per document. Keep one intent of each topic: {option('intents', 'top')}"
        )
    return chosen


def list_labels(labels: Judgments) -> Iterator[tuple[int, str, int]]:
    """The labels one by one: the place of the topic, the document, the level."""
    return zip(labels.topic.tolist(), labels.document.to_list(), labels.level.tolist(), strict=True)


def level_gains(levels: Levels, gains: Gains) -> FloatArray:
    """The gain of each of these levels, shape [levels]; the mean over the draws where there are any.

    Raises:
        DataError: the gains do not know a level.

    >>> level_gains(Levels(("0", "1")), Gains(Levels(("0", "1", "2")), np.array([0.1, 0.3, 0.4]))).tolist()
    [0.1, 0.3]
    """
    if isinstance(levels, Patterns):
        return pattern_gains(gains, levels).values
    known = gains.as_dict()
    lacking = [name for name in levels.names if name not in known]
    if lacking:
        raise DataError(
            f"The labels have level {', '.join(map(repr, lacking))}, which the gains do not know: they are for "
            f"{', '.join(known)}. Give it a gain, or merge it into another level."
        )
    return np.array([known[name] for name in levels.names])


def refuse_marks(labels: Judgments, marks: str, *, what: str) -> None:
    """Refuse topics and documents that the target format cannot hold, and name the first ten.

    Args:
        labels: the labels to be written.
        marks: a pattern of the characters that may not occur, such as `BLANKS`.
        what: the format and its trouble, in words: 'a qrels file cannot hold blanks'.

    Raises:
        DataError: a topic or a document has such a character.
    """
    names = pl.Series("topic", labels.topics, dtype=pl.String)
    topics = [("topic", name) for name in names.filter(names.str.contains(marks)).to_list()]
    documents = [("document", name) for name in labels.document.filter(labels.document.str.contains(marks)).to_list()]
    faults = topics + documents
    if faults:
        shown = "; ".join(f"{kind} {name!r}" for kind, name in faults[:MOST_FAULTS])
        more = f"; and {len(faults) - MOST_FAULTS:,} more" if len(faults) > MOST_FAULTS else ""
        raise DataError(f"Nothing was written: {what}, found {shown}{more}. Rename them first.")
