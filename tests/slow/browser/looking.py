"""What tests of the page look at: marks, copied cells, figures cut by the end of a printed page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from playwright.sync_api import Page

Opening = Callable[..., AbstractContextManager[Page]]
MARKS = "svg:visible :is(circle, line, rect, path, text)"
UNFOLD = "document.querySelectorAll('details').forEach((part) => { part.open = true })"

_MARK_ENDS = """() => {
    for (const figure of document.querySelectorAll("figure")) {
        for (const [end, where] of [["start", "afterbegin"], ["end", "beforeend"]]) {
            const id = `${figure.id}-${end}`;
            if (document.getElementById(id)) continue;
            figure.insertAdjacentHTML(where, `<div id="${id}" style="height: 1px"></div>`);
            document.querySelector("main").insertAdjacentHTML("beforeend", `<a href="#${id}">x</a>`);
        }
    }
}"""


def wait_until(page: Page, condition: str, seconds: float = 20) -> None:
    """Waits until an expression is true in the page.

    Playwright's `wait_for_function` has the page itself evaluate text whenever the first look fails, and the pages'
    security policy refuses that; what is asked from outside, as here, it lets pass.
    """
    ends = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < ends, f"not true within {seconds:g} seconds: {condition}"
        page.wait_for_timeout(20)


def find_cut_figures(page: Page, ids: Sequence[str]) -> list[str]:
    """The figures that begin on one page of the printed report and end on another."""
    page.evaluate(_MARK_ENDS)
    pdf = page.pdf(format="A4")
    pages = {name.decode(): number for name, number in re.findall(rb"/([\w-]+) \[(\d+) 0 R\s*/XYZ", pdf)}
    return [name for name in ids if pages[f"figure-{name}-start"] != pages[f"figure-{name}-end"]]


def read_cell(cell: str) -> str | float | None:
    """A cell of CSV as JSON would hold it."""
    try:
        return float(cell) if cell else None
    except ValueError:
        return cell
