"""What a page of two runs says: verdicts in words, and how many topics a difference needs."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import nct, t

from gainsayer.commands.verdict import say_two, topics_needed


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


def _facts(
    verdict: str, low: float, high: float, margin: float | None = 0.02, confidence: float = 0.95
) -> dict[str, Any]:
    inner = {"narrow from": low + 0.002, "narrow to": high - 0.002, "narrow confidence": 2 * confidence - 1}
    ends = {"difference": (low + high) / 2, "difference from": low, "difference to": high}
    return {"a": "new", "b": "old", "verdict": verdict, "margin": margin, "other": "other topics", **inner, **ends}


@pytest.mark.parametrize(
    ("facts", "badge", "headline", "words"),
    [
        (_facts("better", 0.014, 0.073), "Better", "new is better.", "whether it is more than the 0.02"),
        (_facts("better", 0.03, 0.073), "Better", "new is better.", "more than the 0.02 that you called"),
        (_facts("better", 0.03, 0.073, None), "Better", "new is better.", "lie between +0.030 and +0.073."),
        (
            _facts("equivalent", -0.013, 0.015),
            "Equivalent",
            "The two runs are equivalent: take the cheaper one.",
            "all of it",
        ),
        (
            _facts("better, equivalent", 0.001, 0.015),
            "Better, by too little to matter",
            "new is better, by too little to matter.",
            "within the 0.02",
        ),
        (
            _facts("undecided", -0.033, 0.068),
            "Undecided",
            "Which of the two is better is still open.",
            "call the two equivalent",
        ),
        (
            _facts("no worse", -0.01, 0.068),
            "No worse",
            "new is no worse than old; whether it is better is open.",
            "as 0.02",
        ),
    ],
)
def test_each_verdict_has_its_sentence(facts: dict[str, Any], badge: str, headline: str, words: str) -> None:
    """Better, equivalent, both, no worse and undecided are said as such, with the interval."""
    said = say_two(facts)
    assert said[:2] == (badge, headline)
    assert words in " ".join(sentence.text for sentence in said[2])


@pytest.mark.parametrize("verdict", ["equivalent", "better, equivalent"])
@pytest.mark.parametrize(("confidence", "often"), [(0.95, "9 times in 10"), (0.8, "with 60 % confidence")])
def test_an_equivalence_says_how_sure_its_narrower_interval_is(verdict: str, confidence: float, often: str) -> None:
    """Two one-sided tests at level a go with an interval of confidence 1 - 2a, whatever a is."""
    facts = _facts(verdict, 0.001, 0.015, confidence=confidence)
    said = " ".join(sentence.text for sentence in say_two(facts)[2]).lower()
    assert often in said
    assert ("9 times in 10" in said) == (confidence == 0.95)
