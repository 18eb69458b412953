"""A machine in `report` and `compare`: the verdict first, an arrow per run, and a warning where it takes a side."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from click.testing import Result
from tests.unit.evaluation.machine_collection import World

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.presentation.figures import RunArrows
from gainsayer.presentation.figures.run_arrows import MOST_DRAWN


def judged_by(world: World, who: str, labels: int = 600) -> pl.DataFrame:
    """People's labels of drawn documents, under a name."""
    return world.drawn(labels).with_columns(pl.lit(who).alias("assessor"))


def as_table(world: World, who: str) -> pl.DataFrame:
    """The machine's grades, under a name."""
    rows = [(t, d, who, level) for t, docs in world.machine.items() for d, level in docs.items()]
    return pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")


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
    direct = gs.machine.score(
        as_table(world, "gpt"), world.runs, people=judged_by(world, "ann"), threshold=2, measures="DCG@10"
    )
    assert section.answer.text == f"gpt {direct.verdict.text.removeprefix('It ')}"
    verdict = made.content.verdict
    assert f"{verdict.headline} {verdict.lead[0].text}" == section.answer.text
    assert isinstance(verdict.main[0], RunArrows)
    assert verdict.main[0].people == section.figures[0].people  # type: ignore[attr-defined]
    assert direct.parts[0].scores is not None
    assert direct.parts[0].raw is not None
    figure = section.figures[0]
    assert isinstance(figure, RunArrows)
    assert figure.people == pytest.approx(tuple(direct.parts[0].scores.estimate.score))
    assert figure.machine == pytest.approx(tuple(direct.parts[0].raw))
    assert figure.labels == len(world.drawn(600))
    page = made.to_html()
    assert page.index("may the machine be used alone?") < page.index("What should a reader keep in mind?")
    assert "machine-side" in [finding.code for finding in made.findings]
    told = json.loads(made.to_json())["sections"][0]
    assert told["facts"]["labels of people"] == figure.labels


def test_what_cannot_be_rectified_is_said(world: World) -> None:
    """A measure that needs whole topics leaves the section out, and says why."""
    made = gs.report(
        [as_table(world, "gpt"), judged_by(world, "ann")],
        world.runs,
        "AP",
        machine="gpt",
        first="gpt",
        second="ann",
        estimator="one-sided",
        threshold=2,
        permutations=200,
    )
    assert "machine-scores" not in [section.id for section in made.content.sections]
    said = [finding.message for finding in made.findings if finding.code == "study-left-out"]
    assert any("AP needs whole topics" in message for message in said)


def test_arrows_say_how_far_the_machine_is_off() -> None:
    """The title has the mean and the largest change; at most sixteen runs are drawn, all of them listed."""
    runs = tuple(f"run{place}" for place in range(40))
    people = tuple(1.0 + 0.01 * place for place in range(40))
    machine = tuple(value + 0.2 + (0.3 if place == 7 else 0.0) for place, value in enumerate(people))
    figure = RunArrows("arrows", "DCG@10", runs, machine, people, people, people, 300)
    assert figure.title == "The machine alone scores runs 0.21 too high on average, run7 by 0.50"
    assert len(figure.table().rows) == 40
    assert "".join(figure.draw().marks).count("<circle") == MOST_DRAWN
    assert (
        "run7: 1.57 by the machine alone, 1.07 for people"
        in RunArrows("arrows", "DCG@10", runs[:10], machine[:10], people[:10], people[:10], people[:10], 300).svg()
    )


def test_compare_warns_of_a_machine_that_takes_a_side(run: Callable[..., Result], tmp_path: Path) -> None:
    """machine-side where a machine's labels score, or where it stands for users; none where it is not declared."""
    folder = tmp_path / "twin"
    gs.simulate(folder, topics=12, documents=30, runs=3, machine="gpt", shares=(0.4, 0.2, 0.2, 0.2))
    person, machine = folder / "first.qrels", folder / "gpt.qrels"
    asked = {"runs": folder / "runs", "measures": "nDCG@10", "threshold": 2, "permutations": 200}
    for files, words in (
        ((machine, person), "Runs are scored by the grades of gpt"),
        ((person, machine), "gpt, a machine, stands for the users"),
    ):
        table = gs.compare(list(files), machine="gpt", **asked)  # type: ignore[arg-type]
        assert words in {finding.code: finding.message for finding in table.findings}["machine-side"]
    plain = gs.compare([machine, person], **asked)  # type: ignore[arg-type]
    assert "machine-side" not in [finding.code for finding in plain.findings]
    with pytest.raises(CallError, match="There is no assessor 'x'"):
        gs.compare(person, machine="x", **asked)  # type: ignore[arg-type]
    done = run(
        *("compare", machine, "--runs", folder / "runs", "--machine", "gpt", "--permutations", "200"),
        *("-m", "P@5", "--format", "json"),
    )
    assert done.exit_code == 0, done.output
    assert "machine-side" in [one["code"] for one in json.loads(done.stdout)["warnings"]]


def test_a_confidence_takes_the_place_of_grades(world: World) -> None:
    """A column `confidence` is binned, and its worth rises; it predicts people better than a coarse grade."""
    sure = as_table(world, "gpt").with_columns(
        (pl.col("level") / 3 + pl.int_range(pl.len()).mod(7) / 100).alias("confidence"), (pl.col("level") > 0).cast(int)
    )
    fine = gs.machine.gains(sure, people=world.people, threshold=2)
    coarse = gs.machine.gains(sure.drop("confidence"), people=world.people, threshold=2)
    assert len(fine.prediction.names) == 8
    assert (fine.prediction.values.value[1:] >= fine.prediction.values.value[:-1]).all()
    assert fine.prediction.machines[-1].brier < coarse.prediction.machines[-1].brier
    two = pl.concat([sure, sure.with_columns(pl.lit("llama").alias("assessor"))])
    with pytest.raises(CallError, match="A confidence is one machine's"):
        gs.machine.gains(two, people=world.people, threshold=2)


def test_a_confidence_is_read_from_a_file(world: World, tmp_path: Path) -> None:
    """A table with a header that names it, as the command line has it."""
    sure = as_table(world, "gpt").with_columns((pl.col("level") / 3).alias("confidence"))
    sure.write_csv(tmp_path / "gpt.tsv", separator="\t")
    table = gs.machine.gains({"gpt": tmp_path / "gpt.tsv"}, people=world.people, threshold=2)
    plain = gs.machine.gains(world.machine, people=world.people, threshold=2)
    assert table.gains.value == pytest.approx(plain.gains.value, abs=1e-9)
