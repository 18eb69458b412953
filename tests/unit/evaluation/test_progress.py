"""Progress of one named step."""

from __future__ import annotations

from gainsayer.evaluation.progress import part_of


def test_a_step_reports_under_its_name() -> None:
    """Every share arrives with the name of the step; where nobody wants to know, there is nobody to call."""
    heard: list[tuple[str, float]] = []
    step = part_of(lambda what, share: heard.append((what, share)), "Comparing runs")
    assert step is not None
    step(0.25)
    step(1.0)
    assert heard == [("Comparing runs", 0.25), ("Comparing runs", 1.0)]
    assert part_of(None, "Comparing runs") is None
