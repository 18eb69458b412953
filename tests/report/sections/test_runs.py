"""What a page says about runs: when unjudged documents are worth a word, and what exact grades would shorten."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gainsayer.commands.verdict import Unjudged, decide_runs, find_unjudged, shorten
from gainsayer.comparison import Comparison, VarianceShares, compare_runs
from gainsayer.gains import Scheme, binary_gains
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.ranking import ranked_from_lists
from gainsayer.reports.sections.runs import run_steps, unjudged_section

LEVELS = Levels(("0", "1"))
ONE = LEVELS.at_or_above("1")
TOPICS = [f"q{n}" for n in range(6)]


def compared(*unjudged: int) -> Comparison:
    """Runs of 25 documents on six topics, of which so many are unjudged."""
    pool = {topic: [25, 10] for topic in TOPICS}
    runs = [
        ranked_from_lists(
            {topic: [1, *[0] * (24 - none), *[None] * none] for topic in TOPICS}, pool, levels=LEVELS, name=f"run{none}"
        )
        for none in unjudged
    ]
    return compare_runs(runs, [parse_measure("P@25")], [Scheme(binary_gains(LEVELS, ONE))])


def unjudged_of(comparison: Comparison) -> Unjudged:
    """Which of its runs have unjudged documents."""
    return find_unjudged(comparison, comparison.part())


@pytest.mark.parametrize(("unjudged", "start"), [(1, "Hardly: at most 4.0 of 100"), (2, "For 1 run, yes: more than 5")])
def test_unjudged_documents_are_worth_a_step_above_five_of_a_hundred(unjudged: int, start: str) -> None:
    """1 of 25 is 4 of 100, 2 of 25 are 8."""
    comparison = compared(unjudged)
    section = unjudged_section(unjudged_of(comparison))
    assert section is not None
    assert section.answer.text.startswith(start)
    steps = [step.strong for step in run_steps(decide_runs(comparison, comparison.part()))]
    assert ("Judge the gaps." in steps) == (unjudged == 2)


def test_the_run_with_the_most_unjudged_documents_is_named() -> None:
    """Two of three runs are above 5 of 100, the second most of all; where all are judged, nobody asks."""
    section = unjudged_section(unjudged_of(compared(1, 9, 4)))
    assert section is not None
    assert section.answer.text.startswith("For 2 runs, yes:")
    assert "at most 36.0 of 100 (run9)" in section.answer.text
    assert unjudged_section(unjudged_of(compared(0, 0))) is None


def test_exact_grades_shorten_a_line_by_the_root_of_their_share() -> None:
    """A line is as long as a standard error: without 19 % of the variance it is 10 % shorter; never longer."""
    assert shorten(VarianceShares(np.array([0.81]), np.array([0.1]))) == pytest.approx(0.1)
    assert shorten(VarianceShares(np.array([1.2]), np.array([0.1]))) == 0
    assert shorten(VarianceShares(np.array([np.nan]), np.array([0.1]))) is None
    assert shorten(None) is None


@pytest.mark.parametrize(("shorter", "words"), [(0.02, "more second judgments would not"), (0.1, "so would more")])
def test_second_judgments_help_from_a_tenth_of_the_line_on(shorter: float, words: str) -> None:
    """Below a tenth of the line's length they are not worth asking for."""
    comparison = compared(1, 2, 4, 6, 9)
    verdict = replace(decide_runs(comparison, comparison.part()), pairs=10, clear_pairs=9, same_pairs=0)
    said = replace(verdict, shorter_with_exact_grades=shorter).help()
    assert said is not None
    assert words in said.text
    assert replace(verdict, clear_pairs=10, shorter_with_exact_grades=shorter).help() is None  # nothing is left to sort
