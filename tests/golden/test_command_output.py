"""Command output kept as files, on the paper's twenty documents; GAINSAYER_GOLDEN=write renews them for review."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import gainsayer as gs

HERE = Path(__file__).parent
CASES = {
    "fit-table.txt": ["fit"],
    "fit-one-sided.csv": ["fit", "--estimator", "one-sided", "--threshold", "2", "--format", "csv"],
    "fit.md": ["fit", "--threshold", "1", "--format", "markdown"],
    "fit.tex": ["fit", "--relevant", "1,2", "--format", "latex"],
    "agree-table.txt": ["agree"],
}


@pytest.mark.parametrize("name", CASES)
def test_output_is_as_kept(name: str, tmp_path: Path, run: Callable[..., Result]) -> None:
    """What a user sees changes only on purpose."""
    frame = gs.twenty_documents().frame()
    for assessor in ("U1", "U2"):
        rows = frame.filter(assessor=assessor).select("topic", "document", "level").rows()
        lines = [f"{topic} 0 {document} {level}\n" for topic, document, level in rows]
        (tmp_path / f"{assessor}.qrels").write_text("".join(lines))
    command, *options = CASES[name]
    result = run(command, tmp_path / "U1.qrels", tmp_path / "U2.qrels", *options)
    assert result.exit_code == 0, result.stderr
    shown = result.stdout + "\n" + result.stderr
    if os.environ.get("GAINSAYER_GOLDEN") == "write":
        (HERE / name).write_text(shown, encoding="utf-8")
    assert shown == (HERE / name).read_text(encoding="utf-8")
