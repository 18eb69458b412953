"""Replicates of the whole pipeline: what the mean scores would be without each topic.

Three sets come from leaving out one topic at a time. *joint*: a topic is left out of the mean of the scores, and of the
double judgments where it has any, so that p(R|i), the gains and the scores follow. *topics*: out of the mean alone, the
gains held. *parameters*: out of the double judgments alone, the scored topics held. Everything that is said about
scores, differences, ranks and where the uncertainty comes from is made of these three, and of what people add.

Scores are linear in the gains here: `s(t, g') = s(t, g) + ds/dg (g' - g)`, one gradient in place of a rescoring for
each topic. What is made of the mean scores, such as a logarithm or a ratio, is computed on each replicate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError
from gainsayer.gains.schemes import Scheme
from gainsayer.gains.values import Gains, pattern_gains
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.unjudged import take_unjudged_as
from gainsayer.model.estimate import Disagreement
from gainsayer.model.people import GainPeople
from gainsayer.model.variance import leave_out_each, share_of
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedLevels

STEP = 1e-4


@dataclass(frozen=True, eq=False)
class ScoredRuns:
    """Runs with a measure and gains that may be moved.

    Args:
        ranked: the runs.
        measure: what to compute.
        gains: as estimated, shape [levels]; `unjudged` stays what it is when the others move. Documents with several
            labels are worth the mean of their labels' gains (`pattern_gains`).
        chosen: places of the scored topics in `ranked`.
        alive: 0 for topics that count 0 whatever the list holds, else 1; shape [topics].
    """

    ranked: tuple[RankedLevels, ...]
    measure: Measure
    gains: Gains
    chosen: npt.NDArray[np.int64]
    alive: FloatArray

    def table(self, run: int, values: FloatArray) -> FloatArray:
        """The scores of a run with each gain vector: [gains, levels] in, [gains, topics] out."""
        worth = pattern_gains(self.measure.take_gains(replace(self.gains, values=values)), self.ranked[0].levels)
        return np.asarray(self.measure.score(self.ranked[run], worth)[:, self.chosen] * self.alive)

    def slopes(self, run: int, levels: IntArray, step: FloatArray) -> FloatArray:
        """ds/dg of a run for these levels, by central differences; shape [levels, topics].

        >>> from gainsayer.levels import Levels
        >>> from gainsayer.measures.catalogue import parse_measure
        >>> from gainsayer.ranking.ranked import ranked_from_lists
        >>> run = ranked_from_lists({"q1": [1], "q2": [0]}, {"q1": [1, 1], "q2": [1, 1]}, levels=Levels(("0", "1")))
        >>> gains = Gains(run.levels, np.array([0.2, 0.8]))
        >>> scored = ScoredRuns((run,), parse_measure("P@1"), gains, np.arange(2), np.ones(2))
        >>> scored.slopes(0, np.array([0, 1]), np.array([1e-4, 1e-4])).round(9).tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        whole = self.gains.values
        moved = np.eye(len(whole))[levels] * step[:, None]
        up, down = np.split(self.table(run, np.concatenate([whole + moved, whole - moved])), 2)
        return np.asarray((up - down) / (2 * step[:, None]))


def prepare_runs(
    ranked: Sequence[RankedLevels],
    measure: Measure,
    gains: Gains,
    topics: Sequence[str],
    *,
    unjudged_as_lowest: bool = False,
    zero: npt.NDArray[np.bool_] | None = None,
) -> ScoredRuns:
    """The runs on these topics, ready to be scored with other gains.

    With `unjudged_as_lowest` an unjudged document is worth what one of the lowest level is, whatever that comes to be.
    For random users its worth stays what was estimated. `zero` are topics of the runs that count 0.
    """
    place = {name: at for at, name in enumerate(ranked[0].topics)}
    chosen = np.array([place[name] for name in topics], dtype=np.int64)
    alive = np.ones(len(chosen)) if zero is None else (~zero[chosen]).astype(np.float64)
    ranked = [measure.view(run) for run in ranked]
    if unjudged_as_lowest and measure.users is None:
        lowest = gains.levels.lowest
        ranked = [take_unjudged_as(run, lowest, measure.depth) for run in ranked]
        gains = replace(gains, unjudged=0.0)
    return ScoredRuns(tuple(ranked), measure, gains, chosen, alive)


@dataclass(frozen=True, eq=False)
class TopicKinds:
    """Topics by what was done with them.

    Args:
        names: the scored topics, then those that were judged twice and are not scored.
        scored: how many are scored.
        places: of the doubly judged topics among the names.
        groups: places of topics of a kind: judged twice, once, or judged twice and not scored.
    """

    names: tuple[str, ...]
    scored: int
    places: IntArray
    groups: tuple[IntArray, ...]

    @property
    def shared(self) -> int:
        """How many scored topics were judged twice."""
        return int((self.places < self.scored).sum())


def sort_topics(scored: Sequence[str], paired: Sequence[str] = ()) -> TopicKinds:
    """Topics of a kind are compared with the mean of their own kind; all are one where a kind has a single topic.

    >>> [group.tolist() for group in sort_topics(["q1", "q2", "q3", "q4"], ["q3", "q4"]).groups]
    [[2, 3], [0, 1]]
    >>> [group.tolist() for group in sort_topics(["q1", "q2", "q3"], ["q2", "q3", "q9"]).groups]
    [[0, 1, 2, 3]]
    """
    place = {name: at for at, name in enumerate(scored)}
    for name in paired:
        place.setdefault(name, len(place))
    places = np.array([place[name] for name in paired], dtype=np.int64)
    twice = places[places < len(scored)]
    kinds = (twice, np.setdiff1d(np.arange(len(scored)), twice), places[places >= len(scored)])
    found = tuple(np.sort(kind) for kind in kinds if len(kind))
    groups = (np.arange(len(place)),) if any(len(kind) == 1 for kind in found) else found
    return TopicKinds(tuple(place), len(scored), places, groups)


def doubly_judged(schemes: Iterable[Scheme], scored: int) -> Disagreement | None:
    """The double judgments behind the schemes; None where one topic holds all of them, or a single topic is scored.

    Raises:
        CallError: the schemes rest on different ones.
    """
    behind = {id(scheme.disagreement): scheme.disagreement for scheme in schemes if scheme.disagreement is not None}
    if len(behind) > 1:
        raise CallError("Gains that are compared must rest on the same double judgments. Compare others one by one.")
    model = next(iter(behind.values()), None)
    return None if model is None or min(len(model.counts.topics), scored) < 2 else model


@dataclass(frozen=True, eq=False)
class Replicates:
    """Mean scores of the runs, as they are and without each topic.

    Args:
        estimate: from all topics, shape [runs].
        joint: shape [topics scored or judged twice, runs].
        names: of these topics.
        groups: places in `joint` of topics of a kind: judged twice, once, or judged twice and not scored.
        topics: shape [scored topics, runs].
        parameters: shape [doubly judged topics, runs]; empty where the gains are given or made elsewhere.
        slopes: mean ds/dg, 0 for a level whose gain is not estimated; shape [runs, levels].
        noise: `p_i (1 - p_i) b_ti / B_i^2`, the binomial variance that a topic's second opinions bring, shape [doubly
            judged topics, levels]; empty where `parameters` are.
        root: rows of a square root of the parameters' covariance, shape [rows, levels], for a model made elsewhere.
        doubles: on how many doubly judged topics the gains rest; 0 for gains that are given.
        people: what people add; None where the intervals are over topics.
    """

    estimate: FloatArray
    joint: FloatArray
    names: tuple[str, ...]
    groups: tuple[IntArray, ...]
    topics: FloatArray
    parameters: FloatArray
    slopes: FloatArray
    noise: FloatArray
    root: FloatArray
    doubles: int
    people: GainPeople | None = None

    @property
    def estimated(self) -> bool:
        """Whether the gains are."""
        return self.doubles > 0


def leave_out_topics(
    scored: ScoredRuns,
    scheme: Scheme,
    values: FloatArray,
    kinds: TopicKinds,
    people: GainPeople | None = None,
    *,
    moving: bool = True,
) -> Replicates:
    """Mean scores without each topic in turn.

    `joint_(t) = 1/(T-1) sum over t' but t of s(t', g_(t))`, where g_(t) are the gains from the double judgments of all
    topics but t.

    Args:
        scored: the runs.
        scheme: the gains.
        values: the scores as they are, shape [runs, topics].
        kinds: the topics.
        people: what people add to the scheme's gains.
        moving: whether the double judgments are on topics enough to be left out one at a time.
    """
    runs, count = values.shape
    held = leave_out_each(values.T) / max(count - 1, 1)
    whole = scheme.gains.values
    levels, step = moving_levels(scheme)
    size = len(whole)
    here = moving and scheme.rule is not None and scheme.disagreement is not None
    given = Replicates(
        estimate=values.mean(axis=1),
        joint=np.concatenate([held, np.tile(values.mean(axis=1), (len(kinds.names) - count, 1))]),
        names=kinds.names,
        groups=(np.arange(count),),
        topics=held,
        parameters=np.empty((0, runs)),
        slopes=np.zeros((runs, size)),
        noise=np.empty((0, size)),
        root=np.empty((0, size)),
        doubles=0,
    )
    if not is_estimated(scheme) or not (here or scheme.fitted is not None):
        return given
    slopes, joint = np.zeros((runs, size)), given.joint.copy()
    if not here:
        assert scheme.fitted is not None
        for run in range(runs):
            slopes[run, levels] = scored.slopes(run, levels, step).mean(axis=1)
        return replace(given, slopes=slopes, root=scheme.fitted.root(), doubles=scheme.fitted.topics, people=people)
    moved, noise = move_gains(scheme)
    parameters = np.empty((len(moved), runs))
    inside = kinds.places < count
    at = kinds.places[inside]
    for run in range(runs):
        slope = scored.slopes(run, levels, step)
        slopes[run, levels] = slope.mean(axis=1)
        parameters[:, run] = given.estimate[run] + moved @ slopes[run]
        joint[kinds.places, run] = parameters[:, run]
        own = values[run, at] + (moved[inside][:, levels] * slope[:, at].T).sum(axis=1)
        joint[at, run] = (count * parameters[inside, run] - own) / (count - 1)
    return replace(
        given,
        joint=joint,
        groups=kinds.groups,
        parameters=parameters,
        slopes=slopes,
        noise=noise,
        doubles=len(moved),
        people=people,
    )


def move_gains(scheme: Scheme) -> tuple[FloatArray, FloatArray]:
    """By how much the gains move without each doubly judged topic, and `p (1 - p) b_t / B^2`; shape [topics, levels].

    Estimated as before: the same estimator, weights and smoothing. A level that one topic alone holds has no estimate
    without it; its gain stays as it is there, and what is not known about it is missing from every interval.

    >>> from gainsayer.model.pairs import PairCounts
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> from gainsayer.gains.schemes import prm_scheme
    >>> from gainsayer.levels import Levels
    >>> counts = PairCounts.from_matrix(Levels(("0", "1")), [[[6, 2], [0, 4]], [[8, 0], [0, 4]]])
    >>> model = estimate_disagreement(counts, estimator="one-sided")
    >>> move_gains(prm_scheme(model, model.levels.at_or_above("1")))[0].tolist()
    [[-0.125, 0.0], [0.125, 0.0]]
    """
    assert scheme.disagreement is not None
    pairs, whole = scheme.disagreement.pairs, scheme.gains.values
    moved = gains_from_counts(scheme, leave_out_each(pairs)) - whole
    judged = pairs.sum(axis=2)
    total = judged.sum(axis=0)
    noise = share_of(single_variance(scheme) * judged, total**2, empty=0.0)
    return moved, noise


def gains_from_counts(scheme: Scheme, pairs: FloatArray) -> FloatArray:
    """The gains that these counts give, as they are where a level has none; shape [..., levels]."""
    assert scheme.rule is not None
    assert scheme.disagreement is not None
    values = scheme.rule(scheme.disagreement.apply(pairs))
    return np.where(np.isfinite(values), values, scheme.gains.values)


def single_variance(scheme: Scheme) -> FloatArray:
    """p (1 - p) of each level's gain, 0 for those that are not estimated; shape [levels]."""
    whole = scheme.gains.values
    levels, _ = moving_levels(scheme)
    spread = np.zeros(len(whole))
    spread[levels] = whole[levels] * (1 - whole[levels])
    return spread


def moving_levels(scheme: Scheme) -> tuple[IntArray, FloatArray]:
    """The levels whose gain is estimated, and neither 0 nor 1, and the step of their central differences."""
    whole = scheme.gains.values
    if scheme.fitted is None and scheme.estimated is None:
        return np.empty(0, dtype=np.int64), np.empty(0)
    step = np.minimum(STEP, np.minimum(whole, 1 - whole))
    levels = np.flatnonzero(_moving(scheme) & (step > 0))
    return levels, step[levels]


def is_estimated(scheme: Scheme) -> bool:
    """Whether the gain of any level is estimated, here or elsewhere."""
    return (scheme.fitted is not None or scheme.estimated is not None) and bool(_moving(scheme).any())


def _moving(scheme: Scheme) -> npt.NDArray[np.bool_]:
    """Which levels have a gain that is estimated."""
    if scheme.fitted is not None:
        return np.asarray(np.isfinite(np.diagonal(scheme.fitted.covariance)))
    assert scheme.estimated is not None
    return np.asarray(scheme.estimated)
