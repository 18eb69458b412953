"""The labels of both sides on the same topics, one per document and side, to score runs with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gainsayer.errors import CallError, DataError, SeveralLabelsError
from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments
from gainsayer.model.pairs import choose_sides
from gainsayer.rankings.labels import choose_labels
from gainsayer.text import option

MUCH_APART = 0.05


@dataclass(frozen=True, eq=False)
class SideLabels:
    """Each side's labels on the topics that both judged.

    Args:
        first: labels of the first side.
        second: labels of the second side.
        findings: what a reader should know.
    """

    first: Judgments
    second: Judgments
    findings: tuple[Finding, ...]


def label_sides(
    judgments: Judgments,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    common: bool = False,
) -> SideLabels:
    """The labels of each side on the topics that both judged.

    Where several assessors of a side judged a document, the label of the one named first counts; where nobody named
    them, it is refused. A side's documents need not be the other's: then the orders of runs differ by what was judged
    as well as by what was said, and `common` keeps only the documents that both sides judged.

    Args:
        judgments: the judgments.
        first: assessors of the first side.
        second: assessors of the second side.
        labels: `majority` or `mean` for the labels of each side, or assessors of both sides: the label of the first of
            them who judged a document.
        common: whether to keep only documents that both sides judged.

    Raises:
        CallError: there are no two sides, or nobody of a side is among the assessors whose labels count.
        DataError: no topic (or with `common` no document) was judged by both sides.
        SeveralLabelsError: several assessors of a side that nobody named judged the same document.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> sides = label_sides(twenty_documents())
    >>> sides.first.assessors, sides.second.assessors, len(sides.first)
    (('U1',), ('U2',), 20)
    """
    sides = choose_sides(judgments, first, second)
    if sides is None:
        raise CallError(
            f"{len(judgments.assessors)} assessors make no two sides. Name the sides: {option('first')} and "
            f"{option('second')}"
        )
    rows = sides.first_rows, sides.second_rows
    topics = np.intersect1d(judgments.topic[rows[0]], judgments.topic[rows[1]])
    if not len(topics):
        examples = " and ".join(repr(judgments.topics[judgments.topic[np.flatnonzero(side)[0]]]) for side in rows)
        raise DataError(
            f"No topic was judged by both sides (they judged topics such as {examples}), so their orders of runs "
            "cannot be compared. Check that topic ids are written alike."
        )
    items = [np.unique(judgments.item[side & np.isin(judgments.topic, topics)]) for side in rows]
    both = np.intersect1d(items[0], items[1])
    either = len(items[0]) + len(items[1]) - len(both)
    if common and not len(both):
        raise DataError("No document was judged by both sides. Check that document ids are written alike.")
    kept = np.isin(judgments.item, both) if common else np.isin(judgments.topic, topics)
    part = judgments.rows(kept)
    one = _labels_of(part, sides.first, first, labels)
    two = _labels_of(part, sides.second, second, labels)
    findings = [*one.findings, *two.findings]
    if not common and either - len(both) > MUCH_APART * either:
        message = (
            f"Of {either:,} documents that either side judged on {len(topics)} common topics, both judged "
            f"{len(both):,}. So the orders of the runs differ by what was judged, too, not by disagreement alone. Use "
            f"the documents that both judged: {option('common_documents', True)}."
        )
        findings.append(Finding("different-documents", message))
    return SideLabels(one, two, tuple(dict.fromkeys(findings)))


def _labels_of(
    judgments: Judgments, names: Sequence[str], named: Sequence[str] | None, labels: Sequence[str] | None
) -> Judgments:
    """One side's labels, by the rule or the assessors asked for, else in the order in which somebody named the side."""
    inside = np.isin(judgments.assessor, [judgments.assessors.index(name) for name in names])
    chosen = named
    if labels:
        chosen = [name for name in labels if name in names or name not in judgments.assessors]
        if not chosen:
            raise CallError(
                f"None of {', '.join(labels)}, whose labels are to count, is on the side of {', '.join(names[:5])}. "
                "Name assessors of both sides."
            )
    try:
        return choose_labels(replace(judgments.rows(inside), roles=False), chosen)
    except SeveralLabelsError as error:
        raise SeveralLabelsError(
            f"Several of {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}, who make one side, judged the same "
            "documents. Name the assessors of both sides in order (the label of the first who judged a document "
            f"counts), or take the majority of a document's labels ({option('labels', 'majority')}) or the mean of "
            f"their gains ({option('labels', 'mean')})."
        ) from error
