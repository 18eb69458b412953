"""From plan to parameters: `plan`, `judge new`, people, `judge export`, `fit --plan`, and the organiser's page."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.judging.studies import NOW

from gainsayer.web.answers import Answer, record_answer
from gainsayer.web.assignment import claim_place
from gainsayer.web.database import open_database
from gainsayer.web.people import find_invited, invite

TOPICS, DOCUMENTS = 12, 20


def test_a_planned_round_fits_with_its_plan(tmp_path: Path, run: Callable[..., Result]) -> None:
    """When the first batches of a plan are judged, `fit --plan` on the export equals the organiser's p(R|i)."""
    draw = random.Random(3)
    grades = {
        (f"q{t}", f"d{t}x{d}"): draw.choices((0, 1, 2), (6, 3, 2))[0] for t in range(TOPICS) for d in range(DOCUMENTS)
    }
    (tmp_path / "nist.qrels").write_text("".join(f"{t} 0 {d} {grade}\n" for (t, d), grade in grades.items()))
    (tmp_path / "topics.csv").write_text("topic,title\n" + "".join(f"q{t},question {t}\n" for t in range(TOPICS)))
    documents = "".join(json.dumps({"document": d, "text": "text"}) + "\n" for _, d in grades)
    (tmp_path / "docs.jsonl").write_text(documents)
    first, plan = tmp_path / "nist.qrels", tmp_path / "plan.json"
    planned = run("plan", first, "--threshold", "1", "--budget", "120", "--seed", "5", "-o", plan, "--quiet")
    assert planned.exit_code == 0, planned.stderr
    study = tmp_path / "study.db"
    made = run(
        *("judge", "new", study, "--plan", plan, "--topics", tmp_path / "topics.csv"),
        *("--documents", tmp_path / "docs.jsonl", "--judgments", first),
    )
    assert made.exit_code == 0, made.stderr
    database = open_database(str(study))
    with database.write() as connection:
        tokens = invite(connection, [f"person {number}" for number in range(5)]).values()
        people = [person for token in tokens if (person := find_invited(connection, token)) is not None]
        step, idle = 0, 0
        while idle < len(people):  # somebody may have nothing left while another is not done
            step += 1
            place = claim_place(connection, people[step % 5], now=NOW + step)
            idle = idle + 1 if place is None else 0
            if place is not None:
                answer = Answer(f"{step:016}", place.remaining[0], "level", draw.randrange(3))
                record_answer(connection, people[step % 5], answer, now=NOW + step)
    database.close()
    second = tmp_path / "second.csv"
    assert run("judge", "export", study, "-o", second, "--quiet").exit_code == 0
    page = json.loads(run("judge", "status", study, "--format", "json").stdout)
    assert page["judged"] == page["planned"]
    names = ",".join(f"person {number}" for number in range(5))
    called = ("fit", first, second, "--plan", plan, "--first", "nist", "--second", names, "--format", "json", "--quiet")
    fitted = run(*called, "--estimator", page["estimator"])
    assert fitted.exit_code == 0, fitted.stderr
    for mine, theirs in zip(page["levels"], json.loads(fitted.stdout)["levels"], strict=True):
        assert mine["probability"] == pytest.approx(theirs["probability"], abs=1e-12)
        assert mine["interval"] == pytest.approx(theirs["interval"], abs=1e-9)
