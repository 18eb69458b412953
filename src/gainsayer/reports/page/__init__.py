"""The page: a report as one HTML file that needs no network.

Drawings, style, data and one small script are inside. A content security policy names the script by its hash and
forbids every request, so that nothing in the data can become a script or call out. Without the script everything is
there but the rows of large tables; the questions open by themselves, by search in the page and in print.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from gainsayer.drawing.figure import SWITCH, render_inline
from gainsayer.drawing.svg import DARK, FONT, LIGHT, PAGE, drawing_style
from gainsayer.reports.content import ReportContent
from gainsayer.table import Column, Json, Table
from gainsayer.text import legible, printable
from gainsayer.words import MINUS

# A table with more rows is carried once, as data, and written by the script when somebody opens it.
MOST_ROWS = 40
_HEAD = 10_000


def render_report_html(content: ReportContent) -> str:
    """The report as one HTML page: light and dark, on a phone, in print, by keyboard and by screen reader."""
    script = _part("page.js")
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"script-src {_fingerprint(script)}"
    )
    style = f":root {{ --font: {FONT}; }}\n{_part('style.css')}\n{SWITCH}{drawing_style(PAGE)}"
    files = Table(
        "Files that were read",
        (
            Column("file", [name for name, _ in content.files], "File", align="left"),
            Column("sha256", [digest for _, digest in content.files], "SHA-256", align="left"),
        ),
    )
    return _template().render(
        content=content,
        policy=policy,
        style=Markup(style),
        light=LIGHT.named(),
        dark=DARK.named(),
        files=files,
        data=Markup(_harmless(_carried(content, files))),
        script=Markup(script),
        drawn=lambda figure: Markup(render_inline(figure)),
        sort_value=_sort_value,
        minus=_minus,
        most_rows=MOST_ROWS,
    )


def is_report_page(path: Path) -> bool:
    """Whether a file is a page that `render_report_html` made, by its first lines.

    >>> is_report_page(Path("no such file"))
    False
    """
    try:
        with path.open("rb") as stream:
            return b'<meta name="generator" content="Gainsayer ' in stream.read(_HEAD)
    except OSError:
        return False


@functools.cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gainsayer.reports", "page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        # What steers text (escapes, direction marks) is shown as in a terminal; markup of our own passes.
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    return environment.get_template("template.html.jinja")


def _carried(content: ReportContent, files: Table) -> dict[str, Any]:
    """The rows of large tables: text and intervals as they are shown, a number next to how it is shown."""
    tables = {f"table-{named.id}": named.table for section in content.sections for named in section.tables}
    tables |= {f"data-{figure.id}": figure.table for section in content.sections for figure in section.figures}
    large = {key: table.without_empty() for key, table in (tables | {"table-files": files}).items()}
    return {key: _rows(table) for key, table in large.items() if table.height > MOST_ROWS}


def _rows(table: Table) -> list[list[Any]]:
    return [
        [
            printable(shown) if isinstance(cell, str | list) else [_sort_value(cell), _minus(shown)]
            for cell, shown in zip(row, cells, strict=True)
        ]
        for row, cells in zip(table.cells(), table.shown(), strict=True)
    ]


def _harmless(document: Any) -> str:
    r"""JSON that may stand in a script element: no sign of it can end or open an element.

    >>> _harmless("</script>")
    '"\\u003c/script\\u003e"'
    """
    text = legible(json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _minus(shown: str) -> str:
    """A number with a real minus sign.

    >>> _minus("-0.5")
    '−0.5'
    """
    return f"{MINUS}{shown[1:]}" if shown.startswith("-") and len(shown) > 1 else shown


def _sort_value(cell: Json) -> str:
    """What a cell is sorted by: a number to nine digits, text as itself, nothing where nothing is known."""
    return "" if cell is None or cell != cell else f"{cell:.9g}" if isinstance(cell, float) else str(cell)


@functools.cache
def _part(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")


def _fingerprint(script: str) -> str:
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
