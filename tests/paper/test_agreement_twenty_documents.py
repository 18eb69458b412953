"""Agreement on the paper's twenty documents and on the matrices that reproduce its printed numbers."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.datasets import twenty_documents
from gainsayer.levels import Levels
from gainsayer.model import PairCounts, measure_agreement, score_sides

TWENTY = np.array([[4, 1, 1], [3, 4, 3], [0, 2, 2]])
PAGES = [[5122, 411, 98, 30], [242, 141, 108, 24], [23, 108, 184, 120], [30, 24, 147, 215]]


def collapse(matrix: np.ndarray, threshold: int) -> PairCounts:
    """The counts with all levels below the threshold made one, and all others another."""
    blocks = np.add.reduceat(np.add.reduceat(matrix, [0, threshold], axis=0), [0, threshold], axis=1)
    return PairCounts.from_matrix(Levels(("not", "relevant")), blocks)


def coefficients(counts: PairCounts) -> dict:
    """The agreement of two sides, from counts alone."""
    return score_sides(counts.counts, counts.levels, 0.95).describe(0)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("percent", 10 / 20),
        ("cohen_kappa", 0.242424),
        # Do = 9 neighbours and 1 extreme of 20; De from the margins (6, 10, 4) and (7, 7, 6).
        ("weighted_kappa_linear", 1 - (9 * 0.5 + 1) * 20 / ((42 + 60 + 70 + 28) * 0.5 + 36 + 28)),
        ("weighted_kappa_quadratic", 1 - (9 * 0.25 + 1) * 20 / ((42 + 60 + 70 + 28) * 0.25 + 36 + 28)),
        # The margins together are (13, 17, 10) of 40.
        ("scott_pi", 1 - 0.5 / (1 - (13**2 + 17**2 + 10**2) / 1600)),
        ("fleiss_kappa", 1 - 0.5 / (1 - (13**2 + 17**2 + 10**2) / 1600)),
        ("krippendorff_alpha_nominal", 0.251440),
        ("krippendorff_alpha_ordinal", 0.450797),
        ("krippendorff_alpha_interval", 0.443469),
        ("gwet_ac1", (0.5 - 0.65125 / 2) / (1 - 0.65125 / 2)),
        ("gwet_ac2", (0.8375 - 0.65125) / (1 - 0.65125)),
    ],
)
def test_twenty_documents(name: str, expected: float) -> None:
    """The coefficients of the twenty documents are those computed by hand."""
    found = measure_agreement(twenty_documents()).coefficients[name]
    assert found.value == pytest.approx(expected, abs=5e-7)
    assert found.interval is None


def test_twenty_documents_counts() -> None:
    """The confusion matrix of U1 and U2 is J, from twenty pairs of one topic."""
    agreement = measure_agreement(twenty_documents())
    assert agreement.counts.tolist() == TWENTY.tolist()
    assert (agreement.pairs, agreement.topics, agreement.documents) == (20, 1, 20)
    assert agreement.sides == (("U1",), ("U2",))


@pytest.mark.parametrize(("threshold", "expected"), [(2, 0.2), (1, 0.430199)])
def test_scotts_pi_of_the_collapse(threshold: int, expected: float) -> None:
    """Scott's pi of the twenty documents is 0.2 at threshold 2 and 0.430199 at threshold 1."""
    found = coefficients(collapse(TWENTY, threshold))["scott_pi"].value
    assert found == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize("matrix", [TWENTY, np.array(PAGES)], ids=["twenty", "pages"])
def test_spread_of_the_gains_is_scotts_pi(matrix: np.ndarray) -> None:
    """I6: for two levels p(R|R) - p(R|not R) is Scott's pi, and nominal alpha up to its small-sample factor."""
    for threshold in range(1, len(matrix)):
        counts = collapse(matrix, threshold)
        symmetric = counts.symmetric()[0]
        probability = symmetric[:, 1] / symmetric.sum(axis=1)
        found = coefficients(counts)
        pi, n = found["scott_pi"].value, symmetric.sum()
        assert probability[1] - probability[0] == pytest.approx(pi, abs=1e-12)
        alpha = found["krippendorff_alpha_nominal"].value
        assert alpha == pytest.approx(1 - (1 - pi) * (n - 1) / n, abs=1e-12)


def test_pages() -> None:
    """Nominal alpha of the FedWeb13 pages is 0.465393."""
    pages = PairCounts.from_matrix(Levels(("Non", "Rel", "HRel", "Key")), PAGES)
    found = coefficients(pages)["krippendorff_alpha_nominal"].value
    assert found == pytest.approx(0.465393, abs=5e-7)
