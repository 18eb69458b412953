"""Drawers: marks stand where the numbers are, colour and side never mix, text keeps its size."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from tests.figures import NAN

from gainsayer.drawing.charts import UserRow, curves, dots_by_side, dots_of_users, falling_curves, slope, users_of_100
from gainsayer.drawing.interval_lines import (
    Arrow,
    BoxRow,
    Label,
    Line,
    Mark,
    PairRow,
    arrows,
    box_rows,
    dense_lines,
    difference_line,
    interval_lines,
    paired_lines,
)
from gainsayer.drawing.svg import Drawing, Scale, ticks

LINES = [Line(f"run{at}", 0.9 - 0.02 * at, 0.85 - 0.02 * at, 0.93 - 0.02 * at, "blue", f"{at}") for at in range(30)]


@pytest.mark.parametrize("draw", [dense_lines, interval_lines])
def test_marks_stand_where_the_numbers_are(draw: object) -> None:
    """Every dot and line lies at its share of the scale, which the labelled ticks give."""
    assert callable(draw)
    drawing = draw(LINES)
    for part in (drawing, drawing.narrow):
        assert isinstance(part, Drawing)
        root = _parse(part)
        texts = {str(text.text): _per_cent(text, "x") for text in root.iter("text") if _is_number(text.text)}
        (low, at_low), *_, (high, at_high) = sorted((float(words), x) for words, x in texts.items())
        scale = Scale(low, high, at_low, at_high)
        dots = [_per_cent(dot, "cx") for dot in root.iter("circle")]
        assert dots == pytest.approx([scale(line.value) for line in LINES], abs=0.02)
        lines = [line for line in root.iter("line") if "hair" not in str(line.get("class"))]
        assert [_per_cent(line, "x1") for line in lines] == pytest.approx([scale(one.lower) for one in LINES], abs=0.02)
        assert [_per_cent(line, "x2") for line in lines] == pytest.approx([scale(one.upper) for one in LINES], abs=0.02)
        assert max(dots) <= 100


def test_a_line_far_off_is_named_at_the_edge() -> None:
    """One of thirty that is next to nothing does not squeeze the others: it stands at the edge."""
    drawn = "".join(dense_lines([*LINES[:29], Line("last", 0.05, NAN, NAN, "mark", "last")]).marks)
    assert "last 0.05, off the scale" in drawn
    assert drawn.count("<circle") == 29


def test_words_stand_next_to_four_unnamed_lines_or_more() -> None:
    """A label of a group is written where it has room and enough lines; a strong line below the named ones is named."""
    many, few = (Label(range(start, 30), "soft", ("so many",), ("so",)) for start in (10, 27))
    lines = [*LINES[:25], Line("baseline", 0.4, 0.35, 0.43, "ink", "it", strong=True), *LINES[26:]]
    drawn = "".join(dense_lines(lines, [many]).marks)
    assert "so many" in drawn
    assert ">baseline<" in drawn
    assert "so many" not in "".join(dense_lines(lines, [few]).marks)


def test_colour_and_side_never_mix() -> None:
    """Of values of any sign, blue dots lie right of the middle, orange ones left, ties on it."""
    values = [0.004, -0.004, 0.006, -0.006, 0.3, -0.2, 0.02]
    names = [f"t{at}" for at in range(len(values))]
    drawing = dots_by_side(names, values, same=0.005, words=("lost", "same", "won"))
    for part in (drawing, drawing.narrow):
        assert part is not None
        found: dict[str, list[float]] = {}
        for dot in _parse(part).iter("circle"):
            found.setdefault(str(dot.get("class")), []).append(_per_cent(dot, "cx"))
        assert {color: len(places) for color, places in found.items()} == {"blue": 3, "orange": 2, "mark": 2}
        assert min(found["blue"]) > 50
        assert max(found["orange"]) < 50
        assert found["mark"] == [50, 50]


def test_users_are_dots_and_text_keeps_its_size_at_every_width() -> None:
    """A hundred dots a row, as many filled as users; across the drawing counts in per cent."""
    drawing = users_of_100([("", [UserRow("b", 0.6, 0.5, 0.7), UserRow("a", 0.1, 0.0, 0.2)])])
    for part in (drawing, drawing.narrow):
        assert part is not None
        root = _parse(part)
        assert len(list(root.iter("circle"))) == 200
        assert all(str(dot.get("cx")).endswith("%") for dot in root.iter("circle"))
        assert all("viewBox" not in element.attrib for element in root.iter())
        filled = [group for group in root.iter("g") if "blue" in str(group.get("class"))]
        assert [len(list(group)) for group in filled] == [60, 10]


def test_of_many_lines_only_the_great_moves_are_coloured() -> None:
    """A move below the least one is grey; ties are marked and stand below each other."""
    ranks = np.array([[1.0, 2, 3, 4], [1, 4, 2.5, 2.5]])
    root = _parse(slope("abcd", ("x", "y"), ranks, titles="abcd", least=1.0, step=20.0))
    assert [str(line.get("class")) for line in root.iter("line")] == [
        *("thick mark", "thick orange dashed", "thick mark", "thick blue")
    ]
    ends = [text for text in root.iter("text") if "2.5=" in "".join(text.itertext())]
    assert [float(str(text.get("y"))) for text in ends] == [30 + 20 + 4, 30 + 40 + 4]


NOTHING = Mark(NAN, NAN, NAN, "")
UNKNOWN = {
    "lines": interval_lines([Line("a", NAN, NAN, NAN, "ink", "")], zero=True),
    "no lines": interval_lines([]),
    "arrows": arrows([Arrow("a", NAN, NAN, NAN, NAN, "")]),
    "pairs": paired_lines([PairRow("a", NOTHING, NOTHING, "", "", "ink")]),
    "boxes": box_rows([BoxRow("a", "a", (NAN,) * 5, "", NAN, NAN, "")]),
    "difference": difference_line(("a", "b"), 0.0, None, inner=None, margin=None, title=""),
    "curves": curves([], x="x"),
    "falling": falling_curves([], {}, floor=0.1, floor_name="floor", here=(0, 0.1), unit="x"),
    "sides": dots_by_side([], [], same=0.005, words=("", "", "")),
    "dots": dots_of_users([], []),
    "users": users_of_100([("", [UserRow("a", NAN, NAN, NAN)])]),
}


@pytest.mark.parametrize("kind", UNKNOWN)
def test_what_is_unknown_is_not_drawn(kind: str) -> None:
    """Without numbers there is a drawing that is XML, without a dot or line for what nobody knows."""
    drawing = UNKNOWN[kind]
    for part in (drawing, drawing.narrow or drawing):
        root = _parse(part)
        assert "nan" not in "".join(part.marks)
        blue = [dot for dot in root.iter("circle") if "blue" in str(dot.get("class"))]
        assert blue == []
    assert drawing.height > 0


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.137, 0.141), (-3, 1e6), (0.4, 0.93)])
def test_ticks_are_round_and_few(low: float, high: float) -> None:
    """At most six, evenly apart, inside the ends, with at most two digits that are not zero in their distance."""
    found = ticks(low, high)
    assert 2 <= len(found) <= 6
    assert low <= found[0] <= found[-1] <= high
    steps = np.diff(found)
    assert np.allclose(steps, steps[0])
    assert f"{steps[0]:e}".split("e")[0].rstrip("0").rstrip(".") in {"1", "2", "2.5", "5"}


def _per_cent(element: ElementTree.Element, key: str) -> float:
    return float(str(element.get(key)).rstrip("%"))


def _parse(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(f"<svg>{''.join(drawing.marks)}</svg>")


def _is_number(words: str | None) -> bool:
    return words is not None and words.replace(".", "", 1).isdigit()
