"""From counts to the matrix p(j|i): the one estimate that serves every threshold and every utility.

Raw shares are the default everywhere. Smoothing, only on request, adds pseudo-counts (Dirichlet priors) or keeps an
order among the levels (isotonic); each kind turns one matrix of counts or a stack of them into p(j|i), so that the
jackknife and the bootstrap smooth every replicate in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from gainsayer.errors import BiasedSampleError, CallError, LabelSetError
from gainsayer.findings import Finding
from gainsayer.levels import Levels
from gainsayer.model.checks import Exchangeability, Selection, check_exchangeability, check_selection
from gainsayer.model.estimators import ESTIMATORS
from gainsayer.model.estimators import Estimator as Estimator
from gainsayer.model.pairs import FloatArray, PairCounts
from gainsayer.text import option

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
        return np.broadcast_to(_ratio(margin, margin.sum(axis=-1, keepdims=True)), counts.shape)

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
    return _ratio(counts, counts.sum(axis=-1, keepdims=True))


def part_relevant(matrix: FloatArray, indicator: FloatArray) -> FloatArray:
    """p(R|i) = sum over j in R of p(j|i), of a matrix or a stack; exactly 0 or 1 where the others or R have nothing.

    A plain sum of the p(j|i) may miss 1 by a rounding error, and would then not be known for certainty.

    >>> part_relevant(np.array([[0.1, 0.2, 0.7], [0.0, 0.3, 0.7]]), np.array([0.0, 1.0, 1.0])).tolist()
    [0.9, 1.0]
    """
    relevant, other = matrix @ indicator, matrix @ (1 - indicator)
    return _ratio(relevant, relevant + other)


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(whole > 0, part / whole, np.nan))


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
        means = _ratio(np.cumsum(part[..., a:, :], axis=-2), np.cumsum(whole[..., a:, :], axis=-2))
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
            findings.append(_not_exchangeable(counts, exchangeability))
    off = counts.matrix - np.diag(np.diagonal(counts.matrix))
    if counts.directed and counts.pairs >= FEWEST_SUSPICIOUS and not off.any():
        message = (
            f"{', '.join(counts.first)} and {', '.join(counts.second)} agree on all {counts.pairs:,} documents. Is one "
            "a copy of the other? Second opinions must come from somebody else."
        )
        findings.append(Finding("identical-sides", message))
    if smoothing is not None:
        findings.append(Finding("smoothed", smoothing.describe(len(counts.levels))))
    pairs = counts.counts if chosen == "one-sided" else counts.symmetric()
    total = pairs.sum(axis=0)
    matrix = normalise_rows(total) if smoothing is None else smoothing.apply(total)
    return Disagreement(counts, chosen, matrix, smoothing, exchangeability, tuple(findings))


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
        f"p = {selection.p:.2g})."
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


def _not_exchangeable(counts: PairCounts, test: Exchangeability) -> Finding:
    randomised = test.stuart_maxwell_randomised_p is not None
    margins = test.stuart_maxwell_randomised_p if randomised else test.stuart_maxwell_p
    symmetry = test.bowker_randomised_p if randomised else test.bowker_p
    message = (
        f"{', '.join(counts.first)} and {', '.join(counts.second)} use the levels differently (equal margins: p = "
        f"{margins:.2g}, Stuart-Maxwell; symmetry: p = {symmetry:.2g}, Bowker; "
        f"{'sides exchanged by topic' if randomised else 'pairs taken as independent'}). The symmetric estimate is the "
        f"average of two directions; look at {option('estimator', 'one-sided')} beside it."
    )
    return Finding("sides-not-exchangeable", message)
