"""Options: each stands under a heading of the help page, and says how its words are taken apart.

Nothing is read here: files are named, and `gainsayer.commands` reads them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from gainsayer.errors import CallError

Function = TypeVar("Function", bound=Callable[..., Any])
Option = Callable[[Any], Any]
GROUPS = (
    "Input",
    "Who judged",
    "What is relevant",
    "Runs",
    "Machine",
    "Scoring",
    "Intervals and tests",
    "Options",
    "Engine",
    "Output",
)
JUDGMENTS, SIDES, RELEVANCE, RUNS, MACHINE, SCORING, TESTS, OWN, ENGINE, OUTPUT = GROUPS
FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)


class GroupedOption(click.Option):
    """An option that stands under a heading of the help page; a rare one on the long page only."""

    def __init__(self, *args: Any, group: str | None, rare: bool = False, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.group = group
        self.rare = rare


def option(
    usage: str, group: str | None, help: str, *, choices: Sequence[str] = (), default: Any = None, **settings: Any
) -> Option:
    """An option under a heading, as it is typed: `--merge LABEL=LEVEL *`, `--ties trec|trec9|rank|input`, `--quiet`.

    A word in small letters after the names is what the function calls it, `*` says that it may be given several times.
    Its type is that of the default, which the help page shows; without a value, a type and a default it is a flag.
    """
    words = usage.removesuffix(" *").split()
    names = [word for word in words if word.startswith("-") or (word.isidentifier() and word.islower())]
    form = "".join(words[len(names) :])
    if form and form[0].islower():
        choices = form.split("|")
    elif form:
        settings["metavar"] = form
    if choices:
        settings["type"] = click.Choice(choices)
    if default is not None:
        settings |= {"default": default, "show_default": True}
    if usage.endswith(" *"):
        settings["multiple"] = True
    if not settings.keys() & {"metavar", "type", "default"}:
        settings["is_flag"] = True
    return click.option(*names, cls=GroupedOption, group=group, help=help, **settings)


rare = partial(option, rare=True)


def add_options(function: Function, options: Sequence[Option]) -> Function:
    """Give a command these options, in this order."""
    for one in reversed(options):
        function = one(function)
    return function


def bundle(function: Function, name: str, make: Callable[..., Any], options: Sequence[Option]) -> Function:
    """Give a command these options, handed over as one argument `name`: what `make` makes of them."""

    def command(*args: Any, **given: Any) -> Any:
        made = make(**{str(one.name): given.pop(str(one.name)) for one in bundled})
        return function(*args, **{name: made}, **given)

    command.__click_params__ = []  # type: ignore[attr-defined]
    bundled: list[click.Parameter] = list(add_options(command, options).__click_params__)  # type: ignore[attr-defined]
    command.__name__, command.__doc__ = function.__name__, function.__doc__
    command.__click_params__[:0] = getattr(function, "__click_params__", [])  # type: ignore[attr-defined]
    return cast(Function, command)


def split_list(texts: Sequence[str]) -> tuple[str, ...]:
    """The parts of several options, each with parts between commas."""
    return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())


def split_pair(text: str, name: str, form: str) -> tuple[str, str]:
    """What stands before and after the last sign of equality."""
    source, equals, target = text.rpartition("=")
    if not equals or not source or not target:
        raise CallError(f"{name} needs {form}, found {text!r}.")
    return source, target


def parse_list(kind: type[float], what: str) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """What takes apart numbers of this kind between commas; None where the option was not given."""

    def parse(_context: click.Context, parameter: click.Parameter, text: str | None) -> list[float] | None:
        try:
            return None if text is None else [kind(part) for part in text.split(",")]
        except ValueError:
            raise CallError(f"{parameter.opts[0]} needs {what} between commas, found {text!r}.") from None

    return parse


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


def refuse_second_reading(*given: object) -> None:
    """Refuse to read standard input twice (CallError)."""
    names = [name for value in given for name in (value if isinstance(value, tuple | list) else (value,))]
    files = [name[1] if isinstance(name, tuple) else name for name in names]
    if files.count("-") > 1:
        raise CallError("Standard input can be read only once: name a file for the judgments or for the runs.")
