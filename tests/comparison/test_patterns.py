"""Comparisons by mean labels: the parameters are those of levels, what stands in the lists are patterns of labels."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import gainsayer as gs
from gainsayer.comparison import leave_out_topics, prepare_runs, sort_topics
from gainsayer.gains import Scheme, pattern_gains, prm_scheme
from gainsayer.measures import parse_measure
from gainsayer.ranking import RankedLevels, make_pool
from gainsayer.reading import Judgments, read_run

TOPICS = [f"q{n}" for n in range(6)]


def panel() -> Judgments:
    """Six topics of eight documents, three of five people on each."""
    rng = np.random.default_rng(11)
    rows = [
        (topic, f"d{document}", f"w{worker}", int(np.clip(document // 3 + rng.integers(-1, 2), 0, 2)))
        for topic in TOPICS
        for document in range(8)
        for worker in rng.choice(5, 3, replace=False)
    ]
    return gs.read_judgments(pl.DataFrame(rows, ["topic", "document", "worker", "level"], orient="row"))


def rank(judgments: Judgments) -> list[RankedLevels]:
    """Two runs by mean labels."""
    rng = np.random.default_rng(12)
    pool = make_pool(judgments, assessor="mean")
    runs = [{topic: {f"d{n}": float(x) for n, x in enumerate(rng.random(8))} for topic in TOPICS} for _ in range(2)]
    return [gs.ranking.rank_levels(read_run(run), pool) for run in runs]


@pytest.mark.parametrize("name", ["nDCG@3", "CG@3", "AP", "RR", "AP(users='independent')"])
def test_replicates_are_the_whole_pipeline_without_each_topic(name: str) -> None:
    """Counts, p(R|i), mean gains and scores anew without a topic: the engine's, to first order in the gains."""
    judgments = panel()
    measure, relevance = parse_measure(name), judgments.levels.at_or_above("2")
    disagreement = gs.estimate_disagreement(gs.count_pairs(judgments))
    scheme: Scheme = prm_scheme(disagreement, relevance)
    ranked = rank(judgments)
    worth = pattern_gains(scheme.gains, ranked[0].levels)
    values = np.stack([measure.score(run, worth) for run in ranked])
    prepared = prepare_runs(ranked, measure, scheme.gains, TOPICS)
    kinds = sort_topics(TOPICS, TOPICS)
    found = leave_out_topics(prepared, scheme, values, kinds)
    for place, topic in enumerate(TOPICS):
        others = judgments.rows(judgments.topic != judgments.topics.index(topic))
        model = gs.estimate_disagreement(gs.count_pairs(others))
        gains = pattern_gains(gs.prm_gains(gs.predict_relevance(model, relevance)), ranked[0].levels)
        expected = [np.delete(measure.score(run, gains), place).mean() for run in ranked]
        # A sum is linear in the gains; of the others the second order is left.
        np.testing.assert_allclose(found.joint[place], expected, atol=1e-12 if name == "CG@3" else 0.01)


def test_one_label_each_is_no_pattern() -> None:
    """Where every document has one label, mean labels give the comparison of plain labels, intervals and all."""
    judgments = panel()
    one = judgments.rows(np.unique(judgments.item, return_index=True)[1])
    levels = judgments.levels
    scheme = Scheme(gs.gains.binary_gains(levels, levels.at_or_above("1")), relevance=levels.at_or_above("1"))
    runs = [read_run({topic: {f"d{n}": sign * n for n in range(8)} for topic in TOPICS}) for sign in (1.0, -1.0)]
    found = []
    for rule in ("mean", None):
        pool = make_pool(one, assessor=rule)
        ranked = [gs.ranking.rank_levels(run, pool) for run in runs]
        found.append(gs.comparison.compare_runs(ranked, [parse_measure("nDCG@3")], [scheme]).parts[0])
    np.testing.assert_array_equal(found[0].values, found[1].values)
    np.testing.assert_allclose(found[0].standings.interval, found[1].standings.interval, atol=1e-12)
