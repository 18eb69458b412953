"""How much do the assessors disagree?"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from gainsayer.commands.agree import NAMES, assessor_reliability, confusion_matrix
from gainsayer.model.agreement import Agreement
from gainsayer.reports.content import KeyNumber, NamedTable, Section
from gainsayer.table import Column, Table, number
from gainsayer.words import Sentence, counted, sure, user_span, users

SHOWN = (
    "cohen_kappa",
    "weighted_kappa_quadratic",
    "krippendorff_alpha_ordinal",
    "krippendorff_alpha_nominal",
    "gwet_ac2",
)


@dataclass(frozen=True, kw_only=True)
class AgreementVerdict:
    """How often a second assessor repeats a grade, its interval, and what chance alone would give; None if unknown."""

    same: float | None
    same_lower: float | None
    same_upper: float | None
    chance: float | None
    pairs: int
    topics: int

    def number(self) -> KeyNumber:
        """Grades of 100 that a second assessor repeats."""
        return KeyNumber(users(self.same), self._span(), "grades of 100 that a second assessor repeats")

    def sentence(self) -> Sentence:
        """The same as a sentence."""
        span = f" ({self._span()})" if self._span() else ""
        start = f"{users(self.same)} of 100"
        return Sentence(
            f"A second assessor gives the same grade to {start} documents{span}; chance alone would give "
            f"{users(self.chance)}.",
            start,
        )

    def _span(self) -> str:
        return user_span(self.same_lower, self.same_upper)


def decide_agreement(agreement: Agreement) -> AgreementVerdict:
    """How far the assessors agree, from the counts of their pairs."""
    same, counts = agreement.coefficients["percent"], agreement.counts
    low, high = same.interval or (None, None)
    total = counts.sum()
    return AgreementVerdict(
        same=number(same.value),
        same_lower=low,
        same_upper=high,
        chance=number(counts.sum(axis=1) @ counts.sum(axis=0) / total**2) if total else None,
        pairs=agreement.pairs,
        topics=agreement.topics,
    )


def agreement_section(agreement: Agreement, *, drawn: bool = True) -> Section:
    """Who said what, how often each assessor is repeated, and the usual coefficients behind them."""
    reliability, verdict = assessor_reliability(agreement), decide_agreement(agreement)
    return Section(
        "agreement",
        "How much do the assessors disagree?",
        verdict.sentence(),
        (f"From {counted(agreement.pairs, 'pair')} of judgments of the same document.",),
        figures=(
            *([confusion_matrix(agreement)] if drawn else []),
            *([] if reliability is None else [reliability]),
        ),
        tables=(NamedTable("coefficients", coefficient_table(agreement)),),
        facts={"agreement": asdict(verdict)},
    )


def coefficient_table(agreement: Agreement) -> Table:
    """The coefficients that papers report."""
    keys = [key for key in SHOWN if key in agreement.coefficients]
    if agreement.levels.ordered and "krippendorff_alpha_ordinal" in keys:
        keys.remove("krippendorff_alpha_nominal")
    entries = [agreement.coefficients[key] for key in keys]
    ends = np.array([entry.interval or (np.nan, np.nan) for entry in entries]).reshape(-1, 2)
    columns = (
        Column("coefficient", [NAMES[key] for key in keys], "Coefficient"),
        Column("value", np.array([entry.value for entry in entries]), "Value", keep=True),
        Column("lower", ends[:, 0], f"From ({sure(agreement.confidence)})"),
        Column("upper", ends[:, 1], f"To ({sure(agreement.confidence)})"),
    )
    return Table("Agreement; 0 is chance, 1 is perfect", columns)
