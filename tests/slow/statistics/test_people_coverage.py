"""Intervals that allow for people: a dozen cells of the table in docs/explanation/coverage.md, computed again."""

from __future__ import annotations

import pytest
from tests.slow.statistics.people_worlds import PeopleWorld, check_coverage

REPEATS = 300


@pytest.mark.slow
@pytest.mark.parametrize(
    "world",
    [
        PeopleWorld("one-sided", 4, 0.5, 50, "nested"),
        PeopleWorld("one-sided", 5, 1.0, 50, "crossed"),
        PeopleWorld("one-sided", 8, 1.0, 25, "mixed", "by level"),
        PeopleWorld("one-sided", 20, 1.0, 200, "nested"),
        PeopleWorld("symmetric", 5, 0.0, 50, "mixed"),
        PeopleWorld("symmetric", 8, 1.0, 50, "crossed"),
        PeopleWorld("sides", 4, 0.0, 25, "crossed"),
        PeopleWorld("sides", 5, 1.0, 50, "nested"),
        PeopleWorld("sides", 8, 0.5, 200, "mixed"),
        PeopleWorld("team", 5, 1.0, 50, "crossed"),
        PeopleWorld("team", 8, 0.5, 25, "nested"),
        PeopleWorld("team", 20, 1.0, 50, "mixed", "by level"),
    ],
    ids=str,
)
def test_a_cell_of_the_table_is_held(world: PeopleWorld) -> None:
    """Scores, differences and p(R|i) are held as promised where few people judge many topics."""
    check_coverage(world, REPEATS)
