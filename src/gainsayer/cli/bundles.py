"""Options that belong together arrive as one value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])


def bundle(function: _Function, kind: type[Any], name: str, options: Sequence[Callable[[Any], Any]]) -> _Function:
    """Give a command these options, handed over as one argument `name`: a dataclass `kind` of the same fields."""
    fields = tuple(kind.__dataclass_fields__)

    def command(*args: Any, **given: Any) -> Any:
        bundled = kind(**{field: given.pop(field) for field in fields})
        return function(*args, **{name: bundled}, **given)

    command.__name__, command.__doc__ = function.__name__, function.__doc__
    if hasattr(function, "__click_params__"):
        command.__click_params__ = function.__click_params__  # type: ignore[attr-defined]
    for option in reversed(options):
        command = option(command)
    return cast(_Function, command)
