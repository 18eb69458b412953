"""`gainsayer demo`: the whole flow on a simulated collection with known truth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gainsayer.cli.comparing import ComparisonOptions
from gainsayer.cli.inputs import Reading, describe_provenance
from gainsayer.cli.outputs import Output, emit, say
from gainsayer.cli.running import RunRequest
from gainsayer.errors import CallError
from gainsayer.output_files import write_files
from gainsayer.text import write_json

if TYPE_CHECKING:
    from gainsayer.datasets.collection import SimulatedCollection

EXAMPLES = """\b
Example:
  gainsayer demo --seed 7
"""
LEVELS = "Non,Rel,HRel,Key"


@click.command("demo", epilog=EXAMPLES)
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="FOLDER",
    default="demo",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the collection and the report go; an earlier demo there is replaced.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
    help="How to print; CSV holds the comparison with the truth.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of everything that is drawn.")
@click.option("--quiet", is_flag=True, help="No talk on standard error.")
def command(folder: Path, form: str | None, seed: int, quiet: bool) -> None:
    """Run the whole flow on a simulated collection: agreement, p(R|i), runs compared, a report, the truth beside it.

    50 topics, four levels, 24 topics judged twice, 12 runs, two kinds of queries. The files are ordinary ones; the
    commands that would do the same on them are shown.
    """
    from gainsayer.cli.reporting import gather_results, make_provenance
    from gainsayer.report.agreeing import agreement_tables, describe_agreement
    from gainsayer.report.comparing import describe_comparison
    from gainsayer.report.comparison_tables import comparison_tables
    from gainsayer.report.composing import compose_report
    from gainsayer.report.content import NamedTable, Section, describe_report, is_report
    from gainsayer.report.fitting import describe_fit, fit_tables
    from gainsayer.report.page import is_report_page, render_report_html
    from gainsayer.report.truth import comparison_table, describe_truth

    page, beside = folder / "report.html", folder / "report.json"
    for path, ours in ((page, is_report_page), (beside, is_report)):
        if path.exists() and not ours(path):
            raise CallError(f"{path} is not of an earlier demo, so it is not replaced. Choose another folder with -o.")
    collection = _simulate(folder / "collection", seed)
    place = folder / "collection"
    say(f"Simulated 50 topics, 24 of them judged twice, and 12 runs into {place}", quiet=quiet)
    say("These commands do the same on the files, and on yours:", quiet=quiet)
    judged = f"{place}/first.qrels {place}/second.qrels --levels {LEVELS}"
    report = (
        f"gainsayer report --judgments {judged} --strata {place}/strata.tsv --runs {place}/runs "
        f"-m nDCG@10 -m NumRel@10 --gains prm,binary --seed {seed} -o {folder}/report.html"
    )
    for line in (
        f"gainsayer agree {judged}",
        f"gainsayer fit {judged}",
        f"gainsayer compare --judgments {judged} --runs {place}/runs -m nDCG@10 -m NumRel@10",
        report,
    ):
        say(f"$ {line}", quiet=quiet)

    options = ComparisonOptions(names=("nDCG@10", "NumRel@10"), gains="prm,binary")
    reading = Reading((f"{place}/first.qrels", f"{place}/second.qrels"), levels=LEVELS, strata=f"{place}/strata.tsv")
    request = RunRequest((f"{place}/runs",))
    results, files = gather_results(reading, (), (), "auto", request, options, seed=seed, quiet=quiet)
    assert results.agreement is not None
    assert results.fit is not None
    assert results.comparison is not None
    fit, comparison = results.fit, results.comparison
    truth = comparison_table(collection, fit.predictions)
    provenance = make_provenance(describe_provenance(files, {"levels": LEVELS, "gains": options.gains}, seed), report)
    shown = Section(
        "truth",
        "How close is it to the truth?",
        (
            "The collection is simulated, so the true parameters are known. Of a hundred 95% intervals about 95 should "
            "hold the truth.",
        ),
        tables=(NamedTable("truth-table", truth),),
    )
    content = compose_report(results, provenance, title="A simulated collection", further=(shown,))
    document = {
        "agree": describe_agreement(results.agreement),
        "fit": describe_fit(fit),
        "compare": describe_comparison(comparison, policies={}, provenance={}),
        "truth": describe_truth(collection),
    }
    tables = [*agreement_tables(results.agreement), *fit_tables(fit), *comparison_tables(comparison), truth]
    findings = tuple(dict.fromkeys((*fit.findings, *comparison.findings)))
    emit(Output(document, tables, truth, findings), form=form, output=None, quiet=quiet)
    write_files({beside: write_json(describe_report(content)), page: render_report_html(content)})
    say(f"The report is at {page.resolve()}: open it in a browser.", quiet=quiet)


def _simulate(place: Path, seed: int) -> SimulatedCollection:
    """Draw the collection and write it as ordinary files."""
    from gainsayer.datasets.latent import LatentModel
    from gainsayer.datasets.simulate import simulate_collection
    from gainsayer.datasets.simulated_runs import RunDesign
    from gainsayer.datasets.writing import write_collection

    # Without leniency the two assessors stand for all users, so the intervals should cover the truth.
    qualities = {f"run{number:02}": 0.95 - 0.06 * number for number in range(1, 13)}
    collection = simulate_collection(
        LatentModel(leniency=0.0),
        topics=50,
        documents=100,
        runs=RunDesign(qualities=qualities),
        strata={"navigational": 0.4, "informational": 0.6},
        seed=seed,
    )
    write_collection(collection, place, overwrite=True)
    return collection
