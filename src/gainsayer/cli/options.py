"""The options that several commands share, in bundles; a bundle arrives as the value that the functions take.

Nothing is read here: files are named, and `gainsayer.evaluation` reads them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from gainsayer.errors import CallError

if TYPE_CHECKING:
    from gainsayer.evaluation.ranked_runs import Resources
    from gainsayer.evaluation.sources import Reading

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Option = Callable[[Any], Any]
JUDGMENTS, SIDES, RELEVANCE, RUNS, TESTS, OUTPUT = (
    "Judgments",
    "Sides",
    "Relevance and gains",
    "Runs and policies",
    "Intervals and tests",
    "Output",
)
TIES = ("trec", "trec9", "rank", "input")


class GroupedOption(click.Option):
    """An option that stands under a heading of the help page."""

    def __init__(self, *args: Any, group: str | None = None, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.group = group


def option(*names: str, group: str | None = None, **settings: Any) -> _Option:
    """An option under a heading."""
    return click.option(*names, cls=GroupedOption, group=group, **settings)


class GroupedCommand(click.Command):
    """A command whose help page shows its options under headings, and whose lists take all words up to the next option.

    `--runs a.run b.run -m P@10` is what click knows as `--runs a.run --runs b.run -m P@10`.
    """

    GREEDY = ("--judgments", "--runs")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat a greedy option before each of its words."""
        known = {name for parameter in self.params for name in parameter.opts}
        spread: list[str] = []
        taking: str | None = None
        for word in args:
            if word in self.GREEDY and word in known:
                taking = word
            elif taking is not None and (word == "-" or not word.startswith("-")):
                spread += [taking, word]
            else:
                taking = None
                spread.append(word)
        return super().parse_args(ctx, spread)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options by heading, those of the command itself first."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                groups.setdefault(getattr(parameter, "group", None) or "Options", []).append(record)
        order = ["Options", JUDGMENTS, SIDES, RELEVANCE, RUNS, TESTS, OUTPUT]
        for name in sorted(groups, key=lambda name: order.index(name) if name in order else len(order)):
            with formatter.section(name):
                formatter.write_dl(groups[name])


def add_options(function: _Function, options: Sequence[_Option]) -> _Function:
    """Give a command these options, in this order."""
    for one in reversed(options):
        function = one(function)
    return function


def bundle(
    function: _Function, make: Callable[..., Any], name: str, fields: Sequence[str], options: Sequence[_Option]
) -> _Function:
    """Give a command these options, handed over as one argument `name`: what `make` makes of the `fields`."""

    def command(*args: Any, **given: Any) -> Any:
        made = make(**{field: given.pop(field) for field in fields})
        return function(*args, **{name: made}, **given)

    command.__name__, command.__doc__ = function.__name__, function.__doc__
    if hasattr(function, "__click_params__"):
        command.__click_params__ = function.__click_params__  # type: ignore[attr-defined]
    return cast(_Function, add_options(command, options))


_READING = (
    option(
        "--input",
        "input_format",
        type=click.Choice(["auto", "qrels", "csv", "tsv", "jsonl", "parquet"]),
        default="auto",
        show_default=True,
        group=JUDGMENTS,
        help="What the files are, where ending and content do not tell.",
    ),
    option("--by-assessor", is_flag=True, group=JUDGMENTS, help="Column 2 of a qrels file is the assessor."),
    option("--diversity", is_flag=True, group=JUDGMENTS, help="Column 2 of a qrels file is the intent."),
    option(
        "--raters",
        metavar="COL,COL",
        multiple=True,
        group=JUDGMENTS,
        help="Columns of levels, one per rater, of tables with a row per document.",
    ),
    option(
        "--levels",
        metavar="A,B,...",
        group=JUDGMENTS,
        help="Levels from low to high, e.g. Non,Rel,HRel,Key or Non=0,Key=7.",
    ),
    option(
        "--merge",
        metavar="LABEL=LEVEL",
        multiple=True,
        group=JUDGMENTS,
        help="Take a label as another level, e.g. Nav=Key.",
    ),
    option(
        "--map",
        metavar="NAME:LABEL=LABEL,...",
        multiple=True,
        group=JUDGMENTS,
        help="Replace labels of one assessor or file before anything else, e.g. ann:1=0,2=1,3=2.",
    ),
    option(
        "--missing", metavar="LABEL", multiple=True, group=JUDGMENTS, help="A label that means 'not judged', e.g. -1."
    ),
    option(
        "--repeats",
        type=click.Choice(["error", "first", "last", "majority", "all", "as-assessors"]),
        default="error",
        show_default=True,
        group=JUDGMENTS,
        help="What to do with different levels from one assessor for one document; as-assessors takes the k-th "
        "judgment as the k-th opinion, where nothing says who gave it.",
    ),
    option(
        "--strata",
        metavar="FILE",
        group=JUDGMENTS,
        help="Lines of topic and stratum; each stratum gets its own estimate.",
    ),
    option(
        "--intents",
        type=click.Choice(["all", "top"]),
        default="all",
        show_default=True,
        group=JUDGMENTS,
        help="With intents: every one an information need, or the most probable one only.",
    ),
    option("--intent-probabilities", metavar="FILE", group=JUDGMENTS, help="Lines of topic, intent and probability."),
    option(
        "--unmentioned-intents",
        type=click.Choice(["lowest", "ignore"]),
        default="lowest",
        show_default=True,
        group=JUDGMENTS,
        help="What an intent gets that an assessor of the document did not mention.",
    ),
)
_READING_FIELDS = (
    *("files", "input_format", "by_assessor", "diversity", "raters", "levels", "merge", "map", "missing", "repeats"),
    *("strata", "intents", "intent_probabilities", "unmentioned_intents"),
)


def reading_options(function: _Function, *, argument: bool = True, required: bool = True) -> _Function:
    """Where the judgments are and what they mean; they arrive as one `reading`.

    The files are arguments, or with `argument` False those of --judgments (see `GroupedCommand`).
    """
    files = (
        click.argument("files", metavar="JUDGMENTS...", nargs=-1, required=required)
        if argument
        else option(
            "--judgments",
            "files",
            metavar="J...",
            multiple=True,
            required=required,
            group=JUDGMENTS,
            help="Judgment files; NAME=FILE names one.",
        )
    )
    return bundle(function, _make_reading, "reading", _READING_FIELDS, (files, *_READING))


def _make_reading(
    *, files: tuple[str, ...], input_format: str, merge: tuple[str, ...], map: tuple[str, ...], **given: Any
) -> Reading:
    from gainsayer.evaluation.sources import Reading
    from gainsayer.judgments.files import split_name

    return Reading(
        sources=tuple(split_name(text) for text in files),
        format=None if input_format == "auto" else cast(Any, input_format),
        merges=dict(split_pair(text, "--merge", "LABEL=LEVEL") for text in merge),
        maps=_parse_maps(map),
        missing=split_list(given.pop("missing")),
        raters=split_list(given.pop("raters")),
        **given,
    )


def side_options(function: _Function) -> _Function:
    """Who is compared with whom: `first`, `second` and `pairing`."""
    return add_options(function, _SIDES)


_SIDES = (
    option("--first", metavar="A,B", multiple=True, group=SIDES, help="Assessors whose labels the evaluation uses."),
    option("--second", metavar="C,D", multiple=True, group=SIDES, help="Assessors who stand for the users."),
    option(
        "--pairing",
        type=click.Choice(["auto", "matched", "all"]),
        default="auto",
        show_default=True,
        group=SIDES,
        help="Pair A only with C and B only with D (matched), or everybody with everybody on the other side (all).",
    ),
)


def relevance_options(function: _Function, *, default: str = "By default every threshold.") -> _Function:
    """What users are satisfied with; `threshold` and `relevant` arrive as lists, or as None."""
    options = (
        option(
            "--threshold",
            metavar="LEVEL",
            multiple=True,
            callback=lambda _context, _parameter, value: list(split_list(value)) or None,
            group=RELEVANCE,
            help=f"Users are satisfied with this level or a higher one; repeatable. {default}",
        ),
        option(
            "--relevant",
            metavar="LEVEL,LEVEL",
            multiple=True,
            callback=lambda _context, _parameter, value: [list(split_list([text])) for text in value] or None,
            group=RELEVANCE,
            help="Users are satisfied with these levels; repeatable.",
        ),
    )
    return add_options(function, options)


estimator_option = option(
    "--estimator",
    type=click.Choice(["symmetric", "one-sided"]),
    group=RELEVANCE,
    help="By default symmetric where it is valid.",
)
confidence_option = option(
    "--confidence", type=float, default=0.95, show_default=True, group=TESTS, help="Coverage of the intervals."
)
measure_option = option(
    "-m",
    "--measure",
    "measures",
    metavar="MEASURE",
    multiple=True,
    group=RUNS,
    help="Such as nDCG@10 or map; repeatable.",
)
users_option = option(
    "--users",
    metavar="KIND,...",
    group=RELEVANCE,
    help="Also the expected value over random users, where it is not the plug-in value: independent, comonotone (a "
    "strict user is strict with every document), band (both), or the correlation of one user's views, such as 0.3.",
)
model_option = option(
    "--model", metavar="FILE", group=RELEVANCE, help="The model that 'gainsayer fit -o model.json' wrote."
)
gain_option = option(
    "--gain",
    metavar="LEVEL=NUMBER",
    multiple=True,
    callback=lambda _context, _parameter, value: parse_gains(value),
    group=RELEVANCE,
    help="The gain of one level, before all others; repeatable.",
)
gains_option = option(
    "--gains",
    metavar="KIND,...",
    group=RELEVANCE,
    help="prm, binary, linear, exponential, udm, or a JSON file of level and gain. By default prm where there is a "
    "model or a second side, else what the measure is known with; compare shows binary beside it.",
)
labels_option = option(
    "--labels",
    metavar="NAME,...|majority|mean",
    multiple=True,
    group=RUNS,
    help="Whose labels count: those of the first of these assessors who judged a document, the majority, or the mean "
    "of the labels' gains. By default the first side's, or all where no document has several.",
)
ties_option = option(
    "--ties",
    type=click.Choice(TIES),
    default="trec",
    show_default=True,
    group=RUNS,
    help="Order of equal scores.",
)
duplicates_option = option(
    "--duplicates",
    metavar="FILE",
    group=RUNS,
    help="Groups of equal documents; later ones are worth nothing.",
)
_POLICIES = (
    labels_option,
    option(
        "--unjudged",
        default="0",
        show_default=True,
        metavar="POLICY",
        group=RUNS,
        help="What an unjudged document is worth: 0, level (as the lowest), a NUMBER, condense (left out), bounds.",
    ),
    ties_option,
    duplicates_option,
    option("--fedweb-duplicates", is_flag=True, group=RUNS, help="Count duplicates as the FedWeb track did."),
    option(
        "--topics",
        type=click.Choice(["all", "common"]),
        default="all",
        show_default=True,
        group=RUNS,
        help="All judged topics (a missing one scores 0), or those that every run has.",
    ),
)
_RESOURCES = (
    option(
        "--resources",
        "count",
        type=int,
        group=RUNS,
        help="The runs rank resources: score the results of so many of them, as in FedWeb (3).",
    ),
    option("--results", type=int, default=10, show_default=True, group=RUNS, help="With --resources: results of each."),
    option(
        "--resource-rule",
        metavar="REGEX",
        group=RUNS,
        help="How a document id names its resource and rank: '(?P<resource>.+)-\\d+-(?P<rank>\\d+)'.",
    ),
    option(
        "--resource-file",
        metavar="FILE",
        group=RUNS,
        help="Lines of topic, resource and document, in the resource's order.",
    ),
    option("--oracle", is_flag=True, group=RUNS, help="With --resources: also the best choice, knowing the labels."),
)


def run_options(function: _Function, *, required: bool = True, no_relevant: str = "keep") -> _Function:
    """Which runs are scored and under which policies; `resources` arrives as one value, or None.

    The policies `labels`, `unjudged`, `ties`, `duplicates`, `fedweb_duplicates`, `topics` and `no_relevant` arrive
    under their own names, as the functions take them.
    """
    runs = option(
        "--runs", metavar="R...", multiple=True, required=required, group=RUNS, help="Run files, folders or patterns."
    )
    lacking = option(
        "--no-relevant",
        type=click.Choice(["keep", "zero", "skip"]),
        default=no_relevant,
        show_default=True,
        group=RUNS,
        help="Topics without a relevant label: as computed, 0, or left out.",
    )
    return add_options(resource_options(function), (runs, *_POLICIES, lacking))


def resource_options(function: _Function, *, alone: bool = False) -> _Function:
    """What resources returned, and how many of them count; they arrive as one `resources`, or None.

    Runs that rank resources need --resources; with `alone`, it is enough to say what resources returned.
    """
    fields = ("count", "results", "resource_rule", "resource_file", "oracle")
    return bundle(function, partial(_make_resources, alone=alone), "resources", fields, _RESOURCES)


def _make_resources(
    *, count: int | None, results: int, resource_rule: str | None, resource_file: str | None, oracle: bool, alone: bool
) -> Resources | None:
    from gainsayer.evaluation.ranked_runs import Resources

    known = (resource_rule is None) != (resource_file is None)
    if count is None and not (alone and known):
        if resource_rule or resource_file or oracle:
            raise CallError("--resource-rule, --resource-file and --oracle go with --resources.")
        return None
    if not known:
        raise CallError("--resources needs --resource-rule or --resource-file, to know what a resource returned.")
    return Resources(3 if count is None else count, results, resource_rule, resource_file, oracle)


def refuse_second_reading(*given: object) -> None:
    """Refuse to read standard input twice (CallError)."""
    names = [name for value in given for name in (value if isinstance(value, tuple | list) else (value,))]
    files = [name[1] if isinstance(name, tuple) else name for name in names]
    if files.count("-") > 1:
        raise CallError("Standard input can be read only once: name a file for the judgments or for the runs.")


def split_list(texts: Sequence[str]) -> tuple[str, ...]:
    """The parts of several options, each with parts between commas."""
    return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())


def split_pair(text: str, name: str, form: str) -> tuple[str, str]:
    """What stands before and after the last sign of equality."""
    source, equals, target = text.rpartition("=")
    if not equals or not source or not target:
        raise CallError(f"{name} needs {form}, found {text!r}.")
    return source, target


def parse_gains(texts: Sequence[str]) -> dict[str, float]:
    """Gains by hand: `Key=0.5`, several in one option with commas between them, in the order given."""
    from gainsayer.levels import canonical_label

    gains: dict[str, float] = {}
    for text in (part for given in texts for part in given.split(",")):
        level, equals, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not equals or not level.strip() or not math.isfinite(value):
            raise CallError(f"--gain needs LEVEL=NUMBER, found {text!r}.")
        gains[canonical_label(level)] = value
    return gains


def _parse_maps(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    from gainsayer.judgments.labels import parse_map

    maps: dict[str, dict[str, str]] = {}
    for name, table in map(parse_map, texts):
        if name in maps:
            raise CallError(f"--map was given twice for {name!r}. Give all of its labels in one: {name}:1=0,2=1")
        maps[name] = table
    return maps
