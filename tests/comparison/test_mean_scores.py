"""Mean scores with gains that move: unjudged documents, patterns of labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.comparison.small_worlds import LEVELS, ONE, small_world

from gainsayer.comparison import ScoredRuns, compare_runs, mean_scores, prepare_runs
from gainsayer.gains import Gains, prm_scheme
from gainsayer.measures import parse_measure
from gainsayer.rankings import ranked_from_lists


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


GAINS = np.array([[0.1, 0.4, 0.8], [0.3, 0.2, 0.9], [0.0, 0.5, 0.5]])


def prepared(measure: str, **options: object) -> ScoredRuns:
    """Two runs on four topics, of which the second and the fourth are scored."""
    rng = np.random.default_rng(6)
    pool = {f"q{n}": [2, 2, 2] for n in range(4)}
    runs = [
        ranked_from_lists(
            {topic: [*rng.permutation([0, 1, 2]).tolist(), None] for topic in pool}, pool, levels=LEVELS, name=name
        )
        for name in ("a", "b")
    ]
    gains = Gains(LEVELS, GAINS[0], unjudged=0.05)
    return prepare_runs(runs, parse_measure(measure), gains, ["q1", "q3"], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("measure", ["P@3", "nDCG@3", "CG", "AP", "RR"])
@pytest.mark.parametrize("cells", [1, 1 << 21])
def test_means_are_weighted_sums_of_scores(measure: str, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every gain vector, run and weighting by itself, in blocks of any size; unjudged documents keep their gain."""
    monkeypatch.setattr(mean_scores, "BLOCK_CELLS", cells)
    scored = prepared(measure)
    weights = np.random.default_rng(7).random((2, 3, 2))
    tables, means = scored.tables(GAINS), scored.means(GAINS, weights)
    assert (tables.shape, means.shape) == ((3, 2, 2), (2, 3, 2))
    for place, values in enumerate(GAINS):
        for run, ranked in enumerate(scored.ranked):
            whole = parse_measure(measure).score(ranked, Gains(LEVELS, values, unjudged=0.05))[[1, 3]]
            assert tables[place, run] == pytest.approx(whole)
            for way in range(2):
                assert means[way, place, run] == pytest.approx(weights[way, place] @ whole)


@pytest.mark.parametrize("measure", ["P@3", "AP"])
def test_topics_that_count_0_do_so_whatever_the_gains(measure: str) -> None:
    """Of the scored topics q1 counts 0; q3 is scored as ever."""
    zero = np.array([True, True, False, False])
    plain, some = prepared(measure), prepared(measure, zero=zero)
    assert some.alive.tolist() == [0.0, 1.0]
    assert some.tables(GAINS)[..., 0].tolist() == np.zeros((3, 2)).tolist()
    assert some.tables(GAINS)[..., 1].tolist() == plain.tables(GAINS)[..., 1].tolist()
    weights = np.full((1, 3, 2), 0.5)
    assert some.means(GAINS, weights)[0] == pytest.approx(plain.tables(GAINS)[..., 1] / 2)
