"""`gainsayer score`: scores of runs with any gains."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

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
)
from gainsayer.cli.outputs import FORMATS, Output, emit, output_options
from gainsayer.cli.running import (
    RunRequest,
    check_standard_input,
    choose_scored,
    describe_policies,
    expand_users,
    find_falls,
    notice_simulation,
    parse_users,
    rank_runs,
    run_options,
    users_option,
)
from gainsayer.errors import CallError

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
@run_options
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
@click.option("--estimator", type=click.Choice(["symmetric", "one-sided"]), help="By default symmetric where valid.")
@users_option
@click.option("--per-topic", is_flag=True, help="Scores of each topic as well.")
@partial(output_options, formats=(*FORMATS, "trec"))
@click.pass_context
def command(
    context: click.Context,
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: str,
    request: RunRequest,
    names: tuple[str, ...],
    model: str | None,
    threshold: str | None,
    relevant: str | None,
    gains: str | None,
    gain: tuple[str, ...],
    estimator: Literal["symmetric", "one-sided"] | None,
    users: str | None,
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

    from gainsayer.gains import pattern_gains
    from gainsayer.measures.catalogue import parse_measure
    from gainsayer.measures.scoring import bound_unjudged, score_runs
    from gainsayer.report.finding import describe_found, found_by_users, found_tables
    from gainsayer.report.model_file import read_model_levels
    from gainsayer.report.scoring import describe_scores, score_rows, score_tables, trec_lines

    if reading.strata is not None:
        raise CallError("score uses one model for all topics. Fit each stratum, and score its topics with its model.")
    if threshold is not None and relevant is not None:
        raise CallError("--threshold and --relevant say the same thing in two ways. Give one of them.")
    check_standard_input(reading.files, request)
    if model == "-":
        raise CallError("--model needs a file: standard input can be read only once.")
    kinds_of_users = parse_users(users)
    measures = list(dict.fromkeys(parse_measure(name) for name in names or ("nDCG@10",)))
    measures = expand_users(measures, kinds_of_users)
    known = None if model is None or reading.levels is not None else read_model_levels(model)
    judgments = read_input(reading, quiet=quiet, levels=known)
    asked = GainRequest(
        schemes=tuple(part.strip() for part in gains.split(",")) if gains else (),
        by_hand=parse_gains(gain),
        model=model,
        threshold=threshold,
        relevant=relevant,
        unjudged=request.unjudged,
    )
    sides = choose_assessors(first, judgments), choose_assessors(second, judgments)
    matched = PAIRINGS[pairing]
    estimate = {"first": sides[0], "second": sides[1], "matched": matched, "estimator": estimator, "seed": seed}
    scored, rule = choose_scored(request.labels, judgments, first=sides[0], second=sides[1])
    source = find_source(asked, judgments, estimate)
    relevance = choose_relevance_for(judgments.levels, asked if source.probability is None else ask_for_prm(asked))
    kinds = make_gains(judgments.levels, measures, asked, source, relevance)
    falls = find_falls(judgments.levels, list({kind.name: kind for some in kinds.values() for kind in some}.values()))
    kinds = {measure: [pattern_gains(kind, scored.levels) for kind in some] for measure, some in kinds.items()}
    runs = rank_runs(request, scored, quiet=quiet)
    if request.unjudged == "bounds":
        for measure, chosen in kinds.items():
            kinds[measure] = [
                replace(end, name=f"{kind.name} {word}")
                for kind in chosen
                for word, end in zip(("lower", "upper"), bound_unjudged(kind), strict=True)
            ]
    scores = score_runs(
        runs.ranked,
        measures,
        kinds,
        relevance=relevance,
        topics=request.topics,
        no_relevant=request.no_relevant,
        oracle=runs.oracle,
        whole=runs.whole,
    )
    noticed = (
        *runs.findings,
        *falls,
        *notice_simulation(runs.ranked, kinds),
    )
    findings = tuple(dict.fromkeys((*source.findings, *scored.findings, *noticed, *scores.findings)))
    scores = replace(scores, findings=findings)
    policies = describe_policies(request, relevance.names, rule)
    files = [*reading.files, *([] if model is None else [model]), *runs.files]
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
        if kinds_of_users and not per_topic:
            found = found_by_users(runs.ranked, scores, kinds_of_users)
            tables += found_tables(found)
            document["users"] = describe_found(found)
        result = Output(document, tables, score_rows(scores, per_topic=per_topic), findings)
    emit(result, form=form, output=output, quiet=quiet)
