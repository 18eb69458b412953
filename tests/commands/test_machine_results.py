"""What the commands about machines give: lists for people without the machine's word, gains as lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from click.testing import Result
from tests.collections import World

import gainsayer as gs
from gainsayer.errors import CallError

Run = Callable[..., Result]


def test_a_sample_is_its_seed_and_hides_the_grade(world: World) -> None:
    """The same seed draws the same documents, chances add up to what was asked for, and the order tells nothing."""
    one, two = (gs.machine.sample(world.machine, world.runs, measures="DCG@10", labels=300, seed=5) for _ in range(2))
    assert one.rows().cells() == two.rows().cells()
    assert one.probability.sum() == pytest.approx(300, abs=1e-6)
    assert one.text.splitlines()[0] == "topic\tdocument"
    assert all(len(line.split("\t")) == 2 for line in one.text.splitlines())
    topics = one.to_polars()["topic"].to_list()
    assert topics != sorted(topics)


def test_gains_are_written_as_they_are(world: World) -> None:
    """A line per document of the machine's pool, and the number on it is the gain to the last digit."""
    table = gs.machine.gains(world.machine, people=world.people, threshold=2)
    head, *lines = table.text.splitlines()
    assert head.split("\t") == ["topic", "document", "gain"]
    assert len(lines) == sum(len(documents) for documents in world.machine.values())
    written = {(topic, document): float(gain) for topic, document, gain in (line.split("\t") for line in lines)}
    assert written == {(topic, document): gain for topic, document, gain in table.gains.rows()}


def rename(name: str) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """A machine's grades and a run of eight topics, with a document of this name in each."""
    grades = {f"q{t}": {**{f"d{d}": (t + d) % 3 for d in range(8)}, name: 2} for t in range(8)}
    run = {topic: {name: -float(rank) for rank, name in enumerate(names)} for topic, names in grades.items()}
    return grades, run


@pytest.mark.parametrize("name", ["a\tb", '"a"', 'a"b', "a,b", "a b"])
def test_a_list_comes_back_as_it_was_written(tmp_path: Path, name: str) -> None:
    """Names with tabs, quotes and blanks are read again from the list, next to labels and without them."""
    grades, run = rename(name)
    drawn = gs.machine.sample(grades, run, measures="DCG@5", labels=72)
    path = tmp_path / "drawn.tsv"
    path.write_text(drawn.text)
    table = gs.machine.score(grades, run, people=grades, sample=drawn, threshold=2, measures="DCG@5")
    assert table.material.sample is not None
    assert table.material.sample.labels == 72
    head, *lines = drawn.text.splitlines()
    path.write_text(f"{head}\tlevel\n" + "".join(f"{line}\t{at % 2}\n" for at, line in enumerate(lines)))
    judged = gs.read_judgments(path).to_polars()
    assert judged.sort("topic", "document")["document"].to_list() == (
        drawn.to_polars().sort("topic", "document")["document"].to_list()
    )


@pytest.mark.parametrize("name", ["a\nb", "a\rb"])
def test_a_name_with_a_line_break_is_refused(run: Run, tmp_path: Path, name: str) -> None:
    """No reader of lists takes it, so it is not written."""
    grades, ranked = rename(name)
    rows = [(topic, document, level) for topic, levels in grades.items() for document, level in levels.items()]
    pl.DataFrame(rows, schema=["topic", "document", "level"], orient="row").write_csv(tmp_path / "machine.csv")
    rows = [(topic, document, score) for topic, scores in ranked.items() for document, score in scores.items()]
    pl.DataFrame(rows, schema=["topic", "document", "score"], orient="row").write_csv(tmp_path / "run.csv")
    done = run(
        "machine", "sample", "--machine", tmp_path / "machine.csv", "--runs", tmp_path / "run.csv", "-o", tmp_path / "o"
    )
    assert done.exit_code == 1
    assert f"The name {name!r} holds a line break" in done.stderr


def test_flags_are_a_list_in_json_and_words_elsewhere(world: World) -> None:
    """What is nested in JSON is flat in CSV and data frames, also of a table asked for by its name."""
    table = gs.machine.score(
        world.machine,
        world.runs,
        people=world.people,
        threshold=2,
        measures=["DCG@10", "P@5"],
        reranked_by_judge=["run0"],
        pairwise=True,
    )
    first = json.loads(table.to_json())["runs"][0]["scores"][0]
    for text in (table.to_csv(), table.to_csv("DCG@10")):
        row = next(csv.DictReader(io.StringIO(text)))
        assert row["flags"] == " ".join(first["flags"])
        assert float(row["people_alone"]) == first["people_alone"]["value"]
        assert float(row["machine_raw"]) == first["machine_alone"]["raw"]
        assert [float(row["lower"]), float(row["upper"])] == first["interval"]
    assert table.to_polars("differences").height == 2 * 28


def test_without_people_scores_are_numbers_that_are_not_known(world: World) -> None:
    """The columns of a data frame keep their types, and there is nothing to draw."""
    known = gs.machine.score(world.machine, world.runs, people=world.people, threshold=2, measures="DCG@10")
    alone = gs.machine.score(world.machine, world.runs, threshold=2, measures="DCG@10")
    differing = {name for name, kind in known.to_polars().schema.items() if alone.to_polars().schema[name] != kind}
    assert differing == {"order"}  # whole numbers, where there are any
    assert alone.to_polars()["machine_raw"].null_count() == 0
    assert known.plot().kind == "RunArrows"
    with pytest.raises(CallError, match="no person judged a document"):
        alone.plot()
