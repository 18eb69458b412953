"""A rich report to open in a browser: every figure, tables to sort, warnings; with tame names and with wild ones."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.looking import Opening

from gainsayer.cli import gainsayer
from gainsayer.evaluation.provenance import Provenance
from gainsayer.findings import Finding
from gainsayer.presentation.content import NamedTable, ReportContent, Section
from gainsayer.presentation.figures import (
    AmountCurve,
    AssessorReliability,
    ConfusionMatrix,
    Figure,
    ParameterChart,
    QualityCurve,
    RankSlope,
    RunForest,
    TauHeatmap,
    TopicBoxplot,
    VarianceShares,
    as_grid,
    as_row,
)
from gainsayer.presentation.page import render_report_html
from gainsayer.presentation.tables import Column, Table, show_number

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


@pytest.fixture
def opened(browser: Browser, files: dict[str, Path], request: pytest.FixtureRequest) -> Opening:
    """Open a report, wait for its figures, and afterwards see that it was quiet and asked the network for nothing."""

    @contextmanager
    def show(name: str, *, width: int = 1280, dark: bool = False) -> Iterator[Page]:
        path: Path = files[name] if name in files else request.getfixturevalue(name)
        context = browser.new_context(
            viewport={"width": width, "height": 900},
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
    agreement, worth, systems, advice = _figures(tuple(levels), tuple(runs), rng)
    forest = systems[0]
    assert isinstance(forest, RunForest)
    table = Table(
        "Runs by nDCG@10, with the share of unjudged documents",
        (
            Column("run", "run", align="left"),
            Column("score", "nDCG@10", show_number(3)),
            Column("lower", "lower 95%", show_number(3)),
            Column("upper", "upper 95%", show_number(3)),
            Column("unjudged", "unjudged", show_number(3)),
            Column("note", "note", lambda cell: str(cell or ""), "left"),
        ),
        tuple(
            (run, *values, float(rng.uniform(0, 0.2)) if place % 7 else None, "a guess" if place == 1 else None)
            for place, (run, *values) in enumerate(
                zip(forest.runs, forest.value[0], forest.lower[0], forest.upper[0], strict=True)
            )
        ),
    )
    coefficients = Table(
        "Agreement coefficients, with intervals over topics",
        (
            Column("coefficient", "coefficient", align="left"),
            Column("value", "value", show_number(3)),
            Column("interval", "95% interval", align="left"),
        ),
        (
            ("percent agreement", 0.674, "[0.641, 0.705]"),
            ("Cohen's kappa", 0.478, "[0.431, 0.522]"),
            ("Krippendorff's alpha, ordinal", 0.731, "[0.688, 0.769]"),
        ),
    )
    return ReportContent(
        "What a grade is worth to a random user: a collection of 50 topics",
        (
            f"Two assessors give the same level to two thirds of 1,846 documents. {agreement[0].title}.",
            f"{worth[0].title}.",
            f"{systems[0].title}.",
            "The next hundred second judgments buy most where the first label is the highest one.",
        ),
        (
            Section(
                "agreement",
                "How much do the assessors disagree?",
                ("Every number comes with its interval and the count behind it.",),
                (Finding("few-topics", "Errors over topics rest on 24 topics; read them as rough."),),
                agreement,
                (NamedTable("coefficients", coefficients),),
            ),
            Section("worth", "What is each grade worth?", (), (), worth),
            Section(
                "runs",
                "Which system is better, and how sure are we?",
                ("Intervals are joint: topics and second judgments are drawn anew together.",),
                (Finding("thin-level", f"Level '{levels[-1]}' has 12 second opinions."),),
                systems,
                (NamedTable("runs", table),),
            ),
            Section("advice", "What should we judge next?", (), (), advice),
        ),
        Provenance(
            "0.1.0",
            (
                ("first.qrels", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
                (runs[0], "60303ae2" * 8),
            ),
            {"threshold": levels[-1], "estimator": "symmetric", "measure": "nDCG@10"},
            7,
        ),
        "gainsayer report first.qrels second.qrels --threshold Key --runs runs/*.run -o report.html",
    )


def _figures(
    levels: tuple[str, ...], runs: tuple[str, ...], rng: np.random.Generator
) -> tuple[tuple[Figure, ...], tuple[Figure, ...], tuple[Figure, ...], tuple[Figure, ...]]:
    both = COUNTS + COUNTS.T
    judged = both.sum(axis=1)
    worth = np.array([both[:, threshold:].sum(axis=1) / judged for threshold in (3, 2, 1)])
    error = np.sqrt(worth * (1 - worth) / judged)
    score = np.sort(rng.uniform(0.25, 0.7, len(runs)))[::-1]
    scores = np.array([score, score + 0.07, score, score]) + rng.normal(
        0, [[0.0], [0.015], [0.02], [0.03]], (4, len(runs))
    )
    ranks = tuple(tuple((np.argsort(np.argsort(-row)) + 1).tolist()) for row in scores)
    amounts = tuple(range(50, 1001, 50))
    spread = 0.5 * np.sqrt(np.array([0.02, 0.06, 0.12, 0.25])[:, None] / (np.array(amounts) / 30))
    sources = tuple(range(1, 13))
    pull = 0.6 / np.array(sources)
    symmetric = worth[0][:, None] * (1 - pull) + pull
    steady = worth[0][:, None] + rng.normal(0, 0.01, (4, len(sources))) * [[0.2], [1], [1], [1]]
    taus = 1 - 0.09 * np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    reliable = np.array([0.78, 0.74, 0.66, 0.52])
    return (
        (
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
        ),
        (
            ParameterChart(
                "parameters",
                levels,
                tuple(f"{levels[threshold]} or better" for threshold in (3, 2, 1)),
                as_grid(worth),
                as_grid(np.clip(worth - 2 * error, 0, 1)),
                as_grid(np.clip(worth + 2 * error, 0, 1)),
                as_grid(np.round(worth * judged)),
                as_grid(np.broadcast_to(judged, worth.shape)),
            ),
            TopicBoxplot.from_draws(
                "topics", levels, rng.normal(worth[1], 2.2 * error[1], (300, 4)), worth[1], error[1]
            ),
        ),
        (
            RunForest(
                "run-forest",
                "nDCG@10",
                runs,
                ("prm", "binary"),
                as_grid(scores[:2]),
                as_grid(scores[:2] - 0.04),
                as_grid(scores[:2] + 0.04),
            ),
            RankSlope("rank-slope", "nDCG@10", runs, GAINS[:3], ranks[:3]),
            TauHeatmap("tau", "nDCG@10", GAINS, as_grid(taus), len(runs)),
            VarianceShares(
                "variance",
                "nDCG@10",
                runs,
                ("topics", "second judgments", "both together"),
                as_grid(rng.dirichlet((14, 3, 1), len(runs)).T),
                as_row(rng.uniform(0.01, 0.04, len(runs))),
            ),
        ),
        (
            AmountCurve(
                "amount", levels, amounts, as_grid(np.repeat(worth[0][:, None], 20, axis=1)), as_grid(spread), 50
            ),
            QualityCurve("quality", levels, ("symmetric", "one-sided"), sources, (as_grid(symmetric), as_grid(steady))),
        ),
    )
