"""What should be judged next: a section of the report, and a step on its first screen."""

from __future__ import annotations

from dataclasses import asdict, replace

import gainsayer as gs
from gainsayer.commands.advice import Advice
from gainsayer.commands.verdict import decide_runs
from gainsayer.planning import Lever
from gainsayer.reports.sections.next_judgments import next_section
from gainsayer.reports.sections.runs import run_steps

ADVICE = Advice(
    "a - b",
    "nDCG@10",
    0.06,
    0.055,
    400,
    600,
    (
        Lever("topics", "4 more topics like these", 400, 40, 0.057, 4),
        Lever("second judgments", "40 more second judgments in the same topics", 0, 40, 0.0599, 40),
    ),
)


def test_the_section_says_what_each_would_buy() -> None:
    """The answer is the best lever, the table all of them, and the facts hold every number said."""
    section = next_section(ADVICE)
    assert section.answer.text.startswith("4 more topics like these would narrow the interval from ±0.0600 to ±0.0570")
    assert section.tables[0].table.height == 2
    assert section.facts["advice"] == asdict(ADVICE)


def test_it_stands_in_place_of_general_advice() -> None:
    """Where a plan predicts, its sentence is the step, and nothing else is said about topics and judgments."""
    truth = {f"q{t}": {"a": 1, "b": int(t > 6), "c": 0} for t in range(12)}
    runs = {name: {t: {"a": 2.0, "b": 3.0 * (t == f"q{rank}")} for t in truth} for rank, name in enumerate("abc")}
    comparison = gs.compare(truth, runs, "P@1").comparison
    verdict = replace(decide_runs(comparison, comparison.part()), shorter_with_exact_grades=0.2)
    assert [step.strong for step in run_steps(verdict)] == ["Add topics and second judgments."]
    assert [step.strong for step in run_steps(verdict, ADVICE)] == ["Judge next:"]
