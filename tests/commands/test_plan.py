"""`gs.plan`: lists that are permanent, nested and silent about labels; pilots, sizes, runs; what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import Result
from tests.collections import DOCUMENTS, TOPICS, Labels, answer, draw_labels

import gainsayer as gs
from gainsayer import PlanTable
from gainsayer.commands.plan import list_path
from gainsayer.errors import CallError, DataError

FIRST, SECOND = draw_labels()
RUNS = {
    name: {topic: {d: -order(int(d[1:])) for d in labels} for topic, labels in FIRST.items()}
    for name, order in {"up": lambda place: float(place), "down": lambda place: -float(place)}.items()
}


def plan(*judgments: Any, **options: Any) -> PlanTable:
    """A plan at threshold 2 from the first labels."""
    return gs.plan(*(judgments or (FIRST,)), threshold=2, **options)


def codes(table: PlanTable) -> set[str]:
    """What is said."""
    return {finding.code for finding in table.findings}


def listed(table: PlanTable) -> list[tuple[Any, ...]]:
    """The rows of its list."""
    return table.documents().to_polars().rows()


def test_the_same_seed_gives_the_same_list_and_another_another() -> None:
    """Whatever the order in which labels are read."""
    turned: Labels = {topic: dict(reversed(labels.items())) for topic, labels in reversed(FIRST.items())}
    one, two = plan(budget=200, seed=4), plan(turned, budget=200, seed=4)
    assert one.list_text == two.list_text
    assert one.list_text != plan(budget=200, seed=5).list_text


def test_a_larger_budget_contains_the_smaller_ones_documents() -> None:
    """So a plan can be raised without judging anything in vain, as long as no level's share falls."""
    few, many = ({row[:2] for row in listed(plan(budget=budget, minimum=1))} for budget in (100, 300))
    assert few < many


def test_batches_add_up_to_the_list_and_the_list_to_the_plan() -> None:
    """The realised number of each level differs from the planned one by less than a document per topic."""
    table = plan(budget=240)
    rows = listed(table)
    assert sum(batch.judgments for batch in table.batches) == len(rows) == len({row[:2] for row in rows})
    for level, wanted in enumerate(table.plan.judge.tolist()):
        taken = sum(FIRST[topic][document] == level for topic, document, *_ in rows)
        assert abs(taken - wanted) < np.sqrt(TOPICS)


def test_the_list_says_nothing_about_labels_unless_asked() -> None:
    """Four columns, shuffled within topics of a batch; with levels, a fifth."""
    table = plan(budget=200)
    head, *lines = table.list_text.splitlines()
    assert head == "topic,document,batch,sampling_key"
    assert all(len(line.split(",")) == 4 for line in lines)
    rows = listed(table)
    order = [(batch, topic) for topic, _, batch, _ in rows]
    assert order == sorted(order)
    assert rows != sorted(rows, key=lambda row: (row[2], row[0], row[3]))
    told = plan(budget=200, with_levels=True)
    assert all(FIRST[row[0]][row[1]] == int(row[4]) for row in listed(told))


def test_a_pilot_tells_and_is_foreign_unless_drawn_by_the_keys() -> None:
    """Its documents may be asked for again; those of the plan's own beginning are not."""
    pilot = {topic: dict(list(labels.items())[:5]) for topic, labels in SECOND.items()}
    foreign = plan(FIRST, pilot, budget=200)
    assert "foreign-pilot" in codes(foreign)
    assert foreign.plan.prospect.source == ("pilot",) * 3
    begun = plan(budget=200, seed=8)
    again = plan(FIRST, answer(SECOND, begun, batch=2), budget=200, seed=8, guess={"0": 0.1, "1": 0.45, "2": 0.8})
    assert "foreign-pilot" not in codes(again)
    assert "guess-unused" in codes(again)
    done = {row[:2] for row in listed(begun) if row[2] <= 2}
    assert not done & {row[:2] for row in listed(again)}


def test_a_plan_is_never_worse_than_what_is_there() -> None:
    """With nearly all judged it plans what is left and says so; with all of it, that nothing is, and what helps."""
    some = {topic: dict(list(labels.items())[1 if topic < "q07" else 0 :]) for topic, labels in SECOND.items()}
    left = TOPICS * DOCUMENTS - sum(map(len, some.values()))
    table = plan(FIRST, some, budget=100)
    assert left == len(listed(table)) == 7
    assert table.plan.half_width <= table.plan.prospect.half_width_now * (1 + 1e-9)
    said = " ".join(table.answer())
    assert said.startswith(f"Have 7 more of {TOPICS * DOCUMENTS} documents in {TOPICS} topics judged a second time (")
    table = plan(FIRST, SECOND, budget=100)
    assert listed(table) == []
    assert table.plan.half_width == pytest.approx(table.plan.prospect.half_width_now)
    said = " ".join(table.answer())
    assert "nothing is left to judge" in said
    assert "3 more topics like these would narrow the interval" in said
    assert "more second judgments" not in said


def test_a_pilot_of_the_plans_own_keys_is_weighed_as_a_fit_will_weigh_it() -> None:
    """So the plan foretells the symmetric estimate, however unevenly levels were drawn; now is the fit by the plan."""
    pilot = plan(level="2", budget=300, seed=8)
    assert pilot.plan.share.max() > 3 * pilot.plan.share.min()
    judged = answer(SECOND, pilot)
    table = plan(FIRST, judged, budget=500, seed=8)
    document = json.loads(table.to_json())
    assert document["estimator"] == "symmetric"
    fitted = gs.fit(FIRST, judged, plan=pilot, estimator="symmetric").predict()
    widest = np.diff(fitted.interval.ends, axis=1).ravel()[table.plan.prospect.target.known].max() / 2
    assert document["expected"]["half_width_now"] == pytest.approx(widest, rel=0.03)


def test_a_team_is_asked_whose_labels_are_the_first() -> None:
    """In words that can be followed: the option that they name makes a plan."""
    names = ("ann", "bob", "cat")
    rows = [
        (topic, document, names[(int(document[1:]) + turn) % 3], level)
        for turn, side in enumerate((FIRST, SECOND))
        for topic, labels in side.items()
        for document, level in labels.items()
    ]
    team = pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")
    with pytest.raises(CallError, match=r"no sides \(ann, bob, cat\).*first='NAME'.*the others are then the pilot"):
        plan(team, budget=300)
    table = plan(team, budget=300, first=["ann"])
    assert table.first == ("ann",)
    assert table.plan.prospect.pilot is not None


def test_judgments_drawn_otherwise_are_said_to_leave_more_than_the_plan() -> None:
    """Where they leave a narrower interval than the plan's own would, and how they count."""
    half = {topic: dict(list(labels.items())[::2]) for topic, labels in SECOND.items()}
    said = " ".join(plan(FIRST, half, budget=100).answer())
    assert "with judgments that this plan did not draw, which a fit counts with keep_pilot=True" in said


def test_people_of_a_table_are_the_second_side_of_one_file() -> None:
    """Of a file and a table of several people the file's labels are first, and the people are told apart."""
    rows = [
        (topic, document, f"p{int(document[1:]) % 5}", level)
        for topic, labels in SECOND.items()
        for document, level in labels.items()
    ]
    people = pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")
    table = plan(("nist", FIRST), people, budget=200)
    assert table.first == ("nist",)
    assert table.plan.prospect.now == 5


def test_runs_are_planned_for_scores_and_differences() -> None:
    """With several runs every score is at least as sure as the plan says."""
    scores = plan(purpose="score", runs=RUNS, measure="P@10", budget=200)
    assert scores.plan.prospect.target.names == ("up", "down")
    assert np.all(scores.plan.half_widths <= scores.plan.half_width)
    difference = plan(purpose="difference", runs=RUNS, measure="P@10", budget=200)
    assert difference.plan.prospect.target.names == ("up - down",)
    assert difference.plan.stopping.kind == "decision"
    assert difference.plan.power is not None


def test_sizes_alone_make_a_plan_without_a_list() -> None:
    """Before anybody judged anything; topics are taken as equal."""
    table = gs.plan(
        shares={"Non": 0.77, "Rel": 0.15, "Key": 0.08}, topics=50, documents=34_010, threshold="Key", within=0.1
    )
    assert table.labels is None
    assert table.documents().height == 0
    assert "equal-topics-assumed" in codes(table)
    assert json.loads(table.to_json())["list"] is None
    assert table.plan.prospect.effective_topics == pytest.approx([50.0] * 3)


def test_a_plan_is_saved_with_its_list(tmp_path: Path) -> None:
    """The list stands next to the plan, which names it."""
    table = plan(budget=200)
    table.save(tmp_path / "plan.json")
    document = json.loads((tmp_path / "plan.json").read_text())
    assert document["list"]["file"] == "plan.list.csv"
    assert (tmp_path / "plan.list.csv").read_text() == table.list_text
    assert list_path(tmp_path / "a.b.json").name == "a.b.list.csv"


def test_a_plan_is_not_saved_without_its_list(tmp_path: Path) -> None:
    """Where the list cannot be written, no plan is left behind that names it."""
    (tmp_path / "plan.list.csv").mkdir()
    with pytest.raises(CallError, match=r"Cannot write .*plan\.list\.csv"):
        plan(budget=200).save(tmp_path / "plan.json")
    assert [path.name for path in tmp_path.iterdir()] == ["plan.list.csv"]


def test_a_pilot_foretells_the_interval_of_fit() -> None:
    """What is there now is the widest interval that `fit` computes of the same judgments; else it is a guess."""
    pilot = {topic: dict(list(labels.items())[:9]) for topic, labels in SECOND.items()}
    table = plan(FIRST, pilot, budget=400)
    fitted = gs.fit(FIRST, pilot, threshold=2).predict()
    known = table.plan.prospect.target.known
    widest = np.diff(fitted.interval.ends, axis=1).ravel()[known].max() / 2
    document = json.loads(table.to_json())
    assert document["expected"]["half_width_now"] == pytest.approx(widest, rel=1e-12)
    assert document["expected"]["guessed"] is False
    assert document["estimator"] == fitted.estimator
    assert "give or take a third" in " ".join(table.answer())
    guessed = plan(budget=400)
    assert json.loads(guessed.to_json())["expected"]["guessed"] is True
    assert "a guess from other collections" in " ".join(guessed.answer())


def test_nothing_is_foretold_of_what_was_hardly_seen() -> None:
    """Fewer than five of the rarer outcome: no number, and words that say how many there were."""
    pilot = {topic: dict(list(labels.items())[:2]) for topic, labels in list(SECOND.items())[:12]}
    table = plan(FIRST, pilot, budget=300)
    half_widths = dict(zip(table.plan.levels.names, table.plan.half_widths, strict=True))
    unknown = [name for name, half in half_widths.items() if np.isnan(half)]
    assert unknown
    said = {finding.code: finding.message for finding in table.findings}["too-few-seen"]
    assert all(f"p(R|{name})" in said for name in unknown)


def test_scores_that_do_not_vary_are_planned_for_in_words() -> None:
    """A run of unjudged documents scores 0 on every topic: no number is made up, and none is NaN in a sentence."""
    first = {f"q{t}": {f"d{d}": d % 2 for d in range(4)} for t in range(3)}
    second = {f"q{t}": {f"d{d}": d // 2 for d in range(4)} for t in range(3)}
    runs = {"x": {f"q{t}": {f"x{d}": -d for d in range(4)} for t in range(3)}}
    table = gs.plan(first, second, runs=runs, threshold=1, purpose="score", budget=5)
    assert "which no interval shows" in table.to_text()
    assert "nan" not in table.to_text().lower()
    with pytest.raises(DataError, match=r"of any of these\. Plan with budget"):
        gs.plan(first, second, runs=runs, threshold=1, purpose="score", within=0.05)


def test_frame_figure_and_words() -> None:
    """One row per level; batches in a frame of their own; the curve's title says the floor; a line for notebooks."""
    table = plan(budget=200, seed=1)
    frame = table.to_polars()
    assert frame["level"].to_list() == ["0", "1", "2"]
    assert frame["judge"].sum() == pytest.approx(200)
    assert table.to_polars("batches").columns == ["batch", "judgments", "0", "1", "2"]
    assert "30 topics still leave" in table.plot().title
    assert repr(table).startswith("PlanTable(200 second judgments in 30 topics for parameters")


def test_levels_alone_can_be_planned_for() -> None:
    """One parameter gets the largest share, the others at least a fifth of it."""
    table = plan(level="2", budget=150)
    assert table.plan.share.argmax() == 2
    assert table.plan.share[:2].min() >= table.plan.share[2] / 5 - 1e-9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": 100, "runs": RUNS}, "With runs, say what the plan is for: purpose="),
        ({"budget": 100, "purpose": "score"}, r"needs runs=\.\.\."),
        ({"budget": 100, "purpose": "difference", "runs": {"up": RUNS["up"]}}, "one of two runs"),
        ({"budget": 100, "purpose": "score", "runs": RUNS, "measure": ["P@5", "P@10"]}, "one measure"),
        ({"budget": 100, "difference": 0.1}, "purpose='difference'"),
        ({"budget": 100, "purpose": "score", "runs": RUNS, "level": "1"}, "purpose='parameters'"),
        ({"budget": 100, "assessors": 0}, "At least one person"),
        ({"budget": 100, "topics": 5}, "Sizes stand in place"),
        ({"budget": 100, "confidence": 2}, "confidence"),
    ],
)
def test_calls_that_do_not_fit_are_refused(options: dict[str, Any], message: str) -> None:
    """In words that name the idea."""
    with pytest.raises(CallError, match=message):
        plan(**options)


def test_one_notion_of_relevance() -> None:
    """Neither none (of three levels) nor two."""
    with pytest.raises(CallError, match="one notion of relevance"):
        gs.plan(FIRST, budget=100)
    with pytest.raises(CallError, match="one notion of relevance"):
        gs.plan(FIRST, budget=100, threshold=[1, 2])


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({}, "needs first labels, or sizes"),
        ({"shares": {"0": 0.5, "1": 0.5}}, "are three"),
        ({"shares": {"0": 0.5, "1": 0.9}, "topics": 5, "documents": 50}, "add up to 1"),
        ({"shares": {"0": 0.5, "1": 0.5}, "topics": 50, "documents": 5}, "at least one document per topic"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(sizes: dict[str, Any], message: str) -> None:
    """All three, shares of 1, documents for every topic."""
    with pytest.raises(CallError, match=message):
        gs.plan(threshold=1, budget=10, **sizes)


def test_out_of_reach_and_one_assessor_are_faults_of_the_data() -> None:
    """With what is the best, and what others would give."""
    with pytest.raises(DataError, match=f"Even with all {TOPICS * DOCUMENTS} documents"):
        plan(within=0.01)
    with pytest.raises(DataError, match="one-assessor"):
        plan(budget=100, assessors=1)


def test_a_plan_that_is_written_is_printed_as_well(tmp_path: Path, run: Callable[..., Result]) -> None:
    """As a table, whatever the file is; nothing with --quiet, and one copy where it goes to standard output anyway."""
    first = tmp_path / "first.qrels"
    first.write_text("".join(f"{t} 0 {d} {level}\n" for t, labels in FIRST.items() for d, level in labels.items()))
    words = ("plan", first, "--threshold", "2", "--budget", "200")
    printed = run(*words).stdout
    assert printed.startswith("Have 200 of")
    assert run(*words, "-o", tmp_path / "plan.json").stdout == printed
    assert run(*words, "-o", tmp_path / "plan.json", "--quiet").stdout == ""
    assert json.loads((tmp_path / "plan.json").read_text())["judgments"] == pytest.approx(200)
    assert run(*words, "-o", "-", "--quiet").stdout == printed
