"""Labels on their way to levels: maps from one assessor's words to another's, the levels found, rare labels, repeats.

Several labels of one document by one assessor are counted once, refused, or resolved as asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import MOST_FAULTS, CallError, FormatError, RepeatError
from gainsayer.findings import Finding
from gainsayer.levels import MOST_DIGITS, NOT_JUDGED, Levels, canonical_label, infer_levels, is_whole
from gainsayer.reading.faults import shorten
from gainsayer.reading.source import Source
from gainsayer.text import is_on_command_line, option
from gainsayer.words import counted

RARE: Final = 1000
MOST_PLACES: Final = 3
Repeats = Literal["error", "first", "last", "majority", "all", "as-assessors"]
MOST_SHOWN = 3
REPEATS: tuple[Repeats, ...] = ("error", "first", "last", "majority", "all", "as-assessors")
Rows = npt.NDArray[np.int64]
PIECE = 1 << 18


def map_labels(sources: Sequence[Source], maps: Mapping[str, Mapping[str, str]]) -> list[Source]:
    """The sources with the labels of some assessors or files replaced; labels that a map does not have stay.

    All labels are replaced at once: `{"1": "0", "2": "1"}` makes a 2 a 1, and not a 0.

    Args:
        sources: what was read.
        maps: name of an assessor or of a file, as given, to label to label.

    Raises:
        CallError: nobody has that name.

    >>> import polars as pl
    >>> from gainsayer.reading.source import source_from_frame
    >>> frame = pl.DataFrame({"topic": ["q"], "document": ["d"], "label": ["2"]})
    >>> source = source_from_frame("a.qrels", frame, assessor="ann")
    >>> map_labels([source], {"ann": {"1": "0", "2": "1"}})[0].frame["label"].to_list()
    ['1']
    """
    known: set[str] = set()
    mapped: list[Source] = []
    for source in sources:
        names = [source.name] if source.assessor is None else [source.name, source.assessor]
        whole = [name for name in names if name in maps]
        known.update(names)
        if len(whole) > 1:
            raise CallError(f"{source.name} has two maps, one for the file and one for its assessor. Give one of them.")
        if whole:
            mapped.append(_replace(source, {None: maps[whole[0]]}))
        elif source.assessor is None:
            inside = set(source.people())
            known |= inside
            own: dict[str | None, Mapping[str, str]] = {name: maps[name] for name in maps if name in inside}
            mapped.append(_replace(source, own) if own else source)
        else:
            mapped.append(source)
    unknown = [name for name in maps if name not in known]
    if unknown:
        raise CallError(
            f"There is no assessor or file {unknown[0]!r} whose labels could be mapped: there are "
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


def _replace(source: Source, maps: Mapping[str | None, Mapping[str, str]]) -> Source:
    """The source with its labels replaced: of all rows (None), or of these assessors."""
    old = pl.Series("label", source.label).cast(pl.String)
    label = old
    for name, table in maps.items():
        meant = {canonical_label(text): new for text, new in table.items()}
        spelt = {text: meant[canonical_label(text)] for text in label.unique() if canonical_label(text) in meant}
        changed = old.replace(spelt) if spelt else old
        label = changed if name is None else changed.zip_with(source.assessors.eq(name), label)
    return replace(source, label=label)


def match_levels(
    sources: Sequence[Source],
    levels: Levels | None,
    merges: Mapping[str, str] | None,
    missing: Iterable[str],
) -> tuple[Levels, list[npt.NDArray[np.int16]], list[Finding]]:
    """The levels, the place of each label among them (-1 for not judged, as empty labels are), and what was found."""
    labels = [source.label for source in sources]
    spellings = [_distinct(part) for part in labels]
    texts = [
        text for text in dict.fromkeys(str(label) for part in spellings for label in part) if canonical_label(text)
    ]
    implied = [label for source in sources for label in source.implied]
    found = infer_levels([*texts, *implied], merges=merges, missing=missing) if levels is None else levels
    if isinstance(found, list):
        too_long = any(label.removeprefix("-").isdecimal() for label in found)
        number = f"a whole number of at most {MOST_DIGITS} digits" if too_long else "a whole number"
        raise _unfit(
            sources, set(found), f"{number} as level", f"Name the levels from low to high with {option('levels')}"
        )
    found = found.adopt_codes(texts)
    index = found.match(texts)
    unknown = set(texts) - set(index)
    index |= {str(label): NOT_JUDGED for part in spellings for label in part if not canonical_label(str(label))}
    if unknown:
        expected = f"one of the levels {', '.join(found.names)}"
        remedy = f"Add it to {option('levels')}, merge it with {option('merges', {'LABEL': 'LEVEL'})}"
        if found.codes is None and all(is_whole(canonical_label(text)) for text in unknown):
            remedy = f"Say which number stands for which level: {option('levels', f'{found.names[0]}=0,...')} {remedy}"
        raise _unfit(sources, unknown, expected, remedy)
    findings = [] if levels is None else notice_codes(levels, found, texts)
    places = []
    for part, spelt in zip(labels, spellings, strict=True):
        targets = np.array([index[str(label)] for label in spelt], dtype=np.int16)
        if not isinstance(part, np.ndarray):
            places.append(part.replace_strict(spelt, targets.tolist(), return_dtype=pl.Int16).to_numpy())
        elif spelt == targets.tolist():
            places.append(part)  # the labels are the places already
        else:
            lookup = np.zeros(spelt[-1] - spelt[0] + 1, dtype=np.int16)
            lookup[np.array(spelt) - spelt[0]] = targets
            places.append(lookup[part.astype(np.int64) - spelt[0]])
    return found, places, findings


def notice_codes(levels: Levels, found: Levels, texts: Iterable[str]) -> list[Finding]:
    """A finding where the levels that were named got the numbers that were found as codes, in order."""
    merged = {code: target for code, target in found.merges.items() if is_whole(code) and code not in levels.merges}
    codes = sorted((*(found.codes or ()), *merged), key=int) if all(map(is_whole, found.codes or ("",))) else []
    by_place = codes == list(map(str, range(len(codes)))) and not set(texts) & set(found.names)
    if found.codes == levels.codes or by_place:
        return []
    named = [*zip(found.names, found.codes or (), strict=True), *((target, code) for code, target in merged.items())]
    shown = ", ".join(f"{name}={code}" for name, code in named)
    return [Finding("levels-by-order", f"The codes found were taken as the levels in order: {shown}.")]


def _distinct(label: npt.NDArray[np.int16] | pl.Series) -> list[Any]:
    """The distinct labels, in order."""
    if not isinstance(label, np.ndarray):
        return label.unique().sort().to_list()
    low, high = int(label.min()), int(label.max())
    marked = np.zeros(high - low + 1, np.bool_)
    for start in range(0, len(label), PIECE):
        marked[label[start : start + PIECE].astype(np.int64) - low] = True
    return (np.flatnonzero(marked) + low).tolist()


def tally_labels(
    assessor: npt.NDArray[np.int32], level: npt.NDArray[np.int16], people: int, levels: int
) -> npt.NDArray[np.int64]:
    """How often each assessor gave each level; shape [assessors, levels]. In pieces that stay in cache.

    >>> tally_labels(np.array([0, 1, 1], np.int32), np.array([0, 1, 1], np.int16), 2, 2).tolist()
    [[1, 0], [0, 2]]
    """
    tally = np.zeros(people * levels, np.int64)
    for start in range(0, len(level), PIECE):
        piece = slice(start, start + PIECE)
        tally += np.bincount(assessor[piece].astype(np.int64) * levels + level[piece], minlength=people * levels)
    return tally.reshape(people, levels)


def find_rare_labels(
    levels: Levels, tally: npt.NDArray[np.int64], where: Callable[[list[int]], Sequence[str]]
) -> list[Finding]:
    """A finding for labels given less than once in 1,000, below or above all others, by hardly anybody.

    Two 5s among 150,000 labels from 0 to 3 make a fifth level, which stretches every scale that counts distances
    between levels. A rare top level that more than one in ten assessors use is none of these; of a single assessor's
    numbers only those are that do not follow on the others (10 after 3, not 4).

    Args:
        levels: the levels found.
        tally: how often each assessor gave each of them; shape [assessors, levels].
        where: some places of labels of these levels, for messages; none where they are not known.
    """
    total, count = tally.sum(axis=0), int(tally.sum())
    rare = (total > 0) & (total * RARE < count)
    common = np.flatnonzero((total > 0) & ~rare)
    if not levels.ordered or not rare.any() or not len(common):
        return []
    people = int(np.count_nonzero(tally.sum(axis=1)))
    rare_levels = []
    for place in np.flatnonzero(rare).tolist():
        if common[0] < place < common[-1]:
            continue
        if people == 1:
            near = levels.names[int(common[-1] if place > common[-1] else common[0])]
            alone = is_whole(near) and abs(int(levels.names[place]) - int(near)) > 1
        else:
            alone = int(np.count_nonzero(tally[:, place])) <= max(1, people // 10)
        if alone:
            rare_levels.append(place)
    if not rare_levels:
        return []
    shown = ", ".join(f"{levels.names[place]} ({counted(int(total[place]), 'time')})" for place in rare_levels)
    found = where(rare_levels)
    places = "; ".join(found) + ("; ..." if found and int(total[rare_levels].sum()) > len(found) else "")
    lone = [levels.names[place] for place in rare_levels]
    missing = " ".join(option("missing", label) for label in lone) if is_on_command_line() else f"missing={lone}"
    message = (
        f"Of {count:,} labels, {shown} lie outside the range of all others{f' ({places})' if places else ''}, and each "
        f"is a level of its own. If they are slips, leave them out ({missing}) or merge them "
        f"({option('merges', dict.fromkeys(lone, 'LABEL'))})."
    )
    return [Finding("rare-labels", message)]


def _unfit(sources: Sequence[Source], labels: set[str], expected: str, remedy: str) -> FormatError:
    faults: list[str] = []
    total = 0
    for source in sources:
        column = pl.Series(source.label).cast(pl.String)
        rows = column.is_in(list(labels)).arg_true()
        total += len(rows)
        for row in rows[: MOST_FAULTS - len(faults)].to_list():
            faults.append(f"{source.where(row)}: expected {expected}, found {shorten(column[row])}")
    advice = f"{remedy}, or say that it means 'not judged' with {option('missing')}"
    return FormatError.listing(faults, total - len(faults), advice)


def resolve_repeats(
    item: npt.NDArray[np.int64],
    assessor: npt.NDArray[np.int32],
    level: npt.NDArray[np.int16],
    *,
    repeats: Repeats,
    describe: Callable[[list[int]], str],
    hint: str = "",
) -> tuple[Rows | None, tuple[Finding, ...]]:
    """Which rows to keep (None: all of them), and what was found.

    Equal levels are counted once. Different levels are an error that lists them, unless `repeats` says which one to
    keep: the `first`, the `last`, or the `majority` (of equally frequent levels the lowest). With `all`, every judgment
    stays: right for repeated calls of a machine judge, which never pair with each other. `hint` is added to the error.

    Raises:
        RepeatError: one assessor gave one document different levels, and `repeats` is `error`.
    """
    people = int(assessor.max(initial=0)) + 1
    if not _any_repeated(item, assessor, people):
        return None, ()
    slot = item * people + assessor
    order = np.argsort(slot, kind="stable")
    ranked = slot[order]
    starts = np.concatenate(([0], np.flatnonzero(ranked[1:] != ranked[:-1]) + 1))
    sizes = np.diff(np.append(starts, len(ranked)))
    if repeats == "all":
        message = (
            f"{_count_items(item, order[starts[sizes > 1]]):,} documents were judged several times by one assessor "
            f"({int(sizes[sizes > 1].sum()):,} judgments, all kept). They never pair with each other."
        )
        return None, (Finding("repeats-kept", message),)
    lows = np.minimum.reduceat(level[order], starts)
    highs = np.maximum.reduceat(level[order], starts)
    torn = np.flatnonzero(lows != highs)
    same = int((sizes[lows == highs] - 1).sum())
    findings = []
    if same:
        text = f"{same:,} judgments repeat an earlier one with the same level and were counted once."
        findings.append(Finding("repeats-collapsed", text))
    keep = order[starts]
    if len(torn):
        groups = [order[starts[group] : starts[group] + sizes[group]] for group in torn]
        by_line = np.argsort([rows[0] for rows in groups], kind="stable")
        if repeats == "error":
            raise _conflict([groups[place] for place in by_line], item, describe, hint)
        keep[torn] = [_choose(rows, level, repeats) for rows in groups]
        documents = _count_items(item, order[starts[torn]])
        text = f"{documents:,} documents had different levels from one assessor; the {repeats} one was kept."
        if repeats == "majority":
            text += " Of equally frequent levels it is the lowest."
        findings.append(Finding("repeats-resolved", text))
    return np.sort(keep), tuple(findings)


def _any_repeated(item: Rows, assessor: npt.NDArray[np.int32], people: int) -> bool:
    """Whether an assessor judged a document twice: marks per (document, assessor), set in pieces that stay in cache."""
    if len(item) == 0:
        return False
    slots = (int(item.max()) + 1) * people
    if slots > 16 * len(item):
        ranked = np.sort(item * people + assessor)
        return bool(np.any(ranked[1:] == ranked[:-1]))
    marked = np.zeros(slots, dtype=np.bool_)
    for start in range(0, len(item), PIECE):
        piece = slice(start, start + PIECE)
        marked[item[piece] * people + assessor[piece]] = True
    return int(np.count_nonzero(marked)) < len(item)


def _choose(rows: Rows, level: npt.NDArray[np.int16], repeats: Repeats) -> int:
    if repeats == "majority":
        return int(rows[np.argmax(level[rows] == np.argmax(np.bincount(level[rows])))])
    return int(rows[0] if repeats == "first" else rows[-1])


def split_repeats(
    item: Rows, assessor: npt.NDArray[np.int32], assessors: tuple[str, ...]
) -> tuple[npt.NDArray[np.int32], tuple[str, ...], tuple[Finding, ...]]:
    """The k-th judgment of a document under one name as that of the k-th assessor of this name: `crowd 1`, `crowd 2`.

    For judgments without ids of who gave them. Which of a document's opinions is called the first one means nothing:
    they are a panel. Names without repeats stay as they are.

    >>> item, whose = np.array([0, 0, 1]), np.array([0, 0, 0], np.int32)
    >>> split_repeats(item, whose, ("crowd",))[:2]
    (array([0, 1, 0], dtype=int32), ('crowd 1', 'crowd 2'))
    """
    slot = item * len(assessors) + assessor
    order = np.argsort(slot, kind="stable")
    ranked = slot[order]
    turn = np.empty(len(slot), np.int64)
    turn[order] = np.arange(len(slot)) - np.searchsorted(ranked, ranked)
    most = np.zeros(len(assessors), np.int64)
    np.maximum.at(most, assessor, turn)
    names: list[str] = []
    begin = np.zeros(len(assessors), np.int64)
    for place, name in enumerate(assessors):
        begin[place] = len(names)
        names += [name] if most[place] == 0 else [f"{name} {number + 1}" for number in range(int(most[place]) + 1)]
    if len(set(names)) < len(names):
        doubled = next(name for name in names if names.count(name) > 1)
        raise CallError(f"The opinions under one name cannot be told from an assessor called {doubled!r}. Rename one.")
    split = [name for name, times in zip(assessors, most.tolist(), strict=True) if times]
    text = (
        f"Repeated judgments under {', '.join(split[:MOST_FAULTS])} are taken as opinions of different people: the "
        f"k-th judgment of a document as the k-th opinion, up to {int(most.max()) + 1}. They pair with each other."
    )
    findings = (Finding("repeats-as-assessors", text),) if split else ()
    return (begin[assessor] + turn).astype(np.int32), tuple(names), findings


def _count_items(item: Rows, rows: Rows) -> int:
    """How many different documents stand on these rows: one may be repeated under several names."""
    return len(np.unique(item[rows]))


def _conflict(groups: list[Rows], item: Rows, describe: Callable[[list[int]], str], hint: str) -> RepeatError:
    shown = [describe(rows[:4].tolist()) for rows in groups[:MOST_SHOWN]]
    if len(groups) > len(shown):
        shown.append(f"... and {len(groups) - len(shown):,} more like these.")
    documents = _count_items(item, np.array([rows[0] for rows in groups]))
    return RepeatError(
        f"{documents:,} {'document has' if documents == 1 else 'documents have'} different levels from one assessor:\n"
        + "\n".join(shown)
        + f"\nKeep one with {option('repeats', 'first', 'last', 'majority')}, or all of them with "
        f"{option('repeats', 'all')} (repeated calls of a machine judge). If the judgments come from different "
        "people, give each an assessor name of their own, or take them as so many opinions with "
        f"{option('repeats', 'as-assessors')}.{hint}"
    )
