"""What a person has, as judgments: files, data frames, dicts, judgments already read, or a reading with options.

And what is said about them: who is compared with whom, which levels are relevant.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias, TypeVar

from gainsayer.errors import CallError, DataError, PairingError
from gainsayer.findings import Finding
from gainsayer.levels import Levels, Relevance, parse_levels
from gainsayer.model.intents import expand_intents, keep_top_intent
from gainsayer.model.pairs import PairCounts, Weighting, count_pairs
from gainsayer.model.weights import assign_strata, split_strata
from gainsayer.reading.faults import shorten
from gainsayer.reading.files import FilePath
from gainsayer.reading.judgment_sources import Format, JudgmentSource, Meaning
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.labels import Repeats
from gainsayer.reading.objects import is_named_tuples
from gainsayer.reading.side_files import read_topic_table
from gainsayer.text import option

Pairing: TypeAlias = Literal["auto", "matched", "all"]
Names: TypeAlias = str | Sequence[str] | None
LevelInput: TypeAlias = Levels | str | Sequence[str | int] | None
_MATCHED: dict[str, bool | None] = {"auto": None, "matched": True, "all": False}
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Reading:
    """Judgments to be read: where they are, and what their columns and labels mean.

    Args:
        sources: see `read_judgments`.
        levels: from low to high, as `Levels` or as text such as "Non,Rel,HRel,Key"; without them, the numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
        diversity: column 2 of qrels files is the intent.
        format: what the files are, where ending and content do not tell.
        strata: the stratum of each topic, or a file with lines of topic and stratum.
        intents: with intents, every one is an information need, or the most probable one only.
        intent_probabilities: by topic and intent, or a file with lines of topic, intent, probability.
        unmentioned_intents: what an intent gets that an assessor of the document did not mention.
    """

    sources: tuple[JudgmentSource, ...]
    levels: Levels | str | None = None
    merges: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    maps: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    repeats: Repeats = "error"
    raters: tuple[str, ...] = ()
    by_assessor: bool = False
    diversity: bool = False
    format: Format | None = None
    strata: FilePath | Mapping[str, str] | None = None
    intents: Literal["all", "top"] = "all"
    intent_probabilities: FilePath | Mapping[tuple[str, str], float] | None = None
    unmentioned_intents: Literal["lowest", "ignore"] = "lowest"

    @property
    def meaning(self) -> Meaning:
        """What columns and labels mean, as one value."""
        named = self.levels
        if isinstance(named, str):
            named = parse_levels(named, merges=self.merges, missing=self.missing)
        said: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(Meaning)}
        return Meaning(**said | {"levels": named})

    def read(self, *, levels: Levels | None = None) -> Judgments:
        """The judgments, with strata and intents; `levels` where none are named here."""
        return self.finish(self.meaning.read(self.sources, levels=levels))

    def finish(self, judgments: Judgments) -> Judgments:
        """Judgments as they were read, with strata and intents."""
        if self.strata is not None:
            judgments = assign_strata(judgments, _strata(self.strata))
        if judgments.intent is not None:
            judgments = expand_intents(judgments, unmentioned=self.unmentioned_intents == "lowest")
        if self.intents == "top":
            if self.intent_probabilities is None:
                raise CallError(
                    "To keep the top intent alone, the probability of each is needed "
                    f"({option('intent_probabilities')})."
                )
            judgments = keep_top_intent(judgments, _probabilities(self.intent_probabilities))
        return judgments


JudgmentInput: TypeAlias = Judgments | Reading | JudgmentSource


def take_judgments(given: Sequence[JudgmentInput] | JudgmentInput, *, levels: Levels | None = None) -> Judgments:
    """Judgments from whatever was given: read already, to be read with options, or one or more sources.

    Args:
        given: one thing, or several that together are the judgments, assessors in the order given.
        levels: the levels where the judgments do not bring their own, such as those of a model.

    >>> first, second = {"q1": {"d1": 2, "d2": 0}}, {"q1": {"d1": 1}}
    >>> take_judgments([[("U1", first), ("U2", second)]]).assessors
    ('U1', 'U2')
    >>> take_judgments({"q1": {"d1": 2, "d2": 0}})
    Judgments(2 judgments of 2 documents, 1 topics, assessors labels, levels 0, 2)
    """
    found = as_reading(given)
    return found if isinstance(found, Judgments) else found.read(levels=levels)


def as_reading(given: Sequence[JudgmentInput] | JudgmentInput) -> Reading | Judgments:
    """How to read what was given; judgments that were read already."""
    every: list[JudgmentInput] = []
    for one in list_sources(given):
        every += list_sources(one)
    if len(every) == 1 and isinstance(every[0], Judgments | Reading):
        return every[0]
    return Reading(tuple(every))  # type: ignore[arg-type]


def list_sources(given: Sequence[JudgmentInput] | JudgmentInput) -> list[JudgmentInput]:
    """One thing, or several: a list is several, unless it holds the rows of one table; so are sources by assessor.

    >>> list_sources({"nist": "nist.qrels", "gpt": "gpt.qrels"})
    [('nist', 'nist.qrels'), ('gpt', 'gpt.qrels')]
    """
    if isinstance(given, Mapping) and not all(isinstance(value, Mapping | int | float) for value in given.values()):
        return [(str(name), source) for name, source in given.items()]
    several = isinstance(given, list) and not (given and isinstance(given[0], tuple) and is_named_tuples(given))
    return list(given) if several else [given]  # type: ignore[arg-type]  # as just seen


def gather_sources(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
) -> list[JudgmentInput]:
    """What was given as judgments, with what columns and labels mean where that was said; see `Reading`.

    Raises:
        CallError: something is said of judgments that were read already, or of a `Reading`, which says it itself.

    >>> found, = gather_sources(["a.qrels", "b.qrels"], levels=["Non", "Key"], missing="-1")
    >>> found.sources, found.levels.names, found.missing
    (('a.qrels', 'b.qrels'), ('Non', 'Key'), ('-1',))
    """
    given = list_sources(judgments)
    dropped = list_names(missing, "missing", numbers=True)
    columns = list_names(raters, "raters")
    if levels is None and repeats == "error" and not (merges or dropped or maps or columns or by_assessor):
        return given
    every = [one for source in given for one in list_sources(source)]
    if any(isinstance(one, Judgments | Reading) for one in every):
        kind = "A Reading says" if any(isinstance(one, Reading) for one in every) else "Judgments that were read know"
        raise CallError(f"{kind} what columns and labels mean: leave out {option('levels')} and its like.")
    if not isinstance(levels, Levels | Sequence | None):
        raise CallError(f"Levels are names from low to high, such as ['Non', 'Rel', 'Key'], found {levels!r}.")
    if maps and not (isinstance(maps, Mapping) and all(isinstance(labels, Mapping) for labels in maps.values())):
        raise CallError(f"Maps are labels by assessor, such as {{'ann': {{'1': '0'}}}}, found {maps!r}.")
    if levels is not None and not isinstance(levels, Levels | str):
        levels = Levels(tuple(map(str, levels)), merges=merges or {}, missing=frozenset(dropped))
    reading = Reading(
        tuple(every),  # type: ignore[arg-type]  # as just seen
        levels=levels,
        merges=merges or {},
        missing=dropped,
        maps=maps or {},
        repeats=repeats,
        raters=columns,
        by_assessor=by_assessor,
    )
    return [reading]


def join_second(
    judgments: JudgmentInput | Sequence[JudgmentInput], second: str | Sequence[str] | JudgmentInput | None
) -> tuple[list[JudgmentInput], str | Sequence[str] | None]:
    """The judgments with those of the second side, where these were given as such; and the names of the second side.

    `second` may name assessors of the judgments, or be judgments itself: a file, a data frame, a dict.
    """
    given = list_sources(judgments)
    if second is None or (isinstance(second, str) and not os.path.exists(second)):
        return given, second
    if isinstance(second, list | tuple) and all(isinstance(name, str) for name in second):
        return given, second
    return [*given, second], None


def choose_relevance(
    levels: Levels, threshold: object | Sequence[object] | None = None, relevant: Sequence[object] | None = None
) -> tuple[Relevance, ...]:
    """The notions of relevance asked for; by default every threshold, the top level first.

    Args:
        levels: the levels.
        threshold: one or several levels, by name or number: users are satisfied with it or a higher one.
        relevant: a set of levels (or several sets) with which users are satisfied.

    >>> [found.name for found in choose_relevance(Levels(("0", "1", "2")))]
    ['2', '1']
    >>> choose_relevance(Levels(("0", "1", "2")), 1)[0].names
    ('1', '2')
    """
    asked = [levels.at_or_above(str(name)) for name in _listed(threshold)]
    sets = _listed(relevant)
    nested = sets if sets and not isinstance(sets[0], str | int) else ([sets] if sets else [])
    asked += [levels.only(*(str(name) for name in group)) for group in nested]  # type: ignore[attr-defined]
    if not asked:
        if not levels.ordered:
            raise CallError(
                f"The labels {', '.join(levels.names)} have no order. Name them from low to high ({option('levels')}), "
                f"or name the relevant ones ({option('relevant')})."
            )
        asked = [levels.at_or_above(name) for name in reversed(levels.names[1:])]
    return tuple(dict.fromkeys(asked))


@dataclass(frozen=True)
class SideChoice:
    """The assessors of the two sides, and how their members pair; see `count_pairs`."""

    first: tuple[str, ...] | None = None
    second: tuple[str, ...] | None = None
    pairing: Pairing = "auto"

    @property
    def matched(self) -> bool | None:
        """Whether the members of the sides pair one by one; None where the data decides."""
        return _MATCHED[self.pairing]

    def count(self, judgments: Judgments, *, weighting: Weighting = "judgment") -> PairCounts:
        """The pairs of these sides."""
        return count_pairs(judgments, first=self.first, second=self.second, matched=self.matched, weighting=weighting)


def choose_side_names(judgments: Judgments, first: Names, second: Names, pairing: Pairing = "auto") -> SideChoice:
    """The sides as named: whole names, or several between commas.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> choose_side_names(twenty_documents(), "U2", None).first
    ('U2',)
    """
    if not isinstance(pairing, str) or pairing not in _MATCHED:
        raise CallError(f"Sides pair {', '.join(_MATCHED)}, found {shorten(str(pairing))}.")
    return SideChoice(split_assessors(judgments, first, "first"), split_assessors(judgments, second, "second"), pairing)


def split_assessors(judgments: Judgments, given: Names, argument: str) -> tuple[str, ...] | None:
    """Names of assessors: whole ones where there are such, else several between commas; None where none is named."""
    names = [
        name.strip()
        for text in list_names(given, argument)
        for name in ([text] if text in judgments.assessors else text.split(","))
        if name.strip()
    ]
    return tuple(dict.fromkeys(names)) or None


def for_each_stratum(
    judgments: Judgments, measure: Callable[[Judgments], _Result]
) -> tuple[dict[str, _Result], list[Finding]]:
    """What `measure` makes of each stratum; a stratum without pairs is left out with a finding, a fault names it."""
    results: dict[str, _Result] = {}
    findings: list[Finding] = []
    if judgments.strata is None:
        return results, findings
    for name, part in split_strata(judgments).items():
        try:
            results[name] = measure(part)
        except PairingError:
            text = f"Stratum {name!r} has no document that was judged by both sides; it has no estimate of its own."
            findings.append(Finding("stratum-without-pairs", text))
        except DataError as error:
            raise type(error)(f"Stratum {name!r}: {error}") from error
    return results, findings


def list_names(given: object, argument: str, *, numbers: bool = False) -> tuple[str, ...]:
    """One name or several; with `numbers`, names may be numbers.

    Raises:
        CallError: it is neither; says so of the argument.

    >>> list_names("ann", "first"), list_names(["ann", "bob"], "first"), list_names(-1, "missing", numbers=True)
    (('ann',), ('ann', 'bob'), ('-1',))
    """
    kinds = (str, int, float) if numbers else (str,)
    if given is None:
        return ()
    several = list(given) if isinstance(given, Collection) and not isinstance(given, str | bytes | Mapping) else [given]
    if not all(isinstance(name, kinds) and not isinstance(name, bool) for name in several):
        raise CallError(f"{argument} is a name or a list of names, found {shorten(repr(given))}.")
    return tuple(map(str, several))


def _listed(value: object) -> list[object]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple | set | frozenset) else [value]


def _strata(given: FilePath | Mapping[str, str]) -> Mapping[str, str]:
    return given if isinstance(given, Mapping) else dict(read_topic_table(given, ("topic", "stratum")).iter_rows())


def _probabilities(given: FilePath | Mapping[tuple[str, str], float]) -> Mapping[tuple[str, str], float]:
    if isinstance(given, Mapping):
        return given
    table = read_topic_table(given, ("topic", "intent", "probability"), numbers=("probability",))
    return {(topic, intent): value for topic, intent, value in table.iter_rows()}
