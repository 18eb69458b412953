"""What several labels of one document together are worth: p(R | all of its labels), learned where there are more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.text import option

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
FOLDS: Final = 5
_GOLDEN: Final = (5**0.5 - 1) / 2
_CLEARLY: Final = 3.3  # standard errors
_LEAST: Final = 30


@dataclass(frozen=True, eq=False)
class Posterior:
    """Gains of documents from all of their labels.

    Args:
        value: p(R | the document's labels), learned on other topics; shape [documents].
        fold: the fold of topics whose labels were left out, which a document shares with its topic; shape [documents].
        single: p(R | one label), from all topics; shape [levels].
        repetition: c: m labels count as m / (1 + (m - 1) c); 0 where people err independently.
        opinions: documents with several labels and a further opinion, from which this was learned.
        findings: what a reader should know.
    """

    value: FloatArray
    fold: IntArray
    single: FloatArray
    repetition: float
    opinions: int
    findings: tuple[Finding, ...] = ()


def posterior_gains(
    labels: IntArray, users: IntArray | None, topic: IntArray, relevant: BoolArray, *, folds: int = FOLDS, seed: int = 0
) -> Posterior:
    """p(R | i1, ..., im) = logistic(a + L / (1 + (m - 1) c)), L = sum over the labels of log P(i | R) / P(i | not R).

    Tempered naive Bayes (spec 2.3, machine.md (17)). The user is *another* person than those whose labels count: the
    second side where there is one; else each of a document's labels is held back in turn, and told from the others.
    Assessors err together, so adding up what they say (c = 0) is too sure of itself; c, fitted with a by maximum
    likelihood where a third opinion exists, takes that back: with c = 1 several labels say no more than their mean.
    Folds of topics: what a document's labels are worth is learned on other topics. With one label, p(R | i).

    *Not* the mean of the labels' gains, which does not grow surer when labels agree; *not* to be had from pairs alone:
    what two agreeing labels are worth is not in them. Third opinions must have been chosen without looking at the first
    two: where only disagreements were judged again, nothing here is right.

    Args:
        labels: how many labels of each level each document got that count; shape [documents, levels].
        users: the same from the second side; None where there is none.
        topic: of each document; shape [documents].
        relevant: which levels satisfy users; shape [levels].
        folds: topics are put into so many.
        seed: of the folds.

    Raises:
        DataError: no document has several labels and a further opinion, or only documents of one topic do.

    >>> rng = np.random.default_rng(1)
    >>> chance = rng.beta(1, 1, 4000)  # users differ from document to document: p(R | r of m) = (1 + r) / (2 + m)
    >>> likes = rng.binomial(3, chance)
    >>> labels, topic = np.stack([3 - likes, likes], axis=1), np.repeat(np.arange(40), 100)
    >>> found = posterior_gains(labels, None, topic, np.array([False, True]))
    >>> [round(float(found.value[likes == r].mean()), 1) for r in range(4)]
    [0.2, 0.4, 0.6, 0.8]
    """
    rows = _hold_back(labels) if users is None else _second_side(labels, users, relevant)
    document, pattern, weight = rows[:3]
    yes = weight * (relevant[rows[3]] if users is None else rows[3])
    size = pattern.sum(axis=1)
    several = size >= 2
    opinions = len(np.unique(document[several]))
    where = np.unique(topic[document[several]])
    if len(where) < 2:
        raise DataError(
            "What several labels of a document are worth together takes a further opinion: documents with two labels "
            f"that another person judged as well, in at least two topics; found {opinions:,} in {len(where)}. Take the "
            f"mean of their gains, {option('labels', 'mean')}, or have documents judged a third time, chosen at random."
        )
    fold = _fold_topics(topic, where, min(folds, len(where)), seed)
    value = np.empty(len(labels))
    for part in np.unique(fold):
        inside = fold == part
        fitted = _fit(pattern, yes, weight, size, ~inside[document])
        value[inside] = fitted.predict(labels[inside])
    whole = _fit(pattern, yes, weight, size, np.ones(len(document), np.bool_))
    found = () if users is not None else _notice_chosen(labels)
    if opinions < _LEAST:
        said = f"What several labels are worth together was learned on {opinions} documents with a further opinion."
        found = (*found, Finding("few-third-opinions", said))
    return Posterior(value, fold, whole.single, whole.repetition, opinions, found)


@dataclass(frozen=True, eq=False)
class _Fitted:
    ratio: FloatArray
    single: FloatArray
    intercept: float
    repetition: float

    def predict(self, labels: IntArray) -> FloatArray:
        size = labels.sum(axis=1)
        together = logistic(self.intercept + (labels * self.ratio).sum(axis=1) / (1 + (size - 1) * self.repetition))
        return np.where(size > 1, together, self.single[labels.argmax(axis=1)])


def _hold_back(labels: IntArray) -> tuple[IntArray, IntArray, FloatArray, IntArray]:
    """Each label held back in turn: the document, its other labels, how often, and the level held back."""
    total = labels.sum(axis=1)
    document, level = np.nonzero(labels * (total > 1)[:, None])
    pattern = labels[document].copy()
    pattern[np.arange(len(document)), level] -= 1
    return document, pattern, labels[document, level] / total[document], level


def _second_side(
    labels: IntArray, users: IntArray, relevant: BoolArray
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """The documents that users judged, their labels, a weight of 1, and the share of users who are satisfied."""
    total = users.sum(axis=1)
    document = np.flatnonzero((total > 0) & (labels.sum(axis=1) > 0))
    share = users[document][:, relevant].sum(axis=1) / total[document]
    return document, labels[document], np.ones(len(document)), share


def _fit(pattern: IntArray, yes: FloatArray, weight: FloatArray, size: IntArray, used: BoolArray) -> _Fitted:
    """Ratios, a and c from some of the documents."""
    some = pattern[used] / size[used, None]  # each opinion counts once, its labels share it
    satisfied, not_satisfied = ((part[used, None] * some).sum(axis=0) for part in (yes, weight - yes))
    likely = [(part + 0.5) / (part + 0.5).sum() for part in (satisfied, not_satisfied)]
    ratio = np.log(likely[0]) - np.log(likely[1])
    single = (satisfied + 0.5) / (satisfied + not_satisfied + 1)
    here = used & (size >= 2)
    evidence, times = (pattern[here] * ratio).sum(axis=1), size[here]
    good, every = yes[here], weight[here]

    def fit_intercept(lost: float) -> tuple[float, float]:
        """a, and the log likelihood, where two labels count as 2 (1 - lost)."""
        x = evidence / (1 + (times - 1) * lost / (1 - lost))
        a = 0.0
        for _ in range(50):
            chance = logistic(a + x)
            step = float((good - every * chance).sum()) / max(float((every * chance * (1 - chance)).sum()), 1e-12)
            a += float(np.clip(step, -2, 2))
            if abs(step) < 1e-10:
                break
        return a, float((good * (a + x) - every * np.logaddexp(0.0, a + x)).sum())

    low, high = 0.0, 0.95
    for _ in range(40):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        low, high = (low, right) if fit_intercept(left)[1] >= fit_intercept(right)[1] else (left, high)
    lost = (low + high) / 2
    return _Fitted(ratio, single, fit_intercept(lost)[0], lost / (1 - lost))


def _fold_topics(topic: IntArray, where: IntArray, folds: int, seed: int) -> IntArray:
    """The fold of each document; topics with further opinions are spread evenly over the folds."""
    rng = np.random.default_rng(seed)
    others = np.setdiff1d(topic, where)
    order = np.concatenate([rng.permutation(where), rng.permutation(others)])
    of_topic = np.zeros(int(topic.max()) + 1, np.int64)
    of_topic[order] = np.arange(len(order)) % folds
    return of_topic[topic]


def _notice_chosen(labels: IntArray) -> tuple[Finding, ...]:
    """A finding where documents with more labels disagree more than those with two: they may be chosen for it."""
    total = labels.sum(axis=1)
    pairs = np.maximum(total * (total - 1), 1)
    apart = 1 - (labels * (labels - 1)).sum(axis=1) / pairs
    two, more = apart[total == 2], apart[total > 2]
    if min(len(two), len(more)) < _LEAST:
        return ()
    error = np.sqrt(two.var() / len(two) + more.var() / len(more))
    if abs(more.mean() - two.mean()) <= _CLEARLY * error:
        return ()
    said = (
        f"Of two labels, {two.mean():.0%} differ on documents with two and {more.mean():.0%} on those with more. If "
        "documents were judged again because labels differed, gains of several labels together are wrong."
    )
    return (Finding("third-opinions-chosen", said),)


def logistic(odds: FloatArray) -> FloatArray:
    """1 / (1 + exp(-odds)), without overflow."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -700, 700))))
