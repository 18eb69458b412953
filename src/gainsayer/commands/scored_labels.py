"""Labels that score by all that was said of a document, and their gains: p(R | all of its labels)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gainsayer.commands.inputs import Names, SideChoice, split_assessors
from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.gains.posterior import Posterior, posterior_gains
from gainsayer.gains.values import Gains
from gainsayer.levels import Patterns, Relevance
from gainsayer.ranking.whose_labels import LabelRule, apply_rule, count_labels, decide_labels, split_patterns
from gainsayer.reading.judgments import Judgments
from gainsayer.text import option


@dataclass(frozen=True, eq=False)
class ScoredLabels:
    """The labels that score.

    Args:
        labels: one label, or one pattern of labels, per document.
        together: their gains for a notion of relevance, where all labels of a document count together; else None.
        findings: what a reader should know.
    """

    labels: Judgments
    together: Callable[[Relevance], Gains] | None = None
    findings: tuple[Finding, ...] = ()


def settle_rule(judgments: Judgments, labels: Names, sides: SideChoice) -> LabelRule:
    """Whose labels score runs, by name or by rule."""
    named = split_assessors(judgments, labels, "labels")
    return decide_labels(judgments, named, first=sides.first, second=sides.second, together=True)


def take_labels(
    judgments: Judgments, rule: LabelRule, sides: SideChoice, relevances: tuple[Relevance, ...], seed: int = 0
) -> ScoredLabels:
    """The labels that the rule makes of the judgments; with `posterior`, the gains that belong to them as well.

    Raises:
        DataError: `posterior` is asked for, and no document has several labels, or none has a further opinion.
    """
    chosen = apply_rule(judgments, rule)
    if not rule.together:
        return ScoredLabels(chosen)
    labels = count_labels(judgments, rule.names)
    if labels.sum(axis=1).max(initial=0) < 2:
        raise DataError(
            "No document has several labels that score, so there is nothing to put together. Leave "
            f"{option('labels', 'posterior')} out, or name the assessors of the first side so that several of them "
            "judged a document."
        )
    users = None if sides.second is None else count_labels(judgments, sides.second)
    topic = np.zeros(judgments.items, np.int64)
    topic[judgments.item] = judgments.topic

    def learn(relevance: Relevance) -> Posterior:
        return posterior_gains(labels, users, topic, np.array(relevance.mask), seed=seed)

    known = {relevance: learn(relevance) for relevance in relevances}
    first = known[relevances[0]]
    split = split_patterns(chosen, first.fold[chosen.item])

    def gains(relevance: Relevance) -> Gains:
        found = known[relevance] if relevance in known else learn(relevance)
        levels = split.levels
        assert isinstance(levels, Patterns)
        values = np.zeros(len(levels))
        values[: len(levels.levels)] = found.single
        values[split.level] = found.value[split.item]
        return Gains(levels, values, name="posterior", threshold=relevance.name)

    said = (
        f"A document's gain is p(R | all of its labels), learned on other topics from {first.opinions:,} documents "
        f"with a further opinion; two labels count as {2 / (1 + first.repetition):.2f} that err independently."
    )
    taken = "The uncertainty of these gains is not in the intervals, which are over topics alone."
    noted = (Finding("labels-pooled", said), Finding("gains-taken-as-given", taken))
    return ScoredLabels(split, gains, (*first.findings, *noted))


def notice_machine(judgments: Judgments, machine: Names, rule: LabelRule, sides: SideChoice) -> tuple[Finding, ...]:
    """A finding where a machine's labels score the runs, or a machine stands for the users.

    Raises:
        CallError: there is no such assessor.
    """
    named = split_assessors(judgments, machine, "machine") or ()
    unknown = [name for name in named if name not in judgments.assessors]
    if unknown:
        raise CallError(f"There is no assessor {unknown[0]!r}: the assessors are {', '.join(judgments.assessors)}.")
    scoring = [name for name in named if name in rule.names]
    others = [name for name in judgments.assessors if name not in rule.names]
    users = [name for name in named if name in (sides.second if sides.second is not None else others)]
    found = []
    if scoring:
        said = (
            f"Runs are scored by the grades of {', '.join(scoring)}, a machine: those that share its taste are "
            "favoured, and no interval here knows of it. Scores that people would have given: machine score."
        )
        found.append(Finding("machine-side", said))
    if users:
        said = (
            f"{', '.join(users)}, a machine, stands for the users: what a grade is worth is its opinion, not people's."
        )
        found.append(Finding("machine-side", said))
    return tuple(found)
