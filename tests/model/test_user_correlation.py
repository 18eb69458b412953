"""The correlation of a user's views: the bivariate normal, recovery of a known value, and what cannot be estimated."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

import gainsayer as gs
from gainsayer.model import (
    PANELS,
    Opinions,
    estimate_user_correlation,
    fit_correlation,
    fit_user_correlation,
    joint_excess,
    residual_products,
    user_correlation,
)

PROBABILITY = np.array([0.05, 0.3, 0.7])
SLOW = bool(os.environ.get("GAINSAYER_SLOW"))


def draw_opinions(correlation: float, groups: int, documents: int, seed: int) -> dict[str, np.ndarray]:
    """Second opinions of users with a known correlation, one user per topic."""
    rng = np.random.default_rng(seed)
    level = rng.choice(3, (groups, documents), p=[0.6, 0.25, 0.15])
    shared = rng.standard_normal((groups, 1))
    position = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * rng.standard_normal((groups, documents))
    group = np.repeat(np.arange(groups), documents)
    return {
        "group": group,
        "document": np.arange(groups * documents),
        "level": level.ravel(),
        "relevant": (position < stats.norm.ppf(PROBABILITY)[level]).ravel(),
    }


@pytest.mark.parametrize("panel", [6, 32, 60, 88])
def test_joint_excess_is_the_bivariate_normal(panel: int) -> None:
    """P(both relevant) - p q equals SciPy's bivariate normal distribution function less the product."""
    correlation = np.sin(np.pi / 2 * panel / PANELS)
    p, q = np.meshgrid([0.01, 0.3, 0.5, 0.93], [0.02, 0.3, 0.88])
    normal = stats.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]])
    expected = normal.cdf(np.stack([stats.norm.ppf(p), stats.norm.ppf(q)], axis=-1)) - p * q
    np.testing.assert_allclose(joint_excess(p, q)[..., panel], expected, atol=1e-9)


def test_joint_excess_at_the_ends() -> None:
    """Independent views multiply, comonotone ones take the smaller, and certainty leaves the other."""
    p, q = np.array([0.2, 0.0, 1.0, 0.6]), np.array([0.7, 0.4, 0.4, 0.6])
    np.testing.assert_allclose(joint_excess(p, q)[:, 0], 0)
    np.testing.assert_allclose(joint_excess(p, q)[:, -1], np.minimum(p, q) - p * q, atol=1e-9)


def test_products_are_those_of_a_loop_over_pairs_of_documents() -> None:
    """Residuals of each two different documents of a group are multiplied, with p from the same opinions."""
    arrays = draw_opinions(0.4, 8, 6, seed=1)
    probability = [arrays["relevant"][arrays["level"] == level].mean() for level in range(3)]
    residual = arrays["relevant"] - np.array(probability)[arrays["level"]]
    expected = 0.0
    for one in range(len(residual)):
        for two in range(len(residual)):
            if one != two and arrays["group"][one] == arrays["group"][two]:
                expected += residual[one] * residual[two]
    cells = np.zeros((2, 8, 3))
    np.add.at(cells[0], (arrays["group"], arrays["level"]), 1)
    np.add.at(cells[1], (arrays["group"], arrays["level"]), arrays["relevant"])
    products, squares = residual_products(Opinions(*cells))
    assert products == pytest.approx(expected)
    assert squares == pytest.approx((residual**2).sum())
    found = fit_user_correlation(**arrays)
    assert found.intraclass == pytest.approx(expected / (8 * 6 * 5) / np.mean(residual**2))


def test_the_fitted_value_is_where_the_model_expects_the_products() -> None:
    """At the fitted rho SciPy's bivariate normal gives the products that are seen, to the width of a panel."""
    cells = np.array([[[10.0, 5]] * 6, [[0, 1], [2, 3], [1, 2], [5, 4], [1, 1], [0, 2.0]]])
    rho = float(fit_correlation(Opinions(*cells)))
    p = cells[1].sum(axis=0) / cells[0].sum(axis=0)
    x = stats.norm.ppf(p)
    expected = 0.0
    for i in range(2):
        for j in range(2):
            number = (cells[0][:, i] * cells[0][:, j]).sum() - (i == j) * cells[0][:, i].sum()
            both = stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([x[i], x[j]])
            expected += number * (both - p[i] * p[j])
    assert expected == pytest.approx(float(residual_products(Opinions(*cells))[0]), rel=2e-4)


@pytest.mark.parametrize("correlation", [0.0, 0.3])
def test_known_correlation_is_recovered(correlation: float) -> None:
    """With 300 users of 40 documents the interval is narrow and the estimate near the truth."""
    found = fit_user_correlation(**draw_opinions(correlation, 300, 40, seed=5))
    low, high = found.interval
    assert high - low < 0.15
    assert abs(found.correlation - correlation) < high - low
    assert low <= found.correlation <= high


def test_many_groups_are_simulated_by_some_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulating a quarter of the groups and narrowing the spread gives the ends of simulating all, nearly."""
    arrays = draw_opinions(0.3, 400, 15, seed=8)
    whole = fit_user_correlation(**arrays)
    monkeypatch.setattr(user_correlation, "MOST_GROUPS", 100)
    part = fit_user_correlation(**arrays)
    width = whole.interval[1] - whole.interval[0]
    np.testing.assert_allclose(part.interval, whole.interval, atol=0.2 * width)
    assert part.correlation == pytest.approx(whole.correlation, abs=0.2 * width)


def test_comonotone_users_have_correlation_one() -> None:
    """Users with one threshold for all documents have rho 1, up to the error of so many users."""
    found = fit_user_correlation(**draw_opinions(1.0, 400, 30, seed=2))
    assert found.correlation > 0.98
    assert found.interval[1] == 1


@pytest.mark.slow
@pytest.mark.parametrize(("correlation", "groups"), [(0.3, 12), (0.65, 24), (0.9, 12)] if SLOW else [(0.3, 12)])
def test_interval_covers_and_the_estimate_is_median_unbiased(
    correlation: float, groups: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty documents a user: 95 % intervals hold rho, which half of the estimates exceed, within simulation error."""
    monkeypatch.setattr(user_correlation, "MOST_DRAWS", 400 if SLOW else 150)
    repeats = 300 if SLOW else 40
    results = [
        fit_user_correlation(**draw_opinions(correlation, groups, 30, seed=7000 + repeat), seed=repeat)
        for repeat in range(repeats)
    ]
    held = np.mean([result.interval[0] <= correlation <= result.interval[1] for result in results])
    above = np.mean([result.correlation > correlation for result in results])
    error = np.sqrt(0.95 * 0.05 / repeats)
    assert 0.94 - 3.5 * error <= held
    assert abs(above - 0.5) <= 3.5 * 0.5 / np.sqrt(repeats) + 0.02


def test_a_seed_decides_the_simulated_data() -> None:
    """Same seed, same numbers; another one moves the ends a little."""
    arrays = draw_opinions(0.3, 12, 20, seed=3)
    one, again, other = (fit_user_correlation(**arrays, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.fitted == other.fitted
    assert one.interval != other.interval
    np.testing.assert_allclose(one.interval, other.interval, atol=0.1)


def test_several_first_labels_of_a_document_count_once() -> None:
    """A second opinion beside two first labels is one opinion, whatever the order of the rows."""
    arrays = draw_opinions(0.3, 12, 20, seed=3)
    doubled = {name: np.repeat(values, 2) for name, values in arrays.items()}
    doubled["level"] = np.stack([arrays["level"], (arrays["level"] + 1) % 3], axis=1).ravel()
    found = fit_user_correlation(**doubled)
    turned = fit_user_correlation(**{name: values[::-1] for name, values in doubled.items()})
    assert turned == found


def test_judgments_give_the_same_as_arrays(judge: Callable[..., gs.Judgments]) -> None:
    """From judgments: second opinions are paired with first labels, within topic and second assessor."""
    arrays = draw_opinions(0.4, 30, 20, seed=3)
    rows = []
    for topic, document, level, relevant in zip(
        arrays["group"], arrays["document"], arrays["level"], arrays["relevant"], strict=True
    ):
        rows.append((f"q{topic:03}", f"d{document}", "first", str(level)))
        rows.append((f"q{topic:03}", f"d{document}", "second", "2" if relevant else "0"))
    judgments = judge(rows)
    found = estimate_user_correlation(judgments, judgments.levels.at_or_above("2"))
    assert found == fit_user_correlation(**arrays)


def test_what_cannot_be_estimated() -> None:
    """One document per user says nothing, and four users are too few: both are said."""
    with pytest.raises(gs.DataError, match="two documents of one topic"):
        fit_user_correlation(**draw_opinions(0.3, 10, 1, seed=1))
    with pytest.raises(gs.DataError, match="needs second opinions by 5 assessors or on 5 topics, found 4"):
        fit_user_correlation(**draw_opinions(0.3, 4, 10, seed=1))
    with pytest.raises(gs.CallError, match="between 0 and 1"):
        fit_user_correlation(**draw_opinions(0.3, 10, 10, seed=1), confidence=1.0)


@pytest.mark.parametrize(("groups", "levels"), [(4, 2), (3000, 3), (300_000, 3)])
def test_as_many_data_sets_are_simulated_as_the_work_allows(groups: int, levels: int) -> None:
    """DRAWN_CELLS over what one of them holds, between the fewest and the most."""
    judged = np.ones((groups, levels))
    found = user_correlation._Simulation(Opinions(judged, judged / 2), seed=0).draws
    held = min(groups, user_correlation.MOST_GROUPS) * levels
    most = min(user_correlation.DRAWN_CELLS // held, user_correlation.MOST_DRAWS)
    assert found == max(most, user_correlation.FEWEST_DRAWS)


def test_the_grid_of_correlations_rises_from_0_to_1() -> None:
    """Both ends are there, and nothing stands beyond them or out of order."""
    grid = user_correlation.GRID
    assert (grid[0], grid[-1]) == (0.0, 1.0)
    assert (np.diff(grid) > 0).all()


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.8])
def test_simulated_users_have_the_correlation_they_were_given(
    correlation: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eighty users of forty documents: most of what is fitted lies within .2 of it, about as often below as above."""
    monkeypatch.setattr(user_correlation, "MOST_DRAWS", 60)
    judged = np.full((80, 2), 20.0)
    simulated = user_correlation._Simulation(Opinions(judged, judged * np.array([0.3, 0.7])), seed=4)
    assert simulated.share_below(correlation + 0.2, correlation) > 0.9
    assert simulated.share_below(correlation - 0.2, correlation) < 0.1
    assert 0.2 < simulated.share_below(correlation, correlation) < 0.8


@pytest.mark.parametrize("least", [1.0, 2.0])
def test_the_curve_is_read_on_both_sides_of_the_fitted_value(least: float) -> None:
    """The interval is that of the share of simulated fits below the observed one at every point of the grid."""
    judged = np.tile([[6.0, 5.0, 4.0]], (12, 1))
    relevant = np.where(np.arange(12)[:, None] % 3 == 0, 4.0, least) * np.ones(3)
    opinions, shares = Opinions(judged, relevant), (0.975, 0.5, 0.025)
    fitted = float(fit_correlation(opinions))
    simulated = user_correlation._Simulation(opinions, seed=1)
    below = np.array([simulated.share_below(fitted, rho) for rho in user_correlation.GRID])
    floor = 1 / (2 * simulated.draws)
    assert ((below > floor) & (below < 1 - floor)).sum() >= user_correlation.INSERTED  # no finer grid is needed
    falling = (np.minimum.accumulate(below) + np.maximum.accumulate(below[::-1])[::-1]) / 2
    height = stats.norm.ppf(np.clip(falling, floor, 1 - floor))
    expected = [float(np.interp(-stats.norm.ppf(share), -height, user_correlation.GRID)) for share in shares]
    found = user_correlation._invert(opinions, fitted, shares, seed=1)
    assert found == pytest.approx(expected, abs=1e-12)
    assert 0 < found[0] < found[1] < found[2] < 1


def test_of_many_groups_each_is_simulated_once_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where some of the groups stand for all, they are different ones."""
    monkeypatch.setattr(user_correlation, "MOST_GROUPS", 30)
    judged = np.arange(1.0, 41.0)[:, None] * np.ones((1, 2))
    simulated = user_correlation._Simulation(Opinions(judged, judged / 2), seed=0)
    assert len(np.unique(simulated._judged[:, 0])) == 30
