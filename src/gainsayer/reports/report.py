"""`report`: all of it in one page, and its JSON beside it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from gainsayer.commands.compare import TestOptions
from gainsayer.commands.gains import choose_gains
from gainsayer.commands.inputs import JudgmentInput, LevelInput, Names, Pairing, gather_sources, join_second
from gainsayer.commands.machine_design import SampleInput
from gainsayer.commands.provenance import Provenance, hash_while_reading
from gainsayer.commands.ranked_runs import Progress, RunInput, list_files, make_policies
from gainsayer.commands.setup import MeasureInput, Request, UserInput
from gainsayer.comparison.fixed_tests import Adjustment, Test
from gainsayer.comparison.results import FamilyOf
from gainsayer.drawing.figure import Figure
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.measures.scores import NoRelevant, TopicPolicy
from gainsayer.model.estimate import Estimator
from gainsayer.output_files import keep_foreign, write_files
from gainsayer.ranking.duplicates import Duplicates
from gainsayer.ranking.matching import Ties
from gainsayer.reading.files import FilePath
from gainsayer.reading.labels import Repeats
from gainsayer.reports.content import ReportContent, describe_report, is_report
from gainsayer.reports.first_screen import TITLE, compose_report
from gainsayer.reports.overview import Overview, collect
from gainsayer.reports.page import is_report_page, render_report_html
from gainsayer.result import write_versioned
from gainsayer.text import printable


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A report: what it says, and the results behind it.

    Args:
        content: every sentence, table and figure.
        overview: the results.
    """

    content: ReportContent
    overview: Overview

    @property
    def provenance(self) -> Provenance:
        """Where it comes from."""
        return self.content.provenance

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding once, in order."""
        return tuple(dict.fromkeys(finding for section in self.content.sections for finding in section.findings))

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures, in reading order; see `save_figures`."""
        return self.content.figures

    def to_html(self) -> str:
        """The page: one file that needs no network."""
        return render_report_html(self.content)

    def to_json(self) -> str:
        """Everything on the page as JSON; values are raw, and unknown ones null."""
        return write_versioned(describe_report(self.content))

    def save(self, path: FilePath = "report.html") -> Path:
        """Write the page, and its JSON beside it under the same name with .json; both or none.

        Raises:
            CallError: the place cannot be written, or the JSON would replace something that is no report.
        """
        page = Path(path)
        write_files(self.files(page))
        return page

    def files(self, page: Path) -> dict[Path, str | bytes]:
        """The page and the JSON beside it, as they are to be written.

        Raises:
            CallError: one of them would take the place of something else.
        """
        return {check_place(page): self.to_json(), page: self.to_html()}

    def __repr__(self) -> str:
        sections = ", ".join(section.id for section in self.content.sections)
        return f"Report({self.content.title!r}: {sections})"

    def _repr_html_(self) -> str:
        """The summary: what a notebook shows."""
        said = "".join(f"<p>{escape(printable(sentence))}</p>" for sentence in self.content.summary)
        return f'<div class="gainsayer"><strong>{escape(printable(self.content.title))}</strong>{said}</div>'


def report(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    runs: RunInput | None = None,
    measures: MeasureInput | None = None,
    *,
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    labels: Names = None,
    gains: str | Sequence[str] | None = None,
    gain: Mapping[str, float] | None = None,
    estimator: Estimator | None = None,
    unjudged: str | float = "0",
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "keep",
    users: UserInput = None,
    machine: str | None = None,
    sample: SampleInput | None = None,
    suspect: str | Sequence[str] = (),
    test: Test = "joint",
    adjust: Adjustment | None = None,
    baseline: str | None = None,
    margin: float | None = None,
    family: FamilyOf = "each",
    resamples: int = 1_000,
    permutations: int = 10_000,
    confidence: float = 0.95,
    title: str = TITLE,
    command: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Report:
    """Report how much the assessors disagree, what each grade is worth, and which run is better: all in one page.

    Does what `agree`, `fit` and `compare` do, and the studies that the data allows. Without runs it is about the
    judgments alone; with one assessor it says what is missing. It estimates its own model.

    Args:
        judgments: files, data frames, dicts, judgments already read, or {name of an assessor: any of these};
            see `read_judgments`.
        runs: files, folders, patterns, data frames, dicts, or several of them, each file read once; by default
            the report is about the judgments alone.
        measures: such as "nDCG@10"; names of ir_measures or trec_eval.
        levels: the levels from low to high, as a list, as "Non,Rel,HRel,Key" or as `Levels`; without them, the
            numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        threshold: users are satisfied with this level (by name or number) or a higher one; by default every
            threshold, the top level first.
        relevant: users are satisfied with these levels.
        labels: whose labels score: assessors (the first who judged a document), `majority`, `mean`, or
            `posterior` (all of them together, learned where a document has a further opinion).
        gains: `prm`, `binary`, `linear`, `exponential`, `udm`, or a JSON file; several may be given. By default
            `prm` next to `binary` where there is a second side, else what the measure has in ir_measures.
        gain: level to gain, before all others.
        estimator: `symmetric` or `one-sided`; by default symmetric where it is valid.
        unjudged: what an unjudged document is worth: `0`, `level`, a number, `condense` or `bounds`.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        topics: all judged topics, or those that every run has (`common`).
        no_relevant: what topics without a relevant label count: `keep`, `zero` or `skip`.
        users: the kinds of random users; by default `band`, both ends: `independent` and `comonotone` (a strict
            user is strict with every document).
        machine: the assessor that is a machine: its grades are put next to people's, grade by grade, from the
            documents that it and at least two people judged; with runs, there are the scores that people would
            have given, too. All else is about the people then, unless a side names it.
        sample: how people's documents were drawn, next to a machine: the design that `machine sample` wrote, found by
            itself next to their file, a table of topic, document and probability, or `observed`.
        suspect: runs that the machine may favour, named before anybody looked at people's labels.
        test: whose p-values: `joint` for topics and gains together; `randomisation`, `t` or `wilcoxon` hold the
            gains fixed.
        adjust: of tests with the gains held fixed: `maxt`, `holm`, `bh` or `none`.
        baseline: compare each run with this one only.
        margin: the smallest difference that matters.
        family: what simultaneous intervals, verdicts and ranks hold for at once: the pairs of `each` measure, kind
            of gains and stratum, or of `all` of them together.
        resamples: samples of topics for the interval of tau, the only thing that needs any.
        permutations: sign flips for all pairs at once.
        confidence: of all intervals.
        title: of the report.
        command: what to type to make it again, to stand on the page.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> report(twenty_documents(), threshold=2)
    Report('What is a grade worth?': grades, agreement, amount, remarks)
    """
    options = dict(locals())
    given, named = join_second(judgments, second)
    request = Request(
        sources=gather_sources(given, levels, merges, missing, maps, repeats, raters, by_assessor),
        first=first,
        second=named,
        pairing=pairing,
        threshold=threshold,
        relevant=relevant,
        labels=labels,
        choice=choose_gains(gains, gain, None, unjudged),
        estimator=estimator,
        policies=make_policies(unjudged, ties, duplicates, topics, no_relevant),
        seed=seed,
        progress=progress,
    )
    tests = TestOptions(test, adjust, baseline, margin, family, resamples, permutations, confidence)
    with hash_while_reading([*request.sources, *(() if runs is None else list_files(runs))]) as digests:
        overview = collect(request, tests, runs, measures, users, machine=machine, sample=sample, suspect=suspect)
        made = request.record(options, *overview.files, digests=digests)
    content = compose_report(overview, made, title=title, command=command)
    return Report(content, overview)


def check_place(page: Path, *, chosen: bool = True) -> Path:
    """Where the JSON of a page goes; places that would lose something are refused, before any work.

    Args:
        page: where the page goes.
        chosen: whether somebody chose the place: if not, only an earlier report is replaced.

    Raises:
        CallError: with the reason.
    """
    if page.exists() and not page.is_file():
        raise CallError(f"{page} is no file: the page and its JSON are two files, so they need a name.")
    beside = page.with_suffix(".json")
    if beside == page or os.path.realpath(beside) == os.path.realpath(page):
        raise CallError(f"{page} would hold both the page and its JSON. Name the page, such as report.html.")
    if not Path(os.path.realpath(page)).parent.is_dir():
        raise CallError(f"Cannot write {page}: there is no folder {page.parent}. Make it, or choose another place.")
    keep_foreign(beside, is_report)
    if not chosen and page.exists() and not is_report_page(page):
        raise CallError(f"{page} is not an earlier report, so it is not replaced. Choose another name.")
    return beside
