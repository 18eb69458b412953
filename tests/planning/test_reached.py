"""What a plan has reached: finished batches, skips, documents nobody asked for, changed labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gainsayer.errors import DataError
from gainsayer.levels import Levels
from gainsayer.planning import FirstLabels, SavedPlan, Stopping, find_batches, find_reached, grow_shares

LEVELS = Levels(("0", "1"))
COUNT = 30 * 20
LABELS = FirstLabels(
    LEVELS,
    tuple(f"q{t:02}" for t in range(30)),
    np.repeat(np.arange(30), 20),
    tuple(f"d{place}" for place in range(COUNT)),
    np.tile([0, 0, 0, 1], COUNT // 4),
)
PLAN = SavedPlan(
    name="plan.json",
    levels=LEVELS.names,
    relevant=("1",),
    first=("first",),
    seed=7,
    digest=LABELS.digest,
    shares=grow_shares(np.array([0.2, 0.6]), 3),
    purpose="parameters",
    measure=None,
    targets=LEVELS.names,
    estimator="one-sided",
    stopping=Stopping("precision", 2.0),
    list_file=None,
)
BATCH = find_batches(LABELS.keys(7), LABELS.level, PLAN.shares)


def codes(judged: np.ndarray, **options: bool) -> set[str]:
    """What is said about these second judgments."""
    return {finding.code for finding in find_reached(PLAN, LABELS, judged, **options).findings}


def test_weights_are_those_of_the_batch_reached() -> None:
    """1 / pi at the end of the last finished batch, not at the end of the plan; the weights add up to the pool."""
    for last in (1, 2, 3):
        found = find_reached(PLAN, LABELS, (BATCH > 0) & (last >= BATCH))
        assert found.batch == last
        assert found.findings == ()
        expected = 1 / PLAN.shares[last - 1][LABELS.level]
        assert np.allclose(found.weight[found.counted], expected[found.counted])
        assert np.nansum(found.weight[found.counted]) == pytest.approx(COUNT, rel=0.1)


def test_changed_first_labels_are_refused() -> None:
    """One label on another level, and the probabilities no longer hold."""
    level = LABELS.level.copy()
    level[5] = 1 - level[5]
    with pytest.raises(DataError, match="The first labels are not those of the plan"):
        find_reached(PLAN, replace(LABELS, level=level), BATCH == 1)


def test_an_unfinished_batch_is_left_out_and_said() -> None:
    """Judgments of its first topics wait until it is finished in all."""
    judged = (BATCH == 1) | ((BATCH == 2) & (LABELS.topic < 10))
    found = find_reached(PLAN, LABELS, judged)
    assert found.batch == 1
    assert np.array_equal(found.counted, BATCH == 1)
    assert [finding.code for finding in found.findings] == ["batch-unfinished"]
    assert found.findings[0].message.startswith("Batch 2 is not finished")


def test_before_the_first_batch_is_finished_there_is_nothing() -> None:
    """The error says how far it is."""
    with pytest.raises(DataError, match=r"Batch 1 is not finished: \d+ of its \d+ documents"):
        find_reached(PLAN, LABELS, (BATCH == 1) & (LABELS.topic < 15))


def test_skips_are_counted_by_level() -> None:
    """Few are a note; more than 5 % of a level are a warning with the rates."""
    whole = (BATCH > 0) & (BATCH <= 3)
    one = whole.copy()
    one[np.flatnonzero(whole & (LABELS.level == 0))[:1]] = False
    assert codes(one) == {"some-skipped"}
    many = whole.copy()
    many[np.flatnonzero(whole & (LABELS.level == 1))[::14]] = False
    found = find_reached(PLAN, LABELS, many)
    assert [finding.code for finding in found.findings] == ["many-skipped"]
    assert "0 100.0%, 1 9" in found.findings[0].message
    assert found.asked.sum() - found.answered.sum() == (whole & ~many).sum()


def test_documents_outside_the_plan_are_left_out_or_kept_as_asked() -> None:
    """A foreign pilot serves for guesses; kept, every document is weighed by the share judged of its cell."""
    judged = (BATCH > 0) | (np.arange(COUNT) < 40)
    assert codes(judged) == {"outside-plan"}
    kept = find_reached(PLAN, LABELS, judged, keep_pilot=True)
    assert {finding.code for finding in kept.findings} == {"pilot-kept"}
    assert np.array_equal(kept.counted, judged)
    held = np.isin(LABELS.cell, LABELS.cell[judged]).sum()
    assert np.nansum(kept.weight) == pytest.approx(held)
