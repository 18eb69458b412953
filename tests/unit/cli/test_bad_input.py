"""Bad input: a message that says where, what was expected, what was found and what to do; and nothing half-written."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import gainsayer as gs
from gainsayer.errors import CallError, FormatError

Run = Callable[..., Result]
GOOD = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n"


def fail(run: Run, *arguments: str | Path, code: int = 1) -> str:
    """Run a command that must fail with this exit code and our own words, and give those."""
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert isinstance(result.exception, SystemExit), "a traceback would mean a bug of ours"
    assert result.stdout == ""
    return result.stderr


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A qrels file in order."""
    path = tmp_path / "good.qrels"
    path.write_text(GOOD)
    return path


CASES: dict[str, tuple[bytes, list[str]]] = {
    "empty": (b"", ["bad.qrels", "is empty"]),
    "blank": (b" \n\n", ["bad.qrels", "only blanks"]),
    "binary": (bytes(range(256)) * 10, ["bad.qrels", "binary"]),
    "three columns": (b"q1 0 d1 1\nq1 0 d2\n", ["bad.qrels, line 2", "expected 4 columns", "found 3", "'q1 0 d2'"]),
    "a run": (b"q1 Q0 d1 1 3.5 tag\n", ["bad.qrels, line 1", "found 6", "look like a run"]),
    "level not a number": (
        b"q1 0 d1 1\nq1 0 d2 x\n",
        ["bad.qrels, line 2", "expected a whole number", "found 'x'", "--levels"],
    ),
    "conflict": (
        b"q1 0 d1 1\nq1 0 d1 0\n",
        [
            "bad gave q1 d1 the levels 1, 0",
            "bad.qrels, line 1; ",
            "bad.qrels, line 2",
            "--repeats first, last or majority",
        ],
    ),
    "damaged gzip": (gzip.compress(GOOD.encode() * 100, mtime=0)[:-20], ["bad.qrels", "gzip", "damaged or cut off"]),
    "bad UTF-8": (b"q1 0 d1 1\nq1 0 d\xff 1\n", ["bad.qrels, line 2", "expected UTF-8", "0xff", "iconv"]),
    "blanks of Unicode round a label": (
        b"q1 0 d1 1\nq1 0 d2 \xe3\x80\x801\n",
        ["bad.qrels, line 2", "found '\\u30001'"],
    ),
    "quoted header": (
        b'"topic" "iteration" "document" "level"\nq1 0 d1 1\n',
        ["bad.qrels, line 1", "found the header"],
    ),
    "blanks without end": (b" " * (1 << 25), ["bad.qrels", "bytes without the end of one"]),
    "gzip of blanks without end": (gzip.compress(b" " * (1 << 26), mtime=0), ["bad.qrels", "without the end of one"]),
    "names without end": (b"q1 0 d1 1\nq1 0 d2\n" + b"q1 0 " + b"d" * 100_000 + b"\n", ["expected 4 columns"]),
    "one long line": (b"x" * 10_000_000, ["bad.qrels, line 1", "expected 4 columns", "found 1"]),
    "long line of many columns": (b"x " * 5_000_000, ["bad.qrels, line 1", "expected 4 columns"]),
}


@pytest.mark.parametrize("command", ["fit", "agree"])
@pytest.mark.parametrize("case", CASES)
def test_faulty_file(case: str, command: str, good: Path, tmp_path: Path, run: Run) -> None:
    """The data is at fault: exit code 1, and a message that names the file, the line and the remedy."""
    content, words = CASES[case]
    (tmp_path / "bad.qrels").write_bytes(content)
    target = tmp_path / "model.json"
    message = fail(run, command, good, tmp_path / "bad.qrels", "-o", target)
    for word in words:
        assert word in message
    assert len(message) < 3000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.qrels", "good.qrels"], "nothing is half-written"


def test_an_empty_array_has_no_rows(good: Path, tmp_path: Path, run: Run) -> None:
    """JSON without rows has neither judgments nor hits."""
    (tmp_path / "bad.json").write_text(" [ ] ")
    assert "bad.json is empty" in fail(run, "score", good, "--runs", tmp_path / "bad.json", "-m", "AP")
    assert "bad.json is empty" in fail(run, "fit", good, tmp_path / "bad.json")


@pytest.mark.parametrize("content", ["[" * 1_000 + "]" * 1_000, "[" * 100_000, '{"confidence": 1' + "0" * 400 + "}"])
@pytest.mark.parametrize("what", ["plan", "model", "sample", "gains"])
def test_json_that_nobody_wrote(what: str, content: str, good: Path, tmp_path: Path, run: Run) -> None:
    """Nesting without end and numbers of hundreds of digits are faults of the file, in words."""
    (tmp_path / "bad.json").write_text(content)
    (tmp_path / "other.qrels").write_text(GOOD)
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 0.5 x\n")
    compared = ("compare", good, "--runs", tmp_path / "a.run")
    call: tuple[str | Path, ...] = {
        "plan": ("fit", good, tmp_path / "other.qrels", "--plan"),
        "model": (*compared, "--model"),
        "sample": (
            *("machine", "score", "--machine", good, "--people", tmp_path / "other.qrels"),
            *("--runs", tmp_path / "a.run", "-m", "P@1", "--sample"),
        ),
        "gains": (*compared, "--gains"),
    }[what]
    message = fail(run, *call, tmp_path / "bad.json")
    assert "bad.json" in message
    assert len(message) < 1000


def test_a_chance_that_cannot_be(good: Path, tmp_path: Path, run: Run) -> None:
    """A label that would stand for more documents than there are many times over is a slip."""
    (tmp_path / "people.csv").write_text("topic,document,label,probability\nq1,d1,1,1e-155\nq1,d2,0,0.5\nq2,d1,1,0.5\n")
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 0.5 x\n")
    files = ("--machine", good, "--people", tmp_path / "people.csv", "--runs", tmp_path / "a.run")
    assert "1e-155 as its probability" in fail(run, "machine", "score", *files, "-m", "P@1")


def test_missing_file_and_folder(good: Path, tmp_path: Path, run: Run) -> None:
    """The call is at fault: exit code 2; a name that is nearly right is suggested."""
    (tmp_path / "other.qrels").write_text(GOOD)
    assert "There is no file" in fail(run, "fit", good, tmp_path / "other.qrels", "--plan", "no.json", code=2)
    message = fail(run, "fit", good, tmp_path / "god.qrels", code=2)
    assert "There is no file" in message
    assert "good.qrels" in message
    assert "is a folder" in fail(run, "fit", good, tmp_path, code=2)


def test_level_outside_the_declared_ones(good: Path, tmp_path: Path, run: Run) -> None:
    """A label that is not among --levels is named with its place, and what to do with it."""
    (tmp_path / "other.qrels").write_text("q1 0 d1 Key\nq1 0 d2 Spam\n")
    (tmp_path / "named.qrels").write_text("q1 0 d1 Key\nq1 0 d2 Non\n")
    files = (tmp_path / "named.qrels", tmp_path / "other.qrels")
    message = fail(run, "fit", *files, "--levels", "Non,Rel,Key")
    assert "other.qrels, line 2: expected one of the levels Non, Rel, Key, found 'Spam'" in message
    assert "--merge LABEL=LEVEL" in message
    assert run("fit", *files, "--levels", "Non,Rel,Key", "--merge", "Spam=Non").exit_code == 0
    assert run("fit", *files, "--levels", "Non,Rel,Key", "--missing", "Spam").exit_code == 0


def test_unknown_threshold(good: Path, tmp_path: Path, run: Run) -> None:
    """The levels there are stand in the message; the call is at fault."""
    (tmp_path / "other.qrels").write_text(GOOD)
    message = fail(run, "fit", good, tmp_path / "other.qrels", "--threshold", "7", code=2)
    assert "no level '7': the levels are 0, 1" in message


def test_one_assessor_and_no_overlap(good: Path, tmp_path: Path, run: Run) -> None:
    """One file is one assessor; two that share no document show what each judged."""
    assert "come from one assessor, 'good'" in fail(run, "fit", good)
    (tmp_path / "other.qrels").write_text("101 0 d1 1\n101 0 d2 0\n")
    message = fail(run, "agree", good, tmp_path / "other.qrels")
    assert "No document was judged by both sides" in message
    assert "other judged 2 documents" in message


def test_unordered_labels_need_a_word(tmp_path: Path, run: Run) -> None:
    """Names without an order have no threshold; --levels or --relevant helps."""
    for name, labels in (("a", "Key Non Key"), ("b", "Non Non Key")):
        lines = [f"q{place} 0 d {label}\n" for place, label in enumerate(labels.split())]
        (tmp_path / f"{name}.qrels").write_text("".join(lines))
    files = (tmp_path / "a.qrels", tmp_path / "b.qrels")
    message = fail(run, "fit", *files, code=2)
    assert "have no order" in message
    assert "--levels" in message
    assert "--relevant" in message
    assert run("fit", *files, "--relevant", "Key").exit_code == 0
    assert run("fit", *files, "--levels", "Non,Key").exit_code == 0


def test_output_that_cannot_be_written(good: Path, tmp_path: Path, run: Run) -> None:
    """A folder that is not there is the call's fault, and named."""
    (tmp_path / "other.qrels").write_text(GOOD)
    message = fail(run, "fit", good, tmp_path / "other.qrels", "-o", tmp_path / "no" / "model.json", code=2)
    assert "Cannot write" in message


def test_names_from_files_do_not_steer_the_terminal(tmp_path: Path, run: Run) -> None:
    """Escape sequences in ids and labels are shown, not sent; markup stays text."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.qrels").write_text("q\x1b[31m 0 [bold]d 1\nq\x1b[31m 0 e \x1b[2J\n")
    message = fail(run, "fit", tmp_path / "a.qrels", tmp_path / "b.qrels")
    assert "\x1b" not in message
    with pytest.raises(FormatError) as caught:
        gs.agree(tmp_path / "a.qrels", tmp_path / "b.qrels", levels="1," + "y" * 1000)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 1000
    result = run("agree", tmp_path / "a.qrels", tmp_path / "b.qrels", "--levels", "1,\x1b[2J")
    assert "\x1b" not in result.output


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--merge", "Nav"], "--merge needs LABEL=LEVEL"),
        (["--sampled", "0"], "--sampled needs LEVEL=PROBABILITY"),
        (["--smooth", "much"], "There is no smoothing 'much'"),
        (["--smooth", "uniform:x"], "needs a number"),
        (["--confidence", "95"], "between 0 and 1"),
        (["--first", "nobody"], "There is no assessor 'nobody'"),
        (["--intents", "top"], "--intent-probabilities"),
        (["--levels", "0"], "At least two levels"),
        (["--by-assessor", "--diversity"], "cannot be both"),
    ],
)
def test_options_that_do_not_fit(options: list[str], words: str, good: Path, tmp_path: Path, run: Run) -> None:
    """A fault in the call has exit code 2 and says what the option takes."""
    (tmp_path / "other.qrels").write_text(GOOD)
    assert words in fail(run, "fit", good, tmp_path / "other.qrels", *options, code=2)


def test_what_looks_like_an_argument_in_the_data_stays(good: Path, tmp_path: Path, run: Run) -> None:
    """Measures and names with `gains={...}` or `topics='...'` inside stand in messages as they were given."""
    measure = "nDCG(gains={0: 0, 1: 5}, dcg='exp-log2')@10"
    (tmp_path / "topics='abc'.run").write_text("other Q0 d1 1 0.5 x\n")
    message = fail(run, "score", good, "--runs", tmp_path / "topics='abc'.run", "-m", measure, code=2)
    assert measure in message
    assert "topics='abc'.run" in fail(run, "score", good, "--runs", tmp_path / "topics='abc'.run", "-m", "AP")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"confidence": "x"}, "confidence must be a number"),
        ({"confidence": None}, "confidence must be a number"),
        ({"seed": "x"}, "seed must be a whole number"),
        ({"smooth": 5}, "There is no smoothing '5'"),
        ({"levels": 5}, "Levels are names"),
        ({"maps": 5}, "Maps are labels by assessor"),
        ({"estimator": 3}, "There is no estimator 3"),
        ({"missing": 2.5j}, "missing is a name or a list of names"),
        ({"raters": {"a": 1}}, "raters is a name or a list of names"),
        ({"first": 3}, "first is a name or a list of names, found '3'"),
        ({"second": [1]}, r"second is a name or a list of names|Judgments are read from"),
        ({"pairing": "x"}, "Sides pair auto, matched, all, found 'x'"),
        ({"pairing": ["all"]}, "Sides pair auto, matched, all"),
    ],
)
def test_wrong_types_from_python(wrong: dict[str, Any], words: str, good: Path, tmp_path: Path) -> None:
    """A value that no option takes is a fault of the call, in words."""
    (tmp_path / "other.qrels").write_text(GOOD)
    with pytest.raises(CallError, match=words):
        gs.fit(good, tmp_path / "other.qrels", threshold=1, **wrong).to_json()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"measures": [5]}, "Measures are names"),
        ({"measures": 5}, "Measures are names"),
        ({"gains": 5}, "Gains are names"),
        ({"unjudged": []}, "What an unjudged document is worth"),
        ({"gain": 3}, "Gains given by hand are numbers by level"),
        ({"gain": {"1": "x"}}, "Gains given by hand are numbers by level"),
        ({"model": 3}, "A model is what fit gives, or its file, found '3'"),
        ({"labels": 3}, "labels is a name or a list of names"),
        ({"users": object()}, "users is a name or a list of names"),
    ],
)
def test_wrong_types_of_scores(wrong: dict[str, Any], words: str, good: Path, tmp_path: Path) -> None:
    """The same for measures, gains and policies."""
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 0.5 x\n")
    with pytest.raises(CallError, match=words):
        gs.score(good, tmp_path / "a.run", **{"measures": "AP", **wrong})
