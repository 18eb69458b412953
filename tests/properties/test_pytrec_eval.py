"""Random qrels and runs: every shared measure equals pytrec_eval's, through readers, ranking and measures."""

from __future__ import annotations

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import gainsayer as gs
from gainsayer.gains import custom_gains
from gainsayer.measures import parse_measure
from gainsayer.ranking import make_pool, rank_levels
from gainsayer.reading import read_run

NAMES = [
    *("map", "map_cut_5", "P_1", "P_5", "P_10", "recall_5", "recall_10", "ndcg", "ndcg_cut_5", "ndcg_cut_10"),
    *("recip_rank", "Rprec", "bpref", "infAP", "success_1", "success_5", "num_ret", "num_rel", "num_rel_ret"),
]
FAMILIES = {
    *("map", "map_cut", "P", "recall", "ndcg", "ndcg_cut", "recip_rank", "Rprec", "bpref", "infAP", "success"),
    *("num_ret", "num_rel", "num_rel_ret"),
}
DEPTHS = {"P.1,5,10", "recall.5,10", "map_cut.5", "ndcg_cut.5,10", "success.1,5"}

documents = st.sampled_from([f"d{place}" for place in range(14)])
levels = st.integers(-2, 3)
qrels = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(documents, levels, min_size=1, max_size=12), min_size=1
)
runs = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q9"]),
    st.dictionaries(documents, st.sampled_from([0.0, 0.5, 1.0, 2.0, -1.0]), min_size=1, max_size=14),
    min_size=1,
)


@given(qrels=qrels, run=runs)
@settings(max_examples=300, deadline=None)
def test_every_shared_measure_equals_pytrec_eval(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> None:
    """Ties, negative levels, missing topics and unjudged documents: equal to 1e-9 on every topic both score."""
    for labels in qrels.values():
        labels["d99"] = 0  # trec_eval reads beyond its memory where a topic has negative levels only
        labels["d98"] = 1
    if not set(qrels) & set(run):
        return
    judgments = gs.read_judgments({"nist": qrels})
    ranked = rank_levels(read_run(run), make_pool(judgments))
    found = pytrec_eval.RelevanceEvaluator(
        qrels, (FAMILIES - {"P", "recall", "map_cut", "ndcg_cut", "success"}) | DEPTHS
    )
    expected = found.evaluate(run)
    for name in NAMES:
        measure = parse_measure(name)
        linear = measure.family.classic == "linear"
        gains = (
            gs.gains.linear_gains(judgments.levels)
            if linear
            else gs.gains.binary_gains(judgments.levels, judgments.levels.at_or_above("1"))
        )
        values = dict(zip(ranked.topics, measure.score(ranked, gains), strict=True))
        for topic, scores in expected.items():
            assert values[topic] == pytest.approx(scores[name], abs=1e-9), (name, topic)


@given(
    qrels=qrels, run=runs, gains=st.lists(st.integers(1, 1000), min_size=6, max_size=6), depth=st.sampled_from([3, 10])
)
@settings(max_examples=100, deadline=None)
def test_thousandths_as_gains_equal_scaled_qrels(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], gains: list[int], depth: int
) -> None:
    """With gains that are exact thousandths, nDCG is trec_eval's ndcg_cut on qrels scaled by 1000."""
    if not set(qrels) & set(run):
        return
    for labels in qrels.values():
        labels["d99"], labels["d98"] = 0, 1
    judgments = gs.read_judgments({"nist": qrels})
    names = judgments.levels.names
    chosen = dict(zip(names, gains, strict=False))
    ranked = rank_levels(read_run(run), make_pool(judgments))
    exact = custom_gains(judgments.levels, {name: chosen[name] / 1000 for name in names})
    values = dict(zip(ranked.topics, parse_measure(f"nDCG@{depth}").score(ranked, exact), strict=True))
    scaled = {topic: {name: chosen[str(level)] for name, level in labels.items()} for topic, labels in qrels.items()}
    expected = pytrec_eval.RelevanceEvaluator(scaled, {f"ndcg_cut.{depth}"}).evaluate(run)
    for topic, scores in expected.items():
        assert values[topic] == pytest.approx(scores[f"ndcg_cut_{depth}"], abs=1e-9)


def test_a_perfect_list_scores_one_with_probabilities() -> None:
    """Where other tools give 2.19 or 0, the ideal order of fractional gains has nDCG 1, and no list has more."""
    rng = np.random.default_rng(2)
    labels = {f"d{place}": int(level) for place, level in enumerate(rng.integers(0, 4, 40))}
    judgments = gs.read_judgments({"nist": {"q": labels}})
    gains = custom_gains(judgments.levels, {"0": 0.01, "1": 0.04, "2": 0.27, "3": 0.53})
    best = {name: float(gains.values[level]) for name, level in labels.items()}
    pool = make_pool(judgments)
    measure = parse_measure("nDCG@10")
    assert measure.score(rank_levels(read_run({"q": best}), pool), gains)[0] == pytest.approx(1.0)
    for _ in range(50):
        random = {name: float(score) for name, score in zip(labels, rng.random(40), strict=True)}
        assert measure.score(rank_levels(read_run({"q": random}), pool), gains)[0] <= 1 + 1e-12
