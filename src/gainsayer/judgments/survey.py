"""What only all judgments together can say: which labels there are, who gave them, and whether some are slips.

Judgments that are read part by part are looked through once before: `survey` each part, join what was seen, and
`settle` it. Then every part is read with the same levels, and knows who is who.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import CallError, FormatError
from gainsayer.findings import Finding
from gainsayer.judgments.files import (
    Format,
    JudgmentSource,
    ReadSource,
    notice_same_assessors,
    read_judgments,
    read_sources,
)
from gainsayer.judgments.labels import AnySource, Repeats, find_rare_labels, map_labels, notice_codes
from gainsayer.judgments.table import Judgments, collect_judgments, say_unnamed
from gainsayer.judgments.tables import Source
from gainsayer.levels import NOT_JUDGED, Levels, infer_levels
from gainsayer.text import option


@dataclass(frozen=True)
class Meaning:
    """What columns and labels of judgments mean; see `read_judgments` for each."""

    levels: Levels | None = None
    merges: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    maps: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    repeats: Repeats = "error"
    raters: tuple[str, ...] = ()
    by_assessor: bool = False
    diversity: bool = False
    format: Format | None = None

    def read(self, sources: Sequence[JudgmentSource], *, levels: Levels | None = None) -> Judgments:
        """The judgments in these sources; with `levels` where none are named here."""
        named: dict[str, Any] = vars(self) | {"levels": levels if self.levels is None else self.levels}
        return read_judgments(*sources, **named)

    def survey(self, sources: Sequence[JudgmentSource | None]) -> Survey:
        """What is seen in a part of the judgments; None stands for a source that has no row in it."""
        readings = iter(self._open([source for source in sources if source is not None]))
        return tuple(None if source is None else _look_through(next(readings)) for source in sources)

    def read_part(self, sources: Sequence[JudgmentSource | None], levels: Levels) -> Judgments | None:
        """The judgments of a part, with the levels of all parts; None where no source has a row in it."""
        readings = self._open([source for source in sources if source is not None])
        if not readings:
            return None
        levels = replace(levels, merges={**levels.merges, **self.merges}, missing=levels.missing | set(self.missing))
        return collect_judgments([reading.source for reading in readings], levels=levels, repeats=self.repeats)

    def _open(self, sources: Sequence[JudgmentSource]) -> list[ReadSource]:
        """The rows of a part, labels mapped."""
        if not sources:
            return []
        readings = read_sources(
            *sources,
            by_assessor=self.by_assessor,
            diversity=self.diversity,
            format=self.format,
            raters=self.raters,
        )
        known = {name for reading in readings for name in reading.people()}
        maps = {name: table for name, table in self.maps.items() if name in known}
        mapped = map_labels([reading.source for reading in readings], maps) if maps else None
        if mapped is None:
            return readings
        return [replace(reading, source=source) for reading, source in zip(readings, mapped, strict=True)]


@dataclass(frozen=True)
class SeenSource:
    """What is seen in one source, or a part of it.

    Args:
        times: how often who gave which label.
        assessor: the assessor for whom it stands as a whole, if it does.
        titles: the columns of a table among which none says who gave the levels.
        implied: labels that there are, though nobody gave them.
    """

    times: Mapping[tuple[str, str], int]
    assessor: str | None = None
    titles: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()

    @property
    def people(self) -> list[str]:
        """Who gave its labels, sorted by bytes."""
        return sorted({name for name, _ in self.times}, key=str.encode)

    def without(self, index: Mapping[str, int]) -> SeenSource:
        """The same without labels that mean *not judged*, by the place of each label among the levels."""
        kept = {key: count for key, count in self.times.items() if index.get(key[1]) != NOT_JUDGED}
        return replace(self, times=kept)


Survey: TypeAlias = tuple[SeenSource | None, ...]


@dataclass(frozen=True, eq=False)
class Settled:
    """What all parts of the judgments have in common; see `Judgments` for each."""

    levels: Levels
    assessors: tuple[str, ...]
    roles: bool
    declared: bool
    unnamed: str
    findings: tuple[Finding, ...]


def _look_through(reading: ReadSource) -> SeenSource:
    source = reading.source
    return SeenSource(
        times=_count_labels(source),
        assessor=reading.assessor,
        titles=source.titles if isinstance(source, Source) else (),
        implied=source.implied if isinstance(source, Source) else (),
    )


def _count_labels(source: AnySource) -> dict[tuple[str, str], int]:
    """How often who gave which label."""
    if source.assessor is not None and isinstance(source.label, np.ndarray):
        low = int(source.label.min(initial=0))
        times = np.bincount(source.label.astype(np.int32) - low)
        return {(source.assessor, str(place + low)): int(times[place]) for place in np.flatnonzero(times).tolist()}
    label = pl.Series("label", source.label).cast(pl.String)
    whose = pl.lit(source.assessor, pl.String) if source.assessor is not None else source.assessors
    table = label.to_frame().with_columns(whose.alias("assessor")).group_by("assessor", "label").len()
    return {(name, text): count for name, text, count in table.select("assessor", "label", "len").iter_rows()}


def join_surveys(surveys: Iterable[Survey]) -> Survey:
    """What is seen in all parts together.

    >>> one, two = SeenSource({("ann", "1"): 2}, "ann"), SeenSource({("ann", "1"): 1, ("ann", "0"): 3}, "ann")
    >>> join_surveys([(one,), (None,), (two,)])[0].times == {("ann", "1"): 3, ("ann", "0"): 3}
    True
    """
    joined: list[SeenSource | None] = []
    for parts in zip(*surveys, strict=True):
        there = [part for part in parts if part is not None]
        times: Counter[tuple[str, str]] = Counter()
        for part in there:
            times.update(part.times)
        wholes = {part.assessor for part in there}
        joined.append(
            SeenSource(
                times=dict(times),
                assessor=wholes.pop() if len(wholes) == 1 else None,
                titles=there[0].titles,
                implied=tuple(sorted({label for part in there for label in part.implied})),
            )
            if there
            else None
        )
    return tuple(joined)


def settle(survey: Survey, names: Sequence[str], meaning: Meaning, *, levels: Levels | None = None) -> Settled:
    """Levels and assessors of all parts, as `read_judgments` finds them in the whole.

    Args:
        survey: what is seen in all parts together.
        names: what messages call the sources.
        meaning: what labels mean.
        levels: the levels where `meaning` names none, such as those of a model.

    Raises:
        CallError: a map is for somebody who is not there.
        FormatError: some labels are whole numbers and others are not.
    """
    sources = [(name, seen) for name, seen in zip(names, survey, strict=True) if seen is not None]
    everybody = tuple(dict.fromkeys(name for _, seen in sources for name in seen.people))
    stranger = next((name for name in meaning.maps if name not in everybody), None)
    if stranger is not None:
        raise CallError(
            f"There is no assessor {stranger!r} whose labels could be mapped: there are {', '.join(everybody[:20])}."
        )
    texts = list(dict.fromkeys(label for _, seen in sources for label in (*seen.implied, *(t for _, t in seen.times))))
    named = levels if meaning.levels is None else meaning.levels
    declared = named is not None or bool(meaning.maps)
    found = infer_levels(texts, merges=meaning.merges, missing=meaning.missing) if named is None else named
    if isinstance(found, list):
        raise FormatError(
            f"{', '.join(names)}: expected a whole number as level, found {', '.join(map(repr, sorted(found)[:5]))}. "
            f"Name the levels from low to high with {option('levels')}, or say that it means 'not judged' with "
            f"{option('missing')}"
        )
    found = found.adopt_codes(texts)
    judged = [seen.without(found.match(texts)) for _, seen in sources]
    assessors = tuple(dict.fromkeys(name for seen in judged for name in seen.people))
    findings = notice_same_assessors([(name, seen.assessor, seen.people) for name, seen in sources])
    findings += [] if named is None else notice_codes(named, found, texts)
    if named is None:
        findings += find_rare_labels(found, _tally(judged, found, assessors), lambda _: ())
    return Settled(
        levels=found,
        assessors=assessors,
        roles=all(len(seen.people) <= 1 for seen in judged),
        declared=declared,
        unnamed="".join(say_unnamed(name, seen.titles) for name, seen in sources),
        findings=tuple(findings),
    )


def _tally(sources: Sequence[SeenSource], levels: Levels, assessors: Sequence[str]) -> npt.NDArray[np.int64]:
    """How often each assessor gave each level; shape [assessors, levels]."""
    tally = np.zeros((len(assessors), len(levels)), np.int64)
    place = {name: code for code, name in enumerate(assessors)}
    for seen in sources:
        index = levels.match([text for _, text in seen.times])
        for (name, text), count in seen.times.items():
            tally[place[name], index[text]] += count
    return tally
