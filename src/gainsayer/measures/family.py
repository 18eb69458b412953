"""Families: measures without their parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from gainsayer.measures.expected.simulated_users import DEFAULT_SAMPLE
from gainsayer.measures.profiles import Discount, log_discount, no_discount, zipf_discount
from gainsayer.rankings.ranked_levels import FloatArray

Needs = Literal["probabilities", "binary", "any", "nothing"]
Classic = Literal["binary", "linear", "exponential"]
ForUsers = Literal["plug-in", "exact", "simulated", "no"]
DISCOUNTS: Final[dict[str, Discount]] = {"log2": log_discount, "zipf": zipf_discount, "none": no_discount}
# Parameters of every family whose expected value over random users can be asked for.
USER_PARAMETERS: Final[Mapping[str, Any]] = {
    "users": None,
    "condition_on_relevant": False,
    "sample": DEFAULT_SAMPLE,
    "seed": 0,
}


@dataclass(frozen=True, eq=False)
class Family:
    """A measure without its parameters.

    Args:
        name: in ir_measures' spelling.
        about: one line for the list of measures.
        score: the function behind it.
        needs: what gains it can take: probabilities (numbers between 0 and 1), 0/1 only, any, or none.
        classic: the gains it is computed with where nobody asks for any.
        depth: whether `@k` must, may or cannot be given.
        parameters: their names and defaults.
        trec: trec_eval's name, `{k}` standing for the depth; None where it has none.
        trec_whole: trec_eval's name without a depth.
        trec_total: whether trec_eval gives the sum over topics, not the mean.
        linear: whether it is a product of level profiles and gains, unjudged documents included.
        for_users: the expected value over random users, `users=`: equal to the `plug-in` value, as the measure is
            linear in relevance; by an `exact` formula; `simulated`; or `no`, there is none.
        independent: the exact expected value for independent users.
    """

    name: str
    about: str
    score: Callable[..., FloatArray]
    needs: Needs = "probabilities"
    classic: Classic = "binary"
    depth: Literal["must", "may", "no"] = "may"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    trec: str | None = None
    trec_whole: str | None = None
    trec_total: bool = False
    linear: bool = False
    for_users: ForUsers = "plug-in"
    independent: Callable[..., FloatArray] | None = None

    @property
    def all_parameters(self) -> Mapping[str, Any]:
        """Names and defaults of its own parameters, and of those about users."""
        return self.parameters if self.for_users == "no" else {**self.parameters, **USER_PARAMETERS}
