"""Relevance levels: their names, their order, and which of them satisfy a user.

A level is the grade an assessor gave. *Relevant* is a user's view: at or above a threshold, or in a
named set of levels (`Relevance`). Files hold *labels*; `Levels.match` says which level each label
means, after merges (`Nav` into `Key`), stored codes (0, 1, 3, 7) and labels that mean *not judged*.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError, DataError, UnknownLevelError
from gainsayer.text import nearest, option

MOST_LEVELS: Final = 100
MOST_DIGITS: Final = 18
_BLANKS: Final = " \t\r\n\f\v"
NOT_JUDGED: Final = -1
_WHOLE: Final = re.compile(rf"([+-]?)0*(\d{{1,{MOST_DIGITS}}})(?:\.0*)?")


def canonical_label(label: str) -> str:
    """A label without outer blanks (those between columns), and whole numbers in one spelling: '+02', '2.0' are '2'.

    >>> [canonical_label(text) for text in (" 2.0", "-01", "Key ", "-0")]
    ['2', '-1', 'Key', '0']
    """
    text = label.strip(_BLANKS)
    match = _WHOLE.fullmatch(text)
    return str(int(match[1] + match[2])) if match and text.isascii() else text


def is_whole(label: str) -> bool:
    """Whether a canonical label is a whole number, of at most eighteen digits: a longer one is no level, but a mistake.

    >>> is_whole("-2"), is_whole("HRel"), is_whole("1" * 19)
    (True, False, False)
    """
    digits = label.removeprefix("-")
    return label.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS


@dataclass(frozen=True)
class Relevance:
    """Which levels satisfy a user: R = {i : i >= threshold}, or any set of levels.

    `name` is the threshold's level, or the set's levels joined by commas; `mask` has one entry per level.
    Made by `Levels.at_or_above` and `Levels.only`.
    """

    name: str
    names: tuple[str, ...]
    mask: tuple[bool, ...]
    threshold: str | None

    @property
    def indicator(self) -> npt.NDArray[np.float64]:
        """1 for a relevant level, 0 for the others; shape [levels]."""
        return np.array(self.mask, dtype=np.float64)


@dataclass(frozen=True)
class Levels:
    """The levels of a collection, from low to high.

    Args:
        names: one name per level; index 0 is the lowest, the last one the top.
        codes: the label that stands for each level in the data, where it is not the name.
        merges: labels that mean another level, such as `{"Nav": "Key"}`; those among the names are no levels then.
        missing: labels that mean *not judged*.
        ordered: False for categories without an order; then there is no threshold and no top.
        declared: the names as they were given, with those that were merged; empty where none was.

    Raises:
        CallError: a name is empty, given twice, or a merge leads nowhere.

    >>> levels = Levels(("Non", "Rel", "HRel", "Key"), merges={"Nav": "Key"})
    >>> levels.match(["Non", "Nav", "Key"])
    {'Non': 0, 'Nav': 3, 'Key': 3}
    >>> levels.at_or_above("HRel").mask
    (False, False, True, True)
    >>> Levels(("Non", "Rel", "Key"), ("0", "1", "2"), merges={"Rel": "Key"}).match(["0", "1", "Rel", "2"])
    {'0': 0, '1': 1, 'Rel': 1, '2': 1}
    """

    names: tuple[str, ...]
    codes: tuple[str, ...] | None = None
    merges: Mapping[str, str] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    ordered: bool = True
    declared: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = tuple(canonical_label(str(name)) for name in self.names)
        if self.codes is not None:
            object.__setattr__(self, "codes", tuple(canonical_label(str(code)) for code in self.codes))
        merges = {canonical_label(a): canonical_label(b) for a, b in self.merges.items()}
        # Whoever names all labels and then merges some has the others for levels.
        own = [name for name in names if name not in merges]
        if self.codes is not None:
            codes = dict(zip(names, self.codes, strict=False)) if len(self.codes) == len(names) else {}
            merges = {codes[name]: merges[name] for name in names if name in merges and name in codes} | merges
            object.__setattr__(self, "codes", tuple(codes[name] for name in own) if codes else self.codes)
        if len(own) < len(names):
            object.__setattr__(self, "declared", names)
        object.__setattr__(self, "names", tuple(own))
        object.__setattr__(self, "merges", merges)
        object.__setattr__(self, "missing", frozenset(canonical_label(label) for label in self.missing))
        self._check()

    def _check(self) -> None:
        known = self._known()
        if len(self.names) < 2:
            raise CallError(
                f"At least two levels are needed, found {list(self.names)}. "
                f"Name all levels from low to high, also those nobody used: {option('levels', '0,1')}"
            )
        if len(self.names) > MOST_LEVELS:
            raise CallError(f"At most {MOST_LEVELS} levels are supported, found {len(self.names)}.")
        if "" in known or len(known) != len(self.names) + sum(code not in self.names for code in self.codes or ()):
            raise CallError(f"Each level needs a name and a code of its own, found {', '.join(self.names)!r}.")
        if self.codes is not None and len(self.codes) != len(self.names):
            raise CallError(f"{len(self.names)} levels need {len(self.names)} codes, found {len(self.codes)}.")
        for name, code in zip(self.names, self.codes or self.names, strict=True):
            if code in self.names and code != name:
                raise CallError(
                    f"{code!r} is the code of level {name!r} and the name of another, so it is not known which of the "
                    "two it means in the data. Give the levels other names, such as Non=1,Rel=2,Key=3."
                )
        for source, target in self.merges.items():
            if target not in known:
                raise UnknownLevelError(
                    f"Cannot merge {source!r} into {target!r}: the levels are {', '.join(self.names)}."
                )
            if source in known:
                raise CallError(
                    f"{source!r} is merged into {target!r}, so it cannot be a level of its own. "
                    f"Leave {source!r} out of the levels."
                )
        both = self.missing & set(known)
        if both:
            raise CallError(f"{', '.join(sorted(both))!r} is declared both as a level and as not judged.")

    def _known(self) -> dict[str, int]:
        known = {code: index for index, code in enumerate(self.codes or ())}
        return known | {name: index for index, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    @property
    def top(self) -> str:
        """The highest level."""
        self._need_order("the top level")
        return self.names[-1]

    @property
    def lowest(self) -> int:
        """Index of the level that means *not relevant at all*: the one called 0, else the lowest."""
        if "0" not in self.names:
            self._need_order("the lowest level")
        return self.names.index("0") if "0" in self.names else 0

    def values(self) -> npt.NDArray[np.float64]:
        """What each level counts for on an interval scale: its number, or its place in the order.

        >>> Levels(("0", "1", "3", "7")).values().tolist(), Levels(("Non", "Key")).values().tolist()
        ([0.0, 1.0, 3.0, 7.0], [0.0, 1.0])
        """
        if all(is_whole(name) for name in self.names):
            return np.array([float(name) for name in self.names])
        return np.arange(len(self.names), dtype=np.float64)

    def index(self, name: str) -> int:
        """The place of a level in the order; its name, its code or a merged label may be given."""
        label = canonical_label(str(name))
        known = self._known()
        label = self.merges.get(label, label)
        if label not in known:
            raise UnknownLevelError(
                f"There is no level {name!r}: the levels are {', '.join(self.names)}.{nearest(str(name), self.names)}"
            )
        return known[label]

    def at_or_above(self, threshold: str) -> Relevance:
        """R = {i : i >= threshold}: users who are satisfied with this level or a higher one."""
        self._need_order(f"the threshold {threshold!r}")
        lowest = self.index(threshold)
        mask = tuple(index >= lowest for index in range(len(self)))
        return Relevance(self.names[lowest], self.names[lowest:], mask, self.names[lowest])

    def only(self, *names: str) -> Relevance:
        """Any set of levels as relevant; no order is needed.

        >>> Levels(("Rel", "Non", "Spam"), ordered=False).only("Rel").mask
        (True, False, False)
        """
        chosen = sorted({self.index(name) for name in names})
        if not chosen:
            raise CallError(f"Name at least one relevant level among {', '.join(self.names)}.")
        picked = tuple(self.names[index] for index in chosen)
        mask = tuple(index in chosen for index in range(len(self)))
        suffix = self.ordered and chosen == list(range(chosen[0], len(self)))
        return Relevance(",".join(picked), picked, mask, picked[0] if suffix else None)

    def match(self, labels: Iterable[str]) -> dict[str, int]:
        """The level index of each label: -1 where it means *not judged*, left out where it is unknown.

        >>> Levels(("Non", "Key"), missing=frozenset({"-1"})).match(["Key", "-1", "Rel"])
        {'Key': 1, '-1': -1}
        """
        known = self._known()
        found: dict[str, int] = {}
        for label in labels:
            text = canonical_label(label)
            if text in self.missing:
                found[label] = NOT_JUDGED
            elif (target := self.merges.get(text, text)) in known:
                found[label] = known[target]
        return found

    def adopt_codes(self, labels: Iterable[str]) -> Levels:
        """The same levels with the numbers found as their codes, where the data holds numbers instead of names.

        Only where no level is called by a number, and all labels but names, merged and missing ones are whole numbers.
        Those from 0 to T are the levels by place; as many as there are levels are the levels in order; from 1 to T + 1
        they count from 1. Otherwise nothing changes. One file may have names and another one numbers.

        >>> Levels(("Non", "Rel", "HRel", "Key")).adopt_codes(["0", "1", "3", "7"]).codes
        ('0', '1', '3', '7')
        >>> Levels(("Non", "Rel", "Key")).adopt_codes(["Key", "Non", "3", "1"]).codes
        ('1', '2', '3')
        >>> Levels(("Non", "Rel", "Key"), merges={"Rel": "Key"}).adopt_codes(["0", "1", "2"]).match(["0", "1", "2"])
        {'0': 0, '1': 1, '2': 1}
        """
        texts = {canonical_label(label) for label in labels} - self.missing - set(self.merges) - set(self.names)
        if self.codes is not None or not texts or not all(map(is_whole, texts)) or any(map(is_whole, self.names)):
            return self
        numbers, names = sorted(map(int, texts)), self.declared or self.names
        codes: Iterable[int]
        if numbers[0] >= 0 and numbers[-1] < len(names):
            codes = range(len(names))
        elif len(numbers) == len(names):
            codes = numbers
        elif numbers[0] >= 1 and numbers[-1] == len(names):
            codes = range(1, len(names) + 1)
        else:
            return self
        code = dict(zip(names, map(str, codes), strict=True))
        merges = {code[name]: target for name, target in self.merges.items() if name in code}
        return replace(self, codes=tuple(code[name] for name in self.names), merges={**self.merges, **merges})

    def _need_order(self, what: str) -> None:
        if not self.ordered:
            raise CallError(
                f"The levels {', '.join(self.names)} have no order, so {what} means nothing. "
                f"Name them from low to high ({option('levels')}), or name the relevant ones ({option('relevant')})."
            )


class DerivedLevels(Levels):
    """Levels that the program makes of others; it sees to their names itself, however many there are."""

    def __post_init__(self) -> None:
        """Nothing to check, and names stay as they are."""


@dataclass(frozen=True)
class Patterns(DerivedLevels):
    """Patterns of labels as levels: which levels a document got from its assessors, and how often each.

    A pattern is a level, so everything that works on levels works on it. The first patterns are the levels themselves,
    one label each, whether or not a document has them; so places of levels are places of patterns, too. Made by
    `find_patterns`.

    Args:
        levels: what single labels are.
        labels: how many labels of each level a pattern holds; shape [patterns, levels].
    """

    levels: Levels = field(kw_only=True)
    labels: tuple[tuple[int, ...], ...] = field(kw_only=True)

    @property
    def top(self) -> str:
        """The highest level."""
        return self.levels.top

    @property
    def lowest(self) -> int:
        """Index of the level that means *not relevant at all*."""
        return self.levels.lowest

    @cached_property
    def shares(self) -> npt.NDArray[np.float64]:
        """The share of each level among the labels of a pattern; shape [patterns, levels]."""
        labels = np.array(self.labels, dtype=np.float64)
        return np.asarray(labels / labels.sum(axis=1, keepdims=True))

    def mix(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The mean over a pattern's labels of what each is worth, [..., levels] to [..., patterns].

        NaN only where one of the pattern's own levels is. Linear: draws and leave-one-out values go through it alike.

        >>> find_patterns(Levels(("0", "1")), np.array([[1, 1], [2, 0]])).mix(np.array([0.1, np.nan])).tolist()
        [0.1, nan, nan, 0.1]
        """
        unknown = np.isnan(values)
        # Not `@`: what BLAS adds up in which order depends on the number of threads.
        mixed = np.einsum("...l,pl->...p", np.where(unknown, 0.0, values), self.shares)
        if not unknown.any():
            return np.asarray(mixed)
        return np.where(np.einsum("...l,pl->...p", unknown.astype(np.float64), self.shares) > 0, np.nan, mixed)

    def relevance(self, relevance: Relevance) -> Relevance:
        """The same notion of relevance for patterns: one of a document's labels is relevant."""
        held = np.array(self.labels)[:, np.array(relevance.mask)].sum(axis=1) > 0
        return replace(relevance, mask=tuple(held.tolist()))


def find_patterns(levels: Levels, labels: npt.NDArray[np.integer]) -> Patterns:
    """The patterns among documents' labels, each once, after the levels themselves.

    Args:
        levels: what single labels are.
        labels: how many labels of each level some documents got; shape [documents, levels].

    >>> find_patterns(Levels(("0", "1", "2")), np.array([[0, 1, 2], [1, 0, 0], [0, 1, 2]])).names
    ('0', '1', '2', '1+2+2')
    """
    single = labels.sum(axis=1) == 1
    several = np.unique(labels[~single], axis=0)
    rows = [*np.eye(len(levels), dtype=np.int64).tolist(), *several.tolist()]
    names = [*levels.names, *(_name_pattern(levels.names, row) for row in several.tolist())]
    return Patterns(tuple(names), ordered=False, levels=levels, labels=tuple(map(tuple, rows)))


def _name_pattern(names: Sequence[str], labels: Sequence[int]) -> str:
    """The labels one by one; names that could be taken for several are quoted, so no two patterns share a name."""
    parts = [json.dumps(name) if set(name) & set('+"()') else name for name in names]
    joined = "+".join(part for part, times in zip(parts, labels, strict=True) for _ in range(times))
    return f"({joined})" if joined in names else joined


def parse_levels(text: str, *, merges: Mapping[str, str] | None = None, missing: Iterable[str] = ()) -> Levels:
    """Levels from a line such as `Non,Rel,HRel,Key` or `Non=0,Rel=1,HRel=3,Key=7`, from low to high.

    The order is that of the line, *not* that of the codes: a code only says which label stands for the level in the
    data.

    Raises:
        CallError: fewer than two levels, or a name or code that is empty or there twice.

    >>> parse_levels("Non=0,Rel=1,HRel=3,Key=7").match(["7", "0"])
    {'7': 3, '0': 0}
    """
    parts = [part.strip() for part in text.split(",")]
    pairs = [part.rpartition("=") if "=" in part else (part, "", part) for part in parts]
    names = tuple(name.strip() for name, _, _ in pairs)
    codes = tuple(code.strip() for _, _, code in pairs)
    return Levels(names, codes if codes != names else None, merges=merges or {}, missing=frozenset(missing))


def _is_decimal(text: str) -> bool:
    return re.fullmatch(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)", text) is not None


def infer_levels(
    labels: Sequence[str], *, merges: Mapping[str, str] | None = None, missing: Iterable[str] = ()
) -> Levels | list[str]:
    """The levels behind the labels found: whole numbers in order, or categories without one.

    Answers the labels that do not fit when some are whole numbers and others are not, or some are decimals, so that the
    caller can say where they stand. Negative numbers are levels of their own unless declared missing.

    >>> infer_levels(["3", "0", "1"]).names, infer_levels(["0", "1", "x"])
    (('0', '1', '3'), ['x'])
    """
    merged = {canonical_label(a): canonical_label(b) for a, b in (merges or {}).items()}
    dropped = {canonical_label(label) for label in missing}
    originals: dict[str, list[str]] = {}
    for label in labels:
        text = canonical_label(label)
        if text not in dropped:
            originals.setdefault(merged.get(text, text), []).append(label)
    numbers = [text for text in originals if is_whole(text)]
    others = [text for text in originals if not is_whole(text)]
    if others and (numbers or any(map(_is_decimal, others))):
        return [label for text in others for label in originals[text]]
    if "" in others:
        return originals[""]
    if len(originals) > MOST_LEVELS:
        raise DataError(
            f"Found {len(originals)} different levels, such as {sorted(originals)[0]!r}; at most {MOST_LEVELS} are "
            "supported. Is the right column read as the level?"
        )
    if len(originals) < 2:
        only = min(originals, default="")
        found = f"only {only!r}" if originals else "none"
        top = int(only) if is_whole(only) and int(only) > 0 else 1
        every = [*map(str, range(min(top, 3))), str(top)]
        raise DataError(
            f"At least two levels are needed, found {found}. Name all levels from low to high, also those nobody used, "
            f"such as {option('levels', ','.join(every))}"
        )
    names = tuple(sorted(numbers, key=int)) if numbers else tuple(sorted(others))
    return Levels(names, merges=merges or {}, missing=frozenset(dropped), ordered=bool(numbers))
