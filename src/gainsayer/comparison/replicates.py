"""Replicates of the whole pipeline: what the mean scores would be without each topic, and with topics drawn again.

Three sets come from leaving out one topic at a time. *joint*: a topic is left out of the mean of the scores, and of the
double judgments where it has any, so that p(R|i), the gains and the scores follow. *topics*: out of the mean alone, the
gains held. *parameters*: out of the double judgments alone, the scored topics held. Everything that is said about
scores, differences, ranks and where the uncertainty comes from is made of these three. Only tau needs whole samples of
topics: leaving out one topic exchanges few pairs of runs, so that a jackknife of tau is far too wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gainsayer.comparison.mean_scores import ScoredRuns
from gainsayer.gains.schemes import Scheme
from gainsayer.model.jackknife import DUST, leave_out_each
from gainsayer.model.resampling import check_draws, draw_topics
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

# From so many doubly judged topics on, leaving one out moves the gains so little that their first order is enough.
MANY_TOPICS = 500
STEP = 1e-4


@dataclass(frozen=True, eq=False)
class TopicKinds:
    """Topics by what was done with them.

    Args:
        scored: names of the scored topics.
        places: of the doubly judged topics: the scored topics come first, then the others.
        groups: places of topics of a kind: judged twice, once, or judged twice and not scored.
    """

    scored: tuple[str, ...]
    places: IntArray
    groups: tuple[IntArray, ...]

    @property
    def shared(self) -> int:
        """How many scored topics were judged twice."""
        return int((self.places < len(self.scored)).sum())


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
    return TopicKinds(tuple(scored), places, groups)


@dataclass(frozen=True, eq=False)
class Parameters:
    """What the gains rest on, and how the scores answer to them.

    Args:
        levels: those whose gain is estimated, and neither 0 nor 1.
        slope: ds/dg of each run and topic, shape [levels, runs, topics].
        up: mean scores with the gain of one level raised by its step, shape [levels, runs].
        down: the same lowered.
        step: shape [levels].
        noise: `p_i (1 - p_i) b_ti / B_i^2`, the binomial variance that a topic's second opinions bring, shape
            [doubly judged topics, levels]; empty for a model made elsewhere.
        root: columns of a square root of the parameters' covariance, shape [columns, levels], for a model made
            elsewhere; empty where the topics are at hand.
        topics: on how many doubly judged topics they rest.
    """

    levels: IntArray
    slope: FloatArray
    up: FloatArray
    down: FloatArray
    step: FloatArray
    noise: FloatArray
    root: FloatArray
    topics: int


@dataclass(frozen=True, eq=False)
class Replicates:
    """Mean scores of the runs, as they are and without each topic.

    Args:
        estimate: from all topics, shape [runs].
        joint: shape [topics scored or judged twice, runs].
        groups: places in `joint` of topics of a kind: judged twice, once, or judged twice and not scored.
        topics: shape [scored topics, runs].
        parameters: shape [doubly judged topics, runs]; empty where the gains are given or made elsewhere.
        behind: the parameters behind the gains; None for gains that are given.
    """

    estimate: FloatArray
    joint: FloatArray
    groups: tuple[IntArray, ...]
    topics: FloatArray
    parameters: FloatArray
    behind: Parameters | None


@dataclass(frozen=True, eq=False)
class GainReplicates:
    """The gains without each doubly judged topic.

    Args:
        values: shape [doubly judged topics, levels]; as estimated where a level has no pair left.
        noise: `p_i (1 - p_i) b_ti / B_i^2`, shape [doubly judged topics, levels].
    """

    values: FloatArray
    noise: FloatArray


def leave_out_pairs(scheme: Scheme) -> GainReplicates:
    """The gains of a scheme without the double judgments of each topic in turn.

    Estimated as before: the same estimator, weights and smoothing. A level that one topic alone holds has no estimate
    without it; its gain stays as it is there, and what is not known about it is missing from every interval.

    >>> from gainsayer.model.pair_counts import PairCounts
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> from gainsayer.gains.schemes import prm_scheme
    >>> from gainsayer.levels import Levels
    >>> counts = PairCounts.from_matrix(Levels(("0", "1")), [[[6, 2], [0, 4]], [[8, 0], [0, 4]]])
    >>> model = estimate_disagreement(counts, estimator="one-sided")
    >>> leave_out_pairs(prm_scheme(model, model.levels.at_or_above("1"))).values.tolist()
    [[0.0, 1.0], [0.25, 1.0]]
    """
    assert scheme.disagreement is not None
    pairs = scheme.disagreement.pairs
    values = _gains_from(scheme, leave_out_each(pairs))
    whole = scheme.gains.values
    judged = pairs.sum(axis=2)
    total = judged.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        noise = np.where(total > 0, whole * (1 - whole) * judged / total**2, 0.0)
    return GainReplicates(values, noise)


def move_gains(scheme: Scheme, pairs: FloatArray, total: FloatArray) -> FloatArray:
    """By how much the gains move without each topic, from its own pairs and the total of all; shape [topics, levels].

    The same as `leave_out_pairs` for some of the topics, whoever holds the others.

    Args:
        scheme: the gains, estimated.
        pairs: shape [topics, levels, levels].
        total: shape [levels, levels].
    """
    left = total - pairs
    # What weighted counts leave of a cell that one topic alone holds is rounding.
    left[left <= DUST * total] = 0.0
    return _gains_from(scheme, left) - scheme.gains.values


def _gains_from(scheme: Scheme, pairs: FloatArray) -> FloatArray:
    """The gains that these counts give, as they are where a level has none; shape [..., levels]."""
    assert scheme.rule is not None
    assert scheme.disagreement is not None
    values = scheme.rule(scheme.disagreement.apply(pairs))
    return np.where(np.isfinite(values), values, scheme.gains.values)


def leave_out_topics(
    scored: ScoredRuns,
    scheme: Scheme,
    values: FloatArray,
    kinds: TopicKinds,
    gains: GainReplicates | None,
    *,
    many: int = MANY_TOPICS,
) -> Replicates:
    """Mean scores without each topic in turn.

    `joint_(t) = 1/(T-1) sum over t' but t of s(t', g_(t))`, where g_(t) are the gains from the double judgments of all
    topics but t. With more than `many` doubly judged topics the infinitesimal form is used, `s(t', g_(t)) = s(t', g) +
    ds/dg (g_(t) - g)`: one gradient in place of a rescoring per topic, so that the work grows with the number of
    topics and not with its square.

    Args:
        scored: the runs.
        scheme: the gains.
        values: the scores as they are, shape [runs, topics].
        kinds: the topics.
        gains: without each doubly judged topic; None for gains that are given or made elsewhere.
        many: from how many doubly judged topics on the infinitesimal form serves.
    """
    count = values.shape[1]
    estimate = values.mean(axis=1)
    alone = leave_out_each(values.T) / max(count - 1, 1)
    every = (np.arange(count),)
    nothing = np.empty((0, len(values)))
    if (gains is None and scheme.fitted is None) or not is_estimated(scheme):
        return Replicates(estimate, alone, every, alone, nothing, None)
    behind = _look_behind(scored, scheme, values, gains)
    if gains is None:
        return Replicates(estimate, alone, every, alone, nothing, behind)
    if len(gains.values) > many:
        moved = gains.values[:, behind.levels] - scheme.gains.values[behind.levels]
        joint, parameters = _by_slopes(values, behind.slope, moved, kinds.places)
    else:
        joint, parameters = _by_scores(scored, gains.values, kinds.places, count)
    whole = np.concatenate([alone, np.empty((int((kinds.places >= count).sum()), len(values)))])
    whole[kinds.places] = joint
    return Replicates(estimate, whole, kinds.groups, alone, parameters, behind)


def _look_behind(scored: ScoredRuns, scheme: Scheme, values: FloatArray, gains: GainReplicates | None) -> Parameters:
    """How the scores answer to the gain of each level, by central differences."""
    whole = scheme.gains.values
    levels, step = moving_levels(scheme)
    sides = np.stack([whole + sign * np.eye(len(whole))[levels] * step[:, None] for sign in (1, -1)])
    tables = scored.tables(sides.reshape(-1, len(whole))).reshape(2, len(levels), *values.shape)
    up, down = tables.mean(axis=3)
    none = np.empty((0, len(levels)))
    if gains is None:
        assert scheme.fitted is not None
        noise, root, topics = none, scheme.fitted.root()[:, levels], scheme.fitted.topics
    else:
        noise, root, topics = gains.noise[:, levels], none, len(gains.values)
    return Parameters(
        levels=levels,
        slope=(tables[0] - tables[1]) / (2 * step[:, None, None]),
        up=up,
        down=down,
        step=step,
        noise=noise,
        root=root,
        topics=topics,
    )


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


def _moving(scheme: Scheme) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which levels have a gain that is estimated."""
    if scheme.fitted is not None:
        return np.asarray(np.isfinite(np.diagonal(scheme.fitted.covariance)))
    assert scheme.estimated is not None
    return np.asarray(scheme.estimated)


def _by_scores(scored: ScoredRuns, gains: FloatArray, places: IntArray, count: int) -> tuple[FloatArray, FloatArray]:
    """Joint and parameter replicates of the doubly judged topics, all runs scored anew with each gain vector."""
    weights = np.full((2, len(gains), count), 1 / count)
    held = np.flatnonzero(places < count)
    weights[0, held] = 1 / (count - 1)
    weights[0, held, places[held]] = 0.0
    joint, parameters = scored.means(gains, weights)
    return joint, parameters


def _by_slopes(
    values: FloatArray, slope: FloatArray, moved: FloatArray, places: IntArray
) -> tuple[FloatArray, FloatArray]:
    """The same to first order in the gains: slope [levels, runs, topics], moved [doubly judged topics, levels]."""
    count = values.shape[1]
    parameters = values.mean(axis=1) + np.einsum("dl,lr->dr", moved, slope.mean(axis=2))
    joint = parameters.copy()
    held = places < count
    at = places[held]
    own = values.T[at] + np.einsum("dl,lrd->dr", moved[held], slope[:, :, at])
    joint[held] = (count * parameters[held] - own) / (count - 1)
    return joint, parameters


@dataclass(frozen=True, eq=False)
class TopicDraws:
    """How often each topic was drawn.

    Args:
        scored: weights of the scored topics, each row summing up to 1; shape [draws, scored topics].
        paired: how often each doubly judged topic was drawn; shape [draws, doubly judged topics].
        seed: of the drawing.
    """

    scored: FloatArray
    paired: FloatArray
    seed: int


def draw_kinds(kinds: TopicKinds, *, draws: int, seed: int) -> TopicDraws:
    """Draw topics with replacement, as many as there are, each kind among itself (spec 2.8).

    Raises:
        CallError: too few or too many draws, or a negative seed.

    >>> drawn = draw_kinds(sort_topics(["q1", "q2", "q3", "q4"], ["q1", "q2"]), draws=3, seed=0)
    >>> drawn.scored.sum(axis=1).tolist(), drawn.paired.sum(axis=1).tolist()
    ([1.0, 1.0, 1.0], [2.0, 2.0, 2.0])
    """
    check_draws(draws, seed, least=2, what="resamples")
    generator = np.random.default_rng([seed, 2])
    weights = np.zeros((draws, sum(len(group) for group in kinds.groups)))
    for group in kinds.groups:
        weights[:, group] = draw_topics(generator, len(group), draws)
    part = weights[:, : len(kinds.scored)]
    return TopicDraws(part / part.sum(axis=1, keepdims=True), weights[:, kinds.places], seed)


def redraw_scores(values: FloatArray, behind: Parameters | None, scheme: Scheme, drawn: TopicDraws) -> FloatArray:
    """Mean scores of the runs on each sample of topics, with the gains that its double judgments give.

    To first order in the gains, `sum_t w_t (s_t + ds_t/dg (g* - g))`, which a spread needs no more of. A level that a
    sample lacks keeps its gain. The gains of a model made elsewhere are drawn from its covariance.

    Args:
        values: the scores as they are, shape [runs, topics].
        behind: how they answer to the gains; None for gains that are given.
        scheme: the gains.
        drawn: the samples.

    Returns:
        Shape [draws, runs].
    """
    means: FloatArray = np.einsum("dt,rt->dr", drawn.scored, values)
    if behind is None:
        return means
    if scheme.rule is not None and scheme.disagreement is not None:
        counts = np.einsum("dt,tij->dij", drawn.paired, scheme.disagreement.pairs)
        moved = (scheme.rule(scheme.disagreement.apply(counts)) - scheme.gains.values)[:, behind.levels]
    else:
        normal = np.random.default_rng([drawn.seed, 1]).standard_normal((len(means), len(behind.root)))
        moved = np.einsum("dk,kl->dl", normal, behind.root)
    moved = np.where(np.isfinite(moved), moved, 0.0)
    for level, slope in enumerate(behind.slope):
        means += moved[:, level, None] * np.einsum("dt,rt->dr", drawn.scored, slope)
    return means
