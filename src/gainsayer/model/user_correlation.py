"""How strongly one user's views of different documents are correlated: a strict assessor is strict with all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import scipy

from gainsayer.errors import CallError, DataError
from gainsayer.levels import Relevance
from gainsayer.model.intervals import check_confidence
from gainsayer.model.pairs import FloatArray, choose_sides, match_sides
from gainsayer.reading.judgments import Judgments

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

FEWEST_GROUPS: Final = 5
PANELS: Final = 96
NODES: Final = 4
GRID: Final = (0.0, 0.03, 0.07, 0.12, 0.19, 0.27, 0.36, 0.46, 0.56, 0.66, 0.75, 0.83, 0.90, 0.95, 0.98, 1.0)
FEWEST_DRAWS: Final = 150
MOST_DRAWS: Final = 400
MOST_GROUPS: Final = 1000
MOST_LEVELS: Final = 10
DRAWN_CELLS: Final = 1_000_000
ROUNDS: Final = 4
INSERTED: Final = 7


@dataclass(frozen=True)
class UserCorrelation:
    """The correlation of a user's views of different documents, given their labels.

    Args:
        correlation: rho of the Gaussian copula, from 0 to 1: what `users=0.3` takes. Median-unbiased.
        interval: the values of rho that the data do not contradict at the given confidence.
        fitted: the rho at which the model expects the residual products that are seen, which is too low for few groups;
            below 0 where they are negative.
        intraclass: the residual intraclass correlation: mean product of the residuals of two documents over the mean
            squared residual.
    """

    correlation: float
    interval: tuple[float, float]
    fitted: float
    intraclass: float


@dataclass(frozen=True, eq=False)
class Opinions:
    """Second opinions by group (a second assessor within a topic) and first label; shape [..., groups, levels]."""

    judged: FloatArray
    relevant: FloatArray


def estimate_user_correlation(
    judgments: Judgments,
    relevance: Relevance,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    matched: bool | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> UserCorrelation:
    """The correlation between one user's views of different documents, from second opinions (spec 2.4.4).

    A second assessor stands for a user. With X_d whether they found document d relevant and p_d = p(R|i) of its first
    label, estimated one-sided from the same opinions, rho is *fitted* such that the model expects the residual products
    that are seen: `sum (X_d - p_d)(X_e - p_e) = sum [P(X_d = X_e = 1; rho) - p_d p_e]` over all pairs of different
    documents with the same topic and second assessor.

    The fitted rho is too low, the more so the fewer (topic, assessor) groups there are, as p(R|i) fits these very
    opinions; and no jackknife of it covers. So the test is turned round: for each rho of a grid, data are simulated
    with the observed first labels and groups (one standard normal W per group, documents of level i relevant with
    probability `Phi((Phi^-1(p_i) - sqrt(rho) W) / sqrt(1 - rho))`), and p(R|i) and rho are fitted again. F(rho) is the
    share of fitted values below the observed one. The estimate is where F = 1/2, the interval ends where F = .975 and
    .025; 0 or 1 where F never gets there.

    Of more than ten levels neighbours are taken together, as many as make ten.

    Assumes the Gaussian copula. What differs between topics beyond the label counts as correlation, too, as it does for
    a user of that topic. A second opinion beside several first labels is used with one of them, drawn at random.

    Args:
        judgments: who said what.
        relevance: which levels are relevant.
        first: assessors of the first side, as for `count_pairs`.
        second: assessors of the second side, who stand for the users.
        matched: whether the sides are fixed pairs, as for `count_pairs`.
        confidence: of the interval.
        seed: for the simulated data.

    Raises:
        CallError: an assessor is unknown.
        DataError: no assessor gave second opinions on two documents of a topic, or there are fewer than five groups.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> judgments = twenty_documents()
    >>> estimate_user_correlation(judgments, judgments.levels.at_or_above("1"))
    Traceback (most recent call last):
    gainsayer.errors.DataError: The user correlation needs second opinions by 5 assessors or on 5 topics, found 1.
    """
    sides = choose_sides(judgments, first, second)
    if sides is None:
        rows = np.ones(len(judgments), np.bool_)
        one, two = _join(judgments, rows, rows)
    else:
        judgments = match_sides(judgments, sides, matched)
        one, two = _join(judgments, sides.first_rows, sides.second_rows)
    return fit_user_correlation(
        group=judgments.topic[two].astype(np.int64) * len(judgments.assessors) + judgments.assessor[two],
        document=judgments.item[two],
        level=judgments.level[one].astype(np.int64),
        relevant=relevance.indicator[judgments.level[two]] > 0,
        confidence=confidence,
        seed=seed,
    )


def fit_user_correlation(
    *,
    group: IntArray,
    document: IntArray,
    level: IntArray,
    relevant: BoolArray,
    confidence: float = 0.95,
    seed: int = 0,
) -> UserCorrelation:
    """The same from plain arrays, one entry per second opinion.

    Args:
        group: numbers of (topic, second assessor).
        document: numbers of documents; of several entries for one document in a group, one is used.
        level: the first label.
        relevant: whether the second assessor found it relevant.
        confidence: of the interval.
        seed: for the simulated data.

    Raises:
        DataError: no group has two documents, or there are fewer than five groups.
    """
    check_confidence(confidence)
    kept = _one_each(group, document, level, np.random.default_rng(seed))
    group, level, relevant = group[kept], level[kept], relevant[kept]
    numbers, place = np.unique(group, return_inverse=True)
    level = _join_levels(level)
    shape = (len(numbers), int(level.max()) + 1)
    cell = place.ravel() * shape[1] + level.ravel()
    weights = (np.ones(len(cell)), relevant.astype(np.float64))
    opinions = Opinions(
        *(np.bincount(cell, weight, shape[0] * shape[1]).astype(np.float64).reshape(shape) for weight in weights)
    )
    sizes = opinions.judged.sum(axis=1)
    if not (sizes > 1).any():
        raise DataError(
            "No assessor gave second opinions on two documents of one topic, so nothing can be said about how a user's "
            "views are correlated. Have several documents of a topic judged by the same second assessor."
        )
    if len(numbers) < FEWEST_GROUPS:
        raise DataError(
            f"The user correlation needs second opinions by {FEWEST_GROUPS} assessors or on {FEWEST_GROUPS} topics, "
            f"found {len(numbers)}."
        )
    products, squares = residual_products(opinions)
    fitted = float(fit_correlation(opinions))
    tail = (1 - confidence) / 2
    low, middle, high = _invert(opinions, fitted, (1 - tail, 0.5, tail), seed)
    pairs = float((sizes * (sizes - 1)).sum())
    mean_square = float(squares) / len(kept)
    return UserCorrelation(
        correlation=middle,
        interval=(low, high),
        fitted=fitted,
        intraclass=float(products) / pairs / mean_square if mean_square > 0 else np.nan,
    )


def residual_products(opinions: Opinions) -> tuple[FloatArray, FloatArray]:
    """Sums of products of the residuals of two documents of a group, and of squared residuals; shape [...].

    Residuals are `X - p` with p the share of relevant opinions of the level over all groups.

    >>> judged, relevant = np.array([[2.0], [2.0]]), np.array([[2.0], [0.0]])
    >>> [float(value) for value in residual_products(Opinions(judged, relevant))]
    [1.0, 1.0]
    """
    probability = _shares(opinions)
    total = opinions.relevant.sum(axis=-2)
    rest = opinions.judged.sum(axis=-2) - total
    squares = (total * (1 - probability) ** 2 + rest * probability**2).sum(axis=-1)
    sums = (opinions.relevant - opinions.judged * probability[..., None, :]).sum(axis=-1)
    return (sums**2).sum(axis=-1) - squares, squares


def fit_correlation(opinions: Opinions) -> FloatArray:
    """The rho at which the model expects the residual products that are seen; shape [...].

    Negative products give minus the rho of their size, so that simulated values below 0 differ from those at 0.
    """
    judged = opinions.judged
    probability = _shares(opinions)
    one, other = np.triu_indices(judged.shape[-1])
    together = np.einsum("...gi,...gj->...ij", judged, judged)[..., one, other]
    pairs = np.where(one == other, together - judged.sum(axis=-2)[..., one], 2 * together)
    excess = joint_excess(probability[..., one], probability[..., other])
    expected = np.einsum("...k,...ks->...s", pairs, excess)
    products = np.asarray(residual_products(opinions)[0])
    angles = np.linspace(0, np.pi / 2, PANELS + 1)
    flat, aim = expected.reshape(-1, PANELS + 1), np.abs(products).ravel()
    found = np.array([np.interp(seen, rising, angles) for seen, rising in zip(aim, flat, strict=True)])
    return np.asarray(np.sign(products) * np.sin(found).reshape(products.shape))


def joint_excess(p: FloatArray, q: FloatArray) -> FloatArray:
    """P(both of two documents are relevant to a user) - p q under the Gaussian copula; shape [..., PANELS + 1].

    `Phi_2(x, y; rho) - p q = 1/(2 pi) int_0^asin(rho) exp(-(x² + y² - 2 x y sin s) / (2 cos² s)) ds` with x, y the
    normal quantiles of p, q, by Gauss-Legendre quadrature on panels of the angle; the last axis has asin(rho) = 0, ...,
    pi/2.

    >>> joint_excess(np.array(0.5), np.array(0.5))[[0, 32, 96]].round(6).tolist()  # asin(rho) / (2 pi)
    [0.0, 0.083333, 0.25]
    """
    p, q = np.broadcast_arrays(p, q)
    inside = (p > 0) & (p < 1) & (q > 0) & (q < 1)
    x, y = (scipy.special.ndtri(np.where(inside, each, 0.5))[..., None] for each in (p, q))
    node, weight = np.polynomial.legendre.leggauss(NODES)
    edges = np.linspace(0, np.pi / 2, PANELS + 1)
    half = np.diff(edges)[0] / 2
    angle = (edges[:-1, None] + half * (1 + node)).ravel()
    sine, cosine = np.sin(angle), np.cos(angle)
    height = np.exp(-(x**2 + y**2 - 2 * x * y * sine) / (2 * cosine**2))
    panel = (height.reshape(*p.shape, PANELS, NODES) @ weight) * half / (2 * np.pi)
    total = np.concatenate([np.zeros((*p.shape, 1)), np.cumsum(panel, axis=-1)], axis=-1)
    return np.where(inside[..., None], total, 0.0)


def _invert(
    opinions: Opinions, fitted: float, shares: tuple[float, float, float], seed: int
) -> tuple[float, float, float]:
    """Where F, the share of simulated fits below the observed one, has these values; see the estimate's docstring.

    The grid is made finer where F falls from 1 to 0 between few of its points, as it does with many groups.
    """
    simulate = _Simulation(opinions, seed)
    grid = list(GRID)
    floor = 1 / (2 * simulate.draws)
    # From the value next to the fitted one outwards, as far as F is neither 1 nor 0: it does not come back from there.
    middle = int(np.argmin(np.abs(np.array(grid) - fitted)))
    below = [1.0] * middle + [0.0] * (len(grid) - middle)
    for places, end in ((range(middle, len(grid)), 0.0), (range(middle - 1, -1, -1), 1.0)):
        for at in places:
            below[at] = simulate.share_below(fitted, grid[at])
            if abs(below[at] - end) < floor:
                break
    for _ in range(ROUNDS):
        inside = [floor < share < 1 - floor for share in below]
        if sum(inside) >= INSERTED:
            break
        first = inside.index(True) if any(inside) else int(np.argmax(np.array(below) < 0.5))
        last = len(inside) - 1 - inside[::-1].index(True) if any(inside) else first - 1
        low, high = grid[max(first - 1, 0)], grid[min(last + 1, len(grid) - 1)]
        new = [rho for rho in np.linspace(low, high, INSERTED + 2)[1:-1].tolist() if rho not in grid]
        below += [simulate.share_below(fitted, rho) for rho in new]
        order = np.argsort(grid + new)
        grid = [(grid + new)[at] for at in order]
        below = [below[at] for at in order]
    falling = np.array(below)
    # Not increasing: the mean of the largest such curve below F and the smallest above it.
    falling = (np.minimum.accumulate(falling) + np.maximum.accumulate(falling[::-1])[::-1]) / 2
    height = scipy.special.ndtri(np.clip(falling, floor, 1 - floor))
    low, best, high = (float(np.interp(-scipy.special.ndtri(share), -height, grid)) for share in shares)
    return (
        low if falling[0] >= shares[0] else 0.0,
        best if falling[0] >= shares[1] else 0.0,
        high if falling[-1] <= shares[2] else 1.0,
    )


class _Simulation:
    """Simulated opinions with the observed groups and first labels, and what is fitted to them.

    With more than `MOST_GROUPS` groups, as many of them are simulated, and the spread of what is fitted is narrowed by
    the square root of the share: the error of a fit falls as one over the square root of the groups.
    """

    def __init__(self, opinions: Opinions, seed: int) -> None:
        groups, levels = opinions.judged.shape
        relevant, judged = opinions.relevant.sum(axis=0), opinions.judged.sum(axis=0)
        half = np.where((relevant == 0) | (relevant == judged), 0.5, 0.0)
        self._probability = (relevant + half) / (judged + 2 * half)
        chosen = np.arange(groups)
        if groups > MOST_GROUPS:
            chosen = np.sort(np.random.default_rng(seed).choice(groups, MOST_GROUPS, replace=False))
        self._judged = opinions.judged[chosen]
        self._narrowing = np.sqrt(len(chosen) / groups)
        self._seed = seed
        self.draws = int(np.clip(DRAWN_CELLS // (len(chosen) * levels), FEWEST_DRAWS, MOST_DRAWS))

    def share_below(self, fitted: float, correlation: float) -> float:
        """The share of simulated fits below the observed one, ties counted by half."""
        generator = np.random.default_rng(self._seed)
        person = generator.standard_normal((self.draws, len(self._judged), 1))
        position = scipy.special.ndtri(self._probability)
        if correlation < 1:
            chance = scipy.special.ndtr((position - np.sqrt(correlation) * person) / np.sqrt(1 - correlation))
        else:
            chance = (person < position).astype(np.float64)
        relevant = generator.binomial(self._judged.astype(np.int64), chance).astype(np.float64)
        values = fit_correlation(Opinions(np.broadcast_to(self._judged, relevant.shape), relevant))
        if self._narrowing < 1:
            middle = np.median(values)
            values = middle + self._narrowing * (values - middle)
        return float(np.mean(values < fitted) + np.mean(values == fitted) / 2)


def _shares(opinions: Opinions) -> FloatArray:
    judged = opinions.judged.sum(axis=-2)
    return np.asarray(opinions.relevant.sum(axis=-2) / np.where(judged > 0, judged, 1.0))


def _join_levels(level: IntArray) -> IntArray:
    """Levels numbered from 0; of more than ten, neighbours together, in ten groups of about equal size.

    The work grows with the square of the levels, and neighbours of so many hardly differ in p(R|i).

    >>> _join_levels(np.array([5, 2, 5])).tolist(), int(_join_levels(np.arange(40)).max())
    ([1, 0, 1], 9)
    """
    _, place, counts = np.unique(level, return_inverse=True, return_counts=True)
    if len(counts) <= MOST_LEVELS:
        return place.ravel()
    middle = np.cumsum(counts) - counts / 2
    _, group = np.unique((MOST_LEVELS * middle / len(level)).astype(np.int64), return_inverse=True)
    return np.asarray(group.ravel()[place.ravel()])


def _one_each(group: IntArray, document: IntArray, level: IntArray, generator: np.random.Generator) -> IntArray:
    """One entry per group and document: where it has several first labels, one of them at random."""
    order = np.lexsort((level, document, group))
    order = order[np.lexsort((generator.random(len(order)), document[order], group[order]))]
    ranked = np.stack([group[order], document[order]])
    new = np.append(True, (ranked[:, 1:] != ranked[:, :-1]).any(axis=0))
    return np.sort(order[new[: len(order)]])


def _join(judgments: Judgments, first: BoolArray, second: BoolArray) -> tuple[IntArray, IntArray]:
    """Rows of first and second judgments of the same documents by different assessors."""
    rows = np.flatnonzero(first)
    rows = rows[np.argsort(judgments.item[rows], kind="stable")]
    counts = np.bincount(judgments.item[rows], minlength=judgments.items)
    starts = np.cumsum(counts) - counts
    two = np.flatnonzero(second)
    times = counts[judgments.item[two]]
    begin = np.repeat(np.cumsum(times) - times, times)
    two = np.repeat(two, times)
    one = rows[starts[judgments.item[two]] + np.arange(len(two)) - begin]
    apart = judgments.assessor[one] != judgments.assessor[two]
    if not apart.any():
        raise CallError("No document was judged by two different assessors of these sides.")
    return one[apart], two[apart]
