"""Sentences, figures and tables of a report say the same: every number in a sentence is one of its records."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.commands.compare_figures import differences, forest
from gainsayer.commands.verdict import decide_runs
from gainsayer.comparison import Comparison
from gainsayer.datasets import LatentModel, RunDesign, simulate_collection, write_collection
from gainsayer.reports.demo import demonstrate
from gainsayer.reports.report import Report, report
from gainsayer.words import FIRST, MINUS

# Numbers that are words: a hundred users, an interval in words, how power is spoken of; and the names of grades here.
SPOKEN = {"100", "19", "20", "9", "10", "8", "95", *"0123"}
NUMBER = re.compile(rf"[+{MINUS}-]?\d[\d,]*(?:\.\d+)?")
CASES = ("demo", "two", "equivalent", "many", "baseline", "judgments", "single", "machine", "flattery", "annotators")


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Report]:
    """A report of each kind, made when asked for."""
    folder = tmp_path_factory.mktemp("sentences")
    qualities = {f"run{place}": 0.95 - 0.04 * place for place in range(15)}
    made = simulate_collection(
        LatentModel(leniency=0.0), topics=30, documents=60, runs=RunDesign(qualities=qualities), seed=11
    )
    write_collection(made, folder)
    judged = [str(folder / "first.qrels"), str(folder / "second.qrels")]
    runs = [str(folder / "runs" / f"run{place}.run") for place in range(15)]
    found: dict[str, Report] = {}

    def make(kind: str) -> Report:
        if kind == "demo":
            return demonstrate(folder / "demo").report
        if kind == "two":
            return report(judged, runs[:2], "nDCG@10", threshold=2, permutations=500)
        if kind == "equivalent":
            return report(judged, runs[4:6], "nDCG@10", threshold=2, margin=0.3)
        if kind == "many":
            return report(judged, runs, "nDCG@10", threshold=2, permutations=500)
        if kind == "baseline":
            return report(judged, runs, "nDCG@10", threshold=2, baseline="run3", permutations=500)
        if kind == "single":
            return report(judged[:1], runs[:1], "nDCG@10")
        if kind == "machine":
            grades = [line.split() for line in (folder / "first.qrels").read_text().splitlines()]
            rng = np.random.default_rng(3)
            lines = [f"{t} 0 {d} {min(int(g) + int(rng.random() < 0.3), 3)}\n" for t, _, d, g in grades]
            (folder / "gpt.qrels").write_text("".join(lines))
            return report([*judged, str(folder / "gpt.qrels")], runs, threshold=2, machine="gpt", permutations=500)
        if kind == "flattery":
            return report_flattery(folder / "flattery")
        return report(judged, threshold=2)

    def get(kind: str) -> Report:
        if kind not in found:
            found[kind] = make(kind)
        return found[kind]

    return get


def report_flattery(folder: Path) -> Report:
    """A machine's own grades score the runs, and one person judged documents that were drawn."""
    gs.simulate(
        folder, topics=30, documents=40, runs=9, machine="gpt", unjudged=0, shares=(0.4, 0.2, 0.2, 0.2), second_topics=1
    )
    machine, runs = folder / "gpt.qrels", folder / "runs"
    said = {(t, d): level for t, _, d, level in map(str.split, (folder / "first.qrels").read_text().splitlines())}
    drawn = gs.machine.sample(machine, runs, measures="DCG@10", labels=300)
    lines = [f"{topic}\t{name}\tann\t{said[topic, name]}\n" for topic, name in drawn.to_polars().iter_rows()]
    (folder / "ann.tsv").write_text("topic\tdocument\tassessor\tlevel\n" + "".join(lines))
    (folder / "ann.design.json").write_text(drawn.design.to_json())
    return report([machine, folder / "ann.tsv"], runs, "DCG@10", machine="gpt", threshold=2, permutations=500)


@pytest.fixture
def told(reports: Callable[[str], Report], request: pytest.FixtureRequest) -> Report:
    """One of the reports; that of real annotators where the data is there."""
    if request.param == "annotators":
        data: Path = request.getfixturevalue("shared_data")("dl19")
        judged = [str(data / "nist.qrels"), *sorted(map(str, (data / "annotators").glob("*.qrels")))]
        return report(judged, [str(data / "runs")], "nDCG@10", first="nist", threshold=2, permutations=1000)
    return reports(str(request.param))


@pytest.mark.parametrize("told", CASES, indirect=True)
def test_every_number_in_a_sentence_is_a_record(told: Report) -> None:
    """Of each sentence the numbers are facts, or cells of the tables and figures, of its own part of the report."""
    document = json.loads(told.to_json())
    verdict = document["verdict"]
    said = [
        *document["summary"],
        *(f"{one['value']} {one['beside']} {one['label']}" for one in verdict["numbers"]),
        *(step["text"] for step in verdict["steps"]),
    ]
    parts = [(verdict, said)]
    for section in document["sections"]:
        figures = [text for figure in section["figures"] for text in (figure["title"], figure["caption"])]
        parts.append((section, [section["answer"]["text"], *section["paragraphs"], *figures]))
    checked = 0
    for part, sentences in parts:
        names = sorted(set(_names(part)), key=len, reverse=True)
        known = _known(part)
        for sentence in sentences:
            plain = sentence
            for name in names:
                plain = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", plain)
            for number in NUMBER.findall(plain):
                bare = number.replace(",", "").lstrip(f"+-{MINUS}")
                assert bare in known or bare in SPOKEN, (number, sentence)
                checked += 1
    assert checked > 5


def _known(part: Any) -> set[str]:
    """Every way in which the numbers of a part may be written: rounded, of a hundred, their differences from 100."""
    forms: set[str] = set()
    for value in _numbers(part):
        for scaled in (abs(value), 100 * abs(value)):
            forms |= {f"{scaled:.{digits}f}" for digits in range(5)} | {f"{scaled:g}"}
    # Two grades apart, as whole users: the difference of the rounded numbers that stand next to it.
    worth = [grade["worth"] for grade in _grades(part["facts"]) if grade["worth"] is not None]
    forms |= {str(abs(round(100 * a) - round(100 * b))) for a in worth for b in worth}
    counts = [value for value in _numbers(part["facts"]) if isinstance(value, int)]
    counts += [len(names) for names in _lists(part["facts"])]
    forms |= {str(a - b) for a in counts for b in counts}
    return forms | {str(a) for a in counts} | {str(a - 1) for a in counts}


def _grades(facts: Any) -> Iterator[dict[str, Any]]:
    """What was decided of each grade."""
    if isinstance(facts, dict):
        if isinstance(facts.get("worth", ""), float | None):
            yield facts
        facts = list(facts.values())
    if isinstance(facts, list):
        for below in facts:
            yield from _grades(below)


def _lists(facts: Any) -> Iterator[list[str]]:
    """Names of runs, which a sentence may count."""
    if isinstance(facts, dict):
        for below in facts.values():
            yield from _lists(below)
    elif isinstance(facts, list) and all(isinstance(name, str) for name in facts):
        yield facts


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for key, below in value.items():
            if key not in ("text", "strong", "title", "answer", "paragraphs", "caption"):
                yield from _numbers(below)
    elif isinstance(value, list):
        for below in value:
            yield from _numbers(below)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value
    elif isinstance(value, str) and re.fullmatch(r"(under |over )?\d+ \(\d+ to \d+\)|\d+ to \d+", value):
        # Cells such as "42 (27 to 58)" hold numbers as readers see them.
        yield from (float(number) for number in re.findall(r"\d+", value))


def _names(part: Any) -> Iterator[str]:
    """Names of runs, topics, grades and measures with digits in them, which are no numbers."""
    yield from _texts(part["facts"])
    for figure in (*part.get("figures", ()), *part.get("figures_beside", ())):
        for row in figure["data"]["rows"]:
            yield from (cell for cell in row if isinstance(cell, str) and not re.fullmatch(r"[\d ().,to]+", cell))


def _texts(facts: Any) -> Iterator[str]:
    if isinstance(facts, str) and not re.fullmatch(r"[\d.]+", facts):  # grades may be called 0 and 1
        yield facts
    elif isinstance(facts, list | dict):
        for below in facts.values() if isinstance(facts, dict) else facts:
            yield from _texts(below)


@pytest.mark.parametrize("told", ["demo", "many", "annotators"], indirect=True)
def test_lines_places_and_groups_are_one_procedure(told: Report) -> None:
    """A line reaches zero exactly where the runs are not told apart; places and groups follow from the same pairs."""
    comparison = told.overview.comparison
    assert isinstance(comparison, Comparison)
    part = comparison.part()
    figure = differences(comparison, part)
    assert figure is not None
    for _, _, low, high, _, clear in figure.table.cells():
        assert isinstance(low, float)
        assert isinstance(high, float)
        assert (low > 0 or high < 0) == (clear == "yes")
    table = forest(comparison, part).table
    keys = [column.key for column in table.columns]
    runs = {str(row[0]): dict(zip(keys, row, strict=True)) for row in table.cells()}
    found = part.differences
    assert found is not None
    beaten = dict.fromkeys(comparison.runs, 0)
    for a, b, low, high in zip(found.a, found.b, *found.simultaneous_interval.T, strict=True):
        if low > 0:
            beaten[comparison.runs[b]] += 1
        elif high < 0:
            beaten[comparison.runs[a]] += 1
    best = {run: int(str(row["rank_interval"]).partition(" ")[0]) - 1 for run, row in runs.items()}
    assert best == beaten
    verdict = decide_runs(comparison, part)
    assert verdict.may_be_best == sum(count == 0 for count in beaten.values())
    assert verdict.level is not None
    assert len(verdict.level) + 1 == sum(row["standing"] == FIRST for row in runs.values())
    assert verdict.clear_pairs == sum(beaten.values())


@pytest.mark.parametrize("told", CASES, indirect=True)
def test_what_contradicted_itself_is_gone(told: Report) -> None:
    """No share of a variance, nothing above 100 of 100, no 'a to b to c', no headline from few judgments."""
    document = json.loads(told.to_json())
    texts = [*document["summary"]]
    for section in document["sections"]:
        texts += [section["answer"]["text"], *section["paragraphs"]]
    whole = " ".join(texts)
    assert "variance" not in whole
    assert not re.search(r"\b(1[0-9][1-9]|1[1-9]\d|[2-9]\d\d) ?(%|of 100\b)", whole)
    assert not re.search(r"\d to \d+ to \d", whole)
    facts = document["verdict"]["facts"]
    grades = facts.get("grades", {"topics": 0, "grades": []})
    if grades["topics"] < 20 or max((one["second_opinions"] for one in grades["grades"]), default=0) < 100:
        assert not any("users of 100 who find a grade" in one["label"] for one in document["verdict"]["numbers"])
    own = {section["id"]: section["facts"] for section in document["sections"]}
    pairs = {own["grades"]["grades"][0]["pairs"]} if "grades" in own else set()
    pairs |= {own["amount"]["pairs"]} if "amount" in own else set()
    assert len(pairs) <= 1


@pytest.mark.parametrize("told", ["demo", "annotators"], indirect=True)
def test_no_column_repeats_one_number(told: Report) -> None:
    """No table of several rows says the same count in every row."""
    for section in told.content.sections:
        for named in section.tables:
            table = named.table
            if table.height > 2:
                for at, column in enumerate(table.columns):
                    cells = {column.show(row[at]) for row in table.cells()}
                    assert len(cells) > 1 or not isinstance(table.cells()[0][at], int), (named.id, column.key)


@pytest.mark.parametrize("told", CASES, indirect=True)
def test_words_of_the_trade_stay_in_the_tables(told: Report) -> None:
    """Outside tables nobody needs the paper: no PRM, p(R|i), gains, tau, plug-in, comonotone, threshold."""
    document = json.loads(told.to_json())
    texts = [*document["summary"], *(step["text"] for step in document["verdict"]["steps"])]
    for section in document["sections"]:
        if section["id"] == "remarks":  # warnings are for those who made the data
            continue
        texts += [section["title"], section["answer"]["text"], *section["paragraphs"]]
        texts += [text for figure in section["figures"] for text in (figure["heading"], figure["caption"])]
    for text in texts:
        assert not re.search(r"PRM|p\(R|\bgains?\b|\btau\b|plug-in|comonotone|resampl|threshold|significan", text), text
