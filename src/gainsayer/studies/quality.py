"""Quality: do the parameters depend on how good the results are that were judged twice?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.counts.pairing import count_pairs
from gainsayer.counts.pairs import FloatArray
from gainsayer.counts.sides import choose_sides
from gainsayer.disagreement.estimate import ESTIMATORS, Disagreement, estimate_disagreement
from gainsayer.disagreement.relevance import predict_relevance
from gainsayer.disagreement.smoothing import normalise_rows
from gainsayer.errors import CallError, PairingError
from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels, Relevance
from gainsayer.studies.entering import EntrySteps

MOST_STEPS = 20
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class QualityStudy:
    """p(R|i) from the doubly judged results among the first k, for growing k; both estimates side by side.

    Args:
        levels: the levels.
        relevance: the relevant ones.
        order: what a step is: `resources`, `metarank` or `depth`.
        about: the same in words.
        steps: k, ascending; shape [steps].
        symmetric: eq. (5), shape [steps, levels]; NaN where no pair has the level.
        one_sided: eq. (4), shape [steps, levels].
        symmetric_error: standard error over topics, eq. (24), shape [steps, levels].
        one_sided_error: the same for eq. (4).
        pairs: pairs of judgments behind each step, shape [steps].
        topics: topics that hold them, shape [steps].
        by_labels: whether the first side's labels made the order, so that only `one_sided` can be read (T11).
        findings: what a reader should know.
    """

    levels: Levels
    relevance: Relevance
    order: str
    about: str
    steps: IntArray
    symmetric: FloatArray
    one_sided: FloatArray
    symmetric_error: FloatArray
    one_sided_error: FloatArray
    pairs: IntArray
    topics: IntArray
    by_labels: bool
    findings: tuple[Finding, ...]


def study_quality(
    judgments: Judgments,
    entering: EntrySteps,
    relevance: Relevance,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    matched: bool | None = None,
    steps: Sequence[int] | None = None,
) -> QualityStudy:
    """Estimate p(R|i) from the doubly judged results that have entered by step k, for k = 1, 2, ...

    Where the order was made from the first side's labels, a result in an early step is one that the *first* side
    liked, and the symmetric estimate falls over the curve even if all results are alike (T11): what it shows is the
    choice, not the results. The one-sided estimate conditions on that side's label and stays right. An order from the
    runs (`metarank`, `depth`) leaves both right.

    Args:
        judgments: the judgments of two sides.
        entering: the step of each result (`enter_by_resources`, `enter_by_runs`).
        relevance: which levels satisfy a user.
        first: assessors of the first side; where labels made the order, these must be theirs.
        second: assessors of the second side.
        matched: see `count_pairs`.
        steps: the k to look at; by default about twenty, those before the first pair left out.

    Raises:
        CallError: there are no two sides, or a step is below 1.
        PairingError: no result was judged by both sides, or none of those ever enters.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> judgments = twenty_documents()
    >>> place = np.argsort(judgments.item[:20]) + 1.0
    >>> entering = EntrySteps("depth", "first k results", place, by_labels=False)
    >>> study = study_quality(judgments, entering, judgments.levels.at_or_above("2"), steps=[10, 20])
    >>> study.symmetric[-1].round(4).tolist(), study.pairs.tolist()
    ([0.0769, 0.2941, 0.4], [10, 20])
    """
    if choose_sides(judgments, first, second) is None:
        raise CallError("A quality curve is about two sides. Name them with --first and --second.")
    whole = count_pairs(judgments, first=first, second=second, matched=matched)
    findings = list(estimate_disagreement(whole).findings)
    looked = _choose_steps(judgments, entering, steps, first, second)
    shape = (len(looked), len(judgments.levels))
    value = {kind: np.full(shape, np.nan) for kind in ESTIMATORS}
    error = {kind: np.full(shape, np.nan) for kind in ESTIMATORS}
    pairs, topics = np.zeros(len(looked), np.int64), np.zeros(len(looked), np.int64)
    for place, step in enumerate(looked.tolist()):
        chosen = entering.step[judgments.item] <= step
        try:
            counts = count_pairs(judgments.rows(chosen), first=first, second=second, matched=matched)
        except PairingError:
            continue
        pairs[place], topics[place] = counts.pairs, len(counts.topics)
        for kind in ESTIMATORS:
            made = counts.counts if kind == "one-sided" else counts.symmetric()
            disagreement = Disagreement(counts, kind, normalise_rows(made.sum(axis=0)))
            prediction = predict_relevance(disagreement, relevance)
            value[kind][place], error[kind][place] = prediction.probability, prediction.topic
    if entering.by_labels:
        findings.append(Finding("selected-by-one-side", _describe_choice(whole.first)))
    return QualityStudy(
        levels=judgments.levels,
        relevance=relevance,
        order=entering.order,
        about=entering.about,
        steps=looked,
        symmetric=value["symmetric"],
        one_sided=value["one-sided"],
        symmetric_error=error["symmetric"],
        one_sided_error=error["one-sided"],
        pairs=pairs,
        topics=topics,
        by_labels=entering.by_labels,
        findings=tuple(findings),
    )


def _choose_steps(
    judgments: Judgments,
    entering: EntrySteps,
    asked: Sequence[int] | None,
    first: Sequence[str] | None,
    second: Sequence[str] | None,
) -> IntArray:
    sides = choose_sides(judgments, first, second)
    assert sides is not None
    both = np.zeros(judgments.items, dtype=np.bool_)
    both[np.intersect1d(judgments.item[sides.first_rows], judgments.item[sides.second_rows])] = True
    known = entering.step[both & np.isfinite(entering.step)]
    if not len(known):
        raise PairingError(
            f"None of the {int(both.sum()):,} documents that both sides judged is among the {entering.about}, for any "
            "k. Check that topic and document ids are written alike."
        )
    if asked is not None:
        if not asked or min(asked) < 1:
            raise CallError(f"Steps are whole numbers of at least 1, found {list(asked)}.")
        return np.unique(np.array(asked, dtype=np.int64))
    start, last = int(np.ceil(known.min())), int(np.ceil(known.max()))
    single = np.arange(start, min(start + 5, last + 1))
    return np.unique(np.concatenate([single, np.round(np.geomspace(start, last, MOST_STEPS)).astype(np.int64)]))


def _describe_choice(first: Sequence[str]) -> str:
    return (
        f"The labels of {', '.join(first)} decided which results come first. Then the symmetric estimate falls over "
        "the curve even where all resources are alike, as it also asks about labels that were not chosen. Read the "
        "one-sided estimate, or order the results by something that no label has made (--by metarank or --by depth)."
    )
