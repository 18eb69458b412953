"""Which column of a table holds what, and the table as a `Source` once its names and weights are checked.

CSV, TSV, JSON lines, Parquet and tables in memory all end here, so they obey the same rules: the usual synonyms of
a column are understood, in any case; other columns are left out; names lose their outer blanks and may not be empty.
An empty level is passed on as the label '', which the caller may declare as *not judged*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import MOST_FAULTS, CallError, FormatError
from gainsayer.judgments.source import Source
from gainsayer.lines.faults import shorten

SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    "topic": ("topic", "topic_id", "query", "query_id", "qid"),
    "document": ("document", "document_id", "doc", "doc_id", "docid", "docno", "corpus_id"),
    "assessor": (
        *("assessor", "judge", "annotator", "rater", "worker"),
        *("assessor_id", "judge_id", "annotator_id", "rater_id", "worker_id"),
    ),
    "level": ("level", "grade", "label", "rel", "relevance", "rating"),
    "intent": ("intent", "intent_id", "subtopic", "subtopic_id"),
    "stratum": ("stratum",),
    "weight": ("weight",),
}
NEEDED: Final[tuple[str, ...]] = ("topic", "document", "level")
ASCII_BLANKS: Final = " \t\r\n\f\v"
_MOST_NAMED: Final = 20


@dataclass(frozen=True)
class Cells:
    """The known columns of a table as text, by what they hold, and where their rows stand (see `Source`)."""

    columns: Mapping[str, pl.Series]
    first_line: int | None = None
    lines: npt.NDArray[np.int64] | None = None


def tell_column(title: str, synonyms: Mapping[str, Sequence[str]] = SYNONYMS) -> str | None:
    """What a column of this title holds, or None.

    >>> tell_column("Query-ID"), tell_column("score")
    ('topic', None)
    """
    spelling = title.strip().lower().replace("-", "_").replace(" ", "_")
    return next((meaning for meaning, titles in synonyms.items() if spelling in titles), None)


def is_header(cells: Iterable[str], synonyms: Mapping[str, Sequence[str]] = SYNONYMS) -> bool:
    """Whether the cells name at least three of the columns (of judgments, unless told otherwise).

    >>> is_header(["qid", "docno", "comment", "rel"]), is_header(["query", "0", "doc", "1"])
    (True, False)
    """
    return len({tell_column(cell, synonyms) for cell in cells} - {None}) >= 3


def find_columns(
    titles: Sequence[str],
    name: str,
    *,
    synonyms: Mapping[str, Sequence[str]] = SYNONYMS,
    needed: Sequence[str] = NEEDED,
) -> dict[str, int]:
    """The place of each known column among the titles.

    Raises:
        FormatError: a needed column is missing, or two columns could be the same one.

    >>> find_columns(["docno", "qid", "title", "rel"], "a.csv")
    {'document': 0, 'topic': 1, 'level': 3}
    """
    places: dict[str, int] = {}
    doubles: list[str] = []
    for place, title in enumerate(titles):
        meaning = tell_column(title, synonyms)
        if meaning in places:
            doubles.append(
                f"{name}: expected one {meaning} column, found two: {shorten(titles[places[meaning]])} and "
                f"{shorten(title)}. Rename or remove one of them."
            )
        elif meaning is not None:
            places[meaning] = place
    if doubles:
        raise FormatError.listing(doubles)
    missing = [meaning for meaning in needed if meaning not in places]
    if missing:
        found = ", ".join(shorten(title) for title in titles[:_MOST_NAMED]) or "none"
        more = f" and {len(titles) - _MOST_NAMED} more" if len(titles) > _MOST_NAMED else ""
        raise FormatError(
            f"{name}: expected the columns {', '.join(needed)}, found {found}{more}.\n"
            + "\n".join(f"No {meaning} column: call it {' or '.join(synonyms[meaning])}." for meaning in missing)
        )
    return places


def make_source(
    columns: Mapping[str, pl.Series],
    name: str,
    *,
    assessor: str | None,
    first_line: int | None = None,
    lines: npt.NDArray[np.int64] | None = None,
) -> Source:
    """The columns, all String and without nulls, as a checked `Source`.

    Args:
        columns: `topic, document, level`, and whichever of the other columns there are.
        name: what messages call the file or table.
        assessor: who gave the levels, where no column says so.
        first_line: see `Source`.
        lines: see `Source`.

    Raises:
        CallError: neither a column nor `assessor` says who gave the levels.
        FormatError: a name is empty, or a weight is no number.
    """
    if "assessor" not in columns and assessor is None:
        raise CallError(
            f"{name} has no assessor column ({', '.join(SYNONYMS['assessor'][:5])}). Add one, or name the assessor "
            "of the whole table: ('name', table)"
        )
    names = [meaning for meaning in SYNONYMS if meaning in columns and meaning not in ("level", "weight")]
    table = pl.DataFrame([columns[meaning].alias(meaning) for meaning in (*names, "level")])
    table = table.with_columns(pl.col(names).str.strip_chars(ASCII_BLANKS)).rename({"level": "label"})
    if table.height == 0:
        raise FormatError(f"{name} has columns but no judgments below them.")
    if "assessor" not in columns:
        table = table.with_columns(pl.lit(assessor).alias("assessor"))
    if "weight" in columns:
        text = columns["weight"].str.strip_chars(ASCII_BLANKS)
        table = table.with_columns(text.cast(pl.Float64, strict=False).alias("weight"))
    optional = [meaning for meaning in ("intent", "stratum", "weight") if meaning in columns]
    source = Source(name, table.select("topic", "document", "assessor", "label", *optional), first_line, lines)
    _check(source, columns, names)
    return source


def _check(source: Source, columns: Mapping[str, pl.Series], names: Sequence[str]) -> None:
    wrong: list[tuple[int, str]] = []
    count = 0
    for meaning in names:
        empty = (source.frame[meaning] == "").arg_true()
        count += len(empty)
        article = "an" if meaning[0] in "ai" else "a"
        wrong += [(row, f"expected {article} {meaning}, found an empty one.") for row in empty[:MOST_FAULTS]]
    if "weight" in columns:
        odd = source.frame["weight"].is_null().arg_true()
        count += len(odd)
        text = columns["weight"]
        wrong += [(row, f"expected a number as weight, found {shorten(text[row])}.") for row in odd[:MOST_FAULTS]]
    if wrong:
        shown = [f"{source.where(row)}: {fault}" for row, fault in sorted(wrong)[:MOST_FAULTS]]
        raise FormatError.listing(shown, count - len(shown))
