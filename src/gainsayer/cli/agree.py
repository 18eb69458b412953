"""`gainsayer agree`: confusion matrix and agreement coefficients."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gainsayer.cli.inputs import (
    PAIRINGS,
    Reading,
    choose_assessors,
    describe_provenance,
    judgment_options,
    measure_strata,
    plain_options,
    read_input,
    side_options,
)
from gainsayer.cli.outputs import Output, emit, output_options

if TYPE_CHECKING:
    from gainsayer.disagreement.agreement import Agreement
    from gainsayer.judgments.table import Judgments

EXAMPLES = """\b
Examples:
  gainsayer agree first.qrels second.qrels
  gainsayer agree crowd.csv --missing -1 --format markdown
  gainsayer agree nist.qrels gpt=machine.qrels --format json
"""


@click.command("agree", epilog=EXAMPLES)
@judgment_options
@side_options
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Coverage of the intervals.")
@output_options
@click.pass_context
def command(
    context: click.Context,
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: str,
    confidence: float,
    form: str | None,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Show how far assessors agree: confusion matrix and coefficients, with intervals over topics.

    Percent agreement, Cohen's and weighted kappa, Scott's pi, Fleiss' kappa, Krippendorff's alpha, Gwet's AC1 and AC2,
    for two or many assessors; labels may be missing. Overall, and for each pair of assessors.
    """
    from gainsayer.disagreement.agreement import measure_agreement
    from gainsayer.report.agreeing import agreement_rows, agreement_tables, describe_agreement

    judgments = read_input(reading, quiet=quiet)
    sides = choose_assessors(first, judgments), choose_assessors(second, judgments)
    matched = PAIRINGS[pairing]

    def measure(part: Judgments) -> Agreement:
        return measure_agreement(part, first=sides[0], second=sides[1], matched=matched, confidence=confidence)

    agreement = measure(judgments)
    strata, noticed = measure_strata(judgments, measure)
    provenance = describe_provenance(reading.files, plain_options(context.params), seed)
    document = describe_agreement(agreement, strata=strata, provenance=provenance)
    document["warnings"] += [dict(vars(finding)) for finding in noticed]
    tables = agreement_tables(agreement)
    for name, part in strata.items():
        tables += agreement_tables(part, stratum=name)
    every: dict[str | None, Agreement] = {None: agreement}
    every.update(strata)
    findings = list(dict.fromkeys([*noticed, *(finding for part in every.values() for finding in part.findings)]))
    emit(Output(document, tables, agreement_rows(every), findings), form=form, output=output, quiet=quiet)
