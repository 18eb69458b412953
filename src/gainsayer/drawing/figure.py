"""What every figure has: an id, a finding, words, its data, and its drawing."""

from __future__ import annotations

import math
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gainsayer.drawing.palettes import LIGHT, Palette
from gainsayer.drawing.svg import Drawing
from gainsayer.errors import CallError
from gainsayer.table import Table
from gainsayer.text import printable

Row = tuple[float | None, ...]
Grid = tuple[Row, ...]

WIDTH = 720
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class Figure(ABC):
    """Plain data that can be told, listed and drawn; a notebook, the page and a file show the same drawing.

    `id` names it in anchors and files: small letters, digits and hyphens, never text from the data.
    """

    id: str

    @property
    @abstractmethod
    def title(self) -> str:
        """The finding in one sentence, computed from the data; the alternative text of the drawing."""

    @property
    @abstractmethod
    def heading(self) -> str:
        """What it shows, in a few words: stands above the drawing."""

    @property
    def caption(self) -> str:
        """How to read it."""
        return ""

    @abstractmethod
    def table(self) -> Table:
        """The data, flat: what the page lists beside the drawing, and what CSV and JSON hold."""

    @abstractmethod
    def draw(self) -> Drawing:
        """The drawing, without heading and caption."""

    def svg(self, *, palette: Palette = LIGHT, width: int = WIDTH) -> str:
        """The figure as an SVG file of its own, with its heading and the colours inside."""
        from gainsayer.drawing.files import render_svg

        return render_svg(self, palette=palette, width=width)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the figure; .svg, .png or .pdf says as what. PNG and PDF need the extra `figures`.

        Raises:
            CallError: another ending, the extra is not installed, or the place cannot be written.
        """
        from gainsayer.drawing.files import save_figure

        return save_figure(self, Path(path))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({printable(self.title)})"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return self.svg()


def check_id(text: str) -> None:
    """Refuse an id that could do harm in a file name or an anchor.

    >>> check_id("run-forest-2")
    >>> check_id("../x")
    Traceback (most recent call last):
    gainsayer.errors.CallError: '../x' is no id: expected are small letters, digits and hyphens, as in 'run-forest'.
    """
    if not _ID.fullmatch(text):
        raise CallError(f"{text!r} is no id: expected are small letters, digits and hyphens, as in 'run-forest'.")


def check_shape(what: str, values: Sequence[Sequence[object]], rows: int, columns: int) -> None:
    """Refuse a grid that does not have one number per row and column.

    >>> check_shape("counts", ((1, 2), (3,)), 2, 2)
    Traceback (most recent call last):
    gainsayer.errors.CallError: counts: expected 2 x 2 values, found rows of 2, 1.
    """
    if len(values) != rows or any(len(row) != columns for row in values):
        found = ", ".join(str(len(row)) for row in values) or "none"
        raise CallError(f"{what}: expected {rows} x {columns} values, found rows of {found}.")


def as_row(values: npt.ArrayLike) -> Row:
    """An array of numbers as a figure holds it: NaN becomes None.

    >>> as_row([0.5, float("nan")])
    (0.5, None)
    """
    return tuple(
        value if math.isfinite(value) else None for value in np.asarray(values, dtype=np.float64).ravel().tolist()
    )


def as_grid(values: npt.ArrayLike) -> Grid:
    """A two-dimensional array as a figure holds it.

    >>> as_grid([[1, 2], [3, 4]])
    ((1.0, 2.0), (3.0, 4.0))
    """
    return tuple(as_row(row) for row in np.asarray(values, dtype=np.float64))


def whole(value: float | None) -> float | int | None:
    """A count as a table shows it: whole numbers without a point, weighted ones as they are.

    >>> whole(12.0), whole(1.5), whole(None)
    (12, 1.5, None)
    """
    return int(value) if value is not None and float(value).is_integer() else value


def known(values: Sequence[float | None]) -> list[tuple[int, float]]:
    """The places and values that are known: neither None nor NaN.

    >>> known((0.5, None, 0.7))
    [(0, 0.5), (2, 0.7)]
    """
    return [(place, value) for place, value in enumerate(values) if value is not None and value == value]
