"""Sums over the topics of buckets, for comparisons that need no more: runs stay where their buckets are."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.distant_runs import (
    SumAnswer,
    SumRequest,
    answer_as_arrays,
    answer_from_arrays,
    answer_request,
)
from gainsayer.comparison.double_judgments import DoubleJudgments
from gainsayer.comparison.replicates import moving_levels
from gainsayer.comparison.topic_blocks import count_bits
from gainsayer.engines.packing import unpack
from gainsayer.engines.waists import Waist, as_judgments, as_some_runs, find_bucket, join_waists
from gainsayer.rankings.documents import label_documents
from gainsayer.rankings.labels import LabelRule, apply_rule
from gainsayer.rankings.pool import make_pool
from gainsayer.rankings.ranked_levels import RankedLevels, condense


@dataclass(frozen=True, eq=False)
class BucketQuestion:
    """What is asked of a group of buckets.

    Args:
        request: what sums are wanted.
        rule: whose labels score.
        condensed: whether unjudged documents are left out of the lists.
    """

    request: SumRequest
    rule: LabelRule
    condensed: bool


class Holders(Protocol):
    """Whoever holds the buckets of runs that were not gathered."""

    def sum_over_buckets(self, question: BucketQuestion, doubles: Sequence[DoubleJudgments]) -> SumAnswer:
        """Sums over all topics; `doubles` is what the double judgments of all topics bring."""

    def join(self, *, hits: bool = True) -> Waist:
        """One waist of all topics, with what the runs returned."""


def count_groups(topics: int, buckets: int) -> int | None:
    """How many groups buckets have to be joined to, so that each holds whole blocks of topics; None for no such number.

    Blocks are a power of two, and so are buckets where they were not chosen by hand.

    >>> count_groups(1_000_000, 256), count_groups(5_000, 256), count_groups(5_000, 3)
    (256, 8, None)
    """
    if buckets & (buckets - 1):
        return None
    return min(buckets, 1 << count_bits(topics))


def deal_doubles(doubles: Sequence[DoubleJudgments], groups: int) -> dict[int, bytes]:
    """What double judgments bring, by group of buckets, packed; groups without any are left out."""
    if not doubles or not doubles[0].topics:
        return {}
    names = np.array(doubles[0].topics)
    group = np.array([find_bucket(topic, groups) for topic in doubles[0].topics])
    dealt = {}
    for number in np.unique(group).tolist():
        inside = np.flatnonzero(group == number)
        text = "\n".join(names[inside].tolist()).encode()
        arrays: dict[str, npt.NDArray[Any]] = {"topics": np.frombuffer(text, np.uint8)}
        for place, moved in enumerate(doubles):
            arrays |= {f"moves.{place}": moved.moves[inside], f"shares.{place}": moved.shares[inside]}
        dealt[number] = _pack(arrays)
    return dealt


def answer_buckets(waists: Iterable[bytes], dealt: bytes | None, question: BucketQuestion) -> bytes:
    """The sums over the topics of some buckets, packed.

    Args:
        waists: of all buckets of a group.
        dealt: what double judgments bring there (`deal_doubles`); None where there are none.
        question: what is asked.
    """
    waist = join_waists([unpack(packed) for packed in waists])
    whole = _label_runs(waist, question.rule)
    ranked = [condense(run) for run in whole] if question.condensed else whole
    return pack_answer(answer_request(ranked, whole, question.request, _take_doubles(dealt, question)))


def _label_runs(waist: Waist, rule: LabelRule) -> list[RankedLevels]:
    """The runs on the topics of a waist that have labels, of which there may be none."""
    judged = {waist.task.assessors[place] for place in waist.judged.assessor.tolist()}
    if judged.intersection(rule.names):
        pool = make_pool(apply_rule(as_judgments(waist), rule))
        return [label_documents(run, pool) for run in as_some_runs(waist)]
    levels, none = waist.task.levels, np.empty(0, np.int32)
    nothing = RankedLevels(
        levels, (), none, none, none, np.empty(0, np.int64), np.empty(0, np.bool_), np.empty((0, len(levels)), np.int64)
    )
    return [replace(nothing, name=run.name) for run in waist.runs]


def pack_answer(answer: SumAnswer) -> bytes:
    """An answer as bytes."""
    return _pack(answer_as_arrays(answer))


def unpack_answer(packed: bytes) -> SumAnswer:
    """What `pack_answer` made bytes of."""
    return answer_from_arrays(_unpack(packed))


def _take_doubles(dealt: bytes | None, question: BucketQuestion) -> list[DoubleJudgments]:
    if dealt is None:
        widths = [len(moving_levels(part.scheme)[0]) for part in question.request.parts]
        return [DoubleJudgments((), np.empty((0, width)), np.empty((0, width))) for width in widths]
    arrays = _unpack(dealt)
    topics = tuple(arrays["topics"].tobytes().decode().split("\n"))
    places = range(len(question.request.parts))
    return [DoubleJudgments(topics, arrays[f"moves.{place}"], arrays[f"shares.{place}"]) for place in places]


def _pack(arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def _unpack(packed: bytes) -> dict[str, npt.NDArray[Any]]:
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        return dict(arrays)
