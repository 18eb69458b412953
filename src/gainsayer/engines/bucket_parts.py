"""What Spark's workers do then: the pieces of a bucket become files and tables again, and these judgments and runs.

They are read by the readers of files, so whoever gets a bucket finds in it what one machine would, faults included.
Nothing here knows Spark, and what is sent is text and bytes.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import polars as pl

from gainsayer.engines.arrow_pieces import (
    LINE,
    Files,
    Origin,
    as_stream,
    from_streams,
    join_lines,
    make_batch,
    stretches,
    take_frame,
)
from gainsayer.engines.error_words import as_words, join_errors
from gainsayer.engines.waists import BucketRun, Task, Waist, make_waist
from gainsayer.errors import CallError, GainsayerError
from gainsayer.judgments.files import JudgmentSource
from gainsayer.judgments.survey import Meaning, SeenSource, Survey, join_surveys
from gainsayer.lines.faults import shorten
from gainsayer.lines.opening import BYTE_ORDER_MARK
from gainsayer.runs.tables import run_from_frame
from gainsayer.tables.cells import column_text
from gainsayer.tables.columns import ASCII_BLANKS
from gainsayer.text import on_command_line, option

if TYPE_CHECKING:
    import pyarrow as pa

SURVEYS: Final = "survey string, kind string, words string"
MOST_ROWS: Final = 2_000_000
"""How many rows of one topic a worker takes: each costs it some 300 bytes."""
RunKey: TypeAlias = tuple[int, str]
"""The source of a run, and its name in the run column; empty where the whole source is one run."""


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of the sources, such as those of a bucket.

    Args:
        files: the files they come from.
        contents: the place of a source to its rows as bytes.
        rows: how many rows there are.
    """

    files: Files
    contents: Mapping[int, bytes]
    rows: int = 0

    @classmethod
    def of(cls, pieces: pa.Table, files: Files) -> Part:
        """Pieces put together in the order of the files.

        Raises:
            GainsayerError: whoever cut the pieces has found a fault.
        """
        table = pieces.sort_by([(name, "ascending") for name in ("file", "start", "number")]).to_pydict()
        faults = [fault for fault in zip(table["kind"], table["words"], strict=True) if fault[0] is not None]
        if faults:
            raise join_errors(faults)
        contents: dict[int, list[bytes]] = {}
        for file, content in zip(table["file"], table["content"], strict=True):
            contents.setdefault(files.owners[file], []).append(content)
        return cls(files, {place: b"".join(parts) for place, parts in sorted(contents.items())}, sum(table["rows"]))

    @contextmanager
    def opened(self) -> Iterator[list[str | pl.DataFrame | None]]:
        """The rows of each source as a file or a table, None where it has none; messages are about the source itself.

        A line or row is quoted where a reader would give its number, which is one within the part.
        """
        found: list[str | pl.DataFrame | None] = [None] * len(self.files.origins)
        with tempfile.TemporaryDirectory(prefix="gainsayer-") as folder:
            for place, content in self.contents.items():
                if self.files.origins[place].lines:
                    path = Path(folder, f"{place}.txt")
                    path.write_bytes(content)
                    found[place] = str(path)
                else:
                    found[place] = from_streams(content)
            try:
                yield found
            except GainsayerError as error:
                raise type(error)(self.reword(str(error), found)) from None

    def reword(self, message: str, opened: Sequence[str | pl.DataFrame | None]) -> str:
        """A message about what was opened, as one about the sources."""
        there = [(place, source) for place, source in enumerate(opened) if source is not None]
        for number, (place, source) in enumerate(there, start=1):
            name = self.files.origins[place].name
            if isinstance(source, str):
                lines = self.contents[place].split(b"\n")
                message = _quote(message, source, name, "line", [line.strip() for line in lines])
            else:
                rows = [" ".join("" if cell is None else str(cell) for cell in row) for row in source.iter_rows()]
                message = message.replace(f"table {number} (polars DataFrame)", name)
                message = _quote(message, name, name, "row", rows)
        return message


def _quote(message: str, found: str, name: str, unit: str, rows: Sequence[str | bytes]) -> str:
    def say(match: re.Match[str]) -> str:
        return f"{name}, the {unit} {shorten(rows[int(match[1]) - 1])}"

    return re.sub(rf"{re.escape(found)}, {unit} (\d+)", say, message).replace(found, name)


def survey_part(part: Part, meaning: Meaning) -> Survey:
    """What is seen in some rows of judgments; see `Meaning.survey`."""
    with part.opened() as opened:
        return meaning.survey(_name_sources(opened, part.files, meaning))


def _name_sources(
    opened: Sequence[str | pl.DataFrame | None], files: Files, meaning: Meaning
) -> list[JudgmentSource | None]:
    """Sources with the name of their assessor, where nothing in them says who gave the levels."""

    def name(source: str | pl.DataFrame, origin: Origin) -> JudgmentSource:
        named = meaning.by_assessor if origin.lines else bool(origin.by)
        return source if named else (origin.owner, source)

    return [
        None if source is None else name(source, origin) for source, origin in zip(opened, files.origins, strict=True)
    ]


def survey_batches(
    batches: Iterable[pa.RecordBatch], files: Files, meaning: Meaning, *, to_command_line: bool = False
) -> Iterator[pa.RecordBatch]:
    """What is seen in the batches of a task, as one row; faults are found before anything is moved."""
    seen: list[Survey] = []
    try:
        with on_command_line(to_command_line):
            for batch in batches:
                for place, _, rows in stretches(batch, files):
                    owner = files.owners[place]
                    origin = files.origins[owner]
                    if origin.lines:
                        content = join_lines(rows.column(LINE)).removeprefix(BYTE_ORDER_MARK)
                    else:
                        content = as_stream(take_frame(rows, origin))
                    if content.strip():
                        seen.append(survey_part(Part(files, {owner: content}), meaning))
    except GainsayerError as error:
        yield make_batch([(None, *as_words(error))], SURVEYS)
        return
    yield make_batch([(write_survey(join_surveys(seen)), None, None)] if seen else [], SURVEYS)


def write_survey(survey: Survey) -> str:
    """What was seen as text, to be sent."""
    plain = [
        seen and [seen.assessor, seen.titles, seen.implied, [[*who, times] for who, times in seen.times.items()]]
        for seen in survey
    ]
    return json.dumps(plain)


def read_survey(text: str) -> Survey:
    """What `write_survey` made text of.

    >>> read_survey(write_survey((None, SeenSource({("ann", "2"): 3}, "ann"))))
    (None, SeenSource(times={('ann', '2'): 3}, assessor='ann', titles=(), implied=()))
    """
    return tuple(
        seen and SeenSource({(who, label): n for who, label, n in seen[3]}, seen[0], tuple(seen[1]), tuple(seen[2]))
        for seen in json.loads(text)
    )


def make_bucket_waist(
    judged: Part, ranked: Part | None, meaning: Meaning, task: Task, keys: Sequence[RunKey] = ()
) -> Waist:
    """The waist of a bucket, from its pieces.

    Args:
        judged: the rows of judgments.
        ranked: the rows of runs; None where only judgments are wanted.
        meaning: what labels mean.
        task: what the whole says.
        keys: the runs.

    Raises:
        CallError: one topic has more rows than a worker can take.
        GainsayerError: as the readers do.
    """
    if ranked is not None and ranked.rows > MOST_ROWS:
        _refuse_giant(ranked)
    with judged.opened() as opened:
        judgments = meaning.read_part(_name_sources(opened, judged.files, meaning), task.levels)
        if judgments is not None and judgments.findings:
            found = [replace(one, message=judged.reword(one.message, opened)) for one in judgments.findings]
            judgments = replace(judgments, findings=tuple(found))
    if ranked is None:
        return make_waist(judgments, (), task)
    with ranked.opened() as opened:
        return make_waist(judgments, _list_runs(opened, ranked.files, keys), task)


def _list_runs(opened: Sequence[str | pl.DataFrame | None], files: Files, keys: Sequence[RunKey]) -> list[BucketRun]:
    """The runs of a bucket in their order, None where one has no row in it."""
    found: dict[RunKey, BucketRun] = {}
    for place, (source, origin) in enumerate(zip(opened, files.origins, strict=True)):
        if source is None or isinstance(source, str):
            found[place, ""] = source
        elif not origin.by:
            found[place, ""] = run_from_frame(source, origin.name, name=origin.owner)
        else:
            names = column_text(source[origin.by], "run", origin.name).str.strip_chars(ASCII_BLANKS)
            marked = source.with_columns(names.alias(origin.by))
            for (name,), rows in marked.partition_by(origin.by, maintain_order=True, as_dict=True).items():
                found[place, str(name)] = run_from_frame(rows, origin.name, name=str(name))
    return [found.get(key) for key in keys]


def _refuse_giant(ranked: Part) -> None:
    """Refuse a topic that is too large for a worker; many topics together are only slow."""
    counts: Counter[str] = Counter()
    for place, content in ranked.contents.items():
        origin = ranked.files.origins[place]
        if origin.lines:
            counts.update(line.split(None, 1)[0].decode(errors="replace") for line in content.split(b"\n") if line)
        else:
            topic = column_text(from_streams(content)[origin.topic], "topic", origin.name)
            counts.update(dict(topic.value_counts().iter_rows()))
    topic_, rows = counts.most_common(1)[0]
    if rows > MOST_ROWS:
        raise CallError(
            f"Topic {topic_} has {rows:,} rows in the runs, and a worker of Spark takes {MOST_ROWS:,} of one topic. "
            f"Leave it out, keep only the first documents of each list, or use {option('engine', 'embedded')} on one "
            "machine."
        )
