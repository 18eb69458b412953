"""nDCG where people judged drawn documents: the ideal list is learnt, and what labels say beyond that is added.

What people's ideal list is worth depends on R, how many documents of a topic they like, which a few labels do not tell.
A topic's nDCG is `sum_d W_d h_d w(R)` with `w(n) = 1 / C(min(n, k))`, C(n) being the sum of the first n discounts, and
`w(0) = w(1)`. A document counts only if it is liked itself, so that R is one more than the *others* that are liked: a
guess of w from all labels but the document's own is independent of the rectified gain that it is multiplied by.

    (1) a model of labels, fitted to all of them: what a grade tells, and how far topics lie apart
    (2) what is left open about a topic when its labels are known
    (3) w of each document from the labels of the others, and how much one more liked document changes it
    (4) score = rectified numerator + rectified ideal
    (5) variance = what drawing brings + what the labels leave open about R

It is *not* the nDCG of PRM gains (`measures`): it is that of a person whose labels these are, with an ideal of their
own. Where all documents are judged it is exact whatever the model says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from gainsayer.machines.document_gains import RankWeights
from gainsayer.machines.rectified import Estimate, Target, covariance_of, rectify
from gainsayer.machines.sample import Places, Sample
from gainsayer.measures.sums import Discount, running_discount
from gainsayer.ranking.ranked import FloatArray, IntArray

NODES: Final = np.arange(-20, 21) * 0.2
PRIOR: Final = np.exp(-(NODES**2) / 2) / np.exp(-(NODES**2) / 2).sum()
SPREADS: Final = (0.05, 3.5)
CLASSES: Final = 5
PRIOR_SPREAD: Final = 1.5
_RIDGE_GRADE, _RIDGE_OTHER = 0.25, 1.0
_QUARTER_CODES = np.array([0.0, -1.5, -0.5, 0.5, 1.5]) / np.sqrt(1.25)
_DIGITS = 12  # to which two documents count the same
_MOST_CELLS = 1 << 20
_UNKNOWN = 2  # the state of a document without a label; 0 and 1 are those with one


@dataclass(frozen=True, eq=False)
class LabelModel:
    """(1): `logit P(h = 1) = b[grade] + b0 [in no run's top] + b1 f + u_t`, `u_t ~ N(0, sigma²)`.

    Args:
        coefficients: b of each grade, b0, b1.
        sigma: how far topics lie apart.
        loss: the penalised minus log likelihood.
        logit: of each cell, without u; a cell is 5 grade + class, class 0 in no top and 1 to 4 by quarter of weight.
    """

    coefficients: FloatArray
    sigma: float
    loss: float
    logit: FloatArray

    @property
    def chances(self) -> FloatArray:
        """P(h = 1) by cell and node of u; shape [cells, nodes]."""
        return np.asarray(scipy.special.expit(self.logit[:, None] + self.sigma * NODES))


@dataclass(frozen=True, eq=False)
class RectifiedNdcg:
    """nDCG of runs, and what its variance is made of; a difference of two runs has `V_aa + V_bb - 2 V_ab` of each part.

    Args:
        by_topic: z; shape [runs, topics].
        seen: variance from drawing, from the errors that labels show; shape [runs, runs].
        expected: the same, from what the model expects of documents in no run's top; shape [runs, runs].
        open: what the labels leave open about R; shape [runs, runs].
        moved: how much of the score is the second sum of (4), the mean over runs.
        model: of the labels.
    """

    by_topic: FloatArray
    seen: FloatArray
    expected: FloatArray
    open: FloatArray
    moved: float
    model: LabelModel


def rectify_ndcg(
    weights: RankWeights, sample: Sample, predicted: FloatArray, *, discount: Discount, depth: int | None
) -> RectifiedNdcg:
    """(1) to (5) for runs and a sample of documents of which all chances are known.

    Args:
        weights: W, the discounts of the documents that some run has in its top.
        sample: binary labels of documents drawn in all topics.
        predicted: g, out of topic; shape [documents].
        discount: of ranks.
        depth: k; None for whole lists.
    """
    longest = int(np.bincount(sample.topic, minlength=sample.topics).max(initial=1))
    ideals = running_discount(discount, np.arange(1 + (longest if depth is None else min(depth, longest))))
    cell, regressors = _find_cells(weights, sample)
    size, cells = (sample.topics, len(regressors)), sample.grades * CLASSES

    place = sample.topic * np.int64(cells) + cell

    def tally(documents: IntArray | slice, values: FloatArray | None = None) -> FloatArray:
        found = np.bincount(place[documents], values, minlength=size[0] * cells)
        return found.reshape(size).astype(np.float64)

    labelled = np.flatnonzero(sample.judged)
    told, pi = sample.relevant[labelled], sample.probability[labelled]
    topic = sample.topic[labelled]
    yes, no = tally(labelled, told), tally(labelled, 1 - told)
    rest = tally(slice(None)) - yes - no
    model = _fit_labels(yes, no, regressors)
    others = _look_at_others(yes, no, rest, model, inverse_ideals(ideals))

    # Documents in some top, and among all documents those with labels: W is 0 outside the tops.
    top = weights.document
    state = np.where(sample.judged[top], np.nan_to_num(sample.relevant[top]), _UNKNOWN).astype(np.int64)
    worth, chance = (
        others.worth[state, sample.topic[top], cell[top]],
        others.chance[state, sample.topic[top], cell[top]],
    )
    at = told.astype(np.int64)
    p = others.chance[at, topic, cell[labelled]]
    slope = (others.before[at, topic, cell[labelled]] + others.after[topic]) / 2

    def by_topic(values: FloatArray) -> FloatArray:
        return weights.sum_by_topic(sample.topic, sample.topics, values)

    retrieved = by_topic(np.where(sample.judged[top], sample.relevant[top], chance))  # D
    own = weights.of(labelled)  # W of the documents with labels
    missed = (1 / pi - 1) * (told - p) * slope
    beyond = np.bincount(topic, missed, minlength=sample.topics)

    def spread_over_topics(values: FloatArray) -> FloatArray:
        """Sums over the labelled documents of each topic of a number per run and document."""
        return np.stack([np.bincount(topic, row, minlength=sample.topics) for row in values])

    second = retrieved * beyond - spread_over_topics(own * (told * missed))
    z = by_topic(worth * rectify(sample, predicted[top], top)) + second  # (4)

    # (5): of the error a + D c of each label, a by the numerator and c by the ideal.
    rectified = others.worth[at, topic, cell[labelled]] * (told - predicted[labelled])
    a = rectified - told * slope * (told - p)
    c = slope * (told - p)

    def drawn(scale: FloatArray) -> FloatArray:
        mixed = spread_over_topics(own * (scale * a * c))
        squares = np.bincount(topic, scale * c * c, minlength=sample.topics)
        total = (own * (scale * a * a)) @ own.T + retrieved @ mixed.T + mixed @ retrieved.T
        return np.asarray(total + (retrieved * squares) @ retrieved.T)

    scale = (1 - pi) / pi**2
    in_top = np.isin(labelled, top)
    # (5) over all documents in no top, cell by cell: a liked document with a small chance that was not drawn leaves no
    # trace in the errors that labels show.
    away = 1 / sample.probability - 1
    away[top] = away[labelled] = 0.0
    odds = tally(slice(None), away)
    p0, slope0 = others.chance[_UNKNOWN], others.before[_UNKNOWN]
    outside = (odds * p0 * (1 - p0) * slope0**2).sum(axis=1)
    outside += np.bincount(topic, ~in_top * (1 - pi) / pi * p * (1 - p) * slope**2, minlength=sample.topics)
    count = sample.topics**2
    return RectifiedNdcg(
        by_topic=z,
        seen=drawn(scale) / count,
        expected=(drawn(scale * in_top) + (retrieved * outside) @ retrieved.T) / count,
        open=(retrieved * others.variance) @ retrieved.T / count,
        moved=float(np.abs(second.mean(axis=1)).mean() / max(float(np.abs(z.mean(axis=1)).mean()), 1e-300)),
        model=model,
    )


def estimate_ndcg(found: RectifiedNdcg, target: Target) -> Estimate:
    """Scores with their variance, (5).

    these        V = max(seen, expected) + open, with the normal quantile
    population   V = S_z / T + max(expected - seen, 0), t with T - 1 degrees of freedom
    """
    runs, count = found.by_topic.shape
    covariance, either, freedom = found.open, (found.seen, found.expected), np.inf
    if target == "population":
        covariance = covariance_of(found.by_topic) / count
        either, freedom = (np.zeros_like(covariance), found.expected - found.seen), float(count - 1)
    score = found.by_topic.mean(axis=1)
    return Estimate(score, covariance, freedom, target, np.ones(runs, np.bool_), either)


def inverse_ideals(ideals: FloatArray) -> FloatArray:
    """w(n) = 1 / C(n) for n from 0 to k, of C(0), ..., C(k); w(0) is w(1).

    >>> inverse_ideals(np.array([0.0, 1.0, 1.5])).round(4).tolist()
    [1.0, 1.0, 0.6667]
    """
    return np.asarray(1 / np.concatenate([ideals[1:2], ideals[1:]]))


def guess_worth(predicted: FloatArray, sizes: FloatArray, ideals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Before anybody judged: E[w(R)] and E[w(R) - w(R + 1)] of each topic, for the drawing of documents.

    Args:
        predicted: g of each grade; shape [grades].
        sizes: documents by topic and grade; shape [topics, grades].
        ideals: C(0), ..., C(k).
    """
    chance = scipy.special.expit(scipy.special.logit(predicted)[:, None] + PRIOR_SPREAD * NODES)
    mean, start, worth = sizes @ chance, np.zeros((len(sizes), 1), np.int64), inverse_ideals(ideals)
    expected = [(PRIOR * _expect(values, start, mean)).sum(axis=1) for values in (worth, -_step(worth))]
    return np.asarray(expected[0]), np.asarray(expected[1])


@dataclass(frozen=True, eq=False)
class _Others:
    """(2), (3): numbers of a topic, a cell and a document's own label 0, 1 or none; shape [3, topics, cells].

    Args:
        worth: w_d = E[w(R) | labels of the others, h_d = 1].
        chance: p_d = E[h_d | labels of the others].
        before: E[w(1 + R_-d) - w(R_-d) | labels of the others].
        after: E[w(R + 1) - w(R) | all labels]; shape [topics].
        variance: of w(R), given all labels; shape [topics].
    """

    worth: FloatArray
    chance: FloatArray
    before: FloatArray
    after: FloatArray
    variance: FloatArray


def _find_cells(weights: RankWeights, sample: Sample) -> tuple[Places, FloatArray]:
    """The cell of each document; and by cell the grade, whether it is in no top, and the code of its quarter."""
    size = np.round((weights.weight**2).mean(axis=0), _DIGITS)
    order = np.sort(size)
    quarter = np.zeros(len(sample.topic), np.int32)
    quarter[weights.document] = 1 + 4 * np.searchsorted(order, size) // max(len(order), 1)
    grades = np.repeat(np.eye(sample.grades), CLASSES, axis=0)
    outside = np.tile(np.arange(CLASSES) == 0, sample.grades).astype(np.float64)
    regressors = np.column_stack([grades, outside, np.tile(_QUARTER_CODES, sample.grades)])
    quarter += (CLASSES * sample.grade).astype(np.int32)
    return quarter, regressors


def _fit_labels(yes: FloatArray, no: FloatArray, regressors: FloatArray) -> LabelModel:
    """(1): the maximum of `sum_t log sum_u prior prod_c p^yes (1 - p)^no - (.25 b_grade² + b0² + b1²) / 2`.

    All labels count alike: the chance of being drawn depends on the grade and on W alone, and both are in the model.
    """
    from scipy.optimize import minimize

    grades = regressors.shape[1] - 2
    ridge = np.append(np.full(grades, _RIDGE_GRADE), [_RIDGE_OTHER, _RIDGE_OTHER])

    def loss(values: FloatArray) -> tuple[float, FloatArray]:
        b, sigma = values[:-1], np.exp(values[-1])
        logit = (regressors @ b)[:, None] + sigma * NODES
        log_p = scipy.special.log_expit(logit)
        joint = yes @ log_p + no @ (log_p - logit) + np.log(PRIOR)
        top = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - top)
        mass = posterior.sum(axis=1, keepdims=True)
        posterior /= mass
        left = yes.T @ posterior - ((yes + no).T @ posterior) * np.exp(log_p)
        gradient = np.append(regressors.T @ left.sum(axis=1) - ridge * b, sigma * (left @ NODES).sum())
        return float((ridge * b**2).sum() / 2 - (np.log(mass) + top).sum()), -gradient

    low, high = np.log(SPREADS)
    found = minimize(
        loss,
        np.zeros(grades + 3),
        jac=True,
        method="L-BFGS-B",
        bounds=[(None, None)] * (grades + 2) + [(low, high)],
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 1000},
    )
    b = found.x[:-1]
    return LabelModel(b, float(np.exp(found.x[-1])), float(found.fun), regressors @ b)


def _look_at_others(yes: FloatArray, no: FloatArray, rest: FloatArray, model: LabelModel, worth: FloatArray) -> _Others:
    """(2), (3), some topics at a time: given u, the liked documents among those without labels are Poisson."""
    cells = yes.shape[1]
    step = max(1, _MOST_CELLS // (cells * len(NODES)))
    parts = [
        _look_at_topics(yes[some], no[some], rest[some], model.chances, worth)
        for some in (slice(start, start + step) for start in range(0, len(yes), step))
    ]
    of_cells = [
        np.concatenate([getattr(part, name) for part in parts], axis=1) for name in ("worth", "chance", "before")
    ]
    of_topics = [np.concatenate([getattr(part, name) for part in parts]) for name in ("after", "variance")]
    return _Others(*of_cells, *of_topics)


def _look_at_topics(yes: FloatArray, no: FloatArray, rest: FloatArray, p: FloatArray, worth: FloatArray) -> _Others:
    joint = yes @ np.log(p) + no @ np.log1p(-p) + np.log(PRIOR)
    posterior = np.exp(joint - joint.max(axis=1, keepdims=True))
    posterior /= posterior.sum(axis=1, keepdims=True)
    liked, mean = yes.sum(axis=1).astype(np.int64)[:, None], rest @ p
    step = _step(worth)
    out = np.empty((3, 3, *yes.shape))
    for state, own in enumerate((1 - p, p, np.ones_like(p))):  # the likelihood of the document's own label
        given = posterior[:, None] / own
        given /= given.sum(axis=-1, keepdims=True)
        found = np.maximum(liked - (state == 1), 0)[:, None]
        without = np.maximum(mean[:, None] - p, 0.0) if state == _UNKNOWN else mean[:, None]
        chance = (given * p).sum(axis=-1)
        out[0, state] = (given * p * _expect(worth, found + 1, without)).sum(axis=-1) / chance
        out[1, state] = chance
        out[2, state] = (given * _expect(step, found, without)).sum(axis=-1)

    def given_all(values: FloatArray) -> FloatArray:
        return np.asarray((posterior * _expect(values, liked, mean)).sum(axis=1))

    return _Others(
        out[0], out[1], out[2], given_all(step), np.maximum(given_all(worth**2) - given_all(worth) ** 2, 0.0)
    )


def _step(worth: FloatArray) -> FloatArray:
    """w(n + 1) - w(n) for n from 0 to k, where it is 0."""
    return np.append(np.diff(worth), 0.0)


def _expect(values: FloatArray, start: IntArray, mean: FloatArray) -> FloatArray:
    """E[f(start + N)], N ~ Poisson(mean), of f given at 0, ..., k and constant beyond."""
    last = len(values) - 1
    p = np.exp(-mean)
    found, left = p * values[np.minimum(start, last)], 1 - p
    for n in range(1, last):
        p = p * (mean / n)
        found, left = found + p * values[np.minimum(start + n, last)], left - p
    return np.asarray(found + left * values[last])
