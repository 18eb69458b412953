"""What the organiser sees: the rule, the forecast, who reads otherwise; in words that do not rank people."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from tests.judging.studies import LEVELS, NOW

from gainsayer.web.monitor import Monitor, forecast, measure_leniency, oversee
from gainsayer.web.organiser_page import compose
from gainsayer.web.second_round import Event, Planned, Round
from gainsayer.web.study import Study

FULL = bool(os.environ.get("GAINSAYER_SLOW"))


def simulate(
    *, topics: int, documents: int, people: int, seed: int, lenient: float = 0.0, spread: float = 0.0, part: float = 1.0
) -> Round:
    """A round with known truth: p = .1, .4, .8 by first level, topics that differ, a first person who is lenient."""
    draw = np.random.default_rng(seed)
    items, events = {}, []
    shift = draw.normal(0, spread, topics)
    for topic in range(topics):
        for document in range(documents):
            number, level = topic * documents + document, document % 3
            items[number] = Planned(f"t{topic:03}", f"d{document}", 1, level)
            person = draw.integers(people)
            chance = np.clip([0.1, 0.4, 0.8][level] + shift[topic] + lenient * (person == 0), 0, 1)
            if draw.random() < part:
                said = 1 if draw.random() < chance else 0
                events.append(Event(len(events) + 1, f"person {person}", number, "level", said, "", 5000, NOW))
    plan = {
        "levels": [{"level": level, "intraclass": 0.02} for level in "012"],
        "batches": [{"batch": 1, "shares": dict.fromkeys("012", 1.0)}],
        "stopping": {"kind": "precision", "within": 0.1, "information_ratio": 2.0},
    }
    study = Study("trial", plan, LEVELS, ("1", "2"), 1, None, None, None)
    return Round(study, items, events, [f"person {number}" for number in range(people)])


def test_the_rule_is_met_when_all_grades_are_close() -> None:
    """Many topics and people that agree: every grade is close to the truth, and the page says: stop."""
    overview = oversee(simulate(topics=60, documents=12, people=8, seed=1))
    assert overview.met
    assert overview.for_users
    for level, truth in zip(overview.levels, (0.1, 0.4, 0.8), strict=True):
        assert level.probability is not None
        assert level.interval is not None
        assert level.any_moment is not None
        assert abs(level.probability - truth) < 0.1
        assert level.any_moment[0] < level.interval[0] < truth < level.interval[1] < level.any_moment[1]
    page = compose(overview, {})
    assert page.headline == "You may stop: every grade is known to ±10."
    assert page.rule == "Stop rule: every grade within ±10. Met."
    assert "8 people" in page.whose


def test_topics_that_differ_need_more_topics() -> None:
    """Where topics differ much, judging the rest cannot help, and the page says how many topics would."""
    overview = oversee(simulate(topics=8, documents=60, people=6, seed=2, spread=0.25, part=0.7))
    assert not overview.met
    assert overview.topics_needed is not None
    assert overview.topics_needed > 8
    page = compose(overview, {})
    assert "more topics, not more judging" in page.headline
    assert "topics would do" in " ".join(page.rule_lines)


def test_few_people_speak_for_themselves() -> None:
    """With two people the page says that the intervals are not for users."""
    overview = oversee(simulate(topics=20, documents=9, people=2, seed=3))
    assert not overview.for_users
    assert "for these assessors, not for users" in compose(overview, {}).whose


def test_a_lenient_person_is_named_and_nobody_is_ranked() -> None:
    """Somebody 30 of 100 more lenient is found, in alphabetical order, with an interval and advice to ask."""
    overview = oversee(simulate(topics=40, documents=12, people=5, seed=4, lenient=0.3))
    assert [one.far_off for one in overview.people] == ["more lenient", "", "", "", ""] or (
        overview.people[0].far_off == "more lenient"
    )
    leniency, ends = overview.people[0].leniency, overview.people[0].leniency_interval
    assert leniency is not None
    assert ends is not None
    assert ends[0] < 0.27 < ends[1]
    page = compose(overview, {})
    assert [one.name for one in page.people] == sorted(one.name for one in page.people)
    assert "person 0" in page.far_off
    assert "Ask whether the guidelines are clear" in page.far_off
    for word in ("accuracy", "best", "worst", "rank"):
        assert word not in page.far_off


@pytest.mark.slow
def test_leniency_covers_its_truth() -> None:
    """In 300 simulated rounds (60 in short) the interval of a person's leniency covers the truth 95 times of 100."""
    rounds = 300 if FULL else 60
    held = []
    for seed in range(rounds):
        second = simulate(topics=25, documents=6, people=4, seed=seed, lenient=0.1)
        own = [one for one in second.events if one.assessor == "person 0"]
        others = [one for one in second.events if one.assessor != "person 0"]
        _, ends = measure_leniency(second, own, others)
        assert ends is not None
        held.append(ends[0] <= 0.1 <= ends[1])
    assert np.mean(held) > 0.95 - 4 * np.sqrt(0.95 * 0.05 / rounds)


@pytest.mark.slow
def test_the_forecast_comes_true() -> None:
    """What half of a plan predicts for the whole is what the whole gives, within a sixth on the mean of some rounds."""
    ratios = []
    for seed in range(20 if FULL else 6):
        whole = simulate(topics=30, documents=24, people=6, seed=seed, spread=0.05)
        half = replace(whole, events=[one for one in whole.events if one.item % 24 < 12])
        for early, late in zip(oversee(half).levels, oversee(whole).levels, strict=True):
            assert early.expected_half_width is not None
            assert late.half_width is not None
            ratios.append(early.expected_half_width / late.half_width)
    assert np.mean(ratios) == pytest.approx(1, abs=1 / 6)


def test_forecast_of_a_close_level() -> None:
    """Nothing remains where it is close enough; half-widths fall with judgments, never below what topics cost."""
    assert forecast(0.05, 100, 200, 20, 0.3, 0.1)[1] == 0
    ends = [forecast(0.2, 50, planned, 20, 0.3, 0.1)[0] for planned in (50, 100, 200, 10**9)]
    assert ends == sorted(ends, reverse=True)
    assert ends[-1] == pytest.approx(0.2 * ((0.3 / 20) / (0.3 / 20 + 0.7 / 50)) ** 0.5, rel=1e-6)


def test_nothing_yet() -> None:
    """Without answers, or without first labels, the page stands."""
    empty = replace(simulate(topics=3, documents=3, people=1, seed=1), events=[])
    assert compose(oversee(empty), {}).headline == "Nobody has judged yet."
    blank = {number: replace(one, level=None) for number, one in empty.items.items()}
    assert "cannot be shown" in compose(oversee(replace(empty, items=blank)), {}).headline


def test_a_monitor_keeps_what_was() -> None:
    """History grows with the answers and equals what was said at the time."""
    second = simulate(topics=6, documents=12, people=4, seed=7)
    monitor = Monitor()
    early = monitor.look(second.until(30))
    late = monitor.look(second)
    assert late.history[: len(early.history)] == early.history
    mark = late.history[-1][0]
    then = oversee(second.until(second.events[mark - 1].id))
    assert late.history[-1][1] == tuple(level.half_width for level in then.levels)
    assert monitor.look(second) is late
