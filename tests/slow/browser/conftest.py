"""Reports to open in a browser: made-up ones with every figure, and those of real data."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, sync_playwright
from tests.figures import (
    OVER,
    amount,
    boxplot,
    confusion,
    machine_study,
    pair_verdict,
    prediction,
    quality,
    reliability,
)
from tests.slow.browser.looking import Opening

from gainsayer import Provenance
from gainsayer.cli import gainsayer
from gainsayer.commands.compare_figures import pair_figure, run_differences, run_forest, topic_differences
from gainsayer.commands.fit import parameter_chart, topic_spread
from gainsayer.commands.machine_figures import machine_grades
from gainsayer.commands.study_figures import rank_slope
from gainsayer.datasets import LatentModel, RunDesign, simulate_collection, write_collection
from gainsayer.drawing.figure import Figure
from gainsayer.findings import Finding
from gainsayer.reports.content import AllRuns, KeyNumber, NamedTable, ReportContent, Section, Verdict
from gainsayer.reports.page import render_report_html
from gainsayer.table import Column
from gainsayer.words import BELOW, FIRST, Sentence

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
    scores = forest.table
    size = len(runs)
    unjudged = [float(rng.uniform(0, 0.2)) if at % 7 else None for at in range(size)]
    notes = ["a guess" if at == 1 else None for at in range(size)]
    more = Column("unjudged", unjudged, "Unjudged"), Column("note", notes, "Note", missing="", align="left")
    every = scores.keep((*scores.columns, *more))
    every = replace(every, title="Runs by nDCG@10, with the share of unjudged documents")
    few = replace(every.take(range(min(15, size))), title="Runs, the first of them")
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
        all_runs=AllRuns("all-runs", len(runs)) if len(runs) > 12 else None,
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
            (NamedTable("runs", every), NamedTable("few", few)),
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
) -> tuple[Figure, Figure, tuple[Figure, ...]]:
    both = COUNTS + COUNTS.T
    judged = both.sum(axis=1)
    worth = np.array([both[:, threshold:].sum(axis=1) / judged for threshold in (3, 2, 1)])
    error = np.sqrt(worth * (1 - worth) / judged)
    score = np.sort(rng.uniform(0.25, 0.7, len(runs)))[::-1]
    scores = np.array([score, score + 0.07, score]) + rng.normal(0, [[0.0], [0.015], [0.02]], (3, len(runs)))
    ranks = np.argsort(np.argsort(-scores, axis=1), axis=1) + 1.0
    amounts = tuple(range(50, 1001, 50))
    spread = 0.5 * np.sqrt(np.array([0.02, 0.06, 0.12, 0.25])[:, None] / (np.array(amounts) / 30))
    sources = tuple(range(1, 13))
    pull = 0.6 / np.array(sources)
    group = tuple(FIRST if at < 0.6 * len(runs) else BELOW for at in range(len(runs)))
    ends = np.clip(np.stack((worth - 2 * error, worth + 2 * error), axis=2), 0, 1)
    chart = [
        prediction(levels, threshold, worth[at], ends[at], np.round(worth[at] * judged), judged)
        for at, threshold in enumerate((3, 2, 1))
    ]
    topics = tuple(f"topic {at}" for at in range(43))
    won = rng.normal(0.02, 0.15, 43) * (rng.random(43) > 0.2)
    apart = score[1:] - score[0]
    people, gaps = _around(worth[1], 0.05), worth[1] - worth[2]
    study = machine_study(
        *(levels[1], levels, (worth[1], people, worth[0]), (worth[1], people, worth[1]), (gaps, _around(gaps, 0.1))),
        ("worth less", "worth more", "no difference found", "worth the same"),
    )
    return (
        run_forest("nDCG@10", runs, score, _around(score, 0.04), groups=group, short=True, over=OVER),
        parameter_chart(chart[:1], id="grades"),
        (
            run_forest(*("nDCG@10", runs, score, _around(score, 0.04)), id="all-runs", groups=group, over=OVER),
            run_differences(
                *("nDCG@10", runs[0], runs[1:], apart, _around(apart, 0.05)),
                clear=(apart < -0.05).tolist(),
                p=apart,
                pairs=1770,
            ),
            confusion(levels, COUNTS, "first assessor", "second assessor"),
            reliability(("ann", "ben", "machine-large", levels[1])),
            parameter_chart(chart),
            boxplot(levels, rng.normal(worth[1], 2.2 * error[1], (300, 4)), worth[1], error[1]),
            rank_slope("nDCG@10", runs, GAINS[:3], ranks, id="rank-slope"),
            amount(levels, amounts, np.repeat(worth[0][:, None], 20, axis=1), spread),
            quality(levels, sources, worth[0][:, None] * (1 - pull) + pull, np.repeat(worth[0][:, None], 12, axis=1)),
            pair_figure(pair_verdict(runs[0], runs[1], 0.011, (-0.033, 0.068), margin=0.02, measure="nDCG@10")),
            topic_differences("nDCG@10", runs[0], runs[1], topics, np.array([0.5 + won, np.full(43, 0.5)])),
            topic_spread(levels[-1], topics, rng.random(43), np.full(43, 9.0), least=8),
            machine_grades(study),
        ),
    )


def _around(values: npt.NDArray[np.float64], by: float) -> npt.NDArray[np.float64]:
    return np.column_stack((values - by, values + by))
