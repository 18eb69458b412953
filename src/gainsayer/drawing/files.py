"""Writing figures, by the names under which `cli` imports it."""

from __future__ import annotations

from pathlib import Path

from gainsayer.drawing.figure import Figure, format_of, need_converter, save_figures

__all__ = ["format_of", "need_converter", "save_figure", "save_figures"]


def save_figure(figure: Figure, path: Path) -> Path:
    """Write one figure, as what its ending says."""
    return figure.save(path)
