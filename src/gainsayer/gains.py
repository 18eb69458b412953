"""Gains: what a document of each level is worth. All that a measure ever sees of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.disagreement.estimate import Disagreement
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.display import Displayed
from gainsayer.errors import CallError, MissingParameterError
from gainsayer.levels import Levels, Patterns, Relevance

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Gains(Displayed):
    """One number per level, and one for a document that nobody judged.

    Args:
        levels: the levels.
        values: shape [levels], or [draws, levels] where uncertainty travels along.
        unjudged: the gain of an unjudged document, which is not a document of the lowest level (T5).
        name: what the gains are called in outputs, such as `prm`.

    Raises:
        CallError: a level has no gain, or a gain is not a finite number.

    >>> Gains(Levels(("Non", "Key")), np.array([0.0, 1.0]), name="binary").as_dict()
    {'Non': 0.0, 'Key': 1.0}
    """

    levels: Levels
    values: FloatArray
    unjudged: float = 0.0
    name: str = "custom"

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)
        values.setflags(write=False)
        object.__setattr__(self, "values", values)
        if values.ndim not in (1, 2) or values.shape[-1] != len(self.levels):
            raise CallError(f"{len(self.levels)} levels need {len(self.levels)} gains, found the shape {values.shape}.")
        bad = np.flatnonzero(~np.isfinite(values).reshape(-1, len(self.levels)).all(axis=0))
        if len(bad):
            names = ", ".join(repr(self.levels.names[level]) for level in bad)
            raise CallError(f"The gain of level {names} is not a finite number. Give it one, or merge the level.")
        if not np.isfinite(self.unjudged):
            raise CallError(f"The gain of unjudged documents must be a finite number, found {self.unjudged}.")

    @property
    def probabilities(self) -> bool:
        """Whether all gains lie between 0 and 1, so that they can be read as probabilities of relevance."""
        return bool(np.all((self.values >= 0) & (self.values <= 1)) and 0 <= self.unjudged <= 1)

    def as_dict(self) -> dict[str, float]:
        """Level name to gain; the mean over the draws where there are any. Of patterns of labels, the levels alone."""
        single = self.values if self.values.ndim == 1 else self.values.mean(axis=0)
        levels = self.levels.levels if isinstance(self.levels, Patterns) else self.levels
        return dict(zip(levels.names, single[: len(levels)].tolist(), strict=True))


def prm_gains(
    prediction: PredictedRelevance,
    *,
    at_least: int = 1,
    of: int = 1,
    overrides: Mapping[str, float] | None = None,
) -> Gains:
    """Gains of the Predicted Relevance Model: g(i) = p(R|i), or P(at least M of N random users), eq. (2).

    With p(R|i) as gains, counts, precision, CG and DCG are expected values for a random user. nDCG is the expected
    DCG over the best expected DCG any ranking could reach, *not* the expected nDCG (T8). `at_least` of `of` users gives
    `P(Bin(N, p(R|i)) >= M)`; it takes documents of one level to be alike, which makes it too small for M close to N
    when they are not (T14).

    Args:
        prediction: p(R|i).
        at_least: M.
        of: N.
        overrides: gains given by hand, level name to number, for levels without an estimate.

    Raises:
        MissingParameterError: a level has no second opinions and no override.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.counts.pairing import count_pairs
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> from gainsayer.disagreement.relevance import predict_relevance
    >>> prediction = predict_relevance(estimate_disagreement(count_pairs(twenty_documents())))
    >>> prm_gains(prediction).values.round(4).tolist()
    [0.0769, 0.2941, 0.4]
    """
    values = _at_least(prediction.probability, at_least, of)
    name = "prm" if of == 1 else f"prm-{at_least}-of-{of}"
    return Gains(prediction.levels, _completed(prediction.levels, values, overrides), name=name)


def udm_gains(disagreement: Disagreement, *, at_least: int = 1, of: int = 2) -> Gains:
    """Gains of the User Disagreement Model, the predecessor, for comparison, eq. (3).

    The probability that at least M of N assessors, *the observed one included*, say top: for the top level
    `P(Bin(N-1, p(T|T)) >= M-1)`, for the levels between `P(Bin(N-1, p(T|i)) >= M)`, for level 0 (the lowest where none
    is called 0) and any below it 0. Unlike PRM gains
    they do not sum to an expected number of relevant documents for a random user.

    Raises:
        MissingParameterError: a level above the lowest has no second opinions.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.counts.pairing import count_pairs
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> udm_gains(estimate_disagreement(count_pairs(twenty_documents()))).values.round(4).tolist()
    [0.0, 0.2941, 1.0]
    """
    levels = disagreement.levels
    values = udm_values(levels, disagreement.matrix, at_least=at_least, of=of)
    return Gains(levels, _completed(levels, values, None), name="udm")


def udm_values(levels: Levels, matrix: FloatArray, *, at_least: int = 1, of: int = 2) -> FloatArray:
    """UDM gains of one or many matrices p(j|i): [..., levels, levels] in, [..., levels] out; NaN where a row is."""
    top = levels.index(levels.top)
    _check_users(at_least, of)
    probability = np.asarray(matrix[..., top])
    values = _tail(probability, at_least, of - 1)
    values[..., top] = _tail(probability[..., top], at_least - 1, of - 1)
    values[..., : min(levels.lowest, top - 1) + 1] = 0.0
    return values


def utility_gains(
    disagreement: Disagreement, utilities: Mapping[str, float] | FloatArray, *, name: str = "utility"
) -> Gains:
    """Gains `g = P u`: the expected utility of a document to a random user, `g_i = sum_j p(j|i) u_j`.

    `utilities` says what a document is worth that the *user* would put on level j. u = 1[j in R] is the PRM; u = j and
    u = 2^j - 1 give linear and exponential gains corrected for disagreement. Assumes that all users who would put a
    document on level j have the same use of it. It is *not* the utility of the label: where u rises with the level, the
    top label is worth less than u of the top level as soon as anybody disagrees.

    Raises:
        MissingParameterError: a level has no second opinions.
        CallError: a level has no utility.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.counts.pairing import count_pairs
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> utility_gains(estimate_disagreement(count_pairs(twenty_documents())), np.arange(3.0)).values.round(6).tolist()
    [0.461538, 1.058824, 1.3]
    """
    levels = disagreement.levels
    given = custom_gains(levels, utilities) if isinstance(utilities, Mapping) else Gains(levels, utilities)
    return Gains(levels, _completed(levels, disagreement.matrix @ given.values, None), name=name)


def binary_gains(levels: Levels, relevance: Relevance) -> Gains:
    """g(i) = 1 for the relevant levels, 0 for the others: one grade taken as the truth.

    Right for a run built without looking at the labels; too high for one that was chosen or tuned by them (T3).

    >>> levels = Levels(("0", "1", "2"))
    >>> binary_gains(levels, levels.at_or_above("1")).values.tolist()
    [0.0, 1.0, 1.0]
    """
    return Gains(levels, relevance.indicator, name="binary")


def linear_gains(levels: Levels) -> Gains:
    """g(i) = i: the level's number where levels are whole numbers (negative ones are worth 0), else its place.

    FedWeb's levels are worth 0, 1, 2, 3 under their names Non, Rel, HRel, Key, and 0, 1, 3, 7 under the stored codes.

    Assumes that each step up is worth the same to a user, which nobody has measured; `utility_gains` with the same
    numbers asks what the document is worth to a random user instead.

    >>> linear_gains(Levels(("0", "1", "3", "7"))).values.tolist()
    [0.0, 1.0, 3.0, 7.0]
    """
    return Gains(levels, _numbers(levels), name="linear")


def exponential_gains(levels: Levels) -> Gains:
    """g(i) = 2^i - 1, i being the level's number as in `linear_gains`.

    Assumes that the top level is worth many times the others, and that an assessor's top is every user's top.

    >>> exponential_gains(Levels(("0", "1", "2", "3"))).values.tolist()
    [0.0, 1.0, 3.0, 7.0]
    """
    return Gains(levels, 2.0 ** _numbers(levels) - 1, name="exponential")


def custom_gains(levels: Levels, gains: Mapping[str, float], *, name: str = "custom") -> Gains:
    """Gains given by hand: g(level) = the number given, for every level.

    A level left out is an error, not 0: what nobody said is not known.

    Raises:
        CallError: a level has no gain, or a gain belongs to no level.

    >>> custom_gains(Levels(("Non", "Rel")), {"Non": 0, "Rel": 0.5}).values.tolist()
    [0.0, 0.5]
    """
    values = np.full(len(levels), np.nan)
    for level, gain in gains.items():
        values[levels.index(level)] = gain
    lacking = [levels.names[level] for level in np.flatnonzero(np.isnan(values))]
    if lacking:
        raise CallError(f"Level {', '.join(map(repr, lacking))} has no gain. Give every level one.")
    return Gains(levels, values, name=name)


def complete_gains(
    levels: Levels, values: Sequence[float], overrides: Mapping[str, float] | None = None, *, name: str = "custom"
) -> Gains:
    """Gains from one number per level, some of which may be missing (NaN) or overridden by hand.

    Raises:
        MissingParameterError: a level has neither a number nor an override.

    >>> complete_gains(Levels(("0", "1")), [0.1, float("nan")], {"1": 0.5}).as_dict()
    {'0': 0.1, '1': 0.5}
    """
    return Gains(levels, _completed(levels, np.array(values, dtype=np.float64), overrides), name=name)


def pattern_gains(gains: Gains, levels: Levels) -> Gains:
    """The gains for documents with these levels: of a pattern of labels, the mean of its labels' gains (spec 4.8).

    The worth of a document as a random one of its assessors sees it. With p(R|i) it is the probability that a user is
    satisfied who stands to the document as users stand to one of its labels, drawn at random; it is *not* p(R | all the
    labels), which is further from the mean the more labels agree.

    Args:
        gains: one number per level.
        levels: those of the documents; where they are no patterns, or the gains are theirs, these are as they were.

    >>> from gainsayer.levels import find_patterns
    >>> levels = Levels(("0", "1"))
    >>> patterns = find_patterns(levels, np.array([[1, 3]]))
    >>> pattern_gains(Gains(levels, np.array([0.2, 0.6])), patterns).values.round(12).tolist()
    [0.2, 0.6, 0.5]
    """
    if not isinstance(levels, Patterns) or gains.levels is levels:
        return gains
    return Gains(levels, levels.mix(gains.values), gains.unjudged, gains.name)


def _numbers(levels: Levels) -> FloatArray:
    if not levels.ordered:
        raise CallError("Linear and exponential gains need an order. Name the levels from low to high (--levels).")
    return np.maximum(levels.values(), 0.0)


def _check_users(at_least: int, of: int) -> None:
    if not 1 <= at_least <= of:
        raise CallError(f"At least M of N users needs 1 <= M <= N, found M = {at_least}, N = {of}.")


def _at_least(probability: FloatArray, at_least: int, of: int) -> FloatArray:
    _check_users(at_least, of)
    return _tail(probability, at_least, of)


def _tail(probability: FloatArray, at_least: int, of: int) -> FloatArray:
    """P(Bin(N, p) >= M), NaN where p is."""
    from scipy.special import bdtrc

    if at_least <= 0:
        return np.where(np.isnan(probability), np.nan, 1.0)
    if at_least > of:
        return np.where(np.isnan(probability), np.nan, 0.0)
    if of == 1:
        return probability.copy()  # p itself, not 1 - (1 - p)
    return np.asarray(bdtrc(at_least - 1, of, probability))


def _completed(levels: Levels, values: FloatArray, overrides: Mapping[str, float] | None) -> FloatArray:
    values = np.array(values, dtype=np.float64)
    for level, gain in (overrides or {}).items():
        values[levels.index(level)] = gain
    lacking = [levels.names[level] for level in np.flatnonzero(np.isnan(values))]
    if lacking:
        raise MissingParameterError(
            f"No pair has level {', '.join(map(repr, lacking))}, so its gain is not known. Judge some "
            f"{lacking[0]!r} documents a second time, or give its gain yourself: --gain {lacking[0]}=0.5"
        )
    return values
