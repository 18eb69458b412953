"""Waist: what some whole topics come down to, and how the waists of all topics become judgments and runs again.

Rows are read by the ordinary readers, then dealt out by topic. Matching runs with judged documents happens within a
topic, and leaves little behind: who gave which label to the n-th document of a topic, and at which rank a run has it.
The names of documents stay behind. Everything else (what labels mean, repeats, findings) is a question to the whole,
and is asked of the joined waist by the functions that ask it of files.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import compress
from typing import Final, Literal, TypeAlias

import numpy as np
import polars as pl

from gainsayer.errors import FormatError
from gainsayer.ranking.matching import Ties, find_close, find_documents, no_common_topic
from gainsayer.ranking.pool import DocumentPool
from gainsayer.ranking.ranked import RankedDocuments
from gainsayer.reading.cells import Cells, read_frame
from gainsayer.reading.columns import ASCII_BLANKS, JUDGMENTS, RUNS, Schema, notice_columns, tell_columns
from gainsayer.reading.judged_tables import make_source, notice_positives
from gainsayer.reading.names import Names, code_column
from gainsayer.reading.qrels import read_qrels
from gainsayer.reading.run import Run, run_from_cells
from gainsayer.reading.source import Source
from gainsayer.reading.tables import read_table_file
from gainsayer.reading.trec_runs import read_trec

Rows: TypeAlias = "bytes | pl.DataFrame"
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
_HIT: Final = {"source": pl.Int32, "run": pl.String, "topic": pl.UInt32, "rank": pl.Int32, "document": pl.UInt32}
_CLOSE: Final = {"source": pl.Int32, "run": pl.String, "topic": pl.String}


@dataclass(frozen=True)
class Origin:
    """A source of judgments or runs.

    Args:
        name: what messages call it.
        owner: the assessor or the run, where no column says who.
        format: TREC text, lines of a table with separators, or `cells` (Parquet, data frames).
        titles: the columns of a table.
        header: its first line, where it has lines.
        path: where the driver can open it itself; empty where it cannot.
    """

    name: str
    owner: str
    format: Literal["trec", "csv", "tsv", "cells"] = "trec"
    titles: tuple[str, ...] = ()
    header: bytes = b""
    path: str = ""


def parse_judgments(rows: Rows, origin: Origin, *, by_assessor: bool = False) -> pl.DataFrame:
    r"""Some rows of judgments as the readers of files read them: the columns of `JUDGED` that there are.

    Args:
        rows: lines, below the header where there is one; or cells.
        origin: the source they are from.
        by_assessor: column 2 of TREC text is the assessor.

    >>> parse_judgments(b"q1 0 d1 2\n", Origin("a.qrels", "ann")).rows()
    [('q1', 'd1', '2')]
    """
    if origin.format == "trec":
        assert isinstance(rows, bytes)
        second: Literal["assessor", "iteration"] = "assessor" if by_assessor else "iteration"
        source = read_qrels(io.BytesIO(rows), origin.name, assessor=origin.owner, second_column=second)
    else:
        source = make_source(_read_cells(rows, origin, JUDGMENTS), origin.name, assessor=origin.owner)
    frame = source.frame.with_columns(pl.col("label").cast(pl.String))
    return frame if source.assessor is None else frame.drop("assessor")


def parse_run(rows: Rows, origin: Origin, *, ranks: bool = False) -> pl.DataFrame:
    r"""Some rows of a run, or of a table of several, as the readers of files read them: the columns of `RANKED`.

    Args:
        rows: lines, below the header where there is one; or cells.
        origin: the source they are from.
        ranks: whether the rank column of TREC text is wanted.

    >>> parse_run(b"q1 Q0 d1 1 2.5 bm25\n", Origin("a.run", "a")).rows()
    [('q1', 'd1', 2.5, '', 'bm25')]
    """
    if origin.format == "trec":
        assert isinstance(rows, bytes)
        run = read_trec(io.BytesIO(rows), origin.name, ranks=ranks)
        return run.frame().with_columns(run=pl.lit(""), tag=pl.lit(run.name))
    cells = _read_cells(rows, origin, RUNS)
    columns = dict(cells.columns)
    named = columns.pop("run", None)
    frame = run_from_cells(replace(cells, columns=columns), origin.name, name=origin.owner).frame()
    names = pl.lit("") if named is None else named.str.strip_chars(ASCII_BLANKS)
    return frame.with_columns(names.alias("run")).with_columns(tag=pl.col("run").replace("", origin.owner))


def _read_cells(rows: Rows, origin: Origin, schema: Schema) -> Cells:
    """The known columns of some rows of a table."""
    if isinstance(rows, pl.DataFrame):
        return read_frame(rows, origin.name, schema)
    assert origin.format in ("csv", "tsv")
    return read_table_file(origin.header + rows, origin.name, origin.format, schema)


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
    judged: pl.DataFrame, ranked: pl.DataFrame, names: Sequence[str], *, ties: Ties = "trec", depth: int | None = None
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
    items = judged.select("topic", "document").unique().sort("topic", "document")
    sizes = items.group_by("topic", maintain_order=True).len()
    starts = np.concatenate(([0], np.cumsum(sizes["len"].to_numpy()))).astype(np.int64)
    pool = DocumentPool(tuple(sizes["topic"]), starts, Names.of(items["document"]))
    alone = ranked.select("topic").unique().filter(~pl.col("topic").is_in(pool.topics))["topic"]
    counts = np.append(np.diff(starts), np.zeros(len(alone), np.int64))
    topics = pl.DataFrame({"topic": pl.Series([*pool.topics, *alone], dtype=pl.String), "documents": counts})
    code = topics.select("topic", code=pl.int_range(pl.len(), dtype=pl.UInt32))
    numbered = items.with_columns(entry=pl.int_range(pl.len(), dtype=pl.UInt32).over("topic"))
    lists = ranked.sort(_ORDER).group_by("source", "run", "topic").agg(pl.first("tag", *_ORDER), retrieved=pl.len())
    hits = [pl.DataFrame(schema=_HIT)]
    close = [pl.DataFrame(schema=_CLOSE)]
    parts = ranked.sort("topic", *_ORDER).partition_by("source", "run", as_dict=True, maintain_order=True)
    for (source, run), rows in parts.items():
        name, given = names[int(source)], _as_run(rows, names[int(source)])
        if ties == "trec":
            near = list(compress(given.topics, find_close(given, depth)))
            close.append(pl.DataFrame({"source": source, "run": run, "topic": near}, schema=_CLOSE))
        try:
            found = find_documents(given, pool, ties=ties, depth=depth)
        except FormatError as error:
            raise RunError(_quote_repeats(rows, name) or str(error), int(source)) from None
        arrays = {"topic": found.topic, "rank": found.rank, "document": found.entry - starts[found.topic]}
        hits.append(pl.DataFrame(arrays).select(pl.lit(source).alias("source"), pl.lit(run).alias("run"), *arrays))
    there = pl.concat(close).with_columns(close=pl.lit(True))
    lists = lists.join(there, on=["source", "run", "topic"], how="left").with_columns(pl.col("close").fill_null(False))
    judged = judged.join(numbered, on=["topic", "document"]).with_columns(document="entry").drop("entry")
    judged, lists = (table.join(code, on="topic").with_columns(topic="code").drop("code") for table in (judged, lists))
    return Waist(topics, judged, lists, pl.concat([part.cast(_HIT) for part in hits]))  # type: ignore[arg-type]


def _as_run(rows: pl.DataFrame, name: str) -> Run:
    """Rows of one run, sorted by topic."""
    topics, topic = code_column(rows["topic"])
    return Run(
        name=name,
        topics=topics,
        topic=topic,
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
        cells = again.select("topic", what).rows()
        twice = [f"{name}: {what} {cell} of topic {topic} is there twice." for topic, cell in cells]
        if twice:
            return str(FormatError.listing(twice, advice="A run lists a document once per topic."))
    return ""


def pack(waist: Waist) -> tuple[bytes, ...]:
    """A waist as bytes, a table each (Arrow streams): reading them runs no code."""
    tables = (getattr(waist, name) for name in TABLES)
    return tuple(table.write_ipc_stream(None, compression="lz4").getvalue() for table in tables)


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


def as_sources(waist: Waist, origins: Sequence[Origin]) -> list[Source]:
    """The judgments of each source as its reader would have given them, but for documents, which are called `#12`."""
    topics, numbers = tuple(waist.topics["topic"]), Names.of(_number_names(waist))
    sources = []
    for place, origin in enumerate(origins):
        rows = waist.judged.filter(pl.col("source") == place)
        columns = {name: rows[name] for name in ("assessor", "stratum", "weight") if rows[name].null_count() == 0}
        positives = notice_positives(origin.titles, rows["label"].unique(), origin.name)
        sources.append(
            Source(
                name=origin.name,
                topics=topics,
                topic=rows["topic"].to_numpy().astype(np.int32),
                document=numbers.rows(rows["document"].to_numpy()),
                label=rows["label"],
                assessor=None if "assessor" in columns else origin.owner,
                columns=columns,
                unit="row",
                titles=() if "assessor" in tell_columns(origin.titles, JUDGMENTS) else origin.titles,
                findings=(*notice_columns(origin.titles, origin.name, JUDGMENTS), *positives),
                implied=("0",) if positives else (),
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
            findings=notice_columns(origin.titles, origin.name, RUNS),
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
