"""Frozen dataclasses that cost next to nothing to define.

The standard decorator compiles up to six methods for each class, anew in every process: more than half a millisecond a
class, and a command defines some eighty before it reads its first line. Here all classes share the methods below, and
the standard library finds the fields of a class when the first object is made or somebody looks into them, so that
`fields`, `replace` and `asdict` work as ever.

>>> @dataclass(frozen=True)
... class Lines:
...     '''From a first line to a last one.'''
...
...     first: int
...     last: int = 9
>>> Lines(3)
Lines(first=3, last=9)
>>> Lines(3) == Lines(3, last=9)
True
>>> Lines(3).first = 4
Traceback (most recent call last):
dataclasses.FrozenInstanceError: cannot assign to field 'first'
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable
from dataclasses import MISSING, FrozenInstanceError
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from threading import RLock
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]

_FINDING = RLock()

if TYPE_CHECKING:  # to a type checker they are dataclasses like any other
    from dataclasses import dataclass
else:

    def dataclass(*, frozen, eq=True, repr=True, init=True, kw_only=False):
        """`dataclasses.dataclass`, for classes whose objects never change."""
        assert frozen, "objects that change have the standard library's"
        shared = {"__setattr__": _refuse_to_assign, "__delattr__": _refuse_to_delete}
        if init:
            shared |= {"__init__": _fill, "__signature__": _Signature()}
        if repr:
            shared |= {"__repr__": _show}
        if eq:
            shared |= {"__eq__": _equal, "__hash__": _hash}

        def define(kind):
            own = vars(kind)
            for name, method in shared.items():
                if own.get(name) is None:  # where a class says how it compares, Python sets its hash to None
                    setattr(kind, name, method)
            kind.__dataclass_fields__ = fields = _Fields(kind, kw_only)
            if kind.__init__ is not _fill:  # then `field()` must give way to its default now: nobody asks before
                fields.find()
            return kind

        return define


class _Fields:
    """The fields of a class that nobody has looked into yet: looking has the standard library find them."""

    def __init__(self, kind: type, kw_only: bool) -> None:
        self._kind, self._kw_only = kind, kw_only

    def __get__(self, _record: object, _kind: type) -> dict[str, dataclasses.Field[Any]]:
        return self.find()

    def find(self) -> dict[str, dataclasses.Field[Any]]:
        """Have them found, once, whichever thread comes first.

        The standard library compiles methods for what is frozen, and lets frozen classes derive from frozen ones alone.
        So these are not frozen to it while it looks, and they are to those who derive from them.
        """
        with _FINDING:
            if vars(self._kind)["__dataclass_fields__"] is self:
                above: list[Any] = [base for base in self._kind.__mro__[1:] if dataclasses.is_dataclass(base)]
                _freeze(above, False)
                try:
                    dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=self._kw_only)(self._kind)
                finally:
                    _freeze(above, True)
                _freeze([self._kind], True)
        found: dict[str, dataclasses.Field[Any]] = vars(self._kind)["__dataclass_fields__"]
        return found


def _freeze(kinds: Iterable[Any], frozen: bool) -> None:
    for kind in kinds:
        kind.__dataclass_params__.frozen = frozen


class _Layout:
    """What the shared methods want to know of a class: the names of its fields by what they are for."""

    def __init__(self, kind: Any) -> None:
        self.fields = dataclasses.fields(kind)
        self.every = {field.name for field in self.fields}
        self.unnamed = [field.name for field in self.fields if not field.kw_only]
        self.defaults = {field.name: field.default for field in self.fields if field.default is not MISSING}
        self.made = [
            (field.name, field.default_factory) for field in self.fields if field.default_factory is not MISSING
        ]
        self.shown = [field.name for field in self.fields if field.repr]
        self.compared = [field.name for field in self.fields if field.compare]
        self.complete = getattr(kind, "__post_init__", None)


_layout: Callable[[Any], _Layout] = cache(_Layout)


def _fill(self: Any, *unnamed: Any, **named: Any) -> None:
    """`__init__`: fields by position and by name, then defaults."""
    layout = _layout(type(self))
    values = layout.defaults | dict(zip(layout.unnamed, unnamed, strict=False)) | named
    for name, make in layout.made:
        if name not in values:
            values[name] = make()
    taken = layout.unnamed[: len(unnamed)]
    if len(taken) < len(unnamed) or values.keys() != layout.every or not named.keys().isdisjoint(taken):
        _refuse_call(type(self), unnamed, named)
    self.__dict__.update(values)
    if layout.complete is not None:
        layout.complete(self)


def _refuse_call(kind: type, unnamed: tuple[Any, ...], named: dict[str, Any]) -> NoReturn:
    try:
        _sign(kind).bind(*unnamed, **named)
    except TypeError as error:
        raise TypeError(f"{kind.__name__}: {error}") from None
    raise AssertionError("a call that fits was refused")


@recursive_repr()
def _show(self: Any) -> str:
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in _layout(type(self)).shown)
    return f"{type(self).__qualname__}({values})"


def _values(record: Any) -> tuple[Any, ...]:
    return tuple(getattr(record, name) for name in _layout(type(record)).compared)


def _equal(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _refuse_to_assign(_self: object, name: str, _value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


class _Signature:
    """What `inspect.signature` and `help` show of a class, made when it is asked for."""

    def __get__(self, _record: object, kind: type) -> inspect.Signature:
        if kind.__init__ is not _fill:  # type: ignore[misc]
            raise AttributeError("a class below has an `__init__` of its own")
        return _sign(kind)


def _sign(kind: type) -> inspect.Signature:
    parameters = []
    for field in _layout(kind).fields:
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        if field.default_factory is not MISSING:
            default = field.default_factory
        way = inspect.Parameter.KEYWORD_ONLY if field.kw_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters.append(inspect.Parameter(field.name, way, default=default, annotation=field.type))
    return inspect.Signature(sorted(parameters, key=attrgetter("kind")))
