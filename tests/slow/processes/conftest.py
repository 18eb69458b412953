"""The fixtures of the judging page."""

from __future__ import annotations

from tests.judging.fixtures import people, place, postgresql, study

__all__ = ["people", "place", "postgresql", "study"]
