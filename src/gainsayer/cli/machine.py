"""`gainsayer machine`: a machine judge next to people."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from gainsayer.cli.bundles import confidence_option, duplicates_option, machine_options, measure_option, ties_option
from gainsayer.cli.help_pages import CommandGroup, GroupedCommand
from gainsayer.cli.options import (
    FILE,
    OUTPUT,
    RELEVANCE,
    RUNS,
    SCORING,
    TESTS,
    add_options,
    option,
    parse_numbers,
    split_list,
)
from gainsayer.cli.outputs import (
    STANDARD_OUTPUT,
    Target,
    choose_place,
    emit,
    keep_inputs,
    output_options,
    progress_bar,
    put,
    quiet_option,
    seed_option,
    warn,
    write,
)
from gainsayer.commands import machine
from gainsayer.commands.inputs import Reading
from gainsayer.commands.machine_design import is_design, place_of_design
from gainsayer.commands.machine_results import GainTable
from gainsayer.errors import CallError
from gainsayer.output_files import keep_foreign

Readings = tuple[Reading, Reading | None]

_Function = TypeVar("_Function", bound=Callable[..., Any])
EXAMPLES = {
    "sample": "--machine gpt=m.qrels --runs runs -m nDCG@10 --labels 500 -o people.csv",
    "check": "--machine gpt=m.qrels --people people.csv --runs runs --threshold 2",
    "score": "--machine gpt=m.qrels --people people.csv --runs runs --threshold 2 -m nDCG@10",
    "gains": "--machine gpt=m.qrels --people people.csv --threshold 2 -o gains.tsv",
}


class MachineCommand(GroupedCommand):
    """A command whose lists of machines and people take all words up to the next option, too."""

    GREEDY = (*GroupedCommand.GREEDY, "--machine", "--people")


@click.group(
    "machine", cls=CommandGroup, examples=[f"gainsayer machine {name} {words}" for name, words in EXAMPLES.items()]
)
def command() -> None:
    """A machine has graded everything, people a part: what would people have scored, and how sure is that?

    'sample' draws the documents that people should judge, 'check' says what the machine may be used for, 'score' gives
    scores that people would have given, and 'gains' what each document is worth by the machine's word.
    """


_RELEVANT = (
    option(
        "--threshold",
        RELEVANCE,
        "People are satisfied with this level or a higher one; by default the top level.",
        metavar="LEVEL",
    ),
    option(
        "--relevant",
        RELEVANCE,
        "People are satisfied with these levels.",
        metavar="LEVEL,LEVEL",
        callback=lambda _context, _parameter, value: list(split_list([value])) if value else None,
        rare=True,
    ),
    option(
        "--gain",
        RELEVANCE,
        "What a level of people's is worth, from 0 to 1, where satisfaction has degrees; repeatable.",
        metavar="LEVEL=NUMBER",
        multiple=True,
        callback=lambda context, parameter, value: parse_numbers(context, parameter, value) or None,
        rare=True,
    ),
)
_RUNS = (
    option("--runs", RUNS, "Run files, folders or patterns.", metavar="R...", multiple=True, required=True),
    ties_option,
    duplicates_option,
)
_RERANKED = option(
    "--reranked-by-judge",
    RUNS,
    "Runs that are known to rank by the machine's word.",
    metavar="RUN,...",
    multiple=True,
    callback=lambda _context, _parameter, value: split_list(value),
    rare=True,
)
_SUSPECT = option(
    "--suspect",
    RUNS,
    "Runs that the machine may favour, named before anybody looked at people's labels.",
    metavar="RUN,...",
    multiple=True,
    callback=lambda _context, _parameter, value: split_list(value),
)
_FILE = (
    option(
        "-o --output",
        OUTPUT,
        "Write tab-separated values here instead of standard output.",
        type=FILE,
    ),
    seed_option,
    quiet_option,
)


def machine_command(*options: Callable[[Any], Any]) -> Callable[[_Function], click.Command]:
    """Make a function a command of its name, with these options and those that all of them share."""

    def make(function: _Function) -> click.Command:
        name = function.__name__
        made = command.command(name, cls=MachineCommand, examples=[f"gainsayer machine {name} {EXAMPLES[name]}"])
        return made(machine_options(add_options(function, (*_RELEVANT, *options))))

    return make


@machine_command(
    *_RUNS,
    measure_option,
    option("--labels", None, "Documents people can judge: 1000; of suspects 100.", type=click.IntRange(min=1)),
    option("--more", None, "So many labels more than the sample of --sample has.", type=click.IntRange(min=1)),
    _SUSPECT,
    option("-o --output", OUTPUT, "The list for people; .csv has commas, others tabs.", type=FILE, required=True),
    seed_option,
    quiet_option,
)
def sample(readings: Readings, runs: tuple[str, ...], output: Path, quiet: bool, **options: Any) -> None:
    """Draw the documents that people should judge, with known chances.

    Those that move scores and of which the machine's word is least sure come first, but every document has a chance.
    The list has topic and document, shuffled; a column 'label' is for people to add. Next to it lies the design,
    people.design.json for people.csv: keep it, 'check' and 'score' need it. It tells the machine's grades, so people
    should not see it. To have more judged: --sample people.design.json --more 500 -o more.csv.
    """
    if str(output) in STANDARD_OUTPUT:
        raise CallError("The list and its design are two files, so they need a name: -o people.csv")
    beside = place_of_design(output)
    keep_inputs(click.get_current_context(), (output, beside))
    keep_foreign(beside, is_design)
    if output.suffix == ".json":
        raise CallError(f"{output} would be the list; the design is written beside it. Name the list: -o people.csv")
    drawn = machine.sample(readings[0], list(runs), people=readings[1], **options)
    write({output: drawn.csv if output.suffix == ".csv" else drawn.text, beside: drawn.design.to_json()}, quiet=quiet)
    warn(drawn.findings, quiet=quiet)


@machine_command(
    *_RUNS,
    _SUSPECT,
    _RERANKED,
    option("-m --measure", SCORING, "Its depth is that of the DCG that runs are compared by; 10.", metavar="MEASURE"),
    option(
        "--effect effects",
        None,
        "Does it tell more than the grade? votes (number of runs), rank (best rank), metarank (mean log rank), or a "
        "file of topic, document and a number or a group, or of topic and stratum; several with commas between them.",
        metavar="WHAT,...",
        multiple=True,
        callback=lambda _context, _parameter, value: split_list(value) or None,
    ),
    option("--families", RUNS, "Lines of run and family: is a family favoured?", metavar="FILE"),
    partial(output_options, figure=False),
)
def check(readings: Readings, runs: tuple[str, ...], target: Target, **options: Any) -> None:
    """Do the machine's grades tell, does it put runs in people's order, does it favour a run?

    Each is answered with yes, no or open, and with what would settle it. Then what each grade is worth to people,
    learned out of topic; what tells more than the grade; and each run's scores by people and by the machine.
    """
    with progress_bar(quiet=target.quiet) as progress:
        table = machine.check(readings[0], list(runs), people=readings[1], progress=progress, **options)
    emit(table, target)


@machine_command(
    *_RUNS,
    _SUSPECT,
    _RERANKED,
    measure_option,
    option(
        "--target aim",
        None,
        "Scores for topics like these, or what judging everything would give for these topics.",
        choices=("population", "these"),
        default="population",
    ),
    option("--baseline", TESTS, "Compare each run with this one.", metavar="RUN"),
    option("--pairwise", TESTS, "Compare all pairs of runs.", is_flag=True),
    confidence_option,
    option("--permutations", TESTS, "Sign flips for all pairs at once.", default=10_000, rare=True),
    partial(output_options, figure=False),
)
def score(readings: Readings, runs: tuple[str, ...], aim: Any, target: Target, **options: Any) -> None:
    """Scores that people would have given, with intervals, from a machine's grades and some of people's labels.

    A poor machine costs precision, never truth. Beside each score: people alone on the same labels, and the machine
    alone. Sums over documents (NumRel, CG, P, DCG, RBP) and nDCG; any measure where people judged whole topics.
    """
    with progress_bar(quiet=target.quiet) as progress:
        table = machine.score(readings[0], list(runs), people=readings[1], target=aim, progress=progress, **options)
    emit(table, target)


@machine_command(
    *_FILE,
)
def gains(readings: Readings, **options: Any) -> None:
    """What each document is worth by the machine's word: predicted gains, learned out of topic.

    Lines of topic, document and gain. Rectified gains are not written: they are right in sums alone.
    """
    _write(partial(machine.gains, readings[0], people=readings[1]), **options)


def _write(make: Callable[..., GainTable], *, output: Path | None, quiet: bool, **options: Any) -> None:
    """Write the lines of a result where asked for, then what was found."""
    place = choose_place(output)
    result = make(**options)
    put(result.text, place, quiet=quiet)
    warn(result.findings, quiet=quiet)
