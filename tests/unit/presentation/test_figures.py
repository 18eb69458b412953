"""Figures: titles that say the finding, colours that all can tell apart, files that are whole."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from gainsayer.errors import CallError
from gainsayer.presentation.figures import (
    DARK,
    LIGHT,
    AmountCurve,
    AssessorReliability,
    ConfusionMatrix,
    Figure,
    Palette,
    ParameterChart,
    QualityCurve,
    RankSlope,
    RunForest,
    TauHeatmap,
    TopicBoxplot,
    VarianceShares,
    save_figures,
)
from gainsayer.presentation.figures.palettes import RAMP_SWITCH

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
    RunForest("forest", "P@5", ("r1",), ("prm",), ((None,),), ((None,),), ((None,),)),
    RunForest("forest-none", "P@5", (), ("prm",), ((),), ((),), ((),)),
    RankSlope("slope", "P@5", ("r1",), ("prm",), ((1,),)),
    TauHeatmap("tau", "P@5", ("prm", "binary"), ((1.0, None), (None, 1.0)), 0),
    VarianceShares("variance", "P@5", ("r1",), ("topics",), ((None,),), (None,)),
)


@pytest.mark.parametrize("figure", BARE, ids=lambda figure: figure.id)
def test_nothing_known_is_said_and_drawn(figure: Figure) -> None:
    """A figure without numbers says so in its title, describes itself, and gives a valid drawing."""
    assert "nan" not in f"{figure.title} {figure.description}".lower().split()
    assert figure.title
    assert not figure.title.endswith(".")
    assert figure.description.endswith(".")
    assert figure.chart().to_dict()


def test_titles_say_the_finding() -> None:
    """Titles follow the numbers, and say when intervals overlap."""
    assert ConfusionMatrix("c", ("N", "Key"), ((9, 1), (6, 4))).title == (
        "The two sides give the same level in 65% of 20 pairs; 'Key' is confirmed least often (40%)"
    )
    near = RunForest(
        "f", "nDCG@10", ("a", "b", "c"), ("prm",), ((0.5, 0.6, 0.1),), ((0.4, 0.5, 0.0),), ((0.6, 0.7, 0.2),)
    )
    assert near.title == (
        "'b' scores highest (nDCG@10 0.60 with prm gains), but the interval of 1 other run reaches its own"
    )
    close = AssessorReliability("r", ("a", "b"), "agreement", (0.6, 0.5), (0.4, 0.3), (0.8, 0.7), (9, 9))
    assert close.title.endswith("the least (0.50), but their intervals overlap")
    assert RankSlope("s", "P@5", ("a", "b"), ("prm", "binary"), ((1, 2), (1, 2))).title == (
        "No run changes rank between prm and binary gains"
    )
    assert TauHeatmap("t", "P@5", ("a", "b"), ((1.0, 1.0), (1.0, 1.0)), 3).title == (
        "All kinds of gains order the 3 runs alike"
    )
    assert AmountCurve("a", ("x", "y"), (10, 20), ((0.5, 0.5),) * 2, ((0.2, 0.1), (0.3, 0.04)), 5).title == (
        "Even after 20 double judgments, 'x' is only known to ± 0.10"
    )


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
    """Series have a contrast of 3 to 1 with the ground, texts of 4.5 to 1 (WCAG 2.1)."""
    assert all(_contrast(color, palette.ground) >= 3 for color in (*palette.series, palette.quiet))
    assert _contrast(palette.ink, palette.ground) >= 7
    assert _contrast(palette.muted, palette.ground) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_in_cells_are_readable_at_every_share(palette: Palette) -> None:
    """The text in a heat-map cell has a contrast of 4.5 to 1 or more with the mixed colour behind it."""
    ramp, ground = _channels(palette.ramp), _channels(palette.ground)
    for share in np.linspace(0, 1, 101):
        behind = ramp * share + ground * (1 - share)
        text = palette.on_high if share > RAMP_SWITCH else palette.on_low
        assert _ratio(_luminance(_linear(behind)), _luminance(_linear(_channels(text)))) >= 4.5, share


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("sight", ["full", "protanopia", "deuteranopia", "tritanopia"])
def test_colours_are_told_apart_with_any_sight(palette: Palette, sight: str) -> None:
    """Each two series differ by 10 or more in CIELAB, also as seen with a colour-vision deficiency."""
    seen = [_lab(SIGHTS[sight] @ _linear(_channels(color))) for color in palette.series]
    assert min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(seen, 2)) >= 10


def test_files_are_named_by_ids_and_whole(tmp_path: Path) -> None:
    """PNG, SVG and PDF are written under the ids, whatever the names in them."""
    figure = ConfusionMatrix("confusion", ("../../x", "<b>&"), ((1, 2), (3, 4)), "a/b", "c")
    written = save_figures((figure,), tmp_path / "new" / "folder")
    assert [path.name for path in written] == ["confusion.png", "confusion.svg", "confusion.pdf"]
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(
        path.name for path in written
    )
    png, svg, pdf = (path.read_bytes() for path in written)
    assert png.startswith(b"\x89PNG")
    assert pdf.startswith(b"%PDF")
    texts = [part.text for part in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert "<b>&" in texts
    assert "../../x" in texts
    assert LIGHT.ground.encode() in svg.partition(b"<g")[0]  # half-transparent colours lose their hue without a ground


def test_of_many_runs_only_the_great_moves_are_coloured() -> None:
    """Ten of sixty runs or a few more stand out; of a dozen, each that moves."""
    rng = np.random.default_rng(2)
    for runs, most in ((60, 14), (12, 12)):
        ranks = (tuple(range(1, runs + 1)), tuple((np.argsort(np.arange(runs) + rng.normal(0, 3, runs)) + 1).tolist()))
        figure = RankSlope("s", "P@5", tuple(f"r{place}" for place in range(runs)), ("prm", "binary"), ranks)
        (rows,) = figure.chart().to_dict()["datasets"].values()
        coloured = {row["run"] for row in rows if row["move"] in ("moves up", "moves down")}
        moved = {row["run"] for row in rows if row["move"] != "stays"}
        assert 0 < len(coloured) <= most
        assert len(moved) == 60 or coloured == moved


@dataclass(frozen=True)
class _Broken(ConfusionMatrix):
    """A figure that cannot be drawn."""

    def chart(self, **_: object) -> None:  # type: ignore[override]
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


def test_fields_of_a_drawing_are_never_names_from_the_data() -> None:
    """Encodings name only the keys of the figure's own table, whatever the levels are called."""
    figure = ConfusionMatrix("c", ("a:b[0]", "x.y"), ((1, 2), (3, 4)))
    fields = set(_fields(figure.chart().to_dict()))
    assert fields <= {column.key for column in figure.table().columns}


def _fields(spec: object) -> list[str]:
    if isinstance(spec, dict):
        own = [spec["field"]] if isinstance(spec.get("field"), str) else []
        return own + [name for key, part in spec.items() if key != "datasets" for name in _fields(part)]
    return [name for part in spec for name in _fields(part)] if isinstance(spec, list) else []


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
