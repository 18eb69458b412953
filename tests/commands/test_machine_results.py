"""What the commands about machines give: lists for people without the machine's word, gains as lines."""

from __future__ import annotations

import csv
import io
import json

import pytest
from tests.collections import World

import gainsayer as gs
from gainsayer.commands.figures.run_arrows import RunArrows
from gainsayer.errors import CallError


def test_a_sample_is_its_seed_and_hides_the_grade(world: World) -> None:
    """The same seed draws the same documents, chances add up to what was asked for, and the order tells nothing."""
    one, two = (gs.machine.sample(world.machine, world.runs, measures="DCG@10", labels=300, seed=5) for _ in range(2))
    assert one.rows().cells() == two.rows().cells()
    assert one.probability.sum() == pytest.approx(300, abs=1e-6)
    assert one.text.splitlines()[0] == "topic\tdocument\tprobability"
    assert all(len(line.split("\t")) == 3 for line in one.text.splitlines())
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
    assert "named" in first["flags"]
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
    assert isinstance(known.plot(), RunArrows)
    with pytest.raises(CallError, match="no person judged a document"):
        alone.plot()
