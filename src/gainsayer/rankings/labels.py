"""The labels that score: whose word counts for each document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments


def choose_labels(judgments: Judgments, assessors: Sequence[str] | None = None) -> Judgments:
    """One label per document, from these assessors; by default the first one named in the data.

    Where several of them judged a document, the one named first has the word; a finding tells how often.

    Raises:
        CallError: an assessor is unknown.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> choose_labels(twenty_documents(), ["U2"])
    Judgments(20 judgments of 20 documents, 1 topics, assessors U2, levels 0, 1, 2)
    """
    names = tuple(assessors) if assessors else judgments.assessors[:1]
    for name in names:
        if name not in judgments.assessors:
            raise CallError(f"There is no assessor {name!r}: the assessors are {', '.join(judgments.assessors)}.")
    turn = np.full(len(judgments.assessors), len(names))
    turn[[judgments.assessors.index(name) for name in names]] = np.arange(len(names))
    rows = np.flatnonzero(turn[judgments.assessor] < len(names))
    rows = rows[np.lexsort((rows, turn[judgments.assessor[rows]], judgments.item[rows]))]
    first = np.ones(len(rows), dtype=bool)
    first[1:] = judgments.item[rows[1:]] != judgments.item[rows[:-1]]
    chosen = judgments.rows(np.sort(rows[first]))
    sole = np.zeros(len(chosen), dtype=np.int32)
    chosen = replace(chosen, assessor=sole, assessors=(", ".join(names),))
    passed = int((~first).sum())
    if len(names) == 1 or not passed:
        return chosen
    message = f"{passed:,} labels of documents that several of {', '.join(names)} judged were passed over."
    return replace(chosen, findings=(*chosen.findings, Finding("labels-pooled", message)))
