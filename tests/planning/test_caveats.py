"""What a plan cannot promise is said in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gainsayer.levels import Levels
from gainsayer.planning import Prospect, guess_levels
from gainsayer.planning.plans import notice_prospect, out_of_reach

LEVELS = Levels(("0", "1"))


def make_prospect(**options: object) -> Prospect:
    """Twenty topics."""
    guess = np.array([0.1, 0.5])
    target = guess_levels(LEVELS, guess, [1], 0.95)
    return Prospect(LEVELS, np.full((20, 2), 10.0), target, guess, ("default", "guess"), **options)  # type: ignore[arg-type]


def test_guesses_and_unknown_assessors_are_said() -> None:
    """A level without pilot and guess is named; so is that nobody said how many people judge."""
    found = {finding.code: finding.message for finding in notice_prospect(make_prospect(), LEVELS, None)}
    assert set(found) == {"guessed-parameters", "assessors-not-counted"}
    assert "p(R|0): the plan takes 0.1 for 0" in found["guessed-parameters"]


def test_few_assessors_speak_for_themselves() -> None:
    """Two and three are few, four are not."""
    for count in (2, 3, 4):
        codes = {finding.code for finding in notice_prospect(make_prospect(assessors=count), LEVELS, None)}
        assert ("few-assessors" in codes) == (count < 4)


def test_where_people_are_the_limit_no_number_of_topics_helps() -> None:
    """More second assessors would."""
    people = replace(make_prospect(), assessors=4)
    assert "no number of topics reaches it: more second assessors would" in str(out_of_reach(people, 0.9, 0.05))
