"""With which chance people were asked about a document: read, assumed, or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import Result
from tests.collections import World

import gainsayer as gs
from gainsayer.errors import CallError, DataError, FormatError

Run = Callable[..., Result]


def test_probabilities_come_from_the_labels_or_from_beside_them(world: World) -> None:
    """A column of probabilities, one of weights, a table beside the labels and a mapping give the same scores."""
    judged = world.drawn(600)
    apart = judged.drop("probability")
    weighted = apart.with_columns((1 / judged["probability"]).alias("weight"))
    chances: dict[str, dict[str, float]] = {}
    for topic, document, chance, _ in judged.iter_rows():
        chances.setdefault(topic, {})[document] = chance

    def scores(people: object, **options: object) -> list[float]:
        table = gs.machine.score(world.machine, world.runs, people=people, threshold=2, measures="P@10", **options)
        assert table.parts[0].scores is not None
        return list(table.parts[0].scores.estimate.score)

    expected = scores(judged)
    assert scores(weighted) == pytest.approx(expected)
    assert scores(apart, sample=judged) == pytest.approx(expected)
    assert scores(apart, sample=chances) == pytest.approx(expected)


def test_observed_shares_are_said_to_be_assumed(world: World) -> None:
    """Without chances, the share judged of each grade serves where it is asked for, with a finding."""
    judged = world.drawn(600).drop("probability")
    table = gs.machine.score(world.machine, world.runs, people=judged, threshold=2, measures="P@10", sample="observed")
    assert "design-assumed" in [finding.code for finding in table.findings]


def test_the_design_is_never_guessed(world: World) -> None:
    """Chances mean documents of all topics, however many of these are empty, unless somebody says two stages."""
    judged = world.drawn(600)
    some = judged.filter(pl.col("topic") < "q20")

    def design(people: pl.DataFrame, **options: object) -> tuple[str, int]:
        table = gs.machine.score(world.machine, world.runs, people=people, threshold=2, measures="P@10", **options)
        assert table.material.sample is not None
        return table.material.sample.design, table.material.sample.seen_topics

    assert design(judged) == ("documents", 50)
    assert design(some) == ("documents", 50)
    assert design(some, design="two-stage") == ("two-stage", 20)
    assert design(world.drawn(60)) == ("documents", 50)
    with pytest.raises(DataError, match="nobody says with which chances"):
        design(judged.drop("probability"))


def test_topics_without_labels_count(world: World) -> None:
    """Forty labels leave topics empty; the score is for all of them, as everything judged would give it."""
    drawn = [world.drawn(40, seed) for seed in range(12)]
    assert all(people["topic"].n_unique() < 45 for people in drawn)
    found = []
    for people in drawn:
        table = gs.machine.score(world.machine, world.runs, people=people, threshold=2, measures="DCG@10")
        assert table.parts[0].scores is not None
        found.append(table.parts[0].scores.estimate.score)
    weights = np.where(world.rank < 10, 1 / np.log2(world.rank + 2.0), 0.0)
    truth = (weights * world.told).sum(axis=2).mean(axis=1)
    off = np.mean(found, axis=0) - truth
    assert np.abs(off).max() < 3.5 * np.std(found, axis=0, ddof=1).max() / np.sqrt(12)


def test_scores_beyond_the_measure_are_refused(world: World) -> None:
    """Chances far too small make documents stand for more than there are."""
    wrong = world.drawn(600).with_columns(pl.col("probability") / 20)
    with pytest.raises(DataError, match=r"it lies between 0 and 4\.54\. Either the chances are not those"):
        gs.machine.score(world.machine, world.runs, people=wrong, threshold=2, measures="DCG@10", target="these")


def test_intervals_stay_within_the_measure(world: World) -> None:
    """Few labels: scores and ends are cut to what P@10 can be."""
    table = gs.machine.score(world.machine, world.runs, people=world.drawn(40), threshold=2, measures="P@10")
    ends = np.array([run["scores"][0]["interval"] for run in json.loads(table.to_json())["runs"]])
    assert (ends >= 0).all()
    assert (ends <= 1).all()


def test_people_who_like_nothing_give_no_interval(world: World) -> None:
    """Not 0 from 0 to 0: no error was seen, which is not to say that there is none."""
    nothing = world.drawn(100).with_columns(pl.lit(0).alias("level"))
    table = gs.machine.score(
        world.machine, world.runs, people=nothing, threshold=2, measures=["DCG@10", "nDCG@10"], pairwise=True
    )
    said = json.loads(table.to_json())
    assert {str(score["interval"]) for run in said["runs"] for score in run["scores"]} == {"None"}
    assert {one["p"] for one in said["differences"]} == {None}
    assert "no-error-seen" in [finding.code for finding in table.findings]


def test_the_design_is_found_beside_the_list(world: World, tmp_path: Path) -> None:
    """A list filled in by people: the design next to it, or given, leads to the same; its chances are all known."""
    drawn = gs.machine.sample(world.machine, world.runs, measures="nDCG@10", labels=500, seed=2)
    filled = drawn.to_polars().with_columns(
        pl.struct("topic", "document")
        .map_elements(lambda x: world.people[x["topic"]][x["document"]], pl.Int64)
        .alias("label")
    )
    filled.write_csv(tmp_path / "people.csv")
    (tmp_path / "people.design.json").write_text(drawn.design.to_json())
    asked = {"threshold": 2, "measures": "nDCG@10", "target": "these"}
    beside = gs.machine.score(world.machine, world.runs, people=tmp_path / "people.csv", **asked)
    given = gs.machine.score(world.machine, world.runs, people=filled, sample=drawn, **asked)
    named = gs.machine.score(world.machine, world.runs, people=filled, sample=tmp_path / "people.design.json", **asked)
    for table in (beside, given, named):
        assert table.material.sample is not None
        assert table.material.sample.all_chances_known
        assert np.isfinite(table.to_polars()["lower"].to_numpy()).all()
        assert table.to_polars()["value"].to_list() == beside.to_polars()["value"].to_list()
    alone = filled.join(drawn.design.chances, on=["topic", "document"])
    lacking = gs.machine.score(world.machine, world.runs, people=alone, **asked)
    assert "no-ndcg-interval" in [finding.code for finding in lacking.findings]


def test_more_labels_keep_those_there_are(world: World) -> None:
    """More and targeted documents are new ones, the designs together have the larger chances, and scores hold."""
    first = gs.machine.sample(world.machine, world.runs, measures="DCG@10", labels=200, seed=3)
    more = gs.machine.sample(world.machine, world.runs, more=200, sample=first)
    aimed = gs.machine.sample(world.machine, world.runs, suspect="run4", sample=more)
    lists = [set(part.to_polars().iter_rows()) for part in (first, more, aimed)]
    assert not lists[0] & lists[1]
    assert not (lists[0] | lists[1]) & lists[2]
    assert set(aimed.design.drawn.iter_rows()) == lists[0] | lists[1] | lists[2]
    assert aimed.design.suspects == ("run4",)
    assert (aimed.probability >= more.probability).all()
    assert more.probability.sum() == pytest.approx(400, abs=1e-4)
    assert aimed.probability.sum() == pytest.approx(500, abs=1e-4)
    rows = [(topic, name, world.people[topic][name]) for part in lists for topic, name in part]
    people = pl.DataFrame(rows, schema=["topic", "document", "level"], orient="row")
    check = gs.machine.check(world.machine, world.runs, people=people, sample=aimed, threshold=2)
    assert any(test.named and test.runs == (4,) for test in check.verdict.favour.tests)
    assert not {finding.code for finding in check.findings} & {"people-skipped", "outside-sample"}
    with pytest.raises(CallError, match="not both"):
        gs.machine.sample(world.machine, world.runs, more=5, suspect="run4", sample=first)
    with pytest.raises(CallError, match="Leave out people="):
        gs.machine.sample(world.machine, world.runs, more=5, sample=first, people=people)


def test_a_design_is_not_contradicted(world: World) -> None:
    """What was drawn as documents of all topics is no sample of two stages because somebody says so."""
    drawn = gs.machine.sample(world.machine, world.runs, measures="DCG@10", labels=300, seed=4)
    rows = [(t, d, world.people[t][d]) for t, d in drawn.to_polars().iter_rows()]
    people = pl.DataFrame(rows, schema=["topic", "document", "level"], orient="row")
    asked = {"people": people, "sample": drawn, "threshold": 2}
    for kind in ("two-stage", "topics"):
        with pytest.raises(CallError, match=f"design='{kind}' contradicts the design of this sample"):
            gs.machine.score(world.machine, world.runs, design=kind, **asked)
    assert gs.machine.score(world.machine, world.runs, design="documents", **asked).material.sample is not None


def test_labels_outside_the_sample_are_left_out(world: World) -> None:
    """What people judged unasked has no chance, and does not count."""
    drawn = gs.machine.sample(world.machine, world.runs, measures="DCG@10", labels=300, seed=4)
    asked = set(drawn.to_polars().iter_rows())
    rows = [(t, d, world.people[t][d]) for t, d in asked]
    other = [(t, d, level) for t, docs in world.people.items() for d, level in docs.items() if (t, d) not in asked]
    people = [
        pl.DataFrame(part, schema=["topic", "document", "level"], orient="row") for part in (rows, rows + other[:9])
    ]
    right, more = (
        gs.machine.score(world.machine, world.runs, people=one, sample=drawn, threshold=2, measures="DCG@10")
        for one in people
    )
    assert more.to_polars()["value"].to_list() == right.to_polars()["value"].to_list()
    said = {finding.code: finding.message for finding in more.findings}
    assert "People judged 9 documents that were not drawn" in said["outside-sample"]


def test_a_design_of_other_grades_is_refused(world: World, tmp_path: Path) -> None:
    """Not a design at all; a design for another machine."""
    (tmp_path / "odd.json").write_text('{"kind": "guess"}')
    with pytest.raises(FormatError, match="is not a design that 'machine sample' wrote"):
        gs.machine.score(world.machine, world.runs, people=world.people, sample=tmp_path / "odd.json", threshold=2)
    first = gs.machine.sample(world.machine, world.runs, labels=100)
    two = {t: {d: min(level, 1) for d, level in docs.items()} for t, docs in world.machine.items()}
    with pytest.raises(CallError, match="drawn by other grades"):
        gs.machine.sample(two, world.runs, more=10, sample=first)


def test_holes_in_whole_topics_are_refused(world: World) -> None:
    """Topics that people judged in part are no whole topics, whatever is said."""
    part = {t: dict(list(docs.items())[:60]) for t, docs in world.topics(20).items()}
    asked = {"people": part, "threshold": 2, "measures": "DCG@10"}
    with pytest.raises(DataError, match="nobody says with which chances"):
        gs.machine.score(world.machine, world.runs, **asked)
    with pytest.raises(DataError, match=r"left out more than 2% of the documents that count .* sample='observed'"):
        gs.machine.score(world.machine, world.runs, design="topics", **asked)


def test_documents_said_to_be_certain_are_refused(world: World) -> None:
    """A probability of 1 on hand-picked documents says that all were picked, or that whole topics were judged."""
    picked = world.drawn(600).with_columns(pl.lit(1.0).alias("probability"))
    with pytest.raises(DataError, match="these are not the chances by which documents were drawn"):
        gs.machine.score(world.machine, world.runs, people=picked, threshold=2, measures="DCG@10")


def test_whole_topics_are_whole_for_every_question(world: World) -> None:
    """Drawn documents said to be whole topics are refused by the check and by gains as by scores."""
    asked = {"people": world.drawn(600).drop("probability"), "design": "topics", "threshold": 2}
    for ask in (gs.machine.check, gs.machine.score):
        with pytest.raises(DataError, match="so these are not whole topics"):
            ask(world.machine, world.runs, **asked)
    with pytest.raises(DataError, match="so these are not whole topics"):
        gs.machine.gains(world.machine, **asked)


def test_designs_that_cannot_be_right_are_refused(world: World, tmp_path: Path) -> None:
    """Another draw, a part of the lists, edited chances and lists, a machine without many of the documents."""
    first, other = (
        gs.machine.sample(world.machine, world.runs, measures="DCG@10", labels=300, seed=seed) for seed in (1, 2)
    )
    more = gs.machine.sample(world.machine, world.runs, more=100, sample=first)

    def label(drawn: gs.SampleTable) -> pl.DataFrame:
        rows = [(t, d, world.people[t][d]) for t, d in drawn.to_polars().iter_rows()]
        return pl.DataFrame(rows, schema=["topic", "document", "level"], orient="row")

    def refused(words: str, design: object, drawn: gs.SampleTable = first, machine: object = None) -> None:
        asked = {"people": label(drawn), "sample": design, "threshold": 2}
        with pytest.raises(DataError, match=words):
            gs.machine.check(machine or world.machine, world.runs, **asked)

    refused("have no label, so these labels are of another sample", other.design)
    refused("or of a part of this one", more.design, more)
    written = json.loads(first.design.to_json())
    certain = {t: dict.fromkeys(some, 1.0) for t, some in written["chances"].items()}
    refused("The design does not fit itself", written | {"chances": certain})
    fewer = {t: some[1:] for t, some in written["drawn"].items()}
    refused("The design does not fit itself", written | {"drawn": fewer})
    part = {t: {d: level for d, level in docs.items() if d[-1] not in "123"} for t, docs in world.machine.items()}
    refused("documents of the design have no grade of the machine", first.design, machine=part)
    (tmp_path / "new.json").write_text(json.dumps(written | {"schema_version": 9}))
    with pytest.raises(FormatError, match="its schema_version is 9"):
        gs.machine.check(world.machine, world.runs, people=label(first), sample=tmp_path / "new.json", threshold=2)
    with pytest.raises(CallError, match=r"^[^:]*none.json[^:]*$"):
        gs.machine.check(world.machine, world.runs, people=label(first), sample=tmp_path / "none.json", threshold=2)


def test_a_large_design_keeps_usual_chances(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chances unlike the usual one of topic and grade are listed; the same come back, for the same grades alone."""
    small = gs.machine.sample(world.machine, world.runs, measures="nDCG@10", labels=300, seed=2)
    monkeypatch.setattr("gainsayer.commands.machine_design.MOST_LISTED", 100)
    large = gs.machine.sample(world.machine, world.runs, measures="nDCG@10", labels=300, seed=2)
    assert large.design.chances is not None
    tops = {
        (t, d)
        for run in world.runs.values()
        for t, some in run.items()
        for d in sorted(some, key=some.__getitem__)[-10:]
    }
    assert len(large.design.chances) <= len(tops)
    written = json.loads(large.design.to_json())
    rows = [(t, d, world.people[t][d]) for t, d in small.to_polars().iter_rows()]
    people = pl.DataFrame(rows, schema=["topic", "document", "level"], orient="row")
    asked = {"people": people, "threshold": 2, "measures": "nDCG@10"}
    whole, short = (
        gs.machine.score(world.machine, world.runs, sample=given, **asked) for given in (small.design, written)
    )
    assert short.to_polars()["lower"].to_list() == whole.to_polars()["lower"].to_list()
    other = {t: {d: 3 - level for d, level in docs.items()} for t, docs in world.machine.items()}
    with pytest.raises(DataError, match="The machine has other grades"):
        gs.machine.score(other, world.runs, sample=written, **asked)


def test_a_design_by_hand_says_its_kind(world: World, tmp_path: Path) -> None:
    """Whole topics, said in a file of the kind alone."""
    (tmp_path / "topics.json").write_text('{"kind": "topics"}')
    people = world.topics(20)
    asked = {"people": people, "threshold": 2, "measures": "AP"}
    by_hand = gs.machine.score(world.machine, world.runs, sample=tmp_path / "topics.json", **asked)
    assert by_hand.material.sample is not None
    assert (by_hand.material.sample.design, by_hand.material.sample.seen_topics) == ("topics", 20)


def test_impossible_and_lacking_chances_are_refused(world: World) -> None:
    """A chance of 0, and judged documents without a chance."""
    judged = world.drawn(600)
    zero = judged.with_columns(
        pl.when(pl.int_range(len(judged)) == 0).then(0.0).otherwise("probability").alias("probability")
    )
    with pytest.raises(DataError, match="has 0 as its probability"):
        gs.machine.score(world.machine, world.runs, people=zero, threshold=2, measures="DCG@10")
    with pytest.raises(DataError, match="nobody says with which chances"):
        gs.machine.score(world.machine, world.runs, people=judged.drop("probability"), design="documents", threshold=2)
    with pytest.raises(DataError, match="100 documents that people judged have no probability"):
        gs.machine.score(
            world.machine,
            world.runs,
            people=judged.drop("probability"),
            sample=judged[100:],
            threshold=2,
            measures="DCG@10",
        )


def test_heavy_weights_are_said(world: World) -> None:
    """A label that stands for more than 50 documents is named."""
    chance = pl.when(pl.int_range(pl.len()) == 5).then(0.015).otherwise("probability").alias("probability")
    judged = world.drawn(600).with_columns(chance)
    table = gs.machine.score(world.machine, world.runs, people=judged, threshold=2, measures="DCG@10")
    heavy = [finding.message for finding in table.findings if finding.code == "heavy-weights"]
    assert "stands for up to 67 documents" in heavy[0]
