"""Second judgments weighed by the plan that asked for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gainsayer.commands.inputs import SideChoice
from gainsayer.commands.plan_input import take_first_labels
from gainsayer.counts.pairing import choose_sides
from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments
from gainsayer.planning.plan_files import PlanInput, SavedPlan, read_plan
from gainsayer.planning.reached import Reached, find_reached
from gainsayer.table import Column, Json, Table, number
from gainsayer.text import option


@dataclass(frozen=True, eq=False)
class Weighed:
    """Judgments of a plan: what counts at this moment, with its weights.

    Args:
        judgments: first labels, and second judgments of finished batches, each with the weight 1 / pi.
        sides: who gave the first labels, and who the second ones.
        plan: by which documents were chosen.
        reached: how far it has come.
        confidence: to ask of intervals.
        findings: what a reader should know.
    """

    judgments: Judgments
    sides: SideChoice
    plan: SavedPlan
    reached: Reached
    confidence: float
    findings: tuple[Finding, ...]

    def describe(self) -> dict[str, Json]:
        """How far the plan has come, as plain data: what the JSON of `fit` holds as `plan`."""
        plan, reached = self.plan, self.reached
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
                "kind": plan.stopping.kind,
                "within": plan.stopping.within,
                "nominal": number(self.confidence),
            },
        }


def weigh_by_plan(
    judgments: Judgments, sides: SideChoice, source: PlanInput, *, keep_pilot: bool = False, confidence: float = 0.95
) -> Weighed:
    """Weigh second judgments by the probabilities that the plan's finished batches gave them.

    Args:
        judgments: first labels and second judgments.
        sides: as named; where they are not, the first side is the one of the plan.
        source: the plan.
        keep_pilot: also use documents that the plan did not ask for.
        confidence: of the intervals; for a decision, over all looks together.

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
    chosen = choose_sides(judgments, sides.first, sides.second)
    assert chosen is not None
    place = np.full(judgments.items, -1, np.int64)
    place[item] = np.arange(len(labels))
    rows = np.flatnonzero(chosen.second_rows)
    where = place[judgments.item[rows]]
    if not (where >= 0).any():
        raise DataError("None of the second judgments is of a document that has a first label.")
    judged = np.zeros(len(labels), np.bool_)
    judged[where[where >= 0]] = True
    reached = find_reached(plan, labels, judged, keep_pilot=keep_pilot)
    used = (where >= 0) & reached.counted[where]
    weight = np.ones(len(judgments))
    weight[rows[used]] = reached.weight[where[used]]
    kept = np.ones(len(judgments), np.bool_)
    kept[rows[~used]] = False
    weighed = replace(judgments, weight=weight).rows(kept)
    rule = replace(plan.stopping, confidence=confidence)
    findings = list(reached.findings)
    nominal = rule.nominal
    if rule.kind == "decision":
        said = (
            f"The plan stops when a difference shows, so intervals are at {nominal:.1%}: over all its looks together "
            f"they hold with {100 * confidence:g}% (multiplier {rule.multiplier:.3f})."
        )
        findings.append(Finding("widened-for-looks", said))
    return Weighed(weighed, sides, plan, reached, nominal, tuple(findings))
