"""Requests: what the functions that take runs are asked for, as values.

Functions share their arguments by sharing these fields: an option is declared, documented and given its default once.
`@arguments(ScoreRequest)` turns a function of a request into one with plain arguments, a closed signature and all
arguments in its docstring. Only whole requests are made; the parts they are put together from are never filled alone.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import update_wrapper
from types import FunctionType
from typing import Any, ParamSpec, TypeAlias, TypeVar, cast

from gainsayer.commands.engine import EngineOptions, Gathered, gather
from gainsayer.commands.fit import Fit
from gainsayer.commands.gains import GainChoice, choose_gains, find_source, name_relevances, usual_relevance
from gainsayer.commands.inputs import (
    JudgmentInput,
    Names,
    Pairing,
    SideChoice,
    choose_side_names,
    join_second,
    take_judgments,
)
from gainsayer.commands.model_file import SavedModel
from gainsayer.commands.provenance import Provenance, record
from gainsayer.commands.ranked_runs import Policies, Progress, RunInput, find_depth
from gainsayer.commands.scored_labels import settle_rule, take_labels
from gainsayer.comparison.user_band import BAND
from gainsayer.disagreement.estimators import Estimator
from gainsayer.findings import Finding
from gainsayer.gains.schemes import GainSource
from gainsayer.gains.values import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels, Relevance
from gainsayer.lines.fingerprints import Fingerprints
from gainsayer.lines.opening import FilePath
from gainsayer.measures.catalogue import Measure, ask_users, parse_measure
from gainsayer.measures.expected.users import Users, check_users
from gainsayer.measures.scoring import NoRelevant, TopicPolicy
from gainsayer.rankings.duplicates import Duplicates
from gainsayer.rankings.labels import LabelRule
from gainsayer.rankings.ranking import Ties
from gainsayer.text import option

UserInput: TypeAlias = str | float | Sequence[str | float] | None
MeasureInput: TypeAlias = str | Measure | Sequence[str | Measure]
P = ParamSpec("P")
Asked = TypeVar("Asked")
Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Ground:
    """What scores rest on beside runs and measures, settled once.

    Args:
        judgments: who said what.
        sides: who is compared with whom.
        labels: those that score, one per document.
        rule: how they were chosen.
        choice: the gains asked for.
        source: what they are made from.
        relevances: the notions of relevance, the first one first.
        noted: what a reader should know, whatever the runs are.
        together: the gains of all labels of a document together, where these score; else None.
    """

    judgments: Judgments
    sides: SideChoice
    labels: Judgments
    rule: LabelRule
    choice: GainChoice
    source: GainSource
    relevances: tuple[Relevance, ...]
    noted: tuple[Finding, ...]
    together: Callable[[Relevance], Gains] | None


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Request:
    """What every function with runs is asked for.

    Args:
        judgments: files, data frames, dicts, or judgments already read; see `read_judgments` and `Reading`.
    """

    judgments: JudgmentInput | Sequence[JudgmentInput]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Runs(Request):
    """The runs, and what they are scored by.

    Args:
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measures: such as "nDCG@10" or ["nDCG@10", "AP"]; names of ir_measures or trec_eval.
    """

    runs: RunInput
    measures: MeasureInput | None = None


@dataclass(frozen=True, eq=False, init=False, repr=False, kw_only=True)
class SideOptions(Request):
    """Who is compared with whom, what satisfies users, and whose labels count.

    Args:
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        threshold: users are satisfied with this level (by name or number) or a higher one; several may be given. By
            default every threshold.
        relevant: users are satisfied with these levels.
        labels: whose labels score: assessors (the first who judged a document), `majority`, `mean`, or `posterior`
            (all of them together, learned where a document has a further opinion).
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.
    """

    second: Names | JudgmentInput = None
    first: Names = None
    pairing: Pairing = "auto"
    threshold: object | Sequence[object] | None = None
    relevant: Sequence[object] | None = None
    labels: Names = None
    ties: Ties = "trec"
    duplicates: FilePath | Duplicates | None = None
    seed: int = 0
    progress: Progress | None = None

    @property
    def sources(self) -> list[JudgmentInput]:
        """Where the judgments come from, those of the second side included."""
        return join_second(self.judgments, self.second)[0]

    def read(self, *, levels: Levels | None = None, gathered: Gathered | None = None) -> tuple[Judgments, SideChoice]:
        """The judgments, and their two sides as named; `levels` where the judgments do not bring their own."""
        given, second = join_second(self.judgments, self.second)
        judgments = take_judgments(given, levels=levels) if gathered is None else gathered.judgments
        return judgments, choose_side_names(judgments, self.first, second, self.pairing)

    def record(self, *files: object, digests: Fingerprints | None = None) -> Provenance:
        """Where a result comes from that was made of the judgments and these files, and what was asked for."""
        return record([*self.sources, *files], vars(self), seed=self.seed, digests=digests)


@dataclass(frozen=True, eq=False, init=False, repr=False, kw_only=True)
class ScoringOptions(SideOptions):
    """With which gains runs are scored, and what the judgments leave open about it.

    Args:
        gains: `prm`, `binary`, `linear`, `exponential`, `udm`, or a JSON file; several may be given.
        estimator: `symmetric` or `one-sided`; by default symmetric where it is valid.
        unjudged: what an unjudged document is worth: `0`, `level`, a number, `condense` or `bounds`.
        topics: all judged topics, or those that every run has (`common`).
        no_relevant: what topics without a relevant label count: `keep`, `zero` or `skip`.
    """

    gains: str | Sequence[str] | None = None
    estimator: Estimator | None = None
    unjudged: str | float = "0"
    topics: TopicPolicy = "all"
    no_relevant: NoRelevant = "keep"

    @property
    def policies(self) -> Policies:
        """What the judgments leave open, as one value."""
        return Policies(
            choose_gains(unjudged=self.unjudged).unjudged,
            self.ties,
            self.duplicates,
            self.topics,
            self.no_relevant,
        )


@dataclass(frozen=True, eq=False, init=False, repr=False, kw_only=True)
class UserOptions(ScoringOptions):
    """Gains by hand, and random users.

    Args:
        gain: level to gain, before all others.
        users: also the expected value over random users: `independent`, `comonotone` (a strict user is strict with
            every document), `band` (both), or a correlation.
    """

    gain: Mapping[str, float] | None = None
    users: UserInput = None

    def choose_gains(self, model: Fit | SavedModel | FilePath | None = None) -> GainChoice:
        """The gains asked for, with a model that is there already."""
        return choose_gains(self.gains, self.gain, model, self.unjudged)

    def settle(self, choice: GainChoice, gathered: Gathered | None = None) -> Ground:
        """Settle labels, relevance and the source of gains, from the judgments as an engine read them or as given."""
        judgments, sides = self.read(levels=choice.levels, gathered=gathered)
        rule = settle_rule(judgments, self.labels, sides)
        named = name_relevances(judgments.levels, choice, self.threshold, self.relevant)
        source, noted = find_source(
            *(choice, judgments, sides, named), together=rule.together, estimator=self.estimator, seed=self.seed
        )
        relevances = named or (usual_relevance(judgments.levels, choice, estimated=source.estimated or rule.together),)
        scored = take_labels(judgments, rule, sides, relevances, self.seed)
        return Ground(
            judgments=judgments,
            sides=sides,
            labels=scored.labels,
            rule=rule,
            choice=choice,
            source=source,
            relevances=relevances,
            noted=(*noted, *scored.findings),
            together=scored.together,
        )


@dataclass(frozen=True, eq=False, init=False, repr=False, kw_only=True)
class Modelled:
    """A model made before.

    Args:
        model: what `fit` gave, or the file it was written to.
        threshold: users are satisfied with this level (by name or number) or a higher one; several may be given. By
            default the top level for PRM gains, else 1 and above.
    """

    model: Fit | SavedModel | FilePath | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Engined(EngineOptions, UserOptions, Runs):
    """Runs and judgments that an engine may gather."""

    def gather(
        self, measures: Sequence[Measure], choice: GainChoice, *, resources: int | None = None
    ) -> Gathered | None:
        """What Spark made of judgments and runs; None for the embedded engine, which alone serves `resources`."""
        asked = [self.labels] if isinstance(self.labels, str) else list(self.labels or ())
        return gather(
            self,
            self.sources,
            self.runs,
            levels=choice.levels,
            ties=self.ties,
            depth=find_depth(measures, self.policies),
            unserved={
                "groups of equal documents": self.duplicates,
                "runs that rank resources": resources,
                f"gains of all labels together ({option('labels', 'posterior')})": self.labels
                if "posterior" in asked
                else None,
            },
            progress=self.progress,
        )


@dataclass(frozen=True, eq=False)
class ScoreRequest(Modelled, Engined):
    """What `score` is asked for.

    Args:
        gains: `prm`, `binary`, `linear`, `exponential`, `udm`, or a JSON file; several may be given. By default `prm`
            where there is a model or a second side, else what the measure has in ir_measures.
        resources: for runs that rank resources: score the results of their first so many, as in FedWeb (3), and compare
            the orders of the runs by two kinds of gains.
        results: how many results of each resource count; 10 by default.
        resource_rule: a regular expression by which a document id names its resource and rank.
        resource_file: lines of topic, resource and document, in the resource's order; instead of a rule.
        oracle: also the best choice of resources, knowing the labels.
    """

    _: KW_ONLY
    resources: int | None = None
    results: int | None = None
    resource_rule: str | None = None
    resource_file: FilePath | None = None
    oracle: bool = False


def take_measures(measures: MeasureInput | None, usual: str = "nDCG@10") -> tuple[Measure, ...]:
    """Measures by name or as values, each once.

    >>> [str(measure) for measure in take_measures(["map", "nDCG@10", "AP"])]
    ['AP', 'nDCG@10']
    """
    given = [measures] if isinstance(measures, str | Measure) else list(measures or ())
    return tuple(dict.fromkeys(one if isinstance(one, Measure) else parse_measure(one) for one in given or (usual,)))


def take_users(users: UserInput) -> tuple[Users, ...]:
    """The kinds of users asked for; `band` stands for both ends of it.

    >>> take_users("band,0.3")
    ('independent', 'comonotone', 0.3)
    """
    if users is None:
        return ()
    given = [users] if isinstance(users, str | float | int) else list(users)
    parts = [part.strip() for text in given for part in (text.split(",") if isinstance(text, str) else (str(text),))]
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


def arguments(request: Callable[P, Asked]) -> Callable[[Callable[[Asked], Result]], Callable[P, Result]]:
    """Make a function of a request one that takes the fields of the request as plain arguments.

    They stand in its docstring as the classes of the request describe them.

    >>> @arguments(ScoreRequest)
    ... def count_runs(asked: ScoreRequest) -> int:
    ...     "How many runs there are."
    ...     return len(asked.runs)
    >>> count_runs({}, ["a.run", "b.run"], ties="input")
    2
    >>> print(count_runs.__doc__)  # doctest: +ELLIPSIS
    How many runs there are.
    <BLANKLINE>
    Args:
        judgments: files, data frames, dicts, or judgments already read; see `read_judgments` and `Reading`.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
    ...
    >>> count_runs({}, [], tie="input")
    Traceback (most recent call last):
    TypeError: count_runs() got an unexpected keyword argument 'tie'
    """
    declared = inspect.signature(request)
    last = sorted(declared.parameters.values(), key=lambda parameter: parameter.name in ("seed", "progress"))
    signature = declared.replace(parameters=last)

    def make(function: Callable[[Asked], Result]) -> Callable[P, Result]:
        def call(*args: P.args, **kwargs: P.kwargs) -> Result:
            try:
                signature.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function(request(*args, **kwargs))

        # With the globals of the function's own module, where doctest looks to see whose example it is.
        own = FunctionType(call.__code__, cast(Any, function).__globals__, closure=call.__closure__)
        update_wrapper(own, function)
        answer = inspect.get_annotations(function)["return"]
        own.__signature__ = signature.replace(return_annotation=answer)  # type: ignore[attr-defined]
        own.__annotations__ = {name: one.annotation for name, one in signature.parameters.items()} | {"return": answer}
        # Where `get_type_hints` looks up the words of these annotations: in the modules that wrote them.
        kinds = reversed(cast(type, request).__mro__)
        words = {name: value for kind in kinds for name, value in vars(sys.modules[kind.__module__]).items()}
        own.__wrapped__ = FunctionType(  # type: ignore[attr-defined]
            cast(Any, function).__code__, words | cast(Any, function).__globals__
        )
        own.__doc__ = _document(function.__doc__ or "", cast(type, request), list(signature.parameters))
        return cast(Callable[P, Result], own)

    return make


def _document(docstring: str, request: type, names: Sequence[str]) -> str:
    """The docstring with all arguments before its errors and examples."""
    said: dict[str, str] = {}
    for kind in reversed(request.__mro__):
        listed = inspect.cleandoc(kind.__doc__ or "").partition("\n\nArgs:\n")[2].partition("\n\n")[0]
        said |= {part.partition(":")[0].strip(): part for part in re.split(r"\n(?=    \S)", listed)}
    text = inspect.cleandoc(docstring)
    head, *rest = re.split(r"\n\n(?=>>>|Raises:)", text, maxsplit=1)
    return "\n\n".join([head, "\n".join(["Args:", *(said[name] for name in names)]), *rest])
