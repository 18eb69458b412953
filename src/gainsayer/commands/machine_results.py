"""What `machine sample`, `gains` and `check` give: lists of documents, and what is known of a machine."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gainsayer.commands.machine_design import SampleDesign
from gainsayer.commands.machine_input import Material
from gainsayer.commands.machine_verdict import describe_verdict, name_verdict, say_verdict
from gainsayer.commands.provenance import Provenance
from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.machines.document_gains import DocumentGains
from gainsayer.machines.grades import Prediction, grade_errors, grade_intervals
from gainsayer.machines.properties import Effect
from gainsayer.machines.sample import BoolArray
from gainsayer.machines.verdict import Favour, Verdict
from gainsayer.ranking.pool import DocumentPool
from gainsayer.ranking.ranked import FloatArray, IntArray
from gainsayer.result import Result, describe_findings
from gainsayer.table import Column, Json, Table, number
from gainsayer.words import count_of, counted, listed, shortened


@dataclass(frozen=True, eq=False, repr=False)
class SampleTable(Result):
    """Documents for people to judge, and apart from them the design by which they were drawn.

    Args:
        pool: all documents.
        probability: of each; shape [documents].
        drawn: whether it was, and not by the sample that was extended; shape [documents].
        design: all that is needed to estimate from the labels, or to draw more.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    pool: DocumentPool
    probability: FloatArray
    drawn: BoolArray
    design: SampleDesign
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    def about(self) -> str:
        """How many documents were drawn."""
        return f"{counted(int(self.drawn.sum()), 'document')} of {len(self.drawn):,} to judge, drawn by known chances"

    def tables(self) -> list[Table]:
        """The list, as it is."""
        return [self.rows()]

    def rows(self) -> Table:
        """Topic and document of what people are to judge, shuffled; neither the grade nor the chance is told."""
        index = np.random.default_rng([self.design.seed, 1]).permutation(np.flatnonzero(self.drawn))
        return _document_table(self.pool, index)

    def document(self) -> dict[str, Json]:
        """The list and its design as plain data."""
        return {
            "rows": self.rows().records(),
            "design": self.design.as_dict(),
            "warnings": describe_findings(self.findings),
        }

    @property
    def text(self) -> str:
        """The list as lines of tab-separated values, with a header."""
        return _separate(self.rows())

    @property
    def csv(self) -> str:
        """The list as comma-separated values."""
        return _separate(self.rows(), ",")


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
        return _document_table(
            self.gains.pool, np.arange(len(self.gains.value)), Column("gain", self.gains.value, "gain", 4)
        )

    def document(self) -> dict[str, Json]:
        """The gains as plain data."""
        return {"rows": self.rows().records(), "warnings": describe_findings(self.findings)}

    @property
    def text(self) -> str:
        """The gains as lines of tab-separated values, with a header."""
        return _separate(self.rows())


@dataclass(frozen=True, eq=False, repr=False)
class CheckTable(Result):
    """What is known of a machine.

    Args:
        verdict: three answers.
        runs: their names.
        material: what was read.
        prediction: what the grades are worth; None where no person judged anything.
        effects: of properties that were asked for.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    verdict: Verdict
    runs: tuple[str, ...]
    material: Material
    prediction: Prediction | None = None
    effects: tuple[Effect, ...] = ()
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    def about(self) -> str:
        """What the machine may be used for."""
        return name_verdict(self.verdict)

    def answer(self) -> list[str]:
        """The verdict, in words, and what it rests on."""
        lines = [line.printed() for line in say_verdict(self.verdict, self.runs)]
        return [*lines, *say_labels(self.material)]

    def tables(self) -> list[Table]:
        """What grades are worth; what tells more than they do; which runs are favoured; which families of runs."""
        grades = [] if self.prediction is None else [grade_table(self.prediction)]
        effects = [_effect_table(self.effects)] if self.effects else []
        families = [_family_table(self.verdict.favour)] if self.verdict.favour.families else []
        return [*grades, *effects, self.rows(), *families]

    def rows(self) -> Table:
        """One row per run: by how much it is favoured, and how far it ranks as the machine does."""
        verdict, unknown = self.verdict, np.full(len(self.runs), np.nan)
        favour, error, p = unknown.copy(), unknown.copy(), unknown.copy()
        for test in verdict.favour.tests:
            favour[list(test.runs)], error[list(test.runs)], p[list(test.runs)] = test.favour, test.error, test.p
        columns = (
            Column("run", self.runs, "run", narrow="shorten"),
            Column("people", unknown if verdict.people is None else verdict.people, "for people"),
            Column("machine", unknown if verdict.machine is None else verdict.machine, "by the machine"),
            Column("favour", favour, "favoured by"),
            Column("standard_error", error, "error", spare=2),
            Column("p_adjusted", p, "adjusted p", 4, spare=1),
            Column("own_ndcg", verdict.own, "nDCG@10 by own grades", spare=3),
            *flag_columns(name_flags(verdict)),
        )
        title = f"Which runs does it favour? (DCG@{verdict.depth}, these topics)"
        return Table(title, columns, "runs", _line_notes(self))

    def document(self) -> dict[str, Json]:
        """The check as plain data with stable keys."""
        prediction = self.prediction
        return {
            "verdict": describe_verdict(self.verdict, self.runs),
            **self.material.describe(),
            "levels": [] if prediction is None else grade_table(prediction).records(),
            "effects": _effect_table(self.effects).records(),
            "runs": self.rows().records(),
            "families": _family_table(self.verdict.favour).records(),
            "machines": [] if prediction is None else _describe_machines(prediction),
            "warnings": describe_findings(self.findings),
            "provenance": None if self.provenance is None else self.provenance.as_dict(),
        }


def say_labels(material: Material) -> list[str]:
    """What the answers rest on: labels, people, documents, and how far people agree with each other."""
    sample = material.sample
    if sample is None:
        return []
    by = "" if sample.people is None else f" by {sample.people} people"
    drawn = ", drawn" if sample.design == "documents" else ""  # not all of these topics need have a label
    said = (
        f"From {counted(sample.opinions_count, 'label')}{by} on {counted(sample.labels, 'document')}{drawn} in "
        f"{count_of(sample.seen_topics, sample.topics, 'topic')}."
    )
    agreement = material.agreement
    if agreement is None or agreement.value != agreement.value:
        return [said]
    ends = "" if agreement.interval is None else f" ({agreement.interval[0]:.0%} to {agreement.interval[1]:.0%})"
    return [f"{said} Two people agree on {agreement.value:.0%}{ends}: no machine can be held to more."]


def name_flags(verdict: Verdict) -> list[tuple[str, ...]]:
    """What speaks against ranking each run by the machine."""
    found: list[list[str]] = [[] for _ in verdict.own]
    for test in (*verdict.favour.flagged, *(one for one in verdict.favour.families if one.flagged)):
        for run in test.runs:
            found[run].append("favoured" if test.favour > 0 else "slighted")
    for run in verdict.alike:
        found[run].append("machine-reranker")
    for run in verdict.favour.ends:
        found[run].append("beyond-others")
    return [tuple(dict.fromkeys(words)) for words in found]


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


def grade_table(prediction: Prediction) -> Table:
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


def _family_table(favour: Favour) -> Table:
    """By how much the runs of each family are favoured."""
    families = favour.families
    columns = (
        Column("family", [str(family.family) for family in families], "family"),
        Column("runs", [len(family.runs) for family in families], "runs"),
        Column("favour", np.array([family.favour for family in families]), "favoured by"),
        Column("standard_error", np.array([family.error for family in families]), "error"),
        Column("p_adjusted", np.array([family.p for family in families]), "adjusted p", 4),
    )
    return Table("Families of runs", columns, "families")


def _machine_notes(prediction: Prediction) -> tuple[str, ...]:
    """How well each machine predicts people, next to the base rate."""
    return tuple(
        f"{skill.name}: Brier {skill.brier:.3f} out of topic (base rate: {skill.base:.3f})."
        for skill in prediction.skills
    )


def _line_notes(table: CheckTable) -> tuple[str, ...]:
    """How much taste for runs the machine has, and whom it is not compared with."""
    notes, verdict = [], table.verdict
    line = verdict.line
    if line is not None:
        ends = f"{line.kappa_lower:.1f} to {line.kappa_upper:.1f}"
        notes.append(f"Its taste for runs is {line.kappa:.1f} times what chance would give ({ends}).")
    if verdict.favour.ends:
        names = listed([shortened(table.runs[run]) for run in verdict.favour.ends])
        lies = "lies" if len(verdict.favour.ends) == 1 else "lie"
        notes.append(f"{names} {lies} beyond all others by the machine's score, with nobody to be compared with.")
    if table.material.suspects:
        names = listed([shortened(name) for name in table.material.suspects])
        notes.append(f"Named when documents were drawn: {names}. That is right only if no label had been looked at.")
    return tuple(notes)


def _describe_machines(prediction: Prediction) -> list[Json]:
    """How well each machine predicts people out of topic, as plain data; all of them together last."""
    return [
        {
            "name": skill.name,
            "brier": number(skill.brier),
            "base": number(skill.base),
            "skill": number(skill.value),
            "interval": [number(skill.lower), number(skill.upper)],
        }
        for skill in prediction.skills
    ]


def _document_table(pool: DocumentPool, index: IntArray, *values: Column) -> Table:
    """These documents of a pool, in this order, with what else is said of them."""
    columns = (
        Column("topic", [pool.topics[topic] for topic in pool.topic[index].tolist()], "topic", narrow="shorten"),
        Column("document", pool.document.rows(index).texts(), "document", narrow="shorten"),
        *values,
    )
    return Table("", columns)


def _separate(table: Table, delimiter: str = "\t") -> str:
    """A table as lines of separated values, quoted as RFC 4180 has it where a name holds the separator or a quote.

    Raises:
        DataError: a name holds a line break, which no reader of such lists takes, quoted or not.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow([column.key for column in table.columns])
    for row in table.cells():
        for cell in row:
            if isinstance(cell, str) and ("\n" in cell or "\r" in cell):
                raise DataError(f"The name {cell!r} holds a line break, so it cannot stand on a line. Rename it.")
        writer.writerow(row)
    return stream.getvalue()
