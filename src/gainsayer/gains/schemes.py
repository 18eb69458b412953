"""Schemes: kinds of gains with what they were made from, so that they follow when the estimate changes.

The one list of the kinds that can be asked for by name is `KINDS`; `make_scheme` makes any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError, DataError
from gainsayer.gains.kinds import prm_gains, udm_gains, udm_values
from gainsayer.gains.values import (
    FloatArray,
    Gains,
    binary_gains,
    complete_gains,
    example_gains,
    exponential_gains,
    linear_gains,
)
from gainsayer.levels import Levels, Relevance
from gainsayer.model.estimate import Disagreement, part_relevant
from gainsayer.model.relevance import predict_relevance
from gainsayer.text import nearest, option

# Binary, linear and exponential gains come from a rule, so what is estimated is imported where it is made.

Rule = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Model:
    """p(R|i) as a model file holds it, without the topics behind it.

    Args:
        probability: level to probability; NaN where nobody judged the level twice.
        covariance: over topics, shape [levels, levels]; None where the file has none.
        topics: on how many doubly judged topics it rests.
        name: what messages call it.
    """

    probability: Mapping[str, float]
    covariance: FloatArray | None = None
    topics: int = 0
    name: str = "the model"


@dataclass(frozen=True, eq=False)
class GainSource:
    """What gains can be made from.

    Args:
        levels: the levels.
        disagreement: double judgments that are at hand; takes precedence over the model.
        model: probabilities estimated elsewhere.
        by_hand: gains of single levels, which take precedence over all others.
    """

    levels: Levels
    disagreement: Disagreement | None = None
    model: Model | None = None
    by_hand: Mapping[str, float] = field(default_factory=dict)

    @property
    def estimated(self) -> bool:
        """Whether there is a model, or something to make one from."""
        return self.disagreement is not None or self.model is not None


@dataclass(frozen=True, eq=False)
class FittedElsewhere:
    """The uncertainty of gains from a model file: their covariance over topics, and over how many.

    It is added to that of the scored topics as if the model's topics were none of these: what the two have in common
    where they are the same is lost, and intervals of scores may then be too narrow.
    """

    covariance: FloatArray
    topics: int

    def root(self) -> FloatArray:
        """Rows whose products add up to the covariance, shape [rows, levels]; 0 for a level whose error is not known.

        >>> fitted = FittedElsewhere(np.array([[0.01, 0.0], [0.0, np.nan]]), 20)
        >>> rows = fitted.root()
        >>> (rows.T @ rows).round(4).tolist()
        [[0.01, 0.0], [0.0, 0.0]]
        """
        known = np.isfinite(np.diagonal(self.covariance))
        spread = np.where(known[:, None] & known[None, :], self.covariance, 0.0)
        values, vectors = np.linalg.eigh(spread)
        some = values > 1e-15 * max(float(values.max(initial=0.0)), 1e-300)
        return np.asarray((vectors[:, some] * np.sqrt(values[some])).T)


@dataclass(frozen=True, eq=False)
class Scheme:
    """One kind of gains that runs are scored or compared by, with the double judgments it was estimated from.

    Args:
        gains: as estimated, or as given.
        relevance: the notion of relevance they stand for; None where they stand for none.
        disagreement: the double judgments behind them; None for gains that are given, such as binary or linear ones
            (they have no uncertainty, as nobody measured them), or that come from a model file.
        rule: gains [..., levels] from matrices p(j|i) [..., levels, levels]; None likewise.
        estimated: which levels have a gain that answers to the matrix; those given by hand, or by rule, do not.
        fitted: how closely gains of a model made elsewhere are known.
    """

    gains: Gains
    relevance: Relevance | None = None
    disagreement: Disagreement | None = None
    rule: Rule | None = None
    estimated: tuple[bool, ...] | None = None
    fitted: FittedElsewhere | None = None

    def __post_init__(self) -> None:
        if self.relevance is not None and self.gains.threshold is None:
            object.__setattr__(self, "gains", replace(self.gains, threshold=self.relevance.name))

    @property
    def name(self) -> str:
        """The name of the gains."""
        return self.gains.name

    @property
    def threshold(self) -> str | None:
        """The name of the notion of relevance, such as the lowest relevant level."""
        return None if self.relevance is None else self.relevance.name


def prm_scheme(
    disagreement: Disagreement, relevance: Relevance, *, overrides: Mapping[str, float] | None = None
) -> Scheme:
    """PRM gains g(i) = p(R|i); gains given by hand stay as they are whatever the estimate.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.model.pairs import count_pairs
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> disagreement = estimate_disagreement(count_pairs(twenty_documents()))
    >>> scheme = prm_scheme(disagreement, disagreement.levels.at_or_above("2"), overrides={"0": 0.0})
    >>> scheme.gains.values.round(3).tolist(), scheme.rule(disagreement.matrix[None]).round(3).tolist()
    ([0.0, 0.294, 0.4], [[0.0, 0.294, 0.4]])
    """
    levels = disagreement.levels
    by_hand = {levels.index(level): gain for level, gain in (overrides or {}).items()}
    rule = partial(_relevant_or_by_hand, relevance=relevance, by_hand=by_hand)
    gains = prm_gains(predict_relevance(disagreement, relevance), overrides=overrides)
    estimated = tuple(level not in by_hand for level in range(len(levels)))
    return Scheme(gains, relevance, disagreement, rule, estimated)


def _relevant_or_by_hand(matrices: FloatArray, relevance: Relevance, by_hand: Mapping[int, float]) -> FloatArray:
    """p(R|i) of each matrix, but for levels whose gain is given."""
    values = part_relevant(matrices, relevance.indicator)
    for level, gain in by_hand.items():
        values[..., level] = gain
    return values


def udm_scheme(disagreement: Disagreement) -> Scheme:
    """UDM gains: at least one of two assessors says top, the observed one included; 1 for the top, 0 for the lowest.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.model.pairs import count_pairs
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> disagreement = estimate_disagreement(count_pairs(twenty_documents()))
    >>> udm_scheme(disagreement).rule(disagreement.matrix[None]).round(3).tolist()
    [[0.0, 0.294, 1.0]]
    """
    levels = disagreement.levels
    rule = partial(udm_values, levels)
    # Where a gain answers to p(T|i), so does the rule: 1 for the top and 0 for the lowest, whatever the matrix.
    estimated = tuple((rule(np.full((len(levels), len(levels)), 0.5)) == 0.5).tolist())
    return Scheme(udm_gains(disagreement), levels.at_or_above(levels.top), disagreement, rule, estimated)


def _make_prm(source: GainSource, relevance: Relevance) -> Scheme:
    if source.disagreement is not None:
        return prm_scheme(source.disagreement, relevance, overrides=source.by_hand)
    model = source.model
    if model is None:
        raise CallError("PRM gains need a model, or judgments of two assessors to make one from.")
    lacking = [level for level in source.levels.names if level not in model.probability]
    if set(lacking) - set(source.by_hand):
        raise DataError(
            f"The judgments have level {', '.join(map(repr, lacking))}, which {model.name} does not know; it has "
            f"{', '.join(model.probability)}. Fit it with these levels, or give its gain: "
            f"{option('gain', example_gains(source.levels, lacking))}"
        )
    values = [model.probability.get(level, float("nan")) for level in source.levels.names]
    gains = complete_gains(source.levels, values, source.by_hand, name="prm")
    return Scheme(gains, relevance, fitted=_uncertainty(source, model))


def _make_udm(source: GainSource, _relevance: Relevance) -> Scheme:
    if source.disagreement is None:
        raise CallError("UDM gains need judgments of two assessors, not a model file.")
    return udm_scheme(source.disagreement)


def _make_binary(source: GainSource, relevance: Relevance) -> Scheme:
    gains = binary_gains(source.levels, relevance).values
    return Scheme(complete_gains(source.levels, gains, source.by_hand, name="binary"), relevance)


def _make_linear(source: GainSource, _relevance: Relevance) -> Scheme:
    return Scheme(complete_gains(source.levels, linear_gains(source.levels).values, source.by_hand, name="linear"))


def _make_exponential(source: GainSource, _relevance: Relevance) -> Scheme:
    gains = exponential_gains(source.levels).values
    return Scheme(complete_gains(source.levels, gains, source.by_hand, name="exponential"))


# The kinds of gains that can be asked for by name.
KINDS: Final[dict[str, Callable[[GainSource, Relevance], Scheme]]] = {
    "prm": _make_prm,
    "binary": _make_binary,
    "linear": _make_linear,
    "exponential": _make_exponential,
    "udm": _make_udm,
}


def make_scheme(kind: str, source: GainSource, relevance: Relevance) -> Scheme:
    """A kind of gains by its name, from what there is to make it from.

    Args:
        kind: one of `KINDS`.
        source: double judgments, a model, gains by hand.
        relevance: the relevant levels.

    Raises:
        CallError: there is no such kind, or nothing to make it from.
        MissingParameterError: a level has no second opinions, and no gain by hand.

    >>> levels = Levels(("0", "1"))
    >>> make_scheme("binary", GainSource(levels), levels.at_or_above("1")).gains.as_dict()
    {'0': 0.0, '1': 1.0}
    """
    check_kinds([kind])
    return KINDS[kind](source, relevance)


def check_kinds(kinds: Sequence[str]) -> None:
    """Refuse names that are no kinds of gains, and none at all.

    Raises:
        CallError: there is no such kind.
    """
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or not kinds:
        close = nearest(unknown[0], KINDS) if unknown else ""
        raise CallError(f"There are no gains {', '.join(map(repr, unknown))}: choose among {', '.join(KINDS)}.{close}")


def gains_from(
    kind: str,
    disagreement: Disagreement,
    relevance: Relevance,
    needed: npt.NDArray[np.bool_],
) -> Gains | None:
    """Gains of a kind from a matrix p(j|i); None where a needed level has no second opinions.

    A level that nobody needs, as no document to be scored has it, may lack second opinions; its gain is set to 0.

    Args:
        kind: one of `KINDS`.
        disagreement: the matrix p(j|i).
        relevance: the relevant levels.
        needed: which levels are there to be scored, shape [levels].

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.model.pairs import count_pairs
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> disagreement = estimate_disagreement(count_pairs(twenty_documents()))
    >>> top = disagreement.levels.at_or_above("2")
    >>> gains_from("prm", disagreement, top, np.ones(3, bool)).values.round(4).tolist()
    [0.0769, 0.2941, 0.4]
    """
    check_kinds([kind])
    lacking = np.asarray(np.isnan(disagreement.matrix).any(axis=-1))
    filled = np.where(lacking[:, None], 1 / len(lacking), disagreement.matrix)
    unknown = lacking & (kind == "prm")
    by_hand = {name: 0.0 for name, gone in zip(disagreement.levels.names, unknown, strict=True) if gone}
    source = GainSource(disagreement.levels, replace(disagreement, matrix=filled), by_hand=by_hand)
    scheme = make_scheme(kind, source, relevance)
    if scheme.rule is None:
        return scheme.gains
    if (lacking & needed).any():
        return None
    return replace(scheme.gains, values=np.where(lacking, 0.0, scheme.rule(filled)))


def name_lacking(disagreement: Disagreement, needed: npt.NDArray[np.bool_]) -> str:
    """The needed levels without second opinions, for a note."""
    lacking = np.isnan(disagreement.matrix).any(axis=-1) & needed
    return ", ".join(name for name, gone in zip(disagreement.levels.names, lacking, strict=True) if gone)


def with_unjudged(scheme: Scheme, gain: float) -> Scheme:
    """The same with this gain for unjudged documents."""
    return replace(scheme, gains=replace(scheme.gains, unjudged=gain))


def tell_apart(scheme: Scheme, schemes: Sequence[Scheme]) -> Scheme:
    """The scheme with a name of its own, `prm (2)`, where several thresholds make the same kind of gains.

    Raises:
        CallError: the same gains stand there twice.
    """
    if sum(other.name == scheme.name for other in schemes) == 1:
        return scheme
    if sum((other.name, other.threshold) == (scheme.name, scheme.threshold) for other in schemes) > 1:
        raise CallError(f"The gains {scheme.name!r} were asked for twice.")
    return replace(scheme, gains=replace(scheme.gains, name=f"{scheme.name} ({scheme.threshold})"))


def _uncertainty(source: GainSource, model: Model) -> FittedElsewhere | None:
    """How closely the model's probabilities are known, level by level as here; gains by hand are taken as given."""
    if model.covariance is None or len(model.covariance) != len(model.probability):
        return None
    levels, place = source.levels, {name: at for at, name in enumerate(model.probability)}
    given = {levels.index(level) for level in source.by_hand}
    known = [at for at, name in enumerate(levels.names) if name in place and at not in given]
    there = [place[levels.names[at]] for at in known]
    whole = np.full((len(levels), len(levels)), np.nan)
    whole[np.ix_(known, known)] = model.covariance[np.ix_(there, there)]
    return FittedElsewhere(whole, model.topics) if np.isfinite(np.diagonal(whole)).any() else None
