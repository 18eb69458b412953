"""One order of judgments for all ways in which they come, so that sums of parts of pairs are the same to the last bit.

Where two judged a document, a pair counts 1, and whole numbers add up to the same in any order. Where more did, a pair
counts a part of 1, and sums are rounded, a little differently in another order. Rows of files and buckets of topics
come in different orders; documents that got the same labels from the same people are alike, whatever their names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.judgments.table import Judgments

_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
_FACTOR: Final = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT: Final = np.uint64(30)


def order_judgments(judgments: Judgments) -> Judgments:
    """The same judgments in the order of topics and of what was said of a document; as they are where it cannot matter.

    A document's place is by a hash of its labels and who gave them. It cannot matter where no document has more than
    two judgments and none has a weight.

    >>> from gainsayer.judgments.files import read_judgments
    >>> one = {"U1": {"q": {"a": 1, "b": 0}}, "U2": {"q": {"b": 0, "a": 1}}, "U3": {"q": {"a": 0}}}
    >>> two = {"U1": {"q": {"y": 0, "x": 1}}, "U2": {"q": {"x": 1, "y": 0}}, "U3": {"q": {"x": 0}}}
    >>> [order_judgments(read_judgments(said)).item.tolist() for said in (one, two)]
    [[0, 0, 0, 1, 1], [0, 0, 0, 1, 1]]
    """
    if judgments.weight is None and not _holds_more_than_pairs(judgments):
        return judgments
    said = _mix(
        judgments.assessor.astype(np.uint64) * np.uint64(len(judgments.levels)) + judgments.level.astype(np.uint64)
    )
    if judgments.weight is not None:
        said = _mix(said ^ judgments.weight.view(np.uint64))
    by_item = np.argsort(judgments.item, kind="stable")
    heads = np.searchsorted(judgments.item[by_item], np.arange(judgments.items))
    key = np.add.reduceat(said[by_item], heads)
    place = np.empty(judgments.items, np.int64)
    place[np.lexsort((key, judgments.topic[by_item[heads]]))] = np.arange(judgments.items)
    item = place[judgments.item]
    order = np.lexsort((said, judgments.level, judgments.assessor, item))
    return replace(judgments.rows(order), item=item[order])


def _holds_more_than_pairs(judgments: Judgments) -> bool:
    kept = any(finding.code == "repeats-kept" for finding in judgments.findings)
    return (judgments.voices > 2 or kept) and int(np.bincount(judgments.item).max()) > 2


def _mix(number: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    number = (number + np.uint64(1)) * _SPREAD
    return (number ^ (number >> _SHIFT)) * _FACTOR
