"""Gains: what a document of each level is worth. All that a measure ever sees of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError, MissingParameterError
from gainsayer.levels import Levels, Patterns, Relevance
from gainsayer.text import option
from gainsayer.words import listed

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Gains:
    """One number per level, and one for a document that nobody judged.

    Args:
        levels: the levels.
        values: shape [levels], or [draws, levels] where uncertainty travels along.
        unjudged: the gain of an unjudged document, which is not a document of the lowest level (T5).
        name: what the gains are called in outputs, such as `prm`.
        threshold: the name of the notion of relevance they stand for, such as the lowest relevant level; None for none.

    Raises:
        CallError: a level has no gain, or a gain is not a finite number.

    >>> Gains(Levels(("Non", "Key")), np.array([0.0, 1.0]), name="binary").as_dict()
    {'Non': 0.0, 'Key': 1.0}
    """

    levels: Levels
    values: FloatArray
    unjudged: float = 0.0
    name: str = "custom"
    threshold: str | None = None

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

    def __repr__(self) -> str:
        shown = {level: round(gain, 4) for level, gain in self.as_dict().items()}
        return f"Gains({self.name!r}, {shown})"

    @property
    def kind(self) -> str:
        """The name without the threshold that tells it apart from others of its kind: `prm` of `prm (2)`."""
        return self.name.replace(f" ({self.threshold})", "")

    @property
    def probabilities(self) -> bool:
        """Whether all gains lie between 0 and 1, so that they can be read as probabilities of relevance."""
        return bool(np.all(self.probable))

    @property
    def probable(self) -> npt.NDArray[np.bool_]:
        """The same of each draw; shape [1] or [draws, 1]."""
        inside = (self.values >= 0) & (self.values <= 1)
        return np.asarray(inside.all(axis=-1, keepdims=True) & (0 <= self.unjudged <= 1))

    def as_dict(self) -> dict[str, float]:
        """Level name to gain; the mean over the draws where there are any. Of patterns of labels, the levels alone."""
        single = self.values if self.values.ndim == 1 else self.values.mean(axis=0)
        levels = self.levels.levels if isinstance(self.levels, Patterns) else self.levels
        return dict(zip(levels.names, single[: len(levels)].tolist(), strict=True))


def binary_gains(levels: Levels, relevance: Relevance) -> Gains:
    """g(i) = 1 for the relevant levels, 0 for the others: one grade taken as the truth.

    Right for a run built without looking at the labels; too high for one that was chosen or tuned by them (T3).

    >>> levels = Levels(("0", "1", "2"))
    >>> binary_gains(levels, levels.at_or_above("1")).values.tolist()
    [0.0, 1.0, 1.0]
    """
    return Gains(levels, relevance.indicator, name="binary", threshold=relevance.name)


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


def example_gains(levels: Levels, names: Sequence[str]) -> dict[str, float]:
    """Gains that somebody may give to levels by hand: nothing for the lowest, a half for others.

    >>> example_gains(Levels(("Non", "Rel", "Key")), ["Non", "Key"])
    {'Non': 0, 'Key': 0.5}
    """
    return {name: 0 if levels.ordered and name == levels.names[0] else 0.5 for name in names}


def complete_gains(
    levels: Levels,
    values: Sequence[float] | FloatArray,
    overrides: Mapping[str, float] | None = None,
    *,
    name: str = "custom",
) -> Gains:
    """Gains from one number per level, some of which may be missing (NaN) or overridden by hand.

    Raises:
        MissingParameterError: a level has neither a number nor an override.

    >>> complete_gains(Levels(("0", "1")), [0.1, float("nan")], {"1": 0.5}).as_dict()
    {'0': 0.1, '1': 0.5}
    """
    filled = np.array(values, dtype=np.float64)
    for level, gain in (overrides or {}).items():
        filled[levels.index(level)] = gain
    lacking = [levels.names[level] for level in np.flatnonzero(np.isnan(filled))]
    if lacking:
        its, some = ("its gain is", repr(lacking[0])) if len(lacking) == 1 else ("their gains are", "such")
        raise MissingParameterError(
            f"No pair has level {listed([repr(name) for name in lacking], 'or')}, so {its} not known. Judge some "
            f"{some} documents a second time, or give {its.rpartition(' ')[0]} yourself, such as "
            f"{option('gain', example_gains(levels, lacking))}"
        )
    return Gains(levels, filled, name=name)


def pattern_gains(gains: Gains, levels: Levels) -> Gains:
    """The gains for documents with these levels: of a pattern of labels, the mean of its labels' gains (spec 4.8).

    The worth of a document as a random one of its assessors sees it. With p(R|i) it is the probability that a user is
    satisfied who stands to the document as users stand to one of its labels, drawn at random; it is *not* p(R | all the
    labels), which is further from the mean the more labels agree.

    Args:
        gains: one number per level.
        levels: those of the documents; where they are no patterns, or the gains are theirs already, nothing changes.

    >>> from gainsayer.levels import find_patterns
    >>> levels = Levels(("0", "1"))
    >>> patterns = find_patterns(levels, np.array([[1, 3]]))
    >>> pattern_gains(Gains(levels, np.array([0.2, 0.6])), patterns).values.round(12).tolist()
    [0.2, 0.6, 0.5]
    """
    if not isinstance(levels, Patterns) or isinstance(gains.levels, Patterns):
        return gains
    return Gains(levels, levels.mix(gains.values), gains.unjudged, gains.name, gains.threshold)


def _numbers(levels: Levels) -> FloatArray:
    if not levels.ordered:
        raise CallError(
            f"Linear and exponential gains need an order. Name the levels from low to high ({option('levels')})."
        )
    return np.maximum(levels.values(), 0.0)
