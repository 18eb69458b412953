"""The options that several commands share, in bundles; a bundle arrives as the value that the functions take."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import click

from gainsayer.cli.options import (
    ENGINE,
    JUDGMENTS,
    RELEVANCE,
    RUNS,
    SCORING,
    SIDES,
    TESTS,
    Function,
    add_options,
    bundle,
    option,
    parse_numbers,
    rare,
    refuse_second_reading,
    split_list,
    split_pair,
)
from gainsayer.commands.inputs import Reading
from gainsayer.errors import CallError
from gainsayer.reading.judgment_sources import split_name
from gainsayer.reading.labels import parse_map

_ENGINE = (
    rare(
        "--engine embedded|spark",
        ENGINE,
        "On this machine (embedded) or on a cluster (spark); the results are the same.",
        default="embedded",
    ),
    rare("--master URL", ENGINE, "Where Spark is, such as 'local[2]' or yarn."),
)
_INPUT = rare(
    "--input input_format auto|qrels|csv|tsv|jsonl|parquet",
    JUDGMENTS,
    "The format, where the file's ending and content do not tell.",
    default="auto",
)
_LEVELS = option("--levels A,B,...", JUDGMENTS, "Levels from low to high: Non,Rel,HRel,Key.")
_MERGE = rare("--merge LABEL=LEVEL *", JUDGMENTS, "Treat a label as another level, e.g. Nav=Key.")
_MAP = rare(
    "--map NAME:LABEL=LABEL,... *", JUDGMENTS, "Rename the labels of one assessor or file first, e.g. ann:1=0,2=1,3=2."
)
_MISSING = rare("--missing LABEL *", JUDGMENTS, "A label that means 'not judged', e.g. -1.")
_READING = (
    click.argument("files", metavar="JUDGMENTS...", nargs=-1),
    rare("--judgments listed J... *", JUDGMENTS, "The same as JUDGMENTS; NAME=FILE names an assessor."),
    _INPUT,
    rare("--by-assessor", JUDGMENTS, "Column 2 of a qrels file is the assessor."),
    rare("--diversity", JUDGMENTS, "Column 2 of a qrels file is the intent."),
    option("--raters COL,COL *", JUDGMENTS, "Columns of levels, one per rater, in a wide table."),
    *(_LEVELS, _MERGE, _MAP, _MISSING),
    rare(
        "--repeats error|first|last|majority|all|as-assessors",
        JUDGMENTS,
        "What to do where an assessor gave a document several levels; as-assessors takes them as opinions of "
        "different people.",
        default="error",
    ),
    option("--strata FILE", JUDGMENTS, "Topic and stratum per line; an estimate for each."),
    rare(
        "--intents all|top",
        JUDGMENTS,
        "Every intent as a need of its own, or the most probable one of each topic.",
        default="all",
    ),
    rare("--intent-probabilities FILE", JUDGMENTS, "Lines of topic, intent and probability."),
    rare(
        "--unmentioned-intents lowest|ignore",
        JUDGMENTS,
        "What an intent gets that an assessor of the document did not mention.",
        default="lowest",
    ),
)


def reading_options(function: Function, *, required: bool = True) -> Function:
    """Where the judgments are and what they mean; they arrive as one `reading`.

    The files are arguments, or those of --judgments, or both (see `GroupedCommand`).
    """
    return bundle(function, "reading", partial(_make_reading, required=required), _READING)


def _make_reading(
    *,
    files: tuple[str, ...],
    listed: tuple[str, ...] = (),
    input_format: str,
    merge: tuple[str, ...],
    map: tuple[str, ...],
    required: bool,
    **given: Any,
) -> Reading:
    if required and not (files or listed):
        raise CallError("No judgments were given: name at least one file, such as first.qrels second.qrels.")
    return Reading(
        sources=tuple(split_name(text) for text in (*files, *listed)),
        format=None if input_format == "auto" else cast(Any, input_format),
        merges=dict(split_pair(text, "--merge", "LABEL=LEVEL") for text in merge),
        maps=_parse_maps(map),
        missing=split_list(given.pop("missing")),
        raters=split_list(given.pop("raters", ())),
        **given,
    )


def _parse_maps(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    maps: dict[str, dict[str, str]] = {}
    for name, table in map(parse_map, texts):
        if name in maps:
            raise CallError(f"--map was given twice for {name!r}. Give all of its labels in one: {name}:1=0,2=1")
        maps[name] = table
    return maps


_JUDGES = (
    option(
        "--machine machine_files FILE *",
        JUDGMENTS,
        "The machine's grades; NAME=FILE names it. Several are several machines, one name twice is two calls.",
        required=True,
    ),
    option(
        "--people people_files FILE *",
        JUDGMENTS,
        "People's labels of the documents that 'machine sample' drew, or of whole topics; several people by name.",
    ),
    *(_INPUT, _LEVELS, _MERGE, _MAP, _MISSING),
)
_CHOSEN = (
    option(
        "--sample FILE",
        JUDGMENTS,
        "How their documents were chosen: the design that 'machine sample' wrote, found by itself next to --people; a "
        "table of topic, document and probability; or 'observed': the share of each grade that was judged.",
    ),
    rare(
        "--design topics|documents|two-stage",
        JUDGMENTS,
        "The same, where no file says it: whole topics, documents of all topics, documents of some.",
    ),
    rare("--tuned-topics FILE", JUDGMENTS, "Topics the machine was tuned on: left out."),
)


def machine_options(function: Function) -> Function:
    """A machine's grades and people's labels; they arrive as two `readings`, the second None where there are none.

    How people's documents were chosen arrives as `sample` and `design`, topics to leave out as `tuned_topics`.
    """

    def both(*, machine_files: tuple[str, ...], people_files: tuple[str, ...], **given: Any) -> Any:
        refuse_second_reading(machine_files, people_files)
        every = (machine_files, people_files)
        return tuple(_make_reading(files=files, required=False, **given) if files else None for files in every)

    return bundle(add_options(function, _CHOSEN), "readings", both, _JUDGES)


_SIDES = (
    option("--first A,B *", SIDES, "Assessors whose labels the evaluation uses."),
    option("--second C,D *", SIDES, "Assessors who stand for the users."),
    rare(
        "--pairing auto|matched|all",
        SIDES,
        "Pair A with C and B with D (matched), or everybody with everybody on the other side (all).",
        default="auto",
    ),
)


def side_options(function: Function) -> Function:
    """Who is compared with whom: `first`, `second` and `pairing`."""
    return add_options(function, _SIDES)


def relevance_options(function: Function, *, default: str = "By default every threshold.") -> Function:
    """What users are satisfied with; `threshold` and `relevant` arrive as lists, or as None."""
    options = (
        option(
            "--threshold LEVEL *",
            RELEVANCE,
            f"Users want this level or a higher one; repeatable. {default}",
            callback=lambda _context, _parameter, value: list(split_list(value)) or None,
        ),
        rare(
            "--relevant LEVEL,LEVEL *",
            RELEVANCE,
            "Users want one of these levels; repeatable.",
            callback=lambda _context, _parameter, value: [list(split_list([text])) for text in value] or None,
        ),
    )
    return add_options(function, options)


estimator_option = rare(
    "--estimator symmetric|one-sided", RELEVANCE, "How to estimate; by default symmetric where that is valid."
)
confidence_option = rare("--confidence", TESTS, "Confidence of the intervals.", default=0.95)
measure_option = option("-m --measure measures MEASURE *", SCORING, "Such as nDCG@10, P@10 or map; repeatable.")
users_option = rare(
    "--users KIND,...",
    SCORING,
    "Also the expected score over random users: independent, comonotone (a strict user is strict with every "
    "document), band (both), or the correlation of one user's views, such as 0.3.",
)
model_option = option("--model FILE", SCORING, "A model that 'gainsayer fit -o FILE' wrote.")
model_threshold_option = option("--threshold LEVEL", RELEVANCE, "Which threshold of the model; its first by default.")
gain_option = rare("--gain LEVEL=NUMBER *", SCORING, "Set the gain of one level; repeatable.", callback=parse_numbers)
gains_option = option(
    "--gains KIND,...",
    SCORING,
    "prm, binary, linear, exponential, udm or a JSON file; by default prm with a second side or a model.",
)
labels_option = rare(
    "--labels NAME,...|majority|mean|posterior *",
    SIDES,
    "Whose labels score the runs: these assessors' (the first who judged a document), the majority, the mean of "
    "the labels' gains, or in score and compare the gain of all labels together (posterior). By default the first "
    "side's, or all where no document has several.",
)
ties_option = rare("--ties trec|trec9|rank|input", RUNS, "How to order documents with equal scores.", default="trec")
duplicates_option = rare("--duplicates FILE", RUNS, "Groups of equal documents; only the first of them counts.")
_POLICIES = (
    labels_option,
    option(
        "--unjudged POLICY",
        RUNS,
        "What an unjudged document is worth: 0, level (as the lowest), NUMBER, condense (left out) or bounds.",
        default="0",
    ),
    ties_option,
    duplicates_option,
    rare(
        "--topics all|common",
        RUNS,
        "All judged topics (a run scores 0 on those it lacks), or those that every run has.",
        default="all",
    ),
)
RESOURCE_OPTIONS = (
    rare("--results", RUNS, "How many results of each resource count; 10 by default.", type=int),
    rare(
        "--resource-rule REGEX",
        RUNS,
        "How a document id names its resource and rank: '(?P<resource>.+)-\\d+-(?P<rank>\\d+)'.",
    ),
    rare("--resource-file FILE", RUNS, "Lines of topic, resource and document, in the resource's order."),
)


def scoring_options(function: Function) -> Function:
    """What runs are scored by: measures, relevance, gains, users."""
    relevance = partial(relevance_options, default="By default the top, or 1 and above without a second side.")
    options = (measure_option, relevance, gains_option, gain_option, estimator_option, users_option)
    return add_options(function, options)


_TESTS = (
    rare(
        "--test joint|randomisation|t|wilcoxon",
        TESTS,
        "The test behind the p-values: joint allows for other topics and other gains; the others hold the gains fixed.",
        default="joint",
    ),
    rare(
        "--adjust maxt|holm|bh|none",
        TESTS,
        "Correction for many pairs, for tests other than joint: by default maxt for randomisation, else holm.",
    ),
    option("--baseline RUN", TESTS, "Compare each run with this one only."),
    option("--margin NUMBER", TESTS, "The smallest difference that matters.", type=float),
    rare(
        "--family each|all",
        TESTS,
        "Which pairs hold at once: those of each measure, kind of gains and stratum, or all of them.",
        default="each",
    ),
    rare("--permutations", TESTS, "How many sign flips; fewer where there are very many pairs.", default=10_000),
    rare("--resamples", TESTS, "Samples of topics for the interval of tau; nothing else is resampled.", default=1_000),
    confidence_option,
)


def comparison_options(function: Function) -> Function:
    """What `compare` and `report` ask: measures, gains, relevance, users, tests."""
    return scoring_options(add_options(function, _TESTS))


def run_options(function: Function, *, required: bool = True, no_relevant: str = "keep") -> Function:
    """Which runs are scored, and under which policies: labels, unjudged, ties, duplicates, topics, no_relevant."""
    runs = option("--runs R... *", RUNS, "Run files, folders or patterns.", required=required)
    lacking = rare(
        "--no-relevant keep|zero|skip",
        RUNS,
        "Topics without a relevant document: score them, count 0, or leave them out.",
        default=no_relevant,
    )
    return add_options(function, (runs, *_POLICIES, lacking))


def engine_options(function: Function) -> Function:
    """Which engine does the work: `engine` and `master`, as the functions take them."""
    return add_options(function, _ENGINE)
