"""Which column of a table holds what, and the table as a `Source` once its names and weights are checked.

CSV, TSV, JSON lines, Parquet and tables in memory all end here, so they obey the same rules: the usual synonyms of
a column are understood, in any case and with any blank, `-` or `_`; other columns are left out; names lose their outer
blanks and may not be empty. An empty level is passed on as the label '', which the caller may declare as *not judged*.

A *wide* table has a column of levels for each rater. Where the raters' columns are named, every cell of theirs that is
not empty is a judgment, and its column the assessor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

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
RATER: Final = "rater "
"""What the key of a rater's column begins with; the column's title follows."""
_MOST_NAMED: Final = 20
_MOST_LABELS: Final = 12
_LONGEST_LABEL: Final = 20
_MARKS: Final = str.maketrans("", "", "-_ \t")
Peek: TypeAlias = Callable[[int], Sequence[str]]


@dataclass(frozen=True)
class Cells:
    """The known columns of a table as text, by what they hold; where their rows stand (see `Source`); all titles."""

    columns: Mapping[str, pl.Series]
    first_line: int | None = None
    lines: npt.NDArray[np.int64] | None = None
    titles: tuple[str, ...] = ()


def tell_column(title: str, synonyms: Mapping[str, Sequence[str]] = SYNONYMS) -> str | None:
    """What a column of this title holds, or None; case, blanks, `-` and `_` make no difference.

    >>> tell_column("Query-ID"), tell_column("_workerid"), tell_column("score")
    ('topic', 'assessor', None)
    """
    spelling = spell_title(title)
    return next((meaning for meaning, titles in synonyms.items() if spelling in map(spell_title, titles)), None)


@lru_cache(maxsize=1024)
def spell_title(title: str) -> str:
    """A title without what makes no difference.

    >>> spell_title("_Worker ID"), spell_title("worker-id")
    ('workerid', 'workerid')
    """
    return title.strip().lower().translate(_MARKS)


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
    raters: Sequence[str] = (),
    peek: Peek | None = None,
) -> dict[str, int]:
    """The place of each known column among the titles.

    Args:
        titles: the titles of a table.
        name: what messages call it.
        synonyms: which titles mean which column.
        needed: the columns that must be there.
        raters: columns of levels, one per rater; then there is no other level and no assessor column.
        peek: the first cells of a column, to tell which ones may be raters' where no level column is found.

    Raises:
        FormatError: a needed column is missing, or two columns could be the same one.

    >>> find_columns(["docno", "qid", "title", "rel"], "a.csv")
    {'document': 0, 'topic': 1, 'level': 3}
    >>> find_columns(["docno", "qid", "ann", "bob"], "a.csv", raters=["ann", "bob"])
    {'rater ann': 2, 'rater bob': 3, 'document': 0, 'topic': 1}
    """
    places = _find_raters(titles, name, raters)
    taken = set(places.values())
    doubles: list[str] = []
    for place, title in enumerate(titles):
        meaning = None if place in taken else tell_column(title, synonyms)
        if meaning is None or (raters and meaning in ("level", "assessor")):
            continue
        if meaning in places:
            doubles.append(
                f"{name}: expected one {meaning} column, found two: {shorten(titles[places[meaning]])} and "
                f"{shorten(title)}. Rename or remove one of them."
            )
        else:
            places[meaning] = place
    if doubles:
        raise FormatError.listing(doubles)
    missing = [meaning for meaning in needed if meaning not in places and not (raters and meaning == "level")]
    if missing:
        faults = [f"No {meaning} column: call it {' or '.join(synonyms[meaning])}." for meaning in missing]
        if "level" in missing and (candidates := _find_candidates(titles, places, peek)):
            faults.append(
                "If each rater has a column of levels, name these columns as the raters: "
                f"raters='{','.join(candidates)}'"
            )
        expected = f"{name}: expected the columns {', '.join(needed)}, found {list_titles(titles)}."
        raise FormatError("\n".join([expected, *faults]))
    return places


def list_titles(titles: Sequence[str]) -> str:
    """The titles of a table for a message; the first twenty, where there are many.

    >>> list_titles(["qid", "docno"])
    "'qid', 'docno'"
    """
    shown = ", ".join(shorten(title) for title in titles[:_MOST_NAMED]) or "none"
    return shown + (f" and {len(titles) - _MOST_NAMED} more" if len(titles) > _MOST_NAMED else "")


def _find_raters(titles: Sequence[str], name: str, raters: Sequence[str]) -> dict[str, int]:
    """The columns of the raters: by their titles, else by what these mean without case, blanks and marks."""
    places: dict[str, int] = {}
    for rater in raters:
        exact = [place for place, title in enumerate(titles) if title.strip() == rater.strip()]
        alike = [place for place, title in enumerate(titles) if spell_title(title) == spell_title(rater)]
        found = exact or alike
        if len(found) != 1:
            what = "no such column" if not found else f"{len(found)} columns of that name"
            raise FormatError(
                f"{name}: expected a column {shorten(rater)} with a rater's levels, found {what} among "
                f"{list_titles(titles)}."
            )
        places[RATER + titles[found[0]].strip()] = found[0]
    if len(set(places.values())) < len(raters):
        raise FormatError(f"{name}: a rater's column was named twice: {', '.join(raters)}.")
    return places


def _find_candidates(titles: Sequence[str], places: Mapping[str, int], peek: Peek | None) -> list[str]:
    """Columns that hold nothing known and look like labels: few and short different cells."""
    free = [place for place in range(len(titles)) if place not in places.values()]
    if peek is None:
        return [titles[place] for place in free]
    chosen = []
    for place in free:
        cells = {cell.strip() for cell in peek(place)} - {""}
        if cells and len(cells) <= _MOST_LABELS and max(map(len, cells)) <= _LONGEST_LABEL:
            chosen.append(titles[place])
    return chosen


def make_source(
    columns: Mapping[str, pl.Series],
    name: str,
    *,
    assessor: str | None,
    first_line: int | None = None,
    lines: npt.NDArray[np.int64] | None = None,
    titles: Sequence[str] = (),
) -> Source:
    """The columns, all String and without nulls, as a checked `Source`.

    Args:
        columns: `topic, document, level`, and whichever of the other columns there are; of a wide table, the raters'
            columns instead of `level` (see `find_columns`).
        name: what messages call the file or table.
        assessor: who gave the levels, where no column says so.
        first_line: see `Source`.
        lines: see `Source`.
        titles: all titles of the table, for messages.

    Raises:
        CallError: neither a column nor `assessor` says who gave the levels.
        FormatError: a name is empty, or a weight is no number.
    """
    if any(key.startswith(RATER) for key in columns):
        columns, lines = _melt(columns, first_line, lines)
    if "assessor" not in columns and assessor is None:
        raise CallError(
            f"{name} has no assessor column ({', '.join(SYNONYMS['assessor'][:5])}); its columns are "
            f"{list_titles(titles)}. Rename one of them, or name the assessor of the whole table: ('name', table)"
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
    unnamed = tuple(titles) if "assessor" not in columns else ()
    chosen = table.select("topic", "document", "assessor", "label", *optional)
    source = Source(name, chosen, None if lines is not None else first_line, lines, titles=unnamed)
    _check(source, columns, names)
    return source


def _melt(
    columns: Mapping[str, pl.Series], first_line: int | None, lines: npt.NDArray[np.int64] | None
) -> tuple[dict[str, pl.Series], npt.NDArray[np.int64]]:
    """A wide table as rows of one judgment each, and their lines; a rater's empty cells are no judgments."""
    others = {key: column for key, column in columns.items() if not key.startswith(RATER)}
    height = len(next(iter(columns.values())))
    stands = lines if lines is not None else np.arange(height) + (1 if first_line is None else first_line)
    parts = []
    for key, column in columns.items():
        if key.startswith(RATER):
            part = pl.DataFrame([*(other.alias(name) for name, other in others.items()), column.alias("level")])
            part = part.with_columns(
                pl.lit(key.removeprefix(RATER)).alias("assessor"), pl.Series("line", stands.astype(np.int64))
            )
            parts.append(part.filter(pl.col("level").str.strip_chars(ASCII_BLANKS) != ""))
    table = pl.concat(parts)
    melted = {name: table[name] for name in (*others, "assessor", "level")}
    return melted, table["line"].to_numpy()


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
