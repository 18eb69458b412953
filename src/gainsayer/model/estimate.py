"""From counts to the matrix p(j|i), by one of two estimators, and whether the second round bears it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
import scipy

from gainsayer.errors import BiasedSampleError, CallError, LabelSetError
from gainsayer.findings import Finding
from gainsayer.levels import Levels
from gainsayer.model.pairs import FloatArray, PairCounts, Share
from gainsayer.model.resampling import all_signs, check_seed, draw_signs
from gainsayer.model.variance import share_of
from gainsayer.text import option
from gainsayer.words import name_side, p_value

Estimator = Literal["symmetric", "one-sided"]
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)


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
    expected = judged * share_of(twice, total, empty=0.0)[:, None]
    spread = share_of(twice * (total - twice), total**2 * (total - 1), empty=0.0)
    covariance = np.einsum("t,ti,ij->ij", spread * total, judged, np.eye(judged.shape[1]))
    covariance -= np.einsum("t,ti,tj->ij", spread, judged, judged)
    difference = (paired - expected).sum(axis=0)
    used = judged.sum(axis=0) > 0
    statistic, degrees = _quadratic_form(difference[used][:-1], covariance[np.ix_(used, used)][:-1, :-1])
    relative = np.abs(share_of(paired.sum(axis=0), expected.sum(axis=0), empty=0.0) - 1)[used]
    return Selection(
        side=share.side,
        statistic=statistic,
        degrees=degrees,
        p=chi_square_tail(statistic, degrees),
        shares=tuple(np.where(used, share_of(paired.sum(axis=0), judged.sum(axis=0), empty=0.0), np.nan).tolist()),
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
    """The probability of a chi-square variable above `statistic`; 1 without degrees of freedom: nothing can vary then.

    >>> round(chi_square_tail(3.841, 1), 4), round(chi_square_tail(5.991, 2), 4), chi_square_tail(0.0, 0)
    (0.05, 0.05, 1.0)
    """
    return float(scipy.special.chdtrc(degrees, max(statistic, 0.0))) if degrees else 1.0


SmoothingKind = Literal["uniform", "marginal", "isotonic"]
SMOOTHINGS: tuple[SmoothingKind, ...] = get_args(SmoothingKind)
# Above this ratio of mean weights the symmetric estimate of weighted pairs covered .63 to .91 instead of .95.
MOST_UNEVEN = 10 + 1e-9
FEWEST_SUSPICIOUS = 20


@dataclass(frozen=True, eq=False)
class Smoothing:
    """How counts become probabilities when raw shares are not wanted.

    Row i of the counts, c_i, becomes `p(j|i) = (c_ij + alpha m_ij) / (c_i. + alpha)`, eq. (13), with the prior m_i

    * `uniform`: every level alike. The default alpha, half a count per level, adds 0.5 to each cell; for symmetric
      counts the sum stays symmetric, so the identities of eq. (5) keep holding.
    * `marginal`: the second labels over all rows. Shrinks to "labels carry no information", the safe direction.

    `isotonic` pools neighbouring levels until p(R|i) does not fall from one level to the next, at every threshold
    (weights N_D). It is the order-restricted maximum likelihood estimate for eq. (4), a pseudo-likelihood one for
    eq. (5), and has no meaning for levels without an order.

    >>> Smoothing("uniform").apply(np.array([[4.0, 1, 1], [3, 4, 3], [0, 2, 2]]))[0].round(4).tolist()
    [0.6, 0.2, 0.2]
    """

    kind: SmoothingKind
    alpha: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in SMOOTHINGS:
            raise CallError(f"There is no smoothing {self.kind!r}: choose one of {', '.join(SMOOTHINGS)}.")
        if self.alpha is not None and not (np.isfinite(self.alpha) and self.alpha > 0):
            raise CallError(f"The prior's weight (alpha) must be above 0, found {self.alpha}.")
        if self.kind == "isotonic" and self.alpha is not None:
            raise CallError("Isotonic smoothing has no prior, so it takes no alpha.")

    def weight(self, size: int) -> float:
        """alpha: how many observations the prior is worth; half a count per level unless given."""
        return size / 2 if self.alpha is None else self.alpha

    def prior_rows(self, counts: FloatArray) -> FloatArray:
        """m: the prior of each row, shape [..., levels, levels]."""
        size = counts.shape[-1]
        if self.kind == "uniform":
            return np.broadcast_to(1 / size, counts.shape)
        margin = counts.sum(axis=-2, keepdims=True)
        return np.broadcast_to(share_of(margin, margin.sum(axis=-1, keepdims=True)), counts.shape)

    def apply(self, counts: FloatArray) -> FloatArray:
        """The smoothed matrix p(j|i) of counts of the shape [..., levels, levels]."""
        if self.kind == "isotonic":
            return _order_rows(counts)
        alpha = self.weight(counts.shape[-1])
        smoothed = (counts + alpha * self.prior_rows(counts)) / (counts.sum(axis=-1, keepdims=True) + alpha)
        return np.asarray(smoothed)

    def describe(self, size: int) -> str:
        """In words, for the output."""
        if self.kind == "isotonic":
            return "Neighbouring levels were pooled wherever p(R|i) would have fallen from one level to the next."
        towards = {
            "uniform": "all levels alike",
            "marginal": "the share of each level among the second labels",
        }
        return f"A prior worth {self.weight(size):g} second opinions per level was added, towards {towards[self.kind]}."


def normalise_rows(counts: FloatArray) -> FloatArray:
    """Raw shares p(j|i) = c_ij / c_i., eqs. (4) and (5); a row without counts is NaN, never 0 (T4).

    >>> normalise_rows(np.array([[8.0, 4, 4], [0, 0, 0], [1, 5, 4]]))[1].tolist()
    [nan, nan, nan]
    """
    return share_of(counts, counts.sum(axis=-1, keepdims=True))


def part_relevant(matrix: FloatArray, indicator: FloatArray) -> FloatArray:
    """p(R|i) = sum over j in R of p(j|i), of a matrix or a stack; exactly 0 or 1 where the others or R have nothing.

    A plain sum of the p(j|i) may miss 1 by a rounding error, and would then not be known for certainty.

    >>> part_relevant(np.array([[0.1, 0.2, 0.7], [0.0, 0.3, 0.7]]), np.array([0.0, 1.0, 1.0])).tolist()
    [0.9, 1.0]
    """
    relevant, other = matrix @ indicator, matrix @ (1 - indicator)
    return share_of(relevant, relevant + other)


def _order_rows(counts: FloatArray) -> FloatArray:
    """Isotonic rows: p(j >= theta | i) non-decreasing in i for every theta; coherent, as the fit keeps order."""
    above = np.flip(np.cumsum(np.flip(counts, -1), axis=-1), -1)
    # The same running sum, so that a share of everything is exactly 1, also for weighted counts.
    judged = above[..., :1]
    survival = isotonic_means(above, judged)
    survival[..., 0] = np.where(judged[..., 0] > 0, 1.0, np.nan)
    ends = np.zeros((*survival.shape[:-1], 1))
    return np.maximum(-np.diff(np.concatenate([survival, ends], axis=-1), axis=-1), 0.0)


def isotonic_means(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Weighted pool-adjacent-violators of part / whole along the second last axis, by its max-min formula.

    `fit_i = max over a <= i of min over b >= i of sum(part[a..b]) / sum(whole[a..b])`; the weights are `whole`. Rows
    without weight stay NaN.

    >>> isotonic_means(np.array([[1.0], [6], [2]]), np.array([[10.0], [10], [10]])).ravel().tolist()
    [0.1, 0.4, 0.4]
    """
    whole = np.broadcast_to(whole, part.shape)
    fit = np.full(part.shape, -np.inf)
    for a in range(part.shape[-2]):
        # Sums from a on, not differences of sums from 0 on: these would leave rounding dust in weighted counts.
        means = share_of(np.cumsum(part[..., a:, :], axis=-2), np.cumsum(whole[..., a:, :], axis=-2))
        means = np.where(np.isnan(means), np.inf, means)
        lowest = np.flip(np.minimum.accumulate(np.flip(means, -2), axis=-2), -2)
        fit[..., a:, :] = np.maximum(fit[..., a:, :], lowest)
    return np.where(whole > 0, fit, np.nan)


@dataclass(frozen=True, eq=False)
class Disagreement:
    """How a second opinion is spread given the first: `matrix[i, j]` = p(j|i), rows summing to 1.

    A row without second opinions is NaN. Carries the counts behind it, how it was estimated, and what was found.
    """

    counts: PairCounts
    estimator: Estimator
    matrix: FloatArray
    smoothing: Smoothing | None = None
    exchangeability: Exchangeability | None = None
    findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return f"Disagreement({self.estimator!r}, {self.counts!r})"

    @property
    def levels(self) -> Levels:
        """The levels, rows and columns of the matrix."""
        return self.counts.levels

    @property
    def pairs(self) -> FloatArray:
        """What the matrix is made of, per topic: J for eq. (4), S for eq. (5); shape [topics, levels, levels]."""
        return self.counts.counts if self.estimator == "one-sided" else self.counts.symmetric()

    @property
    def squares(self) -> FloatArray:
        """The documents' products behind `pairs`, for the error over documents."""
        return self.counts.squares if self.estimator == "one-sided" else self.counts.symmetric_squares

    def apply(self, pairs: FloatArray) -> FloatArray:
        """The matrix that this way of estimating makes of other counts, shape [..., levels, levels]."""
        return normalise_rows(pairs) if self.smoothing is None else self.smoothing.apply(pairs)


def estimate_disagreement(
    counts: PairCounts,
    *,
    estimator: Estimator | None = None,
    smoothing: Smoothing | None = None,
    seed: int = 0,
) -> Disagreement:
    """Estimate p(j|i), the probability of level j from a random second person given level i from the first.

    One-sided, eq. (4): `J_ij / sum_j J_ij`. Symmetric, eq. (5): the same with `S = J + J'`; uses more data and averages
    over lenient and strict assessors, and is right only if both sides judged the same pool. For documents with
    more than two judgments and no sides it is eq. (14).

    The direction matters (T1): p(j|i) conditions on the *first* label, the one the evaluation uses.
    P(first = i | second = j) is another number; exchange the sides to get it.

    Args:
        counts: pairs of judgments.
        estimator: by default `symmetric` where it is valid, else `one-sided`, with a finding that says why.
        smoothing: None for raw shares.
        seed: for the randomisation test of the sides.

    Raises:
        BiasedSampleError: `symmetric` was asked for, and the second round was chosen by the first labels (T6).
        LabelSetError: somebody's labels look shifted or coarser, and nobody said what they mean; the one-sided estimate
            needs no common labels.
        CallError: `one-sided` was asked for, and there are no sides; or isotonic smoothing of unordered levels.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.model.pairs import count_pairs
    >>> counts = count_pairs(twenty_documents())
    >>> estimate_disagreement(counts).matrix[2].tolist()
    [0.1, 0.5, 0.4]
    >>> estimate_disagreement(counts, estimator="one-sided").matrix[2].tolist()
    [0.0, 0.5, 0.5]
    """
    if estimator not in (None, *ESTIMATORS):
        raise CallError(f"There is no estimator {estimator!r}: choose one of {', '.join(ESTIMATORS)}.")
    if estimator == "one-sided" and not counts.directed:
        raise CallError(
            f"The one-sided estimate needs a first and a second side. Name them with {option('first')} and "
            f"{option('second')}."
        )
    if smoothing is not None and smoothing.kind == "isotonic" and not counts.levels.ordered:
        raise CallError(
            f"Isotonic smoothing needs levels with an order. Name them from low to high with {option('levels')}, "
            f"or smooth with {option('smooth', 'marginal')}."
        )
    if counts.refusal and estimator != "one-sided":
        raise LabelSetError(counts.refusal)
    findings = list(counts.findings)
    chosen, noticed = _choose(counts, estimator)
    findings += noticed
    exchangeability = None
    if chosen == "symmetric" and counts.directed and not counts.weighted:
        exchangeability = check_exchangeability(counts, seed=seed)
        if exchangeability.rejected():
            findings.append(notice_exchangeability(counts, exchangeability))
    off = counts.matrix - np.diag(np.diagonal(counts.matrix))
    if counts.directed and counts.pairs >= FEWEST_SUSPICIOUS and not off.any():
        message = (
            f"{', '.join(counts.first)} and {', '.join(counts.second)} agree on all {counts.pairs:,} documents. Is one "
            "a copy of the other? Second opinions must come from somebody else."
        )
        findings.append(Finding("identical-sides", message))
    if smoothing is not None:
        findings.append(notice_smoothing(smoothing, counts.levels))
    pairs = counts.counts if chosen == "one-sided" else counts.symmetric()
    total = pairs.sum(axis=0)
    matrix = normalise_rows(total) if smoothing is None else smoothing.apply(total)
    return Disagreement(counts, chosen, matrix, smoothing, exchangeability, tuple(findings))


def notice_smoothing(smoothing: Smoothing, levels: Levels) -> Finding:
    """The finding that the parameters were smoothed, and how."""
    return Finding("smoothed", smoothing.describe(len(levels)))


def _choose(counts: PairCounts, asked: Estimator | None) -> tuple[Estimator, list[Finding]]:
    """The estimator to use; the symmetric one only where the second round bears it (T6).

    A second round chosen by the first labels leaves the one-sided estimate right; chosen by the second labels, none.
    """
    if counts.weighted:
        unseen = [] if asked == "one-sided" else _never_judged_again(counts)
        if unseen:
            raise BiasedSampleError(
                f"No document that {counts.shares[0].side} put on level {', '.join(unseen)} was judged again, so no "
                f"weighting can repair the symmetric estimate. Use {option('estimator', 'one-sided')}, or judge some "
                "of them again."
            )
        ratio = _spread_of_weights(counts)
        if asked is None and counts.directed and ratio > MOST_UNEVEN:
            text = (
                f"Pairs weigh up to {ratio:.0f} times as much on one level as on another: a rare heavy pair would "
                "decide the symmetric estimate, and its intervals would miss. So the one-sided estimate is used; for "
                f"the other say {option('estimator', 'symmetric')}."
            )
            return "one-sided", [Finding("weights-too-uneven", text)]
        return asked or "symmetric", []
    selections = [check_selection(share) for share in counts.shares]
    biased = [selection for selection in selections if selection.biased]
    reason = " ".join(_describe(counts, selection) for selection in biased)
    by_second = counts.directed and selections[1:] and selections[1].biased
    if asked == "one-sided":
        wrong = f"{reason} The estimate in this direction is wrong, too: exchange the sides." if by_second else ""
        return asked, [Finding("biased-second-sample", wrong)] if wrong else []
    if biased:
        if asked == "symmetric" or by_second or not counts.directed:
            raise BiasedSampleError(f"The symmetric estimate is wrong here. {reason}\n{_remedy(counts)}")
        return "one-sided", [Finding("biased-second-sample", f"{reason} So the one-sided estimate is used.")]
    uneven = [_describe(counts, selection) for selection in selections if selection.uneven]
    return "symmetric", [Finding("uneven-second-sample", text) for text in uneven]


def notice_selection(counts: PairCounts) -> list[Finding]:
    """A finding where one side's labels chose what was judged again: agreement there is not that on all documents."""
    if counts.weighted:
        return []
    biased = [selection for selection in map(check_selection, counts.shares) if selection.biased]
    if not biased:
        return []
    reason = " ".join(_describe(counts, selection) for selection in biased)
    text = f"{reason} Agreement on these documents is not that on all of them: kappa and its like depend on the mix."
    return [Finding("biased-second-sample", text)]


def _spread_of_weights(counts: PairCounts) -> float:
    """The largest over the smallest mean weight of a pair, by first level."""
    opinions = counts.matrix if counts.opinions is None else counts.opinions
    weight, number = counts.matrix.sum(axis=1), opinions.sum(axis=1)
    mean = weight[number > 0] / number[number > 0]
    return float(mean.max() / mean.min())


def _never_judged_again(counts: PairCounts) -> list[str]:
    share = counts.shares[0]
    unseen = (share.judged.sum(axis=0) > 0) & (share.paired.sum(axis=0) == 0)
    return [name for name, lacking in zip(counts.levels.names, unseen, strict=True) if lacking]


def _describe(counts: PairCounts, selection: Selection) -> str:
    shares = ", ".join(
        f"{name} {share:.1%}"
        for name, share in zip(counts.levels.names, selection.shares, strict=True)
        if not np.isnan(share)
    )
    return (
        f"Being judged a second time depends on the level given by {selection.side}: share judged again by level: "
        f"{shares} (chi-square within topics {selection.statistic:.1f}, {selection.degrees} degrees of freedom, "
        f"{p_value(selection.p)})."
    )


def _remedy(counts: PairCounts) -> str:
    if not counts.directed:
        return (
            f"Name the sides with {option('first')} (whose labels decided about the second round) and "
            f"{option('second')}, and use {option('estimator', 'one-sided')}; or give each judgment the inverse of its "
            "sampling probability in a column 'weight'."
        )
    return (
        f"Use {option('estimator', 'one-sided')} with the side whose labels decided as {option('first')}, or, if the "
        f"documents of each level were sampled at random, weigh the pairs: {option('sampled', 'observed')}, or the "
        "share of each level."
    )


def notice_exchangeability(counts: PairCounts, test: Exchangeability) -> Finding:
    """What a test says that rejects."""
    randomised = test.stuart_maxwell_randomised_p is not None
    margins = test.stuart_maxwell_randomised_p if randomised else test.stuart_maxwell_p
    symmetry = test.bowker_randomised_p if randomised else test.bowker_p
    message = (
        f"The two sides, {name_side(counts.first)} against {name_side(counts.second)}, use the levels differently "
        f"(equal margins: {p_value(margins)}, Stuart-Maxwell; symmetry: {p_value(symmetry)}, Bowker; "
        f"{'sides exchanged by topic' if randomised else 'pairs taken as independent'}). The symmetric estimate is the "
        f"average of two directions; look at {option('estimator', 'one-sided')} as well."
    )
    return Finding("sides-not-exchangeable", message)
