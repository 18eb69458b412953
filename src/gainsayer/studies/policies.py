"""What the judgments leave open where runs are ordered: unjudged documents, and topics without relevant ones (T12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.gains.values import Gains
from gainsayer.levels import Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import MUCH_UNJUDGED, NoRelevant, Scores, TopicPolicy, without_relevant
from gainsayer.rankings.ranked_levels import RankedLevels
from gainsayer.text import option

Unjudged: TypeAlias = float | Literal["level"]
"""What an unjudged document is worth: a number, or as much as one of the lowest level."""


def gains_with_unjudged(gains: Gains, unjudged: Unjudged) -> Gains:
    """Gains of the shape [levels] with this worth of an unjudged document.

    >>> from gainsayer.gains.values import custom_gains
    >>> from gainsayer.levels import Levels
    >>> gains_with_unjudged(custom_gains(Levels(("0", "1")), {"0": 0.1, "1": 0.7}), "level").unjudged
    0.1
    """
    worth = float(gains.values[gains.levels.lowest]) if unjudged == "level" else float(unjudged)
    return replace(gains, unjudged=worth)


def refuse_single(runs: Sequence[RankedLevels]) -> None:
    """Refuse a single run, which has no order (CallError)."""
    if len(runs) < 2:
        raise CallError(f"Orders of runs can be compared from two runs on, found {len(runs)}. Give more runs.")


def choose_topics(sides: Sequence[Sequence[RankedLevels]], policy: TopicPolicy = "all") -> list[str]:
    """The topics that every side judged; with `common`, those of them that every run has.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> choose_topics([[ranked_from_lists({"q2": [1]}, {"q1": [2, 1], "q2": [3, 0]})]], "common")
    ['q2']
    """
    kept = set(sides[0][0].topics)
    for runs in sides:
        present = np.all([run.present for run in runs], axis=0) | (policy == "all")
        kept &= {topic for topic, there in zip(runs[0].topics, present, strict=True) if there}
    return [topic for topic in sides[0][0].topics if topic in kept]


def skip_topics(
    topics: Sequence[str], sides: Sequence[RankedLevels], relevance: Relevance, policy: NoRelevant
) -> list[str]:
    """The topics that are scored: with `skip`, those in which every side has a relevant label, for all runs and gains.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({}, {"q1": [2, 1], "q2": [3, 0]})
    >>> skip_topics(["q1", "q2"], [ranked], ranked.levels.at_or_above("1"), "skip")
    ['q1']
    """
    if policy != "skip":
        return list(topics)
    gone = {
        topic
        for ranked in sides
        for topic, lacks in zip(ranked.topics, without_relevant(ranked, relevance), strict=True)
        if lacks
    }
    return [topic for topic in topics if topic not in gone]


def describe_skipped(skipped: int, topics: int, relevance: Relevance, who: str) -> list[Finding]:
    """A finding where topics were left out for lack of relevant labels, else none."""
    if not skipped:
        return []
    message = (
        f"R = {relevance.name}: {skipped:,} of {topics:,} topics were left out, for all gains alike, as {who} put no "
        f"document of theirs on a relevant level. Score them too: {option('no_relevant', 'keep')}."
    )
    return [Finding("topics-without-relevant", message)]


def find_unjudged(scores: Scores, measure: Measure, whose: str) -> list[Finding]:
    """A finding where runs hold many unjudged documents within the measure's depth, else none.

    An unjudged document is worth the same whatever the labels. So the more there are, the more alike two sides' orders
    of the runs become, whatever their labels say.
    """
    if measure.depth is None or measure.family.needs == "nothing":
        return []
    shares = np.nan_to_num(scores.unjudged[measure])
    many = int((shares > MUCH_UNJUDGED).sum())
    if not many:
        return []
    worst = int(np.argmax(shares))
    message = (
        f"By the labels of {whose}, {many} of {len(shares)} runs have more than {MUCH_UNJUDGED:.0%} unjudged documents "
        f"within {measure}, {scores.runs[worst]} most of them ({shares[worst]:.1%}; the middle run "
        f"{np.median(shares):.1%}). They are worth the same whoever judged, which makes orders alike. Leave them out "
        f"({option('unjudged', 'condense')}), or judge more."
    )
    return [Finding("unjudged-documents", message)]
