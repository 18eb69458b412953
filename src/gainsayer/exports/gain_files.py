"""Gains for other evaluators: as maps of level to gain, and as scaled qrels with what the rounding may cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import MOST_FAULTS, CallError, DataError
from gainsayer.gains.values import Gains, pattern_gains
from gainsayer.levels import Levels, Patterns, is_whole
from gainsayer.measures.sums import log_discount
from gainsayer.ranking.whose_labels import Labels, choose_labels
from gainsayer.reading.judgments import Judgments
from gainsayer.text import option, write_json
from gainsayer.words import counted

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

SCALE: Final = 1000
MOST_SCALED: Final = 2**31 - 1
# What separates the columns of a TREC file, or its lines.
_BLANKS: Final = r"\s|[\x00-\x1f\x7f]"
_NOISE: Final = 1e-12
MEANINGLESS: Final = (
    "These qrels are for nDCG only. Every judged document counts as relevant in them, so every count of relevant "
    "documents (P, R, AP, RR, num_rel, bpref, ...) is meaningless."
)


def take_labels(judgments: Judgments, labels: Labels = None) -> Judgments:
    """One label per document of a topic, or with `mean` one pattern of labels: what a run is scored with.

    Other tools know one label per document, so several assessors, several intents or repeated judgments of one
    document must be reduced to one first. The rule is that of `choose_labels`.

    Raises:
        CallError: there is no such assessor, or documents have several labels and nothing says which one counts.
        DataError: a document has several intents.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> len(take_labels(twenty_documents(), "U1"))
    20
    """
    chosen = choose_labels(judgments, labels)
    table = pl.DataFrame({"topic": chosen.topic, "document": chosen.document})
    repeated = table.filter(table.is_duplicated()).unique(maintain_order=True)
    if repeated.height:
        shown = [f"{chosen.topics[topic]} {document}" for topic, document in repeated.head(MOST_FAULTS).iter_rows()]
        raise DataError(
            f"Other tools know one label per document, but several intents give {counted(repeated.height, 'document')} "
            f"more than one, such as {'; '.join(shown)}. Keep one intent of each topic: {option('intents', 'top')}"
        )
    return chosen


def level_gains(levels: Levels, gains: Gains) -> FloatArray:
    """The gain of each of these levels, shape [levels]; the mean over the draws where there are any.

    Raises:
        DataError: the gains do not know a level.

    >>> level_gains(Levels(("0", "1")), Gains(Levels(("0", "1", "2")), np.array([0.1, 0.3, 0.4]))).tolist()
    [0.1, 0.3]
    """
    if isinstance(levels, Patterns):
        return pattern_gains(gains, levels).values
    known = gains.as_dict()
    lacking = [name for name in levels.names if name not in known]
    if lacking:
        raise DataError(
            f"The labels have level {', '.join(map(repr, lacking))}, which the gains do not know: they are for "
            f"{', '.join(known)}. Give it a gain, or merge it into another level."
        )
    return np.array([known[name] for name in levels.names])


def refuse_marks(labels: Judgments, marks: str, *, what: str) -> None:
    """Refuse topics and documents that the target format cannot hold, and name the first ten.

    Args:
        labels: the labels to be written.
        marks: a pattern of the characters that may not occur, as a regular expression.
        what: what the format cannot hold, in words: 'a qrels file cannot hold blanks'.

    Raises:
        DataError: a topic or a document has such a character.
    """
    names = pl.Series("topic", labels.topics, dtype=pl.String)
    topics = [("topic", name) for name in names.filter(names.str.contains(marks)).to_list()]
    documents = [("document", name) for name in labels.document.filter(labels.document.str.contains(marks)).to_list()]
    faults = topics + documents
    if faults:
        shown = "; ".join(f"{kind} {name!r}" for kind, name in faults[:MOST_FAULTS])
        more = f"; and {len(faults) - MOST_FAULTS:,} more" if len(faults) > MOST_FAULTS else ""
        raise DataError(f"Nothing was written: {what}, found {shown}{more}. Rename them first.")


def write_gain_json(gains: Gains) -> str:
    """The gains as a JSON object, level name to gain, from low to high; nothing is rounded.

    >>> print(write_gain_json(Gains(Levels(("Non", "Key")), np.array([0.01, 0.53]))))
    {
      "Non": 0.01,
      "Key": 0.53
    }
    """
    return write_json(gains.as_dict()).rstrip("\n")


def write_trec_eval_gains(gains: Gains) -> str:
    """The gains as trec_eval's parameter: `-m ndcg.LEVEL=GAIN,...`, which `ndcg` takes and `ndcg_cut` does not.

    A trap: trec_eval compares gains through an integer, so that gains less than 1 apart count as equal, and its ideal
    list takes the levels in the order of the parameter. A map with the best level first gives an ideal list with the
    worst documents on top, and a perfect ranking scores above 1 (2.19 was seen). Here the levels are in order of
    increasing gain, which comes out right as long as the C library's sort keeps equal entries in their order. Nothing
    promises that: prefer scaled qrels. pytrec_eval takes no such parameter: it stops the whole Python process
    (docs/reference/other-evaluators.md).

    Raises:
        CallError: a level is not a whole number of at least 0 in the data, as trec_eval needs.

    >>> write_trec_eval_gains(Gains(Levels(("0", "1", "2")), np.array([0.01, 0.53, 0.27])))
    '-m ndcg.0=0.01,2=0.27,1=0.53'
    """
    pairs = sorted(zip(_numbers(gains.levels), gains.as_dict().values(), strict=True), key=lambda pair: pair[1])
    return "-m ndcg." + ",".join(f"{level}={show_decimal(gain)}" for level, gain in pairs)


def write_ir_measures_gains(gains: Gains, *, scale: int = SCALE) -> str:
    """The gains as a measure of ir_measures: `nDCG(gains={LEVEL:GAIN,...})`, scaled to whole numbers of at least 1.

    ir_measures accepts fractions in the measure's name and refuses them when it computes ("Expected relevance to be
    integer"), so the gains are scaled as in `write_scaled_qrels`, with the same bound on the error.

    Raises:
        CallError: a level is not a whole number of at least 0 in the data, or a gain is negative.

    >>> write_ir_measures_gains(Gains(Levels(("0", "1", "2")), np.array([0.01, 0.27, 0.53])))
    'nDCG(gains={0:10,1:270,2:530})'
    """
    scaled = scale_gains(np.array(list(gains.as_dict().values())), scale=scale)
    pairs = zip(_numbers(gains.levels), scaled.tolist(), strict=True)
    return f"nDCG(gains={{{','.join(f'{level}:{gain}' for level, gain in pairs)}}})"


def show_decimal(value: float) -> str:
    """A number in plain decimals, never as 1e-05, with as many digits as it takes to read it back the same.

    >>> show_decimal(0.53), show_decimal(1e-05), show_decimal(1.0)
    ('0.53', '0.00001', '1')
    """
    return np.format_float_positional(value, unique=True, trim="-")


def _numbers(levels: Levels) -> list[int]:
    """The numbers that stand for the levels in the data."""
    labels = levels.codes or levels.names
    if not all(is_whole(label) and int(label) >= 0 for label in labels):
        example = ",".join(f"{name}={number}" for number, name in enumerate(levels.names))
        raise CallError(
            f"trec_eval and ir_measures know levels as whole numbers from 0, found {', '.join(labels)}. Say which "
            f"number stands for each in the qrels: {option('levels', example)}"
        )
    return [int(label) for label in labels]


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
        CallError: the scale is not above 0, a gain is negative, or a number is too large for other tools.

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
    >>> labels = take_labels(twenty_documents(), "U1")
    >>> write_scaled_qrels(labels, Gains(labels.levels, np.array([1 / 13, 5 / 17, 0.4])))[:24]
    'q1 0 d01 400\nq1 0 d02 40'
    """
    if gains.unjudged != 0:
        raise CallError(
            f"Qrels cannot give unjudged documents a gain, found {gains.unjudged:g}. Every other tool takes them as 0."
        )
    scaled = scale_gains(level_gains(labels.levels, gains), scale=scale)
    refuse_marks(labels, _BLANKS, what="a qrels file cannot hold blanks in topics and documents")
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
    largest ratio, w = z = 0 and the bound is 1 - a / b: a common factor cancels. For a level of gain 0, h = 1 / scale
    is nothing but excess.

    Args:
        labels: the labels of one assessor.
        gains: what their levels are worth.
        scale: the factor before rounding.

    >>> from gainsayer.datasets.paper import twenty_documents
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
    judged = np.flatnonzero(pool.any(axis=1))
    kinds, kind = np.unique(pool[judged], axis=0, return_inverse=True)
    bounds = np.array([_bound_topic(counts, worth, scaled) for counts in kinds])[kind.reshape(-1)]
    worst = int(bounds.argmax())
    worthless = int((pool[judged][:, worth > 0].sum(axis=1) == 0).sum())
    return ErrorBound(float(bounds[worst]), float(bounds.mean()), labels.topics[judged[worst]], worthless)


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
    """The bound of a topic with so many documents of each level, for gains g and scaled gains h of the levels."""
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
    """The values of all documents, largest first."""
    order = np.argsort(-values, kind="stable")
    return np.repeat(values[order], pool[order])
