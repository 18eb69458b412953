"""`gs.machine` and `gainsayer machine`: a machine beside people, from what a person has to verdicts and refusals."""

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
from gainsayer.commands.machine_input import MachineRequest, Material, PeopleInput, read_material
from gainsayer.commands.ranked_runs import Policies
from gainsayer.errors import CallError, DataError
from gainsayer.machines import DocumentGains, rank_weights, rectify, score_documents
from gainsayer.measures import parse_measure

Run = Callable[..., Result]


def dcg(world: World) -> np.ndarray:
    """People's DCG@10 of each run, everything judged."""
    weights = np.where(world.rank < 10, 1 / np.log2(world.rank + 2.0), 0.0)
    return np.asarray((weights * world.told).sum(axis=2).mean(axis=1))


def test_everything_judged_gives_peoples_scores(world: World) -> None:
    """With all documents judged by people, every measure is theirs, as `score` computes it, without any error."""
    wanted = ["DCG@10", "nDCG@10", "AP", "P@5", "RBP", "ERR@10", "R@20"]
    found = gs.machine.score(
        world.machine, world.runs, people=world.people, threshold=2, measures=wanted, target="these"
    )
    plain = gs.score(world.people, world.runs, wanted, threshold=2, gains="binary").scores
    for part in found.parts:
        assert part.scores is not None
        expected = plain.values[part.measure, "binary"].mean(axis=1)
        assert part.scores.estimate.score == pytest.approx(expected, abs=1e-12)
        assert part.scores.estimate.error() == pytest.approx(np.zeros(8), abs=1e-12)


def test_drawn_documents_lead_to_peoples_scores(world: World) -> None:
    """600 of 4,000 labels: all eight true scores lie near their estimates, where the machine's are far off."""
    table = gs.machine.score(
        world.machine, world.runs, people=world.drawn(600), threshold=2, measures="DCG@10", target="these"
    )
    scores = table.parts[0].scores
    assert scores is not None
    off = np.abs(scores.estimate.score - dcg(world)) / scores.estimate.error()
    assert off.max() < 3.5
    assert table.parts[0].raw is not None
    assert (table.parts[0].raw - dcg(world)).min() > 0.5
    assert scores.method == "rectified, documents"


def test_a_pilot_changes_the_chances(world: World) -> None:
    """Labels that are there already say what grades are worth, and so whom to ask next."""
    plain = gs.machine.sample(world.machine, world.runs, measures="DCG@10", labels=300)
    pilot = gs.machine.sample(
        world.machine, world.runs, measures="DCG@10", labels=300, people=world.drawn(300), threshold=2
    )
    assert pilot.probability.sum() == pytest.approx(300, abs=1e-6)
    assert np.abs(pilot.probability - plain.probability).max() > 0.01


def test_a_check_finds_the_taste(world: World) -> None:
    """With everything judged, the runs that share the machine's taste are favoured as a family."""
    families = {f"run{run}": "stylish" if run % 2 == 0 else "plain" for run in range(8)}
    more = {f"copy{run}": scores for run, scores in enumerate(world.runs.values()) if run % 2}
    more |= {f"other{run}": {t: dict(list(d.items())[5:]) for t, d in s.items()} for run, s in enumerate(more.values())}
    runs = {**world.runs, **more}
    table = gs.machine.check(
        world.machine, runs, people=world.people, threshold=2, effects=["votes", "rank"], families=families
    )
    verdict = table.verdict
    stylish = next(family for family in verdict.favour.families if family.family == "stylish")
    assert stylish.favour > 0.2
    assert stylish.p < 0.05  # copies of runs are no further witnesses
    assert any("It favours the runs of stylish by" in line for line in table.answer())
    assert [effect.what for effect in table.effects] == ["votes", "rank"]
    assert table.answer()[0].startswith("Worth: yes.")


def test_the_verdict_is_one_and_the_same(world: World) -> None:
    """`check`, `score` and the report say the same of a machine, from the same labels."""
    drawn = gs.machine.sample(world.machine, world.runs, labels=600, seed=1)
    rows = [(topic, name, "ann", world.people[topic][name]) for topic, name in drawn.to_polars().iter_rows()]
    people = pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")
    check = gs.machine.check(world.machine, world.runs, people=people, sample=drawn, threshold=2)
    verdict = json.loads(check.to_json())["verdict"]
    assert verdict["order"]["interval"][1] is not None
    for measures in ("DCG@10", "nDCG@10"):
        score = gs.machine.score(world.machine, world.runs, people=people, sample=drawn, threshold=2, measures=measures)
        assert json.loads(score.to_json())["verdict"] == verdict
    report = gs.report(
        [("gpt", world.machine), people],
        world.runs,
        machine="gpt",
        sample=drawn,
        threshold=2,
        measures="DCG@10",
        levels="0,1,2,3",
    )
    said = json.loads(report.to_json())
    facts = next(section["facts"] for section in said["sections"] if section["id"] == "machine-scores")
    found = facts["machine_scores"]["verdict"]
    assert found["code"] == verdict["code"]
    assert found["order"]["interval"] == pytest.approx(verdict["order"]["interval"])
    assert found["scores"]["reach"] == pytest.approx(verdict["scores"]["reach"])
    score = gs.machine.score(world.machine, world.runs, people=people, sample=drawn, threshold=2, measures="DCG@10")
    assert said["verdict"]["headline"] == score.answer()[0]


def test_a_run_that_ranks_as_the_judge_is_circular(world: World) -> None:
    """A run sorted by the machine's grades is told by its own nDCG, whatever people say."""
    circular = {t: {d: float(level) for d, level in docs.items()} for t, docs in world.machine.items()}
    table = gs.machine.check(world.machine, {**world.runs, "self": circular}, people=world.people, threshold=2)
    said = "self ranks as the judge does (1.000 by its own grades): its machine score is the judge praising itself."
    assert any(said in line for line in table.answer())
    runs = json.loads(table.to_json())["runs"]
    assert runs[8]["flags"] == ["machine-reranker"]
    assert len(table.verdict.kept) == 8


def test_two_grades_do_not_tell_who_ranks_as_the_judge(world: World) -> None:
    """With two grades any good run is full of the higher one, so no run is called circular."""
    two = {t: {d: int(level >= 1) for d, level in docs.items()} for t, docs in world.machine.items()}
    table = gs.machine.check(two, world.runs, people=world.people, threshold=2)
    assert np.isnan(table.verdict.own).all()
    assert table.verdict.alike == ()
    assert json.loads(table.to_json())["runs"][0]["own_ndcg"] is None


def test_grades_by_dice_do_not_tell(world: World) -> None:
    """A machine that throws dice: the verdict says so, and scores for people are right all the same."""
    rng = np.random.default_rng(1)
    dice = {t: {d: int(rng.integers(0, 4)) for d in docs} for t, docs in world.machine.items()}
    table = gs.machine.check(dice, world.runs, people=world.people, threshold=2)
    assert table.verdict.worth == "no"
    assert table.verdict.people == pytest.approx(dcg(world))


@pytest.mark.parametrize(("level", "likes"), [(0, 0), (2, 0), (0, 3)])
def test_labels_that_are_alike_tell_nothing(world: World, level: int, likes: int) -> None:
    """People like none of what they judge, or all of it, or but three documents: worth, order, favour are not known."""
    people = world.drawn(300).with_columns(pl.lit(level).alias("level")).with_row_index()
    people = people.with_columns(pl.when(pl.col("index") < likes).then(2).otherwise("level").alias("level"))
    check = gs.machine.check(world.machine, world.runs, people=people.drop("index"), threshold=2)
    assert check.about() == "worth-open order-open favour-open"
    why = "only 3 of " if likes else "people said the same of everything they judged"
    assert [line.partition(". ")[2].startswith(f"Not known: {why}") for line in check.answer()[:3]] == [True] * 3
    assert not check.verdict.favour.tests
    scores = gs.machine.score(
        world.machine, world.runs, people=people.drop("index"), threshold=2, measures=["DCG@10", "nDCG@10"]
    )
    assert "no-error-seen" in [finding.code for finding in scores.findings]
    rows = scores.to_polars()
    assert rows["order"].null_count() == len(rows)  # nothing orders the runs
    assert rows["people_alone"].drop_nulls().is_between(0, 4.5436).all()


def test_a_suspect_is_spoken_of(world: World) -> None:
    """A run named before is named in the answer, and nobody is asked for a suspect again; nor where no design is."""
    drawn = gs.machine.sample(world.machine, _many(world), measures="DCG@10", labels=600, seed=1)
    rows = [(t, d, world.people[t][d]) for t, d in drawn.to_polars().iter_rows()]
    people = pl.DataFrame(rows, schema=["topic", "document", "level"], orient="row")

    def favour(**asked: object) -> str:
        check = gs.machine.check(world.machine, _many(world), people=people, threshold=2, **asked)
        return " ".join(line for line in check.answer() if line.startswith("Favour"))

    assert "Do you suspect a run? machine sample sample='FILE' suspect='RUN'" in favour(sample=drawn)
    named = favour(sample=drawn, suspect="run3")
    assert "run3" in named
    assert "Do you suspect" not in named
    assert "machine sample" not in favour(sample="observed")


def _many(world: World) -> dict[str, dict[str, dict[str, float]]]:
    """The runs, and runs like them that lack what these put first."""
    return {
        f"{name}{'x' * cut}": {t: dict(list(d.items())[cut:]) for t, d in run.items()}
        for cut in (0, 1, 2)
        for name, run in world.runs.items()
    }


def test_order_no_is_not_by_the_best_guess(world: World) -> None:
    """Where the machine turns runs round, the places are those by scores for people; ties share one."""
    upside = {t: {d: 3 - level for d, level in docs.items()} for t, docs in world.machine.items()}
    runs = _many(world) | {"twin": world.runs["run0"]}
    table = gs.machine.score(upside, runs, people=world.people, threshold=2, measures="DCG@10")
    assert table.verdict.order.answer == "no"
    part = table.parts[0]
    assert part.guess is None
    assert part.scores is not None
    better = [sum(other > one + 1e-6 for other in part.scores.value) + 1 for one in part.scores.value]
    assert part.order.tolist() == better
    assert part.order[0] == part.order[-1]


def test_people_who_skip_documents_are_noticed(world: World) -> None:
    """Documents asked for and not judged are counted; where a grade was left out, the sample is uneven."""
    drawn = gs.machine.sample(world.machine, world.runs, measures="DCG@10", labels=600, seed=1)
    rows = [(topic, name, world.people[topic][name]) for topic, name in drawn.to_polars().iter_rows()]
    kept = [row for at, row in enumerate(rows) if at % 2 or world.machine[row[0]][row[1]] != 3]
    found = []
    for some in (rows, kept):
        people = pl.DataFrame(some, schema=["topic", "document", "level"], orient="row")
        table = gs.machine.score(world.machine, world.runs, people=people, threshold=2, measures="P@10", sample=drawn)
        found.append({finding.code for finding in table.findings} & {"people-skipped", "uneven-second-sample"})
    assert found == [set(), {"people-skipped", "uneven-second-sample"}]


def read_world(world: World, people: PeopleInput) -> Material:
    """The machine's grades, what people said, and the runs."""
    request = MachineRequest(machine=world.machine, runs=world.runs, people=people, threshold=2, policies=Policies())
    return read_material(request)


def test_predicted_gains_serve_every_measure(world: World) -> None:
    """Binary predicted gains give the scores of `score`; other numbers are refused."""
    table = gs.machine.gains(world.machine, people=world.people, threshold=2)
    pool = table.gains.pool
    told = np.array([world.people[t][d] / 2 for t, d, _ in table.gains.rows()])
    plain = gs.score(world.people, world.runs, ["AP", "nDCG@10", "Q", "RBP"], threshold=2, gains="binary").scores
    material = read_world(world, world.people)
    runs = material.runs
    binary = DocumentGains(material.pool, told)
    for measure in plain.measures:
        found = np.stack([score_documents(run, binary, measure) for run in runs])
        assert found == pytest.approx(plain.values[measure, "binary"], abs=1e-12)
    with pytest.raises(CallError, match="between 0 and 1"):
        DocumentGains(pool, np.full(len(told), 1.5))


@pytest.mark.parametrize("measure", ["AP", "Rprec", "Q", "R@20", "RR", "ERR@10", "Success@5", "F1@10"])
def test_measures_that_need_whole_topics_say_so(world: World, measure: str) -> None:
    """With drawn documents a measure that depends on the number of relevant ones is refused; whole topics allow it."""
    with pytest.raises(DataError, match=f"{measure} needs whole topics"):
        gs.machine.score(world.machine, world.runs, people=world.drawn(600), threshold=2, measures=measure)
    whole = gs.machine.score(world.machine, world.runs, people=world.topics(24), threshold=2, measures=measure)
    assert whole.parts[0].scores is not None
    assert whole.parts[0].scores.method == "rectified, topics"


def test_rectified_gains_add_up_to_the_scores(world: World) -> None:
    """Sums of rectified gains are the scores, though single ones lie below 0 or above 1."""
    material = read_world(world, world.drawn(600))
    evidence, runs = material.evidence, material.runs
    table = gs.machine.score(world.machine, world.runs, people=world.drawn(600), threshold=2, measures="DCG@10")
    assert table.parts[0].scores is not None
    rectified = rectify(evidence.sample, evidence.prediction.gain)
    weights = rank_weights(runs, parse_measure("DCG@10"))
    sums = weights.weight @ rectified[weights.document] / len(evidence.pool.topics)
    assert table.parts[0].scores.estimate.score == pytest.approx(sums)
    assert rectified.min() < 0
    assert rectified.max() > 1


def test_a_week_on_the_command_line(run: Run, files: Path, world: World) -> None:
    """sample, check, score and gains: files in, verdict first, the JSON keys of the specification."""
    machine, runs = f"gpt={files / 'm.qrels'}", files / "runs"
    drawn = run(
        *("machine", "sample", "--machine", machine, "--runs", runs, "-m", "DCG@10", "--labels", "600", "--seed", "1"),
        *("-o", files / "people.csv"),
    )
    assert drawn.exit_code == 0, drawn.output
    head, *lines = (files / "people.csv").read_text().splitlines()
    assert head == "topic,document"
    assert len(lines) == len(world.drawn(600))
    design = json.loads((files / "people.design.json").read_text())
    assert (design["kind"], design["seed"], design["measure"], design["depth"]) == ("documents", 1, ["DCG@10"], 10)
    assert sum(len(documents) for documents in design["chances"].values()) == 50 * 80
    labels = [f"{line},{world.people[line.split(',')[0]][line.split(',')[1]]}" for line in lines]
    (files / "people.csv").write_text("\n".join([f"{head},label", *labels]))
    shared = ("--machine", machine, "--people", files / "people.csv", "--threshold", "2")
    check = run("machine", "check", *shared, "--runs", runs, "--effect", "votes,rank")
    assert check.exit_code == 0, check.output
    assert check.stdout.startswith("Worth: ")
    told = json.loads(run("machine", "check", *shared, "--runs", runs, "--format", "json", "--quiet").stdout)
    assert told["levels"][3]["level"] == "3"
    assert {"effects", "runs", "families", "machines", "verdict", "warnings"} <= told.keys()
    assert told["runs"][0].keys() >= {"run", "people", "machine", "favour", "p_adjusted", "own_ndcg", "flags"}
    done = run(
        "machine", "score", *shared, "--runs", runs, "-m", "DCG@10", "-m", "nDCG@10", "--pairwise", "--format", "json"
    )
    scores = json.loads(done.stdout)
    keys = [
        "machine",
        "people",
        "threshold",
        "target",
        "design",
        "runs",
        "differences",
        "savings",
        "warnings",
    ]
    assert scores.keys() >= {*keys, "provenance", "verdict"}
    assert scores["design"]["kind"] == "documents"
    assert scores["design"]["labels"] == len(world.drawn(600))
    assert scores["runs"][0]["scores"][0].keys() >= {
        *("measure", "value", "standard_error", "interval", "method", "people_alone", "machine_alone", "composite"),
        *("order", "flags"),
    }
    assert len(scores["differences"]) == 2 * 28
    assert {(saving["measure"], saving["of"]) for saving in scores["savings"]} >= {("DCG@10", "score")}
    gains = run("machine", "gains", *shared, "-o", files / "gains.tsv")
    assert gains.exit_code == 0, gains.output
    lines = (files / "gains.tsv").read_text().splitlines()
    assert lines[0] == "topic\tdocument\tgain"
    assert len(lines) == 1 + 50 * 80
    assert all(0 <= float(line.split("\t")[2]) <= 1 for line in lines[1:])


def test_without_people_nothing_is_measured(run: Run, files: Path) -> None:
    """No labels: machine scores alone, the verdict not-measured, exit 0."""
    done = run(
        "machine", "score", "--machine", files / "m.qrels", "--runs", files / "runs", "-m", "AP", "--format", "json"
    )
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert told["verdict"]["code"] == "not-measured"
    assert "no person judged a document" in told["verdict"]["text"]
    first = told["runs"][0]["scores"][0]
    assert first["value"] is None
    assert first["interval"] is None
    assert first["machine_alone"]["raw"] > 0
    assert run("machine", "check", "--machine", files / "m.qrels", "--runs", files / "runs").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        *(
            (("score", "-m", name, "--people", "judged.tsv"), 1, f"{name} needs whole topics")
            for name in ("AP", "Rprec", "Q", "R@20", "RR", "ERR@10", "Success@5")
        ),
        (("score", "-m", "DCG@10", "--people", "four.qrels"), 1, "4 whole topics; at least 5 are needed"),
        (("score", "-m", "DCG@10", "--people", "zero.tsv"), 1, "has 0 as its probability of being chosen"),
        (("score", "-m", "DCG@10", "--people", "few.qrels", "--sample", "all.tsv"), 1, "could not be drawn"),
        (("score", "-m", "DCG@10", "--people", "few.qrels", "--design", "documents"), 1, "--sample observed"),
        (("score", "-m", "DCG@10", "--people", "part.qrels", "--design", "topics"), 1, "so these are not whole topics"),
        (("score", "-m", "Bpref", "--people", "truth.qrels"), 2, "not made of gains"),
        (("score", "-m", "DCG@10", "--people", "part.qrels"), 1, "nobody says with which chances"),
        (("gains",), 1, "Give people's labels of some documents: --people"),
        (("sample", "-m", "AP", "-o", "out.tsv"), 2, "not a sum over documents"),
        (("sample", "-o", "-"), 2, "The list and its design are two files"),
        (("sample", "--more", "5", "-o", "out.tsv"), 2, "More labels need the design"),
        (("sample", "--sample", "all.tsv", "-o", "out.tsv"), 2, "What should be drawn next to this sample"),
        (("sample", "--suspect", "run0", "--people", "truth.qrels", "-o", "out.tsv"), 2, "Leave out --people"),
    ],
)
def test_refusals_have_exit_codes_and_flags(
    run: Run, files: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
    """What is refused is refused in words, with the flags of the command line, 1 for data and 2 for the call."""
    lines = (files / "truth.qrels").read_text().splitlines(keepends=True)
    (files / "part.qrels").write_text("".join(line for line in lines if not line.split()[2].endswith("3")))
    (files / "four.qrels").write_text("".join(line for line in lines if line.split()[0] < "q04"))
    (files / "few.qrels").write_text("".join(line for line in lines if line.split()[2].endswith("3")))
    chances = [f"{t}\t{d}\t{0.1 if d.endswith('3') else 0.0}\n" for t, _, d, _ in map(str.split, lines)]
    (files / "all.tsv").write_text("topic\tdocument\tprobability\n" + "".join(chances))
    header, first, *rest_of = (files / "judged.tsv").read_text().splitlines(keepends=True)
    topic, name, _, level = first.split("\t")
    (files / "zero.tsv").write_text("".join([header, f"{topic}\t{name}\t0\t{level}", *rest_of]))
    command, *rest = (str(files / word) if word.endswith(("tsv", "qrels")) else word for word in arguments)
    runs = () if command == "gains" else ("--runs", files / "runs")
    done = run("machine", command, "--machine", files / "m.qrels", *runs, "--threshold", "2", *rest)
    assert done.exit_code == code, done.output
    assert words in done.stderr


def test_outputs_never_cover_inputs(run: Run, files: Path) -> None:
    """-o that names the people's file is refused before any work."""
    done = run(
        *("machine", "gains", "--machine", files / "m.qrels", "--people", files / "judged.tsv"),
        *("--threshold", "2", "-o", files / "judged.tsv"),
    )
    assert done.exit_code == 2
    assert (files / "judged.tsv").read_text().startswith("topic\tdocument\tprobability\tlevel")


def test_what_is_allowed_with_a_warning(run: Run, files: Path) -> None:
    """Few whole topics, heavy weights: given, exit 0, and said under their codes."""
    lines = (files / "truth.qrels").read_text().splitlines(keepends=True)
    (files / "seven.qrels").write_text("".join(line for line in lines if line.split()[0] < "q07"))
    shared = ("--runs", files / "runs", "--threshold", "2", "-m", "DCG@10")
    for command, machine, people, code in (
        ("score", "m.qrels", "seven.qrels", "few-topics"),
        ("score", "m.qrels", "judged.tsv", "heavy-weights"),
    ):
        done = run("machine", command, "--machine", files / machine, "--people", files / people, *shared)
        assert done.exit_code == 0, done.output
        assert f"({code})" in done.stderr


def test_seven_runs_have_no_best_guess(world: World) -> None:
    """With fewer than eight runs there is no best guess, and the order is open."""
    seven = dict(list(world.runs.items())[:7])
    table = gs.machine.score(world.machine, seven, people=world.people, threshold=2, measures="DCG@10")
    assert {one["scores"][0]["composite"] for one in json.loads(table.to_json())["runs"]} == {None}
