"""What a grade is worth in groups of documents, shrunk to what it is worth at all."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.machines import Feature, Sample, feature_of_number, predict_by_grade, value_features, value_grades

WORTH = np.array([0.1, 0.3, 0.6])


def draw(effect: float, seed: int, topics: int = 40, documents: int = 30) -> tuple[Sample, Feature, np.ndarray]:
    """Three grades, four groups: what people say, the groups, and the true worth of each cell."""
    rng = np.random.default_rng(seed)
    size = topics * documents
    grade, group = rng.integers(3, size=size), rng.integers(4, size=size)
    true = np.clip(WORTH[:, None] + effect * np.linspace(-1, 1, 4), 0, 1)
    topic = np.repeat(np.arange(topics), documents)
    shift = rng.normal(0, 0.05, topics)[topic]
    told = (rng.random(size) < np.clip(true[grade, group] + shift, 0, 1)).astype(float)
    sample = Sample(topic, grade, told, np.ones(size), np.ones(topics, bool), 3)
    return sample, Feature("kind", group, ("a", "b", "c", "d")), true


def test_shrunk_values_beat_counts_and_grades() -> None:
    """Shrunk worths are as near to the truth as the better of counts and grades, and nearer where effects are small."""
    for effect in (0.0, 0.05, 0.1):
        error = np.zeros(3)
        for seed in range(40):
            sample, feature, true = draw(effect, seed)
            found, plain = value_features(sample, feature), value_grades(sample).value[:, None]
            error += [float(((part - true) ** 2).mean()) for part in (found.value, found.share, plain)]
        assert error[0] < (0.9 if effect == 0.05 else 1.03) * error[1:].min()


def test_a_topic_does_not_tell_its_own_gains() -> None:
    """Turning all labels of a topic round changes no gain in it."""
    sample, feature, _ = draw(0.1, 1)
    turned = np.where(sample.topic == 3, 1 - sample.relevant, sample.relevant)
    other = Sample(sample.topic, sample.grade, turned, sample.probability, sample.seen, 3)
    inside = sample.topic == 3
    before, after = (value_features(part, feature).predicted for part in (sample, other))
    assert after[inside] == pytest.approx(before[inside], abs=1e-12)
    assert np.abs(after[~inside] - before[~inside]).max() > 1e-4


def test_cells_with_few_labels_have_the_worth_of_their_grade() -> None:
    """A group that nobody judged, or in one topic only, is worth what its grade is."""
    sample, _, _ = draw(0.0, 2)
    group = np.where(sample.topic == 0, 1, 0)
    found = value_features(sample, Feature("kind", group, ("many", "one topic", "none")))
    plain = value_grades(sample).value
    assert found.value[:, 1] == pytest.approx(plain, abs=1e-12)
    assert found.value[:, 2] == pytest.approx(plain, abs=1e-12)
    assert np.isnan(found.share[:, 2]).all()
    one = value_features(sample, Feature("all", np.zeros_like(group), ("all",)))
    assert one.predicted == pytest.approx(predict_by_grade(sample, value_grades(sample)), abs=1e-12)


def test_numbers_become_four_groups() -> None:
    """Groups of a number hold about as many documents each, and carry its range for a name."""
    feature = feature_of_number("length", np.arange(100.0))
    assert np.bincount(feature.group).tolist() == [25, 25, 25, 25]
    assert feature.names[0] == "0 to 24"
    assert set(feature.columns) == {"length"}
    assert set(Feature("kind", np.array([0, 1]), ("a", "b")).columns) == {"kind=a", "kind=b"}
