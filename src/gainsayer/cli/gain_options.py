"""Gains on the command line: from a model file, by hand, or both."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gainsayer.cli.bundles import bundle
from gainsayer.cli.inputs import Reading
from gainsayer.errors import CallError, DataError, MissingParameterError
from gainsayer.levels import Levels, canonical_label

if TYPE_CHECKING:
    from gainsayer.gains import Gains

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class GainChoice:
    """Where the gains come from: the options, as given."""

    model: str | None
    threshold: str | None
    gain: tuple[str, ...]

    @property
    def given(self) -> bool:
        """Whether any gains were given."""
        return self.model is not None or bool(self.gain)


def gain_options(function: _Function) -> _Function:
    """The options that say what the levels are worth; they arrive as one `choice`."""
    options = (
        click.option("--model", metavar="FILE", help="The model that 'gainsayer fit -o model.json' wrote."),
        click.option("--threshold", metavar="LEVEL", help="Which threshold of the model; its first by default."),
        click.option(
            "--gain",
            metavar="LEVEL=NUMBER",
            multiple=True,
            help="The gain of a level, before the model's; repeatable.",
        ),
    )
    return bundle(function, GainChoice, "choice", options)


def adopt_levels(reading: Reading, choice: GainChoice) -> Reading:
    """Read the labels by the model's levels, codes and merges, where --levels does not say otherwise."""
    from gainsayer.report.model_file import read_model_levels

    if choice.model is None or choice.model == "-" or reading.levels is not None:
        return reading
    levels = read_model_levels(choice.model)
    if levels is None or not levels.ordered or any("," in name or "=" in name for name in levels.names):
        return reading  # such names cannot be said in --levels
    said = zip(levels.names, levels.codes or levels.names, strict=True)
    return replace(
        reading,
        levels=",".join(f"{name}={code}" if levels.codes else name for name, code in said),
        merge=(*(f"{label}={level}" for label, level in levels.merges.items()), *reading.merge),
        missing=(*sorted(levels.missing), *reading.missing),
    )


def choose_gains(choice: GainChoice, levels: Levels | None = None) -> Gains:
    """The gains of these levels (of the model's own, where None): the model's probabilities, overridden by --gain.

    Raises:
        CallError: no gains were given, or --gain is misspelt.
        DataError: a level of the labels is unknown to the model.
        MissingParameterError: a level has neither a probability nor a --gain.
    """
    from gainsayer.gains import Gains
    from gainsayer.report.model_file import read_model

    if not choice.given:
        raise CallError("No gains were given: --model model.json, or --gain LEVEL=NUMBER for every level.")
    if choice.threshold is not None and choice.model is None:
        raise CallError("--threshold picks one of the thresholds of a model. Give --model model.json too.")
    known = {} if choice.model is None else read_model(choice.model, threshold=choice.threshold)
    by_hand = parse_gains(choice.gain)
    if levels is None:
        levels = Levels(tuple(dict.fromkeys([*known, *by_hand])))
    places = {levels.index(level): gain for level, gain in by_hand.items()}
    values = [places.get(place, known.get(name)) for place, name in enumerate(levels.names)]
    strangers = [name for name, value in zip(levels.names, values, strict=True) if value is None]
    if strangers:
        shown = ", ".join(map(repr, strangers))
        if choice.model is None:
            raise CallError(f"Level {shown} has no gain. Give every level one: --gain {strangers[0]}=0.5")
        raise DataError(
            f"The judgments have level {shown}, which {choice.model} does not know: it has {', '.join(known)}. "
            f"Give its gain: --gain {strangers[0]}=0.5, or merge it: --merge {strangers[0]}=LEVEL"
        )
    numbers = [value for value in values if value is not None]
    empty = [name for name, value in zip(levels.names, numbers, strict=True) if math.isnan(value)]
    if empty:
        raise MissingParameterError(
            f"{choice.model} has no probability for level {', '.join(map(repr, empty))}: nobody judged it twice. "
            f"Give its gain yourself: --gain {empty[0]}=0.5"
        )
    import numpy as np

    return Gains(levels, np.array(numbers), name="custom" if choice.model is None else "prm")


def parse_gains(texts: Sequence[str]) -> dict[str, float]:
    """Gains by hand: `Key=0.5`, several in one option parted by commas, in the order given."""
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
