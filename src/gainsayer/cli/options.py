"""The options that several commands share, in bundles; a bundle arrives as the value that the functions take.

Nothing is read here: files are named, and `gainsayer.evaluation` reads them.
"""

from __future__ import annotations

import inspect
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
GROUPS = ("Input", "Who judged", "What is relevant", "Runs", "Scoring", "Intervals and tests", "Options", "Output")
JUDGMENTS, SIDES, RELEVANCE, RUNS, SCORING, TESTS, OWN, OUTPUT = GROUPS
EVERYTHING = "gainsayer.everything"


class GroupedOption(click.Option):
    """An option that stands under a heading of the help page; a rare one on the long page only."""

    def __init__(self, *args: Any, group: str | None = None, rare: bool = False, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.group = group
        self.rare = rare


def option(
    names: str,
    group: str | None,
    help: str,
    *,
    choices: Sequence[str] = (),
    default: Any = None,
    rare: bool = False,
    **settings: Any,
) -> _Option:
    """An option under a heading: its names with blanks between them, and what it says.

    Its type is that of the default, which the help page shows. A rare one is shown on the long help page only.
    """
    if choices:
        settings["type"] = click.Choice(choices)
    if default is not None:
        settings |= {"default": default, "show_default": True}
    return click.option(*names.split(), cls=GroupedOption, group=group, rare=rare, help=help, **settings)


class GroupedCommand(click.Command):
    """A command whose help page shows its options under headings, and whose lists take all words up to the next option.

    `--runs a.run b.run -m P@10` is what click knows as `--runs a.run --runs b.run -m P@10`.
    """

    GREEDY: tuple[str, ...] = ("--judgments", "--runs")

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

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """--help, which those who read this page know."""
        found = super().get_help_option(ctx)
        if found is not None:
            found.hidden = not ctx.meta.get(EVERYTHING)
            found.group = OUTPUT  # type: ignore[attr-defined]
        return found

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, and --help-all where some are rare."""
        every = super().get_params(ctx)
        if any(getattr(one, "rare", False) for one in every):
            return [*every, _HELP_ALL]
        return every

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What it does, an example, the common options; every option and more examples with --help-all."""
        whole = bool(ctx.meta.get(EVERYTHING))
        about, _, more = inspect.cleandoc(self.help or "").partition("\n\n")
        example, *others = [line.strip() for line in (self.epilog or "").splitlines() if "  gainsayer" in line]
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(about)
        write_examples(formatter, "Example", [example])
        if whole and more:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(more)
        self.format_options(ctx, formatter)
        if whole or _HELP_ALL not in self.get_params(ctx):
            write_examples(formatter, "More examples", others or [example])
        else:
            write_examples(formatter, "Every option, and more examples", [f"{ctx.command_path} --help-all"])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options by heading, in the order of the flow; the rare ones on the long page only."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            rare = getattr(parameter, "rare", False) and not ctx.meta.get(EVERYTHING)
            if record is not None and isinstance(parameter, click.Option) and not rare:
                groups.setdefault(getattr(parameter, "group", None) or OWN, []).append(record)
        for name in sorted(groups, key=GROUPS.index):
            with formatter.section(name):
                formatter.write_dl(groups[name], col_max=26)


def write_examples(formatter: click.HelpFormatter, title: str, lines: Sequence[str]) -> None:
    """Commands to copy, one in a line however wide."""
    with formatter.section(title):
        for line in lines:
            formatter.write(f"{'':>{formatter.current_indent}}  {line}\n")


def _show_everything(context: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked:
        context.meta[EVERYTHING] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


_HELP_ALL = GroupedOption(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_everything,
    group=OUTPUT,
    rare=True,
    help="Every option, and more examples.",
)


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


_INPUT = option(
    "--input input_format",
    JUDGMENTS,
    "The format, where the file's ending and content do not tell.",
    choices=("auto", "qrels", "csv", "tsv", "jsonl", "parquet"),
    default="auto",
    rare=True,
)
_LEVELS = option("--levels", JUDGMENTS, "Levels from low to high: Non,Rel,HRel,Key.", metavar="A,B,...")
_MERGE = option(
    "--merge",
    JUDGMENTS,
    "Treat a label as another level, e.g. Nav=Key.",
    metavar="LABEL=LEVEL",
    multiple=True,
    rare=True,
)
_MAP = option(
    "--map",
    JUDGMENTS,
    "Rename the labels of one assessor or file first, e.g. ann:1=0,2=1,3=2.",
    metavar="NAME:LABEL=LABEL,...",
    multiple=True,
    rare=True,
)
_MISSING = option(
    "--missing", JUDGMENTS, "A label that means 'not judged', e.g. -1.", metavar="LABEL", multiple=True, rare=True
)
_READING = (
    _INPUT,
    option("--by-assessor", JUDGMENTS, "Column 2 of a qrels file is the assessor.", is_flag=True, rare=True),
    option("--diversity", JUDGMENTS, "Column 2 of a qrels file is the intent.", is_flag=True, rare=True),
    option(
        "--raters",
        JUDGMENTS,
        "Columns of levels, one per rater, in a wide table.",
        metavar="COL,COL",
        multiple=True,
    ),
    option(
        "--wide",
        JUDGMENTS,
        "Every column that looks like levels is a rater's, in a table without a level column.",
        is_flag=True,
        rare=True,
    ),
    _LEVELS,
    _MERGE,
    _MAP,
    _MISSING,
    option(
        "--repeats",
        JUDGMENTS,
        "What to do where an assessor gave a document several levels; as-assessors takes them as opinions of "
        "different people.",
        choices=("error", "first", "last", "majority", "all", "as-assessors"),
        default="error",
        rare=True,
    ),
    option("--strata", JUDGMENTS, "Topic and stratum per line; an estimate for each.", metavar="FILE"),
    option(
        "--intents",
        JUDGMENTS,
        "Every intent as a need of its own, or the most probable one of each topic.",
        choices=("all", "top"),
        default="all",
        rare=True,
    ),
    option("--intent-probabilities", JUDGMENTS, "Lines of topic, intent and probability.", metavar="FILE", rare=True),
    option(
        "--unmentioned-intents",
        JUDGMENTS,
        "What an intent gets that an assessor of the document did not mention.",
        choices=("lowest", "ignore"),
        default="lowest",
        rare=True,
    ),
)
_READING_FIELDS = (
    *(
        "files",
        "listed",
        "input_format",
        "by_assessor",
        "diversity",
        "raters",
        "wide",
        "levels",
        "merge",
        "map",
        "missing",
        "repeats",
    ),
    *("strata", "intents", "intent_probabilities", "unmentioned_intents"),
)


def reading_options(function: _Function, *, required: bool = True) -> _Function:
    """Where the judgments are and what they mean; they arrive as one `reading`.

    The files are arguments, or those of --judgments, or both (see `GroupedCommand`).
    """
    files = (
        click.argument("files", metavar="JUDGMENTS...", nargs=-1),
        option(
            "--judgments listed",
            JUDGMENTS,
            "The same as JUDGMENTS; NAME=FILE names an assessor.",
            metavar="J...",
            multiple=True,
            rare=True,
        ),
    )
    make = partial(_make_reading, required=required)
    return bundle(function, make, "reading", _READING_FIELDS, (*files, *_READING))


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
    from gainsayer.evaluation.sources import Reading
    from gainsayer.judgments.files import split_name

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


def machine_options(function: _Function) -> _Function:
    """A machine's grades and people's labels; they arrive as two `readings`, the second None where there are none.

    How people's documents were chosen arrives as `sampled` and `design`, topics to leave out as `tuned_topics`.
    """
    fields = ("machine_files", "people_files", "input_format", "levels", "merge", "map", "missing")

    def both(*, machine_files: tuple[str, ...], people_files: tuple[str, ...], **given: Any) -> Any:
        refuse_second_reading(machine_files, people_files)
        every = (machine_files, people_files)
        return tuple(_make_reading(files=files, required=False, **given) if files else None for files in every)

    return bundle(add_options(function, _CHOSEN), both, "readings", fields, (*_JUDGES, *_LABELS))


_LABELS = (_INPUT, _LEVELS, _MERGE, _MAP, _MISSING)
_JUDGES = (
    option(
        "--machine machine_files",
        JUDGMENTS,
        "The machine's grades; NAME=FILE names it. Several are several machines, one name twice is two calls.",
        metavar="FILE",
        multiple=True,
        required=True,
    ),
    option(
        "--people people_files",
        JUDGMENTS,
        "People's labels: qrels of whole topics, or a table with a column 'probability' (or 'weight', 1 over it): the "
        "chance with which each document was chosen.",
        metavar="FILE",
        multiple=True,
    ),
)
_CHOSEN = (
    option(
        "--sampled",
        JUDGMENTS,
        "The chances where the labels lack them: the file that 'machine sample' wrote, or 'observed': the share of "
        "each grade that was judged.",
        metavar="FILE",
    ),
    option(
        "--design",
        JUDGMENTS,
        "What was drawn: whole topics, documents of all topics, documents of some; by default as it looks.",
        choices=("topics", "documents", "two-stage"),
        rare=True,
    ),
    option("--tuned-topics", JUDGMENTS, "Topics the machine was tuned on: left out.", metavar="FILE", rare=True),
)


def side_options(function: _Function) -> _Function:
    """Who is compared with whom: `first`, `second` and `pairing`."""
    return add_options(function, _SIDES)


_SIDES = (
    option("--first", SIDES, "Assessors whose labels the evaluation uses.", metavar="A,B", multiple=True),
    option("--second", SIDES, "Assessors who stand for the users.", metavar="C,D", multiple=True),
    option(
        "--pairing",
        SIDES,
        "Pair A with C and B with D (matched), or everybody with everybody on the other side (all).",
        choices=("auto", "matched", "all"),
        default="auto",
        rare=True,
    ),
)


def relevance_options(function: _Function, *, default: str = "By default every threshold.") -> _Function:
    """What users are satisfied with; `threshold` and `relevant` arrive as lists, or as None."""
    options = (
        option(
            "--threshold",
            RELEVANCE,
            f"Users want this level or a higher one; repeatable. {default}",
            metavar="LEVEL",
            multiple=True,
            callback=lambda _context, _parameter, value: list(split_list(value)) or None,
        ),
        option(
            "--relevant",
            RELEVANCE,
            "Users want one of these levels; repeatable.",
            metavar="LEVEL,LEVEL",
            multiple=True,
            callback=lambda _context, _parameter, value: [list(split_list([text])) for text in value] or None,
            rare=True,
        ),
    )
    return add_options(function, options)


def parse_numbers(
    _context: click.Context, parameter: click.Parameter, given: str | Sequence[str] | None
) -> dict[str, float] | None:
    """Numbers by name, `Key=0.5`, several in one option with commas between them, in the order given."""
    if given is None:
        return None
    name = parameter.opts[-1]
    numbers: dict[str, float] = {}
    for text in (part for item in ([given] if isinstance(given, str) else given) for part in item.split(",")):
        key, _, number = (part.strip() for part in text.rpartition("="))
        if key in numbers:
            raise CallError(f"{name} names {key!r} twice.")
        try:
            numbers[key] = float(number)
        except ValueError:
            numbers[key] = math.nan
        if not key or not math.isfinite(numbers[key]):
            raise CallError(f"{name} needs {str(parameter.metavar).removesuffix(',...')}, found {text!r}.")
    return numbers


estimator_option = option(
    "--estimator",
    RELEVANCE,
    "How to estimate; by default symmetric where that is valid.",
    choices=("symmetric", "one-sided"),
    rare=True,
)
confidence_option = option("--confidence", TESTS, "Confidence of the intervals.", default=0.95, rare=True)
measure_option = option(
    "-m --measure measures", SCORING, "Such as nDCG@10, P@10 or map; repeatable.", metavar="MEASURE", multiple=True
)
users_option = option(
    "--users",
    SCORING,
    "Also the expected score over random users: independent, comonotone (a strict user is strict with every "
    "document), band (both), or the correlation of one user's views, such as 0.3.",
    metavar="KIND,...",
    rare=True,
)
model_option = option("--model", SCORING, "A model that 'gainsayer fit -o FILE' wrote.", metavar="FILE")
gain_option = option(
    "--gain",
    SCORING,
    "Set the gain of one level; repeatable.",
    metavar="LEVEL=NUMBER",
    multiple=True,
    callback=parse_numbers,
    rare=True,
)
gains_option = option(
    "--gains",
    SCORING,
    "prm, binary, linear, exponential, udm or a JSON file; by default prm with a second side or a model.",
    metavar="KIND,...",
)
labels_option = option(
    "--labels",
    SIDES,
    "Whose labels score the runs: these assessors' (the first who judged a document), the majority, or the mean of "
    "the labels' gains. By default the first side's, or all where no document has several.",
    metavar="NAME,...|majority|mean",
    multiple=True,
    rare=True,
)
ties_option = option(
    "--ties",
    RUNS,
    "How to order documents with equal scores.",
    choices=("trec", "trec9", "rank", "input"),
    default="trec",
    rare=True,
)
duplicates_option = option(
    "--duplicates", RUNS, "Groups of equal documents; only the first of them counts.", metavar="FILE", rare=True
)
_POLICIES = (
    labels_option,
    option(
        "--unjudged",
        RUNS,
        "What an unjudged document is worth: 0, level (as the lowest), NUMBER, condense (left out) or bounds.",
        default="0",
        metavar="POLICY",
    ),
    ties_option,
    duplicates_option,
    option("--fedweb-duplicates", RUNS, "Count duplicates as the FedWeb track did.", is_flag=True, rare=True),
    option(
        "--topics",
        RUNS,
        "All judged topics (a run scores 0 on those it lacks), or those that every run has.",
        choices=("all", "common"),
        default="all",
        rare=True,
    ),
)
_RESOURCES = (
    option(
        "--resources count",
        RUNS,
        "For runs that rank resources: score the results of their first so many, as in FedWeb (3).",
        type=int,
        rare=True,
    ),
    option("--results", RUNS, "With --resources: how many results of each.", default=10, rare=True),
    option(
        "--resource-rule",
        RUNS,
        "How a document id names its resource and rank: '(?P<resource>.+)-\\d+-(?P<rank>\\d+)'.",
        metavar="REGEX",
        rare=True,
    ),
    option(
        "--resource-file",
        RUNS,
        "Lines of topic, resource and document, in the resource's order.",
        metavar="FILE",
        rare=True,
    ),
    option(
        "--oracle",
        RUNS,
        "With --resources: also the best possible choice, knowing the labels.",
        is_flag=True,
        rare=True,
    ),
)


def scoring_options(function: _Function) -> _Function:
    """What runs are scored by: measures, relevance, gains, users."""
    relevance = partial(relevance_options, default="By default the top, or 1 and above without a second side.")
    options = (measure_option, relevance, gains_option, gain_option, estimator_option, users_option)
    return add_options(function, options)


def run_options(function: _Function, *, required: bool = True, no_relevant: str = "keep") -> _Function:
    """Which runs are scored and under which policies; `resources` arrives as one value, or None.

    The policies `labels`, `unjudged`, `ties`, `duplicates`, `fedweb_duplicates`, `topics` and `no_relevant` arrive
    under their own names, as the functions take them.
    """
    runs = option("--runs", RUNS, "Run files, folders or patterns.", metavar="R...", multiple=True, required=required)
    lacking = option(
        "--no-relevant",
        RUNS,
        "Topics without a relevant document: score them, count 0, or leave them out.",
        choices=("keep", "zero", "skip"),
        default=no_relevant,
        rare=True,
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


def _parse_maps(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    from gainsayer.judgments.labels import parse_map

    maps: dict[str, dict[str, str]] = {}
    for name, table in map(parse_map, texts):
        if name in maps:
            raise CallError(f"--map was given twice for {name!r}. Give all of its labels in one: {name}:1=0,2=1")
        maps[name] = table
    return maps
