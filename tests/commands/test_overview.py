"""Everything a report can say: what the data allows, and each run file opened once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.collections import World, as_table, judged_by

import gainsayer as gs
from gainsayer import Reading
from gainsayer.errors import DataError, PairingError
from gainsayer.reports.overview import Overview


@pytest.fixture(scope="module")
def folder(simulated_files: Callable[..., Path]) -> Path:
    """Twelve topics, some judged twice, three runs, two strata."""
    return simulated_files(topics=12, documents=30)


def look(folder: Path, *, runs: bool = True, files: tuple[str, ...] = ("first", "second"), **given: Any) -> Overview:
    """An overview of the collection."""
    reading = Reading(tuple(folder / f"{name}.qrels" for name in files), strata=given.pop("strata", None))
    asked = {"resamples": 100, "permutations": 100, **given}
    return gs.report(reading, folder / "runs" if runs else None, "nDCG@10", **asked).overview


def test_all_of_it(folder: Path) -> None:
    """Two sides and several runs allow every part but a machine's and that of two runs; gains as in `compare`."""
    found = look(folder, strata=folder / "strata.tsv")
    lacking = [name for name, value in vars(found).items() if value is None]
    assert lacking == ["machine", "rectified", "best_case"]
    assert found.comparison is not None
    kinds = [part.scheme.name for part in found.comparison.parts]
    assert kinds == ["prm", "binary"]
    assert found.strata.keys() == {"nav", "inf"}
    of_strata = found.strata["nav"][1]
    assert of_strata is not None
    assert [part.scheme.name for part in of_strata.parts] == ["prm", "binary"]
    assert [Path(file).name for file in found.files] == ["best.run", "fair.run", "poor.run"]


def test_judgments_alone(folder: Path) -> None:
    """Without runs there is everything about the judgments, and nothing about runs."""
    found = look(folder, runs=False)
    assert found.agreement is not None
    assert found.amount is not None
    assert (found.comparison, found.robustness, found.quality, found.users, found.files) == (None, None, None, None, ())


def test_one_assessor(folder: Path) -> None:
    """Without second opinions runs are compared, and nothing is estimated; two who share no document are refused."""
    found = look(folder, files=("first",))
    assert (found.fit, found.agreement, found.amount) == (None, None, None)
    assert found.comparison is not None
    with pytest.raises(PairingError):
        look(folder, files=("first",), first="first", second="first")


def test_asked_for_gains_are_used(folder: Path) -> None:
    """Gains that were asked for are those of the comparison."""
    comparison = look(folder, gains="linear").comparison
    assert comparison is not None
    assert [part.scheme.name for part in comparison.parts] == ["linear"]


def test_confidence_is_that_of_every_interval(folder: Path) -> None:
    """One confidence for agreement, parameters and comparison."""
    found = look(folder, confidence=0.8)
    assert found.agreement is not None
    assert found.fit is not None
    assert found.comparison is not None
    assert {found.agreement.confidence, found.fit.predict().confidence, found.comparison.confidence} == {0.8}


def test_each_file_is_opened_once(folder: Path) -> None:
    """`report` opens a file once, its SHA-256 included; an audit hook sees every opening."""
    code = """
import collections, json, sys
from gainsayer.reports.report import report
opened = collections.Counter()
sys.addaudithook(lambda event, given: opened.update([str(given[0])]) if event == "open" else None)
made = report([sys.argv[1] + "/first.qrels", sys.argv[1] + "/second.qrels"], sys.argv[1] + "/runs", resamples=100)
assert made.overview.robustness is not None and made.overview.quality is not None
assert all(digest for _, digest in made.provenance.files) and len(made.provenance.files) == 5
print(json.dumps({name: count for name, count in opened.items() if name.endswith((".run", ".qrels"))}))
"""
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
    opened = json.loads(done.stdout)
    assert {Path(name).name: count for name, count in opened.items()} == dict.fromkeys(
        ("first.qrels", "second.qrels", "best.run", "fair.run", "poor.run"), 1
    )


def test_without_people_no_run_is_best(world: World) -> None:
    """The machine's grades alone rank nothing: no run leads, no figure, and its scores stand in one table."""
    made = gs.report(as_table(world, "gpt"), world.runs, "DCG@10", machine="gpt", threshold=2)
    verdict = made.content.verdict
    assert verdict.headline == "Which run is best for people is not known: no person judged a document."
    assert verdict.steps[0].text.startswith("Publish none of these scores")
    assert verdict.main == ()
    assert [section.id for section in made.content.sections] == ["machine-scores"]


def test_the_report_has_the_scores_people_would_give(world: World) -> None:
    """With a machine, drawn labels and runs: the section stands first, verdict first, with an arrow per run."""
    made = gs.report(
        [as_table(world, "gpt"), judged_by(world, "ann")],
        world.runs,
        "DCG@10",
        machine="gpt",
        first="gpt",
        second="ann",
        estimator="one-sided",
        threshold=2,
        permutations=500,
    )
    section = made.content.sections[0]
    assert section.id == "machine-scores"
    assert [one.id for one in made.content.sections] == ["machine-scores"]  # nothing ranks by the machine
    direct = gs.machine.score(
        as_table(world, "gpt"), world.runs, people=judged_by(world, "ann"), threshold=2, measures="DCG@10"
    )
    verdict = made.content.verdict
    assert verdict.headline == section.answer.text == direct.answer()[0]
    assert verdict.lead[0].text.startswith("Does gpt tell what people say? Yes. Its grades take")
    assert any(sentence.text.startswith("May runs be ranked by gpt?") for sentence in verdict.lead)
    assert section.figures == ()
    figure = verdict.main[0]
    assert figure.kind == "RunArrows"
    assert direct.parts[0].scores is not None
    assert direct.parts[0].raw is not None
    shown = {row["run"]: row for row in figure.table.records()}
    for run, people, machine in zip(direct.runs, direct.parts[0].scores.value, direct.parts[0].raw, strict=True):
        assert shown[run]["people"] == pytest.approx(people)
        assert shown[run]["machine"] == pytest.approx(machine)
    labels = len(world.drawn(600))
    assert f"with {labels:,} labels of people" in figure.caption
    page = made.to_html()
    assert page.index("May runs be ranked by gpt?") < page.index("What would people have scored?")
    told = json.loads(made.to_json())["sections"][0]
    assert told["facts"]["machine_scores"]["people"]["labels"] == labels


@pytest.mark.parametrize(
    ("measure", "chances", "said"),
    [("AP", True, "AP needs whole topics"), ("DCG@10", False, "nobody says with which chances")],
)
def test_nothing_is_ranked_by_the_machine(world: World, measure: str, chances: bool, said: str) -> None:
    """Where people's scores are refused the report is, in the words of `machine.score`."""
    people = judged_by(world, "ann")
    with pytest.raises(DataError, match=said):
        gs.report(
            [as_table(world, "gpt"), people if chances else people.drop("probability")],
            world.runs,
            measure,
            machine="gpt",
            threshold=2,
        )


def test_parts_of_one_sample_are_not_people(world: World, tmp_path: Path) -> None:
    """A list and what was drawn next to it come from whoever judged, in the report as in `machine.score`."""
    first = gs.machine.sample(world.machine, world.runs, measures="DCG@10", labels=300, seed=3)
    more = gs.machine.sample(world.machine, world.runs, more=200, sample=first)
    for name, part in (("people", first), ("more", more)):
        rows = [(topic, d, world.people[topic][d]) for topic, d in part.to_polars().iter_rows()]
        pl.DataFrame(rows, schema=["topic", "document", "label"], orient="row").write_csv(tmp_path / f"{name}.csv")
        (tmp_path / f"{name}.design.json").write_text(part.design.to_json())
    lists = [tmp_path / "people.csv", tmp_path / "more.csv"]
    table = gs.machine.score(world.machine, world.runs, people=lists, threshold=2, measures="DCG@10")
    as_table(world, "gpt").write_csv(tmp_path / "gpt.csv")
    made = gs.report([tmp_path / "gpt.csv", *lists], world.runs, "DCG@10", machine="gpt", threshold=2)
    assert made.content.verdict.headline == table.answer()[0]
    assert made.overview.rectified is not None
    assert made.overview.rectified.material.sample is not None
    assert made.overview.rectified.material.sample.people is None


def test_nothing_is_published_without_intervals(world: World) -> None:
    """Labels that are alike, and grades by dice for nDCG: the first screen says why, and what to do instead."""
    people = judged_by(world, "ann")
    nobody = people.with_columns(pl.lit(0).alias("level"))
    rng = np.random.default_rng(2)
    dice = {t: {d: int(rng.integers(4)) for d in docs} for t, docs in world.machine.items()}
    drawn = gs.machine.sample(dice, world.runs, measures="nDCG@10", labels=500, seed=1)
    rows = [(t, d, "ann", world.people[t][d]) for t, d in drawn.to_polars().iter_rows()]
    labels = pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")
    machine = [(t, d, "gpt", level) for t, docs in dice.items() for d, level in docs.items()]
    by_dice = pl.DataFrame(machine, schema=labels.schema, orient="row")
    asked = {"machine": "gpt", "threshold": 2}
    alike = gs.report([as_table(world, "gpt"), nobody], world.runs, "DCG@10", **asked).content.verdict
    told = gs.report([by_dice, labels], world.runs, "nDCG@10", sample=drawn, **asked).content.verdict
    assert "is not known: people said the same of everything" in alike.headline
    assert "is not known: the machine does not tell enough to find the ideal lists" in told.headline
    assert not alike.main
    assert "95 % interval" not in told.main[0].caption
    assert alike.steps[0].strong == "Publish none of these scores"
    assert told.steps[0].strong == "Report on DCG"
