"""Weights and kinds of topics: second rounds that were sampled, and strata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from gainsayer.errors import MOST_FAULTS, CallError, DataError
from gainsayer.model.pairs import Sides, choose_sides
from gainsayer.reading.judgments import Judgments
from gainsayer.text import option


def weigh_second_round(
    judgments: Judgments,
    probabilities: Mapping[str, float] | Literal["observed"],
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
) -> Judgments:
    """Give each second judgment the weight 1 / pi, pi being its probability of having been asked for (T6).

    `probabilities` says, for each level of the first side, which share of its documents went to the second
    side; `observed` takes the shares found in the topics that have a second round, which is right when the documents
    of a level were chosen at random. Pairs weighted so (a Hajek ratio) repair the symmetric estimate when every level
    has a probability above 0; where one has none, nothing can, and only the one-sided estimate is left.

    Raises:
        CallError: a probability is not in (0, 1], or a level lacks one.
        DataError: a level of the first side was never judged again, or has several first labels per document.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> weighed = weigh_second_round(twenty_documents(), {"0": 0.5, "1": 1, "2": 1})
    >>> sorted(set(weighed.weight.tolist()))
    [1.0, 2.0]
    """
    sides = choose_sides(judgments, first, second)
    if sides is None:
        raise CallError(
            f"Sampling by first label needs two sides. Name them with {option('first')} and {option('second')}."
        )
    label = _first_labels(judgments, sides)
    share = _observed(judgments, sides) if probabilities == "observed" else _given(judgments, probabilities)
    used = np.unique(label[judgments.item[sides.second_rows]])
    lacking = [judgments.levels.names[level] for level in used[used >= 0] if not share[level] > 0]
    if lacking:
        raise CallError(f"Give the sampling probability of level {', '.join(lacking)} as well.")
    weight = np.ones(len(judgments)) if judgments.weight is None else judgments.weight.copy()
    known = sides.second_rows & (label[judgments.item] >= 0)
    weight[known] /= share[label[judgments.item[known]]]
    return replace(judgments, weight=weight)


def _first_labels(judgments: Judgments, sides: Sides) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    item = judgments.item[sides.first_rows]
    if len(np.unique(item)) < len(item):
        raise DataError(
            "Some documents have several first labels, so the one that decided about the second round is not known. "
            "Keep one assessor on the first side, or give each second judgment its weight in a column 'weight'."
        )
    label = np.full(judgments.items, -1, dtype=np.int64)
    label[item] = judgments.level[sides.first_rows]
    return label


def _observed(judgments: Judgments, sides: Sides) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    size = len(judgments.levels)
    again = np.zeros(judgments.items, dtype=bool)
    again[judgments.item[sides.second_rows]] = True
    rows = np.flatnonzero(sides.first_rows)
    paired = again[judgments.item[rows]]
    held = np.zeros(len(judgments.topics), dtype=bool)
    held[judgments.topic[rows][paired]] = True
    inside = held[judgments.topic[rows]]
    judged = np.bincount(judgments.level[rows][inside], minlength=size)
    twice = np.bincount(judgments.level[rows][paired], minlength=size)
    never = [judgments.levels.names[level] for level in np.flatnonzero((judged > 0) & (twice == 0))]
    if never:
        raise DataError(
            f"No document with first label {', '.join(never)} was judged again, so no weighting can repair the "
            f"symmetric estimate. Use {option('estimator', 'one-sided')}, or judge some of these documents a second "
            "time."
        )
    return twice / np.maximum(judged, 1)


def _given(judgments: Judgments, probabilities: Mapping[str, float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    share = np.zeros(len(judgments.levels))
    for name, value in probabilities.items():
        if not 0 < value <= 1:
            raise CallError(f"The sampling probability of level {name!r} must be above 0 and at most 1, found {value}.")
        share[judgments.levels.index(name)] = value
    return share


def assign_strata(judgments: Judgments, strata: Mapping[str, str]) -> Judgments:
    """The judgments with each topic's stratum, such as its query type or language.

    A stratum belongs to a topic as a whole. Strata must be known before judging: a kind of topic made from the labels
    ("topics with a relevant document") biases every estimate within it (T11).

    Raises:
        DataError: a judged topic has no stratum.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> assign_strata(twenty_documents(), {"q1": "nav", "q2": "inf"}).strata
    {'q1': 'nav'}
    """
    lacking = [topic for topic in judgments.topics if topic not in strata]
    if lacking:
        raise DataError(
            f"{len(lacking)} of {len(judgments.topics)} judged topics have no stratum: "
            f"{', '.join(lacking[:MOST_FAULTS])}. Add a line for each to the strata file."
        )
    return replace(judgments, strata={topic: strata[topic] for topic in judgments.topics})


def split_strata(judgments: Judgments) -> dict[str, Judgments]:
    """The judgments of each stratum, in the order of the strata's names.

    Estimate and evaluate in the same stratum: parameters of all topics together are dominated by the
    stratum with the most judgments (T16).

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> split_strata(assign_strata(twenty_documents(), {"q1": "inf"}))["inf"]
    Judgments(40 judgments of 20 documents, 1 topics, assessors U1, U2, levels 0, 1, 2)
    """
    if judgments.strata is None:
        return {}
    parts = {}
    for stratum in sorted(set(judgments.strata.values())):
        inside = np.array([judgments.strata[topic] == stratum for topic in judgments.topics])
        rows = inside[judgments.topic]
        if rows.any():
            parts[stratum] = judgments.rows(rows)
    return parts
