"""The parameters the paper prints for FedWeb13, from count matrices made to reproduce them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.datasets import FEDWEB13_PAGES, FEDWEB13_SNIPPETS

LEVELS = gs.Levels(("Non", "Rel", "HRel", "Key"))
# p +- sigma as printed, for Key, HRel, Rel, Non; None where the paper has a dash.
PRINTED = {
    ("pages", "symmetric"): ((0.53, 0.02), (0.27, 0.01), (0.04, 0.01), (0.01, 0.00)),
    ("pages", "one-sided"): ((0.52, 0.02), (0.28, 0.02), (0.05, 0.01), None),
    ("snippets", "symmetric"): ((0.47, 0.02), (0.25, 0.01), (0.08, 0.01), (0.01, 0.00)),
    ("snippets", "one-sided"): ((0.49, 0.03), (0.26, 0.02), (0.09, 0.01), None),
}
# p(R|Key), p(R|HRel), p(R|Rel), p(R|Non) for the symmetric estimate on pages, as fractions.
PAGES = {
    "Key": ("430/805", "267/972", "48/1199", "60/11078"),
    "HRel": ("697/805", "635/972", "264/1199", "181/11078"),
    "Rel": ("745/805", "851/972", "546/1199", "834/11078"),
}
BY_THRESHOLD = {
    "Key": (0.53, 0.27, 0.04, 0.01),
    "HRel": (0.87, 0.65, 0.22, 0.02),
    "Rel": (0.93, 0.88, 0.46, 0.08),
}


def counts_of(kind: str) -> gs.model.PairCounts:
    """The synthetic counts of pages or snippets."""
    return gs.model.PairCounts.from_matrix(LEVELS, FEDWEB13_PAGES if kind == "pages" else FEDWEB13_SNIPPETS)


@pytest.mark.parametrize(("case", "printed"), PRINTED.items())
def test_parameters_and_deviations_to_the_printed_digit(
    case: tuple[str, str], printed: tuple[tuple[float, float] | None, ...]
) -> None:
    """Every p(Key|level) and its binomial standard deviation round to what the paper prints."""
    kind, estimator = case
    disagreement = gs.estimate_disagreement(counts_of(kind), estimator=estimator)  # type: ignore[arg-type]
    prediction = gs.predict_relevance(disagreement, LEVELS.at_or_above("Key"))
    for value, error, expected in zip(prediction.probability[::-1], prediction.binomial[::-1], printed, strict=True):
        if expected is not None:
            assert (round(float(value), 2), round(float(error), 2)) == expected


@pytest.mark.parametrize("threshold", PAGES)
def test_fractions_at_every_threshold(threshold: str) -> None:
    """One estimate serves every threshold: numerators and denominators of pages, and the printed two digits."""
    disagreement = gs.estimate_disagreement(counts_of("pages"), estimator="symmetric")
    prediction = gs.predict_relevance(disagreement, LEVELS.at_or_above(threshold))
    found = [
        f"{relevant:g}/{judged:g}"
        for relevant, judged in zip(prediction.relevant_count[::-1], prediction.judged_count[::-1], strict=True)
    ]
    assert tuple(found) == PAGES[threshold]
    assert tuple(round(float(value), 2) for value in prediction.probability[::-1]) == BY_THRESHOLD[threshold]


def test_pair_errors_of_pages() -> None:
    """The error over documents for theta = Key."""
    disagreement = gs.estimate_disagreement(counts_of("pages"), estimator="symmetric")
    prediction = gs.predict_relevance(disagreement, LEVELS.at_or_above("Key"))
    assert prediction.pair[::-1] == pytest.approx([0.021286, 0.015309, 0.005689, 0.000699], abs=5e-7)


def test_pages_are_not_exchangeable_and_say_so() -> None:
    """The printed numbers force unequal margins: the second side is more generous, and a finding tells (T10)."""
    disagreement = gs.estimate_disagreement(counts_of("pages"), estimator="symmetric")
    assert "sides-not-exchangeable" in [finding.code for finding in disagreement.findings]
    snippets = gs.estimate_disagreement(gs.model.PairCounts.from_matrix(LEVELS, _symmetric(FEDWEB13_SNIPPETS)))
    assert "sides-not-exchangeable" not in [finding.code for finding in snippets.findings]


def _symmetric(matrix: object) -> np.ndarray:
    array = np.array(matrix, dtype=float)
    return array + array.T


def test_fit_on_files_with_fedwebs_stored_codes(tmp_path: Path) -> None:
    """Stored as 0, 1, 3, 7 with Nav as 15, the same parameters come out of files with names and a merge."""
    for side in (0, 1):
        lines = []
        codes = ("0", "1", "3", "7")
        for i, row in enumerate(FEDWEB13_PAGES):
            for j, count in enumerate(row):
                for copy in range(int(count)):
                    label = codes[(i, j)[side]]
                    if label == "7" and copy % 2:
                        label = "15"
                    lines.append(f"q1 0 d{i}-{j}-{copy} {label}\n")
        (tmp_path / f"side{side}.qrels").write_text("".join(lines))
    levels = gs.levels.parse_levels("Non=0,Rel=1,HRel=3,Key=7", merges={"15": "Key"})
    judgments = gs.read_judgments(tmp_path / "side0.qrels", tmp_path / "side1.qrels", levels=levels)
    counts = gs.count_pairs(judgments)
    assert counts.pairs == 7027
    assert counts.matrix.astype(int).tolist() == [list(row) for row in FEDWEB13_PAGES]


def test_udm_and_m_of_n() -> None:
    """At least 2 of 3 users, eq. (2), and the UDM weights for 2 of 3, eq. (3), to the printed digits."""
    # A matrix with p(T|T) = .53 and p(T|middle) = .27, the rest as it falls.
    counts = gs.model.PairCounts.from_matrix(gs.Levels(("0", "1", "2")), [[99, 0, 1], [3, 70, 27], [20, 27, 53]])
    disagreement = gs.estimate_disagreement(counts, estimator="one-sided")
    prediction = gs.predict_relevance(disagreement)
    two_of_three = gs.prm_gains(prediction, at_least=2, of=3)
    assert two_of_three.values[1:] == pytest.approx([0.179334, 0.544946], abs=5e-7)
    udm = gs.gains.udm_gains(disagreement, at_least=2, of=3)
    assert udm.values == pytest.approx([0.0, 0.0729, 0.7791], abs=5e-7)
    assert gs.gains.udm_gains(disagreement).values == pytest.approx([0.0, 0.27, 1.0])


def test_counts_have_the_printed_totals() -> None:
    """7,027 doubly judged pages and 6,253 snippets, of which 19 and 23 % were above Non for U1."""
    pages, snippets = np.array(FEDWEB13_PAGES), np.array(FEDWEB13_SNIPPETS)
    assert (pages.sum(), snippets.sum()) == (7027, 6253)
    assert [round(float(counts[1:].sum() / counts.sum()), 2) for counts in (pages, snippets)] == [0.19, 0.23]
