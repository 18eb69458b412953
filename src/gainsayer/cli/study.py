"""`gainsayer study`: the analyses of the paper on your own collection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import click

from gainsayer.cli.inputs import (
    PAIRINGS,
    GreedyCommand,
    Reading,
    choose_assessors,
    choose_relevance,
    describe_provenance,
    judgment_options,
    measure_strata,
    plain_options,
    read_input,
    side_options,
)
from gainsayer.cli.outputs import Output, emit, output_options
from gainsayer.errors import CallError

if TYPE_CHECKING:
    from gainsayer.counts.pairs import PairCounts
    from gainsayer.findings import Finding
    from gainsayer.judgments.table import Judgments
    from gainsayer.report.studying import StudyReport
    from gainsayer.studies.amount import AmountStudy
    from gainsayer.studies.topics import TopicStudy

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Study = TypeVar("_Study")

EXAMPLES = """\b
Examples:
  gainsayer study topics --judgments first.qrels second.qrels --threshold 2
  gainsayer study amount --judgments first.qrels second.qrels --most 10000
  gainsayer study quality --judgments first.qrels second.qrels --runs runs --by depth
  gainsayer study robustness --judgments first.qrels second.qrels --runs runs --folds 10
  gainsayer study gains --judgments first.qrels second.qrels --runs runs -m nDCG@20
"""


class Studies(click.Group):
    """The studies by name; a study's module is imported when it runs."""

    HOME: ClassVar = {
        "topics": "study",
        "amount": "study",
        "quality": "study_quality",
        "robustness": "study_orders",
        "gains": "study_orders",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The studies, those of the parameters first."""
        return list(self.HOME)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the study's module; None for an unknown name."""
        if cmd_name not in self.HOME:
            return None
        found = getattr(import_module(f"gainsayer.cli.{self.HOME[cmd_name]}"), cmd_name)
        assert isinstance(found, click.Command)
        return found


def relevance_options(function: _Function) -> _Function:
    """The options that say what is relevant."""
    options = (
        click.option(
            "--threshold",
            metavar="LEVEL",
            multiple=True,
            help="Users are satisfied with this level or a higher one; repeatable. By default every threshold.",
        ),
        click.option(
            "--relevant",
            metavar="LEVEL,LEVEL",
            multiple=True,
            help="Users are satisfied with these levels; repeatable.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


estimator_option = click.option(
    "--estimator", type=click.Choice(["symmetric", "one-sided"]), help="By default symmetric where it is valid."
)


def study_strata(
    judgments: Judgments,
    study: Callable[[Judgments], list[_Study]],
    of_stratum: Callable[[Judgments], list[_Study]] | None = None,
) -> tuple[dict[str | None, list[_Study]], list[Finding]]:
    """What a study makes of all topics together (under None), and of each stratum; and what was noticed on the way."""
    groups: dict[str | None, list[_Study]] = {None: study(judgments)}
    strata, noticed = measure_strata(judgments, of_stratum or study)
    groups.update(strata)
    return groups, noticed


def publish(report: StudyReport, *, form: str | None, output: Path | None, quiet: bool) -> None:
    """Print or write what a study says."""
    emit(Output(report.document, report.tables, report.flat, report.findings), form=form, output=output, quiet=quiet)


@click.group("study", cls=Studies, epilog=EXAMPLES)
def command() -> None:
    """Study your collection as the paper did its own.

    How far the parameters depend on the topics, on the amount of judging and on the quality of what was judged; and
    how far the order of the runs depends on the assessor and on the gains.
    """


@click.command(
    "topics",
    cls=GreedyCommand,
    epilog="\b\nExample:\n  gainsayer study topics --judgments first.qrels second.qrels --threshold 2",
)
@partial(judgment_options, argument=False)
@side_options
@relevance_options
@estimator_option
@click.option("--draws", type=int, default=300, show_default=True, help="How often the topics are drawn.")
@output_options
@click.pass_context
def topics(
    context: click.Context,
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: str,
    threshold: tuple[str, ...],
    relevant: tuple[str, ...],
    estimator: Literal["symmetric", "one-sided"] | None,
    draws: int,
    form: str | None,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """How far would p(R|i) move with other topics?

    Draws the doubly judged topics with replacement and estimates p(R|i) each time. The standard deviation of the draws
    stands beside the topic, pair and binomial standard errors.
    """
    from gainsayer.disagreement.estimate import estimate_disagreement
    from gainsayer.findings import Finding
    from gainsayer.report.studying import report_topics
    from gainsayer.studies.topics import study_topics

    judgments = read_input(reading, quiet=quiet)
    relevances = choose_relevance(judgments.levels, threshold, relevant)
    count = _counter(judgments, first, second, pairing)

    def study(part: Judgments) -> list[TopicStudy]:
        disagreement = estimate_disagreement(count(part), estimator=estimator, seed=seed)
        return [study_topics(disagreement, relevance, draws=draws, seed=seed) for relevance in relevances]

    def study_stratum(part: Judgments) -> list[TopicStudy]:
        return study(part) if len(count(part).topics) > 1 else []

    groups, noticed = study_strata(judgments, study, study_stratum)
    single = [name for name, group in groups.items() if not group]
    if single:
        text = f"Stratum {', '.join(map(repr, single))} has pairs in one topic only: there is nothing to draw from."
        noticed.append(Finding("single-topic", text))
    provenance = describe_provenance(reading.files, plain_options(context.params), seed)
    report = report_topics(groups, provenance=provenance, noticed=noticed)
    publish(report, form=form, output=output, quiet=quiet)


@click.command(
    "amount",
    cls=GreedyCommand,
    epilog="\b\nExample:\n  gainsayer study amount --judgments first.qrels second.qrels --most 10000",
)
@partial(judgment_options, argument=False)
@side_options
@relevance_options
@estimator_option
@click.option("--rounds", type=int, default=50, show_default=True, help="How many rounds of judging are simulated.")
@click.option("--most", type=int, help="Draw up to so many pairs; by default as many as there are.")
@click.option("--sizes", metavar="N,N,...", help="Look at these numbers of pairs, instead of about 25 in even steps.")
@output_options
@click.pass_context
def amount(
    context: click.Context,
    reading: Reading,
    first: tuple[str, ...],
    second: tuple[str, ...],
    pairing: str,
    threshold: tuple[str, ...],
    relevant: tuple[str, ...],
    estimator: Literal["symmetric", "one-sided"] | None,
    rounds: int,
    most: int | None,
    sizes: str | None,
    form: str | None,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """How many double judgments until p(R|i) settles?

    Simulates rounds of judging, in which pairs are drawn with replacement one after another, and shows mean and
    standard deviation of p(R|i) over the rounds against the number of pairs.
    """
    from gainsayer.report.studying_curves import report_amount
    from gainsayer.studies.amount import choose_sizes, study_amount

    if most is not None and sizes is not None:
        raise CallError("--most and --sizes say the same thing in two ways. Give one of them.")
    judgments = read_input(reading, quiet=quiet)
    relevances = choose_relevance(judgments.levels, threshold, relevant)
    count = _counter(judgments, first, second, pairing)
    asked = None if sizes is None else whole_numbers(sizes, "--sizes")

    def study(part: Judgments) -> list[AmountStudy]:
        counts = count(part)
        looked = choose_sizes(counts.pairs, most=most) if asked is None else asked
        options: dict[str, Any] = {"rounds": rounds, "sizes": looked, "estimator": estimator, "seed": seed}
        return [study_amount(counts, relevance, **options) for relevance in relevances]

    groups, noticed = study_strata(judgments, study)
    provenance = describe_provenance(reading.files, plain_options(context.params), seed)
    report = report_amount(groups, provenance=provenance, noticed=noticed)
    publish(report, form=form, output=output, quiet=quiet)


def _counter(
    judgments: Judgments, first: Sequence[str], second: Sequence[str], pairing: str
) -> Callable[[Judgments], PairCounts]:
    """How pairs are counted, as the options say."""
    from gainsayer.counts.pairing import count_pairs

    sides = choose_assessors(first, judgments), choose_assessors(second, judgments)
    return partial(count_pairs, first=sides[0], second=sides[1], matched=PAIRINGS[pairing])


def whole_numbers(text: str, option: str) -> tuple[int, ...]:
    """Whole numbers between commas.

    Raises:
        CallError: something else stands there.
    """
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise CallError(f"{option} needs whole numbers between commas, such as 10,100,1000; found {text!r}.") from None
