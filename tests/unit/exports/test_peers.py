"""Asking a peer: by files, with a time limit, whatever it does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gainsayer.exports import PERFECT, Patience, Question, ask_peer


def hang(folder: Path, monkeypatch: pytest.MonkeyPatch, *, script: str) -> None:
    """Put a trec_eval on PATH that tells its version, and does this when it is asked."""
    stub = folder / "trec_eval"
    stub.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo 9.0.99; exit; fi\n{script}\n')
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("script", ["exec sleep 60", "sleep 60 & sleep 60"])
def test_a_peer_that_hangs_is_left_after_the_time_limit(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No answer within the limit is an answer of its own, whatever the peer has started."""
    hang(tmp_path, monkeypatch, script=script)
    question = Question({"q": {"d": 1}}, None, {PERFECT: {"q": ["d"]}})
    answer = ask_peer("trec_eval", question, Patience.of(0.3))
    assert answer.late
    assert answer.death == "no answer within 0.3 seconds"
