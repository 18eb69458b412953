"""What a reader of a comparison should know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.paired_tests import Adjustment, Test
from gainsayer.comparison.results import RunComparison
from gainsayer.findings import Finding
from gainsayer.measures.scoring import Scores

FEW_TOPICS = 8
FEW_PAIRED = 5
# From so many runs on, simultaneous intervals of absolute differences covered less than they say in simulations.
MANY_RUNS = 20


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the intervals rest on.

    Args:
        paired: how many topics were judged twice.
        shared: how many of those are scored.
        moving: whether gains are estimated anew without each doubly judged topic.
        single: levels that a scored topic holds, and that were judged twice in one topic alone; shape [levels].
    """

    paired: int
    shared: int
    moving: bool
    single: npt.NDArray[np.bool_]


def notice_comparison(
    scores: Scores,
    evidence: Evidence,
    parts: Sequence[RunComparison],
    baseline: int | None,
    test: Test,
    adjust: Adjustment | None,
) -> list[Finding]:
    """What the intervals and tests of a comparison do not hold, or cannot."""
    found = [
        *_notice_topics(scores, evidence, parts),
        *_notice_levels(scores, evidence),
        *_notice_choice(scores, parts, baseline),
        *_notice_family(scores, parts, baseline),
    ]
    if test != "joint" and any(part.scheme.rule is not None or part.scheme.fitted is not None for part in parts):
        text = (
            f"The p-values of the {test} test hold the gains fixed: they decide which of two runs is better, not by "
            "how much. Intervals, verdicts and ranks are joint, and may decide fewer pairs."
        )
        found.append(Finding("gains-held-fixed", text))
    pairs = max((len(part.tests.a) for part in parts if part.tests is not None), default=0)
    tried = [part.tests.permutations for part in parts if part.tests is not None and part.tests.permutations]
    if test == "randomisation" and adjust == "holm" and tried and pairs / (min(tried) + 1) > 0.05:
        text = (
            f"With {min(tried):,} permutations no pair of {pairs:,} can have an adjusted p below "
            f"{pairs / (min(tried) + 1):.2g}. Adjust by maxt, compare with a baseline, or try more permutations."
        )
        found.append(Finding("too-few-permutations", text))
    return found


def _notice_topics(scores: Scores, evidence: Evidence, parts: Sequence[RunComparison]) -> list[Finding]:
    findings = []
    count = len(scores.topics)
    estimated = any(part.scheme.rule is not None for part in parts)
    if count < 2:
        text = "A single topic is scored, so there are no intervals and no tests: nothing tells how topics differ."
        findings.append(Finding("single-topic", text))
    elif estimated and not evidence.moving:  # two topics or more are scored, so one alone holds the pairs
        text = (
            "All pairs come from one topic, so the uncertainty about the gains is not in the intervals, which are over "
            "the scored topics alone."
        )
        findings.append(Finding("gains-taken-as-given", text))
    if evidence.moving and not evidence.shared:
        text = (
            f"None of the {count} scored topics was judged twice: the gains come from other topics, and hold here as "
            "far as assessors disagree about these in the same way."
        )
        findings.append(Finding("gains-from-other-topics", text))
    if 1 < count < FEW_TOPICS or (evidence.moving and evidence.paired < FEW_PAIRED):
        text = (
            f"Intervals rest on {count} scored topics"
            + (f" and {evidence.paired} judged twice" if evidence.moving else "")
            + ". With so few, intervals can miss the truth more often than they say, and all pairs together decide "
            "little."
        )
        findings.append(Finding("few-topics", text))
    return findings


def _notice_levels(scores: Scores, evidence: Evidence) -> list[Finding]:
    """Levels that are scored and judged twice in one topic alone."""
    if not evidence.single.any():
        return []
    names = [repr(name) for name, alone in zip(scores.gains[0].levels.names, evidence.single, strict=True) if alone]
    text = (
        f"Level {', '.join(names)} was judged twice in one topic only. How its gain varies over topics is not known, "
        "so it is not in the intervals, which are too narrow by that. Merge the level, or judge it twice in more of "
        "the topics."
    )
    return [Finding("level-in-one-topic", text)]


def _notice_choice(scores: Scores, parts: Sequence[RunComparison], baseline: int | None) -> list[Finding]:
    """The winner's curse, where the run that happens to score highest is what the others are held against."""
    compared = [part for part in parts if part.differences is not None]
    if not compared or len(scores.runs) < 3:
        return []
    best = int(np.argmax(compared[0].standings.value))
    if baseline is not None and baseline != best:
        return []
    whose = (
        "The baseline is the run that scores highest"
        if baseline is not None
        else "Runs are shown against the one that scores highest"
    )
    text = (
        f"{whose} ({scores.runs[best]}), which is partly luck: its score and its lead are on average too high (the "
        "winner's curse). Adjusted p-values, simultaneous intervals and possible ranks allow for it; the interval of a "
        "single score or difference does not."
    )
    return [Finding("winners-curse", text)]


def _notice_family(scores: Scores, parts: Sequence[RunComparison], baseline: int | None) -> list[Finding]:
    estimated = any(part.shares is not None and part.differences is not None for part in parts)
    if baseline is not None or not estimated or len(scores.runs) < MANY_RUNS:
        return []
    text = (
        f"With {len(scores.runs):,} runs the simultaneous intervals of differences are approximate: in simulations of "
        "61 runs all of them held in 68 to 97 % of the collections instead of 95 %, those of relative differences in "
        "78 to 93 %. Signs and rank sets held."
    )
    return [Finding("many-runs", text)]
