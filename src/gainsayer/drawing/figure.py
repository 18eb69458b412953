"""A figure as a value: its words, its data and its drawing; and the files it is written to."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from gainsayer.drawing.svg import FONT, LIGHT, Drawing, Palette, clean, drawing_style, text
from gainsayer.errors import CallError
from gainsayer.output_files import keep_foreign, write_files
from gainsayer.table import Column, Table, stack
from gainsayer.text import printable
from gainsayer.words import shortened

WIDTH_MM: Final = 190.5  # of a file: 720 pixels
TEXT_PT: Final = 9.375  # the size of labels there, in points: 12.5 pixels
FORMATS: Final = ("svg", "png", "pdf")
_LISTED: Final = "figures.txt"  # which files of a folder are ours
_MARK: Final = "Figures that gainsayer wrote, and replaces when it writes them again:"
_ID: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LEAST_WIDE: Final = 480  # pixels; a file with less room takes the drawing for narrow screens
_SHARPNESS: Final = 2.0
_EDGE, _LINE, _NOTE_LINE = 16, 21, 17
_ABOVE, _BELOW = 26.0, 18.0  # pixels above and below each panel
_SHEET: Final = 900.0  # pixels that a drawing may be high on paper; a higher one is made smaller there
_FIT: Final = "fit"  # the variable of the style sheet that says by how much

# Which of two drawings is shown: paper takes the wide one, and makes it smaller where it would not fit on a sheet.
SWITCH: Final = (
    ".narrow{display:none}@media screen and (max-width:899px){.drawing.wide{display:none}.narrow{display:block}}"
    f"@media print{{.drawing{{zoom:var(--{_FIT},1)}}}}"
)


@dataclass(frozen=True, eq=False, repr=False)
class Figure:
    """What a notebook, the page and a file show of a figure.

    Args:
        id: names it in anchors and files: small letters, digits and hyphens, never text from the data.
        kind: what kind of figure it is; JSON names it.
        heading: what it shows, in a few words; stands above the drawing.
        caption: how to read it.
        title: the finding in one sentence; the alternative text of the drawing.
        table: the data, flat: what the page lists next to the drawing, and what JSON holds.
        drawing: without heading and caption.
    """

    id: str
    kind: str
    heading: str
    caption: str
    title: str
    table: Table
    drawing: Drawing

    def __post_init__(self) -> None:
        check_id(self.id)

    def svg(
        self,
        *,
        palette: Palette = LIGHT,
        width_mm: float = WIDTH_MM,
        text_pt: float = TEXT_PT,
        heading: bool = True,
    ) -> str:
        """The figure as an SVG file of its own, with the colours inside.

        Args:
            palette: its colours.
            width_mm: how wide it is on paper.
            text_pt: how large its labels are there, in points.
            heading: whether heading and caption stand above the drawing; a paper has its own caption.

        Raises:
            CallError: a size is not above zero.
        """
        return _render_svg(self, palette, width_mm, text_pt, heading=heading)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        width_mm: float = WIDTH_MM,
        text_pt: float = TEXT_PT,
        heading: bool = True,
    ) -> Path:
        """Write the figure; .svg, .png or .pdf says as what. PNG and PDF need the extra `figures`.

        Args:
            path: the file.
            width_mm: how wide it is on paper.
            text_pt: how large its labels are there, in points.
            heading: whether heading and caption stand above the drawing; a paper has its own caption.

        Raises:
            CallError: another ending, the extra is not installed, a size is not above zero, or the place cannot be
                written.
        """
        file = Path(path)
        check_form(file)
        write_files({file: self.content(format_of(file), width_mm=width_mm, text_pt=text_pt, heading=heading)})
        return file

    def content(
        self, form: str, *, width_mm: float = WIDTH_MM, text_pt: float = TEXT_PT, heading: bool = True
    ) -> str | bytes:
        """What a file of this form holds: svg, png or pdf; sizes as `save` has them."""
        per_inch = 72 if form == "pdf" else 96  # the converter takes a unit for a point of a PDF
        svg = _render_svg(self, LIGHT, width_mm, text_pt, heading=heading, per_inch=per_inch)
        if form == "svg":
            return svg
        import vl_convert

        if form == "png":
            return vl_convert.svg_to_png(svg, scale=_SHARPNESS)
        return vl_convert.svg_to_pdf(svg)

    def __repr__(self) -> str:
        return f"{self.kind}({printable(self.title)})"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return self.svg()


def check_id(id: str) -> None:
    """Refuse an id that could do harm in a file name or an anchor.

    >>> check_id("run-forest-2")
    >>> check_id("../x")
    Traceback (most recent call last):
    gainsayer.errors.CallError: '../x' is not an id: use small letters, digits and hyphens, as in 'run-forest'.
    """
    if not _ID.fullmatch(id):
        raise CallError(f"{id!r} is not an id: use small letters, digits and hyphens, as in 'run-forest'.")


def panels(id: str, parts: Mapping[str, Figure]) -> Figure:
    """Figures of one kind as one, each under its name, an empty name standing for all topics; a single one as it is."""
    first, *others = parts.values()
    if not others:
        return first
    named = [(name or "all topics", figure) for name, figure in parts.items()]
    marks: list[str] = []
    top = 0.0
    for name, figure in named:
        drawing = figure.drawing
        place = f'y="{top + _ABOVE:g}" width="100%" height="{drawing.height:g}" overflow="visible"'
        marks += [text(0, top + 13, shortened(name), "strong"), f"<svg {place}>{''.join(drawing.marks)}</svg>"]
        top += _ABOVE + drawing.height + _BELOW
    return Figure(
        id,
        "Panels",
        first.heading,
        first.caption,
        "; ".join(f"{name}: {figure.title}" for name, figure in named),
        stack([one.table.keep((Column("panel", name, "Panel"), *one.table.columns)) for name, one in named]),
        Drawing(top - _BELOW, tuple(marks)),
    )


def render_inline(figure: Figure) -> str:
    """The drawing for a page: as wide as there is room, with the page's colours; a second one for narrow screens."""
    drawing = figure.drawing
    if drawing.narrow is None:
        return _inline(figure, drawing, "")
    return _inline(figure, drawing, " wide") + _inline(figure, drawing.narrow, " narrow")


def _inline(figure: Figure, drawing: Drawing, kind: str) -> str:
    fit = f' style="--{_FIT}:{_SHEET / drawing.height:.3f}"' if drawing.height > _SHEET else ""
    return (
        f'<svg class="drawing{kind}" role="img" aria-label="{clean(figure.title)}" width="100%" '
        f'height="{drawing.height:g}"{fit}>{"".join(drawing.marks)}</svg>'
    )


def _render_svg(
    figure: Figure, palette: Palette, width_mm: float, text_pt: float, *, heading: bool, per_inch: int = 96
) -> str:
    """A picture that needs nothing around it: heading, caption and drawing on a ground of its own.

    It is drawn with labels of 12.5 units, and enlarged until they are as large as asked.
    """
    if min(width_mm, text_pt) <= 0:
        raise CallError(f"A figure needs sizes above zero, not {width_mm:g} mm with text of {text_pt:g} pt.")
    width = width_mm * 96 / 25.4 / (text_pt / TEXT_PT)
    zoom = text_pt / TEXT_PT * (per_inch / 96)
    drawing = figure.drawing
    if drawing.narrow is not None and width < _LEAST_WIDE:
        drawing = drawing.narrow
    inside = width - 2 * _EDGE
    parts, y = [], float(_EDGE)
    for words, size, style, step in (
        (figure.heading, 8.6, f"font:700 15.5px {FONT};fill:{palette.ink}", _LINE),
        (figure.caption, 6.6, f"font:13px {FONT};fill:{palette.faint}", _NOTE_LINE),
    ):
        for part in textwrap.wrap(words, max(int(inside / size), 1), break_on_hyphens=False) if heading else ():
            parts.append(f'<text x="{_EDGE}" y="{y + 14:g}" style="{style}">{clean(part)}</text>')
            y += step
    y += 8 if heading else 0
    height = y + drawing.height + _EDGE
    # A viewBox of its own for the drawing, so that its per cents are of the width inside the edges.
    body = (
        f'<svg x="{_EDGE}" y="{y:g}" width="{inside:g}" height="{drawing.height:g}" overflow="visible" '
        f'viewBox="0 0 {inside:g} {drawing.height:g}">{"".join(drawing.marks)}</svg>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" aria-label="{clean(figure.title)}" '
        f'width="{width * zoom:g}" height="{height * zoom:g}" viewBox="0 0 {width:g} {height:g}">'
        f"<style>{drawing_style(palette)}</style>"
        f'<rect width="{width:g}" height="{height:g}" fill="{palette.ground}"/>{"".join(parts)}{body}</svg>'
    )


def format_of(path: Path) -> str:
    """What the ending of a file asks for."""
    return path.suffix.lower().removeprefix(".")


def check_form(file: Path) -> None:
    """Refuse an ending that is none of a figure's, and one whose converter is missing (CallError).

    >>> check_form(Path("x.gif"))
    Traceback (most recent call last):
    gainsayer.errors.CallError: Figures are written as svg, png, pdf: x.gif ends in none of these.
    """
    if format_of(file) not in FORMATS:
        raise CallError(f"Figures are written as {', '.join(FORMATS)}: {file} ends in none of these.")
    need_converter(format_of(file))


def need_converter(*formats: str) -> None:
    """Say what to install where PNG or PDF is asked for and vl-convert is missing (CallError)."""
    if not {"png", "pdf"}.isdisjoint(formats) and find_spec("vl_convert") is None:
        raise CallError(
            "Figures as png or pdf need vl-convert: pip install 'gainsayer[figures]'. As svg they need nothing more."
        )


def save_figures(figures: Sequence[Figure], folder: Path, *, formats: Sequence[str] = FORMATS) -> tuple[Path, ...]:
    """Write each figure in each format, named by its id, and give the files; see `figure_files`.

    All of them are made first and written next to their places, so a fault in one figure leaves none of them behind.

    >>> save_figures((), Path("."), formats=("gif",))
    Traceback (most recent call last):
    gainsayer.errors.CallError: Figures are written as svg, png, pdf, not 'gif'.
    """
    files = figure_files(figures, folder, formats=formats)
    write_files(files)
    return tuple(files)


def figure_files(
    figures: Sequence[Figure], folder: Path, *, formats: Sequence[str] = FORMATS
) -> dict[Path, str | bytes]:
    """The files of figures in a folder, which is made, as they are to be written; `figures.txt` lists them.

    Only files that an earlier `figures.txt` lists are replaced.

    Raises:
        CallError: a format is unknown, vl-convert is missing, two figures share an id, the folder cannot be written, or
            holds a file of such a name that is no figure of ours.
    """
    for form in formats:
        if form not in FORMATS:
            raise CallError(f"Figures are written as {', '.join(FORMATS)}, not {form!r}.")
    need_converter(*formats)
    ids = [figure.id for figure in figures]
    if len(set(ids)) < len(ids):
        raise CallError(f"Two figures share the id {next(id for id in ids if ids.count(id) > 1)!r}; give each its own.")
    listed = folder / _LISTED
    ours = _files_of_ours(listed)
    keep_foreign(listed, lambda _: ours is not None)
    for figure in figures:
        for form in formats:
            keep_foreign(folder / f"{figure.id}.{form}", lambda place: place.name in (ours or ()))
    made = {folder / f"{figure.id}.{form}": figure.content(form) for figure in figures for form in formats}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CallError(f"Cannot write figures to {folder}: {error.strerror}. Choose another folder.") from error
    names = sorted({*(ours or ()), *(file.name for file in made)})
    return {**made, listed: "\n".join((_MARK, *names, ""))} if made else {}


def _files_of_ours(listed: Path) -> set[str] | None:
    """The files that a list of figures names; None where there is no such list."""
    try:
        first, *names = listed.read_text(encoding="utf-8").splitlines() or [""]
    except (OSError, ValueError):
        return None
    return set(names) if first == _MARK else None
