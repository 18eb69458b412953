"""What a page of two runs says: verdicts in words, and how many topics a difference needs."""

from __future__ import annotations

import pytest
from scipy.stats import nct, t

from gainsayer.commands.verdict import PairVerdict, TopicGap, Unjudged, topics_needed


@pytest.mark.parametrize("difference", [0.2, 0.05, 0.03, 0.01])
@pytest.mark.parametrize("spread", [0.02, 0.1, 0.25])
def test_topics_needed_have_the_power_asked_for(spread: float, difference: float) -> None:
    """By the noncentral t distribution, so many topics find the difference 8 times in 10, and two fewer do not."""

    def power(topics: int) -> float:
        shift = difference / spread * topics**0.5
        reach = t.ppf(0.975, topics - 1)
        return float(nct.sf(reach, topics - 1, shift) + nct.cdf(-reach, topics - 1, shift))

    found = topics_needed(spread, difference)
    assert found is not None
    assert power(found + 1) >= 0.8
    assert found <= 3 or power(found - 2) < 0.8


def _verdict(words: str, low: float, high: float, margin: float | None = 0.02, confidence: float = 0.95) -> PairVerdict:
    """What was decided of two runs: the words of a verdict, and an interval."""
    return PairVerdict(
        measure="P@5",
        topics=43,
        confidence=confidence,
        a="new",
        b="old",
        score_a=0.5,
        score_b=0.5 - (low + high) / 2,
        difference=(low + high) / 2,
        interval=(low, high),
        inner_interval=(low + 0.002, high - 0.002),
        inner_confidence=2 * confidence - 1,
        margin=margin,
        over="other topics",
        p=0.04,
        verdict=words,
        is_same=False,
        is_better="better" in words,
        is_equivalent="equivalent" in words,
        is_no_worse="no worse" in words,
        won=20,
        lost=13,
        same=10,
        clearest_win=TopicGap(topic="q1", by=0.4),
        clearest_loss=TopicGap(topic="q2", by=-0.3),
        without_clearest_win=0.01,
        shorter_with_exact_grades=None,
        depth=5,
        ranked=215,
        unjudged_a=0,
        unjudged_b=0,
        lowest_difference=None,
        highest_difference=None,
        topics_needed=((0.05, 83), (0.03, 200), (0.02, 400), (0.01, None)),
        unjudged=Unjudged(runs=2, runs_with_many=0, most="new", most_share=0.0),
        short=(),
    )


@pytest.mark.parametrize(
    ("verdict", "badge", "headline", "words"),
    [
        (_verdict("better", 0.014, 0.073), "Better", "new is better.", "whether it is more than the 0.02"),
        (_verdict("better", 0.03, 0.073), "Better", "new is better.", "more than the 0.02 that you called"),
        (_verdict("better", 0.03, 0.073, None), "Better", "new is better.", "lie between +0.030 and +0.073."),
        (
            _verdict("equivalent", -0.013, 0.015),
            "Equivalent",
            "The two runs are equivalent: take the cheaper one.",
            "all of it",
        ),
        (
            _verdict("better, equivalent", 0.001, 0.015),
            "Better, by too little to matter",
            "new is better, by too little to matter.",
            "within the 0.02",
        ),
        (
            _verdict("undecided", -0.033, 0.068),
            "Undecided",
            "Which of the two is better is still open.",
            "call the two equivalent",
        ),
        (
            _verdict("no worse", -0.01, 0.068),
            "No worse",
            "new is no worse than old; whether it is better is open.",
            "as 0.02",
        ),
    ],
)
def test_each_verdict_has_its_sentence(verdict: PairVerdict, badge: str, headline: str, words: str) -> None:
    """Better, equivalent, both, no worse and undecided are said as such, with the interval."""
    assert (verdict.badge, verdict.headline()) == (badge, headline)
    assert words in " ".join(sentence.text for sentence in verdict.reasons())


@pytest.mark.parametrize("words", ["equivalent", "better, equivalent"])
@pytest.mark.parametrize(("confidence", "often"), [(0.95, "9 times in 10"), (0.8, "with 60 % confidence")])
def test_an_equivalence_says_how_sure_its_narrower_interval_is(words: str, confidence: float, often: str) -> None:
    """Two one-sided tests at level a go with an interval of confidence 1 - 2a, whatever a is."""
    verdict = _verdict(words, 0.001, 0.015, confidence=confidence)
    said = " ".join(sentence.text for sentence in verdict.reasons()).lower()
    assert often in said
    assert ("9 times in 10" in said) == (confidence == 0.95)
