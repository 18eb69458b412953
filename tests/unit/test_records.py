"""Our dataclasses do what the standard library's do: the same calls on both, side by side."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from typing import Any, ClassVar

import pytest

from gainsayer import records


def _define(dataclass: Callable[..., Any]) -> dict[str, Any]:
    """The same classes by one decorator or the other."""

    @dataclass(frozen=True)
    class Plain:
        """Two fields, one of them with a default."""

        first: int
        second: str = "b"
        shared: ClassVar[int] = 7

    @dataclass(frozen=True)
    class Longer(Plain):
        """A field more, made anew for each, and one by name alone."""

        third: list[int] = field(default_factory=list)
        named: int = field(default=0, kw_only=True)

    @dataclass(frozen=True, eq=False, kw_only=True)
    class ByName:
        """By name alone, compared by identity, and checked."""

        low: int
        high: int = 3

        def __post_init__(self) -> None:
            if self.low > self.high:
                raise ValueError("low is above high")

    @dataclass(frozen=True, repr=False)
    class Shown:
        """With words of its own for itself, and a field that does not count."""

        first: int
        beside: int = field(default=0, compare=False)
        hidden: int = field(default=0, repr=False)

        def __repr__(self) -> str:
            return f"shown {self.first}"

    @dataclass(frozen=True)
    class Half:
        """A field that its words leave out, and an equality of its own."""

        first: int
        hidden: int = field(default=0, repr=False)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Half) and abs(self.first - other.first) <= 1

    @dataclass(frozen=True, eq=False, init=False)
    class Own(Plain):
        """Filled by an `__init__` of its own."""

        def __init__(self, text: str) -> None:
            object.__setattr__(self, "first", len(text))
            object.__setattr__(self, "second", text)

    return {kind.__name__: kind for kind in (Plain, Longer, ByName, Shown, Half, Own)}


OURS, THEIRS = _define(records.dataclass), _define(dataclasses.dataclass)
BOTH = pytest.mark.parametrize("kinds", [OURS, THEIRS], ids=["ours", "standard"])
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Plain", (1,), {}),
    ("Plain", (1, "c"), {}),
    ("Plain", (), {"second": "c", "first": 1}),
    ("Longer", (1, "c", [2]), {"named": 5}),
    ("Longer", (1,), {"third": [3]}),
    ("ByName", (), {"low": 1}),
    ("Shown", (4,), {"beside": 2}),
    ("Half", (4,), {}),
    ("Own", ("abc",), {}),
]
WRONG: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Plain", (), {}),
    ("Plain", (1, "b", 3), {}),
    ("Plain", (1,), {"first": 2}),
    ("Plain", (1,), {"third": 2}),
    ("Plain", (1,), {"shared": 2}),
    ("Longer", (1, "b", [], 4), {}),
    ("ByName", (1,), {}),
    ("Own", (), {"first": 1}),
]


@pytest.mark.parametrize(("name", "unnamed", "named"), CALLS)
def test_a_call_fills_shows_and_copies_as_the_standard_does(
    name: str, unnamed: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """Fields, words, plain data and copies."""
    ours, theirs = OURS[name](*unnamed, **named), THEIRS[name](*unnamed, **named)
    assert vars(ours) == vars(theirs)
    by_identity = re.compile(" at 0x[0-9a-f]+")
    assert by_identity.sub("", repr(ours)) == by_identity.sub("", repr(theirs))
    assert asdict(ours) == asdict(theirs)
    assert [one.name for one in fields(ours)] == [one.name for one in fields(theirs)]
    assert vars(copy.deepcopy(ours)) == vars(theirs)
    assert type(ours).__match_args__ == type(theirs).__match_args__


@pytest.mark.parametrize(("name", "unnamed", "named"), WRONG)
def test_a_call_that_does_not_fit_is_refused_by_both(
    name: str, unnamed: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """Something is missing, unknown, given twice, or by position where names are asked for."""
    for kinds in (THEIRS, OURS):
        with pytest.raises(TypeError):
            kinds[name](*unnamed, **named)


def test_a_refusal_names_class_and_field() -> None:
    """Who called it wrongly sees what is missing."""
    with pytest.raises(TypeError, match=r"Plain: missing a required argument: 'first'"):
        OURS["Plain"](second="b")
    with pytest.raises(TypeError, match=r"Plain: got an unexpected keyword argument 'third'"):
        OURS["Plain"](1, third=3)


@BOTH
def test_objects_compare_and_hash_by_their_fields(kinds: dict[str, Any]) -> None:
    """By fields that count, and only with their own class; by identity or their own way where they say so."""
    plain, longer, named, shown, half = (kinds[name] for name in ("Plain", "Longer", "ByName", "Shown", "Half"))
    assert plain(1) == plain(1, "b")
    assert hash(plain(1)) == hash(plain(1, "b"))
    assert plain(1) != plain(2)
    assert plain(1) != longer(1)
    assert plain(1) != (1, "b")
    assert named(low=1) != named(low=1)
    assert len({named(low=1), named(low=1)}) == 2
    assert shown(1, beside=2) == shown(1, beside=3)
    assert half(1) == half(2)
    assert isinstance(hash(half(1)), int)
    with pytest.raises(TypeError):
        hash(longer(1))


@BOTH
def test_objects_never_change(kinds: dict[str, Any]) -> None:
    """Neither fields nor anything else can be set or deleted."""
    for one in (kinds["Plain"](1), kinds["Longer"](1), kinds["ByName"](low=1), kinds["Own"]("abc")):
        name = fields(one)[0].name
        with pytest.raises(FrozenInstanceError):
            setattr(one, name, 2)
        with pytest.raises(FrozenInstanceError):
            one.another = 2
        with pytest.raises(FrozenInstanceError):
            delattr(one, name)


@BOTH
def test_a_copy_with_changes_is_checked_again(kinds: dict[str, Any]) -> None:
    """`replace` makes a new object."""
    one = kinds["ByName"](low=1)
    assert replace(one, high=2).high == 2
    assert one.high == 3
    with pytest.raises(ValueError, match="low is above high"):
        replace(one, low=4)


@BOTH
def test_each_object_has_a_default_of_its_own(kinds: dict[str, Any]) -> None:
    """A list that is made anew is shared by nobody."""
    one, two = kinds["Longer"](1), kinds["Longer"](1)
    one.third.append(5)
    assert (one.third, two.third) == ([5], [])


def test_signatures_are_those_of_the_standard() -> None:
    """What `help` shows."""
    for name, ours in OURS.items():
        theirs = inspect.signature(THEIRS[name]).parameters
        assert list(inspect.signature(ours).parameters) == list(theirs), name
        for found, expected in zip(inspect.signature(ours).parameters.values(), theirs.values(), strict=True):
            assert (found.kind, found.annotation) == (expected.kind, expected.annotation)
            assert (found.default is inspect.Parameter.empty) == (expected.default is inspect.Parameter.empty)


def test_an_object_inside_itself_is_shown_once() -> None:
    """A list that holds its owner would be shown without end."""
    one = OURS["Longer"](1)
    one.third.append(one)
    assert repr(one).count("...") == 1


def test_objects_of_modules_can_be_pickled() -> None:
    """As engines send them to workers."""
    from gainsayer.findings import Finding

    one = Finding("topics-missing", "Some topics are missing.")
    assert pickle.loads(pickle.dumps(one)) == one


def test_no_method_is_compiled_for_a_class() -> None:
    """What makes them cheap: classes share their methods, which the standard library's do not."""
    plain, named = OURS["Plain"], OURS["ByName"]
    assert plain.__init__ is named.__init__
    assert plain.__setattr__ is named.__setattr__
    assert THEIRS["Plain"].__init__ is not THEIRS["ByName"].__init__
    assert sys.getsizeof(plain(1)) == sys.getsizeof(THEIRS["Plain"](1))


def test_fields_are_found_once_and_when_somebody_looks() -> None:
    """By whichever thread comes first; the fields of a class below are found with those above it."""
    kinds = _define(records.dataclass)
    plain, longer = kinds["Plain"], kinds["Longer"]
    assert not isinstance(vars(longer)["__dataclass_fields__"], dict)

    class Below(longer):  # type: ignore[misc, valid-type]
        """A class that is no dataclass itself."""

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda place: Below(place, named=place), range(200)))
    assert all(one.third == [] and one.second == "b" for one in made)
    assert len({id(one.third) for one in made}) == 200
    assert isinstance(vars(longer)["__dataclass_fields__"], dict)
    assert isinstance(vars(plain)["__dataclass_fields__"], dict)
    assert dataclasses.is_dataclass(kinds["ByName"])
    assert [one.name for one in fields(Below)] == ["first", "second", "third", "named"]


def test_frozen_dataclasses_of_others_derive_from_ours() -> None:
    """As the standard library has it: a frozen class may derive from a frozen one, one that changes may not."""
    plain, longer = (_define(records.dataclass)[name] for name in ("Plain", "Longer"))

    @dataclasses.dataclass(frozen=True)
    class Mine(longer):  # type: ignore[misc, valid-type]
        """Theirs, from ours, which is from ours."""

        more: int = 4

    one = Mine(1, named=2)
    assert repr(one).endswith("Mine(first=1, second='b', third=[], named=2, more=4)")
    assert replace(one, more=5).more == 5
    with pytest.raises(FrozenInstanceError):
        one.more = 6  # type: ignore[misc]
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):

        @dataclasses.dataclass
        class Loose(plain):  # type: ignore[misc, valid-type]
            """A class whose objects change."""
