"""What systems returned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.runs.files import read_run as read_run
    from gainsayer.runs.files import scan_run as scan_run
    from gainsayer.runs.run import Run as Run

_HOMES = {
    "Run": "run",
    "read_run": "files",
    "scan_run": "files",
}
__all__ = [
    "Run",
    "read_run",
    "scan_run",
]
# What the room's own tests use as well.
_INSIDE = {
    "InterleavedError": "trec",
    "RUN_FORMATS": "files",
    "find_runs": "files",
    "map_trec": "trec",
    "name_runs": "files",
    "read_hits": "json_documents",
    "read_trec": "trec",
    "run_from_cells": "tables",
}
__getattr__, __dir__ = late_names(__name__, _HOMES, _INSIDE)
