"""What `machine score` gives: scores that people would have given, their differences, what the machine saved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gainsayer.commands.machine_figures import run_arrows
from gainsayer.commands.machine_input import Material
from gainsayer.commands.machine_results import describe_verdict, flag_columns, say_verdict
from gainsayer.commands.provenance import Provenance
from gainsayer.comparison.fixed_tests import PairTests
from gainsayer.drawing.figure import Figure
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.machines.check import Verdict
from gainsayer.machines.rectified import Estimate, Saving, Target
from gainsayer.machines.scores import RectifiedScores, place_order
from gainsayer.measures.catalogue import Measure
from gainsayer.rankings.ranked_levels import FloatArray
from gainsayer.result import Result, describe_findings
from gainsayer.table import Column, Json, Table, stack
from gainsayer.words import counted, sure


@dataclass(frozen=True, eq=False)
class MeasureScores:
    """What one measure gives the runs.

    Args:
        measure: which one.
        raw: with the machine's grades taken as the truth; None where none of its grades is relevant; shape [runs].
        scores: what people would have given; None where nobody judged.
        tests: of differences, where asked for.
    """

    measure: Measure
    raw: FloatArray | None
    scores: RectifiedScores | None = None
    tests: PairTests | None = None


@dataclass(frozen=True, eq=False, repr=False)
class RectifiedTable(Result):
    """Scores of runs that people would have given.

    Args:
        verdict: what the machine may be used for.
        runs: their names.
        parts: one per measure.
        material: what was read.
        target: topics like these, or these.
        confidence: of the intervals.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    verdict: Verdict
    runs: tuple[str, ...]
    parts: tuple[MeasureScores, ...]
    material: Material
    target: Target
    confidence: float
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    def about(self) -> str:
        """Runs, measures and what the machine may be used for."""
        measures = ", ".join(str(part.measure) for part in self.parts)
        return f"{counted(len(self.runs), 'run')}, {measures}, as people would score; {self.verdict.code}"

    def answer(self) -> list[str]:
        """The verdict, in words."""
        return [say_verdict(self.verdict)]

    def tables(self) -> list[Table]:
        """A table of scores per measure, with what the machine was good for, and the differences."""
        differences = _difference_tables(self)
        return [*(_score_table(self, part) for part in self.parts), *([stack(differences)] if differences else [])]

    def rows(self) -> Table:
        """One row per measure and run."""
        return stack([_score_table(self, part) for part in self.parts])

    def document(self) -> dict[str, Json]:
        """The scores as plain data with stable keys."""
        scores = [_score_table(self, part).records("run") for part in self.parts]
        return {
            "verdict": describe_verdict(self.verdict),
            **self.material.describe(),
            "target": self.target,
            "runs": [
                {"run": name, "scores": [records[index] for records in scores]} for index, name in enumerate(self.runs)
            ],
            "differences": [record for table in _difference_tables(self) for record in table.records()],
            "savings": [record for part in self.parts for record in _saving_table(self, part).records()],
            "warnings": describe_findings(self.findings),
            "provenance": None if self.provenance is None else self.provenance.as_dict(),
        }

    def figure(self) -> Figure:
        """Scores by the first measure, run by run: the machine alone, and for people.

        Raises:
            CallError: no person judged a document.
        """
        part, sample = self.parts[0], self.material.sample
        if part.scores is None or sample is None:
            raise CallError(self.verdict.text)
        estimate = part.scores.estimate
        return run_arrows(
            str(part.measure),
            self.runs,
            np.full(len(self.runs), np.nan) if part.raw is None else part.raw,
            estimate.score,
            estimate.interval(self.confidence),
            labels=sample.labels,
            confidence=self.confidence,
        )

    def equivalent(self, saving: Saving) -> tuple[int, int] | None:
        """Whole topics, and labels in them, from which people alone would say as much; None where it has no bound."""
        topics, pool = saving.equivalent_topics, self.material.pool
        if topics is None:
            return None
        return round(topics), round(topics * (len(pool.document) / max(1, len(pool.topics))))


def _score_table(table: RectifiedTable, part: MeasureScores) -> Table:
    """The scores by one measure: for people, by people alone, by the machine alone; where nobody judged, the last."""
    scores, unknown = part.scores, np.full(len(table.runs), np.nan)
    estimate = alone = Estimate(unknown, np.diag(unknown), np.inf, table.target)
    predicted = flattery = composite = order = unknown
    if scores is not None:
        estimate, alone, predicted, flattery = scores.estimate, scores.alone, scores.predicted, scores.flattery
        composite = unknown if scores.composite is None else scores.composite.value
        order = place_order(estimate.score if scores.composite is None else composite)
    raw = unknown if part.raw is None else part.raw
    of_people = Table("", (Column("value", alone.score), Column("interval", alone.interval(table.confidence))))
    of_machine = Table("", (Column("raw", raw), Column("prm", predicted)))
    columns = (
        Column("run", table.runs, "run", narrow="shorten"),
        Column("measure", str(part.measure)),
        Column("value", estimate.score, "for people", 4),
        Column("standard_error", estimate.standard_error),
        Column(
            *("interval", estimate.interval(table.confidence), f"{sure(table.confidence)} interval", 4), align="right"
        ),
        Column("method", None if scores is None else scores.method),
        Column("people_alone", None if scores is None else of_people.records(), csv=False),
        Column("people_alone", alone.score, "people alone", 4, spare=1, json=False),
        Column("machine_alone", of_machine.records(), csv=False),
        Column("machine_raw", raw, "machine alone", 4, json=False),
        Column("machine_prm", predicted, "by worth of grades", 4, spare=2, json=False),
        Column("flattery", flattery),
        Column("composite", composite, "best guess", 4),
        Column("order", order, "order"),
        *flag_columns([()] * len(table.runs) if scores is None else scores.flags),
    )
    like = "topics like these" if table.target == "population" else "these topics"
    return Table(f"{part.measure}, {like}", columns, str(part.measure), _score_notes(table, part))


def _score_notes(table: RectifiedTable, part: MeasureScores) -> tuple[str, ...]:
    """What the scores rest on, what the machine saved, and what they are not."""
    sample, scores = table.material.sample, part.scores
    if sample is None or scores is None:
        return ()
    notes = [f"From {sample.labels:,} of people's labels in {sample.seen_topics:,} of {sample.topics:,} topics."]
    for saving in scores.savings:
        found = table.equivalent(saving)
        if found is not None:
            whole = f"{counted(found[0], 'whole topic')} ({counted(found[1], 'label')})"
            what = "Scores are" if saving.of == "score" else "Differences are"
            notes.append(f"{what} as good as from {whole}; the machine saved {saving.saved:.0%} of people's labels.")
    if part.measure.family.name == "nDCG":
        notes.append("It is the expected nDCG of one person, each with their own ideal list; not that of PRM gains.")
    if scores.ideal_by_machine:
        notes.append("The ideal list is the machine's estimate; it is the same for all runs.")
    if scores.composite is not None:
        notes.append("Best guess: of the order. Not a measurement: no interval.")
    return tuple(notes)


def _difference_tables(table: RectifiedTable) -> list[Table]:
    """The pairs of runs that were compared, a table per measure."""
    tables = []
    for part in table.parts:
        tests, scores = part.tests, part.scores
        if tests is None or scores is None:
            continue
        difference = scores.estimate.score[tests.a] - scores.estimate.score[tests.b]
        error = scores.estimate.difference_error(tests.a, tests.b)
        reach = scores.estimate.reach(error, table.confidence)
        ends = np.stack([difference - reach, difference + reach], axis=1)
        test = f"{tests.test}, {tests.adjustment}"
        columns = (
            Column("a", [table.runs[run] for run in tests.a], "a", narrow="shorten"),
            Column("b", [table.runs[run] for run in tests.b], "b", narrow="shorten"),
            Column("measure", str(part.measure), "measure"),
            Column("difference", difference, "a - b", 4),
            Column("standard_error", error),
            Column("interval", ends, f"{sure(table.confidence)} interval", 4, align="right"),
            Column("p", tests.p, "p", 4),
            Column("p_adjusted", tests.p_adjusted, "adjusted", 4),
            Column("test", test),
        )
        tables.append(Table(f"Differences, {test}", columns, "differences"))
    return tables


def _saving_table(table: RectifiedTable, part: MeasureScores) -> Table:
    """What the machine was good for by one measure, of scores and of differences."""
    savings = () if part.scores is None else part.scores.savings
    found = [table.equivalent(saving) for saving in savings]
    columns = (
        Column("measure", str(part.measure)),
        Column("of", [saving.of for saving in savings]),
        Column("saved", np.array([saving.saved for saving in savings])),
        Column("equivalent_topics", [None if one is None else one[0] for one in found]),
        Column("equivalent_labels", [None if one is None else one[1] for one in found]),
    )
    return Table("", columns)
