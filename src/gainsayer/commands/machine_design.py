"""How people's documents were chosen: the design that `machine sample` wrote, or chances beside the labels.

The design is a file of its own, and not part of the list that people see: chances would tell them the machine's grades.
Nothing about it is guessed from the labels, as a sample of documents may well leave topics empty.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import polars as pl

from gainsayer.commands.inputs import Reading
from gainsayer.errors import CallError, DataError, FormatError
from gainsayer.findings import Finding
from gainsayer.machines.sample import DESIGNS, BoolArray, Design
from gainsayer.machines.scores import MOST_LACKING
from gainsayer.planning.sampling import draw_key
from gainsayer.ranking.pool import DocumentPool, find_entries
from gainsayer.ranking.ranked import FloatArray, IntArray
from gainsayer.reading.files import STANDARD_INPUT, FilePath, as_text, call_file, open_stream, peek, read_content
from gainsayer.reading.json_documents import parse_json
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.names import Names
from gainsayer.reading.side_files import read_topic_table
from gainsayer.result import check_version, write_versioned
from gainsayer.table import Json
from gainsayer.text import option
from gainsayer.words import counted

KEY: Final = ["topic", "document"]
OBSERVED: Final = "observed"
ENDING: Final = ".design.json"
MOST_LISTED: Final = 200_000
_DIGITS: Final = 9
_HEAD_BYTES: Final = 1 << 16
_DOCUMENTS: Final = {"topic": pl.String, "document": pl.String}


@dataclass(frozen=True, eq=False)
class SampleDesign:
    """What was drawn for people to judge, and with which chances.

    Args:
        kind: `topics`, `documents` or `two-stage`.
        seed: of the permanent keys: a document is drawn where its key is below its chance.
        measures: by which the runs will be scored.
        depth: of the deepest of them; None for whole lists.
        labels: how many were expected.
        worth: what each grade was taken to be worth, from low to high; more labels are drawn by the same.
        suspects: runs for which documents were drawn.
        chances: topic, document and probability.
        rest: the chances of documents of a topic that are not listed, by grade from low to high; a document not listed
            has none where it is empty.
        sizes: how many documents of each grade the topic had, where `rest` says something.
        drawn: topic and document of what people are to judge; None where nobody said.
    """

    kind: Design
    seed: int = 0
    measures: tuple[str, ...] = ()
    depth: int | None = None
    labels: float | None = None
    worth: tuple[float, ...] = ()
    suspects: tuple[str, ...] = ()
    chances: pl.DataFrame | None = None
    rest: Mapping[str, Sequence[float]] | None = None
    sizes: Mapping[str, Sequence[int]] | None = None
    drawn: pl.DataFrame | None = None

    def as_dict(self) -> dict[str, Json]:
        """The design as plain data: what stands in the file."""
        return {
            "kind": self.kind,
            "seed": self.seed,
            "measure": list(self.measures),
            "depth": self.depth,
            "labels": self.labels,
            "worth": list(self.worth),
            "suspects": list(self.suspects),
            "chances": _nest(self.chances),
            "rest": {topic: list(chances) for topic, chances in (self.rest or {}).items()},
            "sizes": {topic: list(sizes) for topic, sizes in (self.sizes or {}).items()},
            "drawn": {} if self.drawn is None else _gather(self.drawn),
        }

    def to_json(self) -> str:
        """The design as a file holds it."""
        return write_versioned(self.as_dict())

    def place_chances(self, pool: DocumentPool, grade: IntArray, left_out: Collection[str] = ()) -> FloatArray:
        """The chance of each document of a pool; 0 for what the design does not know.

        Args:
            pool: the documents.
            grade: the machine's; shape [documents].
            left_out: topics that are not in the pool on purpose.

        Raises:
            DataError: the machine graded more documents since, or not those that there were.
        """
        chance = np.zeros(len(pool.document))
        if self.rest:
            kinds = max(map(len, self.rest.values()))
            wanted = [list((self.sizes or {}).get(topic, [0] * kinds)) for topic in pool.topics]
            if int(grade.max()) >= kinds or wanted != _count_grades(pool, grade, kinds).tolist():
                raise DataError(
                    "The machine has other grades, or other documents, than those that were drawn from. Give the "
                    "grades that the sample was drawn from."
                )
            chance = np.array([self.rest[topic] for topic in pool.topics], np.float64)[pool.topic, grade]
        if self.chances is not None:
            place, values = place_rows(pool, self.chances)
            chance[place] = values["probability"].to_numpy()
            asked = self.chances.filter(~pl.col("topic").is_in(list(left_out))) if left_out else self.chances
            if len(asked) - len(place) > MOST_LACKING * len(asked):
                raise DataError(
                    f"{len(asked) - len(place):,} of {len(asked):,} documents of the design have no grade of the "
                    "machine. Give the grades that the sample was drawn from."
                )
        return chance


def _count_grades(pool: DocumentPool, grade: IntArray, kinds: int) -> IntArray:
    """Documents by topic and grade."""
    cell = pool.topic * np.int64(kinds) + grade
    return np.bincount(cell, minlength=len(pool.topics) * kinds).reshape(-1, kinds)


def place_rows(pool: DocumentPool, table: pl.DataFrame) -> tuple[IntArray, pl.DataFrame]:
    """The rows of a table of topics and documents that are in the pool, and the place of each there."""
    entry = find_entries(pool, table["topic"].to_list(), Names.of(table["document"].to_list()))
    inside = np.flatnonzero(entry >= 0)
    return entry[inside], table[inside]


def describe_chances(pool: DocumentPool, grade: IntArray, probability: FloatArray, drawn: BoolArray) -> dict[str, Any]:
    """Chances of a pool as fields of a design: all, or in large pools those unlike the usual one of topic and grade."""
    listed, rest, sizes = np.ones(len(probability), np.bool_), dict[str, list[float]](), dict[str, list[int]]()
    if len(probability) > MOST_LISTED:
        kinds = int(grade.max()) + 1
        counts = _count_grades(pool, grade, kinds)
        for at, topic in enumerate(pool.topics):
            part = slice(int(pool.starts[at]), int(pool.starts[at + 1]))
            usual = np.array([_find_usual(probability[part][grade[part] == kind]) for kind in range(kinds)])
            listed[part] = probability[part] != usual[grade[part]]
            rest[topic], sizes[topic] = usual.tolist(), counts[at].tolist()
    chances = name_documents(pool, np.flatnonzero(listed)).with_columns(pl.Series("probability", probability[listed]))
    return {"chances": chances, "rest": rest, "sizes": sizes, "drawn": name_documents(pool, np.flatnonzero(drawn))}


def _find_usual(chances: FloatArray) -> float:
    """The most frequent of these; 0 where there are none."""
    values, count = np.unique(chances, return_counts=True)
    return float(values[np.argmax(count)]) if len(values) else 0.0


def name_documents(pool: DocumentPool, index: IntArray) -> pl.DataFrame:
    """Topic and document of these places in the pool."""
    topic = pl.Series("topic", pool.topics, dtype=pl.String).gather(pool.topic[index].astype(np.uint32))
    return pl.DataFrame([topic, pl.Series("document", pool.document.rows(index).texts(), dtype=pl.String)])


def round_chances(probability: FloatArray) -> FloatArray:
    """Chances to nine digits, as they stand in the file: documents are drawn by what is written.

    >>> round_chances(np.array([1 / 3, 1.0])).tolist()
    [0.333333333, 1.0]
    """
    return np.array([float(f"{value:.{_DIGITS}g}") for value in probability.tolist()])


def place_of_design(list_of_people: Path) -> Path:
    """Where the design of a list lies: next to it.

    >>> place_of_design(Path("lists/people.csv")).as_posix()
    'lists/people.design.json'
    """
    return list_of_people.with_name(list_of_people.stem + ENDING)


def read_design(path: FilePath) -> SampleDesign:
    """A design as `machine sample` wrote it; one written by hand needs its `kind` alone.

    Raises:
        FormatError: the file is no such design.
    """
    name = call_file(path)
    text = as_text(read_content(path), name)
    try:
        return design_from_dict(parse_json(text))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        said = str(error).removesuffix(".") if type(error) is ValueError else "parts of one are missing or misplaced"
        raise FormatError(f"{name} is not a design that 'machine sample' wrote: {said}.") from error


def is_design(path: Path) -> bool:
    """Whether a file is a design.

    >>> is_design(Path("no such file"))
    False
    """
    try:
        return bool(read_design(path).kind)
    except (CallError, FormatError):
        return False


def design_from_dict(found: Mapping[str, Any]) -> SampleDesign:
    """A design from plain data.

    >>> design_from_dict({"kind": "documents", "chances": {"q1": {"d1": 0.5}}}).chances.rows()
    [('q1', 'd1', 0.5)]
    """
    check_version(found)
    if found.get("kind") not in DESIGNS:
        raise ValueError(f"its kind is {found.get('kind')!r}, and must be one of {', '.join(DESIGNS)}")
    measures = found.get("measure", ())
    chances = [(t, d, float(p)) for t, some in found.get("chances", {}).items() for d, p in some.items()]
    drawn = [(t, d) for t, some in found.get("drawn", {}).items() for d in some]
    return SampleDesign(
        kind=found["kind"],
        seed=int(found.get("seed", 0)),
        measures=(measures,) if isinstance(measures, str) else tuple(measures),
        depth=found.get("depth"),
        labels=found.get("labels"),
        worth=tuple(map(float, found.get("worth", ()))),
        suspects=tuple(found.get("suspects", ())),
        chances=pl.DataFrame(chances, schema={**_DOCUMENTS, "probability": pl.Float64}, orient="row")
        if chances
        else None,
        rest={topic: [float(p) for p in chances] for topic, chances in found.get("rest", {}).items()},
        sizes={topic: [int(size) for size in sizes] for topic, sizes in found.get("sizes", {}).items()},
        drawn=pl.DataFrame(drawn, schema=_DOCUMENTS, orient="row") if "drawn" in found else None,
    )


# A design or its file, a table of topic, document and probability, {topic: {document: probability}}, or `observed`.
SampleInput: TypeAlias = str | FilePath | Mapping[str, Mapping[str, float]] | Any


def take_design(given: SampleInput) -> SampleDesign:
    """The design that a sample is extended by.

    Raises:
        CallError: what was given is no design of drawn documents.
    """
    found = getattr(given, "design", given)
    if isinstance(found, str | os.PathLike) and str(found) != OBSERVED:
        found = read_design(found)
    if not isinstance(found, SampleDesign) or found.kind != "documents" or not found.worth:
        raise CallError(
            f"More labels need the design that the first ones were drawn by: {option('sample')} FILE, the "
            f"{ENDING.removeprefix('.')} that 'machine sample' wrote next to its list."
        )
    return found


@dataclass(frozen=True, eq=False)
class Chances:
    """How people's documents were chosen.

    Args:
        kind: what was drawn.
        probability: of each document of a seen topic, NaN where it is not known; shape [documents].
        seen: the topics in which documents were drawn; shape [topics].
        kept: whether a label of the document counts: not if it was not drawn; shape [documents].
        assumed: whether chances were taken from shares.
        suspects: runs for which documents were drawn.
        extendable: whether more documents can be drawn by the same design.
        findings: what was noticed.
    """

    kind: Design
    probability: FloatArray
    seen: BoolArray
    kept: BoolArray
    assumed: bool = False
    suspects: tuple[str, ...] = ()
    extendable: bool = False
    findings: tuple[Finding, ...] = ()


def find_chances(
    judged: BoolArray,
    grade: IntArray,
    pool: DocumentPool,
    labels: pl.DataFrame,
    sample: SampleInput | None,
    people: Sequence[object],
    design: Design | None,
    left_out: Collection[str] = (),
) -> Chances:
    """The chances with which documents were chosen, and in which topics.

    In this order: what `sample` says; a design next to a file of people's; a column of the labels, `probability` or
    `weight` (one over it), which means documents of all topics; what `design` says alone. Where every document of every
    topic with labels was judged, these are whole topics, as there is nothing that was not chosen.

    Args:
        judged: whether people judged the document; shape [documents].
        grade: the machine's; shape [documents].
        pool: the documents.
        labels: people's labels that are in the pool, with their `place` in it.
        sample: the design or chances, given apart, or `observed`.
        people: where the labels come from.
        design: what was drawn, where it is said.
        left_out: topics that are not in the pool on purpose.

    Raises:
        DataError: nobody says how documents were chosen, or what is said cannot be right.
    """
    topic, topics = pool.topic, len(pool.topics)
    there = np.bincount(topic[judged], minlength=topics) > 0
    if isinstance(sample, str) and sample == OBSERVED:
        said = "How documents were chosen is not known: within a grade all are taken to have had the same chance."
        kind: Design = "documents" if design is None else design
        seen = np.ones(topics, np.bool_) if kind == "documents" else there
        found = np.where(seen[topic], _observed(grade, judged, seen[topic]), np.nan)
        return Chances(kind, found, seen, judged, True, findings=(Finding("design-assumed", said),))
    written = _find_design(sample, people)
    if written is not None and design not in (None, written.kind):
        raise CallError(
            f"{option('design', design)} contradicts the design of this sample, whose kind is {written.kind}. Leave it "
            f"out, or give the design that holds: {option('sample')} FILE."
        )
    if written is not None and written.chances is not None:
        return _by_design(written, judged, grade, pool, there, left_out)
    stated = design or (None if written is None else written.kind)
    chances, wanted = _read_chances(sample if written is None else None, people, labels, pool)
    findings = _find_skipped(wanted, judged)
    if chances is not None and stated != "topics":
        without = judged & np.isnan(chances)
        if without.any():
            raise DataError(
                f"{int(without.sum()):,} documents that people judged have no probability of being chosen. Give every "
                f"judged document one, or {option('sample', OBSERVED)} where a grade's documents were chosen at random."
            )
        if np.all(chances[judged] == 1) and not judged.all():
            raise DataError(
                f"Every document that people judged has 1 as its probability of being chosen, and yet "
                f"{int((~judged).sum()):,} have no label: these are not the chances by which documents were drawn. "
                f"Where all documents of some topics were judged, say {option('design', 'topics')}."
            )
        kind = stated or "documents"
        seen = np.ones(topics, np.bool_) if kind == "documents" else there
        return Chances(kind, np.where(seen[topic], chances, np.nan), seen, judged, findings=findings)
    lacking = np.bincount(topic[there[topic] & ~judged], minlength=topics)
    whole = bool((lacking <= MOST_LACKING * np.bincount(topic, minlength=topics)).all())
    if stated == "topics" or (stated is None and whole):
        return Chances("topics", np.ones(len(judged)), there, judged, findings=findings)
    raise DataError(
        "Documents were drawn, but nobody says with which chances. Give the design that 'machine sample' wrote next to "
        f"its list ({option('sample')} FILE), a column 'probability' beside the labels, "
        f"{option('sample', OBSERVED)} where a grade's documents were chosen at random, or "
        f"{option('design', 'topics')} where all documents of some topics were judged."
    )


def _find_design(sample: SampleInput | None, people: Sequence[object]) -> SampleDesign | None:
    """The design that was given, or those next to people's files; several of one seed make one."""
    given = getattr(sample, "design", sample)
    if isinstance(given, SampleDesign):
        return given
    if isinstance(given, Mapping) and isinstance(given.get("kind"), str):
        return design_from_dict(given)
    if isinstance(given, str | os.PathLike) and str(given).endswith(".json"):
        return read_design(given)
    if sample is not None:
        return None
    found = [read_design(path) for path in dict.fromkeys(lists_with_design(people).values())]
    if not found:
        return None
    if len({(one.seed, one.kind) for one in found}) > 1:
        raise CallError(
            f"The designs next to people's files have different seeds: they are not one sample. Say which holds: "
            f"{option('sample')} FILE."
        )
    return reduce(_join, found)


def lists_with_design(people: Sequence[object]) -> dict[Path, Path]:
    """Files of people's that have a design next to them, and these: the parts of one sample."""
    found: dict[Path, Path] = {}
    for one in people:
        source = one[1] if isinstance(one, tuple) and len(one) == 2 else one
        if isinstance(source, Reading):
            found |= lists_with_design(source.sources)
        elif isinstance(source, str | os.PathLike) and str(source) != STANDARD_INPUT:
            beside = place_of_design(Path(source))
            found |= {Path(source): beside} if beside.is_file() else {}
    return found


def _join(one: SampleDesign, other: SampleDesign) -> SampleDesign:
    """Two samples by the same keys: every document with the larger of its chances, and all that was drawn."""
    larger, smaller = (one, other) if (one.labels or 0) >= (other.labels or 0) else (other, one)
    drawn = [part.drawn for part in (one, other) if part.drawn is not None]
    chances = [part.chances for part in (one, other) if part.chances is not None]
    return replace(
        larger,
        suspects=tuple(dict.fromkeys((*larger.suspects, *smaller.suspects))),
        chances=pl.concat(chances).group_by(KEY, maintain_order=True).agg(pl.col("probability").max())
        if chances
        else None,
        drawn=pl.concat(drawn).unique(maintain_order=True) if drawn else None,
    )


def _by_design(
    written: SampleDesign,
    judged: BoolArray,
    grade: IntArray,
    pool: DocumentPool,
    there: BoolArray,
    left_out: Collection[str],
) -> Chances:
    """What a design says of a pool, with what people left out and what they judged unasked."""
    probability, seen = written.place_chances(pool, grade, left_out), there
    if written.kind == "documents":
        seen = np.ones(len(there), np.bool_)
    kept, findings = judged, list[Finding]()
    if written.drawn is not None:
        wanted = np.zeros(len(judged), np.bool_)
        wanted[place_rows(pool, written.drawn)[0]] = True
        _refuse_edited(written, pool, probability, wanted)
        asked, lacking = int(wanted.sum()), int((wanted & ~judged).sum())
        if 2 * lacking > asked:
            raise DataError(
                f"{lacking:,} of the {asked:,} documents that were drawn have no label, so these labels are of another "
                f"sample, or of a part of this one. Give all of its lists, and the design that they were drawn by "
                f"({option('sample')} FILE)."
            )
        findings += _find_skipped(wanted, judged)
        kept = judged & wanted
        outside = int((judged & ~wanted).sum())
        if outside:
            said = f"People judged {outside:,} documents that were not drawn for them; they were left out."
            findings.append(Finding("outside-sample", said))
    return Chances(
        written.kind,
        np.where(seen[pool.topic], probability, np.nan),
        seen,
        kept,
        suspects=written.suspects,
        extendable=bool(written.worth),
        findings=tuple(findings),
    )


def _refuse_edited(written: SampleDesign, pool: DocumentPool, probability: FloatArray, wanted: BoolArray) -> None:
    """A document is drawn where its key is below its chance: a design in which that does not hold was changed.

    In large pools only what was drawn is looked at.
    """
    if not written.worth:  # by hand, or of another tool
        return
    index = np.flatnonzero(wanted | (len(wanted) <= MOST_LISTED))
    rows = name_documents(pool, index).iter_rows()
    keys = np.array([draw_key(written.seed, topic, document) for topic, document in rows])
    odd = int(((keys < probability[index]) != wanted[index]).sum())
    if odd:
        raise DataError(
            f"The design does not fit itself: by its seed and chances, {counted(odd, 'document')} would have been "
            "drawn or left out otherwise than it says. Give it as 'machine sample' wrote it."
        )


def _find_skipped(wanted: BoolArray, judged: BoolArray) -> tuple[Finding, ...]:
    skipped = int((wanted & ~judged).sum())
    if not skipped:
        return ()
    said = (
        f"People were asked to judge {int(wanted.sum()):,} documents and left out {skipped:,}. If these are harder "
        "than others, scores are wrong, and nothing here can show it."
    )
    return (Finding("people-skipped", said),)


def _read_chances(
    sample: SampleInput | None, people: Sequence[object], labels: pl.DataFrame, pool: DocumentPool
) -> tuple[FloatArray | None, BoolArray]:
    """The chance of each document, NaN where it is not known, None where nobody said; and what people were asked."""
    chances, wanted = np.full(len(pool.document), np.nan), np.zeros(len(pool.document), np.bool_)
    tables = (_number_table(one, "probability", named=one is sample) for one in (sample, *people))
    table = next((found for found in tables if found is not None), None)
    if table is not None:
        place, placed = place_rows(pool, table)
        chances[place] = placed["probability"].to_numpy()
        wanted[place] = True
        return chances, wanted
    if "weight" not in labels.columns:
        return None, wanted
    weight = labels["weight"].to_numpy()
    if not np.all(weight >= 1):
        raise DataError("A weight is one over the probability of being chosen, so it is at least 1.")
    chances[labels["place"].to_numpy()] = 1 / weight
    return chances, wanted


def find_sample(sources: Sequence[object]) -> SampleDesign | pl.DataFrame | None:
    """How documents of some sources were chosen: a design next to one of them, or a column of chances."""
    found = _find_design(None, sources)
    return find_number_table(sources, "probability") if found is None else found


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
        return pl.DataFrame(rows, schema={**_DOCUMENTS, column: pl.Float64}, orient="row")
    frame = pl.DataFrame(source)  # type: ignore[arg-type]
    if column not in frame.columns:
        return None
    return _unique(frame.select(*(pl.col(key).cast(pl.String) for key in KEY), pl.col(column).cast(pl.Float64)), column)


def _unique(table: pl.DataFrame, column: str) -> pl.DataFrame:
    return table.unique(subset=KEY, maintain_order=True) if column == "probability" else table


def _has_column(path: FilePath, column: str) -> bool:
    """Whether the first line of a file names such a column; what can be read only once has none."""
    if path == STANDARD_INPUT or not os.path.isfile(path):
        return False
    stream = open_stream(path)
    with closing(stream):
        head = peek(stream, _HEAD_BYTES).lstrip().partition(b"\n")[0]
    return column.encode() in head.replace(b",", b" ").replace(b'"', b" ").lower().split()


def _observed(grade: IntArray, judged: BoolArray, inside: BoolArray) -> FloatArray:
    """The share judged of each grade's documents in topics where documents were drawn."""
    code = grade + 1
    total = np.bincount(code[inside], minlength=int(code.max()) + 1)
    found = np.bincount(code[inside & judged], minlength=len(total))
    return np.asarray((found / np.maximum(total, 1))[code])


def _nest(chances: pl.DataFrame | None) -> dict[str, Json]:
    """Chances by topic and document."""
    found: dict[str, Any] = {}
    for topic, document, probability in () if chances is None else chances.iter_rows():
        found.setdefault(topic, {})[document] = probability
    return found


def _gather(drawn: pl.DataFrame) -> dict[str, Json]:
    """Documents by topic."""
    found: dict[str, Any] = {}
    for topic, document in drawn.iter_rows():
        found.setdefault(topic, []).append(document)
    return found
