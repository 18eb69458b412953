"""Maps: one assessor's or file's labels in the words of the others, before anything else is made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from gainsayer.errors import CallError
from gainsayer.judgments.source import AnySource, CleanSource, Source
from gainsayer.levels import canonical_label


def map_labels(sources: Sequence[AnySource], maps: Mapping[str, Mapping[str, str]]) -> list[AnySource]:
    """The sources with the labels of some assessors or files replaced; labels that a map does not have stay.

    All labels are replaced at once: `{"1": "0", "2": "1"}` makes a 2 a 1, and not a 0.

    Args:
        sources: what was read.
        maps: name of an assessor or of a file, as given, to label to label.

    Raises:
        CallError: nobody has that name.

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
            inside = set(source.frame["assessor"].unique().to_list())
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


def _replace(source: AnySource, maps: Mapping[str | None, Mapping[str, str]]) -> Source:
    """The source with its labels replaced: of all rows (None), or of these assessors."""
    frame = source.frame.with_columns(pl.col("label").cast(pl.String))
    label = frame["label"]
    for name, table in maps.items():
        meant = {canonical_label(old): new for old, new in table.items()}
        spelt = {text: meant[canonical_label(text)] for text in label.unique() if canonical_label(text) in meant}
        changed = frame["label"].replace(spelt) if spelt else frame["label"]
        rows = pl.repeat(True, len(label), eager=True) if name is None else frame["assessor"] == name
        label = changed.zip_with(rows, label)
    frame = frame.with_columns(label.alias("label"))
    if isinstance(source, CleanSource):
        return Source(source.name, frame, assessor=source.assessor)
    return replace(source, frame=frame)
