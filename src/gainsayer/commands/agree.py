"""`agree`: confusion matrix and agreement coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gainsayer.commands.engine import EngineName, EngineOptions, read_with
from gainsayer.commands.inputs import (
    JudgmentInput,
    Names,
    Pairing,
    choose_side_names,
    for_each_stratum,
)
from gainsayer.commands.provenance import Provenance, record
from gainsayer.disagreement.agreement import Agreement, measure_agreement
from gainsayer.display import Displayed
from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments


@dataclass(frozen=True, eq=False)
class AgreementTable(Displayed):
    """How far the assessors agree, over all topics and per kind of topics.

    Args:
        agreement: over all topics.
        strata: per kind of topics, where there are kinds.
        noticed: what else a reader should know.
        provenance: where it comes from.
    """

    agreement: Agreement
    strata: Mapping[str, Agreement] = field(default_factory=dict)
    noticed: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding once, in order."""
        every = (self.agreement, *self.strata.values())
        return tuple(dict.fromkeys((*self.noticed, *(finding for part in every for finding in part.findings))))


def agree(
    *judgments: JudgmentInput,
    first: Names = None,
    second: Names = None,
    pairing: Pairing = "auto",
    confidence: float = 0.95,
    engine: EngineName = "embedded",
    master: str | None = None,
) -> AgreementTable:
    """Measure how far assessors agree: confusion matrix and coefficients, with intervals over topics.

    Percent agreement, Cohen's and weighted kappa, Scott's pi, Fleiss' kappa, Krippendorff's alpha, Gwet's AC1 and AC2,
    for two or many assessors; labels may be missing. See `measure_agreement` for what each counts.

    Args:
        *judgments: files, data frames, dicts, or judgments already read; see `read_judgments` and `Reading`.
        first: assessors of one side.
        second: assessors of the other side.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        confidence: of the intervals.
        engine: `embedded` works on this machine, `spark` on a cluster. Both give the same result.
        master: where Spark is, such as `local[2]` or `yarn`.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> round(agree(twenty_documents()).agreement.coefficients["cohen_kappa"].value, 6)
    0.242424
    """
    options = dict(locals())
    read = read_with(EngineOptions(engine=engine, master=master), judgments)
    sides = choose_side_names(read, first, second, pairing)

    def measure(part: Judgments) -> Agreement:
        return measure_agreement(
            part, first=sides.first, second=sides.second, matched=sides.matched, confidence=confidence
        )

    agreement = measure(read)
    strata, noticed = for_each_stratum(read, measure)
    provenance = record(judgments, options)
    return AgreementTable(agreement, strata, tuple(noticed), provenance)
