"""The joint bootstrap against the same thing done the long way, one draw at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import numpy.typing as npt
import pytest

from gainsayer.comparison.joint import resample_scores
from gainsayer.comparison.resampling import redraw_matrices, resample_topics
from gainsayer.comparison.schemes import Scheme, prm_scheme, udm_scheme
from gainsayer.counts.pairs import PairCounts
from gainsayer.disagreement.estimate import Disagreement, estimate_disagreement
from gainsayer.disagreement.relevance import predict_relevance
from gainsayer.errors import CallError
from gainsayer.gains import Gains, prm_gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import parse_measure
from gainsayer.rankings.lists import ranked_from_lists
from gainsayer.rankings.ranked_levels import RankedLevels
from gainsayer.rankings.selecting import keep_topics

LEVELS = Levels(("0", "1", "2"))
TOPICS = tuple(f"q{place}" for place in range(8))
DOUBLE = TOPICS[:5]


@pytest.fixture
def runs() -> list[RankedLevels]:
    """Three runs on eight topics, with unjudged documents, lists of unequal length and a missing topic."""
    rng = np.random.default_rng(4)
    pool = {topic: rng.integers(1, 5, 3).tolist() for topic in TOPICS}
    made = []
    for name in ("a", "b", "c"):
        lists: dict[str, list[int | None]] = {}
        for topic in TOPICS:
            stock = [level for level, count in enumerate(pool[topic]) for _ in range(count)] + [None] * 3
            order = rng.permutation(len(stock))[: rng.integers(2, len(stock))]
            lists[topic] = [stock[place] for place in order]
        if name == "c":
            del lists["q3"]
        made.append(ranked_from_lists(lists, pool, levels=LEVELS, name=name))
    return made


@pytest.fixture
def disagreement() -> Disagreement:
    """Double judgments on five of the topics, all levels in each, so that no draw lacks one."""
    counts = np.random.default_rng(5).integers(1, 9, (5, 3, 3))
    return estimate_disagreement(PairCounts.from_matrix(LEVELS, counts, topics=DOUBLE), estimator="symmetric")


def _by_hand(
    runs: list[RankedLevels],
    name: str,
    counts: npt.NDArray[np.float64],
    scored: npt.NDArray[np.float64],
    paired: npt.NDArray[np.float64],
    unjudged: float | None,
) -> list[float]:
    """One draw the long way: the drawn topics' pairs are estimated as if new, every topic is scored on its own."""
    drawn = np.repeat(counts, paired.astype(int), axis=0)
    names = [f"t{place}" for place in range(len(drawn))]
    model = estimate_disagreement(PairCounts.from_matrix(LEVELS, drawn, topics=names), estimator="symmetric")
    gains = prm_gains(predict_relevance(model, LEVELS.at_or_above("1")))
    worth = Gains(LEVELS, gains.values, unjudged=float(gains.values[0]) if unjudged is None else unjudged)
    measure = parse_measure(name)
    means = []
    for run in runs:
        scores = [
            float(measure.score(keep_topics(run, [topic]), worth)[0])
            for topic, times in zip(TOPICS, scored, strict=True)
            for _ in range(int(times))
        ]
        means.append(sum(scores) / len(scores))
    return means


@pytest.mark.parametrize("unjudged", [0.0, 0.25, None])
@pytest.mark.parametrize(
    "name", ["nDCG@3", "nDCG", "DCG@5", "P@4", "R@4", "CG@2", "NumRel", "RBP(p=0.7)", "AP", "RR", "ERR@4", "Q", "Rprec"]
)
def test_draws_equal_the_long_way(
    runs: list[RankedLevels], disagreement: Disagreement, name: str, unjudged: float | None
) -> None:
    """Each draw is the mean score over its topics with gains estimated from its topics; None: unjudged as lowest."""
    resamples = resample_topics(TOPICS, DOUBLE, draws=12, seed=3)
    scheme = prm_scheme(disagreement, LEVELS.at_or_above("1"))
    matrices = redraw_matrices(disagreement, resamples)
    assert scheme.redraw is not None
    worth = float(scheme.gains.values[0]) if unjudged is None else unjudged
    gains = Gains(LEVELS, scheme.gains.values, unjudged=worth)
    drawn = Gains(LEVELS, scheme.redraw(matrices), unjudged=worth)
    found = resample_scores(
        runs, parse_measure(name), gains, resamples, drawn=drawn, unjudged_as_lowest=unjudged is None
    )
    (_, scored, paired), *others = resamples.blocks()
    assert not others
    counts = disagreement.counts.counts
    everything, every_pair = np.ones(8), np.ones(5)
    for draw in range(12):
        joint = _by_hand(runs, name, counts, scored[draw], paired[draw], unjudged)
        alone = _by_hand(runs, name, counts, everything, paired[draw], unjudged)
        assert found.joint[draw] == pytest.approx(joint, abs=1e-12)
        assert found.parameters is not None
        assert found.parameters[draw] == pytest.approx(alone, abs=1e-12)
    assert found.estimate == pytest.approx(_by_hand(runs, name, counts, everything, every_pair, unjudged), abs=1e-12)
    table = np.stack([parse_measure(name).score(run, gains) for run in runs])
    assert found.topics == pytest.approx((scored / 8) @ table.T, abs=1e-12)


def test_udm_follows_the_draws(disagreement: Disagreement) -> None:
    """UDM gains of a draw are eq. (3) with M = 1, N = 2: 1 for the top, p(T|i) between, 0 for the lowest."""
    matrices = redraw_matrices(disagreement, resample_topics(TOPICS, DOUBLE, draws=6))
    scheme = udm_scheme(disagreement)
    assert scheme.redraw is not None
    expected = np.stack([np.zeros(6), matrices[:, 1, 2], np.ones(6)], axis=1)
    np.testing.assert_allclose(scheme.redraw(matrices), expected, rtol=1e-12)


def test_topics_are_drawn_within_their_kind() -> None:
    """Every draw holds as many doubly judged topics, and as many others, as there are."""
    resamples = resample_topics(TOPICS, (*DOUBLE, "x", "y"), draws=1200, seed=1)
    seen = 0
    for which, scored, paired in resamples.blocks():
        seen += which.stop - which.start
        assert (scored[:, :5].sum(axis=1) == 5).all()
        assert (scored[:, 5:].sum(axis=1) == 3).all()
        assert (paired[:, :5] == scored[:, :5]).all()
        assert (paired[:, 5:].sum(axis=1) == 2).all()
    assert seen == 1200
    assert resamples.shared == 5


def test_a_lone_topic_joins_the_others() -> None:
    """A group of one topic would always be drawn once; it is drawn among the largest group instead."""
    resamples = resample_topics(TOPICS, TOPICS[:1], draws=100)
    weights = np.concatenate([scored for _, scored, _ in resamples.blocks()])
    assert (weights.sum(axis=1) == 8).all()
    assert len(np.unique(weights[:, 0])) > 1


def test_blocks_do_not_depend_on_how_many_draws_there_are() -> None:
    """The first draws are the same whether 700 or 1,500 are made: more draws refine, they do not replace."""
    few = np.concatenate([scored for _, scored, _ in resample_topics(TOPICS, draws=1000, seed=2).blocks()])
    many = np.concatenate([scored for _, scored, _ in resample_topics(TOPICS, draws=1500, seed=2).blocks()])
    assert (few == many[:1000]).all()


@pytest.mark.parametrize(("draws", "seed"), [(0, 0), (-1, 0), (10, -1)])
def test_impossible_draws_are_refused(draws: int, seed: int) -> None:
    """No draws and negative seeds are faults of the call."""
    with pytest.raises(CallError):
        resample_topics(TOPICS, draws=draws, seed=seed)


def test_gains_must_fit_the_draws(runs: list[RankedLevels], disagreement: Disagreement) -> None:
    """As many gains as draws, or the call is refused."""
    resamples = resample_topics(TOPICS, DOUBLE, draws=5)
    scheme = Scheme(Gains(LEVELS, np.array([0.1, 0.2, 0.3])))
    with pytest.raises(CallError, match="5 draws need as many gains, found 2"):
        resample_scores(
            runs,
            parse_measure("P@2"),
            scheme.gains,
            resamples,
            drawn=Gains(LEVELS, np.ones((2, 3)) / 3),
        )


PROGRAM = """
import json, numpy as np
from gainsayer.datasets.latent import LatentModel
from gainsayer.datasets.simulate import simulate_collection
from gainsayer.datasets.simulated_runs import RunDesign
import gainsayer as gs
collection = simulate_collection(LatentModel(), topics=30, documents=40, runs=RunDesign(qualities=(.9, .8, .7)), seed=3)
judgments = collection.judgments
model = gs.estimate_disagreement(gs.count_pairs(judgments))
pool = gs.make_pool(judgments)
ranked = [gs.rank_levels(gs.read_run(table), pool) for table in collection.runs.values()]
top = judgments.levels.at_or_above(judgments.levels.top)
found = gs.compare_runs(ranked, [gs.parse_measure("nDCG@10"), gs.parse_measure("AP")],
                        [gs.prm_scheme(model, top)], disagreement=model, draws=600, permutations=500, seed=7)
for part in found.parts:
    print(json.dumps([part.standings.interval.tolist(), part.standings.rank_interval.tolist(),
                      part.standings.probability_best.tolist(), part.pair_interval.tolist(), part.tests.p.tolist()]))
"""


def test_same_seed_same_numbers_whatever_the_threads() -> None:
    """One thread or four: every interval, rank and p-value is the same to the last bit."""
    answers = []
    for threads in ("1", "4"):
        names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
        environment = os.environ | dict.fromkeys(names, threads)
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
        )
        answers.append([json.loads(line) for line in done.stdout.splitlines()])
    assert len(answers[0]) == 2
    assert answers[0] == answers[1]
