"""Random users as they are asked for: which kinds, and how each measure is expanded by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gainsayer.comparison.user_band import BAND
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.gains.values import Gains
from gainsayer.measures.catalogue import Measure, ask_users, parse_measure
from gainsayer.measures.expected.found import FoundDistribution, distribute_runs
from gainsayer.measures.expected.users import Users, check_users
from gainsayer.measures.scoring import Scores
from gainsayer.rankings.ranked_levels import RankedLevels

UserInput: TypeAlias = str | float | Sequence[str | float] | None
MeasureInput: TypeAlias = str | Measure | Sequence[str | Measure]


def take_measures(measures: MeasureInput | None, usual: str = "nDCG@10") -> tuple[Measure, ...]:
    """Measures by name or as values, each once.

    >>> [str(measure) for measure in take_measures(["map", "nDCG@10", "AP"])]
    ['AP', 'nDCG@10']
    """
    given = [measures] if isinstance(measures, str | Measure) else list(measures or ())
    return tuple(dict.fromkeys(one if isinstance(one, Measure) else parse_measure(one) for one in given or (usual,)))


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


def take_users(users: UserInput) -> tuple[Users, ...]:
    """The kinds of users asked for; `band` stands for both ends of it.

    >>> take_users("band,0.3")
    ('independent', 'comonotone', 0.3)
    """
    given = [users] if isinstance(users, str | float | int) else list(users or ())
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


def notice_simulation(ranked: Sequence[RankedLevels], kinds: Mapping[Measure, Sequence[Gains]]) -> list[Finding]:
    """How large the error is that simulated users leave in a mean over topics, for measures without a formula."""
    findings = []
    for measure, gains in kinds.items():
        if measure.users in (None, "comonotone") or measure.family.for_users != "simulated":
            continue
        worst = 0.0
        for kind in gains:
            for run in ranked:
                error = measure.score_users(run, kind).standard_error
                if error is not None and len(error):
                    worst = max(worst, float(np.sqrt((np.nan_to_num(error) ** 2).sum()) / len(error)))
        text = (
            f"{measure} is a mean over simulated users, the same for all runs; simulating leaves a standard error of "
            f"at most {worst:.2g} in a run's mean. More users: sample=10000 in the measure's name."
        )
        findings.append(Finding("simulated-users", text))
    return findings


COUNTING = ("NumRel", "P", "Success")


@dataclass(frozen=True, eq=False)
class FoundByUsers:
    """How many relevant documents users of one kind find in the top k of each run, on a random topic.

    `distribution.probability` has the shape [runs, numbers].
    """

    runs: tuple[str, ...]
    gains: str
    users: Users
    distribution: FoundDistribution


def found_by_users(ranked: Sequence[RankedLevels], scores: Scores, users: Sequence[Users]) -> list[FoundByUsers]:
    """The distributions for every depth of a count, precision or Success that was asked for, and every probability."""
    depths = dict.fromkeys(
        measure.depth for measure in scores.measures if measure.family.name in COUNTING and measure.depth is not None
    )
    scored = set(scores.topics)
    kept = np.array([topic in scored for topic in ranked[0].topics], dtype=bool)
    answers = []
    for depth in depths:
        for gains in scores.gains:
            for kind in users if gains.probabilities else ():
                spread = distribute_runs(ranked, gains, depth=depth, users=kind, chosen=kept)
                answers.append(FoundByUsers(tuple(run.name for run in ranked), gains.name, kind, spread))
    return answers
