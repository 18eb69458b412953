"""The options that say where the work is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--master", "yarn"], "--master says where Spark is: use --engine spark with it."),
        (["--engine", "swarm"], "'swarm' is not one of 'embedded', 'spark'"),
    ],
)
def test_what_does_not_fit_is_said_with_its_flag(run: Run, tmp_path: Path, options: list[str], words: str) -> None:
    """A master without Spark and a strange engine end with exit code 2."""
    path = tmp_path / "a.qrels"
    path.write_text("q1 0 d1 1\n")
    result = run("agree", path, *options)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_short_help_page_has_no_engines(run: Run) -> None:
    """They are for few: the long page alone lists them, under a heading of their own."""
    assert "--engine" not in run("score", "--help").stdout
    long = run("score", "--help-all").stdout
    assert "Engine:" in long
    assert all(flag in long for flag in ("--engine", "--master"))
