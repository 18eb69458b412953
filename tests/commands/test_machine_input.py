"""What a person has, made into machine and people over one pool: several of either, other collections, gaps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import Result
from tests.collections import World, as_table

import gainsayer as gs
from gainsayer.errors import CallError, DataError

Run = Callable[..., Result]


def test_several_people_are_a_share(world: World) -> None:
    """Where people disagree, a document is worth the share of them that is satisfied."""
    other = {topic: {d: 2 - level for d, level in documents.items()} for topic, documents in world.people.items()}
    both = gs.machine.score(
        world.machine, world.runs, people=[("ann", world.people), ("bob", other)], threshold=2, measures="NumRel@10"
    )
    assert both.parts[0].scores is not None
    assert both.parts[0].scores.estimate.score == pytest.approx(np.full(8, 5.0))


def test_graded_gains_of_people(world: World) -> None:
    """A level worth .5 halves a linear score, and leaves nDCG of whole topics as it is; drawn documents do not tell."""
    for people, wanted in ((world.people, ["DCG@10", "nDCG@10"]), (world.drawn(600), ["DCG@10"])):
        full = gs.machine.score(world.machine, world.runs, people=people, gain={"2": 1.0}, measures=wanted)
        half = gs.machine.score(world.machine, world.runs, people=people, gain={"2": 0.5}, measures=wanted)
        for factor, one, two in zip((2, 1), full.parts, half.parts, strict=False):
            assert one.scores is not None
            assert two.scores is not None
            assert one.scores.estimate.score == pytest.approx(factor * two.scores.estimate.score, rel=1e-6)
    with pytest.raises(DataError, match=r"nDCG@10 cannot be estimated from documents drawn with more than two labels"):
        gs.machine.score(world.machine, world.runs, people=world.drawn(600), gain={"2": 0.5}, measures="nDCG@10")
    with pytest.raises(CallError, match="between 0 and 1"):
        gs.machine.score(world.machine, world.runs, people=world.people, gain={"2": 2.0})
    with pytest.raises(CallError, match="Give either these or a threshold"):
        gs.machine.score(world.machine, world.runs, people=world.people, gain={"2": 1.0}, threshold=2)


def test_repeated_calls_become_their_mean(world: World) -> None:
    """One machine twice: grades are bins of the mean of its calls, and worth what isotonic regression says."""
    lower = {t: {d: max(0, level - 1) for d, level in docs.items()} for t, docs in world.machine.items()}
    table = gs.machine.gains([("gpt", world.machine), ("gpt", lower)], people=world.people, threshold=2)
    assert len(table.prediction.names) == 4
    assert (np.diff(table.prediction.values.value) >= 0).all()
    assert [skill.name for skill in table.prediction.skills] == ["gpt"]


def test_several_machines_are_their_mean(world: World) -> None:
    """Two machines: gains by the mean of their grades, each rated alone and together; other grades have no mean."""
    rng = np.random.default_rng(0)
    noisy = {
        t: {d: int(np.clip(level + rng.integers(-1, 2), 0, 3)) for d, level in docs.items()}
        for t, docs in world.machine.items()
    }
    table = gs.machine.gains([("gpt", world.machine), ("llama", noisy)], people=world.people, threshold=2)
    assert [skill.name for skill in table.prediction.skills] == ["gpt", "llama", "gpt + llama"]
    assert table.prediction.names == ("0", "0.5", "1", "1.5", "2", "2.5", "3")
    assert (np.diff(table.prediction.values.value) >= 0).all()
    two = {t: {d: int(level > 1) for d, level in docs.items()} for t, docs in world.machine.items()}
    with pytest.raises(CallError, match=r"different grades have no mean \(gpt from 0 to 3; two from 0 to 1\)"):
        gs.machine.gains([("gpt", world.machine), ("two", two)], people=world.people, threshold=2)


def test_several_people_are_in_the_interval(world: World) -> None:
    """Five people who judge in turns, every third document by two: counted, agreeing, and in the interval."""
    names, judged = ("ann", "bob", "cyd", "dan", "eve"), world.drawn(600)
    rows = []
    for at, (topic, name, chance, level) in enumerate(judged.iter_rows()):
        rows.append((topic, name, names[at % 5], level if at % 7 else 2 - level, chance))
        if at % 3 == 0:
            rows.append((topic, name, names[(at + 1) % 5], level, chance))
    schema = ["topic", "document", "assessor", "level", "probability"]
    people = pl.DataFrame(rows, schema=schema, orient="row")
    asked = {"threshold": 2, "measures": "DCG@10", "target": "these"}
    table = gs.machine.score(world.machine, world.runs, people=people, **asked)
    said = " ".join(table.answer())
    assert f"From {len(rows):,} labels by 5 people on {len(judged)} documents, drawn in all 50 topics." in said
    assert "other people like these 5" in said
    agreed = gs.agree(people).agreement.coefficients["percent"].value
    assert f"Two people agree on {agreed:.0%}" in said
    one = people.with_columns(pl.lit("ann").alias("assessor")).unique(["topic", "document"], keep="first")
    alone = gs.machine.score(world.machine, world.runs, people=one, **asked)
    width, narrow = ((x.to_polars()["upper"] - x.to_polars()["lower"]).mean() for x in (table, alone))
    assert width > narrow
    three = people.with_columns(pl.col("assessor").replace({"dan": "ann", "eve": "bob"}))
    three = three.unique(["topic", "document", "assessor"], keep="first")
    few = gs.machine.score(world.machine, world.runs, people=three, **asked)
    assert "for these 3 people, not for others" in " ".join(few.answer())


def test_tuned_topics_are_left_out(world: World) -> None:
    """Topics that the machine was tuned on are scored nowhere."""
    table = gs.machine.score(
        world.machine, world.runs, people=world.people, threshold=2, measures="P@10", tuned_topics=["q00", "q01"]
    )
    assert table.material.sample is not None
    assert table.material.sample.topics == 48
    with pytest.raises(DataError, match="tuned on every topic"):
        gs.machine.gains(world.machine, people=world.people, threshold=2, tuned_topics=list(world.machine))


def test_few_topics_are_refused_or_said(world: World) -> None:
    """Four whole topics are too few, seven are said to be few."""
    with pytest.raises(DataError, match="People judged 4 whole topics; at least 5"):
        gs.machine.score(world.machine, world.runs, people=world.topics(4), threshold=2, measures="DCG@10")
    table = gs.machine.score(world.machine, world.runs, people=world.topics(7), threshold=2, measures="DCG@10")
    assert "few-topics" in [finding.code for finding in table.findings]


def test_other_collections_and_runs_are_refused(world: World) -> None:
    """Labels of other documents, runs that are not there, measures that are no gains."""
    strange = {f"x{t}": docs for t, docs in world.people.items()}
    with pytest.raises(DataError, match="graded none of the documents that people judged"):
        gs.machine.gains(world.machine, people=strange, threshold=2)
    with pytest.raises(CallError, match="There is no run 'bm25'"):
        gs.machine.score(world.machine, world.runs, people=world.people, threshold=2, baseline="bm25")
    with pytest.raises(CallError, match="is not made of gains"):
        gs.machine.score(world.machine, world.runs, people=world.people, threshold=2, measures="Bpref")
    with pytest.raises(CallError, match="is not a sum over documents"):
        gs.machine.sample(world.machine, world.runs, measures="AP")
    with pytest.raises(DataError, match="no person judged a document"):
        gs.machine.gains(world.machine)


def test_documents_that_no_machine_graded_are_said(world: World) -> None:
    """Runs that return documents outside the pool, and topics that they lack, are named."""
    strange = {topic: {f"x{d}": 100.0, **scores} for d, (topic, scores) in enumerate(world.runs["run0"].items())}
    del strange["q07"]
    table = gs.machine.score(world.machine, strange, people=world.people, threshold=2, measures="DCG@5")
    codes = {finding.code: finding.message for finding in table.findings}
    assert "up to 20.0%" in codes["unjudged-documents"]
    assert "topics-missing" in codes


def test_a_confidence_takes_the_place_of_grades(world: World) -> None:
    """A column `confidence` is binned, and its worth rises; it predicts people better than a coarse grade."""
    sure = as_table(world, "gpt").with_columns(
        (pl.col("level") / 3 + pl.int_range(pl.len()).mod(7) / 100).alias("confidence"), (pl.col("level") > 0).cast(int)
    )
    fine = gs.machine.gains(sure, people=world.people, threshold=2)
    coarse = gs.machine.gains(sure.drop("confidence"), people=world.people, threshold=2)
    assert len(fine.prediction.names) == 8
    assert (fine.prediction.values.value[1:] >= fine.prediction.values.value[:-1]).all()
    assert fine.prediction.skill.brier < coarse.prediction.skill.brier
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


def test_strata_and_columns_are_effects(world: World, tmp_path: Path) -> None:
    """A file of topic and stratum, and one of topic, document and group, are tested group by group."""
    topics = list(world.machine)
    strata = tmp_path / "strata.tsv"
    lines = [f"{topic}\t{'nav' if place % 2 else 'inf'}\n" for place, topic in enumerate(topics)]
    strata.write_text("topic\tstratum\n" + "".join(lines))
    kinds = tmp_path / "kinds.tsv"
    rows = [f"{t}\t{d}\t{'blog' if len(d) % 2 else 'news'}\n" for t in topics[:20] for d in world.machine[t]]
    kinds.write_text("topic\tdocument\tvalue\n" + "".join(rows))
    table = gs.machine.check(
        world.machine, world.runs, people=world.people, threshold=2, effects=[str(strata), str(kinds), "metarank"]
    )
    assert {"strata=nav", "strata=inf", "metarank", "kinds=not said"} <= {effect.what for effect in table.effects}


@pytest.mark.parametrize("value", ["nan", "inf", "9" * 400, "1e200"])
def test_a_property_is_a_number_that_can_be_squared(world: World, tmp_path: Path, value: str) -> None:
    """What is not finite, or too large, is refused with the document it was said of, from a file and from Python."""
    topic = next(iter(world.machine))
    first, *others = world.machine[topic]
    rows = [(first, value), *((document, "1") for document in others)]
    (tmp_path / "x.tsv").write_text("topic\tdocument\tvalue\n" + "".join(f"{topic}\t{d}\t{x}\n" for d, x in rows))
    for effects in (str(tmp_path / "x.tsv"), {"x": {topic: {d: float(x) for d, x in rows}}}):
        with pytest.raises(DataError, match=rf"x: expected numbers from .*, found .* for document '{first}'"):
            gs.machine.check(world.machine, world.runs, people=world.people, threshold=2, effects=effects)


def test_a_property_of_other_documents_is_refused(world: World) -> None:
    """A property of no document that the machine graded cannot be tested."""
    with pytest.raises(DataError, match="says nothing of any document"):
        gs.machine.check(world.machine, world.runs, people=world.people, effects={"x": {"q": {"d": 1.0}}})
