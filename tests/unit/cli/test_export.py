"""`export` as typed: what it prints, what it writes, and what it says when something is at fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

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


def model(**probabilities: float | None) -> dict[str, object]:
    """A model of these levels, the last one relevant."""
    others = ("relevant_count", "judged_count", "standard_error", "interval", "interval_method", "note")
    levels = [{"level": level, "probability": p, **dict.fromkeys(others)} for level, p in probabilities.items()]
    top = list(probabilities)[-1]
    counted = {"topics": 4, "pairs": 9, "counts": [[3, 2], [2, 2]], "strata": None, "warnings": []}
    return {"threshold": top, "relevant": [top], "estimator": "symmetric", "levels": levels, **counted}


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
    fitted = json.loads((files / "model.json").read_text())
    wanted = {entry["level"]: entry["probability"] for entry in fitted["levels"]}
    assert json.loads(run("export", "gains", "--model", "model.json").stdout) == wanted
    marginal = json.loads(run("export", "gains", "--model", "model.json", "--threshold", "1").stdout)
    assert marginal == {e["level"]: e["probability"] for e in fitted["thresholds"][1]["levels"]} != wanted
    mixed = json.loads(run("export", "gains", "--model", "model.json", "--gain", "0=0.125").stdout)
    assert mixed == {**wanted, "0": 0.125}
    text = run("export", "qrels", "first.qrels", "--model", "model.json").stdout
    assert text.split()[3] == str(round(1000 * wanted["2"]))
    assert "it has 2, 1" in fail(run, "export", "gains", "--model", "model.json", "--threshold", "3", code=2)


def test_the_labels_are_read_by_the_model_s_levels(run: Run, files: Path) -> None:
    """A model of named levels brings its codes and merges along, so numeric qrels need no --levels."""
    scheme = {"names": ["Non", "Key"], "codes": ["0", "1"], "merges": {"2": "Key"}, "missing": [], "ordered": True}
    (files / "model.json").write_text(json.dumps({**model(Non=0.1, Key=0.6), "level_scheme": scheme}))
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
        (["qrels", "first.qrels", "--model", "first.qrels"], 1, "no JSON"),
        (["qrels", "first.qrels", "--model", "none.json"], 2, "There is no file 'none.json'"),
        (["qrels", "first.qrels", "--model", "part.json"], 1, "one of the levels 0, 1, found '2'"),
        (["gains", "--model", "empty.json"], 1, "No pair has level '1', so its gain is not known"),
        (
            ["quepid", "first.qrels", *BY_HAND, "--queries", "part.tsv"],
            1,
            "There is no query for 1 topic: q2. Add it",
        ),
        (["quepid", "nothing.qrels", *BY_HAND], 2, "There is no file"),
    ],
)
def test_faults_leave_nothing_behind(arguments: list[str], code: int, words: str, run: Run, files: Path) -> None:
    """Whose fault it is stands in the exit code, what to do in the message; no file is half-written."""
    (files / "part.json").write_text(json.dumps(model(**{"0": 0.1, "1": 0.3})))
    (files / "panel.csv").write_text("qid,docno,judge,rel\nq1,d1,a,2\nq1,d1,b,0\nq1,d2,a,1\n")
    (files / "empty.json").write_text(json.dumps(model(**{"0": 0.1, "1": None})))
    (files / "part.tsv").write_text("q1\tred dress\n")
    before = sorted(path.name for path in files.iterdir())
    assert words in fail(run, "export", *arguments, "-o", "out", code=code)
    assert sorted(path.name for path in files.iterdir()) == before


def test_labels_of_one_of_several(run: Run, files: Path) -> None:
    """--labels picks whose labels are written."""
    result = run("export", "qrels", "first.qrels", "other=second.qrels", "--labels", "other", *BY_HAND)
    assert result.stdout.startswith("q1 0 d1 530\nq1 0 d2 10\nq1 0 d3 10\n")
