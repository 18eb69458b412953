"""The run table of the paper: Kendall tau between PRM and binary columns, from the printed numbers alone."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.comparison import RankCorrelation, kendall_tau
from gainsayer.datasets import RUN_TABLE, RUN_TABLE_TAU

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
