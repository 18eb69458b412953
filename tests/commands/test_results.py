"""Results show themselves: HTML for notebooks, the command line's own tables as text, and its numbers as Arrow."""

from __future__ import annotations

import copy
import csv
import io
import json
import pickle
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from click.testing import Result
from tests.figures import make_every_kind

import gainsayer as gs
from gainsayer import agree, compare, fit, score
from gainsayer.commands import study as studies
from gainsayer.commands.compare_figures import run_forest
from gainsayer.commands.measures import MeasureList
from gainsayer.datasets import LatentModel, RunDesign, write_collection
from gainsayer.drawing.figure import Figure
from gainsayer.errors import CallError
from gainsayer.ranking import pool_documents
from gainsayer.result import Result as Shown
from gainsayer.table import MOST_ROWS, Column, choose, render_text
from gainsayer.terminal import width_of
from gainsayer.text import on_command_line, printable

Command = Callable[..., Result]
NASTY = "<script>alert(1)</script>"
NASTY_RUN = "<b>&amp;"
LEVELS = f"Non,{NASTY},Key"
FEW = ("--resamples", "100", "--permutations", "200")
TAGS = {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "code"}

# The command that shows the same result; `compare` and `score` with more than one kind of gains.
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "amount study": ("study", "amount", "--threshold", "Key"),
    "quality study": ("study", "quality", "--threshold", "Key", "--by", "depth"),
    "robustness study": ("study", "robustness", "--threshold", "Key"),
    "gain study": ("study", "gains", "--threshold", "Key"),
    "agree": ("agree",),
    "fit": ("fit", "--threshold", "Key"),
    "score": ("score", "--threshold", "Key", "-m", "nDCG@10", "-m", "P@5", "--gains", "prm,binary"),
    "compare": ("compare", "--threshold", "Key", "-m", "nDCG@10", *FEW),
    "study": ("study", "topics", "--threshold", "Key"),
}
MACHINE = ("machine sample", "machine check", "machine score", "machine gains")
OTHERS = ("collection", "measures", "plan", *MACHINE)
WITH_RUNS = ("quality study", "robustness study", "gain study", "score", "compare")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty topics, twelve judged twice, four runs, one of them with markup for a name."""
    place = tmp_path_factory.mktemp("display") / "collection"
    collection = gs.datasets.simulate_collection(
        LatentModel(shares=(0.5, 0.3, 0.2), leniency=0.0),
        topics=20,
        documents=60,
        runs=RunDesign(qualities={"best": 0.95, "good": 0.8, "fair": 0.5, "poor": 0.1}),
        seed=4,
    )
    write_collection(collection, place)
    fair = next(path for path in (place / "runs").iterdir() if path.name.startswith("fair"))
    fair.write_text(fair.read_text().replace(" fair\n", f" {NASTY_RUN}\n"))
    return place


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, Any]:
    """Every kind of result, made of the same files as the commands read."""
    levels = gs.Levels(tuple(LEVELS.split(",")))
    judgments = gs.read_judgments(folder / "first.qrels", folder / "second.qrels", levels=levels)
    told: dict[str, Any] = {"people": judgments.rows(judgments.assessor == 1), "threshold": "Key"}
    machine = judgments.rows(judgments.assessor == 0)
    table: dict[str, Any] = {"threshold": "Key", "gains": ["prm", "binary"]}
    simulated = gs.datasets.simulate_collection(
        LatentModel(shares=(0.5, 0.3, 0.2)), levels=levels.names, topics=3, seed=1
    )
    return {
        "agree": agree(judgments),
        "fit": fit(judgments, threshold="Key"),
        "score": score(judgments, folder / "runs", ["nDCG@10", "P@5"], **table),
        "compare": compare(judgments, folder / "runs", "nDCG@10", **table, resamples=100, permutations=200),
        "study": studies.topics(judgments, threshold="Key"),
        "machine sample": gs.machine.sample(machine, folder / "runs", measures="DCG@10", labels=50),
        "machine check": gs.machine.check(machine, folder / "runs", **told),
        "machine score": gs.machine.score(machine, folder / "runs", measures=["DCG@10", "AP"], **told),
        "machine gains": gs.machine.gains(machine, **told),
        "plan": gs.plan(judgments, threshold="Key", budget=150),
        "collection": simulated,
        "measures": MeasureList(),
        "amount study": studies.amount(judgments, threshold="Key"),
        "quality study": studies.quality(judgments, folder / "runs", by="depth", threshold="Key"),
        "robustness study": studies.robustness(judgments, folder / "runs", threshold="Key"),
        "gain study": studies.gains(judgments, folder / "runs", threshold="Key"),
    }


def call(run: Command, folder: Path, kind: str, form: str) -> str:
    """What the command prints."""
    words = list(COMMANDS[kind])
    name = words[:2] if words[0] == "study" else words[:1]
    files: list[str | Path] = [folder / "first.qrels", folder / "second.qrels"]
    if words[0] not in ("agree", "fit"):
        files = ["--judgments", *files]
    if kind in WITH_RUNS:
        files += ["--runs", folder / "runs"]
    done = run(*name, *files, "--levels", LEVELS, *words[len(name) :], "--format", form, "--quiet")
    assert done.exit_code == 0, done.output
    return done.stdout


class Reader(HTMLParser):
    """Checks that every element is closed in order and known, and keeps the text of cells and headings."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.cells: list[str] = []
        self.said: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Only plain elements, with nothing that runs or fetches."""
        assert tag in TAGS
        assert {name for name, _ in attrs} <= {"class", "style", "scope"}
        assert not any("url(" in (value or "") for _, value in attrs)
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")
        if tag in ("li", "strong"):
            self.said.append("")

    def handle_endtag(self, tag: str) -> None:
        """It closes what was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text, as a reader sees it."""
        if self.open[-1] in ("td", "th"):
            self.cells[-1] += data
        elif {"li", "strong"} & set(self.open):
            self.said[-1] += data

    def handle_comment(self, data: str) -> None:
        """There are none."""
        raise AssertionError(data)


def test_every_kind_of_result_is_here(results: dict[str, Any]) -> None:
    """The tests below see each type that derives from Result."""
    names = {kind.__name__ for kind in Shown.__subclasses__() if kind.__module__.startswith("gainsayer.")}
    assert {type(result).__name__ for result in results.values()} == names


@pytest.mark.parametrize("kind", [*COMMANDS, *OTHERS])
def test_html_is_well_formed_and_names_stay_text(results: dict[str, Any], kind: str) -> None:
    """Elements close in order, none but plain ones occur, markup in names is shown as it is written, findings below."""
    result = results[kind]
    html = result._repr_html_()
    assert "<script" not in html
    read = Reader(html)
    held = " ".join([*read.cells, *read.said])
    names = {**dict.fromkeys(WITH_RUNS, NASTY_RUN), "robustness study": "prm", "gain study": "prm"}
    names |= {
        "measures": "NumRel[@k]",
        **dict.fromkeys(MACHINE, "document"),
        "machine check": NASTY_RUN,
        "machine score": NASTY_RUN,
    }
    assert names.get(kind, NASTY) in held or kind == "quality study"
    for finding in getattr(result, "findings", ()):
        assert f"{finding.code} {finding.message}" in read.said


@pytest.mark.parametrize("kind", COMMANDS)
def test_html_shows_the_cells_of_the_command_line(results: dict[str, Any], kind: str) -> None:
    """Headings and cells are those of the tables that the commands print, in their order."""
    expected = []
    for table in choose(results[kind].tables()):
        expected += [column.heading for column in table.columns]
        expected += [cell for row in table.shown() for cell in row]
    assert Reader(results[kind]._repr_html_()).cells == expected


@pytest.mark.parametrize("form", ["markdown", "latex", "csv"])
@pytest.mark.parametrize("kind", COMMANDS)
def test_text_is_what_the_command_prints(
    results: dict[str, Any], folder: Path, run: Command, kind: str, form: str
) -> None:
    """CSV, Markdown and LaTeX equal the command's."""
    own = {"markdown": "to_markdown", "latex": "to_latex", "csv": "to_csv"}[form]
    assert getattr(results[kind], own)() == call(run, folder, kind, form)


def _flat(document: Any, kind: str) -> list[dict[str, Any]]:
    """The numbers of a command's JSON, in the rows and under the keys of the flat table."""
    if kind == "score":
        return list(document["rows"])
    if kind == "fit":
        return [
            {key: entry[key] for key in ("level", "probability", "relevant_count", "judged_count", "note")}
            | {f"error_{name}": value for name, value in entry["standard_error"].items()}
            | dict(zip(("lower", "upper"), entry["interval"], strict=True))
            for entry in document["levels"]
        ]
    if kind == "agree":
        return [
            {"coefficient": name, "value": entry["value"]}
            | dict(zip(("lower", "upper"), entry["interval"] or (None, None), strict=True))
            for name, entry in document["coefficients"].items()
        ]
    if kind == "compare":
        return [
            {"run": entry["run"]}
            | {key: score[key] for key in ("measure", "gains", "value", "rank")}
            | dict(zip(("lower", "upper"), score["interval"], strict=True))
            for entry in document["runs"]
            for score in entry["scores"]
        ]
    (found,) = document["results"]
    if kind == "study":
        return [
            {key: entry[key] for key in ("level", "probability", "standard_deviation")} for entry in found["levels"]
        ]
    if kind == "amount study":
        keys = ("level", "mean", "standard_deviation", "undefined")
        return [
            {"pairs": size["pairs"]} | {key: entry[key] for key in keys}
            for size in found["sizes"]
            for entry in size["levels"]
        ]
    if kind == "quality study":
        return [{"k": step["k"]} | entry for step in found["steps"] for entry in step["levels"]]
    if kind == "robustness study":
        return [{key: row[key] for key in ("gains", "tau_b", "concordant", "topics", "note")} for row in found["rows"]]
    return [{key: pair[key] for key in ("a", "b", "tau_b", "tau_ap", "discordant")} for pair in found["pairs"]]


@pytest.mark.parametrize("kind", COMMANDS)
def test_arrow_holds_the_numbers_of_the_json(results: dict[str, Any], folder: Path, run: Command, kind: str) -> None:
    """polars, pyarrow, pandas and duckdb see the numbers of the command's JSON, not rounded, null where it has null."""
    expected = _flat(json.loads(call(run, folder, kind, "json")), kind)
    result = results[kind]
    assert expected
    frame = result.to_polars()
    known = [{key: row[key] for key in expected[0]} for row in frame.to_dicts()]
    if kind == "agree":  # the pairs of assessors follow
        known = known[: len(expected)]
    assert known == expected
    assert pl.DataFrame(result).equals(frame)
    table = pa.table(result)
    assert table.to_pylist() == frame.to_dicts()
    assert duckdb.sql("select * from frame").pl().to_dicts() == frame.to_dicts()
    assert result.to_arrow().equals(table)
    pandas = result.to_pandas()
    assert list(pandas.columns) == frame.columns
    for name, dtype in frame.schema.items():
        if dtype.is_numeric():
            wanted = frame.get_column(name).cast(pl.Float64).fill_null(np.nan).to_numpy()
            np.testing.assert_array_equal(pandas[name].to_numpy(dtype=float), wanted)


@pytest.mark.parametrize("kind", [*COMMANDS, *OTHERS])
def test_arrow_holds_the_cells_of_the_csv(results: dict[str, Any], kind: str) -> None:
    """The frame has the columns and rows of the CSV, numbers as numbers and the rest as text."""
    frame = results[kind].to_polars()
    assert set(frame.dtypes) <= {pl.Int64, pl.Float64, pl.String}
    head, *rows = csv.reader(io.StringIO(results[kind].to_csv()))
    assert frame.columns == head
    assert len(rows) == len(frame)
    for cells, values in zip(rows, frame.rows(), strict=True):
        for cell, value in zip(cells, values, strict=True):
            assert (value is None) == (cell == "")
            assert value is None or (cell == value if isinstance(value, str) else float(cell) == value)


@pytest.mark.parametrize("kind", COMMANDS)
def test_json_is_what_the_command_prints(results: dict[str, Any], folder: Path, run: Command, kind: str) -> None:
    """`to_json` of a function's result and the JSON of its command are the same, but for what they were made from."""
    own, printed = json.loads(results[kind].to_json()), json.loads(call(run, folder, kind, "json"))
    made = own.pop("provenance")
    assert {"version", "files", "options", "seed"} == made.keys() == printed.pop("provenance").keys()
    for document in (own, printed):
        document["warnings"] = [warning["code"] for warning in document["warnings"]]
    assert own == printed


@pytest.mark.parametrize("kind", [*COMMANDS, *OTHERS])
def test_a_result_can_be_pickled_and_copied(results: dict[str, Any], kind: str) -> None:
    """Process pools and caches need it: what comes back says the same, byte by byte."""
    result = results[kind]
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert type(again) is type(result)
        assert again.to_json() == result.to_json()
        assert again.to_text("all") == result.to_text("all")


@pytest.mark.parametrize("kind", [*COMMANDS, *OTHERS])
def test_a_result_is_one_short_line(results: dict[str, Any], kind: str) -> None:
    """`repr` names the type and what it is about; arrays are not listed."""
    shown = repr(results[kind])
    assert shown.startswith(type(results[kind]).__name__)
    assert "\n" not in shown
    assert len(shown) < 160


@pytest.mark.parametrize("kind", [*COMMANDS, *OTHERS])
def test_every_table_of_a_result_is_a_frame(results: dict[str, Any], kind: str) -> None:
    """By its name, as polars, pandas, CSV and LaTeX; each row that readers see stands in it."""
    result = results[kind]
    for shown in result.tables():
        frame = result.to_polars(shown.name or None)
        assert len(frame) >= shown.height
        assert list(result.to_pandas(table=shown.name or None).columns) == frame.columns
        assert result.to_csv(shown.name or None).splitlines()[0].split(",") == frame.columns
        assert not any(name.endswith(("low", "high")) for name in frame.columns)


def test_tables_of_a_comparison(results: dict[str, Any]) -> None:
    """Runs, pairs of runs, ranks and topics; the numbers are those of the typed result."""
    compared = results["compare"]
    part = compared.comparison.parts[0]
    pairs = compared.to_polars("differences").filter(pl.col("gains") == part.scheme.name)
    assert pairs["difference"].to_list() == part.differences.difference.tolist()
    assert pairs["lower"].to_list() == part.differences.interval[:, 0].tolist()
    topics = compared.to_polars("per_topic").filter(pl.col("gains") == part.scheme.name)
    assert topics["value"].to_numpy() == pytest.approx(part.values.ravel())
    assert {"rank", "rank_lower", "rank_upper"} <= set(compared.to_polars("ranks").columns)
    assert compared.to_polars("runs").equals(compared.to_polars())


def test_latex_for_a_paper(results: dict[str, Any]) -> None:
    """Caption, label, digits and columns are the author's; a caption is for one table."""
    text = results["fit"].to_latex(
        "levels", columns=["level", "probability"], caption="50% of_it", label="tab:x", decimals=2
    )
    assert r"\caption{50\% of\_it.}" in text
    assert r"\label{tab:x}" in text
    assert re.search(r"Key & 0\.\d\d \\\\", text)
    with pytest.raises(CallError, match="A caption or label is for one table"):
        results["agree"].to_latex(caption="Both")
    with pytest.raises(CallError, match=r"There is no table 'level'\. Did you mean levels"):
        results["fit"].to_polars("level")
    assert r"\label{tab:mine}" in results["compare"].to_latex(label="tab:mine", decimals=2)


def test_the_words_of_the_main_results(results: dict[str, Any]) -> None:
    """What a notebook prints without asking for a table."""
    shown = {kind: repr(results[kind]) for kind in ("agree", "score", "compare")}
    assert shown["score"] == "ScoreTable(4 runs, nDCG@10, P@5, gains prm, binary, 20 topics)"
    assert shown["compare"] == "ComparisonTable(4 runs, nDCG@10, gains prm, binary, 20 topics)"
    assert re.fullmatch(r"AgreementTable\(\d+% of 600 pairs agree, 10 topics\)", shown["agree"])


@pytest.mark.parametrize("kind", [*COMMANDS, *OTHERS])
def test_text_fits_the_page(results: dict[str, Any], kind: str) -> None:
    """No line is wider than the page, whatever its width; columns that are left out are named below their table."""
    result = results[kind]
    for table in choose(result.tables()):
        for width in range(60, 121):
            lines = render_text([table.take(range(min(table.height, 100)))], width=width).splitlines()
            assert max(map(width_of, lines)) <= width, (table.title, width)
            words = " ".join(" ".join(lines).split())
            for column in table.columns:
                assert str(column.heading).split()[-1] in words
    said = result.to_text(width=60).splitlines()
    assert max(map(width_of, said)) <= 60
    whole = result.to_text(width=1000)
    assert "Not shown" not in whole
    assert "Not shown" not in result.to_text(width=60, columns="all")


@pytest.mark.parametrize("kind", COMMANDS)
def test_print_shows_what_the_command_prints(
    results: dict[str, Any], folder: Path, run: Command, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the width of the terminal, in both."""
    for width in ("80", "100"):
        monkeypatch.setenv("COLUMNS", width)
        with on_command_line():
            shown = str(results[kind])
        assert shown == call(run, folder, kind, "table").rstrip("\n")


STUDIES = ("study", "amount study", "quality study", "robustness study", "gain study")
DRAWN = ("agree", "fit", "score", "compare", "plan", "machine score", *STUDIES)


@pytest.mark.parametrize("kind", DRAWN)
def test_plot_gives_the_main_figure(results: dict[str, Any], kind: str, tmp_path: Path) -> None:
    """A figure says its finding, lists its data, draws itself, and saves itself."""
    figure = results[kind].plot()
    assert figure.title
    assert figure.table.height
    assert figure.drawing.marks
    assert figure.save(tmp_path / "figure.svg").read_text("utf-8") == figure._repr_svg_()


@pytest.mark.parametrize("kind", ["collection", "measures", "machine gains"])
def test_what_has_no_figure_says_so(results: dict[str, Any], kind: str) -> None:
    """Where there is nothing to draw, the message names the kind of result."""
    with pytest.raises(CallError, match=f"{type(results[kind]).__name__} has no figure"):
        results[kind].plot()


def test_without_pandas_and_pyarrow(results: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow comes as a stream that anything takes; pandas is asked for in words."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert pl.DataFrame(results["fit"].to_arrow()).equals(results["fit"].to_polars())
    with pytest.raises(CallError, match="pandas is not installed"):
        results["fit"].to_pandas()


def test_the_twenty_documents() -> None:
    """p(R|i) of the paper's twenty documents, by hand: 1/13, 5/17 and 4/10 for the top level."""
    frame = fit(gs.twenty_documents(), threshold=2).to_polars()
    assert frame.get_column("probability").to_list() == [1 / 13, 5 / 17, 4 / 10]
    # All pairs come from one topic: there is no error over topics, and its column still holds numbers.
    assert frame.schema["error_topic"] == pl.Float64
    assert frame.schema["stratum"] == pl.String


def test_steps_are_one_short_line() -> None:
    """`repr` of a step names its type and sizes; of gains, what each level is worth. Arrays are not listed."""
    counts = gs.count_pairs(gs.twenty_documents())
    disagreement = gs.estimate_disagreement(counts)
    units = gs.model.shrink_units(counts.levels, "topics", counts.topics, disagreement.pairs)
    said = "PairCounts(pairs=20, documents=20, topics=1, levels=3, directed=True)"
    assert repr(counts) == said
    assert repr(disagreement) == f"Disagreement('symmetric', {said})"
    assert repr(units) == "UnitEstimates('topics', units=1, levels=3)"
    gains = gs.prm_gains(gs.predict_relevance(disagreement))
    assert repr(gains) == "Gains('prm', {'0': 0.0769, '1': 0.2941, '2': 0.4})"
    documents = gs.machines.DocumentGains(pool_documents(gs.twenty_documents()), np.ones(20))
    assert repr(documents) == "DocumentGains(documents=20, topics=1)"


def test_one_sided_prediction_says_its_direction() -> None:
    """A one-sided estimate says which side is given."""
    model = fit(gs.twenty_documents(), threshold=2, estimator="one-sided")
    assert "one-sided estimate (U2 given U1), 20 pairs" in model.to_markdown()


def test_long_tables_are_cut_in_html_alone() -> None:
    """A notebook gets the first hundred rows and is told how many there are; the other forms have them all."""
    first, second = ({f"t{place}": {"d": 1, "e": 0} for place in range(250)} for _ in range(2))
    units = fit([first, second], threshold=1, smooth="eb-topics")
    html = units._repr_html_()
    assert f"The first {MOST_ROWS} of 251 rows." in html
    assert html.count("<tr>") == 3 + MOST_ROWS + 1
    assert units.to_markdown().count("\n| t") == 251  # with the heading
    assert len(units.to_polars()) == 502


def test_column_of_numbers_and_text_becomes_text() -> None:
    """Mixed columns are text; whole numbers stay whole; NaN and None are null."""
    assert Column("x", [1, "a", None]).series(3).to_list() == ["1", "a", None]
    assert Column("x", [1, None]).series(2).dtype == pl.Int64
    assert Column("x", [1, 0.5, float("nan")]).series(3).to_list() == [1.0, 0.5, None]
    assert Column("x", np.array([])).series(0).dtype == pl.Float64
    assert Column("note", [None]).series(1).dtype == pl.String


FIGURES = (
    *make_every_kind(("0", NASTY), (NASTY, "b")),
    run_forest("P@5", (NASTY,), np.array([0.5]), np.array([[0.4, 0.6]]), id="scores", over=NASTY),
)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_figure_shows_itself_as_a_picture_and_in_words(figure: Figure) -> None:
    """A notebook gets well-formed SVG without scripts and addresses, a terminal the finding."""
    assert figure._repr_html_() == figure._repr_svg_()
    root = ElementTree.fromstring(figure._repr_svg_())
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert root.tag.endswith("svg")
    assert not tags & {"script", "foreignObject", "image", "a"}
    assert repr(figure) == f"{figure.kind}({printable(figure.title)})"
