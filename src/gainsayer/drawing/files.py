"""Figures as files: SVG, PNG and PDF, all from one drawing."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gainsayer.drawing.figure import WIDTH, Figure
from gainsayer.drawing.palettes import FONT, LIGHT, Palette, drawing_style
from gainsayer.drawing.svg import Drawing, clean
from gainsayer.errors import CallError
from gainsayer.output_files import write_files

FORMATS = ("svg", "png", "pdf")
_SHARPNESS = 2.0
_EDGE, _LINE, _NOTE_LINE = 16, 21, 17
_SHEET = 900.0  # pixels that a drawing may be high on paper; a higher one is made smaller there
_FIT = "fit"  # the variable of the style sheet that says by how much


def render_svg(figure: Figure, *, palette: Palette = LIGHT, width: int = WIDTH) -> str:
    """The figure as a picture that needs nothing around it: heading, caption and drawing on a ground of its own."""
    drawing = figure.draw()
    inside = width - 2 * _EDGE
    parts, y = [], float(_EDGE)
    for words, size, style, step in (
        (figure.heading, 8.6, f"font:700 15.5px {FONT};fill:{palette.ink}", _LINE),
        (figure.caption, 6.6, f"font:13px {FONT};fill:{palette.faint}", _NOTE_LINE),
    ):
        for part in textwrap.wrap(words, int(inside / size), break_on_hyphens=False):
            parts.append(f'<text x="{_EDGE}" y="{y + 14:g}" style="{style}">{clean(part)}</text>')
            y += step
    y += 8
    height = y + drawing.height + _EDGE
    # A viewBox of its own for the drawing, so that its per cents are of the width inside the edges.
    body = (
        f'<svg x="{_EDGE}" y="{y:g}" width="{inside}" height="{drawing.height:g}" overflow="visible" '
        f'viewBox="0 0 {inside} {drawing.height:g}">{"".join(drawing.marks)}</svg>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" aria-label="{clean(figure.title)}" '
        f'width="{width}" height="{height:g}" viewBox="0 0 {width} {height:g}">'
        f"<style>{drawing_style(palette)}</style>"
        f'<rect width="{width}" height="{height:g}" fill="{palette.ground}"/>{"".join(parts)}{body}</svg>'
    )


def render_inline(figure: Figure) -> str:
    """The drawing for a page: as wide as there is room, with the page's colours; a second one for narrow screens."""
    drawing = figure.draw()
    if drawing.narrow is None:
        return _inline(figure, drawing, "")
    return _inline(figure, drawing, " wide") + _inline(figure, drawing.narrow, " narrow")


# Which of two drawings is shown: paper takes the wide one, and makes it smaller where it would not fit on a sheet.
SWITCH = (
    ".narrow{display:none}@media screen and (max-width:899px){.drawing.wide{display:none}.narrow{display:block}}"
    f"@media print{{.drawing{{zoom:var(--{_FIT},1)}}}}"
)
_WAYS: dict[str, Callable[[Figure], str | bytes]] = {
    "svg": render_svg,
    "png": lambda figure: _convert().svg_to_png(render_svg(figure), scale=_SHARPNESS),
    "pdf": lambda figure: _convert().svg_to_pdf(render_svg(figure)),
}


def format_of(path: Path) -> str:
    """What the ending of a file asks for."""
    return path.suffix.lower().removeprefix(".")


def need_converter(*formats: str) -> None:
    """Say what to install where PNG or PDF is asked for and vl-convert is missing (CallError)."""
    if not {"png", "pdf"}.isdisjoint(formats) and find_spec("vl_convert") is None:
        raise CallError(
            "Figures as png or pdf need vl-convert: pip install 'gainsayer[figures]'. As svg they need nothing more."
        )


def save_figure(figure: Figure, path: Path) -> Path:
    """Write one figure, as what its ending says.

    Raises:
        CallError: the ending is unknown, vl-convert is missing, or the place cannot be written.
    """
    form = format_of(path)
    if form not in _WAYS:
        raise CallError(f"Figures are written as {', '.join(FORMATS)}: {path} ends in none of these.")
    need_converter(form)
    write_files({path: _WAYS[form](figure)})
    return path


def save_figures(figures: Sequence[Figure], folder: Path, *, formats: Sequence[str] = FORMATS) -> tuple[Path, ...]:
    """Write each figure in each format, named by its id, and give the files.

    All of them are drawn first and written beside their places, so a fault in one figure leaves none of them behind.

    Raises:
        CallError: a format is unknown, vl-convert is missing, two figures share an id, or the folder cannot be written.

    >>> save_figures((), Path("."), formats=("gif",))
    Traceback (most recent call last):
    gainsayer.errors.CallError: Figures are written as svg, png, pdf, not 'gif'.
    """
    for form in formats:
        if form not in FORMATS:
            raise CallError(f"Figures are written as {', '.join(FORMATS)}, not {form!r}.")
    need_converter(*formats)
    ids = [figure.id for figure in figures]
    if len(set(ids)) < len(ids):
        raise CallError(f"Two figures share the id {next(id for id in ids if ids.count(id) > 1)!r}; give each its own.")
    drawn: dict[Path, str | bytes] = {
        folder / f"{figure.id}.{form}": _WAYS[form](figure) for figure in figures for form in formats
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CallError(f"Cannot write figures to {folder}: {error.strerror}. Choose another folder.") from error
    write_files(drawn)
    return tuple(drawn)


def _inline(figure: Figure, drawing: Drawing, kind: str) -> str:
    fit = f' style="--{_FIT}:{_SHEET / drawing.height:.3f}"' if drawing.height > _SHEET else ""
    return (
        f'<svg class="drawing{kind}" role="img" aria-label="{clean(figure.title)}" width="100%" '
        f'height="{drawing.height:g}"{fit}>{"".join(drawing.marks)}</svg>'
    )


def _convert() -> Any:
    import vl_convert

    return vl_convert
