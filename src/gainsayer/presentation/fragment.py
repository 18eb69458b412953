"""Tables and findings as a fragment of HTML for notebooks: no scripts, nothing fetched, no colours of its own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from gainsayer.findings import Finding
from gainsayer.presentation.tables import Column, Table
from gainsayer.text import printable

MOST_ROWS = 100
# Lines and quiet text are mixed from the text's own colour, so that they show on light and on dark pages alike.
_LINE = "1px solid rgba(128, 128, 128, 0.5)"
_BOX = "overflow-x: auto; margin: 0 0 1em 0;"
_TABLE = "border-collapse: collapse; font-variant-numeric: tabular-nums; color: inherit; font-size: inherit; margin: 0;"
_TITLE = "margin: 0 0 0.4em 0; max-width: 60em; text-align: left;"
_QUIET = "margin: 0.3em 0 0 0; opacity: 0.75; font-size: 0.9em;"
_LIST = "margin: 0; padding-left: 1.2em; max-width: 60em; font-size: 0.9em;"


def render_html(tables: Sequence[Table], findings: Sequence[Finding] = ()) -> str:
    """The tables under their titles, at most a hundred rows of each, and the findings below them.

    >>> print(render_html([Table("A & B", (Column("run", "run", align="left"),), (("<b>",),))]).count("&lt;b&gt;"))
    1
    """
    parts = [_draw(table.without_empty()) for table in tables]
    if findings:
        said = "".join(f"<li><code>{_text(one.code)}</code> {_text(one.message)}</li>" for one in findings)
        parts.append(f'<ul style="{_LIST}">{said}</ul>')
    return f'<div class="gainsayer">{"".join(parts)}</div>'


def _draw(table: Table) -> str:
    shown = Table(table.title, table.columns, table.rows[:MOST_ROWS])
    title = f'<p style="{_TITLE}"><strong>{_text(table.title)}</strong></p>' if table.title else ""
    heads = "".join(
        f'<th scope="col" style="{_cell(column)} border-bottom: {_LINE};">{_text(column.heading)}</th>'
        for column in shown.columns
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td style="{_cell(column)}">{_text(cell)}</td>' for column, cell in zip(shown.columns, row, strict=True)
        )
        + "</tr>"
        for row in shown.shown()
    )
    more = ""
    if len(table.rows) > MOST_ROWS:
        more = f'<p style="{_QUIET}">The first {MOST_ROWS} of {len(table.rows):,} rows.</p>'
    drawn = f'<table style="{_TABLE}"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    notes = "".join(f'<p style="{_QUIET}">{_text(note)}</p>' for note in table.notes)
    return f'<div style="{_BOX}">{title}{drawn}{more}{notes}</div>'


def _cell(column: Column) -> str:
    return f"text-align: {column.align}; padding: 0.15em 0.8em 0.15em 0; white-space: nowrap; background: none;"


def _text(text: str) -> str:
    return escape(printable(text))
