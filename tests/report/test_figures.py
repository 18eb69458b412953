"""Figures: titles that say the finding, colours that all can tell apart, files that are whole."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from gainsayer.commands.figures.amount_curve import AmountCurve
from gainsayer.commands.figures.assessor_reliability import AssessorReliability
from gainsayer.commands.figures.confusion_matrix import ConfusionMatrix
from gainsayer.commands.figures.difference_line import DifferenceLine
from gainsayer.commands.figures.machine_grades import MachineGrades
from gainsayer.commands.figures.parameter_chart import ParameterChart
from gainsayer.commands.figures.plan_curve import PlanCurve
from gainsayer.commands.figures.quality_curve import QualityCurve
from gainsayer.commands.figures.rank_slope import RankSlope
from gainsayer.commands.figures.run_arrows import RunArrows
from gainsayer.commands.figures.run_differences import RunDifferences
from gainsayer.commands.figures.run_forest import BELOW, FIRST, RunForest
from gainsayer.commands.figures.topic_boxplot import TopicBoxplot
from gainsayer.commands.figures.topic_dots import TopicDifferences, TopicSpread
from gainsayer.drawing.figure import Figure
from gainsayer.drawing.files import render_inline, save_figures
from gainsayer.drawing.palettes import DARK, LIGHT, Palette
from gainsayer.drawing.panels import show_panels
from gainsayer.drawing.svg import Drawing, Scale, ticks
from gainsayer.errors import CallError

NONE = (None, None)
# Nothing known, or nothing there at all.
BARE: tuple[Figure, ...] = (
    ConfusionMatrix("confusion", ("a", "b"), ((0, 0), (0, 0))),
    ConfusionMatrix("confusion-none", (), ()),
    ParameterChart("parameters", ("a", "b"), ("b",), (NONE,), (NONE,), (NONE,), ((0, 0),), ((0, 0),)),
    AssessorReliability("reliability", ("a", "b"), "trust", NONE, NONE, NONE, (0, 0)),
    AssessorReliability("reliability-none", (), "trust", (), (), (), ()),
    TopicBoxplot.from_draws("topics", ("a", "b"), np.full((3, 2), np.nan), (np.nan, 0.5), (np.nan, 0.0)),
    AmountCurve("amount", ("a",), (10,), ((None,),), ((None,),), 0),
    AmountCurve("amount-none", (), (), (), (), 0),
    QualityCurve("quality", ("a",), ("one",), (1,), (((None,),),)),
    RunForest("forest", "P@5", ("r1",), (None,), (None,), (None,)),
    RunForest("forest-short", "P@5", ("r1",), (None,), (None,), (None,), short=True),
    RunForest("forest-none", "P@5", (), (), (), ()),
    RunDifferences("differences", "P@5", "r1", ("r2",), (None,), (None,), (None,), (False,), (None,), 1),
    DifferenceLine("difference", "P@5", "r1", "r2", 0.0, None, None, None, "undecided", 1),
    TopicDifferences("dots", "P@5", "r1", "r2", (), (), ()),
    TopicSpread("spread", "b", (), (), (), 8),
    MachineGrades("machine", "m", ("a", "b"), *((NONE,) * 11), ("", "")),
    RunArrows("arrows", "P@5", ("r1", "r2"), NONE, NONE, NONE, NONE, 0),
    RunArrows("arrows-none", "P@5", (), (), (), (), (), 0),
    RankSlope("slope", "P@5", ("r1",), ("prm",), ((1,),)),
    PlanCurve("plan", (), (), (), 0, 0.1, 0.1, 2),
)


@pytest.mark.parametrize("figure", BARE, ids=lambda figure: figure.id)
def test_nothing_known_is_said_and_drawn(figure: Figure) -> None:
    """A figure without numbers says so in its title and gives a drawing that is XML."""
    assert "nan" not in figure.title.lower().split()
    assert figure.title
    assert figure.heading
    assert not figure.title.endswith(".")
    drawn = render_inline(figure)
    assert "nan" not in drawn
    ElementTree.fromstring(f"<div>{drawn}</div>")


def test_titles_say_the_finding() -> None:
    """Titles follow the numbers, and the groups of the test, not the overlap of lines."""
    assert ConfusionMatrix("c", ("N", "Key"), ((9, 1), (6, 4))).title == (
        "The second grade is the first one for 65 of 100 pairs of judgments; Key is repeated least often, by 40 of 100"
    )
    value, lower, upper = (0.5, 0.6, 0.1), (0.4, 0.5, 0.0), (0.6, 0.7, 0.2)
    near = RunForest("f", "nDCG@10", ("a", "b", "c"), value, lower, upper, (FIRST, FIRST, BELOW))
    assert near.title == "b scores highest, but 1 of 2 others cannot be told apart from it"
    apart = RunForest("f", "nDCG@10", ("a", "b", "c"), value, lower, upper, (BELOW, FIRST, BELOW))
    assert apart.title == "b is the best of 3 runs"
    assert RankSlope("s", "P@5", ("a", "b"), ("prm", "binary"), ((1, 2), (1, 2))).title == (
        "No run changes its place between prm and binary"
    )
    assert AmountCurve("a", ("x", "y"), (10, 20), ((0.5, 0.5),) * 2, ((0.2, 0.1), (0.3, 0.04)), 5).title == (
        "Even after 20 second judgments, x still moves by 10 users of 100"
    )


def test_text_keeps_its_size_at_every_width() -> None:
    """On a page a drawing has no viewBox at its root: across it counts in per cent, down it in pixels."""
    chart = ParameterChart("p", ("a", "b"), ("b",), ((0.1, 0.6),), ((0.0, 0.5),), ((0.2, 0.7),), ((1, 6),), ((9, 9),))
    (wide, narrow) = ElementTree.fromstring(f"<div>{render_inline(chart)}</div>")
    for drawing in (wide, narrow):
        assert drawing.get("width") == "100%"
        assert "viewBox" not in drawing.attrib
        assert all(str(dot.get("cx")).endswith("%") for dot in drawing.iter("circle"))
        assert len(list(drawing.iter("circle"))) == 200
        assert drawing.get("aria-label", "").startswith("Of 100 users, 60 find a document relevant")
    filled = [group for group in wide.iter("g") if "blue" in str(group.get("class"))]
    assert [len(list(group)) for group in filled] == [60, 10]


def test_marks_stand_where_the_numbers_are() -> None:
    """In a forest every dot and line lies at its share of the scale, which the labelled ticks give."""
    runs = tuple(f"run{place}" for place in range(30))
    value = tuple(0.9 - 0.02 * place for place in range(30))
    figure = RunForest(
        "f",
        "P@5",
        runs,
        value,
        tuple(v - 0.05 for v in value),
        tuple(v + 0.03 for v in value),
        (FIRST,) * 30,
        short=True,
    )
    drawing = figure.draw()
    for part in (drawing, drawing.narrow):
        assert isinstance(part, Drawing)
        root = ElementTree.fromstring(f"<svg>{''.join(part.marks)}</svg>")
        texts = {str(text.text): _per_cent(text, "x") for text in root.iter("text") if _is_number(text.text)}
        (low, at_low), *_, (high, at_high) = sorted((float(words), x) for words, x in texts.items())
        scale = Scale(low, high, at_low, at_high)
        dots = [_per_cent(dot, "cx") for dot in root.iter("circle")]
        assert dots == pytest.approx([scale(one) for one in value], abs=0.02)
        lines = [line for line in root.iter("line") if "hair" not in str(line.get("class"))]
        assert [_per_cent(line, "x1") for line in lines] == pytest.approx([scale(v - 0.05) for v in value], abs=0.02)
        assert [_per_cent(line, "x2") for line in lines] == pytest.approx([scale(v + 0.03) for v in value], abs=0.02)
        assert max(dots) <= 100


def test_a_run_far_off_is_named_at_the_edge() -> None:
    """One run of thirty that scores next to nothing does not squeeze the others: it stands at the edge."""
    value = (*(0.9 - 0.01 * place for place in range(29)), 0.05)
    runs = tuple(f"run{place}" for place in range(30))
    figure = RunForest("f", "P@5", runs, value, value, value, (FIRST,) * 29 + (BELOW,), short=True)
    drawn = "".join(figure.draw().marks)
    assert "run29 0.05, off the scale" in drawn
    assert drawn.count("<circle") == 29


def test_colour_and_side_never_mix() -> None:
    """Of topics by difference, blue dots lie right of the middle, orange ones left, ties on it."""
    differences = (0.004, -0.004, 0.006, -0.006, 0.3, -0.2, 0.02)
    zeros = (0.5,) * len(differences)
    topics = tuple(f"t{place}" for place in range(len(differences)))
    ahead = tuple(0.5 + one for one in differences)
    figure = TopicDifferences("dots", "P@5", "a", "b", topics, ahead, zeros)
    assert figure.counts == (3, 2, 2)
    for part in (figure.draw(), figure.draw().narrow):
        assert part is not None
        found: dict[str, list[float]] = {}
        for dot in ElementTree.fromstring(f"<svg>{''.join(part.marks)}</svg>").iter("circle"):
            found.setdefault(str(dot.get("class")), []).append(_per_cent(dot, "cx"))
        assert {color: len(places) for color, places in found.items()} == {"blue": 3, "orange": 2, "mark": 2}
        assert min(found["blue"]) > 50
        assert max(found["orange"]) < 50
        assert found["mark"] == [50, 50]


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


def _is_number(words: str | None) -> bool:
    return words is not None and words.replace(".", "", 1).isdigit()


def test_boxplot_is_that_of_numpy_and_tukey() -> None:
    """Quartiles are NumPy's, whiskers the furthest draws within 1.5 box lengths, the error their deviation."""
    draws = np.array([[0.0], [0.4], [0.5], [0.6], [0.7], [5.0]])
    figure = TopicBoxplot.from_draws("topics", ("a",), draws, [0.5], [0.1])
    assert [figure.quartile_1, figure.median, figure.quartile_3] == [
        pytest.approx((value,)) for value in (0.425, 0.55, 0.675)
    ]
    assert (figure.whisker_low, figure.whisker_high) == ((0.4,), (0.7,))
    assert figure.topic_error == (float(np.std(draws, ddof=1)),)
    assert figure.draws == 6


def test_sizes_must_fit() -> None:
    """A series of another length is refused, with the sizes found."""
    with pytest.raises(CallError, match="counts: expected 2 x 2 values, found rows of 2"):
        ConfusionMatrix("c", ("a", "b"), ((1, 2),))
    with pytest.raises(CallError, match="median: expected 1 x 2 values, found rows of 1"):
        TopicBoxplot("t", ("a", "b"), *((1, 2),) * 2, (1,), *((1, 2),) * 5, 3)


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


def test_files_are_named_by_ids_and_whole(tmp_path: Path) -> None:
    """PNG, SVG and PDF are written under the ids, whatever the names in them."""
    figure = ConfusionMatrix("confusion", ("../../x", "<b>&"), ((1, 2), (3, 4)), "a/b", "c")
    written = save_figures((figure,), tmp_path / "new" / "folder")
    assert [path.name for path in written] == ["confusion.svg", "confusion.png", "confusion.pdf"]
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(
        path.name for path in written
    )
    svg, png, pdf = (path.read_bytes() for path in written)
    assert png.startswith(b"\x89PNG")
    assert pdf.startswith(b"%PDF")
    texts = ["".join(part.itertext()) for part in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert {"<b>&<b>&", "../../x../../x"} <= set(texts)  # each with its title
    root = ElementTree.fromstring(svg)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_figure_saves_itself_by_the_ending(tmp_path: Path, ending: str) -> None:
    """`save` writes what the ending says; another ending is refused with those there are."""
    figure = ConfusionMatrix("confusion", ("a", "</style><b>"), ((1, 2), (3, 4)))
    path = figure.save(tmp_path / f"x.{ending}")
    begins = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert path.read_bytes().startswith(begins[ending])
    assert b"<b>" not in path.read_bytes()
    with pytest.raises(CallError, match="svg, png, pdf: "):
        figure.save(tmp_path / "x.gif")


def test_of_many_runs_only_the_great_moves_are_coloured() -> None:
    """Ten of sixty runs or a few more stand out; of a dozen, each that moves."""
    rng = np.random.default_rng(2)
    for runs, most in ((60, 14), (12, 12)):
        ranks = (tuple(range(1, runs + 1)), tuple((np.argsort(np.arange(runs) + rng.normal(0, 3, runs)) + 1).tolist()))
        figure = RankSlope("s", "P@5", tuple(f"r{place}" for place in range(runs)), ("prm", "binary"), ranks)
        root = ElementTree.fromstring(f"<svg>{''.join(figure.draw().marks)}</svg>")
        styles = [str(line.get("class")) for line in root.iter("line")]
        coloured = [style for style in styles if "blue" in style or "orange" in style]
        assert len(styles) == runs
        assert 0 < len(coloured) <= most
        if runs == 12:
            assert len(coloured) == sum(first != second for first, second in zip(*ranks, strict=True))


@dataclass(frozen=True)
class _Broken(ConfusionMatrix):
    """A figure that cannot be drawn."""

    def draw(self) -> Drawing:
        raise RuntimeError("no drawing")


def test_a_fault_leaves_no_file(tmp_path: Path) -> None:
    """When one figure fails, none is written."""
    good = ConfusionMatrix("good", ("a",), ((1,),))
    with pytest.raises(RuntimeError, match="no drawing"):
        save_figures((good, _Broken("bad", ("a",), ((1,),))), tmp_path / "folder")
    assert not (tmp_path / "folder").exists()


def test_bad_calls_are_refused(tmp_path: Path) -> None:
    """Unknown formats, ids that stand twice and folders that are files are faults of the call."""
    figure = ConfusionMatrix("c", ("a",), ((1,),))
    with pytest.raises(CallError, match="not 'gif'"):
        save_figures((figure,), tmp_path, formats=("gif",))
    with pytest.raises(CallError, match="Two figures share the id 'c'"):
        save_figures((figure, figure), tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(CallError, match="Cannot write figures"):
        save_figures((figure,), tmp_path / "file", formats=("svg",))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", ["</title><script>x</script>", "a & b", "\u202eab", '"onload="x'])
def test_names_stay_text(name: str) -> None:
    """Whatever a level is called, the drawing has no element or attribute of its making."""
    figure = ConfusionMatrix("c", (name, "b"), ((1, 2), (3, 4)), name, name)
    plain = ConfusionMatrix("c", ("a", "b"), ((1, 2), (3, 4)), "a", "a")
    shapes = [
        [(element.tag, sorted(element.attrib)) for element in ElementTree.fromstring(f"<div>{drawn}</div>").iter()]
        for drawn in (render_inline(figure), render_inline(plain))
    ]
    assert shapes[0] == shapes[1]
    assert "\u202e" not in render_inline(figure)


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


def test_panels_hold_every_figure_under_its_name() -> None:
    """Several figures become one drawing with the marks, rows and findings of each; a single one stays as it is."""
    one = RunForest("forest", "P@5", ("r1", "r2"), (0.5, 0.4), (0.4, 0.3), (0.6, 0.5))
    two = RunForest("forest", "P@5", ("r1", "r2"), (0.2, 0.4), (0.1, 0.3), (0.3, 0.5))
    assert show_panels("runs", {"": one}) is one
    both = show_panels("runs", {"": one, "<nav> topics": two})
    drawn = both.draw()
    assert drawn.height > one.draw().height + two.draw().height
    marks = "".join(drawn.marks)
    assert all(mark in marks for part in (one, two) for mark in part.draw().marks)
    assert "all topics" in marks
    assert "&lt;nav&gt; topics" in marks
    ElementTree.fromstring(both.svg())
    assert [row[0] for row in both.table().cells()] == ["all topics"] * 2 + ["<nav> topics"] * 2
    assert one.title in both.title
    assert two.title in both.title


def test_arrows_say_how_far_the_machine_is_off() -> None:
    """The title has the mean and the largest change; at most sixteen runs are drawn, all of them listed."""
    runs = tuple(f"run{place}" for place in range(40))
    people = tuple(1.0 + 0.01 * place for place in range(40))
    machine = tuple(value + 0.2 + (0.3 if place == 7 else 0.0) for place, value in enumerate(people))
    figure = RunArrows("arrows", "DCG@10", runs, machine, people, people, people, 300)
    assert figure.title == "The machine alone scores runs 0.21 too high on average, run7 by 0.50"
    assert figure.table().height == 40
    assert "".join(figure.draw().marks).count("<circle") == 16
    assert (
        "run7: 1.57 by the machine alone, 1.07 for people"
        in RunArrows("arrows", "DCG@10", runs[:10], machine[:10], people[:10], people[:10], people[:10], 300).svg()
    )
