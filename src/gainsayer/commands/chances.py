"""With which chances people's documents were drawn: read from beside the labels, or as they look."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import polars as pl

from gainsayer.commands.inputs import Reading
from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.judgments.side_files import read_topic_table
from gainsayer.judgments.table import Judgments
from gainsayer.lines.opening import STANDARD_INPUT, FilePath, as_text, call_file, read_content
from gainsayer.machines.sample import BoolArray, Design
from gainsayer.rankings.ranked_levels import FloatArray, IntArray
from gainsayer.text import option

# Chances by topic and document: a file, a table, {topic: {document: probability}}, or `observed`.
SampledInput: TypeAlias = str | FilePath | Mapping[str, Mapping[str, float]] | Any
KEY: Final = ["topic", "document"]
OBSERVED: Final = "observed"


@dataclass(frozen=True, eq=False)
class Chances:
    """How people's documents were drawn.

    Args:
        probability: of each document of a seen topic, NaN where it is not known; shape [documents].
        seen: the topics in which documents were drawn; shape [topics].
        assumed: whether they were guessed from shares.
        findings: what was noticed.
    """

    probability: FloatArray
    seen: BoolArray
    assumed: bool = False
    findings: tuple[Finding, ...] = ()


def find_chances(
    judged: BoolArray,
    topic: IntArray,
    grade: IntArray,
    topics: int,
    labels: pl.DataFrame,
    where: pl.DataFrame,
    sampled: SampledInput | None,
    people: Sequence[object],
    design: Design | None,
) -> Chances:
    """The chances with which documents were drawn, and in which topics.

    They stand in a column of the labels (`probability`, or `weight`, one over it) or in `sampled`. Where nobody says
    any, or all are 1, whole topics were judged: those that have labels.

    Args:
        judged: whether people judged the document; shape [documents].
        topic: the place of its topic; shape [documents].
        grade: the machine's; shape [documents].
        topics: how many there are.
        labels: people's labels that are in the pool, with their `place` in it.
        where: topic, document and place of all documents of the pool.
        sampled: chances given apart, or `observed`.
        people: where the labels come from.
        design: what was drawn, where it is known.

    Raises:
        DataError: documents were drawn and some have no chance.
    """
    there = np.bincount(topic[judged], minlength=topics) > 0
    if isinstance(sampled, str) and sampled == OBSERVED:
        said = "How documents were chosen is not known: within a grade all are taken to have had the same chance."
        found = _observed(grade, judged, there[topic])
        return Chances(found, there, True, (Finding("design-assumed", said),))
    chances, wanted = _read_chances(sampled, people, labels, where)
    skipped = int((wanted & ~judged).sum())
    findings: tuple[Finding, ...] = ()
    if skipped:
        said = (
            f"People were asked to judge {int(wanted.sum()):,} documents and left out {skipped:,}. If these are harder "
            "than others, scores are wrong, and nothing here can show it."
        )
        findings = (Finding("people-skipped", said),)
    if chances is None and design in ("documents", "two-stage"):
        raise DataError(
            "Documents were drawn, but nobody says with which probabilities. Give every judged document its own, or "
            f"{option('sampled', 'observed')} where a grade's documents were chosen at random."
        )
    if chances is None or np.all(chances[judged] == 1):
        return Chances(np.ones(len(judged)), there, findings=findings)
    lacking = judged & np.isnan(chances)
    if lacking.any():
        raise DataError(
            f"{int(lacking.sum()):,} documents that people judged have no probability of being chosen. Give every "
            f"judged document one, or {option('sampled', 'observed')} where a grade's documents were chosen at random."
        )
    seen = _seen(topic[judged], topics, design)
    return Chances(np.where(seen[topic], chances, np.nan), seen, findings=findings)


def _read_chances(
    sampled: SampledInput | None, people: Sequence[object], labels: pl.DataFrame, where: pl.DataFrame
) -> tuple[FloatArray | None, BoolArray]:
    """The chance of each document, NaN where it is not known, None where nobody said; and what people were asked."""
    chances, wanted = np.full(len(where), np.nan), np.zeros(len(where), np.bool_)
    tables = (_number_table(one, "probability", named=one is sampled) for one in (sampled, *people))
    table = next((found for found in tables if found is not None), None)
    if table is not None:
        placed = table.join(where, on=KEY, how="inner")
        chances[placed["place"].to_numpy()] = placed["probability"].to_numpy()
        wanted[placed["place"].to_numpy()] = True
        return chances, wanted
    if "weight" not in labels.columns:
        return None, wanted
    weight = labels["weight"].to_numpy()
    if not np.all(weight >= 1):
        raise DataError("A weight is one over the probability of being chosen, so it is at least 1.")
    chances[labels["place"].to_numpy()] = 1 / weight
    return chances, wanted


def find_chance_table(sources: Sequence[object]) -> pl.DataFrame | None:
    """Topic, document and probability from the first of some sources that has such a column; None where none has."""
    return find_number_table(sources, "probability")


def find_number_table(sources: Sequence[object], column: str) -> pl.DataFrame | None:
    """Topic, document and a number from the first of some sources with a column of this name; None where none has."""
    tables = (_number_table(source, column, named=False) for source in sources)
    return next((found for found in tables if found is not None), None)


def _number_table(source: object, column: str, *, named: bool) -> pl.DataFrame | None:
    """Topic, document and a number from a source; None where it has none."""
    if source is None or isinstance(source, Judgments):
        return None
    if isinstance(source, Reading):
        return find_number_table(source.sources, column)
    if isinstance(source, tuple):
        return _number_table(source[1], column, named=named)
    if isinstance(source, str | os.PathLike):
        if not named and not _has_column(source, column):
            return None
        several = column != "probability"  # calls may differ, a chance may not
        return _unique(read_topic_table(source, (*KEY, column), numbers=(column,), several=several), column)
    if isinstance(source, Mapping):
        if not named:
            return None
        rows = [(t, d, float(p)) for t, documents in source.items() for d, p in documents.items()]
        return pl.DataFrame(rows, schema={"topic": pl.String, "document": pl.String, column: pl.Float64}, orient="row")
    frame = pl.DataFrame(source)  # type: ignore[arg-type]
    if column not in frame.columns:
        return None
    return _unique(frame.select(*(pl.col(key).cast(pl.String) for key in KEY), pl.col(column).cast(pl.Float64)), column)


def _unique(table: pl.DataFrame, column: str) -> pl.DataFrame:
    return table.unique(subset=KEY, maintain_order=True) if column == "probability" else table


def _has_column(path: FilePath, column: str) -> bool:
    """Whether the first line of a file names such a column."""
    if path == STANDARD_INPUT:
        return False
    head = as_text(read_content(path), call_file(path)).lstrip().partition(b"\n")[0]
    return column.encode() in head.replace(b",", b" ").replace(b'"', b" ").lower().split()


def _observed(grade: np.ndarray[Any, Any], judged: np.ndarray[Any, Any], inside: np.ndarray[Any, Any]) -> FloatArray:
    """The share judged of each grade's documents in topics with labels."""
    code = grade + 1
    total = np.bincount(code[inside], minlength=int(code.max()) + 1)
    found = np.bincount(code[inside & judged], minlength=len(total))
    return np.asarray((found / np.maximum(total, 1))[code])


def _seen(topic: np.ndarray[Any, Any], topics: int, design: Design | None) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """In which topics documents were drawn: in all, unless more topics lack labels than chance would leave without."""
    there = np.bincount(topic, minlength=topics) > 0
    if design == "documents":
        return np.ones(topics, np.bool_)
    if design is not None:
        return there
    empty = int((~there).sum())
    mean = len(topic) / max(int(there.sum()), 1)
    expected = topics * np.exp(-mean)
    return np.ones(topics, np.bool_) if empty <= expected + 3 * np.sqrt(expected) else there
