"""What the organiser sees: the rule, the forecast, who reads otherwise; in words that do not rank people."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from tests.judging.studies import LEVELS, NOW, write_plan

from gainsayer.planning import read_plan
from gainsayer.web.monitor import Monitor, measure_leniency, oversee
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
            items[number] = Planned(f"t{topic:03}", f"d{document}", 1 + document % 2, level)
            person = draw.integers(people)
            chance = np.clip([0.1, 0.4, 0.8][level] + shift[topic] + lenient * (person == 0), 0, 1)
            if draw.random() < part:
                said = 1 if draw.random() < chance else 0
                events.append(Event(len(events) + 1, f"person {person}", number, "level", said, "", 5000, NOW))
    plan = read_plan(write_plan("012", ["1", "2"], [dict.fromkeys("012", 0.5), dict.fromkeys("012", 1.0)], within=0.1))
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


def test_counts_and_names_are_written_as_one_reads_them() -> None:
    """One second is no plural, and capitals do not come before all small letters."""
    overview = oversee(simulate(topics=3, documents=6, people=2, seed=1))
    page = compose(replace(overview, seconds=1.2), {"t000": "Whales", "t001": "bread", "t002": "fish"})
    assert page.progress.endswith("2 people, median 1 second each")
    assert [title for title, *_ in page.topics] == ["bread", "fish", "Whales"]


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
    """What half of a plan foretells for the whole is about what the whole gives: .7 to 1.4 in the median of rounds."""
    ratios = []
    for seed in range(20 if FULL else 6):
        whole = simulate(topics=30, documents=24, people=6, seed=seed, spread=0.05)
        half = replace(whole, events=[one for one in whole.events if one.item % 24 < 12])
        for early, late in zip(oversee(half).levels, oversee(whole).levels, strict=True):
            assert early.expected_half_width is not None
            assert late.half_width is not None
            ratios.append(early.expected_half_width / late.half_width)
    assert 0.7 < np.median(ratios) < 1.4


def test_nothing_holds_at_any_moment_before_the_first_batch_is_finished() -> None:
    """Until then the interval is the plain one, called "so far"; from then on the multiplier stays what it is."""
    whole = simulate(topics=20, documents=18, people=5, seed=6)
    of_first = [one for one in whole.events if whole.items[one.item].batch == 1]
    early = oversee(replace(whole, events=of_first[: len(of_first) // 2]))
    assert not early.begun
    assert early.multiplier is None
    assert all(level.any_moment is None for level in early.levels)
    assert "so far" in " ".join(compose(early, {}).rule_lines)
    begun = oversee(replace(whole, events=of_first))
    late = oversee(whole)
    assert begun.multiplier == late.multiplier
    assert begun.multiplier is not None
    assert begun.multiplier > 1.96
    for overview in (begun, late):
        for level in overview.levels:
            assert level.any_moment is not None
            assert level.interval is not None
            assert level.any_moment[0] < level.interval[0] < level.interval[1] < level.any_moment[1]


def test_a_plan_for_scores_sets_no_target_for_grades() -> None:
    """Half a width asked for a score says nothing about p(R|i): the page sends to `compare --plan`."""
    second = simulate(topics=20, documents=9, people=5, seed=2)
    plan = replace(second.study.plan, purpose="score", targets=("run",))
    overview = oversee(replace(second, study=replace(second.study, plan=plan)))
    assert overview.within is None
    assert not overview.met
    page = compose(overview, {})
    assert "compare --plan" in page.lead
    assert "asked" not in " ".join(level.detail for level in page.levels)


def test_too_few_seen_to_say() -> None:
    """Where fewer than five of the rarer outcome were seen, nothing is foretold."""
    second = simulate(topics=10, documents=6, people=4, seed=3, part=0.5)
    overview = oversee(second)
    relevant = {level: [one for one in second.events if second.items[one.item].level == level] for level in range(3)}
    for place, level in enumerate(overview.levels):
        said = sum(one.level == 1 for one in relevant[place])
        rare = min(said, len(relevant[place]) - said) < 5
        assert (level.expected_half_width is None) == rare


def test_nothing_yet() -> None:
    """Without answers, or without first labels, the page stands."""
    empty = replace(simulate(topics=3, documents=3, people=1, seed=1), events=[])
    assert compose(oversee(empty), {}).headline == "Nobody has judged yet."
    blank = {number: replace(one, level=None) for number, one in empty.items.items()}
    assert "cannot be shown" in compose(oversee(replace(empty, items=blank)), {}).headline


def test_the_headline_is_about_a_grade_that_was_foretold() -> None:
    """A grade of which too little was seen may be the widest; what the rest would leave is said of another one."""
    overview = oversee(simulate(topics=8, documents=60, people=6, seed=2, spread=0.25, part=0.7))
    levels = [replace(overview.levels[0], half_width=0.44, expected_half_width=None), *overview.levels[1:]]
    page = compose(replace(overview, levels=tuple(levels)), {})
    assert "more topics, not more judging" in page.headline
    assert "Grade 0" not in page.lead
    assert "\u00b1100" not in page.lead


def test_a_monitor_looks_again_when_something_happened() -> None:
    """The overview is kept until then."""
    second = simulate(topics=6, documents=12, people=4, seed=7)
    monitor = Monitor()
    early = monitor.look(replace(second, events=second.events[:30]))
    late = monitor.look(second)
    assert early.judged < late.judged
    assert monitor.look(second) is late


def test_people_who_differ_need_more_people() -> None:
    """Where people, not topics, are scarce the page says so, and how many would do, as `plan` does."""
    second = simulate(topics=60, documents=30, people=5, seed=2)
    draw = np.random.default_rng(1)
    strict = {f"person {number}": (-0.5, -0.3, 0.0, 0.3, 0.5)[number] for number in range(5)}
    events = []
    for event in second.events:
        chance = np.clip((0.1, 0.4, 0.8)[event.item % 3] + strict[event.assessor], 0, 1)
        events.append(replace(event, level=int(draw.random() < chance)))
    overview = oversee(replace(second, events=events))
    assert overview.people_decide
    assert not overview.met
    page = compose(overview, {})
    assert "more people, not more judging" in page.headline
    assert "differs from person to person, so more people will help" in page.lead
    assert "topics would do" not in " ".join(page.rule_lines)


def test_a_grade_just_beyond_what_was_asked_does_not_look_reached() -> None:
    """±34 with ±34 asked for is one digit more: ±34.4, and not yet."""
    overview = oversee(simulate(topics=8, documents=60, people=6, seed=2, spread=0.25, part=0.7))
    level = next(one for one in overview.levels if one.half_width is not None)
    half = level.half_width or 0.0
    near = replace(overview, within=round(half, 2) if round(half, 2) < half else round(half, 2) - 0.004)
    rows = [row for row in compose(near, {}).levels if row.verdict == "not yet"]
    assert rows
    assert all(row.detail.split(",")[0] != row.detail.split("asked ")[1] for row in rows)
