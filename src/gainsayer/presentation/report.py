"""`report`: all of it in one page, and its JSON beside it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from gainsayer.comparison.paired_tests import Adjustment, Test
from gainsayer.disagreement.estimate import Estimator
from gainsayer.errors import CallError
from gainsayer.evaluation.comparisons import Question
from gainsayer.evaluation.gain_choice import choose_gains
from gainsayer.evaluation.overview import Overview, gather
from gainsayer.evaluation.progress import Progress
from gainsayer.evaluation.provenance import Provenance, files_of, record
from gainsayer.evaluation.random_users import MeasureInput, UserInput, take_users
from gainsayer.evaluation.ranked_runs import Policies, Resources, RunInput
from gainsayer.evaluation.sides import Names, Pairing
from gainsayer.evaluation.sources import JudgmentInput, join_second
from gainsayer.findings import Finding
from gainsayer.lines.opening import FilePath
from gainsayer.measures.scoring import NoRelevant, TopicPolicy
from gainsayer.output_files import write_files
from gainsayer.presentation.composition import TITLE, compose_report
from gainsayer.presentation.content import ReportContent, describe_report, is_report, render_report_text
from gainsayer.presentation.figures.figure import Figure
from gainsayer.presentation.page import is_report_page, render_report_html
from gainsayer.rankings.duplicates import Duplicates
from gainsayer.rankings.ordering import Ties
from gainsayer.text import printable, write_json


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

    def reworded(self, change: Callable[[str], str]) -> Report:
        """The same report with every sentence and warning changed in this way, as for readers of a command line."""
        return replace(self, content=self.content.reworded(change))

    def to_html(self) -> str:
        """The page: one file that needs no network."""
        return render_report_html(self.content)

    def to_json(self) -> str:
        """Everything on the page as JSON; values are raw, and unknown ones null."""
        return write_json(describe_report(self.content))

    def to_text(self, *, color: bool = False) -> str:
        """The report for a terminal."""
        return render_report_text(self.content, color=color)

    def save(self, path: FilePath = "report.html") -> Path:
        """Write the page, and its JSON beside it under the same name with .json; both or none.

        Raises:
            CallError: the place cannot be written, or the JSON would replace something that is no report.
        """
        page = Path(path)
        beside = check_place(page)
        write_files({beside: self.to_json(), page: self.to_html()})
        return page

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
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    gains: str | Sequence[str] | None = None,
    gain: Mapping[str, float] | None = None,
    estimator: Estimator | None = None,
    labels: Names = None,
    unjudged: str | float = "0",
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    fedweb_duplicates: bool = False,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "keep",
    resources: Resources | None = None,
    users: UserInput = None,
    test: Test = "joint",
    adjust: Adjustment | None = None,
    baseline: str | None = None,
    margin: float | None = None,
    resamples: int = 1_000,
    permutations: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
    title: str = TITLE,
    command: str | None = None,
    progress: Progress | None = None,
) -> Report:
    """Report how much the assessors disagree, what each grade is worth, and which run is better: all in one page.

    Does what `agree`, `fit` and `compare` do, and the studies that the data allows. Without runs it is about the
    judgments alone; with one assessor it says what is missing. It estimates its own model.

    Args:
        judgments: files, data frames, dicts, or judgments already read.
        runs: files, folders, patterns, data frames, dicts, or several of them; each file is read once.
        measures: such as "nDCG@10"; names of ir_measures or trec_eval.
        second: see `compare`.
        first: see `compare`.
        pairing: see `compare`.
        threshold: users are satisfied with this level or a higher one; by default every threshold, the top level first.
        relevant: see `compare`.
        gains: by default `prm`, `binary`, `linear` and `exponential` where levels and measures allow them.
        gain: see `compare`.
        estimator: see `compare`.
        labels: see `compare`.
        unjudged: see `compare`.
        ties: see `compare`.
        duplicates: see `compare`.
        fedweb_duplicates: see `compare`.
        topics: see `compare`.
        no_relevant: see `compare`.
        resources: see `compare`.
        users: the kinds of random users; by default both ends of the band.
        test: see `compare`.
        adjust: see `compare`.
        baseline: see `compare`.
        margin: see `compare`.
        resamples: see `compare`.
        permutations: see `compare`.
        confidence: of all intervals.
        seed: of everything that is drawn.
        title: of the report.
        command: what to type to make it again, to stand on the page.
        progress: called with what is being done, and the share that is done.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> report(twenty_documents(), threshold=2)
    Report('What is a grade worth?': agreement, parameters, amount, next)
    """
    options = {
        name: value
        for name, value in locals().items()
        if name not in ("judgments", "runs", "seed", "title", "command", "progress")
    }
    given, second_names = join_second(judgments, second)
    choice = choose_gains(gains, gain, None, unjudged)
    overview = gather(
        given,
        runs,
        measures,
        first=first,
        second=second_names,
        pairing=pairing,
        choice=choice,
        threshold=threshold,
        relevant=relevant,
        labels=labels,
        policies=Policies(choice.unjudged, ties, duplicates, fedweb_duplicates, topics, no_relevant, resources),
        users=take_users(users),
        question=Question(test, adjust, baseline, margin, resamples, permutations, confidence, estimator, seed),
        progress=progress,
    )
    provenance = record([*files_of(given), *overview.files], options, seed=seed)
    return Report(compose_report(overview, provenance, title=title, command=command), overview)


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
    if beside.exists() and not is_report(beside):
        raise CallError(
            f"The JSON of {page} would replace {beside}, which is not the JSON of an earlier report. Move it away, or "
            "choose another name."
        )
    if not chosen and page.exists() and not is_report_page(page):
        raise CallError(f"{page} is not an earlier report, so it is not replaced. Choose another name.")
    return beside
