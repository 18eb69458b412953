"""The organiser's page in words and marks: sentences and drawings are selections from one `Overview`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gainsayer.web.monitor import FEWEST_PEOPLE, LevelState, Overview, PersonState
from gainsayer.words import counted

MINUS: Final = "\u2212"
_SCALE: Final = 45.0  # of 100 documents, to either side of the figure of people


@dataclass(frozen=True)
class LevelRow:
    """A grade in the figures; numbers are per cent of the width, or users of 100.

    Args:
        key: the grade's name in the data.
        name: what it is called.
        centre: users of 100; None where not known yet.
        low: of the plain interval.
        high: likewise.
        far_low: of the interval that holds at any moment.
        far_high: likewise.
        asked_low: as close as asked for.
        asked_high: likewise.
        verdict: in words.
        detail: the numbers behind it.
        judged: of the plan.
        planned: likewise.
        skipped: likewise.
        sentence: for whoever cannot see the drawing.
    """

    key: str
    name: str
    centre: float | None
    low: float
    high: float
    far_low: float
    far_high: float
    asked_low: float
    asked_high: float
    verdict: str
    detail: str
    judged: int
    planned: int
    skipped: int
    sentence: str


@dataclass(frozen=True)
class PersonRow:
    """A person in the figure and the table."""

    name: str
    judged: int
    skipped: int
    topics: int
    seconds: str
    centre: float | None
    low: float | None
    high: float | None
    words: str
    far_off: str


@dataclass(frozen=True)
class OrganiserPage:
    """Everything the template needs, in words."""

    headline: str
    lead: str
    rule: str
    rule_lines: tuple[str, ...]
    progress: str
    share: float
    levels: tuple[LevelRow, ...]
    people: tuple[PersonRow, ...]
    far_off: str
    topics: tuple[tuple[str, int, int, float], ...]
    topics_line: str
    relevant: str
    whose: str
    asked: str


def compose(overview: Overview, titles: Mapping[str, str]) -> OrganiserPage:
    """The page of an overview; `titles` names the topics."""
    asked = None if overview.within is None else round(100 * overview.within)
    headline, lead = _headline(overview, asked)
    share = 100 * overview.judged / max(overview.planned, 1)
    seconds = "" if overview.seconds is None else f", median {counted(round(overview.seconds), 'second')} each"
    people = tuple(_person_row(one) for one in overview.people)
    topics = [(titles.get(one.name) or one.name, one.judged, one.planned) for one in overview.topics]
    topics.sort(key=lambda one: one[0].casefold())
    least = min(topics, key=lambda one: one[1] / max(one[2], 1), default=None)
    line = f"{counted(len(topics), 'topic')} in alphabetical order"
    if least is not None and overview.judged < overview.planned:
        line += f"; least far is \u201c{least[0]}\u201d, {least[1]} of {least[2]}"
    return OrganiserPage(
        headline=headline,
        lead=lead,
        rule=_rule_title(overview, asked),
        rule_lines=tuple(_rule_lines(overview)),
        progress=(
            f"{overview.judged:,} of {overview.planned:,} judged ({share:.0f} %), {overview.skipped:,} skipped, "
            f"{overview.people_count:,} {'person' if overview.people_count == 1 else 'people'}{seconds}"
        ),
        share=share,
        levels=tuple(_level_row(overview, place, asked) for place in reversed(range(len(overview.levels)))),
        people=people,
        far_off=_far_off([one for one in people if one.far_off]),
        topics=tuple((title, judged, planned, 100 * judged / max(planned, 1)) for title, judged, planned in topics),
        topics_line=f"{line}.",
        relevant=_join(list(overview.relevant), "or"),
        whose=_whose(overview),
        asked="" if asked is None else f"\u00b1{asked}",
    )


def _headline(overview: Overview, asked: int | None) -> tuple[str, str]:
    known = [level for level in overview.levels if level.planned]
    if not any(level.planned for level in overview.levels):
        return (
            "Judging goes on; what it is worth cannot be shown.",
            "This study knows no first labels. Export the judgments and give both to gainsayer fit.",
        )
    if overview.judged == 0:
        return "Nobody has judged yet.", "Invite people below. The numbers appear with their first answers."
    close = [level for level in known if level.is_close(overview.within)]
    stuck = [level for level in known if _is_stuck(level, overview.within)]
    left = overview.planned - overview.judged - overview.skipped
    parts = []
    if close:
        verb = "is" if len(close) == 1 else "are"
        parts.append(f"{_grades(close)} {verb} known as closely as you asked, to \u00b1{asked} users of 100.")
    if overview.met:
        return f"You may stop: every grade is known to \u00b1{asked}.", " ".join(parts)
    if overview.purpose != "parameters":
        aim = "the runs can be told apart" if overview.kind == "decision" else "the scores are known closely enough"
        return (
            f"This study stops when {aim}.",
            "Export the judgments and ask gainsayer compare --plan: it knows the runs and says when to stop.",
        )
    if stuck:
        worst = max(stuck, key=lambda level: level.expected_half_width or 0.0)
        then = f"\u00b1{100 * (worst.expected_half_width or 0.0):.0f}"
        differs, help = "from topic to topic", "only more topics"
        if overview.people_decide:
            differs, help = "from person to person", "more people"
        remain = f", and the {left:,} judgments that remain would leave it at about {then}" if left > 0 else ""
        parts.append(
            f"Grade {worst.level} is known to \u00b1{100 * (worst.half_width or 0.0):.0f}{remain}. How far users agree "
            f"differs {differs}, so {help} will help."
        )
        verb = "needs" if len(stuck) == 1 else "need"
        who = f"{_grades(stuck)} {verb}" if len(stuck) < len(known) or len(known) == 1 else "Every grade needs"
        what = "people" if overview.people_decide else "topics"
        return f"{who} more {what}, not more judging.", " ".join(parts)
    missing = [level for level in known if level.half_width is None]
    if missing:
        parts.append(
            f"{_grades(missing)} cannot be estimated yet: a grade needs second judgments in at least two topics."
        )
    more = sum(level.remaining or 0 for level in known)
    if more:
        parts.append(f"About {more:,} more judgments should do; {left:,} of the plan are left.")
    if overview.judged + overview.skipped >= overview.planned:
        return "Everything planned is judged.", " ".join(parts)
    return "Go on judging.", " ".join(parts)


def _is_stuck(level: LevelState, within: float | None) -> bool:
    """Whether judging everything planned would leave the grade too vague."""
    expected = level.expected_half_width
    return within is not None and not level.is_close(within) and expected is not None and expected > within


def _rule_title(overview: Overview, asked: int | None) -> str:
    if overview.kind == "decision":
        return "Stop rule: until the runs can be told apart."
    if asked is None:
        what = "everything planned is judged" if overview.purpose == "parameters" else "scores are known closely enough"
        return f"Stop rule: until {what}."
    return f"Stop rule: every grade within \u00b1{asked}. {'Met.' if overview.met else 'Not met.'}"


def _rule_lines(overview: Overview) -> list[str]:
    known = [level for level in overview.levels if level.planned]
    close = sum(level.is_close(overview.within) for level in known)
    lines = []
    if overview.within is not None and overview.judged:
        line = f"{close} of {counted(len(known), 'grade')} {'is' if close == 1 else 'are'} close enough."
        stuck = [level for level in known if _is_stuck(level, overview.within)]
        if stuck and overview.people_decide and overview.people_needed is not None:
            line += (
                f" {_grades(stuck)} will not get there with these {overview.people_count} people; about "
                f"{overview.people_needed:,} in their place would do."
            )
        elif stuck and not overview.people_decide and overview.topics_needed is not None:
            line += (
                f" {_grades(stuck)} will not get there on these {len(overview.topics)} topics; about "
                f"{overview.topics_needed:,} topics would do."
            )
        lines.append(line)
    if overview.begun:
        lines.append(
            "You may stop at any moment: the thin lines allow for looking at them as often as you like. By the rule, "
            "the thick ones hold."
        )
    elif overview.judged:
        lines.append(
            "The intervals are what is known so far: they hold once the first batch is finished. From then on thin "
            "lines will show what holds at any moment."
        )
    return lines


def _level_row(overview: Overview, place: int, asked: int | None) -> LevelRow:
    level = overview.levels[place]
    probability = level.probability
    low, high = level.interval or (0.0, 0.0)
    far_low, far_high = level.any_moment or (low, high)
    centre = None if probability is None else 100 * probability
    around = (0.0, 0.0)
    if centre is not None and asked is not None:
        around = (max(centre - asked, 0.0), min(centre + asked, 100.0))
    verdict, detail = "nothing yet", f"{level.judged} of {level.planned} judged"
    if level.half_width is not None:
        verdict = "so far" if asked is None else "close enough" if level.is_close(overview.within) else "not yet"
        near = verdict == "not yet" and round(100 * level.half_width) == asked  # a digit more tells them apart
        half = f"{100 * level.half_width:.{1 if near else 0}f}"
        detail = f"\u00b1{half}" + ("" if asked is None else f", asked \u00b1{asked}")
    elif level.judged:
        verdict, detail = "in one topic only", counted(level.judged, "judgment")
    sentence = f"Grade {level.level}: {verdict}."
    if centre is not None and level.half_width is not None:
        sentence = f"Grade {level.level}: {centre:.0f} of 100 users ({100 * low:.0f} to {100 * high:.0f}), {verdict}."
    return LevelRow(
        key=level.level,
        name=level.name,
        centre=centre,
        low=100 * low,
        high=100 * high,
        far_low=100 * far_low,
        far_high=100 * far_high,
        asked_low=around[0],
        asked_high=around[1],
        verdict=verdict,
        detail=detail,
        judged=level.judged,
        planned=level.planned,
        skipped=level.skipped,
        sentence=sentence,
    )


def _person_row(one: PersonState) -> PersonRow:
    seconds = "" if one.seconds is None else f"{one.seconds:.0f}"
    if one.leniency is None:
        return PersonRow(one.name, one.judged, one.skipped, one.topics, seconds, None, None, None, "", "")
    if one.leniency_interval is None:
        few = "fewer than three topics"
        return PersonRow(one.name, one.judged, one.skipped, one.topics, seconds, None, None, None, few, "")
    words = f"{_signed(one.leniency)} ({_signed(one.leniency_interval[0])} to {_signed(one.leniency_interval[1])})"
    low, high = (_across(end) for end in one.leniency_interval)
    return PersonRow(
        one.name, one.judged, one.skipped, one.topics, seconds, _across(one.leniency), low, high, words, one.far_off
    )


def _across(leniency: float) -> float:
    """Per cent of the width, 0 in the middle."""
    return min(max(50 + 50 * 100 * leniency / _SCALE, 0.0), 100.0)


def _signed(share: float) -> str:
    number = round(100 * share)
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number < 0 else "0"


def _far_off(rows: Sequence[PersonRow]) -> str:
    if not rows:
        return ""
    verb = "reads" if len(rows) == 1 else "read"
    return (
        f"{_join([row.name for row in rows], 'and')} {verb} further from the others than their topics explain. Ask "
        "whether the guidelines are clear before anything else; leaving people out would make the users look more "
        "alike than they are."
    )


def _whose(overview: Overview) -> str:
    if overview.people_count >= FEWEST_PEOPLE and overview.for_users:
        return f"The intervals allow for {len(overview.topics)} topics and for {overview.people_count} people."
    return (
        "The intervals are for these assessors, not for users: with fewer than four people, each judging in several "
        "topics, nobody can tell how far users differ."
    )


def _grades(levels: Sequence[LevelState]) -> str:
    word = "Grade" if len(levels) == 1 else "Grades"
    return f"{word} {_join([level.level for level in levels], 'and')}"


def _join(words: Sequence[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
