"""What a plan has reached: which batches are finished, with which probabilities, and who skipped what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.planning.batches import find_batches
from gainsayer.planning.keys import BoolArray, FirstLabels, FloatArray, IntArray
from gainsayer.planning.plan_files import SavedPlan
from gainsayer.text import option

FINISHED = 0.9
MANY_SKIPPED = 0.05


@dataclass(frozen=True, eq=False)
class Reached:
    """How far the judging of a plan has come.

    Args:
        batch: the last batch that is finished in all topics.
        shares: pi of each level at its end; shape [levels].
        asked: documents that the finished batches ask for, by level; shape [levels].
        answered: those that were judged; shape [levels].
        counted: whether a document's second judgments count: asked for by a finished batch; shape [documents].
        weight: 1 / pi of each document that counts, NaN elsewhere; shape [documents].
        findings: skips, batches that are not finished, documents that nobody asked for.
    """

    batch: int
    shares: FloatArray
    asked: IntArray
    answered: IntArray
    counted: BoolArray
    weight: FloatArray
    findings: tuple[Finding, ...]


def find_reached(plan: SavedPlan, labels: FirstLabels, judged: BoolArray, *, keep_pilot: bool = False) -> Reached:
    """How far the second judgments have come, and the weights that belong to this moment.

    Weights are those of the shares reached at the end of the last finished batch, never those of the whole plan. A
    batch is finished when at most a tenth of its documents lack a judgment; those are taken as skipped.

    Args:
        plan: the plan.
        labels: the first labels, which must be those of the plan.
        judged: whether a document has second judgments; shape [documents].
        keep_pilot: also use documents that the plan did not ask for; all are weighed by the share judged of their topic
            and level, which is right where a cell's documents were chosen at random.

    Raises:
        DataError: the first labels are not those of the plan, or not even the first batch is finished.
    """
    if labels.digest != plan.digest:
        raise DataError(
            "The first labels are not those of the plan: a label changed, or documents came or went, so the "
            "probabilities of the plan no longer hold. Use the labels it was made from, or make a new plan."
        )
    keys = labels.keys(plan.seed)
    batch = find_batches(keys, labels.level, plan.shares)
    count = len(plan.shares)
    asked = np.bincount(batch, minlength=count + 1)[1:]
    answered = np.bincount(batch[judged], minlength=count + 1)[1:]
    finished = answered >= FINISHED * asked
    last = count if finished.all() else int(np.argmin(finished))
    findings: list[Finding] = []
    outside = int((judged & (batch == 0)).sum())
    if keep_pilot:
        return _keep_all(labels, judged, last, plan)
    if last == 0:
        raise DataError(
            f"Batch 1 is not finished: {answered[0]:,} of its {asked[0]:,} documents are judged. A batch must be "
            "finished in all topics before its judgments say anything."
        )
    if outside:
        said = (
            f"{outside:,} documents were judged a second time that the plan did not ask for, such as those of an "
            f"earlier pilot. They serve for guesses and are left out here; {option('keep_pilot', True)} weighs them by "
            "their share."
        )
        findings.append(Finding("outside-plan", said))
    begun = int(answered[last:].sum())
    if begun:
        said = (
            f"Batch {last + 1} is not finished: {begun:,} of {int(asked[last:].sum()):,} documents of the batches "
            f"after {last} are judged. They are left out until their batch is finished in all topics."
        )
        findings.append(Finding("batch-unfinished", said))
    counted = (batch > 0) & (batch <= last)
    by_level = [np.bincount(labels.level[rows], minlength=len(labels.levels)) for rows in (counted, counted & judged)]
    findings += _notice_skips(labels, *by_level)
    shares = plan.shares[last - 1]
    chance = shares[labels.level]
    weight = np.where(counted, 1 / np.where(chance > 0, chance, np.nan), np.nan)
    return Reached(last, shares, by_level[0], by_level[1], counted & judged, weight, tuple(findings))


def _keep_all(labels: FirstLabels, judged: BoolArray, last: int, plan: SavedPlan) -> Reached:
    size = np.bincount(labels.cell, minlength=labels.sizes.size)
    found = np.bincount(labels.cell[judged], minlength=labels.sizes.size)
    weight = np.where(judged, size[labels.cell] / np.maximum(found[labels.cell], 1), np.nan)
    asked = np.bincount(labels.level[judged], minlength=len(labels.levels))
    said = (
        f"All {int(judged.sum()):,} documents judged twice are used, weighed by the share of their topic and level "
        "that was judged: right where a cell's documents were chosen at random."
    )
    shares = plan.shares[last - 1] if last else np.zeros(len(labels.levels))
    return Reached(last, shares, asked, asked, judged, weight, (Finding("pilot-kept", said),))


def _notice_skips(labels: FirstLabels, asked: IntArray, answered: IntArray) -> list[Finding]:
    skipped = int((asked - answered).sum())
    if not skipped:
        return []
    rates = ", ".join(
        f"{name} {count / total:.1%}"
        for name, count, total in zip(labels.levels.names, answered.tolist(), asked.tolist(), strict=True)
        if total
    )
    many = bool(np.any((asked - answered) > MANY_SKIPPED * asked))
    said = f"{skipped:,} documents that were asked for have no second judgment; answered by first label: {rates}."
    if many:
        said += (
            " Skips are not random: if what was skipped is harder, the probabilities are wrong, and nothing shows it."
        )
    return [Finding("many-skipped" if many else "some-skipped", said)]
