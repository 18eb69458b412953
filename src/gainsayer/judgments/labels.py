"""Labels on their way to levels: maps from one assessor's words to another's, the levels found, and rare labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from gainsayer.errors import MOST_FAULTS, CallError, FormatError
from gainsayer.findings import Finding
from gainsayer.judgments.repeats import PIECE
from gainsayer.judgments.source import AnySource, QrelsSource, Source
from gainsayer.levels import Levels, canonical_label, infer_levels, is_whole
from gainsayer.lines.faults import shorten

if TYPE_CHECKING:
    import polars as pl

RARE: Final = 1000
_MOST_PLACES: Final = 3


def map_labels(sources: Sequence[AnySource], maps: Mapping[str, Mapping[str, str]]) -> list[AnySource]:
    """The sources with the labels of some assessors or files replaced; labels that a map does not have stay.

    All labels are replaced at once: `{"1": "0", "2": "1"}` makes a 2 a 1, and not a 0.

    Args:
        sources: what was read.
        maps: name of an assessor or of a file, as given, to label to label.

    Raises:
        CallError: nobody has that name.

    >>> from gainsayer.judgments.source import Source
    >>> import polars as pl
    >>> source = Source("a.qrels", pl.DataFrame({"topic": ["q"], "document": ["d"], "label": [2]}), assessor="ann")
    >>> map_labels([source], {"ann": {"1": "0", "2": "1"}})[0].frame["label"].to_list()
    ['1']
    """
    known: set[str] = set()
    mapped: list[AnySource] = []
    for source in sources:
        names = [source.name] if source.assessor is None else [source.name, source.assessor]
        whole = [name for name in names if name in maps]
        known.update(names)
        if len(whole) > 1:
            raise CallError(f"{source.name} has two maps, one for the file and one for its assessor. Give one of them.")
        if whole:
            mapped.append(_replace(source, {None: maps[whole[0]]}))
        elif source.assessor is None:
            inside = set(source.assessors.unique().to_list())
            known |= inside
            own: dict[str | None, Mapping[str, str]] = {name: maps[name] for name in maps if name in inside}
            mapped.append(_replace(source, own) if own else source)
        else:
            mapped.append(source)
    strangers = [name for name in maps if name not in known]
    if strangers:
        raise CallError(
            f"There is no assessor or file {strangers[0]!r} whose labels could be mapped: there are "
            f"{', '.join(sorted(known)[:20])}."
        )
    return mapped


def parse_map(text: str) -> tuple[str, dict[str, str]]:
    """A map from a line such as `ann:1=0,2=1`: whose labels, and what each of them becomes.

    Raises:
        CallError: the line is not of this form, or names a label twice.

    >>> parse_map("dl:19/ann:1=0,2=1")
    ('dl:19/ann', {'1': '0', '2': '1'})
    """
    head, equals, _ = text.partition("=")
    name, colon, _ = head.rpartition(":")
    pairs = [part.partition("=") for part in text[len(name) + 1 :].split(",")]
    table = {canonical_label(label): canonical_label(target) for label, _, target in pairs}
    if not (equals and colon and name) or not all(sign and label.strip() and to.strip() for label, sign, to in pairs):
        raise CallError(f"A map is NAME:LABEL=LABEL,LABEL=LABEL, such as ann:1=0,2=1; found {text!r}.")
    if len(table) < len(pairs):
        raise CallError(f"The map {text!r} names a label twice.")
    return name, table


def _replace(source: AnySource, maps: Mapping[str | None, Mapping[str, str]]) -> AnySource:
    """The source with its labels replaced: of all rows (None), or of these assessors."""
    import polars as pl

    old = pl.Series("label", source.label).cast(pl.String)
    label = old
    for name, table in maps.items():
        meant = {canonical_label(text): new for text, new in table.items()}
        spelt = {text: meant[canonical_label(text)] for text in label.unique() if canonical_label(text) in meant}
        changed = old.replace(spelt) if spelt else old
        label = changed if name is None else changed.zip_with(source.assessors.eq(name), label)
    if isinstance(source, QrelsSource):
        return replace(source, label=label)
    return replace(source, frame=source.frame.with_columns(label))


def match_levels(
    sources: Sequence[AnySource],
    levels: Levels | None,
    merges: Mapping[str, str] | None,
    missing: Iterable[str],
) -> tuple[Levels, list[npt.NDArray[np.int16]], list[Finding]]:
    """The levels, the place of each label among them (-1 for not judged), and what was found."""
    labels = [_as_numbers(source.label) for source in sources]
    spellings = [_distinct(part) for part in labels]
    texts = list(dict.fromkeys(str(label) for part in spellings for label in part))
    implied = [label for source in sources if isinstance(source, Source) for label in source.implied]
    found = infer_levels([*texts, *implied], merges=merges, missing=missing) if levels is None else levels
    if isinstance(found, list):
        raise _unfit(sources, set(found), "a whole number as level", "Name the levels from low to high with levels=...")
    found = found.adopt_codes(texts)
    index = found.match(texts)
    strangers = set(texts) - set(index)
    if strangers:
        expected = f"one of the levels {', '.join(found.names)}"
        remedy = "Add it to levels=..., merge it with merges={'LABEL': 'LEVEL'}"
        if found.codes is None and all(is_whole(canonical_label(text)) for text in strangers):
            remedy = f"Say which number stands for which level: levels='{found.names[0]}=0,...' {remedy}"
        raise _unfit(sources, strangers, expected, remedy)
    findings: list[Finding] = []
    by_place = found.codes == tuple(map(str, range(len(found)))) and not set(texts) & set(found.names)
    if levels is not None and found.codes != levels.codes and not by_place:
        shown = ", ".join(f"{name}={code}" for name, code in zip(found.names, found.codes or (), strict=True))
        findings.append(Finding("levels-by-order", f"The codes found were taken as the levels in order: {shown}."))
    places = []
    for part, spelt in zip(labels, spellings, strict=True):
        targets = np.array([index[str(label)] for label in spelt], dtype=np.int16)
        if not isinstance(part, np.ndarray):
            places.append(part.replace_strict(spelt, targets.tolist(), return_dtype=_int16()).to_numpy())
        elif spelt == targets.tolist():
            places.append(part)  # the labels are the places already
        else:
            lookup = np.zeros(spelt[-1] - spelt[0] + 1, dtype=np.int16)
            lookup[np.array(spelt) - spelt[0]] = targets
            places.append(lookup[part.astype(np.int64) - spelt[0]])
    return found, places, findings


def _as_numbers(label: npt.NDArray[np.int16] | pl.Series) -> npt.NDArray[np.int16] | pl.Series:
    """Small whole numbers as an array, all else as it is."""
    return label if isinstance(label, np.ndarray) or label.dtype != _int16() else label.to_numpy()


def _int16() -> type[pl.DataType]:
    import polars as pl

    return pl.Int16


def _distinct(label: npt.NDArray[np.int16] | pl.Series) -> list[Any]:
    """The distinct labels, in order."""
    if not isinstance(label, np.ndarray):
        return label.unique().sort().to_list()
    low, high = int(label.min()), int(label.max())
    marked = np.zeros(high - low + 1, np.bool_)
    for start in range(0, len(label), PIECE):
        marked[label[start : start + PIECE].astype(np.int64) - low] = True
    return (np.flatnonzero(marked) + low).tolist()


def find_rare_labels(
    levels: Levels,
    assessor: npt.NDArray[np.int32],
    level: npt.NDArray[np.integer],
    where: Callable[[int], str],
) -> list[Finding]:
    """A finding for labels given less than once in 1,000, below or above all others, by hardly anybody.

    Two stray 5s among 150,000 labels from 0 to 3 make a fifth level, which stretches every scale that counts distances
    between levels. A rare top level that more than one in ten assessors use is none of these; of a single assessor's
    numbers only those are that do not follow on the others (10 after 3, not 4).

    Args:
        levels: the levels found.
        assessor: who gave each label.
        level: its place among the levels.
        where: the place of a row, for messages.
    """
    total = np.bincount(level, minlength=len(levels))
    rare = (total > 0) & (total * RARE < len(level))
    common = np.flatnonzero((total > 0) & ~rare)
    if not levels.ordered or not rare.any() or not len(common):
        return []
    people = int(np.count_nonzero(np.bincount(assessor)))
    strays = []
    for place in np.flatnonzero(rare).tolist():
        if common[0] < place < common[-1]:
            continue
        if people == 1:
            near = levels.names[int(common[-1] if place > common[-1] else common[0])]
            stray = is_whole(near) and abs(int(levels.names[place]) - int(near)) > 1
        else:
            stray = int(np.count_nonzero(np.bincount(assessor[level == place]))) <= max(1, people // 10)
        if stray:
            strays.append(place)
    if not strays:
        return []
    rows = np.flatnonzero(np.isin(level, strays))
    shown = ", ".join(f"{levels.names[place]} ({int(total[place]):,} times)" for place in strays)
    places = "; ".join(where(int(row)) for row in rows[:_MOST_PLACES]) + ("; ..." if len(rows) > _MOST_PLACES else "")
    example = levels.names[strays[0]]
    message = (
        f"Of {len(level):,} labels, {shown} lie outside the range of all others ({places}), and each is a level of its "
        f"own. If they are slips, leave them out (missing={example!r}) or merge them (merges={{{example!r}: 'LABEL'}})."
    )
    return [Finding("rare-labels", message)]


def _unfit(sources: Sequence[AnySource], labels: set[str], expected: str, remedy: str) -> FormatError:
    import polars as pl

    faults: list[str] = []
    total = 0
    for source in sources:
        column = source.frame["label"].cast(pl.String)
        rows = column.is_in(list(labels)).arg_true()
        total += len(rows)
        for row in rows[: MOST_FAULTS - len(faults)].to_list():
            faults.append(f"{source.where(row)}: expected {expected}, found {shorten(column[row])}")
    advice = f"{remedy}, or say that it means 'not judged' with missing=..."
    return FormatError.listing(faults, total - len(faults), advice)
