"""What a comparison is asked for: measures with kinds of gains, a test, a baseline, a confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gainsayer.comparison.paired_tests import Adjustment, Test
from gainsayer.errors import CallError
from gainsayer.gains.schemes import Scheme, tell_apart
from gainsayer.gains.values import Gains
from gainsayer.measures.catalogue import Measure
from gainsayer.model.intervals import check_confidence
from gainsayer.model.resampling import check_draws
from gainsayer.text import nearest


@dataclass(frozen=True)
class Part:
    """A measure with a scheme, and the gains under the name that tells them apart from other schemes'."""

    measure: Measure
    scheme: Scheme
    gains: Gains


@dataclass(frozen=True)
class CompareOptions:
    """How runs are compared (`compare_runs`).

    Raises:
        CallError: a confidence, margin, number or adjustment that is none.
    """

    test: Test = "joint"
    adjust: Adjustment | None = None
    baseline: str | None = None
    margin: float | None = None
    draws: int = 1_000
    permutations: int = 10_000
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        check_confidence(self.confidence)
        if self.margin is not None and not self.margin > 0:
            raise CallError(
                f"The margin is the smallest difference that matters, a number above 0; found {self.margin}."
            )
        check_draws(self.permutations, self.seed, what="permutations")
        check_draws(self.draws, self.seed, least=2, what="resamples")
        if self.adjust is not None and self.test == "joint":
            raise CallError(
                "The joint test is adjusted for all pairs in one step, so that it agrees with the simultaneous "
                f"intervals. Other adjustments ({self.adjust!r}) go with a test that holds the gains fixed: "
                "randomisation, t or wilcoxon."
            )

    def find_baseline(self, runs: Sequence[str]) -> int | None:
        """The baseline's place among the runs; None for no baseline (CallError: there is no such run)."""
        name = self.baseline
        if name is None:
            return None
        if name not in runs:
            raise CallError(
                f"There is no run {name!r} to compare with: the runs are {', '.join(runs[:20])}.{nearest(name, runs)}"
            )
        return list(runs).index(name)


def list_parts(
    measures: Sequence[Measure], schemes: Sequence[Scheme] | Mapping[Measure, Sequence[Scheme]]
) -> list[Part]:
    """Every measure with every scheme it can be scored with.

    Raises:
        CallError: no measure, no scheme, or the same gains twice.
    """
    of_measure = schemes if isinstance(schemes, Mapping) else dict.fromkeys(measures, schemes)
    every = list_schemes(measures, schemes)
    if not every or not measures:
        raise CallError("A comparison needs at least one measure and one kind of gains.")
    labels = {scheme: tell_apart(scheme, every).gains for scheme in every}
    return [
        Part(measure, scheme, labels[scheme])
        for measure in measures
        for scheme in of_measure[measure]
        if _suits(measure, scheme, of_measure[measure])
    ]


def list_schemes(
    measures: Sequence[Measure], schemes: Sequence[Scheme] | Mapping[Measure, Sequence[Scheme]]
) -> list[Scheme]:
    """The schemes of all measures, in the order given."""
    if not isinstance(schemes, Mapping):
        return list(schemes)
    return list(dict.fromkeys(scheme for measure in measures for scheme in schemes[measure]))


def _suits(measure: Measure, scheme: Scheme, schemes: Sequence[Scheme]) -> bool:
    """Whether to score with these gains: random users need probabilities, so they pass over others where there are any.

    Where there are none the measure refuses them in its own words.
    """
    if measure.users is None or scheme.gains.probabilities:
        return True
    return not any(other.gains.probabilities for other in schemes)
