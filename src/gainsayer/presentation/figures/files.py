"""Figures as files: PNG, SVG and PDF."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from gainsayer.errors import CallError
from gainsayer.output_files import write_files
from gainsayer.presentation.figures.figure import WIDTH, Figure
from gainsayer.presentation.figures.palettes import LIGHT, Palette

FORMATS = ("png", "svg", "pdf")
_SHARPNESS = 2.0


def save_figures(
    figures: Sequence[Figure],
    folder: Path,
    *,
    formats: Sequence[str] = FORMATS,
    palette: Palette = LIGHT,
    width: int = WIDTH,
) -> tuple[Path, ...]:
    """Write each figure in each format, named by its id, and give the files.

    All of them are drawn first and written beside their places, so a fault in one figure leaves none of them behind.
    PNG has twice the pixels of the width given.

    Raises:
        CallError: a format is unknown, two figures share an id, or the folder cannot be written.

    >>> save_figures((), Path("."), formats=("gif",))
    Traceback (most recent call last):
    gainsayer.errors.CallError: Figures are written as png, svg, pdf, not 'gif'.
    """
    for form in formats:
        if form not in FORMATS:
            raise CallError(f"Figures are written as {', '.join(FORMATS)}, not {form!r}.")
    ids = [figure.id for figure in figures]
    if len(set(ids)) < len(ids):
        raise CallError(f"Two figures share the id {next(id for id in ids if ids.count(id) > 1)!r}; give each its own.")
    drawn: dict[Path, str | bytes] = {
        folder / f"{figure.id}.{form}": content
        for figure in figures
        for form, content in _draw(figure, formats, palette, width).items()
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CallError(f"Cannot write figures to {folder}: {error.strerror}. Choose another folder.") from error
    write_files(drawn)
    return tuple(drawn)


def save_figure(figure: Figure, path: Path) -> Path:
    """Write one figure, as what its ending says: .svg, .png, .pdf or .html.

    Raises:
        CallError: the ending is unknown, or the place cannot be written.
    """
    form = path.suffix.lower().removeprefix(".")
    if form not in (*FORMATS, "html"):
        raise CallError(f"Figures are written as svg, png, pdf or html: {path} ends in none of these.")
    drawn: str | bytes
    if form == "html":
        svg = draw_svg(figure, palette=LIGHT, width=WIDTH)
        drawn = f'<!doctype html><meta charset="utf-8"><title>{escape(figure.title)}</title>{svg}'
    else:
        drawn = _draw(figure, (form,), LIGHT, WIDTH)[form]
    write_files({path: drawn})
    return path


def draw_svg(figure: Figure, *, palette: Palette, width: int) -> str:
    """The figure as SVG, drawn without fetching anything."""
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(figure.chart(palette=palette, width=width).to_dict(), allowed_base_urls=[])
    return svg


def _draw(figure: Figure, formats: Sequence[str], palette: Palette, width: int) -> dict[str, bytes]:
    """One figure in each format, from one drawing."""
    import vl_convert

    if not formats:
        return {}
    svg = draw_svg(figure, palette=palette, width=width)
    ways = {
        "png": lambda: vl_convert.svg_to_png(svg, scale=_SHARPNESS),
        "svg": lambda: svg.encode("utf-8"),
        "pdf": lambda: vl_convert.svg_to_pdf(svg),
    }
    return {form: ways[form]() for form in formats}
