"""`gainsayer score`: scores of runs with any gains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from gainsayer.cli.gain_options import parse_gains
from gainsayer.cli.gaining import (
    GainRequest,
    ask_for_prm,
    choose_relevance_for,
    find_source,
    make_gains,
)
from gainsayer.cli.inputs import (
    PAIRINGS,
    GreedyCommand,
    Reading,
    choose_assessors,
    describe_provenance,
    judgment_options,
    plain_options,
    read_input,
    side_options,
    working_bar,
)
from gainsayer.cli.outputs import FORMATS, Output, emit, output_options
from gainsayer.errors import CallError

if TYPE_CHECKING:
    from gainsayer.findings import Finding
    from gainsayer.gains import Gains
    from gainsayer.judgments.table import Judgments
    from gainsayer.levels import Levels
    from gainsayer.rankings.ranked_levels import RankedLevels
    from gainsayer.rankings.resources import Returned

EXAMPLES = """\b
Examples:
  gainsayer score --judgments nist.qrels --runs runs/*.run -m nDCG@10 -m AP
  gainsayer score --judgments first.qrels second.qrels --runs runs --threshold 2 --gains prm,binary -m P@10
  gainsayer score --judgments nist.qrels --runs bm25.run --model model.json -m nDCG@10 --per-topic --format csv
  gainsayer score --judgments nist.qrels --runs bm25.run -m map -m ndcg_cut_10 --format trec
"""


@click.command("score", cls=GreedyCommand, epilog=EXAMPLES)
@partial(judgment_options, argument=False)
@side_options
@click.option("--runs", metavar="R...", multiple=True, required=True, help="Run files, folders or patterns.")
@click.option("-m", "--measure", "names", metavar="MEASURE", multiple=True, help="Such as nDCG@10 or map; repeatable.")
@click.option("--model", metavar="FILE", help="The model that 'gainsayer fit -o model.json' wrote.")
@click.option("--threshold", metavar="LEVEL", help="Users are satisfied with this level or a higher one.")
@click.option("--relevant", metavar="LEVEL,LEVEL", help="Users are satisfied with these levels.")
@click.option(
    "--gains",
    metavar="KIND,...",
    help="prm, binary, linear, exponential, udm, or a JSON file of level and gain. By default prm where there is a "
    "model or a second side, else what the measure is known with.",
)
@click.option("--gain", metavar="LEVEL=NUMBER", multiple=True, help="The gain of one level; repeatable.")
@click.option("--labels", metavar="ASSESSOR", multiple=True, help="Whose labels score the runs; the first side's.")
@click.option("--estimator", type=click.Choice(["symmetric", "one-sided"]), help="By default symmetric where valid.")
@click.option(
    "--unjudged",
    default="0",
    show_default=True,
    metavar="POLICY",
    help="What an unjudged document is worth: 0, level (as the lowest), a NUMBER, condense (left out), bounds.",
)
@click.option(
    "--ties",
    type=click.Choice(["trec", "trec9", "rank", "input"]),
    default="trec",
    show_default=True,
    help="Order of equal scores.",
)
@click.option("--duplicates", metavar="FILE", help="Groups of equal documents; later ones are worth nothing.")
@click.option("--fedweb-duplicates", is_flag=True, help="Count duplicates as the FedWeb track did.")
@click.option(
    "--topics",
    type=click.Choice(["all", "common"]),
    default="all",
    show_default=True,
    help="All judged topics (a missing one scores 0), or those that every run has.",
)
@click.option(
    "--no-relevant",
    type=click.Choice(["keep", "zero", "skip"]),
    default="keep",
    show_default=True,
    help="Topics without a relevant label: as computed, 0, or left out.",
)
@click.option(
    "--resources",
    type=int,
    help="The runs rank resources: score the results of so many of them, as in FedWeb (3).",
)
@click.option("--results", type=int, default=10, show_default=True, help="With --resources: results of each.")
@click.option(
    "--resource-rule",
    metavar="REGEX",
    help="How a document id names its resource and rank: '(?P<resource>.+)-\\d+-(?P<rank>\\d+)'.",
)
@click.option("--resource-file", metavar="FILE", help="Lines of topic, resource and document, in the resource's order.")
@click.option("--oracle", is_flag=True, help="With --resources: also the best choice, knowing the labels.")
@click.option("--per-topic", is_flag=True, help="Scores of each topic as well.")
@partial(output_options, formats=(*FORMATS, "trec"))
@click.pass_context
def command(
    context: click.Context,
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: str,
    runs: tuple[str, ...],
    names: tuple[str, ...],
    model: str | None,
    threshold: str | None,
    relevant: str | None,
    gains: str | None,
    gain: tuple[str, ...],
    labels: tuple[str, ...],
    estimator: Literal["symmetric", "one-sided"] | None,
    unjudged: str,
    ties: Literal["trec", "trec9", "rank", "input"],
    duplicates: str | None,
    fedweb_duplicates: bool,
    topics: Literal["all", "common"],
    no_relevant: Literal["keep", "zero", "skip"],
    resources: int | None,
    results: int,
    resource_rule: str | None,
    resource_file: str | None,
    oracle: bool,
    per_topic: bool,
    form: str | None,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Score runs: counts, precision, DCG, nDCG and their family, with probabilities of relevance as gains.

    The gains come from a model file, or are estimated on the way from judgments of two assessors; binary, linear and
    exponential gains need neither. Measures have the names of ir_measures or trec_eval: see `gainsayer measures`.
    """
    from dataclasses import replace

    from gainsayer.measures.catalogue import parse_measure
    from gainsayer.measures.scoring import bound_unjudged, score_runs
    from gainsayer.rankings.condensing import condense
    from gainsayer.rankings.labels import choose_labels
    from gainsayer.report.model_file import read_model_levels
    from gainsayer.report.scoring import describe_scores, score_rows, score_tables, trec_lines
    from gainsayer.runs.files import find_runs

    if reading.strata is not None:
        raise CallError("score uses one model for all topics. Fit each stratum, and score its topics with its model.")
    if threshold is not None and relevant is not None:
        raise CallError("--threshold and --relevant say the same thing in two ways. Give one of them.")
    if model == "-":
        raise CallError("--model needs a file: standard input can be read only once.")
    measures = list(dict.fromkeys(parse_measure(name) for name in names or ("nDCG@10",)))
    known = None if model is None or reading.levels is not None else read_model_levels(model)
    judgments = read_input(reading, quiet=quiet, levels=known)
    request = GainRequest(
        schemes=tuple(part.strip() for part in gains.split(",")) if gains else (),
        by_hand=parse_gains(gain),
        model=model,
        threshold=threshold,
        relevant=relevant,
        unjudged=unjudged,
    )
    sides = choose_assessors(first, judgments), choose_assessors(second, judgments)
    matched = PAIRINGS[pairing]
    estimate = {"first": sides[0], "second": sides[1], "matched": matched, "estimator": estimator, "seed": seed}
    source = find_source(request, judgments, estimate)
    relevance = choose_relevance_for(judgments.levels, request if source.probability is None else ask_for_prm(request))
    kinds = make_gains(judgments.levels, measures, request, source, relevance)
    scored = choose_labels(judgments, choose_assessors(labels, judgments) or sides[0])
    returned = _returned(scored, resources, resource_rule, resource_file, oracle=oracle)
    ranked, noticed, best = _rank(
        runs,
        scored,
        ties,
        duplicates,
        fedweb=fedweb_duplicates,
        quiet=quiet,
        selection=None if returned is None or resources is None else (returned, resources, results),
        condensed=unjudged == "condense",
    )
    whole = ranked
    if unjudged == "condense":
        ranked = [condense(run) for run in ranked]
    if unjudged == "bounds":
        for measure, chosen in kinds.items():
            kinds[measure] = [
                replace(end, name=f"{kind.name} {word}")
                for kind in chosen
                for word, end in zip(("lower", "upper"), bound_unjudged(kind), strict=True)
            ]
    scores = score_runs(
        ranked,
        measures,
        kinds,
        relevance=relevance,
        topics=topics,
        no_relevant=no_relevant,
        oracle=best if oracle else None,
        whole=whole,
    )
    noticed += _find_falls(judgments.levels, scores.gains)
    findings = tuple(dict.fromkeys((*source.findings, *scored.findings, *noticed, *scores.findings)))
    scores = replace(scores, findings=findings)
    policies = {
        "unjudged": unjudged,
        "ties": ties,
        "topics": topics,
        "no_relevant": no_relevant,
        "duplicates": duplicates,
        "relevant": list(relevance.names),
        "labels": sorted({scored.assessors[code] for code in scored.assessor.tolist()}),
    }
    files = [*reading.files, *([] if model is None else [model]), *find_runs(runs)]
    provenance = describe_provenance(files, plain_options(context.params), seed)
    if form == "trec" and any(len(chosen) > 1 for chosen in kinds.values()):
        raise CallError("trec_eval's three columns hold one kind of gains. Ask for one, or for another --format.")
    if form == "trec":
        result = Output(
            {}, [], score_rows(scores, per_topic=False), findings, trec=trec_lines(scores, per_topic=per_topic)
        )
    else:
        document = describe_scores(scores, per_topic=per_topic, policies=policies, provenance=provenance)
        tables = score_tables(scores, per_topic=per_topic)
        result = Output(document, tables, score_rows(scores, per_topic=per_topic), findings)
    emit(result, form=form, output=output, quiet=quiet)


def _find_falls(levels: Levels, kinds: Sequence[Gains]) -> list[Finding]:
    """Gains that fall from one level to a higher one (T19): left as they are, and said."""
    from gainsayer.findings import Finding

    fallen = [kind.name for kind in kinds if levels.ordered and (kind.values[..., 1:] < kind.values[..., :-1]).any()]
    if not fallen:
        return []
    text = (
        f"{', '.join(fallen)} gains: a higher level is worth less than a lower one. Ideal lists go by gain, not level."
    )
    return [Finding("non-monotone", text)]


def _rank(
    runs: Sequence[str],
    labels: Judgments,
    ties: Any,
    duplicates: str | None,
    *,
    fedweb: bool,
    quiet: bool,
    selection: tuple[Returned, int, int] | None,
    condensed: bool,
) -> tuple[list[RankedLevels], list[Finding], Callable[[Gains], RankedLevels]]:
    """Every run as ranked levels, with a bar where there are many; what was noticed; and the oracle, if asked for."""
    from dataclasses import replace

    from gainsayer.findings import Finding
    from gainsayer.rankings.condensing import condense
    from gainsayer.rankings.duplicates import read_duplicates
    from gainsayer.rankings.pool import make_pool
    from gainsayer.rankings.rank import rank_levels
    from gainsayer.rankings.resources import select_oracle, select_results
    from gainsayer.runs.files import find_runs, name_runs, read_run

    pool = make_pool(labels)
    groups = None if duplicates is None else read_duplicates(duplicates, topics=pool.topics)
    paths = find_runs(runs)

    def rank(run: Any) -> RankedLevels:
        # What was selected stands in the right order already, whatever the ties of the resources.
        return rank_levels(run, pool, ties=ties if selection is None else "trec", duplicates=groups, fedweb=fedweb)

    def best(gains: Gains) -> RankedLevels:
        assert selection is not None
        ranked = rank(select_oracle(labels, selection[0], gains, resources=selection[1], results=selection[2]))
        return condense(ranked) if condensed else ranked

    with working_bar("Ranking runs", paths, quiet=quiet) as files:
        if selection is None:
            ranked = [rank(path) for path in files]
        else:
            returned, resources, results = selection
            ranked = [
                rank(
                    select_results(
                        read_run(path, ranks=ties == "rank"), returned, resources=resources, results=results, ties=ties
                    )
                )
                for path in files
            ]
    names = name_runs([run.name for run in ranked], paths)
    ranked = [replace(run, name=name) for run, name in zip(ranked, names, strict=True)]
    findings = []
    stray = [f"{run.name} ({len(run.unscored)}, such as {run.unscored[0]})" for run in ranked if run.unscored]
    if stray:
        text = f"Topics without judgments were left out: {_few(stray)}."
        findings.append(Finding("topics-without-judgments", text))
    short = [f"{run.name} ({int((~run.present).sum())})" for run in ranked if not run.present.all()]
    if short:
        text = f"Judged topics that a run lacks: {_few(short)}. They score 0, or are left out with --topics common."
        findings.append(Finding("topics-missing", text))
    return ranked, findings, best


def _returned(
    labels: Judgments, resources: int | None, rule: str | None, file: str | None, *, oracle: bool
) -> Returned | None:
    """What resources returned, where the runs rank resources."""
    from gainsayer.rankings.resources import returned_by_rows, returned_by_rule

    if resources is None:
        if rule or file or oracle:
            raise CallError("--resource-rule, --resource-file and --oracle go with --resources.")
        return None
    if (rule is None) == (file is None):
        raise CallError("--resources needs --resource-rule or --resource-file, to know what a resource returned.")
    if rule is not None:
        return returned_by_rule(labels, rule)
    from gainsayer.judgments.side_files import read_topic_table

    return returned_by_rows(read_topic_table(str(file), ("topic", "resource", "document")).iter_rows())


def _few(names: Sequence[str]) -> str:
    from gainsayer.errors import MOST_FAULTS

    return ", ".join(names[:MOST_FAULTS]) + (
        f" and {len(names) - MOST_FAULTS} more" if len(names) > MOST_FAULTS else ""
    )
