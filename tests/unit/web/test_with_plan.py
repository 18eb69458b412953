"""From plan to parameters: `plan`, `judge new`, people, `judge export`, `fit --plan`, and the organiser's page."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.judging.studies import NOW

from gainsayer.web.database import open_database
from gainsayer.web.people import find_invited, invite
from gainsayer.web.work import Answer, claim_place, record_answer

TOPICS, DOCUMENTS = 12, 20


def prepare(
    tmp_path: Path, run: Callable[..., Result], within: float, estimator: str, *options: str
) -> tuple[Path, Path, Path]:
    """First labels, a plan for them that stops within this, and a study."""
    draw = random.Random(3)
    grades = {
        (f"q{t}", f"d{t}x{d}"): draw.choices((0, 1, 2), (6, 3, 2))[0] for t in range(TOPICS) for d in range(DOCUMENTS)
    }
    (tmp_path / "nist.qrels").write_text("".join(f"{t} 0 {d} {grade}\n" for (t, d), grade in grades.items()))
    (tmp_path / "topics.csv").write_text("topic,title\n" + "".join(f"q{t},question {t}\n" for t in range(TOPICS)))
    documents = "".join(json.dumps({"document": d, "text": "text"}) + "\n" for _, d in grades)
    (tmp_path / "docs.jsonl").write_text(documents)
    first, plan, study = tmp_path / "nist.qrels", tmp_path / "plan.json", tmp_path / "study.db"
    planned = run("plan", first, "--threshold", "1", *options, "--seed", "5", "-o", plan, "--quiet")
    assert planned.exit_code == 0, planned.stderr
    document = json.loads(plan.read_text())
    document["stopping"]["within"] = within
    document["estimator"] = estimator
    plan.write_text(json.dumps(document))
    made = run(
        *("judge", "new", study, "--plan", plan, "--topics", tmp_path / "topics.csv"),
        *("--documents", tmp_path / "docs.jsonl", "--judgments", first),
    )
    assert made.exit_code == 0, made.stderr
    return first, plan, study


def judge(study: Path, last: int) -> None:
    """Five people judge everything up to this batch."""
    draw = random.Random(last)
    database = open_database(str(study))
    with database.write() as connection:
        tokens = invite(connection, NAMES).values()
        people = [person for token in tokens if (person := find_invited(connection, token)) is not None]
        step, idle = 1000 * last, 0
        while idle < len(people):  # somebody may have nothing left while another is not done
            step += 1
            place = claim_place(connection, people[step % 5], now=NOW + step)
            idle = idle + 1 if place is None or place.batch > last else 0
            if idle == 0 and place is not None:
                answer = Answer(f"{step:016}", place.remaining[0], "level", draw.randrange(3))
                record_answer(connection, people[step % 5], answer, now=NOW + step)
    database.close()


NAMES = [f"person {number}" for number in range(5)]


@pytest.mark.parametrize(
    ("last", "within", "estimator"), [(1, 0.2, "one-sided"), (3, 0.499, "symmetric")]
)  # who gets which document is drawn anew each time
def test_page_export_fit_and_compare_agree_whenever_a_batch_ends(
    tmp_path: Path, run: Callable[..., Result], last: int, within: float, estimator: str
) -> None:
    """Probabilities, intervals, multipliers and the rule, though most topics have an empty batch; nobody says how."""
    first, plan, study = prepare(tmp_path, run, within, estimator, "--budget", "60", "--batches", "3")
    document = json.loads(plan.read_text())
    for kind in ("precision", "decision"):
        document["stopping"]["kind"] = kind
        (tmp_path / f"{kind}.json").write_text(json.dumps(document))
    judge(study, last)
    second = tmp_path / "second.csv"
    assert run("judge", "export", study, "-o", second, "--quiet").exit_code == 0
    page = json.loads(run("judge", "status", study, "--format", "json").stdout)
    assert page["begun"]
    sides = ("--first", "nist", "--second", ",".join(NAMES))
    plain = ("fit", first, second, *sides, "--estimator", page["estimator"], "--relevant", "1,2")
    by_export = json.loads(run(*plain, "--format", "json", "--quiet").stdout)
    for kind, interval in (("precision", "interval"), ("decision", "any_moment")):
        done = run("fit", first, second, "--plan", tmp_path / f"{kind}.json", *sides, "--format", "json", "--quiet")
        assert done.exit_code == 0, done.stderr
        fitted = json.loads(done.stdout)
        assert fitted["estimator"] == page["estimator"] == estimator
        if kind == "precision":
            assert fitted["plan"]["stopping"]["met"] == page["met"] == (last == 3)
        for mine, theirs, exported in zip(page["levels"], fitted["levels"], by_export["levels"], strict=True):
            assert mine["probability"] == pytest.approx(theirs["probability"], abs=1e-12)
            assert exported["probability"] == pytest.approx(theirs["probability"], abs=1e-12)
            assert mine[interval] == pytest.approx(theirs["interval"], abs=1e-9)
    nominal = fitted["plan"]["stopping"]["nominal"]
    assert nominal == pytest.approx(page["any_moment_confidence"], abs=1e-9)
    # Runs are compared with the very gains of fit --plan.
    ranked = [(topic, name) for topic, _, name, _ in map(str.split, first.read_text().splitlines())]
    lines = [f"{topic} Q0 {name} 1 {sum(map(ord, name)) % 31} run" for topic, name in ranked]
    (tmp_path / "a.run").write_text("\n".join(lines) + "\n")
    compared = json.loads(
        run(
            *("compare", first, second, "--plan", tmp_path / "precision.json", *sides, "--gains", "prm"),
            *("--runs", tmp_path / "a.run", "-m", "P@5", "--format", "json", "--quiet"),
        ).stdout
    )
    gains = compared["gains"][0]["levels"]
    assert [gains[name] for name in "012"] == pytest.approx([one["probability"] for one in fitted["levels"]], abs=1e-12)
    assert compared["plan"]["batch"] == fitted["plan"]["batch"] == last
    assert (compared["over"], compared["people"]) == (fitted["over"], fitted["people"])
    assert compared["plan"]["stopping"]["met"] is None  # of p(R|i) `fit` says whether to stop
