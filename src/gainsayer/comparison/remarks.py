"""What a reader of a comparison should know."""

from __future__ import annotations

from collections.abc import Sequence

from gainsayer.comparison.drawing import Drawing
from gainsayer.comparison.intervals import FEW_TOPICS
from gainsayer.comparison.results import RunComparison
from gainsayer.comparison.testing import Adjustment, Test
from gainsayer.findings import Finding
from gainsayer.measures.scoring import Scores

SIGNIFICANT = 0.05
MANY_LEFT_OUT = 0.05


def notice_comparison(
    scores: Scores,
    drawing: Drawing,
    parts: Sequence[RunComparison],
    test: Test,
    adjust: Adjustment | None,
    permutations: int,
) -> list[Finding]:
    """What the intervals and tests of a comparison do not hold, or cannot."""
    findings = []
    estimated = any(part.scheme.redraw is not None for part in parts)
    if len(scores.topics) < 2:
        text = "A single topic is scored, so there are no intervals and no tests: nothing tells how topics differ."
        findings.append(Finding("single-topic", text))
    elif estimated and drawing.matrices is None:  # two topics or more are scored, so one alone holds the pairs
        text = (
            "All pairs come from one topic, so the doubt about the gains is not in the intervals, which are over the "
            "scored topics alone."
        )
        findings.append(Finding("gains-taken-as-given", text))
    if drawing.matrices is not None and not drawing.resamples.shared:
        text = (
            f"None of the {len(scores.topics)} scored topics was judged twice: the gains come from other topics, and "
            "hold here as far as assessors disagree about these in the same way."
        )
        findings.append(Finding("gains-from-other-topics", text))
    if 1 < len(scores.topics) < FEW_TOPICS or (drawing.matrices is not None and len(drawing.resamples.paired) < 5):
        text = (
            f"Intervals rest on {len(scores.topics)} scored topics"
            + (f" and {len(drawing.resamples.paired)} judged twice" if drawing.matrices is not None else "")
            + ". So few can miss the truth far more often than they say; ranks and shares of resamples are too sure."
        )
        findings.append(Finding("few-topics", text))
    draws = drawing.resamples.draws
    lost = max((part.left_out for part in parts), default=0)
    if lost > MANY_LEFT_OUT * draws:
        text = (
            f"{lost:,} of {draws:,} resamples lacked a level in their double judgments and were left out for the gains "
            "that need it, so that intervals lean towards the topics that hold the level and are too narrow. Merge the "
            "level (--merge), or judge it twice in more topics."
        )
        findings.append(Finding("resamples-left-out", text))
    pairs = max((len(part.tests.a) for part in parts if part.tests is not None), default=0)
    if test == "randomisation" and adjust == "holm" and pairs / (permutations + 1) > SIGNIFICANT:
        text = (
            f"With {permutations:,} permutations no pair of {pairs:,} can have an adjusted p below "
            f"{pairs / (permutations + 1):.2g}. Use --adjust maxt, a --baseline, or more --permutations."
        )
        findings.append(Finding("too-few-permutations", text))
    return findings
