"""Sums over topics from which a whole comparison follows, so that no array over topics and pairs of runs is needed.

With very many topics a jackknife's replicates are linear in what a topic brings: its scores, and by how much the gains
move without its double judgments (`find_moves`). Their means, squares and products over topics of a kind are then all
that intervals, p-values and ranks depend on (`summed_errors`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gainsayer.comparison.double_judgments import Basis, DoubleJudgments, find_moves, hold_gains
from gainsayer.comparison.hashed_draws import WordArray, hashed_signs, name_keys, poisson_weights
from gainsayer.comparison.mean_scores import ScoredRuns
from gainsayer.comparison.replicates import moving_levels
from gainsayer.comparison.sign_flips import FEWEST_FLIPS
from gainsayer.comparison.topic_blocks import Node, add_up, count_bits, find_blocks, join_nodes
from gainsayer.errors import CallError
from gainsayer.gains.schemes import Scheme
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

# Above so many scored topics a comparison is made of sums over topics.
MOST_LEFT_OUT = 4_096
# Patterns times topics times runs, which take some ten seconds.
MOST_WORK = 100_000_000_000
# Patterns times runs, which are held in memory some times over.
MOST_CELLS = 2_000_000
# A spread of tau needs no more samples, and each of them costs as much as a sign pattern.
MOST_DRAWS = 2_000
_CHUNK, _TOPICS = 512, 4_096  # patterns or draws, and topics at a time
_DIGITS = 36  # bits that are kept of what signs and weights are multiplied with: their sums are then exact
TWICE, ONCE, UNSCORED = "twice", "once", "unscored"
KINDS = (TWICE, ONCE, UNSCORED)


@dataclass(frozen=True)
class SumPlan:
    """What all who sum up topics must agree on.

    Args:
        topics: how many topics are scored, all together.
        runs: how many runs.
        patterns: sign patterns for all pairs at once; 0 for none.
        draws: samples of topics for the interval of tau; 0 for none.
        seed: of both.
    """

    topics: int
    runs: int
    patterns: int
    draws: int
    seed: int

    @property
    def bits(self) -> int:
        """k of the 2^k blocks."""
        return count_bits(self.topics)


def plan_sums(topics: int, runs: int, *, pairs: int, permutations: int, draws: int, seed: int) -> SumPlan:
    """How many patterns and draws so many topics and runs can have.

    Args:
        topics: how many are scored, all together.
        runs: how many.
        pairs: how many are compared; a single one needs no patterns.
        permutations: patterns asked for; beyond `MOST_WORK` and `MOST_CELLS` fewer are made, down to `FEWEST_FLIPS`.
        draws: samples asked for; 0 where no measure has two kinds of gains.
        seed: of both.

    >>> plan_sums(500_000, 100, pairs=4_950, permutations=10_000, draws=0, seed=0).patterns
    2000
    """
    most = max(FEWEST_FLIPS, min(MOST_WORK // max(1, topics * runs), MOST_CELLS // max(1, runs)))
    patterns = min(permutations, most) if pairs > 1 else 0
    return SumPlan(topics, runs, patterns, min(draws, MOST_DRAWS), seed)


@dataclass(frozen=True, eq=False)
class KindSums:
    """Sums over topics of one kind: judged twice, once, or judged twice and not scored.

    A topic's *columns* are its scores s [runs], then its moves m [levels]: by how much the gain of each level changes
    without its double judgments; 0 for what a topic of the kind does not have.

    Args:
        count: how many topics, shape [1].
        total: of the columns, shape [columns].
        squares: `sum (d - mean d)^2` of the differences d of every two runs, a last run being one that scores 0 on
            every topic, so that the last column is about the runs themselves; shape [runs + 1, runs + 1]. Products of
            runs would do on paper; but the difference of two that are nearly equal would be lost in rounding.
        products: `sum (m - mean) (column - mean)`, shape [levels, columns].
        slopes: ds/dg, shape [levels, runs].
        highest: score of a run, shape [runs].
        second: `sum h_i h_j` of the shares h of a level's second opinions that a topic has, shape [levels, levels].
        fourth: `sum h_i h_j h_k h_l`, shape [levels^2, levels^2].
        signed: in each sign pattern, the sum of the signs, and of the columns times the signs; [patterns, 1 + columns].
        drawn: the same with the weights of each draw, shape [draws, 1 + columns].
    """

    count: IntArray
    total: FloatArray
    squares: FloatArray
    products: FloatArray
    slopes: FloatArray
    highest: FloatArray
    second: FloatArray
    fourth: FloatArray
    signed: FloatArray
    drawn: FloatArray

    @property
    def topics(self) -> int:
        """How many."""
        return int(self.count[0])

    @property
    def mean(self) -> FloatArray:
        """Of the columns."""
        return np.asarray(self.total / self.topics)


def add_kinds(one: KindSums, other: KindSums) -> KindSums:
    """The sums over both; squares about the common mean gain `n n' / (n + n')` times the squared distance of means."""
    apart = other.mean - one.mean
    weight = one.topics * other.topics / (one.topics + other.topics)
    levels = len(one.slopes)
    runs = np.append(apart[: len(apart) - levels], 0.0)
    return KindSums(
        count=one.count + other.count,
        total=one.total + other.total,
        squares=one.squares + other.squares + weight * (runs[:, None] - runs) ** 2,
        products=one.products + other.products + weight * apart[len(apart) - levels :, None] * apart,
        slopes=one.slopes + other.slopes,
        highest=np.maximum(one.highest, other.highest),
        second=one.second + other.second,
        fourth=one.fourth + other.fourth,
        signed=one.signed + other.signed,
        drawn=one.drawn + other.drawn,
    )


BlockSums = dict[str, KindSums]


def _add_blocks(one: BlockSums, other: BlockSums) -> BlockSums:
    found = {}
    for kind in KINDS:
        if kind in one and kind in other:
            found[kind] = add_kinds(one[kind], other[kind])
        elif kind in one or kind in other:
            found[kind] = one[kind] if kind in one else other[kind]
    return found


@dataclass(frozen=True, eq=False)
class TopicSums:
    """Sums over some of the topics, or all, for one measure and one scheme of gains.

    Args:
        plan: what they were made by.
        nodes: of the tree of blocks, as far as they are added up; each with the kinds of topics that it has.
    """

    plan: SumPlan
    nodes: Mapping[Node, BlockSums]

    def whole(self) -> BlockSums:
        """All of it added up, by kind of topics.

        Raises:
            CallError: topics are lacking.
        """
        found = add_up(self.nodes, _add_blocks) if self.nodes else {}
        scored = sum(found[kind].topics for kind in (TWICE, ONCE) if kind in found)
        if scored != self.plan.topics:
            raise CallError(
                f"The sums are over {scored:,} of {self.plan.topics:,} scored topics: some were not joined."
            )
        return found


def find_slopes(scored: ScoredRuns, scheme: Scheme) -> FloatArray:
    """How the scores answer to the gain of each level, by central differences, run by run; [levels, runs, topics]."""
    levels, step = moving_levels(scheme)
    whole = scheme.gains.values
    slopes = np.empty((len(levels), len(scored.ranked), len(scored.chosen)))
    if len(levels):
        sides = np.concatenate([whole + sign * np.eye(len(whole))[levels] * step[:, None] for sign in (1, -1)])
        for run in range(len(scored.ranked)):
            up, down = np.split(replace(scored, ranked=scored.ranked[run : run + 1]).tables(sides)[:, 0], 2)
            slopes[:, run] = (up - down) / (2 * step[:, None])
    return slopes


def sum_topics(
    topics: Sequence[str],
    scores: FloatArray,
    slopes: FloatArray,
    doubles: DoubleJudgments,
    plan: SumPlan,
) -> TopicSums:
    """The sums over these topics, which must be whole blocks (`find_blocks` with the plan's bits).

    Args:
        topics: names of the scored topics at hand.
        scores: shape [runs, topics].
        slopes: how they answer to the gains (`find_slopes`), shape [levels, runs, topics]; no level for given gains.
        doubles: the doubly judged topics at hand, scored or not (`find_moves`).
        plan: the same for all parts.

    >>> scores = np.random.default_rng(0).uniform(0, 1, (2, 5_000))
    >>> names = [f"q{at}" for at in range(5_000)]
    >>> nobody = DoubleJudgments((), np.empty((0, 0)), np.empty((0, 0)))
    >>> found = sum_topics(names, scores, np.empty((0, 2, 5_000)), nobody, SumPlan(5_000, 2, 0, 0, 0)).whole()
    >>> bool(np.allclose(found["once"].mean, scores.mean(axis=1)))
    True
    """
    levels, runs = slopes.shape[:2]
    place = {name: at for at, name in enumerate(topics)}
    twice = {name: at for at, name in enumerate(doubles.topics)}
    names = sorted([*topics, *(name for name in doubles.topics if name not in place)])
    block = find_blocks(names, plan.bits)
    members = np.split(np.argsort(block, kind="stable"), np.flatnonzero(np.diff(np.sort(block))) + 1)
    scored = np.array([place.get(name, -1) for name in names], dtype=np.int64)
    paired = np.array([twice.get(name, -1) for name in names], dtype=np.int64)
    keys = name_keys(names)

    def sum_block(here: IntArray) -> BlockSums:
        found = {}
        for kind, chosen in (
            (TWICE, (scored[here] >= 0) & (paired[here] >= 0)),
            (ONCE, (scored[here] >= 0) & (paired[here] < 0)),
            (UNSCORED, scored[here] < 0),
        ):
            if chosen.any():
                some = here[chosen]
                columns = np.zeros((runs + levels, len(some)))
                shares, answers = np.zeros((levels, len(some))), np.zeros((levels, runs))
                highest = np.full(runs, -np.inf)
                if kind != UNSCORED:
                    columns[:runs] = scores[:, scored[some]]
                    answers = np.ascontiguousarray(slopes[:, :, scored[some]]).sum(axis=2)
                    highest = columns[:runs].max(axis=1)
                if kind != ONCE:
                    columns[runs:] = doubles.moves[paired[some]].T
                    shares = np.ascontiguousarray(doubles.shares[paired[some]].T)
                found[kind] = _sum_kind(columns, runs, shares, answers, highest, keys[some], plan)
        return found

    blocks = (((0, int(block[here[0]])), sum_block(here)) for here in members if len(here))
    return TopicSums(plan, join_nodes(blocks, _add_blocks))


def sum_part(
    scheme: Scheme, prepared: ScoredRuns, topics: Sequence[str], values: FloatArray, basis: Basis, plan: SumPlan
) -> TopicSums:
    """The sums over the topics at hand by one measure and scheme.

    Args:
        scheme: the gains.
        prepared: the runs on these topics.
        topics: the scored topics at hand, which must be whole blocks.
        values: their scores, shape [runs, topics].
        basis: the doubly judged topics at hand, with the total of all.
        plan: the same for all parts.
    """
    held = scheme if basis.total.size or scheme.fitted is not None else hold_gains(scheme)
    moves = find_moves(held, basis.topics, basis.pairs, basis.total)
    return sum_topics(topics, values, find_slopes(prepared, held), moves, plan)


def _sum_kind(
    columns: FloatArray,
    runs: int,
    shares: FloatArray,
    slopes: FloatArray,
    highest: FloatArray,
    keys: WordArray,
    plan: SumPlan,
) -> KindSums:
    """The sums over the topics of a block and kind; columns [columns, topics], shares [levels, topics].

    Not `@`, but for exact sums: what BLAS adds up in which order depends on the number of threads.
    """
    total = columns.sum(axis=1)
    centred = columns - (total / columns.shape[1])[:, None]
    by_run = np.concatenate([centred[:runs], np.zeros((1, columns.shape[1]))])
    squares = np.zeros((runs + 1, runs + 1))
    for run in range(runs):
        apart = by_run[run + 1 :] - by_run[run]
        squares[run, run + 1 :] = np.einsum("rt,rt->r", apart, apart)
    two = np.einsum("it,jt->ijt", shares, shares).reshape(len(shares) ** 2, columns.shape[1])
    exact = cut_columns(columns)
    return KindSums(
        count=np.array([columns.shape[1]], dtype=np.int64),
        total=total,
        squares=squares + squares.T,
        products=np.einsum("lt,ct->lc", centred[runs:], centred),
        slopes=slopes,
        highest=highest,
        second=two.sum(axis=1).reshape(len(shares), len(shares)),
        fourth=np.einsum("it,jt->ij", two, two),
        signed=_weigh(exact, keys, hashed_signs, plan.patterns, plan.seed),
        drawn=_weigh(exact, keys, poisson_weights, plan.draws, plan.seed),
    )


def cut_columns(columns: FloatArray) -> FloatArray:
    """1, and the columns with all but their first bits cut off; shape [topics, 1 + columns].

    Their sums, times whole numbers of up to 8, are then exact, and BLAS may add in whatever order.
    """
    largest = np.abs(columns).max(axis=1, initial=0.0)
    digits = min(_DIGITS, 49 - columns.shape[1].bit_length())
    unit = np.ldexp(1.0, np.frexp(largest)[1] - digits)[:, None]
    return np.concatenate([np.ones((1, columns.shape[1])), np.rint(columns / unit) * unit]).T


def _weigh(
    exact: FloatArray, keys: WordArray, draw: Callable[[WordArray, range, int], FloatArray], count: int, seed: int
) -> FloatArray:
    """Sums over topics times what each of them draws; shape [count, 1 + columns]. In pieces, as the sums are exact."""
    found = np.zeros((count, exact.shape[1]))
    for start in range(0, count, _CHUNK):
        part = range(start, min(start + _CHUNK, count))
        for topic in range(0, len(keys), _TOPICS):
            some = slice(topic, topic + _TOPICS)
            found[part.start : part.stop] += draw(keys[some], part, seed) @ exact[some]
    return found
