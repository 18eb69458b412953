"""Which column of a table holds what: the usual synonyms are understood, other columns are left out.

Case, blanks, `-` and `_` in a title make no difference. A *wide* table has a column of levels for each rater: the ones
that were named, else every column whose title means nothing else, until its cells have been looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gainsayer.errors import FormatError
from gainsayer.findings import Finding
from gainsayer.reading.faults import shorten
from gainsayer.text import option

SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    "topic": ("topic", "topic_id", "query", "query_id", "qid", "query_text"),
    "document": ("document", "document_id", "doc", "doc_id", "docid", "docno", "corpus_id"),
    "assessor": (
        *("assessor", "judge", "annotator", "rater", "worker"),
        *("assessor_id", "judge_id", "annotator_id", "rater_id", "worker_id"),
    ),
    "level": ("level", "grade", "label", "rel", "relevance", "rating", "judgment"),
    "intent": ("intent", "intent_id", "subtopic", "subtopic_id"),
    "stratum": ("stratum",),
    "weight": ("weight",),
}
# Titles, likewise, of columns that hold numbers but nobody's levels; the empty one is that of pandas' row numbers.
_NO_RATERS: Final = frozenset(
    (
        *("score", "similarity", "sim", "rank", "position", "docposition", "run", "tag", "system", "iteration", "iter"),
        *("q0", "id", "index", "number", "count", "split", "fold", "year", "length", "clicks", "prediction", ""),
        *("confidence", "probability", "timestamp", "time", "date", "duration", "batch", "line", "row"),
    )
)
ASCII_BLANKS: Final = " \t\r\n\f\v"
RATER: Final = "rater "
"""What the key of a rater's column begins with; the column's title follows."""
_MOST_NAMED: Final = 20
_MARKS: Final = str.maketrans("", "", "-_ \t")
# Titles, as `spell_title` has them, that stand back where one of the others is there, too: a query's words behind its
# id, PyTerrier's internal number of a document behind its name.
_STAND_BACK: Final[dict[str, tuple[str, ...]]] = {
    "query": ("qid", "queryid", "topic", "topicid"),
    "querytext": ("qid", "queryid", "topic", "topicid", "query"),
    "docid": ("docno",),
    "judgment": ("level", "grade", "label", "rel", "relevance", "rating"),
}


@dataclass(frozen=True)
class Schema:
    """What a table holds.

    Args:
        synonyms: which titles mean which column.
        needed: the columns that must be there.
        header: a header to copy, for messages.
        numbers: the columns that stay numbers where they are numbers; all others become text.
    """

    synonyms: Mapping[str, Sequence[str]]
    needed: Sequence[str]
    header: str = ""
    numbers: tuple[str, ...] = ()


JUDGMENTS: Final = Schema(SYNONYMS, ("topic", "document", "level"), "topic,document,assessor,level")
RUNS: Final = Schema(
    {
        "topic": SYNONYMS["topic"],
        "document": SYNONYMS["document"],
        "score": ("score", "similarity", "sim"),
        "rank": ("rank", "position"),
        "run": ("run", "tag", "run_id", "run_name", "system"),
    },
    ("topic", "document", "score"),
    "topic,document,score",
    numbers=("score", "rank"),
)


def tell_column(title: str, synonyms: Mapping[str, Sequence[str]] = SYNONYMS) -> str | None:
    """What a column of this title holds, or None; case, blanks, `-` and `_` make no difference.

    >>> tell_column("Query-ID"), tell_column("_workerid"), tell_column("score")
    ('topic', 'assessor', None)
    """
    spelling = spell_title(title)
    return next((meaning for meaning, titles in synonyms.items() if spelling in map(spell_title, titles)), None)


def tell_columns(titles: Sequence[str], schema: Schema) -> list[str | None]:
    """What each column holds, or None; of two that could be the same one, the weaker title stands back.

    In a table of judgments `score` is the level where `corpus-id` stands beside it and no level does (BEIR's qrels), or
    `q_id` (ranx' `Qrels.to_dataframe`).

    >>> tell_columns(["qid", "docid", "docno", "rank", "score", "query"], RUNS)
    ['topic', None, 'document', 'rank', 'score', None]
    >>> tell_columns(["query-id", "corpus-id", "score"], JUDGMENTS)
    ['topic', 'document', 'level']
    """
    spelt = [spell_title(title) for title in titles]
    there = set(spelt)
    meanings = [
        None if there.intersection(_STAND_BACK.get(spelling, ())) else tell_column(title, schema.synonyms)
        for title, spelling in zip(titles, spelt, strict=True)
    ]
    named = "score" in there and ("corpusid" in there or "q_id" in titles)
    if "level" in schema.needed and "level" not in meanings and named:
        meanings[spelt.index("score")] = "level"
    return meanings


def notice_columns(titles: Sequence[str], name: str, schema: Schema) -> tuple[Finding, ...]:
    """Which column was taken, where another one could have been meant.

    >>> [found.message for found in notice_columns(["qid", "docid", "docno", "score", "query"], "a.csv", RUNS)]
    ["a.csv: 'docno' was taken as the document, not 'docid'; 'qid' as the topic, not 'query'."]
    """
    meanings = tell_columns(titles, schema)
    chosen: list[str] = []
    for title, meaning in zip(titles, meanings, strict=True):
        other = tell_column(title, schema.synonyms) if meaning is None else None
        if other is not None and other in meanings:
            taken = titles[meanings.index(other)]
            chosen.append(f"{shorten(taken)} {'' if chosen else 'was taken '}as the {other}, not {shorten(title)}")
        elif meaning == "level" and spell_title(title) == "score":
            chosen.append(f"{shorten(title)} {'' if chosen else 'was taken '}as the level")
    return (Finding("columns-chosen", f"{name}: {'; '.join(chosen)}."),) if chosen else ()


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
    titles = list(cells)
    known = {tell_column(title, synonyms) for title in titles} - {None}
    beir = {"corpusid", "score"} <= set(map(spell_title, titles))
    return len(known) + (beir and "score" not in known) >= 3


def find_columns(
    titles: Sequence[str], name: str, schema: Schema = JUDGMENTS, *, raters: Sequence[str] = ()
) -> dict[str, int]:
    """The place of each known column among the titles.

    Args:
        titles: the titles of a table.
        name: what messages call it.
        schema: what the table holds.
        raters: columns of levels, one per rater; then there is no other level and no assessor column. Where nobody
            named them and the table may be wide, every column that may be a rater's.

    Raises:
        FormatError: a needed column is missing, or two columns could be the same one.

    >>> find_columns(["docno", "qid", "title", "rel"], "a.csv")
    {'document': 0, 'topic': 1, 'level': 3}
    >>> find_columns(["docno", "qid", "ann", "rank"], "a.csv")
    {'rater ann': 2, 'document': 0, 'topic': 1}
    """
    if not raters and may_be_wide(titles, schema):
        raters = list_candidates(titles, schema)
    places = _find_raters(titles, name, raters)
    meanings = tell_columns(titles, schema)
    taken = set(places.values())
    doubles: list[str] = []
    for place, title in enumerate(titles):
        meaning = None if place in taken else meanings[place]
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
    missing = [meaning for meaning in schema.needed if meaning not in places and not (raters and meaning == "level")]
    if missing:
        raise refuse_columns(titles, name, schema, missing)
    return places


def may_be_wide(titles: Sequence[str], schema: Schema) -> bool:
    """Whether judgments lack a level column alone, and have no assessor column: each rater may have one."""
    told = set(tell_columns(titles, schema))
    return "document" in schema.needed and set(schema.needed) - told == {"level"} and "assessor" not in told


def list_candidates(titles: Sequence[str], schema: Schema) -> list[str]:
    """The columns that may hold a rater's levels: those whose titles mean nothing else.

    >>> list_candidates(["qid", "docno", "ann", "Rank", "task_id"], JUDGMENTS)
    ['ann']
    """
    return [
        title
        for title in titles
        if tell_column(title, schema.synonyms) is None
        and spell_title(title) not in _NO_RATERS
        and not title.strip().lower().endswith(("_id", "-id", " id"))
    ]


def refuse_columns(titles: Sequence[str], name: str, schema: Schema, missing: Sequence[str]) -> FormatError:
    """What to say of a table that lacks columns."""
    said = [f"{name}: expected the columns {', '.join(schema.needed)}, found {list_titles(titles)}."]
    said += [f"No {meaning} column: call it {' or '.join(schema.synonyms[meaning])}." for meaning in missing]
    candidates = list_candidates(titles, schema) if "level" in missing else []
    if candidates:
        named = ",".join(candidates[:_MOST_NAMED])
        said.append(f"If each rater has a column of levels, name those columns: {option('raters', named)}")
    return FormatError("\n".join(said))


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
