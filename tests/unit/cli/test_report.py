"""`gainsayer report`: one page and its JSON from whatever there is, written whole or not at all."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from gainsayer.errors import DataError
from gainsayer.text import printable
from gainsayer.words import MINUS

Command = Callable[..., Result]
FEW = ("--resamples", "200", "--permutations", "200")
LONG = "long-" + "x" * 300
WILD = ("<b>&amp;\"'</b>", "</script><script>alert(1)</script>", "מערכת", LONG)


@pytest.fixture(scope="module")
def folder(simulated_files: Callable[..., Path]) -> Path:
    """A simulated collection: 20 topics, 12 judged twice, three runs, two strata."""
    return simulated_files(topics=20, documents=40)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports without -o go into a folder of the test."""
    monkeypatch.chdir(tmp_path)


def _call(run: Command, folder: Path, *more: str | Path, runs: bool = True) -> Result:
    files = ("--judgments", folder / "first.qrels", folder / "second.qrels", "--quiet")
    return run("report", *files, *(("--runs", folder / "runs") if runs else ()), *FEW, *more)


def _json(done: Result) -> Any:
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def _ids(report: Any) -> list[str]:
    return [section["id"] for section in report["sections"]]


def _codes(report: Any) -> list[str]:
    return [warning["code"] for section in report["sections"] for warning in section["warnings"]]


def test_page_and_json_are_written(run: Command, folder: Path, tmp_path: Path) -> None:
    """The page needs no network and is at most 2 MB; the JSON beside it is what --format json prints."""
    assert _call(run, folder, "-o", tmp_path / "r.html").exit_code == 0
    page = (tmp_path / "r.html").read_bytes()
    assert len(page) <= 2_000_000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html", "r.json"]
    beside = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    printed = _json(_call(run, folder, "--format", "json"))
    for report in (beside, printed):
        del report["provenance"]["options"], report["provenance"]["command"]
    assert beside == printed
    assert {"runs", "differences", "order", "users", "grades", "agreement", "topics", "judge-next"} <= set(
        _ids(printed)
    )


def test_same_seed_same_bytes(run: Command, folder: Path) -> None:
    """Two calls with one seed print the same bytes; another seed moves some."""
    once = _call(run, folder, "--format", "json", "--seed", "3").stdout
    assert once == _call(run, folder, "--format", "json", "--seed", "3").stdout
    assert once != _call(run, folder, "--format", "json", "--seed", "4").stdout


def test_without_runs(run: Command, folder: Path) -> None:
    """Judgments alone give agreement and the worth of grades, and the report says what runs would add."""
    report = _json(_call(run, folder, "--format", "json", runs=False))
    assert "runs" not in _ids(report)
    assert {"grades", "agreement", "topics", "amount"} <= set(_ids(report))
    assert any("With --runs" in step["text"] for step in report["verdict"]["steps"])


@pytest.mark.parametrize("runs", [False, True])
def test_one_assessor(run: Command, folder: Path, runs: bool) -> None:
    """Without second opinions the report says that they are missing and how to get them; runs are scored anyway."""
    more = ("--runs", folder / "runs", *FEW) if runs else ()
    report = _json(run("report", "--judgments", folder / "first.qrels", "--format", "json", "--quiet", *more))
    assert "grades" not in _ids(report)
    assert ("runs" in _ids(report)) == runs
    steps = [step["text"] for step in report["verdict"]["steps"]]
    assert any("judged a second time" in said and "report on both files together" in said for said in steps)


def test_a_sentence_stands_once(run: Command, folder: Path) -> None:
    """No paragraph repeats another one or the summary."""
    said = _said(_json(_call(run, folder, "--format", "json", "--strata", folder / "strata.tsv")))
    assert len(said) == len(set(said))


def test_strata_have_parameters_and_runs(run: Command, folder: Path) -> None:
    """One table gives the worth of grades in each kind of topics, and one the run that is first there."""
    report = _json(_call(run, folder, "--format", "json", "--strata", folder / "strata.tsv"))
    section = next(section for section in report["sections"] if section["id"] == "strata")
    assert [table["id"] for table in section["tables"]] == ["strata-grades", "strata-runs"]
    assert [[row[0] for row in table["rows"]] for table in section["tables"]] == [["inf", "nav"]] * 2
    assert [row[2] for row in section["tables"][1]["rows"]] == ["best", "best"]


def test_strange_names_do_no_harm(run: Command, folder: Path, tmp_path: Path) -> None:
    """Markup, quotes, right-to-left and very long names of topics and runs arrive whole and stay text."""
    place = tmp_path / "strange"
    (place / "runs").mkdir(parents=True)
    topics = dict(zip(("t01", "t02"), ("<i>&'\"", "נושא"), strict=True))
    for name in ("first.qrels", "second.qrels"):
        (place / name).write_text(_renamed((folder / name).read_text(), topics), encoding="utf-8")
    for path, name in zip(sorted((folder / "runs").iterdir()), WILD[1:], strict=True):
        lines = [line.rsplit(maxsplit=1)[0] for line in _renamed(path.read_text(), topics).splitlines()]
        text = "".join(f"{line} {name}\n" for line in lines)
        (place / "runs" / path.name).write_text(text, encoding="utf-8")
    levels = ("--levels", f"{WILD[0]},{WILD[2]},top")
    done = _call(run, place, *levels, "-o", tmp_path / "r.html")
    assert done.exit_code == 0, done.stderr
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    runs = next(section for section in report["sections"] if section["id"] == "runs")["tables"][0]["rows"]
    assert {row[0] for row in runs} == set(WILD[1:])
    assert "<b>" not in page
    assert "<script>alert" not in page
    assert all(html.escape(printable(name), quote=False).split("&#")[0].split('"')[0] in page for name in WILD)


def test_a_missing_folder_is_refused_at_once(run: Command, tmp_path: Path) -> None:
    """-o into no folder is a fault of the call, said before any file is read."""
    done = run("report", "--judgments", tmp_path / "no.qrels", "-o", tmp_path / "no" / "r.html")
    assert done.exit_code == 2
    assert "there is no folder" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("more", [("--format", "json", "-o", "r.html"), ("-o", "r.json")])
def test_contradictions_are_refused(run: Command, folder: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    """-o with a printed form, or a page named like its JSON, is refused and nothing is written."""
    assert _call(run, folder, *more).exit_code == 2
    assert not list(tmp_path.iterdir())


def test_a_failure_half_way_leaves_no_file(run: Command, folder: Path, tmp_path: Path) -> None:
    """A run that cannot be read stops the report with exit code 1, and an earlier report stays as it was."""
    bad = tmp_path / "bad.run"
    bad.write_text("t01 Q0 d1 1 not-a-number bad\n")
    (tmp_path / "r.html").write_text("earlier")
    done = _call(run, folder, "--runs", bad, "-o", tmp_path / "r.html")
    assert done.exit_code == 1
    assert "bad.run" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.run", "r.html"]
    assert (tmp_path / "r.html").read_text() == "earlier"


@pytest.mark.parametrize(("study", "words"), [("study_robustness", "other side's"), ("study_quality", "quality curve")])
def test_a_study_left_out_is_said(
    run: Command, folder: Path, monkeypatch: pytest.MonkeyPatch, study: str, words: str
) -> None:
    """A study that the data cannot carry is missing with a warning that gives the reason."""

    def refuse(*_: object, **__: object) -> None:
        raise DataError("There is nothing to study here.")

    monkeypatch.setattr(f"gainsayer.reports.overview.{study}", refuse)
    sides = ("--first", "first", "--second", "second")
    report = _json(_call(run, folder, "--format", "json", *sides))
    assert _codes(report).count("study-left-out") == 1
    warnings = [warning["message"] for section in report["sections"] for warning in section["warnings"]]
    assert any(words in message and message.endswith("There is nothing to study here.") for message in warnings)


def test_figures_are_written_in_every_form(run: Command, folder: Path, tmp_path: Path) -> None:
    """--figures writes each figure as PNG, SVG and PDF, with their own first bytes."""
    more = ("--figures", tmp_path / "figures", "-o", tmp_path / "r.html")
    assert _call(run, folder, *more, runs=False).exit_code == 0
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    verdict = report["verdict"]
    shown = (verdict["figures"], verdict["figures_beside"], *(section["figures"] for section in report["sections"]))
    ids = [figure["id"] for figures in shown for figure in figures]
    begins = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF"}
    for form, begin in begins.items():
        found = {path.stem: path.read_bytes() for path in (tmp_path / "figures").glob(f"*.{form}")}
        assert set(found) == set(ids)
        assert all(data.startswith(begin) for data in found.values())


def test_page_and_json_show_the_same_facts(run: Command, folder: Path, tmp_path: Path) -> None:
    """Every sentence, title, warning, heading and text cell of the JSON stands on the page.

    Numbers are shown rounded: every row of a table is one row of the page, with all its cells in order, each number as
    itself to two digits or more.
    """
    more = ("--strata", folder / "strata.tsv")
    report = _json(_call(run, folder, "--format", "json", *more))
    assert _call(run, folder, "-o", tmp_path / "r.html", *more).exit_code == 0
    written = (tmp_path / "r.html").read_text("utf-8")
    labels = " ".join(html.unescape(label) for label in re.findall(r'aria-label="([^"]*)"', written))
    page = f"{_without_markup(written)} {labels}"
    del report["provenance"]
    for figure in (*report["verdict"]["figures"], *report["verdict"]["figures_beside"]):
        del figure["data"]  # drawn, with a title per mark; listed in the JSON
    for fact in _facts(report):
        assert " ".join(fact.split()) in page, fact
    rows = [_without_markup(line) for line in re.findall(r"<tr>.*?</tr>", written, re.DOTALL)]
    for section in report["sections"]:
        for table in (*section["tables"], *(figure["data"] for figure in section["figures"])):
            for row in table["rows"]:
                wanted = re.compile(".*?".join(_pattern(cell) for cell in row if cell is not None))
                assert any(wanted.search(line) for line in rows), (table["title"], row)


def _without_markup(page: str) -> str:
    without = re.sub(r"</?strong[^>]*>", "", re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL))
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", without)).split())


def _pattern(cell: str | float | bool) -> str:
    """How a cell may be shown."""
    if isinstance(cell, str):
        return re.escape(" ".join(cell.split()))
    digits = range(2, 7) if isinstance(cell, float) and cell != int(cell) else range(7)
    forms = {f"{cell:,.{places}f}" for places in digits}
    written = "|".join(re.escape(form).replace(r"\-", f"[-{MINUS}]") for form in sorted(forms, key=len))
    return f"(?<![0-9.])(?:{written})(?![0-9])"


def _facts(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        if "columns" in value:
            # A column in which nothing is known is left out where people read.
            known = [any(row[at] is not None for row in value["rows"]) for at in range(len(value["columns"]))]
            columns = [column for column, some in zip(value["columns"], known, strict=True) if some]
            value = {**value, "columns": columns}
        for name, below in value.items():
            if name not in ("id", "kind", "key", "facts"):
                yield from _facts(below, name)
    elif isinstance(value, list):
        for below in value:
            yield from _facts(below, key)
    elif isinstance(value, str) and value:
        yield value


def _said(report: Any) -> list[str]:
    return [*report["summary"], *(said for section in report["sections"] for said in section["paragraphs"])]


def _renamed(text: str, topics: dict[str, str]) -> str:
    lines = (line.split(maxsplit=1) for line in text.splitlines())
    return "".join(f"{topics.get(topic, topic)} {rest}\n" for topic, rest in lines)
