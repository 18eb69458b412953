"""The worked example once more: expected values over random users, to ten digits."""

from __future__ import annotations

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.gains import Gains
from gainsayer.measures import distribute_found, parse_measure, share_of_served
from gainsayer.ranking import ranked_from_lists

LEVELS = gs.Levels(("0", "1", "2", "3"))
RANKED = ranked_from_lists({"q": [2, 0, 3, 0, 1]}, {"q": [3, 1, 2, 2]}, levels=LEVELS)
A = Gains(LEVELS, np.array([0.01, 0.04, 0.27, 0.53]), name="prm")
B = Gains(LEVELS, np.array([0.08, 0.46, 0.88, 0.93]), name="prm")

EXPECTED = {
    "nDCG(users='independent')@5": (0.3496524891, 0.6011646609),
    "AP(users='independent')": (0.2603648980, 0.4296073796),
    "RR(users='independent')": (0.4048663510, 0.9198326579),
    "ERR(users='independent')": (0.4048663510, 0.9198326579),
    "R(users='independent')@5": (0.4564241264, 0.5564812953),
    "RBP(p=0.8,users='independent')": (0.1277408, 0.3537152),
    "F1(users='independent')@5": (0.2404730226, 0.5131070580),
    "Rprec(users='independent')": (0.1899206762, 0.5174507873),
    "Q(users='independent')": (0.2932474499, 0.4322745397),
    "Success(users='independent')@5": (0.6771785824, 0.9961607296),
    "nDCG(users='comonotone')@5": (0.2435886139, 0.5844473578),
    "AP(users='comonotone')": (0.1590166667, 0.4056),
    "P(users='comonotone')@5": (0.172, 0.486),
    "DCG(users=0.5)@5": (0.5610901754, 1.6078807963),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_worked_example(name: str) -> None:
    """Eight judged documents, five retrieved, two sets of parameters: every expected value to ten digits."""
    found = [float(parse_measure(name).score(RANKED, gains)[0]) for gains in (A, B)]
    assert found == pytest.approx(EXPECTED[name], abs=5e-11)


def test_share_of_users_with_a_relevant_document() -> None:
    """P(R > 0) of the example, and what it does to a measure that leaves the other users out."""
    served = [float(share_of_served(RANKED, gains)[0]) for gains in (A, B)]
    assert served == pytest.approx((0.8903475719, 0.9999703301), abs=5e-11)
    found = parse_measure("AP(users='independent',condition_on_relevant=True)").score(RANKED, A)[0]
    assert found == pytest.approx(0.2603648980 / 0.8903475719, abs=5e-10)


def test_plug_in_measures_are_other_numbers() -> None:
    """Ratios of expected values, which the same names without users give, differ: nDCG by 0.15 here (T8)."""
    for name, plug_in in (("nDCG@5", 0.4960353600), ("AP", 0.3123163673), ("R@5", 0.5149700599)):
        assert parse_measure(name).score(RANKED, A)[0] == pytest.approx(plug_in, abs=5e-11)


def test_graded_average_precision_by_hand() -> None:
    """GAP = sum over ranks of (1/r) sum over s <= r of min(p_r, p_s), over the pool's sum of p."""
    for gains in (A, B):
        p = gains.values[[2, 0, 3, 0, 1]]
        pool = gains.values @ [3, 1, 2, 2]
        expected = sum(min(p[r], p[s]) / (r + 1) for r in range(5) for s in range(r + 1)) / pool
        assert parse_measure("GAP").score(RANKED, gains)[0] == pytest.approx(expected, abs=1e-14)
        cut = sum(min(p[r], p[s]) / (r + 1) for r in range(3) for s in range(r + 1)) / pool
        assert parse_measure("GAP@3").score(RANKED, gains)[0] == pytest.approx(cut, abs=1e-14)


def test_graded_average_precision_is_the_ratio_of_means_over_thresholds() -> None:
    """GAP is the mean of AP's numerator over comonotone users, divided by their mean number of relevant documents."""
    shares = np.diff(B.values, prepend=0.0)
    above, below = 0.0, 0.0
    for level, share in enumerate(shares):
        user = Gains(LEVELS, (np.arange(4) >= level).astype(float), name="binary")
        relevant = float(parse_measure("PoolRel").score(RANKED, user)[0])
        above += share * float(parse_measure("AP").score(RANKED, user)[0]) * relevant
        below += share * relevant
    assert parse_measure("GAP").score(RANKED, B)[0] == pytest.approx(above / below, abs=1e-14)


def test_what_users_find_in_the_example() -> None:
    """The mean is the PRM count 0.86; a third of independent users find nothing, of comonotone ones nearly half."""
    found = distribute_found(RANKED, A, depth=5)
    assert found.mean[0] == pytest.approx(0.86)
    assert found.nothing[0] == pytest.approx(1 - 0.6771785824, abs=5e-11)
    assert found.quantile(0.5).tolist() == [1]
    strict = distribute_found(RANKED, A, depth=5, users="comonotone")
    assert strict.mean[0] == pytest.approx(0.86)
    assert strict.nothing[0] == pytest.approx(0.47)
    np.testing.assert_allclose(strict.probability[0], [0.47, 0.26, 0.23, 0.03, 0.0, 0.01], atol=1e-12)
