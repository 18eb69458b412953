"""What runs are scored with: whose judgments and labels, which gains, which policies. Asked for once, settled once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gainsayer.commands.engine import EngineOptions, Gathered, gather
from gainsayer.commands.gains import GainChoice, find_source, name_relevances, usual_relevance
from gainsayer.commands.inputs import (
    JudgmentInput,
    Names,
    Pairing,
    SideChoice,
    choose_side_names,
    list_names,
    take_judgments,
)
from gainsayer.commands.provenance import Provenance, record
from gainsayer.commands.ranked_runs import Policies, Progress, RunInput, find_depth
from gainsayer.commands.scored_labels import settle_rule, take_labels
from gainsayer.comparison.users import BAND
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.gains.schemes import GainSource
from gainsayer.gains.values import Gains
from gainsayer.levels import Relevance
from gainsayer.measures.catalogue import Measure, ask_users, parse_measure
from gainsayer.measures.expected.users import Users, check_users
from gainsayer.model.estimate import Estimator
from gainsayer.ranking.whose_labels import LabelRule
from gainsayer.reading.files import Fingerprints
from gainsayer.reading.judgments import Judgments
from gainsayer.text import option

UserInput: TypeAlias = str | float | Sequence[str | float] | None
MeasureInput: TypeAlias = str | Measure | Sequence[str | Measure]


@dataclass(frozen=True, eq=False, kw_only=True)
class Request:
    """What was asked for next to runs and measures.

    Args:
        sources: the judgments, those of the second side included.
        first: assessors whose labels the evaluation uses.
        second: assessors who stand for the users.
        pairing: whether members of the sides pair one by one, all with all, or as the data has it.
        threshold: the lowest level with which users are satisfied, or several.
        relevant: the levels with which users are satisfied.
        labels: whose labels score.
        choice: the gains.
        estimator: `symmetric` or `one-sided`; None where the data decides.
        policies: what the judgments leave open.
        engine: where the work is done.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.
    """

    sources: list[JudgmentInput]
    first: Names = None
    second: Names = None
    pairing: Pairing = "auto"
    threshold: object | Sequence[object] | None = None
    relevant: Sequence[object] | None = None
    labels: Names = None
    choice: GainChoice
    estimator: Estimator | None = None
    policies: Policies
    engine: EngineOptions | None = None
    seed: int = 0
    progress: Progress | None = None

    def read(self, gathered: Gathered | None = None) -> tuple[Judgments, SideChoice]:
        """The judgments, as an engine read them or as given, and their two sides as named."""
        judgments = take_judgments(self.sources, levels=self.choice.levels) if gathered is None else gathered.judgments
        return judgments, choose_side_names(judgments, self.first, self.second, self.pairing)

    def gather(self, runs: RunInput, measures: Sequence[Measure], *, resources: int | None = None) -> Gathered | None:
        """What Spark made of judgments and runs; None for the embedded engine, which alone serves `resources`."""
        if self.engine is None:
            return None
        asked = list_names(self.labels, "labels")
        together = f"gains of all labels together ({option('labels', 'posterior')})"
        return gather(
            self.engine,
            self.sources,
            runs,
            levels=self.choice.levels,
            ties=self.policies.ties,
            depth=find_depth(measures, self.policies),
            unserved={
                "groups of equal documents": self.policies.duplicates,
                "runs that rank resources": resources,
                together: self.labels if "posterior" in asked else None,
            },
            progress=self.progress,
        )

    def settle(self, gathered: Gathered | None = None) -> Setup:
        """Settle labels, relevance and the source of gains, from the judgments as an engine read them or as given."""
        judgments, sides = self.read(gathered)
        rule = settle_rule(judgments, self.labels, sides)
        named = name_relevances(judgments.levels, self.choice, self.threshold, self.relevant)
        source, noted = find_source(
            *(self.choice, judgments, sides, named), together=rule.together, estimator=self.estimator, seed=self.seed
        )
        estimated = source.estimated or rule.together
        relevances = named or (usual_relevance(judgments.levels, self.choice, estimated=estimated),)
        scored = take_labels(judgments, rule, sides, relevances, self.seed)
        return Setup(
            request=self,
            judgments=judgments,
            sides=sides,
            labels=scored.labels,
            rule=rule,
            source=source,
            relevances=relevances,
            noted=(*noted, *scored.findings),
            together=scored.together,
        )

    def record(self, options: Mapping[str, object], *files: object, digests: Fingerprints | None = None) -> Provenance:
        """Where a result comes from that was made of the judgments and these files, and what was asked for."""
        return record([*self.sources, *files], options, seed=self.seed, digests=digests)


@dataclass(frozen=True, eq=False)
class Setup:
    """What scores rest on next to runs and measures, settled once.

    Args:
        request: what was asked for.
        judgments: who said what.
        sides: who is compared with whom.
        labels: those that score, one per document.
        rule: how they were chosen.
        source: what the gains are made from.
        relevances: the notions of relevance, the first one first.
        noted: what a reader should know, whatever the runs are.
        together: the gains of all labels of a document together, where these score; else None.
    """

    request: Request
    judgments: Judgments
    sides: SideChoice
    labels: Judgments
    rule: LabelRule
    source: GainSource
    relevances: tuple[Relevance, ...]
    noted: tuple[Finding, ...]
    together: Callable[[Relevance], Gains] | None


def refuse_plain(measures: Sequence[Measure]) -> None:
    """Refuse measures that say nothing about relevance, where runs are to be ordered (CallError)."""
    for measure in measures:
        if measure.family.needs == "nothing":
            raise CallError(f"{measure} says nothing about relevance, so it orders no runs: choose another measure.")


def refuse_own_gains(measures: Sequence[Measure]) -> None:
    """Refuse measures that name their gains, where kinds of gains are what is studied (CallError)."""
    for measure in measures:
        named = [name for name in ("rel", "dcg", "gains") if name in measure.given]
        if named:
            raise CallError(
                f"{measure}: the study chooses the gains. Leave out {named[0]}=, or give a threshold instead."
            )


def take_measures(measures: MeasureInput | None, usual: str = "nDCG@10") -> tuple[Measure, ...]:
    """Measures by name or as values, each once.

    Raises:
        CallError: something else was given.

    >>> [str(measure) for measure in take_measures(["map", "nDCG@10", "AP"])]
    ['AP', 'nDCG@10']
    """
    given = [measures] if isinstance(measures, str | Measure) else measures or ()
    if not isinstance(given, Sequence) or not all(isinstance(one, str | Measure) for one in given):
        raise CallError(f"Measures are names such as 'nDCG@10', one or a list of them, found {measures!r}.")
    return tuple(dict.fromkeys(one if isinstance(one, Measure) else parse_measure(one) for one in given or (usual,)))


def take_users(users: UserInput) -> tuple[Users, ...]:
    """The kinds of users asked for; `band` stands for both ends of it.

    >>> take_users("band,0.3")
    ('independent', 'comonotone', 0.3)
    """
    parts = [part.strip() for text in list_names(users, "users", numbers=True) for part in text.split(",")]
    kinds: list[Users] = []
    for word in (word for part in parts for word in (BAND if part == "band" else (part,))):
        try:
            kinds.append(check_users(float(word)))
        except ValueError:
            kinds.append(check_users(word))
    return tuple(dict.fromkeys(kinds))


def expand_users(measures: Sequence[Measure], users: Sequence[Users]) -> tuple[Measure, ...]:
    """Each measure, followed by its expected values for these users where they differ from it."""
    expanded: list[Measure] = []
    for measure in measures:
        expanded.append(measure)
        if measure.users is None and measure.family.for_users != "no":
            expanded += [asked for kind in users if (asked := ask_users(measure, kind)) is not None]
    return tuple(dict.fromkeys(expanded))
