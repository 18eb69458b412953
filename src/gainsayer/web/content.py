"""What a study is made of, read from files: the plan and its list, topics, documents, what the levels mean."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

from gainsayer.commands.inputs import JudgmentInput, take_judgments
from gainsayer.errors import CallError, DataError, FormatError
from gainsayer.levels import Levels
from gainsayer.planning.sampling import read_plan
from gainsayer.reading.columns import SYNONYMS, Schema
from gainsayer.reading.files import STANDARD_INPUT, FilePath, call_file, read_content
from gainsayer.reading.tables import read_table_file, tell_table
from gainsayer.words import counted

_PLACE: Final = "{document}"
_KNOWN: Final = {"topic": SYNONYMS["topic"], "document": SYNONYMS["document"], "level": SYNONYMS["level"]}
_PLANNED: Final = Schema(
    {**_KNOWN, "batch": ("batch",), "sampling_key": ("sampling_key", "key")},
    ("topic", "document", "batch"),
    "topic,document,batch,sampling_key",
)
_TOPICS: Final = Schema(
    {
        "topic": (*SYNONYMS["topic"], "id", "number", "num"),
        "title": ("title", "text", "query_text"),
        "description": ("description", "desc"),
        "narrative": ("narrative", "narr"),
    },
    ("topic", "title"),
    "topic,title,description,narrative",
)
_DOCUMENTS: Final = Schema(
    {
        "topic": SYNONYMS["topic"],
        "document": (*SYNONYMS["document"], "id", "pid"),
        "title": ("title", "headline"),
        "text": ("text", "body", "contents", "passage"),
        "html": ("html",),
    },
    ("document",),
    "document,title,text",
)
_LEVELS: Final = Schema(
    {"level": SYNONYMS["level"], "name": ("name", "title"), "text": ("text", "description", "guideline")},
    ("level", "text"),
    "level,name,text",
)
_MOST_LISTED: Final = 10


@dataclass(frozen=True)
class LevelText:
    """A level as judges see it: its name in the data, what it is called, what it means."""

    level: str
    name: str = ""
    text: str = ""


@dataclass(frozen=True)
class Topic:
    """What a user wants."""

    name: str
    title: str
    description: str = ""
    narrative: str = ""


@dataclass(frozen=True)
class Item:
    """A document to judge for a topic, with what only the organiser knows: the first label, who gave it, its key."""

    topic: str
    document: str
    batch: int
    kind: str
    title: str
    body: str
    level: str | None = None
    assessor: str = ""
    sampling_key: float | None = None


@dataclass(frozen=True)
class Content:
    """Everything that a study begins with.

    Args:
        name: what judges see at the top of the page.
        plan: the plan, as `gainsayer plan` writes it.
        levels: from low to high.
        relevant: the levels with which users are satisfied.
        topics: what users want.
        items: what is to be judged.
        overlap: how many second judgments each document gets.
        frame_origin: where documents given by address live.
        within: how close each parameter should be known, where the plan does not say or says otherwise.
    """

    name: str
    plan: Mapping[str, Any]
    levels: Sequence[LevelText]
    relevant: Sequence[str]
    topics: Sequence[Topic]
    items: Sequence[Item]
    overlap: int = 1
    frame_origin: str | None = None
    within: float | None = None


def read_study(
    *,
    name: str,
    plan: FilePath,
    topics: FilePath,
    documents: FilePath | None = None,
    url_template: str | None = None,
    judgments: JudgmentInput | None = None,
    level_text: FilePath | None = None,
    overlap: int = 1,
    within: float | None = None,
) -> Content:
    """Read what a study begins with.

    Args:
        name: what judges see at the top of the page.
        plan: the JSON file that `gainsayer plan` wrote; its list is next to it.
        topics: a table with `topic`, `title` and, where known, `description` and `narrative`.
        documents: a table with `document` (and `topic`, where documents differ by topic), `title`, `text` or `html`.
        url_template: instead of documents, their address with `{document}` in it.
        judgments: the first judgments, which the organiser's page needs; not where the plan's list has levels.
        level_text: a table with `level`, `text` and, where wanted, `name`.
        overlap: how many second judgments each document gets.
        within: how close each parameter should be known, where the plan does not say or says otherwise.

    Raises:
        CallError: neither or both of documents and template; an overlap below 1; a template that is not an address.
        FormatError: a file cannot be read.
        DataError: planned topics or documents are missing.
    """
    if (documents is None) == (url_template is None):
        raise CallError("Give either the documents or the template of their addresses.")
    if not 1 <= overlap <= 100:
        raise CallError(f"Each document gets 1 to 100 second judgments, found {overlap}.")
    origin = None if url_template is None else check_template(url_template)
    if plan != STANDARD_INPUT and not Path(plan).is_file():
        raise CallError(f"There is no plan {call_file(plan)}. Make one with gainsayer plan, from judgments, with -o.")
    planned = _read_plan(plan)
    levels = tuple(str(one["level"]) for one in planned["levels"])
    rows = _read_list(Path(plan).parent / str(planned["list"]["file"]), len(planned["batches"]))
    known = {topic.name: topic for topic in _read_topics(topics)}
    wanted = list(dict.fromkeys(row["topic"] for row in rows))
    _need([name for name in wanted if name not in known], "topic", call_file(topics))
    first = {} if judgments is None else _first_labels(judgments, levels)
    contents: Mapping[tuple[str, str], tuple[str, str, str]] = {}
    if documents is not None:
        contents = _read_documents(documents, {(row["topic"], row["document"]) for row in rows})
        lost = [row["document"] for row in rows if (row["topic"], row["document"]) not in contents]
        _need(lost, "document", call_file(documents))
    items = []
    for row in rows:
        key = (row["topic"], row["document"])
        kind, title, body = contents[key] if url_template is None else ("url", "", fill_template(url_template, key[1]))
        level, assessor = first.get(key, (row.get("level") or None, ""))
        sampling_key = row.get("sampling_key")
        items.append(
            Item(
                *key,
                int(row["batch"]),
                kind,
                title,
                body,
                level,
                assessor,
                float(sampling_key) if sampling_key else None,
            )
        )
    if first:
        _need([item.document for item in items if item.level is None], "document", "the first judgments")
    return Content(
        name,
        planned,
        _read_level_texts(level_text, levels),
        tuple(map(str, planned["relevant"])),
        tuple(known[name] for name in wanted),
        items,
        overlap,
        origin,
        within,
    )


def check_template(template: str) -> str:
    """The origin of a template of addresses.

    Raises:
        CallError: it is not http(s), or has no `{document}` behind its host.

    >>> check_template("https://x.org/d/{document}?v=1")
    'https://x.org'
    """
    parts = urlsplit(template)
    behind = parts.path + parts.query
    clean = re.fullmatch(r"[A-Za-z0-9.-]+(:[0-9]+)?", parts.netloc)
    if parts.scheme not in ("http", "https") or not clean or _PLACE not in behind:
        raise CallError(
            f"The template of addresses begins with http:// or https:// and has {_PLACE} behind the host, "
            f"found {template!r}."
        )
    return f"{parts.scheme}://{parts.netloc}"


def fill_template(template: str, document: str) -> str:
    """A document's address; no sign of its name can leave its place.

    Raises:
        DataError: the name is `.` or `..`, which browsers take for a folder, however it is written.

    >>> fill_template("https://x.org/{document}", "../a?b#c")
    'https://x.org/..%2Fa%3Fb%23c'
    """
    if document in (".", ".."):
        raise DataError(f"The document {document!r} can have no address: browsers take its name for a folder.")
    return template.replace(_PLACE, quote(document, safe=""))


def _read_plan(path: FilePath) -> dict[str, Any]:
    """The plan as it was written; checked as `fit --plan` checks it, and it must have its list next to it."""
    plan = read_plan(path)
    if plan.list_file is None:
        raise FormatError(
            f"{plan.name} is not a plan with a list of documents. Make one from judgments: gainsayer plan ... -o FILE."
        )
    return dict(json.loads(read_content(path)))


def _rows(path: FilePath, schema: Schema) -> list[dict[str, str]]:
    """The rows of a table file, column to cell."""
    name, content = call_file(path), read_content(path)
    form = tell_table(path, content[: 1 << 17], schema)
    if form is None:
        raise FormatError(f"{name}: expected a table (CSV, TSV, JSON lines, Parquet) with the columns {schema.header}.")
    cells = read_table_file(content, name, form, schema)
    columns = {title: column.cast(str).to_list() for title, column in cells.columns.items()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _read_list(path: Path, batches: int) -> list[dict[str, str]]:
    faults, rows = [], []
    for line, row in enumerate(_rows(path, _PLANNED), start=2):
        batch, key = row["batch"], row.get("sampling_key", "")
        if batch and not (re.fullmatch("[0-9]{1,9}", batch) and int(batch) <= batches):
            faults.append(f"{path}, line {line}: expected a batch from 1 to {batches}, found {batch!r}.")
        elif key and not _is_share(key):
            faults.append(f"{path}, line {line}: expected a sampling key from 0 to 1, found {key!r}.")
        elif batch and int(batch):
            rows.append(row)
    if faults:
        more = [f"And {len(faults) - _MOST_LISTED} more lines."] if len(faults) > _MOST_LISTED else []
        raise FormatError("\n".join([*faults[:_MOST_LISTED], *more]))
    if not rows:
        raise DataError(f"{path} asks for no document: all that it could ask for is judged. There is nothing to serve.")
    if len({(row["topic"], row["document"]) for row in rows}) < len(rows):
        raise FormatError(f"{path}: a document is there twice for one topic.")
    return rows


def _is_share(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


def _read_topics(path: FilePath) -> list[Topic]:
    return [
        Topic(row["topic"], row["title"], row.get("description", ""), row.get("narrative", ""))
        for row in _rows(path, _TOPICS)
    ]


def _read_documents(path: FilePath, wanted: set[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, str, str]]:
    """Kind, title and content of the documents wanted; a row without a topic serves every topic."""
    topics_of: dict[str, list[str]] = {}
    for topic, document in wanted:
        topics_of.setdefault(document, []).append(topic)
    found: dict[tuple[str, str], tuple[str, str, str]] = {}
    for row in _rows(path, _DOCUMENTS):
        html, text = row.get("html", ""), row.get("text", "")
        if row["document"] in topics_of and (html or text or row.get("title")):
            content = ("html", row.get("title", ""), html) if html else ("text", row.get("title", ""), text)
            for topic in [row["topic"]] if row.get("topic") else topics_of[row["document"]]:
                found[topic, row["document"]] = content
    return found


def _read_level_texts(path: FilePath | None, levels: Sequence[str]) -> tuple[LevelText, ...]:
    if path is None:
        return tuple(map(LevelText, levels))
    order = Levels(tuple(levels))
    texts = {order.index(row["level"]): row for row in _rows(path, _LEVELS)}
    _need([level for place, level in enumerate(levels) if place not in texts], "level", call_file(path))
    return tuple(
        LevelText(level, texts[place].get("name", ""), texts[place]["text"]) for place, level in enumerate(levels)
    )


def _first_labels(judgments: JudgmentInput, levels: Sequence[str]) -> dict[tuple[str, str], tuple[str, str]]:
    read = take_judgments(judgments, levels=Levels(tuple(levels)))
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for topic, document, assessor, level in read.frame().select("topic", "document", "assessor", "level").iter_rows():
        if (topic, document) in found:
            raise DataError(
                f"Document {document!r} of topic {topic!r} has two first labels. Give the judgments of the first side "
                "alone."
            )
        found[topic, document] = (level, assessor)
    return found


def _need(lost: Iterable[str], what: str, where: str) -> None:
    names = list(dict.fromkeys(lost))
    if names:
        more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
        verb = "is" if len(names) == 1 else "are"
        raise DataError(
            f"{counted(len(names), what)} of the plan {verb} not in {where}: {', '.join(names[:_MOST_LISTED])}{more}."
        )
