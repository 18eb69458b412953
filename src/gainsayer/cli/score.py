"""`gainsayer score`: scores of runs with any gains."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import click

from gainsayer.cli.bundles import (
    RESOURCE_OPTIONS,
    engine_options,
    model_option,
    reading_options,
    run_options,
    scoring_options,
    side_options,
)
from gainsayer.cli.help_pages import GroupedCommand
from gainsayer.cli.options import OUTPUT, RUNS, add_options, option, rare, refuse_second_reading
from gainsayer.cli.outputs import FORMATS, Target, emit, output_options, progress_bar
from gainsayer.commands.inputs import Reading
from gainsayer.commands.score import score, trec_lines
from gainsayer.errors import CallError

EXAMPLES = (
    "gainsayer score nist.qrels --runs runs -m nDCG@10 -m AP",
    "gainsayer score first.qrels second.qrels --runs runs --threshold 2 --gains prm,binary -m P@10",
    "gainsayer score nist.qrels --runs bm25.run --model model.json -m nDCG@10 --per-topic --format csv",
    "gainsayer score nist.qrels --runs bm25.run -m map -m ndcg_cut_10 --format trec",
)
RESOURCES = (
    rare(
        "--resources",
        RUNS,
        "For runs that rank resources: score the results of their first so many, as in FedWeb (3), and compare the "
        "orders of the runs by two kinds of gains.",
        type=int,
    ),
    *RESOURCE_OPTIONS,
    rare("--oracle", RUNS, "Also the best choice of resources, knowing the labels."),
)


@click.command("score", cls=GroupedCommand, examples=EXAMPLES)
@option("--per-topic", OUTPUT, "Scores of each topic as well.")
@reading_options
@side_options
@model_option
@scoring_options
@run_options
@partial(add_options, options=RESOURCES)
@engine_options
@partial(output_options, formats=(*FORMATS, "trec"))
def command(
    reading: Reading, runs: tuple[str, ...], measures: tuple[str, ...], per_topic: bool, target: Target, **options: Any
) -> None:
    """Score runs by nDCG, P, AP and many other measures, with the usual gains or with probabilities of relevance.

    The gains come from a model file, or are estimated on the way from judgments of two assessors; binary, linear and
    exponential gains need neither. Measures have the names of ir_measures or trec_eval: see `gainsayer measures`.
    """
    refuse_second_reading(reading.sources, runs, options["model"])
    with progress_bar(quiet=target.quiet) as progress:
        table = score(reading, list(runs), list(measures), progress=progress, **options)
    if target.form == "trec" and len(table.scores.values) > len(table.scores.measures):
        raise CallError("trec_eval's three columns hold one kind of gains. Ask for one, or for another --format.")
    lines = partial(trec_lines, table.scores, per_topic=per_topic)
    emit(replace(table, per_topic=per_topic), target, trec=lines)
