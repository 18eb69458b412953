"""What should be judged next: the levers of a plan, for the two runs that score highest."""

from __future__ import annotations

from dataclasses import asdict

from gainsayer.commands.advice import Advice, lever_table, say_advice
from gainsayer.reports.content import NamedTable, Section
from gainsayer.words import Sentence, capitalized


def next_section(advice: Advice) -> Section:
    """What more topics, second judgments or first labels would buy."""
    said = say_advice(advice)
    all_of_them = f"; ±{advice.floor:.4f} with all documents of these topics" if advice.left else ""
    table = lever_table(advice.levers, "What each would buy", "what could be done").for_page()
    return Section(
        "judge-next",
        "What should be judged next?",
        Sentence(capitalized(said)),
        (
            f"As planned for {advice.about} by {advice.measure}: ±{advice.half_width:.4f} now, with "
            f"{advice.judged:,} documents judged twice{all_of_them}.",
        ),
        tables=(NamedTable("judge-next", table),),
        facts={"advice": asdict(advice)},
    )
