"""`report`: all of it in one page, and its JSON beside it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from html import escape
from pathlib import Path

from gainsayer.commands.provenance import Provenance, hash_while_reading
from gainsayer.commands.ranked_runs import list_files
from gainsayer.commands.requests import arguments
from gainsayer.drawing.figure import Figure
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.lines.opening import FilePath
from gainsayer.output_files import write_files
from gainsayer.reports.content import ReportContent, describe_report, is_report
from gainsayer.reports.first_screen import TITLE, compose_report
from gainsayer.reports.overview import Overview, OverviewRequest, gather
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


@dataclass(frozen=True, eq=False, kw_only=True)
class ReportRequest(OverviewRequest):
    """What `report` is asked for.

    Args:
        confidence: of all intervals.
        title: of the report.
        command: what to type to make it again, to stand on the page.
    """

    title: str = TITLE
    command: str | None = None


@arguments(ReportRequest)
def report(asked: ReportRequest) -> Report:
    """Report how much the assessors disagree, what each grade is worth, and which run is better: all in one page.

    Does what `agree`, `fit` and `compare` do, and the studies that the data allows. Without runs it is about the
    judgments alone; with one assessor it says what is missing. It estimates its own model.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> report(twenty_documents(), threshold=2)
    Report('What is a grade worth?': grades, agreement, amount, remarks)
    """
    with hash_while_reading([*asked.sources, *(() if asked.runs is None else list_files(asked.runs))]) as digests:
        overview = gather(asked)
        made = asked.record(*overview.files, digests=digests)
    return Report(compose_report(overview, made, title=asked.title, command=asked.command), overview)


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
