"""Properties of documents beside the machine's grade: strata, columns, what runs think of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.collections import World

import gainsayer as gs
from gainsayer.errors import DataError


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


def test_a_property_of_other_documents_is_refused(world: World) -> None:
    """A property of no document that the machine graded cannot be tested."""
    with pytest.raises(DataError, match="says nothing of any document"):
        gs.machine.check(world.machine, world.runs, people=world.people, effects={"x": {"q": {"d": 1.0}}})
