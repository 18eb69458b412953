"""What a reader of p(R|i) should know: thin or empty levels, probabilities out of order, too few topics."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from gainsayer.counts.pairs import FloatArray
from gainsayer.disagreement.estimate import Disagreement
from gainsayer.disagreement.smoothing import Smoothing
from gainsayer.findings import Finding
from gainsayer.levels import Levels, Relevance

FEW_OPINIONS = 30
FEW_RELEVANT = 5
FEW_TOPICS = 10


def describe_levels(
    levels: Levels,
    judged: FloatArray,
    relevant: FloatArray,
    seen: npt.NDArray[np.int64],
    topics: int,
    smoothing: Smoothing | None,
) -> tuple[str | None, ...]:
    """One remark per level, or None."""
    notes: list[str | None] = []
    for level in range(len(levels)):
        if judged[level] == 0:
            prior = smoothing is not None and smoothing.kind != "isotonic"
            notes.append("no second opinions: the prior alone" if prior else "no second opinions: not known")
        elif topics > 1 and seen[level] < 2:
            notes.append("seen in one topic: no error over topics")
        elif judged[level] < FEW_OPINIONS or relevant[level] < FEW_RELEVANT:
            notes.append("few second opinions")
        else:
            notes.append(None)
    return tuple(notes)


def find_weaknesses(
    disagreement: Disagreement,
    relevance: Relevance,
    probability: FloatArray,
    relevant: FloatArray,
    judged: FloatArray,
) -> list[Finding]:
    """Findings about the probabilities of one notion of relevance (T4, T19, and the topics behind the errors)."""
    levels, topics = disagreement.levels, len(disagreement.pairs)
    findings = []
    empty = [levels.names[level] for level in np.flatnonzero(judged == 0)]
    if empty:
        message = (
            f"No pair has level {', '.join(map(repr, empty))}, so p(R|{empty[0]}) cannot be estimated. Judge some "
            f"{empty[0]!r} documents a second time, merge it into a neighbour (--merge), or give its gain yourself."
        )
        findings.append(Finding("empty-level", message))
    thin = np.flatnonzero((judged > 0) & ((judged < FEW_OPINIONS) | (relevant < FEW_RELEVANT)))
    if len(thin):
        shown = ", ".join(f"{levels.names[level]} ({relevant[level]:g} of {judged[level]:g})" for level in thin)
        message = (
            f"Few second opinions behind level {shown}; below {FEW_OPINIONS} opinions or {FEW_RELEVANT} relevant ones "
            "a probability is rough. Judge more of these documents twice, or smooth (--smooth marginal or isotonic)."
        )
        findings.append(Finding("thin-level", message))
    if levels.ordered and relevance.threshold is not None:
        known = np.flatnonzero(np.isfinite(probability))
        falls = [(low, high) for low, high in pairwise(known) if probability[high] < probability[low] - 1e-12]
        if falls:
            shown = "; ".join(
                f"{levels.names[low]} {probability[low]:.3f}, {levels.names[high]} {probability[high]:.3f}"
                for low, high in falls
            )
            message = (
                f"A higher level has a lower probability ({shown}). The levels are left as they are; look whether the "
                "assessors tell the two apart, merge them (--merge), or smooth with --smooth isotonic."
            )
            findings.append(Finding("non-monotone", message))
    if topics == 1:
        message = "All pairs come from one topic, so no error over topics and no interval can be given."
        findings.append(Finding("single-topic", message))
    elif topics < FEW_TOPICS:
        message = (
            f"Errors over topics rest on {topics} topics; below {FEW_TOPICS} they are rough. Spread over more topics."
        )
        findings.append(Finding("few-topics", message))
    return findings
