"""What `machine sample`, `gains` and `check` give: lists of documents, and what is known of a machine."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gainsayer.commands.machine_input import Material
from gainsayer.commands.provenance import Provenance
from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.machines.check import MachineCheck, Verdict
from gainsayer.machines.document_gains import DocumentGains
from gainsayer.machines.effects import Effect
from gainsayer.machines.favour import FamilyFlattery
from gainsayer.machines.grade_values import grade_errors, grade_intervals
from gainsayer.machines.prediction import Prediction
from gainsayer.machines.sample import BoolArray
from gainsayer.rankings.pool import DocumentPool
from gainsayer.rankings.ranked_levels import FloatArray, IntArray
from gainsayer.result import Result, describe_findings
from gainsayer.table import Column, Json, Table, number
from gainsayer.words import counted


@dataclass(frozen=True, eq=False, repr=False)
class SampleTable(Result):
    """Documents for people to judge, and the chance with which each was drawn.

    Args:
        pool: all documents.
        probability: of each; shape [documents].
        drawn: whether it was; shape [documents].
        seed: of the drawing, and of the order in which they stand.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    pool: DocumentPool
    probability: FloatArray
    drawn: BoolArray
    seed: int
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    def about(self) -> str:
        """How many documents were drawn."""
        return f"{counted(int(self.drawn.sum()), 'document')} of {len(self.drawn):,} to judge, drawn by known chances"

    def tables(self) -> list[Table]:
        """The list, as it is."""
        return [self.rows()]

    def rows(self) -> Table:
        """Topic, document and probability of what was drawn, shuffled; the machine's grade is not told."""
        index = np.random.default_rng([self.seed, 1]).permutation(np.flatnonzero(self.drawn))
        return _document_table(self.pool, index, "probability", self.probability)

    def document(self) -> dict[str, Json]:
        """The list as plain data."""
        return {"rows": self.rows().records(), "warnings": describe_findings(self.findings)}

    @property
    def text(self) -> str:
        """The list as lines of tab-separated values, with a header: what `people` and `sampled` read."""
        return _separate_by_tabs(self.rows())


@dataclass(frozen=True, eq=False, repr=False)
class GainTable(Result):
    """Predicted gains of all documents.

    Args:
        gains: one per document.
        prediction: how they were made, and how good they are.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    gains: DocumentGains
    prediction: Prediction
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    def about(self) -> str:
        """Of how many documents these are the gains."""
        return f"predicted gains of {counted(len(self.gains.value), 'document')}"

    def tables(self) -> list[Table]:
        """The gains, as they are."""
        return [self.rows()]

    def rows(self) -> Table:
        """Topic, document and predicted gain, in the order of the pool."""
        return _document_table(self.gains.pool, np.arange(len(self.gains.value)), "gain", self.gains.value)

    def document(self) -> dict[str, Json]:
        """The gains as plain data."""
        return {"rows": self.rows().records(), "warnings": describe_findings(self.findings)}

    @property
    def text(self) -> str:
        """The gains as lines of tab-separated values, with a header."""
        return _separate_by_tabs(self.rows())


@dataclass(frozen=True, eq=False, repr=False)
class CheckTable(Result):
    """What is known of a machine.

    Args:
        verdict: in words; the rest is None or empty where no person judged anything.
        runs: their names.
        own: nDCG@10 of each run by the machine's own grades; shape [runs].
        check: effects, topics, runs, families, line.
        material: what was read.
        prediction: what the grades are worth.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    verdict: Verdict
    runs: tuple[str, ...]
    own: FloatArray
    material: Material
    check: MachineCheck | None = None
    prediction: Prediction | None = None
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    def about(self) -> str:
        """What the machine may be used for."""
        return self.verdict.text

    def answer(self) -> list[str]:
        """The verdict, in words."""
        return [say_verdict(self.verdict)]

    def tables(self) -> list[Table]:
        """What grades are worth; what tells more than they do; which runs are favoured; which families of runs."""
        grades = [] if self.prediction is None else [_grade_table(self.prediction)]
        effects = [] if self.check is None or not self.check.effects else [_effect_table(self.check.effects)]
        families = [] if self.check is None or not self.check.families else [_family_table(self.check.families)]
        return [*grades, *effects, self.rows(), *families]

    def rows(self) -> Table:
        """One row per run: by how much it is overrated, and how far it ranks as the machine does."""
        check = self.check
        scores = None if check is None else check.scores
        favour = None if scores is None else scores.favour
        unknown = np.full((len(self.runs), 2), np.nan)
        columns = (
            Column("run", self.runs, "run", narrow="shorten"),
            Column("flattery", unknown[:, 0] if scores is None else scores.flattery, "overrated by"),
            Column("excess", unknown[:, 0] if favour is None else favour.excess, "more than others"),
            Column("interval", unknown if favour is None else favour.interval, "95 % interval", align="right"),
            Column("p_adjusted", unknown[:, 0] if favour is None else favour.p_adjusted, "adjusted p", 4, spare=1),
            Column("own_ndcg", self.own, "nDCG@10 by own grades", spare=2),
            *flag_columns([()] * len(self.runs) if scores is None else scores.flags),
        )
        by = "" if check is None else f" ({check.measure})"
        notes = () if check is None else _line_notes(check)
        return Table(f"Which runs does it favour?{by}", columns, "runs", notes)

    def document(self) -> dict[str, Json]:
        """The check as plain data with stable keys."""
        check, prediction = self.check, self.prediction
        return {
            "verdict": describe_verdict(self.verdict),
            **self.material.describe(),
            "levels": [] if prediction is None else _grade_table(prediction).records(),
            "effects": [] if check is None else _effect_table(check.effects).records(),
            "topics": None if check is None else _describe_topics(check),
            "runs": self.rows().records(),
            "families": [] if check is None else _family_table(check.families).records(),
            "line": None if check is None else _describe_line(check),
            "machines": [] if prediction is None else _describe_machines(prediction),
            "warnings": describe_findings(self.findings),
            "provenance": None if self.provenance is None else self.provenance.as_dict(),
        }


def say_verdict(verdict: Verdict) -> str:
    """The verdict as it stands before the tables."""
    return f"Verdict: {verdict.code}. {verdict.text}"


def describe_verdict(verdict: Verdict) -> dict[str, Json]:
    """The verdict as plain data."""
    return {"code": verdict.code, "text": verdict.text}


def flag_columns(flags: Sequence[Sequence[str]]) -> tuple[Column, Column]:
    """What speaks against ranking each run by the machine: a list in JSON, words with blanks between them elsewhere."""
    return (
        Column("flags", [list(words) for words in flags], csv=False),
        Column(
            "flags",
            [" ".join(words) or None for words in flags],
            "flags",
            missing="",
            narrow="wrap",
            spare=-1,
            json=False,
        ),
    )


def _grade_table(prediction: Prediction) -> Table:
    """What each grade of the machine is worth to people."""
    values = prediction.values
    ends, errors = grade_intervals(values), grade_errors(values)
    columns = (
        Column("level", prediction.names, "grade", narrow="shorten"),
        Column("probability", values.value, "worth"),
        Column("relevant_count", values.relevant.sum(axis=0)),
        Column("judged_count", values.judged.sum(axis=0)),
        Column("standard_error", Table("", (Column("topic", errors),)).records(), csv=False),
        Column("error_topic", errors, json=False),
        Column("interval", ends, "95 % interval", align="right"),
        Column("interval_method", [None if end != end else "jackknife over topics, logit" for end in ends[:, 0]]),
        Column("labels", values.labels, "labels"),
        Column("note", ["nearest grade's" if one else None for one in values.borrowed], "note", missing=""),
    )
    title = "How likely is a person to be satisfied, given the machine's grade?"
    return Table(title, columns, "grades", _machine_notes(prediction))


def _effect_table(effects: Sequence[Effect]) -> Table:
    """What properties of documents tell within the machine's grades."""
    columns = (
        Column("what", [effect.what for effect in effects], "what"),
        Column("slope", np.array([effect.slope for effect in effects]), "slope", 4),
        Column("standard_error", np.array([effect.standard_error for effect in effects]), "error", 4),
        Column("t", np.array([effect.t for effect in effects])),
        Column("p", np.array([effect.p for effect in effects])),
        Column("p_adjusted", np.array([effect.p_adjusted for effect in effects]), "adjusted p", 4),
    )
    return Table("Does it tell more than the grade?", columns, "effects")


def _family_table(families: Sequence[FamilyFlattery]) -> Table:
    """By how much the runs of each family are overrated more than all others."""
    columns = (
        Column("family", [family.family for family in families], "family"),
        Column("runs", [family.runs for family in families], "runs"),
        Column("excess", np.array([family.excess for family in families]), "more than others"),
        Column("standard_error", np.array([family.standard_error for family in families])),
        Column("p", np.array([family.p for family in families])),
        Column("p_adjusted", np.array([family.p_adjusted for family in families]), "adjusted p", 4),
    )
    return Table("Families of runs", columns, "families")


def _machine_notes(prediction: Prediction) -> tuple[str, ...]:
    """How well each machine predicts people, next to the base rate."""
    base, count = prediction.base, len(prediction.machines) - 1
    notes = []
    for worth in prediction.machines:
        better = f"{worth.name}: Brier {worth.brier:.3f}, log loss {worth.log_loss:.3f} out of topic"
        notes.append(f"{better} (base rate: {base.brier:.3f}, {base.log_loss:.3f}).")
        if worth.temper is not None:
            notes.append(f"{count} machines count as {worth.temper * count:.1f} that err independently.")
    return tuple(notes)


def _line_notes(check: MachineCheck) -> tuple[str, ...]:
    """How far topics lie apart, and what a point of the machine's is for people."""
    notes = []
    if check.shift.sigma > 0:
        notes.append(f"An odds factor of {check.shift.odds_factor:.1f} between topics, at the same grade.")
    if check.line is not None:
        spread = f"spread about the line {check.line.spread:.3f}"
        notes.append(f"One point of machine {check.measure} is {check.line.slope:.2f} points for people; {spread}.")
    return tuple(notes)


def _describe_topics(check: MachineCheck) -> dict[str, Json]:
    """How far topics lie apart when the grade is known, as plain data."""
    shift = check.shift
    return {
        "shift": number(shift.sigma),
        "odds_factor": number(shift.odds_factor),
        "likelihood_ratio": number(shift.likelihood_ratio),
        "p": number(shift.p),
    }


def _describe_line(check: MachineCheck) -> dict[str, Json] | None:
    """People's scores on the machine's, as plain data; None with too few runs."""
    line = check.line
    if line is None:
        return None
    return {
        "measure": str(check.measure),
        "slope": number(line.slope),
        "slope_error": number(line.slope_error),
        "spread": number(line.spread),
        "runs": int(line.fitted.sum()),
    }


def _describe_machines(prediction: Prediction) -> list[Json]:
    """How well each machine predicts people out of topic, as plain data; the base rate last, for comparison."""
    return [
        {
            "name": worth.name,
            "log_loss": number(worth.log_loss),
            "brier": number(worth.brier),
            "weight": None if worth.temper is None else number(worth.temper),
        }
        for worth in (*prediction.machines, prediction.base)
    ]


def _document_table(pool: DocumentPool, index: IntArray, key: str, values: FloatArray) -> Table:
    """A number for each of these documents of a pool, in this order."""
    columns = (
        Column("topic", [pool.topics[topic] for topic in pool.topic[index].tolist()], "topic", narrow="shorten"),
        Column("document", pool.document.rows(index).texts(), "document", narrow="shorten"),
        Column(key, values[index], key, 4),
    )
    return Table("", columns)


def _separate_by_tabs(table: Table) -> str:
    """A table as lines of tab-separated values, quoted as RFC 4180 has it where a name holds a tab or a quote.

    Raises:
        DataError: a name holds a line break, which no reader of such lists takes, quoted or not.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
    writer.writerow([column.key for column in table.columns])
    for row in table.cells():
        for cell in row:
            if isinstance(cell, str) and ("\n" in cell or "\r" in cell):
                raise DataError(f"The name {cell!r} holds a line break, so it cannot stand on a line. Rename it.")
        writer.writerow(row)
    return stream.getvalue()
