"""Missing zeros: a pool that lists only documents that somebody found relevant."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments

FEWEST_EXPECTED = 5.0


def notice_missing_zeros(judgments: Judgments, rows: npt.NDArray[np.bool_] | slice) -> tuple[Finding, ...]:
    """A finding where no document has the lowest label from all who judged it, be it one or several.

    With a share q of lowest labels, assessors who agree by chance alone would all give it to `sum_d q^k_d` documents,
    k_d being the labels of document d; assessors who agree better to more. None at all where at least 5 are expected
    shows that documents were chosen by their labels: only those were listed that somebody found relevant. Then p(R|0)
    is too high and agreement too low, and no weights can mend it.

    Args:
        judgments: who said what.
        rows: the judgments that count.

    >>> from gainsayer.judgments.files import read_judgments
    >>> one, two = {f"d{n}": n % 2 for n in range(40)}, {f"d{n}": 1 - n % 2 for n in range(40)}
    >>> judgments = read_judgments({"ann": {"q": one}, "bob": {"q": two}})
    >>> notice_missing_zeros(judgments, slice(None))[0].code
    'zeros-missing'
    """
    if not judgments.levels.ordered:
        return ()
    item, above = judgments.item[rows], judgments.level[rows] > judgments.levels.lowest
    lifted = np.zeros(judgments.items, dtype=np.bool_)
    lifted[item[above]] = True
    if not lifted[item].all():
        return ()
    labels = np.bincount(item)
    labels = labels[labels > 0]
    share = float((~above).mean())
    expected = float((share**labels).sum())
    if expected < FEWEST_EXPECTED:
        return ()
    name = judgments.levels.names[judgments.levels.lowest]
    message = (
        f"Not one of {len(labels):,} documents has the label {name} from all who judged it, where even assessors who "
        f"agree by chance would give it to about {expected:,.0f}. Were only documents listed that somebody found "
        f"relevant? Then p(R|{name}) is too high and agreement too low. Add the documents that all judged {name}."
    )
    return (Finding("zeros-missing", message),)
