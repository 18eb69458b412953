"""Waist: what some whole topics come down to, and how the waists of all topics become judgments and runs again.

Rows are read by the ordinary readers, then dealt out by topic. Matching runs with judged documents happens within a
topic, and leaves little behind: who gave which label to the n-th document of a topic, and at which rank a run has it.
The names of documents stay behind. Everything else (what labels mean, repeats, findings) is a question to the whole,
and is asked of the joined waist by the functions that ask it of files.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Final, Literal

import numpy as np
import polars as pl

from gainsayer.errors import FormatError
from gainsayer.judgments.files import Meaning
from gainsayer.judgments.labels import AnySource
from gainsayer.judgments.qrels import SecondColumn, read_qrels
from gainsayer.judgments.tables import Source, notice_positives, read_table
from gainsayer.lines.names import Names
from gainsayer.rankings.documents import RankedDocuments
from gainsayer.rankings.pool import DocumentPool
from gainsayer.rankings.ranking import Ties, find_close, find_documents, no_common_topic
from gainsayer.runs.run import Run
from gainsayer.runs.tables import run_from_frame
from gainsayer.runs.trec import read_trec
from gainsayer.tables.cells import column_text
from gainsayer.tables.columns import ASCII_BLANKS, JUDGMENTS, RUNS, notice_columns, tell_columns

_STANDS: Final = {"source": pl.Int32, "file": pl.Int32, "start": pl.Int64, "number": pl.Int64}
_NAMED: Final = {"topic": pl.String, "document": pl.String}
JUDGED: Final = pl.Schema(
    _STANDS | _NAMED | {"assessor": pl.String, "label": pl.String, "stratum": pl.String, "weight": pl.Float64}
)
"""Rows of judgments: whose they are, where they stand (file, where its split starts, the row there), what they say."""
RANKED: Final = pl.Schema(
    _STANDS | _NAMED | {"run": pl.String, "tag": pl.String, "score": pl.Float64, "rank": pl.Float64}
)
"""Rows of runs, likewise. `run` is the name in the run column of a source with several runs, else empty."""
_ORDER: Final = ("file", "start", "number")
_HIT: Final = {"topic": pl.UInt32, "rank": pl.Int32, "document": pl.UInt32}
_CLOSE: Final = {"source": pl.Int32, "run": pl.String, "topic": pl.String}


@dataclass(frozen=True)
class Origin:
    """A source of judgments or runs.

    Args:
        name: what messages call it.
        owner: the assessor or the run, where no column says who.
        titles: the columns of a table; None for TREC text.
        by: the title of a table's assessor or run column; empty where the whole table is one's.
    """

    name: str
    owner: str
    titles: tuple[str, ...] | None = None
    by: str = ""


def parse_judgments(rows: bytes | pl.DataFrame, origin: Origin, meaning: Meaning) -> pl.DataFrame:
    r"""Lines of qrels, or rows of a table, as the readers of files read them: the columns of `JUDGED` that there are.

    >>> parse_judgments(b"q1 0 d1 2\n", Origin("a.qrels", "ann"), Meaning()).rows()
    [('q1', 'd1', '2')]
    """
    source: AnySource
    if isinstance(rows, bytes):
        second: SecondColumn = "assessor" if meaning.by_assessor else "iteration"
        source = read_qrels(io.BytesIO(rows), origin.name, assessor=origin.owner, second_column=second)
    else:
        source = read_table(rows, origin.name, assessor=origin.owner)
    frame = source.frame.with_columns(pl.col("label").cast(pl.String))
    return frame if origin.by or isinstance(rows, bytes) else frame.drop("assessor")


def parse_run(rows: bytes | pl.DataFrame, origin: Origin, *, ranks: bool = False) -> pl.DataFrame:
    r"""Lines of a TREC run, or rows of a table, as the readers of files read them: the columns of `RANKED`.

    >>> parse_run(b"q1 Q0 d1 1 2.5 bm25\n", Origin("a.run", "a")).rows()
    [('q1', 'd1', 2.5, '', 'bm25')]
    """
    if isinstance(rows, bytes):
        run = read_trec(io.BytesIO(rows), origin.name, ranks=ranks)
    else:
        run = run_from_frame(rows.drop(origin.by) if origin.by else rows, origin.name, name=origin.owner)
    frame = run.frame().with_columns(run=pl.lit(""), tag=pl.lit(run.name))
    if isinstance(rows, bytes) or not origin.by:
        return frame
    names = column_text(rows[origin.by], "run", origin.name).str.strip_chars(ASCII_BLANKS)
    return frame.with_columns(names.alias("run"), names.replace("", origin.owner).alias("tag"))


@dataclass(frozen=True, eq=False)
class Waist:
    """What some topics come down to, as tables. Topics are places in `topics`, documents are numbers within theirs.

    Args:
        topics: topic, documents: all topics, and how many judged documents each has.
        judged: source, file, start, number, topic, document, assessor, label, stratum, weight.
        lists: source, run, tag, topic, retrieved, close, file, start, number: how long the lists are, whether they are
            others in single precision, and where they begin.
        hits: source, run, topic, rank, document: where the runs have the judged documents.
    """

    topics: pl.DataFrame
    judged: pl.DataFrame
    lists: pl.DataFrame
    hits: pl.DataFrame


class RunError(FormatError):
    """A run cannot be ranked; `source` is its place among the sources of runs."""

    def __init__(self, text: str, source: int) -> None:
        super().__init__(text)
        self.source = source


def make_waist(
    judged: pl.DataFrame,
    ranked: pl.DataFrame,
    names: Sequence[str] = (),
    *,
    ties: Ties = "trec",
    depth: int | None = None,
) -> Waist:
    """The waist of some whole topics.

    Args:
        judged: their judgments, with the columns of `JUDGED`.
        ranked: what runs return for them, with the columns of `RANKED`.
        names: what messages call the sources of runs.
        ties: how lists are ordered.
        depth: the deepest rank that any measure looks at; None for all.

    Raises:
        RunError: a run has a document twice in a topic, or a rank where ranks decide.
    """
    items = list_items(judged)
    pool = pool_items(items)
    alone = ranked.select("topic").unique().filter(~pl.col("topic").is_in(pool.topics))["topic"]
    sizes = np.append(np.diff(pool.starts), np.zeros(len(alone), np.int64))
    topics = pl.DataFrame({"topic": pl.Series([*pool.topics, *alone], dtype=pl.String), "documents": sizes})
    code = topics.select("topic", code=pl.int_range(pl.len(), dtype=pl.UInt32))
    numbered = items.with_columns(entry=pl.int_range(pl.len(), dtype=pl.UInt32).over("topic"))
    lists = ranked.sort(_ORDER).group_by("source", "run", "topic").agg(pl.first("tag", *_ORDER), retrieved=pl.len())
    hits = [pl.DataFrame(schema={**_HIT, "source": pl.Int32, "run": pl.String})]
    close = [pl.DataFrame(schema=_CLOSE)]
    parts = ranked.sort("topic", *_ORDER).partition_by("source", "run", as_dict=True, maintain_order=True)
    for (source, run), rows in parts.items():
        name, given = names[int(source)], _as_run(rows, names[int(source)])
        if ties == "trec":
            near = [topic for topic, is_close in zip(given.topics, find_close(given, depth), strict=True) if is_close]
            close.append(pl.DataFrame({"source": source, "run": run, "topic": near}, schema=_CLOSE))
        try:
            found = find_documents(given, pool, ties=ties, depth=depth)
        except FormatError as error:
            raise RunError(_quote_repeats(rows, name) or str(error), int(source)) from None
        arrays = (found.topic, found.rank, found.entry - pool.starts[found.topic])
        hits.append(
            pl.DataFrame(dict(zip(_HIT, arrays, strict=True)), schema=_HIT).with_columns(
                source=pl.lit(source, pl.Int32), run=pl.lit(run, pl.String)
            )
        )
    return Waist(
        topics=topics,
        judged=(
            judged.join(numbered, on=["topic", "document"], maintain_order="left")
            .join(code, on="topic", maintain_order="left")
            .drop("topic", "document")
            .rename({"code": "topic", "entry": "document"})
        ),
        lists=lists.join(pl.concat(close).with_columns(close=pl.lit(True)), on=["source", "run", "topic"], how="left")
        .with_columns(pl.col("close").fill_null(False))
        .join(code, on="topic")
        .drop("topic")
        .rename({"code": "topic"}),
        hits=pl.concat(hits),
    )


def list_items(rows: pl.DataFrame) -> pl.DataFrame:
    """Every document of a topic once, sorted."""
    return rows.select("topic", "document").unique().sort("topic", "document")


def pool_items(items: pl.DataFrame) -> DocumentPool:
    """A pool of the documents that `list_items` gave."""
    sizes = items.group_by("topic", maintain_order=True).len()
    starts = np.concatenate(([0], np.cumsum(sizes["len"].to_numpy()))).astype(np.int64)
    return DocumentPool(tuple(sizes["topic"]), starts, Names.of(items["document"]))


def _as_run(rows: pl.DataFrame, name: str) -> Run:
    """Rows of one run, sorted by topic."""
    topics = rows["topic"].rle().struct.unnest()
    return Run(
        name=name,
        topics=tuple(topics["value"]),
        topic=np.repeat(np.arange(topics.height, dtype=np.int32), topics["len"].to_numpy()),
        document=Names.of(rows["document"]),
        score=rows["score"].to_numpy(),
        rank=None if rows["rank"].null_count() else rows["rank"].to_numpy(),
        source=name,
        line=rows["number"].to_numpy(),
        unit="row",
    )


def _quote_repeats(rows: pl.DataFrame, name: str) -> str:
    """Which documents of a run, or else which ranks, are there a second time."""
    for what in ("document", "rank"):
        again = rows.drop_nulls(what).filter(~pl.struct("topic", what).is_first_distinct())
        if again.height:
            twice = [
                f"{name}: {what} {cell} of topic {topic} is there twice."
                for topic, cell in again.select("topic", what).rows()
            ]
            return str(FormatError.listing(twice, advice="A run lists a document once per topic."))
    return ""


def pack(waist: Waist) -> tuple[bytes, ...]:
    """A waist as bytes, a table each (Arrow streams): reading them runs no code."""
    packed = []
    for name in TABLES:
        stream = io.BytesIO()
        getattr(waist, name).write_ipc_stream(stream, compression="lz4")
        packed.append(stream.getvalue())
    return tuple(packed)


def unpack(packed: Iterable[bytes]) -> Waist:
    """The waist that `pack` made bytes of."""
    return Waist(*map(pl.read_ipc_stream, packed))


TABLES: Final = tuple(field.name for field in fields(Waist))


def join_waists(waists: Iterable[Waist]) -> Waist:
    """One waist of all topics, each of which is in one of them; where rows stand decides their order."""
    parts: dict[str, list[pl.DataFrame]] = {name: [] for name in TABLES}
    shift = 0
    for waist in waists:
        parts["topics"].append(waist.topics)
        for name in TABLES[1:]:
            parts[name].append(getattr(waist, name).with_columns(pl.col("topic") + pl.lit(shift, pl.UInt32)))
        shift += waist.topics.height
    whole = {name: pl.concat(tables) for name, tables in parts.items()}
    return Waist(
        topics=whole["topics"],
        judged=whole["judged"].sort("source", *_ORDER),
        lists=whole["lists"].sort("source", "run", *_ORDER),
        hits=whole["hits"],
    )


@dataclass(frozen=True, eq=False)
class GatheredSource(Source):
    """Judgments whose documents are called by their numbers, rows in the order of the files.

    Args:
        reread: the source as the ordinary reader reads it, for the places of rows; None where that cannot be had.
        format: `qrels`, or None for tables.
    """

    format: Literal["qrels"] | None = None
    reread: Callable[[], AnySource | None] = lambda: None

    def where(self, row: int) -> str:
        """The place of a row, for messages."""
        return self.name if self._read is None else self._read.where(row)

    @cached_property
    def _read(self) -> AnySource | None:
        return self.reread()


def as_sources(
    waist: Waist, origins: Sequence[Origin], reread: Callable[[int], AnySource | None]
) -> list[GatheredSource]:
    """The judgments of each source, as its reader would have given them; `reread` does so for its number."""
    topics, numbers = waist.topics["topic"], _number_names(waist)
    sources = []
    for place, origin in enumerate(origins):
        rows = waist.judged.filter(pl.col("source") == place)
        told = [] if origin.titles is None else tell_columns(origin.titles, JUDGMENTS)
        frame = rows.select("label", *(name for name in ("stratum", "weight") if name in told)).with_columns(
            topics.gather(rows["topic"]).alias("topic"), numbers.gather(rows["document"]).alias("document")
        )
        named = rows["assessor"].null_count() == 0
        if origin.titles is not None or named:
            frame = frame.with_columns(rows["assessor"] if named else pl.lit(origin.owner).alias("assessor"))
        titles = origin.titles or ()
        positives = notice_positives(titles, rows["label"].unique(), origin.name)
        sources.append(
            GatheredSource(
                origin.name,
                frame,
                assessor=None if "assessor" in frame.columns else origin.owner,
                titles=() if origin.by else titles,
                findings=(*notice_columns(titles, origin.name, JUDGMENTS), *positives),
                implied=("0",) if positives else (),
                format="qrels" if origin.titles is None else None,
                reread=lambda place=place: reread(place),  # type: ignore[misc]  # bound now
            )
        )
    return sources


def as_runs(waist: Waist, origins: Sequence[Origin]) -> tuple[RankedDocuments, ...]:
    """The runs of each source, matched with all judged documents; those of one table by their names.

    Raises:
        DataError: a run shares no topic with the judgments.
    """
    kept = waist.topics.with_row_index("code").filter(pl.col("documents") > 0).sort("topic")
    place = np.full(waist.topics.height, -1)
    place[kept["code"].to_numpy()] = np.arange(kept.height)
    sizes = kept["documents"].to_numpy()
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    numbers = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
    pool = DocumentPool(tuple(kept["topic"]), starts, Names.of(_number_names(waist)).rows(numbers))
    hits = waist.hits.partition_by("source", "run", as_dict=True)
    matched = []
    for (source, run), lists in waist.lists.partition_by("source", "run", as_dict=True, maintain_order=True).items():
        origin = origins[int(source)]
        listed = place[lists["topic"].to_numpy()]
        retrieved = np.zeros(kept.height, np.int64)
        retrieved[listed[listed >= 0]] = lists["retrieved"].to_numpy()[listed >= 0]
        found = hits.get((source, run), waist.hits.clear())
        topic, rank = place[found["topic"].to_numpy()], found["rank"].to_numpy()
        order = np.lexsort((rank, topic))
        ranked = RankedDocuments(
            pool=pool,
            topic=topic[order].astype(np.int32),
            rank=rank[order],
            entry=starts[topic[order]] + found["document"].to_numpy()[order],
            later=np.zeros(len(order), np.bool_),
            retrieved=retrieved,
            present=retrieved > 0,
            unscored=tuple(waist.topics["topic"].gather(lists["topic"].filter(listed < 0))),
            name=lists["tag"][0],
            source=origin.name,
            findings=notice_columns(origin.titles or (), origin.name, RUNS),
            close=int((lists["close"].to_numpy() & (listed >= 0)).sum()),
        )
        if not ranked.present.any():
            raise no_common_topic(ranked)
        matched.append(ranked)
    return tuple(matched)


def _number_names(waist: Waist) -> pl.Series:
    """The names `#0`, `#1`, ... for as many documents as any topic has."""
    most = int(waist.topics["documents"].max() or 0)  # type: ignore[arg-type]  # a number
    return pl.Series([f"#{number}" for number in range(most)], dtype=pl.String)
