"""Judgments: what assessors said, in one table that every reader fills and every room trusts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import MOST_FAULTS, DataError, FormatError
from gainsayer.findings import Finding
from gainsayer.judgments.coding import code_items, code_names
from gainsayer.judgments.repeats import Repeats, resolve_repeats
from gainsayer.judgments.source import Source
from gainsayer.levels import NOT_JUDGED, Levels, infer_levels


@dataclass(frozen=True, eq=False)
class Judgments:
    """Who gave which level to which document of which topic; one row per judgment.

    The arrays have one entry per judgment. `topic` and `assessor` are places in `topics` (sorted) and `assessors`
    (in the order given); `level` is a place in `levels`; `item` numbers the distinct results, a result being a
    document within a topic (and an intent, where there are intents). Made by `read_judgments` and
    `collect_judgments`, which check everything once.
    """

    levels: Levels
    topics: tuple[str, ...]
    assessors: tuple[str, ...]
    topic: npt.NDArray[np.int32]
    assessor: npt.NDArray[np.int32]
    level: npt.NDArray[np.int16]
    item: npt.NDArray[np.int64]
    items: int
    document: pl.Series
    intent: pl.Series | None = None
    weight: npt.NDArray[np.float64] | None = None
    strata: Mapping[str, str] | None = None
    findings: tuple[Finding, ...] = ()

    def __len__(self) -> int:
        return len(self.level)

    def __repr__(self) -> str:
        return (
            f"Judgments({len(self):,} judgments of {self.items:,} documents, {len(self.topics):,} topics, "
            f"assessors {', '.join(self.assessors[:5])}{', ...' if len(self.assessors) > 5 else ''}, "
            f"levels {', '.join(self.levels.names)})"
        )

    def frame(self) -> pl.DataFrame:
        """The judgments as a table `topic, document, assessor, level`, and the optional columns there are."""
        columns = [
            pl.Series("topic", self.topics, dtype=pl.String).gather(self.topic.astype(np.uint32)),
            self.document.alias("document"),
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

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.frame().__arrow_c_stream__(requested_schema)

    def rows(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Judgments:
        """The chosen judgments alone; topics and assessors keep their places, items are numbered anew."""
        item = self.item[chosen]
        kept, item = np.unique(item, return_inverse=True)
        index = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        return replace(
            self,
            topic=self.topic[chosen],
            assessor=self.assessor[chosen],
            level=self.level[chosen],
            item=item.astype(np.int64),
            items=len(kept),
            document=self.document.gather(index.astype(np.uint32)),
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
) -> Judgments:
    """All sources in one table: labels become levels, repeats are settled, every fault is named by its place.

    Without `levels`, the levels are the whole numbers found, in order; labels that are all text become
    categories without an order. `merges` and `missing` are for that case; declared levels carry their own.

    Raises:
        FormatError: a label is no level.
        RepeatError: one assessor gave one document different levels, and `repeats` is `error`.

    >>> frame = pl.DataFrame({"topic": ["q"] * 3, "document": ["a", "a", "b"],
    ...                       "assessor": ["U1", "U2", "U1"], "label": ["1", "0", "0"]})
    >>> collect_judgments([Source("table", frame, first_line=None)])
    Judgments(3 judgments of 2 documents, 1 topics, assessors U1, U2, levels 0, 1)
    """
    if not sources:
        raise DataError("No judgments were given.")
    frame = pl.concat([source.frame for source in sources], how="diagonal", rechunk=True)
    labels = frame["label"].unique().to_list()
    found = infer_levels(labels, merges=merges, missing=missing) if levels is None else levels
    if isinstance(found, list):
        raise _unfit(sources, set(found), "a whole number as level", "Name the levels from low to high with --levels")
    found = found.adopt_codes(labels)
    index = found.match(labels)
    strangers = set(labels) - set(index)
    if strangers:
        expected = f"one of the levels {', '.join(found.names)}"
        raise _unfit(sources, strangers, expected, "Add it to --levels, merge it with --merge LABEL=LEVEL")
    findings: list[Finding] = []
    if levels is not None and found.codes != levels.codes and found.codes != tuple(map(str, range(len(found)))):
        shown = ", ".join(f"{name}={code}" for name, code in zip(found.names, found.codes or (), strict=True))
        findings.append(Finding("levels-by-order", f"The codes found were taken as the levels in order: {shown}."))
    level = frame["label"].replace_strict(index, return_dtype=pl.Int16).to_numpy()
    judged = level != NOT_JUDGED
    place = np.arange(frame.height)
    if not judged.all():
        dropped = int((~judged).sum())
        findings.append(Finding("labels-missing", f"{dropped:,} labels that mean 'not judged' were left out."))
        frame, level, place = frame.filter(judged), level[judged], place[judged]
    if frame.height == 0:
        raise DataError("Every label means 'not judged'; no judgment is left.")
    topic, topics = code_names(frame["topic"], sort=True)
    assessor, assessors = code_names(frame["assessor"], sort=False)
    keys = [frame["topic"], frame["document"]]
    intent = frame["intent"] if "intent" in frame.columns else None
    item, items = code_items([*keys, *([] if intent is None else [intent])])

    def describe(row: int) -> str:
        name, topic_name, document = assessors[assessor[row]], frame["topic"][row], frame["document"][row]
        where = _where(sources, int(place[row]))
        return f"{where}: {name} gave {topic_name} {document} level {found.names[level[row]]}"

    keep, noticed = resolve_repeats(item, assessor, level, repeats=repeats, describe=describe)
    judgments = Judgments(
        levels=found,
        topics=topics,
        assessors=assessors,
        topic=topic,
        assessor=assessor,
        level=level,
        item=item,
        items=items,
        document=frame["document"],
        intent=intent,
        weight=_weights(frame, sources, place),
        strata=_strata(frame, topics),
        findings=(*findings, *noticed),
    )
    return judgments if keep is None else judgments.rows(keep)


def _where(sources: Sequence[Source], row: int) -> str:
    for source in sources:
        if row < source.frame.height:
            return source.where(row)
        row -= source.frame.height
    raise AssertionError("row beyond the last source")


def _unfit(sources: Sequence[Source], labels: set[str], expected: str, remedy: str) -> FormatError:
    faults: list[str] = []
    total = 0
    for source in sources:
        rows = source.frame["label"].is_in(list(labels)).arg_true()
        total += len(rows)
        for row in rows[: MOST_FAULTS - len(faults)].to_list():
            faults.append(f"{source.where(row)}: expected {expected}, found {_shown(source.frame['label'][row])}")
    advice = f"{remedy}, or say that it means 'not judged' with --missing."
    return FormatError.listing(faults, total - len(faults), advice)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")


def _weights(
    frame: pl.DataFrame, sources: Sequence[Source], place: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64] | None:
    if "weight" not in frame.columns:
        return None
    weight = frame["weight"].cast(pl.Float64).fill_null(1.0).to_numpy()
    bad = np.flatnonzero(~(np.isfinite(weight) & (weight > 0)))
    if len(bad):
        faults = [
            f"{_where(sources, int(place[row]))}: expected a weight above 0 (1 / the probability of being judged), "
            f"found {weight[row]:g}"
            for row in bad[:MOST_FAULTS]
        ]
        raise FormatError.listing(faults, len(bad) - len(faults))
    return weight


def _strata(frame: pl.DataFrame, topics: tuple[str, ...]) -> dict[str, str] | None:
    if "stratum" not in frame.columns:
        return None
    known = frame.select("topic", "stratum").drop_nulls().unique()
    strata = dict(known.iter_rows())
    if known.height > len(strata):
        torn = known.filter(known["topic"].is_duplicated())["topic"].unique().sort().to_list()
        raise DataError(
            f"A topic belongs to one stratum, but {len(torn)} topics have several: {', '.join(torn[:MOST_FAULTS])}."
        )
    lacking = [topic for topic in topics if topic not in strata]
    if lacking:
        raise DataError(
            f"{len(lacking)} topics have no stratum: {', '.join(lacking[:MOST_FAULTS])}. Give each topic a stratum."
        )
    return strata
