"""`export`: the gains in other tools' forms."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from gainsayer.commands.fit import Fit
from gainsayer.commands.gains import GainChoice, choose_gains
from gainsayer.commands.inputs import JudgmentInput, Names, split_assessors, take_judgments
from gainsayer.commands.model_file import SavedModel
from gainsayer.commands.provenance import Provenance, record
from gainsayer.errors import CallError
from gainsayer.exports.gain_files import (
    MEANINGLESS,
    SCALE,
    bound_error,
    show_bound,
    take_labels,
    write_gain_json,
    write_ir_measures_gains,
    write_scaled_qrels,
    write_trec_eval_gains,
)
from gainsayer.exports.judgment_lists import (
    count_formulas,
    read_queries,
    write_opensearch_judgments,
    write_quepid_book,
    write_quepid_csv,
)
from gainsayer.findings import Finding
from gainsayer.gains.schemes import GainSource, make_scheme
from gainsayer.gains.values import Gains, custom_gains, linear_gains, pattern_gains
from gainsayer.levels import Levels, Relevance
from gainsayer.ranking.whose_labels import LabelRule, decide_labels
from gainsayer.reading.files import FilePath
from gainsayer.reading.judgments import Judgments
from gainsayer.text import option

What: TypeAlias = Literal["qrels", "gains", "opensearch", "quepid", "quepid-book"]
Style: TypeAlias = Literal["json", "trec_eval", "ir_measures"]


@dataclass(frozen=True, eq=False)
class Export:
    """The gains in another tool's form.

    Args:
        text: what the other tool reads.
        notes: what to know before using it there, such as how far the rounding may put nDCG off.
        gains: what the levels are worth.
        labels: whose labels were written; None where none were.
        findings: what was noticed about the judgments.
        provenance: where it comes from.
    """

    text: str
    notes: tuple[str, ...]
    gains: Gains
    labels: LabelRule | None = None
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Export({self.text.count(chr(10)):,} lines, {len(self.notes)} notes)"


def export(
    what: What,
    judgments: JudgmentInput | Sequence[JudgmentInput] | None = None,
    *,
    model: Fit | SavedModel | FilePath | None = None,
    threshold: object | None = None,
    gain: Mapping[str, float] | None = None,
    labels: Names = None,
    scale: int | None = None,
    style: Style = "json",
    queries: FilePath | Mapping[str, str] | None = None,
    name: str = "PRM gains",
) -> Export:
    """Write the gains in another tool's form.

    `qrels` are qrels with whole-numbered gains, for nDCG (and nothing but nDCG) in trec_eval, pytrec_eval, ir_measures
    and ranx; `gains` the gains alone; `opensearch` judgment ratings for OpenSearch's Search Relevance Workbench, as
    JSON; `quepid` Quepid's ratings, as CSV; `quepid-book` every judge's levels as they are, as a Quepid book.

    Args:
        what: `qrels`, `gains`, `opensearch`, `quepid` or `quepid-book`, which needs no gains.
        judgments: files, data frames, dicts, or judgments already read; `gains` need none.
        model: what `fit` gave, or the file it wrote.
        threshold: which threshold of the model; its first by default.
        gain: level to gain, before the model's.
        labels: whose labels are written: assessors (the first who judged a document), `majority` or `mean`.
        scale: gains become max(1, round(scale * gain)); 1000 for qrels and ir_measures, decimals for Quepid.
        style: for `gains`: a JSON object, trec_eval's `-m ndcg.LEVEL=GAIN,...` or ir_measures' `nDCG(gains={...})`.
        queries: topic to query, or a file of them, for tools that know queries by their words.
        name: for `opensearch` and `quepid-book`: the name of the list or book.

    Raises:
        CallError: no gains were given, or something else is missing that this form needs.
        DataError: a level has no gain, or the other tool's form cannot hold a name.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> made = export("qrels", twenty_documents(), labels="U1", gain={"0": 0.01, "1": 0.27, "2": 0.53})
    >>> made.text.splitlines()[0]
    'q1 0 d01 530'
    """
    options = {key: value for key, value in locals().items() if key not in ("judgments", "model", "queries")}
    for asked, known in ((what, get_args(What)), (style, get_args(Style))):
        if asked not in known:
            raise CallError(f"There is no export {asked!r}: choose among {', '.join(known)}.")
    choice = choose_gains(gain=gain, model=model)
    read = None if judgments is None else take_judgments(judgments, levels=choice.levels)
    if read is None and what != "gains":
        raise CallError(f"To export {what}, the judgments are needed: name at least one file or table.")
    provenance = record([judgments, model, queries], options)
    words = read_queries(queries) if isinstance(queries, str | os.PathLike) else queries
    if read is not None and what == "quepid-book":
        text = write_quepid_book(read, name=name, queries=words)
        return Export(text, (), linear_gains(read.levels), findings=read.findings, provenance=provenance)
    gains = gains_of_levels(choice, threshold, None if read is None else read.levels)
    if read is None or what == "gains":
        text, notes = _write_gains(gains, style, scale)
        return Export(text, tuple(notes), gains, provenance=provenance)
    rule = decide_labels(read, split_assessors(read, labels, "labels"))
    taken = take_labels(read, rule)
    text, notes = _write_labels(what, taken, pattern_gains(gains, taken.levels), scale, words, name)
    notes += [f"Labels: {rule.said}."] if len(read.assessors) > 1 else []
    return Export(text, tuple(notes), gains, rule, taken.findings, provenance)


def gains_of_levels(choice: GainChoice, threshold: object | None = None, levels: Levels | None = None) -> Gains:
    """The gains of these levels, or of the model's own: its probabilities, and gains by hand before them.

    Raises:
        CallError: no gains were given, a level has none, or the model has no such threshold.
        DataError: the model does not know a level.
        MissingParameterError: a level has neither a probability nor a gain by hand.

    >>> gains_of_levels(choose_gains(gain={"0": 0.1, "1": 0.5})).as_dict()
    {'0': 0.1, '1': 0.5}
    """
    if choice.model is None:
        if threshold is not None:
            raise CallError(f"A threshold picks one of the thresholds of a model. Give a model, too: {option('model')}")
        if not choice.by_hand:
            raise CallError(
                f"No gains were given: give a model ({option('model')}), or the gain of every level ({option('gain')})."
            )
        return custom_gains(levels or Levels(tuple(choice.by_hand)), choice.by_hand)
    model = choice.model.at(threshold)
    if levels is None:
        levels = choice.model.levels
    unnamed = Relevance("", (), (False,) * len(levels), None)  # the model's probabilities are for one already
    return make_scheme("prm", GainSource(levels, model=model, by_hand=choice.by_hand), unnamed).gains


def _write_gains(gains: Gains, style: Style, scale: int | None) -> tuple[str, list[str]]:
    if style == "json":
        return write_gain_json(gains) + "\n", []
    if style == "ir_measures":
        note = f"Note: ir_measures takes whole numbers only, so the gains are scaled by {scale or SCALE}."
        return write_ir_measures_gains(gains, scale=SCALE if scale is None else scale) + "\n", [note]
    note = (
        "Warning: trec_eval compares gains through an integer; keep this order of levels, or a perfect ranking can "
        "score nDCG above 1. Scaled qrels (gainsayer export qrels) are safer."
    )
    return write_trec_eval_gains(gains) + "\n", [note]


def _write_labels(
    what: What, labels: Judgments, gains: Gains, scale: int | None, queries: Mapping[str, str] | None, name: str
) -> tuple[str, list[str]]:
    if what == "qrels":
        return _write_qrels(labels, gains, SCALE if scale is None else scale)
    notes = []
    if queries is None and all(topic.isdigit() for topic in labels.topics):
        notes.append(
            "Warning: the topics are numbers, but this tool knows queries by their words. Give these, too: "
            f"{option('queries')}"
        )
    if what == "opensearch":
        return write_opensearch_judgments(labels, gains, name=name, queries=queries), notes
    text = write_quepid_csv(labels, gains, scale=scale, queries=queries)
    formulas = count_formulas(labels, queries)
    if formulas:
        notes.append(
            f"Warning: {formulas:,} queries and documents begin with = + - or @. Quepid takes them as text; a "
            "spreadsheet would take them as formulas, so do not open the file in one."
        )
    return text, notes


def _write_qrels(labels: Judgments, gains: Gains, scale: int) -> tuple[str, list[str]]:
    text = write_scaled_qrels(labels, gains, scale=scale)
    bound = bound_error(labels, gains, scale=scale)
    notes = [
        f"nDCG on these qrels is off by at most {show_bound(bound.mean)} in the mean over topics, and by at most "
        f"{show_bound(bound.worst)} in any topic (worst: {bound.topic}), at any depth, by the rounding."
        + (" A larger scale makes it smaller." if bound.worst > 1e-12 else "")
    ]
    if bound.worthless:
        notes.append(
            f"Warning: {bound.worthless:,} topics have judged documents of gain 0 only. Their nDCG is 0, but in "
            "these qrels it can be up to 1; leave these topics out."
        )
    return text, [*notes, f"Warning: {MEANINGLESS}"]
