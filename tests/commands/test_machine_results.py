"""What the commands about machines give: lists for people without the machine's word, gains as lines."""

from __future__ import annotations

import pytest
from tests.collections import World

import gainsayer as gs


def test_a_sample_is_its_seed_and_hides_the_grade(world: World) -> None:
    """The same seed draws the same documents, chances add up to what was asked for, and the order tells nothing."""
    one, two = (gs.machine.sample(world.machine, world.runs, measures="DCG@10", labels=300, seed=5) for _ in range(2))
    assert one.rows() == two.rows()
    assert one.probability.sum() == pytest.approx(300, abs=1e-6)
    assert one.text.splitlines()[0] == "topic\tdocument\tprobability"
    assert all(len(line.split("\t")) == 3 for line in one.text.splitlines())
    topics = [topic for topic, _, _ in one.rows()]
    assert topics != sorted(topics)


def test_gains_are_written_as_they_are(world: World) -> None:
    """A line per document of the machine's pool, and the number on it is the gain to the last digit."""
    table = gs.machine.gains(world.machine, people=world.people, threshold=2)
    head, *lines = table.text.splitlines()
    assert head.split("\t") == ["topic", "document", "gain"]
    assert len(lines) == sum(len(documents) for documents in world.machine.values())
    written = {(topic, document): float(gain) for topic, document, gain in (line.split("\t") for line in lines)}
    assert written == {(topic, document): gain for topic, document, gain in table.gains.rows()}
