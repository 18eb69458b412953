"""The labels that score: whose judgment of each document counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError, SeveralLabelsError
from gainsayer.findings import Finding
from gainsayer.levels import Patterns, find_patterns
from gainsayer.reading.judgments import Judgments
from gainsayer.text import nearest, option

Kind: TypeAlias = Literal["only", "names", "majority", "mean", "posterior"]
Labels: TypeAlias = "LabelRule | str | Sequence[str] | None"
RULES: Final = ("majority", "mean", "posterior")
_MOST_NAMED: Final = 5
Rows: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LabelRule:
    """How a document gets the one label, or the one pattern of labels, that scores it.

    Args:
        kind: `only` (no document has several labels), `names` (that of the first of these assessors who judged it),
            `majority` (the most frequent one; of equally frequent ones the lowest level), `mean` (all of them: its
            gain is the mean of theirs), or `posterior` (all of them: its gain is the chance that another person is
            satisfied, given all).
        names: the assessors whose labels count; for `names`, in this order.

    >>> LabelRule("names", ("ann", "bob")).said
    'those of the first of ann, bob who judged a document'
    """

    kind: Kind
    names: tuple[str, ...]

    @property
    def together(self) -> bool:
        """Whether all labels of a document have one gain together."""
        return self.kind == "posterior"

    @property
    def said(self) -> str:
        """Whose labels score, in words that follow "labels:"."""
        few = len(self.names) <= _MOST_NAMED
        people = ", ".join(self.names) if few else f"{len(self.names):,} assessors"
        if len(self.names) == 1 and self.kind in ("only", "names"):
            return self.names[0]
        return {
            "only": f"those of {people}, one on each document",
            "names": f"those of the first of {people} who judged a document",
            "majority": f"the majority of {people} (of equally frequent ones the lowest)",
            "mean": f"all of {people} (a document's gain is the mean over its labels)",
            "posterior": f"all of {people} (a document's gain is p(R | all of its labels))",
        }[self.kind]


def choose_labels(
    judgments: Judgments,
    labels: Labels = None,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
) -> Judgments:
    """One label per document, or with `mean` one pattern of labels: what runs are scored with.

    Where every document has one label, as assessors shared the work, all are used. Of two assessors who came one by
    one, as two files do, the first one's count. Otherwise somebody must say whose labels count: the order of rows never
    decides.

    Args:
        judgments: who said what.
        labels: `majority`, `mean`, or assessors: the label of the first of these who judged a document.
        first: assessors of the first side, where it is named: theirs are the labels that the rules are about, and
            without a rule the first of them takes precedence.
        second: assessors of the second side, where it is named: their labels do not score.

    Raises:
        CallError: an assessor is unknown, or is called like a rule.
        SeveralLabelsError: documents have several labels, and nothing says which one counts.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> choose_labels(twenty_documents(), ["U2"])
    Judgments(20 judgments of 20 documents, 1 topics, assessors U2, levels 0, 1, 2)
    >>> choose_labels(twenty_documents(), "mean").levels.names
    ('0', '1', '2', '2+2', '1+2', '1+1', '0+2', '0+1', '0+0')
    """
    return apply_rule(judgments, decide_labels(judgments, labels, first=first, second=second))


def decide_labels(
    judgments: Judgments,
    labels: Labels = None,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    together: bool = False,
) -> LabelRule:
    """The rule by which `choose_labels` chooses, as a value that can be said.

    `together` allows `posterior`, whose gains belong to whole patterns: whoever allows it has to make them.
    """
    if isinstance(labels, LabelRule):
        return labels
    asked = (labels,) if isinstance(labels, str) else tuple(labels or ())
    for name in (*asked, *(first or ()), *(second or ())):
        if name not in judgments.assessors and name not in RULES:
            known = judgments.assessors
            raise CallError(
                f"There is no assessor {name!r}: the assessors are {', '.join(known[:20])}.{nearest(name, known)}"
            )
        if name in judgments.assessors and name in RULES:
            raise CallError(f"An assessor is called {name!r}, which is also a rule. Give the assessor another name.")
    rules = [name for name in asked if name in RULES]
    if rules and len(asked) > 1:
        raise CallError(f"{rules[0]!r} is about all labels of a document; it does not go with {', '.join(asked)}.")
    present = [judgments.assessors[place] for place in np.flatnonzero(np.bincount(judgments.assessor)).tolist()]
    people = tuple(first) if first else tuple(name for name in present if name not in (second or ()))
    if rules == ["posterior"]:
        if not together:
            raise CallError(
                f"Gains of all labels together, {option('labels', 'posterior')}, are for scoring and comparing runs. "
                f"Here take the mean of the labels' gains, {option('labels', 'mean')}, or the majority, "
                f"{option('labels', 'majority')}."
            )
        return LabelRule("posterior", people)
    if rules == ["majority"]:
        return LabelRule("majority", people)
    if rules == ["mean"]:
        return LabelRule("mean", people)
    if asked or first:
        return LabelRule("names", asked or people)
    if len(judgments) == judgments.items:
        return LabelRule("only", people)  # nothing was judged twice
    times = np.bincount(judgments.item[_rows_of(judgments, people)], minlength=1)
    if int(times.max()) <= 1:
        return LabelRule("only", people)
    if judgments.roles and len(present) == 2:
        return LabelRule("names", people[:1])
    raise _several(judgments, people, times)


def apply_rule(judgments: Judgments, rule: LabelRule) -> Judgments:
    """The labels that the rule makes of the judgments; their one assessor has the rule's words for a name."""
    rows = _rows_of(judgments, rule.names)
    findings: tuple[Finding, ...] = ()
    if rule.kind == "only" and len(rows) == len(judgments) == judgments.items:
        chosen = judgments  # one label on each document: they are chosen already
    elif rule.kind in ("only", "names"):
        chosen, findings = _take_first(judgments, rows, rule)
    elif rule.kind == "majority":
        chosen, findings = _take_majority(judgments, rows, rule)
    else:
        chosen = _take_patterns(judgments, rows)
    sole = np.zeros(len(chosen), dtype=np.int32)
    return replace(chosen, assessor=sole, assessors=(rule.said,), findings=(*chosen.findings, *findings), roles=False)


def count_labels(judgments: Judgments, names: Sequence[str]) -> npt.NDArray[np.int64]:
    """How many labels of each level these assessors gave each judged document; shape [items, levels]."""
    rows = _rows_of(judgments, names)
    return _count_labels(judgments, rows, judgments.item[rows], judgments.items)


def split_patterns(labels: Judgments, group: Rows) -> Judgments:
    """Labels that are patterns, with those of different groups told apart: a level per pattern and group.

    Args:
        labels: what `apply_rule` made, one pattern per document.
        group: a number per row, such as the fold in which the document's gain was learned.
    """
    patterns = labels.levels
    assert isinstance(patterns, Patterns)
    plain, size = len(patterns.levels), len(patterns)
    cells, code = np.unique(group * size + labels.level, return_inverse=True)
    names = [*patterns.levels.names, *(f"{patterns.names[at % size]} ({at // size})" for at in cells.tolist())]
    rows = [*patterns.labels[:plain], *(patterns.labels[at % size] for at in cells.tolist())]
    made = Patterns(tuple(names), ordered=False, levels=patterns.levels, labels=tuple(rows))
    return replace(labels, levels=made, level=(plain + code.ravel()).astype(np.int32))


def _rows_of(judgments: Judgments, names: Sequence[str]) -> Rows:
    known = set(names)
    chosen = np.array([name in known for name in judgments.assessors])
    return np.flatnonzero(chosen[judgments.assessor])


def _take_first(judgments: Judgments, rows: Rows, rule: LabelRule) -> tuple[Judgments, tuple[Finding, ...]]:
    """The label of the first of the assessors who judged a document."""
    turn = np.zeros(len(judgments.assessors), np.int64)
    turn[[judgments.assessors.index(name) for name in rule.names]] = np.arange(len(rule.names))
    rows = rows[np.lexsort((turn[judgments.assessor[rows]], judgments.item[rows]))]
    item, whose = judgments.item[rows], judgments.assessor[rows]
    head = np.append(True, item[1:] != item[:-1])[: len(rows)]
    again = np.append(False, (item[1:] == item[:-1]) & (whose[1:] == whose[:-1]) & head[:-1])[: len(rows)]
    if again.any():
        name = judgments.assessors[int(whose[np.flatnonzero(again)[0]])]
        raise SeveralLabelsError(
            f"{name} gave {int(again.sum()):,} documents several labels, and nothing says which one counts. "
            "Take the majority or the mean of them, or keep one when reading (repeats: first, last or majority)."
        )
    passed = int((~head).sum())
    chosen = judgments.rows(np.sort(rows[head]))
    if not passed:
        return chosen, ()
    message = f"{passed:,} labels of documents that several of {', '.join(rule.names)} judged were passed over."
    return chosen, (Finding("labels-pooled", message),)


def _take_majority(judgments: Judgments, rows: Rows, rule: LabelRule) -> tuple[Judgments, tuple[Finding, ...]]:
    """The most frequent label of each document; of equally frequent ones the lowest level."""
    held, item = np.unique(judgments.item[rows], return_inverse=True)
    counts = _count_labels(judgments, rows, item, len(held))
    most = counts.max(axis=1)
    best = counts.argmax(axis=1)
    ties = int(((counts == most[:, None]).sum(axis=1) > 1).sum())
    if ties and not judgments.levels.ordered:
        raise CallError(
            f"{ties:,} documents have several labels that are equally frequent, and the labels "
            f"{', '.join(judgments.levels.names)} have no order, so there is no lowest. Name them from low to high."
        )
    fit = judgments.level[rows] == best[item]
    _, first = np.unique(item[fit], return_index=True)
    chosen = judgments.rows(np.sort(rows[fit][first]))
    several = int((counts.sum(axis=1) > 1).sum())
    message = (
        f"{several:,} documents have several labels, of which the most frequent one counts; in {ties:,} of them others "
        "are as frequent, and the lowest level counts."
    )
    return chosen, (Finding("labels-pooled", message),) if several else ()


def _take_patterns(judgments: Judgments, rows: Rows) -> Judgments:
    """The pattern of labels of each document, as its level."""
    held, first, item = np.unique(judgments.item[rows], return_index=True, return_inverse=True)
    counts = _count_labels(judgments, rows, item, len(held))
    patterns = find_patterns(judgments.levels, counts)
    place = {labels: code for code, labels in enumerate(patterns.labels)}
    distinct, inverse = np.unique(counts, axis=0, return_inverse=True)
    code = np.array([place[tuple(labels)] for labels in distinct.tolist()], np.int32)[inverse.ravel()]
    order = np.argsort(rows[first])
    chosen = judgments.rows(rows[first][order])
    return replace(chosen, levels=patterns, level=code[order], weight=None)


def _count_labels(judgments: Judgments, rows: Rows, item: Rows, items: int) -> Rows:
    """How many labels of each level each document got; shape [documents, levels]."""
    size = len(judgments.levels)
    return np.bincount(item * size + judgments.level[rows], minlength=items * size).reshape(items, size)


def _several(judgments: Judgments, people: Sequence[str], times: Rows) -> SeveralLabelsError:
    documents, several = int((times > 0).sum()), int((times > 1).sum())
    who = "one assessor" if len(people) == 1 else f"{len(people):,} assessors"
    shown = ", ".join(people[:_MOST_NAMED]) + (", ..." if len(people) > _MOST_NAMED else "")
    choices = (
        f"Name the assessors whose labels count, {option('labels', 'NAME')} (of several, the first who judged a "
        f"document), or the first side; or take the majority of a document's labels, {option('labels', 'majority')}, "
        f"or the mean of their gains, {option('labels', 'mean')}."
    )
    if len(people) == 1:
        choices = (
            f"Take the majority of a document's labels, {option('labels', 'majority')}, or the mean of their gains, "
            f"{option('labels', 'mean')}; or keep one label when reading, "
            f"{option('repeats', 'first', 'last', 'majority')}."
        )
    return SeveralLabelsError(
        f"{several:,} of {documents:,} documents have several labels (up to {int(times.max())}, from {who}: {shown}), "
        f"and nothing says which one scores a document. {choices}"
    )
