"""What the second round and the two sides must be like for the symmetric estimate, and whether they are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError
from gainsayer.model.pairs import FloatArray, PairCounts, Share
from gainsayer.model.resampling import all_signs, check_seed, draw_signs
from gainsayer.text import option

SHARES_DIFFER = 0.001
SHARES_DIFFER_A_LITTLE = 0.05
SMALL_DEVIATION = 0.05
TINY_DEVIATION = 0.01
RANDOMISATIONS = 9_999
FEWEST_RANDOMISATIONS = 999
MOST_SIGNS = 100_000_000
MANY_TOPICS = MOST_SIGNS // RANDOMISATIONS
FEWEST_RANDOMISED = 8
MOST_ENUMERATED = 12
BLOCK_CELLS = 1 << 22


@dataclass(frozen=True)
class Selection:
    """Whether being judged again depends on the level a side gave (T6)."""

    side: str
    statistic: float
    degrees: int
    p: float
    shares: tuple[float, ...]
    deviation: float

    @property
    def biased(self) -> bool:
        """Clearly, and by enough to matter: then the symmetric estimate is wrong."""
        return self.p < SHARES_DIFFER and self.deviation > SMALL_DEVIATION

    @property
    def uneven(self) -> bool:
        """A sign of it: worth a warning."""
        return self.p < SHARES_DIFFER_A_LITTLE and self.deviation > TINY_DEVIATION and not self.biased


def check_selection(share: Share) -> Selection:
    """Chi-square test, within topics, that the share judged twice is the same for every level (T6).

    Given its margins, each topic's counts are hypergeometric under random selection; observed minus expected counts
    of the doubly judged and their covariances are summed over topics (Mantel and Haenszel's test for several levels).
    So whole topics may have been chosen in any way; only the choice *within* a topic is tested. `deviation` is the
    largest relative distance of a level's share from the share expected of it.

    >>> share = Share("A", judged=np.array([[90.0, 10.0]]), paired=np.array([[9.0, 10.0]]))
    >>> check_selection(share).biased
    True
    """
    judged, paired = share.judged, share.paired
    total, twice = judged.sum(axis=1), paired.sum(axis=1)
    expected = judged * _safe(twice, total)[:, None]
    spread = _safe(twice * (total - twice), total**2 * (total - 1))
    covariance = np.einsum("t,ti,ij->ij", spread * total, judged, np.eye(judged.shape[1]))
    covariance -= np.einsum("t,ti,tj->ij", spread, judged, judged)
    difference = (paired - expected).sum(axis=0)
    used = judged.sum(axis=0) > 0
    statistic, degrees = _quadratic_form(difference[used][:-1], covariance[np.ix_(used, used)][:-1, :-1])
    relative = np.abs(_safe(paired.sum(axis=0), expected.sum(axis=0)) - 1)[used]
    return Selection(
        side=share.side,
        statistic=statistic,
        degrees=degrees,
        p=chi_square_tail(statistic, degrees),
        shares=tuple(np.where(used, _safe(paired.sum(axis=0), judged.sum(axis=0)), np.nan).tolist()),
        deviation=float(relative.max(initial=0.0)),
    )


@dataclass(frozen=True)
class Exchangeability:
    """Whether the two sides use the levels alike (T10): margins (Stuart-Maxwell) and symmetry (Bowker).

    `*_p` treats pairs as independent; `*_randomised_p` exchanges the two sides of whole topics at random (all ways of
    doing so where there are few topics) and is None where fewer than eight topics make it useless.
    """

    stuart_maxwell: float
    stuart_maxwell_p: float
    bowker: float
    bowker_p: float
    stuart_maxwell_randomised_p: float | None
    bowker_randomised_p: float | None
    topics: int
    randomisations: int
    seed: int

    def rejected(self, level: float = 0.05) -> bool:
        """Whether either test rejects, by randomisation over topics where that is possible."""
        margins = (
            self.stuart_maxwell_p if self.stuart_maxwell_randomised_p is None else self.stuart_maxwell_randomised_p
        )
        symmetry = self.bowker_p if self.bowker_randomised_p is None else self.bowker_randomised_p
        return min(margins, symmetry) < level / 2  # Bonferroni over the two tests


def check_exchangeability(counts: PairCounts, *, seed: int = 0) -> Exchangeability:
    """Test that the first and the second side are exchangeable: the same margins, a symmetric matrix (T10).

    With A = J - J' and S = J + J': Bowker's `sum_{i<j} A_ij^2 / S_ij`; Stuart and Maxwell's `d' V^-1 d` with
    `d_i = sum_j A_ij`, `V_ii = sum_{j != i} S_ij`, `V_ij = -S_ij`. Exchanging the sides of a topic changes the sign of
    its part of A and nothing else, so randomisation over topics is a matrix product. Of very many topics most have the
    same few parts; how many of n equal ones change their sign is binomial, so these are drawn as one. Not a test of
    agreement: assessors may disagree a lot and still be exchangeable.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.model.pairs import count_pairs
    >>> round(check_exchangeability(count_pairs(twenty_documents())).bowker, 6)
    2.2
    """
    check_seed(seed)
    if not counts.directed:
        raise CallError(
            f"Exchangeability is a question about two sides. Name them with {option('first')} and {option('second')}."
        )
    size = len(counts.levels)
    parts = counts.counts - counts.counts.transpose(0, 2, 1)
    both = counts.matrix + counts.matrix.T
    covariance = -both * (1 - np.eye(size))
    covariance += np.diag(-covariance.sum(axis=1))
    inverse = np.linalg.pinv(covariance, hermitian=True)
    upper = np.triu_indices(size, 1)
    held = both[upper] > 0

    def statistics(signs: FloatArray, parts: FloatArray) -> tuple[FloatArray, FloatArray]:
        skew = (signs @ parts.reshape(len(parts), -1)).reshape(len(signs), size, size)
        margin = skew.sum(axis=2)
        bowker = (skew[:, upper[0], upper[1]][:, held] ** 2 / both[upper][held]).sum(axis=1)
        return np.einsum("si,ij,sj->s", margin, inverse, margin), bowker

    observed = [float(values[0]) for values in statistics(np.ones((1, len(parts))), parts)]
    rank = int(np.linalg.matrix_rank(covariance, hermitian=True))
    randomised: list[float | None] = [None, None]
    tried = 0
    if len(parts) >= FEWEST_RANDOMISED:
        different, times = _pool_equal(parts) if len(parts) > MANY_TOPICS else (parts, np.ones(len(parts), np.int64))
        blocks = [statistics(signs, different) for signs in _signs(times, size, seed)]
        tried = sum(len(values) for values, _ in blocks)
        for place, values in enumerate(map(np.concatenate, zip(*blocks, strict=True))):
            extreme = float((values >= observed[place] * (1 - 1e-9)).sum())
            every = len(parts) <= MOST_ENUMERATED
            randomised[place] = extreme / tried if every else (extreme + 1) / (tried + 1)
    return Exchangeability(
        stuart_maxwell=observed[0],
        stuart_maxwell_p=chi_square_tail(observed[0], rank),
        bowker=observed[1],
        bowker_p=chi_square_tail(observed[1], int(held.sum())),
        stuart_maxwell_randomised_p=randomised[0],
        bowker_randomised_p=randomised[1],
        topics=len(parts),
        randomisations=tried,
        seed=seed,
    )


def _pool_equal(parts: FloatArray) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """The different parts among those of the topics, up to their sign, and how many topics have each.

    >>> parts = np.array([[[0.0, 1.0], [-1.0, 0.0]], [[0.0, -1.0], [1.0, 0.0]], [[0.0, 2.0], [-2.0, 0.0]]])
    >>> different, times = _pool_equal(parts)
    >>> different[:, 0, 1].tolist(), times.tolist()
    ([1.0, 2.0], [2, 1])
    """
    rows = parts.reshape(len(parts), -1)
    leading = np.take_along_axis(rows, (rows != 0).argmax(axis=1)[:, None], axis=1)
    rows = rows * np.where(leading < 0, -1.0, 1.0) + 0.0  # 0 is added so that -0.0 and 0.0 have the same bytes
    whole = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first, times = np.unique(whole, return_index=True, return_counts=True)
    order = np.argsort(first)
    return rows[first[order]].reshape(-1, *parts.shape[1:]), times[order]


def _signs(times: npt.NDArray[np.int64], size: int, seed: int) -> Iterator[FloatArray]:
    """Ways to exchange the sides, topic by topic, in blocks: all of them for few topics, else a random choice.

    The answer is the sum of the signs of the topics behind each part, `times` many. With very many different parts
    fewer ways are tried, so that the work stays bounded.
    """
    parts = len(times)
    single = bool((times == 1).all())
    if single and parts <= MOST_ENUMERATED:
        yield all_signs(parts).astype(np.float64)
        return
    generator = np.random.default_rng(seed)
    tries = int(np.clip(MOST_SIGNS // parts, FEWEST_RANDOMISATIONS, RANDOMISATIONS))
    step = max(1, BLOCK_CELLS // max(parts, size**2))
    for start in range(0, tries, step):
        count = min(step, tries - start)
        if single:
            yield -draw_signs(generator, count, parts).astype(np.float64)
        else:
            yield times - 2.0 * generator.binomial(times, 0.5, size=(count, parts))


def _quadratic_form(difference: FloatArray, covariance: FloatArray) -> tuple[float, int]:
    if difference.size == 0:
        return 0.0, 0
    degrees = int(np.linalg.matrix_rank(covariance, hermitian=True))
    return float(difference @ np.linalg.pinv(covariance, hermitian=True) @ difference), degrees


def chi_square_tail(statistic: float, degrees: int) -> float:
    """The probability of a chi-square variable above `statistic`, for a whole number of degrees of freedom.

    The finite sums `exp(-h) sum_k h^k / k!` for even, `erfc(sqrt h) + exp(-h) sum_k h^(k-1/2) / Gamma(k+1/2)` for odd
    degrees, with h half the statistic. 1 without degrees of freedom: there is nothing that could vary.

    >>> round(chi_square_tail(3.841, 1), 4), round(chi_square_tail(5.991, 2), 4)
    (0.05, 0.05)
    """
    if degrees == 0:
        return 1.0
    half = max(statistic, 0.0) / 2
    odd = degrees % 2
    total = math.erfc(math.sqrt(half)) if odd else 0.0
    term = 2 * math.sqrt(half / math.pi) * math.exp(-half) if odd else math.exp(-half)
    for k in range(degrees // 2):
        total += term
        term *= half / (k + 1 + odd / 2)
    return min(total, 1.0)


def _safe(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.asarray(np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole > 0))
