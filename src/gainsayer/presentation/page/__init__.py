"""The page: a report as one HTML file that needs no network.

Scripts, style and data are inside. A content security policy names the scripts by their hashes and forbids every
request, so that nothing in the data can become a script or call out.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gainsayer.presentation.content import ReportContent
from gainsayer.presentation.figures.palettes import DARK, LIGHT, PAGE
from gainsayer.presentation.tables import Cell, Table, render_csv, render_latex, render_markdown
from gainsayer.text import legible, printable

if TYPE_CHECKING:
    import jinja2

# A table with fewer rows is read faster than searched.
FEWEST_ROWS_TO_FILTER = 6
_HEAD = 10_000


def render_report_html(content: ReportContent) -> str:
    """The report as one HTML page: light and dark, on a phone, in print, by keyboard and by screen reader."""
    from markupsafe import Markup

    scripts = [*([_charting()] if content.figures else []), _part("page.js")]
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"script-src {' '.join(_fingerprint(script) for script in scripts)}"
    )
    return _template().render(
        content=content,
        policy=policy,
        style=Markup(_part("style.css")),
        light=LIGHT.named(),
        dark=DARK.named(),
        data=Markup(_harmless(_carried(content))),
        scripts=[Markup(script) for script in scripts],
        sort_value=_sort_value,
        fewest=FEWEST_ROWS_TO_FILTER,
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
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gainsayer.presentation", "page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        # What steers text (escapes, direction marks) is shown as in a terminal; markup of our own passes.
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    return environment.get_template("template.html.jinja")


def _carried(content: ReportContent) -> dict[str, Any]:
    """What the scripts need: the drawings, and each table in the forms that can be copied."""
    tables = {f"table-{named.id}": named.table for section in content.sections for named in section.tables}
    tables |= {f"data-{figure.id}": figure.table() for figure in content.figures}
    return {
        "copies": {key: _copies(table) for key, table in tables.items()},
        "figures": {figure.id: figure.chart(palette=PAGE, titled=False).to_dict() for figure in content.figures},
    }


def _copies(table: Table) -> dict[str, str]:
    return {"csv": render_csv(table), "markdown": render_markdown([table]), "latex": render_latex([table])}


def _harmless(document: Any) -> str:
    r"""JSON that may stand in a script element: no sign of it can end or open an element.

    >>> _harmless("</script>")
    '"\\u003c/script\\u003e"'
    """
    text = legible(json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _sort_value(cell: Cell) -> str:
    """What a cell is sorted by: a number to nine digits, text as itself, nothing where nothing is known."""
    return "" if cell is None or cell != cell else f"{cell:.9g}" if isinstance(cell, float) else str(cell)


@functools.cache
def _charting() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script, of the version that Altair writes for."""
    import altair as alt
    import vl_convert

    wanted = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    version = wanted if wanted in vl_convert.get_vegalite_versions() else None
    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", version)
    return script.replace("</script", r"<\/script").replace("<!--", r"<\!--")


@functools.cache
def _part(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")


def _fingerprint(script: str) -> str:
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
