"""A figure is a value: files that are whole, sizes for paper, colours that all can tell apart, names that stay text."""

from __future__ import annotations

import itertools
import pickle
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from gainsayer.drawing.figure import Figure, panels, render_inline, save_figures
from gainsayer.drawing.interval_lines import Line, interval_lines
from gainsayer.drawing.svg import DARK, LIGHT, Drawing, Palette
from gainsayer.errors import CallError
from gainsayer.table import Column, Table


def make_figure(id: str = "lines", names: tuple[str, ...] = ("a", "b"), title: str = "a is higher") -> Figure:
    """A figure of two lines."""
    table = Table("Two lines", (Column("name", names, "Name"), Column("value", np.array([0.5, 0.2]), "Value")))
    lines = [
        Line(name, value, value - 0.1, value + 0.1, "ink", name) for name, value in zip(names, (0.5, 0.2), strict=True)
    ]
    return Figure(id, "Lines", "Two lines", "Dot: the value.", title, table, interval_lines(lines))


def test_files_are_named_by_ids_and_whole(tmp_path: Path) -> None:
    """PNG, SVG and PDF are written under the ids, whatever the names in them, and a list of them."""
    figure = make_figure("lines", ("../../x", "<b>&"))
    written = save_figures((figure,), tmp_path / "new" / "folder")
    assert [path.name for path in written] == ["lines.svg", "lines.png", "lines.pdf", "figures.txt"]
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(
        path.name for path in written
    )
    svg, png, pdf, _ = (path.read_bytes() for path in written)
    assert png.startswith(b"\x89PNG")
    assert pdf.startswith(b"%PDF")
    texts = ["".join(part.itertext()) for part in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert {"<b>&<b>&", "../../x../../x"} <= set(texts)  # each with its title
    root = ElementTree.fromstring(svg)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"


def test_only_our_own_figures_are_replaced(tmp_path: Path) -> None:
    """A file of somebody else's in the folder stays, and nothing is written; our own are replaced."""
    stranger = tmp_path / "lines.pdf"
    stranger.write_text("mine")
    with pytest.raises(CallError, match=r"lines\.pdf would be replaced"):
        save_figures((make_figure(),), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["lines.pdf"]
    stranger.unlink()
    save_figures((make_figure(),), tmp_path)
    save_figures((make_figure("other"),), tmp_path)
    stranger.write_text("ours before")
    save_figures((make_figure(),), tmp_path)
    assert stranger.read_bytes().startswith(b"%PDF")
    (tmp_path / "figures.txt").write_text("mine")
    with pytest.raises(CallError, match=r"figures\.txt would be replaced"):
        save_figures((make_figure(),), tmp_path)


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_figure_saves_itself_by_the_ending(tmp_path: Path, ending: str) -> None:
    """`save` writes what the ending says; another ending is refused with those there are."""
    figure = make_figure(names=("a", "</style><b>"))
    path = figure.save(tmp_path / f"x.{ending}")
    begins = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert path.read_bytes().startswith(begins[ending])
    assert b"<b>" not in path.read_bytes()
    with pytest.raises(CallError, match="svg, png, pdf: "):
        figure.save(tmp_path / "x.gif")


def test_on_paper_a_figure_is_as_wide_and_its_text_as_large_as_asked(tmp_path: Path) -> None:
    """85 mm with labels of 8 points: the root is so wide, and 12.5 units of its own are 8 points."""
    figure = make_figure()
    root = ElementTree.fromstring(figure.save(tmp_path / "x.svg", width_mm=85, text_pt=8).read_text("utf-8"))
    width, units = float(str(root.get("width"))), float(str(root.get("viewBox")).split()[2])
    assert width / 96 * 25.4 == pytest.approx(85, rel=1e-4)
    assert 12.5 * width / units * 0.75 == pytest.approx(8, rel=1e-4)
    assert figure.drawing.narrow is not None
    assert figure.drawing.narrow.marks[0] in figure.svg(width_mm=85, text_pt=8)  # there is little room
    assert figure.drawing.marks[0] in figure.svg(width_mm=180, text_pt=8)
    with pytest.raises(CallError, match="sizes above zero, not 0 mm"):
        figure.svg(width_mm=0)


def test_a_pdf_is_as_wide_as_asked(tmp_path: Path) -> None:
    """A point of a PDF is a 72nd of an inch: 85 mm are 240.9 of them."""
    written = make_figure().save(tmp_path / "x.pdf", width_mm=85).read_bytes()
    box = re.search(rb"/MediaBox\s*\[([^\]]*)\]", written)
    assert box is not None
    assert float(box[1].split()[2]) == pytest.approx(85 / 25.4 * 72, abs=0.5)


def test_heading_and_caption_can_be_left_off() -> None:
    """A paper has a caption of its own; the finding stays as the alternative text."""
    figure = make_figure()
    bare = figure.svg(heading=False)
    assert "Two lines" in figure.svg()
    assert "Two lines" not in bare
    assert "Dot: the value." not in bare
    assert 'aria-label="a is higher"' in bare
    assert all(mark in bare for mark in figure.drawing.marks)


def test_a_figure_can_be_pickled() -> None:
    """What comes back draws and lists the same."""
    figure = make_figure()
    again = pickle.loads(pickle.dumps(figure))
    assert again.svg() == figure.svg()
    assert again.table.cells() == figure.table.cells()


@pytest.mark.parametrize("id", ["", "A", "a b", "a/b", "..", "a.b", "-a", "ä", "a--b", "a\n"])
def test_ids_are_plain(id: str) -> None:
    """Nothing that could be a path, an entity or a second word is taken as an id."""
    with pytest.raises(CallError, match="is not an id"):
        make_figure(id)


def test_a_fault_leaves_no_file(tmp_path: Path) -> None:
    """When one figure fails, none is written."""
    broken = replace(make_figure("bad"), drawing=Drawing(9, (None,)))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        save_figures((make_figure("good"), broken), tmp_path / "folder")
    assert not (tmp_path / "folder").exists()


def test_bad_calls_are_refused(tmp_path: Path) -> None:
    """Unknown formats, ids that stand twice and folders that are files are faults of the call."""
    figure = make_figure("c")
    with pytest.raises(CallError, match="not 'gif'"):
        save_figures((figure,), tmp_path, formats=("gif",))
    with pytest.raises(CallError, match="Two figures share the id 'c'"):
        save_figures((figure, figure), tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(CallError, match="Cannot write figures"):
        save_figures((figure,), tmp_path / "file", formats=("svg",))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    "name", ["</title><script>x</script>", "a & b", "\u202eab", '"onload="x', "x\uffff", "\ufffey"]
)
def test_names_stay_text(name: str) -> None:
    """Whatever a line is called, the drawing has no element or attribute of its making."""
    shapes = [
        [(element.tag, sorted(element.attrib)) for element in ElementTree.fromstring(f"<div>{drawn}</div>").iter()]
        for drawn in (render_inline(make_figure(names=(one, "b"), title=one)) for one in (name, "a"))
    ]
    assert shapes[0] == shapes[1]
    assert "\u202e" not in render_inline(make_figure(names=(name, "b"), title=name))


def test_panels_hold_every_figure_under_its_name() -> None:
    """Several figures become one drawing with the marks, rows and findings of each; a single one stays as it is."""
    one, two = make_figure(title="one"), make_figure(names=("c", "d"), title="two")
    assert panels("runs", {"": one}) is one
    both = panels("runs", {"": one, "<nav> topics": two})
    assert both.drawing.height > one.drawing.height + two.drawing.height
    marks = "".join(both.drawing.marks)
    assert all(mark in marks for part in (one, two) for mark in part.drawing.marks)
    assert "all topics" in marks
    assert "&lt;nav&gt; topics" in marks
    ElementTree.fromstring(both.svg())
    assert [row[0] for row in both.table.cells()] == ["all topics"] * 2 + ["<nav> topics"] * 2
    assert both.title == "all topics: one; <nav> topics: two"


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_stand_out_from_the_ground(palette: Palette) -> None:
    """Texts have a contrast of 4.5 to 1 with the ground and the panel, marks that matter of 3 to 1 (WCAG 2.1)."""
    for ground in (palette.ground, palette.panel):
        for text in (palette.ink, palette.soft, palette.faint, palette.blue, palette.orange):
            assert _contrast(text, ground) >= 4.5, text
    assert _contrast(palette.ink, palette.blue_tint) >= 4.5
    assert _contrast(palette.ink, palette.mark_tint) >= 4.5
    assert all(_contrast(color, palette.ground) >= 3 for color in (palette.blue, palette.orange, palette.mark))


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("sight", ["full", "protanopia", "deuteranopia", "tritanopia"])
def test_colours_are_told_apart_with_any_sight(palette: Palette, sight: str) -> None:
    """Blue, orange and the grey of other marks differ by 10 or more in CIELAB, with any colour-vision deficiency."""
    hues = (palette.blue, palette.orange, palette.mark)
    seen = [_lab(SIGHTS[sight] @ _linear(_channels(color))) for color in hues]
    assert min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(seen, 2)) >= 10


# Matrices of Machado, Oliveira and Fernandes (2009) for full deficiency, on linear RGB.
SIGHTS = {
    "full": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
Channels = npt.NDArray[np.float64]


def _channels(color: str) -> Channels:
    return np.array([int(color[place : place + 2], 16) for place in (1, 3, 5)]) / 255


def _linear(channels: Channels) -> Channels:
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def _luminance(linear: Channels) -> float:
    return float(linear @ [0.2126, 0.7152, 0.0722])


def _ratio(a: float, b: float) -> float:
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def _contrast(a: str, b: str) -> float:
    return _ratio(_luminance(_linear(_channels(a))), _luminance(_linear(_channels(b))))


def _lab(linear: Channels) -> Channels:
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = to_xyz @ np.clip(linear, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    root = [np.cbrt(part) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)]
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])
