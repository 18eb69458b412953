"""Intervals that allow for people hold the truth: three cells of the table in docs/explanation/coverage.md."""

from __future__ import annotations

import pytest
from tests.slow.statistics.people_worlds import PeopleWorld, check_coverage


@pytest.mark.parametrize("kind", ["one-sided", "sides", "team"])
def test_people_who_differ_are_allowed_for(kind: str) -> None:
    """Five people whose strictness has an sd of 1, on 50 topics: topics alone hold P@10 in .7 of the cases and less."""
    check_coverage(PeopleWorld(kind, 5, 1.0, 50), 100)
