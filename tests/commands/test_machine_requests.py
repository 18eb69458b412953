"""What the commands about machines are asked for: a request reads what it names once, and keeps its defaults."""

from __future__ import annotations

from pathlib import Path

from gainsayer.commands.machine_requests import CheckRequest, SampleRequest


def test_a_request_reads_its_files_once(files: Path) -> None:
    """Whoever asks for the material gets the same one, even if the file is gone by then."""
    asked = CheckRequest(files / "m.qrels", files / "runs", people=files / "truth.qrels", threshold=2)
    first = asked.material
    (files / "m.qrels").unlink()
    assert asked.material is first


def test_a_sample_asks_for_a_thousand_labels_by_default(files: Path) -> None:
    """As its help page says."""
    assert SampleRequest(files / "m.qrels", files / "runs").labels == 1_000
