"""Runs that are held elsewhere, some topics here and others there: what is asked of whoever holds them.

With very many topics a comparison needs sums over topics alone (`topic_sums`). So nobody has to hold all runs: each
holder answers for its topics (`answer_request`), and the answers add up (`join_answers`) to what all of them would give
at once, bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.double_judgments import DoubleJudgments, find_basis, find_moves, hold_gains
from gainsayer.comparison.mean_scores import prepare_runs
from gainsayer.comparison.options import Part
from gainsayer.comparison.topic_sums import SumPlan, TopicSums, find_slopes, join_sums, sum_topics
from gainsayer.levels import Relevance
from gainsayer.measures.scoring import NoRelevant, score_runs, tally_judged, without_relevant
from gainsayer.rankings.ranked_levels import IntArray, RankedLevels


@dataclass(frozen=True, eq=False)
class SumRequest:
    """What is asked of whoever holds some topics.

    Args:
        parts: measures and schemes; these know no double judgments, which come with the topics.
        plan: what all sums have in common.
        relevance: by which a topic has a relevant label or not.
        no_relevant: what topics without one count.
        unjudged_as_lowest: whether unjudged documents are worth what the lowest level is.
    """

    parts: tuple[Part, ...]
    plan: SumPlan
    relevance: Relevance | None
    no_relevant: NoRelevant
    unjudged_as_lowest: bool


@dataclass(frozen=True, eq=False)
class SumAnswer:
    """Sums over some topics, or all.

    Args:
        sums: for each part.
        judged: for the depth of each part's measure, the judged documents by length of list (`tally_judged`).
    """

    sums: tuple[TopicSums, ...]
    judged: tuple[IntArray, ...]


AskHolders: TypeAlias = Callable[[SumRequest, Sequence[DoubleJudgments]], SumAnswer]
"""Asks all who hold topics; the double judgments of all topics are given for each part, to be dealt out by topic."""


def make_request(
    parts: Sequence[Part],
    plan: SumPlan,
    *,
    relevance: Relevance | None,
    no_relevant: NoRelevant,
    unjudged_as_lowest: bool,
) -> tuple[SumRequest, list[DoubleJudgments]]:
    """What to ask, and what the double judgments of all topics bring to each part."""
    basis = find_basis((part.scheme for part in parts), plan.topics)
    held = [
        part.scheme if basis.topics or part.scheme.fitted is not None else hold_gains(part.scheme) for part in parts
    ]
    doubles = [find_moves(scheme, basis.topics, basis.pairs, basis.total) for scheme in held]
    light = tuple(
        replace(part, scheme=replace(scheme, disagreement=None, rule=None))
        for part, scheme in zip(parts, held, strict=True)
    )
    return SumRequest(light, plan, relevance, no_relevant, unjudged_as_lowest), doubles


def answer_request(
    ranked: Sequence[RankedLevels],
    whole: Sequence[RankedLevels],
    request: SumRequest,
    doubles: Sequence[DoubleJudgments],
) -> SumAnswer:
    """The sums over the topics of these runs, which must be whole blocks (`topic_blocks.find_blocks`).

    Args:
        ranked: the runs, condensed where that was asked for.
        whole: the same before.
        request: what is asked.
        doubles: for each part, what the double judgments of these topics bring.
    """
    lacking = without_relevant(ranked[0], request.relevance)
    zero = lacking if request.no_relevant == "zero" else None
    chosen = ~lacking if request.no_relevant == "skip" else np.ones(len(lacking), np.bool_)
    topics = [name for name, keep in zip(ranked[0].topics, chosen.tolist(), strict=True) if keep]
    sums = []
    for part, moved in zip(request.parts, doubles, strict=True):
        values, slopes = np.empty((len(ranked), 0)), np.empty((moved.moves.shape[1], len(ranked), 0))
        if topics:
            scores = score_runs(
                ranked,
                [part.measure],
                {part.measure: [part.gains]},
                relevance=request.relevance,
                no_relevant=request.no_relevant,
                whole=whole,
            )
            values = next(iter(scores.values.values()))
            prepared = prepare_runs(
                list(ranked),
                part.measure,
                part.scheme.gains,
                tuple(topics),
                unjudged_as_lowest=request.unjudged_as_lowest,
                zero=zero,
            )
            slopes = find_slopes(prepared, part.scheme)
        sums.append(sum_topics(topics, values, slopes, moved, request.plan))
    judged = [tally_judged(whole, part.measure.depth, chosen) for part in request.parts]
    return SumAnswer(tuple(sums), tuple(judged))


def join_answers(answers: Iterable[SumAnswer]) -> SumAnswer:
    """The answer for all topics of the parts."""
    every = list(answers)
    judged = []
    for tallies in zip(*(answer.judged for answer in every), strict=True):
        widest = max(tally.shape[2] for tally in tallies)
        judged.append(
            np.sum([np.pad(tally, ((0, 0), (0, 0), (0, widest - tally.shape[2]))) for tally in tallies], axis=0)
        )
    sums = tuple(join_sums(parts) for parts in zip(*(answer.sums for answer in every), strict=True))
    return SumAnswer(sums, tuple(judged))


def answer_as_arrays(answer: SumAnswer) -> dict[str, npt.NDArray[Any]]:
    """Named arrays that hold an answer, for np.savez and the like."""
    arrays = {f"judged.{place}": tally for place, tally in enumerate(answer.judged)}
    for place, sums in enumerate(answer.sums):
        arrays |= {f"sums.{place}.{name}": array for name, array in sums.as_arrays().items()}
    return arrays


def answer_from_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> SumAnswer:
    """What `answer_as_arrays` gave."""
    parts = sum(name.startswith("judged.") for name in arrays)

    def inside(place: int) -> dict[str, npt.NDArray[Any]]:
        head = f"sums.{place}."
        return {name.removeprefix(head): arrays[name] for name in arrays if name.startswith(head)}

    sums = tuple(TopicSums.from_arrays(inside(place)) for place in range(parts))
    return SumAnswer(sums, tuple(arrays[f"judged.{place}"] for place in range(parts)))
