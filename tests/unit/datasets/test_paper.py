"""The paper's numbers as code agree with each other."""

import numpy as np
import pytest

from gainsayer.datasets import paper

COUNTS = {"pages": paper.FEDWEB13_PAGES, "snippets": paper.FEDWEB13_SNIPPETS}


def key_given(matrix, threshold="Key"):
    """Numerators and denominators of p(at or above the threshold | level), by level."""
    counts = np.array(matrix)
    relevant = np.array(paper.FEDWEB13_LEVELS.at_or_above(threshold).mask)
    return {
        name: (int(counts[place, relevant].sum()), int(counts[place].sum()))
        for place, name in enumerate(paper.FEDWEB13_LEVELS.names)
    }


def test_the_twenty_documents_give_the_printed_counts():
    """J of the twenty documents is the one the paper counts."""
    judgments = paper.twenty_documents()
    level = judgments.frame().pivot("assessor", index="document", values="level")
    joint = np.zeros((3, 3), dtype=int)
    for first, second in level.select("U1", "U2").iter_rows():
        joint[int(first), int(second)] += 1
    assert joint.tolist() == [[4, 1, 1], [3, 4, 3], [0, 2, 2]]
    assert judgments.topics == ("q1",)
    assert level["document"].to_list() == [f"d{number:02}" for number in range(1, 21)]
    assert judgments.findings == ()


def test_the_synthetic_counts_have_the_printed_totals():
    """7,027 doubly judged pages and 6,253 snippets, of which 19 and 23 % were above Non for U1."""
    assert {kind: int(np.sum(matrix)) for kind, matrix in COUNTS.items()} == {"pages": 7027, "snippets": 6253}
    above = {kind: round(float(np.sum(matrix[1:]) / np.sum(matrix)), 2) for kind, matrix in COUNTS.items()}
    assert above == {"pages": 0.19, "snippets": 0.23}


@pytest.mark.parametrize("kind", ["pages", "snippets"])
def test_the_synthetic_counts_give_the_printed_parameters(kind):
    """Both estimates at the threshold Key, with their binomial deviation, come out as printed."""
    counts = np.array(COUNTS[kind])
    columns = ((counts + counts.T, paper.FEDWEB13_KEY_SYMMETRIC), (counts, paper.FEDWEB13_KEY_ONE_SIDED))
    for matrix, printed in columns:
        found = key_given(matrix)
        for level, number in printed[kind].items():
            relevant, judged = found[level]
            p = relevant / judged
            assert round(p, 2) == number.value
            assert round(float(np.sqrt(p * (1 - p) / judged)), 2) == number.deviation


def test_the_synthetic_pages_give_the_printed_parameters_at_every_threshold():
    """p(R|level) on pages for the thresholds Key, HRel and Rel, to the printed digit."""
    counts = np.array(paper.FEDWEB13_PAGES)
    for threshold, row in paper.FEDWEB13_PAGES_BY_THRESHOLD.items():
        found = key_given(counts + counts.T, threshold)
        assert {level: round(found[level][0] / found[level][1], 2) for level in row} == row
    assert key_given(counts + counts.T)["Key"] == (430, 805)
    assert key_given(counts)["Rel"] == (24, 515)


def test_the_run_table_is_whole():
    """21 rows; binary means are whole counts over 50 topics; PRM deviations are smaller with one exception."""
    assert len(paper.RUN_TABLE) == 21
    for row in paper.RUN_TABLE.values():
        for cell in (row.top_binary, row.marginal_binary):
            assert cell.value * 50 == pytest.approx(round(cell.value * 50))
    exceptions = [
        name
        for name, row in paper.RUN_TABLE.items()
        if row.top_prm.deviation > row.top_binary.deviation
        or row.marginal_prm.deviation > row.marginal_binary.deviation
    ]
    assert exceptions == ["ECNUBM25"]


def test_the_run_table_gives_the_printed_tau():
    """tau-b between the PRM and binary columns over the 20 rows without the oracle is .93 and .89."""
    from scipy.stats import kendalltau

    rows = [row for name, row in paper.RUN_TABLE.items() if name != "oracle"]
    for scenario, printed in paper.RUN_TABLE_TAU.items():
        prm = [getattr(row, f"{scenario}_prm").value for row in rows]
        binary = [getattr(row, f"{scenario}_binary").value for row in rows]
        assert round(float(kendalltau(prm, binary).statistic), 2) == printed
