"""All coefficients at once: sides, many assessors and pairs of assessors, with intervals by leaving topics out."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import t
from sklearn.metrics import cohen_kappa_score

import gainsayer as gs
from gainsayer.model import (
    COEFFICIENTS,
    ORDERED,
    AgreementScores,
    count_assessor_pairs,
    score_assessor_pairs,
    score_many,
    score_sides,
)

Make = Callable[..., gs.Judgments]
LEVELS = gs.Levels(("0", "1", "2"))
JOINT = np.random.default_rng(3).integers(0, 6, (5, 3, 3)).astype(float)


def test_intervals_leave_topics_out_one_by_one() -> None:
    """Value ± t times the jackknife's error, every coefficient scored anew without each topic; cut at its bounds."""
    found = score_sides(JOINT, LEVELS, 0.9)
    without = np.stack(
        [score_sides(np.delete(JOINT, topic, axis=0), LEVELS, 0.9).value[:, 0] for topic in range(5)], axis=1
    )
    error = np.sqrt(4 / 5 * ((without - without.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))
    half = t.ppf(0.95, 4) * error
    lowest = [0.0 if name == "percent" else -1.0 for name in COEFFICIENTS]
    assert found.low[:, 0] == pytest.approx(np.maximum(found.value[:, 0] - half, lowest))
    assert found.high[:, 0] == pytest.approx(np.minimum(found.value[:, 0] + half, 1))
    assert found.topics.tolist() == [5]


def crowd(judge: Make) -> gs.Judgments:
    """Forty documents in four topics, three of four people on each."""
    rng = np.random.default_rng(8)
    rows = []
    for document in range(40):
        level = int(rng.integers(0, 3))
        for name in rng.choice(list("ABCD"), 3, replace=False):
            rows.append(
                (f"q{document % 4}", f"d{document}", str(name), str(np.clip(level + rng.integers(-1, 2), 0, 2)))
            )
    return judge(rows, levels=LEVELS)


def common_labels(judgments: gs.Judgments, a: str, b: str, without: str = "") -> tuple[list[int], list[int]]:
    """The labels of two people on the documents that both judged, without one topic."""
    said: dict[str, dict[tuple[str, str], int]] = {a: {}, b: {}}
    for topic, document, name, level in judgments.frame().select("topic", "document", "assessor", "level").rows():
        if name in said and topic != without:
            said[name][topic, document] = int(level)
    both = sorted(said[a].keys() & said[b].keys())
    return [said[a][key] for key in both], [said[b][key] for key in both]


def test_each_pair_of_assessors_is_scikit_learns_kappa(judge: Make) -> None:
    """One group per pair, from the documents that both judged; intervals leave out the pair's own topics."""
    judgments = crowd(judge)
    counted = count_assessor_pairs(judgments)
    found = score_assessor_pairs(counted, 0.95)
    assert found.value.shape == (len(COEFFICIENTS), 6)
    for place in range(6):
        a, b = (counted.assessors[side[place]] for side in (counted.first, counted.second))
        row = COEFFICIENTS.index("cohen_kappa")
        whole = cohen_kappa_score(*common_labels(judgments, a, b))
        assert found.value[row, place] == pytest.approx(whole)
        left = np.array([cohen_kappa_score(*common_labels(judgments, a, b, f"q{topic}")) for topic in range(4)])
        half = t.ppf(0.975, 3) * np.sqrt(3 / 4 * ((left - left.mean()) ** 2).sum())
        assert found.low[row, place] == pytest.approx(max(whole - half, -1))
        assert found.high[row, place] == pytest.approx(min(whole + half, 1))


def test_kappas_of_many_are_pooled_over_their_pairs(judge: Make) -> None:
    """1 - sum of n Do / sum of n De over the pairs of people, De from each pair's own margins; also without a topic."""
    judgments = crowd(judge)
    found = score_many(count_assessor_pairs(judgments), 0.95)

    def pooled(without: str = "") -> float:
        observed = expected = 0.0
        for a, b in combinations("ABCD", 2):
            one, two = (np.array(side) for side in common_labels(judgments, a, b, without))
            margins = [np.bincount(side, minlength=3) for side in (one, two)]
            observed += (one != two).sum()
            expected += len(one) - (margins[0] * margins[1]).sum() / len(one)
        return float(1 - observed / expected)

    row = COEFFICIENTS.index("cohen_kappa")
    left = np.array([pooled(f"q{topic}") for topic in range(4)])
    half = t.ppf(0.975, 3) * np.sqrt(3 / 4 * ((left - left.mean()) ** 2).sum())
    assert found.value[row, 0] == pytest.approx(pooled())
    assert found.low[row, 0] == pytest.approx(pooled() - half)
    assert found.high[row, 0] == pytest.approx(pooled() + half)


@pytest.mark.parametrize(
    ("value", "low", "high", "topics", "ordered", "note"),
    [
        (0.5, 0.2, 0.8, 5, True, None),
        (0.5, 0.2, 0.8, 5, False, "no order"),
        (np.nan, np.nan, np.nan, 5, True, "only one level was used"),
        (0.5, np.nan, np.nan, 1, True, "one topic"),
        (0.5, np.nan, np.nan, 2, True, "when one of the topics is left out"),
        (0.5, 0.5, 0.5, 2, True, "no width"),
    ],
)
def test_what_is_missing_is_explained(
    value: float, low: float, high: float, topics: int, ordered: bool, note: str | None
) -> None:
    """A reason wherever value or interval is lacking, or the interval has no width; none where all is well."""
    levels = LEVELS if ordered else gs.Levels(("a", "b", "c"), ordered=False)
    shape = (len(COEFFICIENTS), 1)
    scores = AgreementScores(*(np.full(shape, end) for end in (value, low, high)), np.array([topics]), levels)
    for name, found in scores.describe(0).items():
        if ordered or name in ORDERED:
            assert (note or "None") in str(found.note)
            assert (found.interval is None) == (note not in (None, "no width"))
        else:
            assert (found.value, found.interval, found.note) == (0.5, (0.2, 0.8), None)
