"""The paper's numbers as code: what it prints, and small data that reproduces it.

Source: Demeester, Aly, Hiemstra, Nguyen, Develder, "Predicting Relevance based on Assessor Disagreement",
Information Retrieval Journal 2016, doi 10.1007/s10791-015-9275-x.

The twenty documents are printed there in full. The FedWeb13 judgments are not: `FEDWEB13_PAGES` and
`FEDWEB13_SNIPPETS` are *synthetic* counts, made so that every printed parameter comes out to its last digit. They
are not the original data; nothing but the printed numbers may be concluded from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import polars as pl

from gainsayer.judgments.table import Judgments, collect_judgments
from gainsayer.judgments.tables import Source
from gainsayer.levels import Levels

DOI: Final = "10.1007/s10791-015-9275-x"

_FIRST: Final = "2 2 1 0 1 1 0 1 2 1 1 1 2 0 1 0 1 1 0 0"
_SECOND: Final = "1 2 1 1 2 0 0 1 2 2 0 2 1 0 1 2 0 1 0 0"


class Printed(NamedTuple):
    """A number as printed, with its standard deviation where one is printed beside it."""

    value: float
    deviation: float | None = None


class RunRow(NamedTuple):
    """One row of the run table: mean number of relevant results per query, with the deviation of the mean.

    *top* counts users satisfied with Key results alone, *marginal* those satisfied with Rel or better; *prm* is the
    expected number for a random user, eq. (2), *binary* the number by the labels, eq. (1).
    """

    top_prm: Printed
    top_binary: Printed
    marginal_prm: Printed
    marginal_binary: Printed


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
    source = Source("twenty documents", frame, first_line=None)
    return collect_judgments([source], levels=Levels(("0", "1", "2")), roles=True)


FEDWEB13_LEVELS: Final = Levels(("Non", "Rel", "HRel", "Key"), merges={"Nav": "Key"})
FEDWEB13_TOPICS: Final[Mapping[str, int]] = {"pages": 24, "snippets": 26}
"""Topics judged twice, of 50."""

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

# p(Key|level) with the binomial deviation, one-sided. Non is missing: only what U1 put above Non is used.
FEDWEB13_KEY_ONE_SIDED: Final[Mapping[str, Mapping[str, Printed]]] = {
    "pages": {"Key": Printed(0.52, 0.02), "HRel": Printed(0.28, 0.02), "Rel": Printed(0.05, 0.01)},
    "snippets": {"Key": Printed(0.49, 0.03), "HRel": Printed(0.26, 0.02), "Rel": Printed(0.09, 0.01)},
}
FEDWEB13_PAGES_BY_THRESHOLD: Final[Mapping[str, Mapping[str, float]]] = {
    "Key": {"Key": 0.53, "HRel": 0.27, "Rel": 0.04, "Non": 0.01},
    "HRel": {"Key": 0.87, "HRel": 0.65, "Rel": 0.22, "Non": 0.02},
    "Rel": {"Key": 0.93, "HRel": 0.88, "Rel": 0.46, "Non": 0.08},
}
"""Symmetric estimate on pages: threshold, then level."""
FEDWEB13_PAGES_BOOTSTRAP: Final[Mapping[str, float]] = {"Key": 0.06, "HRel": 0.05}
"""Standard deviation of p(Key|level) over the paper's topic bootstrap."""


def _row(*numbers: float) -> RunRow:
    return RunRow(*(Printed(value, deviation) for value, deviation in zip(numbers[::2], numbers[1::2], strict=True)))


RUN_TABLE: Final[Mapping[str, RunRow]] = {
    "oracle": _row(9.02, 0.40, 12.98, 0.93, 21.40, 0.61, 25.92, 0.63),
    "RS_clueweb": _row(2.51, 0.27, 2.66, 0.46, 8.52, 0.54, 9.26, 0.74),
    "UiSSP": _row(2.41, 0.36, 2.58, 0.57, 7.78, 0.82, 8.76, 1.20),
    "UiSP": _row(2.27, 0.38, 2.52, 0.63, 7.22, 0.84, 8.00, 1.17),
    "utTailyNormM400": _row(2.05, 0.37, 2.20, 0.54, 6.65, 0.86, 7.24, 1.14),
    "utTailyM400": _row(1.94, 0.37, 2.06, 0.54, 6.32, 0.86, 6.74, 1.13),
    "UiSS": _row(1.66, 0.25, 1.64, 0.35, 5.84, 0.65, 5.98, 0.92),
    "udelODRA": _row(1.63, 0.30, 1.68, 0.48, 5.64, 0.73, 6.00, 1.01),
    "udelFAVE": _row(1.63, 0.29, 1.62, 0.43, 5.78, 0.73, 6.14, 1.01),
    "UPDFW13mu": _row(1.54, 0.32, 1.52, 0.44, 5.18, 0.79, 5.36, 1.06),
    "iiitnaive01": _row(1.46, 0.28, 1.52, 0.45, 5.24, 0.65, 5.76, 0.88),
    "cwi13SniTI": _row(1.46, 0.29, 1.46, 0.44, 5.17, 0.70, 5.48, 0.96),
    "UPDFW13sh": _row(1.43, 0.27, 1.12, 0.32, 5.28, 0.71, 5.38, 0.98),
    "RS_querypools": _row(1.25, 0.19, 1.06, 0.34, 5.33, 0.44, 6.18, 0.80),
    "cwi13ODPTI": _row(1.17, 0.21, 0.92, 0.27, 4.48, 0.56, 4.52, 0.77),
    "ECNUBM25": _row(0.91, 0.22, 1.16, 0.38, 3.04, 0.64, 2.62, 0.56),
    "cwi13ODPJac": _row(0.66, 0.16, 0.42, 0.16, 2.88, 0.51, 2.94, 0.72),
    "udelRSMIN": _row(0.61, 0.21, 0.78, 0.33, 2.28, 0.48, 1.94, 0.62),
    "incgqdv2": _row(0.55, 0.13, 0.48, 0.21, 2.17, 0.35, 2.08, 0.46),
    "incgqd": _row(0.35, 0.12, 0.30, 0.19, 1.46, 0.29, 1.38, 0.40),
    "StanfordEIG10": _row(0.19, 0.07, 0.14, 0.08, 0.85, 0.20, 0.66, 0.27),
}
"""Resource selection at FedWeb13, 50 topics, in the order of the table."""
RUN_TABLE_TAU: Final[Mapping[str, float]] = {"top": 0.93, "marginal": 0.89}
"""Printed Kendall tau between the PRM and the binary column: tau-b over the 20 rows without the oracle."""
