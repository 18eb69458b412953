"""From a figure's data to Vega-Lite, by way of Altair.

Fields of the drawing are the keys of the table's columns, which the figures choose; what stands in the data (names of
levels, runs, assessors) is only ever a value, so that no name can be taken for an expression or a path.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gainsayer.presentation.figures.palettes import DASHES, SHAPES, Palette, chart_settings, cycle
from gainsayer.presentation.plain import number
from gainsayer.presentation.tables import Table
from gainsayer.text import printable

if TYPE_CHECKING:
    import altair as alt

    from gainsayer.presentation.figures.figure import Drawing

_TITLE_SIGNS = 78
_LEGEND_SYMBOL = 44
# Names that every JavaScript object has a meaning for; Vega groups rows by name in plain objects and would stumble.
_TAKEN = frozenset(
    (
        *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString"),
        *("valueOf", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
    )
)
_WORD_JOINER = "\u2060"  # takes no room


def records(table: Table) -> alt.InlineData:
    """The rows as the drawing's data: NaN as null, names without signs that steer text."""
    import altair as alt

    keys = [column.key for column in table.columns]
    return alt.InlineData(values=[dict(zip(keys, map(_plain, row), strict=True)) for row in table.rows])


def names_of(names: Sequence[str]) -> list[str]:
    """The names as they stand in `records`: the domain of a scale that keeps their order."""
    return [_name(name) for name in names]


def tips(table: Table) -> list[alt.Tooltip]:
    """A tooltip with all values of a row, under the headings of the columns."""
    import altair as alt

    found = []
    for place, column in enumerate(table.columns):
        cells = [row[place] for row in table.rows if row[place] is not None]
        if cells and all(isinstance(cell, int | float) for cell in cells):
            form = ",d" if all(isinstance(cell, int) for cell in cells) else ".3f"
            found.append(alt.Tooltip(field=column.key, type="quantitative", title=column.heading, format=form))
        else:
            found.append(alt.Tooltip(field=column.key, type="nominal", title=column.heading))
    return found


def colors(field: str, names: Sequence[str], palette: Palette, *, title: str | None = None) -> alt.Color:
    """One colour per name, in the order given, with a legend above."""
    import altair as alt

    scale = alt.Scale(domain=names_of(names), range=cycle(palette.series, len(names)))
    return alt.Color(field=field, type="nominal", scale=scale, title=title)


def shapes(field: str, names: Sequence[str], *, title: str | None = None) -> alt.Shape:
    """One shape per name; together with `colors` one legend."""
    import altair as alt

    scale = alt.Scale(domain=names_of(names), range=cycle(SHAPES, len(names)))
    return alt.Shape(field=field, type="nominal", scale=scale, title=title)


def dashes(field: str, names: Sequence[str], *, title: str | None = None) -> alt.StrokeDash:
    """One dash per name; together with `colors` one legend."""
    import altair as alt

    scale = alt.Scale(domain=names_of(names), range=cycle([list(dash) for dash in DASHES], len(names)))
    return alt.StrokeDash(field=field, type="nominal", scale=scale, title=title)


def share_of_width(names: Sequence[str]) -> alt.ExprRef:
    """Room in pixels for each of the names below a drawing; longer ones are cut there, and whole in the tooltip."""
    import altair as alt

    return alt.ExprRef(f"0.94 * width / {max(len(names), 1)}")


def row_step(count: int, parts: int = 1) -> int:
    """Height in pixels of one of so many rows, with one line of text and so many parts each.

    >>> row_step(12, 2), row_step(60, 2)
    (26, 16)
    """
    return max(16, 8 * parts) if count > 24 else max(22, 13 * parts)


def legend_room(names: Sequence[str]) -> dict[str, int]:
    """How many entries a legend has, and the pixels each would like to have.

    >>> legend_room(("prm", "binary"))
    {'entries': 2, 'each': 83}
    """
    longest = max((len(printable(name)) for name in names), default=0)
    return {"entries": len(names), "each": min(_LEGEND_SYMBOL + round(6.5 * longest), 240)}


def finish(
    chart: Drawing,
    *,
    title: str,
    description: str,
    palette: Palette,
    width: int,
    titled: bool,
    height: int = 0,
    legend: Sequence[str] = (),
) -> Drawing:
    """Give a drawing its size, colours, title and description, and its legend of these names the columns that fit."""
    import altair as alt

    settings, room = chart_settings(palette), legend_room(legend)
    free = width - 50
    columns = max(min(room["entries"], free // max(room["each"], 1)), 1)
    settings["legend"] |= {"columns": columns, "labelLimit": max(free // columns - _LEGEND_SYMBOL, 60)}
    given: dict[str, Any] = {"description": description, "usermeta": {"legend": room}}
    if not isinstance(chart, alt.FacetChart):
        given |= {"width": width, "height": height, "autosize": alt.AutoSizeParams(type="fit-x", contains="padding")}
    if titled:
        given["title"] = textwrap.wrap(printable(title), _TITLE_SIGNS, break_on_hyphens=False)
    return chart.properties(**given, config=alt.Config(**settings))


def _plain(cell: Any) -> Any:
    if isinstance(cell, str) or cell is None:
        return None if cell is None else _name(cell)
    return number(cell) if isinstance(cell, float) else cell


def _name(text: str) -> str:
    return text + _WORD_JOINER if text in _TAKEN else printable(text)
