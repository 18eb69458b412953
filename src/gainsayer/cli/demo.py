"""`gainsayer demo`: the whole flow on a simulated collection with known truth."""

from __future__ import annotations

from pathlib import Path

import click

from gainsayer.cli.outputs import Output, emit, say

EXAMPLES = """\b
Example:
  gainsayer demo --seed 7
"""


@click.command("demo", epilog=EXAMPLES)
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="FOLDER",
    default="demo",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the collection goes; an earlier demo there is replaced.",
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
    """Run the whole flow on a simulated collection: agreement, p(R|i), scores of runs, and the truth beside it.

    50 topics, four levels, 24 topics judged twice, 12 runs, two kinds of queries. The files are ordinary ones; the
    commands that would do the same on them are shown.
    """
    from gainsayer.counts.pairing import count_pairs
    from gainsayer.datasets.latent import LatentModel
    from gainsayer.datasets.simulate import simulate_collection
    from gainsayer.datasets.simulated_runs import RunDesign
    from gainsayer.datasets.writing import write_collection
    from gainsayer.disagreement.agreement import measure_agreement
    from gainsayer.disagreement.estimate import estimate_disagreement
    from gainsayer.disagreement.relevance import predict_relevance
    from gainsayer.gains import binary_gains, prm_gains
    from gainsayer.judgments.files import read_judgments
    from gainsayer.levels import parse_levels
    from gainsayer.measures.catalogue import parse_measure
    from gainsayer.measures.scoring import score_runs
    from gainsayer.rankings.labels import choose_labels
    from gainsayer.rankings.pool import make_pool
    from gainsayer.rankings.rank import rank_levels
    from gainsayer.report.agreeing import agreement_tables, describe_agreement
    from gainsayer.report.fitting import Fit, describe_fit, fit_tables
    from gainsayer.report.scoring import describe_scores, score_tables
    from gainsayer.report.truth import comparison_table, describe_truth

    # Without leniency the two assessors stand for all users, so the intervals should cover the truth.
    qualities = {f"run{place:02}": 0.95 - 0.06 * place for place in range(1, 13)}
    collection = simulate_collection(
        LatentModel(leniency=0.0),
        topics=50,
        documents=100,
        runs=RunDesign(qualities=qualities),
        strata={"navigational": 0.4, "informational": 0.6},
        seed=seed,
    )
    place = folder / "collection"
    write_collection(collection, place, overwrite=True)
    say(f"Simulated 50 topics, 24 of them judged twice, and 12 runs into {place}", quiet=quiet)
    say(f"$ gainsayer agree {place}/first.qrels {place}/second.qrels --levels Non,Rel,HRel,Key", quiet=quiet)
    say(f"$ gainsayer fit {place}/first.qrels {place}/second.qrels --levels Non,Rel,HRel,Key", quiet=quiet)
    say(
        f"$ gainsayer score --judgments {place}/first.qrels {place}/second.qrels --levels Non,Rel,HRel,Key "
        f"--runs {place}/runs --gains prm,binary --threshold Key -m NumRel@10 -m nDCG@10",
        quiet=quiet,
    )
    judgments = read_judgments(place / "first.qrels", place / "second.qrels", levels=parse_levels("Non,Rel,HRel,Key"))
    agreement = measure_agreement(judgments)
    disagreement = estimate_disagreement(count_pairs(judgments), seed=seed)
    levels = judgments.levels
    predictions = tuple(
        predict_relevance(disagreement, levels.at_or_above(name), seed=seed) for name in ("Key", "HRel", "Rel")
    )
    fit = Fit(disagreement, predictions)
    top = levels.at_or_above("Key")
    kinds = [prm_gains(predictions[0]), binary_gains(levels, top)]
    pool = make_pool(choose_labels(judgments))
    ranked = [rank_levels(path, pool) for path in sorted((place / "runs").iterdir())]
    measures = [parse_measure("NumRel@10"), parse_measure("nDCG@10")]
    scores = score_runs(ranked, measures, dict.fromkeys(measures, kinds), relevance=top)
    comparison = comparison_table(collection, predictions)
    document = {
        "agree": describe_agreement(agreement),
        "fit": describe_fit(fit),
        "score": describe_scores(scores, per_topic=False, policies={}, provenance={}),
        "truth": describe_truth(collection),
    }
    tables = [*agreement_tables(agreement), *fit_tables(fit), *score_tables(scores, per_topic=False), comparison]
    findings = (*fit.findings, *scores.findings)
    emit(Output(document, tables, comparison, findings), form=form, output=None, quiet=quiet)
