"""Scaled qrels: gains as whole numbers, for tools that take nothing else; and what the rounding may cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import CallError
from gainsayer.exports.labels import BLANKS, level_gains, refuse_marks
from gainsayer.gains.values import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.measures.sums import log_discount

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

SCALE = 1000
_NOISE = 1e-12
MOST_SCALED = 2**31 - 1
MEANINGLESS = (
    "These qrels are for nDCG only. Every judged document counts as relevant in them, so every count of relevant "
    "documents (P, R, AP, RR, num_rel, bpref, ...) is meaningless."
)


@dataclass(frozen=True)
class ErrorBound:
    """How far nDCG on scaled qrels may lie from nDCG with the gains themselves.

    Args:
        worst: for any topic and any depth.
        mean: for the mean over the topics, at any depth.
        topic: the topic with the worst bound.
        worthless: topics whose judged documents all have gain 0: their nDCG is 0, on scaled qrels up to 1.
    """

    worst: float
    mean: float
    topic: str
    worthless: int


def scale_gains(gains: FloatArray, *, scale: int = SCALE) -> IntArray:
    """`max(1, round(scale * g))`: gains as whole numbers of at least 1 (T18).

    At least 1, because trec_eval's `ndcg_cut` takes 0 for *not judged*. Halves are rounded to the even number.

    Raises:
        CallError: the scale is no whole number above 0, a gain is negative, or a number is too large for other tools.

    >>> scale_gains(np.array([0.0, 0.0769, 0.53])).tolist()
    [1, 77, 530]
    """
    if scale < 1:
        raise CallError(f"The scale must be a whole number above 0, found {scale}.")
    if np.any(gains < 0):
        raise CallError(f"Scaled qrels need gains of at least 0, found {float(gains.min()):g}.")
    if scale * float(gains.max()) > MOST_SCALED:
        raise CallError(f"A gain of {float(gains.max()):g} times {scale} is too large for qrels. Use a smaller scale.")
    return np.maximum(1, np.rint(scale * gains)).astype(np.int64)


def write_scaled_qrels(labels: Judgments, gains: Gains, *, scale: int = SCALE) -> str:
    r"""A TREC qrels file whose levels are the scaled gains of the labels: `topic 0 document max(1, round(scale * g))`.

    For nDCG (`ndcg`, `ndcg_cut`) in trec_eval, pytrec_eval, ir_measures and ranx; `bound_error` says how close they
    come. *Not* for any count of relevant documents: all judged documents look relevant.

    Raises:
        CallError: a gain is negative, or unjudged documents have a gain, which qrels cannot say.
        DataError: a topic or document has blanks, or a level has no gain.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.exports.labels import take_labels
    >>> labels = take_labels(twenty_documents(), "U1")
    >>> write_scaled_qrels(labels, Gains(labels.levels, np.array([1 / 13, 5 / 17, 0.4])))[:24]
    'q1 0 d01 400\nq1 0 d02 40'
    """
    if gains.unjudged != 0:
        raise CallError(
            f"Qrels cannot give unjudged documents a gain, found {gains.unjudged:g}. Every other tool takes them as 0."
        )
    scaled = scale_gains(level_gains(labels.levels, gains), scale=scale)
    refuse_marks(labels, BLANKS, what="a qrels file cannot hold blanks in topics and documents")
    topic = pl.Series("topic", labels.topics, dtype=pl.String).gather(labels.topic.astype(np.uint32))
    frame = pl.DataFrame([topic, labels.document.alias("document"), pl.Series("gain", scaled[labels.level])])
    lines = frame.select(pl.format("{} 0 {} {}", "topic", "document", "gain")).to_series()
    return "\n".join(lines.to_list()) + "\n"


def bound_error(labels: Judgments, gains: Gains, *, scale: int = SCALE) -> ErrorBound:
    """A bound on |nDCG on scaled qrels - nDCG with the gains|, for any list, at any depth, with logarithmic discount.

    Per topic, let g be the gains, h = G / scale the scaled ones, I the ideal DCG with g, and 0 < a <= b two factors.
    Let z I be the most that the excesses max(0, h - b g) can add to a DCG, and w I the most that the shortfalls
    max(0, a g - h) can take away: each is a sum with the largest of them at the best ranks. Then

        |difference| <= 1 - (a - w - z) / b, and at most 1.

    Proof. For any list `a DCG - w I <= DCG' <= b DCG + z I`; an ideal DCG is the largest DCG over all orders, so
    `(a - w) I <= I' <= (b + z) I`. With x = DCG / I, the scaled nDCG is at most `min(1, (b x + z) / (a - w))`, which
    exceeds x most where it reaches 1, at x = (a - w - z) / b; and at least `(a x - w) / (b + z)`, which falls short of
    x most at x = 1, by 1 - (a - w) / (b + z), no more than the bound since (a - w - z)(b + z) <= (a - w) b.

    Any a and b will do; the best of the levels' own ratios h / g and of 1 are taken. With a and b the smallest and
    largest ratio, w = z = 0 and the bound is 1 - a / b: a common factor cancels. A level of gain 0 has h = 1 / scale,
    which is all excess.

    Args:
        labels: the labels of one assessor.
        gains: what their levels are worth.
        scale: the factor before rounding.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.exports.labels import take_labels
    >>> labels = take_labels(twenty_documents(), "U1")
    >>> bound = bound_error(labels, Gains(labels.levels, np.array([1 / 13, 5 / 17, 0.4])))
    >>> round(bound.worst, 5)
    0.0004
    """
    worth = level_gains(labels.levels, gains)
    scaled = scale_gains(worth, scale=scale) / scale
    size = len(worth)
    pool = np.bincount(labels.topic * np.int64(size) + labels.level, minlength=len(labels.topics) * size)
    pool = pool.reshape(-1, size)
    places = np.flatnonzero(pool.any(axis=1))
    kinds, kind = np.unique(pool[places], axis=0, return_inverse=True)
    bounds = np.array([_bound_topic(counts, worth, scaled) for counts in kinds])[kind.reshape(-1)]
    worst = int(bounds.argmax())
    worthless = int((pool[places][:, worth > 0].sum(axis=1) == 0).sum())
    return ErrorBound(float(bounds[worst]), float(bounds.mean()), labels.topics[places[worst]], worthless)


def show_bound(bound: float) -> str:
    """A bound with two digits, rounded up: what is said must hold.

    >>> show_bound(0.2441), show_bound(0.00032), show_bound(1e-16)
    ('0.25', '0.00032', '0')
    """
    if bound < _NOISE:
        return "0"
    unit = 10.0 ** (math.floor(math.log10(bound)) - 1)
    return f"{math.ceil(bound / unit - 1e-9) * unit:.2g}"


def _bound_topic(pool: IntArray, worth: FloatArray, scaled: FloatArray) -> float:
    found = pool > 0
    pool, worth, scaled = pool[found], worth[found], scaled[found]
    if not worth.any():
        return 1.0  # nDCG is 0 by definition, the scaled one anything
    weights = log_discount(np.arange(1.0, int(pool.sum()) + 1))
    ideal = np.cumsum(_descending(worth, pool) * weights)

    def share(errors: FloatArray) -> float:
        """The most these errors can amount to, as a share of the ideal DCG, at the worst depth."""
        return float(np.max(np.cumsum(_descending(errors, pool) * weights) / ideal)) if errors.any() else 0.0

    ratios = scaled[worth > 0] / worth[worth > 0]
    best = 1.0
    for low in {float(ratios.min()), 1.0}:
        short = share(np.maximum(0, low * worth - scaled))
        for high in {*ratios.tolist(), 1.0}:
            if high >= low:
                best = min(best, 1 - (low - short - share(np.maximum(0, scaled - high * worth))) / high)
    return max(0.0, best)


def _descending(values: FloatArray, pool: IntArray) -> FloatArray:
    order = np.argsort(-values, kind="stable")
    return np.repeat(values[order], pool[order])
