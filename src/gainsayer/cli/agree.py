"""`gainsayer agree`: confusion matrix and agreement coefficients."""

from __future__ import annotations

from pathlib import Path

import click

from gainsayer.cli.inputs import (
    Reading,
    choose_assessors,
    describe_provenance,
    judgment_options,
    plain_options,
    read_input,
    side_options,
)
from gainsayer.cli.outputs import Output, emit, output_options

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
    agreement = measure_agreement(
        judgments,
        first=choose_assessors(first, judgments),
        second=choose_assessors(second, judgments),
        matched={"auto": None, "matched": True, "all": False}[pairing],
        confidence=confidence,
    )
    provenance = describe_provenance(reading.files, plain_options(context.params), seed)
    document = describe_agreement(agreement, agreement.findings, provenance=provenance)
    result = Output(document, agreement_tables(agreement), agreement_rows(agreement), agreement.findings)
    emit(result, form=form, output=output, quiet=quiet)
