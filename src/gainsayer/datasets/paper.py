"""The paper's twenty documents, and counts that reproduce its parameters.

Source: Demeester, Aly, Hiemstra, Nguyen, Develder, "Predicting Relevance based on Assessor Disagreement",
Information Retrieval Journal 2016, doi 10.1007/s10791-015-9275-x.

The twenty documents are printed there in full. The FedWeb13 judgments are not: `FEDWEB13_PAGES` and
`FEDWEB13_SNIPPETS` are *synthetic* counts, made so that every printed parameter comes out to its last digit. They
are not the original data; nothing but the printed numbers may be concluded from them.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from gainsayer.levels import Levels
from gainsayer.reading.judgments import Judgments, collect_judgments
from gainsayer.reading.source import source_from_frame

_FIRST: Final = "2 2 1 0 1 1 0 1 2 1 1 1 2 0 1 0 1 1 0 0"
_SECOND: Final = "1 2 1 1 2 0 0 1 2 2 0 2 1 0 1 2 0 1 0 0"


def twenty_documents() -> Judgments:
    """The paper's twenty documents, judged by U1 and U2 on the levels 0, 1, 2; one topic.

    >>> twenty_documents()
    Judgments(40 judgments of 20 documents, 1 topics, assessors U1, U2, levels 0, 1, 2)
    >>> twenty_documents().frame().row(0)
    ('q1', 'd01', 'U1', '2')
    """
    documents = [f"d{number:02}" for number in range(1, 21)]
    frame = pl.DataFrame(
        {
            "topic": ["q1"] * 40,
            "document": documents * 2,
            "assessor": ["U1"] * 20 + ["U2"] * 20,
            "label": _FIRST.split() + _SECOND.split(),
        }
    )
    source = source_from_frame("twenty documents", frame)
    return collect_judgments([source], levels=Levels(("0", "1", "2")), roles=True)


FEDWEB13_LEVELS: Final = Levels(("Non", "Rel", "HRel", "Key"), merges={"Nav": "Key"})

# Rows are U1, columns U2, from Non to Key. Synthetic: see the top of this file.
FEDWEB13_PAGES: Final = (
    (5122, 411, 98, 30),
    (242, 141, 108, 24),
    (23, 108, 184, 120),
    (30, 24, 147, 215),
)
FEDWEB13_SNIPPETS: Final = (
    (4429, 301, 63, 31),
    (301, 163, 102, 53),
    (63, 102, 173, 118),
    (31, 44, 107, 172),
)
