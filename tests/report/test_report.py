"""`report`: one frozen result that saves a page and its JSON, and shows its summary."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

import gainsayer as gs
from gainsayer.datasets import LatentModel, RunDesign, simulate_collection
from gainsayer.errors import CallError
from gainsayer.reports.demo import demonstrate
from gainsayer.reports.report import Report, check_place, report


@pytest.fixture(scope="module")
def made() -> Report:
    """A report on the paper's twenty documents."""
    return report(gs.twenty_documents(), threshold=2, title="Twenty <documents>", seed=5)


def test_it_is_frozen_and_says_what_it_holds(made: Report) -> None:
    """One line for `repr`, the summary for a notebook, names as text; nothing can be written into it."""
    assert repr(made) == "Report('Twenty <documents>': grades, agreement, amount, remarks)"
    shown = made._repr_html_()
    assert "Twenty &lt;documents&gt;" in shown
    assert shown.count("<p>") == len(made.content.summary)
    with pytest.raises(FrozenInstanceError):
        made.content = made.content  # type: ignore[misc]
    assert made.provenance.seed == 5
    assert made.overview.fit is not None
    assert made.overview.fit.predict().probability.tolist() == [1 / 13, 5 / 17, 4 / 10]
    assert {finding.code for finding in made.findings} >= {"single-topic"}


def test_save_writes_the_page_and_its_json(made: Report, tmp_path: Path) -> None:
    """Both files hold what `to_html` and `to_json` give; a second report may replace the first."""
    for _ in range(2):
        assert made.save(tmp_path / "r.html") == tmp_path / "r.html"
    assert (tmp_path / "r.html").read_text("utf-8") == made.to_html()
    assert (tmp_path / "r.json").read_text("utf-8") == made.to_json()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html", "r.json"]


def test_made_in_python_it_names_no_command(made: Report) -> None:
    """JSON and page have a command where there was one."""
    assert json.loads(made.to_json())["provenance"]["command"] is None
    assert "<pre" not in made.to_html()
    typed = report(gs.twenty_documents(), threshold=2, command="gainsayer report x")
    assert json.loads(typed.to_json())["provenance"]["command"] == "gainsayer report x"
    assert "<span>gainsayer</span> <span>report</span> <span>x</span>" in typed.to_html()


def test_options_are_those_of_the_call(made: Report) -> None:
    """The page shows what was asked for, and not the title or the seed twice."""
    options = dict(made.content.options)
    assert options["threshold"] == "2"
    assert not {"title", "seed", "command", "progress", "judgments"} & options.keys()


@pytest.mark.parametrize(
    ("name", "words"),
    [("r.json", "both the page and its JSON"), ("no/r.html", "there is no folder"), (".", "is no file")],
)
def test_places_that_cannot_be(tmp_path: Path, name: str, words: str) -> None:
    """Refused before any work, in words without options of the command line."""
    with pytest.raises(CallError, match=words) as refused:
        check_place(tmp_path / name)
    assert " -" not in str(refused.value)


def test_what_is_no_report_is_not_replaced(made: Report, tmp_path: Path) -> None:
    """JSON of another kind stays; a page of another kind stays unless somebody chose the name."""
    (tmp_path / "r.json").write_text("{}")
    with pytest.raises(CallError, match=r"r\.json would be replaced"):
        made.save(tmp_path / "r.html")
    (tmp_path / "other.html").write_text("mine")
    with pytest.raises(CallError, match="not an earlier report"):
        check_place(tmp_path / "other.html", chosen=False)
    made.save(tmp_path / "other.html")


def test_runs_from_memory() -> None:
    """Dicts are enough: judgments of two assessors, two runs, no file anywhere."""
    first = {f"q{topic}": {"a": 2, "b": 1, "c": 0, "d": topic % 3} for topic in range(8)}
    second = {f"q{topic}": {"a": 2, "b": topic % 2, "c": 0, "d": 0} for topic in range(8)}
    runs: dict[str, Any] = {
        "good": {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in first},
        "poor": {topic: {"c": 3.0, "d": 2.0, "a": 1.0} for topic in first},
    }
    found = report({"U1": first, "U2": second}, runs, "nDCG@3", threshold=1, permutations=100, resamples=100)
    sections = [section.id for section in found.content.sections]
    assert sections == [
        *(
            "topics-won",
            "topics-needed",
            "judge-next",
            "users",
            "grades",
            "agreement",
            "remarks",
        ),
    ]
    assert found.provenance.files == ()


def test_demonstration(tmp_path: Path) -> None:
    """The demo's report ends with the truth, its commands name its files, and what is not its own stays."""
    demo = demonstrate(tmp_path / "demo", seed=3)
    assert demo.report.content.sections[-1].id == "truth"
    assert demo.page.read_text("utf-8") == demo.report.to_html()
    assert demo.commands[-1] == demo.report.content.command
    assert demo.tables()[-1].cells() == demo.truth.cells()
    demo.page.with_suffix(".json").write_text("{}")
    with pytest.raises(CallError, match="not of an earlier demo"):
        demonstrate(tmp_path / "demo")


def test_three_hundred_runs_make_a_page_below_two_megabytes(tmp_path: Path) -> None:
    """Large tables stand on the page once, as data; every run is named in the unfolded figure."""
    qualities = {f"a-run-with-a-long-name-{place:03}": 0.95 - 0.003 * place for place in range(300)}
    collection = simulate_collection(
        LatentModel(), topics=12, documents=25, runs=RunDesign(qualities=qualities), seed=4
    )
    made = report(collection.judgments, collection.runs, "nDCG@10", threshold="Key", permutations=100, resamples=20)
    page = made.save(tmp_path / "r.html")
    assert page.stat().st_size < 2_000_000
    text = page.read_text("utf-8")
    assert all(text.count(name) < 40 for name in qualities)
    assert all(f">{name}<" in text for name in qualities)


def test_a_report_can_be_pickled_and_copied() -> None:
    """As every other result: what comes back is the same page and the same JSON."""
    made = report(gs.twenty_documents(), threshold=2)
    for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert again.to_json() == made.to_json()
        assert again.to_html() == made.to_html()
