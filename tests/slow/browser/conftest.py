"""Reports to open in a browser: made-up ones with every figure, and those of real data."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, sync_playwright
from tests.slow.browser.looking import Opening

from gainsayer import Provenance
from gainsayer.cli import gainsayer
from gainsayer.commands.figures.amount_curve import AmountCurve
from gainsayer.commands.figures.assessor_reliability import AssessorReliability
from gainsayer.commands.figures.confusion_matrix import ConfusionMatrix
from gainsayer.commands.figures.difference_line import DifferenceLine
from gainsayer.commands.figures.machine_grades import MachineGrades
from gainsayer.commands.figures.parameter_chart import ParameterChart
from gainsayer.commands.figures.quality_curve import QualityCurve
from gainsayer.commands.figures.rank_slope import RankSlope
from gainsayer.commands.figures.run_differences import RunDifferences
from gainsayer.commands.figures.run_forest import BELOW, FIRST, RunForest
from gainsayer.commands.figures.topic_boxplot import TopicBoxplot
from gainsayer.commands.figures.topic_dots import TopicDifferences, TopicSpread
from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.datasets import LatentModel, RunDesign, simulate_collection, write_collection
from gainsayer.drawing.figure import Figure, as_grid, as_row
from gainsayer.findings import Finding
from gainsayer.reports.content import KeyNumber, NamedTable, ReportContent, Section, Verdict
from gainsayer.reports.page import render_report_html
from gainsayer.words import Sentence

PATIENCE = 600_000  # milliseconds: tests wait for what they look at, however busy the machine is
TAME_LEVELS = ("Non", "Rel", "HRel", "Key")
WILD_LEVELS = (
    "a:b[0].c\\d",
    "<script>alert('level')</script>",
    'מפתח "&amp;" \u202e',
    "a very long level name that goes on and on " * 4,
)
WILD_RUNS = (
    "</script><script>alert('run')</script>",
    '"><img src=x onerror=alert(1)>',
    "تشغيل & <b>bold</b>",
    "run-" + "x" * 200,
    "datum.value",
    "__proto__",
    "{{ 7 * 7 }}",
    "2024-01-01",
)
# Names that every object in a browser has a meaning for.
TAKEN = ("__proto__", "constructor", "toString", "valueOf")
SYSTEMS = ("bm25", "splade", "colbert", "dpr", "monot5", "rm3", "hybrid", "ance", "tas-b", "unicoil")
GAINS = ("prm", "binary", "linear", "exponential")
COUNTS = np.array([[820, 140, 36, 4], [120, 210, 90, 12], [30, 80, 160, 40], [2, 10, 38, 54]])


@pytest.fixture(scope="session")
def tame() -> ReportContent:
    """A report such as a user would get: 60 runs."""
    runs = [f"{SYSTEMS[place % len(SYSTEMS)]}-{place // len(SYSTEMS) + 1}" for place in range(60)]
    return _content(TAME_LEVELS, runs)


@pytest.fixture(scope="session")
def wild() -> ReportContent:
    """A report full of names that look like markup, expressions and paths."""
    return _content(WILD_LEVELS, WILD_RUNS)


@pytest.fixture(scope="session")
def taken() -> ReportContent:
    """A report whose levels and runs are called like parts of JavaScript."""
    return _content(TAKEN, TAKEN)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser without a window; the tests are skipped where chromium is not installed."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("Debian's chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"], timeout=PATIENCE)
        yield started
        started.close()


@pytest.fixture(scope="session")
def files(
    tame: ReportContent, wild: ReportContent, taken: ReportContent, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """The made-up reports as files."""
    folder = tmp_path_factory.mktemp("page")
    found = {}
    for name, content in (("tame", tame), ("wild", wild), ("taken", taken)):
        found[name] = folder / f"{name}.html"
        found[name].write_text(render_report_html(content), encoding="utf-8")
    return found


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of `gainsayer demo`."""
    folder = tmp_path_factory.mktemp("demo") / "demo"
    done = CliRunner().invoke(gainsayer, ["demo", "-o", str(folder), "--quiet"])
    assert done.exit_code == 0, done.stderr
    return folder / "report.html"


@pytest.fixture(scope="session")
def annotators(shared_data: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of four pairs of annotators and 61 runs."""
    data = shared_data("dl19")
    page = tmp_path_factory.mktemp("annotators") / "report.html"
    sides = [",".join(f"pair{pair}-{side}" for pair in range(1, 5)) for side in ("first", "second")]
    judged = sorted(map(str, (data / "annotators").glob("*.qrels")))
    called = ["report", "--judgments", *judged, "--first", sides[0], "--second", sides[1], "--runs", str(data / "runs")]
    done = CliRunner().invoke(gainsayer, [*called, "--threshold", "2", "-o", str(page), "--quiet"])
    assert done.exit_code == 0, done.stderr
    return page


@pytest.fixture(scope="session")
def pair(shared_data: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of two runs."""
    data = shared_data("dl19")
    page = tmp_path_factory.mktemp("pair") / "report.html"
    judged = [str(data / "nist.qrels"), *sorted(map(str, (data / "annotators").glob("*.qrels")))]
    runs = [str(data / "runs" / f"{name}.run.gz") for name in ("colbert_rankgpt4o-full", "idst_bert_p1")]
    called = ["report", "--judgments", *judged, "--first", "nist", "--threshold", "2", "--margin", "0.02"]
    done = CliRunner().invoke(gainsayer, [*called, "--runs", *runs, "-o", str(page), "--quiet"])
    assert done.exit_code == 0, done.stderr
    return page


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a generous machine beside two people, on the demo's collection."""
    folder = tmp_path_factory.mktemp("machine")
    collection = simulate_collection(
        LatentModel(leniency=0.0),
        topics=30,
        documents=40,
        runs=RunDesign(qualities={"a": 0.9, "b": 0.6, "c": 0.3}),
        seed=2,
    )
    write_collection(collection, folder / "collection")
    rng = np.random.default_rng(4)
    lines = (folder / "collection" / "first.qrels").read_text().splitlines()
    graded = [(*line.split()[:3], min(int(line.split()[3]) + int(rng.random() < 0.3), 3)) for line in lines]
    (folder / "machine.qrels").write_text("".join(f"{t} {o} {d} {grade}\n" for t, o, d, grade in graded))
    judged = [str(folder / "collection" / f"{side}.qrels") for side in ("first", "second")]
    called = [
        "report",
        "--judgments",
        *judged,
        str(folder / "machine.qrels"),
        "--machine",
        "machine",
        "--labels",
        "first",
    ]
    page = folder / "report.html"
    done = CliRunner().invoke(
        gainsayer, [*called, "--runs", str(folder / "collection" / "runs"), "-o", str(page), "--quiet"]
    )
    assert done.exit_code == 0, done.stderr
    return page


@pytest.fixture
def opened(browser: Browser, files: dict[str, Path], request: pytest.FixtureRequest) -> Opening:
    """Open a report, wait for its script, and afterwards see that it was quiet and asked the network for nothing."""

    @contextmanager
    def show(name: str, *, width: int = 1400, height: int = 900, dark: bool = False) -> Iterator[Page]:
        path: Path = files[name] if name in files else request.getfixturevalue(name)
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.set_default_timeout(PATIENCE)
        said: list[str] = []
        asked: list[str] = []
        context.on("request", lambda request: asked.append(request.url))
        page = context.new_page()
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", state="attached")
        yield page
        context.close()
        assert said == []
        assert asked == [path.as_uri()]

    return show


def _content(levels: Sequence[str], runs: Sequence[str]) -> ReportContent:
    rng = np.random.default_rng(5)
    forest, grades, others = _figures(tuple(levels), tuple(runs), rng)
    columns = (
        Column("run", "Run", align="left"),
        Column("score", "nDCG@10", show_number(3)),
        Column("lower", "From (95%)", show_number(3)),
        Column("upper", "To (95%)", show_number(3)),
        Column("unjudged", "Unjudged", show_number(3)),
        Column("note", "Note", lambda cell: str(cell or ""), "left"),
    )
    rows = tuple(
        (run, *values, float(rng.uniform(0, 0.2)) if place % 7 else None, "a guess" if place == 1 else None)
        for place, (run, *values) in enumerate(zip(forest.runs, forest.value, forest.lower, forest.upper, strict=True))
    )
    title = "Runs by nDCG@10, with the share of unjudged documents"
    few = from_rows("Runs, the first of them", columns, rows[:15])
    verdict = Verdict(
        f"No run can be called the best: {len(runs)} could be.",
        (Sentence(f"{runs[0]} scores highest.", runs[0]), Sentence("More topics would sort the runs.")),
        "",
        tuple(KeyNumber(str(number), "of 61", "runs that may be the best") for number in range(4)),
        (
            Sentence("Judge the gaps. They count as worthless.", "Judge the gaps."),
            Sentence("Add topics.", "Add topics."),
        ),
        main=(forest,),
        beside=(grades,),
    )
    finding = Finding("few-topics", f"Errors over topics rest on 24 topics of {levels[-1]}; read them as rough.")
    sections = [
        Section(
            "runs",
            "Which run is best, and how sure is that?",
            Sentence(f"{runs[0]} is the first.", runs[0]),
            ("Runs are scored on the same topics.",),
            (finding,),
            (),
            (NamedTable("runs", from_rows(title, columns, rows)), NamedTable("few", few)),
        ),
        *(
            Section(
                f"about-{figure.id}", f"What does {figure.id} show?", Sentence(f"{figure.title}."), figures=(figure,)
            )
            for figure in others
        ),
    ]
    made = Provenance(
        "0.1.0",
        (
            ("first.qrels", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
            (runs[0], "60303ae2" * 8),
        ),
        {"threshold": levels[-1], "estimator": "symmetric", "measure": "nDCG@10"},
        7,
    )
    command = "gainsayer report first.qrels second.qrels --threshold Key --runs runs/*.run -o report.html"
    return ReportContent(
        "A collection of 50 topics", f"{len(runs)} runs · 50 topics", verdict, tuple(sections), made, command
    )


def _figures(
    levels: tuple[str, ...], runs: tuple[str, ...], rng: np.random.Generator
) -> tuple[RunForest, Figure, tuple[Figure, ...]]:
    both = COUNTS + COUNTS.T
    judged = both.sum(axis=1)
    worth = np.array([both[:, threshold:].sum(axis=1) / judged for threshold in (3, 2, 1)])
    error = np.sqrt(worth * (1 - worth) / judged)
    score = np.sort(rng.uniform(0.25, 0.7, len(runs)))[::-1]
    scores = np.array([score, score + 0.07, score]) + rng.normal(0, [[0.0], [0.015], [0.02]], (3, len(runs)))
    ranks = tuple(tuple((np.argsort(np.argsort(-row)) + 1).tolist()) for row in scores)
    amounts = tuple(range(50, 1001, 50))
    spread = 0.5 * np.sqrt(np.array([0.02, 0.06, 0.12, 0.25])[:, None] / (np.array(amounts) / 30))
    sources = tuple(range(1, 13))
    pull = 0.6 / np.array(sources)
    symmetric = worth[0][:, None] * (1 - pull) + pull
    steady = np.repeat(worth[0][:, None], len(sources), axis=1)
    reliable = np.array([0.78, 0.74, 0.66, 0.52])
    group = tuple(FIRST if place < 0.6 * len(runs) else BELOW for place in range(len(runs)))
    rows = as_row(score), as_row(score - 0.04), as_row(score + 0.04)
    places = as_row(np.ones(len(runs))), as_row(np.full(len(runs), len(runs)))
    chart = (
        as_grid(worth),
        as_grid(np.clip(worth - 2 * error, 0, 1)),
        as_grid(np.clip(worth + 2 * error, 0, 1)),
        as_grid(np.round(worth * judged)),
        as_grid(np.broadcast_to(judged, worth.shape)),
    )
    thresholds = tuple(f"{levels[threshold]} or higher" for threshold in (3, 2, 1))
    topics = tuple(f"topic {place}" for place in range(43))
    won = rng.normal(0.02, 0.15, 43) * (rng.random(43) > 0.2)
    apart = as_row(score[1:] - score[0])
    people = [as_row(worth[1]), as_row(worth[1] - 0.05), as_row(worth[1] + 0.05)]
    return (
        RunForest("forest", "nDCG@10", runs, *rows, group, *places, short=True),
        ParameterChart("grades", levels, thresholds[:1], *(part[:1] for part in chart)),
        (
            RunForest("all-runs", "nDCG@10", runs, *rows, group, *places),
            RunDifferences(
                *("differences", "nDCG@10", runs[0], runs[1:], apart),
                *(as_row(score[1:] - score[0] - 0.05), as_row(score[1:] - score[0] + 0.05)),
                *(tuple(value is not None and value < -0.05 for value in apart), apart, 1770),
            ),
            ConfusionMatrix("confusion", levels, as_grid(COUNTS), "first assessor", "second assessor"),
            AssessorReliability(
                "reliability",
                ("ann", "ben", "machine-large", levels[1]),
                "agreement with the others",
                as_row(reliable),
                as_row(reliable - 0.05),
                as_row(reliable + 0.05),
                (412, 398, 640, 396),
                reference=0.67,
            ),
            ParameterChart("parameters", levels, thresholds, *chart),
            TopicBoxplot.from_draws(
                "topics", levels, rng.normal(worth[1], 2.2 * error[1], (300, 4)), worth[1], error[1]
            ),
            RankSlope("rank-slope", "nDCG@10", runs, GAINS[:3], ranks),
            AmountCurve(
                "amount", levels, amounts, as_grid(np.repeat(worth[0][:, None], 20, axis=1)), as_grid(spread), 50
            ),
            QualityCurve("quality", levels, ("symmetric", "one-sided"), sources, (as_grid(symmetric), as_grid(steady))),
            DifferenceLine("difference", "nDCG@10", runs[0], runs[1], 0.011, -0.033, 0.068, 0.02, "undecided", 43),
            TopicDifferences(
                *("topic-dots", "nDCG@10", runs[0], runs[1], topics),
                *(tuple((0.5 + won).tolist()), (0.5,) * 43),
            ),
            TopicSpread("by-topic", levels[-1], topics, tuple(rng.random(43).tolist()), (9,) * 43, 8),
            MachineGrades(
                *("machine-grades", levels[1], levels, *people, *people),
                *(as_row(worth[1] - worth[2]), as_row(worth[1] - worth[2] - 0.1), as_row(worth[1] - worth[2] + 0.1)),
                *(as_row(worth[0]), as_row(worth[1])),
                ("worth less", "worth more", "no difference found", "worth the same"),
            ),
        ),
    )
