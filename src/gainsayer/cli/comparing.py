"""What `compare`, `study` and `report` share: from options and files to compared runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from gainsayer.cli.bundles import bundle
from gainsayer.cli.gain_options import parse_gains
from gainsayer.cli.gaining import GainRequest, ask_for_prm, choose_relevance_for, find_source
from gainsayer.cli.inputs import PAIRINGS, Reading, choose_assessors, choose_relevance, read_input
from gainsayer.cli.running import (
    RankedRuns,
    RunRequest,
    check_standard_input,
    choose_scored,
    expand_users,
    find_falls,
    parse_users,
    rank_runs,
    users_option,
)
from gainsayer.cli.schemes import make_schemes
from gainsayer.cli.streams import is_lively
from gainsayer.errors import CallError

if TYPE_CHECKING:
    from gainsayer.comparison.results import Comparison
    from gainsayer.comparison.user_band import UserBand
    from gainsayer.findings import Finding
    from gainsayer.judgments.table import Judgments
    from gainsayer.levels import Relevance
    from gainsayer.measures.catalogue import Measure
    from gainsayer.rankings.labels import LabelRule

_Function = TypeVar("_Function", bound=Callable[..., Any])


# Measures whose expected value for correlated users takes seconds a run.
SLOW_FOR_CORRELATED = ("Q", "Rprec", "Bpref", "infAP")


@dataclass(frozen=True)
class ComparisonOptions:
    """By what, with which gains and how runs are compared: the options, as given."""

    names: tuple[str, ...] = ()
    model: str | None = None
    threshold: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()
    gains: str | None = None
    gain: tuple[str, ...] = ()
    estimator: Literal["symmetric", "one-sided"] | None = None
    resamples: int = 1_000
    confidence: float = 0.95
    test: Literal["joint", "randomisation", "t", "wilcoxon"] = "joint"
    adjust: Literal["maxt", "holm", "bh", "none"] | None = None
    permutations: int = 10_000
    baseline: str | None = None
    margin: float | None = None
    users: str | None = None


def comparison_options(function: _Function) -> _Function:
    """The options of a comparison; they arrive as one `options`."""
    return bundle(function, ComparisonOptions, "options", _OPTIONS)


_OPTIONS = (
    click.option(
        "-m", "--measure", "names", metavar="MEASURE", multiple=True, help="Such as nDCG@10 or map; repeatable."
    ),
    click.option("--model", metavar="FILE", help="The model that 'gainsayer fit -o model.json' wrote."),
    click.option(
        "--threshold",
        metavar="LEVEL",
        multiple=True,
        help="Users are satisfied with this level or a higher one; several may be given. By default the top level, or "
        "every level from 1 on where there are no second judgments and no model.",
    ),
    click.option(
        "--relevant", metavar="LEVEL,LEVEL", multiple=True, help="Users are satisfied with these levels; repeatable."
    ),
    click.option(
        "--gains",
        metavar="KIND,...",
        help="prm, binary, linear, exponential, udm, or a JSON file of level and gain. By default prm,binary where "
        "there is a model or a second side, else binary.",
    ),
    click.option("--gain", metavar="LEVEL=NUMBER", multiple=True, help="The gain of one level; repeatable."),
    click.option(
        "--estimator", type=click.Choice(["symmetric", "one-sided"]), help="By default symmetric where valid."
    ),
    click.option(
        "--resamples",
        type=int,
        default=1_000,
        show_default=True,
        help="Samples of topics for the interval of tau; nothing else is resampled.",
    ),
    click.option("--confidence", type=float, default=0.95, show_default=True, help="Coverage of the intervals."),
    click.option(
        "--test",
        type=click.Choice(["joint", "randomisation", "t", "wilcoxon"]),
        default="joint",
        show_default=True,
        help="Whose p-values: joint allows for topics and gains; the others hold the gains fixed, and decide signs "
        "only.",
    ),
    click.option(
        "--adjust",
        type=click.Choice(["maxt", "holm", "bh", "none"]),
        help="Of a test with the gains held fixed: maxt for randomisation by default, holm for t and wilcoxon.",
    ),
    click.option(
        "--permutations",
        type=int,
        default=10_000,
        show_default=True,
        help="Sign flips for all pairs at once; fewer where there are very many pairs.",
    ),
    click.option("--baseline", metavar="RUN", help="Compare each run with this one only."),
    click.option(
        "--margin",
        type=float,
        metavar="NUMBER",
        help="The smallest difference that matters: says which runs are equivalent, or no worse.",
    ),
    users_option,
)


@dataclass(frozen=True, eq=False)
class Labelling:
    """Everything that a comparison starts from: judgments, labels that score, ranked runs, notions of relevance."""

    judgments: Judgments
    labels: Judgments
    rule: LabelRule
    runs: RankedRuns
    measures: tuple[Measure, ...]
    relevances: tuple[Relevance, ...]
    sides: tuple[tuple[str, ...] | None, tuple[str, ...] | None]
    pairing: Literal["auto", "matched", "all"]
    request: RunRequest
    options: ComparisonOptions
    seed: int
    quiet: bool

    @classmethod
    def read(
        cls,
        reading: Reading,
        first: tuple[str, ...],
        second: tuple[str, ...],
        pairing: Literal["auto", "matched", "all"],
        request: RunRequest,
        options: ComparisonOptions,
        *,
        seed: int,
        quiet: bool,
    ) -> Labelling:
        """Read the files; refuse what cannot be asked for before anything long begins."""
        from gainsayer.measures.catalogue import parse_measure
        from gainsayer.report.model_file import read_model_levels

        check_standard_input(reading.files, request)
        if options.model == "-":
            raise CallError("--model needs a file: standard input can be read only once.")
        if options.model is not None and reading.strata is not None:
            raise CallError("--strata estimates a model per stratum; leave out --model, or compare each stratum alone.")
        measures = tuple(dict.fromkeys(parse_measure(name) for name in options.names or ("nDCG@10",)))
        # Correlated users take too long to be drawn along; their values stand in the band.
        drawn = [kind for kind in parse_users(options.users) if isinstance(kind, str)]
        measures = tuple(expand_users(measures, drawn))
        for measure in measures:
            if measure.family.needs == "nothing":
                raise CallError(f"{measure} says nothing about relevance, so runs are not compared by it: use score.")
        known = None if options.model is None or reading.levels is not None else read_model_levels(options.model)
        judgments = read_input(reading, quiet=quiet, levels=known)
        sides = choose_assessors(first, judgments), choose_assessors(second, judgments)
        labels, rule = choose_scored(request.labels, judgments, first=sides[0], second=sides[1])
        relevances = _relevances(judgments, options)
        runs = rank_runs(request, labels, quiet=quiet)
        return cls(judgments, labels, rule, runs, measures, relevances, sides, pairing, request, options, seed, quiet)


def compare_judged(prepared: Labelling, judgments: Judgments) -> Comparison:
    """Compare the runs on the topics of these judgments (all, or one stratum), with a model of these alone."""
    import numpy as np

    from gainsayer.comparison.comparing import compare_runs
    from gainsayer.findings import Finding
    from gainsayer.rankings.selecting import keep_topics

    options, request = prepared.options, prepared.request
    asked = ask_for_gains(options, request.unjudged)
    matched = PAIRINGS[prepared.pairing]
    estimate = {
        "first": prepared.sides[0],
        "second": prepared.sides[1],
        "matched": matched,
        "estimator": options.estimator,
        "seed": prepared.seed,
    }
    source = find_source(asked, judgments, estimate)
    schemes = make_schemes(judgments.levels, asked, source, prepared.relevances)
    ranked, whole = prepared.runs.ranked, prepared.runs.whole
    if judgments is not prepared.judgments:
        topics = {judgments.topics[place] for place in np.unique(judgments.topic).tolist()}
        ranked = tuple(keep_topics(run, topics) for run in ranked)
        whole = tuple(keep_topics(run, topics) for run in whole)
    with progress_bar("Comparing runs", quiet=prepared.quiet) as progress:
        comparison = compare_runs(
            ranked,
            prepared.measures,
            schemes,
            disagreement=source.disagreement,
            test=options.test,
            adjust=options.adjust,
            baseline=options.baseline,
            margin=options.margin,
            draws=options.resamples,
            permutations=options.permutations,
            confidence=options.confidence,
            seed=prepared.seed,
            topics=request.topics,
            no_relevant=request.no_relevant,
            unjudged_as_lowest=request.unjudged == "level",
            oracle=prepared.runs.oracle,
            whole=whole,
            progress=progress,
        )
    noticed: list[Finding] = [*source.findings, *prepared.labels.findings, *prepared.runs.findings]
    noticed += find_falls(judgments.levels, [scheme.gains for scheme in schemes])
    if options.model is not None and source.disagreement is None and any(scheme.name == "prm" for scheme in schemes):
        noticed.append(_notice_model(options.model, known=any(scheme.fitted is not None for scheme in schemes)))
    if judgments is prepared.judgments and judgments.strata is not None:
        text = "The run table of all topics uses one estimate for all of them; each stratum follows with its own."
        noticed.append(Finding("strata-pooled", text))
    return replace(comparison, findings=tuple(dict.fromkeys([*noticed, *comparison.findings])))


def band_compared(
    prepared: Labelling, comparison: Comparison, *, always: bool = False, correlation: float | None = None
) -> list[UserBand]:
    """The plug-in measures beside their expected values, with PRM gains, where users were asked for.

    With `always` the band of the first measure, whether or not users were asked for; also for users whose views have
    this `correlation`, where that is quickly computed.
    """
    import numpy as np

    from gainsayer.comparison.user_band import BAND, band_users

    users = parse_users(prepared.options.users) or (BAND if always else ())
    scored = set(comparison.topics)
    chosen = np.array([topic in scored for topic in prepared.runs.ranked[0].topics], dtype=bool)
    if correlation is not None and prepared.measures[0].family.name not in SLOW_FOR_CORRELATED:
        users = tuple(dict.fromkeys((*users[:1], round(correlation, 2), *users[1:])))
    asked = [measure for measure in prepared.measures if measure.users is None and measure.family.for_users != "no"]
    return [
        band_users(prepared.runs.ranked, measure, part.scheme.gains, users=users, chosen=chosen)
        for measure in (asked[:1] if always else asked)
        for part in comparison.parts
        if users and part.scheme.name == "prm" and part.measure == measure
    ]


def _notice_model(model: str, *, known: bool) -> Finding:
    """What a model file can say about its own uncertainty."""
    from gainsayer.findings import Finding

    instead = "Give the judgments of both sides, from which the model was made, to have both from the same topics."
    if known:
        text = (
            f"{model} holds no topics: the uncertainty of its probabilities comes from their covariance, as if its "
            f"topics were none of those scored. If they are the same, the intervals may be too narrow. {instead}"
        )
        return Finding("gains-apart", text)
    text = f"{model} holds no topics, so the uncertainty of its probabilities is not in the intervals. {instead}"
    return Finding("gains-taken-as-given", text)


def ask_for_gains(options: ComparisonOptions, unjudged: str) -> GainRequest:
    """The options about gains, as one request."""
    thresholds = [part for text in options.threshold for part in text.split(",")]
    single = thresholds[0] if len(thresholds) == 1 and not options.relevant else None
    return GainRequest(
        schemes=tuple(part.strip() for part in options.gains.split(",")) if options.gains else (),
        by_hand=parse_gains(options.gain),
        model=options.model,
        threshold=single,
        relevant=options.relevant[0] if len(options.relevant) == 1 and not options.threshold else None,
        unjudged=unjudged,
    )


def _relevances(judgments: Judgments, options: ComparisonOptions) -> tuple[Relevance, ...]:
    """The notions of relevance asked for; by default the top level, or what the model has."""
    if options.threshold or options.relevant:
        found = choose_relevance(judgments.levels, options.threshold, options.relevant)
        if options.model is not None and len(found) > 1:
            raise CallError("--model serves one threshold at a time. Ask for one, or give the judgments of both sides.")
        return found
    asked = ask_for_gains(options, "0")
    import numpy as np

    doubly = len(np.unique(judgments.assessor)) > 1
    return (choose_relevance_for(judgments.levels, ask_for_prm(asked) if doubly else asked),)


@contextmanager
def progress_bar(what: str, *, quiet: bool) -> Iterator[Callable[[float], None] | None]:
    """Something to tell the share that is done; a bar on a terminal that appears when the work lasts, else None."""
    import sys

    if quiet or not is_lively(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=1.0)
        yield lambda share: progress.update(task, completed=share)
