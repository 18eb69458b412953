"""How much of the runs nobody judged, said in the words of a study."""

from __future__ import annotations

import numpy as np

from gainsayer.findings import Finding
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import MUCH_UNJUDGED, Scores


def find_unjudged(scores: Scores, measure: Measure, whose: str) -> list[Finding]:
    """A finding where runs hold many unjudged documents within the measure's depth, else none.

    Both sides give an unjudged document the same gain, 0. So the more there are, the more alike two sides' orders of
    the runs become, whatever their labels say.
    """
    if measure.depth is None or measure.family.needs == "nothing":
        return []
    shares = np.nan_to_num(scores.unjudged[measure])
    many = int((shares > MUCH_UNJUDGED).sum())
    if not many:
        return []
    worst = int(np.argmax(shares))
    message = (
        f"By the labels of {whose}, {many} of {len(shares)} runs have more than {MUCH_UNJUDGED:.0%} unjudged documents "
        f"within {measure}, {scores.runs[worst]} most of them ({shares[worst]:.1%}; the middle run "
        f"{np.median(shares):.1%}). They are worth 0 under all gains, which makes orders alike. Leave them out with "
        "--unjudged condense, or judge more."
    )
    return [Finding("unjudged-documents", message)]
