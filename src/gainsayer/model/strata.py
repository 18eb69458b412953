"""Strata: topics divided into kinds (query type, language), each with parameters of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gainsayer.errors import MOST_FAULTS, DataError
from gainsayer.judgments.table import Judgments


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
