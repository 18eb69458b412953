"""Each finding appears when it should, and only then."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import BiasedSampleError, CallError

Make = Callable[..., gs.Judgments]
LEVELS = gs.Levels(("0", "1", "2"))
SOUND = np.array([[30, 10, 5], [10, 20, 10], [5, 10, 30]])


def predicted(
    matrix: np.ndarray, *, topics: int = 12, levels: gs.Levels = LEVELS, **options: object
) -> gs.model.PredictedRelevance:
    """p(top|i) from equal topics with this J."""
    counts = gs.model.PairCounts.from_matrix(levels, np.array([matrix] * topics))
    disagreement = gs.estimate_disagreement(counts, **options)  # type: ignore[arg-type]
    return gs.predict_relevance(disagreement, levels.only(levels.names[-1]))


def codes(prediction: gs.model.PredictedRelevance | gs.model.Disagreement) -> list[str]:
    """The codes of the findings."""
    return [finding.code for finding in prediction.findings]


def message(prediction: gs.model.PredictedRelevance | gs.model.Disagreement, code: str) -> str:
    """The message under a code."""
    return next(finding.message for finding in prediction.findings if finding.code == code)


def test_sound_data_has_no_findings() -> None:
    """Twelve topics, symmetric counts, enough opinions: nothing to say, no notes."""
    prediction = predicted(SOUND)
    assert codes(prediction) == []
    assert prediction.notes == (None, None, None)


def test_empty_level() -> None:
    """A level without second opinions is missing and named; with a prior the message says where its number is from."""
    matrix = SOUND.copy()
    matrix[1], matrix[:, 1] = 0, 0
    prediction = predicted(matrix)
    assert codes(prediction) == ["empty-level"]
    assert "No pair has level '1', so p(R|1) cannot be estimated" in message(prediction, "empty-level")
    assert np.isnan(prediction.probability[1])
    assert prediction.notes[1] == "no second opinions: not known"
    smoothed = predicted(matrix, smoothing=gs.model.Smoothing("uniform"))
    assert codes(smoothed) == ["smoothed", "empty-level"]
    assert "p(R|1) is what the prior says, and nothing else" in message(smoothed, "empty-level")
    assert smoothed.notes[1] == "no second opinions: the prior alone"


@pytest.mark.parametrize(
    ("row", "thin"),
    [([20, 5, 5], False), ([19, 5, 5], True), ([25, 1, 4], True), ([30, 30, 0], True)],
)
def test_thin_level(row: list[int], thin: bool) -> None:
    """Fewer than 30 second opinions, or fewer than 5 relevant ones, are thin; 30 and 5 are not."""
    matrix = np.array([[90, 20, 10], row, [10, 20, 90]])
    counts = gs.model.PairCounts.from_matrix(LEVELS, matrix)
    prediction = gs.predict_relevance(gs.estimate_disagreement(counts, estimator="one-sided"))
    assert ("thin-level" in codes(prediction)) == thin
    few = "few second opinions" if sum(row) < 30 else "few relevant second opinions"
    assert prediction.notes[1] == (few if thin else None)
    if thin:
        assert f"level 1 ({row[2]} of {sum(row)})" in message(prediction, "thin-level")


def test_weights_do_not_make_a_thin_level_thick(judge: Make) -> None:
    """Ten pairs of weight 50 are ten opinions, and ten times forty pairs of weight 0.1 are not thin."""
    for documents, mass, thin in ((10, 50.0, True), (400, 0.1, False)):
        rows = [
            (f"q{d % 10}", f"d{d}", side, str((d // 10 + (side == "B") * (d % 3 == 0)) % 3))
            for d in range(documents)
            for side in "AB"
        ]
        judgments = judge(rows, levels=LEVELS, columns={"weight": [mass if row[2] == "B" else 1.0 for row in rows]})
        prediction = gs.predict_relevance(gs.estimate_disagreement(gs.count_pairs(judgments)))
        assert ("thin-level" in codes(prediction)) == thin


def test_non_monotone() -> None:
    """A higher level with a lower probability is noted, for ordered levels and thresholds only; never reordered."""
    matrix = np.array([[30, 10, 20], [20, 30, 5], [20, 10, 30]])
    prediction = predicted(matrix, estimator="one-sided")
    assert codes(prediction) == ["non-monotone"]
    assert "0 0.333, 1 0.091" in message(prediction, "non-monotone")
    assert codes(predicted(matrix, estimator="one-sided", smoothing=gs.model.Smoothing("isotonic"))) == ["smoothed"]
    categories = gs.Levels(("a", "b", "c"), ordered=False)
    assert codes(predicted(matrix, levels=categories, estimator="one-sided")) == []
    disagreement = gs.estimate_disagreement(gs.model.PairCounts.from_matrix(LEVELS, matrix), estimator="one-sided")
    assert "non-monotone" not in codes(gs.predict_relevance(disagreement, LEVELS.only("1")))


def test_equal_probabilities_are_not_out_of_order() -> None:
    """Levels that nobody can tell apart are monotone, also where rounding makes them differ in the last digit."""
    assert "non-monotone" not in codes(predicted(np.outer([0.1, 0.3, 0.7], [30, 70, 110]), estimator="one-sided"))


@pytest.mark.parametrize(
    ("topics", "expected"), [(1, "single-topic"), (2, "few-topics"), (9, "few-topics"), (10, None)]
)
def test_number_of_topics(topics: int, expected: str | None) -> None:
    """One topic gives no error over topics; two to nine give a rough one; ten are enough."""
    found = codes(predicted(SOUND, topics=topics))
    assert found == ([expected] if expected else [])


def second_round(judge: Make, shares: tuple[float, float, float], *, by: int = 0, topics: int = 10) -> gs.Judgments:
    """One side judged all 90 documents of each topic; the other the given share of each of its levels."""
    rows = []
    for topic in range(topics):
        for document in range(90):
            level, place = document % 3, document // 3
            names = ("A", "B") if by == 0 else ("B", "A")
            rows.append((f"q{topic}", f"d{document}", names[0], str(level)))
            if place < round(30 * shares[level]):
                other = level if place % 2 else (level + 1 + place % 4 // 2) % 3
                rows.append((f"q{topic}", f"d{document}", names[1], str(other)))
    rows.sort(key=lambda row: row[2])
    return judge(rows, levels=LEVELS)


def test_a_second_round_chosen_by_the_first_labels(judge: Make) -> None:
    """By default the one-sided estimate is used and says so; the symmetric one is refused, with the shares named."""
    counts = gs.count_pairs(second_round(judge, (0.2, 1.0, 1.0)), first=["A"])
    chosen = gs.estimate_disagreement(counts)
    assert chosen.estimator == "one-sided"
    assert codes(chosen) == ["biased-second-sample"]
    words = message(chosen, "biased-second-sample")
    assert "0 20.0%, 1 100.0%, 2 100.0%" in words
    assert "the one-sided estimate is used" in words
    assert codes(gs.estimate_disagreement(counts, estimator="one-sided")) == [], "it is right, and was asked for"
    with pytest.raises(BiasedSampleError, match=r"given by A: .*0 20.0%, 1 100.0%, 2 100.0%") as caught:
        gs.estimate_disagreement(counts, estimator="symmetric")
    assert "estimator='one-sided'" in str(caught.value)
    assert "sampled='observed'" in str(caught.value)


def test_a_level_never_judged_again_is_missing_not_0(judge: Make) -> None:
    """Only documents above level 0 went to the second side: p(R|0) is NaN, and weights cannot bring it back."""
    judgments = second_round(judge, (0.0, 1.0, 1.0))
    prediction = gs.predict_relevance(gs.estimate_disagreement(gs.count_pairs(judgments, first=["A"])))
    assert np.isnan(prediction.probability[0])
    assert codes(prediction)[:2] == ["biased-second-sample", "empty-level"]
    weight = np.ones(len(judgments)).tolist()
    frame = judgments.frame()
    weighed = judge(
        frame.select("topic", "document", "assessor", "level").rows(), levels=LEVELS, columns={"weight": weight}
    )
    with pytest.raises(BiasedSampleError, match="put on level 0 was judged again, so no weighting can repair"):
        gs.estimate_disagreement(gs.count_pairs(weighed, first=["A"]))


def test_a_first_round_chosen_by_the_second_labels_is_refused(judge: Make) -> None:
    """Then no estimate in this direction is right: refused, or noted where the one-sided one is asked for."""
    counts = gs.count_pairs(second_round(judge, (0.2, 1.0, 1.0), by=1), first=["A"])
    for estimator in (None, "symmetric"):
        with pytest.raises(BiasedSampleError, match=r"given by B: .*0 20.0%"):
            gs.estimate_disagreement(counts, estimator=estimator)  # type: ignore[arg-type]
    asked = gs.estimate_disagreement(counts, estimator="one-sided")
    assert codes(asked) == ["biased-second-sample"]
    assert "exchange the sides" in message(asked, "biased-second-sample")


def test_selection_among_many_assessors_is_refused(judge: Make) -> None:
    """Without sides there is no one-sided estimate to fall back on; the message says how to name them."""
    judgments = second_round(judge, (0.1, 1.0, 1.0))
    rows = [
        (topic, document, assessor if int(topic[1:]) % 2 else f"{assessor}2", level)
        for topic, document, assessor, level in judgments.frame()
        .select("topic", "document", "assessor", "level")
        .rows()
    ]
    with pytest.raises(BiasedSampleError, match="Name the sides with first="):
        gs.estimate_disagreement(gs.count_pairs(judge(rows, levels=LEVELS)))


def test_an_uneven_second_round_is_told(judge: Make) -> None:
    """Shares that differ a little, p between .001 and .05, warn and keep the symmetric estimate."""
    found = gs.estimate_disagreement(gs.count_pairs(second_round(judge, (0.5, 0.6, 0.6)), first=["A"]))
    assert found.estimator == "symmetric"
    assert "uneven-second-sample" in codes(found)
    assert "0 50.0%, 1 60.0%, 2 60.0%" in message(found, "uneven-second-sample")
    even = gs.estimate_disagreement(gs.count_pairs(second_round(judge, (0.5, 0.5, 0.5)), first=["A"]))
    assert "uneven-second-sample" not in codes(even)
    assert "biased-second-sample" not in codes(even)


def test_sides_not_exchangeable() -> None:
    """Sides with other margins are noted, for the symmetric estimate of two sides only."""
    lopsided = np.array([[30, 20, 15], [5, 20, 20], [2, 5, 30]])
    prediction = predicted(lopsided)
    assert codes(prediction) == ["sides-not-exchangeable"]
    assert "sides exchanged by topic" in message(prediction, "sides-not-exchangeable")
    assert "estimator='one-sided'" in message(prediction, "sides-not-exchangeable")
    assert codes(predicted(lopsided, estimator="one-sided")) == []
    few = predicted(lopsided, topics=3)
    assert "pairs taken as independent" in message(few, "sides-not-exchangeable")


@pytest.mark.parametrize(
    ("smoothing", "words"),
    [
        (
            gs.model.Smoothing("uniform"),
            "A prior worth 1.5 second opinions per level was added, towards all levels alike",
        ),
        (
            gs.model.Smoothing("marginal", alpha=4),
            "worth 4 second opinions .* the share of each level among the second labels",
        ),
        (gs.model.Smoothing("isotonic"), "Neighbouring levels were pooled"),
    ],
)
def test_smoothed(smoothing: gs.model.Smoothing, words: str) -> None:
    """Smoothing is never silent."""
    prediction = predicted(SOUND, smoothing=smoothing)
    assert codes(prediction) == ["smoothed"]
    assert re.search(words, message(prediction, "smoothed"))


def test_zeroing_needs_a_lowest_level_but_no_estimate() -> None:
    """A missing p(R|0) may be set to 0; of categories without an order none is the lowest."""
    matrix = SOUND.copy()
    matrix[0], matrix[:, 0] = 0, 0
    zeroed = gs.model.set_lowest_to_zero(predicted(matrix))
    assert zeroed.notes[0] == "set to 0 as asked (no estimate)"
    assert gs.prm_gains(zeroed).values[0] == 0
    with pytest.raises(CallError, match="have no order, so the lowest level means nothing"):
        gs.model.set_lowest_to_zero(predicted(SOUND, levels=gs.Levels(("Key", "Non", "Rel"), ordered=False)))


def test_few_non_relevant_opinions_are_noted() -> None:
    """31 of 33 is as rough as 2 of 33: the level says so; 62 of 70 says nothing."""
    matrix = np.array([[400, 0, 0], [0, 62, 8], [0, 1, 32]])
    levels = gs.Levels(("0", "1", "2"))
    found = gs.predict_relevance(
        gs.estimate_disagreement(
            gs.model.PairCounts.from_matrix(levels, np.array([matrix, matrix * 0 + 1])), estimator="one-sided"
        ),
        levels.only("2"),
    )
    assert found.notes[2] == "few non-relevant second opinions"
    assert found.notes[1] is None


def test_a_topic_that_makes_an_interval_wide_is_named() -> None:
    """Where one of thirty topics holds most of what differs, the finding says which and how much."""
    first = {f"q{t:02}": {f"d{n}": 1 for n in range(10)} | {"z": 0} for t in range(30)}
    even = {topic: {name: int(name not in ("d0", "z")) for name in labels} for topic, labels in first.items()}
    odd = {topic: even[topic] if topic < "q04" else labels for topic, labels in first.items()}
    odd["q07"] = {name: int(name in ("d8", "d9")) for name in first["q07"]}
    found = {one.code: one.message for one in gs.fit({"a": first}, {"b": odd}, threshold=1).findings}
    assert "as topic 'q07' alone holds 8 of 12 second opinions of the rarer kind" in found["one-topic-decides"]
    assert "one-topic-decides" not in {one.code for one in gs.fit({"a": first}, {"b": even}, threshold=1).findings}


def test_an_interval_that_says_nothing_is_said_to() -> None:
    """One of six people says yes nearly always and the others never: how likely a seventh is, nobody knows."""
    draw = np.random.default_rng(4)
    first: dict[str, dict[str, int]] = {}
    by_person: dict[str, dict[str, dict[str, int]]] = {}
    for topic in range(8):
        strict = 0.9 if topic % 6 == 0 else 0.0
        grades = {f"d{n}": int(n >= 8) for n in range(12)}
        first[f"q{topic}"] = grades
        said = {name: int(draw.random() < strict * (1 if level else 0.3)) for name, level in grades.items()}
        by_person.setdefault(f"p{topic % 6}", {})[f"q{topic}"] = said
    found = gs.fit([("first", first), *by_person.items()], first="first", threshold=1, estimator="one-sided")
    low, high = found.predictions[0].interval.ends[1]
    assert high - low > 0.9
    [said_of_it] = [finding.message for finding in found.findings if finding.code == "empty-interval"]
    assert f"p(R|1) is [{low:.2f}, {high:.2f}], which says nothing." in said_of_it
