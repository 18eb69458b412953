"""What should be judged next: the levers of a plan, for the two runs that score highest."""

from __future__ import annotations

from dataclasses import replace

from gainsayer.commands.advice import Advice, lever_table, say_advice
from gainsayer.reports.content import NamedTable, Section
from gainsayer.table import Json
from gainsayer.words import Sentence


def advice_facts(advice: Advice | None) -> dict[str, Json]:
    """What the first screen says of it, and the numbers in it; nothing where there is no advice."""
    if advice is None:
        return {}
    facts: dict[str, Json] = {"judge next": say_advice(advice), "half-width": advice.half_width}
    for place, lever in enumerate(advice.levers[:2], start=1):
        facts |= {f"half-width after lever {place}": lever.half_width, f"amount of lever {place}": lever.amount}
        if lever.bias is not None:
            facts["left open by unjudged documents"] = lever.bias
    return facts


def next_section(advice: Advice) -> Section:
    """What more topics, second judgments or first labels would buy."""
    said = say_advice(advice)
    table = lever_table(advice.levers, "What each would buy", "what could be done").read()
    table = table.keep(replace(column, heading=str(column.heading).capitalize()) for column in table.columns)
    return Section(
        "judge-next",
        "What should be judged next?",
        Sentence(said[:1].upper() + said[1:]),
        (
            f"As planned for {advice.about} by {advice.measure}: ±{advice.half_width:.4f} now, with "
            f"{advice.judged:,} documents judged twice; ±{advice.floor:.4f} with all documents of these topics.",
        ),
        tables=(NamedTable("judge-next", table),),
        facts=advice_facts(advice)
        | {
            "about": advice.about,
            "measure": advice.measure,
            "half-width with all": advice.floor,
            "judged twice": advice.judged,
        },
    )
