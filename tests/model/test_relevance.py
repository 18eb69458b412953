"""p(R|i): probabilities, counts, errors and intervals of one prediction."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from scipy.special import logit
from tests.model.deleted_topics import COUNTS, LEVELS, TOP, ends_around, fitted

import gainsayer as gs
from gainsayer.errors import CallError

Make = Callable[..., gs.Judgments]


@pytest.mark.parametrize("kind", ["uniform", "marginal", "isotonic"])
def test_default_smooths_every_replicate(kind: str) -> None:
    """With smoothing, each deleted-topic estimate is smoothed in the same way, for the interval and the error."""
    smoothing = gs.model.Smoothing(kind)  # type: ignore[arg-type]
    found = gs.predict_relevance(fitted(COUNTS, smoothing), TOP)
    both = (COUNTS + COUNTS.transpose(0, 2, 1)).astype(float)
    full = smoothing.apply(both.sum(axis=0))[:, 2]
    without = np.array([smoothing.apply(np.delete(both, t, axis=0).sum(axis=0))[:, 2] for t in range(7)])
    for level in range(3):
        moves = np.array([logit(p) - logit(full[level]) for p in without[:, level]])
        weight = both[:, level].sum(axis=1) / both[:, level].sum()
        assert found.interval.ends[level] == pytest.approx(
            ends_around(logit(full[level]), moves, weight, 0.95), rel=1e-9
        )
        spread = without[:, level] - without[:, level].mean()
        assert found.topic[level] == pytest.approx(np.sqrt(6 / 7 * (spread**2).sum()))


def test_weighted_opinions_count_by_what_they_are_worth(judge: Make) -> None:
    """Six pairs that stand for a hundred each give the interval of six opinions, whatever the scale of the weights."""
    rows = [(f"q{t}", f"d{d}", side, "0") for t in range(2) for d in range(3) for side in "AB"]
    for mass in (0.01, 1.0, 100.0):
        weight = [mass if side == "B" else 1.0 for _, _, side, _ in rows]
        judgments = judge(rows, levels=LEVELS, columns={"weight": weight})
        disagreement = gs.estimate_disagreement(gs.count_pairs(judgments), estimator="one-sided")
        found = gs.predict_relevance(disagreement)
        assert found.interval.ends[0] == pytest.approx([0, stats.beta.ppf(0.975, 1, 6)])
        assert "thin-level" in [finding.code for finding in found.findings]
        with pytest.raises(CallError, match="The binomial error knows no weights"):
            gs.predict_relevance(disagreement, interval="binomial")


@pytest.mark.parametrize("method", ["auto", "topics"])
@pytest.mark.parametrize("kind", [None, "uniform", "marginal", "isotonic"])
def test_a_level_seen_in_one_topic_has_no_interval_over_topics(method: str, kind: str | None) -> None:
    """Nor has an empty one, also after smoothing: not knowing the error is not an error of 0."""
    counts = COUNTS.copy()
    counts[:, 2], counts[:, :, 2] = 0, 0
    counts[3, 2, 2] = 5
    levels = gs.Levels(("0", "1", "2", "3"))
    padded = np.pad(counts, ((0, 0), (0, 1), (0, 1)))
    smoothing = None if kind is None else gs.model.Smoothing(kind)  # type: ignore[arg-type]
    disagreement = gs.estimate_disagreement(gs.model.PairCounts.from_matrix(levels, padded), smoothing=smoothing)
    found = gs.predict_relevance(disagreement, levels.at_or_above("1"), interval=method)  # type: ignore[arg-type]
    assert np.all(np.isnan(found.interval.ends[2:]))
    assert found.interval.methods[2:] == (None, None)
    assert np.all(np.isnan(found.topic[2:]))
    assert np.all(np.isfinite(found.interval.ends[:2]))
    assert found.notes[2] == "seen in one topic: no error over topics"


@pytest.mark.parametrize("method", ["auto", "topics"])
def test_a_single_topic_has_no_interval_over_topics(method: str) -> None:
    """One topic gives NaN ends and no method; the pair interval is still there."""
    disagreement = fitted(COUNTS[:1])
    found = gs.predict_relevance(disagreement, interval=method)  # type: ignore[arg-type]
    assert np.all(np.isnan(found.interval.ends))
    assert found.interval.methods == (None, None, None)
    assert np.all(np.isfinite(gs.predict_relevance(disagreement, interval="pair").interval.ends))


def test_effective_topics_are_said_where_topics_are_unequal() -> None:
    """One topic with nearly all pairs: the finding says how many equal topics they are worth; a rare level is none."""
    counts = np.repeat(COUNTS[:1], 12, axis=0)
    even = gs.predict_relevance(fitted(counts), TOP)
    counts[0] *= 50
    found = gs.predict_relevance(fitted(counts), TOP)
    assert "few-effective-topics" not in [finding.code for finding in even.findings]
    np.testing.assert_allclose(even.effective_topics, 12)
    message = next(finding.message for finding in found.findings if finding.code == "few-effective-topics")
    expected = (50**1.5 + 11) ** 2 / (50**3 + 11)
    np.testing.assert_allclose(found.effective_topics, expected)
    assert f"12 topics carry as much as {expected:.1f} equal ones" in message
    rare = np.zeros((40, 3, 3))
    rare[:, 0, 0], rare[:3, 2, 2] = 30, 1
    quiet = gs.predict_relevance(fitted(rare), TOP)
    assert quiet.effective_topics[2] == pytest.approx(3)
    assert "few-effective-topics" not in [finding.code for finding in quiet.findings]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"interval": "wald"}, "no interval 'wald': choose one of auto, topics, people, pair, binomial"),
        ({"confidence": 1.0}, "confidence must be a number between 0 and 1, found 1.0"),
        ({"confidence": float("nan")}, "between 0 and 1, found nan"),
        ({"interval": "people"}, "at least two named assessors on a side that stands for users, found first and"),
    ],
)
def test_faults_are_named(arguments: dict[str, object], words: str) -> None:
    """Calls that cannot be served are refused by name."""
    with pytest.raises(CallError, match=words):
        gs.predict_relevance(fitted(COUNTS), TOP, **arguments)  # type: ignore[arg-type]
    with pytest.raises(CallError, match="The pair error is that of raw estimates"):
        gs.predict_relevance(fitted(COUNTS, gs.model.Smoothing("uniform")), TOP, interval="pair")
    with pytest.raises(CallError, match="belong to other levels"):
        gs.predict_relevance(fitted(COUNTS), gs.Levels(("0", "1")).at_or_above("1"))


def test_a_set_of_relevant_levels_adds_up(judge: Make) -> None:
    """p(R|i), its counts and its pair error by hand, eqs. (4) and (23): rows of J over R = {0, 2}."""
    counts = COUNTS.sum(axis=0)
    found = gs.predict_relevance(fitted(COUNTS, estimator="one-sided"), LEVELS.only("0", "2"))
    relevant, judged = counts[:, 0] + counts[:, 2], counts.sum(axis=1)
    assert found.relevant_count.tolist() == relevant.tolist()
    assert found.judged_count.tolist() == judged.tolist()
    assert found.probability == pytest.approx(relevant / judged)
    p = relevant / judged
    assert found.binomial == pytest.approx(np.sqrt(p * (1 - p) / judged))
    assert found.pair == pytest.approx(np.sqrt(p * (1 - p) / judged)), "one reading of each pair: independent trials"
    assert (found.topics, found.pairs) == (7, counts.sum())
    assert found.one_sided is None
    both = gs.predict_relevance(fitted(COUNTS), LEVELS.only("0", "2"))
    assert both.one_sided == pytest.approx(p)


def test_the_topic_error_by_hand() -> None:
    """Eq. (24): T / (T - 1) times the squared residuals over the squared total; the covariance's diagonal."""
    found = gs.predict_relevance(fitted(COUNTS, estimator="one-sided"), TOP)
    relevant, judged = COUNTS[:, :, 2], COUNTS.sum(axis=2)
    residual = relevant - relevant.sum(axis=0) / judged.sum(axis=0) * judged
    expected = 7 / 6 * residual.T @ residual / np.outer(judged.sum(axis=0), judged.sum(axis=0))
    np.testing.assert_allclose(found.covariance, expected, rtol=1e-12)
    assert found.topic == pytest.approx(np.sqrt(np.diagonal(expected)))


def test_smoothed_estimates_have_no_error_over_documents() -> None:
    """Binomial and pair errors are those of raw estimates; after smoothing they are not given."""
    found = gs.predict_relevance(fitted(COUNTS, gs.model.Smoothing("uniform")), TOP)
    assert np.isnan(found.binomial).all()
    assert np.isnan(found.pair).all()
    assert np.isfinite(found.topic).all()


def test_zeroed_lowest() -> None:
    """Setting p(R|0) to 0 is noted, with the estimate it replaces, and takes its errors along."""
    prediction = gs.predict_relevance(fitted(COUNTS), TOP)
    both = (COUNTS + COUNTS.transpose(0, 2, 1)).sum(axis=0)
    zeroed = gs.model.set_lowest_to_zero(prediction)
    assert [finding.code for finding in zeroed.findings][-1] == "zeroed-lowest"
    assert zeroed.probability.tolist() == [0.0, *prediction.probability[1:].tolist()]
    assert zeroed.notes[0] == f"set to 0 as asked (estimate {both[0, 2] / both[0].sum():.4f})"
    assert zeroed.interval.ends[0].tolist() == [0, 0]
    assert zeroed.interval.methods[0] == "set to 0"
    assert not zeroed.covariance[0].any()
    assert not zeroed.covariance[:, 0].any()
    assert (zeroed.binomial[0], zeroed.pair[0], zeroed.topic[0]) == (0, 0, 0)
    assert np.isnan(zeroed.degrees[0])
    assert zeroed.degrees[1:].tolist() == prediction.degrees[1:].tolist()
    np.testing.assert_array_equal(zeroed.covariance[1:, 1:], prediction.covariance[1:, 1:])


def test_smoothing_that_changes_nothing_changes_no_interval() -> None:
    """Isotonic smoothing of levels in order is the raw estimate, also where half a count is added."""
    counts = np.array([[[10, 3, 0]], [[20, 5, 0]], [[9, 9, 3]]])
    counts = np.concatenate([counts, np.tile([5, 5, 5], (3, 1, 1)), np.tile([2, 3, 9], (3, 1, 1))], axis=1)
    counts[:, 1] += np.array([[0, 1, 2], [1, 0, 2], [2, 1, 0]])
    raw = gs.predict_relevance(fitted(counts, estimator="one-sided"), TOP)
    smoothed = gs.predict_relevance(fitted(counts, gs.model.Smoothing("isotonic"), estimator="one-sided"), TOP)
    assert "half a count" in str(raw.interval.methods[0])
    assert smoothed.probability == pytest.approx(raw.probability)
    assert smoothed.interval.methods == raw.interval.methods
    np.testing.assert_allclose(smoothed.interval.ends, raw.interval.ends, rtol=1e-9)
