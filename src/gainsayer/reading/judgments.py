"""Judgments: what assessors said, in one table that every reader fills and every room trusts.

Documents stay bytes as they were read, until somebody asks for text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import MOST_FAULTS, DataError, FormatError
from gainsayer.findings import Finding
from gainsayer.levels import NOT_JUDGED, Levels
from gainsayer.reading.columns import ASCII_BLANKS, list_titles
from gainsayer.reading.labels import (
    MOST_PLACES,
    Repeats,
    find_rare_labels,
    map_labels,
    match_levels,
    resolve_repeats,
    split_repeats,
    tally_labels,
)
from gainsayer.reading.names import Names, code_column, number_names
from gainsayer.reading.source import Source, code_names
from gainsayer.table import as_arrow, as_pandas
from gainsayer.words import counted

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]


@dataclass(frozen=True, eq=False)
class Judgments:
    """Who gave which level to which document of which topic; one row per judgment.

    The arrays and `document` have one entry per judgment. `topic` and `assessor` are places in `topics` (sorted) and
    `assessors` (in the order given); `level` is a place in `levels`; `item` numbers the distinct results, a result
    being a document within a topic (and an intent, where there are intents). `roles` says that assessors came one by
    one, as files do, so that of two the first is the first side; people of one table are a panel, sorted by name: the
    order of rows decides nothing. `unnamed` says, for messages, which tables name no assessors;
    `declared`, that somebody said what the labels mean (levels, or a map). Made by `read_judgments` and
    `collect_judgments`, which check everything once.
    """

    levels: Levels
    topics: tuple[str, ...]
    assessors: tuple[str, ...]
    topic: npt.NDArray[np.int32]
    assessor: npt.NDArray[np.int32]
    level: npt.NDArray[np.int16] | npt.NDArray[np.int32]
    item: npt.NDArray[np.int64]
    items: int
    documents: Names
    intent: pl.Series | None = None
    weight: npt.NDArray[np.float64] | None = None
    strata: Mapping[str, str] | None = None
    findings: tuple[Finding, ...] = ()
    roles: bool = False
    unnamed: str = ""
    declared: bool = False

    def __len__(self) -> int:
        return len(self.level)

    def __repr__(self) -> str:
        return (
            f"Judgments({len(self):,} judgments of {self.items:,} documents, {len(self.topics):,} topics, "
            f"assessors {', '.join(self.assessors[:5])}{', ...' if len(self.assessors) > 5 else ''}, "
            f"levels {', '.join(self.levels.names)})"
        )

    @property
    def voices(self) -> int:
        """How many assessors judged anything."""
        heard = np.zeros(len(self.assessors), np.bool_)
        heard[self.assessor] = True
        return int(heard.sum())

    @cached_property
    def document(self) -> pl.Series:
        """The document of each judgment, as text."""
        return self.documents.series().alias("document")

    def frame(self) -> pl.DataFrame:
        """The judgments as a table `topic, document, assessor, level`, and the optional columns there are."""
        columns = [
            pl.Series("topic", self.topics, dtype=pl.String).gather(self.topic.astype(np.uint32)),
            self.document,
            pl.Series("assessor", self.assessors, dtype=pl.String).gather(self.assessor.astype(np.uint32)),
            pl.Series("level", self.levels.names, dtype=pl.String).gather(self.level.astype(np.uint32)),
        ]
        if self.intent is not None:
            columns.append(self.intent.alias("intent"))
        if self.weight is not None:
            columns.append(pl.Series("weight", self.weight))
        if self.strata is not None:
            strata = pl.Series("stratum", [self.strata[topic] for topic in self.topics], dtype=pl.String)
            columns.append(strata.gather(self.topic.astype(np.uint32)))
        return pl.DataFrame(columns)

    def to_polars(self) -> pl.DataFrame:
        """The table of `frame` as a polars data frame.

        >>> from gainsayer.reading.judgment_sources import read_judgments
        >>> read_judgments({"q1": {"d1": 2, "d2": 0}}).to_polars().rows()
        [('q1', 'd1', 'labels', '2'), ('q1', 'd2', 'labels', '0')]
        """
        return self.frame()

    def to_pandas(self) -> pd.DataFrame:
        """The table of `frame` as a pandas data frame.

        Raises:
            CallError: pandas is not installed.
        """
        return as_pandas(self.frame())

    def to_arrow(self) -> Any:
        """The table of `frame` as a pyarrow table; without pyarrow, as something that gives an Arrow stream."""
        return as_arrow(self.frame())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.frame().__arrow_c_stream__(requested_schema)

    def rows(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Judgments:
        """The chosen judgments alone; topics and assessors keep their places, items are numbered anew."""
        item = self.item[chosen]
        kept, item = np.unique(item, return_inverse=True)
        index = np.arange(len(self))[chosen]
        return replace(
            self,
            topic=self.topic[chosen],
            assessor=self.assessor[chosen],
            level=self.level[chosen],
            item=item.astype(np.int64),
            items=len(kept),
            documents=self.documents.rows(chosen),
            intent=None if self.intent is None else self.intent.gather(index.astype(np.uint32)),
            weight=None if self.weight is None else self.weight[chosen],
        )


def collect_judgments(
    sources: Sequence[Source],
    *,
    levels: Levels | None = None,
    merges: Mapping[str, str] | None = None,
    missing: Iterable[str] = (),
    repeats: Repeats = "error",
    roles: bool | None = None,
    maps: Mapping[str, Mapping[str, str]] | None = None,
) -> Judgments:
    """All sources in one table: labels become levels, repeats are settled, every fault is named by its place.

    Without `levels`, the levels are the whole numbers found, in order; labels that are all text become
    categories without an order. `merges` and `missing` are for that case; declared levels carry their own. `roles` says
    that the order of the assessors was given; by default, where each source is one assessor's. `maps` replace labels of
    an assessor or a file by others, before anything else (`labels.map_labels`).

    Raises:
        FormatError: a label is no level.
        RepeatError: one assessor gave one document different levels, and `repeats` is `error`.

    >>> import polars as pl
    >>> from gainsayer.reading.source import source_from_frame
    >>> frame = pl.DataFrame({"topic": ["q"] * 3, "document": ["a", "a", "b"],
    ...                       "assessor": ["U1", "U2", "U1"], "label": ["1", "0", "0"]})
    >>> collect_judgments([source_from_frame("table", frame)])
    Judgments(3 judgments of 2 documents, 1 topics, assessors U1, U2, levels 0, 1)
    """
    if not sources:
        raise DataError("No judgments were given.")
    if maps:
        sources = map_labels(sources, maps)
    found, label_levels, findings = match_levels(sources, levels, merges, missing)
    level = np.concatenate(label_levels)
    kept = list(sources)
    place: npt.NDArray[np.int64] | None = None
    judged = level != NOT_JUDGED
    if not judged.all():
        dropped = int((~judged).sum())
        columns = [source.label for source in sources if isinstance(source.label, pl.Series)]
        empty = sum(int((column.str.strip_chars(ASCII_BLANKS) == "").sum()) for column in columns)
        what = counted(dropped, "empty label" if empty == dropped else "label")
        why = "" if empty == dropped else f" that mean{'s' if dropped == 1 else ''} 'not judged'"
        some = f", {empty:,} of them empty" if 0 < empty < dropped else ""
        text = f"{what}{why} {'was' if dropped == 1 else 'were'} left out{some}."
        findings.append(Finding("labels-missing", text))
        kept = [_keep_judged(source, part != NOT_JUDGED) for source, part in zip(sources, label_levels, strict=True)]
        level, place = level[judged], np.flatnonzero(judged)
    if len(level) == 0:
        raise DataError("Every label means 'not judged'; no judgment is left.")
    topic, topics = code_names([(source.topics, source.topic) for source in kept], sort=True)
    named = [
        code_column(source.assessors)
        if source.assessor is None
        else ([source.assessor], np.zeros(len(source), np.int32))
        for source in kept
    ]
    assessor, assessors = code_names(named, sort=False)
    if roles is None:
        roles = all(len(source.people()) <= 1 for source in kept)
    if not roles:
        assessor, assessors = _sort_assessors(kept, assessor, assessors)
    documents = Names.join([source.document for source in kept])
    item, items = number_names(topic, documents)
    intents = _optional(kept, "intent")
    if intents is not None:
        if intents.null_count():
            raise DataError(
                "Some sources have intents and others do not. Read them apart, or give each judgment its intent."
            )
        item, items = number_names(item, Names.of(intents))

    def where(row: int) -> str:
        return _where(sources, row if place is None else int(place[row]))

    def describe(rows: list[int]) -> str:
        name, [document] = assessors[assessor[rows[0]]], documents.rows(slice(rows[0], rows[0] + 1)).texts()
        given = ", ".join(found.names[level[row]] for row in rows)
        return f"{name} gave {topics[topic[rows[0]]]} {document} the levels {given} ({'; '.join(map(where, rows[:2]))})"

    findings += [found for source in sources for found in source.findings]
    if levels is None:

        def show(rare_levels: list[int]) -> list[str]:
            return [where(row) for row in np.flatnonzero(np.isin(level, rare_levels))[:MOST_PLACES].tolist()]

        findings += find_rare_labels(found, tally_labels(assessor, level, len(assessors), len(found)), show)
    unnamed = _list_unnamed(sources)
    if repeats == "as-assessors":
        assessor, assessors, split = split_repeats(item, assessor, assessors)
        findings += split
        roles = roles and not split
    keep, noticed = resolve_repeats(item, assessor, level, repeats=repeats, describe=describe, hint=unnamed)
    judgments = Judgments(
        levels=found,
        topics=topics,
        assessors=assessors,
        topic=topic,
        assessor=assessor,
        level=level,
        item=item,
        items=items,
        documents=documents,
        intent=intents,
        weight=_weights(_optional(kept, "weight"), where),
        strata=_strata(_optional(kept, "stratum"), topic, topics),
        findings=(*findings, *noticed),
        roles=roles,
        unnamed=unnamed,
        declared=levels is not None or bool(maps),
    )
    return judgments if keep is None else judgments.rows(keep)


def _list_unnamed(sources: Sequence[Source]) -> str:
    """Which tables have no assessor column, and which columns they have; empty where all say who judged."""
    return "".join(say_unnamed(source.name, source.titles) for source in sources)


def say_unnamed(name: str, titles: Sequence[str]) -> str:
    """That a table with these columns has none for assessors; empty where there are no such."""
    said = f" No assessor column was found in {name}, so it is taken as one assessor's; its columns are {{}}."
    return said.format(list_titles(titles)) if titles else ""


def _sort_assessors(
    sources: Sequence[Source], assessor: npt.NDArray[np.int32], assessors: tuple[str, ...]
) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
    """The same in the order of the sources, and by name within each of them."""
    ordered: dict[str, None] = {}
    for source in sources:
        ordered |= dict.fromkeys(sorted(source.people(), key=str.encode))
    place = {name: code for code, name in enumerate(ordered)}
    return np.array([place[name] for name in assessors], np.int32)[assessor], tuple(ordered)


def _keep_judged(source: Source, judged: npt.NDArray[np.bool_]) -> Source:
    """The rows that are judged; where they stand, only the whole source knows."""
    label = source.label
    return replace(
        source,
        topic=source.topic[judged],
        document=source.document.rows(judged),
        label=label[judged] if isinstance(label, np.ndarray) else label.filter(judged),
        columns={name: column.filter(judged) for name, column in source.columns.items()},
    )


def _optional(sources: Sequence[Source], name: str) -> pl.Series | None:
    """An optional column of all sources, nulls where a source lacks it; None where all do."""
    if not any(name in source.columns for source in sources):
        return None
    kind = pl.Float64 if name == "weight" else pl.String
    return pl.concat(
        source.columns[name].cast(kind).alias(name)
        if name in source.columns
        else pl.Series(name, [None] * len(source), dtype=kind)
        for source in sources
    )


def _where(sources: Sequence[Source], row: int) -> str:
    for source in sources:
        if row < len(source):
            return source.where(row)
        row -= len(source)
    raise AssertionError("row beyond the last source")


def _weights(column: pl.Series | None, where: Callable[[int], str]) -> npt.NDArray[np.float64] | None:
    if column is None:
        return None
    weight = column.fill_null(1.0).to_numpy()
    bad = np.flatnonzero(~(np.isfinite(weight) & (weight > 0)))
    if len(bad):
        faults = [
            f"{where(row)}: expected a weight above 0 (1 / the probability of being judged), found {weight[row]:g}"
            for row in bad[:MOST_FAULTS].tolist()
        ]
        raise FormatError.listing(faults, len(bad) - len(faults))
    return weight


def _strata(column: pl.Series | None, topic: npt.NDArray[np.int32], topics: tuple[str, ...]) -> dict[str, str] | None:
    if column is None:
        return None
    table = pl.DataFrame({"topic": topic, "stratum": column}).drop_nulls().unique()
    strata = {topics[code]: stratum for code, stratum in table.iter_rows()}
    if table.height > len(strata):
        torn = sorted({topics[code] for code in table.filter(table["topic"].is_duplicated())["topic"]})
        raise DataError(
            f"A topic belongs to one stratum, but {len(torn)} topics have several: {', '.join(torn[:MOST_FAULTS])}."
        )
    lacking = [name for name in topics if name not in strata]
    if lacking:
        raise DataError(
            f"{len(lacking)} topics have no stratum: {', '.join(lacking[:MOST_FAULTS])}. Give each topic a stratum."
        )
    return strata
