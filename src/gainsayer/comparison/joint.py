"""The joint bootstrap: mean scores of all runs, had other topics been drawn, with parameters estimated from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.resampling import TopicResamples
from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.parts import Parts, linear_parts
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

Progress = Callable[[float], None]
BLOCK_CELLS = 1 << 22


@dataclass(frozen=True, eq=False)
class ScoreDraws:
    """Mean scores of the runs in each draw, all runs from the same topics and gains, so that differences are paired.

    Args:
        estimate: from the data as they are, shape [runs].
        joint: topics and parameters drawn together, shape [draws, runs].
        topics: topics drawn, gains as estimated, shape [draws, runs].
        parameters: gains drawn, topics as they are, shape [draws, runs]; None where the gains are not estimated.
        topics_drawn: how many scored topics there were to draw from.
        pairs_drawn: how many doubly judged topics.
    """

    estimate: FloatArray
    joint: FloatArray
    topics: FloatArray
    parameters: FloatArray | None
    topics_drawn: int
    pairs_drawn: int

    @property
    def rests_on(self) -> int:
        """On how many topics the joint doubt rests: the doubly judged ones, where these are fewer.

        Cautious for differences, which the parameters often hardly touch: with few doubly judged topics their intervals
        are wider than they need be. Satterthwaite's number in between covered less than it should.
        """
        return self.topics_drawn if self.parameters is None else min(self.topics_drawn, self.pairs_drawn)


def resample_scores(
    ranked: Sequence[RankedLevels],
    measure: Measure,
    gains: Gains,
    resamples: TopicResamples,
    *,
    drawn: Gains | None = None,
    kept: npt.NDArray[np.bool_] | None = None,
    unjudged_as_lowest: bool = False,
    zero: npt.NDArray[np.bool_] | None = None,
    pairs_drawn: int | None = None,
    progress: Progress | None = None,
) -> ScoreDraws:
    """Score all runs in every draw of topics, each with the gains estimated from the same draw (spec 2.8).

    `score[d, run] = sum_t w[d, t] s(run, t, g[d]) / sum_t w[d, t]`. A linear measure goes through its level profile, so
    that all draws of all runs are one product; others are scored in blocks of bounded memory. The doubt it shows is
    that of drawing topics: assessors, documents of a topic and the choice of pool are taken as they are.

    Args:
        ranked: the runs.
        measure: what to compute.
        gains: as estimated, shape [levels].
        resamples: the draws; `resamples.scored` are topics of the runs.
        drawn: the gains of each draw that is kept, shape [draws kept, levels]; None for gains that are given.
        kept: which draws count; those in which a level had no pair do not. All of them by default.
        unjudged_as_lowest: whether an unjudged document is worth what one of the lowest level is, in each draw.
        zero: topics that count 0 whatever the list holds; shape [topics].
        pairs_drawn: on how many doubly judged topics the drawn gains rest; those of the resamples by default.
        progress: is told the share that is done.

    >>> from gainsayer.comparison.resampling import resample_topics
    >>> from gainsayer.gains import linear_gains
    >>> from gainsayer.levels import Levels
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({"q1": [1], "q2": [0]}, {"q1": [1, 1], "q2": [1, 1]}, levels=Levels(("0", "1")))
    >>> resamples = resample_topics(ranked.topics, draws=4)
    >>> resample_scores([ranked], parse_measure("P@1"), linear_gains(ranked.levels), resamples).joint.ravel().tolist()
    [0.5, 0.5, 0.0, 0.0]
    """
    known = np.ones(resamples.draws, dtype=bool) if kept is None else kept
    if drawn is not None and len(drawn.values) != int(known.sum()):
        raise CallError(f"{int(known.sum())} draws need as many gains, found {len(drawn.values)}.")
    place = {name: at for at, name in enumerate(ranked[0].topics)}
    chosen = np.array([place[name] for name in resamples.scored], dtype=np.int64)
    fixed = np.stack([measure.score(run, gains) for run in ranked])[:, chosen]
    alive = np.ones(len(chosen)) if zero is None else (~zero[chosen]).astype(np.float64)
    fixed = fixed * alive
    scorer = None if drawn is None else _scorer(ranked, measure, drawn, chosen, alive, unjudged_as_lowest)
    total = int(known.sum())
    shape = (total, len(ranked))
    joint, topics = np.empty(shape), np.empty(shape)
    parameters = None if scorer is None else np.empty(shape)
    done = 0
    for which, weights, _ in resamples.blocks():
        weights = weights[known[which]]
        weights = weights / weights.sum(axis=1, keepdims=True)
        part = slice(done, done + len(weights))
        topics[part] = np.einsum("dt,rt->dr", weights, fixed)
        if scorer is not None and parameters is not None:
            joint[part], parameters[part] = scorer(part, weights)
        done = part.stop
        if progress is not None:
            progress(min(which.stop / resamples.draws, 1.0))
    return ScoreDraws(
        estimate=fixed.mean(axis=1),
        joint=topics if parameters is None else joint,
        topics=topics,
        parameters=parameters,
        topics_drawn=len(resamples.scored),
        pairs_drawn=len(resamples.paired) if pairs_drawn is None else pairs_drawn,
    )


_Scorer = Callable[[slice, FloatArray], tuple[FloatArray, FloatArray]]


def _scorer(
    ranked: Sequence[RankedLevels],
    measure: Measure,
    drawn: Gains,
    chosen: npt.NDArray[np.int64],
    alive: FloatArray,
    unjudged_as_lowest: bool,
) -> _Scorer:
    """What scores a block of draws: (which of the gains, weights [draws, topics]) to joint and parameters alone."""
    parts = linear_parts(measure)
    if parts is None:
        return _by_evaluation(ranked, measure, drawn, chosen, alive, unjudged_as_lowest)
    unjudged = np.full(len(drawn.values), drawn.unjudged)
    if unjudged_as_lowest:
        unjudged = drawn.values[:, drawn.levels.lowest]
    worth = np.concatenate([drawn.values, unjudged[:, None]], axis=1)
    measure.check(drawn)
    # Runs with the same pool share their ideal lists.
    families: dict[tuple[bytes, ...], list[int]] = {}
    for at, run in enumerate(ranked):
        families.setdefault(_pool_of(run), []).append(at)
    profiles = [np.stack([parts.profile(ranked[at])[chosen] for at in members]) for members in families.values()]

    def score(part: slice, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        joint = np.empty((len(weights), len(ranked)))
        alone = np.empty_like(joint)
        for members, profile in zip(families.values(), profiles, strict=True):
            share = _inverse(parts, ranked[members[0]], drawn.values[part])[..., chosen] * alive
            joint[:, members] = _product(weights * share, worth[part], profile)
            even = np.broadcast_to(share / len(chosen), weights.shape)
            alone[:, members] = _product(even, worth[part], profile)
        return joint, alone

    return score


def _pool_of(run: RankedLevels) -> tuple[bytes, ...]:
    """What a run's ideal lists depend on, as a key; with duplicates pools may differ between runs."""
    choices = (run.choice_topic, run.choice_levels)
    return (run.pool.tobytes(), *(b"" if choice is None else choice.tobytes() for choice in choices))


def _inverse(parts: Parts, ranked: RankedLevels, gains: FloatArray) -> FloatArray:
    """1 / divisor per draw and topic, 0 where the divisor is 0, so that such a topic counts 0."""
    if parts.divisor is None:
        return np.ones((len(gains), len(ranked.topics)))
    divisor = parts.divisor(ranked, gains)
    return np.divide(1.0, divisor, out=np.zeros_like(divisor), where=divisor > 0)


def _product(weights: FloatArray, worth: FloatArray, profile: FloatArray) -> FloatArray:
    """sum over topics and levels of weights[d, t] worth[d, l] profile[r, t, l], in pieces of topics."""
    used = profile.any(axis=(0, 1)) & worth.any(axis=0)  # such as no unjudged documents, or unjudged worth nothing
    worth, profile = worth[:, used], profile[:, :, used]
    draws, levels = worth.shape
    step = max(1, BLOCK_CELLS // max(1, draws * max(1, levels)))
    total = np.zeros((draws, len(profile)))
    for start in range(0, profile.shape[1], step):
        piece = slice(start, start + step)
        cells = (weights[:, piece, None] * worth[:, None, :]).reshape(draws, -1)
        # Not `@`: what BLAS adds up in which order depends on the number of threads.
        total += np.einsum("dc,rc->dr", cells, profile[:, piece].reshape(len(profile), -1))
    return total


def _by_evaluation(
    ranked: Sequence[RankedLevels],
    measure: Measure,
    drawn: Gains,
    chosen: npt.NDArray[np.int64],
    alive: FloatArray,
    unjudged_as_lowest: bool,
) -> _Scorer:
    """Any measure: each run scored with the gains of a few draws at a time."""
    from dataclasses import replace

    # Random users see an unjudged document as no part of the pool: its worth stays what was estimated.
    if unjudged_as_lowest and measure.users is None:
        from gainsayer.measures.expansion import take_unjudged_as

        ranked = [take_unjudged_as(run, drawn.levels.lowest, measure.depth) for run in ranked]
        drawn = replace(drawn, unjudged=0.0)

    def score(part: slice, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        joint = np.empty((len(weights), len(ranked)))
        alone = np.empty_like(joint)
        for at, run in enumerate(ranked):
            step = max(1, BLOCK_CELLS // 4 // max(1, len(run.topic), len(run.topics)))
            for start in range(0, len(weights), step):
                piece = slice(start, min(start + step, len(weights)))
                some = replace(drawn, values=drawn.values[part.start + piece.start : part.start + piece.stop])
                table = measure.score(run, some)[:, chosen] * alive
                joint[piece, at] = np.einsum("dt,dt->d", table, weights[piece])
                alone[piece, at] = table.mean(axis=1)
        return joint, alone

    return score
