"""`gainsayer machine`: a machine judge beside people."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gainsayer.cli.flags import with_flags
from gainsayer.cli.options import (
    OUTPUT,
    RELEVANCE,
    RUNS,
    TESTS,
    GroupedCommand,
    add_options,
    confidence_option,
    duplicates_option,
    machine_options,
    measure_option,
    option,
    parse_gains,
    split_list,
    ties_option,
)
from gainsayer.cli.outputs import STANDARD_OUTPUT, emit, keep_inputs, output_options, say
from gainsayer.cli.progress import progress_bar
from gainsayer.cli.streams import show
from gainsayer.output_files import write_whole

if TYPE_CHECKING:
    from gainsayer.evaluation.sources import Reading

    Readings = tuple[Reading, Reading | None]

_Function = TypeVar("_Function", bound=Callable[..., Any])
EXAMPLES = {
    "sample": "--machine gpt=m.qrels --runs runs -m DCG@10 --labels 1000 --seed 1 -o to_judge.tsv",
    "check": "--machine gpt=m.qrels --people judged.tsv --runs runs --threshold 2 --effect votes,rank",
    "score": "--machine gpt=m.qrels --people judged.tsv --runs runs --threshold 2 -m DCG@10 -m nDCG@10",
    "gains": "--machine gpt=m.qrels --people judged.tsv --threshold 2 -o gains.tsv",
}


class MachineCommand(GroupedCommand):
    """A command whose lists of machines and people take all words up to the next option, too."""

    GREEDY = (*GroupedCommand.GREEDY, "--machine", "--people")


class Machine(click.Group):
    """The commands in the order of a week's work."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of their examples."""
        return list(EXAMPLES)


@click.group(
    "machine",
    cls=Machine,
    epilog="\b\nExamples:\n" + "\n".join(f"  gainsayer machine {name} {words}" for name, words in EXAMPLES.items()),
)
def command() -> None:
    """A machine has graded everything, people a part: what would people have scored, and how sure is that?

    'sample' draws the documents that people should judge, 'check' says what the machine may be used for, 'score' gives
    scores that people would have given, and 'gains' what each document is worth by the machine's word.
    """


_RELEVANT = (
    option(
        "--threshold",
        metavar="LEVEL",
        group=RELEVANCE,
        help="People are satisfied with this level or a higher one; by default the top level.",
    ),
    option(
        "--relevant",
        metavar="LEVEL,LEVEL",
        callback=lambda _context, _parameter, value: list(split_list([value])) if value else None,
        group=RELEVANCE,
        help="People are satisfied with these levels.",
    ),
    option(
        "--gain",
        metavar="LEVEL=NUMBER",
        multiple=True,
        callback=lambda _context, _parameter, value: parse_gains(value) or None,
        group=RELEVANCE,
        help="What a level of people's is worth, from 0 to 1, where satisfaction has degrees; repeatable.",
    ),
)
_RUNS = (
    option("--runs", metavar="R...", multiple=True, required=True, group=RUNS, help="Run files, folders or patterns."),
    ties_option,
    duplicates_option,
)
_RERANKED = option(
    "--reranked-by-judge",
    metavar="RUN,...",
    multiple=True,
    callback=lambda _context, _parameter, value: split_list(value),
    group=RUNS,
    help="Runs that are known to rank by the machine's word.",
)
_FILE = (
    option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        group=OUTPUT,
        help="Write tab-separated values here instead of standard output.",
    ),
    option("--seed", type=int, default=0, show_default=True, group=OUTPUT, help="Seed of everything that is drawn."),
    option("--quiet", is_flag=True, group=OUTPUT, help="No warnings and no talk on standard error."),
)


def machine(name: str, *options: Callable[[Any], Any]) -> Callable[[_Function], click.Command]:
    """Make a function a command about machines, with the options that all of them share."""

    def make(function: _Function) -> click.Command:
        shared = machine_options(add_options(function, (*_RELEVANT, *options)))
        epilog = f"\b\nExample:\n  gainsayer machine {name} {EXAMPLES[name]}"
        return command.command(name, cls=MachineCommand, epilog=epilog)(shared)

    return make


@machine("sample", *_RUNS, measure_option, *_FILE)
@option("--labels", type=click.IntRange(min=1), default=1000, show_default=True, help="Documents people can judge.")
def sample(readings: Readings, runs: tuple[str, ...], measures: tuple[str, ...], **options: Any) -> None:
    """Draw the documents that people should judge, with known chances.

    Those that move scores and of which the machine's word is least sure come first, but every document has a chance.
    Lines of topic, document and probability, shuffled; the machine's grade is not told. Have them judged, keep the
    probability beside each label, and give the file to 'check' and 'score' as --people.
    """
    from gainsayer.evaluation import machine

    _write(partial(machine.sample, readings[0], list(runs), people=readings[1], measures=measures), options)


@machine("check", *_RUNS, _RERANKED)
@option("-m", "--measure", metavar="MEASURE", group=RUNS, help="By which runs are compared; DCG@10 by default.")
@option(
    "--effect",
    "effects",
    metavar="FILE",
    multiple=True,
    callback=lambda _context, _parameter, value: split_list(value) or None,
    help="Does it tell more than the grade? votes (number of runs), rank (best rank), or a FILE of topic, document and "
    "number.",
)
@option("--families", metavar="FILE", group=RUNS, help="Lines of run and family: is a family overrated?")
@output_options
def check(
    readings: Readings, runs: tuple[str, ...], form: str | None, output: Path | None, quiet: bool, **options: Any
) -> None:
    """Is the machine's grade worth the same for every run, and what may it be used for?

    What people are satisfied with at each grade, learned out of topic; what tells more than the grade; which runs are
    overrated, and which rank as the machine does. The verdict stands first, in words.
    """
    from gainsayer.evaluation import machine

    with progress_bar(quiet=quiet) as progress:
        table = machine.check(readings[0], list(runs), people=readings[1], progress=progress, **options)
    emit(table, form=form, output=output, quiet=quiet)


@machine("score", *_RUNS, _RERANKED, measure_option)
@option(
    "--target",
    type=click.Choice(["population", "these"]),
    default="population",
    show_default=True,
    help="Scores for topics like these, or what judging everything would give for these topics.",
)
@option("--tune", is_flag=True, help="Fit how far the machine is believed (whole topics, at least 20).")
@option("--baseline", metavar="RUN", group=TESTS, help="Compare each run with this one.")
@option("--pairwise", is_flag=True, group=TESTS, help="Compare all pairs of runs.")
@confidence_option
@option(
    "--permutations", type=int, default=10_000, show_default=True, group=TESTS, help="Sign flips for all pairs at once."
)
@output_options
def score(
    readings: Readings, runs: tuple[str, ...], form: str | None, output: Path | None, quiet: bool, **options: Any
) -> None:
    """Scores that people would have given, with intervals, from a machine's grades and some of people's labels.

    A poor machine costs precision, never truth. Beside each score: people alone on the same labels, and the machine
    alone. Sums over documents (NumRel, CG, P, DCG, RBP) and nDCG; any measure where people judged whole topics.
    """
    from gainsayer.evaluation import machine

    with progress_bar(quiet=quiet) as progress:
        table = machine.score(readings[0], list(runs), people=readings[1], progress=progress, **options)
    emit(table, form=form, output=output, quiet=quiet)


@machine("gains", *_FILE)
def gains(readings: Readings, **options: Any) -> None:
    """What each document is worth by the machine's word: predicted gains, learned out of topic.

    Lines of topic, document and gain. Rectified gains are not written: they are right in sums alone.
    """
    from gainsayer.evaluation import machine

    _write(partial(machine.gains, readings[0], people=readings[1]), options)


def _write(make: Callable[..., Any], options: dict[str, Any]) -> None:
    """Write the lines of a result where asked for, then what was found."""
    output, quiet = options.pop("output"), options.pop("quiet")
    if output is not None and str(output) in STANDARD_OUTPUT:
        output = None
    keep_inputs(click.get_current_context(), () if output is None else (output,))
    result = make(**options)
    if output is None:
        show(result.text)
    else:
        write_whole(output, result.text)
        say(f"Wrote {output}", quiet=quiet)
    for finding in result.findings:
        say(f"Warning ({finding.code}): {with_flags(finding.message)}", quiet=quiet)
