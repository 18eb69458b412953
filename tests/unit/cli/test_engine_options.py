"""--engine, --work, --buckets and --master: the same output from every engine, and messages with the flags."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]
FILES = ["first.qrels", "second.qrels"]
COMMANDS = {
    "score": ["score", *FILES, "--runs", "runs", "-m", "nDCG@10", "-m", "AP", "--threshold", "2", "--per-topic"],
    "compare": ["compare", *FILES, "--runs", "runs", "-m", "nDCG@10", "--threshold", "2", "--permutations", "200"],
    "fit": ["fit", *FILES],
    "agree": ["agree", *FILES],
}


@pytest.fixture(scope="module")
def collection(simulated_files: Callable[..., Path]) -> Path:
    """Two assessors and three runs on 30 topics."""
    return simulated_files(topics=30, documents=15)


def said(result: Result) -> Any:
    """What a command says as JSON, less what was asked for."""
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    found["provenance"].pop("options", None)
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_buckets_say_what_embedded_says(
    run: Run, collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The JSON of each command is the same from seven buckets, also a second time from the kept work folder."""
    monkeypatch.chdir(collection)
    command = [*COMMANDS[name], "--format", "json"]
    expected = said(run(*command, "--engine", "embedded"))
    work = str(tmp_path / "work")
    assert said(run(*command)) == expected
    for _ in range(2):
        assert said(run(*command, "--engine", "buckets", "--buckets", "7", "--work", work)) == expected
    assert (tmp_path / "work" / "_SUCCESS").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--engine", "buckets", "--work", "runs"], "which are left alone. Name a new or an empty folder: --work"),
        (["--engine", "buckets", "--buckets", "2000"], "There may be 1 to 1,024 buckets, found 2000."),
        (["--master", "yarn"], "--master says where Spark is: use --engine spark with it."),
        (["--engine", "swarm"], "'swarm' is not one of 'auto', 'embedded', 'buckets', 'spark'"),
    ],
)
def test_what_does_not_fit_is_said_with_its_flag(
    run: Run, collection: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], words: str
) -> None:
    """A folder with other files, too many buckets, a master without Spark and a strange engine end with exit code 2."""
    monkeypatch.chdir(collection)
    result = run("agree", *FILES, *options)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_short_help_page_has_no_engines(run: Run) -> None:
    """They are for few: the long page alone lists them, under a heading of their own."""
    assert "--engine" not in run("score", "--help").stdout
    long = run("score", "--help-all").stdout
    assert "Engine:" in long
    assert all(flag in long for flag in ("--engine", "--work", "--buckets", "--master"))
