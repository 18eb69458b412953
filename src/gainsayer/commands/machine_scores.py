"""What `machine score` gives: scores that people would have given, their differences, what the machine saved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gainsayer.commands.machine_figures import run_arrows
from gainsayer.commands.machine_input import Material
from gainsayer.commands.machine_results import flag_columns, name_flags, say_labels
from gainsayer.commands.machine_verdict import NOT_MEASURED, describe_verdict, name_verdict, say_verdict
from gainsayer.commands.provenance import Provenance
from gainsayer.comparison.fixed_tests import PairTests
from gainsayer.drawing.figure import Figure
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.machines.rectified import Saving, Target
from gainsayer.machines.scores import RectifiedScores
from gainsayer.machines.verdict import Verdict
from gainsayer.measures.catalogue import Measure
from gainsayer.ranking.ranked import FloatArray, IntArray
from gainsayer.result import Result, describe_findings
from gainsayer.table import Column, Json, Table, stack
from gainsayer.words import counted, shortened, spanned, sure

_DUST = 1e-8  # guesses of runs that are the same differ by less


@dataclass(frozen=True, eq=False)
class MeasureScores:
    """What one measure gives the runs.

    Args:
        measure: which one.
        raw: with the machine's grades taken as the truth; None where none of its grades is relevant; shape [runs].
        scores: what people would have given; None where nobody judged.
        tests: of differences, where asked for.
        guess: the best guess of people's scores, to order runs by, that of DCG where the measure is no sum; None where
            there is none.
    """

    measure: Measure
    raw: FloatArray | None
    scores: RectifiedScores | None = None
    tests: PairTests | None = None
    guess: FloatArray | None = None

    @property
    def order(self) -> IntArray:
        """The place of each run, from 1, by the best guess, or by the score for people where there is none."""
        assert self.scores is not None
        scores = self.scores.value if self.guess is None else self.guess
        ahead = scores[None, :] - scores[:, None] > _DUST * max(1.0, float(np.abs(scores).max()))
        return np.asarray(ahead.sum(axis=1) + 1)


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
        return f"{counted(len(self.runs), 'run')}, {measures}, as people would score; {name_verdict(self.verdict)}"

    def answer(self) -> list[str]:
        """The best run, then the verdict on the machine, in words, and what both rest on."""
        lines = [line.printed() for line in say_verdict(self.verdict, self.runs)]
        return [*self.say_best(), *lines, *say_labels(self.material), *self.say_people()]

    def find_close(self) -> int | None:
        """How many runs are not told apart from the one that scores highest by the first measure; None if unknown.

        Of as many pairs as there are others, by Bonferroni.
        """
        scores = self.parts[0].scores
        if scores is None:
            return None
        best, *others = np.argsort(-scores.value, kind="stable").tolist()
        p = scores.estimate.p(np.full(len(others), best), np.array(others, np.int64)) * len(others)
        return None if np.isnan(p).any() else int((p > 1 - self.confidence).sum())

    def say_best(self) -> list[str]:
        """Which run scores highest for people by the first measure, and how sure that is."""
        scores, measure, others = self.parts[0].scores, self.parts[0].measure, len(self.runs) - 1
        if scores is None or others < 1:
            return []
        if scores.unsure and self.verdict.silent:
            return [f"Which run is best for people is not known: {self.verdict.silent}."]
        best = int(np.argmax(scores.value))
        if not np.ptp(scores.value):
            return [f"All runs have the same score for people: {measure} {scores.value[best]:.2f}."]
        ends = spanned(*scores.interval(self.confidence)[best].tolist())
        said = f"{shortened(self.runs[best])} scores highest for people: {measure} {scores.value[best]:.2f}{ends}"
        close = self.find_close()
        if close is None:
            return [f"{said}; how sure that is, is not known: {scores.unsure}."]
        if close == 0:
            return [f"{said}, ahead of {'the other' if others == 1 else 'all others'}."]
        which = "the other is" if others == 1 else f"{close} of {others} others {'is' if close == 1 else 'are'}"
        return [f"{said}; {which} not told apart from it."]

    def say_people(self) -> list[str]:
        """What the intervals are over, where several people are known by name."""
        sample, scores = self.material.sample, self.parts[0].scores
        if sample is None or sample.people is None or scores is None:
            return []
        topics = "topics like these" if self.target == "population" else "these topics"
        if scores.estimate.of_people is None:
            return [f"Intervals are for {topics} and for these {sample.people} people, not for others."]
        tried = "" if self.target == "these" else " (for other topics, this was not simulated)"
        return [f"Intervals are for {topics} and for other people like these {sample.people}{tried}."]

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
            "verdict": describe_verdict(self.verdict, self.runs),
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
            raise CallError(NOT_MEASURED)
        return run_arrows(
            str(part.measure),
            self.runs,
            np.full(len(self.runs), np.nan) if part.raw is None else part.raw,
            part.scores.value,
            part.scores.interval(self.confidence),
            labels=sample.labels,
            confidence=self.confidence,
            marked=[run for test in self.verdict.favour.flagged for run in test.runs],
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
    value = error = alone = predicted = unknown
    ends = alone_ends = np.full((len(table.runs), 2), np.nan)
    order = np.full(len(table.runs), np.nan)
    if scores is not None:
        value, error, ends, predicted = (
            *(scores.value, scores.estimate.error(), scores.interval(table.confidence), scores.predicted),
        )
        if not table.verdict.silent:
            order = part.order
        if scores.alone is not None:
            alone = np.clip(scores.alone.score, 0.0, scores.most)
            alone_ends = np.clip(scores.alone.interval(table.confidence), 0.0, scores.most)
    raw = unknown if part.raw is None else part.raw
    of_dcg = "" if scores is None or scores.runs is not None else f" of DCG@{table.verdict.depth}"
    of_people = Table("", (Column("value", alone), Column("interval", alone_ends)))
    of_machine = Table("", (Column("raw", raw), Column("prm", predicted)))
    columns = (
        Column("run", table.runs, "run", narrow="shorten"),
        Column("measure", str(part.measure)),
        Column("value", value, "for people", 4),
        Column("standard_error", error),
        Column("interval", ends, f"{sure(table.confidence)} interval", 4, align="right"),
        Column("method", None if scores is None else scores.method),
        Column("people_alone", None if scores is None else of_people.records(), csv=False),
        Column("people_alone", alone, "people alone", 4, spare=1, json=False),
        Column("machine_alone", of_machine.records(), csv=False),
        Column("machine_raw", raw, "machine alone", 4, json=False),
        Column("machine_prm", predicted, "by worth of grades", 4, spare=2, json=False),
        Column("composite", unknown if part.guess is None else part.guess, f"best guess{of_dcg}", 4),
        Column("order", order, "order"),
        *flag_columns([()] * len(table.runs) if scores is None else name_flags(table.verdict)),
    )
    like = "topics like these" if table.target == "population" else "these topics"
    return Table(f"{part.measure}, {like}", columns, str(part.measure), _score_notes(table, part))


def _score_notes(table: RectifiedTable, part: MeasureScores) -> tuple[str, ...]:
    """What the machine saved, and what the scores are not."""
    scores = part.scores
    if scores is None:
        return ()
    notes = []
    for saving in scores.savings:
        what = "scores" if saving.of == "score" else "differences"
        found = table.equivalent(saving)
        if saving.saved > 0:
            notes.append(f"The machine took {saving.saved:.0%} off the variance of {what}, against people alone.")
        if found is not None and found[0] > 0:
            whole = f"{counted(found[0], 'whole topic')} ({counted(found[1], 'label')})"
            notes.append(f"{what.capitalize()} are as good as from {whole} judged by people alone.")
    if part.measure.family.name == "nDCG":
        notes.append("It is the nDCG of a person, each with their own ideal list; not that of PRM gains.")
    if part.guess is not None:
        notes.append("Best guess: for the order of runs. Not a measurement: no interval.")
    return tuple(notes)


def _difference_tables(table: RectifiedTable) -> list[Table]:
    """The pairs of runs that were compared, a table per measure."""
    tables = []
    for part in table.parts:
        tests, scores = part.tests, part.scores
        if tests is None or scores is None:
            continue
        difference = scores.estimate.score[tests.a] - scores.estimate.score[tests.b]
        error = scores.estimate.error(tests.a, tests.b)
        reach = scores.estimate.reach(table.confidence, tests.a, tests.b)
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
        Column("saved", np.array([saving.saved if saving.saved > 0 else np.nan for saving in savings])),
        Column("equivalent_topics", [None if one is None else one[0] for one in found]),
        Column("equivalent_labels", [None if one is None else one[1] for one in found]),
    )
    return Table("", columns)
