"""`export` and `doctor` as typed: what they print, what they write, and what they say when something is at fault."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from gainsayer.exports import Answer, Patience, Question
from gainsayer.exports import checks as exports_checks

Run = Callable[..., Result]
QRELS = "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d1 1\nq2 0 d2 0\n"
SECOND = "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 0\nq2 0 d1 2\nq2 0 d2 0\n"
BY_HAND = ("--gain", "0=0.01", "--gain", "1=0.27", "--gain", "2=0.53")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, the current one, with two qrels files."""
    (tmp_path / "first.qrels").write_text(QRELS)
    (tmp_path / "second.qrels").write_text(SECOND)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fail(run: Run, *arguments: str | Path, code: int) -> str:
    """Run a command that must fail with this exit code and our own words, and give those."""
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    return result.stderr


def test_scaled_qrels_with_bound_and_warning(run: Run, files: Path) -> None:
    """The qrels go to standard output; the bound and the warning to standard error, unless --quiet."""
    result = run("export", "qrels", "first.qrels", *BY_HAND)
    assert result.exit_code == 0, result.output
    assert result.stdout == "q1 0 d1 530\nq1 0 d2 10\nq1 0 d3 270\nq2 0 d1 270\nq2 0 d2 10\n"
    assert "is off by at most 0 in the mean over topics" in result.stderr
    assert "every count of relevant documents" in result.stderr
    assert run("export", "qrels", "first.qrels", *BY_HAND, "--quiet").stderr == ""
    small = run("export", "qrels", "first.qrels", *BY_HAND, "--scale", "10")
    assert small.stdout.startswith("q1 0 d1 5\n")
    assert "is off by at most 0.24 in the mean over topics, and by at most 0.3 in any topic" in small.stderr


def test_a_fitted_model_becomes_gains(run: Run, files: Path) -> None:
    """What fit writes, export reads: the first threshold, or the one asked for; --gain comes before the model."""
    made = run("fit", "first.qrels", "second.qrels", "-o", "model.json")
    assert made.exit_code == 0, made.output
    model = json.loads((files / "model.json").read_text())
    wanted = {entry["level"]: entry["probability"] for entry in model["levels"]}
    assert json.loads(run("export", "gains", "--model", "model.json").stdout) == wanted
    marginal = json.loads(run("export", "gains", "--model", "model.json", "--threshold", "1").stdout)
    assert marginal == {e["level"]: e["probability"] for e in model["thresholds"][1]["levels"]} != wanted
    mixed = json.loads(run("export", "gains", "--model", "model.json", "--gain", "0=0.125").stdout)
    assert mixed == {**wanted, "0": 0.125}
    text = run("export", "qrels", "first.qrels", "--model", "model.json").stdout
    assert text.split()[3] == str(round(1000 * wanted["2"]))
    assert "it has 2, 1" in fail(run, "export", "gains", "--model", "model.json", "--threshold", "3", code=2)


def test_the_labels_are_read_by_the_model_s_levels(run: Run, files: Path) -> None:
    """A model of named levels brings its codes and merges along, so numeric qrels need no --levels."""
    scheme = {"names": ["Non", "Key"], "codes": ["0", "1"], "merges": {"2": "Key"}, "missing": [], "ordered": True}
    levels = [{"level": "Non", "probability": 0.1}, {"level": "Key", "probability": 0.6}]
    (files / "model.json").write_text(json.dumps({"levels": levels, "level_scheme": scheme}))
    result = run("export", "quepid", "first.qrels", "--model", "model.json")
    assert result.stdout.startswith("query,docid,rating\nq1,d1,0.6\nq1,d2,0.1\nq1,d3,0.6\n"), result.output


def test_gain_maps(run: Run, files: Path) -> None:
    """The other tools' parameters, with the trap of each on standard error; no judgments are needed."""
    trec = run("export", "gains", *BY_HAND, "--as", "trec_eval")
    assert trec.stdout == "-m ndcg.0=0.01,1=0.27,2=0.53\n"
    assert "compares gains through an integer" in trec.stderr
    assert run("export", "gains", "--gain", "0=0.01,1=1", "--as", "ir_measures").stdout == "nDCG(gains={0:10,1:1000})\n"


def test_opensearch_and_quepid_to_files(run: Run, files: Path) -> None:
    """Files are written whole, and said; numeric topics without --queries are warned of."""
    (files / "numbers.qrels").write_text("7 0 d1 1\n8 0 d1 0\n")
    (files / "queries.tsv").write_text("7\tred dress\n8\tblue jeans\n")
    both = ("numbers.qrels", "--gain", "0=0.01", "--gain", "1=0.5")
    result = run("export", "opensearch", *both, "--queries", "queries.tsv", "-o", "j.json", "--name", "mine")
    assert (result.stdout, result.stderr) == ("", "Wrote j.json\n")
    body = json.loads((files / "j.json").read_text())
    assert body["name"] == "mine"
    assert body["judgmentRatings"][0] == {"query": "red dress", "ratings": [{"docId": "d1", "rating": "0.500"}]}
    assert "Give these, too: --queries" in run("export", "quepid", *both).stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["qrels", "first.qrels"], 2, "No gains were given"),
        (["qrels"], 2, "the judgments are needed"),
        (["qrels", "first.qrels", "--gain", "0=1"], 2, "Level '1', '2' has no gain"),
        (["qrels", "first.qrels", *BY_HAND, "--gain", "7=1"], 2, "no level '7'"),
        (["qrels", "first.qrels", *BY_HAND, "--gain", "x"], 2, "--gain needs LEVEL=NUMBER, found 'x'"),
        (["qrels", "first.qrels", *BY_HAND[2:], "--gain", "0=nan"], 2, "--gain needs LEVEL=NUMBER"),
        (["qrels", "first.qrels", *BY_HAND[2:], "--gain", "0=-1"], 2, "at least 0, found -1"),
        (["qrels", "first.qrels", *BY_HAND, "--threshold", "1"], 2, "Give a model, too: --model"),
        (["qrels", "panel.csv", *BY_HAND], 2, "nothing says which one scores a document"),
        (["qrels", "first.qrels", "--model", "first.qrels"], 1, "found no JSON"),
        (["qrels", "first.qrels", "--model", "none.json"], 2, "There is no file 'none.json'"),
        (["qrels", "first.qrels", "--model", "part.json"], 1, "level '2', which part.json does not know"),
        (["gains", "--model", "empty.json"], 1, "No pair has level '1', so its gain is not known"),
        (["quepid", "first.qrels", *BY_HAND, "--queries", "part.tsv"], 1, "1 topics have no query: q2"),
        (["quepid", "nothing.qrels", *BY_HAND], 2, "There is no file"),
    ],
)
def test_faults_leave_nothing_behind(arguments: list[str], code: int, words: str, run: Run, files: Path) -> None:
    """Whose fault it is stands in the exit code, what to do in the message; no file is half-written."""
    levels = [{"level": "0", "probability": 0.1}, {"level": "1", "probability": 0.3}]
    (files / "part.json").write_text(json.dumps({"levels": levels}))
    (files / "panel.csv").write_text("qid,docno,judge,rel\nq1,d1,a,2\nq1,d1,b,0\nq1,d2,a,1\n")
    (files / "empty.json").write_text(json.dumps({"levels": [levels[0], {"level": "1", "probability": None}]}))
    (files / "part.tsv").write_text("q1\tred dress\n")
    before = sorted(path.name for path in files.iterdir())
    assert words in fail(run, "export", *arguments, "-o", "out", code=code)
    assert sorted(path.name for path in files.iterdir()) == before


def test_labels_of_one_of_several(run: Run, files: Path) -> None:
    """--labels picks whose labels are written."""
    result = run("export", "qrels", "first.qrels", "other=second.qrels", "--labels", "other", *BY_HAND)
    assert result.stdout.startswith("q1 0 d1 530\nq1 0 d2 10\nq1 0 d3 10\n")


ANSWERS: Mapping[str, Mapping[str, Answer]] = {
    "pytrec_eval": {"scaled qrels": Answer(values={"perfect ranking": 1.0, "your run": 0.5})},
    "ranx": {
        "gains as relevance": Answer(values={"perfect ranking": 0.0}),
        "scaled qrels": Answer(refusal="\x1b[2J no"),
    },
    "ir_measures": {"gains as relevance": Answer(death="no answer within 1 seconds", late=True)},
}


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Question]:
    """Stand-ins for the peers, which answer at once; tests/oracles asks the real ones. Gives what they were asked."""
    asked: dict[str, Question] = {}

    def answer(peer: str, question: Question, patience: Patience) -> Answer:
        given = next(
            name
            for name in exports_checks._GIVEN[peer]
            if (name == "scaled qrels") == _is_scaled(question) and ("map" in name) == (question.gains is not None)
        )
        asked[f"{peer}, {given}"] = question
        answer = ANSWERS.get(peer, {}).get(given, Answer(death="the process was killed by SIGABRT"))
        if answer.values is None:
            return answer
        return Answer(values={name: value for name, value in answer.values.items() if name in question.rankings})

    monkeypatch.setattr(exports_checks, "find_version", lambda peer: None if peer == "trec_eval" else "1.0")
    monkeypatch.setattr(exports_checks, "ask_peer", answer)
    return asked


def _is_scaled(question: Question) -> bool:
    values = [value for pool in question.qrels.values() for value in pool.values()]
    return question.gains is None and all(isinstance(value, int) for value in values)


def test_doctor_table_and_advice(run: Run, files: Path, peers: dict[str, Question]) -> None:
    """A row per peer and question, the right value beside the answer, and advice; example gains are called so."""
    result = run("doctor", "first.qrels")
    assert result.exit_code == 0, result.output
    text = result.stdout
    assert "nDCG with example gains (0 = 0.01, 1 = 0.155, 2 = 0.53)" in text
    for words in ("not on PATH", "gains cut down to 0, in silence", "killed by SIGABRT", "no answer within 1 seconds"):
        assert words in text
    assert "\x1b" not in text
    assert "ranx: do not give it gains as relevance" in text
    assert "pytrec_eval: do not give it gains as a gain map, low to high: it takes the whole process down." in text
    assert "For nDCG in pytrec_eval: gainsayer export qrels; it gave the right value exactly" in text
    assert "ir_measures: it ran out of time; allow it more seconds." in text
    assert "Scaled qrels did not help in ir_measures, ranx" in text
    perfect = peers["ranx, scaled qrels"].rankings["perfect ranking"]
    assert perfect == {"q1": ["d1", "d3", "d2"], "q2": ["d1", "d2"]}


def test_doctor_says_who_ran_out_of_time(run: Run, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An evaluator without an answer has rows and advice that say so, and no word on whether scaled qrels help it."""
    late = Answer(death="no answer within 90 seconds", late=True)
    monkeypatch.setattr(exports_checks, "find_version", lambda peer: "1.0" if peer == "ranx" else None)
    monkeypatch.setattr(exports_checks, "ask_peer", lambda peer, question, patience: late)
    text = run("doctor", "first.qrels").stdout
    assert text.count("no answer within 90 seconds") == 2
    assert "ranx: it ran out of time; allow it more seconds." in text
    assert "did not help" not in text


def test_doctor_json_and_csv(run: Run, files: Path, peers: dict[str, Question]) -> None:
    """The same in plain data: gains, checks and advice."""
    document: dict[str, Any] = json.loads(run("doctor", "first.qrels", *BY_HAND, "--format", "json").stdout)
    assert document["gains"] == {"name": "custom", "levels": {"0": 0.01, "1": 0.27, "2": 0.53}}
    verdicts = {(check["peer"], check["given"]): check["verdict"] for check in document["checks"]}
    assert verdicts["ranx", "gains as relevance"] == "wrong"
    assert verdicts["ir_measures", "gains as relevance"] == "no answer"
    assert verdicts["trec_eval", None] == "not installed"
    assert document["advice"][-1].endswith("gainsayer score")
    rows = list(csv.DictReader(io.StringIO(run("doctor", "first.qrels", "--format", "csv").stdout)))
    assert rows[0]["peer"] == "trec_eval"
    assert "version" in rows[0]


def test_doctor_with_a_run(run: Run, files: Path, peers: dict[str, Question]) -> None:
    """The run is ranked as trec_eval does: score, then document by bytes, both descending; only its topics count."""
    (files / "a.run").write_text("q1 Q0 d2 1 1.0 a\nq1 Q0 d1 2 3.0 a\nq1 Q0 d3 3 3.0 a\nq9 Q0 d1 1 1.0 a\n")
    result = run("doctor", "first.qrels", "a.run", "--format", "json")
    assert result.exit_code == 0, result.output
    assert peers["pytrec_eval, scaled qrels"].rankings["your run"] == {"q1": ["d3", "d1", "d2"]}
    scaled = [check for check in json.loads(result.stdout)["checks"] if check["given"] == "scaled qrels"]
    assert [check["verdict"] for check in scaled[:2]] == ["right", "wrong"]
    assert scaled[1]["words"] == "another value, in silence"


def test_doctor_faults(run: Run, files: Path, peers: dict[str, Question]) -> None:
    """No shared topic, a repeated document, too many files: said in words."""
    (files / "other.run").write_text("q9 Q0 d1 1 1.0 a\n")
    assert "share no topic" in fail(run, "doctor", "first.qrels", "other.run", "--quiet", code=1)
    (files / "twice.run").write_text("q1 Q0 d1 1 2.0 a\nq1 Q0 d1 2 1.0 a\n")
    assert "'d1' twice" in fail(run, "doctor", "first.qrels", "twice.run", "--quiet", code=1)
    assert "at most one RUN" in fail(run, "doctor", "first.qrels", "a", "b", code=2)


def test_doctor_looks_at_some_topics_of_many(run: Run, files: Path, peers: dict[str, Question]) -> None:
    """A large collection is cut to its first topics, and that is said."""
    result = run("doctor", "first.qrels", "--most-topics", "1")
    assert "Looked at the first 1 of 2 topics" in result.stderr
    assert list(peers["ranx, scaled qrels"].qrels) == ["q1"]
