"""The run table of the paper: Kendall tau between PRM and binary columns, from the printed numbers alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from gainsayer.comparison import RankCorrelation, kendall_tau


class Printed(NamedTuple):
    """A number as printed, with its standard deviation where one is printed beside it."""

    value: float
    deviation: float


class RunRow(NamedTuple):
    """One row of the run table: mean number of relevant results per query, with the deviation of the mean.

    *top* counts users satisfied with Key results alone, *marginal* those satisfied with Rel or better; *prm* is the
    expected number for a random user, eq. (2), *binary* the number by the labels, eq. (1).
    """

    top_prm: Printed
    top_binary: Printed
    marginal_prm: Printed
    marginal_binary: Printed


def _row(*numbers: float) -> RunRow:
    return RunRow(*(Printed(value, deviation) for value, deviation in zip(numbers[::2], numbers[1::2], strict=True)))


RUN_TABLE = {
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
RUN_TABLE_TAU = {"top": 0.93, "marginal": 0.89}
"""Printed Kendall tau between the PRM and the binary column: tau-b over the 20 rows without the oracle."""

LEFT_OUT = {
    "all 21": (),
    "20 without oracle": ("oracle",),
    "18 official": ("oracle", "RS_clueweb", "RS_querypools"),
}
# Concordant, discordant, ties among PRM scores, ties among binary scores; tau-a, tau-b.
TOP = {
    "all 21": (201, 6, 2, 1, 0.9286, 0.9353),
    "20 without oracle": (181, 6, 2, 1, 0.9211, 0.9284),
    "18 official": (145, 5, 2, 1, 0.9150, 0.9241),
}
MARGINAL = {
    "all 21": (200, 10, 0, 0, 0.9048, 0.9048),
    "20 without oracle": (180, 10, 0, 0, 0.8947, 0.8947),
    "18 official": (146, 7, 0, 0, 0.9085, 0.9085),
}


def column(name: str, rows: str) -> list[float]:
    """A column of the table, for the rows of a choice."""
    return [getattr(row, name).value for run, row in RUN_TABLE.items() if run not in LEFT_OUT[rows]]


@pytest.mark.parametrize("rows", LEFT_OUT)
@pytest.mark.parametrize(("scenario", "table"), [("top", TOP), ("marginal", MARGINAL)])
def test_pairs_and_tau_of_the_printed_columns(
    scenario: str, table: dict[str, tuple[int, int, int, int, float, float]], rows: str
) -> None:
    """Concordant, discordant and tied pairs, tau-a and tau-b, for three choices of rows."""
    prm, binary = column(f"{scenario}_prm", rows), column(f"{scenario}_binary", rows)
    found = kendall_tau(prm, binary)
    assert found.n == 21 - len(LEFT_OUT[rows])
    assert found.value is not None
    assert (
        found.concordant,
        found.discordant,
        found.ties_a,
        found.ties_b,
        round(_tau_a(found), 4),
        round(found.value, 4),
    ) == table[rows]


@pytest.mark.parametrize("scenario", ["top", "marginal"])
def test_the_printed_tau_is_tau_b_without_the_oracle(scenario: str) -> None:
    """Of the three choices of rows, only the 20 without the oracle give both printed values, and only with tau-b."""
    fitting = [
        (rows, variant)
        for rows in LEFT_OUT
        for variant in ("a", "b")
        if all(
            round(_tau(each, rows, variant), 2) == RUN_TABLE_TAU[each]  # both columns together
            for each in ("top", "marginal")
        )
    ]
    assert fitting == [("20 without oracle", "b")]
    assert round(_tau(scenario, "20 without oracle", "b"), 2) == RUN_TABLE_TAU[scenario]


def test_ties_of_the_prm_column_are_made_by_rounding() -> None:
    """With the row order of the table as the unrounded PRM order, tau-a is .9316 and tau-b .9340: still .93."""
    binary = column("top_binary", "20 without oracle")
    order = -np.arange(20.0)
    found = kendall_tau(order, binary)
    assert round(_tau_a(found), 4) == 0.9316
    assert round(found.value or 0, 4) == 0.9340


def test_the_marginal_value_bears_every_rounding() -> None:
    """No unrounded PRM scores within 0.005 of the printed ones can change the marginal tau: their order is settled."""
    prm = np.sort(column("marginal_prm", "20 without oracle"))
    assert np.diff(prm).min() > 0.0099


def _tau(scenario: str, rows: str, variant: str) -> float:
    found = kendall_tau(column(f"{scenario}_prm", rows), column(f"{scenario}_binary", rows))
    assert found.value is not None
    return found.value if variant == "b" else _tau_a(found)


def _tau_a(found: RankCorrelation) -> float:
    """(C - D) / N: tied pairs are not left out of the whole."""
    return (found.concordant - found.discordant) / (found.n * (found.n - 1) / 2)


def test_the_table_is_whole() -> None:
    """21 rows; binary means are whole counts over 50 topics; PRM deviations are smaller with one exception."""
    assert len(RUN_TABLE) == 21
    for row in RUN_TABLE.values():
        for cell in (row.top_binary, row.marginal_binary):
            assert cell.value * 50 == pytest.approx(round(cell.value * 50))
    larger = [
        name
        for name, row in RUN_TABLE.items()
        if row.top_prm.deviation > row.top_binary.deviation
        or row.marginal_prm.deviation > row.marginal_binary.deviation
    ]
    assert larger == ["ECNUBM25"]
