"""Mean scores with gains that move: unjudged documents, patterns of labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.comparison.small_worlds import LEVELS, ONE, small_world

from gainsayer.comparison.run_comparison import compare_runs
from gainsayer.gains.schemes import prm_scheme
from gainsayer.gains.values import Gains
from gainsayer.measures.catalogue import parse_measure
from gainsayer.rankings.lists import ranked_from_lists


def test_unjudged_documents_as_the_lowest_level_move_with_it() -> None:
    """Lists with unjudged documents have the replicates of lists that hold documents of level 0 in their place."""
    runs, model = small_world(9, 9)
    pool = {name: [5, 3, 2] for name in runs[0].topics}
    rng = np.random.default_rng(3)
    lists = {name: rng.choice([0, 1, 2], 6).tolist() for name in pool}
    hidden = {name: [None if level == 0 else level for level in some] for name, some in lists.items()}
    measure = [parse_measure(name) for name in ("P@5", "nDCG@4", "AP")]
    ends = []
    for some, lowest in ((lists, False), (hidden, True)):
        run = ranked_from_lists(some, pool, levels=LEVELS, name="a")
        scheme = prm_scheme(model, ONE)
        if lowest:
            gains = Gains(LEVELS, scheme.gains.values, unjudged=float(scheme.gains.values[0]), name="prm")
            scheme = replace(scheme, gains=gains)
        found = compare_runs([run], measure, [scheme], unjudged_as_lowest=lowest)
        ends.append([part.standings.interval[0].tolist() for part in found.parts])
    assert np.array(ends[1]) == pytest.approx(np.array(ends[0]), rel=1e-10)
