"""The double judgments that estimated gains rest on, and by how much the gains move without those of one topic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gainsayer.comparison.replicates import move_gains, moving_levels
from gainsayer.errors import CallError
from gainsayer.gains.schemes import Scheme
from gainsayer.rankings.ranked_levels import FloatArray


@dataclass(frozen=True, eq=False)
class Basis:
    """The double judgments that all estimated gains rest on.

    Args:
        topics: names of the doubly judged topics; none where nothing is estimated anew.
        pairs: of each topic, shape [topics, levels, levels].
        total: of all topics, wherever they are held; shape [levels, levels].
    """

    topics: tuple[str, ...]
    pairs: FloatArray
    total: FloatArray


def find_basis(schemes: Iterable[Scheme], scored: int) -> Basis:
    """The double judgments behind the schemes; none where one topic holds all of them, or a single topic is scored.

    Raises:
        CallError: the schemes rest on different ones.
    """
    behind = {id(scheme.disagreement): scheme.disagreement for scheme in schemes if scheme.disagreement is not None}
    if len(behind) > 1:
        raise CallError("Gains that are compared must rest on the same double judgments. Compare others one by one.")
    model = next(iter(behind.values()), None)
    if model is None or min(len(model.counts.topics), scored) < 2:
        return Basis((), np.empty((0, 0, 0)), np.empty((0, 0)))
    return Basis(model.counts.topics, model.pairs, model.pairs.sum(axis=0))


def hold_gains(scheme: Scheme) -> Scheme:
    """The same gains, taken as given."""
    return replace(scheme, disagreement=None, rule=None, estimated=None)


@dataclass(frozen=True, eq=False)
class DoubleJudgments:
    """What the double judgments of some topics bring.

    Args:
        topics: their names.
        moves: by how much the gain of each level changes without a topic's double judgments; shape [topics, levels].
        shares: of each level's second opinions that a topic has, shape [topics, levels].
    """

    topics: tuple[str, ...]
    moves: FloatArray
    shares: FloatArray


def find_moves(scheme: Scheme, topics: Sequence[str], pairs: FloatArray, total: FloatArray) -> DoubleJudgments:
    """By how much the gains move without each of these topics, from its own pairs and the total of all topics.

    Args:
        scheme: the gains; where they are given, or made elsewhere, nothing moves.
        topics: doubly judged ones.
        pairs: of these topics, as in `Disagreement.pairs`; shape [topics, levels, levels].
        total: of all doubly judged topics, shape [levels, levels].
    """
    levels, _ = moving_levels(scheme)
    if scheme.rule is None or not len(levels):
        nothing = np.empty((len(topics), 0 if scheme.fitted is None else len(levels)))
        return DoubleJudgments(tuple(topics), np.zeros_like(nothing), np.zeros_like(nothing))
    moved = move_gains(scheme, pairs, total)
    judged, whole = pairs.sum(axis=2)[:, levels], total.sum(axis=1)[levels]
    shares = np.divide(judged, whole, out=np.zeros_like(judged), where=whole > 0)
    return DoubleJudgments(tuple(topics), moved[:, levels], shares)
