"""Labels: what one assessor said, ready to be written for another tool."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import MOST_FAULTS, CallError, DataError
from gainsayer.gains import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels

FloatArray = npt.NDArray[np.float64]

BLANKS: Final = r"\s|[\x00-\x1f\x7f]"
"""What parts the columns of a TREC file, or its lines."""
LINE_BREAKS: Final = r"[\x00-\x1f\x7f\x{85}\x{2028}\x{2029}]"
"""What parts the lines of a table, and other control characters."""


def take_labels(judgments: Judgments, assessor: str | None = None) -> Judgments:
    """The judgments of one assessor, one label per document of a topic: what a run is scored with.

    Other tools know one label per document, so several assessors, several intents or repeated judgments of one
    document must be settled before.

    Raises:
        CallError: there are several assessors and none is named, or none of that name.
        DataError: a document has several labels.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> len(take_labels(twenty_documents(), "U1"))
    20
    """
    names = judgments.assessors
    if assessor is None and len(names) > 1:
        raise CallError(
            f"The judgments come from {len(names)} assessors ({_few(names)}), but an export holds one label per "
            "document. Choose whose labels to write: --labels ASSESSOR"
        )
    if assessor is not None and assessor not in names:
        raise CallError(f"There is no assessor {assessor!r}: the assessors are {_few(names)}.")
    place = 0 if assessor is None else names.index(assessor)
    labels = judgments.rows(judgments.assessor == place)
    if len(labels) == 0:
        raise DataError(f"Assessor {names[place]!r} gave no label. Choose whose labels to write: --labels ASSESSOR")
    table = pl.DataFrame({"topic": labels.topic, "document": labels.document})
    repeated = table.filter(table.is_duplicated()).unique(maintain_order=True)
    if repeated.height:
        shown = [f"{labels.topics[topic]} {document}" for topic, document in repeated.head(MOST_FAULTS).iter_rows()]
        reason = "intents: keep one with --intents top" if judgments.intent is not None else "repeats: see --repeats"
        raise DataError(
            f"{repeated.height:,} documents have several labels from {names[place]!r}, such as {'; '.join(shown)}, "
            f"but an export holds one label per document ({reason})."
        )
    return labels


def level_gains(levels: Levels, gains: Gains) -> FloatArray:
    """The gain of each of these levels, shape [levels]; the mean over the draws where there are any.

    Raises:
        DataError: the gains do not know a level.

    >>> level_gains(Levels(("0", "1")), Gains(Levels(("0", "1", "2")), np.array([0.1, 0.3, 0.4]))).tolist()
    [0.1, 0.3]
    """
    known = gains.as_dict()
    lacking = [name for name in levels.names if name not in known]
    if lacking:
        raise DataError(
            f"The labels have level {', '.join(map(repr, lacking))}, which the gains do not know: they are for "
            f"{', '.join(known)}. Give its gain: --gain {lacking[0]}=0.5, or merge it: --merge {lacking[0]}=LEVEL"
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


def _few(names: tuple[str, ...]) -> str:
    return ", ".join(names[:MOST_FAULTS]) + (", ..." if len(names) > MOST_FAULTS else "")
