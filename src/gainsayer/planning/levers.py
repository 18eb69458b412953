"""Levers: what more second judgments, topics, assessors or deeper pools would buy, and what each costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.measures.catalogue import Measure
from gainsayer.planning.components import FEWEST_ASSESSORS
from gainsayer.planning.keys import FloatArray
from gainsayer.planning.variance import Prospect
from gainsayer.rankings.ranked_levels import RankedLevels

MORE = 0.1


@dataclass(frozen=True)
class Lever:
    """One thing that could be done.

    Args:
        name: `second judgments`, `topics judged twice`, `topics`, `assessors` or `deeper pools`.
        change: what, in words.
        first: how many first judgments it costs.
        second: how many second judgments it costs.
        half_width: of the widest interval then.
        amount: how many of what it is about: judgments, topics, assessors, documents.
        bias: by how much unjudged documents leave the targets open, for deeper pools: no interval shows it.
    """

    name: str
    change: str
    first: int
    second: int
    half_width: float
    amount: int = 0
    bias: float | None = None


@dataclass(frozen=True)
class Gap:
    """What runs hold that nobody judged.

    Args:
        width: how far the widest target may lie from what it is taken for: unjudged documents worth nothing, or as much
            as the best level. A difference moves by no more than the run that it moves most: worth on one side only.
        documents: how many documents that are; of several runs at most, as those that they share count for each.
        runs: whose they are, in words.
        several: whether they are of several runs.
    """

    width: float
    documents: int
    runs: str = "the runs"
    several: bool = False

    @property
    def wanted(self) -> str:
        """The documents in words."""
        return f"{'up to' if self.several else 'the'} {self.documents:,} unjudged documents of {self.runs}"


def find_gap(ranked: Sequence[RankedLevels], measure: Measure, probability: FloatArray) -> Gap:
    """The bounds that unjudged documents set to scores, or to the difference of two runs.

    >>> from gainsayer.levels import Levels
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, None]}, {"q": [3, 1]}, levels=Levels(("0", "1")))
    >>> find_gap([ranked], parse_measure("P@2"), np.array([0.1, 0.6]))
    Gap(width=0.3, documents=1, runs='the runs', several=False)
    """
    gains = Gains(ranked[0].levels, probability, name="prm")
    best = replace(gains, unjudged=float(probability.max()))
    widths = [float((measure.score(run, best) - measure.score(run, gains)).mean()) for run in ranked]
    unjudged = 0
    for run in ranked:
        held = run.retrieved if measure.depth is None else np.minimum(run.retrieved, measure.depth)
        inside = run.rank if measure.depth is None else run.rank[run.rank <= measure.depth]
        unjudged += int(held.sum()) - len(inside)
    return Gap(max(widths), unjudged, several=len(ranked) > 1)


def find_levers(
    prospect: Prospect,
    judgments: FloatArray,
    allocation: Callable[[float], FloatArray],
    gap: Gap | None = None,
) -> tuple[Lever, ...]:
    """What could be done next, the most useful first.

    Args:
        prospect: what the variance depends on.
        judgments: planned, or made; shape [levels].
        allocation: shares any number of judgments among the levels.
        gap: what runs hold that nobody judged.
    """
    total = float(judgments.sum())
    now = prospect.half_width(judgments)
    found: list[Lever] = []
    room = float(prospect.documents.sum()) - total
    if room >= 1:
        more = min(max(1.0, round(MORE * total)), room)
        words = f"{more:,.0f} more second judgments in the same topics"
        wider = prospect.half_width(allocation(total + more))
        found.append(Lever("second judgments", words, 0, round(more), wider, round(more)))
    topics = prospect.topics
    if prospect.judged_topics is not None:
        left = topics - prospect.second_topics
        grown = replace(prospect, judged_topics=None)
        more = total / prospect.second_topics * left
        wider = grown.half_width(np.minimum(judgments * (topics / prospect.second_topics), grown.documents))
        words = f"second judgments in the {left:,} topics that have none yet, as many in each as in the others"
        found.append(Lever("topics judged twice", words, 0, round(more), wider, left))
    more_topics = max(1, round(MORE * topics))
    first = round(float(prospect.sizes.sum()) / topics * more_topics)
    words = f"{more_topics:,} more {'topics' if more_topics > 1 else 'topic'} like these"
    wider = prospect.with_more_topics(more_topics, judgments)
    found.append(Lever("topics", words, first, round(total / topics * more_topics), wider, more_topics))
    if prospect.assessors is not None:
        count = max(FEWEST_ASSESSORS, 2 * prospect.assessors)
        words = f"{count:,} second assessors in place of {prospect.assessors:,}, the same documents"
        found.append(Lever("assessors", words, 0, 0, prospect.with_assessors(count, judgments), count))
    found.sort(key=lambda lever: lever.half_width)
    if gap is not None and gap.documents:
        pool = Lever("deeper pools", f"first labels for {gap.wanted}", gap.documents, 0, now, gap.documents, gap.width)
        found.insert(0 if gap.width > now else len(found), pool)
    return tuple(found)
