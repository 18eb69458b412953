"""The figure of the page on machines: `python docs/machine_figure.py` draws docs/images/machine-dl21.svg.

The numbers are means over samples of TREC DL 2021 (60 draws of documents by the chances of `machine sample`, 200 of
whole topics, 60 for their best guess; seeds from 0), made by the functions of tests/slow/statistics/machine_samples.py
and of tests/slow/oracles/test_machine_dl21.py, which compares them with figures that other code measured.
"""

from __future__ import annotations

from pathlib import Path

from gainsayer.drawing.figure import Figure
from gainsayer.drawing.svg import Drawing, Scale, axis, diamond, dot, line, text
from gainsayer.table import Column, Table

PICTURE = Path(__file__).parent / "images" / "machine-dl21.svg"
# How it was measured, labels of people, error of a difference, tau with the true order, who says so.
ROWS = (
    ("the machine alone", 0, 0.201, 0.926, "machine"),
    ("people alone, 5 whole topics", 1020, 0.483, 0.685, "people"),
    ("rectified, 5 whole topics", 1020, 0.386, 0.741, "both"),
    ("people alone, documents drawn", 1083, 0.225, 0.841, "people"),
    ("rectified, documents drawn", 1083, 0.179, 0.871, "both"),
    ("best guess, documents drawn", 1083, 0.095, 0.931, "both"),
    ("people alone, 24 whole topics", 4900, 0.170, 0.886, "people"),
    ("rectified, 24 whole topics", 4900, 0.131, 0.913, "both"),
    ("best guess, 24 whole topics", 4900, 0.096, 0.938, "both"),
)
_STYLES = {"people": "mark", "both": "blue", "machine": "orange"}


def make_figure() -> Figure:
    """Error of a difference between two runs, by how it was measured."""
    heading = "How far is the difference of two runs off?"
    columns = (
        Column("name", [row[0] for row in ROWS], "How it was measured"),
        Column("labels", [row[1] for row in ROWS], "Labels of people"),
        Column("error", [row[2] for row in ROWS], "Error of a difference", 2),
        Column("tau", [row[3] for row in ROWS], "Tau", 2),
    )
    return Figure(
        "machine-dl21",
        "WhatItBuys",
        heading,
        "Root mean square error of DCG@10 over all pairs of 63 runs. At the right: tau with people's order.",
        "A thousand labels on drawn documents, with a machine, are worth five thousand on whole topics",
        Table(heading, columns),
        draw(),
    )


def draw() -> Drawing:
    """A row per way: a line from zero, its end marked by who says so."""
    scale = Scale(0, 0.5, left=42, right=90)
    bottom = 26.0 * len(ROWS)
    marks = axis(scale, (0, 0.1, 0.2, 0.3, 0.4, 0.5), 0, bottom)
    for at, (name, labels, error, tau, who) in enumerate(ROWS):
        y = 13 + 26.0 * at
        style = _STYLES[who]
        counted = f"{labels:,} labels" if labels else "no labels"
        marks.append(text(0, y + 4, name, "strong" if who == "both" else "soft", after=(counted, "faint")))
        marks.append(line(scale(0), y, scale(error), y, f"thick {style}"))
        marks.append((diamond if who == "machine" else dot)(scale(error), y, 5, style))
        marks.append(text(scale(error), y + 4, f"{error:.2f}", "strong", dx=9))
        marks.append(text(100, y + 4, f"{tau:.2f}", "end soft"))
    return Drawing(bottom + 20, tuple(marks))


if __name__ == "__main__":
    PICTURE.write_text(make_figure().svg(), encoding="utf-8")
