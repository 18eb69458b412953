"""What a plan is made from, and what comes back of it.

Before: first labels or sizes in their place, and what second judgments of a pilot say. After: the second judgments that
the plan asked for, weighed by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gainsayer.commands.inputs import JudgmentInput, SideChoice, choose_relevance
from gainsayer.errors import CallError, DataError, SeveralLabelsError
from gainsayer.findings import Finding
from gainsayer.levels import Levels, Relevance
from gainsayer.model.estimate import Disagreement, estimate_disagreement
from gainsayer.model.pairs import choose_sides
from gainsayer.planning.prospect import Pilot, Prospect, Purpose, Target, take_pilot
from gainsayer.planning.sampling import (
    BoolArray,
    FirstLabels,
    FloatArray,
    IntArray,
    PlanInput,
    Reached,
    SavedPlan,
    drawn_by_keys,
    find_batches,
    find_reached,
    read_plan,
)
from gainsayer.planning.stopping import Stopping
from gainsayer.ranking.whose_labels import apply_rule, decide_labels
from gainsayer.reading.judgments import Judgments
from gainsayer.table import Column, Json, Table, number
from gainsayer.text import option


@dataclass(frozen=True, eq=False)
class Material:
    """What a plan is made from: sizes of cells, and what a pilot says."""

    levels: Levels
    sizes: FloatArray
    relevance: Relevance | None = None
    judgments: Judgments | None = None
    labels: FirstLabels | None = None
    first: tuple[str, ...] = ()
    sides: SideChoice | None = None
    pilot: Pilot | None = None
    done: BoolArray | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def held(self) -> FloatArray | None:
        """Documents of each level that were judged by the plan's own keys; shape [levels]."""
        if self.labels is None or self.done is None:
            return None
        return np.bincount(self.labels.level[self.done], minlength=len(self.levels)).astype(np.float64)


def take_sizes(
    shares: Mapping[str, float] | None,
    topics: int | None,
    documents: int | None,
    judgments: Sequence[JudgmentInput],
    purpose: Purpose,
) -> Material | None:
    """Sizes in place of judgments; None where there are judgments."""
    if shares is None and topics is None and documents is None:
        if not judgments:
            raise CallError(
                f"A plan needs first labels, or sizes in their place: {option('shares')}, {option('topics')} and "
                f"{option('documents')}."
            )
        return None
    if judgments:
        raise CallError(
            f"Sizes stand in place of judgments: give either these or {option('shares')}, {option('topics')} and "
            f"{option('documents')}."
        )
    if shares is None or topics is None or documents is None:
        raise CallError(
            f"Sizes in place of judgments are three: {option('shares')}, {option('topics')} and {option('documents')}."
        )
    if purpose != "parameters":
        raise CallError(
            f"Scores and differences need first labels and runs; sizes serve for {option('purpose', 'parameters')}."
        )
    part = np.array(list(shares.values()), np.float64)
    if np.any(part < 0) or abs(float(part.sum()) - 1) > 0.02:
        raise CallError(f"The shares of the levels add up to 1, found {part.sum():g}.")
    if topics < 1 or documents < topics:
        raise CallError(f"There is at least one document per topic, found {documents:,} in {topics:,} topics.")
    said = "The plan knows no topics and takes them all to be of the same size. Unequal ones are worth fewer."
    sizes = np.tile(part / part.sum() * documents / topics, (topics, 1))
    return Material(Levels(tuple(shares)), sizes, findings=(Finding("equal-topics-assumed", said),))


def take_relevance(levels: Levels, threshold: object | None, relevant: Sequence[object] | None) -> Relevance:
    """The one notion of relevance that a plan is for (CallError where there are more)."""
    found = choose_relevance(levels, threshold, relevant)
    if len(found) != 1:
        raise CallError(
            f"A plan is for one notion of relevance: give one {option('threshold')}, or one set of "
            f"{option('relevant')}."
        )
    return found[0]


def make_material(judgments: Judgments, sides: SideChoice, relevance: Relevance, seed: int) -> Material:
    """The first labels, and what second judgments say where there are any.

    Raises:
        CallError: documents have several labels, and nobody says which ones are the first.
    """
    try:
        labels, item = take_first_labels(judgments, sides)
    except SeveralLabelsError:
        few = ", ".join(judgments.assessors[:5]) + (", ..." if len(judgments.assessors) > 5 else "")
        raise CallError(
            "A plan starts from one first label on each document, and here some have several, by people who are no "
            f"sides ({few}). Say whose labels are the first ones, {option('first', 'NAME')} (of several, those of the "
            "first who judged a document count); those of the others are then the pilot."
        ) from None
    found = find_first(judgments, sides)
    sides = replace(sides, first=None if found is None else tuple(found))
    rule = decide_labels(judgments, first=sides.first, second=sides.second)
    several = judgments.voices > 1 and set(rule.names) != set(judgments.assessors)
    material = Material(
        labels.levels, labels.sizes.astype(np.float64), relevance, judgments, labels, rule.names, sides,
        findings=judgments.findings,
    )  # fmt: skip
    if not several:
        return material
    rows, where = _second_rows(judgments, sides, item)
    rows, where = rows[where >= 0], where[where >= 0]
    done = np.zeros(len(labels), np.bool_)
    done[where] = True
    own = drawn_by_keys(labels, labels.keys(seed), done)
    paired = judgments
    if own and not done.all():
        # As `fit --plan` will: with weights the symmetric estimate is right, however unevenly levels were drawn.
        drawn = np.bincount(labels.level[done], minlength=len(labels.levels))
        weight = np.ones(len(judgments))
        weight[rows] = (labels.sizes.sum(axis=0) / np.maximum(drawn, 1))[labels.level[where]]
        paired = replace(judgments, weight=weight)
    model = estimate_disagreement(sides.count(paired), seed=seed)
    findings = list(model.findings)
    if not own and not done.all():
        said = (
            f"The {int(done.sum()):,} documents judged twice already were not drawn by the keys of this plan. They "
            "serve for guesses, and the plan may ask for some of them again."
        )
        findings.append(Finding("foreign-pilot", said))
    return replace(
        material,
        pilot=take_pilot(model, relevance, labels.topics, material.sizes, whole=own),
        done=done if own else None,
        findings=tuple(dict.fromkeys(findings)),
    )


def take_first_labels(judgments: Judgments, sides: SideChoice) -> tuple[FirstLabels, IntArray]:
    """The first labels, one on each document, and the item of each in the judgments.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> labels, item = take_first_labels(twenty_documents(), SideChoice())
    >>> labels.sizes.tolist(), len(item)
    ([[6, 10, 4]], 20)
    """
    rule = decide_labels(judgments, first=find_first(judgments, sides), second=sides.second)
    chosen = apply_rule(judgments, rule)
    held = np.unique(chosen.topic)
    names = tuple(chosen.topics[index] for index in held.tolist())
    topic = np.searchsorted(held, chosen.topic).astype(np.int64)
    labels = FirstLabels(chosen.levels, names, topic, tuple(chosen.documents.texts()), chosen.level.astype(np.int64))
    # `apply_rule` numbers items anew, in their order; the documents it keeps are those with a label of the rule.
    named = np.isin(np.array(judgments.assessors, dtype=object), rule.names)[judgments.assessor]
    items = np.unique(judgments.item[named])
    return labels, np.asarray(items[chosen.item])


def find_first(judgments: Judgments, sides: SideChoice) -> Sequence[str] | None:
    """The first side: as named, or the first assessor where that one judged all; None where others decide."""
    if sides.first is not None or sides.second is not None or judgments.voices < 2:
        return sides.first
    sole = judgments.assessor == 0
    whole = len(np.unique(judgments.item[sole])) == judgments.items
    return judgments.assessors[:1] if whole and not (judgments.roles and judgments.voices == 2) else None


def _second_rows(judgments: Judgments, sides: SideChoice, item: IntArray) -> tuple[IntArray, IntArray]:
    """The rows of second judgments, and the index of each one's document among the first labels; -1 for none."""
    chosen = choose_sides(judgments, sides.first, sides.second)
    assert chosen is not None
    index = np.full(judgments.items, -1, np.int64)
    index[item] = np.arange(len(item))
    rows = np.flatnonzero(chosen.second_rows)
    return rows, index[judgments.item[rows]]


@dataclass(frozen=True, eq=False)
class Weighed:
    """Judgments of a plan: what counts at this moment, with its weights.

    Args:
        judgments: first labels, and second judgments of finished batches, each with the weight 1 / pi.
        begun: the same with the first batch alone, by which a decision's multiplier is fixed.
        sides: who gave the first labels, and who the second ones.
        labels: the first labels.
        plan: by which documents were chosen.
        reached: how far it has come.
        rule: when to stop; with the ratio of variances as the first batch has it, once that was asked for.
        findings: what a reader should know.
    """

    judgments: Judgments
    begun: Judgments
    sides: SideChoice
    labels: FirstLabels
    plan: SavedPlan
    reached: Reached
    rule: Stopping
    findings: tuple[Finding, ...]

    def foretell(self, target: Target, model: Disagreement, relevance: Relevance) -> Prospect:
        """What the whole plan will make of a target that the second judgments so far, or the first batch, show.

        Documents of a topic and level are those planned, by their share, as the judging page knows no others.
        """
        share = self.plan.shares[-1]
        asked = find_batches(self.labels.keys(self.plan.seed), self.labels.level, self.plan.shares) > 0
        sizes = np.bincount(self.labels.cell[asked], minlength=self.labels.sizes.size).astype(np.float64)
        sizes = sizes.reshape(self.labels.sizes.shape)
        sizes = np.divide(sizes, share, out=sizes.copy(), where=share > 0)
        return Prospect.seen(Pilot(model, relevance, sizes), target, confidence=self.rule.confidence)

    def fix_ratio(self, target: Target, model: Disagreement, relevance: Relevance) -> Weighed:
        """The same with r = V / V' of what the first batch shows: after it, over what is foretold for the whole plan.

        Of several numbers, the largest. What the plan foretold stays where the first batch shows too little.
        """
        ratio = self.foretell(target, model, relevance).ratio(self.plan.shares[-1])
        rule = self.rule if ratio is None else self.rule.with_ratio(ratio)
        said = (
            f"The plan stops when a difference shows, so intervals are at {rule.nominal:.1%}: looked at whenever one "
            f"likes, they hold with {100 * rule.confidence:g}% (multiplier {rule.multiplier:.3f})."
        )
        return replace(self, rule=rule, findings=(*self.findings, Finding("widened-for-looks", said)))

    def describe(self, met: bool | None = None) -> dict[str, Json]:
        """How far the plan has come, as plain data: what the JSON of `fit` and `compare` holds as `plan`."""
        plan, reached, rule = self.plan, self.reached, self.rule
        levels = Table(
            "",
            (
                Column("level", plan.levels),
                Column("share", reached.shares),
                Column("asked", reached.asked.astype(np.int64)),
                Column("judged", reached.answered.astype(np.int64)),
            ),
        )
        return {
            "file": plan.name,
            "batch": reached.batch,
            "batches": len(plan.shares),
            "levels": levels.records(),
            "stopping": {
                "kind": rule.kind,
                "within": rule.within,
                "information_ratio": number(rule.information_ratio),
                "nominal": number(rule.nominal),
                "met": met,
            },
        }

    def say(self, met: bool | None) -> str | None:
        """Whether to stop, in a sentence; None where that is not for this command to say."""
        if met is None:
            return None
        what = " and ".join(self.plan.targets)
        if self.plan.purpose == "parameters":
            what = f"p(R|{', '.join(self.plan.targets)})"
        if self.rule.kind == "decision":
            shown = f"The difference {what} shows: the plan's rule says stop."
            return shown if met else f"The difference {what} does not show yet: go on."
        aim = f"to ±{self.rule.within:.3g}"
        if met:
            return f"{what} is known {aim}: the plan's rule says stop."
        last = "; that was the plan's last batch" if self.reached.batch == len(self.plan.shares) else ": go on"
        return f"{what} is not known {aim} yet{last}."


def weigh_by_plan(
    judgments: Judgments, sides: SideChoice, source: PlanInput, *, keep_pilot: bool = False, confidence: float = 0.95
) -> Weighed:
    """Weigh second judgments by the probabilities that the plan's finished batches gave them.

    Args:
        judgments: first labels and second judgments.
        sides: as named; where they are not, the first side is the one of the plan.
        source: the plan.
        keep_pilot: also use documents that the plan did not ask for.
        confidence: of the intervals; for a decision, at every moment.

    Raises:
        CallError: the levels are not those of the plan.
        DataError: the first labels are not those of the plan, or its first batch is not finished.
    """
    plan = read_plan(source)
    if plan.levels != judgments.levels.names:
        raise CallError(
            f"The plan {plan.name} knows the levels {', '.join(plan.levels)}, the judgments have "
            f"{', '.join(judgments.levels.names)}. Read them alike: {option('levels')}."
        )
    if sides.first is None and sides.second is None:
        known = tuple(name for name in plan.first if name in judgments.assessors) or judgments.assessors[:1]
        sides = replace(sides, first=known)
    labels, item = take_first_labels(judgments, sides)
    rows, where = _second_rows(judgments, sides, item)
    if not (where >= 0).any():
        raise DataError("None of the second judgments is of a document that has a first label.")
    judged = np.zeros(len(labels), np.bool_)
    judged[where[where >= 0]] = True
    reached = find_reached(plan, labels, judged, keep_pilot=keep_pilot)

    def weigh(by: Reached) -> Judgments:
        used = (where >= 0) & by.counted[where]
        weight, kept = np.ones(len(judgments)), np.ones(len(judgments), np.bool_)
        weight[rows[used]] = by.weight[where[used]]
        kept[rows[~used]] = False
        return replace(judgments, weight=weight).rows(kept)

    begun = reached if reached.batch < 2 else find_reached(replace(plan, shares=plan.shares[:1]), labels, judged)
    rule = replace(plan.stopping, confidence=confidence)
    return Weighed(weigh(reached), weigh(begun), sides, labels, plan, reached, rule, reached.findings)
