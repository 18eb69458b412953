"""Properties of documents beside the machine's grade: strata, columns, what runs think of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from tests.collections import World

import gainsayer as gs
from gainsayer.errors import CallError, DataError


def test_strata_and_columns_are_effects(world: World, tmp_path: Path) -> None:
    """A file of topic and stratum, and one of topic, document and group, are tested group by group."""
    topics = list(world.machine)
    strata = tmp_path / "strata.tsv"
    lines = [f"{topic}\t{'nav' if place % 2 else 'inf'}\n" for place, topic in enumerate(topics)]
    strata.write_text("topic\tstratum\n" + "".join(lines))
    kinds = tmp_path / "kinds.tsv"
    rows = [f"{t}\t{d}\t{'blog' if len(d) % 2 else 'news'}\n" for t in topics[:20] for d in world.machine[t]]
    kinds.write_text("topic\tdocument\tvalue\n" + "".join(rows))
    table = gs.machine.check(
        world.machine, world.runs, people=world.people, threshold=2, effects=[str(strata), str(kinds), "metarank"]
    )
    assert table.check is not None
    assert {"strata=nav", "strata=inf", "metarank", "kinds=not said"} <= {effect.what for effect in table.check.effects}
    found = {cells.feature.name: cells for cells in table.check.cells}
    assert found["strata"].feature.names == ("inf", "nav")
    assert found["strata"].labels.sum() == 50 * 80
    told = [record for record in json.loads(table.to_json())["cells"] if record["what"] == "strata"]
    assert told[0].keys() == {"what", "level", "group", "share", "standard_error", "probability", "labels"}


def test_gains_by_more_than_the_grade(world: World) -> None:
    """Gains follow the property; by what runs think of a document they come with a warning; one property at a time."""
    plain = gs.machine.gains(world.machine, people=world.people, threshold=2)
    voted = gs.machine.gains(world.machine, people=world.people, threshold=2, effect="votes", runs=world.runs)
    assert "consensus-gains" in [finding.code for finding in voted.findings]
    assert "consensus-gains" not in [finding.code for finding in plain.findings]
    told = np.array([world.people[t][d] >= 2 for t, d, _ in plain.gains.rows()])
    brier = [float(((table.gains.value - told) ** 2).mean()) for table in (voted, plain)]
    assert brier[0] < brier[1]
    with pytest.raises(CallError, match="votes is about runs"):
        gs.machine.gains(world.machine, people=world.people, threshold=2, effect="votes")
    with pytest.raises(CallError, match="one property"):
        gs.machine.gains(world.machine, people=world.people, threshold=2, effect=["votes", "rank"], runs=world.runs)
    with pytest.raises(DataError, match="says nothing of any document"):
        gs.machine.gains(world.machine, people=world.people, threshold=2, effect={"x": {"q": {"d": 1.0}}})


def test_gains_with_an_effect_on_the_command_line(run: Callable[..., Result], files: Path) -> None:
    """The warning about consensus stands on standard error beside the gains."""
    done = run(
        *("machine", "gains", "--machine", files / "m.qrels", "--people", files / "judged.tsv", "--threshold", "2"),
        *("--runs", files / "runs", "--effect", "votes"),
    )
    assert done.exit_code == 0, done.output
    assert "consensus-gains" in done.stderr
    assert len(done.stdout.splitlines()) == 1 + 50 * 80
