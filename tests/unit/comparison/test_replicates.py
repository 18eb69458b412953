"""Mean scores without each topic: by scoring anew, and to first order."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.comparison.small_worlds import make_replicates, small_world

from gainsayer.comparison.influences import find_influences
from gainsayer.comparison.intervals import score_intervals


@pytest.mark.parametrize("measure", ["nDCG@5", "P@3", "AP", "RR"])
def test_the_infinitesimal_form_agrees_with_leaving_topics_out(measure: str) -> None:
    """With 600 doubly judged topics a gradient gives the errors and intervals of 600 rescorings, within .1 %."""
    runs, model = small_world(700, 600, seed=4)
    exact, first_order = (make_replicates(runs, model, measure, many=many) for many in (10**9, 0))
    one, other = (find_influences(replicates, np.log) for replicates in (exact, first_order))
    assert other.error == pytest.approx(one.error, rel=1e-3)
    assert other.parameters == pytest.approx(one.parameters, rel=5e-3)
    assert other.degrees == pytest.approx(one.degrees, rel=1e-3)
    ends = [score_intervals(replicates, confidence=0.95, highest=1).interval for replicates in (exact, first_order)]
    assert ends[1] == pytest.approx(ends[0], rel=1e-4)
