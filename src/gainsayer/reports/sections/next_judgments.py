"""What should be judged next: the levers of a plan, for the two runs that score highest."""

from __future__ import annotations

from gainsayer.commands.advice import Advice
from gainsayer.commands.old_tables import Column, show_number
from gainsayer.commands.plan_tables import lever_record, say_advice
from gainsayer.commands.records import Record, tabulate
from gainsayer.reports.content import NamedTable, Section
from gainsayer.words import Sentence


def advice_facts(advice: Advice | None) -> Record:
    """What the first screen says of it, and the numbers in it; nothing where there is no advice."""
    if advice is None:
        return {}
    facts: Record = {"judge next": say_advice(advice), "half-width": advice.half_width}
    for place, lever in enumerate(advice.levers[:2], start=1):
        facts |= {f"half-width after lever {place}": lever.half_width, f"amount of lever {place}": lever.amount}
        if lever.bias is not None:
            facts["left open by unjudged documents"] = lever.bias
    return facts


def next_section(advice: Advice) -> Section:
    """What more topics, second judgments or first labels would buy."""
    digits = show_number(3)
    columns = [
        (Column("change", "What could be done", align="left"), "change"),
        (Column("half_width", "±", digits), "half_width"),
        (Column("first", "First judgments", show_number(0)), "cost.first"),
        (Column("second", "Second judgments", show_number(0)), "cost.second"),
        (Column("bias", "Left open", digits), "bias"),
    ]
    said = say_advice(advice)
    table = tabulate("What each would buy", columns, [lever_record(lever) for lever in advice.levers])
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
