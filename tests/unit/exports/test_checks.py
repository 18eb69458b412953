"""What a peer answers beside the right value; here stand-ins answer, in tests/oracles the real ones."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from gainsayer.exports import check_peers, example_gains
from gainsayer.judgments import Judgments, read_judgments
from gainsayer.levels import Levels

LEVELS = Levels(("0", "1", "2", "3"))


def label() -> Judgments:
    """Labels of two topics."""
    return read_judgments({"U1": {"q0": {"d0": 0, "d1": 1, "d2": 2, "d3": 3}, "q1": {"d0": 3, "d1": 0}}}, levels=LEVELS)


STUB = """#!/bin/sh
case "$1" in --version) echo "trec_eval version 9.0.99"; exit 0;; esac
case "$2" in
  ndcg.0=*) printf 'ndcg\\tall\\t1.0000\\n';;
  ndcg.3=*) printf 'ndcg\\tall\\t2.1900\\n';;
  *) awk '$4 != int($4) { bad = 1 } END { exit bad }' "$3" || { echo "bad qrels" >&2; exit 3; }
     printf 'ndcg\\tall\\t1.0000\\n';;
esac
"""


def test_the_binary_is_asked_by_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a trec_eval on PATH prints is read, its refusals are quoted; here a stand-in that prints known values."""
    stub = tmp_path / "trec_eval"
    stub.write_text(STUB)
    stub.chmod(stub.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    checks = {check.given: check for check in check_peers(label(), example_gains(LEVELS), peers=["trec_eval"])}
    assert {check.version for check in checks.values()} == {"9.0.99"}
    assert (checks["gains as relevance"].verdict, checks["gains as relevance"].words) == ("refused", "bad qrels")
    assert checks["gain map, low to high"].verdict == "right"
    assert (checks["gain map, high to low"].verdict, checks["gain map, high to low"].value) == ("wrong", 2.19)
    assert "above 1" in checks["gain map, high to low"].words
    assert checks["scaled qrels"].verdict == "right"


def hang(folder: Path, monkeypatch: pytest.MonkeyPatch, *, script: str) -> None:
    """Put a trec_eval on PATH that tells its version, and does this when it is asked."""
    stub = folder / "trec_eval"
    stub.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo 9.0.99; exit; fi\n{script}\n')
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_the_time_limit_holds_for_all_questions_to_a_peer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first question uses the time up, the others are not asked; each row says so."""
    hang(tmp_path, monkeypatch, script=f'echo asked >> "{tmp_path}/log"; exec sleep 60')
    checks = check_peers(label(), example_gains(LEVELS), seconds=3, peers=["trec_eval"])
    assert {check.verdict for check in checks} == {"no answer"}
    assert {check.given: check.words for check in checks} == {
        "scaled qrels": "no answer within 3 seconds",
        "gains as relevance": "not asked: its 3 seconds were used up",
        "gain map, low to high": "not asked: its 3 seconds were used up",
        "gain map, high to low": "not asked: its 3 seconds were used up",
    }
    assert (tmp_path / "log").read_text() == "asked\n"


def test_a_missing_peer_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not installed is said, and nothing is asked."""
    monkeypatch.setenv("PATH", "")
    [check] = check_peers(label(), example_gains(LEVELS), peers=["trec_eval"])
    assert (check.verdict, check.words) == ("not installed", "not on PATH")
