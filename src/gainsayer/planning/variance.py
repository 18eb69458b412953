"""How sure a number would be after so many second judgments: its variance, source by source.

Var(theta) = topics + between + within + covariance + assessors
within     = sum_i A_i^2 sigma_i^2 / n_i               the only part that second judgments of the same topics reduce
between    = sum_t a_t' Omega a_t,  a_ti = A_i N_ti / N_i
topics     = s^2 / T of the scores per topic
assessors  = (sum_i A_i sd_i)^2 / K                     K second assessors, whose leniency is the same on all levels
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr, stdtrit

from gainsayer.planning.components import Components
from gainsayer.planning.keys import FloatArray
from gainsayer.planning.targets import Targets


@dataclass(frozen=True, eq=False)
class Variance:
    """The variance of each target by source; arrays have the shape [targets]."""

    topics: FloatArray
    between: FloatArray
    within: FloatArray
    covariance: FloatArray
    assessors: FloatArray

    @property
    def total(self) -> FloatArray:
        """The sum. A covariance below 0 never takes away more than what topics bring."""
        floor = self.within + self.assessors
        shared = np.maximum(self.topics + self.between + self.covariance, 0.0)
        return np.asarray(floor + shared)


@dataclass(frozen=True, eq=False)
class Prospect:
    """What the variance of the targets depends on, before anybody judges.

    Args:
        sizes: documents per topic and level, N_ti; shape [topics, levels].
        components: of second opinions.
        targets: what is to be precise.
        assessors: K, how many people judge the second time; None where they are taken as many.
        confidence: of the intervals.
        judged_topics: in how many of the topics second judgments are made; None for all.
        covariance: V_cov of each target; shape [targets].

    >>> from gainsayer.levels import Levels
    >>> from gainsayer.planning.components import fill_components
    >>> from gainsayer.planning.targets import target_parameters
    >>> levels = Levels(("0", "1"))
    >>> known = fill_components(levels, guesses={"0": 0.1, "1": 0.5}, intraclass=0.2)
    >>> prospect = Prospect(np.full((25, 2), 20.0), known, target_parameters(levels, known.probability, [1]))
    >>> found = prospect.variance(np.array([50.0, 100.0]))
    >>> found.between.round(6).tolist(), found.within.round(6).tolist()
    ([0.002], [0.002])
    """

    sizes: FloatArray
    components: Components
    targets: Targets
    assessors: int | None = None
    confidence: float = 0.95
    judged_topics: int | None = None
    covariance: FloatArray | None = None

    @property
    def topics(self) -> int:
        """T."""
        return len(self.sizes)

    @property
    def second_topics(self) -> int:
        """In how many topics second judgments are made."""
        return self.topics if self.judged_topics is None else self.judged_topics

    @property
    def documents(self) -> FloatArray:
        """How many documents of each level can be judged a second time; shape [levels]."""
        return np.asarray(self.sizes.sum(axis=0) * (self.second_topics / self.topics))

    @property
    def weights(self) -> FloatArray:
        """w_ti = N_ti / N_i; shape [topics, levels]."""
        return np.asarray(self.sizes / np.maximum(self.sizes.sum(axis=0), 1.0))

    @property
    def effective_topics(self) -> FloatArray:
        """T_eff = 1 / sum_t w_ti^2, as many topics of equal size; 0 for a level without documents; shape [levels]."""
        squares = (self.weights**2).sum(axis=0)
        return np.asarray(np.divide(1.0, squares, out=np.zeros_like(squares), where=squares > 0))

    @property
    def worth(self) -> FloatArray:
        """What a judgment of each level is worth: sqrt(sum_k A_ki^2) sigma_i; shape [levels]."""
        return np.asarray(self.targets.weight * np.sqrt(np.maximum(self.components.within, 0.0)))

    @property
    def degrees(self) -> float:
        """Degrees of freedom: the least of topics, topics judged twice and assessors, less one."""
        few = min(self.topics, self.second_topics, self.assessors or self.topics)
        return float(max(few - 1, 1))

    @property
    def quantile(self) -> float:
        """t: half-widths are t times the standard error."""
        return float(stdtrit(self.degrees, (1 + self.confidence) / 2))

    def variance(self, judgments: FloatArray) -> Variance:
        """The variance after so many second judgments of each level; shape [levels]."""
        influence, known = self.targets.influence, self.components
        count = np.maximum(judgments, 1e-12)
        within = np.einsum("kl,l->k", influence**2, np.where(self.documents > 0, known.within / count, 0.0))
        weights = self.weights
        part = np.einsum("kl,tl->ktl", influence, weights)
        between = np.einsum("ktl,lm,ktm->k", part, known.covariance, part) * self.topics / self.second_topics
        people = np.zeros(len(influence))
        if self.assessors is not None:
            people = np.abs(np.einsum("kl,l->k", influence, known.deviation)) ** 2 / self.assessors
        shared = np.zeros(len(influence)) if self.covariance is None else self.covariance
        return Variance(self.targets.topics, between, within, shared, people)

    def half_widths(self, judgments: FloatArray) -> FloatArray:
        """Half the width of each target's interval; shape [targets]."""
        return np.asarray(self.quantile * np.sqrt(self.variance(judgments).total))

    def half_width(self, judgments: FloatArray) -> float:
        """That of the widest interval: all targets are at least as sure."""
        return float(self.half_widths(judgments).max())

    def power(self, judgments: FloatArray, difference: float) -> float:
        """How likely a difference of this size would show: Phi(|delta| / sd - t)."""
        error = float(np.sqrt(self.variance(judgments).total[0]))
        return float(ndtr(abs(difference) / max(error, 1e-300) - self.quantile))

    def topics_needed(self, half_width: float) -> int | None:
        """How many topics would allow this half-width with all their documents judged twice; None where none would.

        `T (topics + between + covariance) / ((E / t)^2 - within - assessors)`, for the widest target; where judgments
        within topics alone are too few, they grow with the topics.
        """
        found = self.variance(self.documents)
        worst = int(found.total.argmax())
        room = (half_width / self.quantile) ** 2 - float(found.assessors[worst])
        within, rest = float(found.within[worst]), float(found.total[worst] - found.assessors[worst])
        if room <= 0:
            return None
        return int(np.ceil(self.topics * ((rest - within) / (room - within) if room > 2 * within else rest / room)))

    def with_more_topics(self, more: int, judgments: FloatArray) -> float:
        """The half-width with so many more topics like these: all but `within` and `assessors` fall with 1 / T."""
        found = self.variance(judgments)
        factor = self.topics / (self.topics + more)
        fewer = self.assessors or self.topics + more
        grown = replace(self, judged_topics=None, assessors=None)
        quantile = float(stdtrit(max(min(grown.topics + more, fewer) - 1, 1), (1 + self.confidence) / 2))
        fixed = found.within + found.assessors
        return quantile * float(np.sqrt((fixed + (found.total - fixed) * factor).max()))

    def with_assessors(self, count: int, judgments: FloatArray) -> float:
        """The half-width with so many second assessors."""
        return replace(self, assessors=count).half_width(judgments)
