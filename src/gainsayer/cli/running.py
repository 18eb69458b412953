"""Runs on the command line: which files, how they are ranked, and whose labels score them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from gainsayer.cli.bundles import bundle
from gainsayer.cli.inputs import choose_assessors, working_bar
from gainsayer.errors import CallError, SeveralLabelsError

if TYPE_CHECKING:
    from gainsayer.findings import Finding
    from gainsayer.gains import Gains
    from gainsayer.judgments.table import Judgments
    from gainsayer.levels import Levels
    from gainsayer.measures.catalogue import Measure
    from gainsayer.measures.expected.users import Users
    from gainsayer.rankings.labels import LabelRule
    from gainsayer.rankings.ranked_levels import RankedLevels
    from gainsayer.rankings.resources import Returned

_Function = TypeVar("_Function", bound=Callable[..., Any])
BAND = ("independent", "comonotone")
LABELS_HELP = (
    "Whose labels count: those of the first of these assessors who judged a document, the majority, or the mean of the "
    "labels' gains. By default the first side's, or all where no document has several."
)


@dataclass(frozen=True)
class RunRequest:
    """Which runs are scored, and under which policies: the options, as given."""

    runs: tuple[str, ...]
    labels: tuple[str, ...] = ()
    unjudged: str = "0"
    ties: Literal["trec", "trec9", "rank", "input"] = "trec"
    duplicates: str | None = None
    fedweb_duplicates: bool = False
    topics: Literal["all", "common"] = "all"
    no_relevant: Literal["keep", "zero", "skip"] = "keep"
    resources: int | None = None
    results: int = 10
    resource_rule: str | None = None
    resource_file: str | None = None
    oracle: bool = False


@dataclass(frozen=True, eq=False)
class RankedRuns:
    """The runs as ranked levels.

    Args:
        ranked: what is scored; condensed where asked for.
        whole: the same before it was condensed.
        oracle: the best choice of resources for given gains; None unless asked for.
        files: where they came from.
        findings: what was noticed.
    """

    ranked: tuple[RankedLevels, ...]
    whole: tuple[RankedLevels, ...]
    oracle: Callable[[Gains], RankedLevels] | None
    files: tuple[str, ...]
    findings: tuple[Finding, ...]


def run_options(function: _Function, *, required: bool = True) -> _Function:
    """The options that say which runs are scored and how; they arrive as one `request`."""
    runs = click.option(
        "--runs", metavar="R...", multiple=True, required=required, help="Run files, folders or patterns."
    )
    return bundle(function, RunRequest, "request", (runs, *_OPTIONS))


_OPTIONS = (
    click.option("--labels", metavar="NAME,...|majority|mean", multiple=True, help=LABELS_HELP),
    click.option(
        "--unjudged",
        default="0",
        show_default=True,
        metavar="POLICY",
        help="What an unjudged document is worth: 0, level (as the lowest), a NUMBER, condense (left out), bounds.",
    ),
    click.option(
        "--ties",
        type=click.Choice(["trec", "trec9", "rank", "input"]),
        default="trec",
        show_default=True,
        help="Order of equal scores.",
    ),
    click.option("--duplicates", metavar="FILE", help="Groups of equal documents; later ones are worth nothing."),
    click.option("--fedweb-duplicates", is_flag=True, help="Count duplicates as the FedWeb track did."),
    click.option(
        "--topics",
        type=click.Choice(["all", "common"]),
        default="all",
        show_default=True,
        help="All judged topics (a missing one scores 0), or those that every run has.",
    ),
    click.option(
        "--no-relevant",
        type=click.Choice(["keep", "zero", "skip"]),
        default="keep",
        show_default=True,
        help="Topics without a relevant label: as computed, 0, or left out.",
    ),
    click.option(
        "--resources",
        type=int,
        help="The runs rank resources: score the results of so many of them, as in FedWeb (3).",
    ),
    click.option("--results", type=int, default=10, show_default=True, help="With --resources: results of each."),
    click.option(
        "--resource-rule",
        metavar="REGEX",
        help="How a document id names its resource and rank: '(?P<resource>.+)-\\d+-(?P<rank>\\d+)'.",
    ),
    click.option(
        "--resource-file", metavar="FILE", help="Lines of topic, resource and document, in the resource's order."
    ),
    click.option("--oracle", is_flag=True, help="With --resources: also the best choice, knowing the labels."),
)


def choose_scored(
    given: Sequence[str],
    judgments: Judgments,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
) -> tuple[Judgments, LabelRule]:
    """The labels that score, by --labels and the sides; and the rule behind them."""
    from gainsayer.rankings.labels import apply_rule, decide_labels

    try:
        rule = decide_labels(judgments, choose_assessors(given, judgments), first=first, second=second)
        return apply_rule(judgments, rule), rule
    except SeveralLabelsError as error:
        raise CallError(f"{error}\nSay so with --labels NAME[,NAME...], --labels majority or --labels mean.") from None


def check_standard_input(files: Sequence[str], request: RunRequest) -> None:
    """Refuse to read standard input twice (CallError)."""
    if [*files, *request.runs].count("-") > 1:
        raise CallError("Standard input can be read only once: name a file for the judgments or for the runs.")


def rank_runs(request: RunRequest, labels: Judgments, *, quiet: bool) -> RankedRuns:
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
    groups = None if request.duplicates is None else read_duplicates(request.duplicates, topics=pool.topics)
    paths = find_runs(request.runs)
    returned = find_returned(request, labels)
    condensed = request.unjudged == "condense"

    def rank(run: Any) -> RankedLevels:
        # What was selected stands in the right order already, whatever the ties of the resources.
        ties = request.ties if returned is None else "trec"
        return rank_levels(run, pool, ties=ties, duplicates=groups, fedweb=request.fedweb_duplicates)

    def best(gains: Gains) -> RankedLevels:
        assert returned is not None
        assert request.resources is not None
        chosen = select_oracle(labels, returned, gains, resources=request.resources, results=request.results)
        return condense(rank(chosen)) if condensed else rank(chosen)

    with working_bar("Ranking runs", paths, quiet=quiet) as files:
        if returned is None or request.resources is None:
            ranked = [rank(path) for path in files]
        else:
            ranked = [
                rank(
                    select_results(
                        read_run(path, ranks=request.ties == "rank"),
                        returned,
                        resources=request.resources,
                        results=request.results,
                        ties=request.ties,
                    )
                )
                for path in files
            ]
    names = name_runs([run.name for run in ranked], paths)
    whole = tuple(replace(run, name=name) for run, name in zip(ranked, names, strict=True))
    findings = []
    stray = [f"{run.name} ({len(run.unscored)}, such as {run.unscored[0]})" for run in whole if run.unscored]
    if stray:
        text = f"Topics without judgments were left out: {_few(stray)}."
        findings.append(Finding("topics-without-judgments", text))
    short = [f"{run.name} ({int((~run.present).sum())})" for run in whole if not run.present.all()]
    if short:
        text = f"Judged topics that a run lacks: {_few(short)}. They score 0, or are left out with --topics common."
        findings.append(Finding("topics-missing", text))
    return RankedRuns(
        ranked=tuple(condense(run) for run in whole) if condensed else whole,
        whole=whole,
        oracle=best if request.oracle else None,
        files=tuple(paths),
        findings=tuple(findings),
    )


def find_returned(request: RunRequest, labels: Judgments) -> Returned | None:
    """What resources returned, where the runs rank resources."""
    from gainsayer.rankings.resources import returned_by_rows, returned_by_rule

    rule, file = request.resource_rule, request.resource_file
    if request.resources is None:
        if rule or file or request.oracle:
            raise CallError("--resource-rule, --resource-file and --oracle go with --resources.")
        return None
    if (rule is None) == (file is None):
        raise CallError("--resources needs --resource-rule or --resource-file, to know what a resource returned.")
    if rule is not None:
        return returned_by_rule(labels, rule)
    from gainsayer.judgments.side_files import read_topic_table

    return returned_by_rows(read_topic_table(str(file), ("topic", "resource", "document")).iter_rows())


def users_option(function: _Function) -> _Function:
    """The option that asks for expected values beside plug-in ones; see `expand_users`."""
    option = click.option(
        "--users",
        metavar="KIND,...",
        help="Also the expected value over random users, where it is not the plug-in value: independent, comonotone, "
        "band (both), or how far one user's views hang together, such as 0.3 (compare draws no intervals for these).",
    )
    return option(function)


def parse_users(text: str | None) -> tuple[Users, ...]:
    """The kinds of users asked for; `band` stands for both ends of it."""
    from gainsayer.measures.expected.users import check_users

    if text is None:
        return ()
    words = [word.strip() for part in text.split(",") for word in (BAND if part.strip() == "band" else (part,))]
    kinds: list[Users] = []
    for word in words:
        try:
            kinds.append(check_users(float(word)))
        except ValueError:
            kinds.append(check_users(word))
    return tuple(dict.fromkeys(kinds))


def expand_users(measures: Sequence[Measure], users: Sequence[Users]) -> list[Measure]:
    """Each measure, followed by its expected values for these users where they differ from it."""
    from gainsayer.measures.catalogue import ask_users

    expanded: list[Measure] = []
    for measure in measures:
        expanded.append(measure)
        if measure.users is None and measure.family.for_users != "no":
            expanded += [asked for kind in users if (asked := ask_users(measure, kind)) is not None]
    return list(dict.fromkeys(expanded))


def notice_simulation(ranked: Sequence[RankedLevels], kinds: Mapping[Measure, Sequence[Gains]]) -> list[Finding]:
    """How large the error is that simulated users leave in a mean over topics, for measures without a formula."""
    import numpy as np

    from gainsayer.findings import Finding

    findings = []
    for measure, gains in kinds.items():
        if measure.users in (None, "comonotone") or measure.family.for_users != "simulated":
            continue
        worst = 0.0
        for kind in gains:
            for run in ranked:
                error = measure.score_users(run, kind).standard_error
                if error is not None and len(error):
                    worst = max(worst, float(np.sqrt((np.nan_to_num(error) ** 2).sum()) / len(error)))
        text = (
            f"{measure} is a mean over simulated users, the same for all runs; simulating leaves a standard error of "
            f"at most {worst:.2g} in a run's mean. More users: sample=10000 in the measure's name."
        )
        findings.append(Finding("simulated-users", text))
    return findings


def describe_policies(request: RunRequest, relevant: Sequence[str], rule: LabelRule) -> dict[str, Any]:
    """The policies as plain data, for outputs."""
    from gainsayer.lines.opening import call_file

    return {
        "unjudged": request.unjudged,
        "ties": request.ties,
        "topics": request.topics,
        "no_relevant": request.no_relevant,
        "duplicates": None if request.duplicates is None else call_file(request.duplicates),
        "relevant": list(relevant),
        "labels": list(rule.names),
        "label_rule": rule.kind,
    }


def find_falls(levels: Levels, kinds: Sequence[Gains]) -> list[Finding]:
    """Gains that fall from one level to a higher one (T19): left as they are, and said."""
    from gainsayer.findings import Finding

    fallen = [kind.name for kind in kinds if levels.ordered and (kind.values[..., 1:] < kind.values[..., :-1]).any()]
    if not fallen:
        return []
    text = (
        f"{', '.join(fallen)} gains: a higher level is worth less than a lower one. Ideal lists go by gain, not level."
    )
    return [Finding("non-monotone", text)]


def _few(names: Sequence[str]) -> str:
    from gainsayer.errors import MOST_FAULTS

    return ", ".join(names[:MOST_FAULTS]) + (
        f" and {len(names) - MOST_FAULTS} more" if len(names) > MOST_FAULTS else ""
    )
