"""How much do the assessors disagree?"""

from __future__ import annotations

import numpy as np

from gainsayer.commands.agree import NAMES
from gainsayer.commands.figures.assessor_reliability import AssessorReliability
from gainsayer.commands.figures.confusion_matrix import ConfusionMatrix
from gainsayer.commands.old_tables import Cell, Column, from_rows, show_number
from gainsayer.commands.records import Record, number
from gainsayer.disagreement.agreement import Agreement
from gainsayer.drawing.figure import as_row
from gainsayer.reports.content import KeyNumber, NamedTable, Section
from gainsayer.table import Table
from gainsayer.words import Sentence, counted, sure, user_span, users

SHOWN = (
    "cohen_kappa",
    "weighted_kappa_quadratic",
    "krippendorff_alpha_ordinal",
    "krippendorff_alpha_nominal",
    "gwet_ac2",
)
MOST_ASSESSORS = 40


def agreement_facts(agreement: Agreement) -> Record:
    """How often a second assessor repeats a grade, its interval, and what chance alone would give."""
    same = agreement.coefficients["percent"]
    total = agreement.counts.sum()
    chance = float(agreement.counts.sum(axis=1) @ agreement.counts.sum(axis=0) / total**2) if total else float("nan")
    low, high = same.interval or (float("nan"), float("nan"))
    return {
        "same": number(same.value),
        "same from": number(low),
        "same to": number(high),
        "chance": number(chance),
        "pairs": agreement.pairs,
        "topics": agreement.topics,
    }


def agreement_number(agreement: Agreement) -> KeyNumber:
    """Grades of 100 that a second assessor repeats."""
    facts = agreement_facts(agreement)
    return KeyNumber(users(facts["same"]), _span(facts), "grades of 100 that a second assessor repeats")


def say_agreement(agreement: Agreement) -> Sentence:
    """The same as a sentence."""
    facts = agreement_facts(agreement)
    span = f" ({_span(facts)})" if _span(facts) else ""
    return Sentence(
        f"A second assessor gives the same grade to {users(facts['same'])} of 100 documents{span}; chance alone would "
        f"give {users(facts['chance'])}.",
        f"{users(facts['same'])} of 100",
    )


def agreement_section(agreement: Agreement, *, drawn: bool = True) -> Section:
    """Who said what, how often each assessor is repeated, and the usual coefficients behind them."""
    reliability = _reliability(agreement)
    return Section(
        "agreement",
        "How much do the assessors disagree?",
        say_agreement(agreement),
        (f"From {counted(agreement.pairs, 'pair')} of judgments of the same document.",),
        figures=(
            *([ConfusionMatrix.of(agreement)] if drawn else []),
            *([] if reliability is None else [reliability]),
        ),
        tables=(NamedTable("coefficients", coefficient_table(agreement)),),
        facts=agreement_facts(agreement),
    )


def coefficient_table(agreement: Agreement) -> Table:
    """The coefficients that papers report."""
    keys = [key for key in SHOWN if key in agreement.coefficients]
    if agreement.levels.ordered and "krippendorff_alpha_ordinal" in keys:
        keys.remove("krippendorff_alpha_nominal")
    rows: list[tuple[Cell, ...]] = []
    for key in keys:
        entry = agreement.coefficients[key]
        ends = (None, None) if entry.interval is None else tuple(number(end) for end in entry.interval)
        rows.append((NAMES[key], number(entry.value), *ends))
    columns = (
        Column("coefficient", "Coefficient", align="left"),
        Column("value", "Value", show_number(3)),
        Column("lower", f"From ({sure(agreement.confidence)})", show_number(3)),
        Column("upper", f"To ({sure(agreement.confidence)})", show_number(3)),
    )
    return from_rows("Agreement; 0 is chance, 1 is perfect", columns, tuple(rows))


def _reliability(agreement: Agreement) -> AssessorReliability | None:
    """Each assessor's share of pairs with the same level, over all others; with sides, the first side's assessors."""
    pairs = agreement.assessor_pairs if agreement.assessor_pair_count <= 2000 else ()
    names = list(dict.fromkeys(pair.first for pair in pairs))
    if agreement.sides is None:
        names = list(dict.fromkeys([*names, *(pair.second for pair in pairs)]))
    if not 3 <= len(names) <= MOST_ASSESSORS:
        return None
    value, lower, upper, count = [], [], [], []
    for name in names:
        own = [pair for pair in pairs if name in (pair.first, pair.second)]
        total = sum(pair.pairs for pair in own)
        count.append(total)
        value.append(sum(pair.coefficients["percent"].value * pair.pairs for pair in own) / total)
        ends = own[0].coefficients["percent"].interval if len(own) == 1 else None
        lower.append(np.nan if ends is None else ends[0])
        upper.append(np.nan if ends is None else ends[1])
    return AssessorReliability(
        "reliability",
        tuple(names),
        "share of grades that others repeat",
        as_row(value),
        as_row(lower),
        as_row(upper),
        tuple(count),
        number(agreement.coefficients["percent"].value),
        agreement.confidence,
    )


def _span(facts: Record) -> str:
    return user_span(facts["same from"], facts["same to"])
