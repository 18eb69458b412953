"""`agree`: how far assessors agree; confusion matrix and agreement coefficients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from gainsayer.commands.engine import EngineName, EngineOptions, read_with
from gainsayer.commands.inputs import (
    JudgmentInput,
    LevelInput,
    Names,
    Pairing,
    choose_side_names,
    for_each_stratum,
    gather_sources,
)
from gainsayer.commands.provenance import Provenance, record
from gainsayer.drawing.charts import matrix
from gainsayer.drawing.figure import Figure
from gainsayer.drawing.interval_lines import Line, interval_lines
from gainsayer.findings import Finding, name_findings
from gainsayer.model.agreement import Agreement, AssessorPair, Coefficient, measure_agreement
from gainsayer.model.estimate import notice_selection
from gainsayer.model.pairs import count_pairs
from gainsayer.ranking.ranked import FloatArray
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.labels import Repeats
from gainsayer.result import Result, describe_findings
from gainsayer.table import Column, Json, Table, plain, stack
from gainsayer.words import capitalized, counted, decimal, name_side, name_stratum, shortened, spanned, sure, users

NAMES: Final = {
    "percent": "percent agreement",
    "cohen_kappa": "Cohen's kappa",
    "weighted_kappa_linear": "weighted kappa, linear",
    "weighted_kappa_quadratic": "weighted kappa, quadratic",
    "scott_pi": "Scott's pi",
    "fleiss_kappa": "Fleiss' kappa",
    "krippendorff_alpha_nominal": "Krippendorff's alpha, nominal",
    "krippendorff_alpha_ordinal": "Krippendorff's alpha, ordinal",
    "krippendorff_alpha_interval": "Krippendorff's alpha, interval",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2, quadratic",
}
FEWEST_SHARED: Final = 10  # documents of a pair of assessors
_MOST_PAIRS_SHOWN: Final = 30
_EVERYBODY: Final = "all"
_REPEATED: Final = "share of grades that others repeat"
_FEWEST_DRAWN, _MOST_DRAWN, _MOST_COUNTED = 3, 40, 2000  # assessors; pairs of them


def agree(
    *judgments: JudgmentInput,
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
    first: Names = None,
    second: Names = None,
    pairing: Pairing = "auto",
    confidence: float = 0.95,
    engine: EngineName = "embedded",
    master: str | None = None,
) -> AgreementTable:
    """Measure how far assessors agree: confusion matrix and coefficients, with intervals over topics.

    Percent agreement, Cohen's and weighted kappa, Scott's pi, Fleiss' kappa, Krippendorff's alpha, Gwet's AC1 and AC2,
    for two or many assessors; labels may be missing. See `measure_agreement` for what each counts.

    Args:
        *judgments: files, data frames, dicts, or judgments already read; see `read_judgments` and `Reading`.
        levels: the levels from low to high, as a list, as "Non,Rel,HRel,Key" or as `Levels`; without them, the
            numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
        first: assessors of one side.
        second: assessors of the other side.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        confidence: of the intervals.
        engine: `embedded` works on this machine, `spark` on a cluster. Both give the same result.
        master: where Spark is, such as `local[2]` or `yarn`.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> agreed = agree(twenty_documents())
    >>> round(agreed.agreement.coefficients["cohen_kappa"].value, 6)
    0.242424
    >>> agreed
    AgreementTable(50% of 20 pairs agree, 1 topic)
    """
    options = dict(locals())
    sources = gather_sources(list(judgments), levels, merges, missing, maps, repeats, raters, by_assessor)
    read = read_with(EngineOptions(engine=engine, master=master), sources)
    sides = choose_side_names(read, first, second, pairing)

    def measure(part: Judgments) -> Agreement:
        found = measure_agreement(
            part, first=sides.first, second=sides.second, matched=sides.matched, confidence=confidence
        )
        counts = count_pairs(part, first=sides.first, second=sides.second, matched=sides.matched)
        return replace(found, findings=(*found.findings, *notice_selection(counts), *notice_sparse(found)))

    agreement = measure(read)
    strata, noticed = for_each_stratum(read, measure)
    provenance = record(sources, options)
    return AgreementTable(agreement, strata, tuple(noticed), provenance)


def notice_sparse(agreement: Agreement) -> list[Finding]:
    """A finding where pairs of assessors share so few documents that chance is hardly known pair by pair.

    A pair's n documents give the expected disagreement less a share of (1 - Do / De) / n on average, so that the pooled
    kappas and pi come out about kappa (1 - kappa) / n too low.
    """
    count = agreement.assessor_pair_count
    if count < 2 or agreement.pairs >= FEWEST_SHARED * count:
        return []
    text = (
        f"{count:,} pairs of assessors share {agreement.pairs / count:.1f} documents on average. Cohen's and "
        "weighted kappas and Scott's pi are corrected for chance pair by pair, so here they are too low: read "
        "Krippendorff's alpha or Fleiss' kappa."
    )
    return [Finding("sparse-pairs", text)]


@dataclass(frozen=True, eq=False, repr=False)
class AgreementTable(Result):
    """How far the assessors agree, over all topics and per kind of topics.

    Args:
        agreement: over all topics.
        strata: per kind of topics, where there are kinds.
        noticed: what else a reader should know.
        provenance: where it comes from.
    """

    agreement: Agreement
    strata: Mapping[str, Agreement] = field(default_factory=dict)
    noticed: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding once, in order."""
        here = (*self.noticed, *self.agreement.findings)
        return tuple(dict.fromkeys((*here, *name_findings(self.strata, here))))

    def about(self) -> str:
        """How many pairs agree."""
        agreement = self.agreement
        same = agreement.coefficients["percent"].value
        return f"{same:.0%} of {counted(agreement.pairs, 'pair')} agree, {counted(agreement.topics, 'topic')}"

    def tables(self) -> list[Table]:
        """The tables of all topics together, then those of the strata."""
        strata = [table for name, part in self.strata.items() for table in agreement_tables(part, stratum=name)]
        return [*agreement_tables(self.agreement), *strata]

    def rows(self) -> Table:
        """One row per coefficient: of all assessors together, of each pair of them, then those of the strata."""
        parts: list[tuple[str | None, Agreement]] = [(None, self.agreement), *self.strata.items()]
        return stack([_coefficients(part, [_everybody(part), *part.assessor_pairs], name) for name, part in parts])

    def document(self) -> dict[str, Json]:
        """The agreement as plain data; the strata in the same shape."""
        agreement, sides = self.agreement, self.agreement.sides
        return {
            "pairs": agreement.pairs,
            "topics": agreement.topics,
            "documents": agreement.documents,
            "first": None if sides is None else list(sides[0]),
            "second": None if sides is None else list(sides[1]),
            "levels": list(agreement.levels.names),
            "counts": plain(agreement.counts),
            "confidence": agreement.confidence,
            "coefficients": _describe(agreement.coefficients, agreement.confidence),
            "assessor_pairs": [
                {
                    "first": pair.first,
                    "second": pair.second,
                    "pairs": pair.pairs,
                    "topics": pair.topics,
                    "coefficients": _describe(pair.coefficients, agreement.confidence),
                }
                for pair in agreement.assessor_pairs
            ],
            "warnings": describe_findings(replace(self, strata={}).findings),
            "strata": {name: AgreementTable(part).document() for name, part in self.strata.items()} or None,
            **({} if self.provenance is None else {"provenance": self.provenance.as_dict()}),
        }

    def figure(self) -> Figure:
        """Who said what."""
        return confusion_matrix(self.agreement)


def agreement_tables(agreement: Agreement, *, stratum: str | None = None) -> list[Table]:
    """The confusion matrix, the coefficients, and the pairs of assessors where there are several."""
    tables = [_level_table(agreement, stratum), _coefficient_table(agreement, stratum)]
    return [*tables, _pair_table(agreement, stratum)] if agreement.assessor_pair_count > 1 else tables


def _level_table(agreement: Agreement, stratum: str | None) -> Table:
    names, sides = agreement.levels.names, agreement.sides
    if sides is None:
        corner, title = "level", "Coincidences of levels"
    else:
        first, second = map(_name_side, sides)
        corner, title = f"{first} \\ {second}", f"Levels of {first} (rows) and {second} (columns)"
    counts = np.array(plain(agreement.counts))
    columns = (
        Column("stratum", stratum),
        Column("level", names, corner, narrow="shorten"),
        *(Column(name, counts[:, second], name, 1) for second, name in enumerate(names)),
    )
    size = f"{counted(agreement.pairs, 'pair')}, {counted(agreement.topics, 'topic')}"
    return Table(f"{name_stratum(stratum)}{title}; {size}", columns, "levels")


def _coefficient_table(agreement: Agreement, stratum: str | None) -> Table:
    notes = list(dict.fromkeys(entry.note for entry in agreement.coefficients.values() if entry.note))
    table = _coefficients(agreement, [_everybody(agreement)], stratum).on_demand("note")
    known = any(entry.interval is not None for entry in agreement.coefficients.values())
    title = f"{name_stratum(stratum)}Agreement{', with intervals over topics' if known else ''}"
    return replace(table, title=title, name="coefficients", notes=tuple(notes))


def _coefficients(agreement: Agreement, groups: Sequence[AssessorPair], stratum: str | None) -> Table:
    """One row per coefficient of each group of assessors."""
    found = [(group, key, entry) for group in groups for key, entry in group.coefficients.items()]
    columns = (
        Column("stratum", stratum),
        Column("first", [group.first for group, _, _ in found]),
        Column("second", [group.second for group, _, _ in found]),
        Column("pairs", [group.pairs for group, _, _ in found]),
        Column("topics", [group.topics for group, _, _ in found]),
        Column("coefficient", [key for _, key, _ in found], "coefficient", say=lambda key: NAMES[key]),
        *_value_columns([entry for _, _, entry in found], agreement.confidence),
    )
    return Table("", columns)


def _value_columns(entries: Sequence[Coefficient], confidence: float) -> tuple[Column, ...]:
    ends = np.array([entry.interval or (np.nan, np.nan) for entry in entries])
    return (
        Column("value", np.array([entry.value for entry in entries]), "value"),
        Column("interval", ends, f"{sure(confidence)} interval", keep=True),
        Column("note", [entry.note for entry in entries], "note", missing="", narrow="wrap"),
    )


def _everybody(agreement: Agreement) -> AssessorPair:
    return AssessorPair(_EVERYBODY, _EVERYBODY, agreement.pairs, agreement.topics, agreement.coefficients)


def _pair_table(agreement: Agreement, stratum: str | None) -> Table:
    count = agreement.assessor_pair_count
    shown = [agreement.assessor_pair(index) for index in range(min(count, _MOST_PAIRS_SHOWN))]
    keys = ("percent", "cohen_kappa", "krippendorff_alpha_ordinal", "gwet_ac1")
    columns = (
        Column("stratum", stratum),
        Column("first", [pair.first for pair in shown], "first", narrow="shorten"),
        Column("second", [pair.second for pair in shown], "second", narrow="shorten"),
        Column("pairs", [pair.pairs for pair in shown], "pairs"),
        Column("topics", [pair.topics for pair in shown], "topics", spare=1),
        *(Column(key, np.array([pair.coefficients[key].value for pair in shown]), NAMES[key]) for key in keys),
    )
    note = f"; the first {len(shown)} of {count:,}, all of them in CSV and JSON" if count > len(shown) else ""
    return Table(f"{name_stratum(stratum)}Pairs of assessors{note}", columns, "assessors")


def _describe(coefficients: Mapping[str, Coefficient], confidence: float) -> dict[str, Json]:
    records = Table("", _value_columns(list(coefficients.values()), confidence)).records()
    return dict(zip(coefficients, records, strict=True))


def _name_side(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 2 else f"{len(names)} assessors"


def confusion_matrix(agreement: Agreement) -> Figure:
    """Counts of pairs by the level of each side, with the share of each row.

    A share is p(second level | first level) as counted, not the symmetric estimate of eq. (5).

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> confusion_matrix(agree(twenty_documents()).agreement).title
    'The second grade is the first one for 50 of 100 pairs of judgments; 1 is repeated least often, by 40 of 100'
    """
    names, counts, sides = agreement.levels.names, agreement.counts, agreement.sides
    first, second = ("the first side", "the second side") if sides is None else map(name_side, sides)
    totals = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, totals, out=np.full(counts.shape, np.nan), where=totals > 0)
    columns = (
        Column("first", [name for name in names for _ in names], shortened(first), align="left"),
        Column("second", names * len(names), shortened(second), align="left"),
        Column("count", counts.ravel(), "Pairs", whole=True),
        Column("share", shares.ravel(), "Share of its row"),
    )
    titles = [
        [
            f"{shortened(one)}, then {shortened(other)}: {counted(count, 'pair')}, {users(share)} of 100 in this row"
            for other, count, share in zip(names, row, of_row, strict=True)
        ]
        for one, row, of_row in zip(names, counts.tolist(), shares.tolist(), strict=True)
    ]
    return Figure(
        "confusion",
        "ConfusionMatrix",
        f"What {shortened(second)} said where {shortened(first)} had graded",
        "Rows: the first grade. Columns: the second grade of the same documents, of 100 in each row.",
        _say_repeated(names, counts, np.diag(shares).tolist()),
        Table("Pairs of grades of the same document", columns),
        matrix(names, shares, titles, sides=(first, second)),
    )


def _say_repeated(names: Sequence[str], counts: FloatArray, repeated: Sequence[float]) -> str:
    """How often the sides agree, and which grade is repeated least often."""
    if not counts.sum():
        return "No document was judged by both sides"
    same = float(np.trace(counts) / counts.sum())
    said = f"The second grade is the first one for {users(same)} of 100 pairs of judgments"
    known = [(share, at) for at, share in enumerate(repeated) if share == share]
    if len(known) < 2:
        return said
    least, at = min(known)
    return f"{said}; {shortened(names[at])} is repeated least often, by {users(least)} of 100"


def assessor_reliability(agreement: Agreement) -> Figure | None:
    """Each assessor's share of pairs with the same level, over all others; with sides, the first side's assessors.

    None for two assessors, and for very many.
    """
    pairs = agreement.assessor_pairs if agreement.assessor_pair_count <= _MOST_COUNTED else ()
    names = {pair.first for pair in pairs}
    if agreement.sides is None:
        names |= {pair.second for pair in pairs}
    if not _FEWEST_DRAWN <= len(names) <= _MOST_DRAWN:
        return None
    lines, counts = [], []
    for name in sorted(names):
        own = [pair for pair in pairs if name in (pair.first, pair.second)]
        total = sum(pair.pairs for pair in own)
        value = sum(pair.coefficients["percent"].value * pair.pairs for pair in own) / total
        lower, upper = (own[0].coefficients["percent"].interval if len(own) == 1 else None) or (np.nan, np.nan)
        said = f"{shortened(name)}: {decimal(value)}{spanned(lower, upper)}, {counted(total, 'pair')}"
        lines.append(Line(name, value, lower, upper, "ink", said))
        counts.append(total)
    low, *_, high = sorted(lines, key=lambda line: line.value)
    overlap = ", but their intervals overlap" if high.lower <= low.upper else ""
    heading, confidence = f"{capitalized(_REPEATED)}, by assessor", sure(agreement.confidence)
    columns = (
        Column("assessor", [line.name for line in lines], "Assessor", align="left"),
        Column("value", np.array([line.value for line in lines]), _REPEATED),
        Column("lower", np.array([line.lower for line in lines]), f"From ({confidence})"),
        Column("upper", np.array([line.upper for line in lines]), f"To ({confidence})"),
        Column("pairs", counts, "Pairs"),
    )
    return Figure(
        "reliability",
        "AssessorReliability",
        heading,
        f"Dot: {_REPEATED}. Line: {confidence} interval. Grey line: all assessors together.",
        f"{_REPEATED} lies between {decimal(low.value)} ({shortened(low.name)}) and {decimal(high.value)} "
        f"({shortened(high.name)}){overlap}",
        Table(heading, columns),
        interval_lines(lines, reference=agreement.coefficients["percent"].value),
    )
