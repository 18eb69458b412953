"""Families: measures without their parameters, and what each declares about itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.measures.expected.simulated_users import DEFAULT_SAMPLE
from gainsayer.measures.linear import Linear
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

Needs = Literal["probabilities", "binary", "any", "nothing"]
Classic = Literal["binary", "linear", "exponential"]
ForUsers = Literal["plug-in", "exact", "simulated", "no"]


@dataclass(frozen=True, eq=False)
class Parameter:
    """A parameter of a family of measures.

    Args:
        default: its value where none is given.
        words: what it may be, after "must be"; for messages and lists.
        allows: whether it may have this value.
    """

    default: Any
    words: str
    allows: Callable[[Any], bool]


def choice(*names: str) -> Parameter:
    """One of these names; the first by default."""
    return Parameter(names[0], f"{', '.join(names[:-1])} or {names[-1]}", lambda value: value in names)


def number(default: float | None, low: float, high: float, *, ends: bool = False) -> Parameter:
    """A number between two others, these included with `ends`.

    >>> number(0.8, 0, 1).words, number(0.8, 0, 1).allows(1)
    ('a number above 0 and below 1', False)
    """

    def allows(value: Any) -> bool:
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        return plain and (low <= value <= high if ends else low < value < high)

    words = f"from {low:g} to {high:g}" if ends else f"above {low:g}" + (f" and below {high:g}" if high < 1e9 else "")
    return Parameter(default, f"a number {words}", allows)


def _is_level(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, str) and value != "")


YES_OR_NO: Final = Parameter(False, "True or False", lambda value: isinstance(value, bool))
# What counts as relevant for this measure, where it is not what the call says.
REL: Final = Parameter(None, "the lowest relevant level: a whole number, or its name in quotes", _is_level)
# What levels are worth to nDCG and DCG, as ir_measures writes it.
GAIN_PARAMETERS: Final[Mapping[str, Parameter]] = {
    "dcg": choice("log2", "exp-log2"),
    "gains": Parameter(None, "levels and numbers, such as {0: 0, 1: 1, 2: 5}", lambda value: isinstance(value, tuple)),
}
# Parameters of every family whose expected value over random users can be asked for, with their defaults.
USER_PARAMETERS: Final[Mapping[str, Any]] = {
    "users": None,
    "condition_on_relevant": False,
    "sample": DEFAULT_SAMPLE,
    "seed": 0,
}


@dataclass(frozen=True, eq=False)
class Family:
    """A measure without its parameters.

    A family is computed by a function `score`, or declares with `linear` what it is made of: then its scores, and
    those of many gain vectors at once in intervals, follow from the discount, depth and divisor that it declares.

    Args:
        name: in ir_measures' spelling.
        about: one line for the list of measures.
        score: the function behind it: ranked levels and gains, the depth and its parameters by name.
        needs: what gains it can take: probabilities (numbers between 0 and 1), 0/1 only, any, or none.
        classic: the gains it is computed with where nobody asks for any.
        depth: whether `@k` must, may or cannot be given.
        parameters: its own parameters by name.
        at: the parameter that `@` gives in place of a depth.
        becomes: parameters that make another family of it, and which.
        trec: trec_eval's name, `{k}` standing for the depth; None where it has none.
        trec_whole: trec_eval's name without a depth.
        trec_total: whether trec_eval gives the sum over topics, not the mean.
        linear: what a linear measure is made of, from the depth and the parameters.
        ignores_unjudged: whether unjudged documents have no influence, whatever their gain.
        up_to_one: whether no score exceeds 1 where unjudged documents have no gain.
        for_users: the expected value over random users, `users=`: equal to the `plug-in` value, as the measure is
            linear in relevance; by an `exact` formula; `simulated`; or `no`, there is none.
        independent: the exact expected value for independent users.
    """

    name: str
    about: str
    score: Callable[..., FloatArray] | None = None
    needs: Needs = "probabilities"
    classic: Classic = "binary"
    depth: Literal["must", "may", "no"] = "may"
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    at: str | None = None
    becomes: Mapping[str, str] = field(default_factory=dict)
    trec: str | None = None
    trec_whole: str | None = None
    trec_total: bool = False
    linear: Callable[..., Linear] | None = None
    ignores_unjudged: bool = False
    up_to_one: bool = False
    for_users: ForUsers = "plug-in"
    independent: Callable[..., FloatArray] | None = None

    def __post_init__(self) -> None:
        if (self.score is None) == (self.linear is None):
            raise CallError(f"{self.name} is computed by a function, or declares what it is made of: one of the two.")

    @property
    def all_parameters(self) -> Mapping[str, Parameter]:
        """Its own parameters, and those that all families of its kind have but for those about users."""
        general = {} if self.needs == "nothing" else {"judged_only": YES_OR_NO}
        if self.needs in ("probabilities", "binary"):
            general["rel"] = REL
        return {**self.parameters, **general}

    @property
    def example(self) -> str:
        """A name that can be asked for.

        >>> Family("P", "precision", linear=Linear, depth="must").example
        'P@10'
        """
        return f"{self.name}@0.1" if self.at else f"{self.name}@10" if self.depth == "must" else self.name

    def plug_in(self, ranked: RankedLevels, gains: Gains, **options: Any) -> FloatArray:
        """One number per topic: gains put where the measure has a gain."""
        if self.linear is not None:
            return self.linear(**options).score(ranked, gains)
        assert self.score is not None
        return self.score(ranked, gains, **options)
