"""Each public function and its command: the same arguments and options, with the same defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import click
import pytest

import gainsayer as gs
from gainsayer.cli import gainsayer

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(gs, name) for name in ("agree", "fit", "score", "compare", "plan", "report", "simulate", "export")
    },
    **{f"study {name}": getattr(gs.study, name) for name in ("topics", "amount", "quality", "robustness", "gains")},
    **{f"machine {name}": getattr(gs.machine, name) for name in ("sample", "check", "score", "gains")},
}
# How judgments are read: options of the command, in Python fields of `Reading`, most of them arguments of the
# functions as well; those with another name below.
READING = {
    *("levels", "merge", "missing", "map", "repeats", "raters", "by_assessor", "diversity", "input_format"),
    *("strata", "intents", "intent_probabilities", "unmentioned_intents", "files", "listed"),
}
SAID = {"levels", "merges", "missing", "maps", "repeats", "raters", "by_assessor"}
FIELDS = {"merge": "merges", "map": "maps", "input_format": "format", "files": "sources", "listed": "sources"}
# A machine's grades and people's labels are two readings with some of these options in common.
MACHINES = {"machine_files", "people_files", "levels", "merge", "missing", "map", "input_format"}
# Where a result goes and what of it: methods of the result in Python.
OUTPUT = {"form", "output", "quiet", "table", "columns", "figure", "spreadsheet_safe"}
GROUPS = {"judgments": READING, "machine": MACHINES, "people": MACHINES}
# Options that are no argument of the function, by command.
ONLY_OPTIONS = {
    "score": {"per_topic"},  # the result has both
    "compare": {"pairwise", "fail_if_worse"},  # the result has both; ComparisonTable.gates
    "report": {"figures", "figure_formats"},  # Report.save
    "simulate": {"named"},  # runs={name: quality}
    "machine score": {"aim"},  # target, which is where a result goes on the command line
}
# Arguments that are no option, by command.
ONLY_ARGUMENTS = {
    "report": {"command"},  # what was typed
    "machine score": {"target"},
    "simulate": {  # rare: in Python alone
        *("assessors", "second_share", "second_by_level", "readings", "shares", "topic_effect", "noise", "matrix"),
        *("concentration", "depth", "unjudged", "call_noise", "machine_noise"),
    },
    "machine gains": {"ties", "duplicates"},  # only for effects of ranks
}
# Where what is left out is another thing: (command line, Python).
DIFFERENT: dict[str, dict[str, object]] = {}


def find_command(name: str) -> click.Command:
    """The command of this name, `study topics` included."""
    found: click.Command = gainsayer
    for word in name.split():
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), word)  # type: ignore[assignment]
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_options_are_the_arguments(name: str) -> None:
    """Beyond the groups and a few that are listed, no option lacks its argument, and no argument its option."""
    arguments = set(inspect.signature(FUNCTIONS[name]).parameters) - {"progress"}
    options = {parameter.name for parameter in find_command(name).params}
    if "judgments" in arguments and name != "export":
        assert arguments >= SAID
        arguments -= SAID
    groups = {group for group in GROUPS if group in arguments and group not in options}
    expected = arguments - groups - ONLY_ARGUMENTS.get(name, set())
    for group in groups:
        expected |= GROUPS[group]
    assert options - OUTPUT == expected | ONLY_OPTIONS.get(name, set())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_defaults_are_the_same(name: str) -> None:
    """What is left out means the same in Python and on the command line; an empty list is nothing."""
    arguments = inspect.signature(FUNCTIONS[name]).parameters
    command = find_command(name)
    context = click.Context(command)
    shared = [option for option in command.params if option.name in arguments and not option.required]
    found = {option.name: (plain(option.get_default(context)), arguments[option.name].default) for option in shared}
    different = {name: both for name, both in found.items() if both[0] != (both[1] or None)}
    assert different == DIFFERENT.get(name, {})


def plain(default: object) -> object:
    """A default of click's; None for nothing, a flag that is not set, or an empty list."""
    return default if isinstance(default, str | int | float | list | tuple) and default else None


def test_groups_are_the_fields() -> None:
    """How judgments are read are the fields of `Reading`."""
    assert {FIELDS.get(option, option) for option in READING} == {field.name for field in fields(gs.Reading)}


def test_every_command_is_compared() -> None:
    """But for those that are no function: they tell a story, list or serve."""
    without = {"demo", "measures", "judge"}
    assert {name.split()[0] for name in FUNCTIONS} | without == set(gainsayer.list_commands(click.Context(gainsayer)))
