"""The collections whose numbers other code computed, as files through the command line: scores, verdict, people."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from scipy.stats import norm, t
from tests.machines.fixture import (
    CHANCE,
    DOCUMENTS,
    GRADE,
    HUMAN,
    RANK,
    TOPICS,
    drawn_documents,
    people_sample,
    rank_ten_runs,
)

EXACT = 1e-9
Run = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """machine.qrels, three/, ten/, people.csv with its design, team.csv, whole.qrels."""
    places = [(t, d) for t in range(TOPICS) for d in range(DOCUMENTS)]
    (tmp_path / "machine.qrels").write_text("".join(f"q{t:02} 0 d{d} {GRADE[t, d]}\n" for t, d in places))
    for name, ranks in (("three", RANK), ("ten", rank_ten_runs())):
        (tmp_path / name).mkdir()
        for run, rank in enumerate(ranks):
            lines = [f"q{t:02} Q0 d{d} 0 {-rank[t, d]} run{run}\n" for t, d in places]
            (tmp_path / name / f"run{run}.run").write_text("".join(lines))
    drawn = drawn_documents()
    labels = [f"q{t:02},d{d},{int(3 * HUMAN[t, d])}\n" for t, d in places if drawn[t, d]]
    (tmp_path / "people.csv").write_text("topic,document,label\n" + "".join(labels))
    chances = {f"q{t:02}": {f"d{d}": CHANCE[t, d] for d in range(DOCUMENTS)} for t in range(TOPICS)}
    (tmp_path / "people.design.json").write_text(json.dumps({"kind": "documents", "chances": chances}))
    opinions = people_sample().opinions
    assert opinions is not None
    rows = zip(opinions.document.tolist(), opinions.person.tolist(), opinions.satisfied.tolist(), strict=True)
    team = [f"q{at // 7:02},d{at % 7},{'abcd'[who]},{int(3 * said)}\n" for at, who, said in rows]
    (tmp_path / "team.csv").write_text("topic,document,assessor,label\n" + "".join(team))
    whole = [f"q{t:02} 0 d{d} {int(3 * HUMAN[t, d])}\n" for t, d in places if t % 2 == 0]
    (tmp_path / "whole.qrels").write_text("".join(whole))
    return tmp_path


def ask(run: Run, folder: Path, command: str, runs: str, people: str, *more: str) -> dict[str, Any]:
    """The JSON of a command."""
    done = run(
        *("machine", command, "--machine", folder / "machine.qrels", "--runs", folder / runs),
        *("--people", folder / people, "--threshold", "2", "-m", "DCG@3", "--format", "json", *more),
    )
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def values(found: dict[str, Any], key: str = "value") -> list[float]:
    """What each run has by the first measure."""
    return [run["scores"][0][key] for run in found["runs"]]


def test_drawn_documents(run: Run, folder: Path) -> None:
    """Worth of grades, scores, errors, and errors of differences."""
    these = ask(run, folder, "score", "three", "people.csv", "--target", "these", "--pairwise")
    assert these["design"]["labels"] == 79
    assert values(these) == pytest.approx([1.208026857, 1.010272061, 1.084375578], abs=EXACT)
    assert values(these, "standard_error") == pytest.approx([0.116214730, 0.097996726, 0.107076720], abs=EXACT)
    apart = [pair["standard_error"] for pair in these["differences"]]
    assert apart == pytest.approx([0.105604215, 0.117700915, 0.106473283], abs=EXACT)
    like = ask(run, folder, "score", "three", "people.csv")
    assert values(like, "standard_error") == pytest.approx([0.186563024, 0.186707188, 0.180063563], abs=EXACT)
    check = ask(run, folder, "check", "three", "people.csv", "--effect", "votes")
    worth = [level["probability"] for level in check["levels"]]
    assert worth == pytest.approx([0, 0.466666667, 0.529411765, 1], abs=EXACT)
    effect = check["effects"][0]
    assert (effect["slope"], effect["standard_error"]) == pytest.approx((0.000323246, 0.045241400), abs=EXACT)


def test_whole_topics(run: Run, folder: Path) -> None:
    """Every other topic judged."""
    like = ask(run, folder, "score", "three", "whole.qrels", "--design", "topics", "--pairwise")
    assert values(like) == pytest.approx([1.321900786, 1.221563191, 1.181884057], abs=EXACT)
    assert values(like, "standard_error") == pytest.approx([0.105244722, 0.158072034, 0.158576284], abs=EXACT)
    apart = [pair["standard_error"] for pair in like["differences"]]
    assert apart == pytest.approx([0.177936842, 0.191648171, 0.180891656], abs=EXACT)
    these = ask(run, folder, "score", "three", "whole.qrels", "--design", "topics", "--target", "these")
    assert values(these, "standard_error") == pytest.approx([0.062213311, 0.082367786, 0.076815351], abs=EXACT)


def test_the_verdict_of_ten_runs(run: Run, folder: Path) -> None:
    """Scores by people and by the machine, taste, line, best guess, and what grades tell of people's labels."""
    found = ask(run, folder, "check", "ten", "people.csv")
    runs, verdict = found["runs"], found["verdict"]
    assert [one["people"] for one in runs][:2] == pytest.approx([1.348638248, 1.109460941], abs=EXACT)
    assert runs[0]["machine"] == pytest.approx(1.065464877, abs=EXACT)
    assert (verdict["worth"]["skill"], *verdict["worth"]["interval"]) == pytest.approx(
        (0.495828078, 0.396317990, 0.578935064), abs=EXACT
    )
    scores = verdict["scores"]
    assert scores["runs"] == 10
    assert (scores["slope"], scores["slope_error"]) == pytest.approx((0.580881736, 0.487950622), abs=EXACT)
    assert scores["slope_interval"] == pytest.approx(
        [0.580881736 - norm.ppf(0.975) * 0.487950622, 0.580881736 + norm.ppf(0.975) * 0.487950622], abs=EXACT
    )
    assert np.square([scores["taste"], *scores["taste_interval"]]) == pytest.approx(
        [1.567303052, 0.129243327, 7.432628899], abs=EXACT
    )
    guess = values(ask(run, folder, "score", "ten", "people.csv"), "composite")
    assert guess[:3] == pytest.approx([1.253204140, 1.125046038, 1.081183449], abs=EXACT)


def test_several_people(run: Run, folder: Path) -> None:
    """Four people, and the reach of people.md's formula from the parts that other code computed."""
    design = ("--sample", str(folder / "people.design.json"))
    found = ask(run, folder, "score", "three", "team.csv", *design, "--target", "these", "--pairwise")
    assert (found["design"]["labels"], found["design"]["documents"], found["design"]["people"]) == (133, 79, 4)
    assert values(found) == pytest.approx([1.004796376, 0.815400031, 0.873283928], abs=EXACT)
    reach = t.ppf(0.975, 2.878316159)
    q = norm.ppf(0.975)
    for (low, high), (topics, people, noise) in (
        (found["runs"][0]["scores"][0]["interval"], (0.013244415, 0.060278139, 0.012827595)),
        (found["differences"][0]["interval"], (0.010475938, 0.004882953, 0.011489117)),
    ):
        expected = max(q**2 * topics, q**2 * max(0.0, topics - noise) + reach**2 * people)
        assert high - low == pytest.approx(2 * np.sqrt(expected), abs=1e-7)
