"""`gainsayer study`: the analyses of the paper on your own collection."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click

from gainsayer.cli.bundles import (
    RESOURCE_OPTIONS,
    duplicates_option,
    estimator_option,
    labels_option,
    measure_option,
    reading_options,
    relevance_options,
    run_options,
    side_options,
    ties_option,
)
from gainsayer.cli.help_pages import CommandGroup, GroupedCommand
from gainsayer.cli.options import RUNS, SCORING, add_options, option, parse_list, refuse_second_reading
from gainsayer.cli.outputs import Target, emit, output_options, progress_bar
from gainsayer.commands import study as studies
from gainsayer.commands.inputs import Reading

_Function = TypeVar("_Function", bound=Callable[..., Any])

EXAMPLES = {
    "topics": "first.qrels second.qrels --threshold 2",
    "amount": "first.qrels second.qrels --most 10000",
    "quality": "first.qrels second.qrels --runs runs --by depth",
    "robustness": "first.qrels second.qrels --runs runs --threshold 2",
    "gains": "first.qrels second.qrels --runs runs -m nDCG@20",
}


@click.group(
    "study", cls=CommandGroup, examples=[f"gainsayer study {name} {words}" for name, words in EXAMPLES.items()]
)
def command() -> None:
    """Study your collection as the paper did its own.

    How far the parameters depend on the topics, on the amount of judging and on the quality of what was judged; and
    how far the order of the runs depends on the assessor and on the gains.
    """


def study(*options: Callable[[Any], Any]) -> Callable[[_Function], click.Command]:
    """Make a study a command of its name, with these options and those that all studies share.

    They have the names of the arguments of the function that does the study, and are handed over as they are.
    """

    def make(function: _Function) -> click.Command:
        name = function.__name__

        def run(reading: Reading, target: Target, runs: tuple[str, ...] | None = None, **given: Any) -> None:
            refuse_second_reading(reading.sources, runs)
            with progress_bar(quiet=target.quiet) as progress:
                if runs is not None:
                    given |= {"runs": list(runs) or None, "progress": progress}
                table = getattr(studies, name)(reading, **given)
            emit(table, target)

        run.__doc__ = function.__doc__
        shared = side_options(relevance_options(add_options(run, options)))
        made = command.command(name, cls=GroupedCommand, examples=[f"gainsayer study {name} {EXAMPLES[name]}"])
        return made(output_options(reading_options(shared)))

    return make


gains_option = option("--gains KIND,...", SCORING, "Among prm, binary, linear, exponential and udm.")


def order_options(function: _Function) -> _Function:
    """The options of studies that order runs: estimator, gains, measures, runs and every policy."""
    return add_options(
        partial(run_options, no_relevant="skip")(function), (estimator_option, gains_option, measure_option)
    )


@study(estimator_option, option("--draws", None, "How often the topics are drawn.", default=300))
def topics() -> None:
    """How far would p(R|i) move with other topics?

    Draws the doubly judged topics with replacement and estimates p(R|i) each time. The standard deviation of the draws
    stands beside the topic, pair and binomial standard errors.
    """


@study(
    estimator_option,
    option("--rounds", None, "How many rounds of judging are simulated.", default=50),
    option("--most", None, "Draw up to so many pairs; by default as many as there are.", type=int),
    option(
        "--sizes N,N,...",
        None,
        "Look at these numbers of pairs, instead of about 25 in even steps.",
        callback=parse_list(int, "whole numbers"),
    ),
)
def amount() -> None:
    """How many double judgments until p(R|i) settles?

    Simulates rounds of judging, in which pairs are drawn with replacement one after another, and shows mean and
    standard deviation of p(R|i) over the rounds against the number of pairs.
    """


@study(
    option(
        "--by metarank|depth|resources",
        None,
        "Order results by geometric mean rank over the runs, by best rank, or with their resource (by labels).",
    ),
    option(
        "--good LEVEL",
        None,
        "By resources: the best have most results of this level or higher; by default the second highest level.",
    ),
    option(
        "--steps K,K,...", None, "Look at these k; by default about twenty.", callback=parse_list(int, "whole numbers")
    ),
    option("--runs R... *", RUNS, "Run files, folders or patterns, for ranks."),
    labels_option,
    ties_option,
    duplicates_option,
    *RESOURCE_OPTIONS,
)
def quality() -> None:
    """Does p(R|i) depend on how good the judged results are?

    Estimates p(R|i) from the results that come first: those of the k best resources, or those that the runs rank
    highly. The symmetric and the one-sided estimate stand side by side: an order made from one side's labels bends the
    symmetric one.
    """


@study(
    order_options,
    option("--common-documents", None, "Use only the documents that both sides judged."),
)
def robustness() -> None:
    """Does the order of the runs survive another assessor's labels?

    Scores every run with the first side's labels and with the second's, on the topics that both judged and with the
    same gains, and gives Kendall's tau-b between the two orders; with --strata in each stratum, with its own
    parameters, besides all topics together.
    """


@study(order_options)
def gains() -> None:
    """Does the order of the runs depend on the gains?

    Scores every run with PRM, binary, linear, exponential and UDM gains, same labels and topics, and gives rank
    correlations between the orders: tau-b and tau_ap against the first kind of gains, and tau-b between all of them.
    """
