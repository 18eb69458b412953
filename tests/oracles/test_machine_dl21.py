"""TREC Deep Learning 2021 with NIST as the people and a language model as the machine: what few labels can say.

The figures were measured by other code on the same data, with many repeats: 63 runs, 53 topics, DCG@10 at threshold 2,
all 1,953 differences of runs, for these topics. Here a few repeats, or as many under GAINSAYER_SLOW=1.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau

from gainsayer.evaluation.machine import CheckRequest
from gainsayer.machines.composite import combine_scores
from gainsayer.machines.document_gains import DocumentGains, rank_weights, score_documents
from gainsayer.machines.drawing import choose_probabilities, draw_documents, guess_gains
from gainsayer.machines.favour import rank_like_judge
from gainsayer.machines.grade_values import predict_by_grade, value_grades
from gainsayer.machines.ideal import expected_ideal, fit_shift
from gainsayer.machines.rectified import (
    Estimate,
    TopicScores,
    estimate_people_alone,
    estimate_scores,
    weigh_topics,
)
from gainsayer.machines.sample import Sample
from gainsayer.measures.catalogue import parse_measure
from gainsayer.measures.profiles import log_discount
from gainsayer.rankings.ranked_levels import FloatArray

SLOW = bool(os.environ.get("GAINSAYER_SLOW"))
REPEATS = 60 if SLOW else 12
pytestmark = pytest.mark.slow
A, B = np.triu_indices(63, k=1)


@dataclass(frozen=True)
class Track:
    """The track: everything judged by people, DCG weights, people's true scores and the machine's."""

    sample: Sample
    weights: FloatArray
    truth: FloatArray
    raw: FloatArray
    ndcg: FloatArray
    own: FloatArray
    chance: FloatArray


@pytest.fixture(scope="module")
def track(shared_data: Callable[[str], Path]) -> Track:
    """DL21 with umbrela's gpt-4o as the machine."""
    folder = shared_data("dl21")
    asked = CheckRequest(
        {"gpt4o": folder / "assessors" / "umbrela-gpt4o.qrels"},
        str(folder / "runs"),
        people=folder / "assessors" / "nist.qrels",
        threshold=2,
    )
    material = asked.material
    assert material.sample is not None
    assert material.raw is not None
    weights = rank_weights(material.runs, parse_measure("DCG@10"))
    told = DocumentGains(material.pool, material.sample.told, "predicted")
    own = DocumentGains(material.pool, material.own, "predicted")
    ndcg = parse_measure("nDCG@10")
    return Track(
        sample=material.sample,
        weights=weights,
        truth=weights @ material.sample.told / 53,
        raw=weights @ material.raw / 53,
        ndcg=np.array([score_documents(run, told, ndcg).mean() for run in material.runs]),
        own=rank_like_judge(material.runs, own),
        chance=choose_probabilities(weights, guess_gains(material.sample.grade, 4), 1083),
    )


def documents(track: Track, seed: int) -> Sample:
    """About 1,083 documents by design."""
    there = draw_documents(track.chance, seed)
    return replace(track.sample, relevant=np.where(there, track.sample.told, np.nan), probability=track.chance)


def topics(track: Track, count: int, seed: int) -> Sample:
    """Whole topics at random."""
    seen = np.isin(np.arange(53), np.random.default_rng([7, seed]).permutation(53)[:count])
    return replace(track.sample, relevant=np.where(seen[track.sample.topic], track.sample.told, np.nan), seen=seen)


def scored(track: Track, sample: Sample) -> TopicScores:
    """DCG@10 by gains predicted out of topic."""
    return weigh_topics(sample, predict_by_grade(sample, value_grades(sample)), track.weights)


def summary(track: Track, estimates: list[Estimate]) -> dict[str, float]:
    """Coverage of scores and differences, rmse of differences, tau with the true order, over the repeats."""
    rows = []
    for found in estimates:
        off = found.score - track.truth
        apart = off[A] - off[B]
        rows.append(
            (
                np.mean(np.abs(off) <= found.reach(found.standard_error, 0.95)),
                np.mean(np.abs(apart) <= found.reach(found.difference_error(A, B), 0.95)),
                np.mean(apart**2),
                kendalltau(found.score, track.truth).statistic,
            )
        )
    score, difference, square, tau = np.mean(rows, axis=0)
    return {"score": score, "difference": difference, "rmse": float(np.sqrt(square)), "tau": tau}


def test_grades_and_runs_are_as_measured_elsewhere(track: Track) -> None:
    """What gpt-4o's grades are worth with everything judged, its order of runs, and who ranks most like it."""
    assert value_grades(track.sample).value == pytest.approx([0.014, 0.254, 0.572, 0.708], abs=0.0005)
    assert kendalltau(track.raw, track.truth).statistic == pytest.approx(0.926, abs=0.003)
    off = track.raw - track.truth
    assert (off.mean(), track.truth.mean()) == pytest.approx((0.51, 2.30), abs=0.005)
    assert np.sqrt(np.mean((off[A] - off[B]) ** 2)) == pytest.approx(0.201, abs=0.003)
    assert track.own.max() == pytest.approx(0.873, abs=0.001)


def test_documents_by_design_beat_whole_topics(track: Track) -> None:
    """1,083 documents: rmse .19 rectified and .26 by people alone; five whole topics of 1,020 labels: .46 and .37."""
    parts = [scored(track, documents(track, seed)) for seed in range(REPEATS)]
    rectified = summary(track, [estimate_scores(part, "these") for part in parts])
    alone = summary(track, [estimate_people_alone(part, "these") for part in parts])
    assert rectified["rmse"] == pytest.approx(0.188, abs=0.03)
    assert alone["rmse"] == pytest.approx(0.262, abs=0.04)
    assert rectified["tau"] == pytest.approx(0.862, abs=0.03)
    assert 0.90 < rectified["score"] < 0.98
    assert 0.93 < rectified["difference"] < 0.97
    few = [scored(track, topics(track, 5, seed)) for seed in range(3 * REPEATS)]
    assert summary(track, [estimate_people_alone(part, "these") for part in few])["rmse"] == pytest.approx(
        0.464, abs=0.08
    )
    assert summary(track, [estimate_scores(part, "these") for part in few])["rmse"] == pytest.approx(0.373, abs=0.07)


def test_whole_topics_cover_on_real_runs(track: Track) -> None:
    """24 whole topics: differences cover .95, rmse .129 where people alone have .166."""
    parts = [scored(track, topics(track, 24, seed)) for seed in range(2 * REPEATS)]
    rectified = summary(track, [estimate_scores(part, "these") for part in parts])
    alone = summary(track, [estimate_people_alone(part, "these") for part in parts])
    assert rectified["rmse"] == pytest.approx(0.129, abs=0.02)
    assert alone["rmse"] == pytest.approx(0.166, abs=0.025)
    assert 0.90 < rectified["score"] < 0.99
    assert 0.92 < rectified["difference"] < 0.97


def test_the_composite_orders_best(track: Track) -> None:
    """Between people's noise and the machine's taste: tau above .92 and half the rmse of either."""
    squares, taus = [], []
    for seed in range(REPEATS):
        found = estimate_scores(scored(track, documents(track, seed)), "these")
        composite = combine_scores(found.score, found.covariance, track.raw)
        assert composite is not None
        off = composite.value - track.truth
        squares.append(np.mean((off[A] - off[B]) ** 2))
        taus.append(kendalltau(composite.value, track.truth).statistic)
    assert np.sqrt(np.mean(squares)) == pytest.approx(0.097, abs=0.015)
    assert np.mean(taus) == pytest.approx(0.932, abs=0.012)


def test_ndcg_of_drawn_documents_on_real_runs(track: Track) -> None:
    """The machine's ideal list: a bias of about .005 on .514, and scores that cover."""
    off, cover = [], []
    for seed in range(REPEATS):
        sample = documents(track, seed)
        gain = predict_by_grade(sample, value_grades(sample))
        ideal = expected_ideal(sample, gain, fit_shift(sample, gain).sigma, discount=log_discount, depth=10)
        found = estimate_scores(weigh_topics(sample, gain, track.weights / ideal[sample.topic]), "these")
        off.append((found.score - track.ndcg).mean())
        cover.append(np.mean(np.abs(found.score - track.ndcg) <= found.reach(found.standard_error, 0.95)))
    assert track.ndcg.mean() == pytest.approx(0.514, abs=0.001)
    assert abs(np.mean(off)) < 0.02
    assert 0.88 < np.mean(cover) < 0.985
